"""What is seen in a photo is seen once for all tests of this folder."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def each_photo_once(observed_once: None) -> None:
    """A photo that several tests read is located and observed once."""
