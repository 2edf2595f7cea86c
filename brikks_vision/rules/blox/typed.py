"""Cards, blocks and pawns from what a user types: English words, in any case."""

from __future__ import annotations

from collections.abc import Iterable

from brikks_vision.rules.blox.errors import UnknownCardError, UnknownColorError, UnknownPawnError
from brikks_vision.rules.blox.material import JOKER, Card, Color, PawnColor


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
