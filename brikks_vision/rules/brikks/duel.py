"""The duel: mini-blocks fall on the opponent's sheet, and whoever survives longer wins."""

from __future__ import annotations

from brikks_vision.rules.brikks.blocks import MINI_SHAPE, kinds_of
from brikks_vision.rules.brikks.counts import pink_readings, row_crosses
from brikks_vision.rules.brikks.placement import judge_placement
from brikks_vision.rules.brikks.state import Block, SheetState
from brikks_vision.rules.shapes import shape_of


def mini_blocks(state: SheetState) -> tuple[Block, ...]:
    """The outlined single cells."""
    return tuple(block for block in state.blocks if block and shape_of(block) == MINI_SHAPE)


def rounds_survived(state: SheetState) -> int | None:
    """The number of rounds: blocks without the start block and mini-blocks, and bombs used.

    None if there are crosses outside of outlined blocks, so that the sheet does not tell.
    """
    blocks = [block for block in state.blocks if kinds_of(block, state.sheet)]
    minis = mini_blocks(state)
    if len(blocks) + len(minis) < len(state.blocks):
        return None
    if not blocks or state.crossed != frozenset().union(*state.blocks):
        return None if state.crossed or minis else sum(state.bombs)
    return len(blocks) - 1 + sum(state.bombs)


def max_minis_earned(state: SheetState) -> int:
    """The maximum number of mini-blocks that this player can have put on the opponent's sheet."""
    placed = judge_placement(state, minis=True)
    return max(pink_readings(state)) + max(row_crosses(state, placed))
