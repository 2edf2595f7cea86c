"""How many small squares are printed on each field of an empty board."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import flatten
from brikks_vision.detect.placement import Image
from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import MAX_CHIP

FIELD_PIXELS = 64
INSET = 5  # px at each side at which the contrast is not measured: lines
MIN_CONTRAST = 26.0  # grey levels between a square and its field
MIN_SIDE, MAX_SIDE = 0.06, 0.26  # of a square, fields
MAX_ROW = 0.95  # of squares in a row, fields
SHARE = 0.5  # of the greatest contrast, from which a px is of a square
MIN_DIP = 0.15  # between two squares in a row, as a share
MAX_STRETCH = 1.6  # a square's longer side to its shorter one, as a photo shows it


def count_squares(photo: Image, homography: NDArray[np.float64]) -> tuple[int, ...]:
    """The squares on each of the 81 fields, 0 to 4."""
    flat = flatten(photo, homography, SIDE, FIELD_PIXELS, 0.0)
    counts = []
    for row in range(SIDE):
        for column in range(SIDE):
            top, left = row * FIELD_PIXELS, column * FIELD_PIXELS
            field = flat[top : top + FIELD_PIXELS, left : left + FIELD_PIXELS]
            counts.append(_squares_on(field[1:-1, 1:-1]))
    return tuple(counts)


def _squares_on(field: NDArray[np.uint8]) -> int:
    smooth = cv2.GaussianBlur(field, (0, 0), 0.7).astype(np.float32)
    ground = np.median(smooth.reshape(-1, 3), axis=0)
    off = np.abs(smooth - ground).max(axis=2)
    inner = off[INSET:-INSET, INSET:-INSET]
    high = float(np.percentile(inner, 99))
    if high < MIN_CONTRAST:
        return 0
    mask = (off > max(MIN_CONTRAST * 0.6, SHARE * high)).astype(np.uint8)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    total, sizes = 0, []
    for part in range(1, count):
        left, top, width, height = (int(value) for value in stats[part, :4])
        if min(left, top) == 0 or left + width == len(off) or top + height == len(off):
            continue  # a line, or a rounded corner
        short, long = sorted((width / FIELD_PIXELS, height / FIELD_PIXELS))
        if short < MIN_SIDE:
            continue
        if short > MAX_SIDE or long > MAX_ROW:
            return 0  # an ornament
        shape = (labels[top : top + height, left : left + width] == part).astype(np.float32)
        shape *= off[top : top + height, left : left + width]
        row = (
            1 if long < MAX_STRETCH * short else _peaks(shape.sum(axis=0 if width > height else 1))
        )
        total += row
        sizes.append(short)
    if not sizes or total > MAX_CHIP or max(sizes) > 1.7 * min(sizes):
        return 0
    return total


def _peaks(profile: NDArray[np.float32]) -> int:
    """Squares in a row that a photo runs together: peaks with a dip between them."""
    smooth = np.convolve(profile, [0.25, 0.5, 0.25], "same")
    count, floor, top, is_rising = 0, 0.0, 0.0, True
    for value in [*smooth.tolist(), 0.0]:
        if is_rising:
            top = max(top, value)
            if value < (1 - MIN_DIP) * top:
                count, is_rising, floor = count + 1, False, value
        else:
            floor = min(floor, value)
            if value > floor / (1 - MIN_DIP) and value > 0.4 * float(smooth.max()):
                is_rising, top = True, value
    return count
