"""The player sheet to print: a vector PDF in the layout's geometry, with our own art.

The front bears the grid, its bonuses and the boxes for figures, in thin lines and pale tints on
white paper, with markers in the corners. The back shows what two ordinary dice stand for.

The back of the sheet: the shapes of two dice, so that two ordinary ones can be played with.

The front of the sheet: grid, bonuses, boxes for figures, markers.

Every place is the layout's; the drawing below only dresses it.

Colours of the sheet.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.games.bloxx.places import sheet_of
from brikks_vision.layout import CELL, Box, Field, Layout, Point, bounds
from brikks_vision.printing import shapes
from brikks_vision.printing.page import draw_markers, page_layout, pdf_of_sheets
from brikks_vision.rules.bloxx.sheet import ColoredRow, Face, Sheet, phrase
from brikks_vision.text.phrases import Phrase, Translator

LIGHT = shapes.Palette(
    paper="#ffffff",
    ink="#253043",
    rim="#56647d",
    faint="#b4bccb",
    text="#3d4a62",
    note_text="#7d879a",
    accent="#c8327f",
    panel="#ffffff",
    panel_rim="#9aa5b8",
    brick_rim="#253043",
    brick_tint=0.75,
    tint=0.4,
    line_share=0.7,
)
"""Thin lines and pale tints on white paper, so that any pen shows."""


DIE_KEYS = ("light-die", "dark-die")
DIE_GROUNDS = (LIGHT.paper, LIGHT.ink)
PIP_COLORS = (LIGHT.ink, LIGHT.paper)
"""How the two dice are told apart: one is light, the other dark."""

PIPS: tuple[tuple[Point, ...], ...] = (
    ((0, 0),),
    ((-1, -1), (1, 1)),
    ((-1, -1), (0, 0), (1, 1)),
    ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    ((-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)),
)
"""The spots of the sides of an ordinary die, from its middle."""

DIE_SIDE = 1.2
"""Side of a printed die, in cells."""


def draw_dice_table(canvas: Canvas, layout: Layout, sheet: Sheet, printed: shapes.Printed) -> None:
    """A column for each die, a row for each of its sides, filling the sheet's page."""
    if sheet.dice is None:
        return
    area = layout.page.grown(-0.7)
    head, foot = 1.7, 1.6
    hints = [printed(key) for key in ("roll-hint", "circle-hint")]
    size = shapes.fitting_size(0.36, hints, area.width)
    for number, hint in enumerate(hints):
        y = area.bottom - foot + 0.75 + 0.6 * number
        shapes.draw_text(canvas, ((area.left + area.right) / 2, y), hint, size, LIGHT.text)
    sides = max(len(die) for die in sheet.dice)
    height = (area.height - head - foot) / sides
    width = area.width / len(sheet.dice)
    cells = [cell for die in sheet.dice for face in die for cell in face.cells]
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    cell = min((width - DIE_SIDE - 1.2) / columns, (height - 0.3) / rows)
    captions = [printed(key) for key in DIE_KEYS]
    caption_size = shapes.fitting_size(0.55, captions, width - 0.4)
    for number, die in enumerate(sheet.dice):
        column = Box(area.left + number * width, area.top, area.left + (number + 1) * width, 0)
        middle = ((column.left + column.right) / 2, area.top + 0.75)
        shapes.draw_text(canvas, middle, captions[number], caption_size, LIGHT.ink)
        for side, face in enumerate(die):
            top = area.top + head + side * height
            shapes.draw_line(canvas, (column.left, top), (column.right, top), LIGHT.faint, 0.03)
            y = top + height / 2
            _draw_side(canvas, (column.left + 0.5 + DIE_SIDE / 2, y), number, side)
            centre = ((column.left + 0.5 + DIE_SIDE + column.right) / 2, y)
            _draw_face(canvas, centre, face, cell)
        if number:
            bottom = area.top + head + sides * height
            edge = (column.left, area.top + 0.2), (column.left, bottom)
            shapes.draw_line(canvas, *edge, LIGHT.faint, 0.03)
    bottom = area.bottom - foot
    shapes.draw_line(canvas, (area.left, bottom), (area.right, bottom), LIGHT.faint, 0.03)


def _draw_side(canvas: Canvas, centre: Point, die: int, side: int) -> None:
    """The side of an ordinary die."""
    box = shapes.square(centre, DIE_SIDE)
    shapes.draw_rectangle(canvas, box, DIE_GROUNDS[die], LIGHT.ink, 0.07, corner=0.22)
    for x, y in PIPS[side]:
        spot = (centre[0] + 0.29 * DIE_SIDE * x, centre[1] + 0.29 * DIE_SIDE * y)
        shapes.draw_disc(canvas, spot, 0.1 * DIE_SIDE, fill=PIP_COLORS[die])


def _draw_face(canvas: Canvas, centre: Point, face: Face, cell: float) -> None:
    """A shape with its crosses and its circle, in squares of side ``cell``."""
    rows = 1 + max(row for row, _ in face.cells)
    columns = 1 + max(column for _, column in face.cells)
    for row, column in face.cells:
        middle = (
            centre[0] + (column + 0.5 - columns / 2) * cell,
            centre[1] + (row + 0.5 - rows / 2) * cell,
        )
        shapes.draw_rectangle(
            canvas, shapes.square(middle, cell), LIGHT.paper, LIGHT.ink, 0.09 * cell
        )
        if (row, column) == face.circle:
            shapes.draw_disc(canvas, middle, 0.29 * cell, stroke=LIGHT.accent, width=0.11 * cell)
        else:
            shapes.draw_cross(canvas, middle, 0.26 * cell, LIGHT.ink, 0.11 * cell)


