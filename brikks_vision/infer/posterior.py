"""The most probable marks of a sheet, and what else it could bear.

A sheet is made of groups of places that depend on each other; what a group is worth, and what
breaks its rules, is the game's to say. The most probable states of each group are found best
first; the player's figures weigh them, and their points add up to the totals that are open.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, log1p
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.infer import costs
from brikks_vision.infer.answers import OPEN, places_of
from brikks_vision.infer.certainty import OtherMark
from brikks_vision.infer.figures import added, figure_likelihood, in_proportion
from brikks_vision.infer.grid import NOTHING_HIDDEN, Hidden
from brikks_vision.infer.judging import FigureName, Margins, Values, figure_of
from brikks_vision.infer.misread import Change
from brikks_vision.layout import Layout
from brikks_vision.rules.shapes import Verdict

if TYPE_CHECKING:
    from brikks_vision.infer.game import SheetGame

MAX_STATES = 512
"""Most probable states of a group that are weighed."""

Letters = tuple[str, ...]
"""The marks of a group's places, in their order."""

Stands = tuple[tuple[str, str], ...]
"""Places of the contract and the marks that stand there."""

Logits = Mapping[str, Mapping[str, float]]
"""By place, the log-odds of each mark that can stand there against none."""


def nothing(letters: Letters) -> float:
    """The cost of a group without rules of its own."""
    return 0.0


@dataclass(frozen=True)
class Group:
    """Places that depend on each other.

    points: that their marks are worth. cost: of the rules that they break, in log-odds, see
    `brikks_vision.infer.costs`. figure: where the player writes their points.
    """

    places: tuple[str, ...]
    points: Callable[[Letters], int]
    cost: Callable[[Letters], float] = nothing
    figure: FigureName | None = None


@dataclass(frozen=True)
class Part:
    """A group and its most probable states with their probabilities, best first."""

    group: Group
    states: tuple[tuple[Letters, float], ...]

    @property
    def points(self) -> dict[int, float]:
        """The probability of each number of points."""
        return costs.summed((self.group.points(letters), p) for letters, p in self.states)

    def weighed(self, weight: Callable[[int], float]) -> Part:
        """The part with its states weighed by their points."""
        of_points = {points: weight(points) for points in self.points}
        weights = [(each, p * of_points[self.group.points(each)]) for each, p in self.states]
        return replace(self, states=costs.ranked(weights))


@dataclass(frozen=True)
class Posterior:
    """The most probable state of a sheet, and the probabilities of others.

    totals: probability of each total. hidden: places that something hides; nothing stands there.
    ends: the totals if the hidden places lower, and raise, them most; empty where none is hidden.
    """

    state: Stands
    parts: tuple[Part, ...]
    totals: Mapping[int, float]
    logits: Logits = field(repr=False)
    hidden: Hidden = NOTHING_HIDDEN
    ends: tuple[Mapping[int, float], ...] = ()
    grid_parts: ClassVar[tuple[()]] = ()

    def other_states(self) -> list[list[tuple[float, Stands]]]:
        """For each group its other states and their probabilities, the rest at its best."""
        return [
            [
                (probability, self.with_group(part.group, letters))
                for letters, probability in part.states[1:]
                if probability >= costs.MIN_OPEN_STATE
            ]
            for part in self.parts
        ]

    def with_group(self, group: Group, letters: Letters) -> Stands:
        """The most probable state with these letters in a group."""
        there = dict(zip(group.places, letters, strict=True))
        return tuple((where, there.get(where, mark)) for where, mark in self.state)

    def total(self, state: Stands) -> int:
        marks = dict(state)
        return sum(part.group.points(_letters(part.group, marks)) for part in self.parts)

    def other_marks(self) -> Iterator[OtherMark]:
        """For each place its other marks, with the probability of all states that have them."""
        marks = dict(self.state)
        for part in self.parts:
            group, best = part.group, part.states[0][0]
            chances: dict[tuple[int, str], float] = {}
            likeliest: dict[tuple[int, str], Letters] = {}
            for letters, probability in part.states[1:]:
                for at, (mark, now) in enumerate(zip(letters, best, strict=True)):
                    if mark != now:
                        chances[at, mark] = chances.get((at, mark), 0.0) + probability
                        likeliest.setdefault((at, mark), letters)
            for (at, mark), probability in chances.items():
                if probability >= costs.MIN_OPEN_STATE:
                    where, state = group.places[at], self.with_group(group, likeliest[at, mark])
                    yield OtherMark(where, marks[where], probability, self.total(state), state)

    def changes(self, cells: object) -> Iterator[Change[Stands]]:
        """The sheet with one place, any of all, marked otherwise."""
        for number, (where, mark) in enumerate(self.state):
            for other in (OPEN, *self.logits[where]):
                if other != mark:
                    before, after = self.state[:number], self.state[number + 1 :]
                    yield Change(where, (*before, (where, other), *after))

    def right_figures(self) -> Mapping[FigureName, Sequence[int]]:
        """By figure, its right value, without a sign."""
        marks = dict(self.state)
        return {
            part.group.figure: (abs(part.group.points(_letters(part.group, marks))),)
            for part in self.parts
            if part.group.figure is not None
        }

    def summed(self, name: FigureName) -> Sequence[str]:
        """The places that a figure sums; all where no group has it."""
        return next(
            (part.group.places for part in self.parts if part.group.figure == name),
            [where for where, _ in self.state],
        )


