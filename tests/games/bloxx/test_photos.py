"""Photos of BLOXX! sheets, from the file to the verdict."""

import json
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision import Status, scan, scan_all
from brikks_vision.learn import learn_sheet

pytestmark = pytest.mark.usefixtures("observed_once")

FOLDER = Path("tests/fixtures/bloxx")
TRUTHS = {path.name.removesuffix(".jpg.json"): path for path in FOLDER.glob("*.jpg.json")}


def truth_of(name: str) -> dict[str, Any]:
    return dict(json.loads(TRUTHS[name].read_text()))


PRINTED = sorted(name for name in TRUTHS if truth_of(name)["sheet"] == "printed")
TOLD = (
    "false-gap", "floating", "not-a-shape", "order", "row-bonus", "stray-mark", "wrong-circle",
)  # fmt: skip
"""Faults that are told on their photos; where a mark is in doubt the referee is silent."""


@pytest.mark.parametrize("name", PRINTED)
def test_a_printed_sheet_is_read(name: str) -> None:
    truth = truth_of(name)
    reading = scan(FOLDER / f"{name}.jpg")
    assert (reading.game, reading.sheet) == ("bloxx", "bloxx")
    low, high = reading.total_range
    assert low <= truth["score"]["total"] <= high
    if reading.status is Status.OK:
        assert reading.score.total == truth["score"]["total"]
    assert {violation.rule for violation in reading.violations} <= set(truth["violations"])
    told = reading.to_dict()["written"].items()
    assert all(value in (None, truth["written"][figure]) for figure, value in told)


@pytest.mark.parametrize(
    "fault", [each for each in TOLD if each not in ("wrong-circle", "false-gap")]
)
def test_a_fault_is_told(fault: str) -> None:
    reading = scan(FOLDER / f"fault-{fault}.jpg")
    assert [violation.rule for violation in reading.violations] == [fault]


def test_a_mark_that_is_paler_than_others_is_asked_about_before_it_accuses() -> None:
    reading = scan(FOLDER / "fault-wrong-circle.jpg")
    assert reading.status is Status.UNCERTAIN
    # a scribbled cross that looks filled is asked about, too
    assert {"cell 6,0", "cell 9,2"} <= {doubt.where for doubt in reading.doubts}
    assert reading.violations == ()
    answers = {"cell 6,0": "O", "cell 9,2": "X"}
    confirmed = scan(FOLDER / "fault-wrong-circle.jpg", answers=answers)
    assert [violation.rule for violation in confirmed.violations] == ["wrong-circle"]


def test_a_scribble_that_may_be_a_cancelled_cross_is_asked_about_before_it_accuses() -> None:
    reading = scan(FOLDER / "fault-false-gap.jpg")
    assert reading.score.total == truth_of("fault-false-gap")["score"]["total"]  # either way
    assert [doubt.where for doubt in reading.doubts] == ["cell 0,0"]
    assert reading.violations == ()
    confirmed = scan(FOLDER / "fault-false-gap.jpg", answers={"cell 0,0": "#"})
    assert [violation.rule for violation in confirmed.violations] == ["false-gap"]


def test_plain_sheets_are_sure() -> None:
    for name in ("blank", "good-printed", "scan-printed", "no-outlines", "hard-printed"):
        reading = scan(FOLDER / f"{name}.jpg")
        assert reading.status is Status.OK
        assert list(reading.grid) == truth_of(name)["grid"]
        assert reading.to_dict()["score"] == truth_of(name)["score"]


def test_a_sheet_of_a_learnt_printing_is_read() -> None:
    layout = learn_sheet(FOLDER / "other-blank.jpg", "bloxx").layout
    reading = scan(FOLDER / "other-filled.jpg", sheet=layout)
    truth = truth_of("other-filled")
    assert reading.sheet == layout.name
    low, high = reading.total_range
    assert low <= truth["score"]["total"] <= high
    assert reading.score.total == truth["score"]["total"] or reading.status is Status.UNCERTAIN


def test_sheets_of_both_games_are_told_apart_whatever_is_sought() -> None:
    assert scan("samples/bloxx.jpg").game == "bloxx"
    assert scan("samples/arcade.jpg").game == "brikks"
    assert scan("samples/bloxx.jpg", game="bloxx").game == "bloxx"
    assert scan("samples/bloxx.jpg", game="brikks").status is Status.UNREADABLE
    assert scan("samples/arcade.jpg", game="bloxx").status is Status.UNREADABLE


def test_sheets_side_by_side_are_read_from_left_to_right() -> None:
    """All bear the same markers, as prints of one page do."""
    photos = [cv2.imread(f"samples/{name}.jpg") for name in ("bloxx", "bloxx-open-gap", "bloxx")]
    assert [photo.shape for photo in photos] == 3 * [(1500, 1125, 3)]
    readings = scan_all(np.hstack(photos))
    assert [reading.score.total for reading in readings] == [35, 31, 35]
    assert [reading.index for reading in readings] == [0, 1, 2]
