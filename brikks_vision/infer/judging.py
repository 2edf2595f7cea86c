"""What a posterior proves, how sure it is, and what to ask: the same for every game.

A broken rule that a place would mend which is not read plainly is asked about, and accuses nobody;
so does none that a hidden place could mend. A figure of the player's that differs is held against
them where the marks that it sums are plain.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.infer.answers import places_of
from brikks_vision.infer.certainty import OtherMark, certainty_of
from brikks_vision.infer.costs import (
    MIN_OPEN_STATE,
    MIN_RIGHT_FIGURE,
    MIN_TOLD_FIGURE,
    MIN_UNREADABLE_CELL,
)
from brikks_vision.infer.figures import given_right
from brikks_vision.infer.misread import (
    Change,
    Contrast,
    Faults,
    Scope,
    Sheet,
    contrast,
    explained,
    proven,
)
from brikks_vision.infer.posterior import (
    OPEN,
    FigureName,
    Letters,
    Logits,
    Posterior,
    Stands,
    filled,
)
from brikks_vision.layout import Layout
from brikks_vision.reading import ViolationReading

Values = Mapping[FigureName, int | None]
"""What the player wrote, by field of figures and place; None where nothing is read surely."""


@dataclass(frozen=True)
class Judge:
    """What the rules of a game say.

    verdict: on marks by place and the player's figures. written: by rule about such a figure, its
    field. total: the field of the total.
    """

    verdict: Callable[[Mapping[str, str], Values], Any]
    written: Mapping[str, str]
    total: str


@dataclass(frozen=True)
class Judgement:
    """What a reading tells.

    stands: by place its mark, "?" where that cannot be told. state: the same by the best guess.
    total: of that. written: the player's figures. told: what `brikks_vision.reading.ReadSheet`
    says of how sure it is, and of broken rules.
    """

    stands: Mapping[str, str]
    state: Mapping[str, str]
    total: int
    written: Values
    told: Mapping[str, Any]


def judged(
    judge: Judge,
    posterior: Posterior,
    logits: Logits,
    answers: Mapping[str, str],
    figures: Figures,
    layout: Layout,
) -> Judgement:
    """What the most probable sheet tells, proves and leaves open; arguments as of `infer`."""
    total = _points(posterior, posterior.state)
    others = list(_other_marks(posterior))
    figures = _given_points(figures, judge, posterior)
    values = {
        (name, at): figure.value if figure.probability >= MIN_TOLD_FIGURE else None
        for name, of_field in figures.items()
        for at, figure in enumerate(of_field)
    }

    @cache  # one reading judges the same sheet several times
    def verdict(stands: Stands) -> _Verdict:
        return _without_hidden(judge, stands, values, posterior, logits)

    def right(violation: Any) -> float:
        name = judge.written.get(str(violation.rule))
        return 1.0 if name is None else figures[name][_at(violation)].probability

    faults = Faults(
        _Scopes(judge.written),
        sums=[rule for rule, name in judge.written.items() if name == judge.total],
        min_figure=MIN_RIGHT_FIGURE,
    )
    found = proven(verdict(posterior.state).violations, posterior, verdict, faults, figures=right)
    sheet = Sheet(
        posterior.state,
        dict(posterior.state),
        _plain(logits, posterior, layout),
        {*answers, *posterior.hidden},
        others,
        lambda _: _changes(posterior, logits),
        lambda stands: _points(posterior, stands),
    )
    questions, standing = explained(
        found,
        verdict(posterior.state),
        sheet,
        verdict,
        faults,
        lambda violation: _summed(violation, judge, posterior, values),
    )
    sure = certainty_of(
        total, posterior.totals, others, questions, posterior.ends, posterior.hidden
    )
    violations = tuple(ViolationReading.of(*each) for each in standing)
    return Judgement(
        _shown(posterior, others),
        dict(posterior.state),
        total,
        values,
        {**sure._asdict(), "violations": violations},
    )


@dataclass(frozen=True)
class _Verdict:
    violations: tuple[Any, ...]


class _Scopes(dict[str, Scope]):
    """By rule: about a figure, or the very places that it names."""

    def __init__(self, written: Collection[str]) -> None:
        super().__init__(dict.fromkeys(written, Scope.FIGURE))

    def __missing__(self, rule: str) -> Scope:
        return Scope.ROW


def _at(violation: Any) -> int:
    """The place of a figure that a violation names, from 0."""
    return int(violation.where[0]) if violation.where else 0


def _points(posterior: Posterior, stands: Stands) -> int:
    marks = dict(stands)
    return sum(
        part.group.points(tuple(marks[where] for where in part.group.places))
        for part in posterior.parts
    )


def _other_marks(posterior: Posterior) -> Iterable[OtherMark]:
    """For each place its other marks, with the probability of all states that have them."""
    marks = dict(posterior.state)
    for part in posterior.parts:
        group, best = part.group, part.states[0][0]
        chances: dict[tuple[int, str], float] = {}
        likeliest: dict[tuple[int, str], Letters] = {}
        for letters, probability in part.states[1:]:
            for at, (mark, now) in enumerate(zip(letters, best, strict=True)):
                if mark != now:
                    chances[at, mark] = chances.get((at, mark), 0.0) + probability
                    likeliest.setdefault((at, mark), letters)
        for (at, mark), probability in chances.items():
            if probability >= MIN_OPEN_STATE:
                where = group.places[at]
                state = posterior.with_group(group, likeliest[at, mark])
                points = _points(posterior, state)
                yield OtherMark(where, marks[where], probability, points, state)


def _changes(posterior: Posterior, logits: Logits) -> Iterable[Change[Stands]]:
    """The sheet with one place marked otherwise."""
    for number, (where, mark) in enumerate(posterior.state):
        for other in (OPEN, *logits[where]):
            if other != mark:
                before, after = posterior.state[:number], posterior.state[number + 1 :]
                yield Change(where, (*before, (where, other), *after))


def _plain(logits: Logits, posterior: Posterior, layout: Layout) -> dict[str, Contrast]:
    """By place, see `contrast`."""
    marks = dict(posterior.state)
    fields = {where.partition(" ")[0]: None for where in logits}
    margins, reads, hidden = {}, {}, {}
    for field in fields:
        places, shape = places_of(field, layout), layout.fields[field].shape
        odds = [{OPEN: 0.0, **logits[where]} for where in places]
        ranked = [sorted(each.values()) for each in odds]
        margins[field] = np.reshape([each[-1] - each[-2] for each in ranked], shape)
        reads[field] = np.reshape([marks[where] for where in places], shape)
        hidden[field] = np.reshape([where in posterior.hidden for where in places], shape)
    return contrast(margins, reads, hidden, layout)


def _right_values(judge: Judge, posterior: Posterior) -> dict[FigureName, int]:
    """By figure, its right value, without a sign but for the total."""
    marks = dict(posterior.state)
    right: dict[FigureName, int] = {
        part.group.figure: abs(
            part.group.points(tuple(marks[where] for where in part.group.places))
        )
        for part in posterior.parts
        if part.group.figure is not None
    }
    right[judge.total, 0] = _points(posterior, posterior.state)
    return right


def _given_points(figures: Figures, judge: Judge, posterior: Posterior) -> Figures:
    """The figures' posteriors, given that most players add up rightly; as read beside hidden."""
    if posterior.hidden:
        return figures
    right = _right_values(judge, posterior)
    sure = posterior.totals.get(right[judge.total, 0], 0.0)

    def given(figure: Figure, value: int | None) -> Figure:
        is_open = figure.value is None or value is None
        return figure if is_open else given_right(figure, [value or 0], sure)

    return {
        name: tuple(given(figure, right.get((name, at))) for at, figure in enumerate(of_field))
        for name, of_field in figures.items()
    }


