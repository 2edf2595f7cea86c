"""What is in the box: colours, cards, pawns and how many of each (published rules, "Material")."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from typing import Final, Literal

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
