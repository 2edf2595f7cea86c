"""Reads printed digits in small pictures, in whatever letters, without a network.

A digit is a connected component of one side of some grey level. Its shape, stretched to one size,
is compared with those of the stroke fonts of OpenCV, upright and slanted, thin and bold.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image

Grey = NDArray[np.uint8]  # (height, width)
Shape = NDArray[np.float32]  # (SHAPE_HEIGHT * SHAPE_WIDTH,), zero mean, unit length

SHAPE_HEIGHT, SHAPE_WIDTH = 28, 20  # px, of a digit's shape
_FONTS = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_SCRIPT_SIMPLEX,
    cv2.FONT_HERSHEY_COMPLEX | cv2.FONT_ITALIC,
)
_WEIGHTS = (4, 8, 13)  # px of strokes, of digits some 66 px high
_SLANTS = (-0.1, 0.0, 0.15, 0.3)
_SOFTNESS = 1.3  # px, blur of a shape: strokes of other letters lie a little beside
# All set by hand on simulated printings.
MIN_DIGIT_CONTRAST = 12.0  # grey levels between a digit and its ground
MIN_DIGIT_HEIGHT = 0.16  # cells
MAX_DIGIT_HEIGHT = 0.72  # cells
MIN_DIGIT_ASPECT = 0.3  # width over height
MAX_DIGIT_ASPECT = 1.4  # width over height
MIN_DIGIT_COVER = 0.15  # share of its box that a digit covers
MAX_DIGIT_COVER = 0.85  # share of its box that a digit covers
PARTS = (1.0, 0.66, 0.5, 0.4)  # of a picture's sides
LEVELS = (0.25, 0.4, 0.55, 0.7)  # between the darkest and the lightest part of a picture


@dataclass(frozen=True)
class Glyph:
    """What may be a digit.

    centre, size: (x, y) and (width, height) in px of the picture. contrast: grey levels beside its
    ground; negative where it is lighter.
    """

    shape: Shape
    centre: tuple[float, float]
    size: tuple[float, float]
    contrast: float


@cache
def digit_shapes(digits: tuple[int, ...]) -> NDArray[np.float32]:
    """Shapes of digits in several letters: (letters, digits, SHAPE_HEIGHT * SHAPE_WIDTH)."""
    letters = []
    for font, weight, slant in product(_FONTS, _WEIGHTS, _SLANTS):
        letters.append([_shape(_drawn(str(digit), font, weight, slant)) for digit in digits])
    shapes = np.array(letters, np.float32)
    shapes.setflags(write=False)
    return shapes


def _drawn(text: str, font: int, weight: int, slant: float) -> Grey:
    """The ink of a digit, cut to its box."""
    canvas = np.zeros((160, 160), np.uint8)
    cv2.putText(canvas, text, (40, 110), font, 3.0, 255, weight, cv2.LINE_AA)
    shear = np.array([[1, -slant, slant * 80], [0, 1, 0]], np.float32)
    canvas = np.asarray(cv2.warpAffine(canvas, shear, (160, 160)), np.uint8)
    x, y, width, height = cv2.boundingRect((canvas > 100).astype(np.uint8))
    return np.asarray(canvas[y : y + height, x : x + width], np.uint8)


def _shape(ink: Grey) -> Shape:
    """A digit's ink (any size, 0 to 255) as a shape of one size."""
    size = (SHAPE_WIDTH, SHAPE_HEIGHT)
    scaled = cv2.resize(ink, size, interpolation=cv2.INTER_AREA).astype(np.float32)
    padded = cv2.copyMakeBorder(scaled, 3, 3, 3, 3, cv2.BORDER_CONSTANT, value=0)
    soft = cv2.GaussianBlur(padded, (0, 0), _SOFTNESS)[3:-3, 3:-3].ravel()
    soft -= soft.mean()
    return np.asarray(soft / max(float(np.linalg.norm(soft)), 1e-6), np.float32)


