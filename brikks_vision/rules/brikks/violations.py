"""What a broken rule is called, where it shows on the sheet, and how it is told to a player."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import MINI_SHAPE, kinds_of
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Block
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.rules.shapes import shape_of
from brikks_vision.text.phrases import Fact, Phrase, Told, one_of


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


@dataclass(frozen=True)
class Violation(Told):
    """One broken rule.

    part, where: cells (row, column) of the grid, or indices (from 0) of energy points, boxes,
    bombs, rows or sheets, as ``part`` says. told: what the players are told. confidence: 0 to 1;
    the rules alone are certain, a reading multiplies in how sure it is of the marks.
    """

    rule: Rule
    part: Part
    where: tuple[Cell, ...] | tuple[int, ...]
    told: Phrase
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
