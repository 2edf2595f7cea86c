"""What the coach says of a Brikks sheet."""

from __future__ import annotations

from brikks_vision.decode.game import Coach
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.layout import Layout
from brikks_vision.rules.brikks import lost as points
from brikks_vision.rules.brikks.order import legal_orders
from brikks_vision.rules.brikks.settings import Variant
from brikks_vision.rules.brikks.sheet import sheet_of
from brikks_vision.rules.brikks.state import Block, Energy, SheetState
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.rules.lost import Lost


def lost(reading: BrikksReading, layout: Layout) -> tuple[Lost, ...]:
    """Where the points went; nothing in a duel, which has none."""
    if reading.assumed.get("variant") == (Variant.DUEL,):
        return ()
    return points.lost(state_of(reading, layout))


def order(reading: BrikksReading, layout: Layout) -> tuple[Block, ...]:
    """The blocks in a legal order, the start block first; empty where there is none."""
    state = state_of(reading, layout)
    return legal_orders(state.blocks, state.sheet).example


def state_of(reading: BrikksReading, layout: Layout) -> SheetState:
    """What is marked on a sheet.

    Boxes and bombs are crossed from the first on, as many as the reading counts; what cannot be
    told is not marked.
    """
    sheet = sheet_of(layout)
    return SheetState(
        frozenset(
            (row, column)
            for row, line in enumerate(reading.grid)
            for column, letter in enumerate(line)
            if letter == "X"
        ),
        tuple(frozenset(block.cells) for block in reading.blocks),
        tuple(Energy.OPEN if mark == "?" else Energy(mark) for mark in reading.energy),
        _first(reading.bonus_crosses, len(sheet.bonus_values)),
        _first(reading.bombs_used, len(sheet.bomb_points)),
        sheet,
    )


def _first(count: int | None, places: int) -> tuple[bool, ...]:
    return tuple(place < (count or 0) for place in range(places))


CAUSES = {
    "row": phrase("points-rows"),
    "bonus": phrase("points-bonus"),
    "energy": phrase("points-energy"),
    "bombs": phrase("points-bombs"),
}
coach = Coach(CAUSES, lost, order)
