"""Tables of players and the games that they become.

A table knows its players before any sheet is read. Photos come in any order, from several phones:
each change is one transaction, so that two photos never take one seat. A sheet has at most one
seat. Once somebody asked who won, the table has a game, which follows every later change.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from datetime import datetime

from brikks_vision import errors
from brikks_vision.reading import NO_SETTINGS, GameSettings
from brikks_vision.record import changes, entries, rows
from brikks_vision.record.database import Record, snapshot, transaction
from brikks_vision.record.results import list_results
from brikks_vision.record.rows import check_result, player_number, utc_now

MIN_SHEETS = 2  # of a game: one alone has no ranking


def games_left(record: Record, results: Sequence[int]) -> tuple[entries.GameLeft, ...]:
    """The games that sheets would leave if they were put into a new one.

    Whoever is asked is told what stays: a game of which one sheet stays is no game any more.
    """
    sheets: dict[int, list[int]] = {}
    for number, game in record.rows(
        "SELECT id, game FROM result WHERE game IS NOT NULL ORDER BY id"
    ):
        sheets.setdefault(game, []).append(number)
    return tuple(
        entries.GameLeft(
            game,
            tuple(each for each in inside if each in results),
            tuple(each for each in inside if each not in results),
        )
        for game, inside in sorted(sheets.items())
        if len(inside) >= MIN_SHEETS and not set(inside).isdisjoint(results)
    )


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
        left = games_left(record, results)
        if left and not leaving:
            first = left[0]
            if set(first.leaving) != set(results) or first.staying:
                raise errors.SheetsInOtherGame(", ".join(map(str, first.leaving)), first.game)
            game = first.game
            steps.update("game", game, settings=json.dumps(settings))
        else:
            game = steps.insert("game", made=utc_now(), settings=json.dumps(settings))
        for result in results:
            check_result(record, result)
            steps.update("result", result, game=game)
        steps.delete("game", "id NOT IN (SELECT game FROM result WHERE game IS NOT NULL)")
        rows.update(record, "change", steps.change, {"number": game})
    return game


def remove_game(record: Record, number: int, who: str = "") -> None:
    """Take a game apart; its sheets stay; raises GameMissing, RecordFailure."""
    with changes.changing(record, entries.ChangeKind.GAME_REMOVED, who, number) as steps:
        for (result,) in record.rows("SELECT id FROM result WHERE game = ?", number):
            steps.update("result", result, game=None)
        record.row_or(errors.GameMissing(number), "SELECT 1 FROM game WHERE id = ?", number)
        steps.delete("game", "id = ?", number)


def get_game(record: Record, number: int) -> entries.Game:
    """The game of that number with its sheets.

    Raises GameMissing: there is none, or all of its sheets have left it.
    """
    row = record.row_or(errors.GameMissing(number), "SELECT * FROM game WHERE id = ?", number)
    results = list_results(record, entries.Filters(game=number))
    if not results:
        raise errors.GameMissing(number)
    made = datetime.fromisoformat(row["made"])
    return entries.Game(row["id"], made, json.loads(row["settings"]), results)


def list_games(record: Record) -> tuple[entries.Game, ...]:
    """All games, oldest first, without those that all sheets but one have left."""
    with snapshot(record):
        games = record.rows(
            "SELECT game FROM result WHERE game IS NOT NULL GROUP BY game"
            " HAVING count(*) >= ? ORDER BY game",
            MIN_SHEETS,
        )
        return tuple(get_game(record, game) for (game,) in games)


def make_table(record: Record, names: Sequence[str], settings: GameSettings = NO_SETTINGS) -> int:
    """A table with a seat for each name, in that order; its number. Empty names are left out.

    Raises NameTwice: two names are one player's; NameTooLong, RecordFailure.
    """
    with transaction(record):
        number = record.add("play_table", made=utc_now(), settings=json.dumps(settings))
        for name in names:
            add_seat(record, number, name)
    return number


def get_table(record: Record, number: int) -> entries.Table:
    """The table of that number with its seats; raises TableMissing."""
    row = _row_of(record, number)
    seats = record.rows(
        "SELECT seat.id, player.name, seat.result FROM seat"
        " LEFT JOIN player ON player.id = seat.player WHERE play_table = ? ORDER BY seat.id",
        number,
    )
    lying = f"{rows.RESULTS} WHERE result.id IN (SELECT result FROM seat WHERE play_table = ?)"
    results = {each["id"]: rows.result_of(each) for each in record.rows(lying, number)}
    return entries.Table(
        row["id"],
        datetime.fromisoformat(row["made"]),
        json.loads(row["settings"]),
        row["game"],
        # a result that was removed between the two questions has left its seat
        tuple(entries.Seat(seat, name, results.get(result)) for seat, name, result in seats),
        table_version(record, number),
    )


def list_tables(record: Record, limit: int) -> tuple[entries.Table, ...]:
    """The newest tables, the newest first."""
    with snapshot(record):
        newest = record.rows("SELECT id FROM play_table ORDER BY id DESC LIMIT ?", limit)
        return tuple(get_table(record, number) for (number,) in newest)


def table_version(record: Record, number: int) -> str:
    """`Table.version` alone; raises TableMissing."""
    _row_of(record, number)
    found = record.rows(
        "SELECT play_table.settings, play_table.game, seat.id, seat.player, seat.result,"
        " result.player, best, (SELECT max(id) FROM correction WHERE correction.result = result.id)"
        " FROM play_table LEFT JOIN seat ON seat.play_table = play_table.id"
        " LEFT JOIN result ON result.id = seat.result WHERE play_table.id = ? ORDER BY seat.id",
        number,
    )
    return "/".join(".".join("" if each is None else str(each) for each in row) for row in found)


def table_of(record: Record, result: int) -> int | None:
    """The table at which a sheet has its seat."""
    found: int | None = record.value("SELECT play_table FROM seat WHERE result = ?", result)
    return found


def remembered_names(record: Record, limit: int) -> tuple[str, ...]:
    """Names of players who have a result or sat at a table; those who sat last come first."""
    found = record.rows(
        "SELECT name FROM player LEFT JOIN seat ON seat.player = player.id"
        " WHERE seat.id IS NOT NULL OR player.id IN (SELECT player FROM result)"
        " GROUP BY player.id ORDER BY max(seat.play_table) DESC NULLS LAST, min(seat.id), key"
        " LIMIT ?",
        limit,
    )
    return tuple(name for (name,) in found)


def seat_results(
    record: Record, number: int, results: Sequence[int], seat: int | None = None
) -> entries.SeatAssignment:
    """Deal the sheets of a photo to the seats of a table.

    A sheet that has a seat here keeps it. One whose player the record knows goes to that player's
    seat, the others to the free seats in their order; where none is left, a seat without a name
    is added. No sheet changes its player: where the record knows another one than the seat does,
    both stay, to be asked for. ``seat``: where a single sheet goes, whatever lies there.
    """
    seated: list[int] = []
    elsewhere: list[int] = []
    with transaction(record):
        _row_of(record, number)
        if seat is not None:
            _check_seat(record, number, seat)
        new = []
        for result in dict.fromkeys(results):
            check_result(record, result)
            row = record.row("SELECT id, play_table FROM seat WHERE result = ?", result)
            if row is None and not _is_in_another_game(record, number, result):
                new.append(result)
            elif row is None or row["play_table"] != number:
                elsewhere.append(result)
            else:
                if seat is not None and seat != row["id"] and len(results) == 1:
                    _swap(record, row["id"], seat)
                seated.append(result)
        if seat is not None and len(new) == 1 == len(results):
            _take_seat(record, seat, new.pop())
            seated.append(results[0])
        seated += new
        _deal(record, number, new)
        _follow_game(record, number)
    return entries.SeatAssignment(tuple(seated), tuple(elsewhere))


def bring_result(record: Record, number: int, result: int) -> None:
    """Let a sheet leave the table and the game that it is in, and deal it to this table.

    A game that is left with one sheet is no game any more.
    """
    with transaction(record):
        _row_of(record, number)
        check_result(record, result)
        before = table_of(record, result)
        record.execute("UPDATE seat SET result = NULL WHERE result = ?", result)
        if before is not None:
            _follow_game(record, before)
        _leave_game(record, result)
        _deal(record, number, [result])
        _follow_game(record, number)


def add_seat(record: Record, number: int, name: str) -> None:
    """A seat for one more player; a name that shows nothing adds none.

    Raises TableMissing, NameTwice, NameTooLong, RecordFailure.
    """
    with transaction(record):
        _row_of(record, number)
        player = player_number(record, name)
        if player is not None:
            _check_name(record, number, player, None)
            record.add("seat", play_table=number, player=player)


def name_seat(record: Record, number: int, seat: int, name: str) -> None:
    """Say who sits there, and so whose the sheet is that lies there.

    Raises SeatMissing, NameTwice, NameTooLong, RecordFailure.
    """
    with transaction(record):
        _check_seat(record, number, seat)
        player = player_number(record, name)
        if player is not None:
            _check_name(record, number, player, seat)
        rows.update(record, "seat", seat, {"player": player})
        _give_sheet_to_its_player(record, seat)


def swap_seats(record: Record, number: int, one: int, other: int) -> None:
    """Let the sheets of two players change places; where one has none, the other's moves there."""
    with transaction(record):
        _check_seat(record, number, one)
        _check_seat(record, number, other)
        if one != other:
            _swap(record, one, other)


