"""Hidden places of a BLOXX! sheet, and which violations they could mend."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from brikks_vision.decode.answers import cell_name
from brikks_vision.decode.grid import beside_covered, cells_of
from brikks_vision.detect.marks import Covered
from brikks_vision.games.bloxx.places import bonus_name
from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import SheetState
from brikks_vision.rules.bloxx.violations import Rule, Violation


@dataclass(frozen=True)
class Hidden:
    """The hidden places. beside: cells with a hidden neighbour or a hidden edge."""

    cells: frozenset[Cell] = frozenset()
    beside: frozenset[Cell] = frozenset()
    bonuses: frozenset[int] = frozenset()

    def __bool__(self) -> bool:
        return bool(self.cells or self.beside or self.bonuses)

    @property
    def places(self) -> frozenset[str]:
        """Their names, as the contract spells them."""
        return frozenset({*map(cell_name, self.cells), *map(bonus_name, self.bonuses)})

    def in_row(self, row: int) -> int:
        """How many cells of a row are hidden."""
        return sum(at == row for at, _ in self.cells)


NOTHING_HIDDEN = Hidden()


def hidden_on(covered: Covered, sheet: Sheet) -> Hidden:
    """The places of a sheet that are covered."""
    return Hidden(
        cells_of(covered),
        beside_covered(covered, sheet.rows, sheet.columns),
        frozenset(map(int, np.flatnonzero(covered.get("bonus", ())))),
    )


def may_mend(violation: Violation, state: SheetState, hidden: Hidden) -> bool:
    """Whether hidden places could be marked so that the rule is kept.

    state: in which hidden cells are not drawn, but coloured in where something is drawn above them.
    """
    where = {place for place in violation.where if isinstance(place, tuple)}
    match violation.rule:
        case (
            Rule.NOT_A_SHAPE
            | Rule.STRAY_MARK
            | Rule.TWO_CIRCLES
            | Rule.WRONG_CIRCLE
            | Rule.FLOATING
        ):
            return not where.isdisjoint(hidden.beside)
        case Rule.FIRST_SHAPE:
            return any(row == state.sheet.rows - 1 for row, _ in hidden.cells | hidden.beside)
        case Rule.ORDER:
            return bool(hidden.cells or hidden.beside)
        case Rule.FALSE_GAP:
            return any(
                below[1] == above[1] and above[0] < below[0]
                for below in where
                for above in hidden.cells
            )
        case Rule.ROW_BONUS:
            rows = [place for place in violation.where if isinstance(place, int)]
            return any(hidden.in_row(row) for row in rows)
        case Rule.WRITTEN_ROWS | Rule.WRITTEN_NUMBERS | Rule.WRITTEN_PENALTY | Rule.WRITTEN_TOTAL:
            return bool(hidden.cells or hidden.bonuses)
        case _:
            return False
