"""Places of a BLOXX! sheet as doubts and answers name them.

"cell 3,4" is a cell by its row and column; its marks are "X" cross, "O" circle, "#" coloured in and
"." empty. "bonus 2,4" is the bonus 4 of the coloured row 2; its marks are "O" circled, "X" struck
and "." untouched. Rows and columns count from 0 at the grid's top left.
"""

from __future__ import annotations

from collections.abc import Mapping

from brikks_vision.layout import Cell
from brikks_vision.rules.bloxx.state import BonusMark, Mark

CELL_PLACE, BONUS_PLACE = "cell", "bonus"

BONUS_SIGNS = {BonusMark.CIRCLED: "O", BonusMark.STRUCK: "X", BonusMark.OPEN: "."}

SIGNS = {CELL_PLACE: tuple(map(str, Mark)), BONUS_PLACE: tuple(BONUS_SIGNS.values())}
"""By kind of place, the marks that can stand there."""

Answers = Mapping[str, str]
"""By place, the mark that a person saw there."""


def cell_name(cell: Cell) -> str:
    """The name of a cell in doubts and answers."""
    return f"{CELL_PLACE} {cell[0]},{cell[1]}"


def bonus_name(row: int, bonus: int) -> str:
    """The name of a bonus in doubts and answers. row: of the grid. bonus: the printed figure."""
    return f"{BONUS_PLACE} {row},{bonus}"


def split_answers(
    answers: Answers,
) -> tuple[dict[Cell, Mark], dict[tuple[int, int], BonusMark]]:
    """The answers about cells, and those about bonuses by row of the grid and figure."""
    by_sign = {sign: mark for mark, sign in BONUS_SIGNS.items()}
    cells, bonuses = {}, {}
    for where, sign in answers.items():
        kind, _, numbers = where.partition(" ")
        row, number = map(int, numbers.split(","))
        if kind == CELL_PLACE:
            cells[row, number] = Mark(sign)
        else:
            bonuses[row, number] = by_sign[sign]
    return cells, bonuses
