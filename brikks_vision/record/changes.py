"""What a person changed, kept step by step, so that the last change can be undone.

A change is a correction, an owner, a game, a joining, a removal, or an answer to a question. Each
of its steps is what happened to one row of one table, with what stood there before. What the
program adds by itself, a photo that is read, is no change and is not undone.
"""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from brikks_vision.errors import ChangeNotUndoable, NothingToUndo
from brikks_vision.record.database import Record, failures_named, transaction
from brikks_vision.record.entries import Change, ChangeKind, Undone
from brikks_vision.record.rows import instant_of, printable, utc_now

MAX_CHANGES = 100  # that can be undone; a removed result is gone for good after so many others
_BYTES = "base64"  # key of an object that stands for bytes in JSON


@dataclass(frozen=True)
class Steps:
    """The change that is being made; see `changing`."""

    connection: sqlite3.Connection
    change: int


@contextmanager
def changing(
    record: Record, kind: ChangeKind, who: str, number: int | None = None
) -> Iterator[Steps]:
    """One change by a person, in one transaction: all of its steps or none of them.

    ``number``: of the result, or of the game, that it is about. A change without a step is not
    kept.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
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


def next_number(connection: sqlite3.Connection, table: str) -> int:
    """A number that no row of the table bears, nor bore before it was removed.

    A person who noted "result 5" never finds another sheet there.
    """
    (highest,) = connection.execute(
        f"SELECT max((SELECT coalesce(max(rowid), 0) FROM {table}),"
        " (SELECT coalesce(max(of_row), 0) FROM step WHERE of_table = ?))",
        (table,),
    ).fetchone()
    return int(highest) + 1


def insert(steps: Steps, table: str, **values: Any) -> int:
    """Add a row; its number."""
    number = next_number(steps.connection, table)
    names = ", ".join(("id", *values))
    marks = ", ".join("?" * (1 + len(values)))
    steps.connection.execute(
        f"INSERT INTO {table} ({names}) VALUES ({marks})", (number, *values.values())
    )
    _note(steps, "insert", table, number, {})
    return number


def update(steps: Steps, table: str, row: int, **values: Any) -> None:
    """Change columns of a row; nothing is noted where they hold these values already."""
    names = ", ".join(values)
    found = steps.connection.execute(f"SELECT {names} FROM {table} WHERE id = ?", (row,)).fetchone()
    before = {name: found[name] for name in values if found[name] != values[name]}
    if before:
        assignments = ", ".join(f"{name} = ?" for name in before)
        steps.connection.execute(
            f"UPDATE {table} SET {assignments} WHERE id = ?",
            (*(values[name] for name in before), row),
        )
        _note(steps, "update", table, row, before)


def delete(steps: Steps, table: str, where: str, *values: Any) -> None:
    """Remove the rows of a table that a condition (SQL) holds for."""
    rows = steps.connection.execute(
        f"SELECT rowid AS of_row, * FROM {table} WHERE {where}", values
    ).fetchall()
    for row in rows:
        before = {name: row[name] for name in row.keys() if name != "of_row"}  # noqa: SIM118
        _note(steps, "delete", table, row["of_row"], before)
        steps.connection.execute(f"DELETE FROM {table} WHERE rowid = ?", (row["of_row"],))


def last_removal(connection: sqlite3.Connection, photo: int) -> Steps | None:
    """The last change that removed a reading of this photo: what goes with it belongs to it."""
    (change,) = connection.execute(
        "SELECT max(change) FROM step WHERE kind = 'delete' AND of_table = 'reading'"
        " AND json_extract(before, '$.photo') = ?",
        (photo,),
    ).fetchone()
    return None if change is None else Steps(connection, change)


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

    A result comes back beside the one that was read from its photo since, if there is one. A board
    comes back instead of it: a photo is one board.

    Raises
    ------
    NothingToUndo
        No change is kept.
    ChangeNotUndoable
        What was recorded since stands in its place. The change is forgotten, too, so that the one
        before it is the last one.
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    return _undone(record, "SELECT * FROM change ORDER BY id DESC LIMIT 1")


def bring_back(record: Record, removal: ChangeKind, number: int) -> Undone:
    """Like `undo`, the removal of what had that number, whatever was changed elsewhere since.

    removal : a kind of change that only takes rows away, so that no later one can build on it.

    Raises
    ------
    NothingToUndo
        It was not removed, or too long ago.
    ChangeNotUndoable, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    chosen = "SELECT * FROM change WHERE kind = ? AND number = ? ORDER BY id DESC LIMIT 1"
    return _undone(record, chosen, removal, number)


def _undone(record: Record, chosen: str, *values: Any) -> Undone:
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
        table, before = step["of_table"], json.loads(step["before"], object_hook=_value_of)
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
            if table == "board":
                _drop_same_board(connection, before)
            _insert(connection, table, before)
    for broken in connection.execute("PRAGMA foreign_key_check").fetchall():
        if broken["parent"] != "game":
            raise sqlite3.IntegrityError(broken["table"])
        # the game is gone since, by a table of players; a sheet is then in none
        connection.execute(
            f"UPDATE {broken['table']} SET game = NULL WHERE id = ?", (broken["rowid"],)
        )
    return tuple(beside)


def _insert(connection: sqlite3.Connection, table: str, row: dict[str, Any]) -> None:
    names, marks = ", ".join(row), ", ".join("?" * len(row))
    connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(row.values()))


def _photo_brought_back(connection: sqlite3.Connection, row: dict[str, Any]) -> dict[int, int]:
    """The number that a photo has now, by the one it had, where it was read again since."""
    now = connection.execute("SELECT id FROM photo WHERE sha256 = ?", (row["sha256"],)).fetchone()
    if now is None:
        _insert(connection, "photo", row)
        return {}
    return {row["id"]: now["id"]}


def _make_way(connection: sqlite3.Connection, row: dict[str, Any]) -> tuple[int, ...]:
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


def _drop_same_board(connection: sqlite3.Connection, row: dict[str, Any]) -> None:
    """A board that was read from the same photo since gives way where nothing was said of it."""
    connection.execute(
        "DELETE FROM board WHERE sha256 = ? AND answers = '{}' AND (player IS NULL OR player = ?)",
        (row["sha256"], row["player"]),
    )


def _note(steps: Steps, kind: str, table: str, row: int, before: dict[str, Any]) -> None:
    steps.connection.execute(
        "INSERT INTO step (change, kind, of_table, of_row, before) VALUES (?, ?, ?, ?, ?)",
        (steps.change, kind, table, row, json.dumps(before, default=_object_of)),
    )


def _object_of(value: bytes) -> dict[str, str]:
    return {_BYTES: base64.b64encode(value).decode("ascii")}


def _value_of(data: dict[str, Any]) -> Any:
    return base64.b64decode(data[_BYTES]) if data.keys() == {_BYTES} else data


def _change_of(row: sqlite3.Row) -> Change:
    return Change(ChangeKind(row["kind"]), row["number"], row["who"], instant_of(row["made"]))
