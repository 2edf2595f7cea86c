"""Points, proofs and turns of Qwixx, held against a slow telling of the rules."""

import random
from itertools import product

import pytest

from brikks_vision.rules.qwixx.sheet import SheetState, Written, lost, referee, score
from brikks_vision.rules.qwixx.table import judge_table
from brikks_vision.rules.qwixx.turn import EMPTY, Cross, Throw, after, choices, faults_of_turn
from simulation.qwixx.games import any_game, play, throw_dice

STATES = 10_000
NUMBERS = (*(tuple(range(2, 13)),) * 2, *(tuple(range(12, 1, -1)),) * 2)
"""What is printed in the rows."""


def sheet(rows: str, locks: str = "....", failed: int = 0) -> SheetState:
    """A sheet from its rows, red first."""
    return SheetState(tuple(rows.split()), locks, failed)


def any_state(dice: random.Random) -> SheetState:
    """Marks as they fall: a reader must judge what no game gives, too."""
    share = dice.random()
    letters = ["X" if dice.random() < share else "." for _ in range(48)]
    rows = tuple("".join(letters[11 * row : 11 * row + 11]) for row in range(4))
    return SheetState(rows, "".join(letters[44:]), dice.randint(0, 4))


def slow_points(state: SheetState) -> tuple[tuple[int, ...], int]:
    """A point for the first cross of a row, two for the second, and so on; minus 5 for a fail."""
    rows = []
    for row, lock in zip(state.rows, state.locks, strict=True):
        points, crosses = 0, 0
        for mark in (*row, lock):
            if mark == "X":
                crosses += 1
                points += crosses
        rows.append(points)
    return tuple(rows), -5 * state.failed


def slow_faults(state: SheetState) -> set[tuple[str, int]]:
    found = set()
    for row, (marks, lock) in enumerate(zip(state.rows, state.locks, strict=True)):
        last, *before = reversed(marks)
        if last == "X" and sum(mark == "X" for mark in before) < 5:
            found.add(("early-last", row))
        if {last, lock} == {"X", "."}:
            found.add(("lock", row))
    return found


def test_points_and_proofs_are_those_of_a_slow_telling() -> None:
    dice = random.Random(68)
    for _ in range(STATES):
        state = any_state(dice)
        points = score(state)
        assert (points.rows, points.failed) == slow_points(state)
        assert points.total == sum(points.rows) + points.failed
        found = {
            (str(each.rule), each.where[0][0] if each.part == "row" else each.where[0])
            for each in referee(state, Written()).violations
        }
        assert found == slow_faults(state)


# By dice alone: the sums that may be crossed, first the white ones', then of a white one and a
# coloured one; () where nothing is crossed.
THROWN = {
    (first, second)
    for white, other, colored in product(range(1, 7), repeat=3)
    for first in (0, white + other)
    for second in (0, white + colored)
}


def slow_is_legal(before: SheetState, now: SheetState) -> bool:
    """Whether some throw, crossed in some order, leads from one state to the other."""
    added = [
        (row, column)
        for row, column in product(range(4), range(11))
        if now.rows[row][column] == "X" != before.rows[row][column]
    ]
    if now.failed - before.failed != 0:
        return now.failed - before.failed == 1 and not added and now.failed <= 4
    if len(added) > 2:
        return False
    for order in {(*added,), (*reversed(added),)}:
        rows = [[mark == "X" for mark in row] for row in before.rows]
        goes_right = True
        for row, column in order:
            goes_right &= not any(rows[row][column:])
            rows[row][column] = True
        numbers = [NUMBERS[row][column] for row, column in order]
        thrown = [(*numbers, 0, 0)[:2], (0, *numbers)[:2]] if len(numbers) < 2 else [(*numbers,)]
        if goes_right and any(each in THROWN for each in thrown):
            return True
    return False


def test_turns_are_judged_as_by_a_slow_telling() -> None:
    dice, legal = random.Random(69), 0
    for number in range(STATES // 10):
        before = any_state(dice) if number % 2 else dice.choice(play(dice, 2, dice.randint(0, 9)))
        for _ in range(10):
            now = before
            for _ in range(dice.choice((0, 1, 1, 2, 2, 2, 3))):
                row, column = dice.randrange(4), dice.randrange(11)
                marks = now.rows[row]
                rows = list(now.rows)
                rows[row] = marks[:column] + "X" + marks[column + 1 :]
                now = SheetState(tuple(rows), now.locks, now.failed)
            now = SheetState(now.rows, now.locks, min(4, now.failed + dice.choice((0, 0, 0, 1))))
            is_legal = slow_is_legal(before, now)
            legal += is_legal
            assert (not faults_of_turn(before, now)) == is_legal, (before, now)
    assert STATES // 10 < legal < STATES * 9 // 10


def test_every_choice_is_legal() -> None:
    dice = random.Random(70)
    for _ in range(300):
        before = any_game(dice).state
        throw = throw_dice(dice, frozenset())
        for crosses in choices(before, throw):
            now = after(before, crosses)
            if before.failed < 4 or crosses:
                assert slow_is_legal(before, now)
                assert not slow_faults(now) - slow_faults(before)


def test_a_game_ends_as_the_rules_say_and_breaks_none() -> None:
    dice = random.Random(71)
    for _ in range(30):
        sheets = play(dice, dice.randint(2, 5))
        assert not any(referee(each, Written()).violations for each in sheets)
        assert not judge_table(sheets).violations


def test_the_last_number_needs_five_crosses_and_takes_its_lock() -> None:
    five = sheet("XXXXX...... ........... ........... ...........")
    closed = after(five, [Cross(0, 10)])
    assert (closed.rows[0], closed.locks) == ("XXXXX.....X", "X...")
    assert score(closed).rows[0] == 28
    four = sheet("XXXX....... ........... ........... ...........")
    throw = Throw((6, 6), (6, 6, 6, 6))
    assert (Cross(0, 10),) in choices(five, throw)
    assert not any(Cross(0, 10) in crosses for crosses in choices(four, throw))
    early, *others = referee(after(four, [Cross(0, 10)]), Written()).violations
    assert (early.rule, early.where, others) == ("early-last", ((0, 10),), [])
    assert "12 is crossed after only 4 other crosses" in early.message


@pytest.mark.parametrize(
    "written, rules",
    [
        (Written((1, 0, 0, 0), 5, -4), []),
        (Written((3, 0, 0, 0), 5, -2), ["written-row", "written-total"]),
        (Written((None,) * 4, 10, None), ["written-failed"]),
    ],
)
def test_the_players_figures_are_held_against_the_sheet(written: Written, rules: list[str]) -> None:
    state = sheet("X.......... ........... ........... ...........", failed=1)
    assert [str(each.rule) for each in referee(state, written).violations] == rules


def test_sheets_are_ranked_and_a_game_that_runs_is_told() -> None:
    first, second = sheet("XX......... " + "........... " * 3), EMPTY
    verdict = judge_table([second, first, second])
    assert [each.place for each in verdict.results] == [2, 1, 2]
    assert [str(each.rule) for each in verdict.violations] == ["not-over"]
    assert not judge_table([first, SheetState(EMPTY.rows, EMPTY.locks, 4)]).violations
    assert not judge_table([first, None]).violations  # the other may have ended it


def test_what_was_lost_is_what_was_passed_over_and_failed() -> None:
    state = sheet("X.X........ ........... ..X........ ...........", failed=1)
    found = [(each.cause, each.where, each.points) for each in lost(state)]
    assert found == [("row", "row 2", 5), ("failed", "failed", 5), ("row", "row 0", 3)]