BONUS_FIELD = "bonus"

TABS = 0.28
"""Length of the coloured tabs at both ends of a coloured row, in cells."""

SIGNS = {"numbers": "+", "penalty": "–", "total": "="}
"""What is printed before the box of a figure."""

BONUS_RIM = 0.05
"""Width of the coloured ground around the bonuses of a row, in cells."""

NUMBER_GROUND = 0.16
"""Share of the text's colour in the discs under printed numbers."""


def draw_front(
    canvas: Canvas, layout: Layout, sheet: Sheet, index: int, printed: shapes.Printed
) -> None:
    """The front of the ``index``-th sheet of a page."""
    _draw_colored_rows(canvas, layout, sheet)
    shapes.draw_grid(canvas, layout, LIGHT)
    _draw_numbers(canvas, layout, sheet)
    _draw_bonuses(canvas, layout, sheet)
    _draw_figures(canvas, layout, printed)
    shapes.draw_words(canvas, layout, LIGHT, {name: printed(name) for name in layout.words})
    colors = [
        shapes.mixed(layout.colors[row.color], LIGHT.brick_tint) for row in sheet.colored_rows
    ]
    shapes.draw_title(
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
        shapes.draw_rectangle(canvas, ground, fill=shapes.mixed(color, LIGHT.tint))
        for left in (-TABS, float(sheet.columns)):
            tab = Box(left, row + 0.12, left + TABS, row + 0.88)
            shapes.draw_rectangle(canvas, tab, fill=shapes.mixed(color, LIGHT.brick_tint))


def _draw_numbers(canvas: Canvas, layout: Layout, sheet: Sheet) -> None:
    """The numbers in their cells, on discs as wide as the layout draws them."""
    cells = layout.fields[CELL]
    for number in sheet.numbers:
        place = number.row * sheet.columns + number.column
        width = cells.drawn[cells.prints[place]].get("disc", 0.0)
        centre = cells.centres[place]
        if width:
            shapes.draw_disc(
                canvas, centre, width / 2, fill=shapes.mixed(LIGHT.text, NUMBER_GROUND)
            )
        shapes.draw_text(canvas, centre, str(number.value), 0.4, LIGHT.text)


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
        ground, rim = shapes.mixed(color, LIGHT.tint), shapes.mixed(color, LIGHT.brick_tint)
        shapes.draw_rectangle(
            canvas, bounds(boxes).grown(BONUS_RIM), ground, rim, 0.03, corner=0.15
        )
        for bonus, box in zip(row.bonuses, boxes, strict=True):
            shapes.draw_rectangle(
                canvas, box, fill=LIGHT.paper, stroke=LIGHT.rim, width=0.04, corner=0.1
            )
            shapes.draw_text(canvas, box.middle, str(bonus), 0.46, LIGHT.text)


def _box(centre: Point, width: float, height: float) -> Box:
    x, y = centre
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _draw_figures(canvas: Canvas, layout: Layout, printed: shapes.Printed) -> None:
    """The boxes for the player's figures with captions below, and the signs of the sum."""
    boxes = {name: _figure_box(field) for name, field in layout.figures.items()}
    for name, box in boxes.items():
        width = 0.1 if name == "total" else 0.06
        shapes.draw_rectangle(canvas, box, fill=LIGHT.paper, stroke=LIGHT.ink, width=width)
        lines = printed(name).split("\n")
        size = shapes.fitting_size(0.27, lines, box.width + 0.3)
        for number, line in enumerate(lines):
            below = (box.middle[0], box.bottom + 0.24 + 0.3 * number)
            shapes.draw_text(canvas, below, line, size, LIGHT.text)
    for (_, before), (name, box) in pairwise(boxes.items()):
        middle = ((before.right + box.left) / 2, (box.top + box.bottom) / 2)
        shapes.draw_text(canvas, middle, SIGNS[name], 0.5, LIGHT.text)


def _figure_box(field: Field) -> Box:
    return _box(field.centres[0], *field.size)


STYLES = {"light": draw_front}
"""What draws the front of a sheet, by style."""


def sheet_pdf(
    layout: Layout,
    paper: str = "a4",
    sheets_per_page: int = 1,
    style: str = "light",
    words: Translator = Phrase.text,
) -> bytes:
    """The printable sheet as the bytes of a PDF: page 1 the sheets, page 2 the dice.

    A sheet that knows no dice has no second page. The same input gives the same bytes.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or none of one, two and four sheets a page.
    """
    if style not in STYLES:
        raise UnknownValue("style", style, ", ".join(STYLES))
    sheet = sheet_of(layout)

    def printed(key: str) -> str:
        return words(phrase(f"printed-{key}"))

    def draw_sheet(canvas: Canvas, index: int) -> None:
        STYLES[style](canvas, layout, sheet, index, printed)

    def draw_back(canvas: Canvas, _: int) -> None:
        draw_dice_table(canvas, layout, sheet, printed)

    return pdf_of_sheets(
        words(phrase("printed-title", title=layout.title)),
        page_layout(paper, sheets_per_page, layout),
        layout.page,
        (draw_sheet, draw_back) if sheet.dice else (draw_sheet,),
    )
