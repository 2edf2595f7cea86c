"""How many small squares are printed on each field of an empty board."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import flatten
from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image
from brikks_vision.games.blox.field_evidence import normalized
from brikks_vision.rules.blox.board import FIELDS, SIDE
from brikks_vision.rules.blox.material import FIELDS_BY_SQUARES

Array = NDArray[np.float64]

NETWORK = "board_squares"
# The network was trained with these.
PIXELS = 48  # side of what it sees of a field
FIELD_PIXELS = 44
FINER = 2  # of the picture that is scaled down to these
FLOOR = np.log(0.003)  # no field that is misread counts for more
MAX_MISFIT = 20.0  # nats; without any squares it is above 100


def field_pictures(photo: Image, homography: Array) -> Image:
    """What is printed on each field, (81, PIXELS, PIXELS, 3), with a little around it."""
    margin = (PIXELS - FIELD_PIXELS) // 2
    flat = flatten(photo, homography, SIDE, FINER * FIELD_PIXELS, margin / FIELD_PIXELS)
    length = SIDE * FIELD_PIXELS + 2 * margin
    flat = np.asarray(cv2.resize(flat, (length, length), interpolation=cv2.INTER_AREA), np.uint8)
    corners = [(row * FIELD_PIXELS, column * FIELD_PIXELS) for row, column in FIELDS]
    return np.stack([flat[y : y + PIXELS, x : x + PIXELS] for y, x in corners])


def see_squares(photo: Image, homography: Array) -> Array:
    """How many squares are printed on each field, (81, 5), log-probabilities of 0 to 4."""
    pictures = field_pictures(photo, homography)
    sides = [run_batch(NETWORK, np.rot90(pictures, turns, (1, 2))) for turns in range(4)]
    return normalized(np.mean(sides, axis=0, dtype=np.float64))  # a board has no top


def told_squares(seen: Array, set_up: Array | None = None) -> tuple[int, ...]:
    """The squares on each of the 81 fields, 0 to 4; all 0 where they cannot be told.

    seen: as of `see_squares`. set_up: the same of the towers that stand on them at the start.
    """
    logs = np.maximum(seen, FLOOR)
    if set_up is not None:
        logs = np.maximum(normalized(np.maximum(set_up, FLOOR) + logs), FLOOR)
    told = _with_counts(logs)
    misfit = -float(logs[np.arange(len(logs)), told].sum())
    return tuple(told.tolist()) if misfit < MAX_MISFIT else (0,) * len(told)


def _with_counts(logs: Array) -> NDArray[np.int64]:
    """The count of each field, so many of each as there are, by log-probabilities (81, 5).

    Where the most probable ones are too many, fields give way where that costs least.
    """
    chosen = logs.argmax(axis=1)
    while (more := np.bincount(chosen, minlength=len(FIELDS_BY_SQUARES)) - FIELDS_BY_SQUARES).any():
        regret = logs[np.arange(len(logs)), chosen][:, None] - logs
        regret[more[chosen] <= 0] = np.inf
        regret[:, more >= 0] = np.inf
        field, count = np.unravel_index(regret.argmin(), regret.shape)
        chosen[field] = count
    return np.asarray(chosen)
