"""What lies on top of a tower: a chip, and its value, or nothing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.faces import faces_at, scaled_for_faces
from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image
from brikks_vision.detect.pose import Pose
from brikks_vision.games.blox.field_evidence import HEIGHTS, normalized
from brikks_vision.rules.blox.board import FIELDS, SIDE

Array = NDArray[np.float64]

NETWORK = "board_chips"
REACH = 0.5  # fields to each side of the middle of a top
PIXELS = 40
SURE = np.log(0.999)  # log-probability below which a face is read from four sides
BARE, NO_TOP = 4, 5
CLASSES = 6
"""A chip of 1 to 4, then the bare top of a higher tower, then something that is no top."""


@dataclass(frozen=True)
class Tops:
    """Where towers may end, F faces, and what is seen there.

    towers: (F,), among (N,) places. levels: (F,), from 0 for one block. faces: as of `stretched`.
    logs: (F, CLASSES), log-probabilities.
    """

    count: int
    towers: NDArray[np.intp]
    levels: NDArray[np.intp]
    faces: NDArray[np.uint8]
    logs: Array

    @property
    def odds(self) -> Array:
        """How much more a tower's top with what belongs on it is seen at each height than no top.

        (N, HEIGHTS), log-odds; -inf where none was looked for.
        """
        found = np.full((self.count, HEIGHTS), -np.inf)
        seen = self.logs[np.arange(len(self.levels)), self.levels]
        found[self.towers, self.levels] = seen - self.logs[:, NO_TOP]
        return found


def see_tops(
    photo: Image, pose: Pose, places: NDArray[np.intp], block: float, possible: NDArray[np.bool_]
) -> Tops:
    """The tops of towers, read from one side.

    places: among ``FIELDS``. block: height of one block, fields. possible: (N, HEIGHTS), which
    heights are looked at.
    """
    towers, levels = np.nonzero(possible)
    middle = (SIDE / 2, SIDE / 2, 0.0)
    photo, pose = scaled_for_faces(photo, pose, middle, REACH, PIXELS)
    tops = [
        (FIELDS[at][1] + 0.5, FIELDS[at][0] + 0.5, (level + 1) * block)
        for at, level in zip(places[towers], levels, strict=True)
    ]
    faces = stretched(faces_at(photo, pose, tops, REACH, PIXELS))
    return Tops(len(places), towers, levels, faces, _logs(faces))


def from_all_sides(tops: Tops, unsure: NDArray[np.bool_]) -> Tops:
    """The tops of towers (N,) that are unsure read from three more sides: chips lie any way round.

    Faces that are sure from one side are not.
    """
    chosen = unsure[tops.towers] & (tops.logs.max(axis=1) < SURE)
    if not chosen.any():
        return tops
    turned = [np.rot90(tops.faces[chosen], quarters, (1, 2)) for quarters in (1, 2, 3)]
    told = _logs(np.concatenate(turned)).reshape(3, -1, CLASSES)
    logs = tops.logs.copy()
    logs[chosen] = normalized((logs[chosen] + told.sum(axis=0)) / 4)
    return replace(tops, logs=logs)


def _logs(faces: NDArray[np.uint8]) -> Array:
    return normalized(run_batch(NETWORK, faces).astype(np.float64))


def stretched(faces: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Each face of (N, H, W, 3) with its darkest parts black and its lightest white."""
    some = faces[:, ::2, ::2].reshape(len(faces), -1)
    low, high = np.percentile(some, (3, 97), axis=1).astype(np.float32)[..., None, None, None]
    values = (faces - low) * (255 / np.maximum(high - low, 24.0))
    return np.asarray(np.clip(values, 0, 255), np.uint8)
