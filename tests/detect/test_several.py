"""Several sheets in one photo: the photos of tests/fixtures that show two and three of them."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision import Reading, errors, scan_all
from brikks_vision.detect.locate import has_room_beside
from brikks_vision.detect.placement import Placement
from brikks_vision.errors import ExitCode
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import ScanResult, scan_sheets
from brikks_vision.reading import Status
from tests.command_line import Run

FOLDER = Path(__file__).parents[1] / "fixtures"
SAMPLES = FOLDER.parents[1] / "samples"
pytestmark = pytest.mark.usefixtures("observed_once")
SHEET = load_layout("brikks")
TRUTHS: dict[str, list[dict[str, Any]]] = {
    name: json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["sheets"]
    for name in ("two-sheets.jpg", "three-sheets.jpg", "same-markers.jpg")
}

every_photo = pytest.mark.parametrize("name", TRUTHS)


@cache
def read(name: str) -> list[Reading]:
    return scan_all(FOLDER / name)


@every_photo
def test_one_reading_a_sheet_from_left_to_right(name: str) -> None:
    assert [reading.index for reading in read(name)] == list(range(len(TRUTHS[name])))
    for reading, truth in zip(read(name), TRUTHS[name], strict=True):
        apart = np.subtract(reading.corners, truth["corners"])
        assert np.hypot(*apart.T).max() < 0.25 * truth["cell_size"]


@every_photo
def test_each_sheet_is_read_as_if_it_were_alone(name: str) -> None:
    for reading, truth in zip(read(name), TRUTHS[name], strict=True):
        seen = zip("".join(reading.grid), "".join(truth["grid"]), strict=True)
        # a cell that is blackened by mistake cannot be told
        assert all(one == other or (one, other) == ("?", ".") for one, other in seen)
        assert reading.total_range is not None
        assert reading.total_range[0] <= truth["score"]["total"] <= reading.total_range[1]
        if reading.status is Status.OK:
            assert reading.to_dict()["score"] == truth["score"]


def test_pages_that_bear_the_same_markers_are_found_by_them() -> None:
    methods = [
        sheet.placement.method
        for sheet in scan_sheets(FOLDER / "same-markers.jpg")
        if isinstance(sheet, ScanResult)
    ]
    assert methods == ["markers", "markers"]


def test_a_photo_of_none_has_one_that_says_so() -> None:
    (reading,) = scan_all(FOLDER / "bad-half-a-file.jpg", language="de")
    assert reading.status is Status.UNREADABLE
    assert reading.error == errors.PhotoTruncated().text("de")


def test_a_sheet_that_is_cut_off_keeps_its_place_among_the_others() -> None:
    image = cv2.imread(str(FOLDER / "two-sheets.jpg"))
    right = TRUTHS["two-sheets.jpg"][1]
    edge = round(np.max(right["corners"], axis=0)[0] - 1.5 * right["cell_size"])
    first, second = scan_sheets(np.ascontiguousarray(image[:, :edge]))
    assert isinstance(first, ScanResult)
    assert isinstance(second, errors.SheetCutOff)
    assert second.facts == {"side": "right"}
    read, unread = scan_all(image[:, :edge])
    assert read.score is not None and str(unread.status) == "unreadable"
    assert (read.index, unread.index) == (0, 1)


# --- how they are told apart ---------------------------------------------------------------------


def placed(left: float, cell: float) -> Placement:
    """An upright sheet, its grid's left edge at this x, px; a cell has so many px."""
    homography = np.array([[cell, 0, left], [0, cell, 3 * cell], [0, 0, 1]])
    return Placement(homography, np.zeros((12, 2)), SHEET.reading_area, "lattice", 0.0)


def test_another_sheet_needs_room_beside_the_first() -> None:
    image = np.zeros((800, 1000, 3), np.uint8)
    assert has_room_beside(image, placed(100, 20), SHEET)
    assert not has_room_beside(image, placed(400, 40), SHEET)


# --- the command ---------------------------------------------------------------------------------


def test_the_command_prints_one_object_a_sheet(run: Run) -> None:
    code, out, err = run(FOLDER / "three-sheets.jpg", SAMPLES / "printed.jpg", "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    assert [(line["photo"], line["index"]) for line in lines] == [
        ("three-sheets.jpg", 0),
        ("three-sheets.jpg", 1),
        ("three-sheets.jpg", 2),
        ("printed.jpg", 0),
    ]
    assert code in (ExitCode.CERTAIN, ExitCode.UNCERTAIN)
    assert err == ""


def test_the_command_draws_one_picture_a_sheet(run: Run, tmp_path: Path) -> None:
    photo = tmp_path / "read-2.png"
    photo.write_bytes((FOLDER / "two-sheets.jpg").read_bytes())
    _, out, _ = run(photo, "--annotate", tmp_path / "read.png")
    assert "read-2.png #2" in out
    assert {path.name for path in tmp_path.iterdir()} == {"read-2.png", "read.png", "read-3.png"}
    assert photo.read_bytes() == (FOLDER / "two-sheets.jpg").read_bytes()


def test_answers_are_refused_for_several_sheets(run: Run) -> None:
    code, out, err = run(FOLDER / "two-sheets.jpg", "--answer", "cell 3,4=X", "--lang", "es")
    assert (code, out) == (ExitCode.WRONG_USE, "")
    assert err.splitlines()[1].startswith(
        "brikks-scan: Hay respuestas, pero la foto muestra 2 hojas"
    )


def test_no_game_off_a_photo_of_one_sheet(run: Run) -> None:
    code, out, err = run("game", SAMPLES / "printed.jpg")
    assert (code, out) == (ExitCode.WRONG_USE, "")
    assert err.startswith("brikks-scan: 1 cannot be the number of sheets")
