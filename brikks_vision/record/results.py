"""Results: whose they are, what was corrected, and which photos are kept to teach.

Photos are kept only where a person wants it, until they say otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from brikks_vision.errors import ResultMissing
from brikks_vision.games import reading_from, settings_of
from brikks_vision.reading import Reading
from brikks_vision.record import entries
from brikks_vision.record.changes import changing
from brikks_vision.record.database import Record, failures_named, transaction
from brikks_vision.record.rows import (
    AS_READ,
    PLAYER_BY_NAME,
    RESULTS,
    Steps,
    check_result,
    correction_of,
    delete,
    facts_of,
    insert,
    instant_of,
    player_key,
    player_number,
    printable,
    reading_json,
    result_of,
    update,
    utc_now,
)


def get_result(record: Record, number: int) -> entries.Result:
    """The result of that number; raises ResultMissing."""
    with failures_named(record.path):
        row = record.connection.execute(RESULTS + " WHERE result.id = ?", (number,)).fetchone()
    if row is None:
        raise ResultMissing(number)
    return result_of(row)


def result_of_board(record: Record, number: int) -> int:
    """The result that a board became, by the number that it had before; raises ResultMissing."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT result FROM former_board WHERE number = ?", (number,)
        ).fetchone()
    if row is None:
        raise ResultMissing(number)
    return int(row["result"])


def list_results(
    record: Record, filters: entries.Filters | None = None
) -> tuple[entries.Result, ...]:
    """All results that the filters leave, by the time their photo was taken, oldest first."""
    wanted = filters or entries.Filters()
    conditions = {
        f"result.player IN ({PLAYER_BY_NAME})": wanted.player and player_key(wanted.player),
        "photo.taken >= ?": wanted.since and wanted.since.isoformat(),
        "photo.taken <= ?": wanted.until and f"{wanted.until.isoformat()}T23:59:59",
        "result.game = ?": wanted.game,
        "result.played = ?": wanted.played,
    }
    given = {condition: value for condition, value in conditions.items() if value is not None}
    where = f" WHERE {' AND '.join(given)}" if given else ""
    with failures_named(record.path):
        rows = record.connection.execute(
            f"{RESULTS}{where} ORDER BY photo.taken, result.id", tuple(given.values())
        ).fetchall()
    return tuple(result_of(row) for row in rows)


def thumbnail(record: Record, result: int) -> bytes | None:
    """The small JPEG of a result's best photo, the reading drawn on it; raises ResultMissing."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT thumbnail FROM reading JOIN result ON reading.id = result.best"
            " WHERE result.id = ?",
            (result,),
        ).fetchone()
    if row is None:
        raise ResultMissing(result)
    return None if row[0] is None else bytes(row[0])


def best_reading(record: Record, result: int) -> Reading:
    """What the best photo of a result was read as, before any correction; raises ResultMissing."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT json FROM reading JOIN result ON reading.id = result.best WHERE result.id = ?",
            (result,),
        ).fetchone()
    if row is None:
        raise ResultMissing(result)
    return reading_from(json.loads(row[0]))


