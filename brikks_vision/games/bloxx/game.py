"""BLOXX! as a definition (`brikks_vision.infer.game`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from brikks_vision.games.bloxx import SETTINGS, compare, places
from brikks_vision.games.bloxx.bonuses import NUMBERS, PENALTIES, ROWS, TOTAL
from brikks_vision.games.bloxx.cells import STATES, cell_losses
from brikks_vision.games.bloxx.decode import decode
from brikks_vision.games.bloxx.posterior import Posterior
from brikks_vision.games.bloxx.print_doubts import contradicted_prints, open_prints
from brikks_vision.games.bloxx.reading import (
    BloxxPoints,
    BloxxReading,
    RowBonusReading,
    ShapeReading,
    stands,
)
from brikks_vision.infer.certainty import drawn_rows, with_open_prints
from brikks_vision.infer.costs import MIN_RIGHT_FIGURE, MIN_TOLD_FIGURE, MIN_UNREADABLE_CELL
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.game import NO_ANSWERS, Inks, SheetGame, later
from brikks_vision.infer.judging import FigureName, Judgement, Margins, Values, told_figures
from brikks_vision.infer.misread import Faults, Scope
from brikks_vision.infer.protocol import Learner
from brikks_vision.layout import CELL, Cell, Layout, Mark, Point, load_layout
from brikks_vision.reading import GameSettings, Setting, ViolationReading
from brikks_vision.reading.views import Outline, PartView
from brikks_vision.rules.bloxx.referee import Part, Rule, Verdict, referee
from brikks_vision.rules.bloxx.sheet import phrase
from brikks_vision.rules.bloxx.state import BonusMark, Shape, SheetState, Written, below, score
from brikks_vision.rules.bloxx.state import Mark as CellMark
from brikks_vision.rules.shapes import Violation
from brikks_vision.text.phrases import Translator

# How far the drawn marks reach, in cells; of a bonus, as a multiple of half its width.
REACHES = {"cross": 0.24, "ring": 0.36, "fill": 0.34}
BONUS_SIGNS = {str(BonusMark.CIRCLED): ("ring", 1.12), str(BonusMark.STRUCK): ("struck", 1.0)}
BELOW_FIGURES = 0.4  # cells, from the place of a figure to the points
SHAPE_FAULTS = (Rule.NOT_A_SHAPE, Rule.TWO_CIRCLES, Rule.WRONG_CIRCLE)
"""Broken rules of a single shape."""
FIGURES: Mapping[str, str] = {
    Rule.WRITTEN_ROWS: ROWS,
    Rule.WRITTEN_NUMBERS: NUMBERS,
    Rule.WRITTEN_PENALTY: PENALTIES,
    Rule.WRITTEN_TOTAL: TOTAL,
}
"""The figure that each of these rules is about."""

FAULTS = Faults(
    {
        Rule.NOT_A_SHAPE: Scope.GROUP,
        Rule.STRAY_MARK: Scope.GROUP,
        Rule.TWO_CIRCLES: Scope.GROUP,
        Rule.WRONG_CIRCLE: Scope.GROUP,
        Rule.FLOATING: Scope.REST,
        Rule.FIRST_SHAPE: Scope.GRID,
        Rule.ORDER: Scope.GRID,
        Rule.OPEN_GAP: Scope.PLACE,
        Rule.FALSE_GAP: Scope.COLUMN,
        Rule.ROW_BONUS: Scope.ROW,
        **dict.fromkeys(FIGURES, Scope.FIGURE),
    },
    sums=(Rule.WRITTEN_TOTAL,),
    min_figure=MIN_RIGHT_FIGURE,
)


def written_of(values: Values) -> Written:
    """The player's figures."""
    return Written(**{name: value for (name, _), value in values.items()})


