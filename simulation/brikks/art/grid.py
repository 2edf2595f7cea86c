"""The grid: zones, lines and coloured circles."""

from __future__ import annotations

import numpy as np

from brikks_vision.layout import Box, Layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.art.look import MAX_MISPRINT, Look
from simulation.brikks.decoration import decoration_of
from simulation.paper.canvas import Canvas, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import (
    BLACK,
    WHITE,
    Color,
    any_color,
    color_distance,
    from_hex,
    hsv,
    luminance,
    mixed,
    varied,
    visible_on,
)
from simulation.paper.ornaments import fill_shape


def _zone_colors(layout: Layout, rng: np.random.Generator, light: bool) -> tuple[Color, ...]:
    """The ground colour of each zone, top to bottom; light enough to write on."""
    printed = [from_hex(layout.colors[zone.color]) for zone in layout.grid.zones]
    count = len(printed)
    kind = rng.random()
    if kind < 0.45:
        hue, spread = float(rng.uniform(-14, 14)), 0.08
        colors = [varied(rng, color, abs(hue) + 1, spread) for color in printed]
    elif kind < 0.65:
        hue = float(rng.uniform(0, 360))
        strongest = rng.uniform(0.25, 0.95)
        colors = [
            hsv(hue + rng.normal(0, 12), strongest * (1 - i / count), rng.uniform(0.85, 1.0))
            for i in range(count)
        ]
    elif kind < 0.78:
        colors = [any_color(rng, (0.05, 0.7), (0.75, 1.0)) for _ in range(count)]
    elif kind < 0.86:
        greys = np.sort(rng.uniform(0.6, 1.0, count))
        colors = [hsv(0, 0, float(grey)) for grey in greys]
    else:
        paper = any_color(rng, (0.0, 0.12), (0.88, 1.0))
        colors = [varied(rng, paper, 10, 0.02) for _ in range(count)]
    if chance(rng, 0.1):
        colors.reverse()
    if light:
        pale = float(rng.uniform(0.1, 0.9))
        colors = [mixed(color, WHITE, pale) for color in colors]
    lowest = 185.0 if light else 118.0
    return tuple(
        color
        if luminance(color) >= lowest
        else mixed(color, WHITE, (lowest - luminance(color)) / (255 - luminance(color)))
        for color in colors
    )


def _line_color(rng: np.random.Generator, zones: tuple[Color, ...], light: bool) -> Color:
    """A colour for the grid's lines that is seen on every zone."""
    darkest = min(luminance(zone) for zone in zones)
    if not light:
        hue = rng.uniform(230, 320) if chance(rng, 0.4) else rng.uniform(0, 360)
        color = hsv(hue, rng.uniform(0, 1), rng.uniform(0, 0.55))
        return visible_on(color, hsv(0, 0, darkest / 255), 55)
    contrast = float(rng.uniform(28, 170))
    grey = max(darkest - contrast, 10.0) / 255
    color = hsv(rng.uniform(0, 360), rng.uniform(0, 0.5) if chance(rng, 0.6) else 0.0, grey)
    return visible_on(color, hsv(0, 0, darkest / 255), min(contrast, 28.0))


def draw_grid(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look
) -> tuple[Color, ...]:
    """Zones, lines and coloured circles; the zones' colours."""
    grid = layout.grid
    zones = _zone_colors(layout, rng, look.light)
    line = _line_color(rng, zones, look.light)
    width = float(rng.uniform(0.04, 0.14) if not look.light else rng.uniform(0.03, 0.09))
    if chance(rng, 0.15) and not look.light:
        halo = grid.box.grown(float(rng.uniform(0.05, 0.35)), float(rng.uniform(0.05, 0.35)))
        canvas.fill(rounded(halo, float(rng.uniform(0, 0.5))), any_color(rng))
    for zone, color in zip(grid.zones, zones, strict=True):
        ground = Box(0.0, float(zone.first), float(grid.columns), float(zone.last + 1))
        shade: tuple[Color, ...] = (color,)
        if chance(rng, 0.15):
            shade = (color, varied(rng, color, 6, 0.06))
        fill_shape(canvas, np.array(ground.corners), rng, shade)
    separate = chance(rng, 0.12)
    if separate:
        _draw_separate_cells(canvas, layout, rng, line, zones, width)
    else:
        if chance(rng, 0.15):
            _draw_bevels(canvas, layout, rng, zones)
        _draw_lines(canvas, layout, rng, line, width)
    _draw_circles(canvas, layout, rng, look, line, zones)
    return zones


def _zone_of(layout: Layout, row: int) -> int:
    return next(i for i, z in enumerate(layout.grid.zones) if z.first <= row <= z.last)


def _draw_separate_cells(
    canvas: Canvas,
    layout: Layout,
    rng: np.random.Generator,
    line: Color,
    zones: tuple[Color, ...],
    width: float,
) -> None:
    """Cells as tiles with rounded corners on a ground of the lines' colour."""
    radius = float(rng.uniform(0, 0.2))
    edge = float(rng.uniform(0, 0.1))
    canvas.fill(rounded(layout.grid.box.grown(edge), radius), line)
    for row, column in layout.grid.cells:
        cell = Box(float(column), float(row), column + 1.0, row + 1.0)
        inset = -width / 2 - 0.5 / canvas.scale
        canvas.fill(rounded(cell.grown(inset), radius), zones[_zone_of(layout, row)])


