"""``brikks-scan game``: who won, and do the sheets fit together."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.options import GameVariant, Json, Lang, new_app
from brikks_vision.commands.photos import read_photos, sheets_in
from brikks_vision.commands.terminal import (
    complain,
    exit_code,
    first_of,
    print_json,
    terminal_paint,
    verdict_code,
)
from brikks_vision.errors import (
    BrikksError,
    ExitCode,
    LevelsUnclear,
    SheetsNotOneGame,
)
from brikks_vision.intake.folders import files_of
from brikks_vision.text.languages import language_of_locale

app = new_app()


@app.command()
def game(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO|FOLDER",
            help="Photos of the sheets of all players of one game, each sheet once; "
            "one photo may show several.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
    players: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=4,
            metavar="2-4",
            help="How many played; else as many as sheets.",
            show_default=False,
        ),
    ] = None,
    level: Annotated[
        str | None,
        typer.Option(
            metavar="1-4[,1-4...]",
            help="The level of all, or one for each sheet in the order of the photos.",
            show_default=False,
        ),
    ] = None,
    variant: Annotated[
        GameVariant | None, typer.Option(help="The game played.", show_default=False)
    ] = None,
    lang: Lang = None,
) -> None:
    """Rank the sheets of one game, and tell whether they can be of one game."""
    language = str(lang or language_of_locale())
    try:
        files = [file for photo in photos for file in files_of(photo)]
        levels = _levels(level, len(files))
        count = players or max(2, len(files))
        _check_table(count, max(2, len(files)), variant)  # one photo may show all sheets
        codes: set[ExitCode] = set()
        readings, results = read_photos(files, sheets_in, count, levels, variant, language, codes)
        if players is None and len(readings) > count:
            count, codes = len(readings), set()
            _check_table(count, len(readings), variant)
            readings, results = read_photos(
                files, sheets_in, count, levels, variant, language, codes
            )
        _check_table(count, len(readings), variant)
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(error.exit_code) from None
    from brikks_vision.games.brikks.compare import read_game
    from brikks_vision.layout import load_sheet

    verdict = read_game(
        [reading.photo for reading in readings],
        [None if result is None else result.posterior for result in results],
        load_sheet(),
        count,
        None if variant is None else str(variant),
        language,
    )
    codes |= {*(exit_code(reading, referee=True) for reading in readings), verdict_code(verdict)}
    if as_json:
        print_json(*readings, verdict)
    else:
        from brikks_vision.show.comparison import game_report

        print(game_report(readings, verdict, language, terminal_paint()))
    raise typer.Exit(first_of(codes))


def _check_table(players: int, sheets: int, variant: GameVariant | None) -> None:
    """Raises SheetsNotOneGame where no game has so many players and sheets."""
    from brikks_vision.rules.brikks import settings

    game = settings.Variant(str(variant or GameVariant.STANDARD))
    if not 2 <= sheets <= players or players not in settings.PLAYERS[game]:
        raise SheetsNotOneGame(sheets)


def _levels(text: str | None, sheets: int) -> list[int | None]:
    """The level of each sheet; raises LevelsUnclear."""
    if text is None:
        return [None] * sheets
    words = [word.strip() for word in text.split(",")]
    if any(word not in ("1", "2", "3", "4") for word in words) or len(words) not in (1, sheets):
        raise LevelsUnclear(text, sheets)
    levels: list[int | None] = [int(word) for word in words]
    return levels * sheets if len(levels) == 1 else levels
