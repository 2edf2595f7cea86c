"""``brikks-scan coach``: where the points of a sheet went, or what is best for a roll."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands.photos import (
    answers_said,
    check_replay,
    numbered_sheet,
    picture_paths,
    save_advice,
    save_replay,
    sheet_pictures,
    shown_in,
)
from brikks_vision.commands.terminal import (
    Answer,
    Context,
    Json,
    Lang,
    Roll,
    SheetOption,
    WithSettings,
    complain,
    complaints,
    exit_code,
    first_of,
    new_app,
    note_saved,
    said_of_game,
    say,
    terminal_paint,
)
from brikks_vision.decode.game import TurnSaid
from brikks_vision.errors import BrikksError, ExitCode
from brikks_vision.intake.folders import files_of
from brikks_vision.text.phrases import json_line, translator

app = new_app()


@app.command(cls=WithSettings)
def coach(
    options: typer.Context,
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="A photo of a filled sheet.")],
    roll: Roll = None,
    as_json: Json = False,
    sheet: SheetOption = None,
    answer: Answer = None,
    replay: Annotated[
        Path | None,
        typer.Option(
            metavar="OUT.gif|OUT.txt",
            help="Save how the sheet was filled, block by block, as an animated picture or text.",
        ),
    ] = None,
    annotate: Annotated[
        Path | None,
        typer.Option(metavar="OUT.jpg", help="Draw on the photo what is told, and save it."),
    ] = None,
    *,
    language: Lang,
) -> None:
    """Tell where the points of a sheet went, or what would be best for a roll."""
    from brikks_vision.games.printings import printings_with
    from brikks_vision.pipeline.coach import FACET, advice_on
    from brikks_vision.show.coach import advice_report, sentences

    with complaints(language):
        context = Context(language, said_of_game(options), printings_with(FACET, sheet))
        said = None if roll is None else TurnSaid(roll, words=translator(language))
        if replay is not None:
            check_replay(replay)
        (file,) = files_of(photo)
        (annotated,) = picture_paths(annotate, [file], [file])
        answers = answers_said(answer or [], [[file]], context)
    codes: set[ExitCode] = set()
    sheets = shown_in([file], context, answers)
    pictures = sheet_pictures(replay, len(sheets), [])
    drawings = sheet_pictures(annotated, len(sheets), [])
    for index, (seen, picture, drawing) in enumerate(zip(sheets, pictures, drawings, strict=True)):
        try:
            if isinstance(seen, BrikksError):
                raise seen
            if picture is not None:
                save_replay(seen, file, picture)
                note_saved(picture, language)
            codes.add(exit_code(seen.reading, referee=False))
            advice = advice_on(seen.reading, seen.layout, said)
            if drawing is not None:
                save_advice(seen, file, drawing, advice, language)
        except BrikksError as error:
            complain(numbered_sheet(file, index), error, language)
            codes.add(error.exit_code)
            continue
        if as_json:
            say(json_line(advice.to_dict(sentences(language))))
        else:
            say(
                ("\n\n" if index else "")
                + advice_report(advice, seen.reading, language, terminal_paint())
            )
    raise typer.Exit(first_of(codes))
