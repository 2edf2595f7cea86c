"""What lies on top of a tower: a chip, and its value, or nothing."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.faces import faces_at, scaled_for_faces
from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose
from brikks_vision.games.blox.field_evidence import normalized
from brikks_vision.rules.blox.board import FIELDS, SIDE

Array = NDArray[np.float64]

NETWORK = "board_chips"
REACH = 0.5  # fields to each side of the middle of a top
PIXELS = 40
SURE = np.log(0.999)  # log-probability below which a face is read from four sides
BARE, NO_TOP = 4, 5
CLASSES = 6
"""A chip of 1 to 4, then the bare top of a higher tower, then something that is no top."""


def chip_odds(
    photo: Image,
    pose: Pose,
    places: NDArray[np.intp],
    block: float,
    possible: NDArray[np.bool_],
    sides: int = 4,
) -> Array:
    """How much more a tower's top with what belongs on it is seen at each height than no top.

    places: among ``FIELDS``. block: height of one block, fields. possible: (N, 5), which heights
    are looked at. sides: from how many, 1 to 4, a top is read that is not sure from one, as chips
    lie any way round. Returns (N, 5), log-odds; -inf where none was looked for.
    """
    found = np.full(possible.shape, -np.inf)
    places_at, levels = np.nonzero(possible)
    if not len(levels):
        return found
    middle = (SIDE / 2, SIDE / 2, 0.0)
    photo, pose = scaled_for_faces(photo, pose, middle, REACH, PIXELS)
    tops = [
        (FIELDS[at][1] + 0.5, FIELDS[at][0] + 0.5, (level + 1) * block)
        for at, level in zip(places[places_at], levels, strict=True)
    ]
    faces = stretched(faces_at(photo, pose, tops, REACH, PIXELS))
    logs = normalized(run_batch(NETWORK, faces).astype(np.float64))
    unsure = logs.max(axis=1) < SURE
    if sides > 1 and unsure.any():
        turned = [np.rot90(faces[unsure], quarters, (1, 2)) for quarters in range(1, sides)]
        told = run_batch(NETWORK, np.concatenate(turned)).reshape(sides - 1, -1, CLASSES)
        logs[unsure] = normalized((logs[unsure] + told.sum(axis=0)) / sides)
    found[places_at, levels] = logs[np.arange(len(levels)), levels] - logs[:, NO_TOP]
    return found


def stretched(faces: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each face of (N, H, W, 3) with its darkest parts black and its lightest white."""
    some = faces[:, ::2, ::2].reshape(len(faces), -1)
    low, high = np.percentile(some, (3, 97), axis=1).astype(np.float32)[..., None, None, None]
    values = (faces - low) * (255 / np.maximum(high - low, 24.0))
    return np.asarray(np.clip(values, 0, 255), np.uint8)
