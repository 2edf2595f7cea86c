"""What energy and bombs are for, in pictures and a few words."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.games.brikks.pdf.palette import BrikksPalette
from brikks_vision.games.brikks.pdf.parts import draw_bomb
from brikks_vision.layout import Box, Layout, Point
from brikks_vision.printing.bricks import draw_brick, draw_lettering
from brikks_vision.printing.lettering import Printed, draw_text, fitting_size
from brikks_vision.printing.shapes import draw_arrow, draw_disc, draw_rectangle, mixed, square
from brikks_vision.rules.brikks.sheet import sheet_of


def _draw_point(
    canvas: Canvas, centre: Point, radius: float, palette: BrikksPalette, label: str
) -> None:
    """An activated energy point."""
    draw_disc(canvas, centre, radius, fill=palette.active_ground, stroke=palette.ink, width=0.1)
    draw_text(canvas, centre, label, radius * 1.25, palette.ink)


def draw_reminders(
    canvas: Canvas, layout: Layout, palette: BrikksPalette, area: Box, printed: Printed
) -> None:
    """What energy and bombs are for: pictures side by side, a few words below each."""
    energy, sheet = layout.fields["energy"], sheet_of(layout)
    keys = ("move", "take", "skip", "left-over")
    words = tuple(printed(key) for key in keys)
    slot = area.width / len(words)
    size = fitting_size(0.36, words, slot - 0.3)
    y = area.top + area.height * 0.38
    move, take, skip, left_over = (area.left + (index + 0.5) * slot for index in range(len(words)))
    for index, line in enumerate(words):
        middle = area.left + (index + 0.5) * slot
        draw_text(canvas, (middle, area.top + area.height * 0.8), line, size, palette.text)

    _draw_point(canvas, (move - 0.95, y), energy.radius * 1.2, palette, str(sheet.move_cost))
    for direction in (-1, 1):
        draw_arrow(canvas, (move + 0.55 + direction * 0.85, y), direction * 0.45, palette.accent)
    middle_block = square((move + 0.55, y), 0.46)
    draw_rectangle(canvas, middle_block, fill=palette.bar_ground, stroke=palette.ink, width=0.05)

    _draw_point(canvas, (take - 0.65, y), energy.radius * 1.2, palette, str(sheet.any_block_cost))
    side, across = 0.38, 3
    for index, color in enumerate(sheet.blocks):
        row, column = divmod(index, across)
        corner = (take + 0.55 + (column - 1) * side, y + (row - 0.5) * side)
        fill = mixed(layout.colors[color], palette.brick_tint)
        draw_brick(canvas, square(corner, side), fill, palette.ink)

    ground = square((skip, y), 2.2 * layout.fields["bomb"].radius)
    draw_rectangle(canvas, ground, fill=palette.bomb_panel, corner=0.2)
    draw_bomb(canvas, (skip, y - 0.02), layout.fields["bomb"].radius, palette, "", 0.0)

    for index in range(sheet.points_per_score):
        x = left_over - 0.25 - index * 0.85
        _draw_point(canvas, (x, y), energy.radius, palette, "")
    draw_arrow(canvas, (left_over + 0.68, y), 0.42, palette.note_text)
    draw_lettering(canvas, (left_over + 1.02, y), 0.5, "1", palette.accent)
