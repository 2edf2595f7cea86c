"""What the player wrote: figures beside the rows, and a total, as evidence for the marks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.grid import GridPart, row_counts
from brikks_vision.decode.prices import (
    CLEAR_FIGURE,
    FIGURE_SLIP_PRIOR,
    FIRST_DIGIT_OUTSIDE,
    MAX_SLIP_RATE,
    MIN_RIGHT_SHARE,
    MIN_SLIP_RATE,
    OTHER_TOTALS,
    PRIOR_FIGURES,
    PRIOR_SLIPS,
    SETTLED_PART,
    TOTAL_SLIP_RATE,
)
from brikks_vision.detect.figures import Figure

State = TypeVar("State")

RowPoints = Callable[[int, int], int]
"""The points of a row (from 0, top first) with so many crosses."""


def weighed_by_row_figures(
    parts: tuple[GridPart, ...],
    figures: Sequence[Figure],
    row_points: RowPoints,
    rows: int,
    other_values: int,
) -> tuple[GridPart, ...]:
    """The parts' posteriors given the points that the player wrote beside the rows, top first.

    A figure is evidence for its row's doubtful crosses, as good as the player's other figures are.

    other_values: number of values that a wrong figure may have.
    """
    written = {row: figure for row, figure in enumerate(figures) if figure.value is not None}
    if not written:
        return parts
    slip_rate = _slip_rate(written, row_counts(parts, rows), row_points)

    def weights(part: GridPart, others: Sequence[GridPart]) -> list[float]:
        crosses = row_counts(others, rows)
        return _weights(part, crosses, written, slip_rate, row_points, other_values)

    return weighed_in_turn(parts, weights)


def weighed_in_turn(
    parts: tuple[GridPart, ...],
    weights: Callable[[GridPart, Sequence[GridPart]], Sequence[float]],
) -> tuple[GridPart, ...]:
    """The parts' posteriors given what depends on several of them.

    One part is weighed at a time, the others in their best states (iterated conditional modes,
    Besag 1986).

    weights: of the states of a part (with its posterior before any weighing), given all others.
    """
    open_parts = [at for at, part in enumerate(parts) if part.states[0][1] < SETTLED_PART]
    weighed = list(parts)
    # the only open part is weighed once: the others stay as they are
    for at in open_parts * min(2, len(open_parts)):
        others = [*weighed[:at], *weighed[at + 1 :]]
        weighed[at] = reweighed(parts[at], weights(parts[at], others))
    return tuple(weighed)


def _slip_rate(
    written: Mapping[int, Figure], crosses: NDArray[np.int64], row_points: RowPoints
) -> float:
    """Rate of figures that differ from their rows, estimated from the clear figures."""
    clear = [row for row, figure in written.items() if figure.probability > CLEAR_FIGURE]
    wrong = sum(written[row].value != row_points(row, int(crosses[row])) for row in clear)
    rate = (wrong + PRIOR_SLIPS) / (len(clear) + PRIOR_FIGURES)
    return float(np.clip(rate, MIN_SLIP_RATE, MAX_SLIP_RATE))


def _weights(
    part: GridPart,
    others: NDArray[np.int64],
    written: Mapping[int, Figure],
    slip_rate: float,
    row_points: RowPoints,
    other_values: int,
) -> list[float]:
    """The weights of the part's states; ``others``: crosses of other parts in each row, (rows,)."""
    weights = []
    for state, probability in part.states:
        crosses = others.copy()
        for row, _ in state.crossed:
            crosses[row] += 1
        for row in {row for row, _ in part.cells} & written.keys():
            agreeing = written[row].probability * (1 - slip_rate)
            agrees = written[row].value == row_points(row, int(crosses[row]))
            probability *= agreeing if agrees else (1 - agreeing) / other_values
        weights.append(probability)
    return weights


def reweighed(part: GridPart, weights: Sequence[float]) -> GridPart:
    """The part with its states' probabilities in the proportions of ``weights``."""
    whole = sum(weights)
    weighed = [
        (state, weight / whole) for (state, _), weight in zip(part.states, weights, strict=True)
    ]
    weighed.sort(key=lambda entry: -entry[1])
    return replace(part, states=tuple(weighed))


def weighed_by_total(
    states: tuple[tuple[State, float], ...],
    total_of: Callable[[State], int],
    sure: float,
    written: Figure | None,
) -> tuple[tuple[State, float], ...]:
    """The states' posterior given the total that the player wrote: most players add up rightly.

    sure: probability 0 to 1 of the rest of the sheet, without which a total is no evidence.
    """
    if written is None or written.value is None:
        return states
    weights = [
        probability * figure_likelihood(written, {total_of(state)}, sure, OTHER_TOTALS)
        for state, probability in states
    ]
    whole = sum(weights)
    weighed = [(state, weight / whole) for (state, _), weight in zip(states, weights, strict=True)]
    return tuple(sorted(weighed, key=lambda entry: -entry[1]))


def figure_likelihood(
    written: Figure, right: Collection[int], sure: float, other_values: int
) -> float:
    """How probable a written figure is (up to a factor) where ``right`` are its right values.

    sure: probability 0 to 1 of what the right values depend on besides. other_values: number of
    values, about equally probable, that a wrong figure may have.
    """
    chances = {written.value: written.probability, **dict(written.others)}
    agrees = (1 - TOTAL_SLIP_RATE) * sure
    agreeing = max((chances.get(value, 0.0) for value in right), default=0.0)
    return agrees * agreeing + (1 - agrees) / other_values


def expected_figure(
    figure: Figure,
    right: int,
    other: float = FIGURE_SLIP_PRIOR,
    least: float = MIN_RIGHT_SHARE,
) -> Figure:
    """A figure's posterior given the right value, with a prior that most players add up rightly.

    A figure that looks as much like the right value as like another one is read as the right one.
    ``other`` : prior of one particular other value, relative to that of the right one. ``least`` :
    share of the remaining probability that the right one has at least.
    """
    chances = dict([(figure.value, figure.probability), *figure.others])
    # a figure that looks like no digit at all may be any
    chances[right] = max(chances.get(right, 0.0), least * (1 - figure.probability))
    weights = {
        value: chance * (1.0 if value is None or value == right else other)
        for value, chance in chances.items()
    }
    whole = sum(weights.values())
    if whole == 0:
        return figure
    value = max(weights, key=lambda each: weights[each])
    others = tuple(
        (each, weight / whole) for each, weight in weights.items() if each != value and weight
    )
    return Figure(value, weights[value] / whole, others)


def without_digit_outside(figure: Figure, right: int) -> float:
    """Probability that no digit of a figure stands outside its field.

    A figure that lacks only its first digit, such as 0 for 10, may have it there.
    """
    lacks_first = (
        figure.value is not None and figure.value != right and str(right)[1:] == str(figure.value)
    )
    return 1 - FIRST_DIGIT_OUTSIDE * lacks_first
