"""A board whose picture is known is placed though corners are off and things hide its far side."""

import cv2
import numpy as np
import pytest

from brikks_vision.detect.known_board import (
    Match,
    Picture,
    cameras_of_corners,
    homographies,
    place_pictures,
)
from brikks_vision.detect.placement import apply_homography

SIDE, SIZE = 9, (1000, 750)
LATTICE = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float64)
SHADES = np.array([[230, 235, 240], [130, 130, 130], [120, 60, 110], [35, 35, 35]], np.uint8)


def picture(seed: int) -> Picture:
    """Cells of four colours, with a red margin."""
    kinds = np.random.default_rng(seed).integers(0, 4, (SIDE, SIDE))
    cells = SHADES[kinds].repeat(32, 0).repeat(32, 1)
    red = cv2.copyMakeBorder(cells, 32, 32, 32, 32, cv2.BORDER_CONSTANT, value=(60, 40, 170))
    return Picture(np.asarray(red, np.uint8), SIDE, 32, 1.0)


BOARD, OTHER = picture(4), picture(5)


def seen_from(tilt: float, turn: float) -> np.ndarray:
    """The homography of a camera that looks at the board's middle, degrees off the vertical."""
    lean, way = np.radians(tilt), np.radians(turn)
    across = np.array([np.cos(way), -np.sin(way), 0])
    down = np.array([np.sin(way), np.cos(way), 0])
    tipped = np.array(
        [[1, 0, 0], [0, np.cos(lean), np.sin(lean)], [0, -np.sin(lean), np.cos(lean)]]
    )
    rotation = tipped @ np.stack([across, down, [0, 0, 1.0]])
    place = np.array([0, 0, 18.0]) - rotation @ [SIDE / 2, SIDE / 2, 0]
    intrinsic = np.array([[900, 0, 499.5], [0, 900, 374.5], [0, 0, 1.0]])
    return np.asarray(intrinsic @ np.c_[rotation[:, :2], place])


def photo(homography: np.ndarray, towers: int = 0) -> np.ndarray:
    """Of `BOARD` on a green table, with towers on its far rows that hide what is behind them."""
    image = cv2.warpPerspective(
        BOARD.pixels, homography @ np.linalg.inv(BOARD.plane), SIZE, flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 110, 70),
    )  # fmt: skip
    rng = np.random.default_rng(7)
    feet = apply_homography(homography, rng.uniform([0, 0], [SIDE, 4], (towers, 2)))
    for x, y in feet.astype(int).tolist():
        color = SHADES[int(rng.integers(4))].tolist()
        cv2.rectangle(image, (x - 22, y - 70), (x + 22, y), color, -1)
    noise = rng.normal(0, 4, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def off(found: Match, true: np.ndarray) -> float:
    """The greatest distance of a corner from where it is, in cells."""
    seen = apply_homography(found.homography, LATTICE)
    return float(np.abs(apply_homography(np.linalg.inv(true), seen) - LATTICE).max())


def corners_of(homography: np.ndarray, moves: dict[int, tuple[float, float]]) -> np.ndarray:
    """Where corners are seen that are so many cells off."""
    lattice = LATTICE.copy()
    for corner, move in moves.items():
        lattice[corner] += move
    return apply_homography(homography, lattice)


@pytest.mark.parametrize("moves", [{1: (2.0, -3.0)}, {0: (0.0, 2.5), 1: (0.0, 2.0)}])
def test_corners_that_are_off_are_not_needed(moves: dict[int, tuple[float, float]]) -> None:
    true = seen_from(50, 20)
    planes = homographies(cameras_of_corners(corners_of(true, moves), SIDE, SIZE), SIZE)
    assert min(off(Match(0, plane, 0.0, 0.0), true) for plane in planes) < 0.1


@pytest.mark.parametrize("tilt", [3, 35, 58])
@pytest.mark.parametrize("first", range(4))
def test_a_board_is_placed_from_any_side(tilt: float, first: int) -> None:
    true = seen_from(tilt, 15 + 90 * first)
    corners = np.roll(corners_of(true, {1: (0.3, -0.2), 3: (-0.2, 0.2)}), 1, axis=0)
    found = place_pictures(photo(true), corners, [OTHER, BOARD])[0]
    assert found.number == 1
    assert off(found, true) < 0.06


def test_towers_that_hide_the_far_side_do_not_skew_it() -> None:
    true = seen_from(55, 10)
    corners = corners_of(true, {0: (0.4, -1.5), 1: (-0.2, -1.0)})
    found = place_pictures(photo(true, towers=16), corners, [BOARD])[0]
    assert off(found, true) < 0.15


def test_another_board_agrees_less() -> None:
    true = seen_from(40, 10)
    corners = corners_of(true, {})
    of_board, of_other = (place_pictures(photo(true), corners, [p])[0] for p in (BOARD, OTHER))
    assert of_board.agreement > 0.7
    assert of_other.agreement < 0.45


def test_corners_in_a_line_are_of_no_board() -> None:
    corners = np.array([[10, 10], [20, 20], [30, 30], [40, 40]], np.float64)
    assert place_pictures(photo(seen_from(0, 0)), corners, [BOARD]) == []
