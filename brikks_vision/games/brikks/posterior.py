"""The posterior of a Brikks sheet: its most probable state, and what else it could be.

Hidden places of a Brikks sheet: the totals they leave open, the violations they could mend.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.answers import cell_name
from brikks_vision.decode.figures import RowPoints
from brikks_vision.decode.grid import GridPart, beside_covered, cells_of
from brikks_vision.decode.prices import ways_to_fill
from brikks_vision.detect.marks import Covered
from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import Energy, SheetState, blank_sheet
from brikks_vision.rules.brikks.placement import Rule, Violation
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.shapes import bottom_up


@dataclass(frozen=True)
class BarState:
    """One state of everything beside the grid."""

    energy: tuple[Energy, ...]
    bonus: tuple[bool, ...]
    bombs: tuple[bool, ...]


@dataclass(frozen=True)
class Hidden:
    """The hidden places. beside: cells with a hidden neighbour or a hidden edge."""

    cells: frozenset[Cell] = frozenset()
    beside: frozenset[Cell] = frozenset()
    energy: frozenset[int] = frozenset()
    boxes: frozenset[int] = frozenset()
    bombs: frozenset[int] = frozenset()

    @property
    def touches_grid(self) -> bool:
        """Whether some block may be another than it seems."""
        return bool(self.cells or self.beside)

    @property
    def places(self) -> frozenset[str]:
        """Their names, as the contract spells them."""
        bars = (("energy", self.energy), ("box", self.boxes), ("bomb", self.bombs))
        names = {f"{field} {at}" for field, places in bars for at in places}
        return frozenset(names.union(map(cell_name, self.cells)))

    @property
    def rows(self) -> frozenset[int]:
        """Rows whose points are open."""
        return frozenset(row for row, _ in self.cells)

    def __bool__(self) -> bool:
        return bool(self.touches_grid or self.energy or self.boxes or self.bombs)


NOTHING_HIDDEN = Hidden()


@dataclass(frozen=True)
class MarkEvidence:
    """Probability 0.5 to 1 of the likelier state of each mark, by its own evidence and no rule.

    1 where something hides it. points: (points,) activated (circled or crossed out) or not; 1 where
    the ring is printed.
    boxes: (boxes,). bombs: (bombs,). rows: (rows,) of the least sure cross, top first.
    """

    points: tuple[float, ...]
    boxes: tuple[float, ...]
    bombs: tuple[float, ...]
    rows: tuple[float, ...]


@dataclass(frozen=True)
class Posterior:
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
    def is_vague(self) -> bool:
        """Whether there is a part with very many ways to lay blocks that are about as good."""
        return any(part.is_vague for part in self.parts)

    def other_states(self) -> list[list[tuple[float, SheetState]]]:
        """For each part (the bars last) its other states, each in the rest of the sheet."""
        state = self.state
        found = []
        for part in self.parts:
            (best, _), *others = part.states
            blocks = [block for block in state.blocks if block not in best.blocks]
            rest = state.crossed - best.crossed
            found.append(
                [
                    (
                        probability,
                        replace(
                            state,
                            crossed=rest | other.crossed,
                            blocks=bottom_up([*blocks, *other.blocks]),
                        ),
                    )
                    for other, probability in others
                ]
            )
        bars = [(probability, with_bar_state(state, bar)) for bar, probability in self.bars[1:]]
        return [*found, bars]


def with_bar_state(grid: SheetState, bar: BarState) -> SheetState:
    """The sheet with other bars."""
    return replace(grid, energy=bar.energy, bonus=bar.bonus, bombs=bar.bombs)


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
