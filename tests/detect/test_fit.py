"""Fits of placements to matched points."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.detect.fit import STIFFNESS, fit_placement, fit_planes
from brikks_vision.detect.placement import apply_homography, bend_terms
from brikks_vision.layout import load_layout

SHEET = load_layout("brikks")
AREA = SHEET.reading_area


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
