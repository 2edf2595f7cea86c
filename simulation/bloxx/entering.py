"""Why a shape may not be entered at a place."""

from __future__ import annotations

from brikks_vision.rules.bloxx.entering import closed_cells
from brikks_vision.rules.bloxx.order import Resting, bits_holding, to_bits
from brikks_vision.rules.bloxx.state import Shape, SheetState
from simulation.bloxx.errors import (
    FirstShapeError,
    NothingBelowError,
    OutsideTheGridError,
    TouchesNothingError,
    WayBlockedError,
)


def check_place(state: SheetState, cells: Shape, resting: Resting) -> None:
    """Whether a shape may be entered at these cells.

    Raises
    ------
    OutsideTheGridError, WayBlockedError, FirstShapeError, NothingBelowError, TouchesNothingError
        Why it may not.
    """
    sheet = state.sheet
    if not cells or not all(sheet.holds(cell) for cell in cells):
        raise OutsideTheGridError(cells)
    if to_bits(cells, sheet) & closed_cells(state):
        raise WayBlockedError(cells)
    if not state.drawn:
        if all(row < sheet.rows - 1 for row, _ in cells):
            raise FirstShapeError(cells)
    elif not bits_holding(cells, sheet, resting) & to_bits(state.drawn, sheet):
        if resting is Resting.GERMAN:
            raise NothingBelowError(cells)
        raise TouchesNothingError(cells)
