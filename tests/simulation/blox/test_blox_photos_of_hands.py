"""Photos of boards by both hands and in both ways of light, small ones."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import FIELDS, SIDE, Position, tower_of
from simulation.blox.cameras import VIEWS
from simulation.blox.photos import Renderer, Set, Shot, shoot
from simulation.blox.samples import HANDS, facts, renderer, write_set
from simulation.blox.second.pawns import PAWNS, pawn_profile

LONG_SIDE = 240
WAYS = {"rasterizer": "moderngl", "path tracer": "mitsuba"}


@pytest.fixture(scope="module")
def fast() -> Renderer:
    pytest.importorskip("moderngl")
    return renderer("few lights")


@pytest.fixture(scope="module", params=HANDS)
def box(request: pytest.FixtureRequest) -> Set:
    return HANDS[request.param](np.random.default_rng(4))


def colors(shot: Shot, places: np.ndarray) -> np.ndarray:
    """Of the photo around places of the world, (N, 3), blue first."""
    x, y = np.rint(shot.camera.project(places)).astype(int).T
    return np.asarray(cv2.blur(shot.image, (3, 3))[y, x], float)


@pytest.mark.parametrize("way", WAYS)
def test_the_fields_are_where_the_facts_tell(box: Set, way: str) -> None:
    pytest.importorskip(WAYS[way])
    rng, position = np.random.default_rng(1), Position(box.board)
    shot = shoot(box, position, VIEWS["above"], rng, renderer(way), LONG_SIDE)
    told = facts(shot, "")
    corners = np.array([[0, 0, 0, 1], [SIDE, 0, 0, 1], [SIDE, SIDE, 0, 1], [0, SIDE, 0, 1]])
    projected = corners @ np.array(told["camera"]).T
    assert np.allclose(projected[:, :2] / projected[:, 2:], told["corners"])
    image, area = box.art.image, box.art.area
    scale = image.shape[1] / area.width
    for x, y in ((0.25, 0.3), (0.75, 0.3), (0.3, 0.75), (0.7, 0.7)):
        places = np.array([(column + x, row + y, 0) for row, column in FIELDS])
        at = np.rint((places[:, :2] - (area.left, area.top)) * scale).astype(int)
        printed = cv2.blur(image, (9, 9))[at[:, 1], at[:, 0]].mean(1)
        assert np.corrcoef(colors(shot, places).mean(1), printed)[0, 1] > 0.85


def test_towers_stand_where_the_position_says(box: Set, fast: Renderer) -> None:
    tops = {
        field: (Color.WHITE, Color.BLACK)[number % 2] for number, field in enumerate(FIELDS[::9])
    }
    towers = {field: tower_of((Color.PURPLE,) * 4 + (top,)) for field, top in tops.items()}
    position = Position(box.board).with_things(towers)
    shot = shoot(box, position, VIEWS["above"], np.random.default_rng(2), fast, LONG_SIDE)
    high = 5 * box.look.block_height
    seen = colors(shot, np.array([(column + 0.5, row + 0.5, high) for row, column in tops])).mean(1)
    assert seen[::2].min() > seen[1::2].max() + 30


def test_pawns_stand_where_the_position_says(box: Set, fast: Renderer) -> None:
    fields = {
        field: (PawnColor.RED, PawnColor.BLUE)[field[1] // 2 % 2] for field in FIELDS[2:80:10]
    }
    position = Position(box.board).with_things(fields)
    shot = shoot(box, position, VIEWS["slant"], np.random.default_rng(3), fast, 2 * LONG_SIDE)
    for name, sign in ((PawnColor.RED, 1), (PawnColor.BLUE, -1)):
        own = [field for field, pawn in fields.items() if pawn == name]
        high = 0.8 * box.look.pawn_height
        seen = colors(shot, np.array([(column + 0.5, row + 0.5, high) for row, column in own]))
        assert np.median(sign * (seen[:, 2] - seen[:, 0])) > 20


def test_the_same_seed_gives_the_same_photos_and_facts(tmp_path: Path) -> None:
    pytest.importorskip("moderngl")
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
        write_set(folder, range(3, 4), 8, 96, render_with="few lights", hand="second")
    told = json.loads((folders[0] / "8-00003.json").read_text("utf-8"))
    assert {"camera", "corners", "position", "squares", "block", "pawn"} < set(told)
    for file in ("8-00003.jpg", "8-00003.json", told["empty"]["file"], told["setup"]["file"]):
        first, second = ((folder / file).read_bytes() for folder in folders)
        assert first == second
        if file.endswith(".jpg"):
            assert max(cv2.imdecode(np.frombuffer(first, np.uint8), 1).shape) == 96


@pytest.mark.parametrize("kind", PAWNS)
def test_a_pawn_stands_on_its_foot_and_is_as_high_as_told(kind: str) -> None:
    profile = pawn_profile(kind, 0.8, 0.25)
    assert (profile[0], profile[-1]) == ((0, 0), (0, 1))
    assert all(0 <= radius <= 1.2 and 0 <= height <= 1.001 for radius, height in profile)
    heights = [height for _, height in profile]
    assert all(one <= other + 0.05 for one, other in pairwise(heights))
