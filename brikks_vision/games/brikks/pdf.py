"""The player sheet to print: a vector PDF in the layout's geometry, with our own art.

Two styles: ``light`` (thin lines and pale tints on white paper, fiducial markers, fields for the
total, the player's name, the date and the game's settings) and ``arcade`` (dark like the published
sheet, no markers). The back shows all blocks.

The light style: thin lines and pale tints on white, with markers and fields to write in.

The arcade style: dark like the published sheet, without markers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.games.brikks import sheet_art
from brikks_vision.layout import Box, Layout, Point
from brikks_vision.printing.page import draw_markers, page_layout, pdf_of_sheets
from brikks_vision.printing.shapes import (
    Printed,
    draw_block,
    draw_figure_field,
    draw_line,
    draw_polygon,
    draw_rectangle,
    draw_settings,
    draw_title,
    draw_words,
    mixed,
)
from brikks_vision.rules.brikks.sheet import phrase, sheet_of
from brikks_vision.text.phrases import Phrase, Translator

LIGHT = sheet_art.BrikksPalette(
    paper="#ffffff",
    ink="#2d2650",
    rim="#5d5580",
    faint="#b9b4cc",
    text="#4a426e",
    accent="#c8327f",
    panel="#ffffff",
    panel_rim="#9d96b8",
    bar_ground="#ffffff",
    bar_text="#857da3",
    point_ground="#ffffff",
    point_rim="#5d5580",
    active_ground="#eef6dc",
    bonus_mark="#e793bd",
    strip_ground="#ffffff",
    bomb_panel="#ffffff",
    bomb_body="#fbe6f0",
    bomb_text="#a12a69",
    bomb_rim="#a12a69",
    factor_text="#d07a00",
    note_text="#857da3",
    brick_rim="#2d2650",
    brick_tint=0.7,
    tint=0.42,
    circle_tint=0.5,
    line_share=0.55,
)


def draw_light_sheet(canvas: Canvas, layout: Layout, index: int, printed: Printed) -> None:
    """The front of the ``index``-th sheet of a page."""
    palette = LIGHT
    draw_rectangle(
        canvas,
        sheet_art.decoration_of(layout).screen,
        stroke=palette.panel_rim,
        width=0.05,
        corner=0.35,
    )
    colors = [mixed(layout.colors[name], palette.brick_tint) for name in sheet_of(layout).blocks]
    draw_title(
        canvas,
        sheet_art.decoration_of(layout).title or sheet_art.head(layout),
        layout.title.upper(),
        lambda letter, row: colors[letter % len(colors)],
        palette.brick_rim,
    )
    sheet_art.draw_parts(canvas, layout, palette, printed)
    total_field = sheet_art.decoration_of(layout).total_field
    if total_field is not None:
        draw_figure_field(canvas, total_field, printed("total"), palette)
    captions = {name: printed(name) for name in (*layout.words, *layout.settings)}
    draw_words(canvas, layout, palette, captions)
    draw_settings(canvas, layout, palette, captions)
    sheet_art.draw_reminders(canvas, layout, palette, sheet_art.foot(layout), printed)
    draw_markers(canvas, layout, index)


ARCADE = sheet_art.BrikksPalette(
    paper="#140d33",
    ink="#2a1450",
    rim="#2a1450",
    faint="#6b4fb3",
    text="#f4efff",
    accent="#ff5fa8",
    panel="#1b0f42",
    panel_rim="#ffb33c",
    bar_ground="#f7f3ff",
    bar_text="#3a2470",
    point_ground="#ffffff",
    point_rim="#2a1450",
    active_ground="#dff0b0",
    bonus_mark="#d81b7a",
    strip_ground="#dcebf7",
    bomb_panel="#e7a3d3",
    bomb_body="#a81673",
    bomb_text="#ffffff",
    bomb_rim="#4a0c3a",
    factor_text="#ff9a2e",
    note_text="#cdbcff",
    brick_rim="#a892e8",
    brick_tint=1.0,
    tint=1.0,
    circle_tint=1.0,
    line_share=1.0,
)

TITLE_GLOW = ("#ffe27a", "#ffc24f", "#ff9a3c", "#ff6f61", "#ff4f9a")
"""Colours of the title's rows of bricks, from the top."""

MACHINE_BODY, MACHINE_DECK, MACHINE_EDGE = "#37197a", "#4c2599", "#8f6be0"
MACHINE_STRIPES = ("#2fd3e0", "#ff5fa8", "#ffb33c")


def _mirrored(points: Iterable[Point], middle: float) -> tuple[Point, ...]:
    """An outline from its right half, points as (half width, y) from top to bottom."""
    right = [(middle + half, y) for half, y in points]
    return (*right, *((2 * middle - x, y) for x, y in reversed(right)))


