"""Where shapes of BLOXX! can be entered, and whether an order builds those of a sheet.

Nothing may be drawn above a shape when it is entered, so of two shapes in one column the lower one
comes first, in every solution. Once a shape can be entered, it still can be after any other shape
that keeps to this order: there are more shapes that it may lie on, and those above it wait for it.
So, given the first shape, entering any shape that can be entered, until none can, is an exact
search. Each shape on the floor is tried as the first. Sets of cells are integers, bit
``row * columns + column``.

A shape comes from straight above: nothing may be drawn above any of its cells. The first one
touches the bottom edge. Later ones lie on a shape that is already drawn: the German rules want
them to come to rest on it, the English rules to touch it with at least one side. What the German
rules allow, the English rules allow, too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from brikks_vision.rules.bloxx.sheet import Cell, Face, Sheet, turned
from brikks_vision.rules.bloxx.state import Shape, below
from brikks_vision.rules.shapes import neighbors


class Resting(StrEnum):
    """The rule for what a shape that is not the first one must lie on."""

    GERMAN = "german"
    ENGLISH = "english"


def to_bits(cells: Iterable[Cell], sheet: Sheet) -> int:
    """The bits of cells inside the grid."""
    bits = 0
    for row, column in cells:
        bits |= 1 << (row * sheet.columns + column)
    return bits


def bits_under(cells: Iterable[Cell], sheet: Sheet) -> int:
    """The cells straight below these that are none of them."""
    cells = frozenset(cells)
    lower = {(row + 1, column) for row, column in cells} - cells
    return to_bits(filter(sheet.holds, lower), sheet)


def bits_beside(cells: Iterable[Cell], sheet: Sheet) -> int:
    """The cells that share a side with one of these and are none of them."""
    cells = frozenset(cells)
    around = {near for cell in cells for near in neighbors(cell)}
    return to_bits(filter(sheet.holds, around - cells), sheet)


def bits_holding(cells: Iterable[Cell], sheet: Sheet, resting: Resting) -> int:
    """The cells of which one must be drawn for these to lie on a shape."""
    if resting is Resting.GERMAN:
        return bits_under(cells, sheet)
    return bits_beside(cells, sheet)


@dataclass(frozen=True)
class Order:
    """entered: the longest legal order. stuck: the shapes that it leaves out."""

    entered: tuple[Shape, ...]
    stuck: tuple[Shape, ...]

    @property
    def exists(self) -> bool:
        """Whether all shapes can be entered."""
        return not self.stuck


@dataclass(frozen=True)
class _Piece:
    """A shape as bits. earlier: all cells below it, which must not be drawn after it."""

    shape: Shape
    bits: int
    earlier: int
    holding: int


def touches_floor(cells: Iterable[Cell], sheet: Sheet) -> bool:
    """Whether one of the cells lies in the bottom row."""
    return any(row == sheet.rows - 1 for row, _ in cells)


def find_order(
    shapes: Iterable[Shape],
    sheet: Sheet,
    resting: Resting,
    props: Collection[Cell] = (),
    firsts: Collection[Shape | None] | None = None,
) -> Order:
    """An order of entering the shapes, the lower and the left ones early.

    shapes: groups of cells inside the grid that share none. props: drawn cells that are in none of
    the shapes: others may lie on them from the beginning, and they are in nobody's way. firsts:
    shapes to try as the first, which nothing holds, None for none of these; left out, all those on
    the floor.
    """
    shapes = tuple(sorted(shapes, key=lambda shape: sorted(shape, reverse=True), reverse=True))
    if firsts is None:
        firsts = [shape for shape in shapes if touches_floor(shape, sheet)]
    pieces = [
        _Piece(
            shape,
            to_bits(shape, sheet),
            to_bits(below(shape, sheet), sheet),
            bits_holding(shape, sheet, resting),
        )
        for shape in shapes
    ]
    best: list[_Piece] = []
    for first in firsts:
        entered = _enter_all(pieces, to_bits(props, sheet), first)
        if len(entered) > len(best):
            best = entered
        if len(best) == len(pieces):
            break
    return Order(
        tuple(piece.shape for piece in best),
        tuple(piece.shape for piece in pieces if piece not in best),
    )


def _enter_all(pieces: list[_Piece], props: int, first: Shape | None) -> list[_Piece]:
    """Enter all that can be entered after the first shape."""
    waiting = sum(piece.bits for piece in pieces)
    drawn = props
    left = list(pieces)
    entered: list[_Piece] = []

    def may_enter(piece: _Piece) -> bool:
        if piece.earlier & waiting & ~piece.bits:
            return False
        if first is not None and not entered:
            return piece.shape == first
        return bool(piece.holding & drawn)

    while piece := next(filter(may_enter, left), None):
        left.remove(piece)
        entered.append(piece)
        waiting &= ~piece.bits
        drawn |= piece.bits
    return entered


@dataclass(frozen=True)
class Entry:
    """A shape where it is entered. circle: None where a cross is written instead."""

    cells: Shape
    circle: Cell | None


@dataclass(frozen=True)
class Spot:
    """A place in the grid. beside: the cells all around the shape."""

    entry: Entry
    bits: int
    beside: int
    is_on_floor: bool


def _spot(entry: Entry, sheet: Sheet) -> Spot:
    cells = entry.cells
    return Spot(
        entry,
        to_bits(cells, sheet),
        bits_beside(cells, sheet),
        touches_floor(cells, sheet),
    )


@cache
def spots(face: Face, sheet: Sheet, has_circle: bool) -> tuple[Spot, ...]:
    """Every place of the shape inside the grid, in every turning, top row first."""
    entries = set()
    for way in turned(face):
        height = 1 + max(row for row, _ in way.cells)
        width = 1 + max(column for _, column in way.cells)
        for top in range(sheet.rows - height + 1):
            for left in range(sheet.columns - width + 1):
                cells = frozenset((top + row, left + column) for row, column in way.cells)
                circle = (top + way.circle[0], left + way.circle[1]) if has_circle else None
                entries.add(Entry(cells, circle))
    ordered = sorted(entries, key=lambda entry: (sorted(entry.cells), entry.circle or ()))
    return tuple(_spot(entry, sheet) for entry in ordered)
