"""What several commands have in common: options, help, checks of what is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from brikks_vision.games import GAMES, checked_settings, games_meant, settings_of
from brikks_vision.reading import GameSettings, Setting
from brikks_vision.text.languages import texts_in


class Language(StrEnum):
    DE = "de"
    EN = "en"
    FR = "fr"
    ES = "es"


WRITTEN = "--{}"
SAID = "brikks_vision.settings"  # in the context of a command: by setting, what its option says


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
Answer = Annotated[
    list[str] | None,
    typer.Option(
        metavar='"PLACE=MARK"',
        help='Settle a doubt: "row 3, column 4=crossed", "energy point 12=circled", '
        '"box 21=open", "bomb 2=crossed", in any of the four languages. Rows count from '
        "the bottom; a bomb and a box are called by their figure. Can be given several times.",
    ),
]
Roll = Annotated[
    tuple[str, int] | None,
    typer.Option(metavar="COLOUR NUMBER", help="What was rolled, such as red 3."),
]
Database = Annotated[
    Path | None, typer.Option("--db", metavar="FILE", help="The record; else the user's own.")
]
Lang = Annotated[
    Language | None, typer.Option(help="Language of rank and report; else the system's.")
]


GameOption = Annotated[
    str | None,
    typer.Option(
        "--game", metavar="|".join(GAMES), help="The game on the sheet; else all are tried."
    ),
]
SheetOption = Annotated[
    str | None,
    typer.Option(
        "--sheet",
        metavar="NAME|SHEET.json",
        help="The printing: a name of sheet list, or a definition; else all known are tried.",
    ),
]


class WithSettings(TyperCommand):
    """A command with an option for each setting of the games; `said_of_game` has what is said.

    But for those that the command has itself.
    """

    def __init__(self, name: str | None, **extra: Any) -> None:
        super().__init__(name, **extra)
        own = {each.name for each in self.params}
        more = (each for _, each in settings_of().values() if each.name not in own)
        self.params += map(_setting_option, more)

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """As of click; what stands after --roll may be one word, as in --roll "red 3"."""
        parts = [
            word.split() if before == "--roll" else [word]
            for before, word in zip(["", *args], args, strict=False)
        ]
        return super().parse_args(ctx, [part for each in parts for part in each])


def _setting_option(setting: Setting) -> TyperOption:
    values = list(map(str, setting.values))

    def keep(context: typer.Context, _: object, value: str | None) -> None:
        context.meta.setdefault(SAID, {})[setting.name] = value

    return TyperOption(
        param_decls=[f"--{setting.name}"],
        expose_value=False,
        callback=keep,
        metavar="|".join(values),
        help=setting.help,
        autocompletion=lambda *_: values,
    )


def said_of_game(context: typer.Context, game: str | None = None) -> GameSettings:
    """What the options say of the game, or where that is not known of any.

    Raises
    ------
    SettingUnknown, UnknownValue, GameImpossible
    """
    return checked_settings(settings_in(context), games_meant(game), WRITTEN)


def settings_in(context: typer.Context) -> Mapping[str, str | None]:
    """By setting, the words of its option."""
    said: Mapping[str, str | None] = context.meta.get(SAID, {})
    return said
