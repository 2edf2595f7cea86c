"""One player: scores over time, best, mean and ranks, against others, in a row."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from brikks_vision.record.entries import Filters
from brikks_vision.record.games import list_games
from brikks_vision.record.results import list_results
from brikks_vision.record.rivals import head_to_head, rank_counts, wins
from brikks_vision.record.statistics import player_stats
from brikks_vision.web.answers import json_of, page_of
from brikks_vision.web.service import Asked, language_for, service_of, wants_json

MAX_LISTED = 100  # results on the page of a player

router = APIRouter()


@router.get("/player", response_class=HTMLResponse)
def player(request: Request, name: Asked = "") -> Response:
    """What a player played, and how well."""
    language = language_for(request)
    with service_of(request).open_to_read() as record:
        everything = list_results(record)
        found = list_results(record, Filters(name)) if name else ()
        games = list_games(record)
    if wants_json(request):
        return JSONResponse([json_of(each) for each in found])
    shown = found[-1].player or name if found else name
    places = {each.player: each for each in player_stats(everything)}
    return page_of(
        request,
        "player.html",
        player=shown,
        results=found[::-1][:MAX_LISTED],
        stats=places.get(shown),
        players=len(places.keys() - {None}),
        wins=wins(games, shown),
        rivals=head_to_head(games, shown),
        ranks=[(rank.text(language), count) for rank, count in rank_counts(found)],
        asked=urlencode({"player": shown}),
    )
