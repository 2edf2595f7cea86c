"""Which violations are proven by which evidence: nobody is accused on marks that may be misread."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from math import exp, log, prod

from brikks_vision.decode.grid import neighbours
from brikks_vision.decode.misread import Faults, proven
from brikks_vision.decode.prices import MIN_MARK_PROBABILITY
from brikks_vision.games.bloxx.bonuses import (
    FIGURES,
    PENALTIES,
    RowEvidence,
    WrittenFigures,
    bonus_probabilities,
    right_figures,
)
from brikks_vision.games.bloxx.cells import STATES
from brikks_vision.games.bloxx.posterior import Posterior
from brikks_vision.infer.judging import MIN_RIGHT_FIGURE
from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.referee import Rule, Verdict, Violation
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Score, SheetState, below

SHAPE_RULES = (Rule.NOT_A_SHAPE, Rule.STRAY_MARK)
CIRCLE_RULES = (Rule.TWO_CIRCLES, Rule.WRONG_CIRCLE)

FAULTS = Faults(
    # Cells that are no shape, and a shape with a stray mark beside it, differ by one line.
    alike=SHAPE_RULES,
    overlapping=(*SHAPE_RULES, *CIRCLE_RULES, Rule.OPEN_GAP, Rule.FALSE_GAP, Rule.ORDER),
    in_place=(Rule.FLOATING, Rule.ROW_BONUS),
    of_group=(*SHAPE_RULES, *CIRCLE_RULES),
    of_all=(Rule.FLOATING, Rule.FIRST_SHAPE, Rule.ORDER),
    written=FIGURES,
    sums=(Rule.WRITTEN_TOTAL,),
    min_figure=MIN_RIGHT_FIGURE,
)


def sure_violations(
    verdict: Verdict,
    posterior: Posterior,
    judge: Callable[[SheetState], Verdict],
    figures: WrittenFigures,
) -> list[tuple[Violation, float]]:
    """The violations that stand whatever the doubtful marks are, and how surely, 0 to 1.

    verdict, judge: on the most probable state, and on any. figures: as written.
    """
    return proven(
        verdict.violations,
        posterior,
        judge,
        FAULTS,
        posterior.parts,
        lambda each: _evidence_sureness(
            each, posterior, _points_missing(each, figures, verdict.score)
        ),
        lambda each: _figure_right(each, figures),
    )


# --- the evidence of single marks -----------------------------------------------------------------


def _evidence_sureness(violation: Violation, posterior: Posterior, missing: int) -> float:
    """Probability by the evidence of single marks that they prove a violation; 1 for other rules.

    missing: see `_count_sureness`.
    """
    where = [place for place in violation.where if isinstance(place, tuple)]
    match violation.rule:
        case Rule.OPEN_GAP:
            return _open_gap_sureness(where, posterior)
        case Rule.FALSE_GAP:
            return max(_false_gap_sureness(cell, posterior) for cell in where)
        case Rule.TWO_CIRCLES:
            first, second, *_ = sorted(_looks(cell, posterior, Mark.CIRCLE) for cell in where)[::-1]
            return first * second
        case Rule.WRONG_CIRCLE:
            return max(_looks(cell, posterior, Mark.CIRCLE) for cell in where)
        case Rule.FLOATING:
            return _looks_undrawn(_beside(where, posterior), posterior)
        case Rule.FIRST_SHAPE:
            sheet = posterior.state.sheet
            return _looks_undrawn(sheet.row_cells(sheet.rows - 1), posterior)
        case Rule.ROW_BONUS:
            (row,) = (place for place in violation.where if isinstance(place, int))
            return _bonus_sureness(row, posterior)
        case Rule.WRITTEN_ROWS | Rule.WRITTEN_NUMBERS | Rule.WRITTEN_PENALTY | Rule.WRITTEN_TOTAL:
            return _count_sureness(violation, posterior, missing)
        case _:
            return 1.0


def _looks(cell: Cell, posterior: Posterior, *marks: Mark) -> float:
    """Probability by its evidence alone that a cell bears one of the marks."""
    probabilities = posterior.evidence.cells.probabilities[cell]
    return min(1.0, float(sum(probabilities[STATES.index(mark)] for mark in marks)))


def _looks_drawn(cell: Cell, posterior: Posterior) -> float:
    return _looks(cell, posterior, Mark.CROSS, Mark.CIRCLE)


def _looks_undrawn(cells: Iterable[Cell], posterior: Posterior) -> float:
    """Probability by their evidence alone that none of the cells is drawn."""
    return prod(_looks(cell, posterior, Mark.GAP, Mark.EMPTY) for cell in cells)


def _above(cell: Cell) -> list[Cell]:
    return [(row, cell[1]) for row in range(cell[0])]


def _beside(cells: Collection[Cell], posterior: Posterior) -> set[Cell]:
    """The cells around a group of cells."""
    sheet = posterior.state.sheet
    around = {near for cell in cells for near in neighbours(cell, sheet.rows, sheet.columns)}
    return around - set(cells)


def _open_gap_sureness(cells: Sequence[Cell], posterior: Posterior) -> float:
    """Probability that one of the cells is empty with something drawn above it.

    Faint gaps are often overlooked together: only one of those that are coloured in may be less
    clear than the cell that is not.
    """
    clear = max(
        _looks(cell, posterior, Mark.EMPTY)
        * max((_looks_drawn(above, posterior) for above in _above(cell)), default=0.0)
        for cell in cells
    )
    covered = below(posterior.state.drawn, posterior.state.sheet)
    gaps = (posterior.state.gaps & covered) - posterior.hidden.cells
    others = sorted(_looks(cell, posterior, Mark.GAP) for cell in gaps)
    return min([clear, *others[1:]])


def _false_gap_sureness(cell: Cell, posterior: Posterior) -> float:
    """Probability that a cell is coloured in and nothing drawn above it."""
    return _looks(cell, posterior, Mark.GAP) * _looks_undrawn(_above(cell), posterior)


def _bonus_sureness(row: int, posterior: Posterior) -> float:
    """Probability that a bonus is circled for an incomplete row, or that two are circled."""
    sheet = posterior.state.sheet
    (of_row,) = (each for each in posterior.evidence.rows if each.printed.row == row)
    clearest, *others = sorted(_look_circled(of_row), reverse=True)
    undrawn = max(_looks_undrawn([cell], posterior) for cell in sheet.row_cells(row))
    return clearest * max([undrawn, *others])


def _look_circled(row: RowEvidence) -> list[float]:
    """Probability by its evidence alone that each bonus of a row is circled."""
    circled = bonus_probabilities(row)[:, list(BonusMark).index(BonusMark.CIRCLED)]
    return [float(p) for p in circled]


def _count_sureness(violation: Violation, posterior: Posterior, missing: int) -> float:
    """Probability that not so many marks are misread that a written figure is right.

    missing: points that the sheet gives too few for the figure; negative: too many.
    """
    rows = [_row_sureness(row, posterior) for row in range(len(posterior.evidence.rows))]
    cells = _cells_sureness(posterior, missing)
    numbers = _numbers_sureness(posterior, missing)
    marks = {
        Rule.WRITTEN_ROWS: rows,
        Rule.WRITTEN_NUMBERS: [numbers],
        Rule.WRITTEN_PENALTY: [cells],
        Rule.WRITTEN_TOTAL: [cells, numbers, *rows],
    }
    return min(marks[violation.rule], default=1.0)


def _cells_sureness(posterior: Posterior, missing: int) -> float:
    """Probability that not so many cells are misread as drawn or not that points are missing.

    Marks that look alike are misread together: misreading several costs the mean of their log-odds.
    """
    state, count = posterior.state, max(1, abs(missing))
    looks = [
        _looks_drawn(cell, posterior) if missing < 0 else _looks_undrawn([cell], posterior)
        for cell in state.sheet.cells
        if (cell in state.drawn) is (missing < 0)
    ]
    if len(looks) < count:
        return 1.0
    weakest = sorted(looks)[:count]
    odds = [log(max(p, MIN_MARK_PROBABILITY) / max(1 - p, MIN_MARK_PROBABILITY)) for p in weakest]
    return 1 / (1 + exp(-sum(odds) / len(odds)))


def _numbers_sureness(posterior: Posterior, missing: int) -> float:
    """Probability of the least clear circle or cross on a number that may explain the points."""
    state = posterior.state
    looks = [
        p if number.cell in state.circles else 1 - p
        for number in state.sheet.numbers
        if number.value <= abs(missing) and (number.cell in state.circles) is (missing < 0)
        for p in [_looks(number.cell, posterior, Mark.CIRCLE)]
    ]
    return min(looks, default=1.0)


def _row_sureness(at: int, posterior: Posterior) -> float:
    """Probability of the marks that say what a coloured row gives."""
    state, row = posterior.state, posterior.evidence.rows[at]
    cells = state.sheet.row_cells(row.printed.row)
    if not cells <= state.drawn:
        return max(_looks_undrawn([cell], posterior) for cell in cells)
    circled = [max(p, 1 - p) for p in _look_circled(row)]
    return min([*circled, *(_looks_drawn(cell, posterior) for cell in cells)])


def _points_missing(violation: Violation, figures: WrittenFigures, points: Score) -> int:
    """Points that the sheet gives too few for the figure that a violation names; 0 for others."""
    if violation.rule not in FIGURES:
        return 0
    name = FIGURES[violation.rule]
    value = figures[name].value
    if value is None:
        return 0
    missing = min((value - right for right in right_figures(points)[name]), key=abs)
    return -missing if name == PENALTIES else missing


def _figure_right(violation: Violation, figures: WrittenFigures) -> float:
    """Probability that the figure which a violation names is read rightly."""
    if violation.rule not in FIGURES:
        return 1.0
    return figures[FIGURES[violation.rule]].probability
