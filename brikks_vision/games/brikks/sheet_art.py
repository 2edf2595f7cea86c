"""Colours of the parts that a Brikks sheet alone has.

The parts of the sheet that every style prints.

The extra-points bar and the energy bar.

What energy and bombs are for, in pictures and a few words.

The back of the sheet: all blocks.

What is printed on a Brikks sheet apart from the places of marks, to draw one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.layout import CELL, Box, Layout, Point, bounds
from brikks_vision.printing.shapes import (
    Palette,
    Printed,
    draw_arrow,
    draw_block,
    draw_brick,
    draw_cross,
    draw_disc,
    draw_grid,
    draw_lettering,
    draw_line,
    draw_rectangle,
    draw_text,
    fitting_size,
    mixed,
    square,
)
from brikks_vision.rules.brikks.sheet import sheet_of


@dataclass(frozen=True, kw_only=True)
class BrikksPalette(Palette):
    """Colours are "#rrggbb". bar_ground, bar_text: of the extra-points bar and the energy bar.

    point_ground, point_rim: of energy points; active_ground: of an activated one. bonus_mark: the
    pink crosses. strip_ground: of the strip for the rows' points. bomb_panel, bomb_body, bomb_text,
    bomb_rim: of the bombs. factor_text: the multipliers but the highest. circle_tint: how much of
    the layout's colours is left in the coloured circles, 0 to 1.
    """

    bar_ground: str
    bar_text: str
    point_ground: str
    point_rim: str
    active_ground: str
    bonus_mark: str
    strip_ground: str
    bomb_panel: str
    bomb_body: str
    bomb_text: str
    bomb_rim: str
    factor_text: str
    circle_tint: float


@dataclass(frozen=True)
class Decoration:
    """Boxes of printed parts that bear no marks, in the sheet frame, in cells.

    screen: the frame around the grid. multipliers: left and right of the rows' factors. legend: top
    and bottom of the points for crosses. score_strip: where the points of the rows are written.
    total_field: where the total is written; None where there is no field. title: where the light
    style prints the game's name; None where all space above the screen is for it. circle_diameter:
    of the coloured circles.
    """

    screen: Box
    multipliers: tuple[float, float]
    legend: tuple[float, float]
    score_strip: Box
    total_field: Box | None
    title: Box | None
    circle_diameter: float


@cache
def decoration_of(layout: Layout) -> Decoration:
    """The decoration of a Brikks layout, from its part ``printed``."""
    data = layout.printed["decoration"]
    multipliers, legend = data["multipliers"]["x"], data["legend"]["y"]
    return Decoration(
        screen=Box.from_json(data["screen"]),
        multipliers=(multipliers[0], multipliers[1]),
        legend=(legend[0], legend[1]),
        score_strip=Box.from_json(data["score_strip"]),
        total_field=Box.from_json(data["total_field"]) if "total_field" in data else None,
        title=Box.from_json(data["title"]) if "title" in data else None,
        circle_diameter=max(max(each.values(), default=0.0) for each in layout.fields[CELL].drawn),
    )


def _extra_points_boxes(layout: Layout) -> tuple[Box, ...]:
    width, height = layout.fields["box"].size
    return tuple(
        Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for x, y in layout.fields["box"].centres
    )


def extra_points_panel(layout: Layout) -> Box:
    """The extra-points bar's frame: its boxes, and above them a line of hints."""
    boxes = bounds(_extra_points_boxes(layout))
    return Box(boxes.left - 0.4, boxes.top - 1.25, boxes.right + 0.4, boxes.bottom + 0.35)


def _draw_extra_points_hints(
    canvas: Canvas, layout: Layout, palette: BrikksPalette, area: Box
) -> None:
    """What rows finished together are worth: stacked bars for the rows, then their crosses."""
    hints = sheet_of(layout).crosses_for_rows.items()
    bar, cross_step, pitch = 1.1, 0.42, 0.16
    widths = [bar + 0.55 + crosses * cross_step for _, crosses in hints]
    gap = (area.width - sum(widths)) / (len(widths) + 1)
    left, y = area.left + gap, (area.top + area.bottom) / 2
    for (rows, crosses), width in zip(hints, widths, strict=True):
        top = y - (rows - 1) * pitch / 2
        for row in range(rows):
            draw_line(
                canvas,
                (left, top + row * pitch),
                (left + bar, top + row * pitch),
                palette.factor_text,
                0.08,
            )
        draw_arrow(canvas, (left + bar + 0.42, y), 0.3, palette.note_text)
        for cross in range(crosses):
            x = left + bar + 0.55 + (cross + 0.5) * cross_step
            draw_cross(canvas, (x, y), 0.14, palette.accent, 0.08)
        left += width + gap


def draw_extra_points_bar(
    canvas: Canvas, layout: Layout, palette: BrikksPalette, printed: Printed
) -> None:
    """The boxes with their values, the hints above and a note on their right."""
    panel = extra_points_panel(layout)
    draw_rectangle(
        canvas, panel, fill=palette.panel, stroke=palette.panel_rim, width=0.06, corner=0.4
    )
    boxes = _extra_points_boxes(layout)
    hints = Box(boxes[0].left, panel.top + 0.1, boxes[-1].right, boxes[0].top - 0.1)
    _draw_extra_points_hints(canvas, layout, palette, hints)
    for box, value in zip(boxes, sheet_of(layout).bonus_values, strict=True):
        draw_rectangle(canvas, box, fill=palette.bar_ground, stroke=palette.rim, width=0.04)
        draw_text(canvas, box.middle, str(value), 0.42, palette.bar_text)
    beside, wall = (panel.right + decoration_of(layout).screen.right) / 2, 0.1
    widest = decoration_of(layout).screen.right - panel.right - 2 * wall
    lines = printed("open-box").split("\n")
    size = fitting_size(0.34, lines, widest)
    for line, words in enumerate(lines):
        draw_text(
            canvas, (beside, boxes[0].top + 0.42 * (line - 1)), words, size, palette.note_text
        )


def energy_panel(layout: Layout) -> Box:
    """The energy bar's frame."""
    energy = layout.fields["energy"]
    return bounds(square(centre, 2 * energy.radius) for centre in energy.centres).grown(0.35)


def draw_energy_bar(canvas: Canvas, layout: Layout, palette: BrikksPalette) -> None:
    """The energy points with their labels and pink crosses; the preprinted ones are ringed."""
    energy, sheet = layout.fields["energy"], sheet_of(layout)
    draw_rectangle(
        canvas,
        energy_panel(layout),
        fill=palette.bar_ground,
        stroke=palette.panel_rim,
        width=0.06,
        corner=0.5,
    )
    for point, centre in enumerate(energy.centres):
        preprinted = point in sheet.preprinted
        draw_disc(
            canvas,
            centre,
            energy.radius,
            fill=palette.active_ground if preprinted else palette.point_ground,
            stroke=palette.ink if preprinted else palette.point_rim,
            width=0.12 if preprinted else 0.04,
        )
        if point in sheet.pink_points:
            draw_cross(canvas, centre, energy.radius * 0.42, palette.bonus_mark, 0.07)
        if point in sheet.labels:
            draw_text(canvas, centre, sheet.labels[point], energy.radius * 1.2, palette.bar_text)


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
