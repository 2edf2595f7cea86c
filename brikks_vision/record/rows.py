"""From rows of the tables to entries, and back."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from brikks_vision.errors import NameTooLong, ResultMissing
from brikks_vision.games import reading_from, settings_of
from brikks_vision.reading import Reading
from brikks_vision.record.entries import EARLIEST, LATEST, Correction, PhotoFacts, Result
from brikks_vision.text.display import cleaned_name, compared

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

    Raises
    ------
    NameTooLong
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
    changes: dict[str, Any] = json.loads(row["changes"])
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
