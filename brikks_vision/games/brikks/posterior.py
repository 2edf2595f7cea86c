"""The posterior of a Brikks sheet: its most probable state, and what else it could be.

The totals that hidden places of a Brikks sheet leave open.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import numpy as np
from numpy.typing import NDArray

from brikks_vision.infer.costs import ways_to_fill
from brikks_vision.infer.figures import RowPoints
from brikks_vision.infer.grid import (
    NOTHING_HIDDEN,
    GridPart,
    GridPosterior,
    GridState,
    Hidden,
)
from brikks_vision.rules.brikks.blocks import Energy, SheetState, blank_sheet
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


def with_bar_state(grid: SheetState, bar: BarState) -> SheetState:
    """The sheet with other bars."""
    return replace(grid, energy=bar.energy, bonus=bar.bonus, bombs=bar.bombs)


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
        _ways_of_energy(bar.energy, hidden.of("energy")),
        ways_to_fill(bar.bonus, hidden.of("box")),
        ways_to_fill(bar.bombs, hidden.of("bomb")),
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
