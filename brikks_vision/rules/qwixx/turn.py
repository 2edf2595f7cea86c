"""What a turn may add to a sheet."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from brikks_vision.rules.qwixx import sheet
from brikks_vision.rules.shapes import Violation

MOST_CROSSES = 2
"""Of one turn: the sum of the white dice, and that of a white and a coloured one."""

EMPTY = sheet.SheetState((sheet.OPEN * sheet.COLUMNS,) * sheet.ROWS, sheet.OPEN * sheet.ROWS, 0)


class Throw(NamedTuple):
    """The dice: two white ones, and those of the rows from red to blue; 0: the die is gone."""

    white: tuple[int, int]
    colored: tuple[int, int, int, int]


class Cross(NamedTuple):
    """A number of a row that is crossed; the last one with its lock."""

    row: int
    column: int


def may_cross(state: sheet.SheetState, cross: Cross) -> bool:
    """Whether a row goes on there: right of its last cross, and its last number after five."""
    marks = state.rows[cross.row]
    is_ready = cross.column < sheet.LAST or marks.count(sheet.CROSSED) >= sheet.BEFORE_LAST
    return (
        is_ready
        and cross.column > marks.rfind(sheet.CROSSED)
        and state.locks[cross.row] == sheet.OPEN
    )


def crossed(state: sheet.SheetState, cross: Cross) -> sheet.SheetState:
    """The sheet with one more number crossed."""
    row, column = cross
    marks = state.rows[row]
    rows = list(state.rows)
    rows[row] = marks[:column] + sheet.CROSSED + marks[column + 1 :]
    locks = state.locks
    if column == sheet.LAST:
        locks = locks[:row] + sheet.CROSSED + locks[row + 1 :]
    return replace(state, rows=tuple(rows), locks=locks)


def crosses_of(number: int, rows: Sequence[int] = range(sheet.ROWS)) -> Iterator[Cross]:
    """The places of a number in these rows."""
    for row, column in product(rows, range(sheet.COLUMNS)):
        if sheet.number_at(row, column) == number:
            yield Cross(row, column)


def choices(
    state: sheet.SheetState, throw: Throw, is_active: bool = True
) -> list[tuple[Cross, ...]]:
    """What a player may cross in a turn, in the order of crossing; always nothing among it.

    First the sum of the white dice; then, by the active player alone, that of a white die and the
    die of a row. Rows whose die is gone are closed.
    """
    open_rows = [row for row in range(sheet.ROWS) if throw.colored[row]]
    firsts: list[tuple[Cross, ...]] = [()]
    firsts += [
        (cross,) for cross in crosses_of(sum(throw.white), open_rows) if may_cross(state, cross)
    ]
    found = list(firsts)
    for first in firsts if is_active else ():
        now = crossed(state, first[0]) if first else state
        sums = {(row, white + throw.colored[row]) for row in open_rows for white in throw.white}
        for row, number in sorted(sums):
            for cross in crosses_of(number, [row]):
                if may_cross(now, cross):
                    found.append((*first, cross))
    return found


def after(
    state: sheet.SheetState, crosses: Sequence[Cross], is_active: bool = True
) -> sheet.SheetState:
    """The sheet after a turn; an active player who crosses nothing has failed."""
    for cross in crosses:
        state = crossed(state, cross)
    if is_active and not crosses and state.failed < sheet.MAX_FAILED:
        state = replace(state, failed=state.failed + 1)
    return state


def faults_of_turn(before: sheet.SheetState, after: sheet.SheetState) -> tuple[Violation, ...]:
    """What makes illegal what one turn added to a sheet; the dice are not known."""
    added = [
        Cross(row, column)
        for row, column in product(range(sheet.ROWS), range(sheet.COLUMNS))
        if after.rows[row][column] == sheet.CROSSED != before.rows[row][column]
    ]
    found: list[tuple[str, tuple[tuple[int, int], ...]]] = []
    late = [each for each in added if each.column < before.rows[each.row].rfind(sheet.CROSSED)]
    if late:
        found.append(("move-left", tuple(late)))
    if len(added) > MOST_CROSSES or after.failed > sheet.MAX_FAILED:
        found.append(("move-many", tuple(added)))
    elif added and after.failed > before.failed:
        found.append(("move-failed", tuple(added)))
    elif after.failed > before.failed + 1:
        found.append(("move-many", ()))
    elif len(added) == MOST_CROSSES and not late and not _is_thrown(added):
        found.append(("move-sums", tuple(added)))
    return tuple(
        Violation(sheet.Rule.ILLEGAL_MOVE, "row", where, sheet.phrase(key)) for key, where in found
    )


def _is_thrown(added: Sequence[Cross]) -> bool:
    """Whether some throw explains two crosses: the first the sum of the white dice.

    Of two in one row the left one comes first, so that it is the sum of the white dice.
    """
    one, other = added
    orders = [(one, other)] if one.row == other.row else [(one, other), (other, one)]
    for first, second in orders:
        total, colored = sheet.number_at(*first), sheet.number_at(*second)
        whites = [white for white in range(1, 7) if 1 <= total - white <= 6]
        if any(1 <= colored - white <= 6 for white in whites):
            return True
    return False
