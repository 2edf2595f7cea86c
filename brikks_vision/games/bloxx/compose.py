"""How a posterior becomes a reading: what was found, how sure it is, and what to ask about."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod

from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.judging import certainty_of, drawn_rows, of_evidence, with_open_prints
from brikks_vision.decode.misread import Sheet, explained, plainness
from brikks_vision.decode.prices import MIN_TOLD_FIGURE, MIN_UNREADABLE_CELL
from brikks_vision.games.bloxx.cells import STATES
from brikks_vision.games.bloxx.decode import decode
from brikks_vision.games.bloxx.doubts import changes, margins, other_marks, summed
from brikks_vision.games.bloxx.figures import (
    WrittenFigures,
    figures_given_score,
    told_figures,
    written_figures,
)
from brikks_vision.games.bloxx.hidden import Hidden, may_mend
from brikks_vision.games.bloxx.keys import sheet_of
from brikks_vision.games.bloxx.places import MARKS, Answers
from brikks_vision.games.bloxx.places import marks as marks_of
from brikks_vision.games.bloxx.posterior import Posterior
from brikks_vision.games.bloxx.print_doubts import contradicted_prints, open_prints
from brikks_vision.games.bloxx.proofs import FAULTS, sure_violations
from brikks_vision.games.bloxx.reading import (
    BloxxPoints,
    BloxxReading,
    RowBonusReading,
    ShapeReading,
)
from brikks_vision.layout import Cell, Layout, PrintDoubt
from brikks_vision.reading import ViolationReading
from brikks_vision.rules.bloxx.referee import Verdict, referee
from brikks_vision.rules.bloxx.scoring import Score, score
from brikks_vision.rules.bloxx.state import BonusMark, Shape, SheetState, Written
from brikks_vision.rules.bloxx.violations import Part, Violation

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
