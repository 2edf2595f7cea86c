"""``brikks-scan PHOTO``: read photos, tell the scores."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brikks_vision.commands.photos import (
    answers_said,
    check_player,
    keep_read,
    numbered_sheet,
    photo_files,
    picture_paths,
    printings_meant,
    read_or_failed,
    record_shown,
    save_picture,
    sheet_pictures,
    shown_in,
    with_standard_input,
)
from brikks_vision.commands.terminal import (
    Answer,
    Database,
    GameOption,
    Json,
    Lang,
    SheetOption,
    WithSettings,
    complain,
    count_table,
    exit_code,
    first_of,
    legend,
    new_app,
    note,
    print_json,
    progress,
    said_of_game,
    say,
    show,
)
from brikks_vision.errors import BrikksError, ExitCode
from brikks_vision.games import game_of, unreadable
from brikks_vision.reading import Reading, Status
from brikks_vision.text.languages import language_of_locale, texts_in
from brikks_vision.text.phrases import visible

if TYPE_CHECKING:
    from brikks_vision.pipeline import ScanResult

app = new_app()


@app.command(cls=WithSettings)
def scan(
    context: typer.Context,
    photos: Annotated[
        list[Path],
        typer.Argument(
            metavar="PHOTO|FOLDER",
            help="JPEG, PNG, WebP or HEIC photos of filled sheets, or folders of them; "
            "- for a photo on standard input.",
        ),
    ],
    as_json: Json = False,
    game: GameOption = None,
    sheet: SheetOption = None,
    lang: Lang = None,
    answer: Answer = None,
    annotate: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.jpg|FOLDER",
            help="Draw the reading on the photo and save it as OUT.jpg (or .png, .webp); "
            "with several photos, in FOLDER under the photos' names.",
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
        ),
    ] = None,
    database: Database = None,
    keep: Annotated[
        bool,
        typer.Option(
            "--keep",
            help="Keep the photo to teach, cut to the sheet; the reading goes to the record.",
        ),
    ] = False,
    total: Annotated[
        int | None, typer.Option(metavar="POINTS", help="The right total, kept with the photo.")
    ] = None,
    together: Annotated[
        bool,
        typer.Option(
            "--together",
            help="All photos show one sheet or board, with nothing changed between them: read them "
            "as one.",
        ),
    ] = False,
) -> None:
    """Read filled sheets from photos: score, rank, doubts."""
    language = str(lang or language_of_locale())
    codes: set[ExitCode] = set()
    with with_standard_input(photos) as given:
        try:
            check_player(player)
            known = said_of_game(context, game)
            sought = printings_meant(game, sheet)
            look = partial(shown_in, known=known, language=language, printings=sought)
            files = photo_files(given, codes, language)
            if together and codes:
                raise typer.Exit(first_of(codes))
            groups = [files] if together and files else [[file] for file in files]
            pictures = picture_paths(annotate, [group[0] for group in groups], files)
            answers = answers_said(answer or [], groups, look, sought, language)
        except BrikksError as error:
            complain(None, error, language)
            raise typer.Exit(ExitCode.WRONG_USE) from None
        is_asked = keep or total is not None
        is_recorded = player is not None or database is not None or is_asked
        statuses: list[Status] = []
        games: dict[str, None] = {}  # of the sheets that are shown
        is_heard = True
        with progress(len(groups)) as advance:
            for group, picture in zip(groups, pictures, strict=True):
                file, *others = group
                if not (is_heard or is_recorded or annotate):
                    break
                shown: list[ScanResult | BrikksError]
                shown = read_or_failed(partial(look, group, answers=answers))
                advance()
                if is_recorded:
                    try:
                        shown = record_shown(
                            shown, group, answers, known, player, database, language
                        )
                        if not all(isinstance(each, BrikksError) for each in shown):
                            keep_read(group, is_asked, bool(answers), total, database, language)
                    except BrikksError as error:
                        complain(None if others else file, error, language)
                        codes.add(error.exit_code)
                places = sheet_pictures(picture, len(shown), [*files, *filter(None, pictures)])
                for index, (found, place) in enumerate(zip(shown, places, strict=True)):
                    try:
                        if isinstance(found, BrikksError):
                            raise found
                        reading: Reading = found.reading
                        if place is not None:
                            save_picture(found, file, place, language)
                            saved = texts_in(language).report["history_saved"]
                            note(saved.format(path=visible(place)))
                    except BrikksError as error:
                        about = None if others else numbered_sheet(file, index)
                        complain(about, error, language)
                        codes.add(error.exit_code)
                        if error.exit_code is ExitCode.WRONG_USE:
                            continue
                        names = tuple(photo.name for photo in group) if others else ()
                        reading = unreadable(file.name, error.text(language), index, game, names)
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
        _conclude(statuses, len(groups), games, language)
    raise typer.Exit(first_of(codes))


def _conclude(statuses: Sequence[Status], photos: int, games: Iterable[str], language: str) -> None:
    """What the signs in the reports mean; of several photos also how many were read how."""
    words = texts_in(language).report
    told = legend(language, games)
    if told:
        say("\n" + told)
    if photos > 1:
        counted = (
            ("batch_sure", Status.OK),
            ("batch_unsure", Status.UNCERTAIN),
            ("batch_unreadable", Status.UNREADABLE),
        )
        rows = [(words["batch_photos"], photos), (words["batch_sheets"], len(statuses))]
        rows += [(words[key], statuses.count(status)) for key, status in counted]
        say("\n".join(["", *count_table(rows)]))
