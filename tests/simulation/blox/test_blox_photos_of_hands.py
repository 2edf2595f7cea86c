"""Photos of boards by both hands and in both ways of light, small ones."""

import json
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
import pytest

from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import FIELDS, SIDE, Position, load_board, tower_of
from brikks_vision.rules.blox.referee import referee
from simulation.blox import meshes
from simulation.blox.cameras import VIEWS, camera_at, random_camera
from simulation.blox.looks import draw_board, random_board, random_look
from simulation.blox.photos import Renderer, Set, Shot, shoot
from simulation.blox.positions import crowded_position, played_position
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


# --- what the renderer is given -------------------------------------------------------------------


SIZE = (800, 600)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("seed", range(4))
def test_a_camera_has_the_whole_board_and_its_towers_in_its_frame(view: str, seed: int) -> None:
    camera = random_camera(VIEWS[view], SIZE, 2.0, np.random.default_rng(seed))
    corners = np.array([(x, y, z) for x in (0, 9) for y in (0, 9) for z in (0, 2)], float)
    seen = camera.project(corners)
    assert (seen > -10).all()
    assert (seen < np.array(SIZE) + 10).all()


@pytest.mark.parametrize("view", VIEWS)
def test_a_camera_is_tilted_as_its_view_says(view: str) -> None:
    low, high = VIEWS[view].tilt
    for seed in range(6):
        camera = random_camera(VIEWS[view], SIZE, 1.0, np.random.default_rng(seed))
        away = camera.position - camera.target
        tilt = np.degrees(np.arccos(away[2] / np.linalg.norm(away)))
        assert low - 0.1 <= tilt <= high + 0.1


def test_from_straight_above_rows_go_down_and_columns_to_the_right() -> None:
    above = np.array([4.5, 4.5, 20.0])
    camera = camera_at(above, np.array([4.5, 4.5, 0]), np.array([0, -1.0, 0]), 700.0, SIZE)
    first, right, below = camera.project(np.array([[0, 0, 0], [9, 0, 0], [0, 9, 0]], float))
    assert right[0] > first[0] and right[1] == pytest.approx(first[1])
    assert below[1] > first[1] and below[0] == pytest.approx(first[0])


def volume(vertices: np.ndarray, faces: np.ndarray) -> float:
    """Of a closed mesh whose faces all look outwards, by the divergence theorem."""
    a, b, c = (vertices[faces[:, corner], :3] for corner in range(3))
    return float((a * np.cross(b, c)).sum() / 6)


def test_the_faces_of_a_block_look_outwards() -> None:
    assert volume(*meshes.block(0.8, 0.5, 0.02)) == pytest.approx(0.8 * 0.8 * 0.5, rel=0.02)


@pytest.mark.parametrize("shape", meshes.PAWN_PROFILES)
def test_the_faces_of_a_pawn_look_outwards(shape: str) -> None:
    vertices, faces = meshes.turned(meshes.PAWN_PROFILES[shape], 0.5, 1.0)
    assert 0.02 < volume(vertices, faces) < np.pi * 0.25**2
    assert vertices[:, 2].min() == 0
    assert vertices[:, 2].max() == 1


@pytest.mark.parametrize("seed", range(20))
def test_a_random_pawn_stands_upright_and_is_no_wider_than_its_foot(seed: int) -> None:
    profile = meshes.random_profile(np.random.default_rng(seed))
    heights = [height for _, height in profile]
    assert (profile[0], profile[-1][1]) == ((0, 0), 1)
    assert heights == sorted(heights)
    assert all(0 <= width <= 1 for width, _ in profile)


def test_a_random_board_has_the_published_counts() -> None:
    board = random_board(np.random.default_rng(1))
    assert board.colors.count(Color.BLACK) == 21
    assert sorted(filter(None, board.squares)) == [1] * 12 + [2] * 4 + [3] * 4 + [4] * 2


@pytest.mark.parametrize("seed", range(3))
def test_the_picture_of_a_board_has_its_colors(seed: int) -> None:
    board = load_board()
    art = draw_board(board, np.random.default_rng(seed))
    scale = art.image.shape[1] / art.area.width
    lightness: dict[Color, list[float]] = {color: [] for color in Color}
    for row in range(9):
        for column in range(9):
            x, y = (column + 0.3 - art.area.left) * scale, (row + 0.7 - art.area.top) * scale
            around = art.image[round(y) - 3 : round(y) + 4, round(x) - 3 : round(x) + 4]
            lightness[board.color((row, column))].append(float(around.mean()))
    middle = {color: float(np.median(values)) for color, values in lightness.items()}
    assert middle[Color.WHITE] > middle[Color.GREY] > middle[Color.BLACK]
    assert middle[Color.PURPLE] < middle[Color.WHITE]


def test_chips_show_figures() -> None:
    look = random_look(np.random.default_rng(2))
    faces = [look.chips.faces[value].astype(int) for value in (1, 2, 3, 4, 10)]
    for first in range(5):
        for second in range(first):
            assert np.abs(faces[first] - faces[second]).max() > 60


def test_a_position_of_a_game_breaks_no_rule() -> None:
    for seed in range(3):
        rng = np.random.default_rng(seed)
        assert not referee(played_position(random_board(rng), rng))


def test_a_crowd_has_towers_of_all_heights() -> None:
    rng = np.random.default_rng(0)
    heights = {
        tower.height
        for _ in range(5)
        for tower in crowded_position(load_board(), rng).towers.values()
    }
    assert heights == {1, 2, 3, 4, 5}


@pytest.mark.parametrize("profile", meshes.FIGURE_PROFILES)
def test_a_flat_figure_stands_or_lies_on_its_field(
    profile: tuple[tuple[float, float], ...],
) -> None:
    standing = meshes.figure(profile, 0.5, 0.6, 0.2)
    for mesh, size in ((standing, (0.5, 0.2, 0.6)), (meshes.lying(standing, 0.2), (0.5, 0.6, 0.2))):
        places = mesh[0][:, :3]
        assert np.allclose(np.ptp(places, axis=0), size)
        assert places[:, 2].min() == pytest.approx(0)
