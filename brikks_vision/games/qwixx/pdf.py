"""The player sheet to print: a vector PDF in the layout's geometry, with our own art."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.layout import Box, Layout, Point, load_layout
from brikks_vision.printing import shapes
from brikks_vision.printing.page import draw_markers, page_layout, pdf_of_sheets
from brikks_vision.rules.qwixx import sheet
from brikks_vision.text.phrases import Phrase, Translator

INK, PALE = "#253043", "#7d879a"
COLORS = ("red", "yellow", "green", "blue")
GROUND, PLACE = 0.55, 0.16
"""Shares of a row's colour in its bar and in its places: pale, so that any pen shows."""

SIGNS = ("+", "+", "+", "–", "=")
"""What is printed between the boxes for figures."""


def _box(centre: Point, size: tuple[float, float]) -> Box:
    (x, y), (width, height) = centre, size
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _draw_row(canvas: Canvas, layout: Layout, row: int) -> None:
    cells, locks = layout.fields["row"], layout.fields["lock"]
    color = layout.colors[COLORS[row]]
    lock, places = (
        locks.centres[row],
        cells.centres[sheet.COLUMNS * row : sheet.COLUMNS * (row + 1)],
    )
    bar = Box(places[0][0] - 0.95, lock[1] - 0.58, lock[0] + 0.6, lock[1] + 0.58)
    shapes.draw_rectangle(canvas, bar, fill=shapes.mixed(color, GROUND), corner=0.2)
    shapes.draw_arrow(canvas, (bar.left + 0.36, lock[1]), 0.24, "#ffffff")
    for column, centre in enumerate(places):
        shapes.draw_rectangle(
            canvas, _box(centre, cells.size), fill=shapes.mixed(color, PLACE), corner=0.12
        )
        shapes.draw_text(
            canvas, centre, str(sheet.number_at(row, column)), 0.46, shapes.mixed(color, 0.8, INK)
        )
    shapes.draw_disc(
        canvas, lock, locks.radius, fill=shapes.mixed(color, PLACE), stroke=INK, width=0.03
    )
    body = Box(lock[0] - 0.17, lock[1] - 0.05, lock[0] + 0.17, lock[1] + 0.2)
    shapes.draw_disc(
        canvas, (lock[0], body.top - 0.02), 0.12, stroke=shapes.mixed(color, 0.8, INK), width=0.06
    )
    shapes.draw_rectangle(canvas, body, fill=shapes.mixed(color, 0.8, INK), corner=0.04)


def _draw_table(canvas: Canvas) -> None:
    """What so many crosses in a row are worth."""
    for crosses in range(1, sheet.COLUMNS + 2):
        x = 0.45 + 0.53 * (crosses - 1)
        shapes.draw_text(canvas, (x, 5.8), f"{crosses}x", 0.2, PALE)
        shapes.draw_text(
            canvas, (x, 6.15), str(sheet.row_points(sheet.CROSSED * crosses)), 0.26, INK
        )


def _draw_sheet(canvas: Canvas, layout: Layout, index: int, words: Translator) -> None:
    for row in range(sheet.ROWS):
        _draw_row(canvas, layout, row)
    _draw_table(canvas)
    failed = layout.fields["failed"]
    for centre in failed.centres:
        shapes.draw_rectangle(
            canvas, shapes.square(centre, failed.size[0]), stroke=INK, width=0.04, corner=0.1
        )
    caption = words(sheet.phrase("printed-failed", points=sheet.FAILED_POINTS))
    above = ((failed.box.left + failed.box.right) / 2, failed.box.top - 0.27)
    shapes.draw_text(canvas, above, caption, shapes.fitting_size(0.24, [caption], 4.5), INK)
    inks = [shapes.mixed(layout.colors[name], 0.85, INK) for name in COLORS]
    places = [(centre, field.size) for field in layout.figures.values() for centre in field.centres]
    for (centre, size), ink in zip(places, [*inks, INK, INK], strict=True):
        shapes.draw_rectangle(canvas, _box(centre, size), fill="#ffffff", stroke=ink, width=0.06)
    for ((left, y), _), ((right, _), _), sign in zip(places, places[1:], SIGNS, strict=False):
        shapes.draw_text(canvas, ((left + right) / 2, y), sign, 0.45, INK)
    for name, box in layout.words.items():
        shapes.draw_rectangle(canvas, box, stroke=PALE, width=0.04, corner=0.15)
        text, at = words(sheet.phrase(f"printed-{name}")), (box.left + 0.5, box.top + 0.22)
        shapes.draw_text(canvas, at, text, 0.24, PALE)
    shapes.draw_text(canvas, (layout.outline.middle[0], -1.7), layout.title.upper(), 0.9, INK)
    hint = words(sheet.phrase("printed-hint", count=sheet.BEFORE_LAST))
    shapes.draw_text(
        canvas, (layout.outline.middle[0], 8.75), hint, shapes.fitting_size(0.26, [hint], 11), PALE
    )
    draw_markers(canvas, layout, index)


def sheet_pdf(
    paper: str = "a4", per_page: int = 1, style: str = "light", words: Translator = Phrase.text
) -> bytes:
    """The printable sheet as the bytes of a PDF; the same input gives the same bytes.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or none of one, two and four sheets a page.
    """
    if style != "light":
        raise UnknownValue("style", style, "light")
    layout = load_layout("qwixx")
    title = words(sheet.phrase("printed-title", title=layout.title))
    page = page_layout(paper, per_page, layout)
    return pdf_of_sheets(
        title, page, layout.page, [lambda canvas, at: _draw_sheet(canvas, layout, at, words)]
    )
