"""The photos of tests/fixtures (see simulation/fixtures.py), read by the whole pipeline."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from brikks_vision import Reading, errors, scan
from brikks_vision.pipeline import scan_photo
from brikks_vision.reading import Status

FOLDER = Path(__file__).parent / "fixtures"
TRUTHS: dict[str, dict[str, Any]] = {
    path.stem: json.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.json"))
}
GOOD = [name for name, truth in TRUTHS.items() if "error" not in truth]
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


def as_inked(energy: list[str]) -> tuple[str, ...]:
    """A point struck at setup is the same ink as a used one."""
    return tuple("used" if mark == "off" else mark for mark in energy)


def test_every_photo_has_a_truth_file() -> None:
    photos = {path.name for path in FOLDER.iterdir() if path.suffix != ".json"}
    assert photos == set(TRUTHS)
    assert {truth["tier"] for name, truth in TRUTHS.items() if name in GOOD} == {
        "scan",
        "good",
        "hard",
    }


@every_good_photo
def test_the_total(name: str) -> None:
    reading, total = read(name), TRUTHS[name]["score"]["total"]
    assert reading.score is not None, reading.error
    assert reading.total_range is not None
    assert reading.score.total == total
    assert reading.total_range[0] <= total <= reading.total_range[1]


@every_good_photo
def test_the_points(name: str) -> None:
    assert read(name).to_dict()["score"] == TRUTHS[name]["score"]


@every_good_photo
def test_the_grid(name: str) -> None:
    """A cell may be told as unclear, but never as its contrary."""
    found = "".join(read(name).grid)
    drawn = "".join(TRUTHS[name]["grid"])
    assert len(found) == len(drawn)
    clear = "".join(drawn[at] if sign == "?" else sign for at, sign in enumerate(found))
    assert clear == drawn


@pytest.mark.parametrize("name", [name for name in GOOD if TRUTHS[name]["tier"] != "hard"])
def test_in_good_light_no_cell_is_unclear(name: str) -> None:
    reading = read(name)
    assert list(reading.grid) == TRUTHS[name]["grid"]


@every_good_photo
def test_the_energy(name: str) -> None:
    assert read(name).energy == as_inked(TRUTHS[name]["energy"])


@every_good_photo
def test_the_extra_points_and_bombs(name: str) -> None:
    reading, truth = read(name), TRUTHS[name]
    assert reading.bonus_crosses == truth["bonus_crosses"]
    assert reading.bombs_used == truth["bombs_used"]


@pytest.mark.parametrize("name", OUTLINED)
def test_the_blocks(name: str) -> None:
    found = {(block.color, block.cells) for block in read(name).blocks}
    drawn = {
        (block["color"], tuple((row, column) for row, column in block["cells"]))
        for block in TRUTHS[name]["blocks"]
    }
    assert found == drawn


@pytest.mark.parametrize("name", [name for name in GOOD if name not in OUTLINED])
def test_no_blocks_without_outlines(name: str) -> None:
    assert read(name).blocks == ()


@every_good_photo
def test_what_breaks_the_rules(name: str) -> None:
    found = [violation.rule for violation in read(name).violations]
    assert found == TRUTHS[name]["violations"]


@pytest.mark.parametrize("name", LEGAL)
def test_the_game_that_was_played_is_possible(name: str) -> None:
    truth, assumed = TRUTHS[name], read(name).assumed
    for what in ("players", "level", "variant"):
        assert truth[what] in assumed[what]


@pytest.mark.parametrize("name", LEGAL)
def test_the_game_that_was_played_is_legal(name: str) -> None:
    reading, truth = read_knowing_the_game(name), TRUTHS[name]
    assert reading.violations == ()
    assert list(reading.energy) == truth["energy"]


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
