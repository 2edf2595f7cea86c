"""What the rules forbid and what is no BLOX: a class a failure, on one line each, with its facts.

Each says what is wrong and what to do about it, in four languages (``text/*/blox.json``, by the
name of the class in small letters).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar, Self, dataclass_transform

from brikks_vision.rules.blox.material import (
    BLOCKS_OF_A_COLOR,
    CHIP_VALUES,
    CHIPS,
    HAND,
    JOKER,
    Color,
    Field,
    PawnColor,
)
from brikks_vision.rules.blox.words import (
    Fact,
    Phrase,
    color_words,
    field_words,
    pawn_words,
    pawns_words,
    phrase,
)
from brikks_vision.text.failures import fact_names
from brikks_vision.text.phrases import Told

COLORS, PAWNS = ", ".join(Color), ", ".join(PawnColor)
_WORDS: dict[str, Callable[[Any], Fact]] = {
    **dict.fromkeys(("field", "first", "start", "target"), field_words),
    "color": color_words,
    "pawn": pawn_words,
    "pawns": pawns_words,
    "phase": str,
}
"""How the facts of these names are told."""


@dataclass_transform(eq_default=False)
class BloxError(Told, ValueError):
    """Base of all of them. told: the sentence, as a phrase.

    key: of the phrase. constants: facts that are always the same.
    """

    key: ClassVar[str]
    constants: ClassVar[dict[str, Fact]]

    def __init_subclass__(cls, key: str = "", **constants: Fact) -> None:
        dashed = re.sub("(?<!^)([A-Z])", r"-\1", cls.__name__.removesuffix("Error")).lower()
        cls.key, cls.constants = key or dashed, constants

    def __init__(self, *values: Any, **named: Any) -> None:
        names = (name for name in fact_names(type(self)) if name != "told")
        facts = dict(zip(names, values, strict=False)) | named
        if "pawn" in facts:
            facts["pawns"] = facts["pawn"]
        told = {name: _WORDS.get(name, _as_it_is)(fact) for name, fact in facts.items()}
        self._tell(phrase(self.key, **self.constants, **told))

    def _tell(self, told: Phrase) -> None:
        super().__init__(told)
        self.told = told

    def __str__(self) -> str:
        return self.message

    def __reduce__(self) -> tuple[object, ...]:
        return _restored, (type(self), self.told)

    @classmethod
    def restored(cls, told: Phrase) -> Self:
        """An error from what it told, for pickling."""
        error = cls.__new__(cls)
        error._tell(told)
        return error


def _restored(kind: type[BloxError], told: Phrase) -> BloxError:
    return kind.restored(told)


def _as_it_is(fact: Fact) -> Fact:
    return fact


class IllegalActionError(BloxError):
    """An action that the rules forbid."""


# A table: the formatter would write each class on three lines or more.
# fmt: off

# --- a board, a set-up, what a player says, a text ------------------------------------------------
class BoardColorsError(BloxError): ...
class BoardSquaresError(BloxError): ...
class UnknownColorError(BloxError, key="unknown-block-color", colors=COLORS): word: str
class UnknownCardError(BloxError, cards=f"{COLORS}, {JOKER}"): word: str
class UnknownPawnError(BloxError, colors=PAWNS): word: str
class TooManyCardsError(BloxError, most=HAND): count: int
# More blocks of a colour in front of a player than there are.
class TooManyBlocksError(BloxError, key="too-many-blocks-in-front", most=BLOCKS_OF_A_COLOR):
    color: Color; count: int
class ImpossiblePhaseError(BloxError): phase: object
class UnknownChipError(BloxError, chips=", ".join(map(str, CHIP_VALUES))): word: str
class TooManyChipsError(BloxError, most=CHIPS): count: int
class TooManyPlayersError(BloxError, most=len(PawnColor)): count: int
# Chips are told of other players than blocks.
class BlocksOfSomeError(BloxError): players: int; blocks: int
class EmptyTowerError(BloxError): ...
class NotationError(BloxError, key="no-notation"): line: str

# --- a turn ---------------------------------------------------------------------------------------
class TooManyJokersError(IllegalActionError): ...
class OffBoardError(IllegalActionError): field: Field
class NotYourPawnError(IllegalActionError): pawn: PawnColor; field: Field
class NoPawnLeftError(IllegalActionError): pawn: PawnColor
class FieldTakenError(IllegalActionError): field: Field
# Something stands on the way from every edge, or a field of the same colour comes first.
class NoWayInError(IllegalActionError): field: Field
class NotStraightError(IllegalActionError): start: Field; target: Field
class WayBlockedError(IllegalActionError): field: Field
# A field of the same colour comes first.
class NotTheFirstFieldError(IllegalActionError): first: Field; target: Field
class NoTowerError(IllegalActionError): field: Field
class TowerTooHighError(IllegalActionError): field: Field; height: int; phase: int
# The way to a tower bears a colour of its blocks.
class TowerColorOnTheWayError(IllegalActionError): color: Color; field: Field
# The way to a tower bears all colours, so that one of its blocks must be of one of them.
class EveryColorOnTheWayError(IllegalActionError): target: Field
class WrongHeightError(IllegalActionError): height: int; phase: int; due: int
class TowerWalledInError(IllegalActionError): field: Field
class NoPawnError(IllegalActionError): field: Field
class OwnPawnError(IllegalActionError): field: Field
# The way to a pawn bears the colour of the field on which it stands.
class PawnColorOnTheWayError(IllegalActionError): color: Color; field: Field
