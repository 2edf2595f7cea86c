"""The command ``brikks-scan``. Heavy parts are imported where they are used, not before."""

from __future__ import annotations

import codecs
import importlib
import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from brikks_vision import errors
from brikks_vision.commands import start, terminal
from brikks_vision.text.languages import NARROW, language_of_locale, texts_in

DEFAULT = "scan"
"""The command that is meant where the first word is no command."""
HELP = "help"
"""As the first word: ``--help`` for the command that follows it."""

UNKNOWN_SIGNS = "brikks-scan"
"""Name of the error handler for characters that a stream's encoding lacks."""

# The commands as the help lists them; what their groups are called is an English text of the help.
GROUPS = {
    "At the table": (DEFAULT, "game", "turn", "follow", "coach", "moves", "points"),
    "Sheets to print and to learn": ("sheet",),
    "With the phone, and many photos": ("serve", "watch", "batch"),
    "What was kept": ("history", "review", "stats", "report"),
}
# Files of several commands, each ``NAME_app`` there; else it is ``app`` in a file of its own name.
# The file is imported when the command runs.
FILES = {
    **dict.fromkeys(("turn", "follow", "coach"), "turns"),
    **dict.fromkeys(("moves", "points"), "boards"),
    **dict.fromkeys(("review", "report"), "teaching"),
    "stats": "history",
}
MODULES = {
    name: f"brikks_vision.commands.{FILES.get(name, name)}" for of in GROUPS.values() for name in of
}
# By command: what the exit codes mean, as keys of the help's texts.
EXIT_CODES = {
    "scan": ("exit_0", "exit_1", "exit_2", "exit_3", "exit_4_referee"),
    "game": ("exit_0_legal", "exit_1", "exit_2", "exit_3", "exit_4"),
    "turn": ("exit_0_legal", "exit_1", "exit_2", "exit_3", "exit_4"),
    "follow": ("exit_0_legal", "exit_1", "exit_2", "exit_3", "exit_4"),
    "coach": ("exit_0", "exit_1", "exit_2", "exit_3"),
    "moves": ("exit_0", "exit_1", "exit_2", "exit_3"),
    "batch": ("exit_0", "exit_1_batch", "exit_2", "exit_3"),
}


def _other_sign(error: UnicodeError) -> tuple[str | bytes, int]:
    """A plain space for a no-break one; any other missing character by its number."""
    if isinstance(error, UnicodeEncodeError) and error.object[error.start] == NARROW:
        return " ", error.start + 1
    return codecs.backslashreplace_errors(error)


codecs.register_error(UNKNOWN_SIGNS, _other_sign)


# typer brings its own copy of click or imports click, depending on its version.
_UsageError: Any = typer.BadParameter.__base__
_HelpFormatter: Any = typer.Context.formatter_class


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``brikks-scan`` and exit: the first word is a command's name, or all are photos.

    Raises SystemExit: always, with an `ExitCode`.
    """
    if arguments is None:
        start.silence_libraries()
    # Names of files can hold bytes that no text encoding knows; no photo may end in a traceback.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=UNKNOWN_SIGNS)
    try:
        command_line()(None if arguments is None else list(arguments), prog_name=terminal.PROGRAM)
    except errors.BrikksError as error:
        terminal.complain(None, error, language_of_locale())
        raise SystemExit(error.exit_code) from None


class HelpInLanguage(_HelpFormatter):  # type: ignore[misc]
    """A help text in the user's language."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        super().write_usage(prog, args, _said("Usage: ") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        super().write_heading(_said(heading))

    def write_dl(self, rows: Sequence[tuple[str, str]], *args: Any, **settings: Any) -> None:
        told = []
        for option, text in rows:
            # What typer adds: "...  [default: a4; required]".
            text, bracket, extra = text.partition("  [")
            for word in ("default: ", "required"):
                extra = extra.replace(word, _said(word))
            told.append((option, f"{_said(text)}{bracket}{extra}"))
        super().write_dl(told, *args, **settings)


class OwnContext(typer.Context):
    formatter_class = HelpInLanguage


@contextmanager
def _wrong_use_told() -> Iterator[None]:
    """Turns usage errors of the command line into errors with sentences in every language."""
    try:
        yield
    except _UsageError as error:
        told = _wrong_use(error)
        if told is None:
            raise
        raise told from None


