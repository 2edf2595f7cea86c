"""The colours of the grounds that the cells of an empty grid are printed on."""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.medians import median
from brikks_vision.detect.placement import Image

# All set by hand on simulated printings.
MAX_GROUND_SLOPE = 0.12  # of logarithms a row, of light that falls off along a page
MAX_TINTED, MIN_PLAIN = 5, 3  # rows
CORNER = 0.18, 0.31  # of a cell's side: near its corners, where no number stands
FRAME_REACH, FRAME_SPAN = 0.2, (0.25, 0.75)  # of a cell's width and height: its upright sides
SAME_INK = 0.7  # cosine between the colours at both ends of a row
OFFSET = 4.0  # grey levels, added before taking logarithms

Colors = NDArray[np.float64]


def cell_grounds(flat: Image, rows: int, columns: int) -> Colors:
    """The ground of each cell: (rows, columns, 3), logarithms of BGR.

    ``flat`` : the grid alone, rectified, uint8 BGR, whole px a cell.
    """
    height, width = flat.shape[0] // rows, flat.shape[1] // columns
    cells = flat.reshape(rows, height, columns, width, 3)
    low, high = CORNER
    corners = []
    for top, left in product((low, 1 - high), repeat=2):
        y, x = round(top * height), round(left * width)
        bottom, right = round((top + high - low) * height), round((left + high - low) * width)
        part = cells[:, y : max(bottom, y + 1), :, x : max(right, x + 1)]
        corners.append(median(part.swapaxes(1, 2).reshape(rows, columns, -1, 3), 2))
    found = median(np.array(corners))
    return np.asarray(np.log(found + OFFSET), np.float64)


def chroma(logarithms: Colors) -> Colors:
    """What is left of colours (..., 3) without lightness: shadows and light change it little."""
    return np.asarray(logarithms - logarithms.mean(axis=-1, keepdims=True), np.float64)


def within_rows(grounds: Colors) -> float:
    """How much the hues of the grounds of one row differ from each other."""
    hues = chroma(grounds)
    return float(np.abs(hues - np.median(hues, axis=1, keepdims=True)).mean())


def frame_tints(flat: Image, rows: int, columns: int) -> Colors:
    """What frames around rows or around all cells of a row are coloured in: (rows, 3), chroma.

    It is the strongest colour along the upright sides of the cells of a row, in all of them or at
    both ends of the row, that other rows have not got there. ``flat`` : the grid alone, rectified,
    uint8 BGR.
    """
    height, width = flat.shape[0] / rows, flat.shape[1] // columns
    reach, (low, high) = round(FRAME_REACH * width), FRAME_SPAN
    sides = np.zeros((rows, columns, 2, reach, 3))
    for row in range(rows):
        band = flat[round((row + low) * height) : round((row + high) * height)]
        middle = np.median(band, axis=0).reshape(columns, width, 3)
        sides[row, :, 0], sides[row, :, 1] = middle[:, :reach], middle[:, -reach:]
    hues = chroma(np.log(sides + OFFSET))
    level = sides.mean(axis=-1, keepdims=True) / 255  # dark ink has any chroma
    apart = (hues - np.median(hues, axis=0)) * level
    found = np.zeros((rows, 3))
    for row, own in enumerate(apart):
        left, right = _strongest(own[0, 0]), _strongest(own[-1, 1])
        ways = [_strongest(np.median(own, axis=0).reshape(-1, 3))]
        if left @ right > SAME_INK * np.linalg.norm(left) * np.linalg.norm(right):
            ways.append((left + right) / 2)
        found[row] = max(ways, key=lambda way: float(np.linalg.norm(way)))
    return found


def _strongest(hues: Colors) -> Colors:
    return np.asarray(hues[np.linalg.norm(hues, axis=-1).argmax()], np.float64)


def row_tints(grounds: Colors) -> Colors:
    """How each row is tinted beside the plain ones: (rows, 3), differences of logarithms of BGR.

    Most rows are plain, or all but a few; light may fall off along the page.
    """
    rows = np.median(grounds, axis=1)
    at = np.arange(len(rows))
    enough = min((len(rows) + 1) // 2, max(len(rows) - MAX_TINTED, MIN_PLAIN))
    best, least = rows - np.median(rows, axis=0), np.inf
    for first, second in combinations(range(len(rows)), 2):
        slope = (rows[second] - rows[first]) / (second - first)
        if np.abs(slope).max() > MAX_GROUND_SLOPE:
            continue
        away = rows - (rows[first] + (at - first)[:, None] * slope)
        lengths = np.sort(np.linalg.norm(away, axis=1))[:enough]
        # Steep light is less probable than the same rows on even light.
        cost = float(lengths.sum() + 0.5 * np.linalg.norm(slope))
        if cost < least:
            best, least = away, cost
    return np.asarray(best, np.float64)
