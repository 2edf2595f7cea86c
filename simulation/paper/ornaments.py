"""Panels, ornaments and printed crosses for the renderers of sheets.

Lengths are in the unit of the canvas (cells for sheets); colours are BGR.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import cv2
import numpy as np

from brikks_vision.layout import Box, Point
from simulation.paper.canvas import Canvas, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import BLACK, Color, any_color, mixed, varied
from simulation.paper.fonts import Font, random_font, random_word
from simulation.paper.surfaces import gradient


def fill_shape(
    canvas: Canvas, points: np.ndarray, rng: np.random.Generator, colors: tuple[Color, ...]
) -> None:
    """Fill a polygon with one colour or a gradient of several."""
    if len(colors) == 1 or colors[0] == colors[1]:
        canvas.fill(points, colors[0])
        return
    canvas.fill(points, colors[0])
    pixels = np.rint(points * canvas.scale + canvas.origin).astype(np.int32)
    height, width = canvas.image.shape[:2]
    left, top = np.clip(pixels.min(0), 0, (width - 1, height - 1))
    right, bottom = np.clip(pixels.max(0) + 1, 1, (width, height))
    if right - left < 2 or bottom - top < 2:
        return
    mask = np.zeros((bottom - top, right - left), np.uint8)
    cv2.fillPoly(mask, [pixels - (left, top)], (255,))
    surface = gradient(rng, bottom - top, right - left, colors)
    cv2.copyTo(surface, mask, canvas.image[top:bottom, left:right])


def draw_panel(
    canvas: Canvas,
    box: Box,
    radius: float,
    rng: np.random.Generator,
    colors: tuple[Color, ...],
    rim: Color | None,
) -> None:
    """A filled box with rounded corners, now and then with a shadow, a rim or several."""
    shape = rounded(box, radius)
    if chance(rng, 0.2):
        lower = float(rng.uniform(0.05, 0.25))
        aside = np.array([lower * pick(rng, -1, 0, 1), lower])
        canvas.fill(shape + aside, mixed(colors[0], BLACK, 0.5))
    fill_shape(canvas, shape, rng, colors)
    if rim is None:
        return
    width = float(rng.uniform(0.03, 0.2))
    canvas.outline(shape, rim, width)
    if chance(rng, 0.35):
        gap = width + float(rng.uniform(0.08, 0.25))
        canvas.outline(
            rounded(box.grown(gap), radius + gap),
            varied(rng, rim, 40, 0.3),
            float(rng.uniform(0.03, 0.15)),
        )


def draw_glow(
    canvas: Canvas, shapes: list[np.ndarray], color: Color, width: float, spread: float
) -> None:
    """Add light around closed lines; ``spread`` in cells."""
    coarse = max(2, round(canvas.scale / 8))
    height, width_px = canvas.image.shape[:2]
    small = np.zeros((height // coarse + 1, width_px // coarse + 1, 3), np.uint8)
    dim = Canvas(
        small,
        (canvas.origin[0] / coarse, canvas.origin[1] / coarse),
        canvas.scale / coarse,
    )
    for shape in shapes:
        dim.outline(shape, color, width)
    size = max(3, int(spread * dim.scale) * 2 + 1)
    small = cv2.blur(cv2.blur(small, (size, size)), (size, size))
    whole = (small.shape[1] * coarse, small.shape[0] * coarse)
    light = cv2.resize(small, whole, interpolation=cv2.INTER_LINEAR)
    cv2.add(canvas.image, light[:height, :width_px], dst=canvas.image)


def point_in(rng: np.random.Generator, box: Box) -> Point:
    return (
        float(rng.uniform(box.left, box.right)),
        float(rng.uniform(box.top, box.bottom)),
    )


def turned(points: np.ndarray, centre: Point, angle: float, size: float) -> np.ndarray:
    turn = np.array([[math.cos(angle), math.sin(angle)], [-math.sin(angle), math.cos(angle)]])
    return np.asarray(points @ turn * size + centre)


def star(points: int, inner: float) -> np.ndarray:
    angles = np.arange(2 * points) * math.pi / points
    radii = np.where(np.arange(2 * points) % 2 == 0, 1.0, inner)
    return np.asarray(np.stack([np.cos(angles), np.sin(angles)], 1) * radii[:, None])


Pieces = Sequence[Sequence[tuple[int, int]]]
"""Pieces of a game, each as its cells (row, column)."""


def draw_piece(
    canvas: Canvas,
    kinds: Sequence[Pieces],
    rng: np.random.Generator,
    centre: Point,
    size: float,
) -> None:
    """One piece of a game as an ornament: any of any kind."""
    shapes = pick(rng, *kinds)
    shape = shapes[int(rng.integers(len(shapes)))]
    color, rim = any_color(rng), any_color(rng)
    for row, column in shape:
        left, top = centre[0] + (column - 1) * size, centre[1] + (row - 1) * size
        cell = Box(left, top, left + size, top + size)
        canvas.box(cell, color)
        canvas.outline(cell.corners, rim, 0.12 * size)


def _ornament_stripes(canvas: Canvas, rng: np.random.Generator, box: Box, count: int) -> None:
    slope = pick(rng, 0.0, 0.0, 0.3, -0.3, 1.0)
    gap = rng.uniform(0.15, 0.8)
    start = rng.uniform(box.top, box.bottom)
    for index in range(count):
        y = start + index * gap
        canvas.path(
            [(box.left, y), (box.right, y + slope * box.width)],
            any_color(rng, (0.2, 1.0), (0.2, 1.0)),
            float(rng.uniform(0.03, 0.5) * gap),
        )


def _ornament_rays(canvas: Canvas, rng: np.random.Generator, box: Box, count: int) -> None:
    centre = point_in(rng, box)
    color = any_color(rng)
    reach = box.width + box.height
    for index in range(count * 2):
        angle = index * math.pi / count
        wide = 0.35 * math.pi / count
        canvas.fill(
            [
                centre,
                (centre[0] + reach * math.cos(angle), centre[1] + reach * math.sin(angle)),
                (
                    centre[0] + reach * math.cos(angle + wide),
                    centre[1] + reach * math.sin(angle + wide),
                ),
            ],
            color,
        )


def _ornament_shapes(canvas: Canvas, rng: np.random.Generator, box: Box, count: int) -> None:
    for _ in range(count * 2):
        centre, size = point_in(rng, box), float(rng.uniform(0.1, 1.2))
        color = any_color(rng)
        kind = int(rng.integers(4))
        if kind == 0:
            canvas.disc(centre, size, color)
        elif kind == 1:
            canvas.ring(centre, size, color, float(rng.uniform(0.03, 0.2)))
        else:
            form = star(int(rng.integers(2, 7)), float(rng.uniform(0.2, 1.0)))
            form = turned(form, centre, rng.uniform(0, 6.3), size)
            if kind == 2:
                canvas.fill(form, color)
            else:
                canvas.outline(form, color, float(rng.uniform(0.03, 0.15)))


def _ornament_dots(canvas: Canvas, rng: np.random.Generator, box: Box, count: int) -> None:
    color = any_color(rng, (0.0, 0.5), (0.3, 1.0))
    for _ in range(count * 12):
        canvas.disc(point_in(rng, box), float(rng.uniform(0.02, 0.09)), color)


def _ornament_lattice(canvas: Canvas, rng: np.random.Generator, box: Box, count: int) -> None:
    color, step = any_color(rng), float(rng.uniform(0.4, 1.6))
    width = float(rng.uniform(0.02, 0.08))
    lean = pick(rng, 0.0, 0.0, 0.4)
    for x in np.arange(box.left - box.width * lean, box.right, step):
        canvas.path([(x, box.top), (x + lean * box.width, box.bottom)], color, width)
    for y in np.arange(box.top, box.bottom, step):
        canvas.path([(box.left, y), (box.right, y)], color, width)


def _ornament_waves(canvas: Canvas, rng: np.random.Generator, box: Box, count: int) -> None:
    x = np.linspace(box.left, box.right, 60)
    for _ in range(count):
        y = rng.uniform(box.top, box.bottom) + rng.uniform(0.1, 1.0) * np.sin(
            x * rng.uniform(0.3, 2.0) + rng.uniform(0, 6)
        )
        canvas.path(np.stack([x, y], 1), any_color(rng), float(rng.uniform(0.03, 0.3)))


def _ornament_words(canvas: Canvas, rng: np.random.Generator, box: Box, count: int) -> None:
    for _ in range(count):
        canvas.text(
            pick(rng, random_word(rng, int(rng.integers(1, 8))), "BANG", "1 UP", "X", "2000", "?"),
            point_in(rng, box),
            float(rng.uniform(0.2, 1.3)),
            any_color(rng),
            random_font(rng),
        )


ORNAMENTS: tuple[Callable[[Canvas, np.random.Generator, Box, int], None], ...] = (
    _ornament_stripes,
    _ornament_rays,
    _ornament_shapes,
    _ornament_dots,
    _ornament_lattice,
    _ornament_waves,
    _ornament_words,
)


def ornament(
    canvas: Canvas,
    kinds: Sequence[Pieces],
    rng: np.random.Generator,
    box: Box,
    count: int,
) -> None:
    """Cover a box with ornaments, now and then with pieces of the game among them."""
    view = canvas.view(box)
    if view is None:
        return
    for _ in range(count):
        pick(rng, *ORNAMENTS)(view, rng, box, int(rng.integers(2, 9)))
    if chance(rng, 0.3):
        for _ in range(int(rng.integers(1, 6))):
            draw_piece(view, kinds, rng, point_in(rng, box), float(rng.uniform(0.2, 0.8)))


def draw_cross(
    canvas: Canvas,
    centre: Point,
    size: float,
    color: Color,
    font: Font,
    style: tuple[int, float],
) -> None:
    """A printed X of that width; ``style``: 0 letter, 1 strokes, 2 round strokes; line width."""
    kind, width = style
    half = size / 2
    if kind == 0:
        canvas.fitted_text("X", centre, (size, size), color, font)
        return
    draw = canvas.stroke if kind == 1 else _round_stroke(canvas)
    x, y = centre
    draw((x - half, y - half), (x + half, y + half), color, width * size)
    draw((x - half, y + half), (x + half, y - half), color, width * size)


def _round_stroke(canvas: Canvas) -> Callable[[Point, Point, Color, float], None]:
    def draw(start: Point, end: Point, color: Color, width: float) -> None:
        canvas.path([start, end], color, width)

    return draw


def random_cross_style(rng: np.random.Generator) -> tuple[int, float]:
    return int(rng.integers(3)), float(rng.uniform(0.08, 0.26))
