"""Bars that are filled in order, from their start."""

from __future__ import annotations

from math import exp, log1p

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.prices import BROKEN_ORDER, MAX_EXTRA_REGRET


def loss(logit: float, marked: bool) -> float:
    """Negative log probability of a mark's state under its log-odds."""
    against = -logit if marked else logit
    return max(0.0, against) + log1p(exp(-abs(against)))


def filled_states(
    logits: NDArray[np.float64], max_marks: int
) -> list[tuple[tuple[bool, ...], float]]:
    """States of a bar and their losses (negative log-odds), best first.

    Every length up to ``max_marks``; and where the ink has gaps, the ink as it stands, at the price
    of a broken order.
    """
    states = []
    for length in range(max_marks + 1):
        marked = tuple(at < length for at in range(len(logits)))
        states.append((marked, sum(map(loss, logits.tolist(), marked))))
    as_inked = tuple(bool(logit > 0) for logit in logits)
    if all(as_inked != marked for marked, _ in states):
        states.append((as_inked, sum(map(loss, logits.tolist(), as_inked)) + BROKEN_ORDER))
    states.sort(key=lambda entry: entry[1])
    return [entry for entry in states if entry[1] < states[0][1] + MAX_EXTRA_REGRET]
