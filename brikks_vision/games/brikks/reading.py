"""The reading of a Brikks sheet: what it adds to that of every game.

The marks of a Brikks sheet, by field and mark of its layouts, and what former versions called them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import numpy as np

from brikks_vision.detect.marks import PHOTOS, Key, Shared
from brikks_vision.infer import evidence
from brikks_vision.infer.answers import cell_name
from brikks_vision.infer.evidence import Evidence
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Cell, Layout, Mark
from brikks_vision.reading import GameSettings, Probability, ReadSheet
from brikks_vision.rules.brikks.blocks import Energy, SheetState, Written
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.sheet import ImpossibleGameError, settings


@dataclass(frozen=True)
class BlockReading:
    """An outlined block. ``color`` is None and ``columns`` empty where it is no block of the game.

    ``columns``: the columns of the block overview, from 1, that show this shape.
    """

    color: str | None
    columns: tuple[int, ...]
    cells: tuple[Cell, ...]
    confidence: Probability


@dataclass(frozen=True, eq=False)
class BrikksReading(ReadSheet, game="brikks"):
    """One Brikks sheet in one photo.

    ``grid``: "X" crossed, "." empty, "?" cannot be told. ``energy``: "open", "circled", "used" or
    "off", "?" where something hides the point, in the order of the bar. ``bonus_crosses``,
    ``bombs_used``: None where what is hidden leaves the number open.
    """

    score: Score = field(kw_only=True)
    blocks: tuple[BlockReading, ...] = ()
    energy: tuple[str, ...] = ()
    bonus_crosses: int | None = None
    bombs_used: int | None = None
    written: Written | None = None


CELLS: Key = (CELL, Mark.CROSS)
VERTICALS: Key = (VERTICAL, Mark.LINE)
HORIZONTALS: Key = (HORIZONTAL, Mark.LINE)
RINGS: Key = ("energy", Mark.RING)
STRIKES: Key = ("energy", Mark.CROSS)
BOXES: Key = ("box", Mark.CROSS)
BOMBS: Key = ("bomb", Mark.CROSS)


FORMER_KEYS: Mapping[str, Key] = {
    "cells": CELLS,
    "vertical_edges": VERTICALS,
    "horizontal_edges": HORIZONTALS,
    "rings": RINGS,
    "strikes": STRIKES,
    "boxes": BOXES,
    "bombs": BOMBS,
}
"""Names of marks in evidence that was kept before layouts had fields."""


ON_PAPER, ON_PRINT = 0.25, 0.75
"""How much photos share of what they tell: of energy points without a printed X, and of marks over
print (a circle of the grid, an X). Blur and noise spoil each photo otherwise; what print hides it
hides in all. Chosen by the sure readings of 238 sheets in hard light, three photos each
(`benchmarks.camera together`, seeds 49, 50, 51, 149, 4949, 990249). (Lines
share as little, but with that a legal block was called broken on one of these sheets.)"""


def combined(photos: Sequence[Evidence], layout: Layout) -> Evidence:
    """The evidence of one or more photos of the same sheet in the same state, added."""
    energy, cells = layout.fields[RINGS[0]], layout.fields[CELLS[0]]
    is_plain = np.array(["cross" not in energy.drawn[kind] for kind in energy.prints])
    is_printed = np.array([bool(cells.drawn[kind]) for kind in cells.prints])
    points = np.where(is_plain, ON_PAPER, ON_PRINT)
    shared: dict[Key, Shared] = {
        CELLS: np.where(is_printed, ON_PRINT, PHOTOS).reshape(cells.shape),
        RINGS: points,
        STRIKES: points,
    }
    return evidence.combined(photos, layout, shared)


def game_of(evidence: Evidence) -> GameSettings:
    """What is known of the game: as it was said, else as it is crossed on the sheet.

    What is crossed does not count where it makes what was said impossible.
    """
    known = evidence.known
    for name, value in (evidence.on_sheet or {}).items():
        more = {name: value, **known}
        with suppress(ImpossibleGameError):
            settings(**more)
            known = more
    return known


CROSS_MARKS = ("X", ".")
MARKS: Mapping[str, tuple[str, ...]] = {
    "cell": CROSS_MARKS,
    "energy": tuple(str(energy) for energy in Energy),
    "box": CROSS_MARKS,
    "bomb": CROSS_MARKS,
}
"""By field, the marks of the contract that can stand there."""


def marks(state: SheetState) -> dict[str, str]:
    """By place of the contract, the mark that stands there."""
    cells = {cell_name(cell): "X" if cell in state.crossed else "." for cell in state.sheet.cells}
    energy = {f"energy {at}": str(mark) for at, mark in enumerate(state.energy)}
    boxes = {f"box {at}": "X" if mark else "." for at, mark in enumerate(state.bonus)}
    bombs = {f"bomb {at}": "X" if mark else "." for at, mark in enumerate(state.bombs)}
    return {**cells, **energy, **boxes, **bombs}
