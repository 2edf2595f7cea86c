"""A Qwixx sheet, its points, and everything that a finished one proves.

Rows count from 0: red, yellow, green, blue. Columns count from 0 at the left, so that in each row
crosses are made from column 0 to column 10, whatever the numbers there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from brikks_vision.rules.shapes import Lost, Verdict, Violation, most_first
from brikks_vision.text.phrases import Fact, Phrase
from brikks_vision.text.phrases import phrase as any_phrase

ROWS, COLUMNS, MAX_FAILED = 4, 11, 4
"""Coloured rows, numbers in each, and failed throws that end a game."""

BEFORE_LAST = 5
"""Crosses that a row needs before its last number may be crossed."""

FAILED_POINTS = -5
"""Of a failed throw."""

LAST = COLUMNS - 1
OPEN, CROSSED = ".", "X"


class Rule(StrEnum):
    """The codes of the reading's contract."""

    EARLY_LAST = "early-last"
    LOCK = "lock"
    WRITTEN_ROW = "written-row"
    WRITTEN_FAILED = "written-failed"
    WRITTEN_TOTAL = "written-total"
    NOT_OVER = "not-over"
    ILLEGAL_MOVE = "illegal-move"


@dataclass(frozen=True)
class SheetState:
    """What is crossed: rows of `COLUMNS` letters, a letter for each lock, failed throws."""

    rows: tuple[str, ...]
    locks: str
    failed: int


@dataclass(frozen=True)
class Score:
    """Points by part. failed: 0 or negative."""

    rows: tuple[int, ...]
    failed: int
    total: int


@dataclass(frozen=True)
class Written:
    """What the player wrote; None where nothing is written or read. failed: without its sign."""

    rows: tuple[int | None, ...] = (None,) * ROWS
    failed: int | None = None
    total: int | None = None


def phrase(key: str, **facts: Fact) -> Phrase:
    """A phrase of the game's own texts."""
    return any_phrase(f"qwixx.{key}", **facts)


def row_words(row: int) -> Phrase:
    """What a row is called: its colour."""
    return phrase(f"row-{row}")


def number_at(row: int, column: int) -> int:
    """The number that is printed there: two rows rise from 2 to 12, two fall from 12 to 2."""
    return 2 + column if row < ROWS // 2 else 12 - column


def row_points(marks: Sequence[str]) -> int:
    """Points of a row from its letters, the lock's among them: 1, 3, 6, 10 ... for 1, 2, 3, 4."""
    crosses = sum(mark == CROSSED for mark in marks)
    return crosses * (crosses + 1) // 2


def score(state: SheetState) -> Score:
    """The points of a sheet as it stands."""
    rows = tuple(row_points(row + lock) for row, lock in zip(state.rows, state.locks, strict=True))
    failed = FAILED_POINTS * state.failed
    return Score(rows, failed, sum(rows) + failed)


def lost(state: SheetState) -> tuple[Lost, ...]:
    """Where the points went: numbers that were passed over, and failed throws."""
    found = []
    for row, marks in enumerate(state.rows):
        passed = marks[: max(marks.rfind(CROSSED), 0)].count(OPEN)
        crossed = (marks + state.locks[row]).count(CROSSED)
        points = row_points(CROSSED * (crossed + passed)) - row_points(CROSSED * crossed)
        if passed:
            told = phrase("lost-row", row=row_words(row), count=passed)
            found.append(Lost("row", f"row {row}", points, told))
    if state.failed:
        told = phrase("lost-failed", count=state.failed)
        found.append(Lost("failed", "failed", -FAILED_POINTS * state.failed, told))
    return most_first(found)


def broken_in(row: Sequence[str], lock: str) -> tuple[Rule, ...]:
    """The rules that a row breaks with its lock."""
    has_last, before = row[LAST] == CROSSED, sum(mark == CROSSED for mark in row[:LAST])
    is_early = has_last and before < BEFORE_LAST
    is_half_locked = has_last != (lock == CROSSED)
    found = (Rule.EARLY_LAST,) * is_early + (Rule.LOCK,) * is_half_locked
    return found


def referee(state: SheetState, written: Written) -> Verdict:
    """Everything that a finished sheet and its player's figures prove."""
    found = []
    for row, (marks, lock) in enumerate(zip(state.rows, state.locks, strict=True)):
        facts: dict[str, Fact] = {"row": row_words(row), "number": number_at(row, LAST)}
        for rule in broken_in(marks, lock):
            if rule is Rule.EARLY_LAST:
                told = phrase("early-last", count=marks[:LAST].count(CROSSED), **facts)
                found.append(Violation(rule, "row", ((row, LAST),), told))
            else:
                told = phrase("lock-only" if lock == CROSSED else "last-only", **facts)
                found.append(Violation(rule, "lock", (row,), told))
    points = score(state)
    for row, (right, own) in enumerate(zip(points.rows, written.rows, strict=True)):
        if own not in (None, right):
            told = phrase("written-row", row=row_words(row), points=right, figure=own or 0)
            found.append(Violation(Rule.WRITTEN_ROW, "rows", (row,), told))
    for rule, right, own in (
        (Rule.WRITTEN_FAILED, -points.failed, written.failed),
        (Rule.WRITTEN_TOTAL, points.total, written.total),
    ):
        if own not in (None, right):
            told = phrase(str(rule), points=right, figure=own or 0)
            found.append(Violation(rule, rule.removeprefix("written-"), (), told))
    return Verdict(tuple(found))
