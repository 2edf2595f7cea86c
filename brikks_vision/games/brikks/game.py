"""Brikks as a definition (`brikks_vision.infer.game`).

What a scan does not need is imported where it is asked for: the command starts sooner.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from brikks_vision.detect.figures import Figures
from brikks_vision.detect.marks import Key
from brikks_vision.games.brikks import SETTINGS
from brikks_vision.games.brikks import reading as readings
from brikks_vision.games.brikks.decode import Posterior, decode, less_sure
from brikks_vision.games.brikks.proofs import FAULTS, bars_confidence, held_figures
from brikks_vision.games.brikks.reading import (
    BOMBS,
    BOXES,
    CELLS,
    RINGS,
    STRIKES,
    BlockReading,
    BrikksReading,
    game_of,
)
from brikks_vision.infer.certainty import drawn_rows
from brikks_vision.infer.costs import MIN_UNREADABLE_CELL, ways_to_fill
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.game import NO_ANSWERS, Inks, SheetGame, later
from brikks_vision.infer.judging import FigureName, Judgement, Margins, Values
from brikks_vision.infer.misread import Faults
from brikks_vision.infer.protocol import Learner
from brikks_vision.layout import Cell, Layout, Mark, Point, load_layout
from brikks_vision.reading import GameSettings, Setting
from brikks_vision.rules.brikks.blocks import Energy, SheetState, Written, kinds_of, struck_at_setup
from brikks_vision.rules.brikks.placement import BAR_RULES, Rule
from brikks_vision.rules.brikks.referee import Verdict, referee
from brikks_vision.rules.brikks.scoring import level_of_rank, rank, score
from brikks_vision.rules.brikks.sheet import (
    ImpossibleGameError,
    phrase,
    settings,
    sheet_of,
)
from brikks_vision.rules.shapes import Violation
from brikks_vision.text.phrases import Fact, Phrase, Translator, all_of

if TYPE_CHECKING:
    from brikks_vision.reading.views import Outline, PartView, RowView

PRINTED_STYLES = {
    "light": ("brikks-light", "brikks-light-back"),
    "arcade": ("brikks-arcade", "brikks-arcade-back"),
}
PRINTED_PER_PAGE = (1, 2)
PRINTED_LAYOUT = "brikks-light"
COMPARING = "brikks_vision.games.brikks.compare"
CROSSES: Inks = {"X": (Mark.CROSS,)}

SIGNS = {"circled": ("ring", 1.12), "used": ("struck", 1.0), "off": ("off", 1.0)}
CELL_REACH, BOX_REACH, BOMB_REACH = 0.24, 0.76, 0.8
"""How far the drawn marks reach, in cells, or as a multiple of half a place's width."""
_BESIDE_BAR, _BELOW_BOMBS = 0.95, 0.42  # cells, from the last place to the points


def with_points_off(state: SheetState, players: int | None) -> SheetState:
    """The sheet with those used points off that so many players strike at setup.

    Their evidence is the same.
    """
    if players is None:
        return state
    struck = struck_at_setup(state.sheet, players)
    energy = tuple(
        Energy.OFF if point in struck and mark is Energy.USED else mark
        for point, mark in enumerate(state.energy)
    )
    return replace(state, energy=energy)


def written_of(values: Values) -> Written:
    """The player's figures."""
    rows = tuple(value for (name, _), value in values.items() if name == "rows")
    return Written(rows, values.get(("total", 0)))


@lru_cache(maxsize=128)  # the passes over one photo judge the same sheets
def _verdict_on(state: SheetState, said: tuple[tuple[str, Any], ...], written: Written) -> Verdict:
    """The verdict on a sheet on which used points may be points that are off."""
    known = dict(said)
    return referee(with_points_off(state, known.get("players")), written=written, **known)


