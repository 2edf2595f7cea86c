"""How plainly the outer rows and columns of a grid show, and further ones, beside its inner ones.

What lies between the cells of a row tells most: a strip beside a grid has an end as a row has, but
nothing that parts its cells.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.cells import LINE_PIXELS, LINE_SIDE, FoundGrid
from brikks_vision.detect.placement import Image, rectify
from brikks_vision.layout import Box

Shares = NDArray[np.float64]

ALONG = np.linspace(0.2, 0.8, 13)  # of a cell's side, where a line is looked at
LEAST_SHOWN = 0.15  # of the usual strength of lines: paler ones of a row tell nothing
WEAKEST = 25  # percentile of the lines of a row that counts for it: letters make some, too


@dataclass(frozen=True)
class SideLines:
    """What lies between the cells of each row and column, 1 where that is as in the grid.

    rows: (rows + 2,), the first and the last one beyond the grid; columns: (columns + 2,), alike.
    """

    rows: Shares
    columns: Shares


def side_lines(image: Image, grid: FoundGrid) -> SideLines:
    """Compare the lines of an upright grid with each other.

    All columns cross the same rows: each line of a column is compared with the same line of the
    others, by its colour. Rows are coloured in different ways: of a row it is compared how strong
    its lines are, with those of the palest row within the grid.

    Raises
    ------
    numpy.linalg.LinAlgError
    """
    rows, columns = _between(image, grid), _between(image, grid.turned())
    strengths = np.percentile(np.linalg.norm(rows, axis=2), WEAKEST, axis=1)
    usual = np.median(columns[2:-2], axis=0)
    along = (columns * usual).sum(axis=2) / np.maximum((usual**2).sum(axis=1), 1e-6)
    inner = strengths[2:-2]
    palest = max(float(inner.min()), LEAST_SHOWN * float(np.median(inner)), 1e-6)
    return SideLines(strengths / palest, np.median(along, axis=1))


def _between(image: Image, grid: FoundGrid) -> NDArray[np.float64]:
    """The lines between the cells of each row, beside what lies on both sides of them.

    (rows + 2, columns - 1, 3), differences of BGR; the first and the last row beyond the grid.
    """
    area = Box(-1.0, -1.0, grid.columns + 1.0, grid.rows + 1.0)
    flat = rectify(image, grid.placement(area), area, LINE_PIXELS).astype(np.float32)
    x = np.arange(1.0, grid.columns)[:, None] + 0 * ALONG
    found = []
    for row in range(-1, grid.rows + 1):
        y = row + ALONG + 0 * x
        before, on, after = (
            cv2.remap(
                flat,
                ((x + step * LINE_SIDE - area.left) * LINE_PIXELS - 0.5).astype(np.float32),
                ((y - area.top) * LINE_PIXELS - 0.5).astype(np.float32),
                cv2.INTER_LINEAR,
            )
            for step in (-1, 0, 1)
        )
        found.append(np.median(on - (before + after) / 2, axis=1))
    return np.array(found, np.float64)
