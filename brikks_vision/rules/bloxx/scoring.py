"""The score of a sheet.

A coloured row that is filled wholly with crosses and circles gives the bonus that is circled for
it, each printed number under a circle its value, each gap and each empty cell one point less.

Nothing circled for a complete row leaves its bonus open: the highest one is assumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product

from brikks_vision.rules.bloxx.sheet import ColoredRow
from brikks_vision.rules.bloxx.state import BonusMark, SheetState

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
