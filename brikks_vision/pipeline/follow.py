"""Several photos read together: of one state, or of a game in its course."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any, cast

import numpy as np

from brikks_vision import errors, games, pipeline
from brikks_vision.codec import JsonObject
from brikks_vision.detect.photo import Source, Stored, read_file, stored
from brikks_vision.games.printings import printings_sought
from brikks_vision.infer.following import JudgedTurn, ToldTurn, are_two_sheets
from brikks_vision.layout import Cell, Printing
from brikks_vision.pipeline import localize, verdict_in_words
from brikks_vision.reading import NO_SETTINGS, PLAYERS, GameSettings, Reading, Status
from brikks_vision.text import languages, phrases


def scan_together(
    sources: Sequence[Source],
    known: GameSettings = NO_SETTINGS,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    printings: Sequence[Printing] | None = None,
) -> pipeline.ScanResult:
    """Read several photos as one, see `combined`; parameters as of `scan_photo`.

    Raises PhotoGivenTwice, OneOfPhotosUnreadable, PhotoOfAnother, PhotoOfAnotherState,
    AnswerUnclear, AnswerOffSheet.
    """
    alone: list[pipeline.ScanResult] = []
    for source, photo in zip(sources, _different(sources, errors.PhotoGivenTwice), strict=True):
        name = pipeline.name_of(source)
        try:
            if isinstance(photo, errors.PhotoUnreadable):
                raise photo
            shown = pipeline.scan_photo(photo, known, language, None, printings)
        except errors.PhotoUnreadable as error:
            raise errors.OneOfPhotosUnreadable(name, error) from None
        alone.append(replace(shown, reading=replace(shown.reading, photo=name)))
    return combined(alone, answers, language)


def combined(
    alone: Sequence[pipeline.ScanResult],
    answers: Mapping[str, str] | None = None,
    language: str = "en",
) -> pipeline.ScanResult:
    """The reading of several photos, or of some that were combined before; it lies as in the first.

    Raises
    ------
    PhotoOfAnother
        They show sheets or boards of different printings.
    PhotoOfAnotherState
        Something stands otherwise in one of them than in an earlier one.
    AnswerUnclear, AnswerOffSheet
    """
    first = alone[0]
    for one, other in combinations(alone, 2):
        check_one_state(
            (one.reading.photo, one.layout, one.evidence),
            (other.reading.photo, other.layout, other.evidence),
        )
    photos = tuple(name for each in alone for name in photo_names(each.reading))
    steps = dict.fromkeys(step for each in alone for step in each.reading.timing_ms)
    timing = {step: sum(each.reading.timing_ms.get(step, 0.0) for each in alone) for step in steps}
    together = replace(
        first,
        evidence=games.game_named(first.layout.game).combined(
            [each.evidence for each in alone], first.layout
        ),
        reading=replace(first.reading, photos=photos, timing_ms=timing),
        alone=tuple(photo for each in alone for photo in each.alone or (each,)),
    )
    return pipeline.read_again(together, answers or pipeline.NO_ANSWERS, language)


def photo_names(reading: Reading) -> tuple[str, ...]:
    """The photos that a reading is of."""
    return reading.photos or (reading.photo,)


View = tuple[str, Any, Any]
"""The name of a photo, the printing that it shows, and its evidence."""


def check_one_state(first: View, other: View) -> None:
    """Raises PhotoOfAnother or PhotoOfAnotherState where two photos cannot be read as one."""
    (first_name, layout, evidence), (name, other_layout, other_evidence) = first, other
    if not is_one_printing(layout, other_layout):
        raise errors.PhotoOfAnother(name, first_name)
    if games.game_named(layout.game).contradicts(evidence, other_evidence):
        raise errors.PhotoOfAnotherState(name, first_name)


def is_one_printing(one: Printing, other: Printing) -> bool:
    """Whether one sheet or board can be taken for both.

    Printings that the networks find differ by little, so that a sheet may be taken for another.
    """
    if (one.game, one.printing) != (other.game, other.printing):
        return False
    return one.name == other.name or one.finder == other.finder == "network"


def content_of(photo: Stored) -> bytes:
    """What tells whether two photos are the same one."""
    if isinstance(photo, np.ndarray):
        return photo.tobytes()
    return photo if isinstance(photo, bytes) else read_file(Path(photo))


MIN_PHOTOS = 2


@dataclass(frozen=True)
class Followed:
    """A game that was followed.

    readings: one a photo, as all of them together explain it, or why the photo cannot be read.
    turns: what was done between them. facts: what is told besides. content: what the JSON has
    besides. judge: what a coach says of the turn of a number, from 0. order: as of `FollowedGame`.
    """

    readings: tuple[Reading, ...]
    turns: tuple[ToldTurn, ...]
    game: str
    facts: tuple[phrases.Phrase, ...]
    content: Mapping[str, Any]
    judge: Callable[[int], JudgedTurn | None]
    order: tuple[frozenset[Cell], ...] = ()

    @property
    def status(self) -> Status:
        """Whether every turn is sure."""
        is_sure = all(turn.status is Status.OK for turn in self.turns)
        return Status.OK if is_sure else Status.UNCERTAIN

    def follow_dict(self) -> JsonObject:
        """The JSON object that follows those of the readings, in plain Python types."""
        return {
            "follow": {
                "status": str(self.status),
                "game": self.game,
                "photos": [reading.photo for reading in self.readings],
                "turns": [
                    {**turn.content, "violations": [each.to_dict() for each in turn.violations]}
                    for turn in self.turns
                ],
                **self.content,
            }
        }

    @cached_property
    def judged(self) -> tuple[JudgedTurn | None, ...]:
        """What a coach says of each turn; None where that cannot be told."""
        return tuple(map(self.judge, range(len(self.turns))))

    @property
    def costliest(self) -> tuple[int, ...]:
        """The numbers, from 1, of the turns that cost most, as their coach says; at most three."""
        costs = {
            number: (judged.points, judged.blocks)
            for number, judged in enumerate(self.judged, 1)
            if judged and judged.better
        }
        # turns that are named
        return tuple(sorted(costs, key=lambda number: costs[number], reverse=True)[:3])

    @property
    def curves(self) -> dict[str, list[tuple[float, float]]]:
        """By player, after each turn that is known: points so far, and with all that was missed.

        Of a sheet its expected final total. What was missed in a turn is told of the board or sheet
        as it then was.
        """
        curves: dict[str, list[tuple[float, float]]] = {}
        for judged in filter(None, self.judged):
            curve = curves.setdefault(judged.player, [])
            earned, possible = curve[-1] if curve else (0, 0)
            now = earned + judged.earned if judged.expected is None else judged.expected
            missed = possible - earned + judged.points
            curve.append((round(now, 1), round(now + missed, 1)))
        return curves

    def coach_dict(self) -> JsonObject:
        """What the coach says, as ``--coach`` prints it, in plain Python types."""
        judged = [each and each.to_dict() for each in self.judged]
        costliest = list(self.costliest)
        players = {
            player: {"accuracy": accuracy(curve), "curve": [list(each) for each in curve]}
            for player, curve in self.curves.items()
        }
        told = {"turns": judged, "costliest": costliest, "players": players}
        return {"coach": {"game": self.game, **told}}

    def to_dict(self) -> JsonObject:
        """The readings and what was followed, in plain Python types."""
        return {"readings": [each.to_dict() for each in self.readings], **self.follow_dict()}


def accuracy(curve: Sequence[tuple[float, float]]) -> float | None:
    """The share of the points that were possible, 0 to 1; None where there were none."""
    earned, possible = curve[-1]
    return round(earned / possible, 3) if possible else None


def follow(
    photos: Sequence[Source],
    game: str | None = None,
    sheet: pipeline.AnySheet | None = None,
    players: Sequence[str] | str | int | None = None,
    language: str = "en",
    **settings: int | str | None,
) -> Followed:
    """Follow a game over photos of one sheet or board.

    The most probable sequence of legal turns explains all photos together, so that what one of them
    shows badly the others tell. A photo that cannot be read is left out.

    Parameters
    ----------
    photos : a list, in the order in which they were taken, one after each turn or after a few;
        each as of `scan`.
    game, sheet : as of `scan`.
    players : who plays on a board, such as "blue", in the order of their turns; of a sheet how
        many play; None: not known.
    language : of sentences: one of `text.languages.LANGUAGES`.
    settings : as of `scan`.

    Raises
    ------
    TooFewToFollow, PhotoFollowedTwice, PhotosOutOfOrder, PhotoOfAnother, SheetsOfDifferentGames
    TurnsNotJudged
        Games of this kind are not followed.
    RulesForbid
        There are no such players.
    UnknownValue, SettingUnknown, GameImpossible
    LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion, SheetOfOtherGame
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, SourceUnknown
        As of `scan`.

    Examples
    --------
    >>> follow(["samples/arcade.jpg"])
    Traceback (most recent call last):
    brikks_vision.errors.TooFewToFollow: A game is followed over at least two photos that \
