"""The networks that read marks are small, and compare what bears the same print."""

from importlib import resources
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision.detect.bars import of_groups, patch_logits, rectify_bars, with_bars
from brikks_vision.detect.locator import LOCATOR_STRIDE
from brikks_vision.detect.marks import read_marks, rectify_for_reading
from brikks_vision.detect.networks import run_network
from brikks_vision.detect.pen import pen_of
from brikks_vision.games.brikks.keys import BOMBS, BOXES, CELLS, STRIKES
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import MIRRORS, scan_photo

MAX_BYTES = 2_000_000
READ_MARKS = ("reader", "bars", "figures", "glance")


def test_the_networks_that_read_marks_have_at_most_two_megabytes_together() -> None:
    models = resources.files("brikks_vision").joinpath("detect", "models")
    sizes = {
        file.name: len(file.read_bytes())
        for file in models.iterdir()
        if file.name.startswith(READ_MARKS)
    }
    assert len(sizes) == 13
    assert sum(sizes.values()) <= MAX_BYTES, sizes


def test_a_group_has_the_mean_least_and_greatest_of_its_pictures() -> None:
    features = np.array([[1.0, 5.0], [10.0, 0.0], [3.0, 1.0]], np.float32)
    alike = of_groups(features, np.array([0, 1, 0]))
    assert np.allclose(alike, [[2, 3, 1, 1, 3, 5], [10, 0, 10, 0, 10, 0]])


@pytest.mark.parametrize("mirrored", [axes for axes in MIRRORS if axes])
def test_bars_are_read_in_a_mirror_as_without(
    mirrored: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[tuple[np.ndarray, np.ndarray]] = []

    def noted(name: str, patches: np.ndarray, template: np.ndarray, *others: Any) -> np.ndarray:
        shown.append((patches, template))
        return patch_logits(name, patches, template, *others)

    monkeypatch.setattr("brikks_vision.detect.bars.patch_logits", noted)
    sheet, seen = load_layout(), scan_photo("samples/arcade.jpg")
    flat = rectify_for_reading(seen.photo.image, seen.placement, sheet)
    patches = rectify_bars(seen.photo.image, seen.placement, sheet)
    marks = read_marks(flat, sheet)
    pen = pen_of(flat, marks[CELLS], sheet)
    plain = with_bars(marks, patches, pen, sheet)
    looked = with_bars(marks, patches, pen, sheet, mirrored)
    for straight, turned in zip(*shown, strict=True):
        np.testing.assert_array_equal(np.flip(straight, mirrored), turned)
        assert (straight != turned).any()
    for key in (STRIKES, BOXES, BOMBS):
        np.testing.assert_array_equal(looked[key] > 0, plain[key] > 0)


@pytest.mark.parametrize("size", [(320, 256), (256, 320), (32, 320)])
def test_the_locator_takes_other_sizes_than_it_was_stored_for(size: tuple[int, int]) -> None:
    """By the engine that OpenCV takes itself, too, where a path is not ASCII."""
    resource = resources.files("brikks_vision").joinpath("detect", "models", "locator.onnx")
    network = cv2.dnn.readNetFromONNX(np.frombuffer(resource.read_bytes(), np.uint8))
    view = np.random.default_rng(1).integers(0, 256, (*size, 3)).astype(np.uint8)
    network.setInput(view.transpose(2, 0, 1)[None].astype(np.float32) / 255)
    maps = np.asarray(network.forward())[0]
    assert maps.shape == (5, size[0] // LOCATOR_STRIDE, size[1] // LOCATOR_STRIDE)
    np.testing.assert_allclose(run_network("locator", view), maps, atol=1e-3)
