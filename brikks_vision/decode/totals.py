"""The posterior of points, over all states of the parts that they depend on."""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from itertools import product

from brikks_vision.decode.figures import RowPoints
from brikks_vision.decode.grid import GridPart
from brikks_vision.decode.prices import MAX_ROW_COUNTS, MIN_ROW_COUNT


def grid_points(parts: Iterable[GridPart], row_points: RowPoints, rows: int) -> dict[int, float]:
    """The posterior of the points of all rows together."""
    points = {0: 1.0}
    for group, together in _independent_rows(parts, rows):
        points = added(points, _points_of_rows(group, together, row_points))
    return points


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


def _points_of_rows(
    rows: frozenset[int], parts: Iterable[GridPart], row_points: RowPoints
) -> dict[int, float]:
    """The posterior of the points of some rows, over the states of all parts that touch them.

    Improbable combinations of numbers of crosses are dropped, to bound the time.
    """
    places = sorted(rows)
    counts: dict[tuple[int, ...], float] = {(0,) * len(places): 1.0}
    for part in parts:
        changes: dict[tuple[int, ...], float] = {}
        for state, probability in part.states:
            crossed = [row for row, _ in state.crossed]
            change = tuple(crossed.count(row) for row in places)
            changes[change] = changes.get(change, 0.0) + probability
        merged: dict[tuple[int, ...], float] = {}
        for (have, p), (change, q) in product(counts.items(), changes.items()):
            key = tuple(a + b for a, b in zip(have, change, strict=True))
            merged[key] = merged.get(key, 0.0) + p * q
        likely = [entry for entry in merged.items() if entry[1] > MIN_ROW_COUNT]
        counts = dict(heapq.nlargest(MAX_ROW_COUNTS, likely, key=lambda entry: entry[1]))
    points: dict[int, float] = {}
    for numbers, p in counts.items():
        total = sum(row_points(row, crosses) for row, crosses in zip(places, numbers, strict=True))
        points[total] = points.get(total, 0.0) + p
    return points
