"""The sheets of a photo and the table that they lie on: which seat they get, what they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from urllib.parse import urlencode

from brikks_vision.errors import (
    OtherGameAtTable,
    SheetsInOtherGame,
    SheetsNotOneGame,
    SheetsOfDifferentGames,
)
from brikks_vision.games import GAMES, game_named, game_of_all, layout_of
from brikks_vision.intake.corrections import correct_game, sheet_now
from brikks_vision.layout import layouts_of
from brikks_vision.reading import GameSettings
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Result, SeatAssignment, Table
from brikks_vision.record.results import get_result
from brikks_vision.record.tables import (
    finish_table,
    get_table,
    make_table,
    seat_results,
    table_of,
)
from brikks_vision.web.service import Service


def assign_sheets(
    service: Service, number: int | None, seat: int | None, results: Sequence[int], language: str
) -> tuple[int | None, SeatAssignment]:
    """Deal the sheets of a photo; the table, None where they need none, and what lies where.

    number : of the table; None where a photo was sent without one: several sheets then get a
    table of their own, so that somebody says whose each is. A sheet of another game than that of
    the table gets no seat.

    Raises
    ------
    TableMissing, SeatMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    with service.correcting, service.open() as record:
        if number is None:
            if len(results) < 2:
                return None, SeatAssignment(())
            tables = {table_of(record, result) for result in results}
            number = tables.pop() if len(tables) == 1 else None
            number = make_table(record, ()) if number is None else number
        now = get_table(record, number)
        sheets = [get_result(record, result) for result in results]
        others = tuple(each.id for each in sheets if other_game(now, each, seat) is not None)
        fitting = [result for result in results if result not in others]
        dealt = seat_results(record, number, fitting, seat)
        say_to_sheets(record, number, dealt.seated, language)
    return number, replace(dealt, other_game=others)


def other_game(table: Table, sheet: Result, seat: int | None = None) -> OtherGameAtTable | None:
    """That a sheet is of another game than the table's, which its sheets and settings tell.

    seat : where the sheet goes, whatever lies there.
    """
    layout = layout_of(sheet.reading)
    there = [each for each in table.seats if each.result is not None and each.id != seat]
    if any(each.result == sheet for each in there):
        return None
    played = [layout_of(each.result.reading) for each in there if each.result is not None]
    if played and played[0].game != layout.game:
        title = played[0].title
    elif not game_named(layout.game).is_possible(GameSettings(None, table.level, table.variant)):
        title = _titles_of_games(table)
    else:
        return None
    return OtherGameAtTable(sheet.player or sheet.photo.name, layout.title, title)


def refused(service: Service, number: int, results: Sequence[int]) -> list[OtherGameAtTable]:
    """Those of these sheets that are of another game than the table's."""
    with service.open_to_read() as record:
        now = get_table(record, number)
        found = [other_game(now, get_result(record, result)) for result in results]
    return [error for error in found if error is not None]


def _titles_of_games(table: Table) -> str:
    """The games that have the table's level and variant."""
    known = GameSettings(None, table.level, table.variant)
    return ", ".join(
        layouts_of(name)[0].title for name in GAMES if game_named(name).is_possible(known)
    )


def check_table(sheets: Sequence[Result], known: GameSettings) -> None:
    """Raises SheetsNotOneGame, SheetsOfDifferentGames where the sheets cannot be of one game."""
    if not game_of_all(layout_of(sheet.reading) for sheet in sheets).is_table(known, len(sheets)):
        raise SheetsNotOneGame(len(sheets))


def check_game(table: Table) -> None:
    """Raises SheetsNotOneGame, SheetsOfDifferentGames where the sheets make no game yet."""
    players = max(len(table.seats), len(table.results))
    check_table(table.results, GameSettings(players, variant=table.variant))


def finish_if_complete(service: Service, number: int) -> bool:
    """Make a game of a table whose last sheet has come, and say whether it was made.

    Nothing may be open: each seat has a name and a sheet of that player, and no sheet would leave
    another game.
    """
    with service.correcting, service.open() as record:
        table = get_table(record, number)
        if table.game is not None or any(
            seat.player is None or seat.result is None or seat.result.player != seat.player
            for seat in table.seats
        ):
            return False
        try:
            check_game(table)
            finish_table(record, number)
        except (SheetsNotOneGame, SheetsOfDifferentGames, SheetsInOtherGame):
            return False
    return True


def table_address(
    number: int, dealt: SeatAssignment, has_unread: bool = False, again: Sequence[int] = ()
) -> str:
    """Where to look at what became of a photo. again: its sheets, if it was read before."""
    query = [("elsewhere", str(result)) for result in dealt.elsewhere]
    query += [("other_game", str(result)) for result in dealt.other_game]
    query += [("again", str(result)) for result in again if result in dealt.seated]
    query += [("unread", "1")] if has_unread else []
    return f"/table/{number}{'?' if query else ''}{urlencode(query)}"


def say_to_sheets(record: Record, number: int, results: Sequence[int], language: str) -> None:
    """What the table knows of the game holds for its sheets; what it does not know stays."""
    now = get_table(record, number)
    for result in results:
        before = sheet_now(record, result, language).evidence.known
        known = GameSettings(
            now.players or before.players,
            now.level or before.level,
            now.variant or before.variant,
        )
        correct_game(record, result, known, language)
