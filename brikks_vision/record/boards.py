"""Photos of game boards and what stands on them: adding, finding, removing.

A board has no total: it is no result, and is in no game, table, statistic or question.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import replace

from brikks_vision.errors import BoardMissing
from brikks_vision.games import reading_from
from brikks_vision.reading import ReadBoard
from brikks_vision.record.changes import changing, delete, next_number, update
from brikks_vision.record.database import Record, failures_named, transaction
from brikks_vision.record.entries import AddedBoard, ChangeKind, PhotoFacts, RecordedBoard
from brikks_vision.record.rows import (
    as_recorded,
    facts_of,
    instant_of,
    player_number,
    reading_json,
    utc_now,
    wall_clock,
)

_BOARDS = """
SELECT board.id, sha256, board.name, taken, taken_from, added, json, answers, player.name AS player
FROM board
LEFT JOIN player ON player.id = board.player
"""


def add_board(
    record: Record,
    photo: PhotoFacts,
    reading: ReadBoard,
    picture: bytes,
    answers: Mapping[str, str] | None = None,
    player: str | None = None,
) -> AddedBoard:
    """Record a photo of a board, once: of one that is known, only other answers change anything.

    Parameters
    ----------
    picture : a small JPEG with the reading drawn on it.
    answers : what a person says of fields now, by place; ``reading`` is read with it. It replaces
        what was said of a photo that is known, with reading and picture, and can be undone (see
        `brikks_vision.record.changes`). None: nothing is said now; what was said before holds.
    player : who says so; None or a name that shows nothing leaves who was named before. A name
        without answers only fills what was open.

    Raises
    ------
    RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    photo = as_recorded(photo)
    known = find_board(record, photo.sha256)
    if known is None:
        return _new_board(record, photo, reading, picture, answers or {}, player)
    if answers is not None:
        _replace(record, known, reading, picture, answers, player)
    elif known.player is None and player is not None:
        with transaction(record) as connection:
            connection.execute(
                "UPDATE board SET player = ? WHERE id = ? AND player IS NULL",
                (player_number(connection, player), known.id),
            )
    return AddedBoard(known.id, is_new=False)


def _new_board(
    record: Record,
    photo: PhotoFacts,
    reading: ReadBoard,
    picture: bytes,
    answers: Mapping[str, str],
    player: str | None,
) -> AddedBoard:
    with transaction(record) as connection:
        number = next_number(connection, "board")
        row = connection.execute(
            "INSERT INTO board (id, sha256, name, taken, taken_from, added, game, sheet, player,"
            " json, answers, picture) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            " ON CONFLICT (sha256) DO NOTHING RETURNING id",
            (
                number,
                photo.sha256,
                photo.name,
                wall_clock(photo.taken),
                photo.taken_from,
                utc_now(),
                reading.game,
                reading.sheet,
                player_number(connection, player),
                reading_json(replace(reading, photo=photo.name)),
                json.dumps(dict(answers)),
                picture,
            ),
        ).fetchone()
        if row is None:  # another program has recorded it meanwhile
            (number,) = connection.execute(
                "SELECT id FROM board WHERE sha256 = ?", (photo.sha256,)
            ).fetchone()
    return AddedBoard(int(number), is_new=row is not None)


def _replace(
    record: Record,
    known: RecordedBoard,
    reading: ReadBoard,
    picture: bytes,
    answers: Mapping[str, str],
    player: str | None,
) -> None:
    with changing(record, ChangeKind.BOARD, player or "", known.id) as steps:
        _check_board(steps.connection, known.id)
        update(
            steps,
            "board",
            known.id,
            game=reading.game,
            sheet=reading.sheet,
            json=reading_json(replace(reading, photo=known.photo.name)),
            answers=json.dumps(dict(answers)),
            picture=picture,
        )
        number = player_number(steps.connection, player)
        if number is not None:
            update(steps, "board", known.id, player=number)


def find_board(record: Record, sha256: str) -> RecordedBoard | None:
    """The board in the photo with this content, or None where it was never recorded."""
    with failures_named(record.path):
        row = record.connection.execute(_BOARDS + " WHERE sha256 = ?", (sha256,)).fetchone()
    return None if row is None else _board_of(row)


def get_board(record: Record, number: int) -> RecordedBoard:
    """The board of that number; raises BoardMissing."""
    with failures_named(record.path):
        row = record.connection.execute(_BOARDS + " WHERE board.id = ?", (number,)).fetchone()
    if row is None:
        raise BoardMissing(number)
    return _board_of(row)


def list_boards(record: Record) -> tuple[RecordedBoard, ...]:
    """All boards, by the time their photo was taken, oldest first."""
    with failures_named(record.path):
        rows = record.connection.execute(_BOARDS + " ORDER BY taken, board.id").fetchall()
    return tuple(_board_of(row) for row in rows)


def board_picture(record: Record, number: int) -> bytes:
    """The small JPEG of a board with the reading drawn on it; raises BoardMissing."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT picture FROM board WHERE id = ?", (number,)
        ).fetchone()
    if row is None:
        raise BoardMissing(number)
    return bytes(row["picture"])


def remove_board(record: Record, number: int, who: str = "") -> None:
    """Forget a board, its picture and what was said of it.

    It can be undone (see `brikks_vision.record.changes`) until many other things were changed.
    ``who``: who says so.

    Raises
    ------
    BoardMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with changing(record, ChangeKind.BOARD_REMOVED, who, number) as steps:
        _check_board(steps.connection, number)
        delete(steps, "board", "id = ?", number)


def _check_board(connection: sqlite3.Connection, number: int) -> None:
    if connection.execute("SELECT 1 FROM board WHERE id = ?", (number,)).fetchone() is None:
        raise BoardMissing(number)


def _board_of(row: sqlite3.Row) -> RecordedBoard:
    reading = reading_from(json.loads(row["json"]))
    assert isinstance(reading, ReadBoard)
    return RecordedBoard(
        id=row["id"],
        reading=reading,
        photo=facts_of(row),
        added=instant_of(row["added"]),
        player=row["player"],
        answers=json.loads(row["answers"]),
    )
