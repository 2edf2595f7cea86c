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

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import (
    Block,
    Board,
    crosses_for_rows,
    is_start_shape,
    reaches,
)
from brikks_vision.rules.brikks.sheet import Sheet

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
    """Takes blocks off one sheet; remembers what came of every set of remaining blocks.

    A set is an integer with a bit for each block.
    """

    def __init__(
        self, blocks: Sequence[Block], board: Board, props: Collection[Cell], start: int | None
    ) -> None:
        # Blocks higher up come off first: in this order one pass takes off many.
        self.blocks, self.board = blocks, board
        self.last = 0 if start is None else 1 << start
        self.cells = [board.cell_bits(block) for block in blocks]
        self._set_supports(board.cell_bits(props), start)
        self.shadow = [self._straight_above(cells) & ~cells for cells in self.cells]
        line = (1 << board.columns) - 1
        lines = {row: line << (row * board.columns) for row in range(board.rows)}
        occupied = sum(self.cells)
        self.row_blocks = {
            row: sum(1 << block for block, cells in enumerate(self.cells) if cells & line)
            for row, line in lines.items()
            if occupied & line == line
        }
        self._reached: dict[tuple[int, int], bool] = {}
        self._ways: dict[int, Mapping[int, tuple[int, ...]]] = {}

    def _set_supports(self, props: int, start: int | None) -> None:
        columns, floor = self.board.columns, (self.board.rows - 1) * self.board.columns
        self.below = [(cells << columns) & ~cells for cells in self.cells]
        self.steady = [
            bool(cells >> floor) or bool(below & props)
            for cells, below in zip(self.cells, self.below, strict=True)
        ]
        start_cells = 0 if start is None else self.cells[start]
        everyone = range(len(self.blocks))
        # Blocks that would lose a support, and might fall, when a block is taken away.
        self.leaning = [
            sum(
                1 << other
                for other in everyone
                if other not in (block, start)
                and self.below[other] & self.cells[block]
                and not self.steady[other]
                and not self.below[other] & start_cells
            )
            for block in everyone
        ]

    def _straight_above(self, cells: int) -> int:
        for _ in range(self.board.rows):
            cells |= cells >> self.board.columns
        return cells

    def ways(self, remaining: int) -> Mapping[int, tuple[int, ...]]:
        """By every sum of crosses that taking off all blocks can give, one order of doing so.

        Empty where they cannot be taken off. The start block is the last one.
        """
        if remaining not in self._ways:
            self._ways[remaining] = self._found(remaining)
        return self._ways[remaining]

    def _found(self, remaining: int) -> Mapping[int, tuple[int, ...]]:
        left, counted, taken = self._settled(remaining)
        if left in (0, self.last):
            return {0: (*taken, *_bits(left))}
        if taken:
            return {crosses: (*taken, *rest) for crosses, rest in self.ways(left).items()}
        found: dict[int, tuple[int, ...]] = {}
        occupied = self._occupied(left)
        for block in _bits(left & ~self.last):
            if self.comes_off(block, occupied):
                gain = self._gain(block, left)
                for crosses, rest in self.ways(left & ~(1 << block)).items():
                    found.setdefault(gain + crosses, (block, *rest))
                if found and not counted:
                    break
        return found

    def _settled(self, remaining: int) -> tuple[int, int, list[int]]:
        """What is left where all came off that may at once; of it what counts; what came off."""
        taken: list[int] = []
        occupied = self._occupied(remaining)
        while True:
            before, counted = remaining, self._shared_rows(remaining)
            for block in _bits(remaining & ~self.last & ~counted):
                if not self.leaning[block] & remaining and self.comes_off(block, occupied):
                    remaining &= ~(1 << block)
                    occupied ^= self.cells[block]
                    taken.append(block)
            if remaining == before:
                return remaining, counted, taken

    def _occupied(self, remaining: int) -> int:
        return sum(self.cells[block] for block in _bits(remaining))

    def _whole_rows(self, remaining: int) -> list[int]:
        """The blocks of each row that is still whole."""
        return [blocks for blocks in self.row_blocks.values() if blocks & ~remaining == 0]

    def _shared_rows(self, remaining: int) -> int:
        """The blocks of whole rows that share a block with another whole row."""
        found = 0
        for one, other in combinations(self._whole_rows(remaining), 2):
            if one & other & ~self.last:
                found |= one | other
        return found

    def _gain(self, block: int, remaining: int) -> int:
        """Crosses for the rows that this block finished, if it is the last that was entered."""
        return crosses_for_rows(sum(row >> block & 1 for row in self._whole_rows(remaining)))

    def comes_off(self, block: int, occupied: int) -> bool:
        """Whether the block could be entered last on the occupied cells, its own included."""
        others = occupied & ~self.cells[block]
        if not self.steady[block] and not self.below[block] & others:
            return False
        if not self.shadow[block] & others:
            return True
        lowest = (self.cells[block].bit_length() - 1) // self.board.columns
        upper = others & ((1 << ((lowest + 1) * self.board.columns)) - 1)
        if (block, upper) not in self._reached:
            board = replace(self.board, bits=upper)
            self._reached[block, upper] = reaches(board, self.blocks[block])
        return self._reached[block, upper]


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
                if removal.comes_off(last, occupied) and removal.ways(everything & ~(1 << last))
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
        ways = removal.ways(everything)
        if ways:
            crosses[start] = frozenset(ways)
            taken = next(iter(ways.values()))
            example = example or tuple(ordered[block] for block in reversed(taken))
    return Orders(example, crosses)
