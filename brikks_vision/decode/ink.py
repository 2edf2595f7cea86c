"""All that a reading follows from, without the photo: kept, so that it can be corrected later.

The ink of one sheet is some 500 numbers, a few kilobytes. What a person says of single marks is
put in its place, and the sheet is decoded anew, so that the score, the doubts and the verdict
follow at once, long after the photo is gone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from brikks_vision.decode.compose import build_reading, written_figures
from brikks_vision.decode.posterior import Posterior, decode
from brikks_vision.detect.figures import Figure, Figures
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
from brikks_vision.layout import Cell, Layout
from brikks_vision.reading import Reading, ReadSheet, Status
from brikks_vision.rules.brikks.settings import settings
from brikks_vision.rules.brikks.sheet import Sheet, load_sheet
from brikks_vision.rules.brikks.state import Written

SURE = 9.0  # log-odds of a mark of which nothing is known but how it was read
_DIGITS = 3  # of log-odds that are kept


@dataclass(frozen=True)
class Ink:
    """What the pixels of one sheet said.

    marks : of a glance, of one close look where that left something open, or the mean of several
    where that left a doubt, under what was said of the game. figures : the player's own, beside the
    rows and the total. is_clear : whether it is sure where the sheet lies in the photo. players,
    level, variant : what was said of the game; None: nothing.
    """

    marks: Marks
    figures: Figures
    is_clear: bool = True
    players: int | None = None
    level: int | None = None
    variant: str | None = None


def read_ink(
    name: str,
    ink: Ink,
    layout: Layout,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> tuple[ReadSheet, Posterior]:
    """The most probable sheet under the ink and the rules, and the reading it comes to.

    ``name``: of the photo. ``layout``: of the sheet. ``answers``: as of
    `brikks_vision.pipeline.scan`. The reading knows no corners and no times.

    Raises
    ------
    ImpossibleGameError
        No game has these players, this level and this variant.
    """
    games = settings(ink.players, ink.level, ink.variant)
    figures = written_figures(ink.figures)
    posterior = decode(ink.marks, load_sheet(layout.name), answers or {}, games, *figures)
    reading = build_reading(
        name,
        posterior,
        figures,
        ink.players,
        ink.level,
        ink.variant,
        language,
        answers or {},
    )
    reading = replace(reading, game=layout.game, sheet=layout.name)
    if not ink.is_clear:  # the marks may have been read in the wrong places
        reading = replace(reading, status=Status.UNCERTAIN, violations=())
    return reading, posterior


def ink_json(ink: Ink) -> str:
    """The ink as text; `ink_from_json` reads it."""
    return json.dumps(
        {
            "marks": {
                " ".join(key): array.round(_DIGITS).tolist()
                for key, array in ink.marks.logits.items()
            },
            "figures": {
                name: [_figure_entry(figure) for figure in figures]
                for name, figures in ink.figures.items()
            },
            "clear": ink.is_clear,
            "players": ink.players,
            "level": ink.level,
            "variant": ink.variant,
        },
        separators=(",", ":"),
    )


def ink_from_json(text: str) -> Ink:
    """The ink that `ink_json` wrote; raises KeyError or ValueError where it is something else."""
    data = json.loads(text)
    marks = {_key(name): np.array(values, np.float64) for name, values in data["marks"].items()}
    figures = data["figures"]
    if isinstance(figures, list):
        figures = {"rows": figures[:-1], "total": figures[-1:]}
    return Ink(
        Marks(marks),
        {name: tuple(_figure(*entry) for entry in entries) for name, entries in figures.items()},
        data["clear"],
        data["players"],
        data["level"],
        data["variant"],
    )


def ink_of_reading(reading: Reading, sheet: Sheet) -> Ink:
    """Ink that says what a reading says, for readings whose own was not kept.

    Marks are as good as sure; those that could not be told may be either. Of the extra points and
    the bombs only the number is known: they count from the start of their bars.
    """
    cells = np.array([[_letter_logit(letter) for letter in row] for row in reading.grid])
    rows, columns = sheet.rows, sheet.columns
    vertical = np.full((rows, columns + 1), -SURE)
    horizontal = np.full((rows + 1, columns), -SURE)
    for block in reading.blocks:
        inside = set(block.cells)
        for row, column in block.cells:
            vertical[row, column] = _side(vertical[row, column], (row, column - 1), inside)
            vertical[row, column + 1] = _side(vertical[row, column + 1], (row, column + 1), inside)
            horizontal[row, column] = _side(horizontal[row, column], (row - 1, column), inside)
            horizontal[row + 1, column] = _side(
                horizontal[row + 1, column], (row + 1, column), inside
            )
    rings = [SURE if state in ("circled", "used") else -SURE for state in reading.energy]
    strikes = [SURE if state in ("used", "off") else -SURE for state in reading.energy]
    marks = Marks(
        {
            CELLS: cells.astype(np.float64),
            VERTICALS: vertical,
            HORIZONTALS: horizontal,
            RINGS: np.array(rings),
            STRIKES: np.array(strikes),
            BOXES: _bar(len(sheet.bonus_values), reading.bonus_crosses or 0),
            BOMBS: _bar(len(sheet.bomb_points), reading.bombs_used or 0),
        }
    )
    written = reading.written or Written((None,) * rows, None)
    figures = tuple(Figure(value, 1.0) for value in written.rows)
    return Ink(marks, {"rows": figures, "total": (Figure(written.total, 1.0),)})


_FORMER_KEYS = {
    "cells": CELLS,
    "vertical_edges": VERTICALS,
    "horizontal_edges": HORIZONTALS,
    "rings": RINGS,
    "strikes": STRIKES,
    "boxes": BOXES,
    "bombs": BOMBS,
}
"""What marks are called in ink that was kept before layouts had fields."""


def _key(name: str) -> Key:
    if name in _FORMER_KEYS:
        return _FORMER_KEYS[name]
    field, mark = name.split()
    return field, mark


def _figure_entry(figure: Figure) -> list[Any]:
    others = [[value, float(f"{chance:.3g}")] for value, chance in figure.others]
    return [figure.value, round(figure.probability, 4), others]


def _figure(value: int | None, probability: float, others: Sequence[Any] = ()) -> Figure:
    """``others`` is absent in ink that was kept by the first version."""
    return Figure(value, probability, tuple((other, chance) for other, chance in others))


def _letter_logit(letter: str) -> float:
    return {"X": SURE, ".": -SURE}.get(letter, 0.0)


def _side(logit: float, beyond: Cell, block: set[Cell]) -> float:
    """The edge of a cell of a block towards the cell ``beyond``."""
    return logit if beyond in block else SURE


def _bar(length: int, crossed: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    return np.where(np.arange(length) < crossed, SURE, -SURE)
