"""BLOXX! as a definition (`brikks_vision.infer.game`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from brikks_vision.detect.marks import Key
from brikks_vision.games.bloxx import compare, compose, places, view
from brikks_vision.games.bloxx.bonuses import NUMBERS, PENALTIES, ROWS, TOTAL
from brikks_vision.games.bloxx.posterior import Posterior
from brikks_vision.games.bloxx.reading import BloxxReading, stands
from brikks_vision.games.bloxx.settings import SETTINGS
from brikks_vision.games.learning import sheet_learner
from brikks_vision.infer.evidence import FORMER_KEYS, Evidence
from brikks_vision.infer.game import Inks, SheetGame
from brikks_vision.infer.posterior import FigureName
from brikks_vision.infer.protocol import Learner, Table
from brikks_vision.layout import CELL, Layout, Mark, load_layout
from brikks_vision.reading import Setting
from brikks_vision.reading.views import Outline, PartView
from brikks_vision.rules.bloxx.sheet import phrase
from brikks_vision.rules.bloxx.state import BonusMark, SheetState, Written
from brikks_vision.rules.bloxx.state import Mark as CellMark
from brikks_vision.text.phrases import Fact, Phrase, Translator

# How far the drawn marks reach, in cells; of a bonus, as a multiple of half its width.
REACHES = {"cross": 0.24, "ring": 0.36, "fill": 0.34}
BONUS_SIGNS = {str(BonusMark.CIRCLED): ("ring", 1.12), str(BonusMark.STRUCK): ("struck", 1.0)}


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
    SETTINGS: tuple[Setting, ...] = SETTINGS
    COLUMNS: tuple[str, ...] = ("rows", "numbers", "penalty")
    PART_FIELDS: Mapping[str, str] = {"bonus": "row"}
    FORMER_KEYS: Mapping[str, Key] = FORMER_KEYS
    TRACES = compare.TRACES

    table = Table(compare.is_table, compare.read_game)
    coach = view.coach

    def read(
        self, name: str, evidence: Evidence, layout: Layout, answers: Mapping[str, str]
    ) -> tuple[BloxxReading, Posterior]:
        return compose.read(name, evidence, layout, answers)

    def needs_full_pass(self, posterior: Posterior, evidence: Evidence) -> bool:
        return compose.needs_full_pass(posterior, evidence)

    def check(self, layout: Layout) -> None:
        from brikks_vision.games.bloxx.learn import check

        check(layout)

    def marks(self, state: SheetState) -> Mapping[str, str]:
        return places.marks(state)

    def counted(self, where: str, layout: Layout) -> Mapping[str, Fact]:
        return places.counted(where, layout)

    def answers_there(self, layout: Layout) -> Phrase:
        return places.answers_there(layout)

    def stands(self, reading: BloxxReading, layout: Layout) -> Mapping[str, str]:
        return stands(reading, layout)

    def shown(
        self, reading: BloxxReading, layout: Layout, state: SheetState | None
    ) -> Mapping[str, str]:
        more = {} if state is None else self.marks(state)
        bonuses = {where: mark for where, mark in more.items() if where.startswith("bonus")}
        return {**self.stands(reading, layout), **bonuses}

    def outlines(self, reading: BloxxReading, layout: Layout) -> Sequence[Outline]:
        return view.outlines(reading, layout)

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
            PartView(phrase("points-rows"), points.rows, at=view.below(ROWS, layout)),
            PartView(phrase("points-numbers"), points.numbers, at=view.below(NUMBERS, layout)),
            PartView(phrase("points-penalty"), points.penalty, gaps, view.below(PENALTIES, layout)),
        )

    def columns(self, reading: BloxxReading) -> Mapping[str, object]:
        return {name: getattr(reading.score, name) for name in self.COLUMNS}

    def learner(self) -> Learner:
        """Learns a printing from a photo of its empty sheet."""
        from brikks_vision.games.bloxx import learn

        return sheet_learner(learn.propose, learn.values_of)

    def printer(self, paper: str, per_page: int, style: str, words: Translator) -> bytes:
        """A sheet to print, as a PDF; raises UnknownValue."""
        from brikks_vision.games.bloxx import pdf  # takes long to import

        return pdf.sheet_pdf(load_layout(self.NAME), paper, per_page, style, words)


DEFINITION: Bloxx = Bloxx()
