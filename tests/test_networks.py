"""The networks that read marks are small, and compare what bears the same print."""

from importlib import resources

import numpy as np
import pytest

from brikks_vision.detect.bars import of_groups, rectify_bars, with_bars
from brikks_vision.detect.marks import read_marks, rectify_for_reading
from brikks_vision.detect.pen import pen_of
from brikks_vision.pipeline import MIRRORS, scan_photo
from brikks_vision.sheet import load_sheet

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


@pytest.mark.parametrize("mirrored", MIRRORS)
def test_bars_are_read_in_a_mirror_as_without(mirrored: tuple[int, ...]) -> None:
    sheet, seen = load_sheet(), scan_photo("samples/arcade.jpg")
    flat = rectify_for_reading(seen.photo.image, seen.placement, sheet)
    patches = rectify_bars(seen.photo.image, seen.placement, sheet)
    marks = read_marks(flat, sheet)
    pen = pen_of(flat, marks.cells, sheet)
    looked = with_bars(marks, patches, pen, sheet, mirrored)
    for field in ("strikes", "boxes", "bombs"):
        plain = getattr(with_bars(marks, patches, pen, sheet), field)
        np.testing.assert_array_equal(getattr(looked, field) > 0, plain > 0)
