"""What a scan returns of a board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from brikks_vision.reading import Doubt, Reading, Status


@dataclass(frozen=True)
class FieldDoubt(Doubt):
    """A field of a board that may bear something else: ``otherwise``, as answers write it."""

    otherwise: str

    def to_dict(self) -> dict[str, Any]:
        return {**super().to_dict(), "otherwise": self.otherwise}


@dataclass(frozen=True, eq=False)
class ReadBoard(Reading):
    """A board with what stands on it, surely or not. A board has no score."""

    status: Literal[Status.OK, Status.UNCERTAIN]
    error: None = None
    score: None = None
    doubts: tuple[FieldDoubt, ...] = ()
