"""The reading of a BLOXX! sheet: what it adds to that of every game.

Evidence of BLOXX! sheets that is made from a reading, where its own was not kept.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.figures import Figure
from brikks_vision.detect.marks import Marks
from brikks_vision.games.bloxx.places import (
    BONUS_RINGS,
    BONUS_STRIKES,
    CROSSES,
    FILLS,
    HORIZONTALS,
    RINGS,
    VERTICALS,
    bonus_places,
    sheet_of,
)
from brikks_vision.infer.answers import covered_at
from brikks_vision.infer.evidence import Evidence
from brikks_vision.infer.grid import outline_edges
from brikks_vision.infer.prices import READ_LOG_ODDS
from brikks_vision.layout import Cell, Layout
from brikks_vision.reading import Probability, ReadSheet
from brikks_vision.rules.bloxx.state import Written


@dataclass(frozen=True)
class BloxxPoints:
    """The points by part. penalty: 0 or negative."""

    rows: int
    numbers: int
    penalty: int
    total: int


@dataclass(frozen=True)
class ShapeReading:
    """An outlined shape. circle: None where it has none."""

    cells: tuple[Cell, ...]
    circle: Cell | None
    confidence: Probability


@dataclass(frozen=True)
class RowBonusReading:
    """The bonuses of a coloured row. row: of the grid. circled: the highest that is, or None."""

    row: int
    color: str
    circled: int | None
    struck: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class BloxxReading(ReadSheet, game="bloxx"):
    """One BLOXX! sheet in one photo.

    ``grid``: "X" crossed, "O" circled, "#" coloured in, "." empty, "?" cannot be told. ``shapes``:
    bottom-up; empty where the player drew no outlines. ``row_bonus``: of the coloured rows, top
    first.
    """

    score: BloxxPoints = field(kw_only=True)
    shapes: tuple[ShapeReading, ...] = ()
    row_bonus: tuple[RowBonusReading, ...] = ()
    written: Written | None = None


def evidence_of_reading(reading: BloxxReading, layout: Layout) -> Evidence:
    """Evidence that decodes to the reading.

    Marks are nearly certain, unreadable cells undecided, covered places covered. Of several bonuses
    that are circled for one row only the highest is known.
    """
    sheet = sheet_of(layout)
    letters = np.array([list(line) for line in reading.grid])
    vertical, horizontal = outline_edges(
        [frozenset(shape.cells) for shape in reading.shapes], sheet.rows, sheet.columns
    )
    by_row = {each.row: each for each in reading.row_bonus}
    places = [(by_row.get(row), bonus) for row, bonus in bonus_places(sheet)]
    circled = np.array([each is not None and bonus == each.circled for each, bonus in places])
    struck = np.array([each is not None and bonus in each.struck for each, bonus in places])
    marks = {
        CROSSES: _logits(letters == "X", letters == "?"),
        RINGS: _logits(letters == "O", letters == "?"),
        FILLS: _logits(letters == "#", letters == "?"),
        VERTICALS: _logits(vertical),
        HORIZONTALS: _logits(horizontal),
        BONUS_RINGS: _logits(circled),
        BONUS_STRIKES: _logits(struck),
    }
    written = reading.written or Written()
    figures = {name: (Figure(getattr(written, name), 1.0),) for name in layout.figures}
    return Evidence(Marks(marks).with_covered(covered_at(reading.covered, layout)), figures)


def _logits(
    marked: NDArray[np.bool_], unknown: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    logits = np.where(marked, READ_LOG_ODDS, -READ_LOG_ODDS)
    return logits if unknown is None else np.where(unknown, 0.0, logits)
