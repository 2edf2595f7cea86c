"""``brikks-scan points``: a player's chips and blocks, from photos that a path tracer rendered."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.command_line import Run

pytest_plugins = ["tests.command_line"]

FOLDER = Path(__file__).parents[1] / "fixtures" / "blox"
PHOTOS = ("points", "points-slant")
LANGUAGES = ("en", "de", "fr", "es")


def truth(name: str) -> tuple[int, int]:
    """The points and the number of blocks in a photo."""
    things = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["things"]
    chips = [int(thing.removeprefix("chip ")) for thing in things if thing.startswith("chip")]
    return sum(chips), sum(thing.startswith("block") for thing in things)


@pytest.mark.parametrize("name", PHOTOS)
def test_the_points_are_right_or_in_the_range(run: Run, name: str) -> None:
    code, out, _ = run("points", FOLDER / f"{name}.jpg", "--json")
    told = json.loads(out)["points"]
    total, blocks = truth(name)
    low, high = told["sum_range"]
    assert low <= total <= high
    assert code == (0 if told["status"] == "ok" else 3)
    if told["status"] == "ok":
        assert (told["sum"], told["blocks"]) == (total, blocks)


@pytest.mark.parametrize("name", PHOTOS)
def test_with_all_doubts_answered_it_is_sure(run: Run, name: str) -> None:
    photo = FOLDER / f"{name}.jpg"
    doubts = json.loads(run("points", photo, "--json")[1])["points"]["doubts"]
    answers = [word for doubt in doubts for word in ("--answer", f"{doubt['where']}=nothing")]
    code, out, _ = run("points", photo, "--json", *answers)
    told = json.loads(out)["points"]
    assert (code, told["status"], told["doubts"]) == (0, "ok", [])
    low, high = told["sum_range"]
    assert low <= told["sum"] <= high


def test_a_thing_is_what_the_answer_says(run: Run) -> None:
    photo = FOLDER / "points.jpg"
    things = json.loads(run("points", photo, "--json")[1])["points"]["things"]
    out = run("points", photo, "--json", "--answer", "thing 1=chip 10")[1]
    told = json.loads(out)["points"]
    assert (told["things"][0]["read"], told["things"][0]["confidence"]) == ("chip 10", 1.0)
    assert [thing["at"] for thing in told["things"]] == [thing["at"] for thing in things]


@pytest.mark.parametrize(
    "answer", ["thing 1", "thing 1=chip 7", "thing 0=nothing", "thing 999=nothing", "cell 1,1=X"]
)
def test_an_answer_that_is_none_is_refused(run: Run, answer: str) -> None:
    code, out, err = run("points", FOLDER / "points.jpg", "--answer", answer)
    assert (code, out) == (2, "")
    assert "thing" in err or "field" in err


def test_a_photo_without_chips_and_blocks_is_refused(run: Run, tmp_path: Path) -> None:
    photo = tmp_path / "table.png"
    cv2.imwrite(str(photo), np.full((600, 800, 3), (90, 120, 160), np.uint8))
    code, out, err = run("points", photo)
    assert (code, out) == (1, "")
    assert "No chips or blocks" in err


def test_the_picture_shows_what_was_read(run: Run, tmp_path: Path) -> None:
    picture = tmp_path / "read.png"
    run("points", FOLDER / "points.jpg", "--annotate", picture)
    drawn, photo = (cv2.imread(str(path)) for path in (picture, FOLDER / "points.jpg"))
    assert drawn.shape == photo.shape
    assert 0.001 < (np.abs(drawn.astype(int) - photo).max(axis=2) > 60).mean() < 0.2


def test_the_photo_is_never_overwritten(run: Run, tmp_path: Path) -> None:
    photo = tmp_path / "mine.jpg"
    photo.write_bytes((FOLDER / "points.jpg").read_bytes())
    assert run("points", photo, "--annotate", photo)[0] == 2
    assert photo.read_bytes() == (FOLDER / "points.jpg").read_bytes()


def test_every_language_tells_the_points(run: Run) -> None:
    texts = {run("points", FOLDER / "points.jpg", "--lang", each)[1] for each in LANGUAGES}
    assert len(texts) == 4
