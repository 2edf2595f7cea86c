"""Photos of boards by the third hand, small ones, cast by a program that g++ compiles."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import which

import cv2
import numpy as np
import pytest

from brikks_vision.rules.blox.board import FIELDS, SIDE
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import Position, tower_of
from simulation.blox.cast import caster
from simulation.blox.cast.photos import SET_VIEWS, TEACHING_VIEWS, Set, random_set, shoot
from simulation.blox.cast.pieces import pawn_profiles
from simulation.blox.cast.style import PAWNS
from simulation.blox.meshes import block
from simulation.blox.photos import Photo
from simulation.blox.samples import CAST, facts, write_set

LONG_SIDE = 240

with_compiler = pytest.mark.skipif(which("g++") is None, reason="there is no g++")


@pytest.fixture(scope="module")
def box() -> Set:
    return random_set(np.random.default_rng(4))


def colors(shot: Photo, places: np.ndarray) -> np.ndarray:
    """Of the photo around places of the world, (N, 3), blue first."""
    image = cv2.imdecode(np.frombuffer(shot.data, np.uint8), cv2.IMREAD_COLOR)
    x, y = np.rint(shot.camera.project(places)).astype(int).T
    return np.asarray(cv2.blur(image, (3, 3))[y, x], float)


@with_compiler
def test_the_fields_are_where_the_facts_tell(box: Set) -> None:
    rng, position = np.random.default_rng(1), Position(box.board)
    shot = shoot(box, position, TEACHING_VIEWS[0], rng, LONG_SIDE)
    told = facts(shot, "")
    corners = np.array([[0, 0, 0, 1], [SIDE, 0, 0, 1], [SIDE, SIDE, 0, 1], [0, SIDE, 0, 1]])
    projected = corners @ np.array(told["camera"]).T
    assert np.allclose(projected[:, :2] / projected[:, 2:], told["corners"])
    printed = [box.style.print.colors[box.board.color(field)].mean() for field in FIELDS]
    for x, y in ((0.25, 0.3), (0.75, 0.3), (0.3, 0.75), (0.7, 0.7)):
        places = np.array([(column + x, row + y, 0) for row, column in FIELDS])
        assert np.corrcoef(colors(shot, places).mean(1), printed)[0, 1] > 0.9


@with_compiler
def test_towers_stand_where_the_position_says(box: Set) -> None:
    tops = {
        field: (Color.WHITE, Color.BLACK)[number % 2] for number, field in enumerate(FIELDS[::9])
    }
    towers = {field: tower_of((Color.PURPLE,) * 4 + (top,)) for field, top in tops.items()}
    position = Position(box.board).with_things(towers)
    shot = shoot(box, position, TEACHING_VIEWS[0], np.random.default_rng(2), LONG_SIDE)
    high = 5 * box.style.pieces.height
    places = np.array([(column + 0.5, row + 0.5, high) for row, column in tops])
    seen = colors(shot, places).mean(1)
    assert seen[::2].min() > seen[1::2].max() + 30


@with_compiler
def test_pawns_stand_where_the_position_says(box: Set) -> None:
    fields = {
        field: (PawnColor.RED, PawnColor.BLUE)[field[1] // 2 % 2] for field in FIELDS[2:80:10]
    }
    position = Position(box.board).with_things(fields)
    shot = shoot(box, position, SET_VIEWS[0], np.random.default_rng(3), 2 * LONG_SIDE)
    high = shot.pawn[1]
    for name, sign in ((PawnColor.RED, 1), (PawnColor.BLUE, -1)):
        own = [field for field, pawn in fields.items() if pawn == name]
        places = np.array([(column + 0.5, row + 0.5, 0.8 * high) for row, column in own])
        seen = colors(shot, places)
        assert np.median(sign * (seen[:, 2] - seen[:, 0])) > 30


@with_compiler
def test_the_same_seed_gives_the_same_facts_and_the_photos_that_they_name(tmp_path: Path) -> None:
    told = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        write_set(tmp_path / name, range(3, 4), 8, 96, render_with=CAST)
        told.append(json.loads((tmp_path / name / "8-00003.json").read_text("utf-8")))
    assert told[0] == told[1]
    assert {"camera", "corners", "position", "squares", "block", "pawn"} < set(told[0])
    for file in ("8-00003.jpg", told[0]["empty"]["file"], told[0]["setup"]["file"]):
        image = cv2.imread(str(tmp_path / "first" / file))
        assert image is not None and max(image.shape) == 96


def test_edges_look_round_and_faces_flat() -> None:
    vertices, faces = block(1.0, 1.0, 0.1)
    places = vertices[faces][..., :3]
    sizes = np.linalg.norm(
        np.cross(places[:, 1] - places[:, 0], places[:, 2] - places[:, 0]), axis=1
    )
    places = places[sizes > 1e-9]
    normals = caster.smooth_normals(places, np.zeros(len(places), int))
    on_top = (places[..., 2] > 1 - 1e-9).all(axis=1)
    assert (normals[on_top][..., 2] > 0.97).all()
    leaning = np.ptp(places[..., 2], axis=1)
    on_rim = (places[..., 2].max(axis=1) > 1 - 1e-9) & (leaning > 0.05)
    assert np.ptp(normals[on_rim][..., 2], axis=1).min() > 0.3


@pytest.mark.parametrize("kind", sorted({*PAWNS} - {"meeple"}))
def test_a_pawn_stands_on_the_board_and_is_as_high_as_told(kind: str) -> None:
    clear, body = pawn_profiles(kind, 0.8, 0.25)
    heights = [height for _, height in (*clear, *body)]
    assert min(heights) == 0 and max(heights) == pytest.approx(0.8, abs=0.005)
    assert min(radius for radius, _ in (*clear, *body)) >= 0


def test_without_a_compiler_a_sentence_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(caster, "which", lambda name: None)
    with pytest.raises(caster.NoCompilerError, match=r"g\+\+.* is not installed"):
        caster._compile(tmp_path / "cast.so")
    assert not list(tmp_path.iterdir())
