"""Brikks as a game of `brikks_vision.decode.game`."""

from __future__ import annotations

from brikks_vision.games.brikks.compare import is_table, read_game
from brikks_vision.games.brikks.compose import is_possible, leaves_open, rank_of, rank_told, read
from brikks_vision.games.brikks.ink import FORMER_KEYS, ink_of_reading
from brikks_vision.games.brikks.places import (
    MARKS,
    PART_FIELDS,
    answers_there,
    counted,
    marks,
    marks_at,
)
from brikks_vision.games.brikks.same import grown_state, is_better, same_state
from brikks_vision.games.brikks.view import columns, row_names, view

NAME = "brikks"
COLUMNS: tuple[str, ...] = ("lines", "bonus", "bombs", "energy")

__all__ = [
    "COLUMNS",
    "FORMER_KEYS",
    "MARKS",
    "NAME",
    "PART_FIELDS",
    "answers_there",
    "columns",
    "counted",
    "grown_state",
    "ink_of_reading",
    "is_better",
    "is_possible",
    "is_table",
    "leaves_open",
    "marks",
    "marks_at",
    "rank_of",
    "rank_told",
    "read",
    "read_game",
    "row_names",
    "same_state",
    "view",
]
