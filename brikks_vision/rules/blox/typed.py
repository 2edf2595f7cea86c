"""Cards, blocks and pawns from what a user types: English words, in any case."""

from __future__ import annotations

from collections.abc import Iterable

from brikks_vision.rules.blox.errors import (
    UnknownCardError,
    UnknownColorError,
    UnknownPawnError,
)
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
    name = _plain(word)
    if name == JOKER:
        return JOKER
    if name not in [*Color]:
        raise UnknownCardError(word)
    return Color(name)


def parse_blocks(words: Iterable[str]) -> tuple[Color, ...]:
    """Blocks by their colours: "white", "grey", "purple" and "black".

    Raises
    ------
    UnknownColorError
        A word is no colour of blocks.
    """
    return tuple(_color(word) for word in words)


def _color(word: str) -> Color:
    if _plain(word) not in [*Color]:
        raise UnknownColorError(word)
    return Color(_plain(word))


def parse_pawn(word: str) -> PawnColor:
    """A player's colour: "blue", "brown", "green" or "red".

    Raises
    ------
    UnknownPawnError
        The word is no colour of pawns.
    """
    if _plain(word) not in [*PawnColor]:
        raise UnknownPawnError(word)
    return PawnColor(_plain(word))


def _plain(word: str) -> str:
    return word.strip().lower()
