"""What is marked on a Brikks sheet, its blocks, where they can come to rest, and both its bars.

The grid is one integer with a bit for each cell (bit ``row * columns + column``). Shifts of it give
all corners at which a shape fits. A flood row by row finds those that can be reached: a
breadth-first search over positions that handles a whole row in one step. A block goes down, left or
right, never up, and never turns. Above the grid there is only air between the grid's side walls.

The extra-points bar: what is crossed there for rows that one block finishes.

What is marked on one sheet: the state that the rules judge and score.

Cells are (row, column), counted from 0 at the grid's top left.

The energy bar: points are activated left to right by circling and crossed out when used.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache
from types import MappingProxyType

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.shapes import Shape, corner_of, shape_of

MINI_SHAPE: Shape = ((0, 0),)
"""The duel's mini-block: one outlined X."""

START_COLUMN = 1
"""The column of the overview from which the start block is taken."""


@dataclass(frozen=True)
class Kind:
    """A block of the overview: its colour and every column (from 1) that shows its shape."""

    color: str
    columns: tuple[int, ...]
    shape: Shape


@cache
def kinds(sheet: Sheet) -> tuple[Kind, ...]:
    """The distinct blocks of the overview, in its order."""
    found: dict[tuple[str, Shape], list[int]] = {}
    for color, shapes in sheet.blocks.items():
        for column, cells in enumerate(shapes, START_COLUMN):
            found.setdefault((color, shape_of(cells)), []).append(column)
    return tuple(Kind(color, tuple(columns), shape) for (color, shape), columns in found.items())


@cache
def by_shape(sheet: Sheet) -> Mapping[Shape, tuple[Kind, ...]]:
    """The blocks of the overview by their shapes."""
    table: dict[Shape, tuple[Kind, ...]] = {}
    for kind in kinds(sheet):
        table[kind.shape] = (*table.get(kind.shape, ()), kind)
    return MappingProxyType(table)


def kinds_of(cells: Iterable[Cell], sheet: Sheet) -> tuple[Kind, ...]:
    """Every block of the overview that has these cells; empty if none has."""
    cells = tuple(cells)
    if not cells:
        return ()
    return by_shape(sheet).get(shape_of(cells), ())


def is_start_shape(cells: Iterable[Cell], sheet: Sheet) -> bool:
    """Whether the cells are a block of column 1, unturned."""
    return any(START_COLUMN in kind.columns for kind in kinds_of(cells, sheet))


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


CROSSES_FOR_ROWS = {2: 1, 3: 2, 4: 4}
"""Extra crosses for rows finished with one block; one row gives none."""


def crosses_for_rows(count: int) -> int:
    """Extra crosses for that many rows finished with one block."""
    return CROSSES_FOR_ROWS.get(count, 0)


def max_crosses(sheet: Sheet) -> int:
    """Maximum number of crosses on the extra-points bar: the last box is never crossed."""
    return len(sheet.bonus_values) - 1


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


SOLO_EXTRA_POINTS = 1
"""Points that a player alone circles at setup."""

SAME_COLOR_GAIN = 2
OTHER_COLOR_EFFECT = {1: 1, 2: 0, 3: -1, 4: -2}
"""Points that a covered circle of another colour gives (or takes), by level."""

SWAP_COST = 5
"""Points for any block instead of the rolled one. A column to the left or right costs 1."""


def circle_effect(level: int, same_color: bool) -> int:
    """Points that covering one circle gives; negative where the player loses points."""
    return SAME_COLOR_GAIN if same_color else OTHER_COLOR_EFFECT[level]


@cache
def struck_at_setup(sheet: Sheet, players: int) -> frozenset[int]:
    """Points crossed out before the game: those labelled with more players than play.

    A solo player strikes none.
    """
    if players == 1:
        return frozenset()
    return frozenset(point for point, label in sheet.labels.items() if players < int(label))


def activated_at_setup(sheet: Sheet, players: int) -> int:
    """Points that bear a ring at the beginning, including those struck at setup."""
    return len(sheet.preprinted) + (SOLO_EXTRA_POINTS if players == 1 else 0)


def available(state: SheetState) -> int:
    """Activated points that are not used."""
    return state.energy.count(Energy.CIRCLED)


def activated(state: SheetState) -> int:
    """Points that bear a ring, including those used or struck."""
    return len(state.energy) - state.energy.count(Energy.OPEN)


@cache
def pink_points(sheet: Sheet, activated_points: int) -> int:
    """Pink X's among the first ``activated_points`` points of the bar."""
    return sum(point < activated_points for point in sheet.pink_points)
