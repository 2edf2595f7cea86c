"""``brikks-scan follow``: a game from photo to photo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from brikks_vision.commands import photos as shared
from brikks_vision.commands import terminal
from brikks_vision.errors import BrikksError, ExitCode, OutputFormatUnknown
from brikks_vision.files import write_whole
from brikks_vision.games import game_of
from brikks_vision.intake.folders import files_of
from brikks_vision.text.phrases import json_line

if TYPE_CHECKING:
    from brikks_vision.pipeline import ScanResult
    from brikks_vision.pipeline.follow import Followed

app = terminal.new_app()


@app.command(cls=terminal.WithSettings)
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

    codes: set[ExitCode] = set()
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
    except BrikksError as error:
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
    except BrikksError as error:
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
    if game_of(reading).board is not None:
        raise OutputFormatUnknown(path, shared.TEXT_SUFFIX)
    shared.save_replay(replace(result, reading=reading, posterior=None), file, path, found.order)
