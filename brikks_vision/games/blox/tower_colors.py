"""The colours of the blocks of towers that stand over several photos, from all of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.blox.decode import MIN_SHOWN
from brikks_vision.games.blox.reading import BoardReading
from brikks_vision.rules.blox.board import FIELDS
from brikks_vision.rules.blox.material import MAX_HEIGHT, Color
from brikks_vision.rules.blox.position import Tower, tower_of

Array = NDArray[np.float64]

COLORS = tuple(Color)
MISTAKEN = 0.1
"""Share of blocks whose colour a photo shows wrongly, by its light: each photo tells so much."""
SURE_COLOR = 0.9
"""The same as `decode.TOLD_COLOR`, of what all photos of a game tell together."""
SHARED = 0.5
"""n photos of one game count as n to the power of 1 - SHARED: their light errs alike. Of 0, 0.5 and
0.75 what is true is most probable with 0.5, on the last positions of 18 games (seed 61113)."""


@dataclass(frozen=True)
class TowerColors:
    """What the photos show of blocks, added up.

    logs: (photos + 1, 81, 5, 4), by photo, the sum of the log-probabilities of each block's colour
    in all photos before it that show the block. shown: (photos + 1, 81, 5), how many did.
    """

    logs: Array
    shown: NDArray[np.intp]

    @classmethod
    def of(cls, boards: Sequence[BoardReading]) -> TowerColors:
        chances = np.exp(np.stack([board.block_colors for board in boards]))
        logs = np.log((1 - MISTAKEN) * chances + MISTAKEN / len(COLORS))
        shows = np.stack([board.shown for board in boards]) > MIN_SHOWN
        first = np.zeros((1, len(FIELDS), MAX_HEIGHT))
        added = np.concatenate([first[..., None] * np.zeros(len(COLORS)), logs * shows[..., None]])
        return cls(added.cumsum(axis=0), np.concatenate([first, shows]).cumsum(axis=0).astype(int))

    def chances(self, place: int, since: int, until: int, height: int) -> Array:
        """The probabilities (height, 4) of each block's colour, bottom-up, as photos show them.

        Even for a block that no photo of ``since`` to before ``until`` shows. place: among
        ``FIELDS``.
        """
        photos = (self.shown[until] - self.shown[since])[place, :height, None]
        logs = (self.logs[until] - self.logs[since])[place, :height] / np.maximum(
            photos, 1
        ) ** SHARED
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        return np.asarray(chances / chances.sum(axis=1, keepdims=True))

    def tower(self, place: int, since: int, until: int, height: int) -> Tower:
        """The tower that stood there, with those colours that are sure."""
        return tower_with(self.chances(place, since, until, height))


def tower_with(chances: Array, least: float = SURE_COLOR) -> Tower:
    """A tower with those colours that are so probable; chances: (height, 4)."""
    blocks = zip(chances.argmax(axis=1), chances.max(axis=1), strict=True)
    return tower_of(tuple(COLORS[kind] if chance >= least else None for kind, chance in blocks))
