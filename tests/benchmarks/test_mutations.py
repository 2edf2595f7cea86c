"""Broken files: a seeded run of the long benchmark (python -m benchmarks.robustness files)."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from benchmarks.mutations import MUTATIONS, breaches, mutant, peak_memory, read_mutants, seed_files

SEED, COUNT = 7, 150
HANGS = 20.0  # seconds


def test_broken_files_are_answered_without_hanging_or_swallowing_memory() -> None:
    outcomes, ending = read_mutants(SEED, COUNT)
    # seconds are the benchmark's to judge: here other tests share the machine
    wrong = [breach for breach in breaches(outcomes, ending, SEED) if " took " not in breach]
    assert wrong == []
    assert max(outcome.seconds for outcome in outcomes) < HANGS
    answers = {outcome.answer for outcome in outcomes}
    assert {"ok", "uncertain"} & answers  # some are whole enough to be read
    assert {
        "The file ends in the middle of the picture",
        "The picture in the file is damaged",
        "This is no picture that can be read",
    } <= answers
    assert any("megapixels" in answer for answer in answers)


def test_every_mutation_of_every_file_is_tried() -> None:
    tried = [mutant(SEED, number)[0] for number in range(COUNT)]
    for name in seed_files():
        assert any(what.startswith(name) for what in tried)
    for mutate in MUTATIONS:
        assert any(mutate.__name__.strip("_").replace("_", " ") in what for what in tried)


@pytest.mark.skipif(sys.platform != "linux", reason="other systems tell it of each process alone")
def test_the_memory_of_a_process_is_its_own() -> None:
    here = np.ones(30_000_000)  # 240 MB, which the other process does not hold
    program = "from benchmarks.mutations import peak_memory; print(peak_memory())"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert int(told.stdout) < here.nbytes < peak_memory()


def test_a_mutation_is_always_the_same() -> None:
    assert mutant(SEED, 3) == mutant(SEED, 3)
    assert mutant(SEED, 3) != mutant(SEED + 1, 3)
