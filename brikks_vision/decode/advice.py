"""What a coach tells, whatever the game: what a sheet lost, and what may be done for a roll."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from brikks_vision.layout import Cell, Layout
from brikks_vision.rules.lost import Lost
from brikks_vision.text.phrases import Phrase, Translator

if TYPE_CHECKING:
    from brikks_vision.decode.game import TurnSaid


@dataclass(frozen=True)
class Unspent:
    """Energy that was left, and how many points more it brings during a game than at its end.

    points: of the computer player, on average. margin: how far off they may be.
    """

    energy: int
    points: float
    margin: float


@dataclass(frozen=True)
class Expected:
    """Final totals of the computer player.

    mean, sd: of ``games`` games with ``players`` at ``level``, None where there are no levels.
    percentile: how many percent of them have a lower total than the sheet. unspent: energy of the
    sheet that would surely have brought more; None where there is none.
    """

    players: int
    level: int | None
    mean: float
    sd: float
    games: int
    percentile: int
    unspent: Unspent | None = None


STANDARD_ERRORS = 3
"""By how many a difference may be off: with two, other dice contradict one advice in forty."""


@dataclass(frozen=True)
class Choice:
    """What may be done for a roll, and what it is worth.

    told: what is done. cells: of the block, (row, column); empty where none is entered. energy:
    what it costs. bomb: whether one is used. value: expected final total. ahead: by part of the
    points, how much more than the best choice it is worth; of the best one, more than the next one.
    error: the standard error of their sum. circle: of the cells, the one with a circle, if any.
    where: the place of the sheet that is marked where no block is entered, as answers name it.
    """

    told: Phrase
    cells: tuple[tuple[int, int], ...]
    energy: int
    bomb: bool
    value: float
    ahead: Mapping[str, float]
    error: float
    circle: Cell | None = None
    where: str = ""

    @property
    def difference(self) -> float:
        """How much more it is worth than the best choice; of the best one, more than the next."""
        return sum(self.ahead.values())

    @property
    def margin(self) -> float:
        """How far off the difference may be."""
        return STANDARD_ERRORS * self.error

    @property
    def is_clear(self) -> bool:
        """Whether the difference is more than it may be off."""
        return abs(self.difference) > self.margin

    def to_dict(self) -> dict[str, Any]:
        """The JSON object of the contract, in plain Python types."""
        return {
            "cells": [list(cell) for cell in self.cells],
            "energy": self.energy,
            "bomb": self.bomb,
            "value": _rounded(self.value, 1),
            "error": _rounded(self.error, 2),
            **({"circle": list(self.circle)} if self.circle else {}),
            "by_cause": {part: _rounded(points, 1) for part, points in self.ahead.items()},
        }


def _rounded(value: float, digits: int) -> float:
    """Never -0.0."""
    return round(value, digits) + 0.0


@dataclass(frozen=True)
class Choices:
    """What may be done for a roll, best first, one or more; and what was done, None if unknown.

    again: rolling once more instead, for whoever may; None where nobody may.
    """

    best: tuple[Choice, ...]
    yours: Choice | None = None
    again: Choice | None = None


class Advise(Protocol):
    def __call__(
        self, before: Any, layout: Layout, said: TurnSaid, after: Any | None = None
    ) -> Choices:
        """What may be done on a sheet for the roll that is said.

        before, after: readings; the second one of the sheet after the turn, where it was taken.

        Raises
        ------
        RollUnknown, RollMissing
        RulesForbid
            Nothing can be done for this roll, or the variant has no advice.
        """


class Coach(NamedTuple):
    """What is told of how well a sheet was played.

    causes: of lost points, by the names of the contract, what they are called. lost: where the
    points went, most points first, from a reading whose total is sure and its printing. order: the
    blocks of a reading in an order in which they can have been entered; empty where there is none.
    advise: what may be done for a roll. rolls: what can be rolled on such a printing: of each
    colour or die its name, as `TurnSaid` takes it, how it is called, and its highest number; none
    where the dice are not known. expected: what the computer player reaches, None in a variant
    without points, or on a printing of which that was not measured.
    """

    causes: Mapping[str, Phrase]
    lost: Callable[[Any, Layout], tuple[Lost, ...]]
    order: Callable[[Any, Layout], tuple[frozenset[Cell], ...]]
    advise: Advise
    rolls: Callable[[Layout], Sequence[tuple[str, Phrase, int]]]
    expected: Callable[[Any, Layout], Expected | None] | None = None


@dataclass(frozen=True)
class Advice:
    """What a coach says of one sheet.

    photo: its name. lost: where the points went, most points first; None while the total is not
    sure. expected: what the computer player reaches; choices: what may be done for a roll.
    """

    photo: str
    game: str
    total: int
    lost: tuple[Lost, ...] | None
    expected: Expected | None = None
    choices: Choices | None = None

    def to_dict(self, words: Translator = Phrase.sentence) -> dict[str, Any]:
        """The JSON object of the contract, in plain Python types; ``words`` make its sentences."""
        expected = None if self.expected is None else asdict(self.expected)
        percentile = None if expected is None else expected.pop("percentile")
        if expected and expected["unspent"]:
            unspent = expected["unspent"].items()
            expected["unspent"] = {name: round(value, 2) for name, value in unspent}
        best = None if self.choices is None else self.choices.best[:MAX_ADVICE]
        yours = None if self.choices is None else self.choices.yours
        again = None if self.choices is None else self.choices.again
        return {
            "coach": {
                "photo": self.photo,
                "game": self.game,
                "total": self.total,
                "expected": expected,
                "percentile": percentile,
                "lost": None if self.lost is None else [each.to_dict(words) for each in self.lost],
                "advice": None if best is None else [each.to_dict() for each in best],
                "yours": None if yours is None else yours.to_dict(),
                "again": None if again is None else again.to_dict(),
            }
        }


MAX_ADVICE = 10
"""Maximum number of choices that are told of a turn."""
