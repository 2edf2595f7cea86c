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
from brikks_vision.games.brikks.decode import MarkEvidence, Posterior, flipped
from brikks_vision.infer import costs
from brikks_vision.infer.figures import expected_figure, without_digit_outside
from brikks_vision.infer.grid import GridPart
from brikks_vision.infer.misread import Faults, Scope
from brikks_vision.rules.brikks.blocks import Energy, SheetState, with_point_flipped
from brikks_vision.rules.brikks.placement import BAR_RULES, Rule
from brikks_vision.rules.brikks.referee import Verdict
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.shapes import Violation


def held_figures(figures: Figures, points: Score, hidden: Collection[int] = ()) -> Figures:
    """The figures' posteriors, given that most players add up rightly.

    A wrong figure is told, and held against the player, only if its evidence is clear. None tells
    of a row of which something is ``hidden``.
    """
    rows = [
        figure if row in hidden else expected_figure(figure, points.rows[row])
        for row, figure in enumerate(figures["rows"])
    ]
    held = (
        figure
        if row in hidden
        else _held(figure, points.rows[row], _written_elsewhere(row, rows, points))
        for row, figure in enumerate(rows)
    )
    totals = figures.get("total", ())
    if not hidden:
        totals = tuple(
            _held(expected_figure(total, points.total), points.total) for total in totals
        )
    return {"rows": tuple(held), "total": totals}


def _held(figure: Figure, right: int, elsewhere: float = 0.0) -> Figure:
    """A figure as surely read as it is held against the player, or against the marks, if wrong.

    elsewhere: see `_written_elsewhere`.
    """
    if figure.value in (right, None):
        return figure
    sure = figure.probability * without_digit_outside(figure, right) * (1 - elsewhere)
    return replace(figure, probability=sure)


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


Flip = Callable[[SheetState, int], SheetState]


def bars_confidence(
    violation: Violation, posterior: Posterior, judge: Callable[[SheetState], Verdict]
) -> float:
    """Probability by the evidence alone that a rule of the bars is broken; 1 of any other rule.

    An order: see `_order_confidence`. A count must be wrong both with the blocks as read and
    without the unsure ones (see `_count_confidence`), and proves nothing where crosses are unsure.
    """
    rule, state, evidence = Rule(violation.rule), posterior.state, posterior.evidence
    if rule not in BAR_RULES:
        return 1.0
    hidden = posterior.hidden
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
    for (marks, sure, turned), marked in product(bars, (True, False)):
        alike = [place for place, mark in enumerate(marks) if mark is marked]
        otherwise = state
        clear: list[float] = []
        for place in sorted(alike, key=lambda place: sure[place]):
            if sure[place] >= costs.MIN_CERTAIN_MARK:
                break
            otherwise = turned(otherwise, place)
            clear.append(log(max(sure[place], costs.MIN_MARK_PROBABILITY) / (1 - sure[place])))
            if FAULTS.claim(violation)(judge(otherwise)) == 0:
                stands = min(stands, 1 / (1 + exp(-sum(clear) / len(clear))))
                break
    return stands


def _with_box_flipped(state: SheetState, box: int) -> SheetState:
    return replace(state, bonus=flipped(state.bonus, box))


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
    if len(beyond) == 1 and marks[: beyond[0]].count(False) >= costs.MIN_STAIN_GAP:
        return 0.0
    pairs = [
        (min(confidence[left_out], confidence[place]), left_out, place)
        for place in range(len(marks))
        for left_out in range(place)
        if marks[place] and not marks[left_out]
    ]
    clearest, *pair = max(pairs, default=(1.0, 0, 0))
    if clearest < costs.MIN_SURE_ORDER:
        return 0.0
    others = sorted(sure for place, sure in enumerate(confidence) if place not in pair)
    return min([clearest, *others[1:]])
