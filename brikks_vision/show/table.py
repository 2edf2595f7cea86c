"""Tables of sheets for spreadsheets (CSV): the same columns wherever sheets are listed.

Columns are named as in the JSON of a reading; ``total_least`` and ``total_most`` are its
``total_range``, ``doubts`` and ``covered`` are how many there are, ``violations`` the codes of the
broken rules.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Sequence

from brikks_vision.games import GAMES, game_named, game_of
from brikks_vision.reading import Reading
from brikks_vision.text.display import spreadsheet_text

ENCODING = "utf-8-sig"  # with the mark by which spreadsheets know UTF-8

_BEFORE_PARTS: dict[str, Callable[[Reading], object]] = {
    "index": lambda reading: reading.index,
    "status": lambda reading: reading.status,
    "total": lambda reading: reading.score and reading.score.total,
    "total_least": lambda reading: reading.total_range and reading.total_range[0],
    "total_most": lambda reading: reading.total_range and reading.total_range[1],
}
_AFTER_PARTS: dict[str, Callable[[Reading], object]] = {
    "rank": lambda reading: reading.rank,
    "doubts": lambda reading: len(reading.doubts),
    "covered": lambda reading: len(reading.covered),
    "violations": lambda reading: " ".join(each.rule for each in reading.violations),
    "error": lambda reading: reading.error,
}


def sheet_columns() -> tuple[str, ...]:
    """What every table has; some have columns of their own before these.

    The parts of the points are those of all games.
    """
    parts = dict.fromkeys(column for name in GAMES for column in game_named(name).COLUMNS)
    return ("photo", *_BEFORE_PARTS, *parts, *_AFTER_PARTS, "sha256")


def reading_values(reading: Reading) -> dict[str, object]:
    """What a table says of a reading, by column."""
    parts = game_of(reading).columns(reading) if reading.score is not None else {}
    return {
        **dict.fromkeys(sheet_columns()[1:-1]),
        **{name: value(reading) for name, value in _BEFORE_PARTS.items()},
        **parts,
        **{name: value(reading) for name, value in _AFTER_PARTS.items()},
    }


def csv_bytes(head: Sequence[str], rows: Iterable[Sequence[object]]) -> bytes:
    """A table as spreadsheets read it: RFC 4180, UTF-8 with its mark, no cell run as a formula."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    writer.writerow(head)
    for row in rows:
        writer.writerow([spreadsheet_text(cell) if isinstance(cell, str) else cell for cell in row])
    return buffer.getvalue().encode(ENCODING)
