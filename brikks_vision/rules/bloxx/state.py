"""What is marked on a BLOXX! sheet, what it is worth, and where its points went.

A coloured row that is filled wholly with crosses and circles gives the bonus that is circled for
it, each printed number under a circle its value, each gap and each empty cell one point less.

Nothing circled for a complete row leaves its bonus open: the highest one is assumed.

Within reach is what one step more of its kind would have given: a coloured row that lacks one or
two cells, whole; for a whole row its highest bonus; each number that was drawn over or coloured in,
under a circle; each gap, drawn. What was lost adds up to the score of the sheet with all of that,
less its own. Cells that were never reached were not within reach.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import product

from brikks_vision.rules.bloxx.sheet import (
    Cell,
    ColoredRow,
    Sheet,
    phrase,
    place_words,
    row_from_bottom,
)
from brikks_vision.rules.shapes import Lost, connected, most_first
from brikks_vision.text.phrases import all_of

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


PENALTY = -1
"""Points for each gap and each cell left empty. Source: rules."""


@dataclass(frozen=True)
class RowBonus:
    """What a coloured row gives.

    points: as the score counts it. choices: all values that it can have. is_assumed: the row is
    complete, but no bonus is circled for it.
    """

    row: int
    points: int
    choices: tuple[int, ...]
    is_assumed: bool


@dataclass(frozen=True)
class Score:
    """Points by part; penalty is 0 or negative.

    bonuses: one entry a coloured row, top first. possible_rows: every number of points that the
    rows can give together, with what is assumed otherwise; sorted.
    """

    rows: int
    numbers: int
    penalty: int
    total: int
    bonuses: tuple[RowBonus, ...]
    possible_rows: tuple[int, ...]

    @property
    def total_range(self) -> tuple[int, int]:
        """The minimum and the maximum total that the open bonuses allow."""
        rest = self.numbers + self.penalty
        return self.possible_rows[0] + rest, self.possible_rows[-1] + rest


def row_bonus(state: SheetState, colored: int) -> RowBonus:
    """The bonus of a coloured row, counted from 0 in the order of the sheet."""
    printed = state.sheet.colored_rows[colored]
    if not state.sheet.row_cells(printed.row) <= state.drawn:
        return RowBonus(printed.row, 0, (0,), False)
    circled = circled_bonuses(state, colored)
    choices = circled or printed.bonuses
    return RowBonus(printed.row, max(choices), tuple(sorted(choices)), not circled)


def circled_bonuses(state: SheetState, colored: int) -> tuple[int, ...]:
    """The figures that are circled for a coloured row, highest first."""
    printed: ColoredRow = state.sheet.colored_rows[colored]
    marks = state.bonuses[colored]
    return tuple(
        bonus
        for bonus, mark in zip(printed.bonuses, marks, strict=True)
        if mark is BonusMark.CIRCLED
    )


def number_points(state: SheetState) -> int:
    """The sum of the printed numbers under circles."""
    return sum(number.value for number in state.sheet.numbers if number.cell in state.circles)


def score(state: SheetState) -> Score:
    """The points of a sheet, by part."""
    bonuses = tuple(row_bonus(state, colored) for colored in range(len(state.sheet.colored_rows)))
    rows = sum(bonus.points for bonus in bonuses)
    numbers = number_points(state)
    penalty = PENALTY * (state.sheet.rows * state.sheet.columns - len(state.drawn))
    possible = {sum(points) for points in product(*(bonus.choices for bonus in bonuses))}
    return Score(rows, numbers, penalty, rows + numbers + penalty, bonuses, tuple(sorted(possible)))


MAX_LACKING = 2
"""Cells that a coloured row lacks at most to be within reach."""


def lost(state: SheetState) -> tuple[Lost, ...]:
    """Every point that was lost and within reach, most points first."""
    gaps = below(state.drawn, state.sheet) - state.drawn
    return most_first([*_rows(state, gaps), *_numbers(state, gaps), *_gaps(state, gaps)])


def _rows(state: SheetState, gaps: frozenset[Cell]) -> Iterator[Lost]:
    sheet = state.sheet
    for number, printed in enumerate(sheet.colored_rows):
        given = row_bonus(state, number)
        lacking = tuple(sorted(sheet.row_cells(printed.row) - state.drawn))
        if len(lacking) > MAX_LACKING:
            continue
        row, where = row_from_bottom(printed.row, sheet), f"row {printed.row}"
        if not lacking:
            if points := max(printed.bonuses) - given.points:
                told = phrase("lost-first", row=row, now=given.points, then=max(printed.bonuses))
                yield Lost("row", where, points, told)
            continue
        marks = zip(printed.bonuses, state.bonuses[number], strict=True)
        bonus = max((each for each, mark in marks if mark is not BonusMark.STRUCK), default=0)
        if bonus:
            columns = all_of(column + 1 for _, column in lacking)
            told = phrase("lost-row", row=row, columns=columns, count=len(lacking))
            empty = len(set(lacking) - gaps)  # a gap has its own points
            yield Lost("row", where, bonus - PENALTY * empty, told, lacking)


def _numbers(state: SheetState, gaps: frozenset[Cell]) -> Iterator[Lost]:
    for printed in state.sheet.numbers:
        row, column = printed.cell
        if state.mark(printed.cell) is Mark.CROSS:
            key = "lost-crossed"
        elif printed.cell in gaps:
            key = "lost-buried"
        else:
            continue
        place = place_words([printed.cell], state.sheet)
        told = phrase(key, figure=printed.value, place=place)
        yield Lost("number", f"cell {row},{column}", printed.value, told, (printed.cell,))


def _gaps(state: SheetState, gaps: frozenset[Cell]) -> Iterator[Lost]:
    for cells in connected(gaps):
        group = tuple(sorted(cells))
        row, column = group[0]
        told = phrase("lost-gap", count=len(group), place=place_words(group, state.sheet))
        yield Lost("gap", f"cell {row},{column}", -PENALTY * len(group), told, group)
