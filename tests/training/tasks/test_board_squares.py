"""Squares that are drawn on fields for training: as many as are told, whole, on the field."""

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra train is not installed")
pytest.importorskip("moderngl", reason="the extra simulation is not installed")

from brikks_vision.games.blox.board_print import FIELD_PIXELS, PIXELS
from training.tasks.board_squares import drawn_places, with_squares


@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_squares_lie_apart_on_their_field(count: int) -> None:
    for seed in range(60):
        rng = np.random.default_rng(seed)
        side = rng.uniform(0.07, 0.18)
        places = drawn_places(count, side, rng)
        assert places.shape == (count, 2)
        assert places.min() >= side / 2 - 1e-9 and places.max() <= 1 - side / 2 + 1e-9
        apart = np.abs(places[:, None] - places).max(axis=2)[~np.eye(count, dtype=bool)]
        assert apart.min(initial=1.0) > side + 0.03


def test_a_square_is_seen_and_its_field_stays_around_it() -> None:
    field = np.full((PIXELS, PIXELS, 3), (40, 90, 200), np.uint8)
    for seed in range(30):
        drawn = with_squares(field, 2, np.random.default_rng(seed))
        changed = np.abs(drawn.astype(int) - field).max(axis=2) > 15
        assert 8 <= changed.sum() <= 0.6 * FIELD_PIXELS**2  # a frame around them, too
