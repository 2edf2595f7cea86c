"""Reads the numbers that are printed in the cells of an empty grid, in whatever letters and art."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image
from brikks_vision.detect.printed_digits import Glyph

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
