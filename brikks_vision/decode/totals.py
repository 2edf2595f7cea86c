"""The posterior of points, over all states of the parts that they depend on."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import product
from operator import add

from brikks_vision.decode.figures import RowPoints
from brikks_vision.decode.grid import GridPart
from brikks_vision.decode.prices import MAX_ROW_COUNTS, MIN_ROW_COUNT

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
        of_group: dict[int, float] = {}
        for numbers, p in group.counts.items():
            total = sum(map(row_points, group.rows, numbers))
            of_group[total] = of_group.get(total, 0.0) + p
        points = added(points, of_group)
    return points


def counts_of_rows(parts: Iterable[GridPart], rows: int) -> list[RowCounts]:
    """The posterior of the marked cells in each row, by groups of rows that share parts."""
    return [_counts_of(group, together) for group, together in _independent_rows(parts, rows)]


def added(some: Mapping[int, float], more: Mapping[int, float]) -> dict[int, float]:
    """The distribution of the sum of two independent numbers."""
    sums: dict[int, float] = {}
    for (a, p), (b, q) in product(some.items(), more.items()):
        sums[a + b] = sums.get(a + b, 0.0) + p * q
    return sums


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
        changes: dict[Counts, float] = {}
        for state, probability in part.states:
            crossed = [row for row, _ in state.crossed]
            change = tuple(crossed.count(row) for row in places)
            changes[change] = changes.get(change, 0.0) + probability
        counts = added_counts(counts, changes)
    return RowCounts(tuple(places), counts)


def added_counts(some: Mapping[Counts, float], more: Mapping[Counts, float]) -> dict[Counts, float]:
    """The distribution of the sums of independent numbers.

    Improbable combinations are dropped, to bound the time.
    """
    merged: dict[Counts, float] = {}
    for (have, p), (change, q) in product(some.items(), more.items()):
        key = tuple(map(add, have, change))
        merged[key] = merged.get(key, 0.0) + p * q
    likely = [entry for entry in merged.items() if entry[1] > MIN_ROW_COUNT]
    return dict(heapq.nlargest(MAX_ROW_COUNTS, likely, key=lambda entry: entry[1]))
