"""The reading of a Qwixx sheet: what it adds to that of every game."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

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

    def content(self) -> dict[str, Any]:
        """The fields of the contract that only a Qwixx sheet has, and the score."""
        written = self.written and {**asdict(self.written), "rows": list(self.written.rows)}
        return {
            "rows": list(self.rows),
            "locks": self.locks,
            "failed": self.failed,
            "written": written,
            "score": {**asdict(self.score), "rows": list(self.score.rows)},
        }

    @classmethod
    def no_content(cls) -> dict[str, Any]:
        """`content` of a sheet that was not read."""
        return {"rows": [], "locks": "", "failed": 0, "written": None, "score": None}
