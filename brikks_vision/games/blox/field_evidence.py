"""What the network says of one field, as tables of log-odds.

What probably stands on a field of a board in a game, by the squares that are printed on it.

Where squares are printed, a tower of as many blocks stands until somebody clears it, and players
build towers of the height of their phase: all fields together tell how far the game is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import added
from brikks_vision.detect.networks import calibration_of
from brikks_vision.rules.blox.material import FIELDS_BY_SQUARES, MAX_HEIGHT, Color, PawnColor
from brikks_vision.rules.blox.position import FIELDS, Thing, Tower

Array = NDArray[np.float64]

FILE = Path(__file__).with_name("stages.json")
"""The shares of things by stage of the game and by squares (`training.board_stages`)."""
OTHERWISE = 0.02  # of the fields: positions that no game has
MISREAD = 0.05  # of fields with squares: another number of them was learnt


@cache
def _stages() -> tuple[Array, Array]:
    """The log-probabilities by stage, (stages, 5, THINGS), and of any field, (THINGS,)."""
    shares = np.array(json.loads(FILE.read_text("utf-8")))
    average = np.array(FIELDS_BY_SQUARES) @ shares.mean(axis=0) / len(FIELDS) + 1e-4
    average /= average.sum()
    everywhere = np.broadcast_to(average, shares.shape[1:])  # whatever squares are printed
    with_squares = shares[:, 1:]
    shares[:, 1:] += MISREAD * (with_squares.mean(axis=1, keepdims=True) - with_squares)
    stages = (1 - OTHERWISE) * np.concatenate([shares, everywhere[None]]) + OTHERWISE * average
    return np.log(stages), np.log(average)


def expected_anywhere() -> Array:
    """What stands on any field of any game, (THINGS,), log."""
    return _stages()[1]


def expected_by_squares(log_chances: Array, squares: tuple[int, ...]) -> Array:
    """What stands on each field before it is looked at, (81, THINGS), log, told by all fields.

    log_chances: of fields in any game, as seen. squares: on each field; none at all: not known.
    """
    stages, average = _stages()
    if not any(squares):
        return np.tile(average, (len(log_chances), 1))
    of_stages = stages[:, list(squares)]
    fit = np.logaddexp.reduce(log_chances - average + of_stages, axis=2).sum(axis=1)
    weights = fit - np.logaddexp.reduce(fit)
    return np.asarray(np.logaddexp.reduce(of_stages + weights[:, None, None], axis=0))


def by_squares(log_chances: Array, expected: Array) -> Array:
    """What stands on each field, (81, THINGS), log, with what `expected_by_squares` tells."""
    told = log_chances - _stages()[1] + expected
    return np.asarray(told - np.logaddexp.reduce(told, axis=1, keepdims=True))


NOTHING = "nothing"
TOWER = "tower"
KINDS: tuple[str, ...] = (NOTHING, *PawnColor, TOWER)
HEIGHTS = MAX_HEIGHT
TOPS = 40
TOP_STEP = 0.125  # cells
BLOCK_COLORS = len(Color)

SHARED = 0.25
"""How much of what two photos tell of a position is the same. Measured on 681 pairs of photos of
one position, from other sides and in other light (seeds 61113, 71501 to 71504): what is true is
most probable with 0.25. 575 are read rightly, 435 are sure, four of them wrong; 546, 378 and eight
with 0.5 and with what is expected of a field counted in each photo."""
SHARED_COLORS = 0.75
"""The same for the colours of blocks and how high their tops are: light errs alike."""
NOT_SEEN = -5.0
"""The logit that a block shows which was not looked at."""
OUTPUTS = len(KINDS) + HEIGHTS + TOPS


@dataclass(frozen=True)
class Calibration:
    """How the log-odds of the network become probabilities (`training.calibrate_boards`).

    kinds, heights: what they are divided by. bias: what is added to those of each kind, since the
    network learnt from crowds, on which fewer fields are empty than in a game. sure: the
    probability that all fields are right from which a reading is certain. doubt: that of a field
    below which it is doubted.
    """

    kinds: float
    heights: float
    bias: tuple[float, ...]
    sure: float
    doubt: float


CALIBRATION = Calibration(**calibration_of("board_pieces"))


def kind_of(thing: Thing | None) -> int:
    """The place among ``KINDS`` of what stands on a field."""
    if thing is None:
        return 0
    return KINDS.index(TOWER if isinstance(thing, Tower) else thing)


@dataclass(frozen=True)
class FieldEvidence:
    """Log-probabilities by field, (81, ...).

    kinds: of ``KINDS``. heights: of a tower's, from 1. tops: of how high its top is above the
    board, in steps of ``TOP_STEP`` cells. block_colors: of each block, bottom-up, (81, 5, 4).
    shown: logits that a block shows, (81, 5).
    """

    kinds: Array
    heights: Array
    tops: Array
    block_colors: Array
    shown: Array

    @property
    def things(self) -> Array:
        """(81, 1 + pawns + heights), what stands there: no tower, or one of each height."""
        return np.concatenate([self.kinds[:, :-1], self.kinds[:, -1:] + self.heights], axis=1)


def calibrated(evidence: FieldEvidence, by: Calibration = CALIBRATION) -> FieldEvidence:
    """The evidence as calibrated for boards in a game."""
    return replace(
        evidence,
        kinds=normalized(evidence.kinds / by.kinds + np.array(by.bias)),
        heights=normalized(evidence.heights / by.heights),
    )


def combined(photos: Sequence[FieldEvidence]) -> FieldEvidence:
    """What one or more photos of the same position tell together.

    What is expected of any field counts once. A block's colour counts as much as the block shows;
    it shows if it does in any of them.
    """
    shown = np.array([1 / (1 + np.exp(-photo.shown)) for photo in photos])
    most = shown.max(axis=0)
    expected = expected_anywhere()
    things = expected + added([photo.things - expected for photo in photos], SHARED)
    towers = things[:, len(KINDS) - 1 :]
    tower = np.logaddexp.reduce(towers, axis=1, keepdims=True)
    return FieldEvidence(
        normalized(np.concatenate([things[:, : len(KINDS) - 1], tower], axis=1)),
        normalized(towers),
        normalized(added([photo.tops for photo in photos], SHARED_COLORS)),
        normalized(
            added(
                [photo.block_colors for photo in photos],
                SHARED_COLORS,
                list((shown / most)[..., None]),
            )
        ),
        np.max([photo.shown for photo in photos], axis=0),
    )


def parse_outputs(outputs: NDArray[np.float32]) -> FieldEvidence:
    """From the network's outputs (N, OUTPUTS); no block is looked at."""
    ends = np.cumsum([len(KINDS), HEIGHTS])
    kinds, heights, tops = np.split(outputs.astype(np.float64), ends, axis=1)
    blocks = len(outputs), HEIGHTS
    return FieldEvidence(
        normalized(kinds),
        normalized(heights),
        normalized(tops),
        np.full((*blocks, BLOCK_COLORS), -np.log(BLOCK_COLORS)),
        np.full(blocks, NOT_SEEN),
    )


def normalized(logits: Array) -> Array:
    """Log-probabilities (..., N) of unnormalised logs or log-odds."""
    top = logits.max(axis=-1, keepdims=True)
    total = np.log(np.exp(logits - top).sum(axis=-1, keepdims=True))
    return np.asarray(logits - top - total)