class Brikks(SheetGame):
    """A grid of outlined blocks, with bars for energy, extra points and bombs."""

    NAME, TITLE = "brikks", "Brikks"
    INKS: Mapping[str, Inks] = {
        "cell": CROSSES,
        "energy": {"circled": (Mark.RING,), "used": (Mark.CROSS,), "off": (Mark.CROSS,)},
        "box": CROSSES,
        "bomb": CROSSES,
    }
    MARKS: Mapping[str, tuple[str, ...]] = readings.MARKS
    FAULTS: Faults = FAULTS
    WRITTEN: Mapping[str, str] = {Rule.WRITTEN_ROW: "rows", Rule.WRITTEN_TOTAL: "total"}
    COUNTED: tuple[str, ...] = ("box", "bomb")
    SETTINGS: tuple[Setting, ...] = SETTINGS
    COLUMNS: tuple[str, ...] = ("lines", "bonus", "bombs", "energy")
    PART_FIELDS: Mapping[str, str] = {"energy": "energy", "bonus": "box", "bombs": "bomb"}
    FORMER_KEYS: Mapping[str, Key] = readings.FORMER_KEYS

    TRACES = later(COMPARING, "TRACES")
    table = later(COMPARING, "table")
    turns = later(COMPARING, "turns")
    follow = later(COMPARING, "follow")
    coach = later("brikks_vision.games.brikks.coach", "coach")

    combined = staticmethod(readings.combined)
    known = staticmethod(game_of)
    marks = staticmethod(readings.marks)

    # --- how it is read ---------------------------------------------------------------------------

    def posterior(
        self, evidence: Evidence, layout: Layout, answers: Mapping[str, str] = NO_ANSWERS
    ) -> Posterior:
        """Raises ImpossibleGameError: no game has these players, this level and this variant."""
        figures, games = evidence.figures, settings(**game_of(evidence))
        total = next(iter(figures.get("total", ())), None)
        sheet = sheet_of(layout)
        return decode(evidence.marks, sheet, answers, games, figures["rows"], total)

    def verdict(
        self, posterior: Posterior, state: SheetState, written: Values, known: GameSettings
    ) -> Verdict:
        verdict = _verdict_on(state, tuple(known.items()), written_of(written))
        return replace(verdict, violations=FAULTS.standing(verdict.violations, posterior.hidden))

    def figures_given(
        self, figures: Figures, posterior: Posterior, layout: Layout | None = None
    ) -> Figures:
        return held_figures(figures, score(posterior.state), posterior.hidden.rows)

    def proof(
        self,
        violation: Violation,
        posterior: Posterior,
        judge: Callable[[SheetState], Verdict],
    ) -> float:
        return bars_confidence(violation, posterior, judge)

    def doubted(self, posterior: Posterior, verdict: Verdict) -> Posterior:
        is_of_bars = any(each.rule in BAR_RULES for each in verdict.violations)
        return less_sure(posterior, is_of_bars)

    def margins(self, evidence: Evidence, posterior: Posterior, layout: Layout) -> Margins:
        """Of energy points, whether they are activated: rings and strikes are rarely mixed up."""
        marks = evidence.marks
        logits = {key[0]: marks[key] for key in (CELLS, BOXES, BOMBS)}
        logits["energy"] = np.maximum(marks[RINGS], marks[STRIKES])
        margins = {field: np.abs(of) for field, of in logits.items()}
        return margins, {field: of > 0 for field, of in logits.items()}

    def reading(self, name: str, found: Judgement) -> BrikksReading:
        posterior, verdict, known = found.posterior, found.verdict, found.known
        hidden = posterior.hidden
        state = with_points_off(posterior.state, known.get("players"))
        levels = (known["level"],) if "level" in known else verdict.assumed.level
        ranks = {each: rank(found.total, each) for each in levels}
        undecided = verdict.undecided | ({"level"} if len(set(ranks.values())) > 1 else set())
        return BrikksReading(
            photo=name,
            grid=_grid_strings(posterior),
            blocks=tuple(_block_reading(block, posterior) for block in state.blocks),
            energy=tuple(
                "?" if at in hidden.of("energy") else str(mark)
                for at, mark in enumerate(state.energy)
            ),
            bonus_crosses=_count(state.bonus, hidden.of("box")),
            bombs_used=_count(state.bombs, hidden.of("bomb")),
            written=written_of(found.written),
            score=score(state),
            rank=ranks[level_of_rank(levels)].text() if state.crossed else None,
            assumed=vars(verdict.assumed),
            undecided=tuple(name for name in vars(verdict.assumed) if name in undecided),
            **found.told,
        )

    # --- how it is told ---------------------------------------------------------------------------

    def stands(self, reading: BrikksReading, layout: Layout) -> Mapping[str, str]:
        """Boxes and bombs are crossed from the first on, as many as the reading counts."""
        cells = {
            f"cell {row},{column}": letter
            for row, line in enumerate(reading.grid)
            for column, letter in enumerate(line)
        }
        energy = {f"energy {at}": str(mark) for at, mark in enumerate(reading.energy)}
        counts = {"box": reading.bonus_crosses or 0, "bomb": reading.bombs_used or 0}
        bars = {
            f"{field} {at}": "X" if at < count else "."
            for field, count in counts.items()
            for at in range(len(layout.fields[field].centres))
        }
        return {**cells, **energy, **bars}

    def written(self, reading: BrikksReading) -> Mapping[FigureName, int | None]:
        own = reading.written or Written()
        return {**{("rows", at): each for at, each in enumerate(own.rows)}, ("total", 0): own.total}

    def outlines(self, reading: BrikksReading, layout: Layout) -> Sequence[Outline]:
        from brikks_vision.reading.views import Outline

        return [Outline(block.cells, block.color) for block in reading.blocks]

    def sign(self, field: str, mark: str, layout: Layout) -> tuple[str, float]:
        places = layout.fields[field]
        if field == "energy":
            kind, share = SIGNS[mark]
            return kind, share * places.radius
        if field == "box":
            return "cross", BOX_REACH * min(places.size) / 2
        return ("struck", BOMB_REACH * places.radius) if field == "bomb" else ("cross", CELL_REACH)

    def rows(self, reading: BrikksReading, layout: Layout) -> Sequence[RowView]:
        from brikks_vision.reading.views import RowView

        written = reading.written.rows if reading.written else ()
        hidden = {where.split(",")[0] for where in reading.covered}  # no figure differs there
        return [
            RowView(
                points,
                written[row] if row < len(written) and f"cell {row}" not in hidden else None,
                factor,
            )
            for row, (points, factor) in enumerate(
                zip(reading.score.rows, self.row_names(layout), strict=True)
            )
        ]

    def parts(self, reading: BrikksReading, layout: Layout) -> Sequence[PartView]:
        from brikks_vision.reading.views import PartView

        points, bombs = reading.score, layout.fields["bomb"]
        x, y = bombs.centres[-1]
        below = (x, y + bombs.radius + _BELOW_BOMBS)
        left = None if "?" in reading.energy else reading.energy.count("circled")

        def beside(field: str) -> Point:
            x, y = layout.fields[field].centres[-1]
            return x + _BESIDE_BAR, y

        def counted(key: str, count: int | None) -> Phrase | None:
            return None if count is None else phrase(key, count=count)

        crosses = counted("crossed-boxes", reading.bonus_crosses)
        used = counted("bombs-used", reading.bombs_used)
        energy = counted("energy-left", left)
        return (
            PartView(phrase("points-rows"), points.lines, is_sum=True),
            PartView(phrase("points-bonus"), points.bonus, crosses, beside("box")),
            PartView(phrase("points-bombs"), points.bombs, used, below),
            PartView(phrase("points-energy"), points.energy, energy, beside("energy")),
        )

    def columns(self, reading: BrikksReading) -> Mapping[str, object]:
        return {name: getattr(reading.score, name) for name in self.COLUMNS}

    def row_names(self, layout: Layout) -> tuple[str, ...]:
        """What the points of the rows are multiplied with, top first."""
        return tuple(f"×{factor}" for factor in sheet_of(layout).row_factors)

    def marks_at(self, where: str) -> tuple[str, ...]:
        """Energy struck at setup looks like used."""
        marks = super().marks_at(where)
        return tuple(mark for mark in marks if mark != Energy.OFF)

    def counted(self, where: str, layout: Layout) -> Mapping[str, Fact]:
        """As in the printed rules; bombs and boxes by their printed figure."""
        field, _, at = where.partition(" ")
        figures = {"bomb": sheet_of(layout).bomb_points, "box": sheet_of(layout).bonus_values}
        if field in figures:
            return {"figure": figures[field][int(at)]}
        return super().counted(where, layout)

    def answers_there(self, layout: Layout) -> Phrase:
        sheet = sheet_of(layout)
        return phrase(
            "answers-there",
            rows=sheet.rows,
            columns=sheet.columns,
            energy=sheet.energy_points,
            boxes=all_of(sheet.bonus_values),
            bombs=all_of(sheet.bomb_points),
        )

    def rank_of(self, reading: BrikksReading) -> Phrase | None:
        """The publisher's word for the total, at the level that the game was or may have been."""
        return None if reading.rank is None else rank(reading.score.total, level_of(reading))

    def rank_told(self, reading: BrikksReading) -> Phrase | None:
        named = self.rank_of(reading)
        return named and phrase("rank-told", rank=named, level=level_of(reading))

    # --- its game ---------------------------------------------------------------------------------

    def is_possible(self, known: GameSettings) -> bool:
        """Whether there is a game with these players, this level and this variant."""
        try:
            settings(**known)
        except ImpossibleGameError:
            return False
        return True

    def check(self, layout: Layout) -> None:
        from brikks_vision.games.brikks import learn

        learn.check(layout)

    def learner(self) -> Learner:
        """Learns a printing from a photo of its empty sheet, or of several marked ones."""
        from brikks_vision.games.brikks import learn

        return Learner(learn.propose, learn.values_of, from_marked=learn.learn_from_marked)

    def printer(self, paper: str, per_page: int, style: str, words: Translator) -> bytes:
        """A sheet to print, as a PDF; raises UnknownValue."""
        from brikks_vision.printing.page import sheet_pdf  # takes long to import

        layout = load_layout(PRINTED_LAYOUT)

        def told(key: str) -> str:
            return words(phrase(f"printed-{key}", title=layout.title))

        return sheet_pdf(layout, PRINTED_STYLES, paper, per_page, style, told, PRINTED_PER_PAGE)


