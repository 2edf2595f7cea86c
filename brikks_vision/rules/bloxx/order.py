"""Is there an order of entering that builds exactly these shapes?

Nothing may be drawn above a shape when it is entered, so of two shapes in one column the lower one
comes first: that order holds in every solution. A shape that can be entered stays so whatever else
is entered in keeping with it, as more shapes are drawn that it may lie on, and those that would bar
its way wait for it. So, given the first shape, entering whatever can be entered until nothing can
is an exact search; each shape on the floor is tried as the first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from brikks_vision.rules.bloxx.entering import Resting, bits_holding, to_bits
from brikks_vision.rules.bloxx.sheet import Cell, Sheet
from brikks_vision.rules.bloxx.state import Shape, below


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
