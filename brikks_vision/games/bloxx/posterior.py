"""The posterior of a BLOXX! sheet: its most probable state, and what else it could be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import exp

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.bloxx.bonuses import (
    NUMBERS,
    PENALTIES,
    ROWS,
    TOTAL,
    Bonuses,
    RowEvidence,
    right_figures,
)
from brikks_vision.games.bloxx.cells import STATES, CellEvidence
from brikks_vision.games.bloxx.places import bonus_name, marks
from brikks_vision.infer.answers import cell_at, cell_name
from brikks_vision.infer.certainty import OtherMark
from brikks_vision.infer.costs import MAX_EXTRA_REGRET, MIN_OPEN_STATE
from brikks_vision.infer.grid import NOTHING_HIDDEN, GridPart, GridPosterior, GridState, Hidden
from brikks_vision.infer.judging import FigureName
from brikks_vision.infer.misread import Change, blocks_otherwise, other_marks
from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Shape, SheetState, score
from brikks_vision.rules.shapes import bottom_up

DRAWN = (Mark.CROSS, Mark.CIRCLE)


@dataclass(frozen=True, eq=False)
class SheetEvidence:
    """What the evidence of a sheet says: of its cells, and of the bonuses of each coloured row."""

    sheet: Sheet
    cells: CellEvidence
    rows: tuple[RowEvidence, ...]

    @cached_property
    def _not_drawn(self) -> tuple[list[list[Mark]], list[list[Mark]]]:
        """By cell, what it bears if it is not drawn: uncovered, and covered."""
        uncovered, covered = (
            [[Mark.GAP if logit > 0 else Mark.EMPTY for logit in line] for line in logits.tolist()]
            for logits in self.cells.gap_logits
        )
        return uncovered, covered

    def state(
        self, drawn: Collection[Cell], circles: Collection[Cell], shapes: Iterable[Shape]
    ) -> SheetState:
        """The most probable state with these drawn cells, circles and outlined shapes."""
        grid = []
        covered = [False] * self.sheet.columns
        for row in range(self.sheet.rows):
            line = [self._not_drawn[is_covered][row][at] for at, is_covered in enumerate(covered)]
            for at in range(self.sheet.columns):
                if (row, at) in drawn:
                    line[at] = Mark.CIRCLE if (row, at) in circles else Mark.CROSS
                    covered[at] = True
            grid.append(tuple(line))
        bonuses = tuple(
            row.states[self.sheet.row_cells(row.printed.row) <= set(drawn)][0][0]
            for row in self.rows
        )
        return SheetState(self.sheet, tuple(grid), bottom_up(shapes), bonuses)


@dataclass(frozen=True, eq=False)
class Posterior(GridPosterior[SheetState]):
    """The maximum a posteriori state of a sheet, and the probabilities of others.

    parts: states of the grid's parts (which cells are drawn, the shapes and the circles) with their
    probabilities, most probable first. bonuses: the same of the bonuses of each coloured row, given
    the most probable grid. totals: probability of each total. chances: (rows, columns, 4), 0 to 1,
    of each of `cells.STATES`. evidence: of the single marks. hidden: what something hides; in all
    of these it is not drawn. most_totals: probability of each total if all of it is drawn.
    """

    state: SheetState
    parts: tuple[GridPart, ...]
    bonuses: tuple[tuple[tuple[Bonuses, float], ...], ...]
    totals: Mapping[int, float]
    chances: NDArray[np.float64]
    evidence: SheetEvidence
    hidden: Hidden = NOTHING_HIDDEN
    most_totals: Mapping[int, float] = field(default_factory=dict)

    @property
    def ends(self) -> tuple[Mapping[int, float], ...]:
        """The totals if nothing that is hidden is drawn, and if all of it is."""
        return (self.totals, self.most_totals) if self.hidden else ()

    def total(self, state: SheetState) -> int:
        return score(state).total

    def other_marks(self) -> Iterator[OtherMark]:
        """Marks that may be others; of those in which a state differs the least clear is named."""

        def order(where: str, other: SheetState) -> tuple[bool, float]:
            cell = cell_at(where)
            if cell is None:
                return False, 0.0
            losses = self.evidence.cells.losses[cell]
            now, then = self.state.mark(cell), other.mark(cell)
            is_gap_alone = now not in DRAWN and then not in DRAWN
            return is_gap_alone, float(losses[STATES.index(then)] - losses[STATES.index(now)])

        yield from other_marks(self, marks, self.total, order)
        yield from self._other_bonuses()

    def _other_bonuses(self) -> Iterator[OtherMark]:
        """Lower bonuses that may count instead of those that are assumed."""
        total, complete = self.total(self.state), self.state.complete_rows()
        for (own, surely), row in zip(
            (states[0] for states in self.bonuses), self.evidence.rows, strict=True
        ):
            if row.printed.row in complete:
                highest, *lower = row.choices(own)
                for bonus in lower:
                    at = row.printed.bonuses.index(bonus)
                    share = surely / (1 + len(lower))
                    lower_total = total - highest + bonus
                    yield OtherMark(bonus_name(row.first + at), str(own[at]), share, lower_total)

    def changes(self, cells: Iterable[Cell]) -> Iterator[Change[SheetState]]:
        """The sheet with one of these cells, or one bonus, marked otherwise."""
        state, grid = self.state, {*self.state.sheet.cells}
        for cell in (each for each in cells if each in grid):
            now = state.mark(cell)
            for mark in (each for each in STATES if each is not now):
                shapes = [state.shapes]
                if (mark in DRAWN) is not (now in DRAWN):
                    shapes = [*blocks_otherwise(cell, state.drawn, state.shapes)]
                for each in shapes:
                    otherwise = replace(state.with_marks({cell: mark}), shapes=bottom_up(each))
                    yield Change(cell_name(cell), otherwise)
        for evidence, (row, figures) in zip(
            self.evidence.rows, enumerate(state.bonuses), strict=True
        ):
            for at, bonus in enumerate(figures):
                for other in (each for each in BonusMark if each is not bonus):
                    name = bonus_name(evidence.first + at)
                    yield Change(name, state.with_bonus(row, at, other))

    def right_figures(self) -> Mapping[FigureName, Sequence[int]]:
        """By figure, its right values, the likeliest first."""
        right = right_figures(score(self.state))
        return {(name, 0): values for name, values in right.items()}

    def summed(self, name: FigureName) -> Sequence[str]:
        """The places that a figure sums."""
        sheet = self.state.sheet
        cells = [cell_name(cell) for cell in sheet.cells]
        bonuses = [where for where in marks(self.state) if where not in cells]
        rows = [
            cell_name(cell)
            for row in sheet.colored_rows
            for cell in sorted(sheet.row_cells(row.row))
        ]
        return {
            ROWS: [*bonuses, *rows],
            NUMBERS: [cell_name(number.cell) for number in sheet.numbers],
            PENALTIES: cells,
            TOTAL: [*cells, *bonuses],
        }[name[0]]

    def beside_grid(self) -> list[list[tuple[float, SheetState]]]:
        """The other states of each cell that is not drawn, and of each row's bonuses."""
        cells = [
            [(p, self.state.with_marks({cell: mark}))]
            for cell, mark, p in self.other_gaps()
            if p >= MIN_OPEN_STATE
        ]
        bonuses = [
            [(p, self.with_bonuses(row, own)) for own, p in states[1:]]
            for row, states in enumerate(self.bonuses)
        ]
        return [*cells, *bonuses]

    def with_part(self, best: GridState, other: GridState) -> SheetState:
        """The most probable sheet with another state of one of its parts."""
        shapes = [shape for shape in self.state.shapes if shape not in best.blocks]
        drawn, circles = self.state.drawn - best.crossed, self.state.circles - best.ringed
        return self.evidence.state(
            drawn | other.crossed, circles | other.ringed, (*shapes, *other.blocks)
        )

    def other_gaps(self) -> list[tuple[Cell, Mark, float]]:
        """Cells that are not drawn, their other mark (coloured in, or nothing), and how probably.

        The probability is among the two, given that they are not drawn.
        """
        found = []
        for cell in self.state.sheet.cells:
            if cell in self.state.drawn or cell in self.hidden.cells:
                continue
            now, other = Mark.GAP, Mark.EMPTY
            if self.state.mark(cell) is Mark.EMPTY:
                now, other = other, now
            p_now, p_other = (
                float(self.chances[(*cell, STATES.index(mark))]) for mark in (now, other)
            )
            if p_other > p_now * exp(-MAX_EXTRA_REGRET):
                found.append((cell, other, p_other / (p_now + p_other)))
        return found

    def with_bonuses(self, row: int, bonuses: Bonuses) -> SheetState:
        """The most probable state with other bonuses of one coloured row, from 0."""
        state = self.state
        for figure, mark in enumerate(bonuses):
            state = state.with_bonus(row, figure, mark)
        return state


