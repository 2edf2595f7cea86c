"""Printed numbers, in whatever letters and art.

A digit is a connected component of one side of some grey level. Its shape, stretched to one size,
is compared with those of the stroke fonts of OpenCV, upright and slanted, thin and bold. What the
cells of an empty grid bear a network reads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.pen import median
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
MAX_DIGIT_HEIGHT = 1.1  # cells
MIN_DIGIT_ASPECT = 0.3  # width over height
MAX_DIGIT_ASPECT = 1.4  # width over height
MIN_DIGIT_COVER = 0.15  # share of its box that a digit covers
MAX_DIGIT_COVER = 0.85  # share of its box that a digit covers
LEVELS = (0.25, 0.4, 0.55, 0.7)  # between the darkest and the lightest nearby
# cells, sides of what counts as nearby, and px of a blur that joins what thin gaps part
NEARBY = ((0.4, 0.0), (0.8, 0.0), (0.8, 1.3))
NOISE = 0.8  # px, blur before the darkest and the lightest nearby are taken


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


def glyphs(picture: Image, pixels_per_cell: float) -> list[Glyph]:
    """What may be digits in a picture, of both dark and light ink, by the levels of each place.

    Channels are looked at one by one: a digit may differ from its ground in hue.

    ``picture`` : uint8 BGR (height, width, 3).
    """
    found: list[Glyph] = []
    for layer in cv2.split(picture):
        smooth = cv2.GaussianBlur(layer, (0, 0), NOISE)
        for nearby, blur in NEARBY:
            joined = cv2.GaussianBlur(layer, (0, 0), blur) if blur else layer
            side = 2 * round(nearby * pixels_per_cell / 2) + 1
            window = np.ones((side, side), np.uint8)
            low, high = (
                np.asarray(cv2.blur(extreme(smooth, window), (side, side)), np.uint8)
                for extreme in (cv2.erode, cv2.dilate)
            )
            found += _between(np.asarray(joined, np.uint8), low, high, pixels_per_cell)
    return found


def _between(picture: Grey, low: Grey, high: Grey, pixels_per_cell: float) -> list[Glyph]:
    """What may be digits, at grey levels between the darkest and the lightest of each pixel."""
    spread = high.astype(np.int16) - low
    shows = spread >= MIN_DIGIT_CONTRAST
    found: list[Glyph] = []
    for level in LEVELS:
        threshold = low + (level * spread).astype(np.int16)
        for is_dark in (True, False):
            ink = ((picture < threshold) if is_dark else (picture > threshold)) & shows
            found += _glyphs_of(ink.astype(np.uint8), picture, is_dark, pixels_per_cell)
    return found


def _glyphs_of(ink: Grey, picture: Grey, is_dark: bool, pixels_per_cell: float) -> list[Glyph]:
    """The components of one side of a grey level that have a digit's size, whole ones alone."""
    fastest = cv2.CCL_GRANA  # takes half the time of the usual one
    _, labels, stats, _ = cv2.connectedComponentsWithStatsWithAlgorithm(ink, 8, cv2.CV_32S, fastest)
    left, top, widths, heights, areas = stats.T
    aspects, covers = widths / heights, areas / (widths * heights)
    fits = heights >= max(5, MIN_DIGIT_HEIGHT * pixels_per_cell)
    fits &= heights <= MAX_DIGIT_HEIGHT * pixels_per_cell
    fits &= (aspects >= MIN_DIGIT_ASPECT) & (aspects <= MAX_DIGIT_ASPECT)
    fits &= (covers >= MIN_DIGIT_COVER) & (covers <= MAX_DIGIT_COVER)
    for first, length, end in zip((left, top), (widths, heights), picture.shape[::-1], strict=True):
        fits &= (first > 0) & (first + length < end)
    fits[0] = False  # the ground
    found = []
    for label in np.flatnonzero(fits).tolist():
        x, y, width, height, _ = stats[label].tolist()
        box = slice(y - 1, y + height + 1), slice(x - 1, x + width + 1)
        own = labels[box] == label
        part = picture[box].astype(np.float32)
        ground, color = median(part[~own]), median(part[own])
        contrast = float(ground - color)
        if abs(contrast) < MIN_DIGIT_CONTRAST or (contrast > 0) != is_dark:
            continue
        soft = _soft_ink((ground - part) / (ground - color), own)
        centre = (x + (width - 1) / 2, y + (height - 1) / 2)
        found.append(Glyph(_shape(soft), centre, (width, height), contrast))
    return found


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


# The network was trained with these.
SIDE = 48  # px, side of what it sees of a cell
REACH = 1.0667  # cells that this shows: the lines around a cell, too
VALUES = (2, 3, 4)
"""Numbers that it knows."""
USUAL_HEIGHT = 0.45  # cells, of a digit in its cell


def number_chances(flat: Image, rows: int, columns: int) -> NDArray[np.float64]:
    """Probabilities (rows, columns, 1 + values) of no number and of each of `VALUES`.

    ``flat`` : an empty grid alone, rectified, uint8 BGR, any whole number of px a cell.
    """
    return _chances(cells_in(flat, rows, columns)).reshape(rows, columns, -1)


def cells_in(flat: Image, rows: int, columns: int) -> Image:
    """What the network sees of each cell, (rows * columns, SIDE, SIDE, 3); see `number_chances`."""
    pixels = round(SIDE / REACH)
    size = (columns * pixels, rows * pixels)
    small = np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.uint8)
    before = (SIDE - pixels) // 2
    margins = (before, SIDE - pixels - before) * 2
    framed = cv2.copyMakeBorder(small, *margins, cv2.BORDER_REPLICATE)
    return np.stack(
        [
            framed[row * pixels : row * pixels + SIDE, column * pixels : column * pixels + SIDE]
            for row in range(rows)
            for column in range(columns)
        ]
    )


def chances_of_glyphs(picture: Image, found: Sequence[Glyph]) -> NDArray[np.float64]:
    """As `number_chances`, (N, 1 + values), of what may be numbers anywhere in a picture.

    Each is seen as if it stood in a cell of the usual size.
    """
    cells = [
        cv2.resize(
            cv2.getRectSubPix(
                picture, 2 * (round(REACH * glyph.size[1] / USUAL_HEIGHT),), glyph.centre
            ),
            (SIDE, SIDE),
            interpolation=cv2.INTER_AREA,
        )
        for glyph in found
    ]
    return _chances(np.array(cells, np.uint8).reshape(-1, SIDE, SIDE, 3))


def _chances(cells: Image) -> NDArray[np.float64]:
    """``cells`` : uint8 BGR (N, SIDE, SIDE, 3)."""
    if not len(cells):
        return np.zeros((0, 1 + len(VALUES)))
    logits = np.asarray(run_batch("printed_numbers", cells), np.float64)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(odds / odds.sum(axis=1, keepdims=True), np.float64)
