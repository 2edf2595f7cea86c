"""Sheets of one game, put together and taken apart."""

from __future__ import annotations

from collections.abc import Sequence

from brikks_vision.errors import (
    GameMissing,
)
from brikks_vision.record.database import Record, failures_named, transaction
from brikks_vision.record.entries import Filters, Game
from brikks_vision.record.results import list_results
from brikks_vision.record.rows import check_result, instant_of, utc_now


def make_game(
    record: Record, results: Sequence[int], level: int | None = None, variant: str | None = None
) -> int:
    """Put the sheets of one game together; its number. A sheet leaves the game it was in.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with transaction(record) as connection:
        (game,) = connection.execute(
            "INSERT INTO game (made, level, variant) VALUES (?, ?, ?) RETURNING id",
            (utc_now(), level, variant),
        ).fetchone()
        for result in results:
            check_result(connection, result)
            connection.execute("UPDATE result SET game = ? WHERE id = ?", (game, result))
        connection.execute(
            "DELETE FROM game WHERE id NOT IN (SELECT game FROM result WHERE game IS NOT NULL)"
        )
    return int(game)


def remove_game(record: Record, number: int) -> None:
    """Take a game apart; its sheets stay.

    Raises
    ------
    GameMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with transaction(record) as connection:
        connection.execute("UPDATE result SET game = NULL WHERE game = ?", (number,))
        if connection.execute("DELETE FROM game WHERE id = ?", (number,)).rowcount == 0:
            raise GameMissing(number)


def get_game(record: Record, number: int) -> Game:
    """The game of that number with its sheets; raises GameMissing."""
    with failures_named(record.path):
        row = record.connection.execute("SELECT * FROM game WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise GameMissing(number)
    results = list_results(record, Filters(game=number))
    return Game(row["id"], instant_of(row["made"]), row["level"], row["variant"], results)


def list_games(record: Record) -> tuple[Game, ...]:
    """All games, oldest first."""
    with failures_named(record.path):
        rows = record.connection.execute("SELECT id FROM game ORDER BY id").fetchall()
    return tuple(get_game(record, row["id"]) for row in rows)
