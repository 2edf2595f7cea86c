"""Sheets of one game, put together and taken apart."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from brikks_vision.errors import GameMissing, SheetsInOtherGame
from brikks_vision.reading import NO_SETTINGS, GameSettings
from brikks_vision.record.changes import changing
from brikks_vision.record.database import Record, failures_named, snapshot
from brikks_vision.record.entries import ChangeKind, Filters, Game, GameLeft
from brikks_vision.record.results import list_results
from brikks_vision.record.rows import check_result, instant_of, utc_now
from brikks_vision.record.steps import delete, insert, update

MIN_SHEETS = 2  # of a game: one alone has no ranking


def games_left(record: Record, results: Sequence[int]) -> tuple[GameLeft, ...]:
    """The games that sheets would leave if they were put into a new one.

    Whoever is asked is told what stays: a game of which one sheet stays is no game any more.
    """
    with failures_named(record.path):
        return _games_left(record.connection, results)


def make_game(
    record: Record,
    results: Sequence[int],
    settings: GameSettings = NO_SETTINGS,
    *,
    leaving: bool = False,
    who: str = "",
) -> int:
    """Put the sheets of one game together; its number.

    Where they are a game already, and do not leave it, it stays with what is now said of it.

    ``leaving``: a person agreed that the sheets leave the games that they are in (see
    `games_left`). ``who``: who put them together.

    Raises
    ------
    SheetsInOtherGame
        A sheet is in another game, and nobody agreed that it leaves it.
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with changing(record, ChangeKind.GAME, who) as steps:
        left = _games_left(steps.connection, results)
        if left and not leaving:
            first = left[0]
            if set(first.leaving) != set(results) or first.staying:
                raise SheetsInOtherGame(", ".join(map(str, first.leaving)), first.game)
            game = first.game
            update(steps, "game", game, settings=json.dumps(settings))
        else:
            game = insert(steps, "game", made=utc_now(), settings=json.dumps(settings))
        for result in results:
            check_result(steps.connection, result)
            update(steps, "result", result, game=game)
        delete(steps, "game", "id NOT IN (SELECT game FROM result WHERE game IS NOT NULL)")
        steps.connection.execute("UPDATE change SET number = ? WHERE id = ?", (game, steps.change))
    return game


def remove_game(record: Record, number: int, who: str = "") -> None:
    """Take a game apart; its sheets stay.

    Raises
    ------
    GameMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with changing(record, ChangeKind.GAME_REMOVED, who, number) as steps:
        rows = steps.connection.execute(
            "SELECT id FROM result WHERE game = ?", (number,)
        ).fetchall()
        for row in rows:
            update(steps, "result", row["id"], game=None)
        if (
            steps.connection.execute("SELECT 1 FROM game WHERE id = ?", (number,)).fetchone()
            is None
        ):
            raise GameMissing(number)
        delete(steps, "game", "id = ?", number)


def get_game(record: Record, number: int) -> Game:
    """The game of that number with its sheets.

    Raises
    ------
    GameMissing
        There is none, or all of its sheets have left it.
    """
    with failures_named(record.path):
        row = record.connection.execute("SELECT * FROM game WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise GameMissing(number)
    results = list_results(record, Filters(game=number))
    if not results:
        raise GameMissing(number)
    return Game(row["id"], instant_of(row["made"]), json.loads(row["settings"]), results)


def list_games(record: Record) -> tuple[Game, ...]:
    """All games, oldest first, without those that all sheets but one have left."""
    with snapshot(record):
        rows = record.connection.execute(
            "SELECT game FROM result WHERE game IS NOT NULL GROUP BY game"
            " HAVING count(*) >= ? ORDER BY game",
            (MIN_SHEETS,),
        ).fetchall()
        return tuple(get_game(record, row["game"]) for row in rows)


def _games_left(connection: sqlite3.Connection, results: Sequence[int]) -> tuple[GameLeft, ...]:
    sheets: dict[int, list[int]] = {}
    rows = connection.execute("SELECT id, game FROM result WHERE game IS NOT NULL ORDER BY id")
    for row in rows.fetchall():
        sheets.setdefault(row["game"], []).append(row["id"])
    return tuple(
        GameLeft(
            game,
            tuple(each for each in inside if each in results),
            tuple(each for each in inside if each not in results),
        )
        for game, inside in sorted(sheets.items())
        if len(inside) >= MIN_SHEETS and not set(inside).isdisjoint(results)
    )
