"""The back of the sheet: the shapes of two dice, so that two ordinary ones can be played with."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.games.bloxx.pdf.palette import LIGHT
from brikks_vision.layout import Box, Layout, Point
from brikks_vision.printing.lettering import Printed, draw_text, fitting_size
from brikks_vision.printing.shapes import draw_cross, draw_disc, draw_line, draw_rectangle, square
from brikks_vision.rules.bloxx.faces import Face
from brikks_vision.rules.bloxx.sheet import Sheet

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


def draw_dice_table(canvas: Canvas, layout: Layout, sheet: Sheet, printed: Printed) -> None:
    """A column for each die, a row for each of its sides, filling the sheet's page."""
    if sheet.dice is None:
        return
    area = layout.page.grown(-0.7)
    head, foot = 1.7, 1.6
    hints = [printed(key) for key in ("roll-hint", "circle-hint")]
    size = fitting_size(0.36, hints, area.width)
    for number, hint in enumerate(hints):
        y = area.bottom - foot + 0.75 + 0.6 * number
        draw_text(canvas, ((area.left + area.right) / 2, y), hint, size, LIGHT.text)
    sides = max(len(die) for die in sheet.dice)
    height = (area.height - head - foot) / sides
    width = area.width / len(sheet.dice)
    cells = [cell for die in sheet.dice for face in die for cell in face.cells]
    rows, columns = (1 + max(cell[axis] for cell in cells) for axis in (0, 1))
    cell = min((width - DIE_SIDE - 1.2) / columns, (height - 0.3) / rows)
    captions = [printed(key) for key in DIE_KEYS]
    caption_size = fitting_size(0.55, captions, width - 0.4)
    for number, die in enumerate(sheet.dice):
        column = Box(area.left + number * width, area.top, area.left + (number + 1) * width, 0)
        middle = ((column.left + column.right) / 2, area.top + 0.75)
        draw_text(canvas, middle, captions[number], caption_size, LIGHT.ink)
        for side, face in enumerate(die):
            top = area.top + head + side * height
            draw_line(canvas, (column.left, top), (column.right, top), LIGHT.faint, 0.03)
            y = top + height / 2
            _draw_side(canvas, (column.left + 0.5 + DIE_SIDE / 2, y), number, side)
            centre = ((column.left + 0.5 + DIE_SIDE + column.right) / 2, y)
            _draw_face(canvas, centre, face, cell)
        if number:
            bottom = area.top + head + sides * height
            edge = (column.left, area.top + 0.2), (column.left, bottom)
            draw_line(canvas, *edge, LIGHT.faint, 0.03)
    bottom = area.bottom - foot
    draw_line(canvas, (area.left, bottom), (area.right, bottom), LIGHT.faint, 0.03)


def _draw_side(canvas: Canvas, centre: Point, die: int, side: int) -> None:
    """The side of an ordinary die."""
    box = square(centre, DIE_SIDE)
    draw_rectangle(canvas, box, DIE_GROUNDS[die], LIGHT.ink, 0.07, corner=0.22)
    for x, y in PIPS[side]:
        spot = (centre[0] + 0.29 * DIE_SIDE * x, centre[1] + 0.29 * DIE_SIDE * y)
        draw_disc(canvas, spot, 0.1 * DIE_SIDE, fill=PIP_COLORS[die])


def _draw_face(canvas: Canvas, centre: Point, face: Face, cell: float) -> None:
    """A shape with its crosses and its circle, in squares of side ``cell``."""
    rows = 1 + max(row for row, _ in face.cells)
    columns = 1 + max(column for _, column in face.cells)
    for row, column in face.cells:
        middle = (
            centre[0] + (column + 0.5 - columns / 2) * cell,
            centre[1] + (row + 0.5 - rows / 2) * cell,
        )
        draw_rectangle(canvas, square(middle, cell), LIGHT.paper, LIGHT.ink, 0.09 * cell)
        if (row, column) == face.circle:
            draw_disc(canvas, middle, 0.29 * cell, stroke=LIGHT.accent, width=0.11 * cell)
        else:
            draw_cross(canvas, middle, 0.26 * cell, LIGHT.ink, 0.11 * cell)