def glyphs(picture: Image, pixels_per_cell: float, parts: Sequence[float] = PARTS) -> list[Glyph]:
    """What may be digits in a picture, of both dark and light ink.

    The channel with most contrast is looked at beside the lightness, and parts around the middle: a
    digit may stand on a disc whose colour differs from it less than from the ground around.

    ``picture`` : uint8 BGR (height, width, 3). ``parts`` : of its sides.
    """
    found: list[Glyph] = []
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), np.uint8)
    height, width = grey.shape
    for part in parts:
        y, x = round(height * (1 - part) / 2), round(width * (1 - part) / 2)
        inner = picture[y : height - y, x : width - x]
        spread = np.ptp(inner.reshape(-1, 3)[::3].astype(np.int16), axis=0)
        channel = inner[..., int(spread.argmax())]
        for layer in (channel, grey[y : height - y, x : width - x]):
            for glyph in _glyphs_at_levels(np.ascontiguousarray(layer), pixels_per_cell):
                centre = glyph.centre[0] + x, glyph.centre[1] + y
                found.append(replace(glyph, centre=centre))
    return found


def _glyphs_at_levels(picture: Grey, pixels_per_cell: float) -> list[Glyph]:
    low, high = _quantiles(picture, (0.02, 0.98))
    if high - low < MIN_DIGIT_CONTRAST:
        return []
    found: list[Glyph] = []
    for level in LEVELS:
        threshold = low + level * (high - low)
        for is_dark in (True, False):
            ink = (picture < threshold) if is_dark else (picture > threshold)
            found += _glyphs_of(ink.astype(np.uint8), picture, is_dark, pixels_per_cell)
    return found


def _glyphs_of(ink: Grey, picture: Grey, is_dark: bool, pixels_per_cell: float) -> list[Glyph]:
    """The components of one side of a grey level that have a digit's size."""
    _, labels, stats, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    rows, columns = picture.shape
    found = []
    for label, (x, y, width, height, area) in enumerate(stats.tolist()[1:], 1):
        if x == 0 or y == 0 or x + width == columns or y + height == rows:
            continue
        if not MIN_DIGIT_HEIGHT <= height / pixels_per_cell <= MAX_DIGIT_HEIGHT or height < 5:
            continue
        if not MIN_DIGIT_ASPECT <= width / height <= MAX_DIGIT_ASPECT:
            continue
        if not MIN_DIGIT_COVER <= area / (width * height) <= MAX_DIGIT_COVER:
            continue
        box = slice(y - 1, y + height + 1), slice(x - 1, x + width + 1)
        own = labels[box] == label
        part = picture[box].astype(np.float32)
        ground, color = _median(part[~own]), _median(part[own])
        contrast = float(ground - color)
        if abs(contrast) < MIN_DIGIT_CONTRAST or (contrast > 0) != is_dark:
            continue
        soft = _soft_ink((ground - part) / (ground - color), own)
        centre = (x + (width - 1) / 2, y + (height - 1) / 2)
        found.append(Glyph(_shape(soft), centre, (width, height), contrast))
    return found


def _quantiles(picture: Grey, shares: Sequence[float]) -> list[float]:
    """As `numpy.quantile`, which takes five times as long for such small pictures."""
    ordered = np.sort(picture, axis=None)
    found = []
    for share in shares:
        below, part = divmod(share * (ordered.size - 1), 1)
        low, high = (int(ordered[at]) for at in (int(below), math.ceil(below + part)))
        found.append(low + (high - low) * part)
    return found


def _median(values: NDArray[np.float32]) -> np.float32:
    """As `numpy.median`, which takes five times as long for so few values."""
    middle = len(values) // 2
    if len(values) % 2:
        return np.float32(np.partition(values, middle)[middle])
    ordered = np.partition(values, (middle - 1, middle))
    return np.float32((ordered[middle - 1] + ordered[middle]) / 2)


def _soft_ink(share: NDArray[np.float32], own: NDArray[np.bool_]) -> Grey:
    """How much each pixel of a component's box is ink, 0 to 255; its own rim cut off.

    ``share``: of the way from the ground's lightness to the ink's.
    """
    near = cv2.dilate(own.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0
    return np.asarray(255 * np.clip(share * near, 0, 1), np.uint8)[1:-1, 1:-1]


def likeness(found: Sequence[Glyph], shapes: NDArray[np.float32]) -> NDArray[np.float32]:
    """How like digits glyphs are, -1 to 1: (glyphs, letters, digits)."""
    if not found:
        return np.zeros((0, *shapes.shape[:2]), np.float32)
    stacked = np.stack([glyph.shape for glyph in found])
    return np.asarray(np.einsum("gp,ldp->gld", stacked, shapes), np.float32)
