"""Sheets of one game: put together, ranked, taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from brikks_vision.errors import SheetsInOtherGame, SheetsNotOneGame, SheetsOfDifferentGames
from brikks_vision.games import (
    can_be_table,
    checked_settings,
    default_layout,
    game_of_all,
    games_with,
    layout_of,
)
from brikks_vision.intake.corrections import SheetNow, sheet_now
from brikks_vision.pipeline.words import verdict_in_words
from brikks_vision.reading import PLAYERS, GameSettings
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Filters
from brikks_vision.record.results import get_result
from brikks_vision.record.tables import games_left, get_game, make_game, remove_game
from brikks_vision.web.answers import json_of, page_of, see
from brikks_vision.web.dealing import check_table
from brikks_vision.web.routes.history import history_page
from brikks_vision.web.service import (
    Number,
    Numbers,
    SaidSettings,
    Text,
    language_for,
    service_of,
    wants_json,
)

router = APIRouter()


@dataclass(frozen=True)
class Leaving:
    """A game that sheets would leave. names : whose. stays : how many sheets do not."""

    game: int
    names: Sequence[str]
    stays: int


@router.post("/game", status_code=303)
def new_game(
    request: Request,
    settings: SaidSettings,
    results: Annotated[Numbers, Form(max_length=50)] = [],  # noqa: B006
    leaving: Text = "",
) -> Response:
    """Put the sheets of one game together. leaving: anything, where they may leave another."""
    sheets = list(dict.fromkeys(results))
    known = checked_settings(settings, [game.NAME for game in games_with("table")])
    try:
        if not any(can_be_table(game, known, len(sheets)) for game in games_with("table")):
            raise SheetsNotOneGame(len(sheets))
        with service_of(request).open() as record:
            check_table([get_result(record, sheet) for sheet in sheets], known)
    except (SheetsNotOneGame, SheetsOfDifferentGames) as error:
        if wants_json(request):
            raise
        nothing_asked = {"player": "", "since": "", "until": "", "played": ""}
        said = error.text(language_for(request))
        page = history_page(request, nothing_asked, Filters(), sheets, problem=said)
        page.status_code = 400
        return page
    with service_of(request).open() as record:
        try:
            number = make_game(record, sheets, known, leaving=bool(leaving))
        except SheetsInOtherGame:
            if wants_json(request):
                raise
            fields = [*settings.items()]
            fields += [("results", str(sheet)) for sheet in sheets]
            return leaving_page(request, record, sheets, "/game", fields, "/history")
    if wants_json(request):
        return JSONResponse({"game": number})
    return see(f"/game/{number}")


@router.get("/game/{number}", response_class=HTMLResponse)
def game(request: Request, number: Number) -> Response:
    """The ranking of a game, and whether its sheets can be of one game."""
    service, language = service_of(request), language_for(request)
    with service.open_to_read() as record:
        found = get_game(record, number)
        sheets = [sheet_now(record, each.id, language) for each in found.results]
    if len(sheets) < 2 and not wants_json(request):  # the others were removed, or put elsewhere
        return page_of(request, "game_alone.html", game=found)
    verdict = verdict_of(sheets, found.settings, language)
    if wants_json(request):
        return JSONResponse(
            {
                "number": number,
                "results": [json_of(each) for each in found.results],
                **verdict.to_dict(),
            }
        )
    return page_of(request, "game.html", game=found, sheets=sheets, verdict=verdict)


@router.post("/game/{number}/remove", status_code=303)
def take_apart(request: Request, number: Number) -> Response:
    """Take a game apart; its sheets stay."""
    with service_of(request).open() as record:
        remove_game(record, number)
    return JSONResponse({}) if wants_json(request) else see("/history")


def leaving_page(
    request: Request,
    record: Record,
    sheets: Sequence[int],
    action: str,
    fields: Sequence[tuple[str, str]],
    back: str,
) -> Response:
    """Ask whether sheets may leave the games that they are in.

    action, fields : the form that is sent again where they may. back : where they may not.
    """
    left = [
        Leaving(
            each.game,
            [_name_of(record, result) for result in each.leaving],
            len(each.staying),
        )
        for each in games_left(record, sheets)
    ]
    page = page_of(request, "leaving.html", left=left, action=action, fields=fields, back=back)
    page.status_code = 409
    return page


def _name_of(record: Record, number: int) -> str:
    result = get_result(record, number)
    return result.player or result.photo.name


def verdict_of(
    sheets: Sequence[SheetNow], settings: GameSettings, language: str, players: int = 2
) -> Any:
    """The verdict on the sheets of one game; players: at least so many played.

    Raises
    ------
    SheetsNotOneGame
        Their game has no game with so many sheets.
    SheetsOfDifferentGames
    """
    names = [sheet.result.player or sheet.result.photo.name for sheet in sheets]
    known = {**settings, PLAYERS: max(players, len(sheets))}
    layouts = [layout_of(sheet.reading) for sheet in sheets]
    game, layout = game_of_all(layouts), layouts[0] if layouts else default_layout()
    if game.table is None or not can_be_table(game, known, len(sheets)):
        raise SheetsNotOneGame(len(sheets))
    verdict = game.table.read_game(names, [sheet.posterior for sheet in sheets], layout, known)
    return verdict_in_words(verdict, language)
