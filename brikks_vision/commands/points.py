"""``brikks-scan points``: what players have won, added and ranked."""

from __future__ import annotations

from typing import Annotated

import typer

from brikks_vision.commands.moves import words_of
from brikks_vision.commands.terminal import Json, Lang, complaints, new_app, say
from brikks_vision.text.phrases import json_line

app = new_app()


@app.command()
def points(
    chips: Annotated[
        list[str],
        typer.Option(metavar="VALUE,VALUE...",
                     help="points chips"),
    ],
    blocks: Annotated[
        list[str] | None,
        typer.Option(metavar="COLOUR,COLOUR...",
                     help="points blocks"),
    ] = None,
    as_json: Json = False,
    *,
    language: Lang,
) -> None:  # fmt: skip
    """Add what players have won, and tell who wins."""
    from brikks_vision.games import games_with

    with complaints(language):
        winnings = games_with("winnings")[0].winnings
        assert winnings is not None
        found = winnings.standings([*map(words_of, chips)], [*map(words_of, blocks or ())])
    if as_json:
        say(json_line({"points": [dict(each.content) for each in found]}))
        return
    for each in sorted(found, key=lambda each: each.rank):
        say(f"  {each.rank}. {each.told.sentence(language)}")
