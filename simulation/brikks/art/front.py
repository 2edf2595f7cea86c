"""Blank sheets in random art around the fixed geometry of a layout.

Nothing here is a likeness of the published sheet: every colour, thickness, letter and ornament is
drawn by chance, so that a reader trained on these sheets relies on the geometry alone and takes
any print for print. Units are cells in the sheet frame unless said otherwise; colours are BGR.
"""

from __future__ import annotations

import numpy as np

from brikks_vision.layout import Layout
from simulation.brikks.art import parts
from simulation.brikks.art.bars import draw_bonus_bar, draw_energy_bar
from simulation.brikks.art.bombs import draw_bombs
from simulation.brikks.art.grid import draw_grid
from simulation.brikks.art.look import dark_look, light_look
from simulation.brikks.art.page import draw_machine, draw_paper, draw_screen
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import empty_page
from simulation.paper.chances import chance
from simulation.paper.colors import hsv
from simulation.paper.markers import draw_markers
from simulation.paper.wear import aged

POINTERS_SHARE = 0.05  # of the sheets


def render_blank(layout: Layout, rng: np.random.Generator, pixels_per_cell: int = 40) -> BlankSheet:
    """A blank sheet in art that the generator draws by chance.

    The families: ``arcade`` (dark or colourful page), ``light`` (paper, now and then with
    fiducials), each now and then turned into a ``photocopy`` or ``worn``. Every functional part
    stands where the layout has it, within 0.03 cell.
    """
    canvas = empty_page(layout.page, pixels_per_cell)
    light = chance(rng, 0.42)
    look = light_look(rng) if light else dark_look(rng)
    markers = light and chance(rng, 0.5)
    total_field = markers or (light and chance(rng, 0.2))
    if light:
        draw_paper(canvas, layout, rng, look)
    else:
        draw_machine(canvas, layout, rng, look)
        draw_screen(canvas, layout, rng, look)
    parts.draw_strip(canvas, layout, rng, look)
    draw_grid(canvas, layout, rng, look)
    parts.draw_multipliers(canvas, layout, rng, look)
    draw_bombs(canvas, layout, rng, look)
    parts.draw_legend(canvas, layout, rng, look)
    if total_field:
        parts.draw_total_field(canvas, layout, rng, look)
    draw_bonus_bar(canvas, layout, rng, look)
    draw_energy_bar(canvas, layout, rng, look)
    if markers:
        ink = hsv(rng.uniform(0, 360), rng.uniform(0, 0.3), rng.uniform(0, 0.2))
        draw_markers(canvas, layout.markers, int(rng.integers(12)), ink)
    if chance(rng, POINTERS_SHARE):
        parts.draw_pointers(canvas, layout, rng)
    family, image = aged(canvas, "light" if light else "arcade", rng, copied=0.12)
    radius = float(rng.uniform(0.2, 1.5)) if not light and chance(rng, 0.6) else 0.0
    return BlankSheet(image, canvas.origin, pixels_per_cell, family, radius, markers, total_field)
