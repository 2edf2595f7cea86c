"""The command ``brikks-scan``. Heavy parts are imported where they are used, not before."""

from __future__ import annotations

import importlib
import io
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brikks_vision.errors import (
    AnswersNeedOnePhoto,
    BrikksError,
    ExitCode,
    FolderWithoutPictures,
    GameImpossible,
    LevelsUnclear,
    OutputFormatUnknown,
    OutputIsInput,
    OutputNeedsFolder,
    OutputNotWritable,
    PhotoMissing,
    PhotoNotPermitted,
    PhotosNotOneTurn,
    ReadingFailed,
    RollUnknown,
    SheetsNotOneGame,
)
from brikks_vision.reading import Reading, Status
from brikks_vision.text.display import json_line, visible
from brikks_vision.text.languages import language_of_locale

if TYPE_CHECKING:
    from brikks_vision.games.brikks.compare import GameReading, OutReading, TurnReading
    from brikks_vision.pipeline import ScanResult
    from brikks_vision.rules.brikks.play import Roll
    from brikks_vision.show.report import Paint

PHOTO_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif")
PICTURE_SUFFIXES = (".jpg", ".jpeg", ".png", ".webp")

_SCAN_NOTES = """\b
Other commands:
  brikks-scan game a.jpg b.jpg            who won, and do the sheets fit together
  brikks-scan turn before.jpg after.jpg   was the turn between two photos legal
  brikks-scan batch FOLDER --csv all.csv  thousands of photos on all cores
  brikks-scan sheet print -o sheet.pdf    a sheet to print and play on
  brikks-scan watch folder/               read every photo that arrives, and record it
  brikks-scan serve --host 0.0.0.0        a page for the phone: take a photo, see the score
  brikks-scan history                     what was recorded
  brikks-scan stats                       who plays how well
  (each explains itself with --help; a photo called "sheet" is ./sheet)

\b
Exit codes:
  0  every photo read and certain
  1  some photo could not be read
  2  wrong use, or a file is missing
  3  some reading is uncertain
  4  violations found, with --referee
"""

