"""What can be wrong with a turn.

IllegalTurnError
├── NotTheTimeError             a roll or a turn at the wrong time
│   ├── ActivePlayerFirstError  the active player has not picked a die yet
│   └── AlreadyPlayedError      the player has had this roll
├── NoSuchPlayerError           nobody sits there
├── NoSuchRollError             the dice cannot show this
├── NoSuchDieError              there is no such die
├── WrongShapeError             the die does not show what is entered
├── CircleTakenError            a circle where the active player's die gives a cross
├── MustEnterError              the roll is not void, as a shape can be entered
└── IllegalPlaceError           the shape may not lie there
    ├── OutsideTheGridError
    ├── WayBlockedError         something is drawn above it or in its place
    ├── FirstShapeError         the first shape does not touch the bottom edge
    ├── NothingBelowError       German rules: it does not come to rest on a shape
    └── TouchesNothingError     English rules: no side of it touches a shape

A game that cannot begin raises ImpossibleGameError or UnknownDiceError.
"""

from __future__ import annotations

from collections.abc import Iterable

from brikks_vision.rules.bloxx.sheet import Cell
from simulation.turns import IllegalTurnError, NotTheTimeError, ToldError


class ImpossibleGameError(ToldError):
    """A game has too few or too many players."""

    told = "BLOXX! is for {1} to {2} players, not for {0}."


class UnknownDiceError(ToldError):
    """A sheet has no dice, which a game needs."""

    told = "This sheet does not know its dice; add them to its data to play on it."


class ActivePlayerFirstError(NotTheTimeError):
    told = "Player {} rolled and picks a die first."


class AlreadyPlayedError(NotTheTimeError):
    told = "Player {} has already had this roll."


class NoSuchPlayerError(IllegalTurnError):
    told = "There is no player {}; players count from 0 to {}."


class NoSuchRollError(IllegalTurnError):
    told = "The dice cannot show ({}); name a side of each, from 0."


class NoSuchDieError(IllegalTurnError):
    told = "There is no die {}; they count from 0."


class WrongShapeError(IllegalTurnError):
    told = "Die {} does not show this shape with its circle there; take one of the legal turns."


class CircleTakenError(IllegalTurnError):
    told = "Who picks the die of the active player writes a cross instead of the circle."


class MustEnterError(IllegalTurnError):
    told = "Player {} can enter a shape and must."


class IllegalPlaceError(IllegalTurnError):
    """A shape may not lie at these cells."""

    told = "The shape may not lie at {}: {}."
    reason = ""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self.cells = frozenset(cells)
        super().__init__(sorted(self.cells), self.reason)


class OutsideTheGridError(IllegalPlaceError):
    reason = "it is not wholly inside the grid"


class WayBlockedError(IllegalPlaceError):
    reason = "it comes from straight above, and something is drawn on its way"


class FirstShapeError(IllegalPlaceError):
    reason = "the first shape touches the bottom edge"


class NothingBelowError(IllegalPlaceError):
    reason = "it must come to rest on a shape that is already drawn"


class TouchesNothingError(IllegalPlaceError):
    reason = "it must touch a shape that is already drawn with at least one side"
