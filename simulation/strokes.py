"""How ink lies on paper: the density of a stroke, its texture, and what it does to the print.

A density map, float32 (height, width), says how much ink lies at each pixel: 0 none, 1 as much as
one full stroke of the pen leaves. Its look follows real mattes (`simulation.real_ink`): a flat core
with a slightly darker rim, rough edges, round ends with a drop of ink, more ink where strokes
cross, now and then a dark speck.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Density = NDArray[np.float32]

FINER = 4  # strokes are drawn at this multiple of the resolution, then averaged
CROSSING = 0.3  # share of the second stroke's ink that shows where two strokes cross
MIN_REFLECTANCE = 8.0  # grey levels that any ink reflects, so that its logarithm is finite


@dataclass(frozen=True)
class Pen:
    """``width`` in cells; ``opacity`` 0 to 1; ``grain`` 0 (ink) to 1 (pencil on rough paper).

    kind, color_name: what it is called; a pencil's colour has no name. rough: of the edges, 0 to
    1. bleed: how far ink spreads into the paper, cells. unevenness: of pressure along a stroke,
    as a standard deviation. drops: how much wider a stroke is at its ends, in its widths.
    """

    color: tuple[int, int, int]  # BGR
    width: float
    opacity: float
    grain: float
    multiplies: bool  # transparent ink darkens the print; opaque ink covers it
    kind: str = ""
    color_name: str = ""
    rough: float = 0.0
    bleed: float = 0.0
    unevenness: float = 0.0
    drops: float = 0.0


PEN_COLORS = {  # BGR means; each sheet's pen varies around one of them
    "black": (30, 28, 28),
    "blue": (150, 60, 25),
    "light blue": (200, 110, 40),
    "red": (40, 35, 190),
    "green": (60, 120, 25),
    "purple": (130, 40, 100),
    "magenta": (140, 30, 200),
    "turquoise": (150, 140, 20),
    "orange": (20, 100, 230),
    "brown": (35, 60, 105),
}
COLOR_SHARES = (0.33, 0.29, 0.05, 0.09, 0.09, 0.05, 0.04, 0.02, 0.02, 0.02)
PALE_SHARE = 0.15  # of the pens: nearly dry, or light by nature


def random_pen(rng: np.random.Generator) -> Pen:
    """Ball pen, gel pen, felt-tip or pencil in one of the usual colours."""
    kind = str(rng.choice(["ball", "gel", "felt", "pencil"], p=[0.45, 0.15, 0.2, 0.2]))
    pale = rng.uniform(0.5, 0.8) if rng.random() < PALE_SHARE else 1.0
    unevenness, drops = rng.uniform(0.02, 0.15), float(rng.choice([0.0, rng.uniform(0.1, 0.5)]))
    if kind == "pencil":
        grey = rng.uniform(40, 110)
        blue, green, red = (int(np.clip(grey + rng.normal(0, 4), 0, 255)) for _ in range(3))
        width, opacity = rng.uniform(0.04, 0.12), rng.uniform(0.6, 1.0)
        return Pen(
            (blue, green, red), width, opacity * pale, rng.uniform(0.2, 0.8), True, kind,
            rough=rng.uniform(0.3, 1.0), unevenness=unevenness,
        )  # fmt: skip
    name = str(rng.choice(list(PEN_COLORS), p=COLOR_SHARES))
    blue, green, red = (int(np.clip(c + rng.normal(0, 18), 0, 255)) for c in PEN_COLORS[name])
    rough, grain, bleed = rng.uniform(0, 0.6), 0.0, 0.0
    if kind == "ball":
        width, opacity = rng.uniform(0.03, 0.085), rng.uniform(0.7, 1.0)
        grain, transparent = rng.uniform(0, 0.35), 0.7
    elif kind == "gel":
        width, opacity, transparent = rng.uniform(0.045, 0.12), rng.uniform(0.85, 1.0), 0.4
    else:
        width, opacity, transparent = rng.uniform(0.07, 0.26), rng.uniform(0.7, 1.0), 0.85
        bleed = rng.uniform(0, 0.025)
    return Pen(
        (blue, green, red), width, opacity * pale, grain, bool(rng.random() < transparent), kind,
        name, rough=rough, bleed=bleed, unevenness=unevenness, drops=drops,
    )  # fmt: skip


def _along(points: NDArray[np.float64], step: float) -> NDArray[np.float64]:
    """The path resampled at points about ``step`` apart."""
    lengths = np.linalg.norm(np.diff(points, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(lengths)])
    count = int(np.clip(at[-1] / step, 2, 200)) + 1
    even = np.linspace(0, at[-1], count)
    return np.stack([np.interp(even, at, axis) for axis in points.T], axis=1)


def _smooth(rng: np.random.Generator, count: int, spread: float) -> NDArray[np.float64]:
    """A smooth random curve around 0."""
    knots = rng.normal(0, spread, max(3, count // 6))
    return np.interp(np.linspace(0, len(knots) - 1, count), range(len(knots)), knots)


def draw_stroke(
    density: Density,
    points: NDArray[np.float64],
    width: float,
    strength: float,
    pen: Pen,
    rng: np.random.Generator,
) -> None:
    """Lay one stroke through points (N, 2), px, on a density map, in place. ``width``: px."""
    path = _along(np.asarray(points, float), max(2.0, 0.6 * width))
    pressure = _smooth(rng, len(path), pen.unevenness)
    widths = width * np.exp(0.7 * pressure)
    if pen.drops:  # the pen rests where it is set down, and where it is lifted
        near = np.linspace(0, 1, len(path)) * len(path) * max(2.0, 0.6 * width) / max(width, 1.0)
        ends = np.exp(-near) * rng.random() + np.exp(-near[::-1]) * rng.random()
        widths = widths * (1 + pen.drops * ends)
    margin = int(widths.max()) + 3
    low = np.floor(path.min(axis=0)).astype(int) - margin
    high = np.ceil(path.max(axis=0)).astype(int) + margin
    size = high - low
    fine = np.zeros((size[1] * FINER, size[0] * FINER), np.uint8)
    # a pixel's centre has integer coordinates
    fixed = np.round(((path - low + 0.5) * FINER - 0.5) * 16).astype(np.int32)
    levels = np.clip(160 * strength * np.exp(pressure), 1, 255).astype(int)
    # cv2 draws a line of even thickness 2 k at fractions of a pixel 2 k + 1 px wide
    halves = np.floor((widths * FINER - 1) / 2 + rng.random()).astype(int)
    thick = np.maximum(1, 2 * halves)
    for at in range(len(path) - 1):
        cv2.line(
            fine, tuple(map(int, fixed[at])), tuple(map(int, fixed[at + 1])), int(levels[at]),
            int(thick[at]), cv2.LINE_8, 4,
        )  # fmt: skip
    stroke = cv2.resize(fine, tuple(map(int, size)), interpolation=cv2.INTER_AREA)
    # a line thinner than the finest that can be drawn is made fainter instead
    thin = min(1.0, FINER * width)
    lay(density, stroke.astype(np.float32) * np.float32(thin / 160), (int(low[0]), int(low[1])))


def lay(density: Density, part: Density, corner: tuple[int, int]) -> None:
    """Lay the ink of another stroke on a density map, in place; ``corner``: of it, px (x, y)."""
    height, width = density.shape
    left, top = max(0, corner[0]), max(0, corner[1])
    right = min(width, corner[0] + part.shape[1])
    bottom = min(height, corner[1] + part.shape[0])
    if left >= right or top >= bottom:
        return
    new = part[top - corner[1] : bottom - corner[1], left - corner[0] : right - corner[0]]
    old = density[top:bottom, left:right]
    density[top:bottom, left:right] = np.maximum(old, new) + CROSSING * np.minimum(old, new)


def _field(rng: np.random.Generator, shape: tuple[int, int], grain: float) -> Density:
    """Smooth noise of unit variance with grains of ``grain`` px."""
    size = max(1, int(shape[1] / grain) + 2), max(1, int(shape[0] / grain) + 2)
    small = rng.standard_normal((size[1], size[0]), np.float32)
    field = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(field, np.float32)


SPECKS = 2.6  # standard deviations from which on a spot of ink is darker
BEAD = 0.25  # how much darker ink is at the edges of a stroke


def textured(density: Density, pen: Pen, cell: float, rng: np.random.Generator) -> Density:
    """The density of ink as paper and pen make it. ``cell``: px."""
    if pen.bleed * cell > 0.3:
        density = np.asarray(cv2.GaussianBlur(density, (0, 0), pen.bleed * cell), np.float32)
    inside = np.clip(density, 0, 1)
    tooth = _field(rng, density.shape, max(1.0, 0.04 * cell))
    if pen.rough:
        edge = 4 * inside * (1 - inside)
        density = np.maximum(density + 0.35 * pen.rough * edge * tooth, 0)
    if pen.kind != "pencil":
        soft = cv2.GaussianBlur(inside, (0, 0), max(0.8, 0.03 * cell))
        density = density * (1 + BEAD * (inside - soft))
        specks = _field(rng, density.shape, max(1.2, 0.05 * cell)) > SPECKS
        density = density * np.where(specks, np.float32(1.6), np.float32(1))
    if pen.grain > 0:
        fine = rng.random(density.shape, np.float32)
        gaps = np.clip(0.8 * (0.5 + 0.35 * tooth) + 0.8 * fine - 0.4, 0, 1)
        density = np.asarray(density * (1 - pen.grain * gaps), np.float32)
    return np.asarray(density, np.float32)


def inked(
    ground: NDArray[np.float32], density: NDArray[np.float32], pen: Pen
) -> NDArray[np.float32]:
    """Ink over print, BGR 0 to 255 (..., 3). ``density``: (..., 1).

    Transparent ink multiplies what the paper reflects (Beer and Lambert); opaque ink covers it.
    """
    color = np.asarray(pen.color, np.float32)
    if pen.multiplies:
        absorbance = -np.log((0.9 * color + MIN_REFLECTANCE) / 255)
        return np.asarray(ground * np.exp(-pen.opacity * density * absorbance), np.float32)
    cover = np.clip(pen.opacity * density, 0, 1)
    return np.asarray(ground + cover * (color - ground), np.float32)


def print_ink(
    blank: Image, density: Density, pen: Pen, cell: float, rng: np.random.Generator
) -> Image:
    """The blank with the ink on it. ``cell``: px. Only the box around the ink is computed."""
    bears = density > 0
    rows, columns = np.flatnonzero(bears.any(axis=1)), np.flatnonzero(bears.any(axis=0))
    result = blank.copy()
    if not len(rows):
        return result
    margin = 4
    window = (
        slice(max(0, rows[0] - margin), rows[-1] + 1 + margin),
        slice(max(0, columns[0] - margin), columns[-1] + 1 + margin),
    )
    ink = textured(density[window], pen, cell, rng)
    seen = inked(result[window].astype(np.float32), ink[..., None], pen)
    result[window] = np.clip(seen, 0, 255).astype(np.uint8)
    return result
