"""The posterior of a Brikks sheet: its most probable state, and what else it could be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.answers import cell_name
from brikks_vision.decode.grid import GridPart
from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.state import Energy, SheetState
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
