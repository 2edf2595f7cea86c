"""``brikks-scan turn``, ``follow`` and ``coach``: was a turn legal, a game turn by turn, advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brikks_vision import errors, games
from brikks_vision.commands import photos as shared
from brikks_vision.commands import terminal
from brikks_vision.files import write_whole
from brikks_vision.infer.advice import Advice
from brikks_vision.infer.following import ToldTurn
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.intake.folders import files_of
from brikks_vision.reading import Reading, Status
from brikks_vision.text.phrases import json_line, translator

if TYPE_CHECKING:
    from brikks_vision.pipeline import ScanResult
    from brikks_vision.pipeline.follow import Followed

turn_app, follow_app, coach_app = (terminal.new_app() for _ in range(3))


@turn_app.command(cls=terminal.WithSettings)
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


@follow_app.command(cls=terminal.WithSettings)
def follow(
    options: typer.Context,
    photos: Annotated[list[Path], typer.Argument(metavar="PHOTO...", help="follow photos")],
    as_json: Annotated[bool, typer.Option("--json", help="follow json")] = False,
    game: terminal.GameOption = None,
    sheet: terminal.SheetOption = None,
    players: Annotated[
        str | None, typer.Option(metavar="COLOUR,COLOUR...|NUMBER", help="follow players")
    ] = None,
    coach: Annotated[bool, typer.Option("--coach", help="follow coach")] = False,
    replay: Annotated[
        Path | None, typer.Option(metavar="OUT.gif|OUT.txt", help="follow replay")
    ] = None,
    *,
    language: terminal.Lang,
) -> None:
    """Follow a game from photo to photo, one after each turn: turns, broken rules, points."""
    from brikks_vision.pipeline.follow import check_photos, follow_shown, players_said

    codes: set[errors.ExitCode] = set()
    try:
        files = [file for photo in photos for file in files_of(photo)]
        check_photos(files)
        count, order = players_said(players)
        options.meta.setdefault(terminal.SAID, {}).update(count)
        if replay is not None:
            shared.check_replay(replay)
        known, sought = terminal.said_of_game(options, game), shared.printings_meant(game, sheet)
        readings, results = shared.read_in_turn(
            files, terminal.Context(language, known, sought), codes
        )
        shown = [result or reading for result, reading in zip(results, readings, strict=True)]
        found = follow_shown(shown, order, language)
    except errors.BrikksError as error:
        terminal.complain(None, error, language)
        raise typer.Exit(terminal.first_of({error.exit_code} | codes)) from None
    codes |= {terminal.verdict_code(turn) for turn in found.turns}
    if as_json:
        for reading in found.readings:
            terminal.say(json_line(reading.to_dict()))
        terminal.say(json_line(found.follow_dict()))
        if coach:
            terminal.say(json_line(found.coach_dict()))
    else:
        from brikks_vision.show.comparison import coach_report, followed_report

        terminal.say(followed_report(found, language, terminal.terminal_paint()))
        if coach:
            terminal.say(coach_report(found, language, terminal.terminal_paint()))
    try:
        if replay is not None:
            _save(found, results, files, replay)
            terminal.note_saved(replay, language)
    except errors.BrikksError as error:
        terminal.complain(None, error, language)
        codes.add(error.exit_code)
    raise typer.Exit(terminal.first_of(codes))


def _save(
    found: Followed, results: Sequence[ScanResult | None], files: Sequence[Path], path: Path
) -> None:
    """Save the game as text, or as a picture over the last photo; raises as `save_replay`."""
    if path.suffix.lower() == shared.TEXT_SUFFIX:
        write_whole(path, str(found.content["notation"]).encode())
        return
    *_, (result, reading, file) = (
        each for each in zip(results, found.readings, files, strict=True) if each[0] is not None
    )
    assert result is not None
    if games.game_of(reading).board is not None:
        raise errors.OutputFormatUnknown(path, shared.TEXT_SUFFIX)
    shared.save_replay(replace(result, reading=reading, posterior=None), file, path, found.order)


@coach_app.command(cls=terminal.WithSettings)
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

    context = terminal.Context(
        language, terminal.said_of_game(options), printings_with(FACET, sheet)
    )
    said = None if roll is None else TurnSaid(roll, words=translator(language))
    if replay is not None:
        shared.check_replay(replay)
    (file,) = files_of(photo)
    (annotated,) = shared.picture_paths(annotate, [file], [file])
    answers = shared.answers_said(answer or [], [[file]], context)
    codes: set[errors.ExitCode] = set()
    sheets = shared.shown_in([file], context, answers)
    pictures = shared.sheet_pictures(replay, len(sheets), [])
    drawings = shared.sheet_pictures(annotated, len(sheets), [])
    for index, (seen, picture, drawing) in enumerate(zip(sheets, pictures, drawings, strict=True)):
        try:
            if isinstance(seen, errors.BrikksError):
                raise seen
            if picture is not None:
                shared.save_replay(seen, file, picture)
                terminal.note_saved(picture, language)
            codes.add(terminal.exit_code(seen.reading, referee=False))
            advice = advice_on(seen.reading, seen.layout, said)
            if drawing is not None:
                shared.save_advice(seen, file, drawing, advice, language)
        except errors.BrikksError as error:
            terminal.complain(shared.numbered_sheet(file, index), error, language)
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
