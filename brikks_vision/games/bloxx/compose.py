"""How a posterior becomes a reading: what was found, how sure it is, and what to ask about.

What a reading asks about: marks that may be misread.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.bonuses import (
    FIGURES,
    NUMBERS,
    PENALTIES,
    ROWS,
    TOTAL,
    WrittenFigures,
    figures_given_score,
    right_figures,
    told_figures,
    written_figures,
)
from brikks_vision.games.bloxx.cells import STATES, cell_losses
from brikks_vision.games.bloxx.decode import decode
from brikks_vision.games.bloxx.places import MARKS, Answers, bonus_name, sheet_of
from brikks_vision.games.bloxx.places import marks as marks_of
from brikks_vision.games.bloxx.posterior import Posterior, SheetEvidence
from brikks_vision.games.bloxx.print_doubts import contradicted_prints, open_prints
from brikks_vision.games.bloxx.reading import (
    BloxxPoints,
    BloxxReading,
    RowBonusReading,
    ShapeReading,
)
from brikks_vision.infer import misread
from brikks_vision.infer.answers import cell_at, cell_name
from brikks_vision.infer.certainty import (
    OtherMark,
    certainty_of,
    drawn_rows,
    of_evidence,
    with_open_prints,
)
from brikks_vision.infer.costs import MIN_RIGHT_FIGURE, MIN_TOLD_FIGURE, MIN_UNREADABLE_CELL
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.grid import Hidden
from brikks_vision.layout import CELL, Cell, Layout, PrintDoubt
from brikks_vision.reading import ViolationReading
from brikks_vision.rules.bloxx.referee import Part, Rule, Verdict, Violation, referee
from brikks_vision.rules.bloxx.state import (
    BonusMark,
    Mark,
    Score,
    Shape,
    SheetState,
    Written,
    below,
    score,
)
from brikks_vision.rules.shapes import bottom_up

DRAWN = (Mark.CROSS, Mark.CIRCLE)


def margins(
    marks: Marks, evidence: SheetEvidence
) -> tuple[dict[str, NDArray[np.float64]], dict[str, NDArray[np.generic]]]:
    """By field, how clear each mark is by its own evidence, in log-odds, and which it is."""
    bonuses = [[of[mark] for mark in BonusMark] for row in evidence.rows for of in row.losses]
    losses = {CELL: cell_losses(marks), **({"bonus": np.array(bonuses)} if bonuses else {})}
    ranked = {field: np.sort(of, axis=-1) for field, of in losses.items()}
    return (
        {field: of[..., 1] - of[..., 0] for field, of in ranked.items()},
        {field: of.argmin(axis=-1) for field, of in losses.items()},
    )


def summed(violation: Violation, state: SheetState, written: Written) -> tuple[Iterable[str], int]:
    """The places that a wrong figure sums, and the total if it is right."""
    name = FIGURES[violation.rule]
    points, figure = score(state), getattr(written, name)
    numbers = [cell_name(number.cell) for number in state.sheet.numbers]
    bonuses = [where for where in marks_of(state) if not where.startswith(CELL)]
    cells = [cell_name(cell) for cell in state.sheet.cells]
    rows = [
        cell_name(cell)
        for row in state.sheet.colored_rows
        for cell in sorted(state.sheet.row_cells(row.row))
    ]
    places = {
        ROWS: [*bonuses, *rows],
        NUMBERS: numbers,
        PENALTIES: cells,
        TOTAL: [*cells, *bonuses],
    }[name]
    if name == TOTAL:
        return places, figure
    right = right_figures(points)[name][0]
    return places, points.total + (right - abs(figure) if name == PENALTIES else figure - right)


def changes(state: SheetState, cells: Iterable[Cell]) -> Iterator[misread.Change[SheetState]]:
    """The sheet with one of these cells, or one bonus, marked otherwise."""
    grid = {*state.sheet.cells}
    for cell in (each for each in cells if each in grid):
        now = state.mark(cell)
        for mark in (each for each in STATES if each is not now):
            drawn = (mark in DRAWN, now in DRAWN)
            shapes = [state.shapes]
            if drawn[0] is not drawn[1]:
                shapes = [*misread.blocks_otherwise(cell, state.drawn, state.shapes)]
            for each in shapes:
                otherwise = replace(state.with_marks({cell: mark}), shapes=bottom_up(each))
                yield misread.Change(cell_name(cell), otherwise)
    place = 0
    for row, figures in enumerate(state.bonuses):
        for at, bonus in enumerate(figures):
            for other in (each for each in BonusMark if each is not bonus):
                yield misread.Change(bonus_name(place), state.with_bonus(row, at, other))
            place += 1


FAULTS = misread.Faults(
    {
        Rule.NOT_A_SHAPE: misread.Scope.GROUP,
        Rule.STRAY_MARK: misread.Scope.GROUP,
        Rule.TWO_CIRCLES: misread.Scope.GROUP,
        Rule.WRONG_CIRCLE: misread.Scope.GROUP,
        Rule.FLOATING: misread.Scope.REST,
        Rule.FIRST_SHAPE: misread.Scope.GRID,
        Rule.ORDER: misread.Scope.GRID,
        Rule.OPEN_GAP: misread.Scope.PLACE,
        Rule.FALSE_GAP: misread.Scope.COLUMN,
        Rule.ROW_BONUS: misread.Scope.ROW,
        **dict.fromkeys(FIGURES, misread.Scope.FIGURE),
    },
    sums=(Rule.WRITTEN_TOTAL,),
    min_figure=MIN_RIGHT_FIGURE,
)


def _gaps_show(violation: Violation, posterior: Posterior) -> float:
    """How surely gaps show at all where one is called open, 0 to 1.

    A pen that hardly shows is overlooked in all of them: only one may be less clear.
    """
    if violation.rule is not Rule.OPEN_GAP:
        return 1.0
    covered = below(posterior.state.drawn, posterior.state.sheet)
    gaps = (posterior.state.gaps & covered) - posterior.hidden.cells
    of_gap = posterior.evidence.cells.probabilities[..., STATES.index(Mark.GAP)]
    return float(min(sorted(of_gap[cell] for cell in gaps)[1:], default=1.0))


def _others(posterior: Posterior) -> Iterator[OtherMark]:
    """Marks that may be others; of a state that differs in several the least clear one is named."""
    now = posterior.state

    def order(where: str, other: SheetState) -> tuple[bool, float]:
        cell = cell_at(where)
        if cell is None:
            return False, 0.0
        losses = posterior.evidence.cells.losses[cell]
        marks = now.mark(cell), other.mark(cell)
        is_gap_alone = (marks[0] in DRAWN) is (marks[1] in DRAWN) is False
        was, then = (losses[STATES.index(mark)] for mark in marks)
        return is_gap_alone, float(then - was)

    yield from misread.other_marks(posterior, marks_of, lambda state: score(state).total, order)
    yield from _other_bonuses(posterior)


def _other_bonuses(posterior: Posterior) -> Iterator[OtherMark]:
    """Lower bonuses that may count instead of those that are assumed."""
    state, total = posterior.state, score(posterior.state).total
    complete = state.complete_rows()
    for at, row in enumerate(posterior.evidence.rows):
        marks, surely = posterior.bonuses[at][0]
        if row.printed.row in complete:
            highest, *lower = row.choices(marks)
            for bonus in lower:
                at = row.printed.bonuses.index(bonus)
                share = surely / (1 + len(lower))
                lower_total = total - highest + bonus
                yield OtherMark(bonus_name(row.first + at), str(marks[at]), share, lower_total)


NO_ANSWERS: Answers = {}
NOTHING_UNSAID: Mapping[str, float] = {}
ALL_PLAIN: Mapping[str, misread.Contrast] = {}


def build_reading(
    name: str,
    posterior: Posterior,
    figures: WrittenFigures,
    answered: Collection[str] = (),
    print_doubts: Sequence[PrintDoubt] = (),
    unsaid: Mapping[str, float] = NOTHING_UNSAID,
    plain: Mapping[str, misread.Contrast] = ALL_PLAIN,
) -> BloxxReading:
    """The reading of the most probable sheet and of the player's own figures.

    ``answered``: places that need not be asked about, such as "cell 3,4". ``print_doubts``,
    ``unsaid``: of the layout. ``plain``: by place, see `brikks_vision.infer.misread.contrast`.
    """
    as_written = told_figures(figures)
    state, hidden = posterior.state, posterior.hidden
    points = score(state)
    if not hidden:
        printed = prod(doubt.confidence for doubt in print_doubts)
        figures = figures_given_score(figures, points, printed * posterior.totals[points.total])
    written = told_figures(figures)

    def judge(state: SheetState, figures: Written = written) -> Verdict:
        return _verdict_on(state, figures, hidden)

    verdict = judge(state)
    others = list(_others(posterior))
    found = misread.proven(
        verdict.violations,
        posterior,
        judge,
        FAULTS,
        posterior.parts,
        lambda violation: _gaps_show(violation, posterior),
        lambda violation: (
            figures[FIGURES[violation.rule]].probability if violation.rule in FIGURES else 1.0
        ),
    )
    questions, held = misread.explained(
        found,
        verdict,
        misread.Sheet(
            state,
            marks_of(state),
            plain,
            {*answered, *hidden.places},
            others,
            lambda cells: changes(state, cells),
            lambda otherwise: score(otherwise).total,
        ),
        lambda otherwise: judge(otherwise, as_written),
        FAULTS,
        lambda violation: summed(violation, state, written),
    )
    surely = dict(held)
    standing = [*surely]
    prints, standing = open_prints(print_doubts, state, as_written, standing, judge)
    if not prints and not hidden:
        prints, standing = contradicted_prints(unsaid, state, as_written, standing, judge)
    sure = certainty_of(
        points.total,
        posterior.totals,
        others,
        questions,
        (posterior.totals, posterior.most_totals) if hidden else (),
        hidden.places,
    )
    reading = BloxxReading(
        photo=name,
        grid=_grid_strings(posterior),
        shapes=tuple(_shape_reading(shape, posterior) for shape in state.shapes),
        row_bonus=_row_bonuses(state),
        written=written,
        score=BloxxPoints(points.rows, points.numbers, points.penalty, points.total),
        **sure._asdict(),
        violations=tuple(_told(violation, surely[violation], posterior) for violation in standing),
    )
    return with_open_prints(reading, prints)


def _told(violation: Violation, confidence: float, posterior: Posterior) -> ViolationReading:
    """A violation as the contract tells it: bonuses are named by their places."""
    told = ViolationReading.of(violation, confidence)
    if violation.part is not Part.BONUS:
        return told
    places = [
        row.first + at
        for row, marks in zip(posterior.evidence.rows, posterior.state.bonuses, strict=True)
        if row.printed.row in violation.where
        for at, mark in enumerate(marks)
        if mark is BonusMark.CIRCLED
    ]
    return replace(told, where=tuple(places))


def _grid_strings(posterior: Posterior) -> tuple[str, ...]:
    def letter(cell: Cell) -> str:
        if cell in posterior.hidden.cells:
            return "?"
        mark = posterior.state.mark(cell)
        is_told = posterior.marks[(*cell, STATES.index(mark))] >= 1 - MIN_UNREADABLE_CELL
        return str(mark) if is_told else "?"

    sheet = posterior.state.sheet
    return drawn_rows(sheet.rows, sheet.columns, letter)


def _shape_reading(shape: Shape, posterior: Posterior) -> ShapeReading:
    confidence = min(
        sum(p for state, p in part.states if shape in state.blocks)
        for part in posterior.parts
        if shape in part.states[0][0].blocks
    )
    return ShapeReading(
        tuple(sorted(shape)), posterior.state.circle_of(shape), min(1.0, confidence)
    )


def _row_bonuses(state: SheetState) -> tuple[RowBonusReading, ...]:
    found = []
    for printed, marks in zip(state.sheet.colored_rows, state.bonuses, strict=True):
        pairs = list(zip(printed.bonuses, marks, strict=True))
        circled = [bonus for bonus, mark in pairs if mark is BonusMark.CIRCLED]
        struck = tuple(bonus for bonus, mark in pairs if mark is BonusMark.STRUCK)
        found.append(
            RowBonusReading(printed.row, printed.color, max(circled, default=None), struck)
        )
    return tuple(found)


@lru_cache(maxsize=16)  # one reading judges the same sheet several times
def _verdict_on(state: SheetState, written: Written, hidden: Hidden) -> Verdict:
    """The verdict on a sheet, without violations that hidden places could mend."""
    verdict = referee(state, written)
    stands = [each for each in verdict.violations if not FAULTS.may_mend(each, hidden)]
    return replace(verdict, violations=tuple(stands))


def read(
    name: str, evidence: Evidence, layout: Layout, answers: Mapping[str, str] = NO_ANSWERS
) -> tuple[BloxxReading, Posterior]:
    """The reading of a sheet's evidence, and the posterior that it follows from.

    ``name``: of the photo. ``layout``: of the sheet. ``answers``: as in
    `brikks_vision.pipeline.scan`. The reading has no corners and no times.

    Raises
    ------
    SheetDataError
        The layout says something that is no BLOXX! sheet.
    """
    figures = written_figures(evidence.figures)
    posterior = decode(evidence.marks, sheet_of(layout), answers, figures)
    of_marks = margins(evidence.marks, posterior.evidence)
    plain = misread.contrast(*of_marks, evidence.marks.covered, layout)
    reading = build_reading(name, posterior, figures, answers, layout.doubts, layout.unsaid, plain)
    return of_evidence(reading, evidence, layout, answers, MARKS), posterior


def needs_full_pass(posterior: Posterior, evidence: Evidence) -> bool:
    """Whether a sheet whose total is sure after the fast pass needs the full one.

    It does if a rule is broken, whether or not that would be reported, or a figure is hardly read.
    """
    points: Score = score(posterior.state)
    figures = figures_given_score(
        written_figures(evidence.figures), points, posterior.totals[points.total]
    )
    if min(figure.probability for figure in figures.values()) < MIN_TOLD_FIGURE:
        return True
    verdict = _verdict_on(posterior.state, told_figures(figures), posterior.hidden)
    return bool(verdict.violations)
