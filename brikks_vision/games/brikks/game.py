"""Brikks as a game of `brikks_vision.decode.game`.

What a scan does not need is imported where it is asked for: the command starts sooner.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from brikks_vision.games.brikks.compose import (
    is_possible,
    is_table,
    needs_full_pass,
    rank_of,
    rank_told,
    read,
)
from brikks_vision.games.brikks.evidence import FORMER_KEYS, evidence_of_reading
from brikks_vision.games.brikks.places import (
    MARKS,
    PART_FIELDS,
    answers_there,
    counted,
    marks,
    marks_at,
)
from brikks_vision.games.brikks.view import columns, row_names, view
from brikks_vision.layout import Layout, load_layout
from brikks_vision.reading import GameSettings
from brikks_vision.text.phrases import Translator

if TYPE_CHECKING:
    from brikks_vision.decode.sameness import Sameness
    from brikks_vision.games.brikks.compare import GameReading
    from brikks_vision.games.brikks.posterior import Posterior
    from brikks_vision.games.brikks.reading import BrikksReading

__all__ = [
    "COLUMNS",
    "FORMER_KEYS",
    "HAS_TURNS",
    "MARKS",
    "NAME",
    "PART_FIELDS",
    "STYLES",
    "answers_there",
    "columns",
    "counted",
    "evidence_of_reading",
    "grown_state",
    "is_better",
    "is_possible",
    "is_table",
    "marks",
    "marks_at",
    "needs_full_pass",
    "rank_of",
    "rank_told",
    "read",
    "read_game",
    "row_names",
    "same_state",
    "sheet_pdf",
    "view",
]

NAME = "brikks"
HAS_TURNS = True
STYLES: tuple[str, ...] = ("light", "arcade")
PRINTED_LAYOUT = "brikks-light"
COLUMNS: tuple[str, ...] = ("lines", "bonus", "bombs", "energy")


def read_game(
    photos: Sequence[str],
    sheets: Sequence[Posterior | None],
    layout: Layout,
    known: GameSettings,
    names: Sequence[str | None] = (),
) -> GameReading:
    """The ranking of the sheets of one game, and what they prove together."""
    from brikks_vision.games.brikks import compare

    return compare.read_game(photos, sheets, layout, known, names)


def same_state(
    one: BrikksReading, one_taken: datetime, other: BrikksReading, other_taken: datetime
) -> Sameness:
    """Whether two readings show the same sheet in the same state."""
    from brikks_vision.games.brikks import same

    return same.same_state(one, one_taken, other, other_taken)


def grown_state(
    before: BrikksReading, before_taken: datetime, after: BrikksReading, after_taken: datetime
) -> Sameness:
    """Whether ``after`` is the sheet of ``before`` later in the same game."""
    from brikks_vision.games.brikks import same

    return same.grown_state(before, before_taken, after, after_taken)


def is_better(new: BrikksReading, old: BrikksReading) -> bool:
    """Whether ``new`` is a more certain reading of a sheet than ``old``."""
    from brikks_vision.games.brikks import same

    return same.is_better(new, old)


def sheet_pdf(paper: str, per_page: int, style: str, words: Translator) -> bytes:
    """A sheet to print, as a PDF; raises UnknownValue."""
    from brikks_vision.games.brikks import pdf  # takes long to import

    return pdf.sheet_pdf(load_layout(PRINTED_LAYOUT), paper, per_page, style, words)
