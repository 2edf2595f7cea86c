"""What can be wrong with a turn of a simulated game."""

from __future__ import annotations


class ToldError(ValueError):
    """An error with a sentence, into which its facts go in turn; without one, the fact is it."""

    told = "{}"

    def __init__(self, *facts: object) -> None:
        super().__init__(self.told.format(*facts))


class IllegalTurnError(ToldError):
    """A turn that the rules forbid."""


class NotTheTimeError(IllegalTurnError):
    """A roll or a turn at the wrong time."""
