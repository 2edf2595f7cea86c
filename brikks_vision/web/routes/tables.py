"""The table of players: who plays, whose sheet is whose, and who won.

A form that cannot be taken shows its page again with the reason and what was typed. Everything
that a card needs is a plain form; the script of the page only spares the loading.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import Field

from brikks_vision import errors, reading
from brikks_vision.codec import JsonObject
from brikks_vision.games import checked_settings, settings_of
from brikks_vision.intake.corrections import SheetNow, correct_mark, sheet_now
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Result, Seat, SeatAssignment, Table
from brikks_vision.record.results import get_result, material_of
from brikks_vision.record.tables import (
    add_seat,
    bring_result,
    clear_seat,
    finish_table,
    get_table,
    list_tables,
    make_table,
    name_seat,
    remembered_names,
    remove_table,
    say_table,
    swap_seats,
    table_of,
    table_version,
)
from brikks_vision.show.report import SettingChoice, setting_choices
from brikks_vision.text.languages import typeset, typeset_page
from brikks_vision.web import answers, pages, uploads
from brikks_vision.web.routes import games as ranked
from brikks_vision.web.seating import (
    check_game,
    games_at,
    games_played,
    max_seats,
    other_game,
    refused,
    say_to_sheets,
    table_address,
    with_players,
)
from brikks_vision.web.service import (
    Number,
    Numbers,
    SaidSettings,
    Text,
    language_for,
    service_of,
    wants_json,
)

MAX_NAMED = 20  # names in one form; `max_seats` says how many can play
MAX_TABLES = 20  # on the page that lists them

REFUSED = (
    errors.NameTwice,
    errors.NameTooLong,
    errors.SettingUnknown,
    errors.UnknownValue,
    errors.GameImpossible,
)
"""What is told on the page where it was said."""

Names = Annotated[list[Annotated[str, Field(max_length=200)]], Form(max_length=MAX_NAMED)]

router = APIRouter()


# --- choosing who plays --------------------------------------------------------------------------


@router.get("/table", response_class=HTMLResponse)
def tables(request: Request) -> Response:
    """Say who plays, or go on at a table."""
    if wants_json(request):
        with service_of(request).open_to_read() as record:
            found = list_tables(record, MAX_TABLES)
        return JSONResponse([_table_json(table) for table in found])
    return _tables_page(request)


@router.post("/table", status_code=303)
def new_table(
    request: Request,
    settings: SaidSettings,
    names: Names = [],  # noqa: B006
) -> Response:
    """Lay a table for these players."""
    given = [name for name in names if name.strip()]
    try:
        known = _without_players(with_players(settings, len(given)))
        with service_of(request).open() as record:
            number = make_table(record, given, known)
    except REFUSED as error:
        typed = {"names": names, "settings": settings}
        return answers.refused(request, error, partial(_tables_page, request, typed))
    return answers.done(request, f"/table/{number}", table=number)


def _tables_page(
    request: Request, typed: JsonObject | None = None, problem: str | None = None
) -> Response:
    with service_of(request).open_to_read() as record:
        found = list_tables(record, MAX_TABLES)
        known = remembered_names(record, ranked.MAX_NAMES)
    said = typed or {"names": [], "settings": {}}
    games = games_at({})
    seats = max_seats(games)
    names = [*said["names"], *[""] * seats][:seats]
    return answers.page_of(
        request,
        "tables.html",
        tables=found,
        known=known,
        typed=names,
        settings=_setting_choices(games, language_for(request)),
        said=said["settings"],
        problem=problem,
    )


# --- the table -----------------------------------------------------------------------------------


@router.get("/table/{number}", response_class=HTMLResponse)
def table(
    request: Request,
    number: Number,
    elsewhere: Annotated[Numbers, Query(max_length=50)] = [],  # noqa: B006
    other_game: Annotated[Numbers, Query(max_length=50)] = [],  # noqa: B006
    again: Annotated[Numbers, Query(max_length=50)] = [],  # noqa: B006
    unread: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """The cards of all players, and what became of the photo that was sent last."""
    if wants_json(request):
        with service_of(request).open_to_read() as record:
            return JSONResponse(_table_json(get_table(record, number)))
    dealt = SeatAssignment((), tuple(elsewhere), tuple(other_game))
    return _table_page(request, number, dealt, again=again, unread=bool(unread))


@router.get("/table/{number}/version", response_class=JSONResponse)
def version(request: Request, number: Number) -> Response:
    """What changes whenever the table does: for the other phones at it."""
    with service_of(request).open_to_read() as record:
        return JSONResponse({"version": table_version(record, number)})


@router.post("/table/{number}/seat", status_code=303)
def new_seat(request: Request, number: Number, player: Text = "") -> Response:
    """One more player."""
    service = service_of(request)
    try:
        with service.open() as record:
            now = get_table(record, number)
            with_players(now.settings, len(now.seats) + 1)
            add_seat(record, number, player)
    except REFUSED as error:
        return _refused(request, number, error)
    return _changed(request, number)


@router.post("/table/{number}/seat/{seat}/name", status_code=303)
def say_name(request: Request, number: Number, seat: Number, player: Text = "") -> Response:
    """Say who sits there, and so whose sheet it is."""
    try:
        with service_of(request).open() as record:
            name_seat(record, number, seat, player)
    except (errors.NameTwice, errors.NameTooLong) as error:
        return _refused(request, number, error)
    return _changed(request, number)


@router.post("/table/{number}/seat/{seat}/move", status_code=303)
def move(
    request: Request,
    number: Number,
    seat: Number,
    to: Annotated[int, Form(ge=1, le=2**53)],
) -> Response:
    """Let two sheets change places."""
    with service_of(request).open() as record:
        swap_seats(record, number, seat, to)
    return _changed(request, number)


@router.post("/table/{number}/seat/{seat}/clear", status_code=303)
def clear(request: Request, number: Number, seat: Number) -> Response:
    """Take a sheet from the table, or a seat without one."""
    with service_of(request).open() as record:
        clear_seat(record, number, seat)
    return _changed(request, number)


@router.post("/table/{number}/seat/{seat}/answer", status_code=303)
def answer(request: Request, number: Number, seat: Number, where: Text, mark: Text) -> Response:
    """Answer a question of the sheet that lies there."""
    service = service_of(request)
    with service.correcting, service.open() as record:
        for each in get_table(record, number).seats:
            if each.id == seat and each.result is not None:
                correct_mark(record, each.result.id, where, mark, language_for(request))
    return answers.see(f"/table/{number}#seat-{seat}")


@router.post("/table/{number}/bring", status_code=303)
def bring(
    request: Request,
    number: Number,
    result: Annotated[int, Form(ge=1, le=2**53)],
    elsewhere: Annotated[Numbers, Form(max_length=50)] = [],  # noqa: B006
) -> Response:
    """Let a sheet come from the table or the game that it is in; others are still asked for."""
    with service_of(request).open() as record:
        error = other_game(get_table(record, number), get_result(record, result))
        if error is None:
            bring_result(record, number, result)
    if error is not None:
        return _refused(request, number, error)
    return _changed(request, number, [other for other in elsewhere if other != result])


@router.post("/table/{number}/game", status_code=303)
def say_game(request: Request, number: Number, settings: SaidSettings) -> Response:
    """Say with which settings all play."""
    try:
        with service_of(request).open() as record:
            now = get_table(record, number)
            checked_settings(_without_players(settings), games_played(now))
            known = with_players(settings, len(now.seats))
            say_table(record, number, _without_players(known))
    except REFUSED as error:
        return _refused(request, number, error)
    return _changed(request, number)


@router.post("/table/{number}/remove", status_code=303)
def remove(request: Request, number: Number) -> Response:
    """Clear the table away; its sheets stay."""
    with service_of(request).open() as record:
        remove_table(record, number)
    return answers.done(request, "/table")


@router.post("/table/{number}/rematch", status_code=303)
def rematch(request: Request, number: Number) -> Response:
    """The same players at a new table."""
    with service_of(request).open() as record:
        before = get_table(record, number)
        names = [seat.player for seat in before.seats if seat.player is not None]
        again = make_table(record, names, before.settings)
    return answers.done(request, f"/table/{again}", table=again)


# --- who won -------------------------------------------------------------------------------------


@router.post("/table/{number}/finish", status_code=303)
def finish(request: Request, number: Number, leaving: Text = "") -> Response:
    """Make a game of the sheets that lie there. leaving: anything, where they may leave another."""
    service = service_of(request)
    with service.correcting, service.open() as record:
        now = get_table(record, number)
        try:
            check_game(now)
            game = finish_table(record, number, leaving=bool(leaving))
        except errors.SheetsInOtherGame:
            if wants_json(request):
                raise
            sheets = [result.id for result in now.results]
            address = f"/table/{number}"
            return ranked.leaving_page(request, record, sheets, f"{address}/finish", [], address)
        except (errors.SheetsNotOneGame, errors.SheetsOfDifferentGames) as error:
            return _refused(request, number, error)
    return answers.done(request, f"/table/{number}/ranking", game=game)


@router.get("/table/{number}/ranking", response_class=HTMLResponse)
def ranking(request: Request, number: Number) -> Response:
    """Who won, and whether the sheets can be of one game."""
    with service_of(request).open_to_read() as record:
        now, sheets, verdict = _judged(record, number, language_for(request))
        if wants_json(request):
            return ranked.ranking_json("table", number, sheets, verdict)
        return ranked.ranking_page(
            request, record, sheets, verdict, f"/table/{number}/ranking", table=now
        )


@router.get("/table/{number}/ranking.png", response_class=Response)
def picture(request: Request, number: Number) -> Response:
    """The ranking as a picture to send on, PNG."""
    with service_of(request).open_to_read() as record:
        _, sheets, verdict = _judged(record, number, language_for(request))
    return ranked.ranking_png(sheets, verdict, language_for(request))


@router.post("/table/{number}/names", status_code=303)
def say_names(request: Request, number: Number, names: Names = []) -> Response:  # noqa: B006
    """Say whose the sheets are that lie there without a name, in their order."""
    try:
        with service_of(request).open() as record:
            unnamed = [seat.id for seat in get_table(record, number).seats if not seat.player]
            for seat, name in zip(unnamed, names, strict=False):
                name_seat(record, number, seat, name)
    except (errors.NameTwice, errors.NameTooLong) as error:
        return _refused(request, number, error)
    return answers.see(f"/table/{number}/ranking")


def _judged(
    record: Record, number: int, language: str
) -> tuple[Table, tuple[SheetNow, ...], ranked.Verdict]:
    """Raises TableMissing, SheetsNotOneGame, SheetsOfDifferentGames."""
    now = get_table(record, number)
    check_game(now)
    sheets = tuple(sheet_now(record, result.id, language) for result in now.results)
    return now, sheets, ranked.verdict_of(sheets, now.settings, language, len(now.seats))


# --- parts ---------------------------------------------------------------------------------------


def _without_players(settings: reading.GameSettings) -> reading.GameSettings:
    """Without how many play, which the seats tell."""
    return {name: value for name, value in settings.items() if name != reading.PLAYERS}


def _setting_choices(games: Sequence[str], language: str) -> list[SettingChoice]:
    return [each for each in setting_choices(games, language) if each.name != reading.PLAYERS]


def _changed(request: Request, number: int, elsewhere: Sequence[int] = ()) -> Response:
    """Tell the sheets what is said of their game now, and show the table."""
    service = service_of(request)
    with service.correcting, service.open() as record:
        now = get_table(record, number)
        say_to_sheets(record, number, [result.id for result in now.results], language_for(request))
        if wants_json(request):
            return JSONResponse(_table_json(get_table(record, number)))
    return answers.see(table_address(number, SeatAssignment((), tuple(elsewhere))))


def _refused(request: Request, number: int, error: errors.BrikksError) -> Response:
    """The table with what is wrong, to choose anew."""
    return answers.refused(request, error, lambda told: _table_page(request, number, problem=told))


def _table_page(
    request: Request,
    number: int,
    dealt: SeatAssignment | None = None,
    again: Sequence[int] = (),
    unread: bool = False,
    problem: str | None = None,
) -> Response:
    language = language_for(request)
    with service_of(request).open_to_read() as record:
        now = get_table(record, number)
        cards = [_card(record, seat, language) for seat in now.seats]
        dealt = dealt or SeatAssignment(())
        others = [_elsewhere(record, number, result) for result in dealt.elsewhere]
        known_before = [get_result(record, result) for result in again]
        games = games_played(now)
        known = remembered_names(record, ranked.MAX_NAMES)
    return answers.page_of(
        request,
        "table.html",
        table=now,
        cards=cards,
        elsewhere=[each for each in others if each is not None],
        other_game=[
            error.text(language) for error in refused(service_of(request), number, dealt.other_game)
        ],
        again=known_before,
        shows_several=_shows_several(now),
        unread=unread,
        names=known,
        problem=problem,
        max_seats=max_seats(games),
        settings=_setting_choices(games, language),
        said=now.settings,
        most_bytes=uploads.MAX_BYTES,
        no_game=_no_game(now, language),
    )


def _shows_several(now: Table) -> bool:
    """Whether one photo shows several sheets here, and nobody said yet whose one of them is."""
    photos = [sheet.photo.sha256 for sheet in now.results]
    return any(
        seat.result is not None
        and seat.player is None
        and photos.count(seat.result.photo.sha256) > 1
        for seat in now.seats
    )


def _no_game(now: Table, language: str) -> str:
    """Why the sheets make no game; empty where they do."""
    try:
        check_game(now)
    except errors.SheetsNotOneGame:
        return typeset_page(language)["table_two_needed"]
    except errors.SheetsOfDifferentGames as error:
        return typeset(error.text(language), language)
    return ""


def _card(record: Record, seat: Seat, language: str) -> JsonObject:
    """What the page shows of a seat, and of the sheet that lies there."""
    if seat.result is None:
        return {"seat": seat}
    has_picture = material_of(record, seat.result.id) is not None
    values = pages.sheet_values(sheet_now(record, seat.result.id, language), language)
    return {"seat": seat, "values": values, "has_picture": has_picture}


def _elsewhere(record: Record, number: int, result: int) -> tuple[Result, int | None] | None:
    """A sheet that belongs to another table or game, and that table; None where it is here."""
    at = table_of(record, result)
    found = get_result(record, result)
    if at == number or (at is None and found.game is None):
        return None
    return found, at


def _table_json(table: Table) -> JsonObject:
    return {
        "number": table.id,
        **{
            name: table.settings.get(name)
            for name in settings_of(games_played(table))
            if name != reading.PLAYERS
        },
        "played": table.played,
        "game": table.game,
        "version": table.version,
        "seats": [
            {
                "seat": seat.id,
                "player": seat.player,
                "result": None if seat.result is None else answers.json_of(seat.result),
            }
            for seat in table.seats
        ],
    }
