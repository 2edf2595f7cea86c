"""A camera's pose from a plane's homography: known cameras are found again."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.detect.pieces import FOOT_ROW, VIEW_PIXELS, VIEW_SIZE, cell_view, height_rows
from brikks_vision.detect.placement import Pose, pose_of_plane, skew_of_plane
from brikks_vision.games.blox.board_print import MAX_SKEW

SIZE = (1200, 900)


def camera(tilt: float, turn: float, focal: float, distance: float = 15.0) -> Pose:
    """A camera that looks at the middle of nine cells from so many degrees off the vertical."""
    lean, way = np.radians(tilt), np.radians(turn)
    target = np.array([4.5, 4.5, 0.0])
    away = np.array([np.sin(lean) * np.cos(way), np.sin(lean) * np.sin(way), np.cos(lean)])
    up = np.array([-np.cos(way), -np.sin(way), 0.0])
    right = np.cross(up, -away)  # y goes down and z up: the frame is left-handed
    right /= np.linalg.norm(right)
    rotation = np.stack([right, np.cross(right, -away), -away])
    intrinsic = np.array([[focal, 0, 599.5], [0, focal, 449.5], [0, 0, 1.0]])
    return Pose(intrinsic, rotation, -rotation @ (target + away * distance))


def homography_of(pose: Pose) -> np.ndarray:
    return pose.matrix[:, [0, 1, 3]]


@given(st.floats(0, 50), st.floats(0, 360), st.floats(0.6, 1.4))
def test_heights_project_as_the_camera_saw_them_where_the_focal_length_is_known(
    tilt: float, turn: float, focal: float
) -> None:
    true = camera(tilt, turn, focal * 1200)
    found = pose_of_plane(homography_of(true), SIZE, focal=focal * 1200)
    points = np.array([[x, y, z] for x in (0, 9) for y in (0, 9) for z in (0, 1, 3)], float)
    assert found.project(points) == pytest.approx(true.project(points), abs=1e-4)


@given(st.floats(25, 50), st.floats(0, 360), st.floats(0.65, 1.3))
def test_a_slant_tells_the_focal_length(tilt: float, turn: float, focal: float) -> None:
    found = pose_of_plane(homography_of(camera(tilt, turn, focal * 1200)), SIZE)
    assert found.intrinsic[0, 0] / 1200 == pytest.approx(focal, rel=0.08)


@given(st.floats(-3, 3).filter(lambda scale: abs(scale) > 0.01))
def test_the_scale_of_a_homography_does_not_matter(scale: float) -> None:
    true = camera(35, 70, 1000)
    found = pose_of_plane(homography_of(true) * scale, SIZE, focal=1000)
    assert found.centre == pytest.approx(true.centre)


def test_a_larger_photo_shows_the_same() -> None:
    pose = camera(30, 10, 1000)
    points = np.array([[1.0, 2.0, 0.5]])
    assert pose.scaled(2.0).project(points) == pytest.approx((pose.project(points) + 0.5) * 2 - 0.5)


@pytest.mark.parametrize("tilt", [0, 20, 50])
@pytest.mark.parametrize("cell", [(0, 0), (4, 4), (8, 2)])
def test_a_view_has_its_cell_at_its_foot_and_up_is_up(tilt: float, cell: tuple[int, int]) -> None:
    pose = camera(tilt, 200, 1000)
    matrix, cosine, distance = cell_view(pose, *cell)
    row, column = cell
    standing = np.array([[column + 0.5, row + 0.5, height] for height in (0.0, 1.0, 2.0)])
    in_view = np.c_[pose.project(standing), np.ones(3)] @ np.linalg.inv(matrix).T
    places = in_view[:, :2] / in_view[:, 2:]
    assert places[0] == pytest.approx([(VIEW_SIZE[0] - 1) / 2, FOOT_ROW], abs=1e-6)
    assert places[:, 0] == pytest.approx([(VIEW_SIZE[0] - 1) / 2] * 3, abs=1e-6)
    assert (np.diff(places[:, 1]) <= 1e-6).all()
    if tilt:
        heights = np.interp(places[:, 1], np.arange(VIEW_SIZE[1]), height_rows(cosine, distance))
        assert heights == pytest.approx([0, 1, 2], abs=0.1)
    beside = pose.project(np.array([[column + 0.45, row + 0.5, 0], [column + 0.55, row + 0.5, 0]]))
    beside_in_view = np.c_[beside, np.ones(2)] @ np.linalg.inv(matrix).T
    near = beside_in_view[:, :2] / beside_in_view[:, 2:]
    assert np.linalg.norm(near[1] - near[0]) < VIEW_PIXELS * 0.1 * 1.001


@given(st.floats(0, 50), st.floats(0, 360), st.floats(0.65, 1.3))
def test_square_cells_are_known_as_squares(tilt: float, turn: float, focal: float) -> None:
    homography = homography_of(camera(tilt, turn, focal * 1200))
    assert skew_of_plane(homography, SIZE) < 0.02


@given(st.floats(0, 20), st.floats(0, 360), st.floats(1.8, 3))
def test_long_cells_are_no_squares(tilt: float, turn: float, stretch: float) -> None:
    long_cells = homography_of(camera(tilt, turn, 1000)) @ np.diag([1.0, stretch, 1.0])
    assert skew_of_plane(long_cells, SIZE) > MAX_SKEW
