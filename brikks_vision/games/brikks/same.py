"""What tells whether two readings are of one Brikks sheet (see `brikks_vision.decode.sameness`)."""

from __future__ import annotations

from functools import partial

from brikks_vision.decode import sameness
from brikks_vision.decode.sameness import Change, Outlined, Traces, sure_groups
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.layout import Cell

CROSSED = "X"

MAX_OTHER_ENERGY = 2
"""Energy points that differ."""

MAX_OTHER_BOXES = 1
"""Difference of the numbers of extra crosses."""

MAX_OTHER_BOMBS = 1
"""Difference of the numbers of used bombs."""

_ORDER = {"open": 0, "circled": 1, "used": 2, "off": 2}
"""Amount of evidence on an energy point: it never decreases."""


def _blocks(reading: BrikksReading) -> list[Outlined]:
    return [Outlined(frozenset(block.cells), block.confidence) for block in reading.blocks]


def _changes(one: BrikksReading, other: BrikksReading) -> list[Change]:
    energy = [
        _ORDER.get(mark_there, 0) - _ORDER.get(mark, 0)
        for mark, mark_there in zip(one.energy, other.energy, strict=False)
        if "?" not in (mark, mark_there)
    ]
    less = sum(more < 0 for more in energy)
    boxes = _more(one.bonus_crosses, other.bonus_crosses)
    bombs = _more(one.bombs_used, other.bombs_used)
    changes = [
        Change("energy", sum(more != 0 for more in energy), MAX_OTHER_ENERGY, less),
        Change("box", abs(boxes), MAX_OTHER_BOXES, max(0, -boxes)),
        Change("bomb", abs(bombs), MAX_OTHER_BOMBS, max(0, -bombs), bombs > 0),
    ]
    if one.blocks and other.blocks:  # each new mini-block of a duel, one cell, is a turn
        changes.append(Change("cell", len(_mini_blocks(one) ^ _mini_blocks(other)), 0, 0))
    return changes


def _more(before: int | None, after: int | None) -> int:
    """How many more marks; 0 where the number of either is not known."""
    return 0 if before is None or after is None else after - before


def _mini_blocks(reading: BrikksReading) -> set[frozenset[Cell]]:
    return {block for block in sure_groups(_blocks(reading)) if len(block) == 1}


TRACES = Traces(CROSSED, CROSSED, _blocks, _changes)
same_state = partial(sameness.same_state, TRACES)
grown_state = partial(sameness.grown_state, TRACES)
is_better = partial(sameness.is_better, TRACES)
