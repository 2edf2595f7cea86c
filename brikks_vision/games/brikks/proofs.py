"""Which violations are proven by which evidence: nobody is accused on marks that may be misread.

A violation is reported if it stands in nearly all probable states of the sheet, and if the single
marks and figures that prove it are clear by themselves.

The player's own figures on a Brikks sheet: beside the rows, and the total.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from itertools import product
from math import exp, log

from brikks_vision.detect.figures import Figure, Figures
from brikks_vision.games.brikks.bars import MIN_SURE_BLOCKS, MIN_SURE_COLORS
from brikks_vision.games.brikks.posterior import MarkEvidence, Posterior
from brikks_vision.infer.costs import (
    MIN_CERTAIN_MARK,
    MIN_MARK_PROBABILITY,
    MIN_STAIN_GAP,
    MIN_SURE_ORDER,
    MIN_TOLD_FIGURE,
    MIN_TOLD_SLIP,
)
from brikks_vision.infer.figures import expected_figure, without_digit_outside
from brikks_vision.infer.grid import GridPart
from brikks_vision.infer.misread import Faults, Scope, proven
from brikks_vision.rules.brikks.blocks import Energy, SheetState, Written, with_point_flipped
from brikks_vision.rules.brikks.placement import BAR_RULES, Rule, Violation
from brikks_vision.rules.brikks.referee import Verdict
from brikks_vision.rules.brikks.scoring import Score

WrittenFigures = tuple[tuple[Figure, ...], Figure]
"""The figures beside the rows, top first, and the total."""


def written_figures(figures: Figures) -> WrittenFigures:
    """The figures by their meaning; without a field for the total nothing is written there."""
    total = figures.get("total") or (Figure(None, 1.0),)
    return figures["rows"], total[0]


def figures_given_score(
    figures: WrittenFigures, points: Score, open_rows: Collection[int] = ()
) -> WrittenFigures:
    """The figures' posteriors, given that most players add up rightly.

    A wrong figure is told, and held against the player, only if its evidence is clear.
    open_rows: rows whose points something hides.
    """
    rows, total = figures
    found = [
        figure if row in open_rows else expected_figure(figure, points.rows[row])
        for row, figure in enumerate(rows)
    ]
    return (
        tuple(
            figure
            if row in open_rows
            else _held(figure, points.rows[row], _written_elsewhere(row, found, points))
            for row, figure in enumerate(found)
        ),
        total if open_rows else _held(expected_figure(total, points.total), points.total),
    )


def _held(figure: Figure, right: int, elsewhere: float = 0.0) -> Figure:
    """A figure as surely read as it is held against the player where it is wrong; else nothing.

    elsewhere: see `_written_elsewhere`.
    """
    if figure.value in (right, None):
        return figure
    sure = figure.probability * without_digit_outside(figure, right) * (1 - elsewhere)
    return replace(figure, probability=sure if sure >= MIN_TOLD_SLIP else 0.0)


def _written_elsewhere(at: int, rows: Sequence[Figure], points: Score) -> float:
    """Probability that a row's figure also stands beside another row of the same points.

    Then it is rather this player's way to write it: a 2 with a straight back beside each row of
    nine crosses is no 1.
    """
    value = rows[at].value
    return max(
        (
            figure.probability if figure.value == value else dict(figure.others).get(value, 0.0)
            for row, figure in enumerate(rows)
            if row != at and points.rows[row] == points.rows[at]
        ),
        default=0.0,
    )


def told_figures(figures: WrittenFigures) -> Written:
    """What the player wrote; None where a figure is not read surely."""

    def told(figure: Figure) -> int | None:
        return figure.value if figure.probability >= MIN_TOLD_FIGURE else None

    rows, total = figures
    return Written(tuple(told(figure) for figure in rows), told(total))


FAULTS = Faults(
    {
        Rule.NOT_A_BLOCK: Scope.GROUP,
        Rule.STRAY_MARK: Scope.GROUP,
        Rule.FLOATING: Scope.REST,
        Rule.UNREACHABLE: Scope.GRID,
        Rule.START_BLOCK: Scope.GRID,
        Rule.ENERGY_ORDER: Scope.BAR,
        Rule.BONUS_ORDER: Scope.BAR,
        Rule.BOMB_ORDER: Scope.BAR,
        Rule.ENERGY_COUNT: Scope.COUNT,
        Rule.BONUS_COUNT: Scope.COUNT,
        Rule.WRITTEN_ROW: Scope.FIGURE,
        Rule.WRITTEN_TOTAL: Scope.FIGURE,
    },
    # Too many points, and points that were not struck, are different faults.
    told_apart=(Rule.ENERGY_COUNT,),
    sums=(Rule.WRITTEN_TOTAL,),
)


def sure_violations(
    verdict: Verdict,
    posterior: Posterior,
    judge: Callable[[SheetState], Verdict],
    figures: WrittenFigures,
) -> list[tuple[Violation, float]]:
    """The violations that stand whatever the doubtful marks are, and how surely, 0 to 1.

    judge: the verdict on a state. figures: as written.
    """

    def marks(violation: Violation) -> float:
        is_of_bars = violation.rule in BAR_RULES
        return _bars_confidence(violation, posterior, judge) if is_of_bars else 1.0

    return proven(
        verdict.violations,
        posterior,
        judge,
        FAULTS,
        posterior.parts,
        marks,
        lambda violation: _figures_right(violation, figures),
    )


Flip = Callable[[SheetState, int], SheetState]


def _bars_confidence(
    violation: Violation, posterior: Posterior, judge: Callable[[SheetState], Verdict]
) -> float:
    """Probability by the evidence alone that a rule of the bars is broken.

    An order: see `_order_confidence`. A count must be wrong both with the blocks as read and
    without the unsure ones (see `_count_confidence`), and proves nothing where crosses are unsure.
    """
    state, evidence, rule, hidden = (
        posterior.state,
        posterior.evidence,
        violation.rule,
        posterior.hidden,
    )
    activated = tuple(mark is not Energy.OPEN for mark in state.energy)
    orders = {
        Rule.ENERGY_ORDER: (activated, evidence.points, hidden.of("energy")),
        Rule.BONUS_ORDER: (state.bonus, evidence.boxes, hidden.of("box")),
        Rule.BOMB_ORDER: (state.bombs, evidence.bombs, hidden.of("bomb")),
    }
    if rule in orders:
        marks, confidence, covered = orders[rule]
        seen = [at for at in range(len(marks)) if at not in covered]
        return _order_confidence([marks[at] for at in seen], [confidence[at] for at in seen])
    minimum = MIN_SURE_COLORS if rule is Rule.ENERGY_COUNT else MIN_SURE_BLOCKS
    if any(_crosses_known(part) < minimum for part in posterior.parts):
        return 0.0
    return min(
        _count_confidence(violation, sheet, evidence, judge)
        for sheet in {state, _with_known_blocks(posterior, minimum)}
    )


def _count_confidence(
    violation: Violation,
    state: SheetState,
    evidence: MarkEvidence,
    judge: Callable[[SheetState], Verdict],
) -> float:
    """Probability that not so many marks are misread that the count is right; 0 if it is right.

    Marks that look alike are misread together: misreading several costs the mean of their log-odds.
    """
    if FAULTS.claim(violation)(judge(state)) == 0:
        return 0.0
    activated = tuple(mark is not Energy.OPEN for mark in state.energy)
    bars: list[tuple[tuple[bool, ...], tuple[float, ...], Flip]] = [
        (activated, evidence.points, with_point_flipped)
    ]
    if violation.rule is Rule.BONUS_COUNT:
        bars.append((state.bonus, evidence.boxes, _with_box_flipped))
    stands = 1.0
    for (marks, sure, flipped), marked in product(bars, (True, False)):
        alike = [place for place, mark in enumerate(marks) if mark is marked]
        otherwise = state
        clear: list[float] = []
        for place in sorted(alike, key=lambda place: sure[place]):
            if sure[place] >= MIN_CERTAIN_MARK:
                break
            otherwise = flipped(otherwise, place)
            clear.append(log(max(sure[place], MIN_MARK_PROBABILITY) / (1 - sure[place])))
            if FAULTS.claim(violation)(judge(otherwise)) == 0:
                stands = min(stands, 1 / (1 + exp(-sum(clear) / len(clear))))
                break
    return stands


def _crosses_known(part: GridPart) -> float:
    """Probability of a part's crosses, summed over its lines; 0 if its states are only a sample."""
    best, _ = part.states[0]
    if part.is_unclear:
        return 0.0
    return sum(p for state, p in part.states if state.crossed == best.crossed)


