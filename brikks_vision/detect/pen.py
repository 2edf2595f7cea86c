"""What this player's ink looks like, as the crosses in the grid show it.

A dark stroke on a bomb may be its print, and a ring's may be a stain; most crosses are plain to
see, and all marks of a sheet are made with one pen. So each pixel of the bars is compared with it.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image
from brikks_vision.layout import CELL, Layout

SURE = 2.0  # log-odds that a cell is crossed, or that it is not
FEWEST_CROSSES = 3  # that tell the pen
FEWEST_EMPTY = 2  # cells of a zone that tell its paper
INNER = 0.2, 0.8  # of a cell: between these lies its cross, clear of outlines
INK_SHARE = 0.08  # of these pixels of a crossed cell, those least like its paper
DARK = 8.0  # grey levels added before logarithms are taken: below is noise
LEAST_STEP = 20.0  # grey levels between paper and ink that count at least
LEAST_ABSORBANCE = 0.05  # squared

Pen = NDArray[np.float32]
"""BGR of paper and of the ink on it, (2, 3), 0 to 255, each channel for itself; NaN: not known."""


def pen_colors(
    flat: Image,
    crossed: NDArray[np.bool_],
    empty: NDArray[np.bool_],
    layout: Layout,
) -> Pen:
    """Paper and ink in the grid: the ink of crosses beside empty cells of the same zone.

    Cells in which something is printed tell neither.

    ``flat`` : uint8 BGR, the reading area straightened. ``crossed``, ``empty`` : (rows, columns),
    what is neither may be either.
    """
    plain = np.ones(crossed.shape, np.bool_)
    cells = layout.fields[CELL]
    plain &= np.reshape([not cells.drawn[kind] for kind in cells.prints], cells.shape)
    pixels = _inner_pixels(flat, layout)
    papers, inks = [], []
    for zone in layout.grid.zones:
        rows = slice(zone.first, zone.last + 1)
        of_zone = pixels[rows].astype(np.float32)
        marked, unmarked = (crossed & plain)[rows], (empty & plain)[rows]
        if not marked.any() or unmarked.sum() < FEWEST_EMPTY:
            continue
        paper = np.median(of_zone[unmarked].reshape(-1, 3), axis=0)
        away = np.abs(of_zone[marked] - paper).sum(axis=2)
        count = max(1, round(INK_SHARE * away.shape[1]))
        farthest = np.argpartition(away, -count, axis=1)[:, -count:]
        inks.append(np.take_along_axis(of_zone[marked], farthest[..., None], axis=1).mean(axis=1))
        papers.append(np.broadcast_to(paper, inks[-1].shape))
    if sum(map(len, inks)) < FEWEST_CROSSES:
        return np.full((2, 3), np.nan, np.float32)
    paper, ink = np.concatenate(papers), np.concatenate(inks)
    contrast = np.abs(paper - ink).sum(axis=1)
    clear = contrast >= np.median(contrast)
    return np.stack([np.median(paper[clear], axis=0), np.median(ink[clear], axis=0)])


def pen_of(flat: Image, cells: NDArray[np.float64], layout: Layout) -> Pen:
    """`pen_colors` by the cells that are surely read: log-odds (rows, columns)."""
    return pen_colors(flat, cells > SURE, cells < -SURE, layout)


def _inner_pixels(flat: Image, layout: Layout) -> NDArray[np.uint8]:
    """The pixels in the middle of every cell: (rows, columns, pixels, 3)."""
    area, grid = layout.reading_area, layout.grid
    per_cell = flat.shape[1] / area.width
    low, high = (round(share * per_cell) for share in INNER)
    steps = np.arange(low, high)
    x = np.round((np.arange(grid.columns) - area.left) * per_cell).astype(int)[:, None] + steps
    y = np.round((np.arange(grid.rows) - area.top) * per_cell).astype(int)[:, None] + steps
    inner = flat[y.reshape(-1)[:, None], x.reshape(-1)]
    inner = inner.reshape(grid.rows, len(steps), grid.columns, len(steps), 3)
    by_cell = inner.transpose(0, 2, 1, 3, 4)
    return np.asarray(by_cell.reshape(grid.rows, grid.columns, -1, 3))


def ink_likeness(patches: NDArray[np.uint8], pen: Pen) -> NDArray[np.uint8]:
    """How much each pixel of BGR patches (N, height, width, 3) is like the pen's ink: (..., 2).

    First how near its colour is to the ink's: 255 the same, low as far off as paper. Then how much
    of the ink's absorbance it has: 64 as much as paper, 191 or (faint ink) less as much as ink.
    All 0 where the pen is not known.
    """
    if np.isnan(pen).any():
        return np.zeros((*patches.shape[:3], 2), np.uint8)
    paper, ink = pen
    row = patches.reshape(1, -1, 3)
    difference = row.astype(np.float32) - ink
    distance = cv2.sqrt(cv2.transform(difference * difference, np.ones((1, 3), np.float32)))
    near = 255 - distance * np.float32(255 / (np.linalg.norm(paper - ink) + LEAST_STEP))
    absorbance = np.log((paper + DARK) / (ink + DARK))
    along = absorbance / (absorbance @ absorbance + LEAST_ABSORBANCE)
    logarithms = cv2.LUT(row, np.log(np.arange(256, dtype=np.float32) + DARK))
    lacking = np.log(paper + DARK) @ along - cv2.transform(logarithms, along[None])
    layers = np.stack([near.ravel(), 64 + 127 * lacking.ravel()], axis=1)
    whole = np.clip(layers, 0, 255).astype(np.uint8)
    return np.asarray(whole.reshape(*patches.shape[:3], 2))
