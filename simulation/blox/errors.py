"""What the rules forbid in a whole game, beside what they forbid on a board; in English."""

from __future__ import annotations

from brikks_vision.rules.blox.material import BLOCKS, HAND, MIN_CAPTURE, RULE_OF_SEVEN


class GameError(ValueError):
    """Base of all of them. sentence: filled with the facts that the error is raised with."""

    sentence = ""

    def __str__(self) -> str:
        return self.sentence.format(*self.args)


class PlayersError(GameError):
    sentence = "Two to four play, each with another colour; name two to four different colours."


class BoardSetupError(GameError):
    sentence = f"The squares of this board add up to {{}}, but a game begins with {BLOCKS} blocks."


class BoardForTwoError(GameError):
    sentence = (
        "For two players the board needs twelve fields with one square, at least two of them grey "
        "and two white."
    )


class GameOverError(GameError):
    sentence = "The game is over; only the points are left to count."


class CardNotInHandError(GameError):
    sentence = "These cards are not in the hand: {}; play others."


class JokerSpentError(GameError):
    sentence = "The joker is spent; swapping cards makes it active again."


class WrongCardsError(GameError):
    sentence = "This action takes exactly these cards: {}; the joker may stand for one of them."


class TooFewCardsError(GameError):
    sentence = f"A capture takes at least {MIN_CAPTURE} cards of the field's colour, {{}}."


class RuleOfSevenError(GameError):
    sentence = (
        f"Whoever has {RULE_OF_SEVEN} or more blocks clears no tower, and here there are {{}}."
    )


class HiddenBlockError(GameError):
    sentence = "Not all colours of the tower on {} are known; say them first."


class BlocksMissingError(GameError):
    sentence = "These blocks are not in front of the player: {}; build with others."


class NothingSwappedError(GameError):
    sentence = f"At least one card is swapped, and at most {HAND}."


class JokerSwappedError(GameError):
    sentence = "The joker is not swapped; swap cards of the hand."
