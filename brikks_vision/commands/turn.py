"""``brikks-scan turn``: was the turn between two photos legal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brikks_vision import errors, games
from brikks_vision.commands import photos as shared
from brikks_vision.commands import terminal
from brikks_vision.infer.advice import Advice
from brikks_vision.infer.following import ToldTurn
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.intake.folders import files_of
from brikks_vision.reading import Reading, Status
from brikks_vision.text.phrases import json_line, translator

if TYPE_CHECKING:
    from brikks_vision.pipeline import ScanResult

app = terminal.new_app()


@app.command(cls=terminal.WithSettings)
def turn(
    options: typer.Context,
    photos: Annotated[list[Path], typer.Argument(metavar="BEFORE AFTER", help="turn photos")],
    out: Annotated[bool, typer.Option("--out", help="turn out")] = False,
    roll: terminal.Roll = None,
    coach: Annotated[bool, typer.Option("--coach", help="turn coach")] = False,
    annotate: Annotated[Path | None, typer.Option(metavar="OUT.jpg", help="turn annotate")] = None,
    as_json: terminal.Json = False,
    game: terminal.GameOption = None,
    sheet: terminal.SheetOption = None,
    phase: Annotated[int | None, typer.Option(help="turn phase")] = None,
    *,
    language: terminal.Lang,
) -> None:
    """Tell whether the turn between two photos of a sheet was legal, and what it cost and earned.

    Or, with --out and one photo, whether a player really had no legal place left.
    """
    with terminal.complaints(language):
        if len(photos) != (1 if out else 2):
            raise errors.PhotosNotOneTurn(len(photos))
        said = TurnSaid(roll, out, phase, translator(language))
        files = [file for photo in photos for file in files_of(photo)]
        known, sought = terminal.said_of_game(options, game), shared.printings_meant(game, sheet)
        shared.check_turn(said, sought)
        coach = coach or annotate is not None
        if coach and roll is None:
            raise errors.RollMissing
        (picture,) = shared.picture_paths(annotate, files[-1:], files)
    codes: set[errors.ExitCode] = set()
    readings, results = shared.read_in_turn(files, terminal.Context(language, known, sought), codes)
    read = [each for each in results if each is not None]
    verdict = None
    with terminal.complaints(language):
        played = games.game_of_all(games.layout_of(each.reading) for each in read)
        if played.turns is None:
            raise errors.TurnsNotJudged(played.TITLE)
        from brikks_vision.pipeline.follow import check_one_sheet

        check_one_sheet(read)
        if len(read) == len(files):
            names = [file.name for file in files]
            states = [each.posterior for each in read]
            verdict = played.turns.judge(names, states, said, known)
    if not isinstance(verdict, ToldTurn):  # which says how sure both photos are together
        codes |= {terminal.exit_code(reading, referee=False) for reading in readings}
    if as_json:
        terminal.print_json(*readings)
    if verdict is not None:
        from brikks_vision.pipeline import verdict_in_words
        from brikks_vision.show.comparison import turn_report

        verdict = verdict_in_words(verdict, language)
        codes.add(terminal.verdict_code(verdict))
        if as_json:
            terminal.print_json(verdict)
        else:
            terminal.say(turn_report(readings, verdict, language, terminal.terminal_paint()))
        if coach and not out:
            try:
                advice = _advice(read, said)
                if picture is not None:
                    shared.save_advice(read[-1], files[-1], picture, advice, language)
            except errors.BrikksError as error:
                terminal.complain(None, error, language)
                codes.add(error.exit_code)
            else:
                _tell(advice, readings, language, as_json)
    raise typer.Exit(terminal.first_of(codes))


def _advice(sheets: Sequence[ScanResult], said: TurnSaid) -> Advice:
    """What would have been best on the first sheet; the second one shows what was done."""
    from brikks_vision.pipeline.coach import advice_on

    before, after = sheets
    game = games.game_of(before.reading)
    if game.coach is None:
        raise errors.TurnsNotAdvised(game.TITLE)
    return advice_on(before.reading, None, said, after.reading)


def _tell(advice: Advice, readings: Sequence[Reading], language: str, as_json: bool) -> None:
    from brikks_vision.show.coach import choice_lines, sentences

    if as_json:
        terminal.say(json_line(advice.to_dict(sentences(language))))
    else:
        is_sure = all(reading.status is Status.OK for reading in readings)
        terminal.say(
            "\n".join(["", *choice_lines(advice, is_sure, language, terminal.terminal_paint())])
        )
