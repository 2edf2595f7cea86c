"""Qwixx: its sheet as a definition, our own print of it, learning other ones."""

from __future__ import annotations

from brikks_vision.reading import PLAYERS, Setting

MAX_PLAYERS = 5
DICE = "white 1", "white 2", "red", "yellow", "green", "blue"

SETTINGS: tuple[Setting, ...] = (
    Setting(PLAYERS, tuple(range(2, MAX_PLAYERS + 1)), "How many played."),
)
"""What a person can say of Qwixx that the paper cannot."""
