"""Placements: fitting them, mapping through them, seeing the sheet straight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.detect import locate as locating
from brikks_vision.detect.bars import PATCH_SIDE, bar_centres, bar_templates
from brikks_vision.detect.locate import (
    ALIGNER_STEP,
    CLEAR_EVIDENCE,
    STIFFNESS,
    Alignment,
    Keypoints,
    bars_aside,
    fit,
    is_out_of_sight,
    keypoints,
    locate,
    marker_matches,
    match_keypoints,
    seen_at,
    shifted,
)
from brikks_vision.detect.marks import mark_positions
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.placement import (
    Placement,
    apply_homography,
    bend_terms,
    fit_placement,
    fit_planes,
    nearby,
    rectify,
    rectify_patches,
)
from brikks_vision.detect.template import draw_template
from brikks_vision.games import readable_layouts
from brikks_vision.layout import Box, load_layout

SHEET, LIGHT = load_layout(), load_layout("brikks-light")
AREA = SHEET.reading_area
FIXTURES = Path(__file__).parents[1] / "fixtures"
FLAT = np.zeros((12, 2))


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


def test_planes_that_are_fitted_together_are_each_found_again() -> None:
    """Some points are not seen, and a few are seen where they are not."""
    rng = np.random.default_rng(6)
    sheet = np.stack(np.meshgrid(np.arange(11.0), np.arange(12.0)), axis=-1).reshape(-1, 2)
    planes = np.eye(3) + rng.normal(0, 0.02, (8, 3, 3)) * [[1, 1, 20], [1, 1, 20], [0.1, 0.1, 0]]
    seen = np.stack([apply_homography(np.linalg.inv(plane), sheet) for plane in planes])
    weights = np.ones(seen.shape[:2])
    weights[:, ::7] = 0
    seen[:, ::7] = 99.0
    seen[:, 3::17] += 0.4
    fitted = fit_planes(sheet, seen, weights)
    right = np.ones(len(sheet), bool)
    right[::7] = right[3::17] = False
    for plane, points in zip(fitted, seen, strict=True):
        assert np.allclose(apply_homography(plane, points[right]), sheet[right], atol=0.02)


def seen_aside(across: float, down: float) -> tuple[Keypoints, Placement]:
    """What the aligner would see of a sheet whose bars lie aside of where the grid puts them."""
    flat = np.array([[40.0, 0, 200], [0, 40, 120], [0, 0, 1]])  # all in the photo
    placement = Placement(flat, FLAT, AREA, "lattice", 0.0)
    points = keypoints(SHEET).copy()
    points[points[:, 1] > SHEET.grid.rows] += (across, down)
    x = np.arange(AREA.left + ALIGNER_STEP / 2, AREA.right, ALIGNER_STEP)
    y = np.arange(AREA.top + ALIGNER_STEP / 2, AREA.bottom, ALIGNER_STEP)
    places = np.stack(np.meshgrid(x, y), axis=-1)
    distances = np.linalg.norm(places[:, :, None] - points, axis=-1)
    heat = np.where(distances.min(axis=-1) < 0.3, 0.95, 0.01)
    votes = points[distances.argmin(axis=-1)]
    around = cv2.dilate(heat, np.ones((3, 3))).astype(np.float32)
    return Keypoints(placement, heat, around, votes, heat, (1000, 1000)), placement


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
    likeliest = bars_aside(*seen_aside(across, down), SHEET)[0]
    below = keypoints(SHEET)[:, 1] > SHEET.grid.rows
    assert not likeliest[~below].any()
    assert np.allclose(likeliest[below], (across, down), atol=0.15)


def test_bars_that_the_photo_hardly_shows_are_found_by_those_that_it_shows() -> None:
    seen, placement = seen_aside(0.75, -0.2)
    right, bottom = placement.to_photo(np.array([[3.0, 19.0]]))[0]
    cut = replace(seen, frame=(int(right), int(bottom)))
    heat = np.where(cut.in_photo, seen.heat, 0.01)
    assert 0.2 < cut.in_photo.mean() < 0.6
    likeliest = bars_aside(replace(cut, heat=heat), placement, SHEET)[0]
    below = keypoints(SHEET)[:, 1] > SHEET.grid.rows
    assert np.allclose(likeliest[below], (0.75, -0.2), atol=0.15)


CURL = np.vstack([[[0.0, 0.15], [0.1, 0.0]], np.zeros((10, 2))])


@pytest.mark.parametrize("bend", [FLAT, CURL])
def test_what_is_seen_near_a_placement_corrects_it(bend: np.ndarray) -> None:
    """The sheet lies where the placement looked through says; one aside of it is put right."""
    seen, through = seen_aside(0.0, 0.0)
    seen, through = replace(seen, through=replace(through, bend=bend)), replace(through, bend=bend)
    aside = shifted(through, np.array([0.3, -0.2]))
    points = keypoints(SHEET).copy()
    assert np.allclose(seen_at(seen, through, points), points)
    assert np.allclose(seen_at(seen, aside, points) - points, (0.3, -0.2), atol=0.05)
    matches = match_keypoints(seen, aside, SHEET, np.zeros_like(points))
    assert len(matches.sheet) == len(points)
    # the bars' marks stand so close that their votes reach into each other
    nodes = (points <= (SHEET.grid.columns, SHEET.grid.rows)).all(axis=1)
    assert np.allclose(matches.photo[nodes], through.to_photo(points[nodes]), atol=1)  # px


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


@pytest.mark.parametrize("factor", [0.25, 0.5, 2.0, 3.7])
def test_a_scaled_photo_shows_the_same_places(factor: float) -> None:
    placement = Placement(camera(0.3, 0.002), FLAT, AREA, "lattice", 0.0)
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


def test_the_template_is_drawn_where_rectified_sheets_have_their_print() -> None:
    definition = load_layout()
    template = draw_template(definition, AREA, 24)
    for column in range(definition.grid.columns + 1):
        at = round((column - AREA.left) * 24 - 0.5)
        row = round((0.5 - AREA.top) * 24)
        assert template[row, at - 1 : at + 2, 0].max() > 100
    points, channels = mark_positions(definition, "reader")
    assert len(points) == len(channels) == 110 + 241 + 2 * 28 + 15 + 3


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


def test_the_print_of_a_bar_stands_in_the_middle_of_its_patches() -> None:
    definition = load_layout()
    templates = bar_templates(definition)
    assert templates.shape == (len(bar_centres(definition)), PATCH_SIDE, PATCH_SIDE)
    radius = definition.fields["energy"].radius * 36
    y, x = np.indices((PATCH_SIDE, PATCH_SIDE)) - (PATCH_SIDE - 1) / 2
    on_the_ring = np.abs(np.hypot(x, y) - radius) < 0.7
    for template in templates[: len(definition.fields["energy"].centres)]:
        assert template[on_the_ring].min() > 60


def test_rectifying_leaves_the_photo_alone() -> None:
    image = np.random.default_rng(0).integers(0, 255, (300, 300, 3)).astype(np.uint8)
    before = image.copy()
    matrix = np.array([[15.0, 0, 60], [0, 15, 40], [0, 0, 1]])
    rectify(image, Placement(matrix, FLAT, AREA, "lattice", 0.0), AREA, 12)
    assert cv2.norm(image, before) == 0


@pytest.mark.parametrize(("cells", "gone"), [(0, False), (10, False), (40, True)])
def test_a_sheet_far_beyond_the_picture_is_not_followed(cells: int, gone: bool) -> None:
    matrix = np.array([[20.0, 0, 60 + 20 * cells], [0, 20, 60], [0, 0, 1]])
    seen = Placement(matrix, FLAT, AREA, "lattice", 0.0)
    assert is_out_of_sight(seen, np.zeros((500, 400, 3), np.uint8), load_layout()) is gone


def test_markers_keep_a_placement_clear_where_hardly_any_print_shows() -> None:
    sheet = load_layout()
    image = load_photo(FIXTURES / "good-printed.jpg", 1900).image
    placement = locate(image, readable_layouts()).placement
    corners = placement.to_photo(np.array([[0.0, 0.0], [8.5, 0.0], [8.5, 11.0], [0.0, 11.0]]))
    covered = image.copy()  # another paper lies on the grid
    cv2.fillConvexPoly(covered, corners.astype(np.int32), (230, 230, 230))
    found = locate(covered, readable_layouts())
    assert found.evidence < CLEAR_EVIDENCE
    assert found.is_clear
    points, _ = mark_positions(sheet, "reader")
    moved = found.placement.to_photo(points) - placement.to_photo(points)
    assert np.linalg.norm(moved, axis=1).max() < 0.5 * placement.cell_size()


def test_a_small_sheet_among_larger_ones_is_found_in_another_view() -> None:
    """The view of the whole photo makes out none: other games' grids are in the way."""
    image = load_photo(Path(__file__).parents[1] / "places" / "overlooked.jpg", 1900).image
    alignment = locate(image, readable_layouts())
    truth = [[165.6, 386.7], [89.5, 290.6], [193.5, 211.9], [268.3, 304.3]]  # px, as drawn
    corners = alignment.placement.to_photo(np.asarray(SHEET.grid.box.corners))
    assert alignment.is_clear
    assert np.abs(corners - truth).max() < 0.3 * alignment.placement.cell_size()


