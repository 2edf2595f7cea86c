"""What tells whether two readings are of one BLOXX! sheet (see `brikks_vision.decode.sameness`)."""

from __future__ import annotations

from functools import partial

from brikks_vision.decode import sameness
from brikks_vision.decode.sameness import Change, Outlined, Traces
from brikks_vision.games.bloxx.reading import BloxxReading

CROSSED, CIRCLED, GAP = "X", "O", "#"

MAX_OTHER_BONUSES = 2
"""Bonuses that are marked otherwise; some are marked only after the game."""


def _shapes(reading: BloxxReading) -> list[Outlined]:
    return [Outlined(frozenset(shape.cells), shape.confidence) for shape in reading.shapes]


def _changes(one: BloxxReading, other: BloxxReading) -> list[Change]:
    marks, others = _bonus_marks(one), _bonus_marks(other)
    # a hidden bonus may be marked in any way
    is_hidden = any(where.startswith("bonus ") for where in (*one.covered, *other.covered))
    differing = 0 if is_hidden else len(marks ^ others)
    is_more = len(others) > len(marks)
    return [Change("bonus", differing, MAX_OTHER_BONUSES, len(marks - others), is_more)]


def _bonus_marks(reading: BloxxReading) -> frozenset[tuple[int, int, str]]:
    """Row, figure and mark of each bonus that is marked."""
    circled = {(each.row, each.circled, CIRCLED) for each in reading.row_bonus if each.circled}
    struck = {(each.row, bonus, CROSSED) for each in reading.row_bonus for bonus in each.struck}
    return frozenset(circled | struck)


TRACES = Traces(CROSSED + CIRCLED, CROSSED + CIRCLED + GAP, _shapes, _changes)
same_state = partial(sameness.same_state, TRACES)
grown_state = partial(sameness.grown_state, TRACES)
is_better = partial(sameness.is_better, TRACES)
