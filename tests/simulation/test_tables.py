"""Tables and the things that lie on them."""

from __future__ import annotations

import numpy as np

from simulation.tables import lay, render_small_thing, render_table


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
