"""Where a sheet lies in a photo: from points and keypoints, and what is seen there."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.detect import lattice, locator
from brikks_vision.detect.align import is_out_of_sight
from brikks_vision.detect.fit import STIFFNESS, fit_placement, keypoints
from brikks_vision.detect.placement import (
    Placement,
    apply_homography,
    bend_terms,
    rectify,
    rectify_patches,
)
from brikks_vision.layout import Box, load_layout

SHEET = load_layout("brikks")
AREA = SHEET.reading_area
FLAT = np.zeros((12, 2))


# A camera that turns the sheet by 0.3 radians and tilts it a little; 30 px a cell.
CAMERA = np.array([[28.66, -8.87, 400], [8.87, 28.66, 300], [0.002, -0.001, 1.0]])


@pytest.mark.parametrize("factor", [0.25, 0.5, 2.0, 3.7])
def test_a_scaled_photo_shows_the_same_places(factor: float) -> None:
    placement = Placement(CAMERA, FLAT, AREA, "lattice", 0.0)
    points = np.array([[0.0, 0.0], [10.0, 11.0], [-1.5, 17.0]])
    expected = (placement.to_photo(points) + 0.5) * factor - 0.5
    assert np.allclose(placement.scaled(factor).to_photo(points), expected)


@pytest.mark.parametrize("cell", [14.0, 24.0, 55.0, 90.0])
def test_rectified_pixels_show_their_sheet_points(cell: float) -> None:
    """A picture that is brighter to the right keeps its brightness where it belongs."""
    area = Box(0, 0, 8, 8)
    width = round(10 * cell)
    ramp = np.repeat(np.linspace(0, 250, width)[None], width, axis=0)
    image = np.repeat(ramp[..., None], 3, axis=2).astype(np.uint8)
    matrix = np.array([[cell, 0, cell], [0, cell, cell], [0, 0, 1.0]])
    flat = rectify(image, Placement(matrix, FLAT, area, "lattice", 0.0), area, 24)
    assert flat.shape == (192, 192, 3)
    x = (np.arange(192) + 0.5) / 24
    assert np.abs(flat[96, :, 1] - (x + 1) * cell / (width - 1) * 250).max() < 2.5


@pytest.mark.parametrize("cell", [30.0, 36.0, 47.0, 70.0, 95.0, 130.0])
def test_thin_lines_are_averaged_and_not_lost(cell: float) -> None:
    """Lines of one pixel, each elsewhere between the samples, keep their darkness."""
    area = Box(0, 0, 8, 8)
    side = round(10 * cell)
    image = np.full((side, side, 3), 255, np.uint8)
    lines = np.linspace(2 * cell, 8 * cell, 9).astype(int)
    image[:, lines] = 0
    matrix = np.array([[cell, 0, cell], [0, cell, cell], [0, 0, 1.0]])
    flat = rectify(image, Placement(matrix, FLAT, area, "lattice", 0.0), area, 24)
    for line in lines:
        at = round(((line + 0.5) / cell - 1) * 24)
        darkness = (255 - flat[96, at - 5 : at + 5, 1].astype(float)).sum() * cell / 24
        assert darkness == pytest.approx(255, rel=0.25)


@pytest.mark.parametrize("cell", [20.0, 36.0, 110.0])
def test_a_patch_shows_what_the_whole_sheet_shows_there(cell: float) -> None:
    rng = np.random.default_rng(3)
    side = round(10 * cell)
    image = cv2.resize(rng.integers(0, 255, (12, 12, 3)).astype(np.uint8), (side, side))
    matrix = np.array([[cell, 0, cell], [0, cell, cell], [0, 0, 1.0]])
    matrix[2, :2] = 0.001, -0.0005
    placement = Placement(matrix, FLAT, Box(0, 0, 8, 8), "lattice", 0.0)
    whole = rectify(image, placement, Box(0, 0, 8, 8), 36)
    patches = rectify_patches(image, placement, np.array([[2.0, 3.0], [5.0, 1.0]]), 48, 36)
    for patch, (x, y) in zip(patches, [(2, 3), (5, 1)], strict=True):
        same = whole[36 * y - 24 : 36 * y + 24, 36 * x - 24 : 36 * x + 24]
        assert np.abs(patch.astype(int) - same).max() < 8


def test_rectifying_leaves_the_photo_alone() -> None:
    image = np.random.default_rng(0).integers(0, 255, (300, 300, 3)).astype(np.uint8)
    before = image.copy()
    matrix = np.array([[15.0, 0, 60], [0, 15, 40], [0, 0, 1]])
    rectify(image, Placement(matrix, FLAT, AREA, "lattice", 0.0), AREA, 12)
    assert cv2.norm(image, before) == 0


# --- sheets from their points ---------------------------------------------------------------------


def camera(turn: float, tilt: float) -> np.ndarray:
    cosine, sine = np.cos(turn), np.sin(turn)
    matrix = np.array([[30 * cosine, -30 * sine, 400], [30 * sine, 30 * cosine, 300], [0, 0, 1.0]])
    matrix[2, :2] = tilt, -tilt / 2
    return matrix


@settings(max_examples=25, deadline=None)
@given(st.floats(-3.1, 3.1), st.floats(-0.01, 0.01), st.integers(0, 1000))
def test_a_plane_sheet_is_found_again_from_its_points(turn: float, tilt: float, seed: int) -> None:
    rng = np.random.default_rng(seed)
    sheet = rng.uniform([AREA.left, AREA.top], [AREA.right, AREA.bottom], (60, 2))
    photo = apply_homography(camera(turn, tilt), sheet)
    placement = fit_placement(sheet, photo, np.ones(60), AREA, "lattice", np.inf)
    assert np.allclose(placement.to_photo(sheet), photo, atol=1e-3)


def test_a_plane_is_found_again_where_some_points_lie_elsewhere() -> None:
    rng = np.random.default_rng(6)
    sheet = np.stack(np.meshgrid(np.arange(11.0), np.arange(12.0)), axis=-1).reshape(-1, 2)
    for _ in range(8):
        plane = np.eye(3) + rng.normal(0, 0.02, (3, 3)) * [[1, 1, 20], [1, 1, 20], [0.1, 0.1, 0]]
        seen = apply_homography(plane, sheet)
        there = seen.copy()
        there[3::17] += 0.4
        placement = fit_placement(sheet, there, np.ones(len(sheet)), AREA, "lattice", np.inf)
        assert np.allclose(placement.to_photo(sheet), seen, atol=0.02)


def test_wrong_matches_do_not_move_a_curled_sheet() -> None:
    rng = np.random.default_rng(5)
    sheet = rng.uniform([AREA.left, AREA.top], [AREA.right, AREA.bottom], (200, 2))
    curl = rng.normal(0, 0.05, (12, 2))
    photo = apply_homography(camera(0.2, 0.003), sheet + bend_terms(sheet, AREA) @ curl)
    wrong = photo.copy()
    wrong[:15] += rng.normal(0, 60, (15, 2))
    placement = fit_placement(sheet, wrong, np.ones(200), AREA, "lattice", STIFFNESS)
    error = np.linalg.norm(placement.to_photo(sheet) - photo, axis=1)
    assert error.max() < 0.3  # px, of 30 a cell


# --- sheets beyond the edge of the photo ----------------------------------------------------------


@pytest.mark.parametrize(("cells", "gone"), [(0, False), (10, False), (40, True)])
def test_a_sheet_far_beyond_the_picture_is_not_followed(cells: int, gone: bool) -> None:
    matrix = np.array([[20.0, 0, 60 + 20 * cells], [0, 20, 60], [0, 0, 1]])
    seen = Placement(matrix, FLAT, AREA, "lattice", 0.0)
    assert is_out_of_sight(seen, np.zeros((500, 400, 3), np.uint8), load_layout("brikks")) is gone


# --- keypoints that the aligner would see, and bars that curled paper displaces -------------------


def seen_aside(across: float, down: float) -> tuple[lattice.Keypoints, Placement]:
    """What the aligner would see of a sheet whose bars lie aside of where the grid puts them."""
    flat = np.array([[40.0, 0, 200], [0, 40, 120], [0, 0, 1]])  # all in the photo
    placement = Placement(flat, FLAT, AREA, "lattice", 0.0)
    points = keypoints(SHEET).copy()
    points[points[:, 1] > SHEET.grid.rows] += (across, down)
    x = np.arange(AREA.left + lattice.ALIGNER_STEP / 2, AREA.right, lattice.ALIGNER_STEP)
    y = np.arange(AREA.top + lattice.ALIGNER_STEP / 2, AREA.bottom, lattice.ALIGNER_STEP)
    places = np.stack(np.meshgrid(x, y), axis=-1)
    distances = np.linalg.norm(places[:, :, None] - points, axis=-1)
    heat = np.where(distances.min(axis=-1) < 0.3, 0.95, 0.01)
    votes = points[distances.argmin(axis=-1)]
    around = cv2.dilate(heat, np.ones((3, 3))).astype(np.float32)
    return lattice.Keypoints(placement, heat, around, votes, heat, (1000, 1000)), placement


@pytest.mark.parametrize(
    "across, down",
    [
        (0.0, 0.0),
        (0.4, 0.0),
        (-0.6, 0.2),
        (0.75, -0.2),
        (-0.9, 0.0),
        (1.07, 0.0),
        (1.4, 0.0),
        (-1.5, -0.2),
        (0.3, 0.6),
    ],
)
def test_bars_are_found_aside_of_the_grid_and_not_a_mark_further_on(
    across: float, down: float
) -> None:
    likeliest = lattice.bar_displacements(*seen_aside(across, down), SHEET)[0]
    below = keypoints(SHEET)[:, 1] > SHEET.grid.rows
    assert not likeliest[~below].any()
    assert np.allclose(likeliest[below], (across, down), atol=0.15)


def test_bars_that_the_photo_hardly_shows_are_found_by_those_that_it_shows() -> None:
    seen, placement = seen_aside(0.75, -0.2)
    right, bottom = placement.to_photo(np.array([[3.0, 19.0]]))[0]
    cut = replace(seen, frame=(int(right), int(bottom)))
    heat = np.where(cut.in_photo, seen.heat, 0.01)
    assert 0.2 < cut.in_photo.mean() < 0.6
    likeliest = lattice.bar_displacements(replace(cut, heat=heat), placement, SHEET)[0]
    below = keypoints(SHEET)[:, 1] > SHEET.grid.rows
    assert np.allclose(likeliest[below], (0.75, -0.2), atol=0.15)


CURL = np.vstack([[[0.0, 0.15], [0.1, 0.0]], np.zeros((10, 2))])


@pytest.mark.parametrize("bend", [FLAT, CURL])
def test_what_is_seen_near_a_placement_corrects_it(bend: np.ndarray) -> None:
    """The sheet lies where the placement looked through says; one aside of it is put right."""
    seen, through = seen_aside(0.0, 0.0)
    seen, through = replace(seen, through=replace(through, bend=bend)), replace(through, bend=bend)
    aside = lattice.shifted(through, np.array([0.3, -0.2]))
    points = keypoints(SHEET).copy()
    assert np.allclose(lattice.seen_at(seen, through, points), points)
    assert np.allclose(lattice.seen_at(seen, aside, points) - points, (0.3, -0.2), atol=0.05)
    matches = lattice.match_keypoints(seen, aside, SHEET, np.zeros_like(points))
    assert len(matches.sheet) == len(points)
    # the bars' marks stand so close that their votes reach into each other
    nodes = (points <= (SHEET.grid.columns, SHEET.grid.rows)).all(axis=1)
    assert np.allclose(matches.photo[nodes], through.to_photo(points[nodes]), atol=1)  # px


# --- views of a photo for the locator -------------------------------------------------------------


@pytest.mark.parametrize("shape", [(400, 300), (300, 400), (640, 32), (20, 30)])
@pytest.mark.parametrize("turn", [0, 90, 225])
def test_a_view_leaves_away_only_what_is_beside_the_photo(
    shape: tuple[int, int], turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    height, width = shape
    photo = np.full((height, width, 3), 200, np.uint8)
    middle = (width / 2, height / 2)
    (whole,) = next(locator.views(width, height))
    to_view = locator.square_view(middle, max(shape), turn) if turn else whole
    view = locator.take_view(photo, to_view)
    assert not any(side % locator.LOCATOR_STEP for side in view.shape[:2])
    monkeypatch.setattr(locator, "LOCATOR_STEP", locator.LOCATOR_SIZE)
    square = locator.take_view(photo, to_view)
    assert square.shape[:2] == (locator.LOCATOR_SIZE, locator.LOCATOR_SIZE)
    rows, columns = view.shape[:2]
    np.testing.assert_array_equal(view, square[:rows, :columns])
    assert not square[rows + 1 :].any()
    assert not square[:, columns + 1 :].any()
