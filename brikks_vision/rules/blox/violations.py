"""What a broken rule is called, where it shows on the board, and how it is told to a player."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from brikks_vision.rules.blox.material import Field
from brikks_vision.rules.blox.words import Phrase
from brikks_vision.text.phrases import Told


class Rule(StrEnum):
    """The codes of the reading's contract."""

    TOO_HIGH = "too-high"
    TOO_MANY_PAWNS = "too-many-pawns"
    WRONG_CHIP = "wrong-chip"
    ILLEGAL_MOVE = "illegal-move"


@dataclass(frozen=True)
class Violation(Told):
    """One broken rule.

    where: fields of the board. told: what the players are told. confidence: 0 to 1; the rules alone
    are certain, a reading multiplies in how sure it is of what stands there.
    """

    rule: Rule
    where: tuple[Field, ...]
    told: Phrase
    confidence: float = 1.0

    @property
    def part(self) -> str:
        """The part of the board that it shows in: there is only one."""
        return "board"
