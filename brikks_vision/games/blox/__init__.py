"""BLOX: from the pixels of its boards to a reading."""

from __future__ import annotations

from brikks_vision.reading import Setting

SETTINGS: tuple[Setting, ...] = ()
"""What a person can say of a game of BLOX: nothing, a photo shows all of it."""
