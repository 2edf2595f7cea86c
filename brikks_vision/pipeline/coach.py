"""What a coach says of a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brikks_vision.decode.game import Advice
from brikks_vision.detect.photo import Source
from brikks_vision.games import checked_settings, game_of, games_with, layout_of
from brikks_vision.games.printings import printings_with
from brikks_vision.pipeline import AnySheet, scan_photo
from brikks_vision.reading import ReadSheet, Status

FACET = "coach"


def coach(
    source: Source,
    answers: Mapping[str, str] | None = None,
    sheet: AnySheet | None = None,
    **settings: int | str | None,
) -> Advice:
    """Read one sheet off a photo and tell where its points went.

    Parameters
    ----------
    source, answers, sheet, settings : as of `brikks_vision.scan`.

    Raises
    ------
    PhotoUnreadable
        The photo shows no sheet that can be read.
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, SourceUnknown, GameImpossible, SettingUnknown
    AnswerUnclear, AnswerOffSheet, UnknownValue, LayoutUnknown, DefinitionMissing
    DefinitionDamaged, DefinitionVersion, SheetOfOtherGame
        As of `brikks_vision.scan`.

    Examples
    --------
    >>> advice = coach("samples/arcade.jpg")
    >>> advice.total, [each.points for each in advice.lost or ()]
    (102, [12, 7, 4, 3, 2, 1, 1])
    """
    known = checked_settings(settings, [game.NAME for game in games_with(FACET)])
    seen = scan_photo(source, known, answers=answers, printings=printings_with(FACET, sheet))
    return advice_on(seen.reading, seen.layout)


def advice_on(reading: ReadSheet, layout: Any = None) -> Advice:
    """What a coach says of a sheet of a game that has one.

    layout : if None it is searched for; raises LayoutUnknown.
    """
    game = game_of(reading)
    assert game.coach is not None
    is_sure = reading.status is Status.OK
    lost = game.coach.lost(reading, layout or layout_of(reading)) if is_sure else None
    return Advice(reading.photo, game.NAME, reading.score.total, lost)
