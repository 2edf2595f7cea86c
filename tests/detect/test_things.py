"""Loose things on a table: from a network's maps to places, and their pictures."""

from __future__ import annotations

import numpy as np
import pytest

from brikks_vision.detect.things import THINGS_STRIDE, thing_face, things_of_maps

NOTHING = -8.0  # logit


def maps_with(*things: tuple[int, int, int, float, float]) -> np.ndarray:
    """Maps of two kinds with things of (kind, row, column, logit, reach in px)."""
    maps = np.full((3, 40, 40), NOTHING, np.float32)
    for kind, row, column, logit, reach in things:
        maps[kind, row, column] = logit
        maps[2, row, column] = np.log(reach)
    return maps


def test_each_peak_is_a_thing_the_surest_first() -> None:
    found = things_of_maps(maps_with((0, 10, 12, 1.0, 9.0), (1, 30, 5, 4.0, 14.0)))
    assert [thing.reach for thing in found] == pytest.approx([14.0, 9.0], rel=1e-5)
    first, second = found
    assert (first.x, first.y) == pytest.approx((5.5 * THINGS_STRIDE - 0.5, 121.5), abs=0.1)
    assert second.chances[0] > 0.7 > 0.01 > second.chances[1]


def test_two_peaks_within_one_thing_are_one() -> None:
    assert len(things_of_maps(maps_with((0, 10, 10, 3.0, 14.0), (0, 10, 12, 2.0, 14.0)))) == 1
    assert len(things_of_maps(maps_with((0, 10, 10, 3.0, 5.0), (0, 10, 16, 2.0, 5.0)))) == 2


def test_where_nothing_lies_nothing_is_found() -> None:
    assert things_of_maps(maps_with()) == []


@pytest.mark.parametrize("reach", [6.0, 30.0, 200.0])
def test_a_face_shows_the_thing_in_its_middle_at_any_size(reach: float) -> None:
    side = round(5 * reach)
    ys, xs = np.mgrid[:side, :side]
    middle = (side - 1) / 2
    disc = np.hypot(xs - middle, ys - middle) < reach
    image = np.where(disc[..., None], 220, 30).astype(np.uint8).repeat(3, axis=2)
    face = thing_face(image, middle, middle, reach, 40)
    bright = face[..., 0] > 125
    assert bright.mean() == pytest.approx(np.pi / 9, abs=0.05)  # a disc in a square 3 reaches wide
    assert bright[18:22, 18:22].all()


def test_a_face_at_the_edge_of_a_photo_is_whole() -> None:
    image = np.full((300, 300, 3), 90, np.uint8)
    assert thing_face(image, 0.0, 299.0, 120.0, 40).shape == (40, 40, 3)
