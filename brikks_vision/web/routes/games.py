"""Sheets of one game: put together, ranked, taken apart."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated

from fastapi import Form
from fastapi.responses import HTMLResponse, JSONResponse, Response

from brikks_vision import errors, games
from brikks_vision.infer.following import TableReading
from brikks_vision.intake.corrections import SheetNow, sheet_now
from brikks_vision.pipeline import rank_words, verdict_in_words
from brikks_vision.reading import PLAYERS, GameSettings, ViolationReading
from brikks_vision.record import tables
from brikks_vision.record.database import Record
from brikks_vision.record.entries import Filters, Game, Table
from brikks_vision.record.results import get_result
from brikks_vision.show import pictures, report
from brikks_vision.text import languages, phrases
from brikks_vision.web import seating
from brikks_vision.web.answers import done, json_of, page_of, png_picture, refused
from brikks_vision.web.routes.history import history_page
from brikks_vision.web.service import Number, Numbers, SaidSettings, Text, Visit, new_router

MAX_NAMES = 30  # remembered names that can be tapped

router = new_router()


@router.post("/game", status_code=303)
def new_game(
    request: Visit,
    settings: SaidSettings,
    results: Annotated[Numbers, Form(max_length=50)] = [],  # noqa: B006
    leaving: Text = "",
) -> Response:
    """Put the sheets of one game together. leaving: anything, where they may leave another."""
    sheets = list(dict.fromkeys(results))
    known = games.checked_settings(settings, [game.NAME for game in games.games_with("table")])
    try:
        if not any(
            games.can_be_table(game, known, len(sheets)) for game in games.games_with("table")
        ):
            raise errors.SheetsNotOneGame(len(sheets))
        with request.service.open() as record:
            seating.check_table([get_result(record, sheet) for sheet in sheets], known)
    except (errors.SheetsNotOneGame, errors.SheetsOfDifferentGames) as error:
        asked = dict.fromkeys(("player", "since", "until", "played"), "")
        page = partial(history_page, request, asked, Filters(), sheets)
        return refused(request, error, lambda said: page(problem=said))
    with request.service.open() as record:
        try:
            number = tables.make_game(record, sheets, known, leaving=bool(leaving))
        except errors.SheetsInOtherGame:
            if request.wants_json:
                raise
            fields = [*settings.items()]
            fields += [("results", str(sheet)) for sheet in sheets]
            return leaving_page(request, record, sheets, "/game", fields, "/history")
    return done(request, f"/game/{number}", game=number)


@router.get("/game/{number}", response_class=HTMLResponse)
def game(request: Visit, number: Number) -> Response:
    """The ranking of a game, and whether its sheets can be of one game."""
    with request.service.open_to_read() as record:
        found, sheets = _sheets_of(record, number, request.language)
        if len(sheets) < 2 and not request.wants_json:  # the others were removed, or put elsewhere
            return page_of(request, "game_alone.html", game=found)
        verdict = verdict_of(sheets, found.settings, request.language)
        if request.wants_json:
            return ranking_json("number", number, sheets, verdict)
        return ranking_page(request, record, sheets, verdict, f"/game/{number}", game=found)


@router.get("/game/{number}/ranking.png", response_class=Response)
def game_picture(request: Visit, number: Number) -> Response:
    """The ranking of a game as a picture to send on, PNG."""
    language = request.language
    with request.service.open_to_read() as record:
        found, sheets = _sheets_of(record, number, language)
    return ranking_png(sheets, verdict_of(sheets, found.settings, language), language)


def _sheets_of(record: Record, number: int, language: str) -> tuple[Game, tuple[SheetNow, ...]]:
    found = tables.get_game(record, number)
    return found, tuple(sheet_now(record, each.id, language) for each in found.results)


@router.post("/game/{number}/remove", status_code=303)
def take_apart(request: Visit, number: Number) -> Response:
    """Take a game apart; its sheets stay."""
    with request.service.open() as record:
        tables.remove_game(record, number)
    return done(request, "/history")


def leaving_page(
    request: Visit,
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
        {
            "game": each.game,
            "names": [
                result.player or result.photo.name
                for result in map(partial(get_result, record), each.leaving)
            ],
            "stays": len(each.staying),
        }
        for each in tables.games_left(record, sheets)
    ]
    page = page_of(request, "leaving.html", left=left, action=action, fields=fields, back=back)
    page.status_code = 409
    return page


# --- the ranking of a game or a table -------------------------------------------------------------


def verdict_of(
    sheets: Sequence[SheetNow], settings: GameSettings, language: str, players: int = 2
) -> TableReading:
    """The verdict on the sheets of one game; players: at least so many played.

    Raises SheetsNotOneGame: their game has no game with so many sheets; SheetsOfDifferentGames.
    """
    photos = [sheet.result.player or sheet.result.photo.name for sheet in sheets]
    known = {**settings, PLAYERS: max(players, len(sheets))}
    layouts = [games.layout_of(sheet.reading) for sheet in sheets]
    game, layout = games.game_of_all(layouts), layouts[0] if layouts else games.default_layout()
    if game.table is None or not games.can_be_table(game, known, len(sheets)):
        raise errors.SheetsNotOneGame(len(sheets))
    states = [sheet.posterior for sheet in sheets]
    verdict: TableReading = game.table.read_game(photos, states, layout, known)
    names = names_of(sheets, language)
    violations = tuple(_by_names(violation, names) for violation in verdict.violations)
    return verdict_in_words(replace(verdict, violations=violations), language)


def _by_names(violation: ViolationReading, names: Sequence[str]) -> ViolationReading:
    """What is told of sheets by number, told of players by name."""
    told = violation.told
    if told is None or f"{told.key}-named" not in languages.texts_in("en").phrases:
        return violation
    who = [names[int(str(sheet))] for sheet in violation.where]
    facts = {**dict(told.facts), "sheets": phrases.all_of(who), "one": who[0], "other": who[-1]}
    return replace(violation, told=phrases.phrase(f"{told.key}-named", **facts))


def names_of(sheets: Sequence[SheetNow], language: str) -> list[str]:
    """The players' names; whoever has none is "Sheet 2"."""
    told = languages.texts_in(language).page["sheet_of"]
    return [
        sheet.result.player or told.format(number=number) for number, sheet in enumerate(sheets, 1)
    ]


