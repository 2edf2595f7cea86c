"""The reading of a Brikks sheet: what it adds to that of every game."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from brikks_vision.layout import Cell
from brikks_vision.reading import ReadSheet, cells_json, probability_json
from brikks_vision.rules.brikks.scoring import Score
from brikks_vision.rules.brikks.state import Written


@dataclass(frozen=True)
class BlockReading:
    """An outlined block. ``color`` is None and ``columns`` empty where it is no block of the game.

    ``columns``: the columns of the block overview, from 1, that show this shape.
    """

    color: str | None
    columns: tuple[int, ...]
    cells: tuple[Cell, ...]
    confidence: float


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

    def content(self) -> dict[str, Any]:
        """The fields of the contract that only a Brikks sheet has, and the score."""
        written, score = self.written, self.score
        return {
            "blocks": [
                {
                    "color": block.color,
                    "columns": list(block.columns),
                    "cells": cells_json(block.cells),
                    "confidence": probability_json(block.confidence),
                }
                for block in self.blocks
            ],
            "energy": [str(state) for state in self.energy],
            "bonus_crosses": self.bonus_crosses,
            "bombs_used": self.bombs_used,
            "written": written and {"rows": list(written.rows), "total": written.total},
            "score": score and {**asdict(score), "rows": list(score.rows)},
        }

    @classmethod
    def no_content(cls) -> dict[str, Any]:
        """`content` of a sheet that was not read."""
        return {
            "blocks": [],
            "energy": [],
            "bonus_crosses": None,
            "bombs_used": None,
            "written": None,
            "score": None,
        }
