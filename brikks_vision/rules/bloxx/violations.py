"""What a broken rule is called, where it shows on the sheet, and how it is told to a player."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from brikks_vision.rules.bloxx.faces import Cell
from brikks_vision.rules.bloxx.words import Phrase
from brikks_vision.text.phrases import Told


class Rule(StrEnum):
    """The codes of the reading's contract."""

    NOT_A_SHAPE = "not-a-shape"
    TWO_CIRCLES = "two-circles"
    WRONG_CIRCLE = "wrong-circle"
    FLOATING = "floating"
    FIRST_SHAPE = "first-shape"
    ORDER = "order"
    OPEN_GAP = "open-gap"
    FALSE_GAP = "false-gap"
    STRAY_MARK = "stray-mark"
    ROW_BONUS = "row-bonus"
    WRITTEN_ROWS = "written-rows"
    WRITTEN_NUMBERS = "written-numbers"
    WRITTEN_PENALTY = "written-penalty"
    WRITTEN_TOTAL = "written-total"
    BONUS_SHARED = "bonus-shared"
    SHAPES_DIFFER = "shapes-differ"


class Part(StrEnum):
    """The part of the sheets that a violation shows in."""

    GRID = "grid"
    BONUS = "bonus"
    ROWS = "rows"
    NUMBERS = "numbers"
    PENALTY = "penalty"
    TOTAL = "total"
    SHEETS = "sheets"


@dataclass(frozen=True)
class Violation(Told):
    """One broken rule.

    part, where: cells (row, column) of the grid; for ``bonus`` the coloured rows (rows of the
    grid); for ``sheets`` indices of sheets from 0; for a written figure nothing. told: what the
    players are told. confidence: 0 to 1; the rules alone are certain, a reading multiplies in how
    sure it is of the marks.
    """

    rule: Rule
    part: Part
    where: tuple[Cell, ...] | tuple[int, ...]
    told: Phrase
    confidence: float = 1.0
