"""BLOXX!: from the pixels of its sheets to a reading, and back to paper."""

from __future__ import annotations

from brikks_vision.reading import PLAYERS, Setting
from brikks_vision.rules.bloxx.sheet import MAX_PLAYERS, MIN_PLAYERS

SETTINGS: tuple[Setting, ...] = (
    Setting(PLAYERS, tuple(range(MIN_PLAYERS, MAX_PLAYERS + 1)), "How many played."),
)
"""What a person can say of a game of BLOXX!."""