def clear_seat(record: Record, number: int, seat: int) -> None:
    """Take the sheet away, which stays in the record; where none lies, the seat goes.

    A seat without a name goes with its sheet.
    """
    with transaction(record):
        _check_seat(record, number, seat)
        record.execute("DELETE FROM seat WHERE id = ? AND (result IS NULL OR player IS NULL)", seat)
        rows.update(record, "seat", seat, {"result": None})
        _follow_game(record, number)


def say_table(record: Record, number: int, settings: GameSettings) -> None:
    """Say with which settings all play; raises TableMissing, RecordFailure."""
    with transaction(record):
        _row_of(record, number)
        rows.update(record, "play_table", number, {"settings": json.dumps(settings)})
        _follow_game(record, number)


def finish_table(record: Record, number: int, *, leaving: bool = False) -> int:
    """The game that the sheets of a table make; the same one when asked again.

    ``leaving``: a person agreed that sheets leave the games that they are in.

    Raises TableMissing, and all that `make_game` raises.
    """
    table = get_table(record, number)
    if table.game is not None:
        return table.game
    sheets = [result.id for result in table.results]
    game = make_game(record, sheets, table.settings, leaving=leaving)
    # another phone may have put the same sheets into a game of its own meanwhile
    query = "UPDATE play_table SET game = (SELECT id FROM game WHERE id = ?) WHERE id = ?"
    with transaction(record):
        record.execute(query, game, number)
    return game


