"""A thing of another colour on a place than its kind has."""

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
    marks = arcade.evidence.marks.with_logits({(CELL, Mark.CROSS): np.full_like(crosses, -9.0)})
    places = foreign_places(flat, marks, arcade.layout)
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
