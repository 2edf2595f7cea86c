"""What a scan returns of a board, and of what a player has won."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from brikks_vision.reading import Doubt, Reading, Status, probability_json
from brikks_vision.text.phrases import Phrase

if TYPE_CHECKING:
    from brikks_vision.reading.views import BoardLabel, DoubtWords


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


@dataclass(frozen=True, eq=False)
class ReadPoints:
    """What one player has won, from a photo of it: points and how many pieces.

    photo: the name of the photo. content: all of it as JSON. labels: to be drawn on the photo, in
    px of the image that was read. facts: sentences. doubts, doubt_words: what may be otherwise, in
    codes and in words.
    """

    photo: str
    status: Literal[Status.OK, Status.UNCERTAIN]
    content: Mapping[str, Any]
    labels: tuple[BoardLabel, ...]
    facts: tuple[Phrase, ...]
    doubts: tuple[FieldDoubt, ...]
    doubt_words: tuple[DoubtWords, ...]

    def to_dict(self) -> dict[str, Any]:
        """As ``--json`` prints it."""
        doubts = [
            {
                "where": doubt.where,
                "read": doubt.read,
                "confidence": probability_json(doubt.confidence),
                "otherwise": doubt.otherwise,
            }
            for doubt in self.doubts
        ]
        told = {"photo": self.photo, "status": str(self.status), **self.content, "doubts": doubts}
        return {"points": told}
