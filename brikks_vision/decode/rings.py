"""Blocks in which one cell may bear a ring instead of a cross.

Whether a cell is marked at all is decided first; this module divides the marked cells of a block
into crosses and at most one ring.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import exp, log, log1p

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.prices import BROKEN_RULE, MAX_EXTRA_REGRET, MAX_RING_STATES
from brikks_vision.layout import Cell
from brikks_vision.rules.shapes import Shape, corner_of, shape_of

Rings = frozenset[Cell]


@dataclass(frozen=True, eq=False)
class RingEvidence:
    """Log-odds of rings in marked cells, and where the game allows them.

    logits: (rows, columns) that a marked cell bears a ring rather than a cross. places: by shape,
    the cells of it, from its own top left, where its ring can be; None: anywhere.
    """

    logits: NDArray[np.float64]
    places: Mapping[Shape, frozenset[Cell]] | None = None

    @cached_property
    def losses(self) -> dict[Cell, tuple[float, float]]:
        """By cell, the negative log probability of a cross and of a ring, if it is marked."""
        crosses, rings = np.logaddexp(0, self.logits), np.logaddexp(0, -self.logits)
        return {
            (int(row), int(column)): (float(crosses[row, column]), float(rings[row, column]))
            for row, column in np.ndindex(self.logits.shape)
        }

    @cached_property
    def odds(self) -> dict[Cell, float]:
        """By cell, the odds of a ring, if it is marked."""
        return {cell: exp(cross - ring) for cell, (cross, ring) in self.losses.items()}


def ring_regret(block: Sequence[Cell], evidence: RingEvidence) -> float:
    """Negative log probability that a block has at most one ring, in a place where it can be.

    Rings that break this rule are possible at the price of a broken rule. As `ring_states`, without
    telling the states apart.
    """
    losses = [evidence.losses[cell] for cell in block]
    allowed = _allowed(block, evidence)
    one_or_none = 1 + sum([evidence.odds[cell] for cell in allowed])
    price = sum([cross for cross, _ in losses]) - log(one_or_none)
    if _is_broken([cell for cell in block if evidence.odds[cell] > 1], allowed):
        as_it_stands = sum(map(min, losses)) + BROKEN_RULE
        return price - log1p(exp(price - as_it_stands))
    return price


def ring_states(
    blocks: Sequence[Collection[Cell]], loose: Collection[Cell], evidence: RingEvidence
) -> list[tuple[Rings, float]]:
    """The rings in marked cells and their probabilities, the most probable first.

    loose: marked cells in no block, each of which may bear a ring.
    """
    parts = [_probable(_block_states(tuple(sorted(block)), evidence)) for block in blocks]
    parts += [
        _probable([(frozenset(), crossed), (frozenset([cell]), ringed)])
        for cell in sorted(loose)
        for crossed, ringed in [evidence.losses[cell]]
    ]
    together: list[tuple[Rings, float]] = [(frozenset(), 1.0)]
    for part in parts:
        joined = [(rings | more, p * q) for (rings, p), (more, q) in product(together, part)]
        best = max(p for _, p in joined)
        likely = [entry for entry in joined if entry[1] > best * exp(-MAX_EXTRA_REGRET)]
        together = heapq.nlargest(MAX_RING_STATES, likely, key=lambda entry: entry[1])
    whole = sum(p for _, p in together)
    return [(rings, p / whole) for rings, p in together]


def _block_states(block: Sequence[Cell], evidence: RingEvidence) -> list[tuple[Rings, float]]:
    """No ring, or one in each place; and the rings as inked, at the price of a broken rule."""
    losses = [evidence.losses[cell] for cell in block]
    crossed = sum([cross for cross, _ in losses])
    allowed = _allowed(block, evidence)
    states = [(frozenset[Cell](), crossed)]
    states += [
        (frozenset([cell]), crossed - cross + ring)
        for cell, (cross, ring) in zip(block, losses, strict=True)
        if cell in allowed
    ]
    inked = [cell for cell in block if evidence.odds[cell] > 1]
    if _is_broken(inked, allowed):
        states.append((frozenset(inked), sum(map(min, losses)) + BROKEN_RULE))
    return states


def _is_broken(rings: Sequence[Cell], allowed: Collection[Cell]) -> bool:
    return len(rings) > 1 or any(cell not in allowed for cell in rings)


def _allowed(block: Sequence[Cell], evidence: RingEvidence) -> Collection[Cell]:
    """The cells of a block where its ring can be; all of a block of no known shape."""
    if evidence.places is None or (places := evidence.places.get(shape_of(block))) is None:
        return block
    top, left = corner_of(block)
    return frozenset((top + row, left + column) for row, column in places)


def _probable(states: Sequence[tuple[Rings, float]]) -> list[tuple[Rings, float]]:
    """States by probability instead of loss; very improbable ones are left out."""
    least = min(loss for _, loss in states)
    likely = [
        (rings, exp(least - loss)) for rings, loss in states if loss < least + MAX_EXTRA_REGRET
    ]
    whole = sum(weight for _, weight in likely)
    return [(rings, weight / whole) for rings, weight in likely]
