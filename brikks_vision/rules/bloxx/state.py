"""What is marked on one sheet: the state that the rules judge and score."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property

from brikks_vision.rules.bloxx.faces import Cell
from brikks_vision.rules.bloxx.sheet import Sheet

Shape = frozenset[Cell]
"""An outlined group of cells."""


class Mark(StrEnum):
    """What one cell bears."""

    CROSS = "X"
    CIRCLE = "O"
    GAP = "#"
    EMPTY = "."


class BonusMark(StrEnum):
    """What one bonus figure under the grid bears."""

    OPEN = "open"
    CIRCLED = "circled"
    STRUCK = "struck"


@dataclass(frozen=True)
class SheetState:
    """All marks of one sheet.

    grid: a mark for each cell, top row first. shapes: the outlined groups of cells, bottom-up;
    empty where the player drew no outlines. bonuses: a mark for each bonus figure of each coloured
    row, in the order of the sheet.
    """

    sheet: Sheet
    grid: tuple[tuple[Mark, ...], ...]
    shapes: tuple[Shape, ...]
    bonuses: tuple[tuple[BonusMark, ...], ...]

    def mark(self, cell: Cell) -> Mark:
        return self.grid[cell[0]][cell[1]]

    def cells_with(self, *marks: Mark) -> frozenset[Cell]:
        """All cells that bear one of the marks."""
        return frozenset(
            (row, column)
            for row, line in enumerate(self.grid)
            for column, mark in enumerate(line)
            if mark in marks
        )

    @cached_property
    def circles(self) -> frozenset[Cell]:
        return self.cells_with(Mark.CIRCLE)

    @cached_property
    def drawn(self) -> frozenset[Cell]:
        """Cells with a cross or a circle."""
        return self.cells_with(Mark.CROSS, Mark.CIRCLE)

    @cached_property
    def gaps(self) -> frozenset[Cell]:
        """Cells that are coloured in."""
        return self.cells_with(Mark.GAP)

    @cached_property
    def outlined(self) -> frozenset[Cell]:
        """Cells inside an outline."""
        return frozenset().union(*self.shapes)

    def circle_of(self, shape: Shape) -> Cell | None:
        """The circle of a shape: its first in reading order; None where there is none."""
        return min(shape & self.circles, default=None)

    def complete_rows(self) -> tuple[int, ...]:
        """Coloured rows (numbers of the grid) that are filled wholly with crosses and circles."""
        return tuple(
            colored.row
            for colored in self.sheet.colored_rows
            if self.sheet.row_cells(colored.row) <= self.drawn
        )

    def with_marks(self, marks: Mapping[Cell, Mark]) -> SheetState:
        """The state with some cells marked otherwise."""
        grid = tuple(
            tuple(marks.get((row, column), mark) for column, mark in enumerate(line))
            for row, line in enumerate(self.grid)
        )
        return replace(self, grid=grid)

    def with_bonus(self, colored: int, figure: int, mark: BonusMark) -> SheetState:
        """The state with a bonus figure marked otherwise.

        colored, figure: from 0, in the order of the sheet.
        """
        figures = list(self.bonuses[colored])
        figures[figure] = mark
        bonuses = (*self.bonuses[:colored], tuple(figures), *self.bonuses[colored + 1 :])
        return replace(self, bonuses=bonuses)


@dataclass(frozen=True)
class Written:
    """The player's own figures, None where nothing is written or read.

    penalty: the figure behind the printed minus, with or without a minus of its own.
    """

    rows: int | None = None
    numbers: int | None = None
    penalty: int | None = None
    total: int | None = None


def blank_sheet(sheet: Sheet) -> SheetState:
    """The sheet as printed."""
    return SheetState(
        sheet,
        grid=((Mark.EMPTY,) * sheet.columns,) * sheet.rows,
        shapes=(),
        bonuses=tuple((BonusMark.OPEN,) * len(row.bonuses) for row in sheet.colored_rows),
    )


def below(cells: Iterable[Cell], sheet: Sheet) -> frozenset[Cell]:
    """All cells of the grid that lie under one of these, at any depth."""
    tops: dict[int, int] = {}
    for row, column in cells:
        tops[column] = min(row, tops.get(column, row))
    return frozenset(
        (row, column) for column, top in tops.items() for row in range(top + 1, sheet.rows)
    )
