"""The command ``brikks-scan``. Heavy parts are imported where they are used, not before."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brikks_vision.errors import (
    BrikksError,
    ExitCode,
    FolderWithoutPictures,
    GameImpossible,
    OutputFormatUnknown,
    OutputIsInput,
    OutputNeedsFolder,
    OutputNotWritable,
    PhotoMissing,
    PhotoNotPermitted,
    ReadingFailed,
)
from brikks_vision.reading import Reading, Status
from brikks_vision.texts import language_of_locale

if TYPE_CHECKING:
    from brikks_vision.pipeline import ScanResult

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")

_SCAN_NOTES = """\b
Other commands:
  brikks-scan sheet print -o sheet.pdf    a sheet to print and play on
  (each explains itself with --help; a photo called "sheet" is ./sheet)

\b
Exit codes:
  0  every photo read and certain
  1  some photo could not be read
  2  wrong use, or a file is missing
  3  some reading is uncertain
  4  violations found, with --referee
"""


class Language(StrEnum):
    DE = "de"
    EN = "en"
    FR = "fr"
    ES = "es"


class Variant(StrEnum):
    STANDARD = "standard"
    SOLO = "solo"
    DUEL = "duel"


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"


class Style(StrEnum):
    LIGHT = "light"
    ARCADE = "arcade"


def _app(**settings: Any) -> typer.Typer:
    # Plain help and plain exceptions: rich would double the time that the command needs to start.
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **settings,
    )


scan_app = _app()
sheet_app = _app(help="The player sheet itself.", no_args_is_help=True)
COMMANDS = {"sheet": sheet_app}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run ``brikks-scan`` and exit: the first word is a command's name, or all are photos.

    Raises
    ------
    SystemExit
        Always, with an `ExitCode`.
    """
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Names of files can hold bytes that no text encoding knows; no photo may end in a traceback.
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    if words and words[0] in COMMANDS:
        COMMANDS[words[0]](words[1:], prog_name=f"brikks-scan {words[0]}")
    else:
        scan_app(words, prog_name="brikks-scan")


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"brikks-scan {version('brikks-vision')}")
        raise typer.Exit


