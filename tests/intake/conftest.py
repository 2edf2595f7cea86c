"""What is seen in a photo is seen once for all tests of this folder, by commands and by itself."""

import pytest

from tests.command_line import Run


@pytest.fixture(autouse=True)
def each_photo_once(observed_once: None) -> None:
    """A photo that several tests read is located and observed once."""


@pytest.fixture
def run(run: Run, workers_here: None) -> Run:
    """The command, in whose process the photos of a batch are read."""
    return run