@pytest.mark.parametrize(
    ("name", "ends"),  # px, checked by eye: first and last of the energy points' rows
    [
        ("folded", [[433.7, 584.3], [666.2, 541.5], [431.2, 597.6], [667.6, 553.5]]),
        ("folded-2", [[783.2, 219.3], [533.4, 157.8], [795.0, 207.5], [540.6, 146.6]]),
    ],
)
def test_bars_beyond_a_fold_are_not_read_a_mark_further_on(
    name: str, ends: list[list[float]]
) -> None:
    image = load_photo(Path(__file__).parents[1] / "places" / f"{name}.jpg", 1900).image
    alignment = locate(image, readable_layouts())
    centres = SHEET.fields["energy"].centres
    a_row = [at for at, (_, y) in enumerate(centres) if y == centres[0][1]]
    at = [a_row[0], a_row[-1], a_row[-1] + 1, len(centres) - 1]
    found = alignment.placement.to_photo(np.asarray(centres)[at])
    assert np.abs(found - ends).max() < 0.3 * alignment.placement.cell_size()


def test_markers_that_curled_paper_puts_half_a_cell_off_are_not_believed() -> None:
    """Everything is seen within half a cell of where the markers say, and yet nothing is there."""
    image = load_photo(Path(__file__).parents[1] / "places" / "curled.jpg", 1900).image
    grid = np.asarray(SHEET.grid.box.corners)
    truth = [[684.6, 246.1], [1123.0, 327.5], [1024.2, 715.4], [638.7, 657.1]]  # px, as drawn
    markers = marker_matches(image, LIGHT.markers)
    assert markers is not None
    by_markers = fit(markers, SHEET.reading_area, "markers", np.inf)
    alignment = locate(image, readable_layouts())
    cell = alignment.placement.cell_size()
    assert np.abs(by_markers.to_photo(grid) - truth).max() > 0.4 * cell
    assert np.abs(alignment.placement.to_photo(grid) - truth).max() < 0.1 * cell
    assert alignment.is_clear


