"""``brikks-scan sheet``: sheets to print."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from click import Choice

from brikks_vision.commands.options import Language, new_app
from brikks_vision.commands.terminal import complain
from brikks_vision.errors import (
    BrikksError,
    OutputFormatUnknown,
)
from brikks_vision.games import FIRST_GAME, GAMES
from brikks_vision.text.languages import language_of_locale


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"


class Style(StrEnum):
    """How sheets can be printed; not every game has all of them."""

    LIGHT = "light"
    ARCADE = "arcade"


app = new_app(help="The player sheet itself.", no_args_is_help=True)


@app.callback()
def sheet() -> None:
    """The player sheet itself."""


@app.command("print")
def print_sheet(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="SHEET.pdf", help="The PDF to write.")
    ],
    game: Annotated[str, typer.Option(click_type=Choice(GAMES), help="Which game.")] = FIRST_GAME,
    paper: Annotated[Paper, typer.Option(help="Size of the paper.")] = Paper.A4,
    per_page: Annotated[int, typer.Option(min=1, max=2, metavar="1|2", help="Sheets a page.")] = 1,
    style: Annotated[
        Style,
        typer.Option(help="Light on ink with markers, or dark like an arcade machine without."),
    ] = Style.LIGHT,
    lang: Annotated[
        Language | None,
        typer.Option(help="Language of the printed words; else the system's.", show_default=False),
    ] = None,
) -> None:
    """Write a sheet to print and play on, its back the block overview, as a PDF."""
    language = str(lang or language_of_locale())
    try:
        if output.suffix.lower() != ".pdf":
            raise OutputFormatUnknown(output, ".pdf")
        from brikks_vision.games import game_named

        game_named(game).write_sheet_pdf(output, str(paper), per_page, str(style), language)
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(error.exit_code) from None
