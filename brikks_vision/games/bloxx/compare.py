"""Readings of several photos: the sheets of one BLOXX! game.

What tells whether two readings are of one BLOXX! sheet (see `brikks_vision.infer.sameness`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brikks_vision.games.bloxx.posterior import Posterior
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.infer.following import TableReading, read_table
from brikks_vision.infer.sameness import Change, Outlined, Traces
from brikks_vision.layout import Layout
from brikks_vision.reading import NO_SETTINGS, GameSettings
from brikks_vision.rules.bloxx.sheet import MAX_PLAYERS, MIN_PLAYERS
from brikks_vision.rules.bloxx.table import Result, judge_table


@dataclass(frozen=True)
class GameReading(TableReading[Result]):
    """The sheets of one game."""

    def points_json(self, result: Result) -> dict[str, Any]:
        points = result.score
        return {"rows": points.rows, "numbers": points.numbers, "penalty": points.penalty}


def is_table(known: GameSettings, sheets: int) -> bool:
    """Whether so many sheets can be those of one game with so many players."""
    count: int = known.get("players", sheets)
    return MIN_PLAYERS <= sheets <= count <= MAX_PLAYERS


def read_game(
    photos: Sequence[str],
    sheets: Sequence[Posterior | None],
    layout: Layout,
    known: GameSettings = NO_SETTINGS,
    names: Sequence[str | None] = (),
) -> GameReading:
    """Rank the sheets of one game and judge them together.

    sheets: one for each photo, None if it could not be read. known: the players are as many as the
    photos where their number is not. names: the player of each sheet, or empty.

    Raises
    ------
    NoSuchTableError
        There are not 2 to 4 sheets.
    """
    read = [sheet for sheet in sheets if sheet is not None]
    # a bonus that one sheet hides may be what another one lacks
    hidden = range(len(sheets)) if any(sheet.hidden for sheet in read) else ()
    is_open = any(sheet.hidden and sheet.most_totals != sheet.totals for sheet in read)
    return read_table(
        GameReading, photos, sheets, judge_table, known.get("players"), names, hidden, is_open
    )


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