def mark_probabilities(
    parts: Iterable[GridPart], state: SheetState, evidence: CellEvidence
) -> NDArray[np.float64]:
    """(rows, columns, 4) probability 0 to 1 of each of `cells.STATES`.

    Whether a cell that is not drawn is covered is taken from the most probable state.
    """
    probabilities = np.zeros(evidence.losses.shape)
    for part in parts:
        for other, p in part.states:
            for cell in other.crossed:
                mark = Mark.CIRCLE if cell in other.ringed else Mark.CROSS
                probabilities[(*cell, STATES.index(mark))] += p
    probabilities = np.clip(probabilities, 0.0, 1.0)
    rest = np.clip(1 - probabilities.sum(axis=-1), 0.0, 1.0)
    drawn = np.array([[mark in (Mark.CROSS, Mark.CIRCLE) for mark in line] for line in state.grid])
    covered = np.zeros_like(drawn)
    covered[1:] = np.logical_or.accumulate(drawn, axis=0)[:-1]
    if_uncovered, if_covered = evidence.gap_logits
    gap = 1 / (1 + np.exp(-np.where(covered, if_covered, if_uncovered)))
    probabilities[..., STATES.index(Mark.GAP)] = rest * gap
    probabilities[..., STATES.index(Mark.EMPTY)] = rest * (1 - gap)
    return probabilities
