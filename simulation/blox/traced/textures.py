"""Noise, wood and table tops: pictures of float32, sRGB, red first, 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulation.paper.chances import chance, pick

Floats = NDArray[np.float32]

TABLE_PIXELS = 2048
_SHAPE = (TABLE_PIXELS, TABLE_PIXELS)
# Tone, numbers of planks, least and greatest width of a ring in px, depth of the grain.
_WOODS: dict[str, tuple[tuple[float, float, float], tuple[int, ...], tuple[int, int], float]] = {
    "oak": ((0.72, 0.53, 0.34), (4, 5, 6, 7), (25, 60), 0.2),
    "walnut": ((0.4, 0.26, 0.17), (1, 3, 5), (30, 70), 0.3),
    "beech": ((0.8, 0.62, 0.44), (9, 12, 15), (50, 90), 0.1),
    "pine": ((0.86, 0.7, 0.47), (4, 5, 6), (40, 70), 0.22),
    "cherry": ((0.55, 0.3, 0.18), (1, 4), (40, 80), 0.18),
}
_CLOTHS = ((0.86, 0.82, 0.74), (0.3, 0.42, 0.4), (0.62, 0.25, 0.22), (0.35, 0.4, 0.52),
           (0.75, 0.65, 0.4), (0.24, 0.3, 0.22))  # fmt: skip
_CHECKS = ((0.75, 0.12, 0.12), (0.15, 0.28, 0.6), (0.2, 0.45, 0.25), (0.35, 0.3, 0.3))
_PETALS = ((0.7, 0.24, 0.27), (0.27, 0.37, 0.59), (0.8, 0.59, 0.24), (0.47, 0.31, 0.55))
_STONES = ((0.45, 0.44, 0.42), (0.25, 0.25, 0.26), (0.68, 0.64, 0.58))
_FELTS = ((0.1, 0.33, 0.2), (0.35, 0.1, 0.12), (0.2, 0.2, 0.24))


def noise(rng: np.random.Generator, shape: Sequence[int], down: float, across: float) -> Floats:
    """Smooth normal noise whose bumps are so many px high and wide."""
    height, width = shape
    knots = rng.standard_normal((max(3, int(height / down) + 2), max(3, int(width / across) + 2)))
    smooth = cv2.resize(knots.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)


def fractal(
    rng: np.random.Generator, shape: Sequence[int], size: float, octaves: int = 4
) -> Floats:
    """Noise of halved sizes and strengths, added."""
    sizes = [max(1.5, size / 2**octave) for octave in range(octaves)]
    layers = [noise(rng, shape, each, each) / 2**octave for octave, each in enumerate(sizes)]
    return np.asarray(np.sum(layers, axis=0), np.float32)


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
            grain[cut - 2 : cut + 2] -= 0.3
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


def table_top(rng: np.random.Generator, kind: str) -> Floats:
    """A table top, ``TABLE_PIXELS`` square; the kinds are those of `style`."""
    if kind in _WOODS:
        tone, planks, ring, depth = _WOODS[kind]
        return wood(rng, TABLE_PIXELS, tone, rng.uniform(*ring), depth, pick(rng, *planks))
    return np.clip(_TOPS[kind](rng), 0, 1).astype(np.float32)


def _laminate(rng: np.random.Generator) -> Floats:
    color = np.array([0.9, 0.89, 0.87]) * rng.uniform(0.85, 1)
    return np.asarray(color + fractal(rng, _SHAPE, 300, 3)[..., None] * 0.006, np.float32)


def _granite(rng: np.random.Generator) -> Floats:
    base = np.array(pick(rng, *_STONES), np.float32)
    grains = noise(rng, _SHAPE, 6, 6) + 0.7 * noise(rng, _SHAPE, 14, 14)
    stone = base + grains[..., None] * 0.055
    stone[noise(rng, _SHAPE, 5, 5) > 1.9] = base * 0.4
    stone[noise(rng, _SHAPE, 7, 7) > 2.0] = base + 0.25
    return np.asarray(stone, np.float32)


def _marble(rng: np.random.Generator) -> Floats:
    veins = np.exp(-np.abs(fractal(rng, _SHAPE, 420, 6)) * 16)
    fine = np.exp(-np.abs(fractal(rng, _SHAPE, 260, 6)) * 22)
    light = 0.93 - 0.35 * veins - 0.12 * fine + 0.02 * fractal(rng, _SHAPE, 300, 3)
    return np.asarray(light[..., None] * np.array([1, 0.99, 0.97]), np.float32)


def _weave(rng: np.random.Generator) -> Floats:
    threads = np.sin(np.arange(TABLE_PIXELS) * 2 * np.pi / 8)
    uneven = (noise(rng, _SHAPE, 3, 14) + noise(rng, _SHAPE, 14, 3)) * 0.25
    return np.asarray(1 + 0.06 * (np.outer(threads, threads) * 0.5 + uneven), np.float32)[..., None]


def _cloth(rng: np.random.Generator) -> Floats:
    return np.asarray(_weave(rng) * np.array(pick(rng, *_CLOTHS)), np.float32)


def _check(rng: np.random.Generator) -> Floats:
    colored = np.arange(TABLE_PIXELS) * pick(rng, 16, 20, 24) // TABLE_PIXELS % 2
    share = ((colored[:, None] + colored) / 2)[..., None]
    mixed = np.array([0.93, 0.92, 0.89]) * (1 - share) + np.array(pick(rng, *_CHECKS)) * share
    return np.asarray(mixed * _weave(rng), np.float32)


def _stripes(rng: np.random.Generator) -> Floats:
    cloth = np.full((*_SHAPE, 3), (0.88, 0.86, 0.8), np.float32)
    start = 0
    while start < TABLE_PIXELS:
        end = start + int(rng.uniform(20, 150))
        if chance(rng, 0.5):
            cloth[:, start:end] = pick(rng, *_CLOTHS[1:])
        start = end
    return cloth * _weave(rng)


def _flowers(rng: np.random.Generator) -> Floats:
    cloth = np.full((*_SHAPE, 3), (0.92, 0.89, 0.82), np.float32)
    for _ in range(160):
        middle, size = rng.uniform(0, TABLE_PIXELS, 2), rng.uniform(22, 60)
        color, first = pick(rng, *_PETALS), rng.uniform(0, 6)
        for turn in first + np.arange(5) * 2 * np.pi / 5:
            petal = middle + 0.6 * size * np.array([np.cos(turn), np.sin(turn)])
            cv2.circle(cloth, petal.astype(int).tolist(), int(size / 2), color, -1, cv2.LINE_AA)
        cv2.circle(cloth, middle.astype(int).tolist(), int(size * 0.3), (0.94, 0.8, 0.35), -1)
    return cloth * _weave(rng)


def _felt(rng: np.random.Generator) -> Floats:
    fuzz = noise(rng, _SHAPE, 2, 2) * 0.08 + fractal(rng, _SHAPE, 60, 3) * 0.04
    return np.asarray(np.array(pick(rng, *_FELTS)) * (1 + fuzz[..., None]), np.float32)


_TOPS: dict[str, Callable[[np.random.Generator], Floats]] = {
    "laminate": _laminate, "granite": _granite, "marble": _marble, "cloth": _cloth,
    "check": _check, "stripes": _stripes, "flowers": _flowers, "felt": _felt,
}  # fmt: skip
