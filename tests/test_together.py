"""Several photos of one sheet or board, read as one."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision import ReadSheet, Status, scan
from brikks_vision.errors import PhotoGivenTwice, SourceUnknown
from brikks_vision.games import reading_from
from brikks_vision.layout import Cell
from brikks_vision.record.database import open_record
from brikks_vision.record.results import list_results, readings_of
from tests.command_line import Run
from tests.covered_sheets import to_photo, with_thumb

pytestmark = pytest.mark.usefixtures("observed_once")

SHEET, OTHER_SHEET = Path("samples/arcade.jpg"), Path("samples/floating-block.jpg")


@pytest.fixture(scope="module")
def covered(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Two photos of a sheet, with a thumb on another place in each."""
    folder = tmp_path_factory.mktemp("covered")
    low, high = folder / "low.jpg", folder / "high.jpg"
    return with_thumb(SHEET, (6, 8.5), low), with_thumb(SHEET, (6, 2.5), high)


def test_what_one_photo_hides_the_other_shows(covered: tuple[Path, Path]) -> None:
    first, second = (scan(photo) for photo in covered)
    assert first.covered and second.covered and not set(first.covered) & set(second.covered)
    both = scan(covered)
    assert isinstance(both, ReadSheet)
    assert (both.status, both.score.total, both.covered) == (Status.OK, 102, ())
    assert (both.photo, both.photos) == ("low.jpg", ("low.jpg", "high.jpg"))
    assert both.corners == first.corners
    told = both.to_dict()
    assert told["photos"] == ["low.jpg", "high.jpg"] and "photos" not in first.to_dict()
    assert reading_from(told).to_dict() == told


def test_answers_hold_for_all_photos_together(covered: tuple[Path, Path]) -> None:
    both = scan(covered)
    mark = "." if both.grid[10][0] == "X" else "X"
    assert scan([*covered], answers={"cell 10,0": mark}).grid[10][0] == mark


def read_sample() -> ReadSheet:
    reading = scan(SHEET)
    assert isinstance(reading, ReadSheet)
    return reading


def crossed_too(reading: ReadSheet, cells: Sequence[Cell], path: Path) -> Path:
    """The sample with more cells crossed."""
    image = cv2.imread(str(SHEET))
    assert image is not None
    for row, column in cells:
        ends = np.add([[0.2, 0.2], [0.8, 0.8], [0.2, 0.8], [0.8, 0.2]], (column, row))
        at = to_photo(reading, ends).tolist()
        for one, other in (at[:2], at[2:]):
            cv2.line(image, one, other, (60, 30, 30), 5, cv2.LINE_AA)
    cv2.imwrite(str(path), image)
    return path


def with_chip(reading: ReadSheet, middle: tuple[float, float], path: Path) -> Path:
    """The sample with a chip in the colour of its paper. middle: in cells."""
    image, turn = cv2.imread(str(SHEET)), np.linspace(0, 2 * np.pi, 40)
    assert image is not None
    for radius, color in ((0.5, (180, 186, 188)), (0.44, (225, 232, 235))):
        rim = np.add(radius * np.c_[np.cos(turn), np.sin(turn)], middle)
        cv2.fillPoly(image, [to_photo(reading, rim)], color, cv2.LINE_AA)
    cv2.imwrite(str(path), image)
    return path


@pytest.mark.parametrize(("row", "column"), [(0, 1), (2, 9), (6, 4)])
def test_a_chip_on_a_mark_in_one_photo_is_no_other_state(
    row: int, column: int, tmp_path: Path
) -> None:
    alone = read_sample()
    under = with_chip(alone, (column + 0.5, row + 0.5), tmp_path / "chip.jpg")
    for photos in ([SHEET, under], [under, SHEET]):
        both = scan(photos)
        assert isinstance(both, ReadSheet) and both.total_range
        assert both.total_range[0] <= 102 <= both.total_range[1]
        assert not both.violations
        # a chip that is seen to hide the place leaves nothing open
        assert both.covered == (f"cell {row},{column}",) or both.score.total == 102


def test_where_two_photos_contradict_each_other_both_totals_are_possible(tmp_path: Path) -> None:
    alone = read_sample()
    later = crossed_too(alone, [(0, 0)], tmp_path / "later.jpg")
    for photos in ([SHEET, later], [later, SHEET]):
        both = scan(photos)
        assert isinstance(both, ReadSheet)
        assert (both.status, both.covered) == (Status.UNCERTAIN, ("cell 0,0",))
        assert both.total_range == (102, 114)


def test_a_sheet_played_further_is_another_state(tmp_path: Path) -> None:
    blank = Path("tests/fixtures/blank.jpg")
    refused = scan([SHEET, blank])
    assert refused.error == (
        "In blank.jpg something stands otherwise than in arcade.jpg. Give photos between which "
        "nothing was changed, or read them one by one."
    )


