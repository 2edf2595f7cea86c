"""The places of a BLOXX! sheet that a player marks, and how people count them.

"cell 3,4" is a cell by its row and column, "bonus 5" a bonus in the order of the layout: those of
the top coloured row first, the highest first. People count rows from the bottom and columns from
the left, both from 1, and name a bonus by its figure and its row.

The marks of a BLOXX! sheet, by field and mark of its layouts, and what the print means.

Costs of broken rules of BLOXX!, in natural log-odds, as those in `infer.costs`.

They were chosen by hand by the same measure: clear evidence against a rule must stand (a log-odds
of 7 and more outweighs each of them by 2 and more), and one faint mark must be mended. No fit is
recorded for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from brikks_vision.detect.marks import Key
from brikks_vision.infer.answers import cell_name
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Cell, Layout, Mark
from brikks_vision.rules.bloxx.referee import MAX_SHAPE_CELLS, MIN_SHAPE_CELLS
from brikks_vision.rules.bloxx.sheet import (
    Form,
    Sheet,
    all_of,
    circles_by_form,
    forms_of,
    parse_sheet,
    phrase,
    row_from_bottom,
)
from brikks_vision.rules.bloxx.state import BonusMark, SheetState
from brikks_vision.rules.bloxx.state import Mark as CellMark
from brikks_vision.text.phrases import Phrase

CROSSES: Key = (CELL, Mark.CROSS)
RINGS: Key = (CELL, Mark.RING)
FILLS: Key = (CELL, Mark.FILL)
VERTICALS: Key = (VERTICAL, Mark.LINE)
HORIZONTALS: Key = (HORIZONTAL, Mark.LINE)
BONUS_RINGS: Key = ("bonus", Mark.RING)
BONUS_STRIKES: Key = ("bonus", Mark.CROSS)


@lru_cache(64)
def sheet_of(layout: Layout) -> Sheet:
    """What the print of a layout means.

    Raises
    ------
    ValueError
        The layout says something that is no BLOXX! sheet.
    """
    return parse_sheet(layout.printed, layout.grid.rows, layout.grid.columns)


@lru_cache(64)
def possible_shapes(sheet: Sheet) -> tuple[Form, ...]:
    """The forms that shapes can have: those on the dice, or all of usual size if none are known."""
    if sheet.dice is not None:
        return tuple(circles_by_form(sheet.dice))
    sizes = range(MIN_SHAPE_CELLS, MAX_SHAPE_CELLS + 1)
    return tuple(form for size in sizes for form in forms_of(size))


@lru_cache(64)
def circle_places(sheet: Sheet) -> dict[Form, frozenset[Cell]] | None:
    """By form, the cells where the dice can have its circle; None where no dice are known."""
    return None if sheet.dice is None else circles_by_form(sheet.dice)


CELL_MARKS = tuple(map(str, CellMark))
BONUS_MARKS = tuple(map(str, BonusMark))
MARKS: Mapping[str, tuple[str, ...]] = {"cell": CELL_MARKS, "bonus": BONUS_MARKS}
"""By field, the marks of the contract that can stand there: a cell is "X" crossed, "O" circled, "#"
coloured in or "." empty, a bonus "open", "circled" or "struck"."""

Answers = Mapping[str, str]
"""By place, the mark that a person saw there."""


def bonus_name(place: int) -> str:
    """The name of a bonus in doubts and answers, counted as `bonus_places`."""
    return f"bonus {place}"


def bonus_places(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    """Row of the grid and printed figure of each bonus, in the order of the layouts."""
    return tuple((row.row, bonus) for row in sheet.colored_rows for bonus in row.bonuses)


def split_answers(answers: Answers) -> tuple[dict[Cell, CellMark], dict[int, BonusMark]]:
    """The answers about cells, and those about bonuses, counted as `bonus_places`."""
    cells, bonuses = {}, {}
    for where, mark in answers.items():
        field, _, numbers = where.partition(" ")
        if field == "cell":
            row, column = map(int, numbers.split(","))
            cells[row, column] = CellMark(mark)
        else:
            bonuses[int(numbers)] = BonusMark(mark)
    return cells, bonuses


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


@lru_cache(64)
def _cell_names(sheet: Sheet) -> tuple[str, ...]:
    return tuple(map(cell_name, sheet.cells))


def marks(state: SheetState) -> dict[str, str]:
    """By place of the contract, the mark that stands there."""
    letters = (mark.value for line in state.grid for mark in line)
    cells = dict(zip(_cell_names(state.sheet), letters, strict=True))
    bonuses = (mark for of_row in state.bonuses for mark in of_row)
    return cells | {bonus_name(place): str(mark) for place, mark in enumerate(bonuses)}


OPEN_GAP = 3.5
"""Cost of an empty cell under a drawn one. Forgetting to colour a gap in is a slip as easy as a
box that is crossed out of order, so the cost is that of `infer.costs.BROKEN_ORDER`."""

NEXT_OPEN_GAP = 0.5
"""Cost of each further one below it in its column: who forgets one gap forgets those below."""

FALSE_GAP = 3.5
"""Cost of a coloured cell with nothing drawn above it: the same slip the other way round."""

NO_ROW_FOR_BONUS = 5.0
"""Cost of a bonus that is circled for an incomplete row: that of `infer.costs.BROKEN_RULE`."""

TWO_BONUSES = 5.0
"""Cost of two bonuses that are circled for one row: that of `infer.costs.BROKEN_RULE`."""

NO_BONUS_FOR_ROW = 2.0
"""Cost of a complete row for which nothing is circled: about one player in eight forgets it or
has not come to it yet."""

STRUCK_LOWEST = 2.0
"""Cost of striking a row's lowest bonus. Players strike the highest one, which is gone once
somebody has it; the lowest one is never gone."""
