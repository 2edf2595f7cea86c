"""One player: scores over time, best, mean and ranks, against others, in a row."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from brikks_vision.games import game_title
from brikks_vision.record.entries import Filters
from brikks_vision.record.games import list_games
from brikks_vision.record.results import list_results
from brikks_vision.record.rivals import head_to_head, rank_counts, wins
from brikks_vision.record.statistics import games_played, player_stats
from brikks_vision.web.answers import json_of, page_of
from brikks_vision.web.service import Asked, filters_of, language_for, service_of, wants_json

MAX_LISTED = 100  # results on the page of a player

router = APIRouter()


@router.get("/player", response_class=HTMLResponse)
def player(request: Request, name: Asked = "", played: Asked = "") -> Response:
    """What a player played, and how well. played: of which game; else of that played last."""
    language = language_for(request)
    wanted = filters_of(name, played=played)
    with service_of(request).open_to_read() as record:
        theirs = list_results(record, Filters(name))[::-1] if name else ()
        known = tuple(dict.fromkeys(each.played for each in theirs))
        if not played and known and not wants_json(request):
            wanted = replace(wanted, played=known[0])
        everything = list_results(record, Filters(played=wanted.played))
        found = list_results(record, wanted) if name else ()
        games = [
            game
            for game in list_games(record)
            if wanted.played in (None, *games_played(game.results))
        ]
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
        asked=urlencode({"player": shown, "played": wanted.played or ""}),
        played=wanted.played,
        titles={each: game_title(each) for each in known},
    )