def infer(
    groups: Sequence[Group],
    logits: Logits,
    answers: Mapping[str, str],
    figures: Figures,
    hidden: Collection[str] = (),
    total: str = "total",
) -> Posterior:
    """The posterior of a sheet.

    groups: together they have every place once. answers: by place, the mark that certainly stands
    there. hidden: places without evidence; of a group with one, and of their sum, no figure tells.
    total: the field in which the player writes the total.
    """
    parts = [_part(group, logits, answers, hidden, figures) for group in groups]
    own = [_figure(figures, group.figure) for group in groups]
    written = None if hidden or all(own) else _figure(figures, (total, 0))
    if written is not None:
        parts = [
            part.weighed(_of_total(written, (*parts[:at], *parts[at + 1 :])))
            for at, part in enumerate(parts)
        ]
    best = {
        where: mark
        for part in parts
        for where, mark in zip(part.group.places, part.states[0][0], strict=True)
    }
    totals = _weighed_totals(_sum(part.points for part in parts), written)
    ends = tuple(_sum(_end(part, hidden, logits, pick) for part in parts) for pick in (min, max))
    return Posterior(
        tuple((where, best[where]) for where in logits),
        tuple(parts),
        totals,
        logits,
        Hidden(others=frozenset(hidden)),
        ends if hidden else (),
    )


def _figure(figures: Figures, name: FigureName | None) -> Figure | None:
    """What is written there; None where nothing is."""
    if name is None or len(figures.get(name[0], ())) <= name[1]:
        return None
    figure = figures[name[0]][name[1]]
    return None if figure.value is None else figure


def _part(
    group: Group,
    logits: Logits,
    answers: Mapping[str, str],
    hidden: Collection[str],
    figures: Figures,
) -> Part:
    losses = [
        {OPEN: 0.0} if where in hidden else _losses(logits[where], answers.get(where))
        for where in group.places
    ]
    fills = filled([where for where in group.places if where in hidden], logits)

    def cost(letters: Letters) -> float:
        """Of what no hidden place could mend."""
        return min(group.cost(_with(group, letters, fill)) for fill in fills)

    found = [(each, exp(-loss - cost(each))) for each, loss in _cheapest(losses)]
    part = Part(group, costs.ranked(found))
    written = _figure(figures, group.figure)
    if written is None or not {*group.places}.isdisjoint(hidden):
        return part
    figure = written
    return part.weighed(
        lambda points: figure_likelihood(figure, {abs(points)}, 1.0, costs.OTHER_TOTALS)
    )


def _losses(logits: Mapping[str, float], answer: str | None) -> dict[str, float]:
    """By mark that can stand at a place, "." among them, its negative log probability."""
    odds = {OPEN: 0.0, **logits}
    if answer is not None:
        odds = {mark: costs.ANSWERED * (mark == answer) for mark in odds}
    else:
        odds = {
            mark: min(max(each, -costs.MAX_LOG_ODDS), costs.MAX_LOG_ODDS)
            for mark, each in odds.items()
        }
    most = max(odds.values())
    whole = most + log1p(sum(exp(each - most) for each in odds.values()) - 1)
    return {mark: whole - each for mark, each in odds.items()}


