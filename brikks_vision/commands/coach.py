"""``brikks-scan coach``: where the points of a sheet went, or what is best for a roll."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from brikks_vision.commands import photos, terminal
from brikks_vision.errors import BrikksError, ExitCode
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.intake.folders import files_of
from brikks_vision.text.phrases import json_line, translator

app = terminal.new_app()


@app.command(cls=terminal.WithSettings)
def coach(
    options: typer.Context,
    photo: Annotated[Path, typer.Argument(metavar="PHOTO", help="coach photo")],
    roll: terminal.Roll = None,
    as_json: terminal.Json = False,
    sheet: terminal.SheetOption = None,
    answer: terminal.Answer = None,
    replay: Annotated[
        Path | None, typer.Option(metavar="OUT.gif|OUT.txt", help="coach replay")
    ] = None,
    annotate: Annotated[Path | None, typer.Option(metavar="OUT.jpg", help="coach annotate")] = None,
    *,
    language: terminal.Lang,
) -> None:
    """Tell where the points of a sheet went, or what would be best for a roll."""
    from brikks_vision.games.printings import printings_with
    from brikks_vision.pipeline.coach import FACET, advice_on
    from brikks_vision.show.coach import advice_report, sentences

    with terminal.complaints(language):
        context = terminal.Context(
            language, terminal.said_of_game(options), printings_with(FACET, sheet)
        )
        said = None if roll is None else TurnSaid(roll, words=translator(language))
        if replay is not None:
            photos.check_replay(replay)
        (file,) = files_of(photo)
        (annotated,) = photos.picture_paths(annotate, [file], [file])
        answers = photos.answers_said(answer or [], [[file]], context)
    codes: set[ExitCode] = set()
    sheets = photos.shown_in([file], context, answers)
    pictures = photos.sheet_pictures(replay, len(sheets), [])
    drawings = photos.sheet_pictures(annotated, len(sheets), [])
    for index, (seen, picture, drawing) in enumerate(zip(sheets, pictures, drawings, strict=True)):
        try:
            if isinstance(seen, BrikksError):
                raise seen
            if picture is not None:
                photos.save_replay(seen, file, picture)
                terminal.note_saved(picture, language)
            codes.add(terminal.exit_code(seen.reading, referee=False))
            advice = advice_on(seen.reading, seen.layout, said)
            if drawing is not None:
                photos.save_advice(seen, file, drawing, advice, language)
        except BrikksError as error:
            terminal.complain(photos.numbered_sheet(file, index), error, language)
            codes.add(error.exit_code)
            continue
        if as_json:
            terminal.say(json_line(advice.to_dict(sentences(language))))
        else:
            terminal.say(
                ("\n\n" if index else "")
                + advice_report(advice, seen.reading, language, terminal.terminal_paint())
            )
    raise typer.Exit(terminal.first_of(codes))
