"""The table of players: who plays, whose sheet is whose, and who won.

A form that cannot be taken shows its page again with the reason and what was typed. Everything
that a card needs is a plain form; the script of the page only spares the loading.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Annotated

from fastapi import Form, Query
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import Field

from brikks_vision import errors, reading
from brikks_vision.codec import JsonObject
from brikks_vision.games import checked_settings, settings_of
from brikks_vision.infer.following import TableReading
from brikks_vision.intake.corrections import Said, SheetNow, correct_sheet, sheet_now
from brikks_vision.record import tables as stored
from brikks_vision.record.database import Record, transaction
from brikks_vision.record.entries import Result, Seat, SeatAssignment, Table
from brikks_vision.record.results import get_result, material_of
from brikks_vision.show.report import SettingChoice, setting_choices
from brikks_vision.text.languages import typeset, typeset_page
from brikks_vision.web import answers, pages, seating, uploads
from brikks_vision.web.routes import games as ranked
from brikks_vision.web.service import Number, Numbers, SaidSettings, Text, Visit, new_router

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

router = new_router()


# --- choosing who plays --------------------------------------------------------------------------


@router.get("/table", response_class=HTMLResponse)
def tables(request: Visit) -> Response:
    """Say who plays, or go on at a table."""
    if request.wants_json:
        with request.service.open_to_read() as record:
            found = stored.list_tables(record, MAX_TABLES)
        return JSONResponse([_table_json(table) for table in found])
    return _tables_page(request)


@router.post("/table", status_code=303)
def new_table(
    request: Visit,
    settings: SaidSettings,
    names: Names = [],  # noqa: B006
) -> Response:
    """Lay a table for these players."""
    given = [name for name in names if name.strip()]
    try:
        known = _without_players(seating.with_players(settings, len(given)))
        with request.service.open() as record:
            number = stored.make_table(record, given, known)
    except REFUSED as error:
        typed = {"names": names, "settings": settings}
        return answers.refused(request, error, partial(_tables_page, request, typed))
    return answers.done(request, f"/table/{number}", table=number)


def _tables_page(
    request: Visit, typed: JsonObject | None = None, problem: str | None = None
) -> Response:
    with request.service.open_to_read() as record:
        found = stored.list_tables(record, MAX_TABLES)
        known = stored.remembered_names(record, ranked.MAX_NAMES)
    said = typed or {"names": [], "settings": {}}
    games = seating.games_at({})
    seats = seating.max_seats(games)
    names = [*said["names"], *[""] * seats][:seats]
    return answers.page_of(
        request,
        "tables.html",
        tables=found,
        known=known,
        typed=names,
        settings=_setting_choices(games, request.language),
        said=said["settings"],
        problem=problem,
    )


# --- the table -----------------------------------------------------------------------------------


@router.get("/table/{number}", response_class=HTMLResponse)
def table(
    request: Visit,
    number: Number,
    elsewhere: Annotated[Numbers, Query(max_length=50)] = [],  # noqa: B006
    other_game: Annotated[Numbers, Query(max_length=50)] = [],  # noqa: B006
    again: Annotated[Numbers, Query(max_length=50)] = [],  # noqa: B006
    unread: Annotated[str, Query(max_length=10)] = "",
) -> Response:
    """The cards of all players, and what became of the photo that was sent last."""
    if request.wants_json:
        with request.service.open_to_read() as record:
            return JSONResponse(_table_json(stored.get_table(record, number)))
    dealt = SeatAssignment((), tuple(elsewhere), tuple(other_game))
    return _table_page(request, number, dealt, again=again, unread=bool(unread))


@router.get("/table/{number}/version", response_class=JSONResponse)
def version(request: Visit, number: Number) -> Response:
    """What changes whenever the table does: for the other phones at it."""
    with request.service.open_to_read() as record:
        return JSONResponse({"version": stored.table_version(record, number)})


@router.post("/table/{number}/seat", status_code=303)
def new_seat(request: Visit, number: Number, player: Text = "") -> Response:
    """One more player."""
    try:
        with request.service.open() as record:
            now = stored.get_table(record, number)
            seating.with_players(now.settings, len(now.seats) + 1)
            stored.add_seat(record, number, player)
    except REFUSED as error:
        return _refused(request, number, error)
    return _changed(request, number)


@router.post("/table/{number}/seat/{seat}/name", status_code=303)
def say_name(request: Visit, number: Number, seat: Number, player: Text = "") -> Response:
    """Say who sits there, and so whose sheet it is."""
    try:
        with request.service.open() as record:
            stored.name_seat(record, number, seat, player)
    except (errors.NameTwice, errors.NameTooLong) as error:
        return _refused(request, number, error)
    return _changed(request, number)


@router.post("/table/{number}/seat/{seat}/move", status_code=303)
def move(
    request: Visit,
    number: Number,
    seat: Number,
    to: Annotated[int, Form(ge=1, le=2**53)],
) -> Response:
    """Let two sheets change places."""
    with request.service.open() as record:
        stored.swap_seats(record, number, seat, to)
    return _changed(request, number)


@router.post("/table/{number}/seat/{seat}/clear", status_code=303)
def clear(request: Visit, number: Number, seat: Number) -> Response:
    """Take a sheet from the table, or a seat without one."""
    with request.service.open() as record:
        stored.clear_seat(record, number, seat)
    return _changed(request, number)


@router.post("/table/{number}/seat/{seat}/answer", status_code=303)
def answer(request: Visit, number: Number, seat: Number, where: Text, mark: Text) -> Response:
    """Answer a question of the sheet that lies there."""
    with request.service.correcting, request.service.open() as record:
        for each in stored.get_table(record, number).seats:
            if each.id == seat and each.result is not None:
                said = Said({where: mark})
                correct_sheet(record, each.result.id, said, request.language)
    return answers.see(f"/table/{number}#seat-{seat}")


@router.post("/table/{number}/bring", status_code=303)
def bring(
    request: Visit,
    number: Number,
    result: Annotated[int, Form(ge=1, le=2**53)],
    elsewhere: Annotated[Numbers, Form(max_length=50)] = [],  # noqa: B006
) -> Response:
    """Let a sheet come from the table or the game that it is in; others are still asked for."""
    with request.service.open() as record:
        error = seating.other_game(stored.get_table(record, number), get_result(record, result))
        if error is None:
            stored.bring_result(record, number, result)
    if error is not None:
        return _refused(request, number, error)
    return _changed(request, number, [other for other in elsewhere if other != result])


@router.post("/table/{number}/game", status_code=303)
def say_game(request: Visit, number: Number, settings: SaidSettings) -> Response:
    """Say with which settings all play."""
    try:
        with request.service.open() as record:
            now = stored.get_table(record, number)
            checked_settings(_without_players(settings), seating.games_played(now))
            known = seating.with_players(settings, len(now.seats))
            stored.say_table(record, number, _without_players(known))
    except REFUSED as error:
        return _refused(request, number, error)
    return _changed(request, number)


@router.post("/table/{number}/remove", status_code=303)
def remove(request: Visit, number: Number) -> Response:
    """Clear the table away; its sheets stay."""
    with request.service.open() as record:
        stored.remove_table(record, number)
    return answers.done(request, "/table")


@router.post("/table/{number}/rematch", status_code=303)
def rematch(request: Visit, number: Number) -> Response:
    """The same players at a new table."""
    with request.service.open() as record:
        before = stored.get_table(record, number)
        names = [seat.player for seat in before.seats if seat.player is not None]
        again = stored.make_table(record, names, before.settings)
    return answers.done(request, f"/table/{again}", table=again)


# --- who won -------------------------------------------------------------------------------------


@router.post("/table/{number}/finish", status_code=303)
def finish(request: Visit, number: Number, leaving: Text = "") -> Response:
    """Make a game of the sheets that lie there. leaving: anything, where they may leave another."""
    with request.service.correcting, request.service.open() as record:
        now = stored.get_table(record, number)
        try:
            seating.check_game(now)
            game = stored.finish_table(record, number, leaving=bool(leaving))
        except errors.SheetsInOtherGame:
            if request.wants_json:
                raise
            sheets = [result.id for result in now.results]
            address = f"/table/{number}"
            return ranked.leaving_page(request, record, sheets, f"{address}/finish", [], address)
        except (errors.SheetsNotOneGame, errors.SheetsOfDifferentGames) as error:
            return _refused(request, number, error)
    return answers.done(request, f"/table/{number}/ranking", game=game)


@router.get("/table/{number}/ranking", response_class=HTMLResponse)
def ranking(request: Visit, number: Number) -> Response:
    """Who won, and whether the sheets can be of one game."""
    with request.service.open_to_read() as record:
        now, sheets, verdict = _judged(record, number, request.language)
        if request.wants_json:
            return ranked.ranking_json("table", number, sheets, verdict)
        return ranked.ranking_page(
            request, record, sheets, verdict, f"/table/{number}/ranking", table=now
        )


@router.get("/table/{number}/ranking.png", response_class=Response)
def picture(request: Visit, number: Number) -> Response:
    """The ranking as a picture to send on, PNG."""
    with request.service.open_to_read() as record:
        _, sheets, verdict = _judged(record, number, request.language)
    return ranked.ranking_png(sheets, verdict, request.language)


@router.post("/table/{number}/names", status_code=303)
def say_names(request: Visit, number: Number, names: Names = []) -> Response:  # noqa: B006
    """Say whose the sheets are that lie there without a name, in their order."""
    try:
        with request.service.open() as record, transaction(record):
            unnamed = [
                seat.id for seat in stored.get_table(record, number).seats if not seat.player
            ]
            for seat, name in zip(unnamed, names, strict=False):
                stored.name_seat(record, number, seat, name)
    except (errors.NameTwice, errors.NameTooLong) as error:
        return _refused(request, number, error)
    return answers.see(f"/table/{number}/ranking")


def _judged(
    record: Record, number: int, language: str
) -> tuple[Table, tuple[SheetNow, ...], TableReading]:
    """Raises TableMissing, SheetsNotOneGame, SheetsOfDifferentGames."""
    now = stored.get_table(record, number)
    seating.check_game(now)
    sheets = tuple(sheet_now(record, result.id, language) for result in now.results)
    return now, sheets, ranked.verdict_of(sheets, now.settings, language, len(now.seats))


# --- parts ---------------------------------------------------------------------------------------


def _without_players(settings: reading.GameSettings) -> reading.GameSettings:
    """Without how many play, which the seats tell."""
    return {name: value for name, value in settings.items() if name != reading.PLAYERS}


def _setting_choices(games: Sequence[str], language: str) -> list[SettingChoice]:
    return [each for each in setting_choices(games, language) if each.name != reading.PLAYERS]


def _changed(request: Visit, number: int, elsewhere: Sequence[int] = ()) -> Response:
    """Tell the sheets what is said of their game now, and show the table."""
    with request.service.correcting, request.service.open() as record:
        now = stored.get_table(record, number)
        seating.say_to_sheets(
            record, number, [result.id for result in now.results], request.language
        )
        if request.wants_json:
            return JSONResponse(_table_json(stored.get_table(record, number)))
    return answers.see(seating.table_address(number, SeatAssignment((), tuple(elsewhere))))


def _refused(request: Visit, number: int, error: errors.BrikksError) -> Response:
    """The table with what is wrong, to choose anew."""
    return answers.refused(request, error, lambda told: _table_page(request, number, problem=told))


def _table_page(
    request: Visit,
    number: int,
    dealt: SeatAssignment | None = None,
    again: Sequence[int] = (),
    unread: bool = False,
    problem: str | None = None,
) -> Response:
    with request.service.open_to_read() as record:
        now = stored.get_table(record, number)
        cards = [_card(record, seat, request.language) for seat in now.seats]
        dealt = dealt or SeatAssignment(())
        others = [_elsewhere(record, number, result) for result in dealt.elsewhere]
        known_before = [get_result(record, result) for result in again]
        games = seating.games_played(now)
        known = stored.remembered_names(record, ranked.MAX_NAMES)
    return answers.page_of(
        request,
        "table.html",
        table=now,
        cards=cards,
        elsewhere=[each for each in others if each is not None],
        other_game=[
            error.text(request.language)
            for error in seating.refused(request.service, number, dealt.other_game)
        ],
        again=known_before,
        shows_several=_shows_several(now),
        unread=unread,
        names=known,
        problem=problem,
        max_seats=seating.max_seats(games),
        settings=_setting_choices(games, request.language),
        said=now.settings,
        most_bytes=uploads.MAX_BYTES,
        no_game=_no_game(now, request.language),
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
        seating.check_game(now)
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
    at = stored.table_of(record, result)
    found = get_result(record, result)
    if at == number or (at is None and found.game is None):
        return None
    return found, at


def _table_json(table: Table) -> JsonObject:
    return {
        "number": table.id,
        **{
            name: table.settings.get(name)
            for name in settings_of(seating.games_played(table))
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
