"""What the player wrote: figures beside the rows, and a total, as evidence for the marks.

The posterior of points, over all states of the parts that they depend on.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from operator import add
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.figures import Figure
from brikks_vision.infer import costs
from brikks_vision.infer.grid import GridPart, row_counts

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
    open_parts = [at for at, part in enumerate(parts) if part.states[0][1] < costs.SETTLED_PART]
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
    clear = [row for row, figure in written.items() if figure.probability > costs.CLEAR_FIGURE]
    wrong = sum(written[row].value != row_points(row, int(crosses[row])) for row in clear)
    rate = (wrong + costs.PRIOR_SLIPS) / (len(clear) + costs.PRIOR_FIGURES)
    return float(np.clip(rate, costs.MIN_SLIP_RATE, costs.MAX_SLIP_RATE))


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
    states = (state for state, _ in part.states)
    return replace(part, states=costs.ranked(zip(states, weights, strict=True)))


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
    return costs.ranked(
        (state, p * figure_likelihood(written, {total_of(state)}, sure, costs.OTHER_TOTALS))
        for state, p in states
    )


def figure_likelihood(
    written: Figure, right: Collection[int], sure: float, other_values: int
) -> float:
    """How probable a written figure is (up to a factor) where ``right`` are its right values.

    sure: probability 0 to 1 of what the right values depend on besides. other_values: number of
    values, about equally probable, that a wrong figure may have.
    """
    chances = {written.value: written.probability, **dict(written.others)}
    agrees = (1 - costs.TOTAL_SLIP_RATE) * sure
    agreeing = max((chances.get(value, 0.0) for value in right), default=0.0)
    return agrees * agreeing + (1 - agrees) / other_values


def expected_figure(
    figure: Figure,
    right: int,
    other: float = costs.FIGURE_SLIP_PRIOR,
    least: float = costs.MIN_RIGHT_SHARE,
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


def given_right(figure: Figure, values: Sequence[int], sure: float) -> Figure:
    """The posterior of a figure in a box, where these values are right; the likeliest counts.

    A wrong one is told, and held against the player, only if its evidence is clear. None is told as
    the right value that does not look like it, and the less so the less sure that is (``sure``, 0
    to 1).
    """
    chances = {figure.value: figure.probability, **dict(figure.others)}
    # a minus sign that touches a digit is not read
    own = {value: max(chances.get(value, 0.0), chances.get(abs(value), 0.0)) for value in values}
    right = max(values, key=own.__getitem__)
    if right < 0 and figure.value == -right:
        figure = replace(figure, value=right)
    other = sure * costs.FIGURE_SLIP_PRIOR + (1 - sure) / costs.OTHER_FIGURES
    expected = expected_figure(figure, right, other, costs.MIN_BOXED_SHARE)
    if expected.value is None:
        return expected
    if expected.value in values:
        return expected if own[right] else replace(expected, probability=0.0)
    surely = expected.probability * min(without_digit_outside(expected, each) for each in values)
    return replace(expected, probability=surely)


def without_digit_outside(figure: Figure, right: int) -> float:
    """Probability that no digit of a figure stands outside its field.

    A figure that lacks only its first digit, such as 0 for 10, may have it there.
    """
    lacks_first = (
        figure.value is not None and figure.value != right and str(right)[1:] == str(figure.value)
    )
    return 1 - costs.FIRST_DIGIT_OUTSIDE * lacks_first


Counts = tuple[int, ...]
"""Numbers that add up over the parts of a grid, each for itself."""


@dataclass(frozen=True)
class RowCounts:
    """The posterior of the numbers of marked cells in rows that depend on each other.

    counts: by those numbers, in the order of ``rows``.
    """

    rows: tuple[int, ...]
    counts: Mapping[Counts, float]


def grid_points(parts: Iterable[GridPart], row_points: RowPoints, rows: int) -> dict[int, float]:
    """The posterior of the points of all rows together."""
    points = {0: 1.0}
    for group in counts_of_rows(parts, rows):
        of_group = ((sum(map(row_points, group.rows, at)), p) for at, p in group.counts.items())
        points = added(points, costs.summed(of_group))
    return points


def counts_of_rows(parts: Iterable[GridPart], rows: int) -> list[RowCounts]:
    """The posterior of the marked cells in each row, by groups of rows that share parts."""
    return [_counts_of(group, together) for group, together in _independent_rows(parts, rows)]


def added(some: Mapping[int, float], more: Mapping[int, float]) -> dict[int, float]:
    """The distribution of the sum of two independent numbers."""
    both = product(some.items(), more.items())
    return costs.summed((a + b, p * q) for (a, p), (b, q) in both)


def in_proportion(weights: Mapping[int, float]) -> dict[int, float]:
    """Probabilities in the proportions of weights."""
    whole = sum(weights.values())
    return {each: weight / whole for each, weight in weights.items()}


def _independent_rows(
    parts: Iterable[GridPart], rows: int
) -> list[tuple[frozenset[int], list[GridPart]]]:
    """Groups of rows that share no part of the grid, and the parts of each."""
    groups: list[tuple[frozenset[int], list[GridPart]]] = [
        (frozenset({row}), []) for row in range(rows)
    ]
    for part in parts:
        touched = {row for state, _ in part.states for row, _ in state.crossed}
        joined = [group for group in groups if group[0] & touched]
        if joined:
            groups = [group for group in groups if not group[0] & touched]
            together = [each for _, others in joined for each in others]
            groups.append((frozenset().union(*(of for of, _ in joined)), [*together, part]))
    return groups


def _counts_of(rows: frozenset[int], parts: Iterable[GridPart]) -> RowCounts:
    """The posterior of the numbers of some rows, over the states of all parts that touch them."""
    places = sorted(rows)
    counts = {(0,) * len(places): 1.0}
    for part in parts:
        crossed = (([row for row, _ in state.crossed], p) for state, p in part.states)
        changes = ((tuple(map(of.count, places)), p) for of, p in crossed)
        counts = added_counts(counts, costs.summed(changes))
    return RowCounts(tuple(places), counts)


def added_counts(some: Mapping[Counts, float], more: Mapping[Counts, float]) -> dict[Counts, float]:
    """The distribution of the sums of independent numbers.

    Improbable combinations are dropped, to bound the time.
    """
    both = product(some.items(), more.items())
    merged = costs.summed((tuple(map(add, have, new)), p * q) for (have, p), (new, q) in both)
    likely = [entry for entry in merged.items() if entry[1] > costs.MIN_ROW_COUNT]
    return dict(heapq.nlargest(costs.MAX_ROW_COUNTS, likely, key=lambda entry: entry[1]))
