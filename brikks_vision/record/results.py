"""Results: whose they are, what was corrected, and which photos are kept to teach.

Photos are kept only where a person wants it, until they say otherwise.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime

from brikks_vision.errors import ResultMissing
from brikks_vision.games import settings_of
from brikks_vision.reading import Reading
from brikks_vision.record import entries, rows
from brikks_vision.record.changes import changing
from brikks_vision.record.database import Record, transaction
from brikks_vision.record.rows import AS_READ, check_result, utc_now

_BEST = "FROM result JOIN reading ON reading.id = result.best WHERE result.id = ?"


def get_result(record: Record, number: int) -> entries.Result:
    """The result of that number; raises ResultMissing."""
    found = record.row_or(ResultMissing(number), f"{rows.RESULTS} WHERE result.id = ?", number)
    return rows.result_of(found)


def result_of_board(record: Record, number: int) -> int:
    """The result that a board became, by the number that it had before; raises ResultMissing."""
    query = "SELECT result FROM former_board WHERE number = ?"
    return int(record.row_or(ResultMissing(number), query, number)[0])


def list_results(
    record: Record, filters: entries.Filters | None = None
) -> tuple[entries.Result, ...]:
    """All results that the filters leave, by the time their photo was taken, oldest first."""
    wanted = filters or entries.Filters()
    conditions = {
        f"result.player IN ({rows.PLAYER_BY_NAME})": wanted.player
        and rows.player_key(wanted.player),
        "photo.taken >= ?": wanted.since and wanted.since.isoformat(),
        "photo.taken <= ?": wanted.until and f"{wanted.until.isoformat()}T23:59:59",
        "result.game = ?": wanted.game,
        "result.played = ?": wanted.played,
    }
    given = {condition: value for condition, value in conditions.items() if value is not None}
    where = f" WHERE {' AND '.join(given)}" if given else ""
    query = f"{rows.RESULTS}{where} ORDER BY photo.taken, result.id"
    return tuple(map(rows.result_of, record.rows(query, *given.values())))


def thumbnail(record: Record, result: int) -> bytes | None:
    """The small JPEG of a result's best photo, the reading drawn on it; raises ResultMissing."""
    found: bytes | None
    (found,) = record.row_or(ResultMissing(result), f"SELECT thumbnail {_BEST}", result)
    return found


def best_reading(record: Record, result: int) -> Reading:
    """What the best photo of a result was read as, before any correction; raises ResultMissing."""
    return rows.reading_of(record.row_or(ResultMissing(result), f"SELECT json {_BEST}", result))


def material_of(record: Record, result: int) -> entries.Material | None:
    """What a result's best reading is corrected with; None where it was not kept, or no result."""
    found = record.row(
        "SELECT ink, picture FROM material JOIN result ON material.reading = result.best"
        " WHERE result.id = ?",
        result,
    )
    return None if found is None else entries.Material(*found)


def kept_evidence_of(record: Record, result: int) -> tuple[str, ...]:
    """What the readings of a result are corrected with, where it was kept, oldest first."""
    found = record.rows(
        "SELECT ink FROM material JOIN reading ON reading.id = material.reading"
        " WHERE reading.result = ? ORDER BY reading.id",
        result,
    )
    return tuple(ink for (ink,) in found)


def readings_of(record: Record, result: int) -> tuple[tuple[entries.PhotoFacts, Reading], ...]:
    """Every photo of a result with what was read from it, oldest first."""
    found = record.rows(
        "SELECT * FROM reading JOIN photo ON photo.id = reading.photo"
        " WHERE reading.result = ? ORDER BY photo.taken, reading.id",
        result,
    )
    return tuple((rows.facts_of(row), rows.reading_of(row)) for row in found)


