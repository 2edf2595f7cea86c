"""Tables of players and the games that they become.

A table knows its players before any sheet is read. Photos come in any order, from several phones:
each change is one transaction, so that two photos never take one seat. A sheet has at most one
seat. Once somebody asked who won, the table has a game, which follows every later change.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence

from brikks_vision import errors
from brikks_vision.reading import NO_SETTINGS, GameSettings
from brikks_vision.record import changes, entries
from brikks_vision.record.database import Record, failures_named, snapshot, transaction
from brikks_vision.record.results import list_results
from brikks_vision.record.rows import (
    RESULTS,
    check_result,
    delete,
    insert,
    instant_of,
    player_number,
    result_of,
    update,
    utc_now,
)

MIN_SHEETS = 2  # of a game: one alone has no ranking


def games_left(record: Record, results: Sequence[int]) -> tuple[entries.GameLeft, ...]:
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

    Raises SheetsInOtherGame: a sheet is in another game, and nobody agreed that it leaves it;
    ResultMissing, RecordFailure.
    """
    with changes.changing(record, entries.ChangeKind.GAME, who) as steps:
        left = _games_left(steps.connection, results)
        if left and not leaving:
            first = left[0]
            if set(first.leaving) != set(results) or first.staying:
                raise errors.SheetsInOtherGame(", ".join(map(str, first.leaving)), first.game)
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
    """Take a game apart; its sheets stay; raises GameMissing, RecordFailure."""
    with changes.changing(record, entries.ChangeKind.GAME_REMOVED, who, number) as steps:
        rows = steps.connection.execute(
            "SELECT id FROM result WHERE game = ?", (number,)
        ).fetchall()
        for row in rows:
            update(steps, "result", row["id"], game=None)
        if (
            steps.connection.execute("SELECT 1 FROM game WHERE id = ?", (number,)).fetchone()
            is None
        ):
            raise errors.GameMissing(number)
        delete(steps, "game", "id = ?", number)


def get_game(record: Record, number: int) -> entries.Game:
    """The game of that number with its sheets.

    Raises GameMissing: there is none, or all of its sheets have left it.
    """
    with failures_named(record.path):
        row = record.connection.execute("SELECT * FROM game WHERE id = ?", (number,)).fetchone()
    if row is None:
        raise errors.GameMissing(number)
    results = list_results(record, entries.Filters(game=number))
    if not results:
        raise errors.GameMissing(number)
    return entries.Game(row["id"], instant_of(row["made"]), json.loads(row["settings"]), results)


def list_games(record: Record) -> tuple[entries.Game, ...]:
    """All games, oldest first, without those that all sheets but one have left."""
    with snapshot(record):
        rows = record.connection.execute(
            "SELECT game FROM result WHERE game IS NOT NULL GROUP BY game"
            " HAVING count(*) >= ? ORDER BY game",
            (MIN_SHEETS,),
        ).fetchall()
        return tuple(get_game(record, row["game"]) for row in rows)


def _games_left(
    connection: sqlite3.Connection, results: Sequence[int]
) -> tuple[entries.GameLeft, ...]:
    sheets: dict[int, list[int]] = {}
    rows = connection.execute("SELECT id, game FROM result WHERE game IS NOT NULL ORDER BY id")
    for row in rows.fetchall():
        sheets.setdefault(row["game"], []).append(row["id"])
    return tuple(
        entries.GameLeft(
            game,
            tuple(each for each in inside if each in results),
            tuple(each for each in inside if each not in results),
        )
        for game, inside in sorted(sheets.items())
        if len(inside) >= MIN_SHEETS and not set(inside).isdisjoint(results)
    )


def make_table(record: Record, names: Sequence[str], settings: GameSettings = NO_SETTINGS) -> int:
    """A table with a seat for each name, in that order; its number. Empty names are left out.

    Raises NameTwice: two names are one player's; NameTooLong, RecordFailure.
    """
    with transaction(record) as connection:
        (number,) = connection.execute(
            "INSERT INTO play_table (made, settings) VALUES (?, ?) RETURNING id",
            (utc_now(), json.dumps(settings)),
        ).fetchone()
        for name in names:
            player = player_number(connection, name)
            if player is not None:
                _check_name(connection, number, player, None)
                _add_seat(connection, number, player)
    return int(number)


