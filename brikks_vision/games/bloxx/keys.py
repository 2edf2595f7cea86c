"""The marks of a BLOXX! sheet, by field and mark of its layouts, and what the print means."""

from __future__ import annotations

from functools import lru_cache

from brikks_vision.detect.marks import Key
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Layout, Mark
from brikks_vision.rules.bloxx.faces import Cell, Form, circles_by_form, forms_of
from brikks_vision.rules.bloxx.placement import MAX_SHAPE_CELLS, MIN_SHAPE_CELLS
from brikks_vision.rules.bloxx.sheet import Sheet, parse_sheet

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
    SheetDataError
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
