"""The camera knows where every point of the sheet lies in its photo."""

from __future__ import annotations

import numpy as np
import pytest

from brikks_vision.layout import load_layout
from simulation.camera import TIERS, random_pose, sheet_map

LAYOUT = load_layout("brikks-light")


@pytest.mark.parametrize("tier", sorted(TIERS))
def test_every_pixel_knows_its_sheet_point(tier: str) -> None:
    rng = np.random.default_rng(3)
    pose = random_pose(rng, LAYOUT.page, LAYOUT.marked_area, TIERS[tier], 600)
    points = sheet_map(pose)
    spots = np.array([[0.0, 0.0], [10.0, 11.0], [5.0, 5.0], [-1.5, 17.5], [12.0, 18.0]])
    for spot, (x, y) in zip(spots, pose.project(spots), strict=True):
        assert np.allclose(points[round(y), round(x)], spot, atol=0.15)


def test_all_that_is_read_is_in_the_frame() -> None:
    box = LAYOUT.marked_area
    for seed in range(20):
        rng = np.random.default_rng(seed)
        pose = random_pose(rng, LAYOUT.page, box, TIERS["hard"], 900)
        corners = pose.project(np.asarray(box.corners))
        assert (corners >= 0).all() and (corners < pose.size).all()
