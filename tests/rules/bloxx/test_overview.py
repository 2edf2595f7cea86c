"""A whole game as the engine shows it, and what the rules load."""

import doctest
import subprocess
import sys

import pytest

import simulation.blox.random_player as blox_player
import simulation.bloxx.play as bloxx_player


@pytest.mark.parametrize("module", [bloxx_player, blox_player])
def test_the_first_example_runs_as_shown(module):
    results = doctest.testmod(module)
    assert results.attempted > 4
    assert results.failed == 0


def test_the_rules_load_neither_numpy_nor_opencv():
    program = (
        "import sys, brikks_vision.rules.bloxx.table\n"
        "print(*{'numpy', 'cv2', 'brikks_vision.detect'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
