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

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.brikks.bars import bar_states, count_costs
from brikks_vision.games.brikks.posterior import (
    BarState,
    MarkEvidence,
    Posterior,
    least_points,
    most_points,
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
)
from brikks_vision.infer.answers import seen_with
from brikks_vision.infer.costs import ANSWERED, CONTRADICTED_EXPONENT, RULED_OUT
from brikks_vision.infer.figures import (
    RowPoints,
    added,
    grid_points,
    weighed_by_row_figures,
    weighed_by_total,
)
from brikks_vision.infer.grid import (
    GridEvidence,
    GridPart,
    cell_probabilities,
    cells_of,
    confidence,
    hidden_on,
    tempered,
)
from brikks_vision.infer.groups import grid_parts
from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import SheetState, blank_sheet, by_shape
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import Setting, Sheet, settings
from brikks_vision.rules.shapes import Shape, bottom_up


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
    parts = grid_parts(evidence_of_grid(marks, sheet))
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


def range_of_totals(posterior: Posterior) -> tuple[Mapping[int, float], Mapping[int, float]]:
    """The posteriors of the least and of the most total that the hidden places leave open."""
    state, hidden = posterior.state, posterior.hidden
    points, rows = row_points(state.sheet), state.sheet.rows
    found = []
    for of_row, end in ((least_points(points, hidden), 0), (most_points(points, hidden), 1)):
        beside: dict[int, float] = {}
        for bar, p in posterior.bars:
            total = range_of_bars(bar, hidden, state.sheet)[end]
            beside[total] = beside.get(total, 0.0) + p
        totals = added(grid_points(posterior.parts, of_row, rows), beside)
        whole = sum(totals.values())
        found.append({total: p / whole for total, p in totals.items()})
    return found[0], found[1]


def less_sure_of_bars(posterior: Posterior) -> Posterior:
    """The posterior where the bars contradict the rest of the sheet.

    Then a misreading is about as probable as a slip of the player, so that the probabilities of the
    bars' states are raised to the power `CONTRADICTED_EXPONENT`, except for states that the
    evidence all but rules out. (Violations are judged by the states' own probabilities.)
    """
    own = np.array([probability for _, probability in posterior.bars])
    weights = np.where(own > RULED_OUT, own**CONTRADICTED_EXPONENT, own)
    weights /= weights.sum()
    bars = tuple(
        (state, float(weight)) for (state, _), weight in zip(posterior.bars, weights, strict=True)
    )
    totals = _totals(posterior.state, posterior.parts, bars)
    return replace(posterior, bars=bars, totals=totals)


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


def row_points(sheet: Sheet) -> RowPoints:
    """The points of each row by its crosses."""
    return lambda row, crosses: sheet.row_points.get(crosses, 0) * sheet.row_factors[row]


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
    beside: dict[int, float] = {}
    for bar, p in bars:
        points = score(with_bar_state(without_rows, bar)).total
        beside[points] = beside.get(points, 0.0) + p
    totals = added(grid_points(parts, row_points(state.sheet), state.sheet.rows), beside)
    whole = sum(totals.values())
    return {total: p / whole for total, p in totals.items()}
