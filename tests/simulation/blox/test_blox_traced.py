"""Photos of boards by the second hand, small ones, traced by Mitsuba."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from brikks_vision.rules.blox.board import FIELDS, SIDE
from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.position import Position, tower_of

pytest.importorskip("mitsuba")

from simulation.blox.photos import Photo
from simulation.blox.samples import TRACED, facts, write_set
from simulation.blox.traced.photos import SET_VIEWS, TEACHING_VIEWS, Set, random_set, shoot

LONG_SIDE = 240


@pytest.fixture(scope="module")
def box() -> Set:
    return random_set(np.random.default_rng(3))


def brightness(shot: Photo, places: np.ndarray) -> np.ndarray:
    """Of the photo around places of the world, (N, 3)."""
    image = cv2.imdecode(np.frombuffer(shot.data, np.uint8), cv2.IMREAD_GRAYSCALE)
    x, y = np.rint(shot.camera.project(places)).astype(int).T
    return np.asarray(cv2.blur(image, (3, 3))[y, x], float)


def test_the_fields_are_where_the_facts_tell(box: Set) -> None:
    rng, position = np.random.default_rng(1), Position(box.board)
    shot = shoot(box, position, TEACHING_VIEWS[0], rng, LONG_SIDE)
    told = facts(shot, "")
    corners = np.array([[0, 0, 0, 1], [SIDE, 0, 0, 1], [SIDE, SIDE, 0, 1], [0, SIDE, 0, 1]])
    projected = corners @ np.array(told["camera"]).T
    assert np.allclose(projected[:, :2] / projected[:, 2:], told["corners"])
    printed = [box.style.print.shades[box.board.color(field)].mean() for field in FIELDS]
    for x, y in ((0.15, 0.5), (0.85, 0.5), (0.5, 0.15), (0.5, 0.85)):
        places = np.array([(column + x, row + y, 0) for row, column in FIELDS])
        assert np.corrcoef(brightness(shot, places), printed)[0, 1] > 0.9


def test_towers_stand_where_the_position_says(box: Set) -> None:
    tops = {
        field: (Color.WHITE, Color.BLACK)[number % 2] for number, field in enumerate(FIELDS[::9])
    }
    towers = {field: tower_of((Color.PURPLE,) * 4 + (top,)) for field, top in tops.items()}
    position = Position(box.board).with_things(towers)
    shot = shoot(box, position, SET_VIEWS[0], np.random.default_rng(2), LONG_SIDE)
    height = 5 * box.style.pieces.height
    seen = brightness(shot, np.array([(column + 0.5, row + 0.5, height) for row, column in tops]))
    assert seen[::2].min() > seen[1::2].max() + 30


def test_the_same_seed_gives_the_same_facts_and_the_photos_that_they_name(tmp_path: Path) -> None:
    told = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        write_set(tmp_path / name, range(3, 4), 8, 96, render_with=TRACED)
        told.append(json.loads((tmp_path / name / "8-00003.json").read_text("utf-8")))
    assert told[0] == told[1]
    assert {"camera", "corners", "position", "squares", "block", "pawn"} < set(told[0])
    for file in ("8-00003.jpg", told[0]["empty"]["file"], told[0]["setup"]["file"]):
        image = cv2.imread(str(tmp_path / "first" / file))
        assert image is not None and max(image.shape) == 96