def test_looks_from_beside_see_each_mark_a_little_off_and_on_average_in_its_place() -> None:
    placement = Placement(camera(0.3, 0.002), FLAT, AREA, "lattice", 0.0)
    points = mark_positions(SHEET, "reader")[0]
    beside = np.array([each.to_photo(points) for each in nearby(placement)])
    here = placement.to_photo(points)
    off = np.linalg.norm(beside - here, axis=2) / placement.cell_size()
    assert (off.max(axis=1) < 0.1).all()
    assert (off.mean(axis=1) > 0.02).all()
    assert np.abs(beside.mean(axis=0) - here).max() < 0.01 * placement.cell_size()
    assert len(np.unique(beside.round(6), axis=0)) == len(beside)


Seen = Callable[[Alignment, int], Alignment]


def aligned_as(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> list[Alignment]:
    """What each view's alignment is made to be: ``seen`` of the true one and of how many before."""
    true_align, found = locating.align, []

    def otherwise(*arguments: Any) -> Alignment:
        found.append(seen(true_align(*arguments), len(found)))
        return found[-1]

    monkeypatch.setattr(locating, "align", otherwise)
    return found


@pytest.mark.parametrize("better", [-0.1, 0.01])
def test_a_sheet_whose_place_is_not_clear_is_placed_anew_from_another_view(
    better: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    photo = load_photo("samples/arcade.jpg", 1900).image
    known = locate(photo, readable_layouts())

    def misled_at_first(seen: Alignment, before: int) -> Alignment:
        if before:
            return seen
        wrong = seen.placement.moved(seen.placement.cell_size() / 2, 0)  # and it shows
        return Alignment(SHEET, wrong, seen.evidence + better, is_clear=False)

    found = aligned_as(misled_at_first, monkeypatch)
    again = locate(photo, readable_layouts())
    assert again.is_clear
    assert again.evidence == found[1].evidence
    points = keypoints(SHEET)
    off = again.placement.to_photo(points) - known.placement.to_photo(points)
    assert np.abs(off).max() < 0.1 * known.placement.cell_size()


@pytest.mark.parametrize("best", [0, 1, 2])
def test_a_sheet_whose_place_is_clear_in_no_view_is_where_most_speaks_for_it(
    best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_clear_and_never_the_same(seen: Alignment, before: int) -> Alignment:
        aside = seen.placement.moved(before * seen.placement.cell_size(), 0)
        return Alignment(SHEET, aside, seen.evidence - 0.05 * (before != best), is_clear=False)

    found = aligned_as(never_clear_and_never_the_same, monkeypatch)
    again = locate(load_photo("samples/arcade.jpg", 1900).image, readable_layouts())
    assert not again.is_clear
    assert len(found) == 1 + len(locating.OTHER_TURNS)
    assert again.evidence == max(each.evidence for each in found) == found[best].evidence


def test_a_sheet_that_only_a_later_view_shows_is_not_placed_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def in_the_second_view_and_not_clear(seen: Alignment, before: int) -> Alignment:
        return replace(seen, evidence=seen.evidence if before else -0.9, is_clear=False)

    found = aligned_as(in_the_second_view_and_not_clear, monkeypatch)
    again = locate(load_photo("samples/arcade.jpg", 1900).image, readable_layouts())
    assert again.evidence == found[-1].evidence
    assert len(found) == 2


@pytest.mark.parametrize("second", [-0.05, 0.05])
def test_two_views_that_agree_on_a_place_are_not_asked_a_third_time(
    second: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never_clear(seen: Alignment, before: int) -> Alignment:
        return replace(seen, evidence=seen.evidence + second * before, is_clear=False)

    found = aligned_as(never_clear, monkeypatch)
    again = locate(load_photo("samples/arcade.jpg", 1900).image, readable_layouts())
    assert not again.is_clear
    assert len(found) == 2
    assert again.evidence == max(each.evidence for each in found)


@pytest.mark.parametrize("shape", [(400, 300), (300, 400), (640, 32), (20, 30)])
@pytest.mark.parametrize("turn", [0, 90, 225])
def test_a_view_leaves_away_only_what_is_beside_the_photo(
    shape: tuple[int, int], turn: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    height, width = shape
    photo = np.full((height, width, 3), 200, np.uint8)
    middle = (width / 2, height / 2)
    (whole,) = next(locating.views(width, height))
    to_view = locating._square_view(middle, max(shape), turn) if turn else whole
    view = locating._warp(photo, to_view)
    assert not any(side % locating.LOCATOR_STEP for side in view.shape[:2])
    monkeypatch.setattr(locating, "LOCATOR_STEP", locating.LOCATOR_SIZE)
    square = locating._warp(photo, to_view)
    assert square.shape[:2] == (locating.LOCATOR_SIZE, locating.LOCATOR_SIZE)
    rows, columns = view.shape[:2]
    np.testing.assert_array_equal(view, square[:rows, :columns])
    assert not square[rows + 1 :].any()
    assert not square[:, columns + 1 :].any()
