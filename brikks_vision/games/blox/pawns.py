"""The pawns of a photo, told beside each other: those of one player look alike.

A brown pawn may be as red as another set's red one. Each field that may bear a pawn is looked at
from before it and from above, finer than for a first reading.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.ground import Light
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose
from brikks_vision.games.blox.block_colors import Looked, look_at_things
from brikks_vision.rules.blox.material import Color, PawnColor

Array = NDArray[np.float64]

NETWORK = "board_pawns"
# The network was trained with these.
SPAN = (-0.25, 1.25, 0.1)  # fields: from where to where its upright face reaches, its level one
CLUES = 2 + 4 * len(Color)
OUTPUTS = len(PawnColor) + 1  # a logit of each colour, and that a pawn stands there


def look_at_pawns(
    photo: Image,
    pose: Pose,
    light: Light,
    kinds: NDArray[np.uint8],
    places: NDArray[np.intp],
    towers: Array,
) -> Looked:
    """What is seen of what stands on N fields; towers: as of `look_at_things`.

    kinds: (9, 9), colours of the fields. places: among the fields.
    """
    own = np.eye(len(Color))[kinds.ravel()[places]]
    spans = np.tile(SPAN, (len(places), 1))
    return look_at_things(photo, pose, light, places, spans, own, towers)
