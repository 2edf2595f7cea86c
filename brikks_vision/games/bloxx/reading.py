"""The reading of a BLOXX! sheet: what it adds to that of every game."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from brikks_vision.layout import Cell
from brikks_vision.reading import ReadSheet, cells_json, probability_json
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
    confidence: float


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

    def content(self) -> dict[str, Any]:
        """The fields of the contract that only a BLOXX! sheet has, and the score."""
        return {
            "shapes": [
                {
                    "cells": cells_json(shape.cells),
                    "circle": None if shape.circle is None else cells_json((shape.circle,))[0],
                    "confidence": probability_json(shape.confidence),
                }
                for shape in self.shapes
            ],
            "row_bonus": [
                {
                    "row": bonus.row,
                    "color": bonus.color,
                    "circled": bonus.circled,
                    "struck": list(bonus.struck),
                }
                for bonus in self.row_bonus
            ],
            "written": self.written and asdict(self.written),
            "score": asdict(self.score),
        }

    @classmethod
    def no_content(cls) -> dict[str, Any]:
        """`content` of a sheet that was not read."""
        return {"shapes": [], "row_bonus": [], "written": None, "score": None}
