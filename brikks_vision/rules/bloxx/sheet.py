"""What a BLOXX! sheet says by its print, the shapes on the dice, and its phrases.

No coordinates: where things stand on the paper is the layout's. Cells are (row, column), counted
from 0 at the grid's top left.

How many play, and when the game ends. Source: rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Annotated, Any

from brikks_vision.codec import Length, Within, read
from brikks_vision.rules.shapes import connected, corner_of, neighbors, shape_of
from brikks_vision.text import phrases
from brikks_vision.text.phrases import Fact, Phrase, all_of, one_of

__all__ = [
    "BONUSES",
    "DICE",
    "FACES",
    "Cell",
    "ColoredRow",
    "NumberedCell",
    "Phrase",
    "Sheet",
    "all_of",
    "one_of",
    "parse_sheet",
    "phrase",
    "place_words",
    "row_from_bottom",
    "shape_words",
]

Cell = tuple[int, int]
"""(row, column), from 0."""

Form = tuple[Cell, ...]
"""Cells from their own top left, sorted."""

CROSS, CIRCLE, NOTHING = "X", "O", "."


@dataclass(frozen=True)
class Face:
    """One side of a die. cells: from the shape's own top left, sorted; circle: one of them."""

    cells: Form
    circle: Cell

    @classmethod
    def from_json(cls, lines: object) -> Face:
        """A die's shape from its rows: ``X`` a cross, ``O`` the circle, ``.`` nothing.

        Raises ValueError: other signs, no circle or several, a single square, or squares that do
        not hang together.
        """
        if not isinstance(lines, list | tuple):
            raise ValueError
        marks = {
            (row, column): sign
            for row, line in enumerate(lines)
            for column, sign in enumerate(str(line))
            if sign != NOTHING
        }
        circles = [cell for cell, sign in marks.items() if sign == CIRCLE]
        if {*marks.values()} - {CROSS, CIRCLE} or len(circles) != 1 or len(marks) < 2:
            raise ValueError
        if len(connected(marks)) > 1:
            raise ValueError
        return _moved(marks, circles[0])


Die = tuple[Face, ...]


@cache
def forms_of(size: int) -> tuple[Form, ...]:
    """Every form of so many cells that are connected (the fixed polyominoes), sorted."""
    if size <= 1:
        return (((0, 0),),) * size
    grown = {
        shape_of((*form, near))
        for form in forms_of(size - 1)
        for cell in form
        for near in neighbors(cell)
        if near not in form
    }
    return tuple(sorted(grown))


def _moved(cells: Iterable[Cell], circle: Cell) -> Face:
    cells = tuple(cells)
    top, left = corner_of(cells)
    return Face(shape_of(cells), (circle[0] - top, circle[1] - left))


@cache
def turned(face: Face) -> tuple[Face, ...]:
    """The shape in every turning and mirroring, as drawn on the die first; at most eight."""
    found = []
    for mirrored in (False, True):
        cells, circle = list(face.cells), face.circle
        if mirrored:
            cells, circle = [(r, -c) for r, c in cells], (circle[0], -circle[1])
        for _ in range(4):
            found.append(_moved(cells, circle))
            cells, circle = [(c, -r) for r, c in cells], (circle[1], -circle[0])
    return tuple(dict.fromkeys(found))


@cache
def circles_by_form(dice: tuple[Die, ...]) -> dict[Form, frozenset[Cell]]:
    """Every form that the dice show, turned or mirrored, and where its circle can be."""
    table: dict[Form, frozenset[Cell]] = {}
    for face in (face for die in dice for side in die for face in turned(side)):
        table[face.cells] = table.get(face.cells, frozenset()) | {face.circle}
    return table


def shows(dice: tuple[Die, ...], cells: Iterable[Cell]) -> bool:
    """Whether some die shows these cells, turned or mirrored."""
    return shape_of(cells) in circles_by_form(dice)


def circle_places(dice: tuple[Die, ...], cells: Iterable[Cell]) -> frozenset[Cell]:
    """The cells of a shape where the dice can have its circle; empty where no die shows it."""
    cells = tuple(cells)
    top, left = corner_of(cells)
    places = circles_by_form(dice).get(shape_of(cells), frozenset())
    return frozenset((top + row, left + column) for row, column in places)


@cache
def low_height(face: Face, columns: int) -> int | None:
    """The height of the shape where it lies lowest in a grid of so many columns; None: too wide."""
    heights = [
        1 + max(row for row, _ in way.cells)
        for way in turned(face)
        if all(column < columns for _, column in way.cells)
    ]
    return min(heights, default=None)


BONUSES = (4, 2)
"""Points for a complete coloured row: for the first player(s) and for later ones. Source: rules."""

