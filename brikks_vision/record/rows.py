"""Rows of the tables: from and to entries, and changed so that it can be undone."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from brikks_vision.codec import JsonObject
from brikks_vision.errors import NameTooLong, ResultMissing
from brikks_vision.games import reading_from, settings_of
from brikks_vision.reading import Reading
from brikks_vision.record.entries import EARLIEST, LATEST, Correction, PhotoFacts, Result
from brikks_vision.text.phrases import cleaned_name, compared

if TYPE_CHECKING:
    from brikks_vision.record.database import Record

MAX_NAME_LENGTH = 60  # characters of a player's name
AS_READ = "read"
"""Instead of a mark: take the correction of a place back."""

UNNAMED = "page"
"""Who corrected a sheet on the page of which nobody said whose it is."""

# What stands: the last correction, else the best reading. A sheet that is alone in its game, for
# the others left it or were removed, is in none.
RESULTS = """
SELECT result.id, result.played, reading.json, player.name AS player,
    (SELECT mine.game FROM result AS mine WHERE mine.id = result.id AND EXISTS (SELECT 1
        FROM result AS mate WHERE mate.game = mine.game AND mate.id != mine.id)) AS game,
    photo.sha256, photo.name, photo.taken, photo.taken_from, photo.added,
    (SELECT json FROM correction WHERE result = result.id ORDER BY id DESC LIMIT 1) AS corrected,
    (SELECT json_group_array(changes) FROM (SELECT changes FROM correction
        WHERE correction.result = result.id ORDER BY correction.id)) AS changes,
    (SELECT count(*) FROM reading AS other WHERE other.result = result.id) AS photos,
    EXISTS (SELECT 1 FROM sheet_pair WHERE earlier = result.id AND answer = 'later')
        AS is_continued,
    (SELECT group_concat(later) FROM sheet_pair WHERE earlier = result.id
        AND answer = 'different') AS apart
FROM result
JOIN reading ON reading.id = result.best
JOIN photo ON photo.id = reading.photo
LEFT JOIN player ON player.id = result.player
"""
# By the name, not by the key beside it: older records hold keys with signs that show nothing.
PLAYER_BY_NAME = "SELECT id FROM player WHERE player_key(name) = ?"


def printable(text: str) -> str:
    """The text with bytes that no encoding knows (in names of files) spelled out."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def check_result(record: Record, number: int) -> None:
    record.row_or(ResultMissing(number), "SELECT 1 FROM result WHERE id = ?", number)


def results_of_photo(record: Record, sha256: str) -> tuple[int, ...]:
    """One result a sheet, in the photo's order; others that came back only where none is left."""
    rows = record.rows(
        "SELECT number, result FROM reading JOIN photo ON photo.id = reading.photo"
        " WHERE photo.sha256 = ? ORDER BY number",
        sha256,
    )
    last_read = [row for row in rows if row["number"] >= 0] or rows
    return tuple(int(row["result"]) for row in last_read)


def player_number(record: Record, name: str | None) -> int | None:
    """The number of a player, who is added where new; None of a name that shows nothing.

    Raises NameTooLong.
    """
    shown = checked_name(name or "")
    if not shown:
        return None
    key = player_key(shown)
    known: int | None = record.value(f"{PLAYER_BY_NAME} ORDER BY id", key)
    return record.add("player", name=shown, key=key) if known is None else known


def player_key(name: str) -> str:
    """What names of one player have in common."""
    return compared(_name(name))


def checked_name(name: str) -> str:
    """A player's name as the record keeps it; "" of one that shows nothing; raises NameTooLong."""
    shown = _name(name)
    if len(shown) > MAX_NAME_LENGTH:
        raise NameTooLong(shown, len(shown), MAX_NAME_LENGTH)
    return shown


def _name(name: str) -> str:
    return cleaned_name(printable(name))


def reading_of(row: sqlite3.Row) -> Reading:
    return reading_from(json.loads(row["json"]))


def result_of(row: sqlite3.Row) -> Result:
    made = [json.loads(changes) for changes in json.loads(row["changes"])]
    last = {place: mark for changes in made for place, (_, mark) in changes.items()}
    return Result(
        id=row["id"],
        reading=reading_from(json.loads(row["corrected"] or row["json"])),
        photo=facts_of(row),
        added=datetime.fromisoformat(row["added"]),
        player=row["player"],
        played=row["played"],
        game=row["game"],
        is_corrected=bool(last) and _has_marks(last),
        photos=row["photos"],
        is_continued=bool(row["is_continued"]),
        apart=frozenset(map(int, row["apart"].split(","))) if row["apart"] else frozenset(),
    )


