"""Surfaces: smooth values, gradients and grain."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import cv2
import numpy as np
import numpy.typing as npt

from simulation.paper.colors import Color

Image = npt.NDArray[np.uint8]


def smooth_field(
    rng: np.random.Generator, height: int, width: int, rows: int, columns: int
) -> npt.NDArray[np.uint8]:
    """Smooth random values 0..255, shape (height, width), from ``rows`` x ``columns`` knots."""
    knots = rng.integers(0, 256, (max(rows, 2), max(columns, 2)), dtype=np.uint8)
    return np.asarray(cv2.resize(knots, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def smooth_noise(
    rng: np.random.Generator, shape: Sequence[int], knots: Sequence[int]
) -> npt.NDArray[np.float32]:
    """Smooth normal noise (height, width), of about unit variance, from rows x columns of knots."""
    small = rng.standard_normal(tuple(knots)).astype(np.float32)
    smooth = cv2.resize(small, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC)
    return np.asarray(smooth, np.float32)


def gradient(rng: np.random.Generator, height: int, width: int, colors: tuple[Color, ...]) -> Image:
    """A smooth blend of colours, uint8 BGR (height, width, 3): down, across, or in patches."""
    kind = rng.random()
    if kind < 0.4:
        knots = np.array(colors, np.uint8)[:, None, :]
    elif kind < 0.55:
        knots = np.array(colors, np.uint8)[None, :, :]
    else:
        order = rng.integers(len(colors), size=(int(rng.integers(2, 5)), int(rng.integers(2, 4))))
        knots = np.array(colors, np.uint8)[order]
    return np.asarray(cv2.resize(knots, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


@lru_cache(maxsize=4)
def _grain_tile(size: int) -> npt.NDArray[np.int8]:
    return np.clip(np.random.default_rng(size).normal(0, 32, (size, size)), -127, 127).astype(
        np.int8
    )


def add_grain(rng: np.random.Generator, image: Image, strength: float) -> None:
    """Add fine noise in place: standard deviation ``strength`` in grey levels."""
    tile = _grain_tile(301)
    row, column = int(rng.integers(301)), int(rng.integers(301))
    rolled = np.roll(tile, (row, column), (0, 1))
    repeats = (image.shape[0] // 301 + 1, image.shape[1] // 301 + 1)
    noise = np.tile(rolled, repeats)[: image.shape[0], : image.shape[1]]
    scaled = (noise.astype(np.float32) * (strength / 32)).astype(np.int16)
    if image.ndim == 3:
        scaled = np.repeat(scaled[..., None], image.shape[2], 2)
    cv2.add(image, scaled, dst=image, dtype=cv2.CV_8U)
