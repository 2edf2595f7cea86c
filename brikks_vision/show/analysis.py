"""What a table for analysis says of a sheet: one typed row, described in docs/analysis.md.

The row is made where the photo is read, so that the whole reading need not travel; it is plain
data, which JSON keeps unchanged. `brikks_vision.intake.parquet` writes such rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

from brikks_vision.games import GAMES, game_named, settings_of
from brikks_vision.reading import Doubt, GameSettings, Reading, ViolationReading
from brikks_vision.show.table import reading_values


def part_columns() -> tuple[str, ...]:
    """The parts of the points of all games, each a column."""
    return tuple(dict.fromkeys(column for name in GAMES for column in game_named(name).COLUMNS))


def analysis_rows(
    readings: Sequence[Reading], photo: str, sha256: str, known: GameSettings
) -> Iterator[dict[str, Any]]:
    """A row for each sheet of a photo. known: what was said of the game when it was read."""
    now = datetime.now(UTC).isoformat(timespec="milliseconds")
    for reading in readings:
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
            **_points(reading),
            "grid": list(reading.grid),
            "doubts": [_doubt_row(doubt) for doubt in reading.doubts],
            "covered": list(reading.covered),
            "violations": [_violation_row(violation) for violation in reading.violations],
            "milliseconds": round(float(sum(reading.timing_ms.values())), 1),
        }


def _points(reading: Reading) -> dict[str, Any]:
    values = reading_values(reading)
    names = ("total", "total_least", "total_most", *part_columns(), "rank")
    return {name: values[name] for name in names}


def _doubt_row(doubt: Doubt) -> dict[str, Any]:
    """kind: the first word of where it is, such as "cell" or "bomb"."""
    return {
        "where": doubt.where,
        "kind": doubt.where.partition(" ")[0],
        "read": doubt.read,
        "confidence": round(float(doubt.confidence), 4),
        "total_otherwise": doubt.total_otherwise,
    }


def _violation_row(violation: ViolationReading) -> dict[str, Any]:
    return {
        "rule": violation.rule,
        "part": violation.part,
        "confidence": round(float(violation.confidence), 4),
    }
