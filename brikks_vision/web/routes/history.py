"""What was recorded, as a page, as plots and as files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from types import ModuleType
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from brikks_vision.errors import FieldUnclear, PlotPartsMissing
from brikks_vision.games import GAMES, default_layout, game_title, games_with, layout_of
from brikks_vision.record.changes import was_removed
from brikks_vision.record.entries import ChangeKind, Filters, Result
from brikks_vision.record.games import list_games
from brikks_vision.record.results import corrections, list_results, players
from brikks_vision.record.statistics import (
    Scores,
    accuracy_over_time,
    empty_shares,
    finished_sheets,
    games_played,
    of_last_game,
    player_stats,
    scores_over_time,
)
from brikks_vision.show.coach import lost_lines
from brikks_vision.show.history import results_csv, results_jsonl
from brikks_vision.text.languages import texts_in
from brikks_vision.web.answers import download, json_of, page_of, png_picture
from brikks_vision.web.routes.check import open_questions
from brikks_vision.web.service import (
    Asked,
    Numbers,
    RemovedNumber,
    Wanted,
    filters_of,
    language_for,
    service_of,
    wants_json,
)

MAX_LISTED = 500  # results in the history

router = APIRouter()


@router.get("/history", response_class=HTMLResponse)
def history(
    request: Request,
    player: Asked = "",
    since: Asked = "",
    until: Asked = "",
    played: Asked = "",
    chosen: Annotated[Numbers, Query(max_length=50)] = [],  # noqa: B006
    found: Asked = "",
    unread: Asked = "",
    removed: RemovedNumber = None,
) -> Response:
    """What was recorded, the newest first; the sheets of a game can be chosen.

    removed : a result that was removed just now.
    """
    query = {"player": player, "since": since, "until": until, "played": played}
    if wants_json(request):
        with service_of(request).open_to_read() as record:
            listed = list_results(record, filters_of(**query))[-MAX_LISTED:][::-1]
        return JSONResponse([json_of(each) for each in listed])
    try:
        wanted, problem = filters_of(**query), ""
    except FieldUnclear as error:
        wanted, problem = Filters(), error.text(language_for(request))
    if wanted.since and wanted.until and wanted.since > wanted.until:
        problem = texts_in(language_for(request)).page["dates_wrong"]
    page = history_page(
        request,
        query,
        wanted,
        chosen,
        filter_problem=problem,
        found=found,
        unread=unread,
        removed=removed,
    )
    if problem:
        page.status_code = 400
    return page


def history_page(
    request: Request,
    query: Mapping[str, str],
    wanted: Filters,
    chosen: Sequence[int],
    filter_problem: str = "",
    problem: str = "",
    found: str = "",
    unread: str = "",
    removed: int | None = None,
) -> Response:
    """The history as a page.

    query : as it was written. problem : what is wrong with the choice of sheets.
    filter_problem : what is wrong with the query.
    """
    service = service_of(request)
    titles = {name: game_title(name) for name in GAMES}
    with service.open_to_read() as record:
        listed = list_results(record, wanted)[-MAX_LISTED:][::-1]
        games = list_games(record)[::-1]
        names = players(record)
        count = len(open_questions(record))
        is_gone = removed is not None and was_removed(record, ChangeKind.REMOVED, removed)
    return page_of(
        request,
        "history.html",
        results=listed,
        games=games,
        names=names,
        stats=player_stats(of_last_game(listed)),
        stats_of="".join(titles[name] for name in games_played(listed)[:1]),
        titles=titles,
        query=query,
        asked="" if filter_problem else urlencode({k: v for k, v in query.items() if v}),
        chosen=chosen,
        found=bool(found),
        unread=bool(unread),
        removed=removed if is_gone else None,
        problem=problem,
        filter_problem=filter_problem,
        open_questions=count,
    )


@router.get("/history.csv", response_class=Response)
def history_csv(request: Request, wanted: Wanted) -> Response:
    """The history for a spreadsheet."""
    with service_of(request).open_to_read() as record:
        data = results_csv(list_results(record, wanted))
    return download(data, "text/csv; charset=utf-8", "history.csv")


@router.get("/history.jsonl", response_class=Response)
def history_jsonl(request: Request, wanted: Wanted) -> Response:
    """The whole readings, one a line."""
    with service_of(request).open_to_read() as record:
        found = list_results(record, wanted)
        data = results_jsonl(found, partial(corrections, record))
    return download(data, "application/jsonl", "history.jsonl")


@router.get("/boards.jsonl", include_in_schema=False)
def former_file() -> Response:
    """Redirect: earlier versions had a separate file for the readings of boards."""
    played = games_with("board")[0].NAME
    return RedirectResponse(f"/history.jsonl?played={played}", 308)


@router.get("/plot/scores.png", response_class=Response)
def plot_scores(request: Request, wanted: Wanted, scheme: Asked = "") -> Response:
    """Scores over time."""
    found = _found(request, wanted)
    return _over_time(request, scores_over_time(of_last_game(found)), "plot_scores", found, scheme)


@router.get("/plot/lost.png", response_class=Response)
def plot_lost(request: Request, wanted: Wanted, scheme: Asked = "") -> Response:
    """Points lost over time, by cause."""
    found = _found(request, wanted)
    lost = lost_lines(finished_sheets(of_last_game(found)), language_for(request))
    return _over_time(request, lost, "lost", found, scheme)


@router.get("/plot/accuracy.png", response_class=Response)
def plot_accuracy(request: Request, wanted: Wanted, scheme: Asked = "") -> Response:
    """The share of the points within reach over time."""
    found = _found(request, wanted)
    return _over_time(request, accuracy_over_time(of_last_game(found)), "accuracy", found, scheme)


@router.get("/plot/empty.png", response_class=Response)
def plot_empty(request: Request, wanted: Wanted, scheme: Asked = "") -> Response:
    """How often each cell stayed empty."""
    sheets, plots = finished_sheets(of_last_game(_found(request, wanted))), _plots()
    layout = layout_of(sheets[-1].reading) if sheets else default_layout()
    shares, colors = empty_shares(sheets, layout.grid), _colors(plots, scheme)
    return png_picture(plots.png(plots.heat_map(shares, layout, language_for(request), colors)))


def _found(request: Request, wanted: Filters) -> Sequence[Result]:
    with service_of(request).open_to_read() as record:
        return list_results(record, wanted)


def _over_time(
    request: Request, lines: Sequence[Scores], title: str, found: Sequence[Result], scheme: str
) -> Response:
    plots = _plots()
    game = game_title(next(iter(games_played(found)), next(iter(GAMES))))
    size, colors = (720, 520), _colors(plots, scheme)
    plot = plots.scores_plot(lines, title, game, language_for(request), size, colors)
    return png_picture(plots.png(plot))


def _colors(plots: ModuleType, scheme: str) -> Any:
    return plots.DARK if scheme == "dark" else plots.LIGHT


def _plots() -> ModuleType:
    """The module that draws plots, imported with the first of them: it takes long.

    Raises
    ------
    PlotPartsMissing
    """
    try:
        from brikks_vision.show import plots
    except ModuleNotFoundError as error:
        raise PlotPartsMissing(error.name or "matplotlib") from None
    return plots
