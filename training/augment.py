"""Augmentation: samples under other light, with other print, camera and placement."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import PATCH_SIDE
from brikks_vision.detect.pen import Pen
from brikks_vision.layout import load_layout
from simulation.paper.surfaces import smooth_noise
from training.photos import LOCATOR_STRIDE, MARGIN, PIXELS_PER_CELL, Arrays

MOTTLED_SHARE = 0.3  # of the samples


def recolor(
    image: NDArray[np.uint8], rng: np.random.Generator, strength: float
) -> NDArray[np.uint8]:
    """Change light, print and camera: gain and curve of each channel, grey, noise."""
    levels = np.linspace(0, 1, 256)[:, None] ** np.exp(strength * rng.normal(0, 0.2))
    gain = 1 + strength * (rng.normal(0, 0.2) + rng.normal(0, 0.08, 3))
    table = np.clip(255 * levels * gain, 0, 255).astype(np.uint8)
    image = cv2.LUT(np.ascontiguousarray(image), table.reshape(1, 256, 3))
    if rng.random() < 0.08 * strength:
        image = cv2.merge([cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)] * 3)
    if rng.random() < 0.5:
        noise = np.empty(image.shape, np.int8)
        cv2.randn(noise, 0, strength * rng.uniform(0, 6))
        image = cv2.add(image, noise, dtype=cv2.CV_8U)
    return image


def mottled(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Spots, grain or streaks of print and paper, all over a picture or on a band of it."""
    height, width = image.shape[:2]
    grain = np.exp(rng.uniform(np.log(2), np.log(24)) + rng.normal(0, 0.5, 2))  # px down, across
    knots = int(height / grain[0]) + 2, int(width / grain[1]) + 2
    field = smooth_noise(rng, (height, width), knots)
    if rng.random() < 0.5:
        first, last = np.sort(rng.integers(0, height, 2))
        field[:first] = field[last:] = 0
    tint = rng.uniform(3, 18) * (1 + rng.normal(0, 0.3, 3))
    return np.clip(image + field[..., None] * tint, 0, 255).astype(np.uint8)


TERM_SIZES = 0.8 * np.array([1.0, 0.7, 0.7, 0.35, 0.5, 0.35, 0.2, 0.2])


def displacement(
    rng: np.random.Generator, height: int, width: int, size: float
) -> NDArray[np.float32]:
    """A smooth random field of offsets (height, width, 2), about ``size`` large."""
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, y**3], axis=-1)
    factors = rng.normal(0, 1, (8, 2)) * TERM_SIZES[:, None] * size
    return (terms @ factors).astype(np.float32)


