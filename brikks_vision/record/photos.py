"""Photos and what was read from them: adding, finding, forgetting."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import replace

from brikks_vision.games import has_layout, layout_of, reading_from
from brikks_vision.infer.sameness import MAX_BREAK, Sameness
from brikks_vision.reading import Reading
from brikks_vision.record import entries
from brikks_vision.record.database import Record, failures_named, transaction
from brikks_vision.record.rows import (
    RESULTS,
    as_recorded,
    delete,
    facts_of,
    instant_of,
    last_removal,
    next_number,
    player_number,
    printable,
    reading_json,
    results_of_photo,
    taken_of,
    utc_now,
    wall_clock,
)


def add_photo(
    record: Record,
    photo: entries.PhotoFacts,
    sheets: Sequence[entries.SheetReading],
    player: str | None = None,
    shows: int | None = None,
) -> entries.Added:
    """Record a photo and what was read from it, once: of one that is known, nothing is read anew.

    A sheet that another photo surely showed within the hour, in the same state, becomes one result
    with it, and the better reading stands (see `brikks_vision.record.entries`); whether others
    are one sheet is asked. ``shows``: the result that a person says it shows. ``player``: whose
    sheets these are. A result that has no owner is theirs
    from now on; one that has another stays so, is told (``owners``) and asked about.

    Raises NameTooLong, RecordFailure.
    """
    photo = as_recorded(photo)
    with transaction(record) as connection:
        number = _new_photo(connection, photo, None)
        who = player_number(connection, player)
        if number is None:
            known = results_of_photo(connection, photo.sha256)
            return entries.Added(known, is_new=False, owners=_other_owners(connection, known, who))
        results: list[int] = []
        merged: list[int] = []
        for sheet in sheets:
            reading = replace(sheet.reading, photo=photo.name)
            same = shows or _same_result(record, reading, photo, who, results)
            added = _new_reading(connection, number, len(results), same, reading, sheet, who)
            if same is not None:
                keep_better(record, same, added, reading)
                merged.append(same)
            (result,) = connection.execute(
                "SELECT result FROM reading WHERE id = ?", (added,)
            ).fetchone()
            results.append(result)
        return entries.Added(tuple(results), is_new=True, merged=tuple(merged))


def _other_owners(
    connection: sqlite3.Connection, results: Sequence[int], player: int | None
) -> tuple[entries.OwnerConflict, ...]:
    """Give results without an owner to the player; remember to ask about those that have another.

    What is said of a photo that is known is what a person says, but it is no change of theirs that
    could be undone where it only fills what was open.
    """
    if player is None:
        return ()
    (named,) = connection.execute("SELECT name FROM player WHERE id = ?", (player,)).fetchone()
    conflicts = []
    for result in results:
        row = connection.execute(
            "SELECT player.id, player.name FROM result LEFT JOIN player"
            " ON player.id = result.player WHERE result.id = ?",
            (result,),
        ).fetchone()
        if row["id"] is None:
            connection.execute("UPDATE result SET player = ? WHERE id = ?", (player, result))
        elif row["id"] != player:
            connection.execute(
                "INSERT INTO owner_claim (result, player, made) VALUES (?, ?, ?)"
                " ON CONFLICT (result, player) DO UPDATE SET made = excluded.made, answered = NULL",
                (result, named, utc_now()),
            )
            conflicts.append(entries.OwnerConflict(result, row["name"], named))
    return tuple(conflicts)


def add_unread(record: Record, photo: entries.PhotoFacts, error: Exception) -> entries.Added:
    """Remember a photo that no sheet could be read from, so that it is passed over from now on.

    Raises RecordFailure.
    """
    photo = as_recorded(photo)
    with transaction(record) as connection:
        number = _new_photo(connection, photo, type(error).__name__)
        if number is None:
            return entries.Added(results_of_photo(connection, photo.sha256), is_new=False)
        return entries.Added((), is_new=True)


def _new_photo(
    connection: sqlite3.Connection, photo: entries.PhotoFacts, error: str | None
) -> int | None:
    """The photo's number; None where it is known."""
    row = connection.execute(
        "INSERT INTO photo (id, sha256, name, taken, taken_from, added, error)"
        " VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (sha256) DO NOTHING RETURNING id",
        (
            next_number(connection, "photo"),
            photo.sha256,
            photo.name,
            wall_clock(photo.taken),
            photo.taken_from,
            utc_now(),
            error,
        ),
    ).fetchone()
    return None if row is None else int(row[0])


def _new_reading(
    connection: sqlite3.Connection,
    photo: int,
    number: int,
    same: int | None,
    reading: Reading,
    sheet: entries.SheetReading,
    player: int | None,
) -> int:
    """Add a reading to the result ``same``, or to a new one; the reading's number."""
    (identifier,) = connection.execute(
        "INSERT INTO reading (id, photo, number, result, json, thumbnail)"
        " VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
        (
            next_number(connection, "reading"),
            photo,
            number,
            same or 0,
            reading_json(reading),
            sheet.thumbnail,
        ),
    ).fetchone()
    if reading.printing is not None and has_layout(reading):
        layout = layout_of(reading)
        connection.execute(
            "INSERT OR IGNORE INTO printing (game, content, json) VALUES (?, ?, ?)",
            (layout.game, reading.printing, layout.to_json()),
        )
    if sheet.material is not None:
        connection.execute(
            "INSERT INTO material (reading, ink, picture) VALUES (?, ?, ?)",
            (identifier, sheet.material.evidence, sheet.material.picture),
        )
    if same is None:
        result = next_number(connection, "result")
        connection.execute(
            "INSERT INTO result (id, player, best, played) VALUES (?, ?, ?, ?)",
            (result, player, identifier, reading.game),
        )
        connection.execute("UPDATE reading SET result = ? WHERE id = ?", (result, identifier))
    elif player is not None:
        connection.execute(
            "UPDATE result SET player = ? WHERE id = ? AND player IS NULL", (player, same)
        )
    return int(identifier)


