"""Shapes of blocks, wherever they lie."""

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
