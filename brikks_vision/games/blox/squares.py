"""How many small squares are printed on each field of an empty board."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import flatten
from brikks_vision.detect.placement import Image
from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import MAX_CHIP

FIELD_PIXELS = 48
INSET = 3  # px at each side that are not looked at: lines
MIN_CONTRAST = 26.0  # grey levels between a square and its field
MIN_SIDE, MAX_SIDE = 0.06, 0.24  # of a square, fields
MAX_STRETCH = 1.8  # a square's longer side to its shorter one, as a photo shows it


def count_squares(photo: Image, homography: NDArray[np.float64]) -> tuple[int, ...]:
    """The squares on each of the 81 fields, 0 to 4."""
    flat = flatten(photo, homography, SIDE, FIELD_PIXELS, 0.0)
    counts = []
    for row in range(SIDE):
        for column in range(SIDE):
            top, left = row * FIELD_PIXELS, column * FIELD_PIXELS
            field = flat[top : top + FIELD_PIXELS, left : left + FIELD_PIXELS]
            counts.append(_squares_on(field[INSET:-INSET, INSET:-INSET]))
    return tuple(counts)


def _squares_on(field: NDArray[np.uint8]) -> int:
    smooth = cv2.GaussianBlur(field, (0, 0), 0.8).astype(np.float32)
    ground = np.median(smooth.reshape(-1, 3), axis=0)
    off = np.abs(smooth - ground).max(axis=2)
    high = float(np.percentile(off, 99))
    if high < MIN_CONTRAST:
        return 0
    mask = (off > max(MIN_CONTRAST * 0.6, 0.45 * high)).astype(np.uint8)
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    sides = [np.sort(cv2.minAreaRect(outline)[1]) / FIELD_PIXELS for outline in outlines]
    squares = [
        side for side in sides
        if side[0] > MIN_SIDE and side[1] < MAX_SIDE and side[1] < MAX_STRETCH * side[0]
    ]  # fmt: skip
    # Another print, or dirt, leaves pieces of many sizes.
    if not squares or len(squares) > MAX_CHIP or len(sides) > len(squares) + 3:
        return 0
    sizes = [float(side.mean()) for side in squares]
    return len(squares) if max(sizes) < 1.6 * min(sizes) else 0
