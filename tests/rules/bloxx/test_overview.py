"""The package as its overview shows it."""

import doctest
import subprocess
import sys

import brikks_vision.rules.bloxx as bloxx


def test_the_game_in_the_overview_runs_as_shown():
    results = doctest.testmod(bloxx)
    assert results.attempted > 8
    assert results.failed == 0


def test_the_rules_load_neither_numpy_nor_opencv():
    program = (
        "import sys, brikks_vision.rules.bloxx\n"
        "print(*{'numpy', 'cv2', 'brikks_vision.detect'} & set(sys.modules))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == ""