@pytest.mark.parametrize("again", [SHEET, SHEET.read_bytes(), str(SHEET)])
def test_the_same_photo_twice_is_refused(again: Any) -> None:
    with pytest.raises(PhotoGivenTwice, match=r"the same photo as arcade\.jpg"):
        scan([SHEET, again])


def test_photos_of_one_name_in_two_folders_are_told_apart(tmp_path: Path) -> None:
    copy = tmp_path / SHEET.name
    copy.write_bytes(SHEET.read_bytes())
    with pytest.raises(PhotoGivenTwice, match=re.escape(f"{copy} is the same photo as {SHEET}")):
        scan([SHEET, copy])


@pytest.mark.parametrize("photos", [[], [SHEET, 3]])
def test_what_are_no_photos_is_no_list_of_photos(photos: list[Any]) -> None:
    with pytest.raises(SourceUnknown):
        scan(photos)


# --- the command and the record -------------------------------------------------------------------


def told(out: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in out.splitlines()]


def test_the_command_prints_one_reading_of_all_photos(
    run: Run, covered: tuple[Path, Path], tmp_path: Path
) -> None:
    code, out, err = run("--together", *covered, "--json")
    (reading,) = told(out)
    assert (code, err) == (0, "")
    assert (reading["photos"], reading["score"]["total"]) == (["low.jpg", "high.jpg"], 102)
    code, out, _ = run("--together", *covered, "--annotate", tmp_path / "read.jpg")
    assert (code, out.splitlines()[0]) == (0, "low.jpg + high.jpg")
    assert (tmp_path / "read.jpg").exists()
    answer = ("--answer", "row 1, column 1=empty")
    (answered,) = told(run("--together", *covered, "--json", *answer)[1])
    assert answered["grid"][10][0] == "." != reading["grid"][10][0]
    assert run("--together", *covered, "--annotate", covered[1])[0] == 2


def test_the_command_names_the_photo_that_does_not_belong(run: Run, tmp_path: Path) -> None:
    database = tmp_path / "games.db"
    for photos, code, sentence in (
        ([SHEET, OTHER_SHEET], 1, "In floating-block.jpg something stands otherwise"),
        ([SHEET, "samples/bloxx.jpg"], 1, "bloxx.jpg shows another sheet or board than arcade.jpg"),
        ([SHEET, "tests/fixtures/bad-table.jpg"], 1, "bad-table.jpg: No game sheet"),
        ([SHEET, SHEET], 2, "arcade.jpg is the same photo as arcade.jpg"),
        ([SHEET, tmp_path / "none.jpg"], 2, "There is no file"),
    ):
        ended, out, err = run("--together", *photos, "--json", "--db", database)
        assert (ended, err.startswith(f"brikks-scan: {sentence}")) == (code, True), err
        assert [each["status"] for each in told(out)] == ["unreadable"] * (code == 1)
        assert all(each["photos"] == [Path(photo).name for photo in photos] for each in told(out))
    with open_record(database) as record:
        assert list_results(record) == ()


def test_the_record_has_one_result_of_all_photos(
    run: Run, covered: tuple[Path, Path], tmp_path: Path
) -> None:
    there = ("--db", tmp_path / "games.db")
    run("--together", *covered, *there, "--player", "Anna")
    with open_record(tmp_path / "games.db") as record:
        (result,) = list_results(record)
        assert (result.photos, result.photo.name, result.total) == (2, "low.jpg", 102)
        assert (result.reading.photos, result.player) == (("low.jpg", "high.jpg"), "Anna")
        low, high = (reading for _, reading in readings_of(record, result.id))
        assert (len(low.photos), high.photos, bool(high.covered)) == (2, (), True)
    answer = ("--answer", "row 1, column 1=empty")
    (said,) = told(run("--together", *covered, *there, "--json", *answer)[1])
    (again,) = told(run(covered[1], *there, "--json")[1])
    for reading in (said, again):
        assert (reading["grid"][10][0], reading["covered"]) == (".", [])
    run("history", "edit", 1, "--answer", "row 1, column 1=crossed", *there)
    (now,) = told(run("history", "--jsonl", "-", *there)[1])
    assert now["reading"]["photos"] == ["low.jpg", "high.jpg"]
    assert now["reading"]["score"]["total"] == 102


def test_photos_that_were_results_of_their_own_become_one(
    run: Run, covered: tuple[Path, Path], tmp_path: Path
) -> None:
    there = ("--db", tmp_path / "games.db")
    run(covered[0], *there, "--answer", "row 1, column 1=empty")
    run(covered[1], *there, "--player", "Anna")
    run("--together", *covered, *there)
    with open_record(tmp_path / "games.db") as record:
        (result,) = list_results(record)
        assert (result.photos, result.player, result.is_corrected) == (2, "Anna", True)
        assert (result.reading.grid[10][0], result.reading.covered) == (".", ())
        assert result.reading.photos == ("low.jpg", "high.jpg")
