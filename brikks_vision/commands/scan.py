"""``brikks-scan PHOTO``: read photos, tell the scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.options import (
    AnyVariant,
    Database,
    Json,
    Lang,
    Level,
    Players,
    check_game,
    new_app,
)
from brikks_vision.commands.photos import (
    numbered_sheet,
    photo_files,
    picture_paths,
    read_photo,
    record_sheets,
    save_picture,
    sheet_pictures,
    sheets_in,
)
from brikks_vision.commands.terminal import (
    complain,
    exit_code,
    first_of,
    print_json,
    show,
    show_progress,
)
from brikks_vision.errors import (
    AnswersNeedOnePhoto,
    BrikksError,
    ExitCode,
)
from brikks_vision.reading import Reading, Status
from brikks_vision.text.languages import language_of_locale

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
scan_app = new_app()


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
        pictures = picture_paths(annotate, files)
        answers = _answers(answer or [], len(files))
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(ExitCode.WRONG_USE) from None
    is_shown = False
    for number, (file, picture) in enumerate(zip(files, pictures, strict=True), 1):
        show_progress(number, len(files), file)
        sheets = read_photo(file, sheets_in, players, level, variant, language, answers)
        if player is not None or database is not None:
            try:
                record_sheets(sheets, file, player, database, language)
            except BrikksError as error:
                complain(file, error, language)
                codes.add(error.exit_code)
        places = sheet_pictures(picture, len(sheets), [*files, *filter(None, pictures)])
        for index, (sheet, place) in enumerate(zip(sheets, places, strict=True)):
            try:
                if isinstance(sheet, BrikksError):
                    raise sheet
                reading: Reading = sheet.reading
                if place is not None:
                    save_picture(sheet, file, place, language)
            except BrikksError as error:
                complain(numbered_sheet(file, index), error, language)
                codes.add(error.exit_code)
                if error.exit_code is ExitCode.WRONG_USE:
                    continue
                reading = Reading.unreadable(file.name, error.text(language), index)
            codes.add(exit_code(reading, referee))
            if as_json:
                print_json(reading)
            elif reading.status is not Status.UNREADABLE:  # else stderr has said why
                print("\n\n" * is_shown, end="")
                show(reading, language, referee)
                is_shown = True
    raise typer.Exit(first_of(codes))


def _answers(words: Sequence[str], photos: int) -> Mapping[str, str]:
    """Raises AnswersNeedOnePhoto, AnswerUnclear, AnswerOffSheet."""
    if not words:
        return {}
    if photos > 1:
        raise AnswersNeedOnePhoto(photos)
    from brikks_vision.decode.answers import parse_answers
    from brikks_vision.layout import load_sheet

    return parse_answers(words, load_sheet())
