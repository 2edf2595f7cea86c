"""The photos of tests/fixtures, read by the whole pipeline."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brikks_vision import Reading, errors, scan
from brikks_vision.pipeline import scan_photo
from brikks_vision.reading import Status

pytestmark = pytest.mark.usefixtures("observed_once")

FOLDER = Path(__file__).parent / "fixtures"
TRUTHS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
GOOD = [name for name, truth in TRUTHS.items() if "grid" in truth]
BAD = [name for name, truth in TRUTHS.items() if "error" in truth]
LEGAL = [name for name in GOOD if not TRUTHS[name]["violations"]]
OUTLINED = [name for name in GOOD if TRUTHS[name]["blocks"]]

every_good_photo = pytest.mark.parametrize("name", GOOD)


@cache
def read(name: str) -> Reading:
    """The reading of a photo, when nothing is known of the game."""
    return scan(FOLDER / name)


@cache
def read_knowing_the_game(name: str) -> Reading:
    truth = TRUTHS[name]
    return scan(
        FOLDER / name,
        players=truth["players"],
        level=truth["level"],
        variant=truth["variant"],
    )


def as_photographed(energy: list[str]) -> tuple[str, ...]:
    """A point struck at setup is the same ink as a used one."""
    return tuple("used" if mark == "off" else mark for mark in energy)


def test_every_photo_has_a_truth_file() -> None:
    photos = {
        path.name for path in FOLDER.iterdir() if path.suffix not in ("", ".json", ".sqlite3")
    }
    assert photos == set(TRUTHS)
    assert {truth["tier"] for name, truth in TRUTHS.items() if name in GOOD} == {
        "scan",
        "good",
        "hard",
    }


@every_good_photo
def test_a_sure_total_is_right_and_an_unsure_one_says_what_else_it_could_be(name: str) -> None:
    reading, truth = read(name), TRUTHS[name]["score"]
    assert reading.score is not None, reading.error
    assert reading.total_range is not None
    assert reading.total_range[0] <= truth["total"] <= reading.total_range[1]
    if reading.status is Status.OK:
        assert reading.score.total == truth["total"]
    else:
        assert reading.doubts


def test_nearly_all_totals_are_right() -> None:
    right = [read(name).to_dict()["score"] == TRUTHS[name]["score"] for name in GOOD]
    assert np.mean(right) >= 0.9


@pytest.mark.parametrize(("tier", "least"), [("scan", 0.999), ("good", 0.998), ("hard", 0.99)])
def test_nearly_all_cells_are_right(tier: str, least: float) -> None:
    names = [name for name in GOOD if TRUTHS[name]["tier"] == tier]
    read_signs = "".join("".join(read(name).grid) for name in names)
    drawn_signs = "".join("".join(TRUTHS[name]["grid"]) for name in names)
    assert len(read_signs) == len(drawn_signs)
    right = [sign == drawn for sign, drawn in zip(read_signs, drawn_signs, strict=True)]
    assert np.mean(right) >= least


def test_nearly_all_energy_points_are_right() -> None:
    right = [
        mark == drawn
        for name in GOOD
        for mark, drawn in zip(
            read(name).energy, as_photographed(TRUTHS[name]["energy"]), strict=True
        )
    ]
    assert np.mean(right) >= 0.99


def test_nearly_all_extra_points_and_bombs_are_right() -> None:
    right = [
        (read(name).bonus_crosses, read(name).bombs_used)
        == (TRUTHS[name]["bonus_crosses"], TRUTHS[name]["bombs_used"])
        for name in GOOD
    ]
    assert np.mean(right) >= 0.9


def test_nearly_all_outlined_sheets_have_all_their_blocks() -> None:
    def blocks_of(name: str) -> set[tuple[str | None, tuple[tuple[int, int], ...]]]:
        return {(block.color, block.cells) for block in read(name).blocks}

    right = [
        blocks_of(name)
        == {
            (block["color"], tuple((row, column) for row, column in block["cells"]))
            for block in TRUTHS[name]["blocks"]
        }
        for name in OUTLINED
    ]
    assert np.mean(right) >= 0.9


@pytest.mark.parametrize("name", [name for name in GOOD if name not in OUTLINED])
def test_no_blocks_without_outlines(name: str) -> None:
    assert read(name).blocks == ()


@every_good_photo
def test_nobody_is_accused_of_what_the_sheet_does_not_show(name: str) -> None:
    found = {violation.rule for violation in read(name).violations}
    assert found <= set(TRUTHS[name]["violations"])


@pytest.mark.parametrize("name", [name for name in GOOD if TRUTHS[name]["violations"]])
def test_planted_faults_are_found(name: str) -> None:
    reading = read(name)
    if name == "fault-bonus-order.jpg":  # by a thick pen: the cross that stands beyond a gap may be
        asked = {doubt.where: doubt.read for doubt in reading.doubts}  # cancelled, which is asked
        assert asked["box 2"] == "X" and len(asked) <= 2
        assert reading.violations == ()
        reading = scan(FOLDER / name, answers=asked)
    assert [violation.rule for violation in reading.violations] == TRUTHS[name]["violations"]


@pytest.mark.parametrize("name", LEGAL)
def test_the_game_that_was_played_is_legal(name: str) -> None:
    assert read_knowing_the_game(name).violations == ()


@every_good_photo
def test_the_place_in_the_photo(name: str) -> None:
    reading, truth = read(name), TRUTHS[name]
    apart = np.subtract(reading.corners, truth["corners"])
    assert np.hypot(*apart.T).max() < 0.25 * truth["cell_size"]


@pytest.mark.parametrize("name", BAD)
def test_photos_that_cannot_be_read(name: str) -> None:
    truth = TRUTHS[name]
    with pytest.raises(getattr(errors, truth["error"])) as refused:
        scan_photo(FOLDER / name)
    assert refused.value.facts == truth["facts"]
    reading = scan(FOLDER / name, language="de")
    assert reading.status is Status.UNREADABLE
    assert reading.error == refused.value.text("de")
    assert (reading.score, reading.grid) == (None, ())
