"""A plain drawing of a sheet's layout: what the networks compare a photo with."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Box, Point, load_sheet

FRACTION_BITS = 4  # cv2 draws at sixteenths of a pixel


@cache
def draw_template(sheet: str, area: Box, pixels_per_cell: int) -> NDArray[np.uint8]:
    """The lattice, and everything else that has a place, each in a channel of its own.

    Returns uint8 (area.height * pixels_per_cell, area.width * pixels_per_cell, 2), 0 or brighter
    where something is printed; aligned as `brikks_vision.detect.placement.rectify` aligns photos.
    """
    definition = load_sheet(sheet)
    shape = (round(area.height * pixels_per_cell), round(area.width * pixels_per_cell))
    lattice, places = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    scale = 1 << FRACTION_BITS

    def fixed(point: Point) -> tuple[int, int]:
        x = (point[0] - area.left) * pixels_per_cell - 0.5
        y = (point[1] - area.top) * pixels_per_cell - 0.5
        return round(x * scale), round(y * scale)

    def line(picture: NDArray[np.uint8], a: Point, b: Point) -> None:
        cv2.line(picture, fixed(a), fixed(b), 255, 1, cv2.LINE_AA, FRACTION_BITS)

    def circle(centre: Point, radius: float, level: int, thickness: int) -> None:
        size = round(radius * pixels_per_cell * scale)
        cv2.circle(places, fixed(centre), size, level, thickness, cv2.LINE_AA, FRACTION_BITS)

    grid = definition.grid
    for column in range(grid.columns + 1):
        line(lattice, (column, 0), (column, grid.rows))
    for row in range(grid.rows + 1):
        line(lattice, (0, row), (grid.columns, row))
    for spot in definition.circles:
        row, column = spot.cell
        circle((column + 0.5, row + 0.5), definition.circle_diameter / 2, 120, -1)
    for point, (x, y) in enumerate(definition.energy.centres):
        circle(
            (x, y), definition.energy.radius, 255, 2 if point in definition.energy.preprinted else 1
        )
        if point in definition.energy.bonus_points:
            half = definition.energy.radius / 2
            line(places, (x - half, y - half), (x + half, y + half))
            line(places, (x - half, y + half), (x + half, y - half))
    half_width, half_height = definition.bonus.box[0] / 2, definition.bonus.box[1] / 2
    for x, y in definition.bonus.centres:
        low, high = (
            fixed((x - half_width, y - half_height)),
            fixed((x + half_width, y + half_height)),
        )
        cv2.rectangle(places, low, high, 255, 1, cv2.LINE_AA, FRACTION_BITS)
    for centre in definition.bombs.centres:
        circle(centre, definition.bombs.radius, 255, 1)
    return np.stack([lattice, places], axis=-1)
