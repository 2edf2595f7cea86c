"""The printed points of a layout that can be located, and points where nothing is printed."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Points
from brikks_vision.layout import Box, Field, Layout


@cache
def keypoints(layout: Layout) -> Points:
    """Printed points that can be located, (N, 2) in cells: lattice nodes, then centres of marks."""
    grid = layout.grid
    nodes = [(column, row) for row in range(grid.rows + 1) for column in range(grid.columns + 1)]
    marks = [centre for field in layout.places for centre in field.centres]
    points = np.array([*nodes, *marks], float)
    points.setflags(write=False)
    return points


def within(places: NDArray[np.float64], area: Box) -> NDArray[np.bool_]:
    """Which places (..., 2), in cells, lie in a part of the sheet."""
    x, y = places[..., 0], places[..., 1]
    across, down = (x >= area.left) & (x <= area.right), (y >= area.top) & (y <= area.bottom)
    return np.asarray(across & down, np.bool_)


def row_ends(field: Field) -> Points:
    """Places (N, 2), in cells, one mark beyond both ends of each row of a field; nothing there."""
    ends = []
    for row in sorted({y for _, y in field.centres}):
        x = sorted(x for x, y in field.centres if y == row)
        if len(x) < 2:
            continue
        ends += [(2 * x[0] - x[1], row), (2 * x[-1] - x[-2], row)]
    return np.array(ends, float).reshape(-1, 2)


def beyond_bars(layout: Layout) -> Points:
    """Places (N, 2), in cells, one mark beyond both ends of each row of the bars; nothing there."""
    return np.concatenate([row_ends(field) for field in layout.places] or [np.zeros((0, 2))])


def lattice_nodes(layout: Layout) -> Points:
    """The keypoints that are nodes of the lattice, (N, 2) in cells."""
    points = keypoints(layout)
    return points[(points <= (layout.grid.columns, layout.grid.rows)).all(axis=1)]


def empty_places(layout: Layout) -> Points:
    """Points one cell outside the lattice all round, (N, 2) in cells; no node is printed there."""
    grid = layout.grid
    columns, rows = range(-1, grid.columns + 2), range(-1, grid.rows + 2)
    around = {(column, row) for column in columns for row in rows if row in (-1, grid.rows + 1)}
    around |= {
        (column, row) for column in columns for row in rows if column in (-1, grid.columns + 1)
    }
    return np.array(sorted(around), float)


@cache
def telling_points(layout: Layout) -> tuple[Points, int]:
    """All keypoints, then points without print, (N, 2) in cells; and the number of keypoints."""
    marked = keypoints(layout)
    ends = beyond_bars(layout)
    empty = [empty_places(layout), ends[within(ends, layout.reading_area)]]
    points = np.concatenate([marked, *empty])
    points.setflags(write=False)
    return points, len(marked)
