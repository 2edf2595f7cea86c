"""Which violations are proven by which evidence: nobody is accused on marks that may be misread.

A violation is reported if it stands in nearly all probable states of the sheet, and if the single
marks and figures that prove it are clear by themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import exp, log

from brikks_vision.decode.figures import without_digit_outside
from brikks_vision.decode.grid import GridPart
from brikks_vision.decode.prices import (
    MIN_CERTAIN_MARK,
    MIN_MARK_PROBABILITY,
    MIN_STAIN_GAP,
    MIN_SURE_ORDER,
    MIN_TOLD_SLIP,
    MIN_TOLD_VIOLATION,
)
from brikks_vision.decode.proofs import how_surely, proven, touches_unclear
from brikks_vision.detect.figures import Figure
from brikks_vision.games.brikks.figures import WrittenFigures
from brikks_vision.games.brikks.posterior import InkAlone, Posterior
from brikks_vision.games.brikks.prices import MIN_SURE_BLOCKS, MIN_SURE_COLORS
from brikks_vision.reading import ViolationReading
from brikks_vision.rules.brikks.referee import Verdict
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.state import Energy, SheetState
from brikks_vision.rules.brikks.violations import Rule, Violation

BAR_RULES = (
    Rule.ENERGY_ORDER, Rule.ENERGY_COUNT, Rule.BONUS_ORDER, Rule.BONUS_COUNT, Rule.BOMB_ORDER,
)  # fmt: skip
"""Proven by single marks of the bars, which must be clear by themselves."""

GROUP_RULES = (Rule.NOT_A_BLOCK, Rule.STRAY_MARK)
"""About cells that are no block, proven by the lines around them."""

PLACE_RULES = (Rule.FLOATING, Rule.UNREACHABLE, Rule.WRITTEN_ROW)
"""About one block or row: in another place it is another violation."""

BLOCK_RULES = (
    Rule.FLOATING, Rule.UNREACHABLE, Rule.START_BLOCK, Rule.ENERGY_COUNT, Rule.BONUS_COUNT,
)  # fmt: skip
"""Depend on all blocks, so that one part that contradicts its evidence disproves them."""


def sure_violations(
    verdict: Verdict,
    posterior: Posterior,
    judge: Callable[[SheetState], Verdict],
    figures: WrittenFigures,
    points: Score,
) -> tuple[ViolationReading, ...]:
    """The violations that stand whatever the doubtful marks are.

    judge: the verdict on a state. figures: as written. points: of the most probable state.
    """
    readable = [
        (
            violation,
            _ink_sureness(violation, posterior, judge),
            _figures_right(violation, figures, points),
        )
        for violation in verdict.violations
        if not _is_contradicted(violation, posterior)
    ]
    return tuple(
        ViolationReading.of(violation, confidence)
        for violation, confidence in proven(readable, posterior, judge, _claims, _min_probability)
    )


def _is_contradicted(violation: Violation, posterior: Posterior) -> bool:
    """Whether a violation depends on blocks that contradict the evidence, or that it hardly
    shows."""
    if violation.rule in GROUP_RULES:
        return touches_unclear(violation.where, posterior.parts)
    return violation.rule in BLOCK_RULES and any(part.is_contradicted for part in posterior.parts)


def _min_probability(violation: Violation) -> float:
    """Probability from which on a violation is reported."""
    written = violation.rule in (Rule.WRITTEN_ROW, Rule.WRITTEN_TOTAL)
    return MIN_TOLD_SLIP if written else MIN_TOLD_VIOLATION


def _ink_sureness(
    violation: Violation, posterior: Posterior, judge: Callable[[SheetState], Verdict]
) -> float:
    """Probability by the evidence of single marks that they prove a violation; 1 for other
    rules."""
    if violation.rule is Rule.WRITTEN_ROW:
        return _row_sureness(violation, posterior.evidence)
    if violation.rule in BAR_RULES:
        return _bars_sureness(violation, posterior, judge)
    return 1.0


def _claims(violation: Violation) -> Callable[[Verdict], float]:
    """The claim that a verdict contains the same violation, with its sureness 0 to 1.

    The same means: in the same row or block, or in some of the same cells of a group. Otherwise
    faint blocks would prove a fault that every guess has in another place. Cells that are no block,
    and a block with a stray cross beside it, differ by one line: they count as the same fault.
    """

    def is_same(other: Violation) -> bool:
        if violation.rule in GROUP_RULES:
            return other.rule in GROUP_RULES and bool({*violation.where} & {*other.where})
        if other.rule is not violation.rule:
            return False
        if violation.rule is Rule.ENERGY_COUNT and other.told.key != violation.told.key:
            return False  # too many points and points that were not struck are different faults
        return violation.rule not in PLACE_RULES or other.where == violation.where

    return lambda verdict: how_surely(
        violation, [other for other in verdict.violations if is_same(other)]
    )


Flip = Callable[[SheetState, int], SheetState]


def _bars_sureness(
    violation: Violation, posterior: Posterior, judge: Callable[[SheetState], Verdict]
) -> float:
    """Probability by the evidence alone that a rule of the bars is broken.

    An order: see `_order_sureness`. A count must be wrong both with the blocks as read and without
    the unsure ones (see `_count_sureness`), and it proves nothing where crosses are unsure.
    """
    state, evidence, rule, hidden = (
        posterior.state,
        posterior.evidence,
        violation.rule,
        posterior.hidden,
    )
    activated = tuple(mark is not Energy.OPEN for mark in state.energy)
    orders = {
        Rule.ENERGY_ORDER: (activated, evidence.points, hidden.energy),
        Rule.BONUS_ORDER: (state.bonus, evidence.boxes, hidden.boxes),
        Rule.BOMB_ORDER: (state.bombs, evidence.bombs, hidden.bombs),
    }
    if rule in orders:
        marks, sureness, covered = orders[rule]
        seen = [at for at in range(len(marks)) if at not in covered]
        return _order_sureness([marks[at] for at in seen], [sureness[at] for at in seen])
    minimum = MIN_SURE_COLORS if rule is Rule.ENERGY_COUNT else MIN_SURE_BLOCKS
    if any(_crosses_known(part) < minimum for part in posterior.parts):
        return 0.0
    return min(
        _count_sureness(violation, sheet, evidence, judge)
        for sheet in {state, _with_known_blocks(posterior, minimum)}
    )


def _count_sureness(
    violation: Violation,
    state: SheetState,
    evidence: InkAlone,
    judge: Callable[[SheetState], Verdict],
) -> float:
    """Probability that not so many marks are misread that the count is right; 0 if it is right.

    Marks that look alike are misread together: misreading several costs the mean of their log-odds.
    """
    if _claims(violation)(judge(state)) == 0:
        return 0.0
    activated = tuple(mark is not Energy.OPEN for mark in state.energy)
    bars: list[tuple[tuple[bool, ...], tuple[float, ...], Flip]] = [
        (activated, evidence.points, _with_point_flipped)
    ]
    if violation.rule is Rule.BONUS_COUNT:
        bars.append((state.bonus, evidence.boxes, _with_box_flipped))
    stands = 1.0
    for (marks, sureness, flipped), marked in product(bars, (True, False)):
        alike = [place for place, mark in enumerate(marks) if mark is marked]
        otherwise = state
        clear: list[float] = []
        for place in sorted(alike, key=lambda place: sureness[place]):
            if sureness[place] >= MIN_CERTAIN_MARK:
                break
            otherwise = flipped(otherwise, place)
            clear.append(log(max(sureness[place], MIN_MARK_PROBABILITY) / (1 - sureness[place])))
            if _claims(violation)(judge(otherwise)) == 0:
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


def _order_sureness(marks: Sequence[bool], sureness: Sequence[float]) -> float:
    """Probability by the evidence alone that a place of a bar is empty before one that is marked.

    One such pair proves it, if both marks are as clear as `MIN_SURE_ORDER`. But faint marks are
    often misread together: only one of all other places may be less clear than the pair. And a
    single mark far behind the others proves nothing, however dark it is: it is rather a stain.
    """
    beyond = [place for place, mark in enumerate(marks) if mark and not all(marks[:place])]
    if len(beyond) == 1 and marks[: beyond[0]].count(False) >= MIN_STAIN_GAP:
        return 0.0
    pairs = [
        (min(sureness[left_out], sureness[place]), left_out, place)
        for place in range(len(marks))
        for left_out in range(place)
        if marks[place] and not marks[left_out]
    ]
    clearest, *pair = max(pairs, default=(1.0, 0, 0))
    if clearest < MIN_SURE_ORDER:
        return 0.0
    others = sorted(sure for place, sure in enumerate(sureness) if place not in pair)
    return min([clearest, *others[1:]])


def _with_point_flipped(state: SheetState, point: int) -> SheetState:
    """The sheet with an open point circled, or another point open."""
    now = Energy.CIRCLED if state.energy[point] is Energy.OPEN else Energy.OPEN
    return replace(state, energy=(*state.energy[:point], now, *state.energy[point + 1 :]))


def _with_box_flipped(state: SheetState, box: int) -> SheetState:
    return replace(state, bonus=(*state.bonus[:box], not state.bonus[box], *state.bonus[box + 1 :]))


def _row_sureness(violation: Violation, evidence: InkAlone) -> float:
    """Probability of the minimum clear mark in the rows whose figures a violation names."""
    named = {row for row in violation.where if isinstance(row, int)}
    return min((sure for row, sure in enumerate(evidence.rows) if row in named), default=1.0)


def _figures_right(violation: Violation, figures: WrittenFigures, points: Score) -> float:
    """Probability that the figures which a violation names are read rightly.

    A figure that also stands beside other rows of the same points is rather this player's way to
    write it: a 2 with a straight back beside each row of nine crosses is no 1.
    """
    rows, total = figures
    if violation.rule is Rule.WRITTEN_TOTAL:
        read = [(total, points.total, 0.0)]
    elif violation.rule is Rule.WRITTEN_ROW:
        named = [at for at in violation.where if isinstance(at, int)]
        read = [(rows[at], points.rows[at], _written_elsewhere(at, rows, points)) for at in named]
    else:
        return 1.0
    return min(
        figure.probability * without_digit_outside(figure, due) * (1 - elsewhere)
        for figure, due, elsewhere in read
    )


def _written_elsewhere(at: int, rows: tuple[Figure, ...], points: Score) -> float:
    """Probability that a row's figure also stands beside another row of the same points."""
    value = rows[at].value
    return max(
        (
            figure.probability if figure.value == value else dict(figure.others).get(value, 0.0)
            for row, figure in enumerate(rows)
            if row != at and points.rows[row] == points.rows[at]
        ),
        default=0.0,
    )