def level_of(reading: BrikksReading) -> int:
    """The level that a reading's rank is told for, and its sheet judged at."""
    return level_of_rank([int(level) for level in reading.assumed.get("level", ())])


def _count(marks: tuple[bool, ...], hidden: frozenset[int]) -> int | None:
    """How many places of a bar are marked; None where what is hidden leaves that open."""
    (least, *others) = ways_to_fill(marks, hidden)
    return None if others else sum(least)


def is_unread(probability: float) -> bool:
    """Whether a cell that is crossed so probably cannot be told."""
    return MIN_UNREADABLE_CELL < probability < 1 - MIN_UNREADABLE_CELL


def _grid_strings(posterior: Posterior) -> tuple[str, ...]:
    def letter(cell: Cell) -> str:
        if cell in posterior.hidden.cells or is_unread(posterior.cells[cell]):
            return "?"
        return "X" if cell in posterior.state.crossed else "."

    sheet = posterior.state.sheet
    return drawn_rows(sheet.rows, sheet.columns, letter)


def _block_reading(block: frozenset[Cell], posterior: Posterior) -> BlockReading:
    found = kinds_of(block, posterior.state.sheet)
    confidence = min(
        (
            part.states[0][1]
            for part in posterior.parts
            if not block.isdisjoint(part.cells) or block in part.states[0][0].blocks
        ),
        default=1.0,
    )
    return BlockReading(
        color=found[0].color if found else None,
        columns=found[0].columns if found else (),
        cells=tuple(sorted(block)),
        confidence=confidence,
    )


DEFINITION: Brikks = Brikks()
