"""The rules of the grid of Brikks, and how a broken one is told.

Rules of the grid: are the outlined groups blocks, do they rest on something, could they fall.

A group that breaks a rule is assumed to support the others and to be in the way of none, so that
one fault gives one violation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

from brikks_vision.layout import Cell
from brikks_vision.rules import shapes
from brikks_vision.rules.brikks.blocks import (
    MINI_SHAPE,
    Block,
    Board,
    SheetState,
    by_shape,
    grid_alone,
    kinds_of,
    reaches,
    rests,
)
from brikks_vision.rules.brikks.order import Orders, can_start, legal_orders
from brikks_vision.rules.brikks.sheet import Sheet, phrase
from brikks_vision.rules.shapes import Violation, shape_of, shared_cells
from brikks_vision.text.phrases import Fact, Phrase, all_of, one_of


class Rule(StrEnum):
    """The codes of the reading's contract."""

    NOT_A_BLOCK = "not-a-block"
    STRAY_MARK = "stray-mark"
    FLOATING = "floating"
    UNREACHABLE = "unreachable"
    START_BLOCK = "start-block"
    ENERGY_ORDER = "energy-order"
    ENERGY_COUNT = "energy-count"
    BONUS_ORDER = "bonus-order"
    BONUS_COUNT = "bonus-count"
    BOMB_ORDER = "bomb-order"
    WRITTEN_ROW = "written-row"
    WRITTEN_TOTAL = "written-total"
    SAME_START = "same-start"
    ROLLS_DIFFER = "rolls-differ"
    ILLEGAL_MOVE = "illegal-move"


BAR_RULES = (
    Rule.ENERGY_ORDER, Rule.ENERGY_COUNT, Rule.BONUS_ORDER, Rule.BONUS_COUNT, Rule.BOMB_ORDER,
)  # fmt: skip
"""Proven by single marks of the bars, which must be clear by themselves."""


class Part(StrEnum):
    """The part of the sheets that a violation shows in."""

    GRID = "grid"
    ENERGY = "energy"
    BONUS = "bonus"
    BOMBS = "bombs"
    ROWS = "rows"
    TOTAL = "total"
    SHEETS = "sheets"


def color_of(block: Block, sheet: Sheet) -> str | None:
    """The colour of a block; None if its cells are no block of the overview."""
    found = kinds_of(block, sheet)
    return found[0].color if found else None


def place_words(cells: Iterable[Cell], sheet: Sheet) -> Phrase:
    """The place of cells in a player's words: rows from the bottom, columns from the left."""
    cells = tuple(cells)
    columns = sorted({column for _, column in cells})
    rows = sorted({sheet.rows - row for row, _ in cells})
    if columns[0] == 0:
        side = phrase("left-wall")
    elif columns[-1] == sheet.columns - 1:
        side = phrase("right-wall")
    else:
        side = _span("column", columns[0] + 1, columns[-1] + 1)
    return phrase("place", side=side, rows=_span("row", rows[0], rows[-1]))


def _span(word: str, first: int, last: int) -> Phrase:
    if first == last:
        return phrase(f"one-{word}", number=first)
    return phrase(f"{word}s", first=first, last=last)


def block_words(block: Block, sheet: Sheet) -> Phrase:
    """ "the red block at the right wall, rows 1-3 from the bottom"."""
    place = place_words(block, sheet)
    color = color_of(block, sheet)
    if color is not None:
        return phrase(f"{color}-block", place=place)
    if shape_of(block) == MINI_SHAPE:
        return phrase("mini-block", place=place)
    return phrase("cell-group", count=len(block), place=place)


def energy_points(count: int) -> Phrase:
    """ "1 energy point" or "2 energy points"."""
    return phrase("energy-points", count=count)


def off_by(what: str, count: int, allowed: Sequence[int]) -> Phrase:
    """How a count differs from every allowed one: "1 energy point too few is activated".

    ``what``: "activated", "struck" (energy points crossed out) or "extra" (crosses). ``allowed``:
    at least one.
    """
    if count < min(allowed):
        return phrase(f"{what}-too-few", count=min(allowed) - count)
    if count > max(allowed):
        return phrase(f"{what}-too-many", count=count - max(allowed))
    return phrase(f"{what}-wrong")


def one_of_counts(allowed: Sequence[int], found: int) -> Fact:
    """ "4 or 5"; of more than three the range, "7 to 12".

    allowed : ascending, without ``found``. Where the range holds what was found, that is excepted:
    "4 to 28, but not 7".
    """
    first, last = allowed[0], allowed[-1]
    if len(allowed) <= 3:
        return one_of(allowed)
    if first < found < last:
        return phrase("counts-without", first=first, last=last, found=found)
    return phrase("counts", first=first, last=last)


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
    return shapes.outlines_most(state.blocks, state.crossed)


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
    for block in filter(None, state.blocks):
        is_mini = minis and shape_of(block) == MINI_SHAPE
        is_block = (is_mini or kinds_of(block, sheet)) and not block & shared
        (shaped if is_block else odd).append(block)
    groups, strays = shapes.oddities(
        odd, state.blocks, state.crossed, lambda cells: shapes.falls_into(cells, by_shape(sheet))
    )
    for rule, found in ((Rule.NOT_A_BLOCK, groups), (Rule.STRAY_MARK, strays)):
        for cells, sure in found:
            told = phrase(str(rule), count=len(cells), place=place_words(cells, sheet))
            violations.append(Violation(rule, Part.GRID, tuple(sorted(cells)), told, sure))
    sound, hanging = _grounded(shaped, state.crossed, sheet)
    violations += [_floating(blocks, sheet) for blocks in hanging]
    unclear = state.crossed - frozenset().union(*sound)
    further, starts, orders = _judge_orders(sound, unclear, sheet)
    return Placed((*violations, *further), tuple(sound), unclear, starts, orders)


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
