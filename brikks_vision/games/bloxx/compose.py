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

from brikks_vision.decode.answers import cell_name
from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.judging import (
    OtherMark,
    certainty_of,
    drawn_rows,
    of_evidence,
    with_open_prints,
)
from brikks_vision.decode.misread import Change, Sheet, blocks_otherwise, explained, plainness
from brikks_vision.decode.prices import MIN_OPEN_STATE, MIN_TOLD_FIGURE, MIN_UNREADABLE_CELL
from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.bonuses import (
    FIGURES,
    NUMBERS,
    PENALTIES,
    ROWS,
    TOTAL,
    Hidden,
    WrittenFigures,
    figures_given_score,
    may_mend,
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
from brikks_vision.games.bloxx.proofs import FAULTS, sure_violations
from brikks_vision.games.bloxx.reading import (
    BloxxPoints,
    BloxxReading,
    RowBonusReading,
    ShapeReading,
)
from brikks_vision.layout import CELL, Cell, Layout, PrintDoubt
from brikks_vision.reading import ViolationReading
from brikks_vision.rules.bloxx.referee import Part, Verdict, Violation, referee
from brikks_vision.rules.bloxx.state import (
    BonusMark,
    Mark,
    Score,
    Shape,
    SheetState,
    Written,
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


def changes(state: SheetState, cells: Iterable[Cell]) -> Iterator[Change[SheetState]]:
    """The sheet with one of these cells, or one bonus, marked otherwise."""
    grid = {*state.sheet.cells}
    for cell in (each for each in cells if each in grid):
        now = state.mark(cell)
        for mark in (each for each in STATES if each is not now):
            drawn = (mark in DRAWN, now in DRAWN)
            shapes = [state.shapes]
            if drawn[0] is not drawn[1]:
                shapes = [*blocks_otherwise(cell, state.drawn, state.shapes)]
            for each in shapes:
                otherwise = replace(state.with_marks({cell: mark}), shapes=bottom_up(each))
                yield Change(cell_name(cell), otherwise)
    place = 0
    for row, figures in enumerate(state.bonuses):
        for at, bonus in enumerate(figures):
            for other in (each for each in BonusMark if each is not bonus):
                yield Change(bonus_name(place), state.with_bonus(row, at, other))
            place += 1


def other_marks(posterior: Posterior) -> Iterator[OtherMark]:
    """One mark for each other state of each part of the sheet that may be asked about."""
    state = posterior.state
    total = score(state).total
    for part in posterior.parts:
        for probability, other in posterior.states_of(part, MIN_OPEN_STATE):
            cells = [cell for cell in part.cells if state.mark(cell) is not other.mark(cell)]
            if cells:
                cell = min(cells, key=lambda cell: _evidence_against(cell, other, posterior))
                read = str(state.mark(cell))
                yield OtherMark(cell_name(cell), read, probability, score(other).total, other)
    for cell, _, probability in posterior.other_gaps():
        yield OtherMark(cell_name(cell), str(state.mark(cell)), probability, total)
    yield from _other_bonuses(posterior)


def _evidence_against(cell: Cell, other: SheetState, posterior: Posterior) -> float:
    """How much the evidence of a cell speaks for its mark in the most probable state, log-odds."""
    losses = posterior.evidence.cells.losses[cell]
    now, then = (STATES.index(state.mark(cell)) for state in (posterior.state, other))
    return float(losses[then] - losses[now])


def _other_bonuses(posterior: Posterior) -> Iterator[OtherMark]:
    """Bonuses that may be marked otherwise, and lower ones that may count instead."""
    state, total = posterior.state, score(posterior.state).total
    complete = state.complete_rows()
    for at, row in enumerate(posterior.evidence.rows):
        (marks, surely), *others = posterior.bonuses[at]
        printed = row.printed
        for other, probability in others:
            otherwise = posterior.with_bonuses(at, other)
            other_total = score(otherwise).total
            for place, (now, then) in enumerate(zip(marks, other, strict=True), row.first):
                if now is not then:
                    where = bonus_name(place)
                    yield OtherMark(where, str(now), probability, other_total, otherwise)
                    break
        if printed.row in complete:
            highest, *lower = row.choices(marks)
            for bonus in lower:
                at = printed.bonuses.index(bonus)
                share = surely / (1 + len(lower))
                lower_total = total - highest + bonus
                yield OtherMark(bonus_name(row.first + at), str(marks[at]), share, lower_total)


NO_ANSWERS: Answers = {}
NOTHING_UNSAID: Mapping[str, float] = {}
ALL_PLAIN: Mapping[str, float] = {}


def build_reading(
    name: str,
    posterior: Posterior,
    figures: WrittenFigures,
    answered: Collection[str] = (),
    print_doubts: Sequence[PrintDoubt] = (),
    unsaid: Mapping[str, float] = NOTHING_UNSAID,
    plain: Mapping[str, float] = ALL_PLAIN,
) -> BloxxReading:
    """The reading of the most probable sheet and of the player's own figures.

    ``answered``: places that need not be asked about, such as "cell 3,4". ``print_doubts``,
    ``unsaid``: of the layout. ``plain``: by place, see `brikks_vision.decode.misread.plainness`.
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
    others = list(other_marks(posterior))
    proven = dict(sure_violations(verdict, posterior, judge, figures))
    questions, standing = explained(
        list(proven),
        verdict,
        Sheet(
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
        violations=tuple(_told(violation, proven[violation], posterior) for violation in standing),
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
    stands = [each for each in verdict.violations if not may_mend(each, state, hidden)]
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
    plain = plainness(*of_marks, evidence.marks.covered, layout)
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