def get_table(record: Record, number: int) -> entries.Table:
    """The table of that number with its seats; raises TableMissing."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT * FROM play_table WHERE id = ?", (number,)
        ).fetchone()
        if row is None:
            raise errors.TableMissing(number)
        seats = record.connection.execute(
            "SELECT seat.id, seat.result, player.name FROM seat"
            " LEFT JOIN player ON player.id = seat.player WHERE play_table = ? ORDER BY seat.id",
            (number,),
        ).fetchall()
        results: dict[int, entries.Result] = {
            each["id"]: result_of(each)
            for each in record.connection.execute(
                f"{RESULTS} WHERE result.id IN (SELECT result FROM seat WHERE play_table = ?)",
                (number,),
            ).fetchall()
        }
        version = _version(record.connection, number)
    return entries.Table(
        row["id"],
        instant_of(row["made"]),
        json.loads(row["settings"]),
        row["game"],
        # a result that was removed between the two questions has left its seat
        tuple(
            entries.Seat(each["id"], each["name"], results.get(each["result"])) for each in seats
        ),
        version,
    )


def list_tables(record: Record, limit: int) -> tuple[entries.Table, ...]:
    """The newest tables, the newest first."""
    with snapshot(record):
        rows = record.connection.execute(
            "SELECT id FROM play_table ORDER BY id DESC LIMIT ?", (limit,)
        ).fetchall()
        return tuple(get_table(record, row["id"]) for row in rows)


def table_version(record: Record, number: int) -> str:
    """`Table.version` alone; raises TableMissing."""
    with failures_named(record.path):
        _check_table(record.connection, number)
        return _version(record.connection, number)


def table_of(record: Record, result: int) -> int | None:
    """The table at which a sheet has its seat."""
    with failures_named(record.path):
        row = record.connection.execute(
            "SELECT play_table FROM seat WHERE result = ?", (result,)
        ).fetchone()
    return None if row is None else int(row[0])


def remembered_names(record: Record, limit: int) -> tuple[str, ...]:
    """Names of players who have a result or sat at a table; those who sat last come first."""
    with failures_named(record.path):
        rows = record.connection.execute(
            "SELECT name FROM player LEFT JOIN seat ON seat.player = player.id"
            " WHERE seat.id IS NOT NULL OR player.id IN (SELECT player FROM result)"
            " GROUP BY player.id ORDER BY max(seat.play_table) DESC NULLS LAST, min(seat.id), key"
            " LIMIT ?",
            (limit,),
        ).fetchall()
    return tuple(row["name"] for row in rows)


def seat_results(
    record: Record, number: int, results: Sequence[int], seat: int | None = None
) -> entries.SeatAssignment:
    """Deal the sheets of a photo to the seats of a table.

    A sheet that has a seat here keeps it. One whose player the record knows goes to that player's
    seat, the others to the free seats in their order; where none is left, a seat without a name
    is added. No sheet changes its player: where the record knows another one than the seat does,
    both stay, to be asked for. ``seat``: where a single sheet goes, whatever lies there.

    Raises TableMissing, SeatMissing, ResultMissing, RecordFailure.
    """
    seated: list[int] = []
    elsewhere: list[int] = []
    with transaction(record) as connection:
        _check_table(connection, number)
        if seat is not None:
            _check_seat(connection, number, seat)
        new = []
        for result in dict.fromkeys(results):
            check_result(connection, result)
            row = connection.execute(
                "SELECT id, play_table FROM seat WHERE result = ?", (result,)
            ).fetchone()
            if row is None and _is_in_another_game(connection, number, result):
                elsewhere.append(result)
            elif row is None:
                new.append(result)
            elif row["play_table"] != number:
                elsewhere.append(result)
            elif seat is not None and seat != row["id"] and len(results) == 1:
                _swap(connection, row["id"], seat)
                seated.append(result)
            else:
                seated.append(result)
        if seat is not None and len(new) == 1 == len(results):
            _take_seat(connection, seat, new.pop())
            seated.append(results[0])
        for place, result in _dealt(connection, number, new):
            _take_seat(connection, place or _add_seat(connection, number, None), result)
            seated.append(result)
        _follow_game(connection, number)
    return entries.SeatAssignment(tuple(seated), tuple(elsewhere))


def bring_result(record: Record, number: int, result: int) -> None:
    """Let a sheet leave the table and the game that it is in, and deal it to this table.

    A game that is left with one sheet is no game any more.

    Raises TableMissing, ResultMissing, RecordFailure.
    """
    with transaction(record) as connection:
        _check_table(connection, number)
        check_result(connection, result)
        row = connection.execute(
            "SELECT play_table FROM seat WHERE result = ?", (result,)
        ).fetchone()
        connection.execute("UPDATE seat SET result = NULL WHERE result = ?", (result,))
        if row is not None:
            _follow_game(connection, row["play_table"])
        _leave_game(connection, result)
        for place, _ in _dealt(connection, number, [result]):
            _take_seat(connection, place or _add_seat(connection, number, None), result)
        _follow_game(connection, number)


def add_seat(record: Record, number: int, name: str) -> None:
    """A seat for one more player; a name that shows nothing adds none.

    Raises TableMissing, NameTwice, NameTooLong, RecordFailure.
    """
    with transaction(record) as connection:
        _check_table(connection, number)
        player = player_number(connection, name)
        if player is not None:
            _check_name(connection, number, player, None)
            _add_seat(connection, number, player)


def name_seat(record: Record, number: int, seat: int, name: str) -> None:
    """Say who sits there, and so whose the sheet is that lies there.

    Raises SeatMissing, NameTwice, NameTooLong, RecordFailure.
    """
    with transaction(record) as connection:
        _check_seat(connection, number, seat)
        player = player_number(connection, name)
        if player is not None:
            _check_name(connection, number, player, seat)
        connection.execute("UPDATE seat SET player = ? WHERE id = ?", (player, seat))
        _give_sheet_to_its_player(connection, seat)


def swap_seats(record: Record, number: int, one: int, other: int) -> None:
    """Let the sheets of two players change places; where one has none, the other's moves there.

    Raises SeatMissing, RecordFailure.
    """
    with transaction(record) as connection:
        _check_seat(connection, number, one)
        _check_seat(connection, number, other)
        if one != other:
            _swap(connection, one, other)


def clear_seat(record: Record, number: int, seat: int) -> None:
    """Take the sheet away, which stays in the record; where none lies, the seat goes.

    A seat without a name goes with its sheet.

    Raises SeatMissing, RecordFailure.
    """
    with transaction(record) as connection:
        _check_seat(connection, number, seat)
        connection.execute(
            "DELETE FROM seat WHERE id = ? AND (result IS NULL OR player IS NULL)", (seat,)
        )
        connection.execute("UPDATE seat SET result = NULL WHERE id = ?", (seat,))
        _follow_game(connection, number)


def say_table(record: Record, number: int, settings: GameSettings) -> None:
    """Say with which settings all play; raises TableMissing, RecordFailure."""
    with transaction(record) as connection:
        _check_table(connection, number)
        connection.execute(
            "UPDATE play_table SET settings = ? WHERE id = ?", (json.dumps(settings), number)
        )
        _follow_game(connection, number)


def finish_table(record: Record, number: int, *, leaving: bool = False) -> int:
    """The game that the sheets of a table make; the same one when asked again.

    ``leaving``: a person agreed that sheets leave the games that they are in.

    Raises
    ------
    TableMissing, and all that `make_game` raises.
    """
    table = get_table(record, number)
    if table.game is not None:
        return table.game
    sheets = [result.id for result in table.results]
    game = make_game(record, sheets, table.settings, leaving=leaving)
    with transaction(record) as connection:
        # another phone may have put the same sheets into a game of its own meanwhile
        connection.execute(
            "UPDATE play_table SET game = (SELECT id FROM game WHERE id = ?) WHERE id = ?",
            (game, number),
        )
    return game


def remove_table(record: Record, number: int) -> None:
    """Clear a table; its sheets and its game stay in the record.

    Raises TableMissing, RecordFailure.
    """
    with transaction(record) as connection:
        _check_table(connection, number)
        connection.execute("DELETE FROM play_table WHERE id = ?", (number,))


def _check_table(connection: sqlite3.Connection, number: int) -> None:
    if connection.execute("SELECT 1 FROM play_table WHERE id = ?", (number,)).fetchone() is None:
        raise errors.TableMissing(number)


def _check_seat(connection: sqlite3.Connection, table: int, seat: int) -> None:
    row = connection.execute(
        "SELECT 1 FROM seat WHERE id = ? AND play_table = ?", (seat, table)
    ).fetchone()
    if row is None:
        raise errors.SeatMissing


def _check_name(
    connection: sqlite3.Connection, table: int, player: int, besides: int | None
) -> None:
    row = connection.execute(
        "SELECT player.name FROM seat JOIN player ON player.id = seat.player"
        " WHERE play_table = ? AND player.id = ? AND seat.id IS NOT ?",
        (table, player, besides),
    ).fetchone()
    if row is not None:
        raise errors.NameTwice(row[0])


def _add_seat(connection: sqlite3.Connection, table: int, player: int | None) -> int:
    (seat,) = connection.execute(
        "INSERT INTO seat (play_table, player) VALUES (?, ?) RETURNING id", (table, player)
    ).fetchone()
    return int(seat)


def _dealt(
    connection: sqlite3.Connection, table: int, results: Sequence[int]
) -> list[tuple[int | None, int]]:
    """A free seat for each sheet, and the sheet; None where there is no seat left."""
    free = {
        int(row["id"]): row["player"]
        for row in connection.execute(
            "SELECT id, player FROM seat WHERE play_table = ? AND result IS NULL"
            " ORDER BY player IS NULL, id",
            (table,),
        ).fetchall()
    }
    players = {
        result: connection.execute("SELECT player FROM result WHERE id = ?", (result,)).fetchone()[
            0
        ]
        for result in results
    }
    own: dict[int, int] = {}
    for result, player in players.items():
        for seat, sitting in free.items():
            if player is not None and sitting == player and seat not in own.values():
                own[result] = seat
    others = [seat for seat in free if seat not in own.values()]
    return [
        (own[result] if result in own else others.pop(0) if others else None, result)
        for result in results
    ]


def _take_seat(connection: sqlite3.Connection, seat: int, result: int) -> None:
    """Lay a sheet down; who sits there and whose it is tell each other what only one knows."""
    connection.execute("UPDATE seat SET result = ? WHERE id = ?", (result, seat))
    connection.execute(
        "UPDATE result SET player = (SELECT player FROM seat WHERE id = ?)"
        " WHERE id = ? AND player IS NULL",
        (seat, result),
    )
    connection.execute(
        "UPDATE seat SET player = (SELECT player FROM result WHERE id = :result)"
        " WHERE id = :seat AND player IS NULL AND NOT EXISTS (SELECT 1 FROM seat AS other"
        " WHERE other.play_table = seat.play_table"
        " AND other.player = (SELECT player FROM result WHERE id = :result))",
        {"result": result, "seat": seat},
    )


def _swap(connection: sqlite3.Connection, one: int, other: int) -> None:
    sheets = {
        seat: connection.execute("SELECT result FROM seat WHERE id = ?", (seat,)).fetchone()[0]
        for seat in (one, other)
    }
    connection.execute("UPDATE seat SET result = NULL WHERE id IN (?, ?)", (one, other))
    for seat, result in ((one, sheets[other]), (other, sheets[one])):
        connection.execute("UPDATE seat SET result = ? WHERE id = ?", (result, seat))
        _give_sheet_to_its_player(connection, seat)


def _give_sheet_to_its_player(connection: sqlite3.Connection, seat: int) -> None:
    connection.execute(
        "UPDATE result SET player = (SELECT player FROM seat WHERE id = ?)"
        " WHERE id = (SELECT result FROM seat WHERE id = ?)",
        (seat, seat),
    )


def _follow_game(connection: sqlite3.Connection, table: int) -> None:
    """Let the game that a table became have the sheets that lie there now."""
    row = connection.execute("SELECT * FROM play_table WHERE id = ?", (table,)).fetchone()
    if row["game"] is None:
        return
    here = "(SELECT result FROM seat WHERE play_table = :table AND result IS NOT NULL)"
    names = {"table": table, "game": row["game"]}
    connection.execute(
        f"UPDATE result SET game = NULL WHERE game = :game AND id NOT IN {here}", names
    )
    connection.execute(f"UPDATE result SET game = :game WHERE id IN {here}", names)
    connection.execute(
        "UPDATE game SET settings = ? WHERE id = ?",
        (row["settings"], row["game"]),
    )


def _is_in_another_game(connection: sqlite3.Connection, table: int, result: int) -> bool:
    row = connection.execute(
        "SELECT 1 FROM result WHERE id = ? AND game IS NOT NULL"
        " AND game IS NOT (SELECT game FROM play_table WHERE id = ?)",
        (result, table),
    ).fetchone()
    return row is not None


def _leave_game(connection: sqlite3.Connection, result: int) -> None:
    (game,) = connection.execute("SELECT game FROM result WHERE id = ?", (result,)).fetchone()
    connection.execute("UPDATE result SET game = NULL WHERE id = ?", (result,))
    (left,) = connection.execute("SELECT count(*) FROM result WHERE game = ?", (game,)).fetchone()
    if game is not None and left < 2:
        connection.execute("UPDATE result SET game = NULL WHERE game = ?", (game,))
        connection.execute("DELETE FROM game WHERE id = ?", (game,))


def _version(connection: sqlite3.Connection, table: int) -> str:
    rows = connection.execute(
        "SELECT play_table.settings, play_table.game, seat.id, seat.player, seat.result,"
        " result.player, best, (SELECT max(id) FROM correction WHERE correction.result = result.id)"
        " FROM play_table LEFT JOIN seat ON seat.play_table = play_table.id"
        " LEFT JOIN result ON result.id = seat.result WHERE play_table.id = ? ORDER BY seat.id",
        (table,),
    ).fetchall()
    return "/".join(".".join("" if value is None else str(value) for value in row) for row in rows)
