"""What is marked on one sheet: the state that the rules judge and score.

Cells are (row, column), counted from 0 at the grid's top left.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.sheet import Sheet

Block = frozenset[Cell]


class Energy(StrEnum):
    """One point of the energy bar.

    ``USED`` is activated, then crossed out. ``OFF`` is crossed out without ever counting: struck at
    setup because fewer people play. On a point that is printed activated the two are the same ink.
    """

    OPEN = "open"
    CIRCLED = "circled"
    USED = "used"
    OFF = "off"


@dataclass(frozen=True)
class SheetState:
    """All marks of one sheet, and the ``sheet`` that they stand on.

    crossed: cells with an X. blocks: outlined groups of cells, bottom-up; empty where the player
    drew no outlines. energy: one entry a point, in the order of the bar. bonus: one entry a box of
    the extra-points bar, crossed or not. bombs: one entry a bomb from the top, crossed out or not.
    """

    crossed: frozenset[Cell]
    blocks: tuple[Block, ...]
    energy: tuple[Energy, ...]
    bonus: tuple[bool, ...]
    bombs: tuple[bool, ...]
    sheet: Sheet = field(repr=False, compare=False)


@dataclass(frozen=True)
class Written:
    """The player's own figures, None where nothing is written or read.

    rows: points of each row, top first, or empty where none is known.
    """

    rows: tuple[int | None, ...] = ()
    total: int | None = None


def blank_sheet(sheet: Sheet) -> SheetState:
    """The sheet as printed: nothing marked, the printed rings circled."""
    printed = set(sheet.preprinted)
    points = range(sheet.energy_points)
    return SheetState(
        crossed=frozenset(),
        blocks=(),
        energy=tuple(Energy.CIRCLED if p in printed else Energy.OPEN for p in points),
        bonus=(False,) * len(sheet.bonus_values),
        bombs=(False,) * len(sheet.bomb_points),
        sheet=sheet,
    )


def as_photographed(state: SheetState) -> SheetState:
    """The state as a photo shows it: a point struck at setup looks like a used one."""
    return replace(
        state,
        energy=tuple(Energy.USED if e is Energy.OFF else e for e in state.energy),
    )


def grid_alone(state: SheetState) -> SheetState:
    """The sheet without its bars: equal for all states that differ in them alone."""
    return replace(state, energy=(), bonus=(), bombs=())


def with_point_flipped(state: SheetState, point: int) -> SheetState:
    """The sheet with an open point circled, or another point open."""
    now = Energy.CIRCLED if state.energy[point] is Energy.OPEN else Energy.OPEN
    return replace(state, energy=(*state.energy[:point], now, *state.energy[point + 1 :]))
