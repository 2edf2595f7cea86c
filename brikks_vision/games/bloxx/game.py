"""BLOXX! as a game of `brikks_vision.infer.protocol`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brikks_vision.games.bloxx.compare import (
    grown_state,
    is_better,
    is_table,
    read_game,
    same_state,
)
from brikks_vision.games.bloxx.compose import needs_full_pass, read
from brikks_vision.games.bloxx.places import (
    MARKS,
    PART_FIELDS,
    answers_there,
    counted,
    marks,
    marks_at,
)
from brikks_vision.games.bloxx.reading import evidence_of_reading
from brikks_vision.games.bloxx.settings import SETTINGS
from brikks_vision.games.bloxx.view import COLUMNS, coach, columns, view
from brikks_vision.games.learning import sheet_learner
from brikks_vision.infer.evidence import (
    FORMER_KEYS,
    board,
    combined,
    contradicts,
    follow,
    is_possible,
    moves,
    observe,
    parsed_sheet,
    place,
    printing_of,
    rank_of,
    rank_told,
    row_names,
    turns,
    winnings,
)
from brikks_vision.infer.protocol import Learner, Table
from brikks_vision.layout import Layout, load_layout, packaged_layouts
from brikks_vision.text.phrases import Translator

NAME, TITLE = "bloxx", "BLOXX!"
PRINTED_LAYOUT = "bloxx"
table = Table(is_table, read_game)


def printer(paper: str, per_page: int, style: str, words: Translator) -> bytes:
    """A sheet to print, as a PDF; raises UnknownValue."""
    from brikks_vision.games.bloxx import pdf  # takes long to import

    return pdf.sheet_pdf(load_layout(PRINTED_LAYOUT), paper, per_page, style, words)


def packaged() -> tuple[Layout, ...]:
    """The printings that the package brings, by name."""
    return packaged_layouts(NAME)


def parse_printing(data: Mapping[str, Any], source: object) -> Layout:
    """A printing from the data of its definition; raises DefinitionDamaged."""
    from brikks_vision.games.bloxx.learn import check

    return parsed_sheet(data, source, check)


def learner() -> Learner:
    """Learns a printing from a photo of its empty sheet."""
    from brikks_vision.games.bloxx import learn

    return sheet_learner(learn.propose, learn.values_of)
