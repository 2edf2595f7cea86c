"""Shapes of blocks, wherever they lie, and groups of cells."""

from __future__ import annotations

from collections.abc import Iterable

from brikks_vision.layout import Cell

Shape = tuple[Cell, ...]
"""Cells (row, column) from the shape's own top left, sorted."""


def shape_of(cells: Iterable[Cell]) -> Shape:
    """The cells moved to the top left corner, sorted."""
    cells = tuple(cells)
    top, left = corner_of(cells)
    return tuple(sorted([(row - top, column - left) for row, column in cells]))


def corner_of(cells: Iterable[Cell]) -> Cell:
    """The top left corner of the cells' bounding box."""
    rows, columns = zip(*cells, strict=True)
    return min(rows), min(columns)


def placed(shape: Shape, corner: Cell) -> frozenset[Cell]:
    """The shape's cells with its bounding box's top left at ``corner``."""
    return frozenset((corner[0] + row, corner[1] + column) for row, column in shape)


def neighbors(cell: Cell) -> tuple[Cell, Cell, Cell, Cell]:
    """The cells that share a side with a cell, some of them perhaps outside the grid."""
    row, column = cell
    return (row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)


def connected(cells: Iterable[Cell]) -> tuple[frozenset[Cell], ...]:
    """Groups of cells that are connected by their sides, by their first cell."""
    left, groups = set(cells), []
    for first in sorted(left):
        if first not in left:
            continue
        group = {first}
        queue = [first]
        for cell in queue:
            fresh = [near for near in neighbors(cell) if near in left and near not in group]
            group.update(fresh)
            queue += fresh
        left -= group
        groups.append(frozenset(group))
    return tuple(groups)


def shared_cells(groups: Iterable[frozenset[Cell]]) -> frozenset[Cell]:
    """Cells that lie in more than one of the groups."""
    seen: set[Cell] = set()
    shared: set[Cell] = set()
    for group in groups:
        shared |= group & seen
        seen |= group
    return frozenset(shared)


def bottom_up(groups: Iterable[frozenset[Cell]]) -> tuple[frozenset[Cell], ...]:
    """Groups in reading order from the floor: lowest cell first, then from the left."""
    return tuple(
        sorted(
            groups,
            key=lambda group: (
                -max((row for row, _ in group), default=0),
                min((column for _, column in group), default=0),
                sorted(group),
            ),
        )
    )
