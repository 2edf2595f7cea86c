"""The parts of the sheet that every style prints."""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.games.brikks.decoration import decoration_of
from brikks_vision.games.brikks.pdf.bars import draw_energy_bar, draw_extra_points_bar, energy_panel
from brikks_vision.games.brikks.pdf.palette import BrikksPalette
from brikks_vision.layout import Box, Layout, Point, bounds
from brikks_vision.printing.bricks import draw_lettering
from brikks_vision.printing.fields import draw_grid
from brikks_vision.printing.lettering import Printed, draw_text
from brikks_vision.printing.shapes import (
    draw_arrow,
    draw_cross,
    draw_disc,
    draw_line,
    draw_rectangle,
    mixed,
    square,
)
from brikks_vision.rules.brikks.sheet import sheet_of


def _draw_circles(canvas: Canvas, layout: Layout, palette: BrikksPalette) -> None:
    rim = 0.09 * decoration_of(layout).circle_diameter
    for circle in sheet_of(layout).circles:
        row, column = circle.cell
        color = layout.colors[circle.color]
        draw_disc(
            canvas,
            (column + 0.5, row + 0.5),
            decoration_of(layout).circle_diameter / 2 - rim / 2,
            fill=mixed(color, palette.circle_tint),
            stroke=palette.ink,
            width=rim,
        )


def _draw_multipliers(canvas: Canvas, layout: Layout, palette: BrikksPalette) -> None:
    left, right = decoration_of(layout).multipliers
    best = max(sheet_of(layout).row_factors)
    for row, factor in enumerate(sheet_of(layout).row_factors):
        if factor > 1:
            color = palette.accent if factor == best else palette.factor_text
            draw_lettering(canvas, ((left + right) / 2, row + 0.5), 0.55, f"×{factor}", color)


def _draw_score_strip(canvas: Canvas, layout: Layout, palette: BrikksPalette) -> None:
    strip = decoration_of(layout).score_strip
    draw_rectangle(canvas, strip, fill=palette.strip_ground, stroke=palette.faint, width=0.03)
    middle = (strip.left + strip.right) / 2
    dash = strip.width / 4
    for row in range(1, layout.grid.rows):
        draw_line(canvas, (middle - dash, row), (middle + dash, row), palette.rim, 0.05)


def draw_bomb(
    canvas: Canvas, centre: Point, radius: float, palette: BrikksPalette, figure: str, size: float
) -> None:
    """A round bomb with a lit fuse; the body has the full radius, as crossing-out covers it."""
    x, y = centre
    body = radius * 0.82
    low = (x, y + radius - body)
    draw_line(
        canvas,
        (x + body * 0.55, low[1] - body * 0.65),
        (x + body * 0.85, low[1] - body * 1.0),
        palette.bomb_rim,
        radius * 0.22,
    )
    spark = (x + body * 0.95, low[1] - body * 1.12)
    draw_cross(canvas, spark, radius * 0.16, palette.factor_text, radius * 0.09)
    draw_disc(
        canvas,
        low,
        body - radius * 0.04,
        fill=palette.bomb_body,
        stroke=palette.bomb_rim,
        width=radius * 0.08,
    )
    if figure:
        draw_text(canvas, low, figure, size, palette.bomb_text)


def _draw_bombs(canvas: Canvas, layout: Layout, palette: BrikksPalette) -> None:
    bombs = layout.fields["bomb"]
    panel = bounds(square(centre, 2 * bombs.radius) for centre in bombs.centres)
    draw_rectangle(
        canvas,
        panel.grown(0.14),
        fill=palette.bomb_panel,
        stroke=palette.faint,
        width=0.03,
        corner=0.3,
    )
    for centre, points in zip(bombs.centres, sheet_of(layout).bomb_points, strict=True):
        draw_bomb(canvas, centre, bombs.radius, palette, str(points), bombs.radius * 1.05)


def _draw_legend(canvas: Canvas, layout: Layout, palette: BrikksPalette) -> None:
    top, bottom = decoration_of(layout).legend
    y, height = (top + bottom) / 2, (bottom - top) * 0.6
    slot = layout.grid.columns / len(sheet_of(layout).row_points)
    for index, (count, points) in enumerate(sheet_of(layout).row_points.items()):
        middle = (index + 0.5) * slot
        if index:
            draw_line(canvas, (index * slot, top), (index * slot, bottom), palette.faint, 0.03)
        draw_lettering(canvas, (middle - 0.95, y), height, str(count), palette.text)
        box = square((middle - 0.12, y), height * 1.2)
        draw_rectangle(canvas, box, fill="#ffffff", stroke=palette.ink, width=0.04)
        draw_cross(canvas, (middle - 0.12, y), height * 0.38, palette.ink, 0.09)
        draw_arrow(canvas, (middle + 0.82, y), 0.42, palette.note_text)
        draw_lettering(canvas, (middle + 1.15, y), height, str(points), palette.accent)


def draw_parts(canvas: Canvas, layout: Layout, palette: BrikksPalette, printed: Printed) -> None:
    """The grid and everything around it that both styles print."""
    for draw in (
        draw_grid,
        _draw_circles,
        _draw_multipliers,
        _draw_score_strip,
        _draw_bombs,
        _draw_legend,
        draw_energy_bar,
    ):
        draw(canvas, layout, palette)
    draw_extra_points_bar(canvas, layout, palette, printed)


def foot(layout: Layout) -> Box:
    """The space for the reminders: below the energy bar, as wide as the screen."""
    screen, top = decoration_of(layout).screen, energy_panel(layout).bottom
    return Box(screen.left, top + 0.5, screen.right, layout.page.bottom - 0.5)


def head(layout: Layout) -> Box:
    """The space for the title: above the screen, clear of the markers."""
    screen = decoration_of(layout).screen
    return Box(screen.left + 1.5, layout.page.top + 0.9, screen.right - 1.5, screen.top - 0.9)
