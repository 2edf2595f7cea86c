"""What the network says of one field, as tables of log-odds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.fusion import added
from brikks_vision.rules.blox.material import MAX_HEIGHT, Color, PawnColor
from brikks_vision.rules.blox.position import Thing, Tower

Array = NDArray[np.float64]

NOTHING = "nothing"
TOWER = "tower"
KINDS: tuple[str, ...] = (NOTHING, *PawnColor, TOWER)
HEIGHTS = MAX_HEIGHT
TOPS = 40
TOP_STEP = 0.125  # cells
BLOCK_COLORS = len(Color)

# Fitted on 60 simulated photos of games (seed 26501) that no network was trained on, before the
# last training of the network. It learnt from crowds, on which fewer fields are empty than in a
# game.
KIND_TEMPERATURE = 1.2
KIND_BIAS = {NOTHING: 1.2, TOWER: -0.4}  # log-odds
PAWN_BIAS = -0.1
HEIGHT_TEMPERATURE = 1.0
SHARED = 0.5
"""How much of what two photos tell of a position is the same. Measured, with an earlier network, on
25 simulated pairs from opposite sides: with 0.25 one wrong position counted as sure, and with 1 as
many positions were wrong."""
OUTPUTS = len(KINDS) + HEIGHTS + TOPS + HEIGHTS * BLOCK_COLORS + HEIGHTS


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


def calibrated(evidence: FieldEvidence) -> FieldEvidence:
    """The evidence as calibrated for boards in a game."""
    bias = np.array([KIND_BIAS.get(kind, PAWN_BIAS) for kind in KINDS])
    return replace(
        evidence,
        kinds=normalized(evidence.kinds / KIND_TEMPERATURE + bias),
        heights=normalized(evidence.heights / HEIGHT_TEMPERATURE),
    )


def combined(photos: Sequence[FieldEvidence]) -> FieldEvidence:
    """What one or more photos of the same position tell together.

    A block's colour counts as much as the block shows; it shows if it does in any of them.
    """
    shown = np.array([1 / (1 + np.exp(-photo.shown)) for photo in photos])
    most = shown.max(axis=0)
    return FieldEvidence(
        normalized(added([photo.kinds for photo in photos], SHARED)),
        normalized(added([photo.heights for photo in photos], SHARED)),
        normalized(added([photo.tops for photo in photos], SHARED)),
        normalized(
            added([photo.block_colors for photo in photos], SHARED, list((shown / most)[..., None]))
        ),
        np.max([photo.shown for photo in photos], axis=0),
    )


def parse_outputs(outputs: NDArray[np.float32]) -> FieldEvidence:
    """From the network's outputs (N, OUTPUTS)."""
    ends = np.cumsum([len(KINDS), HEIGHTS, TOPS, HEIGHTS * BLOCK_COLORS])
    kinds, heights, tops, colors, shown = np.split(outputs.astype(np.float64), ends, axis=1)
    return FieldEvidence(
        normalized(kinds),
        normalized(heights),
        normalized(tops),
        normalized(colors.reshape(-1, HEIGHTS, BLOCK_COLORS)),
        shown,
    )


def normalized(logits: Array) -> Array:
    """Log-probabilities (..., N) of unnormalised logs or log-odds."""
    top = logits.max(axis=-1, keepdims=True)
    total = np.log(np.exp(logits - top).sum(axis=-1, keepdims=True))
    return np.asarray(logits - top - total)