def players(record: Record) -> tuple[str, ...]:
    """The names of all players who have a result, by name."""
    query = "SELECT name FROM player WHERE id IN (SELECT player FROM result) ORDER BY key"
    return tuple(name for (name,) in record.rows(query))


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
    """
    with changing(record, entries.ChangeKind.CORRECTION, who, result) as steps:
        check_result(record, result)
        said = {"changes": json.dumps(dict(changes)), "json": rows.reading_json(reading)}
        steps.insert("correction", result=result, made=utc_now(), who=rows.printable(who), **said)
        if picture is not None:
            best = record.value("SELECT best FROM result WHERE id = ?", result)
            steps.update("reading", best, thumbnail=picture)


def corrections(record: Record, result: int) -> tuple[entries.Correction, ...]:
    """All corrections of a result, oldest first."""
    made = record.rows("SELECT * FROM correction WHERE result = ? ORDER BY id", result)
    return tuple(map(rows.correction_of, made))


def answers_of(made: Sequence[entries.Correction]) -> dict[str, str]:
    """The last answer of a person for each place; ``made``: corrections, oldest first."""
    said: dict[str, str] = {}
    for place, (_, mark) in [change for each in made for change in each.changes.items()]:
        said.pop(place, None)  # what is said last stands last
        if mark != AS_READ and place not in settings_of():
            said[place] = mark
    return said


def rewrite_corrections(record: Record, result: int, readings: Sequence[Reading]) -> None:
    """Let other readings follow from the same corrections, as a better photo of the sheet gives.

    ``readings``: after each correction, oldest first.
    """
    with transaction(record):
        made = record.rows("SELECT id FROM correction WHERE result = ? ORDER BY id", result)
        for (number,), reading in zip(made, readings, strict=True):
            rows.update(record, "correction", number, {"json": rows.reading_json(reading)})


def assign_player(record: Record, result: int, player: str | None, who: str = "") -> None:
    """Say whose sheet it is; None takes the name away. No other owner is asked about any more.

    Names that differ only in case, spaces or signs that show nothing are one player; the first
    spelling is kept, without such signs where they shape nothing (see
    `brikks_vision.text.phrases`). ``who``: who says so, else the player.
    """
    with changing(record, entries.ChangeKind.OWNER, who or player or "", result) as steps:
        check_result(record, result)
        steps.update("result", result, player=rows.player_number(record, player))
        query = "SELECT id FROM owner_claim WHERE result = ? AND answered IS NULL"
        for (claim,) in record.rows(query, result):
            steps.update("owner_claim", claim, answered=utc_now())


def join_results(record: Record, results: Sequence[int], who: str = "") -> int:
    """Make one result of several that show the same sheet; the number of the first, which stays.

    The best reading stands. Corrections of all are kept; the last one made counts. ``who``: who
    says that they are one sheet.
    """
    first, *others = dict.fromkeys(results)
    with changing(record, entries.ChangeKind.JOINED, who, first) as steps:
        for number in (first, *others):
            check_result(record, number)
        for other in others:
            _join(steps, first, other)
    return first


def _join(steps: rows.Steps, first: int, other: int) -> None:
    record, query = steps.record, f"SELECT best, player, game, json {_BEST}"
    mine, theirs = (record.row_or(ResultMissing(each), query, each) for each in (first, other))
    for table in ("reading", "correction"):
        for (number,) in record.rows(f"SELECT id FROM {table} WHERE result = ?", other):
            steps.update(table, number, result=first)
    for what in ("player", "game"):
        if mine[what] is None:
            steps.update("result", first, **{what: theirs[what]})
    seated = record.row("SELECT 1 FROM seat WHERE result = ?", first)
    for (seat,) in record.rows("SELECT id FROM seat WHERE result = ?", other):
        # where both have a seat, the first keeps its own
        steps.update("seat", seat, result=None if seated else first)
    _delete_questions(steps, other)
    steps.delete("result", "id = ?", other)
    if entries.is_better(rows.reading_of(theirs), rows.reading_of(mine)):
        steps.update("result", first, best=theirs["best"])


def remove_result(record: Record, result: int, who: str = "") -> None:
    """Forget a result, its readings, thumbnails and corrections; its photos stay known.

    It can be undone (see `brikks_vision.record.changes`) until many other things were changed.
    """
    with changing(record, entries.ChangeKind.REMOVED, who, result) as steps:
        check_result(record, result)
        steps.delete("correction", "result = ?", result)
        _delete_questions(steps, result)
        steps.delete("result", "id = ?", result)
        steps.delete("material", "reading IN (SELECT id FROM reading WHERE result = ?)", result)
        steps.delete("reading", "result = ?", result)


def _delete_questions(steps: rows.Steps, result: int) -> None:
    """What was asked about a result, and what was answered."""
    steps.delete("owner_claim", "result = ?", result)
    steps.delete("sheet_pair", "? IN (earlier, later)", result)


KEEP_CORRECTED = "keep corrected photos"
_OF_PHOTO = (
    "(SELECT reading.id FROM reading JOIN photo ON photo.id = reading.photo"
    " WHERE reading.result = ? AND photo.sha256 = ?)"
)


def wants_corrected(record: Record) -> bool:
    """Whether each photo of which something is corrected is to be kept; no, unless it was said."""
    return record.row("SELECT 1 FROM wish WHERE name = ?", KEEP_CORRECTED) is not None


def printing_uses(record: Record) -> dict[str, tuple[int, int]]:
    """By the name of a printing, how many results were read with it and how many corrected."""
    uses = record.rows(
        "SELECT json_extract(reading.json, '$.sheet'), COUNT(DISTINCT reading.result),"
        " COUNT(DISTINCT correction.result) FROM reading"
        " LEFT JOIN correction ON correction.result = reading.result GROUP BY 1"
    )
    return {str(name): (read, corrected) for name, read, corrected in uses}


def want_corrected(record: Record, is_wanted: bool) -> None:
    """Say whether each photo of which something is corrected is to be kept from now on."""
    with transaction(record):
        record.execute("DELETE FROM wish WHERE name = ?", KEEP_CORRECTED)
        if is_wanted:
            record.add("wish", name=KEEP_CORRECTED)


def keep_photo(
    record: Record, result: int, sha256: str, picture: bytes, total: int | None = None
) -> None:
    """Keep a photo of a result; what was kept of it before gives way.

    picture: a JPEG without any data of the camera that shows the sheet alone. total: the right one;
    None leaves what was said of it.
    """
    with transaction(record):
        check_result(record, result)
        record.execute(
            f"INSERT INTO kept_photo (reading, made, total, picture) SELECT {_OF_PHOTO}, ?, ?, ?"
            " WHERE true ON CONFLICT (reading) DO UPDATE SET picture = excluded.picture,"
            " total = coalesce(excluded.total, total)",
            *(result, sha256, utc_now(), total, picture),
        )


def say_total(record: Record, result: int, total: int) -> None:
    """Say the right total of a result whose photos are kept; raises RecordFailure."""
    query = (
        "UPDATE kept_photo SET total = ? WHERE reading IN (SELECT id FROM reading WHERE result = ?)"
    )
    with transaction(record):
        record.execute(query, total, result)


def kept_photos(record: Record, results: Sequence[int] = ()) -> tuple[entries.KeptPhoto, ...]:
    """The photos that are kept, of some results or of all, in the order of their results.

    Raises ResultMissing: one of the results is not in the record.
    """
    for number in results:
        check_result(record, number)
    kept = record.rows(
        "SELECT reading.result, reading.json, kept_photo.made, kept_photo.total,"
        " length(kept_photo.picture) AS size, photo.* FROM kept_photo"
        " JOIN reading ON reading.id = kept_photo.reading"
        " JOIN photo ON photo.id = reading.photo ORDER BY reading.result, reading.id"
    )
    return tuple(
        entries.KeptPhoto(
            get_result(record, row["result"]),
            rows.facts_of(row),
            rows.reading_of(row),
            datetime.fromisoformat(row["made"]),
            row["total"],
            row["size"],
        )
        for row in kept
        if not results or row["result"] in results
    )


def kept_picture(record: Record, kept: entries.KeptPhoto) -> bytes:
    """The picture of a photo that is kept, JPEG; empty where it was deleted meanwhile."""
    query = f"SELECT picture FROM kept_photo WHERE reading = {_OF_PHOTO}"
    found: bytes | None = record.value(query, kept.result.id, kept.photo.sha256)
    return found or b""


def delete_kept(record: Record, result: int) -> None:
    """Keep no photo of a result any more. It cannot be undone."""
    record.execute("PRAGMA secure_delete = ON")  # nothing of it stays in the file
    with transaction(record):
        check_result(record, result)
        record.execute(
            "DELETE FROM kept_photo WHERE reading IN (SELECT id FROM reading WHERE result = ?)",
            result,
        )


def paths_of_photo(record: Record, sha256: str) -> tuple[str, ...]:
    """Where files with a photo were seen; whether they still hold it must be looked at."""
    query = "SELECT path FROM file JOIN photo ON photo.id = file.photo WHERE photo.sha256 = ?"
    return tuple(path for (path,) in record.rows(query, sha256))
