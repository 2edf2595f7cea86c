"""What a coach says of a sheet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from brikks_vision.detect.photo import Source
from brikks_vision.errors import RollUnclear
from brikks_vision.games import checked_settings, game_of, games_with, layout_of
from brikks_vision.games.printings import printings_with
from brikks_vision.infer.advice import Advice
from brikks_vision.infer.protocol import TurnSaid
from brikks_vision.pipeline import AnySheet, scan_photo
from brikks_vision.reading import ReadSheet, Status

FACET = "coach"


def coach(
    source: Source,
    roll: tuple[str, int] | None = None,
    answers: Mapping[str, str] | None = None,
    sheet: AnySheet | None = None,
    **settings: int | str | None,
) -> Advice:
    """Read one sheet off a photo and tell where its points went, or what is best for a roll.

    Parameters
    ----------
    roll : what was rolled, such as ("red", 3), or ("light", 3) of one die of two, in any
        language. Then `Advice.choices` has what may be done for it, best first.
    source, answers, sheet, settings : as of `brikks_vision.scan`.

    Raises
    ------
    PhotoUnreadable
        The photo shows no sheet that can be read.
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, SourceUnknown, GameImpossible, SettingUnknown
    RollUnclear, RollUnknown, TurnsNotAdvised
        It is no roll; there is no such roll; the dice of the sheet are not known.
    RulesForbid
        Nothing can be done for this roll: the sheet is finished; or it is one of a duel.
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
    said = None if roll is None else TurnSaid(_checked_roll(roll))
    seen = scan_photo(source, known, answers=answers, printings=printings_with(FACET, sheet))
    return advice_on(seen.reading, seen.layout, said)


def _checked_roll(roll: object) -> tuple[str, int]:
    if isinstance(roll, list | tuple) and list(map(type, roll)) == [str, int]:
        return roll[0], roll[1]
    raise RollUnclear(roll)


def advice_on(
    reading: ReadSheet,
    layout: Any = None,
    said: TurnSaid | None = None,
    after: ReadSheet | None = None,
) -> Advice:
    """What a coach says of a sheet of a game that has one.

    layout : if None it is searched for; raises LayoutUnknown. said : what is said of a turn; raises
    TurnsNotAdvised, and what `Coach.advise` raises. after : the sheet after that turn.
    """
    game = game_of(reading)
    facet = game.coach
    assert facet is not None
    layout = layout or layout_of(reading)
    lost = expected = choices = None
    if reading.status is Status.OK:
        lost = facet.lost(reading, layout)
        expected = facet.expected(reading, layout) if facet.expected else None
    if said is not None:
        choices = facet.advise(reading, layout, said, after)
    return Advice(reading.photo, game.NAME, reading.score.total, lost, expected, choices)
