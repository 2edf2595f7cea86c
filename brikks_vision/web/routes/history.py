"""What was recorded: all of it, what is open in it, and what one player did."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from statistics import mean
from types import ModuleType
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import Form, Query
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from brikks_vision import games
from brikks_vision.codec import JsonObject
from brikks_vision.errors import FieldUnclear, PlotPartsMissing, QuestionGone, ResultMissing
from brikks_vision.infer.answers import places_of
from brikks_vision.intake import photos, teaching
from brikks_vision.intake.corrections import Said, correct_sheet, sheet_now
from brikks_vision.reading import Status
from brikks_vision.record import changes, database, rows, statistics
from brikks_vision.record.entries import ChangeKind, Filters, Result
from brikks_vision.record.questions import MarkQuestion, OwnerQuestion, Question, list_questions
from brikks_vision.record.results import (
    corrections,
    get_result,
    list_results,
    material_of,
    players,
    thumbnail,
)
from brikks_vision.record.tables import list_games, list_tables
from brikks_vision.show import coach, covered
from brikks_vision.show import history as shown
from brikks_vision.text.languages import texts_in
from brikks_vision.web import service
from brikks_vision.web.answers import download, json_of, page_of, png_picture, see
from brikks_vision.web.pages import mark_title

Plot = Literal["scores", "lost", "accuracy", "empty"]
Position = Annotated[int, Query(ge=0, le=service.MAX_NUMBER)]

router = service.new_router()


def open_questions(record: database.Record) -> tuple[Question, ...]:
    """What is open: whose sheets are, which are one sheet, and what is doubtful on them.

    Doubts of the newest sheet come first. Unlike `list_questions`, those are among them that do
    not change the total.
    """
    asked = [each for each in list_questions(record) if not isinstance(each, MarkQuestion)]
    return (*asked, *_doubts(list_results(record)))


def _doubts(results: Sequence[Result]) -> tuple[MarkQuestion, ...]:
    return tuple(
        MarkQuestion(result, doubt)
        for result in reversed(results)
        if result.total is not None
        if result.reading.status is Status.UNCERTAIN and games.has_layout(result.reading)
        for doubt in result.reading.doubts
    )


@router.get("/check", response_class=HTMLResponse)
def check(
    request: service.Visit,
    at: Position = 0,
    answered: Annotated[int, Query(ge=0, le=service.MAX_NUMBER)] = 0,
    where: service.Asked = "",
    mark: service.Asked = "",
) -> Response:
    """One open question; at: which of them, from 0. The others: the answer just given."""
    with request.service.open_to_read() as record:
        found = open_questions(record)
        if request.wants_json:
            return JSONResponse([_question_json(each, request.language) for each in found])
        at = at if at < len(found) else 0
        values = _question_values(record, found[at], request.language) if found else {}
        said = _said(record, answered, where, mark, request.language) if answered else None
    values = {"question": None, "asked": None, **values}
    return page_of(
        request, "check.html", count=len(found), at=at, said=said, as_read=rows.AS_READ, **values
    )


@router.post("/check/question", status_code=303)
def answer_other(
    request: service.Visit,
    key: service.Text,
    answer: service.Text,
    at: Annotated[int, Form(ge=0, le=service.MAX_NUMBER)] = 0,
) -> Response:
    """Answer a question by its key; the next one stands in its place then.

    One that somebody else has answered meanwhile is passed over.
    """
    with request.service.correcting, request.service.open() as record, suppress(QuestionGone):
        teaching.answer_question(record, key, answer, request.language)
    return see(f"/check?at={at}")


@router.post("/check", status_code=303)
def answer(
    request: service.Visit,
    result: Annotated[int, Form(ge=1, le=service.MAX_NUMBER)],
    where: service.Text,
    mark: service.Text,
    at: Annotated[int, Form(ge=0, le=service.MAX_NUMBER)] = 0,
) -> Response:
    """Answer a question; the next one stands in its place then."""
    with request.service.correcting, request.service.open() as record:
        correct_sheet(record, result, Said({where: mark}), request.language)
        teaching.keep_corrected(record, result, request.service.held.all())
    said = {} if mark == rows.AS_READ else {"answered": result, "where": where, "mark": mark}
    return see(f"/check?{urlencode({'at': at, **said})}")


def _said(
    record: database.Record, number: int, where: str, mark: str, language: str
) -> tuple[int, str, str, str] | None:
    """The answer just given, and its place and mark for people; None where there can be none."""
    try:
        result = get_result(record, number)
    except ResultMissing:  # somebody has removed it meanwhile
        return None
    layout = games.layout_of(result.reading)
    game = games.game_of(result.reading)
    field = where.partition(" ")[0]
    if field not in game.MARKS or where not in places_of(field, layout):
        return None
    if mark not in game.marks_at(where):
        return None
    title = covered.place_title(where, layout, language)
    return number, where, title, mark_title(where, mark, layout, language)


def _question_values(record: database.Record, question: Question, language: str) -> JsonObject:
    """What the page needs to ask."""
    if isinstance(question, MarkQuestion):
        result = question.result
        layout = games.layout_of(result.reading)
        return {
            "question": question.doubt,
            "result": result,
            "layout": layout,
            "area": photos.picture_area(layout, sheet_now(record, result.id, language).evidence),
            "has_picture": material_of(record, result.id) is not None,
        }
    results = shown.results_asked(question)
    texts = shown.choice_texts(question, language)
    return {
        "asked": question.key,
        "text": shown.question_text(question, language),
        "choices": texts,
        "current": "keep" if isinstance(question, OwnerQuestion) else "",
        "results": results,
        "pictures": {each.id: _picture_of(record, each.id) for each in results},
    }


def _picture_of(record: database.Record, result: int) -> str | None:
    """The address of a picture: of the sheet alone, for its photo may show others beside it."""
    if material_of(record, result) is not None:
        return f"/result/{result}/picture"
    return None if thumbnail(record, result) is None else f"/result/{result}/thumbnail"


def _question_json(question: Question, language: str) -> JsonObject:
    if isinstance(question, MarkQuestion):
        return {"result": question.result.id, **vars(question.doubt)}
    return {
        "key": question.key,
        "question": shown.question_text(question, language),
        "answers": dict(shown.choice_texts(question, language)),
        "results": [each.id for each in shown.results_asked(question)],
    }


MAX_LISTED = 500  # results in the history


def last_played(record: database.Record, most: int) -> list[tuple[str, tuple[Result, ...]]]:
    """The addresses and sheets of the last games, open tables and results of their own."""
    ended = [(f"/game/{game.id}", game.results) for game in list_games(record)]
    tables = [
        (f"/table/{table.id}", table.results)
        for table in list_tables(record, most)
        if table.game is None and table.results
    ]
    inside = {result.id for _, results in tables for result in results}
    alone = [
        (f"/result/{result.id}", (result,))
        for result in list_results(record)
        if result.game is None and result.id not in inside
    ]
    found = [*ended, *tables, *alone]
    return sorted(found, key=lambda each: max(r.photo.taken for r in each[1]))[-most:][::-1]


@router.get("/history", response_class=HTMLResponse)
def history(
    request: service.Visit,
    player: service.Asked = "",
    since: service.Asked = "",
    until: service.Asked = "",
    played: service.Asked = "",
    chosen: Annotated[service.Numbers, Query(max_length=50)] = [],  # noqa: B006
    choose: service.Asked = "",
    found: service.Asked = "",
    unread: service.Asked = "",
    removed: service.RemovedNumber = None,
) -> Response:
    """What was recorded, the newest first.

    choose, chosen : the sheets of a game are being chosen, and which are so far. removed : a
    result that was removed just now.
    """
    query = {"player": player, "since": since, "until": until, "played": played}
    if request.wants_json:
        with request.service.open_to_read() as record:
            listed = list_results(record, service.filters_of(**query))[-MAX_LISTED:][::-1]
        return JSONResponse([json_of(each) for each in listed])
    try:
        wanted, problem = service.filters_of(**query), ""
    except FieldUnclear as error:
        wanted, problem = Filters(), error.text(request.language)
    if wanted.since and wanted.until and wanted.since > wanted.until:
        problem = texts_in(request.language).page["dates_wrong"]
    told = {"filter_problem": problem, "found": found, "unread": unread}
    page = history_page(request, query, wanted, chosen, bool(choose or chosen), removed, **told)
    page.status_code = 400 if problem else 200
    return page


def history_page(
    request: service.Visit,
    query: Mapping[str, str],
    wanted: Filters,
    chosen: Sequence[int],
    is_choosing: bool = True,
    removed: int | None = None,
    **told: str,
) -> Response:
    """The history as a page.

    query : as it was written. told : "problem", what is wrong with the choice of sheets;
    "filter_problem", what is wrong with the query; "found", "unread": anything, where a photo
    showed several sheets, or some that could not be read.
    """
    titles = {name: games.game_title(name) for name in games.GAMES}
    with request.service.open_to_read() as record:
        listed = list_results(record, wanted)[-MAX_LISTED:][::-1]
        sheets = statistics.finished_sheets(statistics.of_last_game(listed))
        is_gone = removed is not None and changes.was_removed(record, ChangeKind.REMOVED, removed)
        values = {
            "results": listed,
            "games": list_games(record)[::-1],
            "names": players(record),
            "stats": statistics.player_stats(sheets),
            "stats_mean": mean([each.total or 0 for each in sheets] or [0]),
            "stats_of": "".join(titles[name] for name in statistics.games_played(listed)[:1]),
            "open_questions": len(open_questions(record)),
            "removed": removed if is_gone else None,
        }
    told = {"problem": "", "filter_problem": "", "found": "", "unread": "", **told}
    asked = "" if told["filter_problem"] else urlencode({k: v for k, v in query.items() if v})
    values |= {"titles": titles, "query": query, "asked": asked, **told}
    return page_of(request, "history.html", chosen=chosen, is_choosing=is_choosing, **values)


@router.get("/history.csv", response_class=Response)
def history_csv(request: service.Visit, wanted: service.Wanted) -> Response:
    """The history for a spreadsheet."""
    with request.service.open_to_read() as record:
        data = shown.results_csv(list_results(record, wanted))
    return download(data, "text/csv; charset=utf-8", "history.csv")


@router.get("/history.jsonl", response_class=Response)
def history_jsonl(request: service.Visit, wanted: service.Wanted) -> Response:
    """The whole readings, one a line."""
    with request.service.open_to_read() as record:
        found = list_results(record, wanted)
        data = shown.results_jsonl(found, partial(corrections, record))
    return download(data, "application/jsonl", "history.jsonl")


@router.get("/boards.jsonl", include_in_schema=False)
def former_file() -> Response:
    """Redirect: earlier versions had a separate file for the readings of boards."""
    played = games.games_with("board")[0].NAME
    return RedirectResponse(f"/history.jsonl?played={played}", 308)


@router.get("/plot/{kind}.png", response_class=Response)
def plot(
    request: service.Visit, kind: Plot, wanted: service.Wanted, scheme: service.Asked = ""
) -> Response:
    """What changed over time, of the game that was played last, or how often cells stayed empty."""
    with request.service.open_to_read() as record:
        found = list_results(record, wanted)
    played, plots, language = statistics.of_last_game(found), _plots(), request.language
    colors = plots.DARK if scheme == "dark" else plots.LIGHT
    if kind == "empty":
        sheets = statistics.finished_sheets(played)
        layout = games.layout_of(sheets[-1].reading) if sheets else games.default_layout()
        shares = statistics.empty_shares(sheets, layout.grid)
        return png_picture(plots.png(plots.heat_map(shares, layout, language, colors)))
    if kind == "lost":
        lines = coach.lost_lines(statistics.finished_sheets(played), language)
    else:
        lines = (
            statistics.scores_over_time if kind == "scores" else statistics.accuracy_over_time
        )(played)
    title = "plot_scores" if kind == "scores" else kind
    game = games.game_title(next(iter(statistics.games_played(found)), next(iter(games.GAMES))))
    drawn = plots.scores_plot(lines, title, game, language, (720, 520), colors)
    return png_picture(plots.png(drawn))


def _plots() -> ModuleType:
    """The module that draws plots, imported with the first of them: it takes long.

    Raises PlotPartsMissing.
    """
    try:
        from brikks_vision.show import plots
    except ModuleNotFoundError as error:
        raise PlotPartsMissing(error.name or "matplotlib") from None
    return plots


@router.get("/player", response_class=HTMLResponse)
def player(
    request: service.Visit, name: service.Asked = "", played: service.Asked = ""
) -> Response:
    """What a player played, and how well. played: of which game; else of that played last."""
    language = request.language
    wanted = service.filters_of(name, played=played)
    with request.service.open_to_read() as record:
        theirs = list_results(record, Filters(name))[::-1] if name else ()
        known = tuple(dict.fromkeys(each.played for each in theirs))
        if not played and known and not request.wants_json:
            wanted = replace(wanted, played=known[0])
        everything = list_results(record, Filters(played=wanted.played))
        found = list_results(record, wanted) if name else ()
        ended = [
            game
            for game in list_games(record)
            if wanted.played in (None, *statistics.games_played(game.results))
        ]
    if request.wants_json:
        return JSONResponse([json_of(each) for each in found])
    shown = found[-1].player or name if found else name
    places = {each.player: each for each in statistics.player_stats(everything)}
    return page_of(
        request,
        "player.html",
        player=shown,
        results=found[::-1][:100],  # results on the page of a player
        stats=places.get(shown),
        players=len(places.keys() - {None}),
        wins=statistics.wins(ended, shown),
        rivals=statistics.head_to_head(ended, shown),
        ranks=[(rank.text(language), count) for rank, count in statistics.rank_counts(found)],
        asked=urlencode({"player": shown, "played": wanted.played or ""}),
        played=wanted.played,
        titles={each: games.game_title(each) for each in known},
    )
