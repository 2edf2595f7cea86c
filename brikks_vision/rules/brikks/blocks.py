"""The blocks of the overview, and which of them a set of cells can be."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.shapes import Shape, shape_of

MINI_SHAPE: Shape = ((0, 0),)
"""The duel's mini-block: one outlined X."""

START_COLUMN = 1
"""The column of the overview from which the start block is taken."""


@dataclass(frozen=True)
class Kind:
    """A block of the overview: its colour and every column (from 1) that shows its shape."""

    color: str
    columns: tuple[int, ...]
    shape: Shape


@cache
def kinds(sheet: Sheet) -> tuple[Kind, ...]:
    """The distinct blocks of the overview, in its order."""
    found: dict[tuple[str, Shape], list[int]] = {}
    for color, shapes in sheet.blocks.items():
        for column, cells in enumerate(shapes, START_COLUMN):
            found.setdefault((color, shape_of(cells)), []).append(column)
    return tuple(Kind(color, tuple(columns), shape) for (color, shape), columns in found.items())


@cache
def by_shape(sheet: Sheet) -> Mapping[Shape, tuple[Kind, ...]]:
    """The blocks of the overview by their shapes."""
    table: dict[Shape, tuple[Kind, ...]] = {}
    for kind in kinds(sheet):
        table[kind.shape] = (*table.get(kind.shape, ()), kind)
    return MappingProxyType(table)


def kinds_of(cells: Iterable[Cell], sheet: Sheet) -> tuple[Kind, ...]:
    """Every block of the overview that has these cells; empty if none has."""
    cells = tuple(cells)
    if not cells:
        return ()
    return by_shape(sheet).get(shape_of(cells), ())


def is_start_shape(cells: Iterable[Cell], sheet: Sheet) -> bool:
    """Whether the cells are a block of column 1, unturned."""
    return any(START_COLUMN in kind.columns for kind in kinds_of(cells, sheet))
