"""What a person can say of Qwixx that the paper cannot."""

from __future__ import annotations

from brikks_vision.reading import PLAYERS, Setting

MAX_PLAYERS = 5

SETTINGS: tuple[Setting, ...] = (
    Setting(PLAYERS, tuple(range(2, MAX_PLAYERS + 1)), "How many played."),
)
