"""Clouds and wood: pictures of float32, sRGB, red first, 0 to 1."""

from __future__ import annotations

import colorsys
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulation.paper.canvas import Image
from simulation.paper.chances import chance
from simulation.paper.surfaces import smooth_noise

Floats = NDArray[np.float32]
Rgb = NDArray[np.float64]


def hsv(hue: float, saturation: float, value: float) -> Rgb:
    """A colour; hue: degrees."""
    return np.array(colorsys.hsv_to_rgb(hue / 360 % 1, saturation, value))


def as_image(picture: ArrayLike) -> Image:
    """The picture, uint8 BGR."""
    shown = np.clip(np.asarray(picture)[..., ::-1], 0, 1)
    return np.ascontiguousarray(np.rint(255 * shown), np.uint8)


def noise(rng: np.random.Generator, shape: Sequence[int], down: float, across: float) -> Floats:
    """Smooth normal noise whose bumps are so many px high and wide."""
    height, width = shape
    knots = max(3, int(height / down) + 2), max(3, int(width / across) + 2)
    return smooth_noise(rng, shape, knots)


def clouds(
    rng: np.random.Generator,
    shape: Sequence[int],
    size: float,
    octaves: int = 4,
    stretch: tuple[float, float] = (1.0, 1.0),
) -> Floats:
    """Smooth noise of mean 0 and deviation 1; size: of the largest spots, px.

    stretch: of the spots, down and across.
    """
    total = np.zeros(tuple(shape), np.float32)
    for octave in range(octaves):
        own = size / 2.1**octave
        if octave and own * min(stretch) < 1:
            break
        down, across = (max(1.0, own * each) for each in stretch)
        total += np.float32(0.55**octave) * noise(rng, shape, down, across)
    return np.asarray((total - total.mean()) / (total.std() + 1e-6), np.float32)


def wood(
    rng: np.random.Generator, size: int, tone: ArrayLike, ring: float, depth: float, planks: int = 1
) -> Floats:
    """Wood with its grain across the picture, (size, size, 3)."""
    shape = (size, size)
    cuts = np.linspace(0, size, planks + 1).astype(int)
    grain = np.concatenate(
        [_plank(rng, end - cut, size, ring, depth) for cut, end in pairwise(cuts)]
    )
    grain += noise(rng, shape, 1.5, 45) * 0.025 + noise(rng, shape, 2.5, 160) * 0.03
    grain -= (noise(rng, shape, 1.2, 22) > 1.7) * np.float32(0.09)
    if planks > 1 and chance(rng, 0.8):
        for cut in cuts[1:-1]:
            grain[cut - 1 : cut + 2] -= 0.3
    shown = np.asarray(tone) * np.exp(grain[..., None] * np.array([1.0, 1.12, 1.3]))
    return np.asarray(np.clip(shown, 0, 1), np.float32)


def _plank(rng: np.random.Generator, rows: int, size: int, ring: float, depth: float) -> Floats:
    """The logarithm of a plank's brightness: its rings."""
    shape = (rows, size)
    y, x = np.mgrid[0:rows, 0:size].astype(np.float32)
    warp = noise(rng, shape, rows * 0.7, size * 0.35) * ring * 0.9
    warp += noise(rng, shape, rows * 0.2, size * 0.15) * ring * 0.12
    at = y * rng.uniform(0.7, 1.3) + warp + rng.uniform(0, 1000)
    if chance(rng, 0.45):  # cut near the heart of the trunk
        down = y - rng.uniform(0.2, 0.8) * rows
        along = rng.uniform(0.02, 0.06) * (x - rng.uniform(-0.4, 1.4) * size)
        at = np.sqrt(down**2 + along**2 + 1) * 1.2 + warp * 0.6
    phase = (at / ring) % 1
    rings = phase**2.2 * (1 - np.clip((phase - 0.93) / 0.07, 0, 1))
    uneven = noise(rng, shape, rows * 0.5, size * 0.3) * 0.03 + rng.normal(0, 0.05)
    return np.asarray(uneven - rings * depth, np.float32)
