"""The tables of the record, and what leads from each version to the next."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from brikks_vision.codec import JsonObject
from brikks_vision.games import ONLY_ONE
from brikks_vision.record import rows

if TYPE_CHECKING:
    from brikks_vision.record.database import Record

APPLICATION_ID = 0x42524B56  # "BRKV", in the header of every record
# What leads from each version to the next; never changed, only added to.
# reading.number: which sheet of the photo, from 0; below 0 of a result that came back after its
# photo was read again.
SCHEMAS = (
    """
CREATE TABLE photo (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    taken TEXT NOT NULL,
    taken_from TEXT NOT NULL,
    added TEXT NOT NULL,
    error TEXT
);
CREATE INDEX photo_taken ON photo (taken);
CREATE TABLE player (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    key TEXT NOT NULL UNIQUE
);
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    level INTEGER,
    variant TEXT
);
CREATE TABLE result (
    id INTEGER PRIMARY KEY,
    player INTEGER REFERENCES player (id),
    game INTEGER REFERENCES game (id),
    best INTEGER NOT NULL REFERENCES reading (id) DEFERRABLE INITIALLY DEFERRED
);
CREATE INDEX result_best ON result (best);
CREATE INDEX result_game ON result (game);
CREATE TABLE reading (
    id INTEGER PRIMARY KEY,
    photo INTEGER NOT NULL REFERENCES photo (id),
    number INTEGER NOT NULL,
    result INTEGER NOT NULL REFERENCES result (id) DEFERRABLE INITIALLY DEFERRED,
    json TEXT NOT NULL,
    thumbnail BLOB,
    UNIQUE (photo, number)
);
CREATE INDEX reading_result ON reading (result);
CREATE TABLE correction (
    id INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES result (id),
    made TEXT NOT NULL,
    who TEXT NOT NULL,
    changes TEXT NOT NULL,
    json TEXT NOT NULL
);
CREATE INDEX correction_result ON correction (result);
""",
    """
CREATE TABLE file (
    path TEXT PRIMARY KEY,
    stamp TEXT NOT NULL,
    photo INTEGER NOT NULL REFERENCES photo (id)
);
CREATE INDEX file_photo ON file (photo);
""",
    """
CREATE TABLE material (
    reading INTEGER PRIMARY KEY REFERENCES reading (id) ON DELETE CASCADE,
    ink TEXT NOT NULL,
    picture BLOB NOT NULL
);
""",
    # change: what a person did; step: what it did to one row, so that it can be undone.
    # owner_claim: another owner than the one that stands was named. sheet_pair: what a person said
    # of two results that may be one sheet.
    """
CREATE TABLE change (
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    who TEXT NOT NULL,
    kind TEXT NOT NULL,
    number INTEGER
);
CREATE TABLE step (
    id INTEGER PRIMARY KEY,
    change INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,
    of_table TEXT NOT NULL,
    of_row INTEGER NOT NULL,
    before TEXT NOT NULL
);
CREATE INDEX step_change ON step (change);
CREATE INDEX step_row ON step (of_table, of_row);
CREATE TABLE owner_claim (
    id INTEGER PRIMARY KEY,
    result INTEGER NOT NULL REFERENCES result (id),
    player TEXT NOT NULL,
    made TEXT NOT NULL,
    answered TEXT,
    UNIQUE (result, player)
);
CREATE TABLE sheet_pair (
    id INTEGER PRIMARY KEY,
    earlier INTEGER NOT NULL REFERENCES result (id),
    later INTEGER NOT NULL REFERENCES result (id),
    answer TEXT NOT NULL,
    who TEXT NOT NULL,
    made TEXT NOT NULL,
    UNIQUE (earlier, later)
);
CREATE INDEX sheet_pair_later ON sheet_pair (later);
""",
    # "table" is a word of SQL's own.
    """
CREATE TABLE play_table (
    id INTEGER PRIMARY KEY,
    made TEXT NOT NULL,
    level INTEGER,
    variant TEXT,
    game INTEGER REFERENCES game (id) ON DELETE SET NULL
);
CREATE INDEX play_table_game ON play_table (game);
CREATE TABLE seat (
    id INTEGER PRIMARY KEY,
    play_table INTEGER NOT NULL REFERENCES play_table (id) ON DELETE CASCADE,
    player INTEGER REFERENCES player (id),
    result INTEGER UNIQUE REFERENCES result (id) ON DELETE SET NULL
);
CREATE INDEX seat_table ON seat (play_table);
CREATE INDEX seat_player ON seat (player);
""",
    # board: a photo of a game board. sheet: the board's name. json: what was read with the answers,
    # which are what a person said of fields, by place. picture: JPEG with the reading drawn on it.
    """
