"""What lies on top of a tower: a chip, and its value, or nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.faces import face_at, scaled_for_faces
from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose
from brikks_vision.games.blox.looks import HEIGHTS
from brikks_vision.rules.blox.board import FIELDS, SIDE

Array = NDArray[np.float64]

NETWORK = "board_chips"
REACH = 0.5  # fields to each side of the middle of a top
PIXELS = 40
BARE, NO_TOP = 4, 5
CLASSES = 6
"""A chip of 1 to 4, then the bare top of a higher tower, then something that is no top."""


def chip_chances(photo: Image, pose: Pose, towers: NDArray[np.intp], block: float) -> Array:
    """How probably a tower's top lies at each height and bears what belongs on it, (N, 5), as logs.

    towers: the towers' places among ``FIELDS``. block: height of one block, fields.
    """
    levels = np.arange(HEIGHTS)
    return np.asarray(_top_logs(photo, pose, towers, block)[:, levels, levels])


def top_evidence(photo: Image, pose: Pose, places: NDArray[np.intp], block: float) -> Array:
    """How much more a tower's top is seen above some fields than none, (N,), as log-odds.

    places: among ``FIELDS``. block: height of one block, fields.
    """
    logs, levels = _top_logs(photo, pose, places, block), np.arange(HEIGHTS)
    return np.asarray((logs[:, levels, levels] - logs[:, levels, NO_TOP]).max(axis=1))


def _top_logs(photo: Image, pose: Pose, places: NDArray[np.intp], block: float) -> Array:
    """Log-probabilities of the classes (N, 5, CLASSES) at each height above some fields."""
    middle = (SIDE / 2, SIDE / 2, 0.0)
    photo, pose = scaled_for_faces(photo, pose, middle, REACH, PIXELS)
    faces = np.array(
        [
            stretched(
                face_at(
                    photo,
                    pose,
                    (FIELDS[at][1] + 0.5, FIELDS[at][0] + 0.5, level * block),
                    REACH,
                    PIXELS,
                )
            )
            for at in places
            for level in range(1, HEIGHTS + 1)
        ]
    )
    logits = run_batch(NETWORK, faces).astype(np.float64).reshape(len(places), HEIGHTS, CLASSES)
    return np.asarray(logits - np.logaddexp.reduce(logits, axis=2)[..., None])


def stretched(face: Image) -> Image:
    """The face with its darkest parts black and its lightest white."""
    low, high = np.percentile(face[::2, ::2], (3, 97))
    values = (face.astype(np.float32) - low) * (255 / max(high - low, 24.0))
    return np.asarray(np.clip(values, 0, 255), np.uint8)
