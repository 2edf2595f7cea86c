"""Cells with and without numbers, printed in many more ways than sheets of one game are.

Numbers of any size stand in the middle of a cell, in a corner or at a side, bare or in a holder, on
grounds, in frames and between lines of any kind; other cells are bare, or bear what is no number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import rectify
from brikks_vision.layout import Box, Point
from simulation.bloxx.looks import legible_font, light_enough
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Canvas, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import WHITE, Color, any_color, contrasting, hsv, mixed, visible_on
from simulation.paper.surfaces import gradient
from training.tasks.small_sheets import shot

ROWS, COLUMNS = 4, 8
SCALE = 80  # px per cell, of what is drawn
AREA = Box(-0.6, -0.6, COLUMNS + 0.6, ROWS + 0.6)
NUMBERED_SHARE = 0.5
PIXELS = 20, 110  # of a photo, a cell
HOLDERS = ("none", "disc", "ring", "square", "box")
HOLDER_SHARES = (0.45, 0.25, 0.12, 0.09, 0.09)
ROW_WAYS = ("plain", "full", "pastel", "frames", "frame", "tiles", "grey")
OTHER_SIGNS = tuple("17+-*?!AEX")  # a 5, an 8 in coarse letters may be a 3
TIER_SHARES = (0.25, 0.5, 0.25)  # of scans, good photos, hard ones

Image = NDArray[np.uint8]


def numbered_cells(rng: np.random.Generator, pixels: int) -> tuple[Image, NDArray[np.uint8]]:
    """A photo of some cells, rectified, and what they bear (rows, columns): 0, or a number.

    ``pixels`` : a cell. The picture is that of the `ROWS` x `COLUMNS` cells alone.
    """
    size = round(AREA.height * SCALE), round(AREA.width * SCALE)
    page = light_enough(any_color(rng, (0, 0.25), (0.8, 1.0)), 190.0)
    page = pick(rng, page, WHITE, mixed(page, WHITE, 0.7))
    canvas = Canvas(gradient(rng, *size, (page,)), (-AREA.left * SCALE, -AREA.top * SCALE), SCALE)
    grounds = _draw_rows(canvas, page, rng)
    _draw_lines(canvas, page, rng)
    labels = _draw_numbers(canvas, grounds, rng)
    blank = BlankSheet(canvas.image, canvas.origin, SCALE, "cells", 0.0, False, False)
    box = Box(0.0, 0.0, float(COLUMNS), float(ROWS))
    return straightened(blank, AREA, box, pixels, PIXELS, rng), labels


def _draw_rows(canvas: Canvas, page: Color, rng: np.random.Generator) -> list[Color]:
    """The grounds of rows, in and around which numbers are seen."""
    way = pick(rng, *ROW_WAYS)
    ground = pick(rng, page, WHITE)
    inset, width = float(rng.uniform(0.03, 0.12)), float(rng.uniform(0.04, 0.14))
    grounds = []
    for row in range(ROWS):
        box = Box(0.0, row, float(COLUMNS), row + 1.0)
        canvas.box(box, ground)
        color, own = any_color(rng, (0.4, 1.0), (0.5, 1.0)), ground
        if way == "plain" or chance(rng, 0.5):
            pass
        elif way == "grey":
            own = hsv(0, 0, float(rng.uniform(0.3, 0.9)))
            canvas.box(box, own)
        elif way in ("full", "pastel"):
            own = color if way == "full" else mixed(color, WHITE, float(rng.uniform(0.4, 0.85)))
            canvas.box(box, own)
        elif way == "frame":
            canvas.outline(box.grown(-width / 2).corners, color, width)
        else:
            for column in range(COLUMNS):
                cell = Box(column, row, column + 1.0, row + 1.0).grown(-inset)
                if way == "tiles":
                    own = color
                    canvas.fill(rounded(cell, inset), color)
                else:
                    canvas.outline(cell.corners, color, width)
        grounds.append(own)
    return grounds


def _draw_lines(canvas: Canvas, page: Color, rng: np.random.Generator) -> None:
    if chance(rng, 0.05):
        return
    color = hsv(0, 0, float(rng.uniform(0, 0.7))) if chance(rng, 0.7) else any_color(rng)
    color, width = visible_on(color, page, 25), float(np.exp(rng.uniform(-4.6, -2.5)))
    step = float(rng.uniform(0.06, 0.2)) if chance(rng, 0.08) else 0.0  # of dashes
    for row in range(ROWS + 1):
        _draw_line(canvas, (0.0, row), (COLUMNS, row), color, width, step)
    for column in range(COLUMNS + 1):
        _draw_line(canvas, (column, 0.0), (column, ROWS), color, width, step)


def _draw_line(
    canvas: Canvas, start: Point, end: Point, color: Color, width: float, step: float
) -> None:
    if not step:
        canvas.stroke(start, end, color, width)
        return
    a, b = np.array(start, float), np.array(end, float)
    count = int(np.linalg.norm(b - a) / step)
    for at in range(0, count, 2):
        x, y = a + (b - a) * at / count, a + (b - a) * (at + 1) / count
        canvas.stroke((float(x[0]), float(x[1])), (float(y[0]), float(y[1])), color, width)


def _draw_numbers(
    canvas: Canvas, grounds: list[Color], rng: np.random.Generator
) -> NDArray[np.uint8]:
    font, holder = legible_font(rng), str(rng.choice(HOLDERS, p=HOLDER_SHARES))
    height = float(np.exp(rng.uniform(np.log(0.15), np.log(0.62))))
    room = height * float(rng.uniform(1.35, 2.0)) if holder != "none" else height
    reach = max(0.0, 0.5 - room / 2 - float(rng.uniform(0.02, 0.12)))  # of what is off the middle
    offset = np.array(pick(rng, (0, 0), (0, 0), (-1, -1), (1, -1), (1, 1), (-1, 1), (1, 0), (0, 1)))
    offset = offset * reach
    ink = hsv(0, 0, 0.1) if chance(rng, 0.5) else any_color(rng)
    fill, contrast = any_color(rng), float(rng.uniform(60, 120))
    width = float(rng.uniform(0.012, 0.05))
    labels = np.zeros((ROWS, COLUMNS), np.uint8)
    for row, ground in enumerate(grounds):
        for column in range(COLUMNS):
            at = (column + 0.5 + float(offset[0]), row + 0.5 + float(offset[1]))
            kind = rng.random()
            if kind > NUMBERED_SHARE + 0.2:
                continue
            under = ground
            if holder != "none":
                under = _draw_holder(canvas, holder, at, room, fill, ground, width, rng)
            if kind < NUMBERED_SHARE:
                labels[row, column] = pick(rng, 2, 3, 4)
                sign = str(labels[row, column])
            elif kind < NUMBERED_SHARE + 0.1 or holder == "none":
                sign = pick(rng, *OTHER_SIGNS)
            else:  # a holder of nothing
                continue
            canvas.text(sign, at, height, visible_on(ink, under, contrast), font)
    return labels


def _draw_holder(
    canvas: Canvas, kind: str, at: Point, room: float, fill: Color, ground: Color,
    width: float, rng: np.random.Generator,
) -> Color:  # fmt: skip
    """Returns the colour on which the number stands."""
    half = room / 2
    box = Box(at[0] - half, at[1] - half, at[0] + half, at[1] + half)
    rim = contrasting(rng, ground, 50) if chance(rng, 0.1) else visible_on(fill, ground, 40)
    if kind == "ring":
        canvas.ring(at, half - width / 2, rim, width)
        return ground
    if kind == "box":
        canvas.outline(box.grown(-width / 2).corners, rim, width)
        return ground
    color = visible_on(fill, ground, 18)
    if kind == "disc":
        canvas.disc(at, half, color)
    else:
        canvas.box(box, color)
    return color


def straightened(
    blank: BlankSheet, area: Box, box: Box, pixels: int, sizes: tuple[float, float],
    rng: np.random.Generator,
) -> Image:  # fmt: skip
    """A box of what is drawn in an area, in a photo, rectified as if it were found a little aside.

    ``pixels`` : a cell. ``sizes`` : of a cell in the photo, the smallest and the largest, px.
    """
    photo, found = shot(blank.image, blank, area, rng, sizes, TIER_SHARES)
    return rectify(photo, found, box, pixels)