@scan_app.command(epilog=_SCAN_NOTES)
def scan(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO|FOLDER",
            help="JPEG, PNG, WebP or HEIC photos of filled sheets, or folders of them.",
            show_default=False,
        ),
    ],
    as_json: Annotated[
        bool, typer.Option("--json", help="One JSON object a sheet, one a line, on stdout.")
    ] = False,
    players: Annotated[
        int | None,
        typer.Option(min=1, max=4, metavar="1-4", help="How many played.", show_default=False),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(min=1, max=4, metavar="1-4", help="The level played.", show_default=False),
    ] = None,
    variant: Annotated[
        Variant | None, typer.Option(help="The game played.", show_default=False)
    ] = None,
    lang: Annotated[
        Language | None,
        typer.Option(help="Language of rank and report; else the system's.", show_default=False),
    ] = None,
    annotate: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.jpg|FOLDER",
            help="Draw the reading on the photo and save it as OUT.jpg (or .png, .webp); "
            "with several photos, in FOLDER under the photos' names.",
            show_default=False,
        ),
    ] = None,
    referee: Annotated[
        bool, typer.Option("--referee", help="Tell what breaks the rules, and exit with 4.")
    ] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Read filled Brikks sheets from photos: score, rank, doubts.

    The first command to try: brikks-scan photo.jpg --annotate read.jpg
    """
    language = str(lang or language_of_locale())
    codes: set[ExitCode] = set()
    try:
        _check_game(players, level, variant)
        files = _photo_files(photos, codes, language)
        pictures = _picture_paths(annotate, files)
    except BrikksError as error:
        _complain(None, error, language)
        raise typer.Exit(ExitCode.WRONG_USE) from None
    is_shown = False
    for number, (file, picture) in enumerate(zip(files, pictures, strict=True), 1):
        _show_progress(number, len(files), file)
        try:
            result = _scan(file, players, level, variant, language)
            reading = result.reading
            if picture is not None:
                _save_picture(result, picture, language)
        except BrikksError as error:
            _complain(file, error, language)
            codes.add(error.exit_code)
            if error.exit_code is ExitCode.WRONG_USE:
                continue
            reading = Reading.unreadable(file.name, error.text(language))
        codes.add(_exit_code(reading, referee))
        if as_json:
            print(json.dumps(reading.to_dict(), ensure_ascii=False), flush=True)
        elif reading.status is not Status.UNREADABLE:  # else stderr has said why
            print("\n\n" * is_shown, end="")
            _show(reading, language, referee)
            is_shown = True
    raise typer.Exit(first_of(codes))


@sheet_app.callback()
def sheet() -> None:
    """The player sheet itself."""


@sheet_app.command("print")
def print_sheet(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="SHEET.pdf", help="The PDF to write.")
    ],
    paper: Annotated[Paper, typer.Option(help="Size of the paper.")] = Paper.A4,
    per_page: Annotated[int, typer.Option(min=1, max=2, metavar="1|2", help="Sheets a page.")] = 1,
    style: Annotated[
        Style,
        typer.Option(help="Light on ink with markers, or dark like an arcade machine without."),
    ] = Style.LIGHT,
) -> None:
    """Write a sheet to print and play on, its back the block overview, as a PDF."""
    language = language_of_locale()
    try:
        if output.suffix.lower() != ".pdf":
            raise OutputFormatUnknown(output, ".pdf")
        from brikks_vision.printing import write_sheet_pdf
        from brikks_vision.sheet import load_sheet

        write_sheet_pdf(output, load_sheet(), str(paper), per_page, str(style))
    except BrikksError as error:
        _complain(None, error, language)
        raise typer.Exit(error.exit_code) from None


def first_of(codes: Iterable[ExitCode]) -> ExitCode:
    """The exit code that stands for several: the first of 2, 1, 3, 4 that is there, else 0."""
    order = (
        ExitCode.WRONG_USE,
        ExitCode.UNREADABLE,
        ExitCode.UNCERTAIN,
        ExitCode.VIOLATIONS,
    )
    there = set(codes)
    return next((code for code in order if code in there), ExitCode.CERTAIN)


def pictures_in(folder: Path) -> list[Path]:
    """The pictures in a folder (not below it, no hidden ones), by name.

    Raises
    ------
    FolderWithoutPictures, PhotoNotPermitted
    """
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        raise PhotoNotPermitted(folder) from None
    pictures = [
        entry
        for entry in entries
        if entry.suffix.lower() in PHOTO_SUFFIXES
        and not entry.name.startswith(".")
        and entry.is_file()
    ]
    if not pictures:
        raise FolderWithoutPictures(folder)
    return pictures


def _check_game(players: int | None, level: int | None, variant: Variant | None) -> None:
    """Raises GameImpossible where number of players and variant do not go together."""
    if variant is None:
        return
    from brikks_vision.rules.referee import ImpossibleGameError, settings

    try:
        settings(players, level, str(variant))
    except ImpossibleGameError:
        raise GameImpossible(f"--players {players} --variant {variant}") from None


def _photo_files(photos: Iterable[Path], codes: set[ExitCode], language: str) -> list[Path]:
    """The photo files among the arguments; a complaint and an exit code for each of the others."""
    files: list[Path] = []
    for photo in photos:
        try:
            if photo.is_dir():
                files += pictures_in(photo)
            elif photo.exists():
                files.append(photo)
            else:
                raise PhotoMissing(photo)
        except BrikksError as error:
            _complain(None, error, language)
            codes.add(error.exit_code)
        except PermissionError:
            _complain(None, PhotoNotPermitted(photo), language)
            codes.add(ExitCode.WRONG_USE)
        except (OSError, ValueError):  # a name that is too long, or that no file can have
            _complain(None, PhotoMissing(photo), language)
            codes.add(ExitCode.WRONG_USE)
    return files


def _picture_paths(output: Path | None, photos: Sequence[Path]) -> list[Path | None]:
    """Where the annotated picture of each photo goes.

    Raises
    ------
    OutputNeedsFolder, OutputFormatUnknown, OutputIsInput, OutputNotWritable
    """
    if output is None:
        return [None] * len(photos)
    is_picture = output.suffix.lower() in PICTURE_SUFFIXES
    if output.is_dir() or (len(photos) > 1 and not is_picture and not output.exists()):
        paths = _numbered([output / f"{photo.stem}.jpg" for photo in photos])
    elif len(photos) > 1:
        raise OutputNeedsFolder(output)
    elif not is_picture:
        raise OutputFormatUnknown(output, ", ".join(PICTURE_SUFFIXES))
    elif not output.parent.is_dir():
        raise OutputNotWritable(output, os.strerror(2))
    else:
        paths = [output] * len(photos)
    for path in paths:
        if path.exists() and any(path.samefile(photo) for photo in photos):
            raise OutputIsInput(path)
    return list(paths)


def _numbered(paths: Sequence[Path]) -> list[Path]:
    """The paths, those that would meet told apart by a number: a.jpg, a-2.jpg."""
    taken: set[str] = set()
    different = []
    for path in paths:
        free, number = path, 1
        # Some file systems take "IMG.jpg" and "img.jpg" for one.
        while str(free).lower() in taken:
            number += 1
            free = path.with_stem(f"{path.stem}-{number}")
        taken.add(str(free).lower())
        different.append(free)
    return different


def _scan(
    file: Path, players: int | None, level: int | None, variant: Variant | None, language: str
) -> ScanResult:
    from brikks_vision.pipeline import scan_photo

    game = None if variant is None else str(variant)
    try:
        return scan_photo(file, players=players, level=level, variant=game, language=language)
    except BrikksError:
        raise
    except Exception as error:
        # One photo must not end the reading of a whole folder; developers see where it failed.
        if sys.flags.dev_mode:
            raise
        raise ReadingFailed(f"{type(error).__name__}: {error}") from error


def _save_picture(result: ScanResult, path: Path, language: str) -> None:
    from brikks_vision.annotate import annotate, save_image
    from brikks_vision.sheet import load_sheet

    definition = load_sheet(result.reading.sheet or "brikks")
    drawn = annotate(result.photo.image, result.placement, result.reading, definition, language)
    with suppress(OSError):  # save_image says what is wrong with the folder
        path.parent.mkdir(parents=True, exist_ok=True)
    save_image(drawn, path)


def _exit_code(reading: Reading, referee: bool) -> ExitCode:
    if reading.status is Status.UNREADABLE:
        return ExitCode.UNREADABLE
    if reading.status is Status.UNCERTAIN:
        return ExitCode.UNCERTAIN
    return ExitCode.VIOLATIONS if referee and reading.violations else ExitCode.CERTAIN


def _show(reading: Reading, language: str, referee: bool) -> None:
    from brikks_vision.report import colored, plain, referee_hint, referee_report, report

    paint = colored if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else plain
    verdict = (
        referee_report(reading, language, paint) if referee else referee_hint(reading, language)
    )
    parts = [report(reading, language, paint), verdict]
    print("\n\n".join(part for part in parts if part))


def _show_progress(number: int, count: int, file: Path) -> None:
    if count > 1 and sys.stderr.isatty() and not sys.stdout.isatty():
        print(f"{number}/{count} {file.name}", file=sys.stderr)


def _complain(file: Path | None, error: BrikksError, language: str) -> None:
    about = "" if file is None or error.exit_code is ExitCode.WRONG_USE else f"{file.name}: "
    print(f"brikks-scan: {about}{error.text(language)}", file=sys.stderr)
