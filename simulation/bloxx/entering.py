"""Where a shape may be entered, and what entering it does to a sheet."""

from __future__ import annotations

from dataclasses import replace

from brikks_vision.rules.bloxx import order
from brikks_vision.rules.bloxx.sheet import Cell, Face
from brikks_vision.rules.bloxx.state import Mark, Shape, SheetState, below
from brikks_vision.rules.shapes import bottom_up


def legal_entries(
    state: SheetState, face: Face, resting: order.Resting, has_circle: bool = True
) -> tuple[order.Entry, ...]:
    """Every place where the shape of a die can be entered now, in every turning and mirroring.

    has_circle: whether the circle is written, or a cross instead; without it, ways that differ in
    the circle alone are one.
    """
    drawn = order.to_bits(state.drawn, state.sheet)
    under = below(state.drawn, state.sheet)
    closed = order.to_bits(state.drawn | state.gaps | under, state.sheet)
    found = []
    for spot in order.spots(face, state.sheet, has_circle):
        if spot.bits & closed:
            continue
        holding = order.bits_holding(spot.entry.cells, state.sheet, resting)
        if holding & drawn if drawn else spot.is_on_floor:
            found.append(spot.entry)
    return tuple(found)


def opened_gaps(state: SheetState, cells: Shape) -> frozenset[Cell]:
    """The empty cells that become gaps when a shape is entered at these cells."""
    return frozenset(
        cell
        for cell in below(cells, state.sheet) - cells
        if state.mark(cell) is Mark.EMPTY and cell not in state.outlined
    )


def enter_shape(state: SheetState, entry: order.Entry) -> SheetState:
    """The sheet with a shape drawn and the gaps under it coloured in.

    Whether the shape may lie there is not asked.
    """
    marks = dict.fromkeys(entry.cells, Mark.CROSS)
    if entry.circle is not None:
        marks[entry.circle] = Mark.CIRCLE
    marks |= dict.fromkeys(opened_gaps(state, entry.cells), Mark.GAP)
    drawn = state.with_marks(marks)
    return replace(drawn, shapes=bottom_up((*state.shapes, entry.cells)))
