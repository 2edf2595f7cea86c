"""Which marked cells of a block bear a ring: at most one, unless more are clear."""

from itertools import product
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.infer.costs import BROKEN_RULE
from brikks_vision.infer.grid import RingEvidence, ring_regret, ring_states

BLOCK = ((0, 0), (0, 1), (1, 1))
SHAPE_PLACES = {((0, 0), (0, 1), (1, 1)): frozenset([(0, 1)])}


def evidence(*logits: float, places=None) -> RingEvidence:
    """The evidence of the block, cell by cell."""
    grid = np.zeros((2, 2))
    for cell, logit in zip(BLOCK, logits, strict=True):
        grid[cell] = logit
    return RingEvidence(grid, places)


def every_ring(logits: tuple[float, ...]) -> dict[frozenset, float]:
    """All ways to put rings into the block, and their probabilities by the evidence alone."""
    ways = {}
    for ringed in product((False, True), repeat=len(BLOCK)):
        chances = [1 / (1 + exp(-logit)) for logit in logits]
        p = np.prod([q if ring else 1 - q for q, ring in zip(chances, ringed, strict=True)])
        ways[frozenset(c for c, ring in zip(BLOCK, ringed, strict=True) if ring)] = float(p)
    return ways


LOGITS = st.floats(-9, 9).filter(lambda logit: abs(logit) > 1e-6)


@given(logits=st.tuples(LOGITS, LOGITS, LOGITS))
def test_the_regret_of_a_block_is_that_of_its_states(logits: tuple[float, ...]) -> None:
    ways = every_ring(logits)
    mass = sum(p for rings, p in ways.items() if len(rings) < 2)
    inked = frozenset(cell for cell, logit in zip(BLOCK, logits, strict=True) if logit > 0)
    if len(inked) > 1:
        mass += ways[inked] * exp(-BROKEN_RULE)
    assert ring_regret(BLOCK, evidence(*logits)) == pytest.approx(-log(mass), abs=1e-6)
    best, probability = ring_states([BLOCK], [], evidence(*logits))[0]
    weight = ways[best] * (1 if len(best) < 2 else exp(-BROKEN_RULE))
    assert probability == pytest.approx(weight / mass, abs=0.01)


@pytest.mark.parametrize(
    ("logits", "rings"),
    [
        ((-5, -5, -5), set()),
        ((-5, 5, -5), {(0, 1)}),
        ((3, 5, -5), {(0, 1)}),
        ((8, 9, -5), {(0, 0), (0, 1)}),
    ],
)
def test_a_block_has_one_ring_unless_two_are_clear(logits, rings) -> None:
    assert ring_states([BLOCK], [], evidence(*logits))[0][0] == rings


@pytest.mark.parametrize(("logit", "rings"), [(3.0, set()), (9.0, {(0, 0)})])
def test_a_ring_stands_where_the_shape_can_have_it_unless_it_is_clear(logit, rings) -> None:
    looks = evidence(logit, -5, -5, places=SHAPE_PLACES)
    assert ring_states([BLOCK], [], looks)[0][0] == rings
    assert ring_regret(BLOCK, looks) > ring_regret(BLOCK, evidence(logit, -5, -5)) + 1


def test_marks_in_no_block_bear_any_rings() -> None:
    assert ring_states([], BLOCK, evidence(5, 5, -5))[0][0] == {(0, 0), (0, 1)}
    assert ring_states([], [], evidence(5, 5, 5)) == [(frozenset(), 1.0)]
