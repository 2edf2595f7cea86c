"""The sheets of a photo and the table that they lie on: which seat they get, what they are told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlencode

from brikks_vision import errors, games, pipeline
from brikks_vision.intake.corrections import Said, correct_sheet
from brikks_vision.reading import PLAYERS, GameSettings
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Result, SeatAssignment, Table
from brikks_vision.record.results import get_result
from brikks_vision.record.tables import finish_table, get_table, make_table, seat_results, table_of
from brikks_vision.web.service import Service


def assign_sheets(
    service: Service,
    number: int | None,
    seat: int | None,
    results: Sequence[int],
    language: str,
    is_new: bool = False,
) -> tuple[int | None, SeatAssignment]:
    """Assign the sheets of a photo to seats: their table, None without one, and who has which.

    number : of the table; None where a photo was sent without one: several sheets then get a
    table of their own, so that somebody says whose each is. is_new : one alone gets one, too. A
    sheet of another game than that of the table gets no seat.

    Raises TableMissing, SeatMissing, RecordFailure.
    """
    with service.correcting, service.open() as record:
        if number is None:
            if len(results) < 2 and not (is_new and results):
                return None, SeatAssignment(())
            tables = {table_of(record, result) for result in results}
            number = tables.pop() if len(tables) == 1 else None
            if is_new and number is not None and get_table(record, number).game is not None:
                number = None  # what is over stays as it is
            number = make_table(record, ()) if number is None else number
        now = get_table(record, number)
        sheets = [get_result(record, result) for result in results]
        others = tuple(each.id for each in sheets if other_game(now, each, seat) is not None)
        fitting = [result for result in results if result not in others]
        dealt = seat_results(record, number, fitting, seat)
        say_to_sheets(record, number, dealt.seated, language)
    return number, replace(dealt, other_game=others)


def other_game(
    table: Table, sheet: Result, seat: int | None = None
) -> errors.OtherGameAtTable | None:
    """That a sheet is of another game than the table's, which its sheets and settings tell.

    seat : where the sheet goes, whatever lies there.
    """
    there = [each.result for each in table.seats if each.result is not None and each.id != seat]
    played = games_played(table, there)
    if sheet in there or sheet.played in played:
        return None
    name, titles = sheet.player or sheet.photo.name, ", ".join(map(games.game_title, played))
    return errors.OtherGameAtTable(name, games.game_title(sheet.played), titles)


def board_at(service: Service, number: int, board: pipeline.ScanResult) -> errors.BoardAtTable:
    """The error for a photo of a board that was sent to a table; raises TableMissing."""
    with service.open_to_read() as record:
        table = get_table(record, number)
    titles = ", ".join(map(games.game_title, games_played(table)))
    return errors.BoardAtTable(games.game_title(board.reading.game or ""), titles)


def refused(service: Service, number: int, results: Sequence[int]) -> list[errors.OtherGameAtTable]:
    """Those of these sheets that are of another game than the table's."""
    with service.open_to_read() as record:
        now = get_table(record, number)
        found = [other_game(now, get_result(record, result)) for result in results]
    return [error for error in found if error is not None]


def games_played(table: Table, sheets: Sequence[Result] | None = None) -> list[str]:
    """The game of the sheets there; where there is none, the games with the table's settings."""
    there = table.results if sheets is None else sheets
    return [sheet.played for sheet in there][:1] or games_at(table.settings)


def games_at(settings: GameSettings) -> list[str]:
    """The games that can be played at a table with these settings."""
    return [
        game.NAME
        for game in games.games_with("table")
        if games.own_settings(game.NAME, settings) == settings and game.is_possible(settings)
    ]


def max_seats(played: Iterable[str]) -> int:
    """How many can play one of these games."""
    return max(map(int, games.settings_of(played)[PLAYERS][1].values))


def with_players(settings: GameSettings, seats: int) -> GameSettings:
    """What a table with so many players knows of its game: how many play, as far as it is sure.

    A table without a name, or with one, may get more.

    Raises SettingUnknown, UnknownValue, GameImpossible.
    """
    tables = [game.NAME for game in games.games_with("table")]
    known = games.checked_settings(settings, tables)
    is_alone = seats == 1 and not games_at({**known, PLAYERS: 2})
    return (
        games.checked_settings({**known, PLAYERS: seats}, tables)
        if seats > 1 or is_alone
        else known
    )


def check_table(sheets: Sequence[Result], known: GameSettings) -> None:
    """Raises SheetsNotOneGame, SheetsOfDifferentGames where the sheets cannot be of one game."""
    played = dict.fromkeys(sheet.played for sheet in sheets)
    if len(played) > 1:
        raise errors.SheetsOfDifferentGames(", ".join(map(games.game_title, played)))
    tables = [game for game in games.games_with("table") if game.NAME in played]
    if not any(games.can_be_table(game, known, len(sheets)) for game in tables):
        raise errors.SheetsNotOneGame(len(sheets))


def check_game(table: Table) -> None:
    """Raises SheetsNotOneGame, SheetsOfDifferentGames where the sheets make no game yet."""
    players = max(len(table.seats), len(table.results))
    check_table(table.results, {**table.settings, PLAYERS: players})


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
        except (errors.SheetsNotOneGame, errors.SheetsOfDifferentGames, errors.SheetsInOtherGame):
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
    said = said_at(get_table(record, number))
    for result in results:
        known = games.own_settings(get_result(record, result).played, said)
        correct_sheet(record, result, Said(known=known), language)


def said_at(table: Table) -> GameSettings:
    """What is known of a table's game; seats without a name may be of several games."""
    if all(seat.player is not None for seat in table.seats):
        with suppress(
            errors.UnknownValue, errors.GameImpossible
        ):  # a photo can bring more than can play
            return with_players(table.settings, len(table.seats))
    return table.settings
