"""Points: chips, and blocks where they tie (published rules, "End")."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from brikks_vision.rules.blox.errors import UnknownChipError
from brikks_vision.rules.blox.material import CHIP_VALUES, Color


@dataclass(frozen=True, order=True)
class Points:
    """What one player has at the end; the greater one wins.

    total: the sum of the chips. blocks: how many are in front of the player.
    """

    total: int
    blocks: int


def count_points(chips: Iterable[int], blocks: Sequence[Color | None] = ()) -> Points:
    """The points of the chips and blocks that lie in front of a player.

    Raises
    ------
    UnknownChipError
        There is no chip of such a value.
    """
    values = tuple(chips)
    for value in values:
        if value not in CHIP_VALUES:
            raise UnknownChipError(value)
    return Points(sum(values), len(blocks))


def min_chips(total: int) -> int:
    """The minimum number of chips of a player who has so many points."""
    count = 0
    for value in sorted(CHIP_VALUES, reverse=True):
        chips, total = divmod(total, value)
        count += chips
    return count


def leaders(points: Sequence[Points]) -> tuple[int, ...]:
    """Who wins, as indices: most points, then most blocks; several where they tie in both."""
    return tuple(place for place, mark in enumerate(points) if mark == max(points))
