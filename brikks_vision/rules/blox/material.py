"""What is in the box of BLOX, what users call it, and what the rules forbid.

What is in the box: colours, cards, pawns and how many of each (published rules, "Material").

What the rules forbid and what is no BLOX: a class a failure, on one line each, with its facts.

Each says what is wrong and what to do about it, in every language (``text/*/blox.json``, by the
name of the class in small letters).

Cards, blocks and pawns from what a user types: English words, in any case.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, ClassVar, Final, Literal, Self, dataclass_transform

from brikks_vision.text import phrases
from brikks_vision.text.phrases import Fact, Listed, Phrase, Told, all_of, fact_names, one_of

__all__ = [
    "Fact",
    "Listed",
    "Phrase",
    "all_of",
    "cards_words",
    "color_words",
    "field_words",
    "fields_words",
    "one_of",
    "pawn_words",
    "pawns_words",
    "phrase",
]

Field = tuple[int, int]
"""(row, column), counted from 0 at the top left of the board."""


class Color(StrEnum):
    """The colours of fields, blocks and cards."""

    WHITE = "white"
    GREY = "grey"
    PURPLE = "purple"
    BLACK = "black"


class PawnColor(StrEnum):
    """The colours of the pawns, and of the players who own them."""

    BLUE = "blue"
    BROWN = "brown"
    GREEN = "green"
    RED = "red"


JOKER: Final = "joker"
Card = Color | Literal["joker"]
"""What an action is paid with; the joker counts as one card of any colour."""

MAX_HEIGHT = 5
BLOCKS_OF_A_COLOR = 10
BLOCKS = BLOCKS_OF_A_COLOR * len(Color)
PAWNS_OF_A_COLOR = 4
BLACK_FIELDS = 21
"""How many fields of a board are black."""
FIELDS_BY_SQUARES = (59, 12, 4, 4, 2)
"""How many fields of a board bear no square, one, ... four: 22 towers of all blocks."""
CARDS_OF_A_COLOR = (
    15  # the rules say 60 cards in four colours; that they are as many each is assumed
)
HAND = 5
CHIP_VALUES = (1, 2, 3, 4, 10)
CHIPS = 60
MAX_CHIP = 4
"""The highest tower that bears a chip of its height; a higher one bears none."""

RULE_OF_SEVEN = 7
"""A player with so many blocks in front of them clears no tower."""

MIN_CAPTURE = 3
"""Minimum number of cards that capture a pawn."""

_COLOR_ORDER: dict[str, int] = {color: place for place, color in enumerate([*Color, JOKER])}


def in_order(colors: Iterable[Color]) -> tuple[Color, ...]:
    """A multiset of colours in its canonical order: white, grey, purple, black."""
    return tuple(sorted(colors, key=_COLOR_ORDER.__getitem__))


def cards_in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """A multiset of cards in its canonical order: the joker last."""
    return tuple(sorted(cards, key=_COLOR_ORDER.__getitem__))


def chip_for(height: int) -> int | None:
    """The chip on top of a tower of that height; None where it bears none."""
    return height if height <= MAX_CHIP else None


def phrase(key: str, **facts: Fact) -> Phrase:
    """The phrase of BLOX by that key; ``facts`` are put into its template."""
    return phrases.phrase(f"blox.{key}", **facts)


def color_words(color: Card) -> Phrase:
    """ "white" or "joker"."""
    return phrase(f"color-{color}")


def cards_words(cards: Iterable[Card]) -> Listed:
    """ "white, white and purple"."""
    return all_of(color_words(card) for card in cards)


def field_words(field: Field) -> Phrase:
    """ "row 1 from the top, column 3"; people count from 1."""
    return phrase("board-field", row=field[0] + 1, column=field[1] + 1)


def fields_words(fields: Iterable[Field]) -> Phrase | Listed:
    """ "(row 1 from the top, column 3) and (row 2 from the top, column 3)"."""
    return all_of(phrase("bracketed", words=field_words(field)) for field in fields)


def pawn_words(pawn: PawnColor) -> Phrase:
    """ "the blue pawn"."""
    return phrase(f"pawn-{pawn}")


def pawns_words(pawn: PawnColor) -> Phrase:
    """ "blue pawns"."""
    return phrase(f"pawns-{pawn}")


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

# --- a turn ---------------------------------------------------------------------------------------
class TooManyJokersError(IllegalActionError): ...
class NoPawnLeftError(IllegalActionError): pawn: PawnColor
# Something stands on the way from every edge, or a field of the same colour comes first.
class NoWayInError(IllegalActionError): field: Field
class NotStraightError(IllegalActionError): start: Field; target: Field
class WayBlockedError(IllegalActionError): field: Field
# A field of the same colour comes first.
class NotTheFirstFieldError(IllegalActionError): first: Field; target: Field
class TowerTooHighError(IllegalActionError): field: Field; height: int; phase: int
# The way to a tower bears a colour of its blocks.
class TowerColorOnTheWayError(IllegalActionError): color: Color; field: Field
# The way to a tower bears all colours, so that one of its blocks must be of one of them.
class EveryColorOnTheWayError(IllegalActionError): target: Field
class WrongHeightError(IllegalActionError): height: int; phase: int; due: int
class TowerWalledInError(IllegalActionError): field: Field
# The way to a pawn bears the colour of the field on which it stands.
class PawnColorOnTheWayError(IllegalActionError): color: Color; field: Field


def parse_cards(words: Iterable[str]) -> tuple[Card, ...]:
    """Cards by their names: "white", "grey", "purple", "black" and "joker".

    Raises
    ------
    UnknownCardError
        A word is no card.
    """
    return tuple(_card(word) for word in words)


def _card(word: str) -> Card:
    if _plain(word) == JOKER:
        return JOKER
    try:
        return Color(_plain(word))
    except ValueError:
        raise UnknownCardError(word) from None


def parse_blocks(words: Iterable[str]) -> tuple[Color, ...]:
    """Blocks by their colours: "white", "grey", "purple" and "black".

    Raises
    ------
    UnknownColorError
        A word is no colour of blocks.
    """
    return tuple(_color(word) for word in words)


def _color(word: str) -> Color:
    try:
        return Color(_plain(word))
    except ValueError:
        raise UnknownColorError(word) from None


def parse_pawn(word: str) -> PawnColor:
    """A player's colour: "blue", "brown", "green" or "red".

    Raises
    ------
    UnknownPawnError
        The word is no colour of pawns.
    """
    try:
        return PawnColor(_plain(word))
    except ValueError:
        raise UnknownPawnError(word) from None


def _plain(word: str) -> str:
    return word if isinstance(word, Color) else word.strip().lower()
