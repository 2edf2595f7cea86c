"""The score of a sheet and the rank that the publisher gives to it."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from brikks_vision.rules.brikks.state import Energy, SheetState

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


class UnknownLanguageError(ValueError):
    """Ranks are not known in a language."""

    def __init__(self, language: str, known: tuple[str, ...]) -> None:
        super().__init__(
            f"There are no ranks in the language '{language}'; choose one of {', '.join(known)}."
        )


def row_points(state: SheetState) -> tuple[int, ...]:
    """The points of each row, top first."""
    counts = [0] * state.sheet.rows
    for row, _ in state.crossed:
        counts[row] += 1
    return tuple(
        state.sheet.row_points.get(count, 0) * factor
        for count, factor in zip(counts, state.sheet.row_factors, strict=True)
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
    text = resources.files("brikks_vision").joinpath("rules", "brikks", "ranks.json")
    table: dict[str, Any] = json.loads(text.read_text("utf-8"))
    return table


def rank_languages() -> tuple[str, ...]:
    """Languages that the ranks are known in."""
    return tuple(_rank_table()["ranks"][0]["texts"])


def level_of_rank(levels: Collection[int]) -> int:
    """The level whose rank is reported, of those that are possible: the basic one if it is."""
    return BASIC_LEVEL if BASIC_LEVEL in levels else min(levels, default=BASIC_LEVEL)


def rank(total: int, level: int, language: str) -> str:
    """The publisher's word for a total, with its bonus for each level above 1.

    Raises
    ------
    UnknownLanguageError
        The table has no texts in that language.
    """
    table = _rank_table()
    known = rank_languages()
    if language not in known:
        raise UnknownLanguageError(language, known)
    points = total + table["points_per_level"] * (level - 1)
    texts: dict[str, str] = next(
        (entry["texts"] for entry in table["ranks"] if points >= entry.get("from", points)),
        table["ranks"][-1]["texts"],
    )
    return texts[language]
