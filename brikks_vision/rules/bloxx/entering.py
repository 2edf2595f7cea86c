"""Where a shape can be entered, and what entering it does to a sheet.

A shape comes from straight above: nothing may be drawn above any of its cells. The first one
touches the bottom edge. Later ones lie on a shape that is already drawn: the German rules want
them to come to rest on it, the English rules to touch it with at least one side. What the German
rules allow, the English rules allow, too.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache

from brikks_vision.rules.bloxx.faces import Cell, Face, turned
from brikks_vision.rules.bloxx.order import Resting, bits_beside, bits_under, to_bits
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import Mark, Shape, SheetState, below
from brikks_vision.rules.shapes import bottom_up


@dataclass(frozen=True)
class Entry:
    """A shape where it is entered. circle: None where a cross is written instead."""

    cells: Shape
    circle: Cell | None


@dataclass(frozen=True)
class Spot:
    """A place in the grid. under: the cells straight below the shape; beside: all around it."""

    entry: Entry
    bits: int
    under: int
    beside: int
    is_on_floor: bool


def _spot(entry: Entry, sheet: Sheet) -> Spot:
    cells = entry.cells
    return Spot(
        entry,
        to_bits(cells, sheet),
        bits_under(cells, sheet),
        bits_beside(cells, sheet),
        any(row == sheet.rows - 1 for row, _ in cells),
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


def closed_cells(state: SheetState) -> int:
    """Cells where nothing can be entered: drawn, coloured in, or under something drawn."""
    drawn = state.drawn
    return to_bits(drawn | state.gaps | below(drawn, state.sheet), state.sheet)


def legal_entries(
    state: SheetState, face: Face, resting: Resting, has_circle: bool = True
) -> tuple[Entry, ...]:
    """Every place where the shape of a die can be entered now, in every turning and mirroring.

    has_circle: whether the circle is written, or a cross instead; without it, ways that differ in
    the circle alone are one.
    """
    drawn = to_bits(state.drawn, state.sheet)
    closed = closed_cells(state)
    found = []
    for spot in spots(face, state.sheet, has_circle):
        if spot.bits & closed:
            continue
        holding = spot.under if resting is Resting.GERMAN else spot.beside
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


def enter_shape(state: SheetState, entry: Entry) -> SheetState:
    """The sheet with a shape drawn and the gaps under it coloured in.

    Whether the shape may lie there is not asked.
    """
    marks = dict.fromkeys(entry.cells, Mark.CROSS)
    if entry.circle is not None:
        marks[entry.circle] = Mark.CIRCLE
    marks |= dict.fromkeys(opened_gaps(state, entry.cells), Mark.GAP)
    drawn = state.with_marks(marks)
    return replace(drawn, shapes=bottom_up((*state.shapes, entry.cells)))
