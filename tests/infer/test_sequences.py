"""Bars that are filled from their start."""

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.infer.costs import BROKEN_ORDER, filled_states, loss


@given(st.floats(-500, 500))
def test_losses_are_those_of_probabilities_that_add_up_to_one(logit: float) -> None:
    assert np.exp(-loss(logit, True)) + np.exp(-loss(logit, False)) == pytest.approx(1)


def test_an_even_mark_costs_the_same_either_way() -> None:
    assert loss(0.0, True) == loss(0.0, False) == pytest.approx(log(2))


@pytest.mark.parametrize("length", range(5))
def test_a_bar_is_read_as_far_as_it_is_filled(length: int) -> None:
    logits = np.where(np.arange(4) < length, 6.0, -6.0)
    (best, _), *_ = filled_states(logits, 4)
    assert best == tuple(place < length for place in range(4))


def test_a_faint_gap_is_filled_and_a_clear_one_stands() -> None:
    (faint, _), *_ = filled_states(np.array([6.0, -1.0, 6.0, -6.0]), 4)
    assert faint == (True, True, True, False)
    (clear, whole), *_ = filled_states(np.array([6.0, -6.0, 6.0, -6.0]), 4)
    assert clear == (True, False, True, False)
    assert whole == pytest.approx(BROKEN_ORDER + 4 * loss(6.0, True))


def test_no_state_has_more_marks_in_order_than_there_can_be() -> None:
    states = [marked for marked, _ in filled_states(np.full(4, 0.5), 2)]
    assert (True, True, False, False) in states
    assert (True, True, True, False) not in states
