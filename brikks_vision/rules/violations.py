"""What a broken rule is called, where it shows on the sheet, and how it is told to a player."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from brikks_vision.rules.blocks import MINI_SHAPE, kinds_of, shape_of
from brikks_vision.rules.state import Block
from brikks_vision.sheet import Cell, SheetDefinition


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


@dataclass(frozen=True)
class Violation:
    """One broken rule.

    where: cells (row, column) of the grid, or indices (from 0) of energy points, boxes, bombs,
    rows or sheets, as the rule has it. message: a sentence for the players. confidence: 0 to 1;
    the rules alone are certain, a reading multiplies in how sure it is of the marks.
    """

    rule: Rule
    where: tuple[Cell, ...] | tuple[int, ...]
    message: str
    confidence: float = 1.0


def listed(values: Iterable[object], last: str = "or") -> str:
    """ "1, 2 or 3"."""
    words = [str(value) for value in values]
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def counted(count: int, one: str, many: str | None = None) -> str:
    """ "1 cross" or "2 crosses"."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def color_of(block: Block, definition: SheetDefinition) -> str | None:
    """The colour of a block; None where its cells are no block of the overview."""
    found = kinds_of(block, definition)
    return found[0].color if found else None


def place_words(cells: Iterable[Cell], definition: SheetDefinition) -> str:
    """Where cells lie, as a player would say it: rows from the bottom, columns from the left."""
    cells = tuple(cells)
    columns = sorted({column for _, column in cells})
    rows = sorted({definition.grid.rows - row for row, _ in cells})
    if columns[0] == 0:
        side = "at the left wall"
    elif columns[-1] == definition.grid.columns - 1:
        side = "at the right wall"
    else:
        side = f"in {_span('column', columns[0] + 1, columns[-1] + 1)}"
    return f"{side}, {_span('row', rows[0], rows[-1])} from the bottom"


def _span(word: str, first: int, last: int) -> str:
    return f"{word} {first}" if first == last else f"{word}s {first}-{last}"


def block_words(block: Block, definition: SheetDefinition) -> str:
    """ "the red block at the right wall, rows 1-3 from the bottom"."""
    color = color_of(block, definition)
    if color is not None:
        name = f"{color} block"
    elif shape_of(block) == MINI_SHAPE:
        name = "mini-block"
    else:
        name = f"group of {counted(len(block), 'cell')}"
    return f"the {name} {place_words(block, definition)}"


def sentence(text: str) -> str:
    """The text with a capital letter and a full stop."""
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")
