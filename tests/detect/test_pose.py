"""A camera's pose from a plane's homography: known cameras are found again."""

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from brikks_vision.detect import pieces
from brikks_vision.detect.board import flat_homography
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
    matrix, cosine, distance = pieces.cell_view(pose, *cell)
    row, column = cell
    standing = np.array([[column + 0.5, row + 0.5, height] for height in (0.0, 1.0, 2.0)])
    in_view = np.c_[pose.project(standing), np.ones(3)] @ np.linalg.inv(matrix).T
    places = in_view[:, :2] / in_view[:, 2:]
    assert places[0] == pytest.approx([(pieces.VIEW_SIZE[0] - 1) / 2, pieces.FOOT_ROW], abs=1e-6)
    assert places[:, 0] == pytest.approx([(pieces.VIEW_SIZE[0] - 1) / 2] * 3, abs=1e-6)
    assert (np.diff(places[:, 1]) <= 1e-6).all()
    if tilt:
        heights = np.interp(
            places[:, 1], np.arange(pieces.VIEW_SIZE[1]), pieces.height_rows(cosine, distance)
        )
        assert heights == pytest.approx([0, 1, 2], abs=0.1)
    beside = pose.project(np.array([[column + 0.45, row + 0.5, 0], [column + 0.55, row + 0.5, 0]]))
    beside_in_view = np.c_[beside, np.ones(2)] @ np.linalg.inv(matrix).T
    near = beside_in_view[:, :2] / beside_in_view[:, 2:]
    assert np.linalg.norm(near[1] - near[0]) < pieces.VIEW_PIXELS * 0.1 * 1.001


@given(st.floats(0, 50), st.floats(0, 360), st.floats(0.65, 1.3))
def test_square_cells_are_known_as_squares(tilt: float, turn: float, focal: float) -> None:
    homography = homography_of(camera(tilt, turn, focal * 1200))
    assert skew_of_plane(homography, SIZE) < 0.02


@given(st.floats(0, 20), st.floats(0, 360), st.floats(1.8, 3))
def test_long_cells_are_no_squares(tilt: float, turn: float, stretch: float) -> None:
    long_cells = homography_of(camera(tilt, turn, 1000)) @ np.diag([1.0, stretch, 1.0])
    assert skew_of_plane(long_cells, SIZE) > MAX_SKEW


# --- A box on the board is seen upright from before it and level from above, from any side --------


FACES_SIZE = (900, 900)
BOX, TOP = 0.8, 0.6  # width and height, cells
SIDE_COLOR, TOP_COLOR, BOARD = (40, 40, 200), (200, 160, 40), (90, 90, 90)


def camera_beside(turn: float) -> Pose:
    """Looks at the middle of a board of 9 x 9 cells, from 40 degrees above it."""
    away = np.array([np.cos(turn), np.sin(turn)])
    near, far = 4.5 + 3.5 * away, 4.5 - 3.5 * away
    across = 3.5 * np.array([-away[1], away[0]])
    plane = np.array([near + across, near - across, far - across, far + across], np.float32)
    seen = np.array([[150, 750], [750, 750], [650, 330], [250, 330]], np.float32)
    return pose_of_plane(cv2.getPerspectiveTransform(plane, seen).astype(np.float64), FACES_SIZE)


def drawn(pose: Pose, foot: tuple[float, float]) -> np.ndarray:
    """A box: all that is seen of it, then its top."""
    image = np.full((*FACES_SIZE, 3), BOARD, np.uint8)
    half = BOX / 2
    corners = np.array([[x, y] for x in (-half, half) for y in (-half, half)]) + foot
    whole = np.array([[x, y, z] for x, y in corners for z in (0.0, TOP)])
    level = np.column_stack([corners, np.full(4, TOP)])
    for points, color in ((whole, SIDE_COLOR), (level, TOP_COLOR)):
        outline = cv2.convexHull(np.rint(pose.project(points)).astype(np.int32))
        cv2.fillConvexPoly(image, outline, color)
    return image


@pytest.mark.parametrize("turn", [0.0, 1.2, 3.0, 4.4])
@pytest.mark.parametrize("foot", [(4.5, 4.5), (2.5, 5.5)])
def test_the_side_of_a_box_and_its_top_are_seen(turn: float, foot: tuple[float, float]) -> None:
    pose = camera_beside(turn)
    spans = np.array([[0.0, TOP, TOP]])
    frames = pieces.frames_to_camera(pose, np.array([foot]), spans, 0.4, 0.6, 40)
    ((side, top),) = pieces.faces_in(drawn(pose, foot), pose, frames, 40)
    assert np.abs(side[22:30, 18:22].astype(int) - SIDE_COLOR).max() < 30
    assert np.abs(top[16:24, 16:24].astype(int) - TOP_COLOR).max() < 30
    assert np.abs(side[:, [0, -1]].astype(int) - BOARD).max() < 30