def remove_table(record: Record, number: int) -> None:
    """Clear a table; its sheets and its game stay in the record."""
    with transaction(record):
        _row_of(record, number)
        record.execute("DELETE FROM play_table WHERE id = ?", number)


def _row_of(record: Record, number: int) -> sqlite3.Row:
    """Raises TableMissing."""
    query = "SELECT * FROM play_table WHERE id = ?"
    return record.row_or(errors.TableMissing(number), query, number)


def _check_seat(record: Record, table: int, seat: int) -> None:
    query = "SELECT 1 FROM seat WHERE id = ? AND play_table = ?"
    record.row_or(errors.SeatMissing(), query, seat, table)


def _check_name(record: Record, table: int, player: int, besides: int | None) -> None:
    name = record.value(
        "SELECT player.name FROM seat JOIN player ON player.id = seat.player"
        " WHERE play_table = ? AND player.id = ? AND seat.id IS NOT ?",
        *(table, player, besides),
    )
    if name is not None:
        raise errors.NameTwice(name)


def _deal(record: Record, table: int, results: Sequence[int]) -> None:
    """Lay each sheet on a free seat, its player's own if there is one, else on a new one."""
    free: dict[int, int | None] = {
        seat: player
        for seat, player in record.rows(
            "SELECT id, player FROM seat WHERE play_table = ? AND result IS NULL"
            " ORDER BY player IS NULL, id",
            table,
        )
    }
    own: dict[int, int] = {}
    for result in results:
        player = record.value("SELECT player FROM result WHERE id = ?", result)
        for seat, sitting in free.items():
            if player is not None and sitting == player and seat not in own.values():
                own[result] = seat
    others = [seat for seat in free if seat not in own.values()]
    for result in results:
        seat = own[result] if result in own else others.pop(0) if others else 0
        _take_seat(record, seat or record.add("seat", play_table=table), result)


