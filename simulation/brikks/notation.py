"""A sheet as text, so that a test is a drawing.

One line a row of the grid, top first, one letter a block::

    ..........
    .x........
    AABB......
    AABB......
    energy xxoo
    extra x
    bombs x

``.`` is empty, ``x`` a cross outside every outline, any other letter, digit or sign a crossed cell
of the block of that name. ``energy``: ``.`` open, ``o`` circled, ``x`` used, ``-`` struck at setup.
``extra`` and ``bombs``: ``x`` crossed. What is left out at the end of these lines is open or not
crossed; a line left out is as printed. Rows left out at the top are empty. ``uncrossed 4,2 5,2``
lists cells (row, column) whose block is outlined though the cell bears no X.
"""

from __future__ import annotations

from dataclasses import replace

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.blocks import Block, Energy, SheetState, blank_sheet
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.shapes import bottom_up
from simulation.notation import NotationError

EMPTY = "."
STRAY = "x"
CROSSED = "x"
_ENERGY = {Energy.OPEN: ".", Energy.CIRCLED: "o", Energy.USED: "x", Energy.OFF: "-"}


def read_sheet(text: str, sheet: Sheet) -> SheetState:
    """The sheet that a text draws; blocks bottom-up.

    Raises
    ------
    NotationError
        A line is no row of the grid and no bar, or is too long; the message names it.
    """
    state = blank_sheet(sheet)
    pictures: list[str] = []
    uncrossed: frozenset[Cell] = frozenset()
    for line in (raw.strip() for raw in text.splitlines()):
        name, _, marks = line.partition(" ")
        marks = marks.strip()
        if not line:
            continue
        if name == "energy":
            state = replace(state, energy=_read_energy(line, marks, len(state.energy)))
        elif name == "extra":
            state = replace(state, bonus=_read_crosses(line, marks, len(state.bonus)))
        elif name == "bombs":
            state = replace(state, bombs=_read_crosses(line, marks, len(state.bombs)))
        elif name == "uncrossed":
            uncrossed = frozenset(_read_cell(line, cell, sheet) for cell in marks.split())
        elif len(line) == sheet.columns and " " not in line:
            pictures.append(line)
        else:
            raise NotationError(line, f"a row has {sheet.columns} signs")
    if len(pictures) > sheet.rows:
        raise NotationError(pictures[0], f"there are more than {sheet.rows} rows")
    missing_rows = [EMPTY * sheet.columns] * (sheet.rows - len(pictures))
    return _with_picture(state, missing_rows + pictures, uncrossed)


def _with_picture(state: SheetState, pictures: list[str], uncrossed: frozenset[Cell]) -> SheetState:
    groups: dict[str, set[Cell]] = {}
    for row, picture in enumerate(pictures):
        for column, sign in enumerate(picture):
            if sign != EMPTY:
                groups.setdefault(sign, set()).add((row, column))
    crossed = frozenset(cell for cells in groups.values() for cell in cells) - uncrossed
    blocks: list[Block] = [frozenset(cells) for sign, cells in groups.items() if sign != STRAY]
    return replace(state, crossed=crossed, blocks=bottom_up(blocks))


def _read_energy(line: str, marks: str, count: int) -> tuple[Energy, ...]:
    points = {sign: point for point, sign in _ENERGY.items()}
    if len(marks) > count or set(marks) - set(points):
        raise NotationError(line, f"up to {count} signs of {' '.join(points)}")
    return tuple(points[sign] for sign in marks.ljust(count, EMPTY))


def _read_crosses(line: str, marks: str, count: int) -> tuple[bool, ...]:
    if len(marks) > count or set(marks) - {EMPTY, CROSSED}:
        raise NotationError(line, f"up to {count} signs of {EMPTY} {CROSSED}")
    return tuple(sign == CROSSED for sign in marks.ljust(count, EMPTY))


def _read_cell(line: str, text: str, sheet: Sheet) -> Cell:
    row, _, column = text.partition(",")
    if row.isdecimal() and column.isdecimal():
        cell = int(row), int(column)
        if cell[0] < sheet.rows and cell[1] < sheet.columns:
            return cell
    raise NotationError(line, f"'{text}' is no cell of the grid")
