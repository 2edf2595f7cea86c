"""The shapes on the dice: which squares, and which of them is the circle.

A shape may be turned and mirrored, which moves the circle with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from brikks_vision.rules.shapes import connected, corner_of, neighbors, shape_of

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


Die = tuple[Face, ...]


class FaceError(ValueError):
    """A drawing is no shape of a die."""

    def __init__(self, lines: Sequence[str], reason: str) -> None:
        self.reason = reason
        super().__init__(f"This is no shape of a die: {' / '.join(lines)}: it {reason}.")


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


def read_face(lines: Sequence[str]) -> Face:
    """A die's shape from its rows: ``X`` a cross, ``O`` the circle, ``.`` nothing.

    Raises
    ------
    FaceError
        Another sign, no circle or several, a single square, or squares that do not hang together.
    """
    marks = {
        (row, column): sign
        for row, line in enumerate(lines)
        for column, sign in enumerate(line)
        if sign != NOTHING
    }
    if set(marks.values()) - {CROSS, CIRCLE}:
        raise FaceError(lines, f"has other signs than {CROSS}, {CIRCLE} and {NOTHING}")
    circles = [cell for cell, sign in marks.items() if sign == CIRCLE]
    if len(circles) != 1:
        raise FaceError(lines, "has not exactly one circle")
    if len(marks) < 2:
        raise FaceError(lines, "is a single square")
    if len(connected(marks)) > 1:
        raise FaceError(lines, "does not hang together")
    return _moved(marks, circles[0])


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
