"""A thing of another colour on a place than its kind has."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from brikks_vision.detect.marks import READER_PIXELS, rectify_for_reading
from brikks_vision.detect.unlike import foreign_places
from brikks_vision.layout import CELL, Mark
from brikks_vision.pipeline import ScanResult, scan_photo

GREEN, WHITE = (60, 200, 40), (250, 250, 250)


@pytest.fixture(scope="module")
def arcade() -> ScanResult:
    return scan_photo("samples/arcade.jpg")


def with_disc(
    arcade: ScanResult, field: str, place: int, color: tuple[int, int, int]
) -> np.ndarray:
    """The straightened sheet with a disc as wide as a cell on a place."""
    flat = rectify_for_reading(arcade.photo.image, arcade.placement, arcade.layout).copy()
    area, centre = arcade.layout.reading_area, arcade.layout.fields[field].centres[place]
    at = np.round((np.array(centre) - (area.left, area.top)) * READER_PIXELS).astype(int).tolist()
    cv2.circle(flat, at, READER_PIXELS // 2, color, -1, cv2.LINE_AA)
    return flat


def found(arcade: ScanResult, flat: np.ndarray) -> list[tuple[str, int]]:
    crosses = arcade.evidence.marks[CELL, Mark.CROSS]
    places = foreign_places(flat, crosses, arcade.layout)
    return [(name, int(at)) for name, each in places.items() for at in np.flatnonzero(each)]


@pytest.mark.parametrize(
    ("field", "place", "color"),
    [(CELL, 33, GREEN), (CELL, 95, GREEN), (CELL, 33, WHITE)],
)
def test_a_coloured_chip_is_found_where_it_lies(
    arcade: ScanResult, field: str, place: int, color: tuple[int, int, int]
) -> None:
    assert found(arcade, with_disc(arcade, field, place, color)) == [(field, place)]


def test_nothing_is_found_where_nothing_lies(arcade: ScanResult) -> None:
    flat = rectify_for_reading(arcade.photo.image, arcade.placement, arcade.layout)
    assert found(arcade, flat) == []


def test_a_shadow_is_no_thing(arcade: ScanResult) -> None:
    flat = rectify_for_reading(arcade.photo.image, arcade.placement, arcade.layout).copy()
    flat[: len(flat) // 3] = flat[: len(flat) // 3] // 2
    assert found(arcade, flat) == []


def test_a_chip_on_a_cross_is_hidden_and_the_range_holds_the_cross(arcade: ScanResult) -> None:
    photo = arcade.photo.image.copy()
    row, column = 3, 4
    assert arcade.reading.grid[row][column] == "X"
    corner = arcade.to_photo(np.array([[column + 0.5, row + 0.5], [column + 1.0, row + 0.5]]))
    radius = round(float(np.linalg.norm(corner[1] - corner[0])))
    cv2.circle(photo, np.round(corner[0]).astype(int).tolist(), radius, GREEN, -1, cv2.LINE_AA)
    reading = scan_photo(photo).reading
    assert "cell 3,4" in reading.covered
    assert reading.grid[row][column] == "?"
    low, high = reading.total_range
    assert low <= arcade.reading.score.total <= high
    assert reading.violations == ()