def _wrong_use(error: Any) -> errors.BrikksError | None:
    """The usage error as one of ours; None for a command without arguments, which shows help."""
    context, kind = error.ctx, type(error).__name__
    more = f"{context.command_path if context else terminal.PROGRAM} --help"
    parameter = getattr(error, "param", None)
    name = parameter and (parameter.metavar or parameter.name)
    if parameter and parameter.opts[0].startswith("-"):
        name = parameter.opts[-1]
    if kind == "NoArgsIsHelpError":
        return None
    if kind == "NoSuchOption":
        return errors.OptionUnknown(error.option_name, more)
    if kind == "BadOptionUsage":
        return errors.ValueMissing(error.option_name, more)
    if kind == "MissingParameter":
        return errors.ArgumentMissing(name, more)
    if kind == "BadParameter" and parameter:
        value = re.match(r"'?(.*?)'? (?:is|does) not", error.message)
        return errors.UnknownValue(name, value[1] if value else "", _choices(parameter, context))
    word = re.search(r"'(.*?)'|\(([^()]*)\)$", error.message)
    below = getattr(context and context.command, "commands", None)
    if below and word:
        return errors.UnknownValue(context.command_path, word[0].strip("'"), ", ".join(below))
    return errors.WordsLeftOver(word[2] if word and word[2] else error.message, more)


def _choices(parameter: Any, context: Any) -> str:
    """The values that an option takes, for a sentence."""
    kind = parameter.type
    if hasattr(kind, "choices"):
        return ", ".join(str(getattr(each, "value", each)) for each in kind.choices)
    least, most = getattr(kind, "min", None), getattr(kind, "max", None)
    if least is not None and most is not None:
        return f"{least} - {most}"
    return f">= {least}" if least is not None else str(parameter.make_metavar(context))


class LazyCommand(TyperCommand):
    """A command that is known by its name and a line of help until it runs."""

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        return command_named(str(self.name)).make_context(info_name, args, parent, **extra)


class CommandGroup(TyperGroup):
    """All commands; words that begin with none of them are for the default one."""

    context_class = OwnContext

    def make_context(
        self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any
    ) -> Any:
        with _wrong_use_told():
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: Any) -> Any:
        ctx.meta["language"] = language_of_locale()  # until a command is told another
        try:
            with _wrong_use_told():
                return super().invoke(ctx)
        except errors.BrikksError as error:
            terminal.complain(None, error, ctx.meta["language"])
            raise typer.Exit(error.exit_code) from None

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
        formatter.write_usage(terminal.PROGRAM, "[OPTIONS] PHOTO|FOLDER...")
        formatter.write_usage(terminal.PROGRAM, "COMMAND [ARGS]...", " " * len(_said("Usage: ")))

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """The default command's arguments and options, all commands, and the group's options."""
        scan = command_named(DEFAULT)
        scan.format_options(typer.Context(scan, parent=ctx, info_name=DEFAULT), formatter)
        texts = texts_in(language_of_locale()).help
        records = [param.get_help_record(ctx) for param in self.get_params(ctx)]
        for group, names in GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name, texts[name]) for name in names])
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
    app = terminal.new_app(cls=CommandGroup, no_args_is_help=True, add_completion=True)
    app.callback(
        help=f"{texts[DEFAULT]}\n\n{texts['first_command']}",
        epilog=terminal.exit_codes(EXIT_CODES[DEFAULT], language, texts["more_help"]),
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

    typer.echo(f"{terminal.PROGRAM} {version('brikks-vision')}")
    raise typer.Exit


def command_named(name: str) -> Any:
    """The imported command, with its help in the user's language."""
    language = language_of_locale()
    module = importlib.import_module(MODULES[name])
    command = typer.main.get_command(getattr(module, f"{name}_app", None) or module.app)
    _translate_help(command, name, language)
    for word, below in getattr(command, "commands", {}).items():
        if f"{name} {word}" in texts_in(language).help:
            _translate_help(below, f"{name} {word}", language)
    if name in EXIT_CODES:
        command.epilog = terminal.exit_codes(EXIT_CODES[name], language)
    return command


def _translate_help(command: Any, name: str, language: str) -> None:
    """Translate the help of a command and of its options."""
    _, _, more = (command.help or "").partition("\n\n")
    command.short_help = texts_in(language).help[name]
    command.help = f"{command.short_help}\n\n{_said(more)}".rstrip()
    command.context_class = OwnContext
    for parameter in command.params:
        parameter.help = _said(parameter.help or "")


def _said(text: str) -> str:
    """A help text in the user's language."""
    return texts_in(language_of_locale()).options.get(text, text)


def _check_command(word: str) -> None:
    """Raises CommandUnknown where a word is no file or option but nearly a command's name."""
    close = get_close_matches(word, (*MODULES, HELP), 1)
    if close and not word.startswith("-") and not os.path.lexists(word):
        raise errors.CommandUnknown(word, close[0])
