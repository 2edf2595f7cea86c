"""Rows of the tables: from and to entries, changed so that it can be undone, brought up to date."""

from __future__ import annotations

import base64
import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from brikks_vision.codec import JsonObject
from brikks_vision.errors import NameTooLong, ResultMissing
from brikks_vision.games import ONLY_ONE, reading_from, settings_of
from brikks_vision.reading import Reading
from brikks_vision.record.entries import EARLIEST, LATEST, Correction, PhotoFacts, Result
from brikks_vision.text.phrases import cleaned_name, compared

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


def check_result(connection: sqlite3.Connection, number: int) -> None:
    if connection.execute("SELECT 1 FROM result WHERE id = ?", (number,)).fetchone() is None:
        raise ResultMissing(number)


def results_of_photo(connection: sqlite3.Connection, sha256: str) -> tuple[int, ...]:
    """One result a sheet, in the photo's order; others that came back only where none is left."""
    rows = connection.execute(
        "SELECT number, result FROM reading JOIN photo ON photo.id = reading.photo"
        " WHERE photo.sha256 = ? ORDER BY number",
        (sha256,),
    ).fetchall()
    last_read = [row for row in rows if row["number"] >= 0] or rows
    return tuple(int(row["result"]) for row in last_read)


def player_number(connection: sqlite3.Connection, name: str | None) -> int | None:
    """The number of a player, who is added where new; None of a name that shows nothing.

    Raises NameTooLong.
    """
    shown = checked_name(name or "")
    if not shown:
        return None
    key = player_key(shown)
    row = connection.execute(f"{PLAYER_BY_NAME} ORDER BY id", (key,)).fetchone()
    if row is None:
        row = connection.execute(
            "INSERT INTO player (name, key) VALUES (?, ?) RETURNING id", (shown, key)
        ).fetchone()
    return int(row[0])


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


def result_of(row: sqlite3.Row) -> Result:
    reading = reading_from(json.loads(row["corrected"] or row["json"]))
    made = [json.loads(changes) for changes in json.loads(row["changes"])]
    last = {place: mark for changes in made for place, (_, mark) in changes.items()}
    return Result(
        id=row["id"],
        reading=reading,
        photo=facts_of(row),
        added=instant_of(row["added"]),
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
    changes: JsonObject = json.loads(row["changes"])
    return Correction(
        result=row["result"],
        made=instant_of(row["made"]),
        who=row["who"],
        changes={place: (old, new) for place, (old, new) in changes.items()},
        reading=reading_from(json.loads(row["json"])),
    )


def reading_json(reading: Reading) -> str:
    return json.dumps(reading.to_dict())


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


def instant_of(text: str) -> datetime:
    return datetime.fromisoformat(text)


def as_recorded(photo: PhotoFacts) -> PhotoFacts:
    """A photo as the record holds it."""
    return replace(photo, name=printable(photo.name), taken=within_reach(photo.taken))


def within_reach(taken: datetime) -> datetime:
    """The next date that counts, without a zone."""
    return min(max(taken.replace(tzinfo=None), EARLIEST), LATEST)


def wall_clock(taken: datetime) -> str:
    return taken.isoformat(timespec="seconds")


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


def insert(steps: Steps, table: str, **values: object) -> int:
    """Add a row; its number."""
    number = next_number(steps.connection, table)
    names = ", ".join(("id", *values))
    marks = ", ".join("?" * (1 + len(values)))
    steps.connection.execute(
        f"INSERT INTO {table} ({names}) VALUES ({marks})", (number, *values.values())
    )
    _note(steps, "insert", table, number, {})
    return number


def update(steps: Steps, table: str, row: int, **values: object) -> None:
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


def delete(steps: Steps, table: str, where: str, *values: object) -> None:
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


def _note(steps: Steps, kind: str, table: str, row: int, before: Mapping[str, object]) -> None:
    steps.connection.execute(
        "INSERT INTO step (change, kind, of_table, of_row, before) VALUES (?, ?, ?, ?, ?)",
        (steps.change, kind, table, row, json.dumps(before, default=_object_of)),
    )


def _object_of(value: bytes) -> dict[str, str]:
    return {_BYTES: base64.b64encode(value).decode("ascii")}


def value_of(data: JsonObject) -> Any:
    """A value that a step kept, for `json.loads`: bytes are decoded."""
    return base64.b64decode(data[_BYTES]) if data.keys() == {_BYTES} else data


_UNKNOWN = "?"  # earlier versions did not keep what was read on a field before the first answer


def one_table(connection: sqlite3.Connection) -> None:
    """To version 8: results bear the name of their game, and boards are results.

    What was said of a board becomes corrections, and what could be undone can be undone.
    """
    _name_games(connection)
    states, made = _boards_with_changes(connection)
    for number, board in sorted(states.items()):
        _enter(connection, number, board, made.get(number, []))
    connection.execute("DELETE FROM step WHERE of_table = 'board'")
    connection.execute(
        "UPDATE change SET kind = iif(kind = 'board', 'correction', 'removed'), number ="
        " (SELECT result FROM former_board WHERE former_board.number = change.number)"
        " WHERE kind IN ('board', 'board-removed')"
    )
    connection.execute("DROP TABLE board")


def one_column_of_settings(connection: sqlite3.Connection) -> None:
    """To version 9: what could be undone of a game's level and variant can be undone."""
    rows = connection.execute("SELECT id, settings FROM game").fetchall()
    states = {row["id"]: json.loads(row["settings"]) for row in rows}
    steps = connection.execute(
        "SELECT id, of_row, before FROM step WHERE of_table = 'game' ORDER BY id DESC"
    ).fetchall()
    for step in steps:
        before = json.loads(step["before"])
        said = {name: before.pop(name) for name in ("level", "variant") if name in before}
        if said:
            settings = {**states.get(step["of_row"], {}), **said}
            states[step["of_row"]] = {
                n: value for n, value in settings.items() if value is not None
            }
            before["settings"] = json.dumps(states[step["of_row"]])
            connection.execute(
                "UPDATE step SET before = ? WHERE id = ?", (json.dumps(before), step["id"])
            )


MOVES: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    8: one_table,
    9: one_column_of_settings,
}
"""By the version that it leads to, what is done after its statements."""


