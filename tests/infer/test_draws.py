"""The numbers that sampling draws are numpy's."""

from itertools import islice

import numpy as np

from brikks_vision.infer.costs import uniform_draws


def test_draws_are_those_of_numpys_generator() -> None:
    drawn = np.random.default_rng(0).random(5000)
    assert list(islice(uniform_draws(), 5000)) == drawn.tolist()
