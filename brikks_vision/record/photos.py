"""Photos and what was read from them: adding, finding, forgetting."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from brikks_vision.games import has_layout, layout_of
from brikks_vision.infer.sameness import MAX_BREAK, Sameness
from brikks_vision.reading import Reading
from brikks_vision.record import entries, rows
from brikks_vision.record.database import Record, transaction
from brikks_vision.record.results import best_reading


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
    """
    photo = rows.as_recorded(photo)
    with transaction(record):
        number = _new_photo(record, photo, None)
        who = rows.player_number(record, player)
        if number is None:
            known = rows.results_of_photo(record, photo.sha256)
            return entries.Added(known, is_new=False, owners=_other_owners(record, known, who))
        results: list[int] = []
        merged: list[int] = []
        for sheet in sheets:
            reading = replace(sheet.reading, photo=photo.name)
            same = shows or _same_result(record, reading, photo, who, results)
            added, result = _new_reading(record, number, len(results), same, reading, sheet, who)
            if same is not None:
                if entries.is_better(reading, best_reading(record, same)):
                    rows.update(record, "result", same, {"best": added})
                merged.append(same)
            results.append(result)
        return entries.Added(tuple(results), is_new=True, merged=tuple(merged))


def _other_owners(
    record: Record, results: Sequence[int], player: int | None
) -> tuple[entries.OwnerConflict, ...]:
    """Give results without an owner to the player; remember to ask about those that have another.

    What is said of a photo that is known is what a person says, but it is no change of theirs that
    could be undone where it only fills what was open.
    """
    if player is None:
        return ()
    named = record.value("SELECT name FROM player WHERE id = ?", player)
    conflicts = []
    for result in results:
        owner = record.value("SELECT player FROM result WHERE id = ?", result)
        if owner is None:
            rows.update(record, "result", result, {"player": player})
        elif owner != player:
            record.execute(
                "INSERT INTO owner_claim (result, player, made) VALUES (?, ?, ?)"
                " ON CONFLICT (result, player) DO UPDATE SET made = excluded.made, answered = NULL",
                *(result, named, rows.utc_now()),
            )
            name = record.value("SELECT name FROM player WHERE id = ?", owner)
            conflicts.append(entries.OwnerConflict(result, name, named))
    return tuple(conflicts)


def add_unread(record: Record, photo: entries.PhotoFacts, error: Exception) -> entries.Added:
    """Remember a photo that no sheet could be read from, so that it is passed over from now on."""
    photo = rows.as_recorded(photo)
    with transaction(record):
        if _new_photo(record, photo, type(error).__name__) is None:
            return entries.Added(rows.results_of_photo(record, photo.sha256), is_new=False)
        return entries.Added((), is_new=True)


def _new_photo(record: Record, photo: entries.PhotoFacts, error: str | None) -> int | None:
    """The photo's number; None where it is known."""
    if record.row("SELECT 1 FROM photo WHERE sha256 = ?", photo.sha256) is not None:
        return None
    facts = {"sha256": photo.sha256, "name": photo.name, "taken_from": photo.taken_from}
    facts |= {"taken": rows.wall_clock(photo.taken), "added": rows.utc_now()}
    return record.add("photo", id=rows.next_number(record, "photo"), error=error, **facts)


def _new_reading(
    record: Record,
    photo: int,
    number: int,
    same: int | None,
    reading: Reading,
    sheet: entries.SheetReading,
    player: int | None,
) -> tuple[int, int]:
    """Add a reading to the result ``same``, or to a new one; the numbers of reading and result."""
    identifier = rows.next_number(record, "reading")
    result = rows.next_number(record, "result") if same is None else same
    shown = {"json": rows.reading_json(reading), "thumbnail": sheet.thumbnail}
    record.add("reading", id=identifier, photo=photo, number=number, result=result, **shown)
    if reading.printing is not None and has_layout(reading):
        layout = layout_of(reading)
        record.execute(
            "INSERT OR IGNORE INTO printing (game, content, json) VALUES (?, ?, ?)",
            *(layout.game, reading.printing, layout.to_json()),
        )
    if sheet.material is not None:
        record.add(
            "material",
            reading=identifier,
            ink=sheet.material.evidence,
            picture=sheet.material.picture,
        )
    if same is None:
        record.add("result", id=result, player=player, best=identifier, played=reading.game)
    elif player is not None:
        query = "UPDATE result SET player = ? WHERE id = ? AND player IS NULL"
        record.execute(query, player, same)
    return identifier, result


