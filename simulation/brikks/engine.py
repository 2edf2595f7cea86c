"""What the rules of Brikks do to a sheet: blocks land, circles count, energy is won and spent."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks import blocks
from brikks_vision.rules.brikks.sheet import Sheet, Variant
from brikks_vision.rules.shapes import Shape, bottom_up, shape_of


@dataclass(frozen=True)
class Placement:
    """A sheet after a block was entered, and what the block did.

    circles: cells of the circles that counted. rows: rows finished, top first. crosses: crosses
    earned for pink X's and rows together (duel: mini-blocks for the opponent).
    """

    state: blocks.SheetState
    circles: tuple[Cell, ...]
    rows: tuple[int, ...]
    crosses: int


def with_bonus_crosses(state: blocks.SheetState, count: int) -> blocks.SheetState:
    """The sheet with more crosses on the extra-points bar, up to its maximum."""
    crosses = min(sum(state.bonus) + count, blocks.max_crosses(state.sheet))
    boxes = len(state.bonus)
    return replace(state, bonus=(True,) * crosses + (False,) * (boxes - crosses))


def with_next_bomb(state: blocks.SheetState) -> blocks.SheetState:
    """The sheet with the topmost unused bomb crossed out.

    Raises
    ------
    ValueError
        No bomb is left.
    """
    used = state.bombs.index(False)
    return replace(state, bombs=(*state.bombs[:used], True, *state.bombs[used + 1 :]))


def enter_block(
    state: blocks.SheetState,
    cells: blocks.Block,
    color: str | None,
    level: int,
    variant: Variant = Variant.STANDARD,
) -> Placement:
    """Draw a block on a sheet with all that follows, without checking that it may lie there.

    color: the block's colour, or None if the circles below it do not count (a mini-block, or a
    start block if the players agree so).
    """
    covered = [circle for circle in state.sheet.circles if circle.cell in cells]
    counting = covered if color is not None else []
    before = blocks.board_of(state)
    after = before.with_cells(cells)
    rows = tuple(row for row in after.full_rows() if row not in before.full_rows())
    drawn = replace(
        state,
        crossed=state.crossed | cells,
        blocks=bottom_up((*state.blocks, cells)),
    )
    charged = apply_effects(
        drawn, [blocks.circle_effect(level, circle.color == color) for circle in counting]
    )
    pink = blocks.pink_points(state.sheet, blocks.activated(charged)) - blocks.pink_points(
        state.sheet, blocks.activated(drawn)
    )
    crosses = pink + blocks.crosses_for_rows(len(rows))
    marked = charged if variant is Variant.DUEL else with_bonus_crosses(charged, crosses)
    return Placement(marked, tuple(circle.cell for circle in counting), rows, crosses)


def setup_energy(sheet: Sheet, players: int) -> tuple[blocks.Energy, ...]:
    """The bar when the game begins."""
    struck = blocks.struck_at_setup(sheet, players)
    ringed = blocks.activated_at_setup(sheet, players)
    return tuple(
        blocks.Energy.OFF
        if p in struck
        else blocks.Energy.CIRCLED
        if p < ringed
        else blocks.Energy.OPEN
        for p in range(sheet.energy_points)
    )


def block_at(sheet: Sheet, color: str, column: int) -> Shape:
    """The shape that the overview shows for a colour and a column (from 1).

    Raises
    ------
    KeyError
        The overview has no such colour or column.
    """
    shapes = sheet.blocks[color]
    if not blocks.START_COLUMN <= column <= len(shapes):
        raise KeyError(f"{color} {column}")
    return shape_of(shapes[column - blocks.START_COLUMN])


def _turn_first(
    energy: tuple[blocks.Energy, ...], count: int, old: blocks.Energy, new: blocks.Energy
) -> tuple[blocks.Energy, ...]:
    left = max(0, count)
    turned = []
    for point in energy:
        if left and point is old:
            turned.append(new)
            left -= 1
        else:
            turned.append(point)
    return tuple(turned)


def activate(state: blocks.SheetState, count: int) -> blocks.SheetState:
    """Circle the next ``count`` points, or as many as are left."""
    return replace(
        state, energy=_turn_first(state.energy, count, blocks.Energy.OPEN, blocks.Energy.CIRCLED)
    )


def cross_out(state: blocks.SheetState, count: int) -> blocks.SheetState:
    """Cross out the first ``count`` activated points, or as many as there are."""
    return replace(
        state, energy=_turn_first(state.energy, count, blocks.Energy.CIRCLED, blocks.Energy.USED)
    )


def apply_effects(state: blocks.SheetState, effects: list[int]) -> blocks.SheetState:
    """Circle and lose points in the given order of covered circles."""
    for effect in effects:
        change: Callable[[blocks.SheetState, int], blocks.SheetState] = (
            activate if effect > 0 else cross_out
        )
        state = change(state, abs(effect))
    return state


def landings(board: blocks.Board, shape: Shape) -> tuple[frozenset[Cell], ...]:
    """The cells of every place where the shape can come to rest, top row first."""
    return tuple(
        frozenset((top + row, left + column) for row, column in shape)
        for top, left in blocks.landing_corners(board, shape)
    )
