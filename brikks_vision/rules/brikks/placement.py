"""Rules of the grid: are the outlined groups blocks, do they rest on something, could they fall.

A group that breaks a rule is assumed to support the others and to be in the way of none, so that
one fault gives one violation.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import MINI_SHAPE, kinds, kinds_of
from brikks_vision.rules.brikks.board import Board, reaches, rests
from brikks_vision.rules.brikks.order import Orders, can_start, legal_orders
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Block, SheetState, grid_alone
from brikks_vision.rules.brikks.violations import Part, Rule, Violation, block_words, place_words
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.rules.shapes import connected, shape_of, shared_cells
from brikks_vision.text.phrases import all_of

FORGOTTEN_LINE = 0.5
"""Confidence that crosses break a rule if only a line may be missing.

An outline that holds several whole blocks, or adjacent outlines that do together; crosses without
an outline that are whole blocks; an outline that is no block while such crosses exist elsewhere.
"""

MAX_GROUP = 24
"""Cells; a larger outlined group counts as several blocks without their lines, untested."""

GRIDS_KEPT = 16  # that need not be judged again


@dataclass(frozen=True)
class Placed:
    """What the outlines on a sheet prove.

    sound: groups that are blocks and rest on something. unclear: crossed cells in none of those.
    starts: the blocks that can have been the start block, and None if an unclear group can have
    been it. orders: the legal orders of the sound blocks.
    """

    violations: tuple[Violation, ...]
    sound: tuple[Block, ...]
    unclear: frozenset[Cell]
    starts: tuple[Block | None, ...]
    orders: Orders


def is_outlined(state: SheetState) -> bool:
    """Whether the player drew outlines, around at least most of the crosses."""
    outlined = state.crossed & frozenset().union(*state.blocks)
    return bool(state.blocks) and 2 * len(outlined) >= len(state.crossed)


def judge_placement(state: SheetState, minis: bool) -> Placed:
    """Judge the outlined groups of a sheet; ``minis``: mini-blocks are blocks, too."""
    return _judge_grid(grid_alone(state), state.sheet, minis)


@lru_cache(GRIDS_KEPT)
def _judge_grid(state: SheetState, sheet: Sheet, minis: bool) -> Placed:
    """`judge_placement`, remembered: doubts about the bars ask again for the same grid.

    sheet: that of the state, whose hash does not hold it.
    """
    if not is_outlined(state):
        return Placed((), (), state.crossed, (None,), Orders((), {}))
    violations: list[Violation] = []
    shaped: list[Block] = []
    odd: list[Block] = []
    shared = shared_cells(state.blocks)
    strays = connected(state.crossed - frozenset().union(*state.blocks))
    # where one block lacks its outline, others may, too, and stand within their neighbours'
    is_partial = any(_may_lack_lines(cells, sheet) for cells in strays)
    for block in filter(None, state.blocks):
        is_mini = minis and shape_of(block) == MINI_SHAPE
        is_block = (is_mini or kinds_of(block, sheet)) and not block & shared
        (shaped if is_block else odd).append(block)
    # blocks between which one line is wrong: each of them is odd, together they are whole
    whole = frozenset().union(
        *(cells for cells in connected(frozenset().union(*odd)) if _may_lack_lines(cells, sheet))
    )
    violations += [_not_a_block(block, sheet, is_partial or bool(block & whole)) for block in odd]
    violations += [_stray_mark(cells, sheet) for cells in strays]
    sound, hanging = _grounded(shaped, state.crossed, sheet)
    violations += [_floating(blocks, sheet) for blocks in hanging]
    unclear = state.crossed - frozenset().union(*sound)
    further, starts, orders = _judge_orders(sound, unclear, sheet)
    return Placed((*violations, *further), tuple(sound), unclear, starts, orders)


def _not_a_block(block: Block, sheet: Sheet, unsure: bool) -> Violation:
    told = phrase("not-a-block", count=len(block), place=place_words(block, sheet))
    unsure = unsure or _may_lack_lines(block, sheet)
    confidence = FORGOTTEN_LINE if unsure else 1.0
    return Violation(Rule.NOT_A_BLOCK, Part.GRID, tuple(sorted(block)), told, confidence)


def _may_lack_lines(cells: frozenset[Cell], sheet: Sheet) -> bool:
    """Whether the cells would be blocks if some lines were added."""
    return len(cells) > MAX_GROUP or _falls_into_blocks(cells, sheet)


def _falls_into_blocks(cells: frozenset[Cell], sheet: Sheet) -> bool:
    """Whether blocks of the overview fill the cells exactly (exact cover, cell by cell)."""
    if not cells:
        return True
    first = min(cells)
    for kind in kinds(sheet):
        start = kind.shape[0]
        block = {(first[0] + r - start[0], first[1] + c - start[1]) for r, c in kind.shape}
        if cells.issuperset(block) and _falls_into_blocks(cells - block, sheet):
            return True
    return False


def _stray_mark(cells: frozenset[Cell], sheet: Sheet) -> Violation:
    told = phrase("stray-mark", count=len(cells), place=place_words(cells, sheet))
    confidence = FORGOTTEN_LINE if _may_lack_lines(cells, sheet) else 1.0
    return Violation(Rule.STRAY_MARK, Part.GRID, tuple(sorted(cells)), told, confidence)


def _grounded(
    blocks: list[Block], crossed: frozenset[Cell], sheet: Sheet
) -> tuple[list[Block], list[list[Block]]]:
    """Blocks that the floor supports, directly or not; and the groups of unsupported blocks."""
    board = Board(sheet.rows, sheet.columns)
    firm = board.with_cells(crossed - frozenset().union(*blocks))
    sound: list[Block] = []
    hanging: list[list[Block]] = []
    left = list(blocks)
    while left:
        resting = [block for block in left if rests(firm, block)]
        if resting:
            sound += resting
        else:
            resting = _lowest_hanging(left, board)
            hanging.append(resting)
        left = [block for block in left if block not in resting]
        firm = firm.with_cells(cell for block in resting for cell in block)
    return sound, hanging


def _lowest_hanging(blocks: list[Block], board: Board) -> list[Block]:
    """A block that rests on nothing; if there is none, blocks that only support each other."""
    for block in blocks:
        if not any(rests(board.with_cells(other), block) for other in blocks if other != block):
            return [block]
    return blocks


def _floating(blocks: list[Block], sheet: Sheet) -> Violation:
    named = all_of(block_words(block, sheet) for block in blocks)
    cells = sorted(cell for block in blocks for cell in block)
    told = phrase("floating", count=len(blocks), blocks=named)
    return Violation(Rule.FLOATING, Part.GRID, tuple(cells), told)


def _judge_orders(
    sound: list[Block], unclear: frozenset[Cell], sheet: Sheet
) -> tuple[list[Violation], tuple[Block | None, ...], Orders]:
    floor = sheet.rows - 1
    starts: list[Block | None] = [block for block in sound if can_start(block, sheet)]
    violations = []
    if any(row == floor for row, _ in unclear):
        starts.append(None)
    elif not starts and sound:
        violations.append(_start_block(sound, sheet))
        starts = [None]
    orders = legal_orders(sound, sheet, props=unclear, starts=starts)
    if sound and not orders.exist:
        violations.append(_unreachable(sound, unclear, starts, sheet))
    return violations, tuple(orders.crosses) or tuple(starts) or (None,), orders


def _start_block(blocks: list[Block], sheet: Sheet) -> Violation:
    floor = sheet.rows - 1
    cells = sorted(
        cell for block in blocks if any(row == floor for row, _ in block) for cell in block
    )
    return Violation(Rule.START_BLOCK, Part.GRID, tuple(cells), phrase("start-block"))


def _unreachable(
    blocks: list[Block],
    unclear: frozenset[Cell],
    starts: list[Block | None],
    sheet: Sheet,
) -> Violation:
    """A violation for the blocks that cannot be entered, with the best choice of start block."""
    stuck = min((_stuck(blocks, unclear, start, sheet) for start in starts), key=len)
    named = all_of(block_words(block, sheet) for block in stuck)
    told = phrase("unreachable", count=len(stuck), blocks=named)
    cells = sorted(cell for block in stuck for cell in block)
    return Violation(Rule.UNREACHABLE, Part.GRID, tuple(cells), told)


def _stuck(
    blocks: list[Block],
    unclear: frozenset[Cell],
    start: Block | None,
    sheet: Sheet,
) -> list[Block]:
    """The blocks left after every block that can be entered has been, the lowest first."""
    board = Board(sheet.rows, sheet.columns)
    props = board.with_cells(unclear)
    left = [block for block in blocks if block != start]
    if start is not None:
        board = board.with_cells(start)
    while True:
        ready = [
            block
            for block in left
            if reaches(board, block)
            and rests(Board(board.rows, board.columns, board.bits | props.bits), block)
        ]
        if not ready:
            return left
        lowest = max(ready, key=lambda block: sum(row for row, _ in block))
        board = board.with_cells(lowest)
        left.remove(lowest)