def _has_marks(said: Mapping[str, str]) -> bool:
    """Whether a place of the sheet is among what was said; settings of the game are none."""
    settings = settings_of()
    return any(mark != AS_READ and place not in settings for place, mark in said.items())


def facts_of(row: sqlite3.Row) -> PhotoFacts:
    return PhotoFacts(row["sha256"], row["name"], taken_of(row), row["taken_from"])


def taken_of(row: sqlite3.Row) -> datetime:
    # older records hold any date
    return within_reach(datetime.fromisoformat(row["taken"]))


def correction_of(row: sqlite3.Row) -> Correction:
    changes = {place: (old, new) for place, (old, new) in json.loads(row["changes"]).items()}
    made = datetime.fromisoformat(row["made"])
    return Correction(row["result"], made, row["who"], changes, reading_of(row))


def reading_json(reading: Reading) -> str:
    return json.dumps(reading.to_dict())


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def as_recorded(photo: PhotoFacts) -> PhotoFacts:
    """A photo as the record holds it."""
    return replace(photo, name=printable(photo.name), taken=within_reach(photo.taken))


def within_reach(taken: datetime) -> datetime:
    """The next date that counts, without a zone."""
    return min(max(taken.replace(tzinfo=None), EARLIEST), LATEST)


def wall_clock(taken: datetime) -> str:
    return taken.isoformat(timespec="seconds")


@dataclass(frozen=True)
class Steps:
    """The change in progress; see `brikks_vision.record.changes.changing`."""

    record: Record
    change: int

    def insert(self, table: str, **values: object) -> int:
        """Add a row; its number."""
        number = self.record.add(table, id=next_number(self.record, table), **values)
        self._note("insert", table, number, {})
        return number

    def update(self, table: str, row: int, **values: object) -> None:
        """Change columns of a row; nothing is noted where they hold these values already."""
        found = self.record.row(f"SELECT {', '.join(values)} FROM {table} WHERE id = ?", row)
        assert found is not None
        before = {name: found[name] for name in values if found[name] != values[name]}
        if before:
            update(self.record, table, row, {name: values[name] for name in before})
            self._note("update", table, row, before)

    def delete(self, table: str, where: str, *values: object) -> None:
        """Remove the rows of a table that a condition (SQL) holds for."""
        for row in self.record.rows(
            f"SELECT rowid AS of_row, * FROM {table} WHERE {where}", *values
        ):
            before = {name: row[name] for name in row.keys() if name != "of_row"}  # noqa: SIM118
            self._note("delete", table, row["of_row"], before)
            self.record.execute(f"DELETE FROM {table} WHERE rowid = ?", row["of_row"])

    def _note(self, kind: str, table: str, row: int, before: Mapping[str, object]) -> None:
        kept = json.dumps(before, default=_object_of)
        self.record.add(
            "step", change=self.change, kind=kind, of_table=table, of_row=row, before=kept
        )


def next_number(record: Record, table: str) -> int:
    """A number that no row of the table has, nor had before it was removed.

    A person who noted "result 5" never finds another sheet there.
    """
    highest = record.value(
        f"SELECT max((SELECT coalesce(max(rowid), 0) FROM {table}),"
        " (SELECT coalesce(max(of_row), 0) FROM step WHERE of_table = ?))",
        table,
    )
    return int(highest) + 1


def update(record: Record, table: str, row: int, values: Mapping[str, object]) -> None:
    assignments = ", ".join(f"{name} = ?" for name in values)
    record.execute(f"UPDATE {table} SET {assignments} WHERE id = ?", *values.values(), row)


def last_removal(record: Record, photo: int) -> Steps | None:
    """The last change that removed a reading of this photo, which what is removed with it joins."""
    change = record.value(
        "SELECT max(change) FROM step WHERE kind = 'delete' AND of_table = 'reading'"
        " AND json_extract(before, '$.photo') = ?",
        photo,
    )
    return None if change is None else Steps(record, change)


_BYTES = "base64"  # key of an object that stands for bytes in JSON


def _object_of(value: bytes) -> dict[str, str]:
    return {_BYTES: base64.b64encode(value).decode("ascii")}


def value_of(data: JsonObject) -> object:
    """A value that a step kept, for `json.loads`: bytes are decoded."""
    return base64.b64decode(data[_BYTES]) if data.keys() == {_BYTES} else data
