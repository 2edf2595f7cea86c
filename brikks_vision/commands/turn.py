"""``brikks-scan turn``: was the turn between two photos legal."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.options import (
    GameOption,
    Json,
    Lang,
    SheetOption,
    WithSettings,
    new_app,
    said_of_game,
)
from brikks_vision.commands.photos import printings_meant, read_photos, sheet_in
from brikks_vision.commands.terminal import (
    complain,
    exit_code,
    first_of,
    print_json,
    say,
    terminal_paint,
    verdict_code,
)
from brikks_vision.decode.game import ToldTurn, TurnSaid
from brikks_vision.errors import (
    BrikksError,
    ExitCode,
    PhotosNotOneTurn,
    TurnsNotJudged,
)
from brikks_vision.games import GAMES, game_named, game_of_all, layout_of
from brikks_vision.intake.folders import files_of
from brikks_vision.text.languages import language_of_locale
from brikks_vision.text.phrases import translator

app = new_app()


@app.command(cls=WithSettings)
def turn(
    context: typer.Context,
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="BEFORE AFTER",
            help="Two photos of one sheet, before and after a turn; with --out only one.",
            show_default=False,
        ),
    ],
    out: Annotated[
        bool, typer.Option("--out", help="The player says there is no legal place left.")
    ] = False,
    roll: Annotated[
        tuple[str, int] | None,
        typer.Option(
            metavar="COLOUR NUMBER", help="What was rolled, such as red 3.", show_default=False
        ),
    ] = None,
    as_json: Json = False,
    game: GameOption = None,
    sheet: SheetOption = None,
    phase: Annotated[
        int | None,
        typer.Option(
            help="Of a game on a board: the phase; else all that its towers allow.",
            show_default=False,
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    """Tell whether the turn between two photos of a sheet was legal, and what it cost and earned.

    Or, with --out and one photo, whether a player really had no legal place left.
    """
    language = str(lang or language_of_locale())
    try:
        if len(photos) != (1 if out else 2):
            raise PhotosNotOneTurn(len(photos))
        said = TurnSaid(roll, out, phase, translator(language))
        files = [file for photo in photos for file in files_of(photo)]
        known, sought = said_of_game(context, game), printings_meant(game, sheet)
        for name in dict.fromkeys(GAMES if sought is None else [each.game for each in sought]):
            if turns := game_named(name).turns:
                turns.check(said)
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(error.exit_code) from None
    codes: set[ExitCode] = set()
    readings, results = read_photos(files, sheet_in, known, language, codes, sought)
    read = [each for each in results if each is not None]
    verdict = None
    try:
        played = game_of_all(layout_of(each.reading) for each in read)
        if played.turns is None:
            raise TurnsNotJudged(played.TITLE)
        if len(read) == len(files):
            names = [file.name for file in files]
            states = [each.posterior for each in read]
            verdict = played.turns.judge(names, states, said, known)
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(error.exit_code) from None
    if not isinstance(verdict, ToldTurn):  # which says how sure both photos are together
        codes |= {exit_code(reading, referee=False) for reading in readings}
    if as_json:
        print_json(*readings)
    if verdict is not None:
        from brikks_vision.pipeline.words import verdict_in_words
        from brikks_vision.show.comparison import turn_report

        verdict = verdict_in_words(verdict, language)
        codes.add(verdict_code(verdict))
        if as_json:
            print_json(verdict)
        else:
            say(turn_report(readings, verdict, language, terminal_paint()))
    raise typer.Exit(first_of(codes))
