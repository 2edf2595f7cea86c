"""Brikks: what one game adds to the common way of a photo."""

from __future__ import annotations

from brikks_vision.reading import PLAYERS, Setting
from brikks_vision.rules.brikks.sheet import LEVELS, Variant
from brikks_vision.rules.brikks.sheet import PLAYERS as PLAYERS_OF

SETTINGS: tuple[Setting, ...] = (
    Setting(PLAYERS, tuple(sorted({*sum(PLAYERS_OF.values(), ())})), "How many played."),
    Setting("level", LEVELS, "The level played.", is_each=True),
    Setting("variant", tuple(map(str, Variant)), "The game played."),
)
"""What a person can say of a game of Brikks."""
