"""The back of the sheet: the overview of blocks."""

from __future__ import annotations

import numpy as np

from brikks_vision.layout import Box, Layout, Point
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.art.grid import disc_color
from simulation.brikks.art.look import dark_look, light_look
from simulation.brikks.art.page import draw_title
from simulation.paper.canvas import Canvas, Image, empty_page
from simulation.paper.chances import chance, pick
from simulation.paper.colors import (
    BLACK,
    WHITE,
    Color,
    color_distance,
    contrasting,
    mixed,
    visible_on,
)
from simulation.paper.ornaments import ORNAMENTS, draw_panel
from simulation.paper.surfaces import gradient
from simulation.paper.wear import photocopied


def _overview_colors(layout: Layout, rng: np.random.Generator) -> dict[str, Color]:
    shift = (float(rng.uniform(-8, 8)), float(rng.uniform(-0.12, 0.12)))
    return {name: disc_color(layout, rng, name, shift) for name in load_sheet(layout.name).blocks}


def render_overview(layout: Layout, rng: np.random.Generator, pixels_per_cell: int = 30) -> Image:
    """The sheet's back in random art: the blocks by colour (rows) and number (columns).

    uint8 BGR of the same page as the front.
    """
    canvas = empty_page(layout.page, pixels_per_cell)
    page = layout.page
    light = chance(rng, 0.45)
    look = light_look(rng) if light else dark_look(rng)
    canvas.image[:] = gradient(rng, canvas.image.shape[0], canvas.image.shape[1], look.page)
    if not light and chance(rng, 0.5):
        pick(rng, *ORNAMENTS)(canvas, rng, page, int(rng.integers(2, 8)))
    inset = float(rng.uniform(0.5, 2.0))
    area = Box(
        page.left + inset,
        page.top + float(rng.uniform(1.0, 5.5)),
        page.right - inset,
        page.bottom - float(rng.uniform(0.6, 3.5)),
    )
    ground = look.page[0]
    if chance(rng, 0.5):
        ground = look.screen_color
        draw_panel(canvas, area.grown(0.3), float(rng.uniform(0, 1.2)), rng, look.screen, None)
    if area.top - page.top > 2.5:
        draw_title(canvas, layout, rng, look)
    columns = max(len(shapes) for shapes in load_sheet(layout.name).blocks.values())
    labelled = chance(rng, 0.35)
    left = area.left + (1.4 if labelled else 0.0)
    pitch = (
        (area.right - left) / columns,
        (area.height - 1.6) / len(load_sheet(layout.name).blocks),
    )
    top = area.top + 1.6
    ink = contrasting(rng, ground, 90, 0.7)
    ruled, height = chance(rng, 0.35), float(rng.uniform(0.6, 1.0))
    for index in range(columns):
        x = left + (index + 0.5) * pitch[0]
        canvas.text(str(index + 1), (x, area.top + 0.8), height, ink, look.title)
        if ruled and index:
            edge = left + index * pitch[0]
            canvas.stroke((edge, top), (edge, area.bottom), ink, 0.06)
    colors = _overview_colors(layout, rng)
    longest = (
        max(max(c) for s in load_sheet(layout.name).blocks.values() for shape in s for c in shape)
        + 1
    )
    size = min(pitch) / longest * float(rng.uniform(0.8, 0.98))
    rim_width = float(rng.uniform(0.04, 0.14)) * size
    tinted, gap = chance(rng, 0.3), float(rng.choice([0.0, 0.0, 0.06])) * size
    lit = WHITE if chance(rng, 0.5) else ink
    for row, (name, shapes) in enumerate(load_sheet(layout.name).blocks.items()):
        color, y = colors[name], top + (row + 0.5) * pitch[1]
        under = ground
        if tinted:
            under = mixed(ground, color, 0.3)
            band = Box(area.left, y - pitch[1] / 2, area.right, y + pitch[1] / 2)
            canvas.box(band, under)
        if ruled:
            line_y = y - pitch[1] / 2
            canvas.stroke((area.left, line_y), (area.right, line_y), ink, 0.06)
        rim = lit if chance(rng, 0.5) else mixed(color, BLACK, 0.6)
        if color_distance(color, under) < 70:
            rim = visible_on(rim, under, 70)
        if labelled:
            canvas.disc((area.left + 0.7, y), 0.5, color)
            canvas.ring((area.left + 0.7, y), 0.5, rim, 0.08)
        for index, shape in enumerate(shapes):
            x = left + (index + 0.5) * pitch[0]
            _draw_block(canvas, shape, (x, y), size, color, rim, rim_width, gap)
    if chance(rng, 0.1):
        return photocopied(canvas.image, rng)
    return canvas.image


def _draw_block(
    canvas: Canvas,
    shape: tuple[tuple[int, int], ...],
    centre: Point,
    size: float,
    color: Color,
    rim: Color,
    rim_width: float,
    gap: float,
) -> None:
    """A block of the overview around ``centre``; ``size`` of its cells."""
    down, across = max(r for r, _ in shape) + 1, max(c for _, c in shape) + 1
    for row, column in shape:
        x = centre[0] + (column - across / 2) * size
        y = centre[1] + (row - down / 2) * size
        cell = Box(x + gap, y + gap, x + size - gap, y + size - gap)
        canvas.box(cell, color)
        canvas.outline(cell.corners, rim, rim_width)
