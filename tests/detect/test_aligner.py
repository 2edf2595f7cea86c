"""Keypoints that the aligner would see, and bars that curled paper displaces."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
import pytest

from brikks_vision.detect import lattice
from brikks_vision.detect.fit import keypoints
from brikks_vision.detect.placement import Placement
from brikks_vision.layout import load_layout

SHEET = load_layout("brikks")
AREA = SHEET.reading_area
FLAT = np.zeros((12, 2))


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
