"""Figures in boxes of any print, as samples."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")

from brikks_vision.detect.figures import VIEW_SIZE
from training.tasks import written_boxes
from training.tasks.boxed_figures import figures_of
from training.tasks.written_boxes import (
    DASH_WRITTEN,
    NOTHING_WRITTEN,
    SCAN_SIDE,
    SCANS,
    Written,
    scanned_digits,
)


def test_what_is_written_shows_beside_the_empty_sheet() -> None:
    """On a sheet, photo and empty sheet differ more where something is written."""
    more = []
    for number in range(16):
        views, written = written_boxes.written_boxes(np.random.default_rng([6, number]), False)
        assert views.shape == (len(written), *VIEW_SIZE[::-1], 7)
        inner = views[:, 8:24, 12:52].astype(float)
        spread = (inner[..., :3] - inner[..., 3:6]).std(axis=(1, 2)).mean(axis=1)
        bare = np.array([each.value == NOTHING_WRITTEN for each in written])
        if 0 < bare.sum() < len(bare):
            more.append(np.median(spread[~bare]) > np.median(spread[bare]))
    assert len(more) > 5
    assert np.mean(more) > 0.7


def test_texts() -> None:
    figures = Written(7), Written(15, True), Written(NOTHING_WRITTEN), Written(DASH_WRITTEN)
    assert [each.text for each in figures] == ["7", "-15", "", "-"]


@pytest.mark.parametrize("number", [0, 1])
def test_a_sample_depends_on_its_seed_and_number_alone(number: int) -> None:
    views, values, signed = figures_of(7, number)
    assert len(views) == len(values) == len(signed)
    again, same, _ = figures_of(7, number)
    assert (views == again).all() and (values == same).all()


def test_scanned_digits_are_parted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every third is held out, and each is cut to its ink."""
    picture = np.zeros((SCAN_SIDE, SCAN_SIDE))
    picture[6:22, 12:15] = 1.0
    for digit in range(10):
        data = np.stack([picture] * 6).ravel().tolist()
        (tmp_path / f"{digit}.json").write_text(json.dumps({"data": data}), "utf-8")
    monkeypatch.setenv(SCANS, str(tmp_path))
    scanned_digits.cache_clear()
    try:
        trained, held_out = scanned_digits(False), scanned_digits(True)
    finally:
        scanned_digits.cache_clear()
    assert [len(trained["1"]), len(held_out["1"])] == [4, 2]
    height, width = trained["1"][0].density.shape
    assert 2.5 < height / width < 6
