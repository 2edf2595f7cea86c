"""Flat Monte Carlo: choices are played to their end many times, and the best ones most often.

All choices have the same dice, so that their differences are surer than their values (Gedda et al.,
Monte Carlo methods for the game Kingdomino, 2018). The worse half drops out after each round and
the others share its games: sequential halving (Karnin et al., Almost optimal exploration in
multi-armed bandits, 2013).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Ranked:
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
