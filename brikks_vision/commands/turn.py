"""``brikks-scan turn``: was the turn between two photos legal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from brikks_vision.commands.options import (
    AnyVariant,
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
from brikks_vision.commands.photos import layouts_of_options, means_board, read_photos, sheet_in
from brikks_vision.commands.terminal import (
    complain,
    exit_code,
    first_of,
    print_json,
    say,
    terminal_paint,
    turn_legend,
    verdict_code,
)
from brikks_vision.errors import (
    BrikksError,
    ExitCode,
    PhotosNotOneTurn,
    RollUnknown,
    TurnsNotJudged,
)
from brikks_vision.games import game_of_all, layout_of
from brikks_vision.intake.folders import files_of
from brikks_vision.reading import Status
from brikks_vision.text.display import json_line
from brikks_vision.text.languages import language_of_locale

if TYPE_CHECKING:
    from brikks_vision.games.brikks.compare import OutReading, TurnReading
    from brikks_vision.rules.brikks.play import Roll

app = new_app()


@app.command()
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
    game: GameOption = None,
    sheet: SheetOption = None,
    phase: Annotated[
        int | None,
        typer.Option(
            help="Of a game on a board: the phase; else all that its towers allow.",
            show_default=False,
        ),
    ] = None,
    lang: Lang = None,
) -> None:
    """Tell whether the turn between two photos of a sheet was legal, and what it cost and earned.

    Or, with --out and one photo, whether a player really had no legal place left.
    """
    language = str(lang or language_of_locale())
    try:
        if len(photos) != (1 if out else 2):
            raise PhotosNotOneTurn(len(photos))
        if means_board(game, sheet):
            code = _turn_on_board(photos, game, sheet, phase, as_json, language)
            raise typer.Exit(code)
        check_game(players, level, variant)
        rolled = None if roll is None else _roll(*roll, language)
        files = [file for photo in photos for file in files_of(photo)]
        known, layouts = said_of_game(players, level, variant), layouts_of_options(game, sheet)
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(error.exit_code) from None
    codes: set[ExitCode] = set()
    readings, results = read_photos(files, sheet_in, known, language, codes, layouts)
    codes |= {exit_code(reading, referee=False) for reading in readings}
    if as_json:
        print_json(*readings)
    try:
        layouts_seen = [layout_of(each.reading) for each in results if each is not None]
        if not game_of_all(layouts_seen).HAS_TURNS:
            raise TurnsNotJudged(layouts_seen[0].title)
    except BrikksError as error:
        complain(None, error, language)
        raise typer.Exit(error.exit_code) from None
    sheets: list[Any] = [result.posterior for result in results if result is not None]
    if len(sheets) == len(files):
        from brikks_vision.games.brikks.compare import read_out, read_turn
        from brikks_vision.show.comparison import turn_report
        from brikks_vision.show.words import verdict_in_words

        names = [file.name for file in files]
        verdict: OutReading | TurnReading
        if out:
            verdict = read_out(names[0], sheets[0], rolled, known)
        else:
            verdict = read_turn(
                (names[0], names[1]),
                (sheets[0], sheets[1]),
                rolled,
                known,
            )
        verdict = verdict_in_words(verdict, language)
        codes.add(verdict_code(verdict))
        if as_json:
            print_json(verdict)
        else:
            say(turn_report(readings, verdict, language, terminal_paint()))
            if not out:
                say("\n" + turn_legend(language))
    raise typer.Exit(first_of(codes))


def _turn_on_board(
    photos: Sequence[Path],
    name: str | None,
    sheet: str | None,
    phase: int | None,
    as_json: bool,
    language: str,
) -> ExitCode:
    """Tell which action leads from one photo of a board to the other.

    Raises
    ------
    PhotosNotOneTurn, PhotoUnreadable, RulesForbid
    LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
    """
    from brikks_vision.boards import board_game, open_boards, read_board
    from brikks_vision.show.board import board_report, board_turn_report

    if len(photos) != 2:
        raise PhotosNotOneTurn(len(photos))
    game = board_game(name)
    before = read_board(photos[0], game, open_boards(game, sheet), language)
    after = read_board(photos[1], game, [before.board], language)
    found = game.turn(before, after, phase)
    if as_json:
        print_json(before.reading, after.reading)
        names = [photo.name for photo in photos]
        say(json_line({"turn": {**found.to_dict(), "photos": names}}))
    else:
        for seen in (before, after):
            say(board_report(seen.reading, game.view(seen.reading), language, terminal_paint()))
            say()
        say(board_turn_report(found, language, terminal_paint()))
    if found.status is not Status.OK:
        return ExitCode.UNCERTAIN
    return ExitCode.VIOLATIONS if found.violations else ExitCode.CERTAIN


def _roll(color: str, number: int, language: str) -> Roll:
    """A roll with its colour in English or in the user's language; raises RollUnknown."""
    from brikks_vision.rules.brikks.play import Roll
    from brikks_vision.rules.brikks.sheet import load_sheet
    from brikks_vision.rules.brikks.words import phrase

    blocks = load_sheet().blocks
    words = {phrase(each).text(language): each for each in blocks}
    named = {**{each: each for each in blocks}, **words}.get(color.lower())
    if named is None or number not in range(1, 1 + len(blocks[named])):
        highest = min(len(shapes) for shapes in blocks.values())
        raise RollUnknown(color, number, ", ".join(words), highest)
    return Roll(named, number)
