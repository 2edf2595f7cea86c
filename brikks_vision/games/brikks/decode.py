"""Where evidence and rules meet: the maximum a posteriori Brikks sheet, and the odds of others.

The evidence gives the log-odds of every single mark. The rules say how marks depend on each other:
crosses come in outlined blocks of the overview, energy is circled from the left and crossed out
only where it is circled, bars fill from the left and bombs from the top, and the blocks on the grid
tell how many points and extra crosses there can be. The probability of a sheet is the product of
the evidence's and of a fixed cost for each broken rule (`brikks_vision.infer.costs`). So the
rules settle faint evidence, while clear evidence against the rules stands, as a violation for the
referee.

The parts of a sheet are nearly independent: groups of cells (`brikks_vision.infer.groups`), and
the bars, which depend on the most probable grid alone. Their posteriors together give that of the
total. What the player wrote is evidence, too: a row's figure for its crosses, the total for the
bars.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks.bars import (
    BarState,
    bar_states,
    count_costs,
    range_of_bars,
    with_bar_state,
)
from brikks_vision.games.brikks.reading import (
    BOMBS,
    BOXES,
    CELLS,
    HORIZONTALS,
    MARKS,
    RINGS,
    STRIKES,
    VERTICALS,
    marks,
)
from brikks_vision.infer import groups
from brikks_vision.infer.answers import cell_name, seen_with
from brikks_vision.infer.certainty import OtherMark
from brikks_vision.infer.costs import ANSWERED, CONTRADICTED_EXPONENT, RULED_OUT, summed
from brikks_vision.infer.figures import (
    RowPoints,
    added,
    grid_points,
    in_proportion,
    weighed_by_row_figures,
    weighed_by_total,
)
from brikks_vision.infer.grid import (
    NOTHING_HIDDEN,
    GridEvidence,
    GridPart,
    GridPosterior,
    GridState,
    Hidden,
    cell_probabilities,
    cells_of,
    confidence,
    hidden_on,
    tempered,
)
from brikks_vision.infer.judging import FigureName
from brikks_vision.infer.misread import Change, blocks_otherwise, other_marks
from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import SheetState, blank_sheet, by_shape, with_point_flipped
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import Setting, Sheet, settings
from brikks_vision.rules.shapes import Shape, bottom_up


@dataclass(frozen=True)
class MarkEvidence:
    """Probability 0.5 to 1 of the likelier state of each mark, by its own evidence and no rule.

    1 where something hides it. points: (points,) activated (circled or crossed out) or not; 1 where
    the ring is printed.
    boxes: (boxes,). bombs: (bombs,).
    """

    points: tuple[float, ...]
    boxes: tuple[float, ...]
    bombs: tuple[float, ...]


@dataclass(frozen=True)
class Posterior(GridPosterior[SheetState]):
    """The maximum a posteriori state of a sheet, and the probabilities of others.

    parts, bars: states with their probabilities, most probable first. totals: probability of
    each total. cells: probability 0 to 1 that each cell is crossed, (rows, columns).
    evidence: how clear single marks are. hidden: what something hides; in ``state``, ``parts`` and
    ``totals`` it is not marked.
    """

    state: SheetState
    parts: tuple[GridPart, ...]
    bars: tuple[tuple[BarState, float], ...]
    totals: Mapping[int, float]
    cells: NDArray[np.float64]
    evidence: MarkEvidence
    hidden: Hidden = NOTHING_HIDDEN

    @property
    def ends(self) -> tuple[Mapping[int, float], ...]:
        """The posteriors of the least and of the most total that hidden places leave open."""
        if not self.hidden:
            return ()
        sheet, found = self.state.sheet, []
        for pick in (min, max):
            beside = summed(
                (pick(range_of_bars(bar, self.hidden, sheet)), p) for bar, p in self.bars
            )
            rows = grid_points(self.parts, row_points(sheet, self.hidden, pick), sheet.rows)
            found.append(in_proportion(added(rows, beside)))
        return tuple(found)

    def total(self, state: SheetState) -> int:
        return score(state).total

    def other_marks(self) -> Iterator[OtherMark]:
        """Marks that may be others; points of energy last, as many are misread together."""
        return other_marks(
            self, marks, self.total, lambda where, _: (where.startswith("energy"), 0.0)
        )

    def changes(self, cells: Iterable[Cell]) -> Iterator[Change[SheetState]]:
        """The sheet with one of these cells, or one place of the bars, marked otherwise."""
        state, grid = self.state, {*self.state.sheet.cells}
        for cell in (each for each in cells if each in grid):
            for blocks in blocks_otherwise(cell, state.crossed, state.blocks):
                crossed = state.crossed ^ {cell}
                otherwise = replace(state, crossed=crossed, blocks=bottom_up(blocks))
                yield Change(cell_name(cell), otherwise)
        for point in range(len(state.energy)):
            if point not in state.sheet.preprinted:
                yield Change(f"energy {point}", with_point_flipped(state, point))
        for box in range(len(state.bonus)):
            yield Change(f"box {box}", replace(state, bonus=flipped(state.bonus, box)))
        for bomb in range(len(state.bombs)):
            yield Change(f"bomb {bomb}", replace(state, bombs=flipped(state.bombs, bomb)))

    def right_figures(self) -> Mapping[FigureName, Sequence[int]]:
        """By figure, its right value."""
        return {("rows", row): (each,) for row, each in enumerate(score(self.state).rows)}

    def summed(self, name: FigureName) -> Sequence[str]:
        """The places that a figure sums."""
        if name[0] == "rows":
            return [cell_name((name[1], column)) for column in range(self.state.sheet.columns)]
        return [*marks(self.state)]

    def beside_grid(self) -> list[list[tuple[float, SheetState]]]:
        """The other states of the bars."""
        return [[(p, with_bar_state(self.state, bar)) for bar, p in self.bars[1:]]]

    def with_part(self, best: GridState, other: GridState) -> SheetState:
        """The most probable sheet with another state of one of its parts."""
        blocks = [block for block in self.state.blocks if block not in best.blocks]
        return replace(
            self.state,
            crossed=self.state.crossed - best.crossed | other.crossed,
            blocks=bottom_up([*blocks, *other.blocks]),
        )


def row_points(
    sheet: Sheet, hidden: Hidden = NOTHING_HIDDEN, pick: Callable[[Iterable[int]], int] = max
) -> RowPoints:
    """The least, or the most, points of each row by its crosses that show."""
    more = Counter(row for row, _ in hidden.cells)
    return lambda row, crosses: pick(
        sheet.row_points.get(crosses + count, 0) * sheet.row_factors[row]
        for count in range(more[row] + 1)
    )


def flipped(marks: tuple[bool, ...], at: int) -> tuple[bool, ...]:
    """The marks of a bar with another one in one place."""
    return (*marks[:at], not marks[at], *marks[at + 1 :])


def decode(
    marks: Marks,
    sheet: Sheet,
    answers: Mapping[str, str],
    games: Sequence[Setting] = settings(),
    figures: Sequence[Figure] = (),
    total: Figure | None = None,
) -> Posterior:
    """The posterior of a sheet under its evidence and the rules.

    ``answers`` fix single marks: "cell 3,4", "energy 12", "box 5" or "bomb 1" to "X", ".", or an
    energy state. ``games``: the settings that the sheet may come from. ``figures``: what the player
    wrote beside the rows, top first; ``total``: in the field for the total. Where something hides
    a place, the rest of the sheet is decoded without it, and no figure tells of it.
    """
    marks = _answered(tempered(marks), answers)
    hidden = hidden_on(marks.covered, MARKS, sheet.rows, sheet.columns)
    points = row_points(sheet)
    figures = [
        Figure(None, 1.0) if row in hidden.rows else figure for row, figure in enumerate(figures)
    ]
    other_values = len({*sheet.row_points.values(), 0}) - 1
    parts = groups.grid_parts(evidence_of_grid(marks, sheet))
    parts = weighed_by_row_figures(parts, figures, points, sheet.rows, other_values)
    crossed = frozenset[Cell]().union(*(part.states[0][0].crossed for part in parts))
    blocks = bottom_up([block for part in parts for block in part.states[0][0].blocks])
    grid = replace(blank_sheet(sheet), crossed=crossed, blocks=blocks)
    sure = 0.0 if hidden else confidence(parts)
    bars = weighed_by_total(
        bar_states(marks, sheet, count_costs(grid, sure, games), hidden),
        lambda bar: score(with_bar_state(grid, bar)).total,
        sure,
        None if hidden else total,
    )
    state = with_bar_state(grid, bars[0][0])
    return Posterior(
        state,
        parts,
        bars,
        _totals(state, parts, bars),
        cell_probabilities(parts, marks[CELLS].shape),
        _evidence_of_marks(marks, sheet),
        hidden,
    )


def less_sure(posterior: Posterior, is_contradicted: bool) -> Posterior:
    """The posterior by which a total counts as sure; violations are judged by the other one.

    As if the rules of blocks were broken more often, if any are outlined. is_contradicted: the
    rest of the sheet contradicts the bars. Then a misreading is about as probable as a slip of the
    player, so that the probabilities of the bars' states are raised to the power
    `CONTRADICTED_EXPONENT`, except for states that the evidence all but rules out.
    """
    parts, bars = posterior.parts, posterior.bars
    if posterior.state.blocks:
        shapes = _shapes(posterior.state.sheet)
        parts = tuple(groups.less_sure_of_rules(part, shapes) for part in parts)
    if is_contradicted:
        own = np.array([probability for _, probability in bars])
        weights = np.where(own > RULED_OUT, own**CONTRADICTED_EXPONENT, own)
        weights /= weights.sum()
        bars = tuple((bar, float(each)) for (bar, _), each in zip(bars, weights, strict=True))
    totals = _totals(posterior.state, parts, bars)
    return replace(posterior, parts=parts, bars=bars, totals=totals)


def evidence_of_grid(marks: Marks, sheet: Sheet) -> GridEvidence:
    """The evidence of the grid, and the shapes of the block overview."""
    return GridEvidence(
        marks[CELLS],
        marks[VERTICALS],
        marks[HORIZONTALS],
        _shapes(sheet),
        covered=cells_of(marks.covered),
    )


@cache
def _shapes(sheet: Sheet) -> tuple[Shape, ...]:
    return tuple(by_shape(sheet))


def _answered(marks: Marks, answers: Mapping[str, str]) -> Marks:
    """The marks with the answered ones made certain, whether or not something hides them."""
    if not answers:
        return marks
    arrays = {key: array.copy() for key, array in marks.logits.items()}
    for where, read in answers.items():
        kind, _, place = where.partition(" ")
        logit = ANSWERED if read in ("X", "used", "off") else -ANSWERED
        if kind == "cell":
            row, column = (int(number) for number in place.split(","))
            arrays[CELLS][row, column] = logit
        elif kind == "energy":
            arrays[STRIKES][int(place)] = logit
            arrays[RINGS][int(place)] = -ANSWERED if read == "open" else ANSWERED
        elif kind == "box":
            arrays[BOXES][int(place)] = logit
        else:
            arrays[BOMBS][int(place)] = logit
    return replace(
        marks,
        logits=arrays,
        covered=seen_with(marks.covered, answers),
        cancelled=seen_with(marks.cancelled, answers),
    )


def _evidence_of_marks(marks: Marks, sheet: Sheet) -> MarkEvidence:
    def likelier(logits: NDArray[np.float64], field: str) -> NDArray[np.float64]:
        found = 1 / (1 + np.exp(-np.abs(logits)))
        return np.where(marks.covered.get(field, False), 1.0, found)

    activated = np.maximum(marks[RINGS], marks[STRIKES])
    activated[list(sheet.preprinted)] = np.inf
    return MarkEvidence(
        tuple(likelier(activated, "energy").tolist()),
        tuple(likelier(marks[BOXES], "box").tolist()),
        tuple(likelier(marks[BOMBS], "bomb").tolist()),
    )


def _totals(
    state: SheetState, parts: tuple[GridPart, ...], bars: tuple[tuple[BarState, float], ...]
) -> dict[int, float]:
    """The posterior of the total, over the states kept of each part."""
    without_rows = replace(state, crossed=frozenset())
    beside = summed((score(with_bar_state(without_rows, bar)).total, p) for bar, p in bars)
    of_row = row_points(state.sheet)
    return in_proportion(added(grid_points(parts, of_row, state.sheet.rows), beside))