@pytest.mark.parametrize("turn", [0.0, 1.2, 4.4])
def test_of_the_flat_board_faces_show_what_the_photo_of_it_does(turn: float) -> None:
    pixels, pose = 32, camera_beside(turn)
    flat = np.random.default_rng(2).uniform(0, 255, (9, 9, 3)).astype(np.float32)
    flat = cv2.resize(flat, None, fx=pixels, fy=pixels, interpolation=cv2.INTER_CUBIC)
    to_flat = flat_homography(pixels, 0.0)
    seen = pose.matrix[:, [0, 1, 3]] @ np.linalg.inv(to_flat)
    photo = cv2.warpPerspective(np.clip(flat, 0, 255).astype(np.uint8), seen, FACES_SIZE)
    frames = pieces.frames_to_camera(
        pose, np.array([[4.5, 4.5]]), np.array([[0.0, 1.2, 0.1]]), 0.4, 0.6, 40
    )
    expected = pieces.flat_in(np.clip(flat, 0, 255), to_flat, pose, frames, 40)
    assert np.abs(expected - pieces.faces_in(photo, pose, frames, 40)).mean() < 4


# --- stacks of boxes ------------------------------------------------------------------------------


FOCAL = 1000.0


def looking_along(away: float, up: float) -> Pose:
    """A camera that looks along the columns, from so far before the board and above it, cells."""
    down = np.arctan2(up, away)
    right = np.array([1.0, 0, 0])
    forward = np.array([0, -np.cos(down), -np.sin(down)])
    below = np.array([0, np.sin(down), -np.cos(down)])
    rotation = np.stack([right, below, forward])
    centre = np.array([4.5, 9.0 + away, up])
    return Pose(np.diag([FOCAL, FOCAL, 1.0]), rotation, -rotation @ centre)


def stacks_hidden(
    pose: Pose, cells: NDArray[np.float64], heights: NDArray[np.float64], hiding: list[bool]
) -> NDArray[np.float64]:
    return pieces.hidden_shares(
        pose, cells, (pieces.USUAL_WIDTH, heights), heights, np.array(hiding)
    )


def test_a_tall_stack_before_a_low_one_hides_it() -> None:
    cells, heights = np.array([[4.0, 4.0], [5.0, 4.0], [4.0, 7.0]]), np.array([0.5, 2.5, 0.5])
    low = looking_along(away=12.0, up=5.0)
    behind, before, beside = stacks_hidden(low, cells, heights, [True, True, True])
    assert behind > 0.95
    assert before == 0
    assert beside == 0


def test_what_may_not_stand_there_hides_nothing() -> None:
    cells, heights = np.array([[4.0, 4.0], [5.0, 4.0]]), np.array([0.5, 2.5])
    low = looking_along(away=12.0, up=5.0)
    assert stacks_hidden(low, cells, heights, [True, False]).max() == 0


def test_from_above_a_stack_hides_little_of_its_neighbour() -> None:
    cells, heights = np.array([[4.0, 4.0], [5.0, 4.0]]), np.array([0.5, 1.0])
    above = looking_along(away=2.0, up=20.0)
    assert stacks_hidden(above, cells, heights, [True, True]).max() < 0.3


def test_the_head_of_a_pawn_shows_behind_a_stack_that_hides_another_stack() -> None:
    cells, heights = np.array([[4.0, 4.0], [5.0, 4.0]]), np.array([0.5, 1.0])
    low, stands = looking_along(away=12.0, up=8.0), np.array([True, True])
    stack = pieces.hidden_shares(low, cells, (pieces.USUAL_WIDTH, heights), heights, stands)[0]
    pawn = pieces.hidden_shares(low, cells, (0.45, np.array([1.0, 1.0])), heights, stands)[0]
    assert pawn < stack


def test_a_box_hides_what_lies_behind_it_and_nothing_before_or_beside_it() -> None:
    centre = looking_along(away=12.0, up=5.0).centre
    low, high = np.array([[4.1, 5.1, 0.0]]), np.array([[4.9, 5.9, 2.0]])
    behind, beside, before, above = (4.5, 4.5, 0.5), (2.5, 4.5, 0.5), (4.5, 7.0, 0.5), (4.5, 4.5, 3)
    points = np.array([[behind, beside], [before, above]])
    assert pieces.hidden_points(points, centre, low, high).tolist() == [
        [True, False],
        [False, False],
    ]
