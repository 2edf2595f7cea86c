"""The protocol of a decoded sheet, for code that every game shares."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Protocol, TypeVar

State_co = TypeVar("State_co", bound=Hashable, covariant=True)


class Decoded(Protocol[State_co]):
    """A decoded sheet: the most probable state, and the other states of each independent part."""

    @property
    def state(self) -> State_co:
        """The most probable state."""

    @property
    def totals(self) -> Mapping[int, float]:
        """Probability 0 to 1 of each total."""

    def other_states(self) -> Sequence[Sequence[tuple[float, State_co]]]:
        """For each part its other states and their probabilities, the rest at its best."""
