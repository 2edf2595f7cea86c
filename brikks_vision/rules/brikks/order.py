"""Is there an order of legal drops that builds exactly these blocks?

The search runs backwards: it takes blocks off the full sheet. A block can come off where, without
it, it could still get there from above and rest there. Taking a block off frees the ways of the
others but may take away what they stand on, so a greedy choice alone is wrong. Two facts keep the
exact search small:

* A block that comes off and holds up no other (or only such as also stand on the floor or on the
  start block) may always come off now: every order that takes it later stays legal when it is
  taken first, as the others only gain room.
* For the extra crosses, only rows count that are still whole and that some block shares with
  another whole row. Blocks outside of them change no count, so the first fact holds for them too.

What is left is tried in full, with memory over sets of remaining blocks. The start block is fixed
beforehand and comes off last. Grids are integers, bit ``row * columns + column``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import (
    Block,
    Board,
    crosses_for_rows,
    free_corners,
    is_start_shape,
    spread,
)
from brikks_vision.rules.brikks.sheet import Sheet

_NOTHING_EARNED = frozenset({0})
SEARCHES_KEPT = 64  # that need not be made again


@dataclass(frozen=True)
class Orders:
    """What the legal orders of a sheet's blocks have in common.

    example: one legal order, start block first; empty where there is none. crosses: for each block
    that can have been the start block, every number of extra crosses that some order gives for
    rows finished together (pink X's not counted); empty where there is no legal order. Where no
    start block was asked for, its only key is None.
    """

    example: tuple[Block, ...]
    crosses: dict[Block | None, frozenset[int]]

    @property
    def exist(self) -> bool:
        return bool(self.crosses)

    @property
    def possible_crosses(self) -> frozenset[int]:
        """Every number of extra crosses over all starts and orders."""
        return frozenset().union(*self.crosses.values())


def _bits(mask: int) -> Iterator[int]:
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class _Removal:
    """Takes blocks off one sheet; remembers what came of every set of remaining blocks."""

    def __init__(
        self, blocks: Sequence[Block], board: Board, props: Collection[Cell], start: int | None
    ) -> None:
        # Blocks higher up come off first: in this order one pass takes off many.
        self.blocks = blocks
        self.rows, self.columns = board.rows, board.columns
        self.start = start
        self.cells = [board.cell_bits(block) for block in blocks]
        self.shapes = [tuple(sorted(block)) for block in blocks]
        self._set_supports(board.cell_bits(props))
        self._set_ways()
        self._set_rows()
        self._reached: dict[tuple[int, int], bool] = {}
        self._sums: dict[int, frozenset[int]] = {}
        self._settled: dict[int, tuple[int, tuple[int, ...]]] = {}

    def _set_supports(self, props: int) -> None:
        columns, floor = self.columns, (self.rows - 1) * self.columns
        self.below = [(cells << columns) & ~cells for cells in self.cells]
        self.steady = [
            bool(cells >> floor) or bool(below & props)
            for cells, below in zip(self.cells, self.below, strict=True)
        ]
        start_cells = 0 if self.start is None else self.cells[self.start]
        everyone = range(len(self.blocks))
        # Blocks that would lose a support, and might fall, when a block is taken away.
        self.leaning = [
            sum(
                1 << other
                for other in everyone
                if other not in (block, self.start)
                and self.below[other] & self.cells[block]
                and not self.steady[other]
                and not self.below[other] & start_cells
            )
            for block in everyone
        ]

    def _set_ways(self) -> None:
        """The cells straight above each block, and all that can bear on its way up."""
        self.shadow, self.upper = [], []
        for cells in self.cells:
            shadow = cells
            for _ in range(self.rows):
                shadow |= shadow >> self.columns
            self.shadow.append(shadow & ~cells)
            lowest_row = (cells.bit_length() - 1) // self.columns
            self.upper.append((1 << ((lowest_row + 1) * self.columns)) - 1)

    def _set_rows(self) -> None:
        line = (1 << self.columns) - 1
        occupied = sum(self.cells)
        self.row_blocks = {
            row: sum(
                1 << block
                for block, cells in enumerate(self.cells)
                if cells >> (row * self.columns) & line
            )
            for row in range(self.rows)
            if occupied >> (row * self.columns) & line == line
        }

    def earned(self, remaining: int) -> frozenset[int]:
        """Every sum of crosses that taking off the remaining blocks can give; empty if none."""
        known = self._sums.get(remaining)
        if known is not None:
            return known
        settled, _ = self.settle(remaining)
        if settled in (0, self._last):
            sums = _NOTHING_EARNED
        elif settled != remaining:
            sums = self.earned(settled)
        else:
            sums = self._branch(remaining)
        self._sums[remaining] = sums
        return sums

    def _branch(self, remaining: int) -> frozenset[int]:
        sums: set[int] = set()
        occupied = self._occupied(remaining)
        hopeful = bool(self._shared_rows(remaining))
        for block in self._movable(remaining):
            if self.comes_off(block, occupied):
                gain = self.gain(block, remaining)
                sums.update(gain + rest for rest in self.earned(remaining & ~(1 << block)))
                if sums and not hopeful:
                    break
        return frozenset(sums)

    @property
    def _last(self) -> int:
        return 0 if self.start is None else 1 << self.start

    def _movable(self, remaining: int) -> Iterator[int]:
        return _bits(remaining & ~self._last)

    def _occupied(self, remaining: int) -> int:
        return sum(self.cells[block] for block in _bits(remaining))

    def _whole_rows(self, remaining: int) -> list[int]:
        return [row for row, blocks in self.row_blocks.items() if blocks & ~remaining == 0]

    def _shared_rows(self, remaining: int) -> int:
        """The blocks of whole rows that share a block with another whole row."""
        whole = self._whole_rows(remaining)
        touching = 0
        for index, row in enumerate(whole):
            for other in whole[index + 1 :]:
                if self.row_blocks[row] & self.row_blocks[other] & ~self._last:
                    touching |= self.row_blocks[row] | self.row_blocks[other]
        return touching

    def gain(self, block: int, remaining: int) -> int:
        """Crosses for the rows that this block finished, if it is the last that was entered."""
        finished = sum(self.row_blocks[row] >> block & 1 for row in self._whole_rows(remaining))
        return crosses_for_rows(finished)

    def settle(self, remaining: int) -> tuple[int, tuple[int, ...]]:
        """Take off all that may come off at once; what is left, and the blocks in that order."""
        known = self._settled.get(remaining)
        if known is not None:
            return known
        before, taken = remaining, []
        occupied = self._occupied(remaining)
        progress = True
        while progress:
            progress = False
            counted = self._shared_rows(remaining)
            for block in self._movable(remaining & ~counted):
                if not self.leaning[block] & remaining and self.comes_off(block, occupied):
                    remaining &= ~(1 << block)
                    occupied ^= self.cells[block]
                    taken.append(block)
                    progress = True
        self._settled[before] = remaining, tuple(taken)
        return self._settled[before]

    def comes_off(self, block: int, occupied: int) -> bool:
        """Whether the block could be entered last on the occupied cells, its own included."""
        others = occupied & ~self.cells[block]
        if not self.steady[block] and not self.below[block] & others:
            return False
        if not self.shadow[block] & others:
            return True
        key = block, others & self.upper[block]
        known = self._reached.get(key)
        if known is None:
            known = self._reached[key] = self._rises(block, others & self.upper[block])
        return known

    def _rises(self, block: int, others: int) -> bool:
        """Flood from the block's place upwards, a row a step."""
        cells = self.blocks[block]
        top = min(row for row, _ in cells)
        left = min(column for _, column in cells)
        shape = tuple((row - top, column - left) for row, column in self.shapes[block])
        free, height = free_corners(others, self.rows, self.columns, shape)
        line = (1 << self.columns) - 1
        here = 1 << left
        for row in range(top + height, -1, -1):
            free_row = free >> (row * self.columns) & line
            here = spread(free_row, here & free_row)
            if not here:
                return False
        return True

    def order(self) -> tuple[Block, ...]:
        """A legal order of entering the blocks; there must be one."""
        remaining = (1 << len(self.blocks)) - 1
        taken: list[int] = []
        while True:
            remaining, settled = self.settle(remaining)
            taken += settled
            if remaining in (0, self._last):
                break
            occupied = self._occupied(remaining)
            block = next(
                block
                for block in self._movable(remaining)
                if self.comes_off(block, occupied) and self.earned(remaining & ~(1 << block))
            )
            taken.append(block)
            remaining &= ~(1 << block)
        if remaining and self.start is not None:
            taken.append(self.start)
        return tuple(self.blocks[block] for block in reversed(taken))


def can_start(block: Block, sheet: Sheet) -> bool:
    """Whether the block can be a start block: a shape of column 1, unturned, on the bottom row."""
    return is_start_shape(block, sheet) and (max(row for row, _ in block) == sheet.rows - 1)


def legal_orders(
    blocks: Iterable[Block],
    sheet: Sheet,
    props: Collection[Cell] = (),
    starts: Collection[Block | None] | None = None,
) -> Orders:
    """Every way to build the blocks by legal drops.

    blocks: groups of cells inside the grid that share none. props: crossed cells that are in none
    of the blocks: others may rest on them, and they are in nobody's way. starts: blocks to take
    for the start block, None for an order without one; left out, every block that can be one.
    """
    ordered = tuple(sorted(blocks, key=lambda block: min(block)))
    if starts is None:
        starts = [block for block in ordered if can_start(block, sheet)]
    board = Board(sheet.rows, sheet.columns)
    return search_orders(ordered, board, frozenset(props), tuple(starts))


def last_blocks(blocks: Iterable[Block], sheet: Sheet) -> tuple[Block, ...]:
    """The blocks that some legal order enters last; empty where there is no legal order."""
    ordered = tuple(sorted(blocks, key=lambda block: min(block)))
    board, everything = Board(sheet.rows, sheet.columns), (1 << len(ordered)) - 1
    occupied = board.cell_bits(cell for block in ordered for cell in block)
    found: set[int] = set()
    for start, block in enumerate(ordered):
        if can_start(block, sheet):
            removal = _Removal(ordered, board, (), start)
            found |= {
                last
                for last in set(range(len(ordered))) - found - {start}
                if removal.comes_off(last, occupied) and removal.earned(everything & ~(1 << last))
            }
    return tuple(ordered[last] for last in sorted(found))


@lru_cache(SEARCHES_KEPT)
def search_orders(
    ordered: tuple[Block, ...],
    board: Board,
    props: frozenset[Cell],
    starts: tuple[Block | None, ...],
) -> Orders:
    """`legal_orders`, remembered: doubts ask again and again for the same blocks."""
    everything = (1 << len(ordered)) - 1
    example: tuple[Block, ...] = ()
    crosses: dict[Block | None, frozenset[int]] = {}
    for start in starts:
        index = None if start is None else ordered.index(start)
        removal = _Removal(ordered, board, props, index)
        sums = removal.earned(everything)
        if sums:
            crosses[start] = sums
            example = example or removal.order()
    return Orders(example, crosses)