CREATE TABLE board (
    id INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    taken TEXT NOT NULL,
    taken_from TEXT NOT NULL,
    added TEXT NOT NULL,
    game TEXT NOT NULL,
    sheet TEXT NOT NULL,
    player INTEGER REFERENCES player (id),
    json TEXT NOT NULL,
    answers TEXT NOT NULL,
    picture BLOB NOT NULL
);
CREATE INDEX board_taken ON board (taken);
CREATE INDEX board_player ON board (player);
""",
    # printing: a printing that is not the package's own, by its content (`Layout.printing`), as a
    # sheet definition, so that what was read with it can be shown and corrected wherever it is.
    """
CREATE TABLE printing (
    id INTEGER PRIMARY KEY,
    game TEXT NOT NULL,
    content TEXT NOT NULL,
    json TEXT NOT NULL,
    UNIQUE (game, content)
);
""",
    # played: the name of the game that a result is of. former_board: the result that a board
    # became, by the number of its own that it had before (see `one_table`).
    """
ALTER TABLE result ADD COLUMN played TEXT NOT NULL DEFAULT '';
CREATE INDEX result_played ON result (played);
CREATE TABLE former_board (
    number INTEGER PRIMARY KEY,
    result INTEGER NOT NULL
);
""",
    # settings: what is said of a game, as JSON: by the name of a setting, one of its values.
    """
ALTER TABLE game ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE play_table ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
UPDATE game SET settings =
    json_patch('{}', json_object('level', level, 'variant', variant));
UPDATE play_table SET settings =
    json_patch('{}', json_object('level', level, 'variant', variant));
ALTER TABLE game DROP COLUMN level;
ALTER TABLE game DROP COLUMN variant;
ALTER TABLE play_table DROP COLUMN level;
ALTER TABLE play_table DROP COLUMN variant;
""",
    # kept_photo: what a photo shows of a reading's sheet, kept to teach. total: the right one, as a
    # person said. wish: what the user wants from now on, by name.
    """
CREATE TABLE kept_photo (
    reading INTEGER PRIMARY KEY REFERENCES reading (id) ON DELETE CASCADE,
    made TEXT NOT NULL,
    total INTEGER,
    picture BLOB NOT NULL
);
CREATE TABLE wish (name TEXT PRIMARY KEY);
""",
)
SCHEMA_VERSION = len(SCHEMAS)

_UNKNOWN = "?"  # earlier versions did not keep what was read on a field before the first answer


def one_table(record: Record) -> None:
    """To version 8: results bear the name of their game, and boards are results.

    What was said of a board becomes corrections, and what could be undone can be undone.
    """
    _name_games(record)
    states, made = _boards_with_changes(record)
    for number, board in sorted(states.items()):
        _enter(record, number, board, made.get(number, []))
    record.execute("DELETE FROM step WHERE of_table = 'board'")
    record.execute(
        "UPDATE change SET kind = iif(kind = 'board', 'correction', 'removed'), number ="
        " (SELECT result FROM former_board WHERE former_board.number = change.number)"
        " WHERE kind IN ('board', 'board-removed')"
    )
    record.execute("DROP TABLE board")


def one_column_of_settings(record: Record) -> None:
    """To version 9: what could be undone of a game's level and variant can be undone."""
    states = {
        number: json.loads(said) for number, said in record.rows("SELECT id, settings FROM game")
    }
    for step in record.rows(
        "SELECT id, of_row, before FROM step WHERE of_table = 'game' ORDER BY id DESC"
    ):
        before = json.loads(step["before"])
        said = {name: before.pop(name) for name in ("level", "variant") if name in before}
        if said:
            settings = {**states.get(step["of_row"], {}), **said}
            known = {name: value for name, value in settings.items() if value is not None}
            states[step["of_row"]], before["settings"] = known, json.dumps(known)
            rows.update(record, "step", step["id"], {"before": json.dumps(before)})


MOVES: Mapping[int, Callable[[Record], None]] = {
    8: one_table,
    9: one_column_of_settings,
}
"""By the version that it leads to, what is done after its statements."""


