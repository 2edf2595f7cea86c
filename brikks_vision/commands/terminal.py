"""What all commands share: options, help, what they print, and how they end."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from threading import Timer
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand, TyperOption

from brikks_vision.errors import BrikksError, ExitCode, SettingUnknown
from brikks_vision.games import GAMES, checked_settings, games_meant, settings_of
from brikks_vision.layout import CELL, Printing
from brikks_vision.reading import GameSettings, Reading, Setting, Status
from brikks_vision.text.languages import LANGUAGES, texts_in
from brikks_vision.text.phrases import json_line, visible

if TYPE_CHECKING:
    from rich.progress import Progress

    from brikks_vision.infer.protocol import Turn
    from brikks_vision.show.report import Paint

PROGRAM = "brikks-scan"
GAME, RECORD = "The game", "The record"  # groups of options in a help, as their English texts


@dataclass(frozen=True)
class Context:
    """What a command was told once, for all its photos.

    settings: of the game. printings: those that are looked for; None: all that are known. record:
    its file; None: the user's own.
    """

    language: str
    settings: GameSettings
    printings: Sequence[Printing] | None
    record: Path | None = None


_bars: list[Progress] = []  # at most one: what `progress` shows now


def first_of(codes: Iterable[ExitCode]) -> ExitCode:
    """The exit code that stands for several: the first of 2, 1, 3, 4 that is there, else 0."""
    order = (ExitCode.WRONG_USE, ExitCode.UNREADABLE, ExitCode.UNCERTAIN, ExitCode.VIOLATIONS)
    there = set(codes)
    return next((code for code in order if code in there), ExitCode.CERTAIN)


def exit_code(reading: Reading, referee: bool) -> ExitCode:
    if reading.status is Status.UNREADABLE:
        return ExitCode.UNREADABLE
    if reading.status is Status.UNCERTAIN:
        return ExitCode.UNCERTAIN
    return ExitCode.VIOLATIONS if referee and reading.violations else ExitCode.CERTAIN


def verdict_code(verdict: Turn) -> ExitCode:
    if verdict.status is not Status.OK:
        return ExitCode.UNCERTAIN
    return ExitCode.VIOLATIONS if verdict.violations else ExitCode.CERTAIN


def say(text: str = "") -> bool:
    """Print on stdout; whether somebody still reads it.

    Where nobody does, as after ``| head``, nothing is printed from then on, but the command goes
    on: there may be pictures to save and results to record.
    """
    try:
        with _above_the_bar():
            print(text, flush=True)
    except BrokenPipeError:
        # Else the flush at the end of the program fails again (Python's documentation of SIGPIPE).
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)
        return False
    return True


def note(text: str) -> None:
    """Print on stderr what is no result and no error."""
    with _above_the_bar():
        print(text, file=sys.stderr, flush=True)


def note_saved(path: Path, language: str) -> None:
    """Say on stderr where something was saved."""
    note(texts_in(language).report["history_saved"].format(path=visible(path)))


def print_json(*objects: Reading | Turn) -> bool:
    """One object a line; whether somebody still reads them."""
    return all([say(json_line(each.to_dict())) for each in objects])


def terminal_paint() -> Paint:
    """Colours where stdout is a terminal and the user does not refuse them."""
    from brikks_vision.show.report import colored, plain

    return colored if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else plain


def show(reading: Reading, language: str, referee: bool) -> bool:
    """Print the report of a sheet or a board; whether somebody still reads it."""
    from brikks_vision.show.board import told

    return say(told(reading, language, terminal_paint(), referee))


def legend(language: str, games: Iterable[str]) -> str:
    """What the signs of drawn grids of these games mean, and their colours where there are any."""
    from brikks_vision.games import game_named

    texts, paint = texts_in(language), terminal_paint()
    told: dict[str, str] = {}
    for game in games:
        for sign in game_named(game).MARKS.get(CELL, ()):
            told.setdefault(sign, texts.answers[f"{game}.{CELL} {sign}"][0])
    if not told:  # reports on boards have a legend of their own
        return ""
    told["."] = told.pop(".")  # what is empty after what is drawn
    line = ", ".join([f"{sign} {word}" for sign, word in told.items()])
    is_colored = paint("X", "bold") != "X"
    colors = texts.report["legend_colors"] * is_colored
    return f"  {paint(line + texts.report['legend_unknown'] + colors, 'dim')}"


def count_table(rows: Sequence[tuple[str, int]]) -> list[str]:
    """Names and numbers, one a line, under each other."""
    width = max(len(name) for name, _ in rows)
    return [f"  {name:<{width}} {count:6d}" for name, count in rows]


@contextmanager
def progress(count: int) -> Iterator[Callable[[], None]]:
    """A bar on stderr, where that is a terminal; yields the function that counts one photo as done.

    Of a single photo nothing is drawn. What `say`, `note` and `complain` print stands above it.
    """
    if count <= 1 or not sys.stderr.isatty():
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    bar = Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
        redirect_stdout=False,  # rich would print it on stderr
        redirect_stderr=False,
    )
    task = bar.add_task("", total=count)
    _bars.append(bar)
    try:
        with bar:
            yield lambda: bar.advance(task)
    finally:
        _bars.remove(bar)


@contextmanager
def waiting(file: Path, language: str) -> Iterator[None]:
    """Say on a terminal which photo is read, for as long as it takes longer than a second."""
    if _bars or not sys.stderr.isatty():
        yield
        return
    text = visible(texts_in(language).report["reading_photo"].format(photo=file.name))
    told: list[bool] = []

    def tell() -> None:
        told.append(True)
        print(text, end="\r", file=sys.stderr, flush=True)

    timer = Timer(1.0, tell)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if told:
            print("\x1b[2K", end="\r", file=sys.stderr, flush=True)


@contextmanager
def _above_the_bar() -> Iterator[None]:
    """Take the bar away meanwhile, so that a line can be printed in its place."""
    for bar in _bars:
        bar.stop()
    try:
        yield
    finally:
        for bar in _bars:
            bar.start()


def complain(file: Path | None, error: BrikksError, language: str) -> None:
    """The error's sentence on stderr, with the name of the photo that it is about."""
    names_it = error.exit_code is not ExitCode.WRONG_USE or isinstance(error, SettingUnknown)
    about = f"{file.name}: " if file is not None and names_it else ""
    with _above_the_bar():
        print(f"brikks-scan: {visible(about + error.text(language))}", file=sys.stderr)