can be read, not 1. Take one after each turn, and give them in that order.
    """
    if str(language) not in languages.LANGUAGES:
        raise errors.UnknownValue("language", language, ", ".join(languages.LANGUAGES))
    held = check_photos(photos)
    count, order = players_said(players)
    known = games.checked_settings({**settings, **count}, games.games_meant(game))
    sought = None if game is sheet is None else printings_sought(game, sheet)
    shown: list[pipeline.ScanResult | Reading] = []
    for photo, content in zip(photos, held, strict=True):
        name = pipeline.name_of(photo)
        try:
            if isinstance(content, errors.PhotoUnreadable):
                raise content
            result = pipeline.scan_photo(content, known, language, None, sought)
            shown.append(replace(result, reading=replace(result.reading, photo=name)))
        except errors.PhotoUnreadable as error:
            shown.append(games.unreadable(name, error.text(language), game=game))
    return follow_shown(shown, order, language)


def players_said(
    players: Sequence[str] | str | int | None,
) -> tuple[Mapping[str, int | str], tuple[str, ...]]:
    """How many play, as a setting, or who, in the order of their turns.

    players : a number, or names; of a text with commas between.
    """
    if isinstance(players, str) and not players.strip().isdigit():
        players = [each.strip() for each in players.split(",")] if players else ()
    if players is None or isinstance(players, list | tuple):
        return {}, tuple(map(str, players or ()))
    number: Any = players
    return {PLAYERS: number}, ()


def check_photos(photos: Sequence[Source]) -> list[Stored | errors.PhotoUnreadable]:
    """Each photo as `stored` gives it, or why it cannot be read.

    Raises
    ------
    TooFewToFollow, PhotoFollowedTwice
    SourceUnknown
        Something is given in place of photos.
    """
    if not isinstance(photos, list | tuple):
        stored(cast(Source, photos))  # raises SourceUnknown
        raise errors.TooFewToFollow(1)
    if len(photos) < MIN_PHOTOS:
        raise errors.TooFewToFollow(len(photos))
    return _different(photos, errors.PhotoFollowedTwice)


def _different(
    photos: Sequence[Source], same: type[errors.BrikksError]
) -> list[Stored | errors.PhotoUnreadable]:
    """Each photo as `stored` gives it, or why it cannot be read; raises ``same`` of two alike."""
    contents: dict[bytes, Source] = {}
    held: list[Stored | errors.PhotoUnreadable] = []
    for photo in photos:
        try:
            kept = stored(photo)
            content = content_of(kept)
        except errors.PhotoUnreadable as error:
            held.append(error)
            continue
        held.append(kept)
        if content in contents:
            raise same(*pipeline.names_of(photo, contents[content]))
        contents[content] = photo
    return held


def check_one_sheet(results: Sequence[pipeline.ScanResult]) -> None:
    """Raises PhotoOfAnother where photos plainly show two sheets, or two printings."""
    for one, other in combinations(results, 2):
        is_sheet = games.game_named(one.layout.game).board is None
        if not is_one_printing(one.layout, other.layout) or (
            is_sheet and are_two_sheets(one.evidence, other.evidence)
        ):
            raise errors.PhotoOfAnother(photo=other.reading.photo, first=one.reading.photo)


def follow_shown(
    shown: Sequence[pipeline.ScanResult | Reading],
    players: Sequence[str] = (),
    language: str = "en",
) -> Followed:
    """The game that photos show; raises as `follow`."""
    results = [each for each in shown if isinstance(each, pipeline.ScanResult)]
    if len(results) < MIN_PHOTOS:
        raise errors.TooFewToFollow(len(results))
    game = games.game_of_all(each.layout for each in results)
    if game.follow is None:
        raise errors.TurnsNotJudged(game.TITLE)
    check_one_sheet(results)
    found = game.follow(results, players)
    explained = iter(
        replace(
            localize(reading, language),
            corners=each.reading.corners,
            timing_ms=each.reading.timing_ms,
        )
        for reading, each in zip(found.readings, results, strict=True)
    )
    readings = tuple(
        next(explained) if isinstance(each, pipeline.ScanResult) else each for each in shown
    )
    turns = tuple(verdict_in_words(turn, language) for turn in found.turns)
    told = found.facts, found.content, found.judge, found.order
    return Followed(readings, turns, game.NAME, *told)
