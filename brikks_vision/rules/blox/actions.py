"""The six actions of a turn, as data.

cards: what is played; the joker stands for one card of any colour. Two actions are equal whatever
the order in which their cards are given. Cards and blocks may be given by their names; a name that
is none raises ``UnknownCardError`` or ``UnknownColorError``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from brikks_vision.rules.blox import material


class _Paid:
    """What all actions share: they are paid with cards, which are kept in order."""

    cards: tuple[material.Card, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "cards", material.cards_in_order(material.parse_cards(self.cards)))


@dataclass(frozen=True)
class Enter(_Paid):
    """A pawn of one's own comes from an edge, straight in, to the first field of a colour."""

    name: ClassVar[str] = "enter"
    target: material.Field
    cards: tuple[material.Card, ...]


@dataclass(frozen=True)
class _Gone(_Paid):
    """A pawn goes on from a field."""

    start: material.Field
    target: material.Field
    cards: tuple[material.Card, ...]


class Move(_Gone):
    """A pawn goes from a field in one direction to the first field of a colour."""

    name: ClassVar[str] = "move"


class Clear(_Gone):
    """A pawn takes the place of a tower; its blocks and its chip go to the player."""

    name: ClassVar[str] = "clear"


class Capture(_Gone):
    """A pawn takes the place of another player's pawn, or of a neutral one."""

    name: ClassVar[str] = "capture"


@dataclass(frozen=True)
class Build(_Paid):
    """A tower takes the place of a pawn, which goes back to its player. blocks: bottom-up."""

    name: ClassVar[str] = "build"
    field: material.Field
    blocks: tuple[material.Color, ...]
    cards: tuple[material.Card, ...]

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "blocks", material.parse_blocks(self.blocks))


@dataclass(frozen=True)
class Swap(_Paid):
    """Cards of the hand are exchanged for new ones; a spent joker becomes active again."""

    name: ClassVar[str] = "swap"
    cards: tuple[material.Card, ...]


Action = Enter | Move | Clear | Build | Capture | Swap


def start_of(action: Action) -> material.Field | None:
    """Where the acting pawn stands before; None where it comes from off the board, or none acts."""
    if isinstance(action, Build):
        return action.field
    return action.start if isinstance(action, _Gone) else None


def target_of(action: Action) -> material.Field | None:
    """The field that the action changes, other than the pawn's start; None for a swap."""
    if isinstance(action, Build):
        return action.field
    return None if isinstance(action, Swap) else action.target


def gain_of(action: Action) -> tuple[int, int]:
    """The points and the blocks that an action brings at once."""
    count = len(action.cards)
    match action:
        case Clear():
            return count, count
        case Build():
            return count, -count
        case Capture():
            return count, 0
    return 0, 0


def action_dict(action: Action, pawn: material.PawnColor) -> dict[str, Any]:
    """The action as in the reading's JSON; "blocks" (bottom-up) for a build alone."""
    start, target = start_of(action), target_of(action)
    found: dict[str, Any] = {
        "action": action.name,
        "pawn": None if isinstance(action, Swap) else str(pawn),
        "from": None if start is None else list(start),
        "to": None if target is None else list(target),
        "cards": [str(card) for card in action.cards],
    }
    if isinstance(action, Build):
        found["blocks"] = [str(block) for block in action.blocks]
    return found


def action_words(action: Action, pawn: material.PawnColor) -> material.Phrase:
    """What is done, in words; the cards after it."""
    facts: dict[str, material.Fact] = {"cards": material.cards_words(action.cards)}
    if not isinstance(action, Swap):
        facts["pawn"] = material.pawn_words(pawn)
    for name in ("start", "target", "field"):
        if hasattr(action, name):
            facts[name] = material.field_words(getattr(action, name))
    if isinstance(action, Build):
        facts["blocks"] = material.cards_words(action.blocks)
    return material.phrase(f"do-{action.name}", **facts)