def _same_result(
    record: Record,
    reading: Reading,
    photo: entries.PhotoFacts,
    player: int | None,
    besides: Sequence[int],
) -> int | None:
    """The result of another photo that shows this sheet; never one of the same photo."""
    near = record.rows(
        rows.RESULTS
        + " WHERE result.played = ?1 AND photo.taken BETWEEN ?2 AND ?3 AND (result.player IS NULL"
        + " OR ?4 IS NULL OR result.player = ?4) ORDER BY photo.taken DESC, result.id DESC",
        reading.game,
        rows.wall_clock(photo.taken - MAX_BREAK),
        rows.wall_clock(photo.taken + MAX_BREAK),
        player,
    )
    for row in near:
        # A corrected sheet is compared as it was read: the correction may be the difference.
        read, taken = rows.reading_of(row), rows.taken_of(row)
        if row["id"] in besides:
            continue
        if entries.same_state(reading, photo.taken, read, taken) is Sameness.SAME:
            return int(row["id"])
    return None


def keep_together(record: Record, result: int, sha256: str, sheet: entries.SheetReading) -> None:
    """Let what several photos of a result show together be its reading, at the first of them.

    sha256: of the first. sheet: without a thumbnail, that of the first photo stays.
    """
    with transaction(record):
        reading = record.value(
            "UPDATE reading SET json = ?, thumbnail = coalesce(?, thumbnail) WHERE result = ? AND"
            " photo = (SELECT id FROM photo WHERE sha256 = ?) RETURNING id",
            *(rows.reading_json(sheet.reading), sheet.thumbnail, result, sha256),
        )
        if sheet.material is not None:
            record.execute(
                "INSERT OR REPLACE INTO material (reading, ink, picture) VALUES (?, ?, ?)",
                *(reading, sheet.material.evidence, sheet.material.picture),
            )
        rows.update(record, "result", result, {"best": reading})


def find_photo(record: Record, sha256: str) -> entries.RecordedPhoto | None:
    """The photo with this content, or None where it was never recorded."""
    row = record.row("SELECT * FROM photo WHERE sha256 = ?", sha256)
    if row is None:
        return None
    results, added = rows.results_of_photo(record, sha256), datetime.fromisoformat(row["added"])
    return entries.RecordedPhoto(rows.facts_of(row), added, row["error"], results)


def sheets_of_photo(record: Record, sha256: str) -> tuple[tuple[Reading, int], ...]:
    """What was read of each sheet in a photo, and its result; those read last come first."""
    found = record.rows(
        "SELECT json, result FROM reading JOIN photo ON photo.id = reading.photo"
        " WHERE sha256 = ? ORDER BY number < 0, number",
        sha256,
    )
    return tuple((rows.reading_of(row), int(row["result"])) for row in found)


def count_photos(record: Record) -> int:
    """How many photos are known, with a sheet or without."""
    return int(record.value("SELECT count(*) FROM photo"))


def forget_photo(record: Record, sha256: str) -> bool:
    """Let a photo be read again that no result shows; False where one does, or none was."""
    with transaction(record):
        query = "SELECT id FROM photo WHERE sha256 = ? AND id NOT IN (SELECT photo FROM reading)"
        photo = record.value(query, sha256)
        if photo is None:
            return False
        removal = rows.last_removal(record, photo)
        if removal is not None:  # to undo it brings the photo back as well
            removal.delete("file", "photo = ?", photo)
            removal.delete("photo", "id = ?", photo)
        else:
            record.execute("DELETE FROM file WHERE photo = ?", photo)
            record.execute("DELETE FROM photo WHERE id = ?", photo)
    return True


def remember_file(record: Record, path: str, stamp: str, sha256: str) -> None:
    """Note that a file holds a photo that is known, so that it need not be read to know it again.

    ``stamp``: what changes when the file does.
    """
    with transaction(record):
        record.execute(
            "INSERT OR REPLACE INTO file (path, stamp, photo)"
            " SELECT ?, ?, id FROM photo WHERE sha256 = ?",
            *(rows.printable(path), stamp, sha256),
        )


def is_known_file(record: Record, path: str, stamp: str) -> bool:
    """Whether a file, unchanged since by its stamp, holds a photo that is known."""
    query = "SELECT 1 FROM file WHERE path = ? AND stamp = ?"
    return record.row(query, rows.printable(path), stamp) is not None
