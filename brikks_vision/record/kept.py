"""Photos that are kept to teach: only what a person wants, until they say otherwise."""

from __future__ import annotations

import json
from collections.abc import Sequence

from brikks_vision.games import reading_from
from brikks_vision.record.database import Record, failures_named, transaction
from brikks_vision.record.entries import KeptPhoto
from brikks_vision.record.results import get_result
from brikks_vision.record.rows import check_result, facts_of, instant_of, utc_now

KEEP_CORRECTED = "keep corrected photos"
_OF_PHOTO = (
    "(SELECT reading.id FROM reading JOIN photo ON photo.id = reading.photo"
    " WHERE reading.result = ? AND photo.sha256 = ?)"
)


def wants_corrected(record: Record) -> bool:
    """Whether each photo of which something is corrected is to be kept; no, unless it was said."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT 1 FROM wish WHERE name = ?", (KEEP_CORRECTED,)
        ).fetchone()
    return row is not None


def want_corrected(record: Record, is_wanted: bool) -> None:
    """Say whether each photo of which something is corrected is to be kept from now on.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with transaction(record) as connection:
        connection.execute("DELETE FROM wish WHERE name = ?", (KEEP_CORRECTED,))
        if is_wanted:
            connection.execute("INSERT INTO wish (name) VALUES (?)", (KEEP_CORRECTED,))


def keep_photo(
    record: Record, result: int, sha256: str, picture: bytes, total: int | None = None
) -> None:
    """Keep a photo of a result; what was kept of it before gives way.

    picture: a JPEG without any data of the camera that shows the sheet alone. total: the right one;
    None leaves what was said of it.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with transaction(record) as connection:
        check_result(connection, result)
        connection.execute(
            f"INSERT INTO kept_photo (reading, made, total, picture) SELECT {_OF_PHOTO}, ?, ?, ?"
            " WHERE true ON CONFLICT (reading) DO UPDATE SET picture = excluded.picture,"
            " total = coalesce(excluded.total, total)",
            (result, sha256, utc_now(), total, picture),
        )


def say_total(record: Record, result: int, total: int) -> None:
    """Say the right total of a result whose photos are kept.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with transaction(record) as connection:
        connection.execute(
            "UPDATE kept_photo SET total = ? WHERE reading IN"
            " (SELECT id FROM reading WHERE result = ?)",
            (total, result),
        )


def kept_photos(record: Record, results: Sequence[int] = ()) -> tuple[KeptPhoto, ...]:
    """The photos that are kept, of some results or of all, in the order of their results.

    Raises
    ------
    ResultMissing
        One of the results is not in the record.
    """
    with failures_named(record.path):
        for number in results:
            check_result(record.connection, number)
        rows = record.connection.execute(
            "SELECT reading.result, reading.json, kept_photo.made, kept_photo.total,"
            " length(kept_photo.picture) AS size, photo.* FROM kept_photo"
            " JOIN reading ON reading.id = kept_photo.reading"
            " JOIN photo ON photo.id = reading.photo ORDER BY reading.result, reading.id"
        ).fetchall()
    return tuple(
        KeptPhoto(
            get_result(record, row["result"]),
            facts_of(row),
            reading_from(json.loads(row["json"])),
            instant_of(row["made"]),
            row["total"],
            row["size"],
        )
        for row in rows
        if not results or row["result"] in results
    )


def kept_picture(record: Record, kept: KeptPhoto) -> bytes:
    """The picture of a photo that is kept, JPEG; empty where it was deleted meanwhile."""
    with failures_named(record.path):
        row = record.connection.execute(
            f"SELECT picture FROM kept_photo WHERE reading = {_OF_PHOTO}",
            (kept.result.id, kept.photo.sha256),
        ).fetchone()
    return b"" if row is None else bytes(row["picture"])


def delete_kept(record: Record, result: int) -> None:
    """Keep no photo of a result any more. It cannot be undone.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with failures_named(record.path):
        record.connection.execute("PRAGMA secure_delete = ON")  # nothing of it stays in the file
    with transaction(record) as connection:
        check_result(connection, result)
        connection.execute(
            "DELETE FROM kept_photo WHERE reading IN (SELECT id FROM reading WHERE result = ?)",
            (result,),
        )


def paths_of_photo(record: Record, sha256: str) -> tuple[str, ...]:
    """Where files with a photo were seen; whether they still hold it must be looked at."""
    with failures_named(record.path):
        rows = record.connection.execute(
            "SELECT path FROM file JOIN photo ON photo.id = file.photo WHERE photo.sha256 = ?",
            (sha256,),
        ).fetchall()
    return tuple(row["path"] for row in rows)
