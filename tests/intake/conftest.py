"""What is seen in a photo is seen once for all tests of this folder."""

import pytest


@pytest.fixture(autouse=True)
def each_photo_once(observed_once: None) -> None:
    """A photo that several tests read is located and observed once."""