def ranking_json(
    name: str, number: int, sheets: Sequence[SheetNow], verdict: TableReading
) -> Response:
    results = [json_of(sheet.result) for sheet in sheets]
    return JSONResponse({name: number, "results": results, **verdict.to_dict()})


def ranking_page(
    request: Visit,
    record: Record,
    sheets: Sequence[SheetNow],
    verdict: TableReading,
    address: str,
    **place: Table | Game,
) -> Response:
    """Who won, on one screen.

    address : of the page. place : the "table" or the "game".
    """
    language = request.language
    standings, day = _standings(sheets, verdict, language)
    against = [
        f"{name}: {violation.message}"
        for name, sheet in zip(names_of(sheets, language), sheets, strict=True)
        for violation in sheet.reading.violations
    ]
    against += [violation.message for violation in verdict.violations]
    values: dict[str, object] = {"table": None, "game": None, "sheets": sheets, "verdict": verdict}
    values |= {"names": names_of(sheets, language), "standings": standings, "address": address}
    values |= {"remembered": tables.remembered_names(record, MAX_NAMES), **place}
    text = pictures.ranking_text(standings, day, language, against)
    return page_of(request, "ranking.html", **values, text=text)


def ranking_png(sheets: Sequence[SheetNow], verdict: TableReading, language: str) -> Response:
    standings, day = _standings(sheets, verdict, language)
    return png_picture(pictures.ranking_picture(standings, day, language))


def _standings(
    sheets: Sequence[SheetNow], verdict: TableReading, language: str
) -> tuple[tuple[pictures.Standing, ...], str]:
    """How the players stand, and the day on which the last photo was taken."""
    standings = []
    for each in verdict.ranking:
        reading = sheets[each.sheet].reading
        notes = [words for kind, words in report.verdicts(reading, language) if kind != "sure"]
        name, rank = names_of(sheets, language)[each.sheet], rank_words(reading, language)
        standings.append(pictures.Standing(each.place, name, each.score.total, rank, tuple(notes)))
    day = max(sheet.result.photo.taken for sheet in sheets)
    return tuple(standings), languages.day_text(day, language)
