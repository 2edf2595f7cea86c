"""How high one block is, from where the tops of all towers are seen."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.blox.field_evidence import (
    HEIGHTS,
    KINDS,
    TOP_STEP,
    TOPS,
    TOWER,
    FieldEvidence,
)

Array = NDArray[np.float64]

BLOCK_HEIGHTS = np.geomspace(0.12, 1.05, 80)  # fields
TOP_WEIGHT = 0.6  # of where a top is seen, relative to what the network sees of the stack
MAX_GUESSES = 3
MIN_GUESS = 0.03  # probability
APART = 6  # steps of the heights between two guesses
MIN_TOP = -6.0  # log-probability, so that a tower that is hidden does not decide
MIN_TOWER = np.log(0.3)  # log-probability from which a field tells of blocks


def block_height_chances(evidence: FieldEvidence) -> Array:
    """The probability of each of ``BLOCK_HEIGHTS``: all blocks are equally high."""
    is_tower = evidence.kinds[:, KINDS.index(TOWER)]
    used = is_tower > MIN_TOWER
    seen = _tops_at(evidence.tops[used])
    joint = evidence.heights[used][:, None] + TOP_WEIGHT * seen
    told = np.logaddexp.reduce(joint, axis=2)
    total = (told * np.exp(is_tower[used])[:, None]).sum(axis=0)
    chances = np.exp(total - total.max())
    return np.asarray(chances / chances.sum())


def block_height_of(tops: Array, heights: NDArray[np.int64]) -> float:
    """The height of a block, in fields, of towers of known heights.

    tops: (towers, `TOPS`), log-probabilities. heights: (towers,), blocks.
    """
    seen = _tops_at(tops)[np.arange(len(heights)), :, heights - 1]
    return float(BLOCK_HEIGHTS[np.maximum(seen, MIN_TOP).sum(axis=0).argmax()])


def _tops_at(tops: Array) -> Array:
    """The log-probabilities that the top of each height is where each of ``BLOCK_HEIGHTS`` puts it.

    tops: (towers, `TOPS`). Returns (towers, 80, 5).
    """
    places = np.arange(1, HEIGHTS + 1) * BLOCK_HEIGHTS[:, None] / TOP_STEP - 0.5
    low = np.clip(np.floor(places).astype(int), 0, TOPS - 2)
    share = np.clip(places - low, 0, 1)
    return np.asarray(tops[:, low] * (1 - share) + tops[:, low + 1] * share)


def block_height_guesses(evidence: FieldEvidence) -> tuple[tuple[float, float], ...]:
    """The most probable heights of a block, in fields, and their log-probabilities."""
    left = block_height_chances(evidence)
    found: list[tuple[float, float]] = []
    for _ in range(MAX_GUESSES):
        best = int(left.argmax())
        near = slice(max(0, best - APART), best + APART + 1)
        chance = float(left[near].sum())
        if found and chance < MIN_GUESS:
            break
        weights = left[near]
        middle = float(np.exp((weights * np.log(BLOCK_HEIGHTS[near])).sum() / weights.sum()))
        found.append((middle, float(np.log(max(chance, 1e-9)))))
        left = left.copy()
        left[near] = 0
        if left.max() <= 0:
            break
    return tuple(found)
