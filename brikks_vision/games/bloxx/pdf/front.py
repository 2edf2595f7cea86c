"""The front of the sheet: grid, bonuses, boxes for figures, markers.

Every place is the layout's; the drawing below only dresses it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.games.bloxx.pdf.palette import LIGHT
from brikks_vision.layout import CELL, Box, Field, Layout, Point, bounds
from brikks_vision.printing.bricks import draw_title
from brikks_vision.printing.fields import draw_grid, draw_words
from brikks_vision.printing.lettering import Printed, draw_text, fitting_size
from brikks_vision.printing.markers import draw_markers
from brikks_vision.printing.shapes import draw_disc, draw_rectangle, mixed
from brikks_vision.rules.bloxx.sheet import ColoredRow, Sheet

BONUS_FIELD = "bonus"

TABS = 0.28
"""Length of the coloured tabs at both ends of a coloured row, in cells."""

SIGNS = {"numbers": "+", "penalty": "–", "total": "="}
"""What is printed before the box of a figure."""

BONUS_RIM = 0.05
"""Width of the coloured ground around the bonuses of a row, in cells."""

NUMBER_GROUND = 0.16
"""Share of the text's colour in the discs under printed numbers."""


def draw_front(canvas: Canvas, layout: Layout, sheet: Sheet, index: int, printed: Printed) -> None:
    """The front of the ``index``-th sheet of a page."""
    _draw_colored_rows(canvas, layout, sheet)
    draw_grid(canvas, layout, LIGHT)
    _draw_numbers(canvas, layout, sheet)
    _draw_bonuses(canvas, layout, sheet)
    _draw_figures(canvas, layout, printed)
    draw_words(canvas, layout, LIGHT, {name: printed(name) for name in layout.words})
    colors = [mixed(layout.colors[row.color], LIGHT.brick_tint) for row in sheet.colored_rows]
    draw_title(
        canvas,
        _head(layout),
        layout.title.upper(),
        lambda letter, row: colors[letter % len(colors)] if colors else LIGHT.faint,
        LIGHT.brick_rim,
    )
    draw_markers(canvas, layout, index)


def _head(layout: Layout) -> Box:
    """The space for the title: above the grid and the fields for words, between the markers."""
    bottom = min([layout.grid.box.top, *(box.top for box in layout.words.values())])
    left, right = layout.page.left, layout.page.right
    if layout.markers is not None:
        half = layout.markers.size
        left = min(x for x, _ in layout.markers.centres) + half
        right = max(x for x, _ in layout.markers.centres) - half
    return Box(left, layout.page.top + 0.35, right, bottom - 0.35)


def _draw_colored_rows(canvas: Canvas, layout: Layout, sheet: Sheet) -> None:
    for printed_row in sheet.colored_rows:
        color, row = layout.colors[printed_row.color], printed_row.row
        ground = Box(0, row, sheet.columns, row + 1)
        draw_rectangle(canvas, ground, fill=mixed(color, LIGHT.tint))
        for left in (-TABS, float(sheet.columns)):
            tab = Box(left, row + 0.12, left + TABS, row + 0.88)
            draw_rectangle(canvas, tab, fill=mixed(color, LIGHT.brick_tint))


def _draw_numbers(canvas: Canvas, layout: Layout, sheet: Sheet) -> None:
    """The numbers in their cells, on discs as wide as the layout draws them."""
    cells = layout.fields[CELL]
    for number in sheet.numbers:
        place = number.row * sheet.columns + number.column
        width = cells.drawn[cells.prints[place]].get("disc", 0.0)
        centre = cells.centres[place]
        if width:
            draw_disc(canvas, centre, width / 2, fill=mixed(LIGHT.text, NUMBER_GROUND))
        draw_text(canvas, centre, str(number.value), 0.4, LIGHT.text)


def _bonuses_of(layout: Layout, sheet: Sheet) -> Iterator[tuple[ColoredRow, tuple[Point, ...]]]:
    """The places of the bonuses of each coloured row, the highest first."""
    centres = iter(layout.fields[BONUS_FIELD].centres)
    for row in sheet.colored_rows:
        yield row, tuple(next(centres) for _ in row.bonuses)


def _draw_bonuses(canvas: Canvas, layout: Layout, sheet: Sheet) -> None:
    """The bonuses of each row on a ground of its colour."""
    width, height = layout.fields[BONUS_FIELD].size
    for row, centres in _bonuses_of(layout, sheet):
        color = layout.colors[row.color]
        boxes = [_box(centre, width, height) for centre in centres]
        ground, rim = mixed(color, LIGHT.tint), mixed(color, LIGHT.brick_tint)
        draw_rectangle(canvas, bounds(boxes).grown(BONUS_RIM), ground, rim, 0.03, corner=0.15)
        for bonus, box in zip(row.bonuses, boxes, strict=True):
            draw_rectangle(canvas, box, fill=LIGHT.paper, stroke=LIGHT.rim, width=0.04, corner=0.1)
            draw_text(canvas, box.middle, str(bonus), 0.46, LIGHT.text)


def _box(centre: Point, width: float, height: float) -> Box:
    x, y = centre
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _draw_figures(canvas: Canvas, layout: Layout, printed: Printed) -> None:
    """The boxes for the player's figures with captions below, and the signs of the sum."""
    boxes = {name: _figure_box(field) for name, field in layout.figures.items()}
    for name, box in boxes.items():
        width = 0.1 if name == "total" else 0.06
        draw_rectangle(canvas, box, fill=LIGHT.paper, stroke=LIGHT.ink, width=width)
        lines = printed(name).split("\n")
        size = fitting_size(0.27, lines, box.width + 0.3)
        for number, line in enumerate(lines):
            below = (box.middle[0], box.bottom + 0.24 + 0.3 * number)
            draw_text(canvas, below, line, size, LIGHT.text)
    for (_, before), (name, box) in pairwise(boxes.items()):
        middle = ((before.right + box.left) / 2, (box.top + box.bottom) / 2)
        draw_text(canvas, middle, SIGNS[name], 0.5, LIGHT.text)


def _figure_box(field: Field) -> Box:
    return _box(field.centres[0], *field.size)
