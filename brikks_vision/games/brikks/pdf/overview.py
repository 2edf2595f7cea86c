"""The back of the sheet: all blocks."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.games.brikks.pdf.palette import BrikksPalette
from brikks_vision.layout import Layout
from brikks_vision.printing.bricks import draw_block
from brikks_vision.printing.lettering import draw_text
from brikks_vision.printing.shapes import (
    draw_arrow,
    draw_disc,
    draw_line,
    draw_rectangle,
    mixed,
    square,
)
from brikks_vision.rules.brikks.sheet import sheet_of


def draw_overview(canvas: Canvas, layout: Layout, palette: BrikksPalette) -> None:
    """The blocks by colour (a row each) and number (a column each), filling the sheet's page."""
    draw_rectangle(canvas, layout.page, fill=palette.paper)
    area = layout.page.grown(-0.9)
    columns = max(len(shapes) for shapes in sheet_of(layout).blocks.values())
    die = 1.4
    left, top = area.left + die + 0.5, area.top + die + 0.5
    width = (area.right - left) / columns
    height = (area.bottom - top) / len(sheet_of(layout).blocks)
    longest = max(
        max(max(cell) for cell in cells) + 1
        for shapes in sheet_of(layout).blocks.values()
        for cells in shapes
    )
    side = min(width, height) / (longest + 0.4)
    for column in range(columns):
        centre = (left + (column + 0.5) * width, area.top + die / 2)
        draw_disc(canvas, centre, die / 2, fill=palette.bar_ground, stroke=palette.ink, width=0.08)
        draw_text(canvas, centre, str(column + 1), 0.9, palette.ink)
        if column:
            middle = left + column * width
            for direction in (-1, 1):
                tip = (middle + direction * 0.55, centre[1])
                draw_arrow(canvas, tip, direction * 0.5, palette.note_text)
    for row, (color, shapes) in enumerate(sheet_of(layout).blocks.items()):
        upper, y = top + row * height, top + (row + 0.5) * height
        fill = mixed(layout.colors[color], palette.brick_tint)
        draw_line(canvas, (area.left, upper), (area.right, upper), palette.faint, 0.03)
        draw_rectangle(
            canvas,
            square((area.left + die / 2, y), die),
            fill=fill,
            stroke=palette.brick_rim,
            width=0.08,
            corner=0.3,
        )
        for column, cells in enumerate(shapes):
            centre = (left + (column + 0.5) * width, y)
            draw_block(canvas, centre, cells, side, fill, palette.brick_rim)