class Bloxx(SheetGame):
    """A grid of outlined shapes with a circle each, coloured rows with bonuses, and gaps."""

    NAME, TITLE = "bloxx", "BLOXX!"
    INKS: Mapping[str, Inks] = {
        CELL: {
            CellMark.CROSS: (Mark.CROSS,),
            CellMark.CIRCLE: (Mark.RING,),
            CellMark.GAP: (Mark.FILL,),
        },
        "bonus": {BonusMark.CIRCLED: (Mark.RING,), BonusMark.STRUCK: (Mark.CROSS,)},
    }
    OPEN_MARKS: Mapping[str, str] = {"bonus": BonusMark.OPEN}
    FAULTS: Faults = FAULTS
    WRITTEN: Mapping[str, str] = FIGURES
    TAKEN_OFF: tuple[str, ...] = (PENALTIES,)
    COUNTED: tuple[str, ...] = ("bonus",)
    SETTINGS: tuple[Setting, ...] = SETTINGS
    COLUMNS: tuple[str, ...] = ("rows", "numbers", "penalty")
    PART_FIELDS: Mapping[str, str] = {"bonus": "row"}
    TRACES = compare.TRACES

    marks = staticmethod(places.marks)
    counted = staticmethod(places.counted)
    answers_there = staticmethod(places.answers_there)
    stands = staticmethod(stands)

    table = compare.table
    coach = later("brikks_vision.games.bloxx.coach", "coach")

    def posterior(
        self, evidence: Evidence, layout: Layout, answers: Mapping[str, str] = NO_ANSWERS
    ) -> Posterior:
        """Raises ValueError: the layout says something that is no BLOXX! sheet."""
        figures = {name: each[0] for name, each in evidence.figures.items() if each}
        return decode(evidence.marks, places.sheet_of(layout), answers, figures)

    def verdict(
        self, posterior: Posterior, state: SheetState, written: Values, known: GameSettings
    ) -> Verdict:
        verdict = referee(state, written_of(written))
        return replace(verdict, violations=FAULTS.standing(verdict.violations, posterior.hidden))

    def proof(
        self,
        violation: Violation,
        posterior: Posterior,
        judge: Callable[[SheetState], Verdict],
    ) -> float:
        """How surely gaps show at all where one is called open.

        A pen that hardly shows is overlooked in all of them: only one may be less clear.
        """
        if violation.rule is not Rule.OPEN_GAP:
            return 1.0
        covered = below(posterior.state.drawn, posterior.state.sheet)
        gaps = (posterior.state.gaps & covered) - posterior.hidden.cells
        of_gap = posterior.evidence.cells.probabilities[..., STATES.index(CellMark.GAP)]
        return float(min(sorted(of_gap[cell] for cell in gaps)[1:], default=1.0))

    def margins(self, evidence: Evidence, posterior: Posterior, layout: Layout) -> Margins:
        losses = {CELL: cell_losses(evidence.marks)}
        bonuses = [of for row in posterior.evidence.rows for of in row.losses]
        if bonuses:
            losses["bonus"] = np.array([[of[mark] for mark in BonusMark] for of in bonuses])
        ranked = {field: np.sort(of, axis=-1) for field, of in losses.items()}
        margins = {field: of[..., 1] - of[..., 0] for field, of in ranked.items()}
        return margins, {field: of.argmin(axis=-1) for field, of in losses.items()}

    def needs_full_pass(self, posterior: Posterior, evidence: Evidence) -> bool:
        """Whether any rule is broken, told or not, or a figure is hardly read."""
        figures = self.figures_given(evidence.figures, posterior)
        least = min((each.probability for of in figures.values() for each in of), default=1.0)
        found = self.verdict(posterior, posterior.state, told_figures(figures), {}).violations
        return least < MIN_TOLD_FIGURE or bool(found)

    def reading(self, name: str, found: Judgement) -> BloxxReading:
        posterior, layout = found.posterior, found.layout
        state, points = posterior.state, score(posterior.state)
        surely = dict(found.standing)

        def judge(state: SheetState) -> Verdict:
            return self.verdict(posterior, state, found.written, found.known)

        on = (state, written_of(found.as_read))
        prints, standing = open_prints(layout.doubts, *on, [*surely], judge)
        if not prints and not posterior.hidden:
            prints, standing = contradicted_prints(layout.unsaid, *on, standing, judge)
        violations = tuple(_told(each, surely[each], posterior) for each in standing)
        reading = BloxxReading(
            photo=name,
            grid=_grid_strings(posterior),
            shapes=tuple(_shape_reading(shape, posterior) for shape in state.shapes),
            row_bonus=_row_bonuses(state),
            written=written_of(found.written),
            score=BloxxPoints(points.rows, points.numbers, points.penalty, points.total),
            **{**found.told, "violations": violations},
        )
        return with_open_prints(reading, prints)

    def check(self, layout: Layout) -> None:
        from brikks_vision.games.bloxx.learn import check

        check(layout)

    def outlines(self, reading: BloxxReading, layout: Layout) -> Sequence[Outline]:
        """The shapes, in the colours of the layout by turns; where a rule is broken, in none."""
        colors = list(layout.colors)
        wrong = {
            cell for each in reading.violations if each.rule in SHAPE_FAULTS for cell in each.cells
        }
        return [
            Outline(
                shape.cells,
                colors[number % len(colors)] if colors and wrong.isdisjoint(shape.cells) else None,
            )
            for number, shape in enumerate(reading.shapes)
        ]

    def sign(self, field: str, mark: str, layout: Layout) -> tuple[str, float]:
        if field == CELL:
            kind, _ = super().sign(field, mark, layout)
            return kind, REACHES[kind]
        kind, share = BONUS_SIGNS[mark]
        return kind, share * layout.fields[field].radius

    def written(self, reading: BloxxReading) -> Mapping[FigureName, int | None]:
        own = reading.written or Written()
        return {(name, 0): getattr(own, name) for name in (ROWS, NUMBERS, PENALTIES, TOTAL)}

    def parts(self, reading: BloxxReading, layout: Layout) -> Sequence[PartView]:
        points = reading.score
        gaps = phrase("gaps-coloured", count=sum(line.count("#") for line in reading.grid))
        return (
            PartView(phrase("points-rows"), points.rows, at=below_figure(ROWS, layout)),
            PartView(phrase("points-numbers"), points.numbers, at=below_figure(NUMBERS, layout)),
            PartView(
                phrase("points-penalty"), points.penalty, gaps, below_figure(PENALTIES, layout)
            ),
        )

    def columns(self, reading: BloxxReading) -> Mapping[str, object]:
        return {name: getattr(reading.score, name) for name in self.COLUMNS}

    def learner(self) -> Learner:
        """Learns a printing from a photo of its empty sheet."""
        from brikks_vision.games.bloxx import learn

        return Learner(learn.propose, learn.values_of)

    def printer(self, paper: str, per_page: int, style: str, words: Translator) -> bytes:
        """A sheet to print, as a PDF; raises UnknownValue."""
        from brikks_vision.printing.page import sheet_pdf  # takes long to import

        layout = load_layout(self.NAME)

        def told(key: str) -> str:
            return words(phrase(f"printed-{key}", title=layout.title))

        sides = {"light": (self.NAME, f"{self.NAME}-back")}
        return sheet_pdf(layout, sides, paper, per_page, style, told)


def below_figure(figure: str, layout: Layout) -> Point | None:
    """Below the place where the player writes a figure; None where there is none."""
    if figure not in layout.figures:
        return None
    places = layout.figures[figure]
    x, y = places.centres[0]
    return x, y + places.size[1] / 2 + BELOW_FIGURES


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
        is_told = posterior.chances[(*cell, STATES.index(mark))] >= 1 - MIN_UNREADABLE_CELL
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


DEFINITION: Bloxx = Bloxx()