def _draw_bevels(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, zones: tuple[Color, ...]
) -> None:
    """A lighter and a darker edge inside every cell."""
    depth, width = float(rng.uniform(0.08, 0.16)), float(rng.uniform(0.03, 0.1))
    strength = float(rng.uniform(0.1, 0.35))
    for row, column in layout.grid.cells:
        color = zones[_zone_of(layout, row)]
        left, top, right, bottom = column + depth, row + depth, column + 1 - depth, row + 1 - depth
        canvas.path([(left, bottom), (left, top), (right, top)], mixed(color, WHITE, 0.5), width)
        canvas.path(
            [(right, top), (right, bottom), (left, bottom)], mixed(color, BLACK, strength), width
        )


def _draw_lines(
    canvas: Canvas, layout: Layout, rng: np.random.Generator, line: Color, width: float
) -> None:
    grid = layout.grid
    # The lines' middles lie at whole cells, or the outer lines wholly inside the grid.
    inner = width / 2 if chance(rng, 0.4) else 0.0
    border = width * float(rng.uniform(1.0, 2.0)) if chance(rng, 0.35) else width
    breaks = {zone.first for zone in grid.zones} if chance(rng, 0.2) else set()
    core = mixed(line, WHITE, float(rng.uniform(0.2, 0.5))) if chance(rng, 0.12) else None
    across, down = float(grid.columns), float(grid.rows)
    for column in range(grid.columns + 1):
        x = inner + column * (across - 2 * inner) / across
        wide = border if column in (0, grid.columns) else width
        canvas.stroke((x, 0.0), (x, down), line, wide)
    for row in range(grid.rows + 1):
        y = inner + row * (down - 2 * inner) / down
        wide = border if row in (0, grid.rows) or row in breaks else width
        canvas.stroke((0.0, y), (across, y), line, wide)
    if core is None:
        return
    for column in range(grid.columns + 1):
        x = inner + column * (across - 2 * inner) / across
        canvas.stroke((x, 0.0), (x, down), core, width * 0.35)
    for row in range(grid.rows + 1):
        y = inner + row * (down - 2 * inner) / down
        canvas.stroke((0.0, y), (across, y), core, width * 0.35)


def disc_color(
    layout: Layout, rng: np.random.Generator, name: str, shift: tuple[float, float]
) -> Color:
    """The colour of a circle on this sheet: the name stays right, hue and lightness move."""
    printed = from_hex(layout.colors[name])
    if luminance(printed) < 8:
        return hsv(rng.uniform(0, 360), rng.uniform(0, 0.4), abs(shift[1]) * 1.2)
    if luminance(printed) > 250:
        return hsv(rng.uniform(0, 360), rng.uniform(0, 0.06), 1 - abs(shift[1]) * 0.6)
    return varied(rng, printed, 12 + abs(shift[0]), abs(shift[1]) + 0.05)


def _draw_circles(
    canvas: Canvas,
    layout: Layout,
    rng: np.random.Generator,
    look: Look,
    line: Color,
    zones: tuple[Color, ...],
) -> None:
    radius = decoration_of(layout).circle_diameter / 2 * float(rng.uniform(0.9, 1.1))
    shift = (float(rng.uniform(-8, 8)), float(rng.uniform(-0.18, 0.18)))
    colors = {
        c.color: disc_color(layout, rng, c.color, shift) for c in load_sheet(layout.name).circles
    }
    hollow = look.light and chance(rng, 0.3)
    pale = float(rng.uniform(0.15, 0.75)) if look.light and chance(rng, 0.4) else 0.0
    colored_rim = pale > 0.3 and chance(rng, 0.6)
    rim_width = float(rng.uniform(0.02, 0.1))
    rim_style = pick(rng, "line", "dark", "shade", "light", "none")
    gloss = chance(rng, 0.15)
    lettered = look.light and chance(rng, 0.15)
    offset = rng.uniform(-MAX_MISPRINT, MAX_MISPRINT, 2)
    for circle in load_sheet(layout.name).circles:
        row, column = circle.cell
        centre = (column + 0.5 + offset[0], row + 0.5 + offset[1])
        ground = zones[_zone_of(layout, row)]
        color = colors[circle.color]
        fill = mixed(color, ground, 0.95) if hollow else mixed(color, WHITE, pale)
        rim: Color | None = {
            "line": line,
            "dark": mixed(color, BLACK, 0.85),
            "shade": mixed(color, BLACK, 0.4),
            "light": mixed(color, WHITE, 0.7),
            "none": None,
        }[rim_style]
        if hollow or colored_rim:
            rim = color
        parts = [color for color in (fill, rim) if color is not None]
        lighter = max(abs(luminance(color) - luminance(ground)) for color in parts)
        if lighter < 28 or max(color_distance(color, ground) for color in parts) < 60:
            rim = mixed(ground, BLACK, 0.5)
        canvas.disc(centre, radius, fill)
        if rim is not None:
            canvas.ring(centre, radius - rim_width / 2, rim, max(rim_width, 0.05 * hollow))
        if gloss:
            at = (centre[0] - radius * 0.3, centre[1] - radius * 0.35)
            canvas.disc(at, radius * 0.25, mixed(fill, WHITE, 0.7))
        if lettered:
            canvas.text(
                circle.color[0].upper(),
                centre,
                radius * 0.9,
                visible_on(color, fill, 60),
                look.numbers,
            )
