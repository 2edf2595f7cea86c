"""The camera knows where every point of the sheet lies in its photo."""

import numpy as np
import pytest

from brikks_vision.layout import load_layout
from simulation.camera import TIERS, random_pose, sheet_map
from simulation.tables import lay, render_small_thing, render_table

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


# --- tables ---------------------------------------------------------------------------------------


def test_tables_fill_the_frame_and_differ() -> None:
    tables = [render_table(np.random.default_rng(seed), 640, 480) for seed in range(12)]
    assert all(table.shape == (480, 640, 3) and table.dtype == np.uint8 for table in tables)
    assert len({table.tobytes() for table in tables}) == len(tables)


def test_a_thing_covers_the_table_only_where_it_lies() -> None:
    image = np.full((200, 300, 3), 90, np.uint8)
    patch = np.full((40, 80, 4), 255, np.uint8)
    lay(image, patch, (100.0, 100.0), 0.0, 80.0, 0.0)
    assert image[100, 100].tolist() == [255, 255, 255]
    assert image[100, 150].tolist() == [90, 90, 90]
    assert image[60, 100].tolist() == [90, 90, 90]


def test_a_thing_may_lie_over_the_images_edge_or_outside() -> None:
    image = np.full((200, 300, 3), 90, np.uint8)
    for seed, centre in enumerate([(0.0, 0.0), (300.0, 100.0), (-900.0, -900.0), (150.0, 260.0)]):
        lay(image, render_small_thing(np.random.default_rng(seed)), centre, 30.0, 90.0, 0.5)
    assert image.shape == (200, 300, 3)
