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
MIN_TOWER = np.log(0.3)  # log-probability from which a field tells of blocks


def block_height_chances(evidence: FieldEvidence) -> Array:
    """The probability of each of ``BLOCK_HEIGHTS``: all blocks are equally high."""
    is_tower = evidence.kinds[:, KINDS.index(TOWER)]
    used = is_tower > MIN_TOWER
    places = np.arange(1, HEIGHTS + 1) * BLOCK_HEIGHTS[:, None] / TOP_STEP - 0.5
    low = np.clip(np.floor(places).astype(int), 0, TOPS - 2)
    share = np.clip(places - low, 0, 1)
    tops = evidence.tops[used]
    seen = tops[:, low] * (1 - share) + tops[:, low + 1] * share  # (towers, 80, 5)
    joint = evidence.heights[used][:, None] + TOP_WEIGHT * seen
    told = np.logaddexp.reduce(joint, axis=2)
    total = (told * np.exp(is_tower[used])[:, None]).sum(axis=0)
    chances = np.exp(total - total.max())
    return np.asarray(chances / chances.sum())


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
