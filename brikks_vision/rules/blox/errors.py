"""What the rules forbid and what is no BLOX, one class a failure.

Each says what is wrong and what to do about it, in four languages (``text/*/blox.json``).

BloxError
+-- BoardColorsError, BoardSquaresError, BoardSetupError,    a layout
|   BoardForTwoError
+-- PlayersError                                             a set-up
+-- UnknownColorError, UnknownCardError, UnknownPawnError,   what a player says
|   TooManyCardsError, TooManyBlocksError,
|   ImpossiblePhaseError
+-- UnknownChipError                                         chips
+-- EmptyTowerError, NotationError                           a position
+-- IllegalActionError                                       a turn
    +-- GameOverError
    +-- CardNotInHandError, JokerSpentError, TooManyJokersError, WrongCardsError,
    |   TooFewCardsError
    +-- OffBoardError, NotYourPawnError, NoPawnLeftError, FieldTakenError
    +-- NoWayInError, NotStraightError, WayBlockedError, NotTheFirstFieldError
    +-- NoTowerError, TowerTooHighError, RuleOfSevenError, TowerColorOnTheWayError,
    |   EveryColorOnTheWayError, HiddenBlockError
    +-- WrongHeightError, BlocksMissingError, TowerWalledInError
    +-- NoPawnError, OwnPawnError, PawnColorOnTheWayError
    +-- NothingSwappedError, JokerSwappedError
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from brikks_vision.rules.blox.material import (
    BLOCKS,
    BLOCKS_OF_A_COLOR,
    CHIP_VALUES,
    HAND,
    JOKER,
    MIN_CAPTURE,
    RULE_OF_SEVEN,
    Color,
    Field,
    PawnColor,
)
from brikks_vision.rules.blox.words import (
    Fact,
    Phrase,
    cards_words,
    color_words,
    field_words,
    one_of,
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


class BoardSetupError(BloxError):
    """A board whose squares do not use up the blocks, or that two cannot play on."""

    def __init__(self, blocks: int) -> None:
        super().__init__("board-setup", blocks=blocks, all=BLOCKS)


class BoardForTwoError(BloxError):
    """A board whose fields with one square do not fit the set-up for two."""

    def __init__(self) -> None:
        super().__init__("board-for-two")


class PlayersError(BloxError):
    def __init__(self) -> None:
        super().__init__("two-to-four-players")


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
    """More blocks of a colour in front of a player than there are."""

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
    def __init__(self, value: object) -> None:
        super().__init__("unknown-chip", value=str(value), values=one_of(CHIP_VALUES))


class EmptyTowerError(BloxError):
    def __init__(self) -> None:
        super().__init__("empty-tower")


class NotationError(BloxError):
    """A text is no position."""

    def __init__(self, line: str) -> None:
        super().__init__("position-notation", line=line)


# --- a turn ---------------------------------------------------------------------------------------


class IllegalActionError(BloxError):
    """An action that the rules forbid."""


class GameOverError(IllegalActionError):
    def __init__(self) -> None:
        super().__init__("game-over")


class CardNotInHandError(IllegalActionError):
    def __init__(self, cards: Iterable[Color]) -> None:
        super().__init__("card-not-in-hand", cards=cards_words(cards))


class JokerSpentError(IllegalActionError):
    def __init__(self) -> None:
        super().__init__("joker-spent")


class TooManyJokersError(IllegalActionError):
    def __init__(self) -> None:
        super().__init__("too-many-jokers")


class WrongCardsError(IllegalActionError):
    """Cards that do not fit the action. needed: those that do."""

    def __init__(self, needed: Iterable[Color]) -> None:
        super().__init__("wrong-cards", cards=cards_words(needed))


class TooFewCardsError(IllegalActionError):
    def __init__(self, color: Color) -> None:
        super().__init__("too-few-cards", color=color_words(color), least=MIN_CAPTURE)


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


class RuleOfSevenError(IllegalActionError):
    def __init__(self, blocks: int) -> None:
        super().__init__("rule-of-seven", blocks=blocks, limit=RULE_OF_SEVEN)


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


class HiddenBlockError(IllegalActionError):
    """A tower with a block of unknown colour: a game cannot tell which cards it costs."""

    def __init__(self, field: Field) -> None:
        super().__init__("hidden-block", field=field_words(field))


class WrongHeightError(IllegalActionError):
    def __init__(self, height: int, phase: int, due: int) -> None:
        super().__init__("wrong-height", height=height, phase=phase, due=due)


class BlocksMissingError(IllegalActionError):
    def __init__(self, blocks: Iterable[Color]) -> None:
        super().__init__("blocks-missing", blocks=cards_words(blocks))


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


class NothingSwappedError(IllegalActionError):
    def __init__(self) -> None:
        super().__init__("nothing-swapped", most=HAND)


class JokerSwappedError(IllegalActionError):
    def __init__(self) -> None:
        super().__init__("joker-swapped")
