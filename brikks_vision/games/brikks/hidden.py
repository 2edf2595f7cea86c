"""Hidden places of a Brikks sheet: the totals they leave open, the violations they could mend."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import product

import numpy as np

from brikks_vision.decode.figures import RowPoints
from brikks_vision.decode.grid import beside_covered, cells_of
from brikks_vision.decode.sequences import ways_to_fill
from brikks_vision.detect.marks import Covered
from brikks_vision.games.brikks.posterior import BarState, Hidden
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Energy, blank_sheet
from brikks_vision.rules.brikks.violations import Rule, Violation


def hidden_on(covered: Covered, sheet: Sheet) -> Hidden:
    """The places of a sheet that are covered."""

    def places(field: str) -> frozenset[int]:
        return frozenset(map(int, np.flatnonzero(covered.get(field, ()))))

    return Hidden(
        cells_of(covered),
        beside_covered(covered, sheet.rows, sheet.columns),
        places("energy"),
        places("box"),
        places("bomb"),
    )


# --- what they leave open ------------------------------------------------------------------------


def as_seen(bar: BarState, hidden: Hidden) -> BarState:
    """The bars with the hidden places as the others make them; where these do not, unmarked."""
    return next(iter(_ways(bar, hidden)))


@lru_cache(256)
def range_of_bars(bar: BarState, hidden: Hidden, sheet: Sheet) -> tuple[int, int]:
    """The least and the most points of bars that are partly hidden."""
    blank = blank_sheet(sheet)
    totals = [score(replace(blank, **vars(way))).total for way in _ways(bar, hidden)]
    return min(totals), max(totals)


def _ways(bar: BarState, hidden: Hidden) -> Iterable[BarState]:
    """Bars with as many marks of each kind as are possible, those with the fewest first."""
    for energy, bonus, bombs in product(
        _ways_of_energy(bar.energy, hidden.energy),
        ways_to_fill(bar.bonus, hidden.boxes),
        ways_to_fill(bar.bombs, hidden.bombs),
    ):
        yield BarState(energy, bonus, bombs)


def _ways_of_energy(
    points: tuple[Energy, ...], covered: frozenset[int]
) -> list[tuple[Energy, ...]]:
    """Those with the least points, what shows activated, and with the most.

    A hidden point that is activated may have been used.
    """
    if not covered:
        return [points]
    activated = ways_to_fill([point is not Energy.OPEN for point in points], covered)

    def filled(way: tuple[bool, ...], mark: Energy) -> tuple[Energy, ...]:
        return tuple(
            (mark if way[at] else Energy.OPEN) if at in covered else point
            for at, point in enumerate(points)
        )

    ways = (
        filled(activated[0], Energy.CIRCLED),
        filled(activated[0], Energy.USED),
        filled(activated[-1], Energy.CIRCLED),
    )
    return list(dict.fromkeys(ways))


def least_points(row_points: RowPoints, hidden: Hidden) -> RowPoints:
    """The least points of a row by its crosses that show."""
    return lambda row, crosses: min(_open_points(row_points, row, crosses, hidden))


def most_points(row_points: RowPoints, hidden: Hidden) -> RowPoints:
    """The most points of a row by its crosses that show."""
    return lambda row, crosses: max(_open_points(row_points, row, crosses, hidden))


def _open_points(row_points: RowPoints, row: int, crosses: int, hidden: Hidden) -> list[int]:
    more = sum(at == row for at, _ in hidden.cells)
    return [row_points(row, crosses + count) for count in range(more + 1)]


# --- what they may mend --------------------------------------------------------------------------


def may_mend(violation: Violation, hidden: Hidden, sheet: Sheet) -> bool:
    """Whether hidden places could be marked so that the rule is kept.

    Orders of bars are judged by the places that show, see `as_seen`.
    """
    where = {place for place in violation.where if isinstance(place, tuple)}
    match violation.rule:
        case Rule.NOT_A_BLOCK | Rule.STRAY_MARK:
            return not where.isdisjoint(hidden.beside)
        case Rule.FLOATING:
            return any((row + 1, column) in hidden.cells for row, column in where)
        case Rule.UNREACHABLE:
            return hidden.touches_grid
        case Rule.START_BLOCK:
            lowest = sheet.rows - _tallest(sheet) - 1
            return any(row >= lowest for row, _ in hidden.cells | hidden.beside)
        case Rule.ENERGY_COUNT:
            return bool(hidden.touches_grid or hidden.energy)
        case Rule.BONUS_COUNT:
            return bool(hidden.touches_grid or hidden.energy or hidden.boxes)
        case Rule.WRITTEN_ROW:
            return not hidden.rows.isdisjoint(violation.where)
        case Rule.WRITTEN_TOTAL:
            return bool(hidden.cells or hidden.energy or hidden.boxes or hidden.bombs)
        case _:
            return False


def _tallest(sheet: Sheet) -> int:
    """Rows of the tallest block."""
    shapes = (shape for of_color in sheet.blocks.values() for shape in of_color)
    return max(1 + row for shape in shapes for row, _ in shape)
