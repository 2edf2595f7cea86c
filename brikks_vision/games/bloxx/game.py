"""BLOXX! as a game of `brikks_vision.decode.game`."""

from __future__ import annotations

from brikks_vision.games.bloxx.compare import is_table, read_game
from brikks_vision.games.bloxx.compose import is_possible, leaves_open, rank_of, rank_told, read
from brikks_vision.games.bloxx.ink import FORMER_KEYS, ink_of_reading
from brikks_vision.games.bloxx.places import (
    MARKS,
    PART_FIELDS,
    answers_there,
    counted,
    marks,
    marks_at,
)
from brikks_vision.games.bloxx.same import grown_state, is_better, same_state
from brikks_vision.games.bloxx.view import COLUMNS, columns, row_names, view

NAME = "bloxx"

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
