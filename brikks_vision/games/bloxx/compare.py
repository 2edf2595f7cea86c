"""Readings of several photos: the sheets of one BLOXX! game.

What tells whether two readings are of one BLOXX! sheet (see `brikks_vision.infer.sameness`).
"""

from __future__ import annotations

from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.infer.following import table_of
from brikks_vision.infer.sameness import Outlined, Traces
from brikks_vision.rules.bloxx.referee import Rule
from brikks_vision.rules.bloxx.sheet import MAX_PLAYERS, MIN_PLAYERS
from brikks_vision.rules.bloxx.table import judge_table

# a bonus that one sheet hides may be what another one lacks
table = table_of(
    lambda known: range(MIN_PLAYERS, MAX_PLAYERS + 1),
    lambda states, layout, known: judge_table(states),
    lambda result: {name: getattr(result.score, name) for name in ("rows", "numbers", "penalty")},
    of_all=[Rule.BONUS_SHARED],
)

CROSSED, CIRCLED, GAP = "X", "O", "#"


def _shapes(reading: BloxxReading) -> list[Outlined]:
    return [Outlined(frozenset(shape.cells), shape.confidence) for shape in reading.shapes]


def _bonus_marks(reading: BloxxReading) -> frozenset[tuple[object, ...]]:
    """Row, figure and mark of each bonus that is marked."""
    circled = {("bonus", each.row, each.circled) for each in reading.row_bonus if each.circled}
    struck = {
        ("bonus", each.row, bonus, CROSSED) for each in reading.row_bonus for bonus in each.struck
    }
    return frozenset(circled | struck)


TRACES = Traces(CROSSED + CIRCLED, CROSSED + CIRCLED + GAP, _shapes, _bonus_marks)
