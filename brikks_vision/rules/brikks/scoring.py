"""The score of a sheet and the rank that the publisher gives to it."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from brikks_vision.layout import Cell
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Energy, SheetState
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.text.phrases import Phrase

BASIC_LEVEL = 2
"""The level of the publisher's basic game."""


@dataclass(frozen=True)
class Score:
    """Points by part. rows: one figure a row, top first, times the row's factor."""

    rows: tuple[int, ...]
    lines: int
    bonus: int
    bombs: int
    energy: int
    total: int


def row_points(state: SheetState) -> tuple[int, ...]:
    """The points of each row, top first."""
    return _row_points(state.crossed, state.sheet)


@lru_cache(maxsize=64)  # many states of a sheet differ in their bars alone
def _row_points(crossed: frozenset[Cell], sheet: Sheet) -> tuple[int, ...]:
    counts = [0] * sheet.rows
    for row, _ in crossed:
        counts[row] += 1
    return tuple(
        sheet.row_points.get(count, 0) * factor
        for count, factor in zip(counts, sheet.row_factors, strict=True)
    )


def bonus_points(state: SheetState) -> int:
    """The value of the box after the last cross, whether or not crosses leave a gap."""
    values = state.sheet.bonus_values
    return values[min(sum(state.bonus), len(values) - 1)]


def bomb_points(state: SheetState) -> int:
    """The figures on the bombs that are not crossed out."""
    return sum(
        points
        for points, used in zip(state.sheet.bomb_points, state.bombs, strict=True)
        if not used
    )


def score(state: SheetState) -> Score:
    """The points of a sheet, by part."""
    rows = row_points(state)
    lines = sum(rows)
    bonus = bonus_points(state)
    bombs = bomb_points(state)
    energy = state.energy.count(Energy.CIRCLED) // state.sheet.points_per_score
    return Score(rows, lines, bonus, bombs, energy, lines + bonus + bombs + energy)


@cache
def _rank_table() -> dict[str, Any]:
    file = Path(__file__).with_name("ranks.json")
    table: dict[str, Any] = json.loads(file.read_text("utf-8"))
    return table


def level_of_rank(levels: Collection[int]) -> int:
    """The level whose rank is reported, of those that are possible: the basic one if it is."""
    return BASIC_LEVEL if BASIC_LEVEL in levels else min(levels, default=BASIC_LEVEL)


def rank(total: int, level: int) -> Phrase:
    """The publisher's word for a total, with its bonus for each level above 1."""
    table = _rank_table()
    points = total + table["points_per_level"] * (level - 1)
    lowest: list[int] = table["from"]
    reached = next((least for least in lowest if points >= least), lowest[-1])
    return phrase(f"rank-{reached}")
