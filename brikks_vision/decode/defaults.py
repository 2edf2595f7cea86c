"""Default answers of a game to what `brikks_vision.decode.game` asks.

A game's module imports those that fit it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.sameness import Sameness
from brikks_vision.detect.marks import Key
from brikks_vision.errors import SheetsNotOneGame, UnknownValue
from brikks_vision.layout import Layout
from brikks_vision.reading import GameSettings, Reading, Status
from brikks_vision.text.phrases import Phrase, Translator

COLUMNS: tuple[str, ...] = ()
STYLES: tuple[str, ...] = ()
HAS_TURNS = False
FORMER_KEYS: Mapping[str, Key] = {}


def is_possible(known: GameSettings) -> bool:
    """Any number of players, level and variant will do."""
    return True


def is_table(known: GameSettings, sheets: int) -> bool:
    """No sheets are compared."""
    return False


def read_game(
    photos: Sequence[str],
    sheets: Sequence[Any],
    layout: Layout,
    known: GameSettings,
    names: Sequence[str | None] = (),
) -> Any:
    """Raises SheetsNotOneGame: no sheets are compared."""
    raise SheetsNotOneGame(len(sheets))


def needs_full_pass(posterior: Any, evidence: Evidence) -> bool:
    """Nothing: a close look is needed only if the total is unsure."""
    return False


def counted(where: str, layout: Layout) -> Mapping[str, int]:
    """Rows from the bottom, columns from the left, other places by their number; all from 1."""
    _, _, numbers = where.partition(" ")
    at = [int(number) for number in numbers.split(",")]
    if len(at) == 2:
        return {"row": layout.grid.rows - at[0], "column": at[1] + 1}
    return {"number": at[0] + 1}


def rank_of(reading: Reading) -> Phrase | None:
    """No result has a name."""
    return None


def rank_told(reading: Reading) -> Phrase | None:
    """No result has a name."""
    return None


def row_names(layout: Layout) -> tuple[str, ...]:
    """Nothing stands beside the rows."""
    return ("",) * layout.grid.rows


def columns(reading: Reading) -> Mapping[str, object]:
    """A table has the total alone."""
    return {}


def sheet_pdf(paper: str, per_page: int, style: str, words: Translator) -> bytes:
    """Raises UnknownValue: there is no sheet to print."""
    raise UnknownValue("style", style, "")


def same_state(
    one: Reading, one_taken: datetime, other: Reading, other_taken: datetime
) -> Sameness:
    """Every photo shows a sheet of its own."""
    return Sameness.DIFFERENT


def grown_state(
    before: Reading, before_taken: datetime, after: Reading, after_taken: datetime
) -> Sameness:
    """Every photo shows a sheet of its own."""
    return Sameness.DIFFERENT


def is_better(new: Reading, old: Reading) -> bool:
    """Whether ``new`` is sure and ``old`` is not, or has fewer doubts."""

    def certainty(reading: Reading) -> tuple[bool, int]:
        return reading.status is Status.OK, -len(reading.doubts)

    return certainty(new) > certainty(old)
