"""A box on the board is seen upright from before it and level from above, from any side."""

import cv2
import numpy as np
import pytest

from brikks_vision.detect.board import flat_homography
from brikks_vision.detect.pieces import faces_in, flat_in, frames_to_camera
from brikks_vision.detect.placement import Pose, pose_of_plane

SIZE = (900, 900)
BOX, TOP = 0.8, 0.6  # width and height, cells
SIDE_COLOR, TOP_COLOR, BOARD = (40, 40, 200), (200, 160, 40), (90, 90, 90)


def camera(turn: float) -> Pose:
    """Looks at the middle of a board of 9 x 9 cells, from 40 degrees above it."""
    away = np.array([np.cos(turn), np.sin(turn)])
    near, far = 4.5 + 3.5 * away, 4.5 - 3.5 * away
    across = 3.5 * np.array([-away[1], away[0]])
    plane = np.array([near + across, near - across, far - across, far + across], np.float32)
    seen = np.array([[150, 750], [750, 750], [650, 330], [250, 330]], np.float32)
    return pose_of_plane(cv2.getPerspectiveTransform(plane, seen).astype(np.float64), SIZE)


def drawn(pose: Pose, foot: tuple[float, float]) -> np.ndarray:
    """A box: all that is seen of it, then its top."""
    image = np.full((*SIZE, 3), BOARD, np.uint8)
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
    pose = camera(turn)
    spans = np.array([[0.0, TOP, TOP]])
    frames = frames_to_camera(pose, np.array([foot]), spans, 0.4, 0.6, 40)
    ((side, top),) = faces_in(drawn(pose, foot), pose, frames, 40)
    assert np.abs(side[22:30, 18:22].astype(int) - SIDE_COLOR).max() < 30
    assert np.abs(top[16:24, 16:24].astype(int) - TOP_COLOR).max() < 30
    assert np.abs(side[:, [0, -1]].astype(int) - BOARD).max() < 30


@pytest.mark.parametrize("turn", [0.0, 1.2, 4.4])
def test_of_the_flat_board_faces_show_what_the_photo_of_it_does(turn: float) -> None:
    pixels, pose = 32, camera(turn)
    flat = np.random.default_rng(2).uniform(0, 255, (9, 9, 3)).astype(np.float32)
    flat = cv2.resize(flat, None, fx=pixels, fy=pixels, interpolation=cv2.INTER_CUBIC)
    to_flat = flat_homography(pixels, 0.0)
    seen = pose.matrix[:, [0, 1, 3]] @ np.linalg.inv(to_flat)
    photo = cv2.warpPerspective(np.clip(flat, 0, 255).astype(np.uint8), seen, SIZE)
    frames = frames_to_camera(
        pose, np.array([[4.5, 4.5]]), np.array([[0.0, 1.2, 0.1]]), 0.4, 0.6, 40
    )
    expected = flat_in(np.clip(flat, 0, 255), to_flat, pose, frames, 40)
    assert np.abs(expected - faces_in(photo, pose, frames, 40)).mean() < 4
