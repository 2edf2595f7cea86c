"""Clouds, wood, cloth and stone: pictures of float32, sRGB, red first, 0 to 1."""

from __future__ import annotations

import colorsys
from collections.abc import Callable, Sequence
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulation.paper.canvas import Image
from simulation.paper.chances import chance, pick
from simulation.paper.surfaces import smooth_noise

Floats = NDArray[np.float32]
Rgb = NDArray[np.float64]

SIZE = 1400  # px of a table top
_SHAPE = (SIZE, SIZE)
# Tone, numbers of planks, least and greatest width of a ring in px, depth of the grain.
_WOODS: dict[str, tuple[tuple[float, float, float], tuple[int, ...], tuple[int, int], float]] = {
    "oak": ((0.72, 0.53, 0.34), (1, 4, 5, 6, 7), (17, 42), 0.2),
    "walnut": ((0.4, 0.26, 0.17), (1, 3, 5), (20, 48), 0.3),
    "beech": ((0.8, 0.62, 0.44), (1, 9, 12, 15), (34, 62), 0.1),
    "pine": ((0.86, 0.7, 0.47), (4, 5, 6), (27, 48), 0.22),
    "cherry": ((0.55, 0.3, 0.18), (1, 4), (27, 55), 0.18),
    "dark wood": ((0.23, 0.15, 0.11), (1, 3, 5, 7), (20, 48), 0.3),
    "grey wood": ((0.6, 0.56, 0.52), (1, 3, 5, 7), (20, 48), 0.2),
}
_EVEN = {"white": (0.9, 0.9, 0.89), "dark": (0.14, 0.14, 0.15), "cream": (0.86, 0.81, 0.71)}
_STONES = ((0.45, 0.44, 0.42), (0.25, 0.25, 0.26), (0.68, 0.64, 0.58), (0.55, 0.53, 0.5))
_PETALS = ((0.7, 0.24, 0.27), (0.27, 0.37, 0.59), (0.8, 0.59, 0.24), (0.47, 0.31, 0.55))
_PALE = (0.92, 0.9, 0.86)


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


def table_top(rng: np.random.Generator, kind: str) -> Image:
    """One of `style.TABLES` or `style.CLOTHS`, (SIZE, SIZE, 3)."""
    if kind in _WOODS:
        tone, planks, ring, depth = _WOODS[kind]
        tone = tuple(np.array(tone) * rng.uniform(0.9, 1.1))
        return as_image(wood(rng, SIZE, tone, rng.uniform(*ring), depth, pick(rng, *planks)))
    if kind in _EVEN:
        return as_image((1 + 0.012 * clouds(rng, _SHAPE, 300, 6)[..., None]) * _EVEN[kind])
    if kind in _STONE_TOPS:
        return as_image(_STONE_TOPS[kind](rng))
    threads = np.sin(np.arange(SIZE) * np.pi / 2 + 0.5)
    weave = 0.035 * np.outer(threads, threads) + 0.015 * clouds(rng, _SHAPE, 4, 2)
    return as_image(_CLOTHS[kind](rng) * (1 + weave)[..., None])


def _stone(rng: np.random.Generator) -> Rgb:
    veins = np.exp(-np.abs(clouds(rng, _SHAPE, 400)) * 14)[..., None]
    shaded = 1 + 0.1 * clouds(rng, _SHAPE, 160, 6)[..., None]
    return np.asarray(pick(rng, *_STONES) * shaded + 0.13 * veins)


def _granite(rng: np.random.Generator) -> Rgb:
    base = np.array(pick(rng, *_STONES))
    grains = noise(rng, _SHAPE, 4, 4) + 0.7 * noise(rng, _SHAPE, 10, 10)
    stone = base + grains[..., None] * 0.055
    stone[noise(rng, _SHAPE, 3, 3) > 1.9] = base * 0.4
    stone[noise(rng, _SHAPE, 5, 5) > 2.0] = base + 0.25
    return stone


def _marble(rng: np.random.Generator) -> Rgb:
    veins = np.exp(-np.abs(clouds(rng, _SHAPE, 290, 6)) * 22)
    fine = np.exp(-np.abs(clouds(rng, _SHAPE, 180, 6)) * 30)
    return np.asarray((0.93 - 0.35 * veins - 0.12 * fine)[..., None] * np.array((1, 0.99, 0.97)))