def _same_result(
    record: Record,
    reading: Reading,
    photo: entries.PhotoFacts,
    player: int | None,
    besides: Sequence[int],
) -> int | None:
    """The result of another photo that shows this sheet; never one of the same photo."""
    rows = record.connection.execute(
        RESULTS
        + " WHERE result.played = ? AND photo.taken BETWEEN ? AND ? AND (result.player IS NULL"
        + " OR ? IS NULL OR result.player = ?) ORDER BY photo.taken DESC, result.id DESC",
        (
            reading.game,
            wall_clock(photo.taken - MAX_BREAK),
            wall_clock(photo.taken + MAX_BREAK),
            player,
            player,
        ),
    ).fetchall()
    for row in rows:
        # A corrected sheet is compared as it was read: the correction may be the difference.
        read = reading_from(json.loads(row["json"]))
        taken = taken_of(row)
        if row["id"] in besides:
            continue
        if entries.same_state(reading, photo.taken, read, taken) is Sameness.SAME:
            return int(row["id"])
    return None


def keep_better(record: Record, result: int, added: int, reading: Reading) -> None:
    (best,) = record.connection.execute(
        "SELECT reading.json FROM result JOIN reading ON reading.id = result.best"
        " WHERE result.id = ?",
        (result,),
    ).fetchone()
    if entries.is_better(reading, reading_from(json.loads(best))):
        record.connection.execute("UPDATE result SET best = ? WHERE id = ?", (added, result))


def keep_together(record: Record, result: int, sha256: str, sheet: entries.SheetReading) -> None:
    """Let what several photos of a result show together be its reading, at the first of them.

    sha256: of the first. sheet: without a thumbnail, that of the first photo stays.

    Raises RecordFailure.
    """
    with transaction(record) as connection:
        (reading,) = connection.execute(
            "UPDATE reading SET json = ?, thumbnail = coalesce(?, thumbnail) WHERE result = ? AND"
            " photo = (SELECT id FROM photo WHERE sha256 = ?) RETURNING id",
            (reading_json(sheet.reading), sheet.thumbnail, result, sha256),
        ).fetchone()
        if sheet.material is not None:
            connection.execute(
                "INSERT OR REPLACE INTO material (reading, ink, picture) VALUES (?, ?, ?)",
                (reading, sheet.material.evidence, sheet.material.picture),
            )
        connection.execute("UPDATE result SET best = ? WHERE id = ?", (reading, result))


def find_photo(record: Record, sha256: str) -> entries.RecordedPhoto | None:
    """The photo with this content, or None where it was never recorded."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT * FROM photo WHERE sha256 = ?", (sha256,)
        ).fetchone()
        if row is None:
            return None
        results = results_of_photo(record.connection, sha256)
    return entries.RecordedPhoto(facts_of(row), instant_of(row["added"]), row["error"], results)


def sheets_of_photo(record: Record, sha256: str) -> tuple[tuple[Reading, int], ...]:
    """What was read of each sheet in a photo, and its result; those read last come first."""
    with failures_named(record.path):
        rows = record.connection.execute(
            "SELECT json, result FROM reading JOIN photo ON photo.id = reading.photo"
            " WHERE sha256 = ? ORDER BY number < 0, number",
            (sha256,),
        ).fetchall()
    return tuple((reading_from(json.loads(row["json"])), int(row["result"])) for row in rows)


def count_photos(record: Record) -> int:
    """How many photos are known, with a sheet or without."""
    with failures_named(record.path):
        (count,) = record.connection.execute("SELECT count(*) FROM photo").fetchone()
    return int(count)


def forget_photo(record: Record, sha256: str) -> bool:
    """Let a photo be read again that no result shows any more; False where one does, or none was.

    Raises RecordFailure.
    """
    with transaction(record) as connection:
        row = connection.execute(
            "SELECT id FROM photo WHERE sha256 = ? AND id NOT IN (SELECT photo FROM reading)",
            (sha256,),
        ).fetchone()
        if row is None:
            return False
        photo = int(row["id"])
        removal = last_removal(connection, photo)
        if removal is not None:  # to undo it brings the photo back as well
            delete(removal, "file", "photo = ?", photo)
            delete(removal, "photo", "id = ?", photo)
        else:
            connection.execute("DELETE FROM file WHERE photo = ?", (photo,))
            connection.execute("DELETE FROM photo WHERE id = ?", (photo,))
    return True


def remember_file(record: Record, path: str, stamp: str, sha256: str) -> None:
    """Note that a file holds a photo that is known, so that it need not be read to know it again.

    ``stamp``: what changes when the file does.

    Raises RecordFailure.
    """
    with transaction(record) as connection:
        connection.execute(
            "INSERT OR REPLACE INTO file (path, stamp, photo)"
            " SELECT ?, ?, id FROM photo WHERE sha256 = ?",
            (printable(path), stamp, sha256),
        )


def is_known_file(record: Record, path: str, stamp: str) -> bool:
    """Whether a file, unchanged since by its stamp, holds a photo that is known."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT 1 FROM file WHERE path = ? AND stamp = ?", (printable(path), stamp)
        ).fetchone()
    return row is not None
