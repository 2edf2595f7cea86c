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

from brikks_vision.codec import JsonObject
from brikks_vision.errors import ChangeNotUndoable, NothingToUndo
from brikks_vision.record.database import Record, failures_named, transaction
from brikks_vision.record.entries import Change, ChangeKind, Undone
from brikks_vision.record.rows import Steps, instant_of, next_number, printable, utc_now, value_of

MAX_CHANGES = 100  # that can be undone; a removed result is gone for good after so many others


@contextmanager
def changing(
    record: Record, kind: ChangeKind, who: str, number: int | None = None
) -> Iterator[Steps]:
    """One change by a person, in one transaction: all of its steps or none of them.

    ``number``: of the result, or of the game, that it is about. A change without a step is not
    kept.

    Raises RecordFailure.
    """
    with transaction(record) as connection:
        (change,) = connection.execute(
            "INSERT INTO change (id, made, who, kind, number) VALUES (?, ?, ?, ?, ?) RETURNING id",
            (next_number(connection, "change"), utc_now(), printable(who), kind, number),
        ).fetchone()
        steps = Steps(connection, change)
        yield steps
        connection.execute(
            "DELETE FROM change WHERE id = ? AND NOT EXISTS (SELECT 1 FROM step WHERE change = ?)",
            (change, change),
        )
        connection.execute("DELETE FROM change WHERE id <= ?", (change - MAX_CHANGES,))


def list_changes(record: Record) -> tuple[Change, ...]:
    """The changes that can be undone, the last one first."""
    with failures_named(record.path):
        rows = record.connection.execute("SELECT * FROM change ORDER BY id DESC").fetchall()
    return tuple(_change_of(row) for row in rows)


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
    with transaction(record) as connection:
        row = connection.execute(chosen, values).fetchone()
        if row is None:
            raise NothingToUndo
        connection.execute("SAVEPOINT undoing")
        try:
            beside = _undo_steps(connection, row["id"])
        except sqlite3.IntegrityError:
            connection.execute("ROLLBACK TO undoing")
            beside = None
        connection.execute("DELETE FROM change WHERE id = ?", (row["id"],))
    change = _change_of(row)
    if beside is None:
        raise ChangeNotUndoable(change.number or 0)
    return Undone(change, beside)


def _undo_steps(connection: sqlite3.Connection, change: int) -> tuple[int, ...]:
    """The results that stand beside one that came back; raises sqlite3.IntegrityError."""
    connection.execute("PRAGMA defer_foreign_keys = ON")
    beside: dict[int, None] = {}
    photos: dict[int, int] = {}
    steps = connection.execute(
        "SELECT * FROM step WHERE change = ? ORDER BY id DESC", (change,)
    ).fetchall()
    for step in steps:
        table, before = step["of_table"], json.loads(step["before"], object_hook=value_of)
        if step["kind"] == "insert":
            connection.execute(f"DELETE FROM {table} WHERE id = ?", (step["of_row"],))
        elif step["kind"] == "update":
            assignments = ", ".join(f"{name} = ?" for name in before)
            connection.execute(
                f"UPDATE {table} SET {assignments} WHERE id = ?", (*before.values(), step["of_row"])
            )
        elif table == "photo":
            photos |= _photo_brought_back(connection, before)
        elif table == "file":
            if before["photo"] not in photos:  # else the file is known with the photo read since
                _insert(connection, table, before)
        elif table == "reading":
            before["photo"] = photos.get(before["photo"], before["photo"])
            beside |= dict.fromkeys(_make_way(connection, before))
            _insert(connection, table, before)
        else:
            _insert(connection, table, before)
    for broken in connection.execute("PRAGMA foreign_key_check").fetchall():
        if broken["parent"] != "game":
            raise sqlite3.IntegrityError(broken["table"])
        # the game is gone since, by a table of players; a sheet is then in none
        connection.execute(
            f"UPDATE {broken['table']} SET game = NULL WHERE id = ?", (broken["rowid"],)
        )
    return tuple(beside)


def _insert(connection: sqlite3.Connection, table: str, row: JsonObject) -> None:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def _photo_brought_back(connection: sqlite3.Connection, row: JsonObject) -> dict[int, int]:
    """The number that a photo has now, by the one it had, where it was read again since."""
    now = connection.execute("SELECT id FROM photo WHERE sha256 = ?", (row["sha256"],)).fetchone()
    if now is None:
        _insert(connection, "photo", row)
        return {}
    return {row["id"]: now["id"]}


def _make_way(connection: sqlite3.Connection, row: JsonObject) -> tuple[int, ...]:
    """Let a reading stand beside the one of its sheet that was read since; the result of that."""
    place = (row["photo"], row["number"])
    other = connection.execute(
        "SELECT result FROM reading WHERE photo = ? AND number = ?", place
    ).fetchone()
    if other is None:
        return ()
    (lowest,) = connection.execute(
        "SELECT min(number) FROM reading WHERE photo = ?", (row["photo"],)
    ).fetchone()
    row["number"] = min(lowest, 0) - 1
    return (int(other["result"]),)


def _change_of(row: sqlite3.Row) -> Change:
    return Change(ChangeKind(row["kind"]), row["number"], row["who"], instant_of(row["made"]))
