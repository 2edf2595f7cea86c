"""The fast pass reads the places that the full pass reads."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from brikks_vision.detect import fast
from brikks_vision.detect.bars import bar_centres
from brikks_vision.detect.marks import READER_PIXELS, mark_places
from brikks_vision.detect.template import draw_template
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
    x, y = darkest(fast.grid_view(flat_with_spot(*points[at]), SHEET))
    ((row, column),) = fast.fast_places(points[at : at + 1], fast.fast_area(SHEET))
    middle = (np.array([column, row]) + 0.5) * fast.FAST_STRIDE - 0.5
    np.testing.assert_allclose((x, y), middle, atol=1.0)


@pytest.mark.parametrize("at", [0, 13, 14, 27, 28, 42, 43, 45])
def test_a_patch_of_the_bars_has_its_mark_in_the_middle(at: int) -> None:
    views = fast.bar_views(flat_with_spot(*bar_centres(SHEET)[at]), SHEET)
    np.testing.assert_allclose(darkest(views[at]), (fast.FAST_SIDE - 1) / 2, atol=1.0)


def test_the_template_is_cut_as_the_photo_is() -> None:
    whole = draw_template(SHEET, AREA, READER_PIXELS)[..., 1:]
    np.testing.assert_array_equal(fast.bar_view_templates(SHEET), fast.bar_views(whole, SHEET))
    assert fast.bar_view_templates(SHEET).reshape(len(bar_centres(SHEET)), -1).any(1).all()
