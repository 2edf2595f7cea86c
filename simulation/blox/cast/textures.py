"""Clouds, wood, cloth and stone: pictures of float32, sRGB, red first, 0 to 1."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulation.blox.cast.style import hsv
from simulation.blox.traced.textures import Floats
from simulation.blox.traced.textures import noise as single
from simulation.paper.chances import pick

Array = NDArray[np.float64]

_SIZE = 1400
_SHAPE = (_SIZE, _SIZE)
_WOODS = {
    "oak": ((0.72, 0.56, 0.38), (0.52, 0.36, 0.2)),
    "beech": ((0.82, 0.66, 0.48), (0.68, 0.49, 0.32)),
    "walnut": ((0.42, 0.28, 0.19), (0.24, 0.14, 0.09)),
    "pine": ((0.87, 0.72, 0.48), (0.72, 0.5, 0.27)),
    "dark wood": ((0.23, 0.15, 0.11), (0.12, 0.07, 0.05)),
    "grey wood": ((0.6, 0.56, 0.52), (0.42, 0.38, 0.35)),
}
"""Colours of the ground and of the grain."""
_EVEN = {"white": (0.9, 0.9, 0.89), "dark": (0.14, 0.14, 0.15), "cream": (0.86, 0.81, 0.71)}


def linear(color: ArrayLike) -> Floats:
    """Linear light of sRGB colours."""
    values = np.asarray(color, np.float32)
    curved = ((values + 0.055) / 1.055) ** 2.4
    return np.where(values <= 0.04045, values / 12.92, curved).astype(np.float32)


def picture(image: ArrayLike, heights: Floats | None = None) -> Floats:
    """As the caster wants it, (height, width, 5): linear light, slopes to the right and down."""
    shown = linear(np.clip(np.asarray(image, np.float32), 0.01, 0.96))
    if heights is None:
        slopes = np.zeros((*shown.shape[:2], 2), np.float32)
    else:
        ways = [cv2.Sobel(heights, cv2.CV_32F, *way, ksize=3) / 8 for way in ((1, 0), (0, 1))]
        slopes = np.stack(ways, 2)
    return np.ascontiguousarray(np.concatenate([shown, slopes], 2), np.float32)


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
        total += np.float32(0.55**octave) * single(rng, shape, down, across)
    return np.asarray((total - total.mean()) / (total.std() + 1e-6), np.float32)


def wooden(
    rng: np.random.Generator, base: ArrayLike, grain: ArrayLike, planks: int, contrast: float
) -> tuple[Floats, Floats]:
    """A wooden top with its grain across the picture, and its heights."""
    image, heights = np.zeros((*_SHAPE, 3), np.float32), np.ones(_SHAPE, np.float32)
    y = np.linspace(0, 1, _SIZE, dtype=np.float32)[:, None]
    spread = np.subtract(grain, base)
    cuts = np.linspace(0, _SIZE, max(1, planks) + 1).astype(int)
    uneven = clouds(rng, _SHAPE, _SIZE * 0.5, 3, (0.35, 2.5))
    for cut, end in pairwise(cuts):
        shape = (end - cut, _SIZE)
        warp = clouds(rng, shape, _SIZE * 0.7, 2, (0.6, 3)) * rng.uniform(0.6, 1.6)
        rings = np.sin((y[cut:end] * rng.uniform(25, 60) + warp) * np.pi)
        fibres = clouds(rng, shape, 130, 3, (0.016, 1))
        tone = rings * 0.35 + uneven[cut:end] * 0.4 + fibres * 0.45
        share = np.clip(0.4 + 0.28 * contrast * tone, 0, 1.3)[..., None]
        image[cut:end] = np.asarray(base) + spread * share
        if planks:
            image[cut:end] += rng.normal(0, 0.05)
            image[cut : cut + 2] *= 0.45
            heights[cut : cut + 3] = 0
            x = int(rng.integers(_SIZE))
            image[cut:end, x : x + 2] *= 0.5
    heights += 0.02 * clouds(rng, _SHAPE, 130, 3, (0.016, 1))
    return image, heights


@dataclass(frozen=True, eq=False)
class Top:
    """A table top; picture: as the caster wants it, so many fields wide."""

    picture: Floats
    wide: float
    roughness: float
    reflectance: float
    bump: float


def table_top(rng: np.random.Generator, kind: str) -> Top:
    """One of `style.TABLES` or `style.CLOTHS`."""
    if kind in _WOODS:
        base, grain = np.array(_WOODS[kind])
        planks, contrast = pick(rng, 0, 3, 5, 7), rng.uniform(0.6, 1.3)
        image, heights = wooden(rng, base * rng.uniform(0.9, 1.1), grain, planks, contrast)
        shown = picture(image, heights)
        return Top(shown, rng.uniform(16, 26), rng.uniform(0.18, 0.5), 0.04, 0.4)
    if kind in _EVEN:
        image = 1 + 0.012 * clouds(rng, _SHAPE, 300, 6)[..., None]
        shown = picture(image * np.array(_EVEN[kind]))
        return Top(shown, 20.0, rng.uniform(0.15, 0.4), 0.045, 0.0)
    if kind in ("stone", "terrazzo"):
        image = _stone(rng) if kind == "stone" else _terrazzo(rng)
        return Top(picture(image), 18.0, 0.25, 0.04, 0.0)
    threads = np.sin(np.arange(_SIZE) * np.pi / 2 + 0.5)
    weave = np.asarray(np.outer(threads, threads), np.float32)
    cloth = _CLOTHS[kind](rng) * (1 + 0.035 * weave)[..., None]
    cloth *= (1 + 0.015 * clouds(rng, _SHAPE, 4, 2))[..., None]
    return Top(picture(cloth, weave * np.float32(0.5)), 22.0, 0.8, 0.0, 0.25)


def _stone(rng: np.random.Generator) -> Floats:
    stone = np.array((0.55, 0.53, 0.5)) * (1 + 0.1 * clouds(rng, _SHAPE, 160, 6)[..., None])
    veins = np.exp(-np.abs(clouds(rng, _SHAPE, 400)) * 14)
    return np.asarray(stone + 0.13 * veins[..., None], np.float32)


def _terrazzo(rng: np.random.Generator) -> Floats:
    ground = 1 + 0.1 * clouds(rng, _SHAPE, 160, 6)[..., None]
    image = np.asarray(ground * np.array((0.82, 0.8, 0.77)), np.float32)
    for _ in range(1600):
        color = hsv(rng.uniform(0, 50), rng.uniform(0.05, 0.35), rng.uniform(0.3, 0.75))
        middle = rng.integers(0, _SIZE, 2).tolist()
        size = int(rng.integers(3, 16)), int(rng.integers(3, 10))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(image, middle, size, turn, 0, 360, color.tolist(), -1)
    return image


def _mixed(ground: ArrayLike, color: ArrayLike, share: Array) -> Array:
    return np.asarray(np.asarray(ground) + share[..., None] * np.subtract(color, ground))


def _gingham(rng: np.random.Generator) -> Array:
    color = hsv(pick(rng, 0, 215, 130, 30), rng.uniform(0.5, 0.75), rng.uniform(0.5, 0.75))
    odd = np.arange(_SIZE) * 14 // _SIZE % 2
    return _mixed((0.92, 0.91, 0.88), color, np.add.outer(odd, odd) / 2)


def _stripes(rng: np.random.Generator) -> Array:
    first = hsv(rng.uniform(0, 360), rng.uniform(0.15, 0.5), rng.uniform(0.4, 0.8))
    second = hsv(rng.uniform(0, 60), rng.uniform(0.03, 0.2), rng.uniform(0.75, 0.92))
    wave = np.sin(np.arange(_SIZE) * 2 * np.pi * 9 / _SIZE) > rng.uniform(-0.3, 0.5)
    return _mixed(second, first, np.tile(wave.astype(float), (_SIZE, 1)))


def _dots(rng: np.random.Generator) -> Array:
    color = hsv(rng.uniform(0, 360), rng.uniform(0.3, 0.6), rng.uniform(0.35, 0.7))
    step = _SIZE / 16
    y, x = np.mgrid[0:_SIZE, 0:_SIZE]
    off = (x + (y // step % 2) * step / 2) % step - step / 2
    away = np.hypot(off, y % step - step / 2)
    return _mixed(color, (0.9, 0.9, 0.88), np.clip(step * 0.18 - away, 0, 1))


def _felt(rng: np.random.Generator) -> Array:
    color = hsv(pick(rng, 135, 220, 0, 150), rng.uniform(0.45, 0.7), rng.uniform(0.25, 0.42))
    fuzz = 0.1 * clouds(rng, _SHAPE, 3, 2) + 0.03 * clouds(rng, _SHAPE, 200)
    return np.asarray(color * (1 + fuzz)[..., None])


def _linen(rng: np.random.Generator) -> Array:
    color = hsv(pick(rng, 40, 200, 30, 100, 350), rng.uniform(0.06, 0.35), rng.uniform(0.5, 0.85))
    threads = clouds(rng, _SHAPE, 200, 3, (0.02, 1.5)) + clouds(rng, _SHAPE, 200, 3, (1.5, 0.02))
    return np.asarray(color * (1 + 0.035 * threads)[..., None])


_CLOTHS: dict[str, Callable[[np.random.Generator], Array]] = {
    "gingham": _gingham, "stripes": _stripes, "dots": _dots, "felt": _felt, "linen": _linen,
}  # fmt: skip


def block_face(rng: np.random.Generator, is_wood: bool) -> Floats:
    """Grain or speckles of a block, a factor near 1, as the caster wants it."""
    shape = (256, 256)
    if is_wood:
        warp = clouds(rng, shape, 150, 2, (0.7, 2)) * 0.5
        rings = np.sin((np.linspace(0, 9, 256)[:, None] + warp) * 2 * np.pi)
        grain = clouds(rng, shape, 160, 4, (0.05, 1)) * 0.6 + rings * 0.5
        factor = np.clip(1 + 0.1 * grain, 0.6, 1.25)
    else:
        factor = np.clip(1 + 0.03 * clouds(rng, shape, 40), 0.8, 1.15)
    channels = [factor, factor, factor, 0 * factor, 0 * factor]
    return np.ascontiguousarray(np.stack(channels, 2), np.float32)