def resample(
    flat: NDArray[np.uint8], offsets: NDArray[np.float32], pixels_per_cell: int
) -> NDArray[np.uint8]:
    """The reading area of a wide picture, seen through a placement that is off by ``offsets``.

    ``offsets`` (h, w, 2) in cells, stretched over the reading area.
    """
    area = load_layout("brikks-light").reading_area
    shrink = PIXELS_PER_CELL // pixels_per_cell
    if shrink > 1:
        flat = cv2.resize(flat, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    size = (round(area.width * pixels_per_cell), round(area.height * pixels_per_cell))
    moved = cv2.resize(offsets, size, interpolation=cv2.INTER_LINEAR) * pixels_per_cell
    x = moved[..., 0] + np.arange(size[0], dtype=np.float32) + MARGIN * pixels_per_cell
    y = moved[..., 1] + np.arange(size[1], dtype=np.float32)[:, None] + MARGIN * pixels_per_cell
    return cv2.remap(flat, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


FAR = 1000.0  # the sheet point of what is not in the picture


def cut(
    image: NDArray[np.uint8], place: NDArray[np.float32], across: int, down: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Shift picture and targets by whole outputs, so that a part of the sheet is cut off."""
    moved, targets = np.zeros_like(image), np.full_like(place, FAR)
    for source, result, step in ((image, moved, LOCATOR_STRIDE), (place, targets, 1)):
        height, width = source.shape[:2]
        x, y = across * step, down * step
        result[max(0, y) : height + min(0, y), max(0, x) : width + min(0, x)] = source[
            max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)
        ]
    return moved, targets


COARSE_SHARE, MIN_PIXELS_PER_CELL = 0.4, 13.0  # of the photos; px per cell of the coarsest


def coarse(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture as a coarsely decoded photo would show it."""
    scale = rng.uniform(MIN_PIXELS_PER_CELL, PIXELS_PER_CELL) / PIXELS_PER_CELL
    smaller = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.resize(smaller, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def coarsened(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> list[NDArray[np.uint8]]:
    """The sheets, slightly misplaced, as coarse as a photo decoded for the fast pass."""
    flats = [
        resample(
            arrays["flat"][at], displacement(rng, 16, 12, rng.uniform(0, 0.06)), PIXELS_PER_CELL
        )
        for at in chosen
    ]
    share = COARSE_SHARE if training else 0.0
    return [coarse(flat, rng) if rng.random() < share else flat for flat in flats]


def misplaced(
    patches: NDArray[np.uint8], offsets: NDArray[np.float64], turns: NDArray[np.complex128]
) -> NDArray[np.uint8]:
    """The middles of wide patches (P, wide, wide, 3) as a placement that is off would cut them.

    ``offsets`` : (P, 2) px. ``turns`` : (P,), each turns and enlarges as the complex number does.
    """
    middle, old = (PATCH_SIDE - 1) / 2, (patches.shape[1] - 1) / 2
    result = np.empty((len(patches), PATCH_SIDE, PATCH_SIDE, 3), np.uint8)
    for at, (patch, (x, y), turn) in enumerate(zip(patches, offsets, turns, strict=True)):
        cos, sin = turn.real, turn.imag
        matrix = np.array(
            [
                [cos, -sin, old + x - cos * middle + sin * middle],
                [sin, cos, old + y - sin * middle - cos * middle],
            ]
        )
        result[at] = cv2.warpAffine(
            patch, matrix, (PATCH_SIDE, PATCH_SIDE),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return result


def roughly_placed(patches: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The middles of wide patches, a little off: all together, and each by itself."""
    count = len(patches)
    off = rng.choice([0.5, 1.0, 2.0], p=[0.4, 0.4, 0.2])
    offsets = off * (rng.normal(0, 1.0, 2) + rng.normal(0, 0.6, (count, 2)))  # px
    turns = 1 + off * (rng.normal(0, 0.015, count) + 1j * rng.normal(0, 0.015, count))
    return misplaced(patches, offsets, turns)


PEN_UNKNOWN_SHARE, PEN_SPREAD = 0.08, 4.0  # of the samples; grey levels


def seen_otherwise(patches: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The patches (P, wide, wide, 3) of a sheet as another photo would show them."""
    count, wide = patches.shape[:2]
    tall = recolor(patches.reshape(count * wide, wide, 3), rng, 0.8)
    if rng.random() < MOTTLED_SHARE:
        tall = mottled(tall, rng)
    if rng.random() < 0.15:  # other colours of print and pen
        tall = np.ascontiguousarray(tall[..., rng.permutation(3)])
    patches = tall.reshape(patches.shape)
    if rng.random() < 0.15:  # a coarser photo
        small = int(rng.integers(24, 48))
        patches = np.stack(
            [
                cv2.resize(
                    cv2.resize(each, (small, small), interpolation=cv2.INTER_AREA), (wide, wide)
                )
                for each in patches
            ]
        )
    return patches


def photographed_otherwise(
    patches: NDArray[np.uint8], pen: Pen, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Pen]:
    """`seen_otherwise`, with the pen as that photo shows it; it is not always known, nor exactly.

    What is ink by its colour alone would be learned too well otherwise.
    """
    spots = np.broadcast_to(np.nan_to_num(pen)[:, None, None], (2, *patches.shape[1:]))
    seen = seen_otherwise(np.concatenate([patches, spots.astype(np.uint8)]), rng)
    unknown = np.isnan(pen).any() or rng.random() < PEN_UNKNOWN_SHARE
    mean = seen[-2:].mean(axis=(1, 2)) + rng.normal(0, PEN_SPREAD, (2, 3))
    return seen[:-2], np.where(unknown, np.nan, np.clip(mean, 0, 255)).astype(np.float32)