def _summed(
    violation: Any, judge: Judge, posterior: Posterior, values: Values
) -> tuple[Sequence[str], int]:
    """The places that a wrong figure sums, and the total if it is right."""
    name = judge.written[str(violation.rule)], _at(violation)
    total, figure = _points(posterior, posterior.state), values[name] or 0
    for part in posterior.parts:
        if part.group.figure == name:
            right = _right_values(judge, posterior)[name]
            sign = -1 if part.group.points(part.states[0][0]) < 0 else 1
            return part.group.places, total + sign * (figure - right)
    return [where for where, _ in posterior.state], figure


def _without_hidden(
    judge: Judge, stands: Stands, values: Values, posterior: Posterior, logits: Logits
) -> _Verdict:
    """The broken rules that no hidden place could mend."""
    marks = dict(stands)
    found = judge.verdict(marks, values).violations
    if found and posterior.hidden:
        for fill in filled(posterior.hidden, logits):
            still = {
                (str(each.rule), each.where)
                for each in judge.verdict({**marks, **fill}, values).violations
            }
            found = [each for each in found if (str(each.rule), each.where) in still]
        summed = [each for each in found if str(each.rule) in judge.written]
        open_sums = [
            each
            for each in summed
            if not posterior.hidden.isdisjoint(_summed(each, judge, posterior, values)[0])
        ]
        found = [each for each in found if each not in open_sums]
    return _Verdict(tuple(found))


def _shown(posterior: Posterior, others: Sequence[OtherMark]) -> dict[str, str]:
    """By place its mark, "?" where something hides it or it may well be another."""
    unsure = {each.where for each in others if each.probability > MIN_UNREADABLE_CELL}
    unsure |= posterior.hidden
    return {where: "?" if where in unsure else mark for where, mark in posterior.state}
