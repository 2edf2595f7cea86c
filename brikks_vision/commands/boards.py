"""``brikks-scan moves`` and ``points``: what can be done on a board, and what players have won."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands import photos, terminal
from brikks_vision.reading import NO_SETTINGS
from brikks_vision.text import languages, phrases

moves_app, points_app = terminal.new_app(), terminal.new_app()


@moves_app.command()
def moves(
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="moves photo")],
    color: Annotated[
        str, typer.Option(metavar="blue|brown|green|red", help="moves color")
    ],
    cards: Annotated[
        str,
        typer.Option(
            metavar="CARD,CARD...", help="moves cards"
        ),
    ],
    blocks: Annotated[
        str | None,
        typer.Option(
            metavar="COLOUR,COLOUR...", help="moves blocks"
        ),
    ] = None,
    phase: Annotated[
        int | None, typer.Option(help="moves phase")
    ] = None,
    as_json: terminal.Json = False,
    annotate: Annotated[
        Path | None,
        typer.Option(metavar="OUT.jpg",
                     help="moves annotate"),
    ] = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(metavar='"PLACE=THING"',
                     help="moves answer"),
    ] = None,
    sheet: terminal.SheetOption = None,
    *,
    language: terminal.Lang,
) -> None:  # fmt: skip
    """Tell all that a player may do on a photographed board."""
    from brikks_vision.games import game_of
    from brikks_vision.games.printings import printings_with
    from brikks_vision.infer.answers import split_answers
    from brikks_vision.pipeline import scan_photo
    from brikks_vision.show.board import best_way, brings_text, draw_board

    with terminal.complaints(language, photo):
        (picture,) = photos.picture_paths(annotate, [photo], [photo])
        said = split_answers(answer or (), "field 3,4=blue")
        seen = scan_photo(photo, NO_SETTINGS, language, said, printings_with("moves", sheet))
        moves_of = game_of(seen.reading).moves
        assert moves_of is not None  # only boards of such games are looked for
        found = moves_of(seen.posterior, color, words_of(cards), words_of(blocks or ""), phase)
        if picture:
            from brikks_vision.show.overlay import save_image

            ways = [each.way for each in found if each.way]
            side = len(seen.view.plan)
            drawn = draw_board(
                seen.photo.image, seen.placement, seen.view.labels, side, ways, best_way(found)
            )
            save_image(drawn, picture)
    if as_json:
        shared = {"status": str(seen.reading.status), "photos": [photo.name]}
        for each in found:
            terminal.say(phrases.json_line({"turn": {**shared, **each.to_dict()}}))
    else:
        terminal.show(seen.reading, language, referee=False)
        words = languages.texts_in(language).report
        key = {0: "moves_none", 1: "moves_one"}.get(len(found), "moves_many")
        terminal.say(f"\n  {words[key].format(count=len(found))}")
        if any(brings_text(each, language) for each in found):
            terminal.say(f"  {words['moves_order']}")
        for number, each in enumerate(found, 1):
            first, *more = (told.sentence(language) for told in each.told)
            terminal.say(f"  {number:>3}. {first}")
            for told in filter(None, [*more, brings_text(each, language)]):
                terminal.say(f"       {told}")
    raise typer.Exit(terminal.exit_code(seen.reading, referee=False))


def words_of(text: str) -> list[str]:
    """What stands between commas."""
    return [word.strip() for word in text.split(",") if word.strip()]


@points_app.command()
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
    as_json: terminal.Json = False,
    *,
    language: terminal.Lang,
) -> None:  # fmt: skip
    """Add what players have won, and tell who wins."""
    from brikks_vision.games import games_with

    with terminal.complaints(language):
        winnings = games_with("winnings")[0].winnings
        assert winnings is not None
        found = winnings.standings([*map(words_of, chips)], [*map(words_of, blocks or ())])
    if as_json:
        terminal.say(phrases.json_line({"points": [dict(each.content) for each in found]}))
        return
    for each in sorted(found, key=lambda each: each.rank):
        terminal.say(f"  {each.rank}. {each.told.sentence(language)}")
