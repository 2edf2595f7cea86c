"""Draws the print of a layout, an input of the networks."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Box, Layout, Point

# The networks were trained with these.
FRACTION_BITS = 4  # fixed-point coordinates of OpenCV, in sixteenths of a pixel
DISC_LEVEL = 120  # grey level of a disc; darker than lines, because marks are drawn over it


@cache
def draw_template(layout: Layout, area: Box, pixels_per_cell: int) -> NDArray[np.uint8]:
    """The lattice in one channel and all other print in a second.

    Returns uint8 (area.height * pixels_per_cell, area.width * pixels_per_cell, 2), 0 where nothing
    is printed, aligned with `brikks_vision.detect.placement.rectify`.
    """
    shape = (round(area.height * pixels_per_cell), round(area.width * pixels_per_cell))
    lattice, places = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    scale = 1 << FRACTION_BITS

    def fixed(point: Point) -> tuple[int, int]:
        x = (point[0] - area.left) * pixels_per_cell - 0.5
        y = (point[1] - area.top) * pixels_per_cell - 0.5
        return round(x * scale), round(y * scale)

    def line(picture: NDArray[np.uint8], a: Point, b: Point) -> None:
        cv2.line(picture, fixed(a), fixed(b), 255, 1, cv2.LINE_AA, FRACTION_BITS)

    def circle(centre: Point, width: float, level: int, thickness: int) -> None:
        size = round(width / 2 * pixels_per_cell * scale)
        cv2.circle(places, fixed(centre), size, level, thickness, cv2.LINE_AA, FRACTION_BITS)

    def draw(shape: str, width: float, centre: Point, height: float) -> None:
        x, y = centre
        half = width / 2
        if shape == "disc":
            circle(centre, width, DISC_LEVEL, -1)
        elif shape == "ring":
            circle(centre, width, 255, 1)
        elif shape == "bold ring":
            circle(centre, width, 255, 2)
        elif shape == "cross":
            line(places, (x - half, y - half), (x + half, y + half))
            line(places, (x - half, y + half), (x + half, y - half))
        else:
            low, high = fixed((x - half, y - height / 2)), fixed((x + half, y + height / 2))
            cv2.rectangle(places, low, high, 255, 1, cv2.LINE_AA, FRACTION_BITS)

    grid = layout.grid
    for column in range(grid.columns + 1):
        line(lattice, (column, 0), (column, grid.rows))
    for row in range(grid.rows + 1):
        line(lattice, (0, row), (grid.columns, row))
    for field in layout.fields.values():
        for centre, kind in zip(field.centres, field.prints, strict=True):
            for drawn, width in field.drawn[kind].items():
                draw(drawn, width, centre, field.size[1])
    template = np.stack([lattice, places], axis=-1)
    template.setflags(write=False)
    return template
