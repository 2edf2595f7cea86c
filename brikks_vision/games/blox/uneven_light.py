"""Tells kinds of cells where lamps are mirrored or shadows fall: each cell has its own exposure,
which is much like that of the cells beside it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

GAMMA = 2.2  # of sRGB, about
# What a cell sends, as linear light: a share of its own, then a share of white from the varnish.
EXPOSURES = (
    (0.25, 0.0), (0.35, 0.0), (0.5, 0.0), (0.7, 0.0), (0.85, 0.0), (1.0, 0.0), (1.0, 0.01),
    (1.0, 0.025), (1.0, 0.045), (1.0, 0.07), (1.0, 0.1), (1.0, 0.14), (1.0, 0.19), (1.0, 0.26),
    (1.0, 0.35), (1.0, 0.47), (1.0, 0.62), (1.0, 0.8),
)  # fmt: skip
PLAIN = EXPOSURES.index((1.0, 0.0))
DARKEST = 0.004  # of white, added so that logarithms are finite
SPREAD = 0.13  # log of linear light: how much cells of a kind differ
STEP_PRICE = 0.9  # log-odds for each step of exposure between neighbours
PLAIN_PRICE = 0.15  # log-odds for each step from the plain one
MAX_PRICE = 7.0  # log-odds: a lamp's or a shadow's edge may be sharp
ROUNDS = 40


def tell_kinds(colors: Array, expected: Array, white: int) -> Array:
    """How probably each cell is of each kind, (rows, columns, kinds).

    colors: (rows, columns, 3), sRGB 0 to 255. expected: (rows, columns, kinds, 3), how each kind
    looks there where nothing mirrors. white: the lightest kind. Loopy belief propagation over the
    exposures of the cells.
    """
    seen, known = _linear(colors), _linear(expected)
    own, mirrored = np.array(EXPOSURES).T
    lamp = known[:, :, white]
    shown = (
        own[:, None, None] * known[:, :, None] + mirrored[:, None, None] * lamp[:, :, None, None]
    )
    shown = np.log(np.minimum(shown, 1.0) + DARKEST)  # (rows, columns, exposures, kinds, 3)
    off = np.log(seen + DARKEST)[:, :, None, None] - shown
    fits = -0.5 * (off**2).sum(axis=-1) / SPREAD**2
    steps = np.arange(len(EXPOSURES))
    local = np.logaddexp.reduce(fits, axis=3) - PLAIN_PRICE * np.abs(steps - PLAIN)
    beliefs = _propagated(local)
    joint = beliefs[..., None] + fits - np.logaddexp.reduce(fits, axis=3)[..., None]
    kinds = np.logaddexp.reduce(joint, axis=2)
    kinds -= np.logaddexp.reduce(kinds, axis=2)[..., None]
    return np.asarray(np.exp(kinds))


def _linear(colors: Array) -> Array:
    return np.asarray((np.clip(colors, 0, 255) / 255) ** GAMMA)


def _propagated(local: Array) -> Array:
    """Log-probabilities (rows, columns, exposures) of the cells' exposures."""
    steps = np.arange(local.shape[2])
    chance = np.exp(-np.minimum(STEP_PRICE * np.abs(steps[:, None] - steps), MAX_PRICE))
    messages = {way: np.zeros_like(local) for way in ((0, 1), (0, -1), (1, 0), (-1, 0))}
    for _ in range(ROUNDS):
        total = local + sum(messages.values())
        for (down, across), old in list(messages.items()):
            # What the neighbour on the other side says, without what this cell told it.
            out = total - messages[-down, -across]
            told = np.log(np.exp(out - out.max(axis=2, keepdims=True)) @ chance)
            told -= told.max(axis=2, keepdims=True)
            moved = np.zeros_like(told)
            rows, columns = told.shape[:2]
            moved[max(0, down) : rows + min(0, down), max(0, across) : columns + min(0, across)] = (
                told[
                    max(0, -down) : rows - max(0, down), max(0, -across) : columns - max(0, across)
                ]
            )
            messages[down, across] = 0.5 * old + 0.5 * moved
    total = local + sum(messages.values())
    return np.asarray(total - np.logaddexp.reduce(total, axis=2)[..., None])
