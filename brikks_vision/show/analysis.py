"""Tables of sheets: a typed row for analysis (docs/use.md), and columns for spreadsheets.

The row is made where the photo is read, so that the whole reading need not travel; it is plain
data, which JSON keeps unchanged. `brikks_vision.intake.parquet` writes such rows. Columns are named
as in the JSON of a reading; ``total_least`` and ``total_most`` are its ``total_range``, ``doubts``
and ``covered`` are how many there are, ``violations`` the codes of the broken rules.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version

from brikks_vision.games import GAMES, game_named, game_of, settings_of
from brikks_vision.reading import GameSettings, Reading
from brikks_vision.text.phrases import spreadsheet_text

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
    return ("photo", *_BEFORE_PARTS, *part_columns(), *_AFTER_PARTS, "sha256")


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


def part_columns() -> tuple[str, ...]:
    """The parts of the points of all games, each a column."""
    return tuple(dict.fromkeys(column for name in GAMES for column in game_named(name).COLUMNS))


def analysis_rows(
    readings: Sequence[Reading], photo: str, sha256: str, known: GameSettings
) -> Iterator[dict[str, object]]:
    """A row for each sheet of a photo. known: what was said of the game when it was read."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    points = ("total", "total_least", "total_most", *part_columns(), "rank")
    for reading in readings:
        values = reading_values(reading)
        yield {
            "photo": photo,
            "sha256": sha256,
            "index": reading.index,
            "read_at": now,
            "version": version("brikks-vision"),
            "game": reading.game,
            "sheet": reading.sheet,
            "status": str(reading.status),
            "error": reading.error,
            **{name: known.get(name, reading.said_on_sheet.get(name)) for name in settings_of()},
            **{name: values[name] for name in points},
            "grid": list(reading.grid),
            "doubts": [
                {
                    "where": doubt.where,
                    "kind": doubt.where.partition(" ")[0],
                    "read": doubt.read,
                    "confidence": round(float(doubt.confidence), 4),
                    "total_otherwise": doubt.total_otherwise,
                }
                for doubt in reading.doubts
            ],
            "covered": list(reading.covered),
            "violations": [
                {
                    "rule": each.rule,
                    "part": each.part,
                    "confidence": round(float(each.confidence), 4),
                }
                for each in reading.violations
            ],
            "milliseconds": round(float(sum(reading.timing_ms.values())), 1),
        }
