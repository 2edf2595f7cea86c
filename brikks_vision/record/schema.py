"""The tables of the record, and what leads from each version to the next."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from importlib import resources
from typing import TYPE_CHECKING

from brikks_vision.codec import JsonObject
from brikks_vision.games import ONLY_ONE
from brikks_vision.record import rows

if TYPE_CHECKING:
    from brikks_vision.record.database import Record

APPLICATION_ID = 0x42524B56  # "BRKV", in the header of every record
_VERSIONS = resources.files("brikks_vision").joinpath("record", "versions")
SCHEMA_VERSION = sum(each.name.endswith(".sql") for each in _VERSIONS.iterdir())


def statements(version: int) -> list[str]:
    """What leads to a version from the one before; never changed, only added to."""
    return _VERSIONS.joinpath(f"{version}.sql").read_text("utf-8").split(";\n")


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
