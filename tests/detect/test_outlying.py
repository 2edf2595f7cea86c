"""Sheets beyond the edge of the photo."""

from __future__ import annotations

import numpy as np
import pytest

from brikks_vision.detect.align import is_out_of_sight
from brikks_vision.detect.placement import Placement
from brikks_vision.layout import load_layout

SHEET = load_layout("brikks")
AREA = SHEET.reading_area
FLAT = np.zeros((12, 2))


@pytest.mark.parametrize(("cells", "gone"), [(0, False), (10, False), (40, True)])
def test_a_sheet_far_beyond_the_picture_is_not_followed(cells: int, gone: bool) -> None:
    matrix = np.array([[20.0, 0, 60 + 20 * cells], [0, 20, 60], [0, 0, 1]])
    seen = Placement(matrix, FLAT, AREA, "lattice", 0.0)
    assert is_out_of_sight(seen, np.zeros((500, 400, 3), np.uint8), load_layout("brikks")) is gone
