"""What each action requires of the cards and blocks of a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from brikks_vision.rules.blox.material import JOKER, MIN_CAPTURE, RULE_OF_SEVEN, Card, Color
from simulation.blox import errors


def check_rule_of_seven(blocks: int) -> None:
    """Whether a player with so many blocks in front of them may clear a tower.

    Raises
    ------
    RuleOfSevenError
    """
    if blocks >= RULE_OF_SEVEN:
        raise errors.RuleOfSevenError(blocks)


def check_blocks(blocks: Iterable[Color], in_front: Iterable[Color]) -> None:
    """Whether all these blocks are in front of the player.

    Raises
    ------
    BlocksMissingError
    """
    missing = Counter(blocks) - Counter(in_front)
    if missing:
        raise errors.BlocksMissingError(", ".join(missing.elements()))


def check_cards(cards: Iterable[Card], needed: Iterable[Color]) -> None:
    """Whether the cards are exactly those that are needed; a joker stands for any one.

    Raises
    ------
    WrongCardsError
    """
    cards, needed = tuple(cards), tuple(needed)
    missing = Counter(needed)
    missing.subtract(card for card in cards if card != JOKER)
    if len(cards) != len(needed) or min(missing.values()) < 0:
        raise errors.WrongCardsError(", ".join(needed))


def check_capture_cards(cards: tuple[Card, ...], color: Color) -> None:
    """Whether the cards capture a pawn on a field of that colour.

    Raises
    ------
    TooFewCardsError, WrongCardsError
    """
    if len(cards) < MIN_CAPTURE:
        raise errors.TooFewCardsError(color)
    check_cards(cards, (color,) * len(cards))