def _cheapest(losses: Sequence[Mapping[str, float]]) -> list[tuple[Letters, float]]:
    """The states of least loss beyond the best one's, at most `MAX_STATES`, by that loss.

    What loses more than `MAX_PART_REGRET` no rule and no figure makes probable.

    Best first over subsets of single changes, each of which is reached by one way only.
    """
    best = [min(each, key=each.__getitem__) for each in losses]
    changes = sorted(
        (each[mark] - each[best[at]], at, mark)
        for at, each in enumerate(losses)
        for mark in each
        if mark != best[at]
    )
    queue: list[tuple[float, tuple[int, ...]]] = [(0.0, ())]
    found: list[tuple[Letters, float]] = []
    while queue and len(found) < MAX_STATES and queue[0][0] <= costs.MAX_PART_REGRET:
        loss, chosen = heapq.heappop(queue)
        if len({changes[each][1] for each in chosen}) == len(chosen):
            letters = best.copy()
            for each in chosen:
                letters[changes[each][1]] = changes[each][2]
            found.append((tuple(letters), loss))
        following = chosen[-1] + 1 if chosen else 0
        if following < len(changes):
            step = changes[following][0]
            heapq.heappush(queue, (loss + step, (*chosen, following)))
            if chosen:
                instead = loss + step - changes[chosen[-1]][0]
                heapq.heappush(queue, (instead, (*chosen[:-1], following)))
    return found


def _of_total(written: Figure, others: Sequence[Part]) -> Callable[[int], float]:
    """How probable the player's total is beside the points of one part."""
    rest = _sum(part.points for part in others)
    return lambda points: sum(
        p * figure_likelihood(written, {points + other}, 1.0, costs.OTHER_TOTALS)
        for other, p in rest.items()
    )


def _sum(points: Iterable[Mapping[int, float]]) -> dict[int, float]:
    """The distribution of the sum of independent numbers."""
    together = {0: 1.0}
    for each in points:
        together = added(together, each)
    return together


def _weighed_totals(totals: Mapping[int, float], written: Figure | None) -> dict[int, float]:
    if written is None:
        return dict(totals)
    return in_proportion(
        {
            total: p * figure_likelihood(written, {total}, 1.0, costs.OTHER_TOTALS)
            for total, p in totals.items()
        }
    )


def _end(
    part: Part, hidden: Collection[str], logits: Logits, pick: Callable[[Iterable[int]], int]
) -> dict[int, float]:
    """The points of a part if what is hidden there lowers, or raises, them most."""
    places = part.group.places
    fills = filled([where for where in places if where in hidden], logits)
    return costs.summed(
        (pick(part.group.points(_with(part.group, letters, fill)) for fill in fills), p)
        for letters, p in part.states
    )


def _letters(group: Group, marks: Mapping[str, str]) -> Letters:
    return tuple(marks[where] for where in group.places)


def _with(group: Group, letters: Letters, fill: Mapping[str, str]) -> Letters:
    """The letters of a group with some places filled."""
    return tuple(fill.get(where, mark) for where, mark in zip(group.places, letters, strict=True))


def filled(hidden: Collection[str], logits: Logits) -> list[dict[str, str]]:
    """What hidden places may bear that matters most: nothing, a mark in one of them, or in all."""
    some = dict.fromkeys([(), *((where,) for where in hidden), tuple(hidden)])
    return [{where: next(iter(logits[where])) for where in marked} for marked in some]


def without_hidden(
    game: SheetGame, stands: Stands, values: Values, posterior: Posterior
) -> Verdict:
    """The broken rules of a sheet of groups that no hidden place could mend."""
    marks, hidden = dict(stands), posterior.hidden.places
    found = game.judge(marks, values).violations
    if found and hidden:
        for fill in filled(hidden, posterior.logits):
            still = {
                (str(each.rule), each.where)
                for each in game.judge({**marks, **fill}, values).violations
            }
            found = [each for each in found if (str(each.rule), each.where) in still]
        found = [
            each
            for each in found
            if not game.FAULTS.is_written(each.rule)
            or hidden.isdisjoint(posterior.summed(figure_of(each, game)))
        ]
    return Verdict(tuple(found))


def margins_of(posterior: Posterior, layout: Layout) -> Margins:
    """Of a sheet of groups, see `Margins`."""
    marks, margins, reads = dict(posterior.state), {}, {}
    for name in {where.partition(" ")[0]: None for where in posterior.logits}:
        places, shape = places_of(name, layout), layout.fields[name].shape
        ranked = [sorted((0.0, *posterior.logits[where].values())) for where in places]
        margins[name] = np.reshape([each[-1] - each[-2] for each in ranked], shape)
        reads[name] = np.reshape([marks[where] for where in places], shape)
    return margins, reads
