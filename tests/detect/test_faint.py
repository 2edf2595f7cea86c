"""Where a ring would not show, that none is seen is no evidence."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.cases import case_of
from brikks_vision.detect import marks
from brikks_vision.detect.marks import (
    BARS_PIXELS,
    PATCH_SIDE,
    Key,
    Marks,
    bar_counts,
    combine_passes,
)
from brikks_vision.layout import Layout, load_layout
from brikks_vision.pipeline import scan_photo
from brikks_vision.reading import Status

RINGS, STRIKES = ("energy", "ring"), ("energy", "cross")
PEN = np.array([(240, 240, 240), (30, 28, 28)], np.float32)
WIDTH = 0.66
SHEET: Layout = load_layout("brikks")


def disc(ground: int) -> NDArray[np.uint8]:
    """A patch with a white disc on a ground of that grey."""
    patch = np.full((PATCH_SIDE, PATCH_SIDE, 3), ground, np.uint8)
    middle = PATCH_SIDE // 2, PATCH_SIDE // 2
    return np.asarray(
        cv2.circle(patch, middle, round(WIDTH / 2 * BARS_PIXELS), (240, 240, 240), -1), np.uint8
    )


def test_black_ink_shows_on_white_ground_and_not_on_black() -> None:
    on_white, on_black = marks.ring_contrast(np.stack([disc(235), disc(25)]), PEN, WIDTH)
    assert on_white > 0.9
    assert on_black < 0.3


def test_a_painted_ring_is_ink_on_paper() -> None:
    (ringed,) = marks.with_ring(disc(240)[None], PEN, WIDTH)
    assert np.abs(ringed.min(axis=(0, 1)).astype(int) - PEN[1]).max() < 12
    assert (ringed[PATCH_SIDE // 2, PATCH_SIDE // 2] == 240).all()


def network_that_sees(value: float) -> marks.bar_logits:
    """In place of the network of the bars: it reads every ring so surely."""
    return lambda patches, *_: {RINGS: np.full(28, value)}


@pytest.mark.parametrize(
    ("ground", "ringed", "seen", "least"),
    [
        (235, False, -5.0, None),  # it would show
        (25, False, -5.0, -0.007),
        (25, False, 6.0, -6.002),  # it would be read all the same
        (25, True, np.nan, -8.0),  # another one shows, and none is painted
    ],
)
def test_no_ring_counts_as_little_as_one_would_show(
    ground: int,
    ringed: bool,
    seen: float,
    least: float | None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(marks, "bar_logits", network_that_sees(seen))
    patches = np.stack([disc(ground)] * sum(bar_counts(SHEET)))
    read: dict[Key, NDArray[np.float64]] = {RINGS: np.full(28, -9.0), STRIKES: np.full(28, -9.0)}
    read[RINGS][5] = 8.0 if ringed else -9.0
    found = marks.least_of_rings(patches, PEN, read, SHEET)
    assert found.keys() == (set() if least is None else {RINGS})
    for of_rings in found.values():
        assert of_rings == pytest.approx(least, abs=0.01)


def test_no_ring_is_painted_where_rings_are_printed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(marks, "bar_logits", network_that_sees(np.nan))
    patches = np.stack([disc(235)] * sum(bar_counts(SHEET)))
    patches[:4] = disc(25)  # the printed rings, on black
    read: dict[Key, NDArray[np.float64]] = {RINGS: np.full(28, -9.0), STRIKES: np.full(28, -9.0)}
    found = marks.least_of_rings(patches, PEN, read, SHEET)[RINGS]
    assert found[:4] == pytest.approx(0.0, abs=0.01)
    assert (found[4:] == -np.inf).all()


def test_the_reader_cannot_tell_of_it_either() -> None:
    rings = np.array([-9.0, 3.0])
    fast = Marks({RINGS: rings}).with_least({RINGS: np.array([-0.5, -0.5])})
    assert fast[RINGS].tolist() == [-0.5, 3.0]
    together = combine_passes(Marks({RINGS: rings}), fast, 20.0)
    assert together[RINGS][0] == -0.5
    assert together[RINGS][1] > 3
    assert fast.with_covered({"energy": np.array([True, False])}).least is fast.least


def test_nobody_is_accused_of_what_black_rings_on_black_ground_hide() -> None:
    case = case_of("brikks", "hard", 26001, 14)
    assert not isinstance(case.data, np.ndarray)
    reading = scan_photo(case.data).reading
    assert not reading.violations
    assert reading.status is not Status.OK or reading.score.total == case.total
    assert reading.total_range[0] <= case.total <= reading.total_range[1]
