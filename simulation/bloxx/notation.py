"""A sheet as text, so that a test is a drawing.

One line a row of the grid, top first: its marks, and beside them the shapes that they belong to::

    ....... .......
    .....XX .....BB
    XXO##OX AAA##BB
    bonus o. .x .. ..

``X`` is a cross, ``O`` a circle, ``#`` a gap that is coloured in, ``.`` an empty cell; letters name
the shapes, ``.`` is a cell outside every outline. A line without the second part has no outlines.
Rows left out at the top are empty. ``bonus``: one group of signs a coloured row, one sign a figure:
``o`` circled, ``x`` struck, ``.`` open; what is left out at the end is open.
"""

from __future__ import annotations

from dataclasses import replace

from brikks_vision.rules.bloxx.sheet import CIRCLE, CROSS, NOTHING, Cell, Face, Sheet
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState, blank_sheet
from brikks_vision.rules.shapes import bottom_up
from simulation.notation import NotationError

OUTSIDE = "."
_BONUS = {BonusMark.OPEN: ".", BonusMark.CIRCLED: "o", BonusMark.STRUCK: "x"}
_BONUS_LINE = "bonus"


def read_sheet(text: str, sheet: Sheet) -> SheetState:
    """The sheet that a text draws; shapes bottom-up.

    Raises
    ------
    NotationError
        A line is no row of the grid and no bonus line, or is too long; the message names it.
    """
    state = blank_sheet(sheet)
    lines: list[tuple[str, str]] = []
    for line in (raw.strip() for raw in text.splitlines()):
        if not line:
            continue
        first, *others = line.split()
        if first == _BONUS_LINE:
            state = replace(state, bonuses=_read_bonuses(line, others, sheet))
        else:
            lines.append(_read_row(line, first, others, sheet))
    missing = sheet.rows - len(lines)
    if missing < 0:
        raise NotationError(" ".join(lines[0]), f"there are more than {sheet.rows} rows")
    blank = (Mark.EMPTY * sheet.columns, OUTSIDE * sheet.columns)
    groups: dict[str, set[Cell]] = {}
    grid = []
    for row, (marks, letters) in enumerate([blank] * missing + lines):
        grid.append(tuple(Mark(sign) for sign in marks))
        for column, letter in enumerate(letters):
            if letter != OUTSIDE:
                groups.setdefault(letter, set()).add((row, column))
    shapes = bottom_up(frozenset(cells) for cells in groups.values())
    return replace(state, grid=tuple(grid), shapes=shapes)


def _read_row(line: str, marks: str, others: list[str], sheet: Sheet) -> tuple[str, str]:
    letters = others[0] if others else OUTSIDE * sheet.columns
    if len(others) > 1 or len(marks) != sheet.columns or len(letters) != sheet.columns:
        raise NotationError(line, f"a row has {sheet.columns} marks and as many letters")
    if set(marks) - set(Mark):
        raise NotationError(line, f"marks are {' '.join(Mark)}")
    return marks, letters


def _read_bonuses(line: str, groups: list[str], sheet: Sheet) -> tuple[tuple[BonusMark, ...], ...]:
    if len(groups) > len(sheet.colored_rows):
        raise NotationError(line, f"there are {len(sheet.colored_rows)} coloured rows")
    marks = {sign: mark for mark, sign in _BONUS.items()}
    bonuses = []
    for at, colored in enumerate(sheet.colored_rows):
        signs = groups[at] if at < len(groups) else ""
        if len(signs) > len(colored.bonuses) or set(signs) - set(marks):
            raise NotationError(line, f"up to {len(colored.bonuses)} signs of {' '.join(marks)}")
        bonuses.append(tuple(marks[sign] for sign in signs.ljust(len(colored.bonuses), ".")))
    return tuple(bonuses)


def print_face(face: Face) -> tuple[str, ...]:
    """The rows of a die's shape, as `Face.from_json` reads them."""
    rows = 1 + max(row for row, _ in face.cells)
    columns = 1 + max(column for _, column in face.cells)
    signs = dict.fromkeys(face.cells, CROSS) | {face.circle: CIRCLE}
    return tuple(
        "".join(signs.get((row, column), NOTHING) for column in range(columns))
        for row in range(rows)
    )
