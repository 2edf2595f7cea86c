"""What the print of a BLOXX! sheet means: rows, columns, coloured rows, numbers, dice.

No coordinates: where things stand on the paper is the layout's. Cells are (row, column), counted
from 0 at the grid's top left.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from brikks_vision.rules.bloxx.faces import Cell, Die, Face, FaceError, read_face

__all__ = [
    "BONUSES",
    "DICE",
    "FACES",
    "Cell",
    "ColoredRow",
    "NumberedCell",
    "Sheet",
    "SheetDataError",
    "parse_sheet",
]

BONUSES = (4, 2)
"""Points for a complete coloured row: for the first player(s) and for later ones. Source: rules."""

DICE = 2
FACES = 6
"""Two dice with six shapes each. Source: rules."""


@dataclass(frozen=True)
class ColoredRow:
    """A row that gives a bonus. bonuses: the figures under the grid, highest first."""

    row: int
    color: str
    bonuses: tuple[int, ...] = BONUSES


@dataclass(frozen=True)
class NumberedCell:
    """A cell with a printed number, which counts under a circle."""

    row: int
    column: int
    value: int

    @property
    def cell(self) -> Cell:
        return self.row, self.column


@dataclass(frozen=True)
class Sheet:
    """A printed sheet. colored_rows: top first. dice: None where they are not known."""

    rows: int
    columns: int
    colored_rows: tuple[ColoredRow, ...] = ()
    numbers: tuple[NumberedCell, ...] = ()
    dice: tuple[Die, ...] | None = None

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, in reading order."""
        return tuple((row, column) for row in range(self.rows) for column in range(self.columns))

    def row_cells(self, row: int) -> frozenset[Cell]:
        return frozenset((row, column) for column in range(self.columns))

    def holds(self, cell: Cell) -> bool:
        """Whether the cell is one of the grid."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns


class SheetDataError(ValueError):
    """Data is no sheet. ``field``: where it is wrong, as ``colored_rows[1].row``."""

    def __init__(self, field: str, reason: str) -> None:
        self.field, self.reason = field, reason
        super().__init__(f"This is no BLOXX! sheet: '{field}' {reason}. Correct it.")


def parse_sheet(printed: Mapping[str, Any], rows: int, columns: int) -> Sheet:
    """A sheet from decoded JSON.

    printed: ``colored_rows`` (a list of ``{"row": 2, "color": "orange"}``, with ``"bonuses"`` where
    they are not 4 and 2), ``numbers`` (a list of ``{"row": 0, "column": 3, "value": 4}``) and,
    where the dice are known, ``dice``: two lists of six shapes, each a list of its rows
    (``["XXO", ".X."]``). Each may be left out; other keys are not looked at.

    Raises
    ------
    SheetDataError
        A value is missing, of the wrong type or outside the grid; the message names it.
    """
    for name, count in (("rows", rows), ("columns", columns)):
        if not _is_whole(count) or count < 1:
            raise SheetDataError(name, "is no whole number from 1 on")
    bare = Sheet(rows, columns)
    colored_rows = [
        _colored_row(entry, f"colored_rows[{at}]", bare)
        for at, entry in enumerate(_list(printed.get("colored_rows", []), "colored_rows"))
    ]
    numbers = [
        _numbered_cell(entry, f"numbers[{at}]", bare)
        for at, entry in enumerate(_list(printed.get("numbers", []), "numbers"))
    ]
    if len({row.row for row in colored_rows}) < len(colored_rows):
        raise SheetDataError("colored_rows", "names a row twice")
    if len({number.cell for number in numbers}) < len(numbers):
        raise SheetDataError("numbers", "names a cell twice")
    return Sheet(
        rows,
        columns,
        tuple(sorted(colored_rows, key=lambda colored: colored.row)),
        tuple(sorted(numbers, key=lambda number: number.cell)),
        _dice(printed.get("dice")),
    )


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _list(value: object, field: str) -> list[Any]:
    if not isinstance(value, list | tuple):
        raise SheetDataError(field, "is no list")
    return list(value)


def _whole(entry: object, name: str, field: str, least: int, end: int | None = None) -> int:
    value = entry.get(name) if isinstance(entry, Mapping) else None
    if not isinstance(value, int) or not _is_whole(value) or value < least:
        raise SheetDataError(f"{field}.{name}", f"is no whole number from {least} on")
    if end is not None and value >= end:
        raise SheetDataError(f"{field}.{name}", f"is not below {end}")
    return value


def _colored_row(entry: Any, field: str, sheet: Sheet) -> ColoredRow:
    row = _whole(entry, "row", field, 0, sheet.rows)
    color = entry.get("color")
    if not isinstance(color, str) or not color:
        raise SheetDataError(f"{field}.color", "is no name of a colour")
    bonuses = _list(entry.get("bonuses", BONUSES), f"{field}.bonuses")
    if not bonuses or not all(_is_whole(bonus) and bonus > 0 for bonus in bonuses):
        raise SheetDataError(f"{field}.bonuses", "are no whole numbers from 1 on")
    if len(set(bonuses)) < len(bonuses):
        raise SheetDataError(f"{field}.bonuses", "are not all different")
    return ColoredRow(row, color, tuple(sorted(bonuses, reverse=True)))


def _numbered_cell(entry: Any, field: str, sheet: Sheet) -> NumberedCell:
    return NumberedCell(
        _whole(entry, "row", field, 0, sheet.rows),
        _whole(entry, "column", field, 0, sheet.columns),
        _whole(entry, "value", field, 1),
    )


def _dice(data: object) -> tuple[Die, ...] | None:
    if data is None:
        return None
    dice = [_list(die, f"dice[{at}]") for at, die in enumerate(_list(data, "dice"))]
    if [len(die) for die in dice] != [FACES] * DICE:
        raise SheetDataError("dice", f"are not {DICE} lists of {FACES} shapes")
    return tuple(
        tuple(_face(lines, f"dice[{at}][{side}]") for side, lines in enumerate(die))
        for at, die in enumerate(dice)
    )


def _face(lines: object, field: str) -> Face:
    try:
        return read_face([str(line) for line in _list(lines, field)])
    except FaceError as error:
        raise SheetDataError(field, error.reason) from error