def _draw_machine(canvas: Canvas, layout: Layout, palette: sheet_art.BrikksPalette) -> None:
    """The arcade machine around screen and bars, on a dark ground with falling blocks."""
    page, screen = layout.page, sheet_art.decoration_of(layout).screen
    deck_top, deck_bottom = (
        sheet_art.extra_points_panel(layout).top - 0.35,
        sheet_art.energy_panel(layout).bottom,
    )
    middle = (page.left + page.right) / 2
    narrow, wide = screen.width / 2 + 1.05, sheet_art.energy_panel(layout).width / 2 + 0.55
    brow, floor = screen.top - 0.5, page.bottom - 0.35
    draw_rectangle(canvas, page, fill=palette.paper)
    _draw_falling_blocks(canvas, layout, palette)
    machine = (
        (narrow - 0.3, page.top + 0.35),
        (narrow, page.top + 0.65),
        (narrow, deck_top),
        (wide, deck_bottom + 0.45),
        (wide, deck_bottom + 0.75),
        (narrow, deck_bottom + 0.95),
        (narrow, floor - 0.3),
        (narrow - 0.3, floor),
    )
    draw_polygon(
        canvas, _mirrored(machine, middle), fill=MACHINE_BODY, stroke=MACHINE_EDGE, width=0.08
    )
    deck = ((narrow, deck_top), (wide, deck_bottom + 0.45))
    draw_polygon(canvas, _mirrored(deck, middle), fill=MACHINE_DECK)
    edge = ((wide, deck_bottom + 0.45), (wide, deck_bottom + 0.75))
    draw_polygon(canvas, _mirrored(edge, middle), fill=palette.panel_rim)
    marquee = Box(middle - narrow + 0.4, page.top + 0.8, middle + narrow - 0.4, brow - 0.15)
    draw_rectangle(
        canvas, marquee, fill=palette.panel, stroke=palette.accent, width=0.08, corner=0.3
    )
    for index, color in enumerate(MACHINE_STRIPES):
        inset = 0.25 + 0.22 * index
        for side in (-1, 1):
            x = middle + side * (narrow - inset)
            draw_line(canvas, (x, brow + 0.1), (x, deck_top - 0.15), color, 0.09)


def _draw_falling_blocks(canvas: Canvas, layout: Layout, palette: sheet_art.BrikksPalette) -> None:
    """A block of every colour on the dark ground left and right of the machine."""
    page = layout.page
    step = page.height / (len(sheet_of(layout).blocks) + 1)
    for index, (color, shapes) in enumerate(sheet_of(layout).blocks.items()):
        # The upright shapes are the ones that fit beside the machine.
        cells = max(shapes, key=lambda shape: max(row for row, _ in shape))
        fill = mixed(layout.colors[color], 0.55, palette.paper)
        x = page.left + 0.72 if index % 2 else page.right - 0.72
        centre = (x, page.top + (index + 0.8) * step)
        draw_block(canvas, centre, cells, 0.42, fill, palette.faint)


def draw_arcade_sheet(canvas: Canvas, layout: Layout, index: int, printed: Printed) -> None:
    """The front of a sheet."""
    palette = ARCADE
    _draw_machine(canvas, layout, palette)
    draw_rectangle(
        canvas,
        sheet_art.decoration_of(layout).screen,
        fill=palette.panel,
        stroke=palette.panel_rim,
        width=0.12,
        corner=0.5,
    )
    draw_title(
        canvas,
        sheet_art.head(layout),
        layout.title.upper(),
        lambda letter, row: TITLE_GLOW[row],
        palette.ink,
    )
    sheet_art.draw_parts(canvas, layout, palette, printed)
    sheet_art.draw_reminders(canvas, layout, palette, sheet_art.foot(layout), printed)


SHEETS_PER_PAGE = (1, 2)


DrawFront = Callable[[Canvas, Layout, int, Printed], None]
"""Draws the front of a sheet: its layout, its index on the page, the words by key."""

STYLES: dict[str, tuple[DrawFront, sheet_art.BrikksPalette]] = {
    "light": (draw_light_sheet, LIGHT),
    "arcade": (draw_arcade_sheet, ARCADE),
}
"""The styles by name."""


def sheet_pdf(
    layout: Layout,
    paper: str = "a4",
    sheets_per_page: int = 1,
    style: str = "light",
    words: Translator = Phrase.text,
) -> bytes:
    """The printable sheet as the bytes of a PDF: page 1 the sheets, page 2 the block overview.

    The same input gives the same bytes.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or neither one nor two sheets a page.
    """
    if style not in STYLES:
        raise UnknownValue("style", style, ", ".join(STYLES))
    draw_front, palette = STYLES[style]

    def printed(key: str) -> str:
        return words(phrase(f"printed-{key}"))

    return pdf_of_sheets(
        words(phrase("printed-title", title=layout.title)),
        page_layout(paper, sheets_per_page, layout, SHEETS_PER_PAGE),
        layout.page,
        (
            lambda canvas, index: draw_front(canvas, layout, index, printed),
            lambda canvas, _: sheet_art.draw_overview(canvas, layout, palette),
        ),
    )
