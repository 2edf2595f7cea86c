"""A known board is placed from any side; another one, or its mirror image, is none of the known."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from brikks_vision.detect.board import flat_homography, lattice_corners
from brikks_vision.detect.placement import Image, apply_homography
from brikks_vision.errors import BoardIsAnother
from brikks_vision.games.blox.board_print import USUAL_COLORS, kinds_of, place_one_of
from brikks_vision.games.blox.learn import NamedBoard
from brikks_vision.rules.blox.position import SIDE, load_board

BOARD, SIZE = load_board(), (1000, 750)
KNOWN = [NamedBoard("board", BOARD)]


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


def photo(homography: np.ndarray, towers: int = 0) -> Image:
    """Of the board on a green table, with towers on its far rows that hide what is behind them."""
    cells = USUAL_COLORS[kinds_of(BOARD)].repeat(32, 0).repeat(32, 1)
    red = cv2.copyMakeBorder(cells, 32, 32, 32, 32, cv2.BORDER_CONSTANT, value=(60, 40, 170))
    image = cv2.warpPerspective(
        red, homography @ np.linalg.inv(flat_homography(32, 1.0)), SIZE, flags=cv2.INTER_AREA,
        borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 110, 70),
    )  # fmt: skip
    rng = np.random.default_rng(7)
    feet = apply_homography(homography, rng.uniform([0, 0], [SIDE, 4], (towers, 2)))
    for x, y in feet.astype(int).tolist():
        color = USUAL_COLORS[int(rng.integers(4))].tolist()
        cv2.rectangle(image, (x - 22, y - 70), (x + 22, y), color, -1)
    noise = rng.normal(0, 4, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def off(image: Image, true: np.ndarray) -> float:
    """The greatest distance of a corner from where it is, in cells."""
    lattice = lattice_corners(SIDE)
    seen = place_one_of(image, KNOWN)[1].to_photo(lattice)
    return float(np.abs(apply_homography(np.linalg.inv(true), seen) - lattice).max())


@pytest.mark.parametrize("tilt", [3, 35, 58])
@pytest.mark.parametrize("first", range(4))
def test_a_board_is_placed_from_any_side(tilt: float, first: int) -> None:
    true = seen_from(tilt, 15 + 90 * first)
    assert off(photo(true), true) < 0.06


def test_towers_that_hide_the_far_side_do_not_skew_it() -> None:
    true = seen_from(55, 10)
    assert off(photo(true, towers=16), true) < 0.15


def test_the_mirror_image_of_a_board_is_another_one() -> None:
    with pytest.raises(BoardIsAnother):
        place_one_of(photo(seen_from(40, 10))[:, ::-1].copy(), KNOWN)
