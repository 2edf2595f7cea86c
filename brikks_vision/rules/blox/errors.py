"""What the rules forbid and what is no BLOX, one class a failure.

Each says what is wrong and what to do about it, in four languages (``text/*/blox.json``).

BloxError
+-- BoardColorsError, BoardSquaresError                      a layout
+-- UnknownColorError, UnknownCardError, UnknownPawnError,   what a player says
|   TooManyCardsError, TooManyBlocksError,
|   ImpossiblePhaseError,
|   UnknownChipError, TooManyChipsError,
|   TooManyPlayersError, BlocksOfSomeError
+-- EmptyTowerError                                          a position
+-- NotationError                                            a text
+-- IllegalActionError                                       a turn
    +-- TooManyJokersError, OffBoardError, NotYourPawnError, NoPawnLeftError, FieldTakenError
    +-- NoWayInError, NotStraightError, WayBlockedError, NotTheFirstFieldError
    +-- NoTowerError, TowerTooHighError, TowerColorOnTheWayError, EveryColorOnTheWayError
    +-- WrongHeightError, TowerWalledInError
    +-- NoPawnError, OwnPawnError, PawnColorOnTheWayError
"""

from __future__ import annotations

from typing import Self

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
from brikks_vision.text.phrases import Told


class BloxError(Told, ValueError):
    """Base of all of them. told: the sentence, as a phrase."""

    def __init__(self, key: str, **facts: Fact) -> None:
        self._tell(phrase(key, **facts))

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


# --- a board, a set-up, what a player says --------------------------------------------------------


class BoardColorsError(BloxError):
    def __init__(self) -> None:
        super().__init__("board-colors")


class BoardSquaresError(BloxError):
    def __init__(self) -> None:
        super().__init__("board-squares")


class UnknownColorError(BloxError):
    def __init__(self, word: str) -> None:
        super().__init__("unknown-block-color", word=word, colors=", ".join(Color))


class UnknownCardError(BloxError):
    def __init__(self, word: str) -> None:
        super().__init__("unknown-card", word=word, cards=", ".join([*Color, JOKER]))


class UnknownPawnError(BloxError):
    def __init__(self, word: str) -> None:
        super().__init__("unknown-pawn", word=word, colors=", ".join(PawnColor))


class TooManyCardsError(BloxError):
    def __init__(self, count: int) -> None:
        super().__init__("too-many-cards", cards=count, most=HAND)


class TooManyBlocksError(BloxError):
    """More blocks of a colour in front of players than there are."""

    def __init__(self, color: Color, count: int) -> None:
        super().__init__(
            "too-many-blocks-in-front",
            color=color_words(color),
            blocks=count,
            most=BLOCKS_OF_A_COLOR,
        )


class ImpossiblePhaseError(BloxError):
    def __init__(self, phase: object) -> None:
        super().__init__("impossible-phase", phase=str(phase))


class UnknownChipError(BloxError):
    def __init__(self, word: str) -> None:
        super().__init__("unknown-chip", word=word, chips=", ".join(map(str, CHIP_VALUES)))


class TooManyChipsError(BloxError):
    def __init__(self, count: int) -> None:
        super().__init__("too-many-chips", chips=count, most=CHIPS)


class TooManyPlayersError(BloxError):
    def __init__(self, count: int) -> None:
        super().__init__("too-many-players", players=count, most=len(PawnColor))


class BlocksOfSomeError(BloxError):
    def __init__(self, players: int, blocks: int) -> None:
        super().__init__("blocks-of-some", players=players, blocks=blocks)


class EmptyTowerError(BloxError):
    def __init__(self) -> None:
        super().__init__("empty-tower")


# --- a turn ---------------------------------------------------------------------------------------


class NotationError(BloxError):
    def __init__(self, line: str) -> None:
        super().__init__("no-notation", line=line)


class IllegalActionError(BloxError):
    """An action that the rules forbid."""


class TooManyJokersError(IllegalActionError):
    def __init__(self) -> None:
        super().__init__("too-many-jokers")


class OffBoardError(IllegalActionError):
    def __init__(self, field: Field) -> None:
        super().__init__("off-board", field=field_words(field))


class NotYourPawnError(IllegalActionError):
    def __init__(self, pawn: PawnColor, field: Field) -> None:
        super().__init__("not-your-pawn", pawn=pawn_words(pawn), field=field_words(field))


class NoPawnLeftError(IllegalActionError):
    def __init__(self, pawn: PawnColor) -> None:
        super().__init__("no-pawn-left", pawns=pawns_words(pawn))


class FieldTakenError(IllegalActionError):
    def __init__(self, field: Field) -> None:
        super().__init__("field-taken", field=field_words(field))


class NoWayInError(IllegalActionError):
    """Something stands on the way from every edge, or a field of the same colour comes first."""

    def __init__(self, field: Field) -> None:
        super().__init__("no-way-in", field=field_words(field))


class NotStraightError(IllegalActionError):
    def __init__(self, start: Field, target: Field) -> None:
        super().__init__("not-straight", start=field_words(start), target=field_words(target))


class WayBlockedError(IllegalActionError):
    def __init__(self, field: Field) -> None:
        super().__init__("way-blocked", field=field_words(field))


class NotTheFirstFieldError(IllegalActionError):
    """A field of the same colour comes first."""

    def __init__(self, first: Field, target: Field) -> None:
        super().__init__(
            "not-the-first-field", first=field_words(first), target=field_words(target)
        )


class NoTowerError(IllegalActionError):
    def __init__(self, field: Field) -> None:
        super().__init__("no-tower", field=field_words(field))


class TowerTooHighError(IllegalActionError):
    def __init__(self, field: Field, height: int, phase: int) -> None:
        super().__init__(
            "tower-too-high", field=field_words(field), height=height, phase=phase, most=phase
        )


class TowerColorOnTheWayError(IllegalActionError):
    """The way to a tower bears a colour of its blocks."""

    def __init__(self, color: Color, field: Field) -> None:
        super().__init__(
            "tower-color-on-the-way", color=color_words(color), field=field_words(field)
        )


class EveryColorOnTheWayError(IllegalActionError):
    """The way to a tower bears all colours, so that one of its blocks must be of one of them."""

    def __init__(self, target: Field) -> None:
        super().__init__("every-color-on-the-way", target=field_words(target))


class WrongHeightError(IllegalActionError):
    def __init__(self, height: int, phase: int, due: int) -> None:
        super().__init__("wrong-height", height=height, phase=phase, due=due)


class TowerWalledInError(IllegalActionError):
    def __init__(self, field: Field) -> None:
        super().__init__("tower-walled-in", field=field_words(field))


class NoPawnError(IllegalActionError):
    def __init__(self, field: Field) -> None:
        super().__init__("no-pawn", field=field_words(field))


class OwnPawnError(IllegalActionError):
    def __init__(self, field: Field) -> None:
        super().__init__("own-pawn", field=field_words(field))


class PawnColorOnTheWayError(IllegalActionError):
    """The way to a pawn bears the colour of the field on which it stands."""

    def __init__(self, color: Color, field: Field) -> None:
        super().__init__(
            "pawn-color-on-the-way", color=color_words(color), field=field_words(field)
        )
