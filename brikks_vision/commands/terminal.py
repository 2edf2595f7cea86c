"""What a command prints, and the exit code that it ends with."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from brikks_vision.errors import BrikksError, ExitCode, SettingUnknown
from brikks_vision.layout import CELL
from brikks_vision.reading import Reading, Status
from brikks_vision.text.display import json_line, visible
from brikks_vision.text.languages import texts_in

if TYPE_CHECKING:
    from rich.progress import Progress

    from brikks_vision.decode.game import Turn
    from brikks_vision.show.report import Paint

PROGRAM = "brikks-scan"
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


def print_json(*objects: Reading | Turn) -> bool:
    """One object a line; whether somebody still reads them."""
    return all([say(json_line(each.to_dict())) for each in objects])


def terminal_paint() -> Paint:
    """Colours where stdout is a terminal and the user does not refuse them."""
    from brikks_vision.show.report import colored, plain

    return colored if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else plain


def show(reading: Reading, language: str, referee: bool) -> bool:
    """Print the report of a sheet or a board; whether somebody still reads it."""
    from brikks_vision.show.shown import told

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
    """Say what goes wrong inside, of a file, and end the program with its exit code."""
    try:
        yield
    except BrikksError as error:
        complain(file, error, language)
        raise typer.Exit(error.exit_code) from None
