"""Where a block can come to rest.

The grid is one integer with a bit for each cell (bit ``row * columns + column``). Shifts of it give
all corners at which a shape fits. A flood row by row finds those that can be reached: a
breadth-first search over positions that handles a whole row in one step. A block goes down, left or
right, never up, and never turns. Above the grid there is only air between the grid's side walls.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from brikks_vision.layout import Cell
from brikks_vision.rules.shapes import Shape, corner_of, shape_of

if TYPE_CHECKING:
    from brikks_vision.rules.brikks.state import SheetState


@dataclass(frozen=True)
class Board:
    """An occupied grid. ``bits`` has bit ``row * columns + column`` set where a cell is taken."""

    rows: int
    columns: int
    bits: int = 0

    def cell_bits(self, cells: Iterable[Cell]) -> int:
        """The bits of cells inside the grid."""
        bits = 0
        for row, column in cells:
            bits |= 1 << (row * self.columns + column)
        return bits

    def with_cells(self, cells: Iterable[Cell]) -> Board:
        return Board(self.rows, self.columns, self.bits | self.cell_bits(cells))

    def holds(self, cell: Cell) -> bool:
        """Whether a cell inside the grid is taken."""
        return bool(self.bits >> (cell[0] * self.columns + cell[1]) & 1)

    def full_rows(self) -> tuple[int, ...]:
        """Rows with every cell taken, top first."""
        line = (1 << self.columns) - 1
        return tuple(
            row for row in range(self.rows) if self.bits >> (row * self.columns) & line == line
        )


def board_of(state: SheetState) -> Board:
    """The grid with every crossed cell taken."""
    return Board(state.sheet.rows, state.sheet.columns).with_cells(state.crossed)


@cache
def _extent(shape: Shape) -> tuple[int, int]:
    return max(row for row, _ in shape) + 1, max(column for _, column in shape) + 1


@cache
def _anchors(shape: Shape, rows: int, columns: int) -> tuple[tuple[int, ...], int, int]:
    """Shifts of the shape's cells; corners between the walls; height.

    Corners count from as many rows above the grid as the shape is high.
    """
    height, width = _extent(shape)
    if height > rows or width > columns:
        return (), 0, height
    shifts = tuple(row * columns + column for row, column in shape)
    line = (1 << (columns - width + 1)) - 1
    inside = 0
    for row in range(rows + 1):
        inside |= line << (row * columns)
    return shifts, inside, height


@lru_cache(maxsize=1 << 16)
def spread(free: int, seed: int) -> int:
    """All bits of ``free`` that are joined to ``seed`` within one row."""
    while True:
        wider = (seed | seed << 1 | seed >> 1) & free
        if wider == seed:
            return seed
        seed = wider


def free_corners(bits: int, rows: int, columns: int, shape: Shape) -> tuple[int, int]:
    """Corners where the shape fits and the shape's height.

    Bit ``(row + height) * columns + column``: rows count from ``height`` above the grid.
    """
    shifts, inside, height = _anchors(shape, rows, columns)
    occupied = bits << (height * columns)
    hit = 0
    for shift in shifts:
        hit |= occupied >> shift
    return inside & ~hit, height


def _reached(free: int, rows: int, columns: int) -> int:
    line = (1 << columns) - 1
    arrived = free & line
    reached = arrived
    for row in range(1, rows + 1):
        free_row = free >> (row * columns) & line
        arrived = spread(free_row, arrived & free_row)
        if not arrived:
            break
        reached |= arrived << (row * columns)
    return reached


def landing_corners(board: Board, shape: Shape) -> tuple[Cell, ...]:
    """Where the shape can come to rest: the top left corners of its bounding box, top row first.

    A resting block is wholly inside and cannot move down. It may slide sideways on its way, also
    under an overhang. Empty if there is no legal place.
    """
    columns = board.columns
    free, height = free_corners(board.bits, board.rows, columns, shape)
    reached = _reached(free, board.rows, columns)
    resting = (reached & ~(free >> columns)) >> (height * columns)
    corners = []
    while resting:
        lowest = resting & -resting
        corners.append(divmod(lowest.bit_length() - 1, columns))
        resting ^= lowest
    return tuple(corners)


def reaches(board: Board, cells: Iterable[Cell]) -> bool:
    """Whether a block can get to these cells from above, past the cells that are taken."""
    cells = tuple(cells)
    shape = shape_of(cells)
    top, left = corner_of(cells)
    free, height = free_corners(board.bits, board.rows, board.columns, shape)
    reached = _reached(free, board.rows, board.columns)
    return bool(reached >> ((top + height) * board.columns + left) & 1)


def rests(board: Board, cells: Iterable[Cell]) -> bool:
    """Whether one of these cells stands on the floor or on a taken cell outside of them."""
    cells = frozenset(cells)
    return any(
        row + 1 == board.rows or ((row + 1, column) not in cells and board.holds((row + 1, column)))
        for row, column in cells
    )


def path_to(board: Board, cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """A shortest way of the block's corner from above the grid to these cells; empty if none.

    Rows above the grid are negative.
    """
    cells = tuple(cells)
    shape = shape_of(cells)
    goal = corner_of(cells)
    free, height = free_corners(board.bits, board.rows, board.columns, shape)

    def fits(corner: Cell) -> bool:
        row, column = corner
        return (
            -height <= row < board.rows
            and 0 <= column < board.columns
            and bool(free >> ((row + height) * board.columns + column) & 1)
        )

    # From the goal upwards, so that the first corner above the grid ends the search.
    came: dict[Cell, Cell | None] = {goal: None} if fits(goal) else {}
    queue = list(came)
    for corner in queue:
        row, column = corner
        if row == -height:
            way: list[Cell] = []
            step: Cell | None = corner
            while step is not None:
                way.append(step)
                step = came[step]
            return tuple(way)
        for before in ((row - 1, column), (row, column - 1), (row, column + 1)):
            if before not in came and fits(before):
                came[before] = corner
                queue.append(before)
    return ()
