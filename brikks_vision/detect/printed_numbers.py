"""Reads the numbers that are printed in the cells of an empty grid, in whatever letters and art."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image

# The network was trained with these.
SIDE = 32  # px, side of what it sees of a cell
REACH = 1.0667  # cells that this shows: the lines around a cell, too
VALUES = (2, 3, 4)
"""Numbers that it knows."""


def number_chances(flat: Image, rows: int, columns: int) -> NDArray[np.float64]:
    """Probabilities (rows, columns, 1 + values) of no number and of each of `VALUES`.

    ``flat`` : an empty grid alone, rectified, uint8 BGR, any whole number of px a cell.
    """
    pixels = round(SIDE / REACH)
    size = (columns * pixels, rows * pixels)
    small = np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.uint8)
    margin = (SIDE - pixels) // 2
    framed = cv2.copyMakeBorder(small, *(4 * (margin,)), cv2.BORDER_REPLICATE)
    cells: Image = np.stack(
        [
            framed[row * pixels : row * pixels + SIDE, column * pixels : column * pixels + SIDE]
            for row in range(rows)
            for column in range(columns)
        ]
    )
    logits = np.asarray(run_batch("printed_numbers", cells), np.float64)
    odds = np.exp(logits - logits.max(axis=1, keepdims=True))
    chances = odds / odds.sum(axis=1, keepdims=True)
    return np.asarray(chances.reshape(rows, columns, -1))
