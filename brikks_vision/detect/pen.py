"""The ink of the player, and the numerics that the detectors share.

A dark stroke in a printed place may be the print, and a ring may be a stain. Most crosses are
clear, and a player makes all marks of a sheet with one pen. So each pixel of the bars is compared
with the ink of the crosses.

Medians as they are needed everywhere here: of few values, and often.
"""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image
from brikks_vision.layout import CELL, Layout


def median(values: NDArray[Any], axis: int = 0) -> Any:
    """As `numpy.median` of finite values, which takes several times as long and imports numpy.ma.

    Returns an array without that axis, or a scalar; float64 where ``values`` are whole numbers.
    """
    low, high = (values.shape[axis] - 1) // 2, values.shape[axis] // 2
    if values.ndim == 1 and values.dtype.kind == "f":
        ordered = np.partition(values, (low, high) if low < high else low)
        return (ordered[low] + ordered[high]) / 2
    ordered = np.partition(values, (low, high), axis)
    return np.moveaxis(ordered, axis, 0)[low : high + 1].mean(axis=0)


# The networks of the bars were trained with these values, all set by hand: another value needs
# another training.
MIN_PEN_LOG_ODDS = 2.0  # log-odds of a cell that counts as crossed, or as empty
MIN_PEN_CROSSES = 3  # crosses to measure the ink
MIN_EMPTY_CELLS = 2  # empty cells of a zone, to measure its paper
INNER_CELL = (0.2, 0.8)  # of a cell's side, from and to: the part clear of outlines
INK_SHARE = 0.08  # of the inner pixels of a crossed cell; those least like the paper count as ink
NOISE_LEVEL = 8.0  # grey levels, added before taking logarithms
CONTRAST_OFFSET = 20.0  # grey levels, added to the distance between paper and ink
ABSORBANCE_OFFSET = 0.05  # squared absorbance, added to that of the ink

Pen = NDArray[np.float32]
"""BGR of paper and ink, (2, 3), 0 to 255; NaN if unknown."""


def pen_colors(
    flat: Image,
    crossed: NDArray[np.bool_],
    empty: NDArray[np.bool_],
    layout: Layout,
) -> Pen:
    """The colours of the ink of crosses and of the paper of empty cells in the same zone.

    Cells in which something is printed are left out.

    Parameters
    ----------
    flat : uint8 BGR, the rectified reading area.
    crossed, empty : (rows, columns); a cell that is neither is undecided.

    Returns
    -------
    float32 (2, 3), NaN if fewer than `MIN_PEN_CROSSES` crosses can be measured.
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
        if not marked.any() or unmarked.sum() < MIN_EMPTY_CELLS:
            continue
        paper = median(of_zone[unmarked].reshape(-1, 3))
        blue, green, red = np.moveaxis(np.abs(of_zone[marked] - paper), -1, 0)
        away = blue + green + red  # numpy is slow along an axis of length three
        count = max(1, round(INK_SHARE * away.shape[1]))
        farthest = np.argpartition(away, -count, axis=1)[:, -count:]
        inks.append(np.take_along_axis(of_zone[marked], farthest[..., None], axis=1).mean(axis=1))
        papers.append(np.broadcast_to(paper, inks[-1].shape))
    if sum(map(len, inks)) < MIN_PEN_CROSSES:
        return np.full((2, 3), np.nan, np.float32)
    paper, ink = np.concatenate(papers), np.concatenate(inks)
    contrast = np.abs(paper - ink).sum(axis=1)
    clear = contrast >= median(contrast)
    return np.stack([median(paper[clear]), median(ink[clear])])


def pen_of(flat: Image, cells: NDArray[np.float64], layout: Layout) -> Pen:
    """`pen_colors` from the log-odds (rows, columns) of crosses."""
    return pen_colors(flat, cells > MIN_PEN_LOG_ODDS, cells < -MIN_PEN_LOG_ODDS, layout)


def _inner_pixels(flat: Image, layout: Layout) -> NDArray[np.uint8]:
    """The inner pixels of each cell: (rows, columns, pixels, 3)."""
    area, grid = layout.reading_area, layout.grid
    per_cell = flat.shape[1] / area.width
    low, high = (round(share * per_cell) for share in INNER_CELL)
    steps = np.arange(low, high)
    x = np.round((np.arange(grid.columns) - area.left) * per_cell).astype(int)[:, None] + steps
    y = np.round((np.arange(grid.rows) - area.top) * per_cell).astype(int)[:, None] + steps
    inner = flat[y.reshape(-1)[:, None], x.reshape(-1)]
    inner = inner.reshape(grid.rows, len(steps), grid.columns, len(steps), 3)
    by_cell = inner.transpose(0, 2, 1, 3, 4)
    return np.asarray(by_cell.reshape(grid.rows, grid.columns, -1, 3))


def ink_likeness(patches: NDArray[np.uint8], pen: Pen) -> NDArray[np.uint8]:
    """Similarity of each pixel of BGR patches (N, height, width, 3) to the ink: uint8 (..., 2).

    Channel 0 is the similarity in colour: 255 for the ink's colour, low for the paper's. Channel 1
    is the absorbance relative to the ink's: 64 for paper, 191 for ink, less for faint ink. Both are
    0 if the pen is unknown.
    """
    if np.isnan(pen).any():
        return np.zeros((*patches.shape[:3], 2), np.uint8)
    paper, ink = pen
    row = patches.reshape(1, -1, 3)
    levels = np.arange(256, dtype=np.float32)
    squares = cv2.LUT(row, np.square(levels[:, None] - ink)[None])
    distance = cv2.sqrt(cv2.transform(squares, np.ones((1, 3), np.float32)))
    near = 255 - distance * np.float32(255 / (np.linalg.norm(paper - ink) + CONTRAST_OFFSET))
    absorbance = np.log((paper + NOISE_LEVEL) / (ink + NOISE_LEVEL))
    along = absorbance / (absorbance @ absorbance + ABSORBANCE_OFFSET)
    logarithms = cv2.LUT(row, np.log(levels + NOISE_LEVEL))
    lacking = np.log(paper + NOISE_LEVEL) @ along - cv2.transform(logarithms, along[None])
    whole = np.empty((row.shape[1], 2), np.uint8)
    for at, layer in enumerate((near, 64 + 127 * lacking)):
        whole[:, at] = np.clip(layer, 0, 255, out=layer).ravel()
    return whole.reshape(*patches.shape[:3], 2)


_NOTHING = np.empty(0)  # is added


def products(those: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """``those @ others.T``, float32 (N, M), of float32 (N, K) and (M, K), neither empty.

    For products that large numpy's OpenBLAS starts threads, which then wait for more in a loop: 50
    ms of processor time in a scan of 200. OpenCV's hardly do.
    """
    return np.asarray(cv2.gemm(those, others, 1, _NOTHING, 0, flags=cv2.GEMM_2_T), np.float32)