@contextmanager
def complaints(language: str, file: Path | None = None) -> Iterator[None]:
    """Say what goes wrong inside, of a file, and end the program with its exit code.

    What is wrong with no file needs no such block: the program says it in the end.
    """
    try:
        yield
    except BrikksError as error:
        complain(file, error, language)
        raise typer.Exit(error.exit_code) from None


class Language(StrEnum):
    vars().update({code.upper(): code for code in LANGUAGES})


WRITTEN = "--{}"
SAID = "brikks_vision.settings"  # in the context of a command: by setting, what its option says


def new_app(**settings: Any) -> typer.Typer:
    """A command as all of them are: plain, with -h for help."""
    # Plain help and plain exceptions: rich would double the time that the command needs to start.
    return typer.Typer(
        **{
            "add_completion": False,
            "rich_markup_mode": None,
            "pretty_exceptions_enable": False,
            "context_settings": {"help_option_names": ["-h", "--help"]},
        }
        | settings
    )


def exit_codes(keys: Sequence[str], language: str, *notes: str) -> str:
    """The last paragraph of a help: the exit codes, 0 and following, by the keys of their texts.

    ``notes``: lines that stand before it.
    """
    texts = texts_in(language).help
    codes = [f"  {code}  {texts[key]}" for code, key in enumerate(keys)]
    # The sign before a paragraph keeps its lines as they are.
    return "\n".join([*(f"{note}\n" for note in notes), "\b", texts["exit_codes"], *codes])


Json = Annotated[bool, typer.Option("--json", help="any json")]
Answer = Annotated[list[str] | None, typer.Option(metavar='"PLACE=MARK"', help="any answer")]
Roll = Annotated[tuple[str, int] | None, typer.Option(metavar="COLOUR NUMBER", help="any roll")]


def _said(context: typer.Context, option: typer.CallbackParam, value: object) -> object:
    """What an option says, or said before the command that follows."""
    name = str(option.name)
    context.meta[name] = value or context.meta.get(name)
    return context.meta[name]


Database = Annotated[
    Path | None,
    typer.Option("--db", metavar="FILE", help="any db", rich_help_panel=RECORD, callback=_said),
]


def language_option(text: str) -> object:
    """The option --lang, of a parameter without a default: else it is the system's language."""
    return typer.Option(
        "--lang", default_factory=lambda: None, callback=_said, show_default=False, help=text
    )


Lang = Annotated[Language, language_option("any lang")]


GameOption = Annotated[
    str | None,
    typer.Option("--game", metavar="|".join(GAMES), help="any game", rich_help_panel=GAME),
]
SheetOption = Annotated[
    str | None,
    typer.Option("--sheet", metavar="NAME|SHEET.json", help="any sheet", rich_help_panel=GAME),
]


class Grouped(TyperCommand):
    """A command whose help lists options in groups: those that bear a name of one come last."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in sorted(self.get_params(ctx), key=_group_of):
            if record := parameter.get_help_record(ctx):
                kind = "Arguments" if parameter.param_type_name == "argument" else "Options"
                groups.setdefault(_group_of(parameter) or kind, []).append(record)
        for group, records in groups.items():
            with formatter.section(group):
                formatter.write_dl(records)


def _group_of(parameter: object) -> str:
    """The group that an option is in, in the help of its command; "" where it is in none."""
    return getattr(parameter, "rich_help_panel", None) or ""


class WithSettings(Grouped):
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
        rich_help_panel=GAME,
        autocompletion=lambda *_: values,
    )


def said_of_game(options: typer.Context, game: str | None = None) -> GameSettings:
    """What the options say of the game, or where that is not known of any.

    Raises SettingUnknown, UnknownValue, GameImpossible.
    """
    return checked_settings(settings_in(options), games_meant(game), WRITTEN)


def settings_in(options: typer.Context) -> Mapping[str, str | None]:
    """By setting, the words of its option."""
    said: Mapping[str, str | None] = options.meta.get(SAID, {})
    return said
