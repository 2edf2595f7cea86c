"""Readings of several photos: the sheets of one BLOXX! game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from brikks_vision.decode.table import TableReading, read_table
from brikks_vision.games.bloxx.posterior import Posterior
from brikks_vision.layout import Layout
from brikks_vision.reading import NO_SETTINGS, GameSettings
from brikks_vision.rules.bloxx.settings import MAX_PLAYERS, MIN_PLAYERS
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
