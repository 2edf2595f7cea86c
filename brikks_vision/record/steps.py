"""Changes of single rows, each kept with what stood there before, so that it can be undone."""

from __future__ import annotations

import base64
import json
import sqlite3
from dataclasses import dataclass
from typing import Any

_BYTES = "base64"  # key of an object that stands for bytes in JSON


@dataclass(frozen=True)
class Steps:
    """The change in progress; see `brikks_vision.record.changes.changing`."""

    connection: sqlite3.Connection
    change: int


def next_number(connection: sqlite3.Connection, table: str) -> int:
    """A number that no row of the table has, nor had before it was removed.

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
    """The last change that removed a reading of this photo, which what is removed with it joins."""
    (change,) = connection.execute(
        "SELECT max(change) FROM step WHERE kind = 'delete' AND of_table = 'reading'"
        " AND json_extract(before, '$.photo') = ?",
        (photo,),
    ).fetchone()
    return None if change is None else Steps(connection, change)


def _note(steps: Steps, kind: str, table: str, row: int, before: dict[str, Any]) -> None:
    steps.connection.execute(
        "INSERT INTO step (change, kind, of_table, of_row, before) VALUES (?, ?, ?, ?, ?)",
        (steps.change, kind, table, row, json.dumps(before, default=_object_of)),
    )


def _object_of(value: bytes) -> dict[str, str]:
    return {_BYTES: base64.b64encode(value).decode("ascii")}


def value_of(data: dict[str, Any]) -> Any:
    """A value that a step kept, for `json.loads`: bytes are decoded."""
    return base64.b64decode(data[_BYTES]) if data.keys() == {_BYTES} else data
