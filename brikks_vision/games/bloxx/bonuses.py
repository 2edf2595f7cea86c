"""The bonuses under the grid: what is circled and struck, and what it says of their rows.

The player's own figures on a BLOXX! sheet: rows, numbers, penalty and total.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import product
from math import exp, log

import numpy as np

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.places import (
    BONUS_RINGS,
    BONUS_STRIKES,
    NO_BONUS_FOR_ROW,
    NO_ROW_FOR_BONUS,
    STRUCK_LOWEST,
    TWO_BONUSES,
)
from brikks_vision.infer.costs import ANSWERED, loss, probable, summed
from brikks_vision.rules.bloxx.sheet import ColoredRow, Sheet
from brikks_vision.rules.bloxx.state import BonusMark, Score, Written

Bonuses = tuple[BonusMark, ...]
"""A mark for each bonus of a coloured row, the highest first."""


@dataclass(frozen=True, eq=False)
class RowEvidence:
    """The bonuses of a coloured row.

    first: number of its first bonus in the layout. losses: for each bonus, the negative log
    probability of each mark by the evidence alone. states: if the row is not complete, and if it
    is, the marks and their probabilities, most probable first. log_odds: of the row to be complete,
    by the evidence of its bonuses. refused: lower bonuses of which a person said that they are not
    circled.
    """

    printed: ColoredRow
    first: int
    losses: tuple[Mapping[BonusMark, float], ...]
    states: tuple[tuple[tuple[Bonuses, float], ...], tuple[tuple[Bonuses, float], ...]]
    log_odds: float
    refused: frozenset[int]

    def choices(self, marks: Bonuses) -> tuple[int, ...]:
        """The points that the row can give if it is complete, highest first.

        Those that are circled; where none is, all but those that a person refused.
        """
        pairs = list(zip(self.printed.bonuses, marks, strict=True))
        circled = tuple(bonus for bonus, mark in pairs if mark is BonusMark.CIRCLED)
        return circled or tuple(bonus for bonus, _ in pairs if bonus not in self.refused)

    def by_choices(self, states: Iterable[tuple[Bonuses, float]]) -> dict[tuple[int, ...], float]:
        """How probable the points are that the row can give if it is complete, see `choices`.

        states: of its bonuses, with their probabilities.
        """
        return summed((self.choices(marks), probability) for marks, probability in states)


def evidence_of_rows(
    marks: Marks, sheet: Sheet, answers: Mapping[int, BonusMark]
) -> tuple[RowEvidence, ...]:
    """The evidence of the bonuses of each coloured row; ``answers``, by place, are certain.

    A bonus that something hides is open, and the bonuses of its row say nothing of the row.
    """
    if not sheet.colored_rows:  # nor has the layout bonuses
        return ()
    rings, strikes = marks[BONUS_RINGS].tolist(), marks[BONUS_STRIKES].tolist()
    hidden = hidden_bonuses(marks, answers)
    answers = {**dict.fromkeys(hidden, BonusMark.OPEN), **answers}
    found, first = [], 0
    for printed in sheet.colored_rows:
        places = range(first, first + len(printed.bonuses))
        losses = tuple(
            _losses(rings[place], strikes[place], answers.get(place)) for place in places
        )
        refused = frozenset(
            bonus
            for place, bonus in zip(places[1:], printed.bonuses[1:], strict=True)
            if place not in hidden
            and answers.get(place, BonusMark.CIRCLED) is not BonusMark.CIRCLED
        )
        row = _evidence_of_row(printed, first, losses, refused)
        found.append(replace(row, log_odds=0.0) if hidden & {*places} else row)
        first = places.stop
    return tuple(found)


def hidden_bonuses(marks: Marks, answers: Collection[int]) -> frozenset[int]:
    """Hidden bonuses without an answer."""
    return frozenset(map(int, np.flatnonzero(marks.covered.get("bonus", ())))) - {*answers}


def _losses(ring: float, strike: float, answer: BonusMark | None) -> dict[BonusMark, float]:
    """Negative log probability of each mark; a ring under a strike means nothing."""
    if answer is not None:
        return {mark: 0.0 if mark is answer else ANSWERED for mark in BonusMark}
    not_struck = loss(strike, False)
    return {
        BonusMark.OPEN: not_struck + loss(ring, False),
        BonusMark.CIRCLED: not_struck + loss(ring, True),
        BonusMark.STRUCK: loss(strike, True),
    }


def _evidence_of_row(
    printed: ColoredRow,
    first: int,
    losses: tuple[Mapping[BonusMark, float], ...],
    refused: frozenset[int],
) -> RowEvidence:
    every = [
        (marks, sum([of[mark] for of, mark in zip(losses, marks, strict=True)]))
        for marks in product(BonusMark, repeat=len(losses))
    ]
    costed = [
        [(marks, whole + _cost(marks, is_complete)) for marks, whole in every]
        for is_complete in (False, True)
    ]
    masses = [log(sum([exp(-whole) for _, whole in states])) for states in costed]
    incomplete, complete = map(probable, costed)
    log_odds = masses[True] - masses[False]
    return RowEvidence(printed, first, losses, (incomplete, complete), log_odds, refused)


def _cost(marks: Bonuses, is_complete: bool) -> float:
    """The cost of the rules that the bonuses of a row break."""
    circled = marks.count(BonusMark.CIRCLED)
    cost = STRUCK_LOWEST * (marks[-1] is BonusMark.STRUCK)
    cost += TWO_BONUSES * max(0, circled - 1)
    if is_complete:
        return cost + NO_BONUS_FOR_ROW * (circled == 0)
    return cost + NO_ROW_FOR_BONUS * (circled > 0)


ROWS, NUMBERS, PENALTIES, TOTAL = "rows", "numbers", "penalty", "total"
"""Names of the player's figures in layouts."""

WrittenFigures = Mapping[str, Figure]
"""What the player wrote, by those names."""


def right_figures(points: Score) -> dict[str, tuple[int, ...]]:
    """By name, the values that are right, the assumed one first: open bonuses leave several."""
    rest = points.numbers + points.penalty
    rows = (points.rows, *(each for each in points.possible_rows if each != points.rows))
    return {
        ROWS: rows,
        NUMBERS: (points.numbers,),
        PENALTIES: (-points.penalty,),
        TOTAL: tuple(each + rest for each in rows),
    }


def wrong_figures(points: Score, written: Written) -> frozenset[str]:
    """Names of the figures that differ from the sheet, whatever its open bonuses are."""
    right = right_figures(points)
    told = {name: getattr(written, name) for name in right}
    return frozenset(
        name for name, value in told.items() if value is not None and value not in right[name]
    )
