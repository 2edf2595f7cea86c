"""The command ``brikks-scan``. Heavy parts are imported where they are used, not before."""

from __future__ import annotations

import codecs
import importlib
import io
import os
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from brikks_vision.commands.options import exit_codes, new_app
from brikks_vision.commands.terminal import PROGRAM, complain, silence_libraries
from brikks_vision.errors import BrikksError, CommandUnknown
from brikks_vision.text.languages import language_of_locale, texts_in
from brikks_vision.text.spaces import NARROW

DEFAULT = "scan"
"""The command that is meant where the first word is no command."""
HELP = "help"
"""As first word it means ``--help``, of the command that follows."""

UNKNOWN_SIGNS = "brikks-scan"
"""What writes signs that the encoding of a stream lacks: see `codecs.register_error`."""

# The module of each command has it as ``app``; it is imported when the command runs.
_COMMANDS = (
    *(DEFAULT, "game", "turn", "moves", "points", "batch", "sheet"),
    *("watch", "serve", "history", "review", "stats"),
)
MODULES = {name: f"brikks_vision.commands.{name}" for name in _COMMANDS}
# By command: what the exit codes mean, as keys of the help's texts.
EXIT_CODES = {
    "scan": ("exit_0", "exit_1", "exit_2", "exit_3", "exit_4_referee"),
    "game": ("exit_0_legal", "exit_1", "exit_2", "exit_3", "exit_4"),
    "turn": ("exit_0_legal", "exit_1", "exit_2", "exit_3", "exit_4"),
    "moves": ("exit_0", "exit_1", "exit_2", "exit_3"),
    "points": ("exit_0", "exit_1", "exit_2", "exit_3"),
    "batch": ("exit_0", "exit_1_batch", "exit_2", "exit_3"),
}


def _other_sign(error: UnicodeError) -> tuple[str | bytes, int]:
    """For a sign that an encoding lacks: a space for a no-break one, else its number."""
    if isinstance(error, UnicodeEncodeError) and error.object[error.start] == NARROW:
        return " ", error.start + 1
    return codecs.backslashreplace_errors(error)


codecs.register_error(UNKNOWN_SIGNS, _other_sign)


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``brikks-scan`` and exit: the first word is a command's name, or all are photos.

    Raises
    ------
    SystemExit
        Always, with an `ExitCode`.
    """
    if arguments is None:
        silence_libraries()
    # Names of files can hold bytes that no text encoding knows; no photo may end in a traceback.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=UNKNOWN_SIGNS)
    try:
        command_line()(None if arguments is None else list(arguments), prog_name=PROGRAM)
    except BrikksError as error:
        complain(None, error, language_of_locale())
        raise SystemExit(error.exit_code) from None


class LazyCommand(TyperCommand):
    """A command that is known by its name and a line of help until it runs."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        return command_named(str(self.name)).make_context(info_name, args, parent, **extra)


class CommandGroup(TyperGroup):
    """All commands; words that begin with none of them are for the default one."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        own = {option for param in self.get_params(ctx) for option in param.opts}
        if args and args[0] == HELP and not os.path.lexists(HELP):
            args = [*args[1:], "--help"]
        if args and args[0] not in self.commands and args[0].partition("=")[0] not in own:
            if not ctx.resilient_parsing:
                _check_command(args[0])
            args = [DEFAULT, *args]
        return super().parse_args(ctx, args)

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        formatter.write_usage(PROGRAM, "[OPTIONS] PHOTO|FOLDER...")
        formatter.write_usage(PROGRAM, "COMMAND [ARGS]...", " " * len("Usage: "))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The default command's arguments and options, all commands, and the group's options."""
        scan = command_named(DEFAULT)
        scan.format_options(typer.Context(scan, parent=ctx, info_name=DEFAULT), formatter)
        self.format_commands(ctx, formatter)
        texts = texts_in(language_of_locale()).help
        records = [param.get_help_record(ctx) for param in self.get_params(ctx)]
        with formatter.section(texts["other_options"]):
            formatter.write_dl([record for record in records if record])

    def shell_complete(self, ctx: Any, incomplete: str) -> Any:
        scan = command_named(DEFAULT)
        context = typer.Context(scan, parent=ctx, info_name=DEFAULT)
        own = super().shell_complete(ctx, incomplete)
        known = {item.value for item in own}
        others = scan.shell_complete(context, incomplete)
        return [*own, *(item for item in others if item.value not in known)]


def command_line() -> TyperGroup:
    """The command with all its commands, none of them imported yet."""
    language = language_of_locale()
    texts = texts_in(language).help
    app = new_app(cls=CommandGroup, no_args_is_help=True, add_completion=True)
    app.callback(
        help=f"{texts[DEFAULT]}\n\n{texts['first_command']}",
        epilog=exit_codes(EXIT_CODES[DEFAULT], language, texts["more_help"]),
    )(_program)
    group = typer.main.get_command(app)
    assert isinstance(group, TyperGroup)
    for name in MODULES:
        group.add_command(LazyCommand(name, short_help=texts[name]))
    return group


def _program(
    version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=lambda wanted: _show_version() if wanted else None,
            is_eager=True,
            help="Show the version.",
        ),
    ] = False,
) -> None:
    """Options that are not of one command."""


def _show_version() -> None:
    from importlib.metadata import version

    typer.echo(f"{PROGRAM} {version('brikks-vision')}")
    raise typer.Exit


def command_named(name: str) -> Any:
    """The command itself, imported, its help in the user's language."""
    language = language_of_locale()
    command = typer.main.get_command(importlib.import_module(MODULES[name]).app)
    _translate_help(command, name, language)
    for word, below in getattr(command, "commands", {}).items():
        if f"{name} {word}" in texts_in(language).help:
            _translate_help(below, f"{name} {word}", language)
    if name in EXIT_CODES:
        command.epilog = exit_codes(EXIT_CODES[name], language)
    return command


def _translate_help(command: Any, name: str, language: str) -> None:
    """Begin a command's help in the user's language, and say it where commands are listed."""
    _, _, more = (command.help or "").partition("\n\n")
    command.short_help = texts_in(language).help[name]
    command.help = f"{command.short_help}\n\n{more}".rstrip()


def _check_command(word: str) -> None:
    """Raises CommandUnknown where a word is no file or option but nearly a command's name."""
    close = get_close_matches(word, (*MODULES, HELP), 1)
    if close and not word.startswith("-") and not os.path.lexists(word):
        raise CommandUnknown(word, close[0])
