"""The fast pass reads the places that the full pass reads."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from brikks_vision.detect import marks
from brikks_vision.detect.marks import READER_PIXELS, mark_places
from brikks_vision.layout import load_layout
from tests.known_sheets import mark_centres

SHEET = load_layout("brikks")
AREA = SHEET.reading_area
FLAT_SIZE = round(AREA.width * READER_PIXELS), round(AREA.height * READER_PIXELS)


def flat_with_spot(x: float, y: float) -> np.ndarray:
    """A straightened white sheet with a black spot at a point, in cells."""
    flat = np.full((FLAT_SIZE[1], FLAT_SIZE[0], 3), 255, np.uint8)
    at = round((x - AREA.left) * READER_PIXELS - 0.5), round((y - AREA.top) * READER_PIXELS - 0.5)
    cv2.circle(flat, at, 4, (0, 0, 0), -1)
    return flat


def darkest(picture: np.ndarray) -> tuple[float, float]:
    """The middle (x, y) of what is black in a picture, px."""
    rows, columns = np.nonzero(picture[..., 0] < 128)
    return float(columns.mean()), float(rows.mean())


@pytest.mark.parametrize("at", [0, 37, 109, 110, 250, 350])
def test_an_output_stands_on_every_mark_of_the_grid(at: int) -> None:
    points = mark_centres(SHEET)
    told = [mark_places(SHEET, name) for name in ("reader", "fast_reader")]
    keys = [[key for key, *_ in each] for each in told]
    assert keys[0][: len(keys[1])] == keys[1]
    x, y = darkest(marks.grid_view(flat_with_spot(*points[at]), SHEET))
    ((row, column),) = marks.fast_places(points[at : at + 1], marks.fast_area(SHEET))
    middle = (np.array([column, row]) + 0.5) * marks.FAST_STRIDE - 0.5
    np.testing.assert_allclose((x, y), middle, atol=1.0)