DICE = 2
FACES = 6
"""Two dice with six shapes each. Source: rules."""


def distinct(values: Sequence[object]) -> None:
    """Raises ValueError where two are the same."""
    if len({*values}) < len(values):
        raise ValueError


MANY = 10_000
FromZero = Annotated[int, Within(0, MANY)]
FromOne = Annotated[int, Within(1, MANY)]


@dataclass(frozen=True)
class ColoredRow:
    """A row that gives a bonus. bonuses: the figures under the grid, highest first."""

    row: FromZero
    color: Annotated[str, Length(1, MANY)]
    bonuses: Annotated[tuple[FromOne, ...], Length(1, MANY), distinct] = BONUSES


@dataclass(frozen=True)
class NumberedCell:
    """A cell with a printed number, which counts under a circle."""

    row: FromZero
    column: FromZero
    value: FromOne

    @property
    def cell(self) -> Cell:
        return self.row, self.column


@dataclass(frozen=True)
class Sheet:
    """A printed sheet. colored_rows: top first. dice: None where they are not known."""

    rows: FromOne
    columns: FromOne
    colored_rows: tuple[ColoredRow, ...] = ()
    numbers: tuple[NumberedCell, ...] = ()
    dice: Annotated[tuple[Annotated[Die, Length(FACES, FACES)], ...], Length(DICE, DICE)] | None = (
        None
    )

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """All cells, in reading order."""
        return tuple((row, column) for row in range(self.rows) for column in range(self.columns))

    def row_cells(self, row: int) -> frozenset[Cell]:
        return frozenset((row, column) for column in range(self.columns))

    def holds(self, cell: Cell) -> bool:
        """Whether the cell is one of the grid."""
        return 0 <= cell[0] < self.rows and 0 <= cell[1] < self.columns


def parse_sheet(printed: Mapping[str, Any], rows: int, columns: int) -> Sheet:
    """A sheet from decoded JSON.

    printed: ``colored_rows`` (a list of ``{"row": 2, "color": "orange"}``, with ``"bonuses"`` where
    they are not 4 and 2), ``numbers`` (a list of ``{"row": 0, "column": 3, "value": 4}``) and,
    where the dice are known, ``dice``: two lists of six shapes, each a list of its rows
    (``["XXO", ".X."]``). Each may be left out; other keys are not looked at.

    Raises
    ------
    ValueError
        A value is missing, of the wrong type, outside the grid or there twice, with the path to it.
    """
    sheet = read(Sheet, {**printed, "rows": rows, "columns": columns})
    colored = [replace(row, bonuses=_falling(row.bonuses)) for row in sheet.colored_rows]
    for where, cells in (
        ("colored_rows", [(row.row, 0) for row in colored]),
        ("numbers", [number.cell for number in sheet.numbers]),
    ):
        if len({*cells}) < len(cells) or not all(map(sheet.holds, cells)):
            raise ValueError(where)
    return replace(
        sheet,
        colored_rows=tuple(sorted(colored, key=lambda colored: colored.row)),
        numbers=tuple(sorted(sheet.numbers, key=lambda number: number.cell)),
    )


def _falling(values: Iterable[int]) -> tuple[int, ...]:
    return tuple(sorted(values, reverse=True))


def phrase(key: str, **facts: Fact) -> Phrase:
    """The phrase of BLOXX! by that key; ``facts`` are put into its template."""
    return phrases.phrase(f"bloxx.{key}", **facts)


def row_from_bottom(row: int, sheet: Sheet) -> int:
    """The number of a row as a player counts it: 1 is the bottom row."""
    return sheet.rows - row


def place_words(cells: Iterable[Cell], sheet: Sheet) -> Phrase:
    """ "columns 1-3, row 2 from the bottom": the rows and columns that the cells span."""
    rows, columns = zip(*cells, strict=True)
    return phrase(
        "place",
        columns=_span("column", min(columns) + 1, max(columns) + 1),
        rows=_span("row", row_from_bottom(max(rows), sheet), row_from_bottom(min(rows), sheet)),
    )


def shape_words(shape: Iterable[Cell], sheet: Sheet) -> Phrase:
    """ "the shape in columns 1-3, row 2 from the bottom"."""
    return phrase("shape", place=place_words(shape, sheet))


def _span(word: str, first: int, last: int) -> Phrase:
    if first == last:
        return phrase(f"{word}", number=first)
    return phrase(f"{word}s", first=first, last=last)


MIN_PLAYERS = 2
MAX_PLAYERS = 4

VOID_ROLLS_AT_END = 2
"""Number of players who must fail to enter a shape in the same roll to end the game."""
