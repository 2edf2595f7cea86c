"""What a person changed, kept step by step, so that the last change can be undone.

A change is a correction, an owner, a game, a joining, a removal, or an answer to a question. Each
of its steps is what happened to one row of one table, with what stood there before. What the
program adds by itself, a photo that is read, is no change and is not undone.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from brikks_vision.codec import JsonObject
from brikks_vision.errors import ChangeNotUndoable, NothingToUndo
from brikks_vision.record import rows
from brikks_vision.record.database import Record, transaction
from brikks_vision.record.entries import Change, ChangeKind, Undone

MAX_CHANGES = 100  # that can be undone; a removed result is gone for good after so many others


@contextmanager
def changing(
    record: Record, kind: ChangeKind, who: str, number: int | None = None
) -> Iterator[rows.Steps]:
    """One change by a person, in one transaction: all of its steps or none of them.

    ``number``: of the result, or of the game, that it is about. A change without a step is not
    kept.
    """
    with transaction(record):
        change = rows.next_number(record, "change")
        about = {"who": rows.printable(who), "kind": kind, "number": number}
        record.add("change", id=change, made=rows.utc_now(), **about)
        yield rows.Steps(record, change)
        record.execute(
            "DELETE FROM change WHERE id = ? AND NOT EXISTS (SELECT 1 FROM step WHERE change = ?)",
            change,
            change,
        )
        record.execute("DELETE FROM change WHERE id <= ?", change - MAX_CHANGES)


def list_changes(record: Record) -> tuple[Change, ...]:
    """The changes that can be undone, the last one first."""
    return tuple(map(_change_of, record.rows("SELECT * FROM change ORDER BY id DESC")))


def was_removed(record: Record, removal: ChangeKind, number: int) -> bool:
    """Whether what had that number was removed and can be brought back."""
    return any((each.kind, each.number) == (removal, number) for each in list_changes(record))


def undo(record: Record) -> Undone:
    """Undo the last change that a person made, and forget it.

    A result comes back beside the one that was read from its photo since, if there is one.

    Raises NothingToUndo: no change is kept; ChangeNotUndoable: what was recorded since stands in
    its place. The change is forgotten, too, so that the one before it is the last one;
    RecordFailure.
    """
    return _undone(record, "SELECT * FROM change ORDER BY id DESC LIMIT 1")


def bring_back(record: Record, removal: ChangeKind, number: int) -> Undone:
    """Like `undo`, the removal of what had that number, whatever was changed elsewhere since.

    removal : a kind of change that only takes rows away, so that no later one can build on it.

    Raises NothingToUndo: it was not removed, or too long ago; ChangeNotUndoable, RecordFailure.
    """
    chosen = "SELECT * FROM change WHERE kind = ? AND number = ? ORDER BY id DESC LIMIT 1"
    return _undone(record, chosen, removal, number)


def _undone(record: Record, chosen: str, *values: object) -> Undone:
    """Undo the change that a query (SQL) chooses."""
    beside: tuple[int, ...] | None
    with transaction(record):
        row = record.row_or(NothingToUndo(), chosen, *values)
        record.execute("SAVEPOINT undoing")
        try:
            beside = _undo_steps(record, row["id"])
        except sqlite3.IntegrityError:
            record.execute("ROLLBACK TO undoing")
            beside = None
        record.execute("DELETE FROM change WHERE id = ?", row["id"])
    change = _change_of(row)
    if beside is None:
        raise ChangeNotUndoable(change.number or 0)
    return Undone(change, beside)


def _undo_steps(record: Record, change: int) -> tuple[int, ...]:
    """The results that stand beside one that came back; raises sqlite3.IntegrityError."""
    record.execute("PRAGMA defer_foreign_keys = ON")
    beside: dict[int, None] = {}
    photos: dict[int, int] = {}
    for step in record.rows("SELECT * FROM step WHERE change = ? ORDER BY id DESC", change):
        table, before = step["of_table"], json.loads(step["before"], object_hook=rows.value_of)
        if step["kind"] == "insert":
            record.execute(f"DELETE FROM {table} WHERE id = ?", step["of_row"])
        elif step["kind"] == "update":
            rows.update(record, table, step["of_row"], before)
        elif table == "photo":
            photos |= _photo_brought_back(record, before)
        elif table == "file" and before["photo"] in photos:
            continue  # the file is known with the photo read since
        else:
            if table == "reading":
                before["photo"] = photos.get(before["photo"], before["photo"])
                beside |= dict.fromkeys(_make_way(record, before))
            record.add(table, **before)
    for broken in record.rows("PRAGMA foreign_key_check"):
        if broken["parent"] != "game":
            raise sqlite3.IntegrityError(broken["table"])
        # the game is gone since, by a table of players; a sheet is then in none
        rows.update(record, broken["table"], broken["rowid"], {"game": None})
    return tuple(beside)


def _photo_brought_back(record: Record, row: JsonObject) -> dict[int, int]:
    """The number that a photo has now, by the one it had, where it was read again since."""
    now = record.value("SELECT id FROM photo WHERE sha256 = ?", row["sha256"])
    if now is None:
        record.add("photo", **row)
        return {}
    return {row["id"]: now}


def _make_way(record: Record, row: JsonObject) -> tuple[int, ...]:
    """Let a reading stand beside the one of its sheet that was read since; the result of that."""
    photo = row["photo"]
    other: int | None = record.value(
        "SELECT result FROM reading WHERE photo = ? AND number = ?", photo, row["number"]
    )
    if other is None:
        return ()
    row["number"] = (
        min(record.value("SELECT min(number) FROM reading WHERE photo = ?", photo), 0) - 1
    )
    return (other,)


def _change_of(row: sqlite3.Row) -> Change:
    made = datetime.fromisoformat(row["made"])
    return Change(ChangeKind(row["kind"]), row["number"], row["who"], made)
