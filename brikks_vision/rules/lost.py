"""Points that a sheet lost, whatever the game.

A point counts as lost where it was within reach: one step more of its kind would have given it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from brikks_vision.layout import Cell
from brikks_vision.text.phrases import Phrase, Told, Translator


@dataclass(frozen=True)
class Lost(Told):
    """Points that a sheet lost at one place.

    cause: of the contract, such as "row". where: the place as the contract names it, "row 7".
    points: from 1. told: what is lacking. cells: those of the grid that lack it. last_turn: whether
    another last placement would surely have given them, and left the sheet with more points.
    """

    cause: str
    where: str
    points: int
    told: Phrase
    cells: tuple[Cell, ...] = ()
    last_turn: bool = False

    def to_dict(self, words: Translator = Phrase.sentence) -> dict[str, Any]:
        """The JSON object of the contract, in plain Python types; ``words`` make the message."""
        return {
            "cause": self.cause,
            "where": self.where,
            "points": self.points,
            "cells": [[int(row), int(column)] for row, column in self.cells],
            "last_turn": self.last_turn,
            "message": words(self.told),
        }


def most_first(lost: Iterable[Lost]) -> tuple[Lost, ...]:
    """What was lost, most points first; equal ones as they come."""
    return tuple(sorted(lost, key=lambda each: -each.points))