_REFEREE_NOTES = """\b
Exit codes:
  0  every photo read and certain, no rule broken
  1  some photo could not be read
  2  wrong use, or a file is missing
  3  something is uncertain
  4  violations found
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


class GameVariant(StrEnum):
    STANDARD = "standard"
    DUEL = "duel"


class Paper(StrEnum):
    A4 = "a4"
    LETTER = "letter"


class Style(StrEnum):
    LIGHT = "light"
    ARCADE = "arcade"


def new_app(**settings: Any) -> typer.Typer:
    """A command as all of them are: plain, with -h for help."""
    # Plain help and plain exceptions: rich would double the time that the command needs to start.
    return typer.Typer(
        add_completion=False,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
        **settings,
    )


scan_app = new_app()
game_app = new_app()
turn_app = new_app()
sheet_app = new_app(help="The player sheet itself.", no_args_is_help=True)
COMMANDS = {"game": game_app, "turn": turn_app, "sheet": sheet_app}
# Modules that are imported when their word comes first; each has its command as ``app``.
COMMAND_MODULES: dict[str, str] = {
    "batch": "brikks_vision.commands.batch",
    "history": "brikks_vision.commands.history",
    "serve": "brikks_vision.commands.serve",
    "stats": "brikks_vision.commands.stats",
    "watch": "brikks_vision.commands.watch",
}

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
    elif words and words[0] in COMMAND_MODULES:
        module = importlib.import_module(COMMAND_MODULES[words[0]])
        module.app(words[1:], prog_name=f"brikks-scan {words[0]}")
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
    as_json: Json = False,
    players: Players = None,
    level: Level = None,
    variant: AnyVariant = None,
    lang: Lang = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(
            metavar='"PLACE=MARK"',
            help='Settle a doubt: "cell 3,4=X", "energy 12=used", "box 5=.", "bomb 1=X". '
            "Can be given several times.",
            show_default=False,
        ),
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
    player: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Whose sheet it is: with this or --db the reading goes to the record.",
            show_default=False,
        ),
    ] = None,
    database: Database = None,
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
        check_game(players, level, variant)
        files = photo_files(photos, codes, language)
        pictures = _picture_paths(annotate, files)
        answers = _answers(answer or [], len(files))
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(ExitCode.WRONG_USE) from None
    is_shown = False
    for number, (file, picture) in enumerate(zip(files, pictures, strict=True), 1):
        _show_progress(number, len(files), file)
        sheets = _scan(file, _sheets_in, players, level, variant, language, answers)
        if player is not None or database is not None:
            try:
                _record(sheets, file, player, database, language)
            except BrikksError as error:
                complain(file, error, language)
                codes.add(error.exit_code)
        places = _sheet_pictures(picture, len(sheets), [*files, *filter(None, pictures)])
        for index, (sheet, place) in enumerate(zip(sheets, places, strict=True)):
            try:
                if isinstance(sheet, BrikksError):
                    raise sheet
                reading = sheet.reading
                if place is not None:
                    _save_picture(sheet, file, place, language)
            except BrikksError as error:
                complain(_numbered_sheet(file, index), error, language)
                codes.add(error.exit_code)
                if error.exit_code is ExitCode.WRONG_USE:
                    continue
                reading = Reading.unreadable(file.name, error.text(language), index)
            codes.add(_exit_code(reading, referee))
            if as_json:
                _print_json(reading)
            elif reading.status is not Status.UNREADABLE:  # else stderr has said why
                print("\n\n" * is_shown, end="")
                _show(reading, language, referee)
                is_shown = True
    raise typer.Exit(first_of(codes))


@game_app.command(epilog=_REFEREE_NOTES)
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
        files = [file for photo in photos for file in _files_of(photo)]
        levels = _levels(level, len(files))
        count = players or max(2, len(files))
        _check_table(count, max(2, len(files)), variant)  # one photo may show all sheets
        codes: set[ExitCode] = set()
        readings, results = _scan_all(files, _sheets_in, count, levels, variant, language, codes)
        if players is None and len(readings) > count:
            count, codes = len(readings), set()
            _check_table(count, len(readings), variant)
            readings, results = _scan_all(
                files, _sheets_in, count, levels, variant, language, codes
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
    codes |= {*(_exit_code(reading, referee=True) for reading in readings), _verdict_code(verdict)}
    if as_json:
        _print_json(*readings, verdict)
    else:
        from brikks_vision.show.comparison import game_report

        print(game_report(readings, verdict, language, terminal_paint()))
    raise typer.Exit(first_of(codes))


@turn_app.command(epilog=_REFEREE_NOTES)
def turn(
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
    players: Players = None,
    level: Level = None,
    variant: AnyVariant = None,
    lang: Lang = None,
) -> None:
    """Tell whether the turn between two photos of a sheet was legal, and what it cost and earned.

    Or, with --out and one photo, whether a player really had no legal place left.
    """
    language = str(lang or language_of_locale())
    try:
        if len(photos) != (1 if out else 2):
            raise PhotosNotOneTurn(len(photos))
        check_game(players, level, variant)
        rolled = None if roll is None else _roll(*roll, language)
        files = [file for photo in photos for file in _files_of(photo)]
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(error.exit_code) from None
    codes: set[ExitCode] = set()
    levels = [level] * len(files)
    readings, results = _scan_all(files, _sheet_in, players, levels, variant, language, codes)
    codes |= {_exit_code(reading, referee=False) for reading in readings}
    if as_json:
        _print_json(*readings)
    sheets = [result.posterior for result in results if result is not None]
    if len(sheets) == len(files):
        from brikks_vision.games.brikks.compare import read_out, read_turn
        from brikks_vision.layout import load_sheet
        from brikks_vision.show.comparison import turn_report

        names, definition = [file.name for file in files], load_sheet()
        verdict: OutReading | TurnReading
        if out:
            verdict = read_out(names[0], sheets[0], definition, rolled, players, language)
        else:
            verdict = read_turn(
                (names[0], names[1]),
                (sheets[0], sheets[1]),
                definition,
                rolled,
                players,
                level,
                None if variant is None else str(variant),
                language,
            )
        codes.add(_verdict_code(verdict))
        if as_json:
            _print_json(verdict)
        else:
            print(turn_report(readings, verdict, language, terminal_paint()))
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
        from brikks_vision.layout import load_sheet
        from brikks_vision.show.pdf import write_sheet_pdf

        write_sheet_pdf(output, load_sheet(), str(paper), per_page, str(style))
    except BrikksError as error:
        complain(None, error, language)
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


def check_game(players: int | None, level: int | None, variant: Variant | None) -> None:
    """Raises GameImpossible where number of players and variant do not go together."""
    if variant is None:
        return
    from brikks_vision.rules.brikks.referee import ImpossibleGameError, settings

    try:
        settings(players, level, str(variant))
    except ImpossibleGameError:
        raise GameImpossible(f"--players {players} --variant {variant}") from None


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


def _roll(color: str, number: int, language: str) -> Roll:
    """A roll with its colour in English or in the user's language; raises RollUnknown."""
    from brikks_vision.layout import load_sheet
    from brikks_vision.rules.brikks.play import Roll
    from brikks_vision.rules.brikks.words import phrase

    blocks = load_sheet().blocks
    words = {phrase(each).text(language): each for each in blocks}
    named = {**{each: each for each in blocks}, **words}.get(color.lower())
    if named is None or number not in range(1, 1 + len(blocks[named])):
        highest = min(len(shapes) for shapes in blocks.values())
        raise RollUnknown(color, number, ", ".join(words), highest)
    return Roll(named, number)


