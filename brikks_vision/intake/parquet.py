"""A table for analysis in a folder of Parquet files, which is added to and never rewritten.

One row a sheet, as `brikks_vision.show.analysis` makes it; docs/use.md describes the columns.
Files lie in ``game=GAME/day=DAY``: what most questions choose by, and few folders. Each is written
beside, then renamed, so that one that is there is whole. A sheet that the folder has is not added.
"""

from __future__ import annotations

import os
import time
import uuid
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from brikks_vision.codec import JsonObject
from brikks_vision.errors import OutputNotWritable
from brikks_vision.games import settings_of
from brikks_vision.show.analysis import part_columns

MAX_ROWS = 5000  # that wait to be written
MAX_SECONDS = 60.0  # that rows wait
JOURNAL = "_journal.jsonl"  # readers of Parquet folders pass over names that begin so
NO_GAME = "none"  # the folder of photos that show no sheet that could be read


def schema() -> pa.Schema:
    """The columns of a file; ``game`` and ``day`` are in the names of its folders."""
    number, text = pa.int32(), pa.string()
    doubt = {
        "where": text,
        "kind": text,
        "read": text,
        "confidence": pa.float32(),
        "total_otherwise": number,
    }
    violation = {"rule": text, "part": text, "confidence": pa.float32()}
    return pa.schema(
        {
            "photo": text,
            "sha256": text,
            "index": pa.int16(),
            "read_at": pa.timestamp("ms", "UTC"),
            "version": text,
            "sheet": text,
            "status": text,
            "error": text,
            **{
                name: pa.int8() if isinstance(setting.values[0], int) else text
                for name, (_, setting) in settings_of().items()
            },
            "total": number,
            "total_least": number,
            "total_most": number,
            **dict.fromkeys(part_columns(), number),
            "rank": text,
            "grid": pa.list_(text),
            "doubts": pa.list_(pa.struct(doubt)),
            "covered": pa.list_(text),
            "violations": pa.list_(pa.struct(violation)),
            "milliseconds": pa.float32(),
        }
    )


@contextmanager
def parquet_folder(folder: Path) -> Iterator[Callable[[Iterable[JsonObject]], None]]:
    """A function that adds rows; all are written when this ends.

    Raises OutputNotWritable: also when rows are added, and where a file in the folder is no such
    table.
    """
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputNotWritable(folder, error.strerror or error) from error
    present = _sheets_in(folder)
    waiting: list[JsonObject] = []
    written = time.monotonic()

    def add(rows: Iterable[JsonObject]) -> None:
        nonlocal written
        for row in rows:
            sheet = _sheet(row["sha256"], row["index"])
            if sheet not in present:
                present.add(sheet)
                waiting.append(row)
        if len(waiting) >= MAX_ROWS or time.monotonic() - written > MAX_SECONDS:
            _write(folder, waiting)
            waiting.clear()
            written = time.monotonic()

    try:
        yield add
    finally:
        _write(folder, waiting)


def _sheet(sha256: str, index: int) -> bytes:
    return bytes.fromhex(sha256) + index.to_bytes(2, "big")


def _sheets_in(folder: Path) -> set[bytes]:
    """The sheets that the files of a folder have."""
    sheets = set()
    for file in folder.glob("game=*/day=*/*.parquet"):
        try:
            table = pq.read_table(file, columns=["sha256", "index"], partitioning=None)
        except (OSError, pa.ArrowException, KeyError) as error:
            raise OutputNotWritable(file, " ".join(str(error).split())) from error
        photos, indices = (table.column(name).to_pylist() for name in ("sha256", "index"))
        sheets |= {_sheet(*sheet) for sheet in zip(photos, indices, strict=True)}
    return sheets


def _write(folder: Path, rows: Iterable[JsonObject]) -> None:
    parts: dict[Path, list[JsonObject]] = defaultdict(list)
    for row in rows:
        name = f"game={row['game'] or NO_GAME}", f"day={row['read_at'][:10]}"
        parts[folder.joinpath(*name)].append(row)
    for part, of_part in parts.items():
        _write_part(part, of_part)


def _write_part(folder: Path, rows: Iterable[JsonObject]) -> None:
    """One file more; whole or not at all."""
    name = f"{uuid.uuid4().hex}.parquet"
    beside = folder / f".{name}.part"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        typed = [{**row, "read_at": datetime.fromisoformat(row["read_at"])} for row in rows]
        pq.write_table(pa.Table.from_pylist(typed, schema()), beside, compression="zstd")
        os.replace(beside, folder / name)
    except OSError as error:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise OutputNotWritable(folder / name, error.strerror or error) from error
