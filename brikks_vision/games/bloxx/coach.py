"""What the coach says of a BLOXX! sheet."""

from __future__ import annotations

from brikks_vision.decode.game import Coach
from brikks_vision.games.bloxx.keys import sheet_of
from brikks_vision.games.bloxx.reading import BloxxReading
from brikks_vision.layout import Layout
from brikks_vision.rules.bloxx import lost as points
from brikks_vision.rules.bloxx.order import Resting, find_order
from brikks_vision.rules.bloxx.state import BonusMark, Mark, Shape, SheetState
from brikks_vision.rules.bloxx.words import phrase
from brikks_vision.rules.lost import Lost


def lost(reading: BloxxReading, layout: Layout) -> tuple[Lost, ...]:
    """Where the points went."""
    return points.lost(state_of(reading, layout))


def order(reading: BloxxReading, layout: Layout) -> tuple[Shape, ...]:
    """The shapes in a legal order; empty where there is none."""
    state = state_of(reading, layout)
    found = find_order(state.shapes, state.sheet, Resting.ENGLISH)
    return found.entered if found.exists else ()


def state_of(reading: BloxxReading, layout: Layout) -> SheetState:
    """What is marked on a sheet; what cannot be told is not marked."""
    sheet = sheet_of(layout)
    said = {each.row: each for each in reading.row_bonus}

    def bonus(row: int, figure: int) -> BonusMark:
        if row in said and figure == said[row].circled:
            return BonusMark.CIRCLED
        is_struck = row in said and figure in said[row].struck
        return BonusMark.STRUCK if is_struck else BonusMark.OPEN

    return SheetState(
        sheet,
        tuple(
            tuple(Mark.EMPTY if letter == "?" else Mark(letter) for letter in line)
            for line in reading.grid
        ),
        tuple(frozenset(shape.cells) for shape in reading.shapes),
        tuple(
            tuple(bonus(printed.row, figure) for figure in printed.bonuses)
            for printed in sheet.colored_rows
        ),
    )


CAUSES = {
    "row": phrase("points-rows"),
    "number": phrase("lost-numbers"),
    "gap": phrase("lost-gaps"),
}
coach = Coach(CAUSES, lost, order)