def _take_seat(record: Record, seat: int, result: int) -> None:
    """Lay a sheet down; who sits there and whose it is tell each other what only one knows."""
    rows.update(record, "seat", seat, {"result": result})
    record.execute(
        "UPDATE result SET player = (SELECT player FROM seat WHERE id = ?)"
        " WHERE id = ? AND player IS NULL",
        seat,
        result,
    )
    record.execute(
        "UPDATE seat SET player = (SELECT player FROM result WHERE id = ?1)"
        " WHERE id = ?2 AND player IS NULL AND NOT EXISTS (SELECT 1 FROM seat AS other"
        " WHERE other.play_table = seat.play_table"
        " AND other.player = (SELECT player FROM result WHERE id = ?1))",
        result,
        seat,
    )


def _swap(record: Record, one: int, other: int) -> None:
    query = "SELECT result FROM seat WHERE id = ?"
    sheets = record.value(query, one), record.value(query, other)
    record.execute("UPDATE seat SET result = NULL WHERE id IN (?, ?)", one, other)
    for seat, result in zip((other, one), sheets, strict=True):
        rows.update(record, "seat", seat, {"result": result})
    for seat in (one, other):
        _give_sheet_to_its_player(record, seat)


def _give_sheet_to_its_player(record: Record, seat: int) -> None:
    record.execute(
        "UPDATE result SET player = (SELECT player FROM seat WHERE id = ?1)"
        " WHERE id = (SELECT result FROM seat WHERE id = ?1)",
        seat,
    )


def _follow_game(record: Record, table: int) -> None:
    """Let the game that a table became have the sheets that lie there now."""
    row = _row_of(record, table)
    if row["game"] is None:
        return
    here = "(SELECT result FROM seat WHERE play_table = ? AND result IS NOT NULL)"
    gone = f"UPDATE result SET game = NULL WHERE game = ? AND id NOT IN {here}"
    record.execute(gone, row["game"], table)
    record.execute(f"UPDATE result SET game = ? WHERE id IN {here}", row["game"], table)
    rows.update(record, "game", row["game"], {"settings": row["settings"]})


def _is_in_another_game(record: Record, table: int, result: int) -> bool:
    found = record.row(
        "SELECT 1 FROM result WHERE id = ? AND game IS NOT NULL"
        " AND game IS NOT (SELECT game FROM play_table WHERE id = ?)",
        result,
        table,
    )
    return found is not None


def _leave_game(record: Record, result: int) -> None:
    game = record.value("SELECT game FROM result WHERE id = ?", result)
    rows.update(record, "result", result, {"game": None})
    left = record.value("SELECT count(*) FROM result WHERE game = ?", game)
    if game is not None and left < MIN_SHEETS:
        record.execute("UPDATE result SET game = NULL WHERE game = ?", game)
        record.execute("DELETE FROM game WHERE id = ?", game)
