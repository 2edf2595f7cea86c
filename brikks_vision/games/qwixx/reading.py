"""The reading of a Qwixx sheet: what it adds to that of every game."""

from __future__ import annotations

from dataclasses import dataclass, field

from brikks_vision.reading import ReadSheet
from brikks_vision.rules.qwixx.sheet import Score, Written


@dataclass(frozen=True, eq=False)
class QwixxReading(ReadSheet, game="qwixx"):
    """One Qwixx sheet in one photo.

    rows, locks: red, yellow, green, blue, each from left to right: "X" crossed, "." open, "?"
    cannot be told. failed: crossed boxes of failed throws.
    """

    rows: tuple[str, ...] = ()
    locks: str = ""
    failed: int = 0
    written: Written | None = None
    score: Score = field(kw_only=True)
