"""A board of square cells is fitted by the lines between them, on drawn boards."""

import cv2
import numpy as np
import pytest

from brikks_vision.detect import board
from brikks_vision.detect.ground import cell_colors, fit_light, misfits, turn_misfit
from brikks_vision.detect.known_board import (
    Match,
    Picture,
    cameras_of_corners,
    homographies,
    place_pictures,
)
from brikks_vision.detect.placement import apply_homography

SIDE = 9
LATTICE = np.array([[0, 0], [SIDE, 0], [SIDE, SIDE], [0, SIDE]], np.float64)
SHADES = np.array([[230, 235, 240], [130, 130, 130], [120, 60, 110], [35, 35, 35]], np.uint8)
KINDS = np.random.default_rng(4).integers(0, 4, (SIDE, SIDE)).astype(np.uint8)
QUADS = {
    "above": [[150, 90], [630, 100], [620, 570], [140, 560]],
    "slant": [[250, 120], [600, 150], [720, 520], [90, 480]],
    "turned": [[400, 40], [740, 330], [390, 570], [60, 300]],
}


def drawn(
    quad: list[list[int]], size: tuple[int, int] = (800, 600)
) -> tuple[np.ndarray, np.ndarray]:
    """A photo of flat cells on a green table, and the homography from cells to its px."""
    pixels = 40
    flat = SHADES[KINDS].repeat(pixels, 0).repeat(pixels, 1)
    homography = board.quad_homography(np.array(quad, np.float64), SIDE)
    to_cells = np.array([[1 / pixels, 0, 0.5 / pixels], [0, 1 / pixels, 0.5 / pixels], [0, 0, 1]])
    seen = cv2.warpPerspective(
        flat, homography @ to_cells, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_CONSTANT,
        borderValue=(60, 110, 70),
    )  # fmt: skip
    noise = np.random.default_rng(0).normal(0, 4, seen.shape)
    return np.clip(cv2.GaussianBlur(seen, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8), homography


def off(homography: np.ndarray, true: np.ndarray) -> float:
    """The greatest distance of a corner from where it is, in cells."""
    corners = apply_homography(np.linalg.inv(true), apply_homography(homography, LATTICE))
    return float(np.abs(corners - LATTICE).max())


@pytest.mark.parametrize("view", QUADS)
def test_lines_are_fitted_from_a_first_guess(view: str) -> None:
    image, true = drawn(QUADS[view])
    guess = true @ board.quad_homography(
        LATTICE + np.array([[0.2, -0.25], [0.3, 0.1], [-0.2, 0.3], [0.1, 0.2]]), SIDE
    )
    found = board.fit_lines(image, guess, SIDE)
    assert off(found.homography, true) < 0.04
    assert found.strength > 0.5


@pytest.mark.parametrize("view", QUADS)
@pytest.mark.parametrize("corner", range(4))
def test_a_guess_that_is_a_cell_off_is_put_right(view: str, corner: int) -> None:
    image, true = drawn(QUADS[view])
    moved = LATTICE.copy()
    moved[corner] += [0.9, -0.6]
    moved += 0.3
    tried = board.search_lattice(image, true @ board.quad_homography(moved, SIDE), SIDE)
    found = max(
        (board.fit_lines(image, each, SIDE) for each in tried), key=lambda each: each.strength
    )
    assert off(found.homography, true) < 0.04


def test_the_corners_of_a_region_with_peaks() -> None:
    maps = np.full((2, 40, 40), -6.0, np.float32)
    corners = np.array([[8, 6], [30, 9], [33, 31], [5, 28]])
    cv2.fillPoly(maps[0], [corners.astype(np.int32)], 6.0)
    for x, y in corners:
        maps[1, y, x] = 4.0
    found = board.quad_of_maps(maps)
    assert found is not None
    first = int(np.abs(found - ((corners[0] + 0.5) * 4 - 0.5)).sum(axis=1).argmin())
    assert np.roll(found, -first, axis=0) == pytest.approx((corners + 0.5) * 4 - 0.5, abs=1.5)


def test_no_region_has_no_corners() -> None:
    assert board.quad_of_maps(np.full((2, 40, 40), -6.0, np.float32)) is None


def test_a_flattened_board_has_its_cells_in_rows() -> None:
    image, true = drawn(QUADS["slant"])
    flat = board.flatten(image, true, SIDE, 20, 0.0)
    assert flat.shape == (180, 180, 3)
    assert np.abs(flat[10::20, 10::20].astype(int) - SHADES[KINDS]).mean() < 8


def test_the_size_of_a_cell() -> None:
    _, true = drawn(QUADS["above"])
    assert board.cell_pixels(true, SIDE) == pytest.approx(53, abs=1)


@pytest.mark.parametrize("quarters", range(4))
def test_the_four_turns_of_a_board_are_told_apart(quarters: int) -> None:
    image, true = drawn(QUADS["slant"])
    colors = cell_colors(image, true, SIDE)
    fits = [
        turn_misfit(np.rot90(colors, turn), np.rot90(KINDS, quarters), 4)[0] for turn in range(4)
    ]
    assert int(np.argmin(fits)) == quarters
    assert min(fits) < 0.02


def test_light_that_falls_off_changes_no_kind() -> None:
    colors = SHADES[KINDS].astype(np.float64)
    fall = np.linspace(1.0, 0.6, SIDE)[:, None, None]
    light = fit_light(colors * fall, np.eye(4)[KINDS])
    assert (misfits(colors * fall, light).argmin(axis=2) == KINDS).all()


# --- a board whose picture is known, though corners are off and things hide its far side ----------


SIZE = (1000, 750)


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


def off_by(found: Match, true: np.ndarray) -> float:
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
    assert min(off_by(Match(0, plane, 0.0, 0.0), true) for plane in planes) < 0.1


@pytest.mark.parametrize("tilt", [3, 35, 58])
@pytest.mark.parametrize("first", range(4))
def test_a_board_is_placed_from_any_side(tilt: float, first: int) -> None:
    true = seen_from(tilt, 15 + 90 * first)
    corners = np.roll(corners_of(true, {1: (0.3, -0.2), 3: (-0.2, 0.2)}), 1, axis=0)
    found = place_pictures(photo(true), corners, [OTHER, BOARD])[0]
    assert found.number == 1
    assert off_by(found, true) < 0.06


def test_towers_that_hide_the_far_side_do_not_skew_it() -> None:
    true = seen_from(55, 10)
    corners = corners_of(true, {0: (0.4, -1.5), 1: (-0.2, -1.0)})
    found = place_pictures(photo(true, towers=16), corners, [BOARD])[0]
    assert off_by(found, true) < 0.15


def test_another_board_agrees_less() -> None:
    true = seen_from(40, 10)
    corners = corners_of(true, {})
    of_board, of_other = (place_pictures(photo(true), corners, [p])[0] for p in (BOARD, OTHER))
    assert of_board.agreement > 0.7
    assert of_other.agreement < 0.45


def test_corners_in_a_line_are_of_no_board() -> None:
    corners = np.array([[10, 10], [20, 20], [30, 30], [40, 40]], np.float64)
    assert place_pictures(photo(seen_from(0, 0)), corners, [BOARD]) == []
