"""Colours, pawns and fields as phrases; the one place where BLOX takes phrases from the package."""

from __future__ import annotations

from collections.abc import Iterable

from brikks_vision.rules.blox.material import Card, Field, PawnColor
from brikks_vision.text import phrases
from brikks_vision.text.phrases import Fact, Listed, Phrase, all_of, one_of

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
