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

from collections.abc import Iterable, Sequence

from brikks_vision.rules.bloxx.faces import Cell


class ImpossibleGameError(ValueError):
    """A game has too few or too many players."""

    def __init__(self, players: int, fewest: int, most: int) -> None:
        super().__init__(f"BLOXX! is for {fewest} to {most} players, not for {players}.")


class UnknownDiceError(ValueError):
    """A sheet has no dice, which a game needs."""

    def __init__(self) -> None:
        super().__init__("This sheet does not know its dice; add them to its data to play on it.")


class IllegalTurnError(ValueError):
    """A turn that the rules forbid."""


class NotTheTimeError(IllegalTurnError):
    """A roll or a turn at the wrong time."""


class ActivePlayerFirstError(NotTheTimeError):
    def __init__(self, active: int) -> None:
        super().__init__(f"Player {active + 1} rolled and picks a die first.")


class AlreadyPlayedError(NotTheTimeError):
    def __init__(self, player: int) -> None:
        super().__init__(f"Player {player + 1} has already had this roll.")


class NoSuchPlayerError(IllegalTurnError):
    def __init__(self, player: int, players: int) -> None:
        super().__init__(f"There is no player {player}; players count from 0 to {players - 1}.")


class NoSuchRollError(IllegalTurnError):
    def __init__(self, faces: Sequence[int]) -> None:
        shown = ", ".join(str(face) for face in faces)
        super().__init__(f"The dice cannot show ({shown}); name a side of each, from 0.")


class NoSuchDieError(IllegalTurnError):
    def __init__(self, die: int) -> None:
        super().__init__(f"There is no die {die}; they count from 0.")


class WrongShapeError(IllegalTurnError):
    def __init__(self, die: int) -> None:
        super().__init__(
            f"Die {die} does not show this shape with its circle there; take one of the legal "
            "turns."
        )


class CircleTakenError(IllegalTurnError):
    def __init__(self) -> None:
        super().__init__(
            "Who picks the die of the active player writes a cross instead of the circle."
        )


class MustEnterError(IllegalTurnError):
    def __init__(self, player: int) -> None:
        super().__init__(f"Player {player + 1} can enter a shape and must.")


class IllegalPlaceError(IllegalTurnError):
    """A shape may not lie at these cells."""

    reason = ""

    def __init__(self, cells: Iterable[Cell]) -> None:
        self.cells = frozenset(cells)
        super().__init__(f"The shape may not lie at {sorted(self.cells)}: {self.reason}.")


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
