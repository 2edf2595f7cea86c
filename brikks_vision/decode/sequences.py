"""Bars that are filled in order, from their start."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import exp, log1p

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.prices import BROKEN_ORDER, MAX_EXTRA_REGRET


def loss(logit: float, marked: bool) -> float:
    """Negative log probability of a mark's state under its log-odds."""
    against = -logit if marked else logit
    return max(0.0, against) + log1p(exp(-abs(against)))


def ways_to_fill(marks: Sequence[bool], covered: Collection[int]) -> list[tuple[bool, ...]]:
    """The possible states of a bar with hidden places, fewest marks first.

    marks: of the others. A hidden place before a mark is marked, one behind an empty place is not;
    where the others leave a gap, any may be marked. Of several states with as many marks one is
    enough.
    """
    seen = [at for at in range(len(marks)) if at not in covered]
    marked = [at for at in seen if marks[at]]
    end = max(marked, default=-1)
    first_empty = next((at for at in seen if not marks[at]), len(marks))
    is_in_order = end < first_empty
    sure = {*marked, *(at for at in covered if at < end and is_in_order)}
    last = first_empty if is_in_order else len(marks)
    room = [at for at in sorted(covered) if at not in sure and at < last]
    filled = [sure | {*room[:count]} for count in range(len(room) + 1)]
    return [tuple(at in each for at in range(len(marks))) for each in filled]


def filled_states(
    logits: NDArray[np.float64], max_marks: int
) -> list[tuple[tuple[bool, ...], float]]:
    """States of a bar and their losses (negative log-odds), best first.

    Every length up to ``max_marks``; and where the evidence has gaps, the evidence as it stands,
    at the price of a broken order.
    """
    states = []
    for length in range(max_marks + 1):
        marked = tuple(at < length for at in range(len(logits)))
        states.append((marked, sum(map(loss, logits.tolist(), marked))))
    as_it_stands = tuple(bool(logit > 0) for logit in logits)
    if all(as_it_stands != marked for marked, _ in states):
        states.append((as_it_stands, sum(map(loss, logits.tolist(), as_it_stands)) + BROKEN_ORDER))
    states.sort(key=lambda entry: entry[1])
    return [entry for entry in states if entry[1] < states[0][1] + MAX_EXTRA_REGRET]
