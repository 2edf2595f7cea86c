"""What a person can say of a game of BLOX."""

from __future__ import annotations

from brikks_vision.reading import Setting

SETTINGS: tuple[Setting, ...] = ()  # a photo shows all of it
