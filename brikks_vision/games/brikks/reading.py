"""The reading of a Brikks sheet: what it adds to that of every game.

Kept evidence of Brikks sheets: what former versions called it, and evidence made from a
reading.

The places of a Brikks sheet that a player marks, and how people count them.

As in the printed rules: rows from the bottom and columns from the left, both from 1, energy points
from 1, bombs and boxes by their printed figure.

The marks of a Brikks sheet, by field and mark of its layouts.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import PHOTOS, Key, Marks, Shared
from brikks_vision.infer import evidence
from brikks_vision.infer.answers import covered_at
from brikks_vision.infer.costs import READ_LOG_ODDS
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.grid import outline_edges
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Cell, Layout, Mark
from brikks_vision.reading import GameSettings, Probability, ReadSheet
from brikks_vision.rules.brikks.blocks import Energy, SheetState, Written
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.sheet import ImpossibleGameError, phrase, settings, sheet_of
from brikks_vision.text.phrases import Phrase, all_of


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


CROSS_MARKS = ("X", ".")
MARKS: Mapping[str, tuple[str, ...]] = {
    "cell": CROSS_MARKS,
    "energy": tuple(str(energy) for energy in Energy),
    "box": CROSS_MARKS,
    "bomb": CROSS_MARKS,
}
"""By field, the marks of the contract that can stand there."""

ENERGY_READINGS = ("open", "circled", "used")
"""What evidence can say of an energy point: struck at setup looks like used."""

PART_FIELDS: Mapping[str, str] = {"energy": "energy", "bonus": "box", "bombs": "bomb"}
"""By part of the sheet that a broken rule names, the field that it shows in."""


def marks_at(where: str) -> tuple[str, ...]:
    """The marks of the contract that evidence can show at a place."""
    return ENERGY_READINGS if where.startswith("energy ") else CROSS_MARKS


def counted(where: str, layout: Layout) -> Mapping[str, int]:
    """The numbers of a place of the contract as people count."""
    field, _, numbers = where.partition(" ")
    at, sheet = [int(number) for number in numbers.split(",")], sheet_of(layout)
    if field == "cell":
        return {"row": sheet.rows - at[0], "column": at[1] + 1}
    if field == "energy":
        return {"number": at[0] + 1}
    figures = sheet.bomb_points if field == "bomb" else sheet.bonus_values
    return {"figure": figures[at[0]]}


def answers_there(layout: Layout) -> Phrase:
    """The places that a sheet has, in words."""
    sheet = sheet_of(layout)
    return phrase(
        "answers-there",
        rows=sheet.rows,
        columns=sheet.columns,
        energy=sheet.energy_points,
        boxes=all_of(sheet.bonus_values),
        bombs=all_of(sheet.bomb_points),
    )


def marks(state: SheetState) -> dict[str, str]:
    """By place of the contract, the mark that stands there."""
    sheet = state.sheet
    cells = {
        f"cell {row},{column}": "X" if (row, column) in state.crossed else "."
        for row in range(sheet.rows)
        for column in range(sheet.columns)
    }
    energy = {f"energy {at}": str(mark) for at, mark in enumerate(state.energy)}
    boxes = {f"box {at}": "X" if mark else "." for at, mark in enumerate(state.bonus)}
    bombs = {f"bomb {at}": "X" if mark else "." for at, mark in enumerate(state.bombs)}
    return {**cells, **energy, **boxes, **bombs}