def _with_known_blocks(posterior: Posterior, minimum: float) -> SheetState:
    """The sheet as read, without the outlines of parts less probable than ``minimum``.

    The crosses stay: crosses in no block allow every count that some outlines around them allow.
    """
    unclear = {
        cell for part in posterior.parts if part.states[0][1] < minimum for cell in part.cells
    }
    blocks = tuple(block for block in posterior.state.blocks if not block & unclear)
    return replace(posterior.state, blocks=blocks)


def _order_confidence(marks: Sequence[bool], confidence: Sequence[float]) -> float:
    """Probability by the evidence alone that a place of a bar is empty before one that is marked.

    One such pair proves it, if both marks are as clear as `MIN_SURE_ORDER`. But faint marks are
    often misread together: only one of all other places may be less clear than the pair. And a
    single mark far behind the others proves nothing, however dark it is: it is rather a stain.
    """
    beyond = [place for place, mark in enumerate(marks) if mark and not all(marks[:place])]
    if len(beyond) == 1 and marks[: beyond[0]].count(False) >= MIN_STAIN_GAP:
        return 0.0
    pairs = [
        (min(confidence[left_out], confidence[place]), left_out, place)
        for place in range(len(marks))
        for left_out in range(place)
        if marks[place] and not marks[left_out]
    ]
    clearest, *pair = max(pairs, default=(1.0, 0, 0))
    if clearest < MIN_SURE_ORDER:
        return 0.0
    others = sorted(sure for place, sure in enumerate(confidence) if place not in pair)
    return min([clearest, *others[1:]])


def _with_box_flipped(state: SheetState, box: int) -> SheetState:
    return replace(state, bonus=(*state.bonus[:box], not state.bonus[box], *state.bonus[box + 1 :]))


def _figures_right(violation: Violation, figures: WrittenFigures) -> float:
    """Probability that the figures which a violation names are read rightly."""
    rows, total = figures
    if violation.rule is Rule.WRITTEN_TOTAL:
        return total.probability
    if violation.rule is not Rule.WRITTEN_ROW:
        return 1.0
    return min(rows[at].probability for at in violation.where if isinstance(at, int))