def _name_games(record: Record) -> None:
    """Set the game of each result, also of removed ones that can be restored, from its reading."""
    record.execute(
        "UPDATE result SET played = coalesce((SELECT json_extract(json, '$.game') FROM reading"
        " WHERE id = best), ?)",
        ONLY_ONE,
    )
    record.execute(
        "UPDATE step SET before = json_set(before, '$.played', coalesce("
        " (SELECT json_extract(json, '$.game') FROM reading"
        "  WHERE id = json_extract(step.before, '$.best')),"
        " (SELECT json_extract(json_extract(other.before, '$.json'), '$.game') FROM step AS other"
        "  WHERE other.of_table = 'reading' AND other.kind = 'delete'"
        "  AND other.of_row = json_extract(step.before, '$.best')), ?))"
        " WHERE of_table = 'result' AND kind = 'delete'",
        ONLY_ONE,
    )


Row = JsonObject
Changed = tuple[sqlite3.Row, Row, Row | None]
"""A change of a board, and its row before and after it; None: it was removed."""


def _boards_with_changes(
    record: Record,
) -> tuple[dict[int, Row], dict[int, list[Changed]]]:
    """Each board as it was first recorded, and its changes since, oldest first."""
    states = {row["id"]: dict(row) for row in record.rows("SELECT * FROM board")}
    made: dict[int, list[Changed]] = {}
    for step in record.rows(
        "SELECT change.id, change.made, change.who, step.kind, of_row, before FROM step"
        " JOIN change ON change.id = step.change WHERE of_table = 'board' ORDER BY step.id DESC"
    ):
        number, before = step["of_row"], json.loads(step["before"], object_hook=rows.value_of)
        after = None if step["kind"] == "delete" else states[number]
        states[number] = {**(after or {}), **before}
        made.setdefault(number, []).insert(0, (step, states[number], after))
    return states, made


def _enter(record: Record, number: int, board: Row, made: list[Changed]) -> None:
    """A board as a result, and what was changed of it."""
    photo, is_new = _photo_of(record, board)
    reading, result = rows.next_number(record, "reading"), rows.next_number(record, "result")
    place = record.value("SELECT 1 + coalesce(max(number), -1) FROM reading WHERE photo = ?", photo)
    record.add("result", id=result, player=board["player"], best=reading, played=board["game"])
    shown = {"json": board["json"], "thumbnail": board["picture"]}
    record.add("reading", id=reading, photo=photo, number=place, result=result, **shown)
    record.add("former_board", number=number, result=result)
    if board["answers"] != "{}":
        who = record.value("SELECT name FROM player WHERE id = ?", board["player"]) or ""
        values = _correction(result, board["added"], who, {**board, "answers": "{}"}, board)
        record.add("correction", id=rows.next_number(record, "correction"), **values)
    for step, before, after in made:
        steps = rows.Steps(record, step["id"])
        if after is None:
            steps.delete("correction", "result = ?", result)
            steps.delete("result", "id = ?", result)
            steps.delete("reading", "id = ?", reading)
            if is_new:
                steps.delete("photo", "id = ?", photo)
            continue
        if (before["json"], before["answers"]) != (after["json"], after["answers"]):
            steps.insert(
                "correction", **_correction(result, step["made"], step["who"], before, after)
            )
        steps.update("reading", reading, thumbnail=after["picture"])
        steps.update("result", result, player=after["player"])


def _photo_of(record: Record, board: Row) -> tuple[int, bool]:
    """The photo of a board, and whether the record did not have it yet."""
    known = record.value(
        "UPDATE photo SET error = NULL WHERE sha256 = ? RETURNING id", board["sha256"]
    )
    if known is not None:
        return int(known), False
    facts = {name: board[name] for name in ("sha256", "name", "taken", "taken_from", "added")}
    return record.add("photo", id=rows.next_number(record, "photo"), **facts), True


def _correction(result: int, made: str, who: str, before: Row, after: Row) -> JsonObject:
    """The columns of the correction that leads from what was said to what is said."""
    old, new = json.loads(before["answers"]), json.loads(after["answers"])
    changes = {
        place: (old.get(place, _UNKNOWN), new.get(place, rows.AS_READ))
        for place in {**old, **new}
        if old.get(place) != new.get(place)
    }
    return {
        "result": result,
        "made": made,
        "who": who or rows.UNNAMED,
        "changes": json.dumps(changes),
        "json": after["json"],
    }
