"""``brikks-scan PHOTO``: read photos, tell the scores."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands import photos as shared
from brikks_vision.commands import terminal
from brikks_vision.errors import BrikksError, ExitCode
from brikks_vision.games import game_of, unreadable
from brikks_vision.reading import Reading, Status
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import visible

app = terminal.new_app()


@app.command(cls=terminal.WithSettings)
def scan(
    options: typer.Context,
    photos: Annotated[list[Path], typer.Argument(metavar="PHOTO|FOLDER", help="scan photos")],
    as_json: terminal.Json = False,
    game: terminal.GameOption = None,
    sheet: terminal.SheetOption = None,
    answer: terminal.Answer = None,
    annotate: Annotated[
        Path | None, typer.Option(metavar="OUT.jpg|FOLDER", help="scan annotate")
    ] = None,
    referee: Annotated[bool, typer.Option("--referee", help="scan referee")] = False,
    player: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="scan player", rich_help_panel=terminal.RECORD),
    ] = None,
    database: terminal.Database = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="scan keep", rich_help_panel=terminal.RECORD)
    ] = False,
    total: Annotated[
        int | None,
        typer.Option(metavar="POINTS", help="scan total", rich_help_panel=terminal.RECORD),
    ] = None,
    together: Annotated[bool, typer.Option("--together", help="scan together")] = False,
    *,
    language: terminal.Lang,
) -> None:
    """Read filled sheets from photos: score, rank, doubts."""
    codes: set[ExitCode] = set()
    with shared.with_standard_input(photos) as given:
        shared.check_player(player)
        known, sought = (
            terminal.said_of_game(options, game),
            shared.printings_meant(game, sheet),
        )
        context = terminal.Context(language, known, sought, database)
        files = shared.photo_files(given, codes, language)
        if together and codes:
            raise typer.Exit(terminal.first_of(codes))
        groups = [files] if together and files else [[file] for file in files]
        pictures = shared.picture_paths(annotate, [group[0] for group in groups], files)
        answers = shared.answers_said(answer or [], groups, context)
        is_asked = keep or total is not None
        is_recorded = player is not None or database is not None or is_asked
        readings: list[Reading] = []
        is_heard = True
        with terminal.progress(len(groups)) as advance:
            for group, picture in zip(groups, pictures, strict=True):
                if not (is_heard or is_recorded or annotate):
                    break
                shown = shared.shown_in(group, context, answers)
                advance()
                about = None if len(group) > 1 else group[0]
                if is_recorded:
                    try:
                        shown = shared.record_shown(shown, group, answers, player, context)
                        if not all(isinstance(each, BrikksError) for each in shown):
                            shared.keep_read(group, is_asked, bool(answers), total, context)
                    except BrikksError as error:
                        terminal.complain(about, error, language)
                        codes.add(error.exit_code)
                places = shared.sheet_pictures(
                    picture, len(shown), [*files, *filter(None, pictures)]
                )
                for index, (found, place) in enumerate(zip(shown, places, strict=True)):
                    try:
                        if isinstance(found, BrikksError):
                            raise found
                        reading: Reading = found.reading
                        if place is not None:
                            shared.save_picture(found, group[0], place, language)
                    except BrikksError as error:
                        terminal.complain(
                            about and shared.numbered_sheet(about, index), error, language
                        )
                        codes.add(error.exit_code)
                        if error.exit_code is ExitCode.WRONG_USE:
                            continue
                        names = () if about else tuple(photo.name for photo in group)
                        told = error.text(language)
                        reading = unreadable(group[0].name, told, index, game, names)
                    codes.add(terminal.exit_code(reading, referee))
                    if as_json:
                        is_heard = terminal.print_json(reading) and is_heard
                    elif reading.status is not Status.UNREADABLE:  # else stderr has said why
                        if any(each.status is not Status.UNREADABLE for each in readings):
                            terminal.say("\n")
                        is_heard = terminal.show(reading, language, referee) and is_heard
                    readings.append(reading)
    if not as_json:
        _conclude(readings, len(groups), language)
    raise typer.Exit(terminal.first_of(codes))


def _conclude(readings: Sequence[Reading], photos: int, language: str) -> None:
    """What the signs in the reports mean, total and verdict of each sheet, of several how many."""
    from brikks_vision.show.report import verdict_text

    words = texts_in(language).report
    statuses = [each.status for each in readings]
    read = [each for each in readings if each.status is not Status.UNREADABLE]
    told = terminal.legend(language, dict.fromkeys(game_of(each).NAME for each in read))
    if told:
        terminal.say("\n" + told)
    names = [
        f"{visible(each.photo)}{f' #{each.index + 1}' * bool(each.index)}  " * (len(readings) > 1)
        for each in readings
    ]
    lines = [verdict_text(each, language) for each in readings] * bool(read)
    width = max(map(len, names), default=0)
    for name, line in zip(names, lines, strict=False):
        terminal.say(f"  {name:<{width}}{line}")
    if photos > 1:
        counted = (
            ("batch_sure", Status.OK),
            ("batch_unsure", Status.UNCERTAIN),
            ("batch_unreadable", Status.UNREADABLE),
        )
        rows = [(words["batch_photos"], photos), (words["batch_sheets"], len(statuses))]
        rows += [(words[key], statuses.count(status)) for key, status in counted]
        terminal.say("\n".join(["", *terminal.count_table(rows)]))
