"""The energy bar: points are activated left to right by circling and crossed out when used."""

from __future__ import annotations

from functools import cache

from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.rules.brikks.state import Energy, SheetState

SOLO_EXTRA_POINTS = 1
"""Points that a player alone circles at setup."""

SAME_COLOR_GAIN = 2
OTHER_COLOR_EFFECT = {1: 1, 2: 0, 3: -1, 4: -2}
"""Points that a covered circle of another colour gives (or takes), by level."""

SWAP_COST = 5
"""Points for any block instead of the rolled one. A column to the left or right costs 1."""


def circle_effect(level: int, same_color: bool) -> int:
    """Points that covering one circle gives; negative where the player loses points."""
    return SAME_COLOR_GAIN if same_color else OTHER_COLOR_EFFECT[level]


@cache
def struck_at_setup(sheet: Sheet, players: int) -> frozenset[int]:
    """Points crossed out before the game: those labelled with more players than play.

    A solo player strikes none.
    """
    if players == 1:
        return frozenset()
    return frozenset(point for point, label in sheet.labels.items() if players < int(label))


def activated_at_setup(sheet: Sheet, players: int) -> int:
    """Points that bear a ring at the beginning, including those struck at setup."""
    return len(sheet.preprinted) + (SOLO_EXTRA_POINTS if players == 1 else 0)


def available(state: SheetState) -> int:
    """Activated points that are not used."""
    return state.energy.count(Energy.CIRCLED)


def activated(state: SheetState) -> int:
    """Points that bear a ring, including those used or struck."""
    return len(state.energy) - state.energy.count(Energy.OPEN)


@cache
def pink_points(sheet: Sheet, activated_points: int) -> int:
    """Pink X's among the first ``activated_points`` points of the bar."""
    return sum(point < activated_points for point in sheet.pink_points)
