"""Training samples show one sheet in every view of them."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from brikks_vision.detect.marks import BARS_PIXELS, PATCH_SIDE, bar_centres, mark_keys
from brikks_vision.layout import load_layout
from training.photos import PIXELS_PER_CELL, load_arrays, new_arrays, wide_area, write_sample

SHEET = 0  # the kind of a sample that shows a sheet's front


@pytest.mark.parametrize("tier", ["scan", "hard"])
def test_patches_show_the_same_points_as_the_straightened_sheet(tmp_path: Path, tier: str) -> None:
    arrays = new_arrays(tmp_path, 3)
    for number in range(3):
        write_sample(arrays, number, number, 21, (tier,))
    sheets = np.flatnonzero(arrays["kind"][:] == SHEET)
    assert len(sheets)
    area = wide_area(load_layout("brikks-light"))
    side = round(PATCH_SIDE / BARS_PIXELS * PIXELS_PER_CELL)  # px
    for at in sheets:
        inner = slice(*np.array([-1, 1]) * PATCH_SIDE // 2 + arrays["patches"].shape[2] // 2)
        for patch, centre in zip(
            arrays["patches"][at], bar_centres(load_layout("brikks-light")), strict=True
        ):
            x, y = (centre - (area.left, area.top)) * PIXELS_PER_CELL - 0.5
            coarse = cv2.getRectSubPix(arrays["flat"][at], (side, side), (float(x), float(y)))
            seen = cv2.resize(patch[inner, inner], (side, side), interpolation=cv2.INTER_AREA)
            assert np.corrcoef(coarse.ravel(), seen.ravel())[0, 1] > 0.9


def test_labels_are_named_arrays(tmp_path: Path) -> None:
    layout = load_layout("brikks-light")
    arrays = new_arrays(tmp_path, 2)
    for number in range(2):
        write_sample(arrays, number, number, 5, ("good",), readable=1.0)
    del arrays
    loaded = load_arrays([tmp_path, tmp_path], ("labels",))
    assert set(loaded["labels"]) == set(mark_keys(layout))
    for (name, _), labels in loaded["labels"].items():
        assert labels.shape == (4, *layout.fields[name].shape)
        assert set(np.unique(labels)) <= {-1, 0, 0.5, 1}
        assert np.array_equal(labels[:2], labels[2:])
