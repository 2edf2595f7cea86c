"""What a turn does to a sheet: the marks that follow from a block, its place and the level."""

from __future__ import annotations

from dataclasses import dataclass

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import Kind, kinds
from brikks_vision.rules.brikks.board import board_of, landing_corners
from brikks_vision.rules.brikks.energy import SWAP_COST, available
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Block, SheetState
from brikks_vision.rules.shapes import placed


@dataclass(frozen=True)
class Roll:
    """Both dice: the colour gives the row of the overview, the number (from 1) the column."""

    color: str
    column: int


@dataclass(frozen=True)
class Option:
    """A block that a roll allows, and the energy points that it costs."""

    kind: Kind
    cost: int


@dataclass(frozen=True)
class Turn:
    """A block that a player may place now, what it costs, and where its top left comes."""

    option: Option
    corner: Cell

    @property
    def cells(self) -> Block:
        return placed(self.option.kind.shape, self.corner)


def options(roll: Roll, sheet: Sheet, energy: int) -> tuple[Option, ...]:
    """Every block that a player with so many energy points may enter, cheapest first.

    A point moves the block one column in its row of the overview, without wrapping round; five
    points take any block.
    """
    found = []
    for kind in kinds(sheet):
        cost = SWAP_COST
        if kind.color == roll.color:
            cost = min(abs(column - roll.column) for column in kind.columns)
        if cost <= energy:
            found.append(Option(kind, cost))
    return tuple(sorted(found, key=lambda option: option.cost))


def legal_turns(state: SheetState, roll: Roll) -> tuple[Turn, ...]:
    """All that a player may place for a roll with the energy on the sheet, cheapest first."""
    board = board_of(state)
    return tuple(
        Turn(option, corner)
        for option in options(roll, state.sheet, available(state))
        for corner in landing_corners(board, option.kind.shape)
    )


def share_an_edge(one: Block, other: Block) -> bool:
    """Whether a cell of one block is the neighbour of a cell of the other, not only at a corner."""
    return any(abs(r - s) + abs(c - d) == 1 for r, c in one for s, d in other)
