"""What a coach tells, whatever the game: what a sheet lost, and what may be done for a roll.

Flat Monte Carlo: choices are played to their end many times, and the best ones most often.

All choices have the same dice, so that their differences are surer than their values (Gedda et al.,
Monte Carlo methods for the game Kingdomino, 2018). The worse half drops out after each round and
the others share its games: sequential halving (Karnin et al., Almost optimal exploration in
multi-armed bandits, 2013).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from brikks_vision.errors import RollUnknown
from brikks_vision.layout import Cell, Layout
from brikks_vision.rules.shapes import Lost
from brikks_vision.text.phrases import Phrase, Translator, in_every_language

if TYPE_CHECKING:
    from brikks_vision.infer.protocol import TurnSaid


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
    where: the places of the sheet that are marked where no block is entered, as answers name them,
    "row 0,3 + row 2,5".
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
            **({"where": self.where.split(" + ")} if self.where else {}),
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


def rolled(
    said: TurnSaid, highest: Mapping[str, int], phrase: Callable[[str], Phrase]
) -> tuple[str, int] | None:
    """Which colour or die was rolled, which is said in any language, and its number.

    None where nothing is said. highest: by colour or die, its highest number. phrase: of the game.

    Raises
    ------
    RollUnknown, in the user's words
    """
    if said.roll is None:
        return None
    word, number = said.roll
    for name, most in highest.items():
        if word.lower() in in_every_language(phrase(name)) and 1 <= number <= most:
            return name, number
    told = ", ".join(said.words(phrase(name)) for name in highest)
    raise RollUnknown(word, number, told, min(highest.values()))


class Coach(NamedTuple):
    """What is told of how well a sheet was played.

    causes: of lost points, by the names of the contract, what they are called. lost: where the
    points went, most points first, from a reading whose total is sure and its printing. order: the
    blocks of a reading in an order in which they can have been entered; empty where there is none.
    advise: what may be done for the roll that is said, on a sheet with this reading and printing;
    where it is given, the reading after the turn tells what was done; raises RollUnknown,
    RollMissing, and RulesForbid where nothing can be done or the variant has no advice. rolls: what
    can be rolled on such a printing: of each colour or die its name, as `TurnSaid` takes it, how it
    is called, and its highest number; none
    where the dice are not known. expected: what the computer player reaches, None in a variant
    without points, or on a printing of which that was not measured. is_throw: whether all dice are
    thrown at once; the number that is said then has a figure for each, 0 for one that is not.
    """

    causes: Mapping[str, Phrase]
    lost: Callable[[Any, Layout], tuple[Lost, ...]]
    order: Callable[[Any, Layout], tuple[frozenset[Cell], ...]]
    advise: Callable[..., Choices]
    rolls: Callable[[Layout], Sequence[tuple[str, Phrase, int]]]
    expected: Callable[[Any, Layout], Expected | None] | None = None
    is_throw: bool = False


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


Floats = npt.NDArray[np.float32]


class Ranked(NamedTuple):
    """What a choice is worth.

    number: of the choice, from 0. games: how often it was played to its end. value: expected final
    points. ahead: how many points more than the best choice it is worth, by part; of the best one,
    more than the next one. error: the standard error of their sum.
    """

    number: int
    games: int
    value: float
    ahead: tuple[float, ...]
    error: float


def played(
    choices: int,
    games: int,
    outcomes: Callable[[list[int], int], Sequence[Floats]],
    kept: Collection[int] = (),
) -> list[Floats]:
    """The points of the games of each choice: (parts, games).

    games: of all choices together. outcomes: plays some choices so often, all with the same dice;
    points of each, (parts, count). kept: choices that do not drop out.
    """
    points: list[list[Floats]] = [[] for _ in range(choices)]
    left = list(range(choices))
    rounds = max(1, (choices - 1).bit_length())
    for _ in range(rounds):
        count = max(1, games // (rounds * len(left)))
        for number, each in zip(left, outcomes(left, count), strict=True):
            points[number].append(each)
        ranked = sorted(
            left, key=lambda number: -np.concatenate(points[number], axis=1).sum(axis=0).mean()
        )
        best = ranked[: max(2, (len(left) + 1) // 2)]
        left = best + [number for number in ranked[len(best) :] if number in kept]
    return [np.concatenate(each, axis=1) for each in points]


def ranked(points: Sequence[Floats]) -> tuple[Ranked, ...]:
    """All choices by their value, which follows from the dice that each has with the best one."""
    numbers = sorted(
        range(len(points)),
        key=lambda number: (-points[number].shape[1], -points[number].sum(axis=0).mean()),
    )
    best = points[numbers[0]]
    value = float(best.sum(axis=0).mean())
    found = []
    for number in numbers:
        mine, others = points[number], best
        if number == numbers[0] and len(numbers) > 1:
            others = points[numbers[1]]
        ahead, error = difference(mine, others)
        its_value = value if number == numbers[0] else value + sum(ahead)
        found.append(Ranked(number, mine.shape[1], its_value, ahead, error))
    return tuple(sorted(found, key=lambda each: -each.value))


def difference(mine: Floats, others: Floats) -> tuple[tuple[float, ...], float]:
    """How many points more some games have than others with the same dice, by part; the error."""
    count = min(mine.shape[1], others.shape[1])
    ahead = mine[:, :count] - others[:, :count]
    total = ahead.sum(axis=0)
    error = float(total.std(ddof=1) / np.sqrt(count)) if count > 1 else float("inf")
    return tuple(map(float, ahead.mean(axis=1))), error


def percentile_of(total: int, percents: Sequence[int]) -> int:
    """How many percent of games have a lower total; those of the same one count by half.

    percents: 101 totals, below which 0, 1, ... 100 % of the games lie.
    """
    below, to = bisect_left(percents, total), bisect_right(percents, total)
    return round(100 * (below + to) / (2 * len(percents)))
