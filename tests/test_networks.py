"""The networks that read marks are small, and compare what bears the same print."""

from importlib import resources

import numpy as np

from brikks_vision.detect.bars import of_groups

MOST_BYTES = 2_000_000
READ_MARKS = ("reader", "bars", "figures", "glance")


def test_the_networks_that_read_marks_have_at_most_two_megabytes_together() -> None:
    models = resources.files("brikks_vision").joinpath("detect", "models")
    sizes = {
        file.name: len(file.read_bytes())
        for file in models.iterdir()
        if file.name.startswith(READ_MARKS)
    }
    assert len(sizes) == 13
    assert sum(sizes.values()) <= MOST_BYTES, sizes


def test_a_group_has_the_mean_least_and_greatest_of_its_pictures() -> None:
    features = np.array([[1.0, 5.0], [10.0, 0.0], [3.0, 1.0]], np.float32)
    alike = of_groups(features, np.array([0, 1, 0]))
    assert np.allclose(alike, [[2, 3, 1, 1, 3, 5], [10, 0, 10, 0, 10, 0]])
