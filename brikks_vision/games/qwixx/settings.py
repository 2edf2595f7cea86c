"""What a person can say of Qwixx that the paper cannot."""

from __future__ import annotations

from brikks_vision.reading import PLAYERS, Setting

SETTINGS: tuple[Setting, ...] = (Setting(PLAYERS, (2, 3, 4, 5), "How many played."),)
