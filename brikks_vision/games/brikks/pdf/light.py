"""The light style: thin lines and pale tints on white, with markers and fields to write in."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.games.brikks.decoration import decoration_of
from brikks_vision.games.brikks.pdf.palette import BrikksPalette
from brikks_vision.games.brikks.pdf.parts import draw_parts, foot, head
from brikks_vision.games.brikks.pdf.reminders import draw_reminders
from brikks_vision.layout import Layout
from brikks_vision.printing.bricks import draw_title
from brikks_vision.printing.fields import draw_figure_field, draw_settings, draw_words
from brikks_vision.printing.lettering import Printed
from brikks_vision.printing.markers import draw_markers
from brikks_vision.printing.shapes import draw_rectangle, mixed
from brikks_vision.rules.brikks.sheet import sheet_of

LIGHT = BrikksPalette(
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
        canvas, decoration_of(layout).screen, stroke=palette.panel_rim, width=0.05, corner=0.35
    )
    colors = [mixed(layout.colors[name], palette.brick_tint) for name in sheet_of(layout).blocks]
    draw_title(
        canvas,
        decoration_of(layout).title or head(layout),
        layout.title.upper(),
        lambda letter, row: colors[letter % len(colors)],
        palette.brick_rim,
    )
    draw_parts(canvas, layout, palette, printed)
    total_field = decoration_of(layout).total_field
    if total_field is not None:
        draw_figure_field(canvas, total_field, printed("total"), palette)
    captions = {name: printed(name) for name in (*layout.words, *layout.settings)}
    draw_words(canvas, layout, palette, captions)
    draw_settings(canvas, layout, palette, captions)
    draw_reminders(canvas, layout, palette, foot(layout), printed)
    draw_markers(canvas, layout, index)