def _terrazzo(rng: np.random.Generator) -> Floats:
    ground = 1 + 0.1 * clouds(rng, _SHAPE, 160, 6)[..., None]
    image = np.asarray(ground * np.array((0.82, 0.8, 0.77)), np.float32)
    for _ in range(1600):
        color = hsv(rng.uniform(0, 50), rng.uniform(0.05, 0.35), rng.uniform(0.3, 0.75))
        size = int(rng.integers(3, 16)), int(rng.integers(3, 10))
        turn = float(rng.uniform(0, 180))
        middle = rng.integers(0, SIZE, 2).tolist()
        cv2.ellipse(image, middle, size, turn, 0, 360, color.tolist(), -1)
    return image


def _mixed(ground: ArrayLike, color: ArrayLike, share: ArrayLike) -> Rgb:
    return np.asarray(ground + np.asarray(share)[..., None] * np.subtract(color, ground))


def _check(rng: np.random.Generator) -> Rgb:
    color = hsv(pick(rng, 0, 215, 130, 30), rng.uniform(0.3, 0.8), rng.uniform(0.3, 0.75))
    odd = np.arange(SIZE) * pick(rng, 12, 14, 18) // SIZE % 2
    return _mixed(_PALE, color, np.add.outer(odd, odd) / 2)


def _stripes(rng: np.random.Generator) -> Rgb:
    ground = hsv(rng.uniform(0, 60), rng.uniform(0.03, 0.2), rng.uniform(0.75, 0.92))
    cloth, start = np.tile(ground, (*_SHAPE, 1)), 0
    colors = [
        hsv(rng.uniform(0, 360), rng.uniform(0.15, 0.6), rng.uniform(0.3, 0.8))
        for _ in range(pick(rng, 1, 1, 3))
    ]
    wide = pick(rng, (14, 100), (70, 80))
    while start < SIZE:
        for color in (pick(rng, *colors), ground):
            end = start + int(rng.uniform(*wide))
            cloth[:, start:end] = color
            start = end
    return cloth


def _dots(rng: np.random.Generator) -> Rgb:
    color = hsv(rng.uniform(0, 360), rng.uniform(0.3, 0.6), rng.uniform(0.35, 0.7))
    step = SIZE / 16
    y, x = np.mgrid[0:SIZE, 0:SIZE]
    off = (x + (y // step % 2) * step / 2) % step - step / 2
    away = np.hypot(off, y % step - step / 2)
    return _mixed(color, _PALE, np.clip(step * 0.18 - away, 0, 1))


def _flowers(rng: np.random.Generator) -> Floats:
    cloth = np.full((*_SHAPE, 3), _PALE, np.float32)
    for _ in range(160):
        middle, size = rng.uniform(0, SIZE, 2), rng.uniform(15, 42)
        color, first = pick(rng, *_PETALS), rng.uniform(0, 6)
        for turn in first + np.arange(5) * 2 * np.pi / 5:
            petal = middle + 0.6 * size * np.array([np.cos(turn), np.sin(turn)])
            cv2.circle(cloth, petal.astype(int).tolist(), int(size / 2), color, -1, cv2.LINE_AA)
        cv2.circle(cloth, middle.astype(int).tolist(), int(size * 0.3), (0.94, 0.8, 0.35), -1)
    return cloth


def _felt(rng: np.random.Generator) -> Rgb:
    color = hsv(pick(rng, 135, 220, 0, 150), rng.uniform(0.3, 0.7), rng.uniform(0.2, 0.42))
    fuzz = 0.1 * clouds(rng, _SHAPE, 3, 2) + 0.03 * clouds(rng, _SHAPE, 200)
    return np.asarray(color * (1 + fuzz)[..., None])


def _linen(rng: np.random.Generator) -> Rgb:
    color = hsv(pick(rng, 40, 200, 30, 100, 350), rng.uniform(0.06, 0.6), rng.uniform(0.3, 0.85))
    threads = clouds(rng, _SHAPE, 200, 3, (0.02, 1.5)) + clouds(rng, _SHAPE, 200, 3, (1.5, 0.02))
    return np.asarray(color * (1 + 0.035 * threads)[..., None])


_Top = Callable[[np.random.Generator], NDArray[np.floating]]
_STONE_TOPS: dict[str, _Top] = {
    "stone": _stone, "granite": _granite, "marble": _marble, "terrazzo": _terrazzo,
}  # fmt: skip
_CLOTHS: dict[str, _Top] = {
    "check": _check, "stripes": _stripes, "dots": _dots, "flowers": _flowers, "felt": _felt,
    "linen": _linen,
}  # fmt: skip
