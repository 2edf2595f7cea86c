"""``brikks-scan follow``: a game from photo to photo."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.options import GameOption, Lang, SheetOption, new_app
from brikks_vision.commands.photos import printings_meant, read_photos, sheet_in
from brikks_vision.commands.terminal import (
    complain,
    first_of,
    say,
    terminal_paint,
    verdict_code,
)
from brikks_vision.errors import BrikksError, ExitCode
from brikks_vision.intake.folders import files_of
from brikks_vision.reading import NO_SETTINGS
from brikks_vision.text.display import json_line
from brikks_vision.text.languages import language_of_locale

app = new_app()


@app.command()
def follow(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO...",
            help="Photos of one sheet or board, in the order in which they were taken.",
            show_default=False,
        ),
    ],
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Each reading, and what was followed, as JSON, one object a line, on stdout.",
        ),
    ] = False,
    game: GameOption = None,
    sheet: SheetOption = None,
    players: Annotated[
        str | None,
        typer.Option(
            metavar="COLOUR,COLOUR...",
            help="Who plays, in the order of their turns, such as blue,green.",
            show_default=False,
        ),
    ] = None,
    coach: Annotated[
        bool,
        typer.Option("--coach", help="Tell of each turn what its cards could have brought more."),
    ] = False,
    lang: Lang = None,
) -> None:
    """Follow a game from photo to photo, one after each turn: turns, broken rules, points."""
    language = str(lang or language_of_locale())
    from brikks_vision.pipeline.follow import check_photos, follow_shown

    codes: set[ExitCode] = set()
    try:
        files = [file for photo in photos for file in files_of(photo)]
        check_photos(files)
        order = [color.strip() for color in players.split(",")] if players else []
        sought = printings_meant(game, sheet)
        readings, results = read_photos(files, sheet_in, NO_SETTINGS, language, codes, sought)
        shown = [result or reading for result, reading in zip(results, readings, strict=True)]
        found = follow_shown(shown, order, language)
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(first_of({error.exit_code} | codes)) from None
    codes |= {verdict_code(turn) for turn in found.turns}
    if as_json:
        for reading in found.readings:
            say(json_line(reading.to_dict()))
        say(json_line(found.follow_dict()))
        if coach:
            say(json_line(found.coach_dict()))
    else:
        from brikks_vision.show.followed import coach_report, followed_report

        say(followed_report(found, language, terminal_paint()))
        if coach:
            say(coach_report(found, language, terminal_paint()))
    raise typer.Exit(first_of(codes))
