"""BLOXX! as a game of `brikks_vision.decode.game`."""

from __future__ import annotations

from brikks_vision.decode.defaults import FORMER_KEYS, HAS_TURNS, rank_of, rank_told, row_names
from brikks_vision.games.bloxx.compare import is_table, read_game
from brikks_vision.games.bloxx.compose import is_possible, needs_full_pass, read
from brikks_vision.games.bloxx.evidence import evidence_of_reading
from brikks_vision.games.bloxx.places import (
    MARKS,
    PART_FIELDS,
    answers_there,
    counted,
    marks,
    marks_at,
)
from brikks_vision.games.bloxx.same import grown_state, is_better, same_state
from brikks_vision.games.bloxx.view import COLUMNS, columns, view
from brikks_vision.layout import load_layout
from brikks_vision.text.phrases import Translator

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

NAME = "bloxx"
STYLES: tuple[str, ...] = ("light",)
PRINTED_LAYOUT = "bloxx"


def sheet_pdf(paper: str, per_page: int, style: str, words: Translator) -> bytes:
    """A sheet to print, as a PDF; raises UnknownValue."""
    from brikks_vision.games.bloxx import pdf  # takes long to import

    return pdf.sheet_pdf(load_layout(PRINTED_LAYOUT), paper, per_page, style, words)
