"""A whole game as the engine shows it."""

import doctest

import pytest

import simulation.blox.random_player as blox_player
import simulation.bloxx.play as bloxx_player


@pytest.mark.parametrize("module", [bloxx_player, blox_player])
def test_the_first_example_runs_as_shown(module):
    results = doctest.testmod(module)
    assert results.attempted > 4
    assert results.failed == 0
