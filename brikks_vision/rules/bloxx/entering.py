"""The places where a shape can be entered.

A shape comes from straight above: nothing may be drawn above any of its cells. The first one
touches the bottom edge. Later ones lie on a shape that is already drawn: the German rules want
them to come to rest on it, the English rules to touch it with at least one side. What the German
rules allow, the English rules allow, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from brikks_vision.rules.bloxx.faces import Cell, Face, turned
from brikks_vision.rules.bloxx.order import bits_beside, bits_under, to_bits
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import Shape, SheetState, below


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
