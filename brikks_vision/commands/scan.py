"""``brikks-scan PHOTO``: read photos, tell the scores."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brikks_vision.commands.options import (
    AnyVariant,
    Database,
    GameOption,
    Json,
    Lang,
    Level,
    Players,
    SheetOption,
    check_game,
    new_app,
    said_of_game,
)
from brikks_vision.commands.photos import (
    check_player,
    layouts_of_options,
    means_board,
    numbered_sheet,
    photo_files,
    picture_paths,
    read_photo,
    record_sheets,
    save_picture,
    sheet_pictures,
    sheets_in,
    with_standard_input,
)
from brikks_vision.commands.terminal import (
    complain,
    count_table,
    exit_code,
    first_of,
    legend,
    note,
    print_json,
    progress,
    say,
    show,
)
from brikks_vision.errors import (
    AnswersNeedOnePhoto,
    BrikksError,
    ExitCode,
)
from brikks_vision.games import game_of, unreadable
from brikks_vision.layout import Layout
from brikks_vision.reading import Known, Reading, Status
from brikks_vision.text.display import visible
from brikks_vision.text.languages import language_of_locale, texts_in

if TYPE_CHECKING:
    from brikks_vision.intake.corrections import Said

app = new_app()


@app.command()
def scan(
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO|FOLDER",
            help="JPEG, PNG, WebP or HEIC photos of filled sheets, or folders of them; "
            "- for a photo on standard input.",
            show_default=False,
        ),
    ],
    as_json: Json = False,
    players: Players = None,
    level: Level = None,
    variant: AnyVariant = None,
    game: GameOption = None,
    sheet: SheetOption = None,
    lang: Lang = None,
    answer: Annotated[
        list[str] | None,
        typer.Option(
            metavar='"PLACE=MARK"',
            help='Settle a doubt: "row 3, column 4=crossed", "energy point 12=circled", '
            '"box 21=open", "bomb 2=crossed", in any of the four languages. Rows count from '
            "the bottom; a bomb and a box are called by their figure. Can be given several times.",
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
        bool, typer.Option("--referee", help="List all that breaks the rules, and exit with 4.")
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
) -> None:
    """Read filled sheets from photos: score, rank, doubts."""
    language = str(lang or language_of_locale())
    codes: set[ExitCode] = set()
    with with_standard_input(photos) as given:
        try:
            check_player(player)
            if means_board(game, sheet):
                _scan_boards(
                    given,
                    annotate,
                    game,
                    sheet,
                    answer or (),
                    as_json,
                    language,
                    codes,
                    player,
                    database,
                )
                raise typer.Exit(first_of(codes))
            check_game(players, level, variant)
            known, layouts = said_of_game(players, level, variant), layouts_of_options(game, sheet)
            files = photo_files(given, codes, language)
            pictures = picture_paths(annotate, files)
            answers = _answers(answer or [], files, known, layouts, language)
        except BrikksError as error:
            complain(None, error, language)
            raise typer.Exit(ExitCode.WRONG_USE) from None
        is_recorded = player is not None or database is not None
        statuses: list[Status] = []
        games: dict[str, None] = {}  # of the sheets that are shown
        is_heard = True
        with progress(len(files)) as advance:
            for file, picture in zip(files, pictures, strict=True):
                if not (is_heard or is_recorded or annotate):
                    break
                sheets = read_photo(file, sheets_in, known, language, answers, layouts)
                advance()
                if is_recorded:
                    try:
                        said = _said(answers, known)
                        sheets = record_sheets(sheets, file, player, said, database, language)
                    except BrikksError as error:
                        complain(file, error, language)
                        codes.add(error.exit_code)
                places = sheet_pictures(picture, len(sheets), [*files, *filter(None, pictures)])
                for index, (found, place) in enumerate(zip(sheets, places, strict=True)):
                    try:
                        if isinstance(found, BrikksError):
                            raise found
                        reading: Reading = found.reading
                        if place is not None:
                            save_picture(found, file, place, language)
                            saved = texts_in(language).report["history_saved"]
                            note(saved.format(path=visible(place)))
                    except BrikksError as error:
                        complain(numbered_sheet(file, index), error, language)
                        codes.add(error.exit_code)
                        if error.exit_code is ExitCode.WRONG_USE:
                            continue
                        reading = unreadable(file.name, error.text(language), index)
                    codes.add(exit_code(reading, referee))
                    if as_json:
                        is_heard = print_json(reading) and is_heard
                    elif reading.status is not Status.UNREADABLE:  # else stderr has said why
                        if any(status is not Status.UNREADABLE for status in statuses):
                            say("\n")
                        is_heard = show(reading, language, referee) and is_heard
                        games[game_of(reading).NAME] = None
                    statuses.append(reading.status)
    if not as_json:
        _conclude(statuses, len(files), games, language)
    raise typer.Exit(first_of(codes))


def _scan_boards(
    given: Sequence[Path],
    annotate: Path | None,
    game: str | None,
    sheet: str | None,
    answers: Sequence[str],
    as_json: bool,
    language: str,
    codes: set[ExitCode],
    player: str | None,
    database: Path | None,
) -> None:
    """Read photos of boards instead; raises what `scan_boards` does."""
    from brikks_vision.commands.board import Recording, scan_boards

    is_recorded = player is not None or database is not None
    recording = Recording(database, player) if is_recorded else None
    files = photo_files(given, codes, language)
    pictures = picture_paths(annotate, files)
    scan_boards(files, pictures, game, sheet, answers, as_json, language, codes, recording)


def _conclude(statuses: Sequence[Status], photos: int, games: Iterable[str], language: str) -> None:
    """What the signs in the reports mean; of several photos also how many were read how."""
    words = texts_in(language).report
    if games:
        say("\n" + legend(language, games))
    if photos > 1:
        counted = (
            ("batch_sure", Status.OK),
            ("batch_unsure", Status.UNCERTAIN),
            ("batch_unreadable", Status.UNREADABLE),
        )
        rows = [(words["batch_photos"], photos), (words["batch_sheets"], len(statuses))]
        rows += [(words[key], statuses.count(status)) for key, status in counted]
        say("\n".join(["", *count_table(rows)]))


def _answers(
    words: Sequence[str],
    files: Sequence[Path],
    known: Known,
    layouts: Sequence[Layout] | None,
    language: str,
) -> Mapping[str, str]:
    """What is answered; what was understood is said on stderr.

    Raises
    ------
    AnswersNeedOnePhoto, AnswerUnclear, AnswerOffSheet
    """
    if not words or not files:
        return {}
    if len(files) > 1:
        raise AnswersNeedOnePhoto(len(files))
    from brikks_vision.decode.answers import parse_answers
    from brikks_vision.games import game_named
    from brikks_vision.show.places import answer_said

    layout = _layout_answered(files[0], known, layouts, language)
    answers = parse_answers(words, game_named(layout.game), layout)
    for where, mark in answers.items():
        print(answer_said(where, mark, layout, language), file=sys.stderr)
    return answers


def _layout_answered(
    file: Path, known: Known, layouts: Sequence[Layout] | None, language: str
) -> Layout:
    """The printing whose places are named, which tells where row 3 is.

    Where several games are looked for, that is the one that the photo shows.
    """
    from brikks_vision.games import layout_of, readable_layouts

    sought = readable_layouts() if layouts is None else layouts
    if len({layout.game for layout in sought}) > 1:
        for found in read_photo(file, sheets_in, known, language, {}, layouts):
            if not isinstance(found, BrikksError):
                return layout_of(found.reading)
    return sought[0]


def _said(answers: Mapping[str, str], known: Known) -> Said:
    from brikks_vision.intake.corrections import Said

    return Said(answers, known)
