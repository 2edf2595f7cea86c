"""Steps from one version of the record to the next that need more than SQL statements."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from typing import Any

from brikks_vision.games import ONLY_ONE
from brikks_vision.record.rows import AS_READ, UNNAMED
from brikks_vision.record.steps import Steps, delete, insert, next_number, update, value_of

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


Row = dict[str, Any]
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


def _correction(result: int, made: str, who: str, before: Row, after: Row) -> dict[str, Any]:
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
