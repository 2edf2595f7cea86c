"""The simulator tells the truth about its own photos."""

from __future__ import annotations

import random

import numpy as np
import pytest

from brikks_vision.games.brikks.reading import CELLS
from brikks_vision.layout import load_layout
from brikks_vision.rules.brikks.referee import referee
from simulation.brikks.photos import random_shot

LAYOUT = load_layout("brikks-light")


@pytest.mark.parametrize("seed", range(3))
def test_a_shot_bears_what_its_game_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shot = random_shot(LAYOUT, rng, random.Random(seed), "good", 700, held_out=True)
    state, drawn = shot.played.state, shot.drawn
    certain = drawn[CELLS] != 0.5
    crossed = np.zeros(drawn[CELLS].shape, bool)
    for cell in state.crossed:
        crossed[cell] = True
    assert ((drawn[CELLS] == 1) == crossed)[certain].all()
    assert referee(state).is_legal
    assert max(shot.image.shape) == 700