def material_of(record: Record, result: int) -> entries.Material | None:
    """What a result's best reading is corrected with; None where it was not kept, or no result."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT ink, picture FROM material JOIN result ON material.reading = result.best"
            " WHERE result.id = ?",
            (result,),
        ).fetchone()
    return None if row is None else entries.Material(row["ink"], bytes(row["picture"]))


def kept_evidence_of(record: Record, result: int) -> tuple[str, ...]:
    """What the readings of a result are corrected with, where it was kept, oldest first."""
    with failures_named(record.path):
        rows = record.connection.execute(
            "SELECT ink FROM material JOIN reading ON reading.id = material.reading"
            " WHERE reading.result = ? ORDER BY reading.id",
            (result,),
        ).fetchall()
    return tuple(row["ink"] for row in rows)


def readings_of(record: Record, result: int) -> tuple[tuple[entries.PhotoFacts, Reading], ...]:
    """Every photo of a result with what was read from it, oldest first."""
    with failures_named(record.path):
        rows = record.connection.execute(
            "SELECT * FROM reading JOIN photo ON photo.id = reading.photo"
            " WHERE reading.result = ? ORDER BY photo.taken, reading.id",
            (result,),
        ).fetchall()
    return tuple((facts_of(row), reading_from(json.loads(row["json"]))) for row in rows)


def players(record: Record) -> tuple[str, ...]:
    """The names of all players who have a result, by name."""
    with failures_named(record.path):
        rows = record.connection.execute(
            "SELECT name FROM player WHERE id IN (SELECT player FROM result) ORDER BY key"
        ).fetchall()
    return tuple(row["name"] for row in rows)


def correct(
    record: Record,
    result: int,
    reading: Reading,
    changes: Mapping[str, tuple[str, str]],
    who: str,
    picture: bytes | None = None,
) -> None:
    """Make ``reading`` the reading of a result from now on; those of its photos are kept.

    ``changes``: by place ("cell 3,4", "energy 12", "box 5", "bomb 1", "total" ...), what stood
    there and what stands there now. ``who``: a player's name, or how else they are called.
    ``picture``: the small JPEG of its photo with that reading; None: it stays as it is.

    Raises ResultMissing, RecordFailure.
    """
    with changing(record, entries.ChangeKind.CORRECTION, who, result) as steps:
        check_result(steps.connection, result)
        insert(
            steps,
            "correction",
            result=result,
            made=utc_now(),
            who=printable(who),
            changes=json.dumps(dict(changes)),
            json=reading_json(reading),
        )
        if picture is not None:
            (best,) = steps.connection.execute(
                "SELECT best FROM result WHERE id = ?", (result,)
            ).fetchone()
            update(steps, "reading", best, thumbnail=picture)


def corrections(record: Record, result: int) -> tuple[entries.Correction, ...]:
    """All corrections of a result, oldest first."""
    with failures_named(record.path):
        rows = record.connection.execute(
            "SELECT * FROM correction WHERE result = ? ORDER BY id", (result,)
        ).fetchall()
    return tuple(correction_of(row) for row in rows)


def answers_of(made: Sequence[entries.Correction]) -> dict[str, str]:
    """The last answer of a person for each place; ``made``: corrections, oldest first."""
    said = {place: mark for each in made for place, (_, mark) in each.changes.items()}
    settings = settings_of()
    return {
        place: mark for place, mark in said.items() if mark != AS_READ and place not in settings
    }


def rewrite_corrections(record: Record, result: int, readings: Sequence[Reading]) -> None:
    """Let other readings follow from the same corrections, as a better photo of the sheet gives.

    ``readings``: after each correction, oldest first.

    Raises RecordFailure.
    """
    with transaction(record) as connection:
        rows = connection.execute(
            "SELECT id FROM correction WHERE result = ? ORDER BY id", (result,)
        ).fetchall()
        for row, reading in zip(rows, readings, strict=True):
            connection.execute(
                "UPDATE correction SET json = ? WHERE id = ?", (reading_json(reading), row["id"])
            )


def assign_player(record: Record, result: int, player: str | None, who: str = "") -> None:
    """Say whose sheet it is; None takes the name away. No other owner is asked about any more.

    Names that differ only in case, spaces or signs that show nothing are one player; the first
    spelling is kept, without such signs where they shape nothing (see
    `brikks_vision.text.phrases`). ``who``: who says so, else the player.

    Raises ResultMissing, NameTooLong, RecordFailure.
    """
    with changing(record, entries.ChangeKind.OWNER, who or player or "", result) as steps:
        check_result(steps.connection, result)
        number = player_number(steps.connection, player)
        update(steps, "result", result, player=number)
        claims = steps.connection.execute(
            "SELECT id FROM owner_claim WHERE result = ? AND answered IS NULL", (result,)
        ).fetchall()
        for claim in claims:
            update(steps, "owner_claim", claim["id"], answered=utc_now())


def join_results(record: Record, results: Sequence[int], who: str = "") -> int:
    """Make one result of several that show the same sheet; the number of the first, which stays.

    The best reading stands. Corrections of all are kept; the last one made counts. ``who``: who
    says that they are one sheet.

    Raises ResultMissing, RecordFailure.
    """
    first, *others = dict.fromkeys(results)
    with changing(record, entries.ChangeKind.JOINED, who, first) as steps:
        for number in (first, *others):
            check_result(steps.connection, number)
        for other in others:
            _join(steps, first, other)
    return first


def _join(steps: Steps, first: int, other: int) -> None:
    connection = steps.connection
    mine, theirs = (
        connection.execute(
            "SELECT best, player, game, json FROM result JOIN reading ON reading.id = best"
            " WHERE result.id = ?",
            (number,),
        ).fetchone()
        for number in (first, other)
    )
    for table in ("reading", "correction"):
        rows = connection.execute(f"SELECT id FROM {table} WHERE result = ?", (other,)).fetchall()
        for row in rows:
            update(steps, table, row["id"], result=first)
    if mine["player"] is None:
        update(steps, "result", first, player=theirs["player"])
    if mine["game"] is None:
        update(steps, "result", first, game=theirs["game"])
    seated = connection.execute("SELECT 1 FROM seat WHERE result = ?", (first,)).fetchone()
    for seat in connection.execute("SELECT id FROM seat WHERE result = ?", (other,)).fetchall():
        # where both have a seat, the first keeps its own
        update(steps, "seat", seat["id"], result=None if seated else first)
    _delete_questions(steps, other)
    delete(steps, "result", "id = ?", other)
    readings = [reading_from(json.loads(each["json"])) for each in (theirs, mine)]
    if entries.is_better(*readings):
        update(steps, "result", first, best=theirs["best"])


def remove_result(record: Record, result: int, who: str = "") -> None:
    """Forget a result, its readings, thumbnails and corrections; its photos stay known.

    It can be undone (see `brikks_vision.record.changes`) until many other things were changed.

    Raises ResultMissing, RecordFailure.
    """
    with changing(record, entries.ChangeKind.REMOVED, who, result) as steps:
        check_result(steps.connection, result)
        delete(steps, "correction", "result = ?", result)
        _delete_questions(steps, result)
        delete(steps, "result", "id = ?", result)
        delete(steps, "material", "reading IN (SELECT id FROM reading WHERE result = ?)", result)
        delete(steps, "reading", "result = ?", result)


def _delete_questions(steps: Steps, result: int) -> None:
    """What was asked about a result, and what was answered."""
    delete(steps, "owner_claim", "result = ?", result)
    delete(steps, "sheet_pair", "? IN (earlier, later)", result)


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


def printing_uses(record: Record) -> dict[str, tuple[int, int]]:
    """By the name of a printing, how many results were read with it and how many corrected."""
    with failures_named(record.path):
        rows = record.connection.execute(
            "SELECT json_extract(reading.json, '$.sheet'), COUNT(DISTINCT reading.result),"
            " COUNT(DISTINCT correction.result) FROM reading"
            " LEFT JOIN correction ON correction.result = reading.result GROUP BY 1"
        )
        return {str(name): (read, corrected) for name, read, corrected in rows}


def want_corrected(record: Record, is_wanted: bool) -> None:
    """Say whether each photo of which something is corrected is to be kept from now on.

    Raises RecordFailure.
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

    Raises ResultMissing, RecordFailure.
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
    """Say the right total of a result whose photos are kept; raises RecordFailure."""
    with transaction(record) as connection:
        connection.execute(
            "UPDATE kept_photo SET total = ? WHERE reading IN"
            " (SELECT id FROM reading WHERE result = ?)",
            (total, result),
        )


def kept_photos(record: Record, results: Sequence[int] = ()) -> tuple[entries.KeptPhoto, ...]:
    """The photos that are kept, of some results or of all, in the order of their results.

    Raises ResultMissing: one of the results is not in the record.
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
        entries.KeptPhoto(
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


def kept_picture(record: Record, kept: entries.KeptPhoto) -> bytes:
    """The picture of a photo that is kept, JPEG; empty where it was deleted meanwhile."""
    with failures_named(record.path):
        row = record.connection.execute(
            f"SELECT picture FROM kept_photo WHERE reading = {_OF_PHOTO}",
            (kept.result.id, kept.photo.sha256),
        ).fetchone()
    return b"" if row is None else bytes(row["picture"])


def delete_kept(record: Record, result: int) -> None:
    """Keep no photo of a result any more. It cannot be undone.

    Raises ResultMissing, RecordFailure.
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
