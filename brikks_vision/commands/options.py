"""What several commands have in common: options, help, checks of what is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from brikks_vision.games import GAMES, check_settings
from brikks_vision.reading import GameSettings
from brikks_vision.text.languages import texts_in


class Language(StrEnum):
    DE = "de"
    EN = "en"
    FR = "fr"
    ES = "es"


class Variant(StrEnum):
    STANDARD = "standard"
    SOLO = "solo"
    DUEL = "duel"


class GameVariant(StrEnum):
    STANDARD = "standard"
    DUEL = "duel"


def new_app(**settings: Any) -> typer.Typer:
    """A command as all of them are: plain, with -h for help."""
    # Plain help and plain exceptions: rich would double the time that the command needs to start.
    plain: dict[str, Any] = {
        "add_completion": False,
        "rich_markup_mode": None,
        "pretty_exceptions_enable": False,
        "context_settings": {"help_option_names": ["-h", "--help"]},
    }
    return typer.Typer(**plain | settings)


def exit_codes(keys: Sequence[str], language: str, *notes: str) -> str:
    """The last paragraph of a help: the exit codes, 0 and following, by the keys of their texts.

    ``notes``: lines that stand before it.
    """
    texts = texts_in(language).help
    codes = [f"  {code}  {texts[key]}" for code, key in enumerate(keys)]
    # The sign before a paragraph keeps its lines as they are.
    return "\n".join([*(f"{note}\n" for note in notes), "\b", texts["exit_codes"], *codes])


Json = Annotated[
    bool, typer.Option("--json", help="One JSON object a sheet, one a line, on stdout.")
]
Players = Annotated[
    int | None,
    typer.Option(min=1, max=4, metavar="1-4", help="How many played.", show_default=False),
]
Level = Annotated[
    int | None,
    typer.Option(min=1, max=4, metavar="1-4", help="The level played.", show_default=False),
]
AnyVariant = Annotated[Variant | None, typer.Option(help="The game played.", show_default=False)]
Database = Annotated[
    Path | None,
    typer.Option(
        "--db", metavar="FILE", help="The record; else the user's own.", show_default=False
    ),
]
Lang = Annotated[
    Language | None,
    typer.Option(help="Language of rank and report; else the system's.", show_default=False),
]


GameOption = Annotated[
    str | None,
    typer.Option(
        "--game",
        metavar="|".join(GAMES),
        help="The game on the sheet; else all are tried.",
        show_default=False,
    ),
]
SheetOption = Annotated[
    str | None,
    typer.Option(
        "--sheet",
        metavar="NAME|SHEET.json",
        help="The printing: a name of sheet list, or a definition; else all known are tried.",
        show_default=False,
    ),
]


def said_of_game(players: int | None, level: int | None, variant: StrEnum | None) -> GameSettings:
    """What the options say of a game."""
    return GameSettings(players, level, None if variant is None else str(variant))


def check_game(players: int | None, level: int | None, variant: Variant | None) -> None:
    """Raises GameImpossible where number of players and variant do not go together."""
    if variant is None:
        return
    check_settings(
        said_of_game(players, level, variant), f"--players {players} --variant {variant}"
    )
