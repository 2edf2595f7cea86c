"""Kept evidence of Brikks sheets: what former versions called it, and evidence made from a
reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import numpy as np

from brikks_vision.decode import defaults
from brikks_vision.decode.answers import covered_at
from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.grid import outline_edges
from brikks_vision.decode.prices import READ_LOG_ODDS
from brikks_vision.detect.figures import Figure
from brikks_vision.detect.fusion import PHOTOS, Shared
from brikks_vision.detect.marks import Key, Marks
from brikks_vision.games.brikks.keys import (
    BOMBS,
    BOXES,
    CELLS,
    HORIZONTALS,
    RINGS,
    STRIKES,
    VERTICALS,
)
from brikks_vision.games.brikks.reading import BrikksReading
from brikks_vision.layout import Layout
from brikks_vision.reading import GameSettings
from brikks_vision.rules.brikks.settings import ImpossibleGameError, settings
from brikks_vision.rules.brikks.sheet import sheet_of
from brikks_vision.rules.brikks.state import Written

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
    return defaults.combined(photos, layout, shared)


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


def evidence_of_reading(reading: BrikksReading, layout: Layout) -> Evidence:
    """Evidence that decodes to the reading, for readings whose own evidence was not kept.

    Marks are nearly certain, unreadable cells undecided, covered places covered. Of extra points
    and bombs only the number is known; they are filled from the start of their bars.
    """
    sheet = sheet_of(layout)
    cells = np.array([[_letter_logit(letter) for letter in row] for row in reading.grid])
    rows, columns = sheet.rows, sheet.columns
    blocks = [frozenset(block.cells) for block in reading.blocks]
    vertical, horizontal = outline_edges(blocks, rows, columns)
    rings = [_logit(state in ("circled", "used")) for state in reading.energy]
    strikes = [_logit(state in ("used", "off")) for state in reading.energy]
    marks = Marks(
        {
            CELLS: cells.astype(np.float64),
            VERTICALS: np.where(vertical, READ_LOG_ODDS, -READ_LOG_ODDS),
            HORIZONTALS: np.where(horizontal, READ_LOG_ODDS, -READ_LOG_ODDS),
            RINGS: np.array(rings),
            STRIKES: np.array(strikes),
            BOXES: _bar(len(sheet.bonus_values), reading.bonus_crosses or 0),
            BOMBS: _bar(len(sheet.bomb_points), reading.bombs_used or 0),
        }
    )
    marks = marks.with_covered(covered_at(reading.covered, layout))
    written = reading.written or Written((None,) * rows, None)
    figures = tuple(Figure(value, 1.0) for value in written.rows)
    return Evidence(marks, {"rows": figures, "total": (Figure(written.total, 1.0),)})


def _logit(is_marked: bool) -> float:
    return READ_LOG_ODDS if is_marked else -READ_LOG_ODDS


def _letter_logit(letter: str) -> float:
    return {"X": READ_LOG_ODDS, ".": -READ_LOG_ODDS}.get(letter, 0.0)


def _bar(length: int, crossed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.where(np.arange(length) < crossed, READ_LOG_ODDS, -READ_LOG_ODDS)