def _answers(words: Sequence[str], photos: int) -> Mapping[str, str]:
    """Raises AnswersNeedOnePhoto, AnswerUnclear, AnswerOffSheet."""
    if not words:
        return {}
    if photos > 1:
        raise AnswersNeedOnePhoto(photos)
    from brikks_vision.decode.answers import parse_answers
    from brikks_vision.layout import load_sheet

    return parse_answers(words, load_sheet())


def photo_files(photos: Iterable[Path], codes: set[ExitCode], language: str) -> list[Path]:
    """The photo files among the arguments; a complaint and an exit code for each of the others."""
    files: list[Path] = []
    for photo in photos:
        try:
            files += _files_of(photo)
        except BrikksError as error:
            complain(None, error, language)
            codes.add(error.exit_code)
    return files


def _files_of(photo: Path) -> list[Path]:
    """A photo file, or the pictures in a folder.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, FolderWithoutPictures
    """
    try:
        if photo.is_dir():
            return pictures_in(photo)
        if photo.exists():
            return [photo]
    except PermissionError:
        raise PhotoNotPermitted(photo) from None
    except (OSError, ValueError):  # a name that is too long, or that no file can have
        pass
    raise PhotoMissing(photo)


def _picture_paths(output: Path | None, photos: Sequence[Path]) -> list[Path | None]:
    """Where the annotated picture of each photo goes.

    Raises
    ------
    OutputNeedsFolder, OutputFormatUnknown, OutputIsInput, OutputNotWritable
    """
    if output is None or not photos:
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


def _sheets_in(file: Path, *settings: Any) -> list[ScanResult | BrikksError]:
    """The sheets that a photo shows, left to right."""
    from brikks_vision.pipeline import scan_sheets

    return [*scan_sheets(file, *settings)]


def _sheet_in(file: Path, *settings: Any) -> list[ScanResult | BrikksError]:
    """The one sheet that is seen best."""
    from brikks_vision.pipeline import scan_photo

    return [scan_photo(file, *settings)]


def _scan(
    file: Path,
    look: Callable[..., list[ScanResult | BrikksError]],
    players: int | None,
    level: int | None,
    variant: Variant | GameVariant | None,
    language: str,
    answers: Mapping[str, str],
) -> list[ScanResult | BrikksError]:
    """What is read of each sheet, or what is wrong with it or with the whole photo."""
    game = None if variant is None else str(variant)
    try:
        return look(file, players, level, game, language, answers)
    except BrikksError as error:
        return [error]
    except Exception as error:
        # One photo must not end the reading of a whole folder; developers see where it failed.
        if sys.flags.dev_mode:
            raise
        return [ReadingFailed(f"{type(error).__name__}: {error}")]


