"""Sheets of one game: put together, ranked, taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from brikks_vision.errors import SheetsNotOneGame
from brikks_vision.games.brikks.compare import GameReading, read_game
from brikks_vision.intake.corrections import SheetNow, sheet_now
from brikks_vision.record.entries import Filters
from brikks_vision.record.games import get_game, make_game, remove_game
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.table import NoSuchTableError
from brikks_vision.web.answers import json_of, page_of, see
from brikks_vision.web.routes.history import history_page
from brikks_vision.web.service import (
    Number,
    Numbers,
    Text,
    game_fields,
    language_for,
    service_of,
    wants_json,
)

router = APIRouter()


@router.post("/game", status_code=303)
def new_game(
    request: Request,
    results: Annotated[Numbers, Form(max_length=50)] = [],  # noqa: B006
    level: Text = "",
    variant: Text = "",
) -> Response:
    """Put the sheets of one game together."""
    sheets = list(dict.fromkeys(results))
    _, level_said, variant_said = game_fields({"level": level, "variant": variant})
    if not 2 <= len(sheets) <= (2 if variant_said == "duel" else 4) or variant_said == "solo":
        error = SheetsNotOneGame(len(sheets))
        if wants_json(request):
            raise error
        nothing_asked = {"player": "", "since": "", "until": ""}
        said = error.text(language_for(request))
        page = history_page(request, nothing_asked, Filters(), sheets, problem=said)
        page.status_code = 400
        return page
    with service_of(request).open() as record:
        number = make_game(record, sheets, level_said, variant_said)
    if wants_json(request):
        return JSONResponse({"game": number})
    return see(f"/game/{number}")


@router.get("/game/{number}", response_class=HTMLResponse)
def game(request: Request, number: Number) -> Response:
    """The ranking of a game, and whether its sheets can be of one game."""
    service, language = service_of(request), language_for(request)
    with service.open() as record:
        found = get_game(record, number)
        sheets = [sheet_now(record, each.id, language) for each in found.results]
    if len(sheets) < 2 and not wants_json(request):  # the others were removed, or put elsewhere
        return page_of(request, "game_alone.html", game=found)
    verdict = verdict_of(sheets, found.variant, language)
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


def verdict_of(sheets: Sequence[SheetNow], variant: str | None, language: str) -> GameReading:
    names = [sheet.result.player or sheet.result.photo.name for sheet in sheets]
    sheet = load_sheet()
    posteriors = [sheet.posterior for sheet in sheets]
    try:
        return read_game(names, posteriors, sheet, max(2, len(sheets)), variant, language)
    except NoSuchTableError:
        raise SheetsNotOneGame(len(sheets)) from None
