"""The pawns of a photo, told beside each other: those of one player look alike.

A brown pawn may be as red as another set's red one. Each field that may bear a pawn is looked at
from before it and from above, finer than for a first reading.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.blank import BLANK_PIXELS
from brikks_vision.detect.board import flat_homography
from brikks_vision.detect.faces import flat_in, frames_to_camera
from brikks_vision.detect.ground import Light
from brikks_vision.detect.pieces import REFERENCE_MARGIN, Ground, empty_board
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose
from brikks_vision.games.blox.block_colors import (
    BEFORE,
    PIXELS,
    REACH,
    Looked,
    OnBoard,
    look_at_things,
    middles,
)
from brikks_vision.rules.blox.board import SIDE
from brikks_vision.rules.blox.material import Color, PawnColor

Array = NDArray[np.float64]

NETWORK = "board_pawns"
# The network was trained with these.
SPAN = (-0.25, 1.25, 0.1)  # fields: from where to where its upright face reaches, its level one
CLUES = 2 + 4 * len(Color)
POSITION = 5  # what is told first of where each is: x, y, where the camera is from there
KINDS = 2 + len(PawnColor)  # what each field tells by itself
LEAST_KIND, KIND_UNIT = -8.0, 4.0  # log-probability, and what is told as 1
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


def pawns_on_board(
    pose: Pose, light: Light, ground: Ground, kinds: Array, places: NDArray[np.intp]
) -> OnBoard:
    """What is known of the board where pawns may stand.

    kinds: (81, kinds), log-probabilities of what each field tells by itself.
    """
    feet = middles(places)
    spans = np.tile(SPAN, (len(places), 1))
    frames = frames_to_camera(pose, feet, spans, BEFORE, REACH, PIXELS)
    flat = empty_board(ground, light)
    empty = flat_in(flat, flat_homography(BLANK_PIXELS, REFERENCE_MARGIN), pose, frames, PIXELS)
    away = pose.centre - np.column_stack([feet, np.zeros(len(feet))])
    level = np.maximum(np.linalg.norm(away[:, :2], axis=1), 1e-6)
    clues = np.column_stack([
        feet - SIDE / 2, away[:, :2] / level[:, None], away[:, 2] / np.linalg.norm(away, axis=1),
        np.maximum(kinds[places], LEAST_KIND) / KIND_UNIT,
    ])  # fmt: skip
    return OnBoard(empty, clues.astype(np.float32))