def _name_games(connection: sqlite3.Connection) -> None:
    """Set the game of each result, also of removed ones that can be restored, from its reading."""
    connection.execute(
        "UPDATE result SET played = coalesce((SELECT json_extract(json, '$.game') FROM reading"
        " WHERE id = best), ?)",
        (ONLY_ONE,),
    )
    connection.execute(
        "UPDATE step SET before = json_set(before, '$.played', coalesce("
        " (SELECT json_extract(json, '$.game') FROM reading"
        "  WHERE id = json_extract(step.before, '$.best')),"
        " (SELECT json_extract(json_extract(other.before, '$.json'), '$.game') FROM step AS other"
        "  WHERE other.of_table = 'reading' AND other.kind = 'delete'"
        "  AND other.of_row = json_extract(step.before, '$.best')), ?))"
        " WHERE of_table = 'result' AND kind = 'delete'",
        (ONLY_ONE,),
    )


Row = JsonObject
Changed = tuple[sqlite3.Row, Row, Row | None]
"""A change of a board, and its row before and after it; None: it was removed."""


def _boards_with_changes(
    connection: sqlite3.Connection,
) -> tuple[dict[int, Row], dict[int, list[Changed]]]:
    """Each board as it was first recorded, and its changes since, oldest first."""
    states = {row["id"]: dict(row) for row in connection.execute("SELECT * FROM board").fetchall()}
    made: dict[int, list[Changed]] = {}
    steps = connection.execute(
        "SELECT change.id, change.made, change.who, step.kind, of_row, before FROM step"
        " JOIN change ON change.id = step.change WHERE of_table = 'board' ORDER BY step.id DESC"
    ).fetchall()
    for step in steps:
        number, before = step["of_row"], json.loads(step["before"], object_hook=value_of)
        after = None if step["kind"] == "delete" else states[number]
        states[number] = {**(after or {}), **before}
        made.setdefault(number, []).insert(0, (step, states[number], after))
    return states, made


def _enter(connection: sqlite3.Connection, number: int, board: Row, made: list[Changed]) -> None:
    """A board as a result, and what was changed of it."""
    photo, is_new = _photo_of(connection, board)
    reading, result = next_number(connection, "reading"), next_number(connection, "result")
    (place,) = connection.execute(
        "SELECT 1 + coalesce(max(number), -1) FROM reading WHERE photo = ?", (photo,)
    ).fetchone()
    connection.execute(
        "INSERT INTO result (id, player, best, played) VALUES (?, ?, ?, ?)",
        (result, board["player"], reading, board["game"]),
    )
    connection.execute(
        "INSERT INTO reading (id, photo, number, result, json, thumbnail)"
        " VALUES (?, ?, ?, ?, ?, ?)",
        (reading, photo, place, result, board["json"], board["picture"]),
    )
    connection.execute("INSERT INTO former_board VALUES (?, ?)", (number, result))
    if board["answers"] != "{}":
        named = connection.execute("SELECT name FROM player WHERE id = ?", (board["player"],))
        who = "".join(row["name"] for row in named)
        values = _correction(result, board["added"], who, {**board, "answers": "{}"}, board)
        names = ", ".join(("id", *values))
        connection.execute(
            f"INSERT INTO correction ({names}) VALUES (?, ?, ?, ?, ?, ?)",
            (next_number(connection, "correction"), *values.values()),
        )
    for step, before, after in made:
        steps = Steps(connection, step["id"])
        if after is None:
            delete(steps, "correction", "result = ?", result)
            delete(steps, "result", "id = ?", result)
            delete(steps, "reading", "id = ?", reading)
            if is_new:
                delete(steps, "photo", "id = ?", photo)
            continue
        if (before["json"], before["answers"]) != (after["json"], after["answers"]):
            values = _correction(result, step["made"], step["who"], before, after)
            insert(steps, "correction", **values)
        update(steps, "reading", reading, thumbnail=after["picture"])
        update(steps, "result", result, player=after["player"])


def _photo_of(connection: sqlite3.Connection, board: Row) -> tuple[int, bool]:
    """The photo of a board, and whether the record did not have it yet."""
    known = connection.execute(
        "UPDATE photo SET error = NULL WHERE sha256 = ? RETURNING id", (board["sha256"],)
    ).fetchone()
    if known is not None:
        return int(known["id"]), False
    names = ("sha256", "name", "taken", "taken_from", "added")
    number = next_number(connection, "photo")
    connection.execute(
        f"INSERT INTO photo (id, {', '.join(names)}) VALUES (?, ?, ?, ?, ?, ?)",
        (number, *(board[name] for name in names)),
    )
    return number, True


def _correction(result: int, made: str, who: str, before: Row, after: Row) -> JsonObject:
    """The columns of the correction that leads from what was said to what is said."""
    old, new = json.loads(before["answers"]), json.loads(after["answers"])
    changes = {
        place: (old.get(place, _UNKNOWN), new.get(place, AS_READ))
        for place in {**old, **new}
        if old.get(place) != new.get(place)
    }
    return {
        "result": result,
        "made": made,
        "who": who or UNNAMED,
        "changes": json.dumps(changes),
        "json": after["json"],
    }
