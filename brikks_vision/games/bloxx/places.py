"""The places of a BLOXX! sheet that a player marks, and how people count them.

"cell 3,4" is a cell by its row and column, "bonus 5" a bonus in the order of the layout: those of
the top coloured row first, the highest first. People count rows from the bottom and columns from
the left, both from 1, and name a bonus by its figure and its row.
"""

from __future__ import annotations

from collections.abc import Mapping

from brikks_vision.decode.answers import cell_name
from brikks_vision.games.bloxx.keys import sheet_of
from brikks_vision.layout import Cell, Layout
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState
from brikks_vision.rules.bloxx.words import all_of, phrase, row_from_bottom
from brikks_vision.text.phrases import Phrase

CELL_MARKS = tuple(map(str, Mark))
BONUS_MARKS = tuple(map(str, BonusMark))
MARKS: Mapping[str, tuple[str, ...]] = {"cell": CELL_MARKS, "bonus": BONUS_MARKS}
"""By field, the marks of the contract that can stand there: a cell is "X" crossed, "O" circled, "#"
coloured in or "." empty, a bonus "open", "circled" or "struck"."""

PART_FIELDS: Mapping[str, str] = {"bonus": "row"}
"""By part of the sheet that a broken rule names, the field or the row that it shows in."""

Answers = Mapping[str, str]
"""By place, the mark that a person saw there."""


def bonus_name(place: int) -> str:
    """The name of a bonus in doubts and answers, counted as `bonus_places`."""
    return f"bonus {place}"


def bonus_places(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    """Row of the grid and printed figure of each bonus, in the order of the layouts."""
    return tuple((row.row, bonus) for row in sheet.colored_rows for bonus in row.bonuses)


def split_answers(answers: Answers) -> tuple[dict[Cell, Mark], dict[int, BonusMark]]:
    """The answers about cells, and those about bonuses, counted as `bonus_places`."""
    cells, bonuses = {}, {}
    for where, mark in answers.items():
        field, _, numbers = where.partition(" ")
        if field == "cell":
            row, column = map(int, numbers.split(","))
            cells[row, column] = Mark(mark)
        else:
            bonuses[int(numbers)] = BonusMark(mark)
    return cells, bonuses


def marks_at(where: str) -> tuple[str, ...]:
    """The marks of the contract that evidence can show at a place."""
    return MARKS[where.partition(" ")[0]]


def counted(where: str, layout: Layout) -> Mapping[str, int]:
    """The numbers of a place of the contract as people count."""
    field, _, numbers = where.partition(" ")
    sheet = sheet_of(layout)
    if field == "cell":
        row, column = map(int, numbers.split(","))
        return {"row": row_from_bottom(row, sheet), "column": column + 1}
    row, bonus = bonus_places(sheet)[int(numbers)]
    return {"row": row_from_bottom(row, sheet), "figure": bonus}


def answers_there(layout: Layout) -> Phrase:
    """The places that a sheet has, in words."""
    sheet = sheet_of(layout)
    rows = sorted(row_from_bottom(colored.row, sheet) for colored in sheet.colored_rows)
    bonuses = sorted({bonus for colored in sheet.colored_rows for bonus in colored.bonuses})
    return phrase(
        "answers-there",
        rows=sheet.rows,
        columns=sheet.columns,
        bonuses=all_of(bonuses),
        colored=all_of(rows),
    )


def marks(state: SheetState) -> dict[str, str]:
    """By place of the contract, the mark that stands there."""
    cells = {cell_name(cell): str(state.mark(cell)) for cell in state.sheet.cells}
    bonuses = (mark for of_row in state.bonuses for mark in of_row)
    return cells | {bonus_name(place): str(mark) for place, mark in enumerate(bonuses)}