def _scan_all(
    files: Sequence[Path],
    look: Callable[..., list[ScanResult | BrikksError]],
    players: int | None,
    levels: Sequence[int | None],
    variant: Variant | GameVariant | None,
    language: str,
    codes: set[ExitCode],
) -> tuple[list[Reading], list[ScanResult | None]]:
    """Readings of sheets that belong together, and what they came from; None where unreadable."""
    readings: list[Reading] = []
    results: list[ScanResult | None] = []
    for number, (file, level) in enumerate(zip(files, levels, strict=True), 1):
        _show_progress(number, len(files), file)
        for index, sheet in enumerate(_scan(file, look, players, level, variant, language, {})):
            if isinstance(sheet, BrikksError):
                complain(_numbered_sheet(file, index), sheet, language)
                codes.add(sheet.exit_code)
                readings.append(Reading.unreadable(file.name, sheet.text(language), index))
                results.append(None)
            else:
                readings.append(sheet.reading)
                results.append(sheet)
    return readings, results


def _record(
    sheets: Sequence[ScanResult | BrikksError],
    file: Path,
    player: str | None,
    database: Path | None,
    language: str,
) -> None:
    """Keep what was read of a photo; a photo that is known by its content is not kept twice."""
    from brikks_vision.intake.photos import photo_facts, sheet_reading
    from brikks_vision.record.record import add_photo, open_record

    read = [sheet for sheet in sheets if not isinstance(sheet, BrikksError)]
    if read:
        data = file.read_bytes()
        facts = photo_facts(data, file.name, file.stat().st_mtime)
        kept = [sheet_reading(sheet, data, language) for sheet in read]
        with open_record(database) as record:
            add_photo(record, facts, kept, player)


def _numbered_sheet(file: Path, index: int) -> Path:
    """What to call a sheet of a photo, as reports do."""
    return file.with_name(f"{file.name} #{index + 1}") if index else file


def _sheet_pictures(picture: Path | None, sheets: int, taken: Iterable[Path]) -> list[Path | None]:
    """Where the picture of each sheet of one photo goes: read.jpg, read-2.jpg, ..."""
    if picture is None:
        return [None] * sheets
    others = [path.resolve() for path in taken if path != picture]
    numbered = _numbered([*others, *[picture.resolve()] * sheets])
    return list(numbered[len(others) :])


def _save_picture(result: ScanResult, file: Path, path: Path, language: str) -> None:
    from brikks_vision.layout import load_sheet
    from brikks_vision.pipeline import for_pictures
    from brikks_vision.show.overlay import annotate, save_image

    result = for_pictures(result, file)
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


def _verdict_code(verdict: GameReading | TurnReading | OutReading) -> ExitCode:
    if verdict.status is not Status.OK:
        return ExitCode.UNCERTAIN
    return ExitCode.VIOLATIONS if verdict.violations else ExitCode.CERTAIN


def _print_json(*objects: Reading | GameReading | TurnReading | OutReading) -> None:
    for each in objects:
        print(json_line(each.to_dict()), flush=True)


def terminal_paint() -> Paint:
    """Colours where stdout is a terminal and the user does not refuse them."""
    from brikks_vision.show.report import colored, plain

    return colored if sys.stdout.isatty() and not os.environ.get("NO_COLOR") else plain


def _show(reading: Reading, language: str, referee: bool) -> None:
    from brikks_vision.show.report import referee_hint, referee_report, report

    paint = terminal_paint()
    verdict = (
        referee_report(reading, language, paint) if referee else referee_hint(reading, language)
    )
    parts = [report(reading, language, paint), verdict]
    print("\n\n".join(part for part in parts if part))


def _show_progress(number: int, count: int, file: Path) -> None:
    if count > 1 and sys.stderr.isatty() and not sys.stdout.isatty():
        print(f"{number}/{count} {visible(file.name)}", file=sys.stderr)


def complain(file: Path | None, error: BrikksError, language: str) -> None:
    """The error's sentence on stderr, with the name of the photo that it is about."""
    about = "" if file is None or error.exit_code is ExitCode.WRONG_USE else f"{file.name}: "
    print(f"brikks-scan: {visible(about + error.text(language))}", file=sys.stderr)
