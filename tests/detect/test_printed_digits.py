"""Digits of a grid, whichever of two ways it stands."""

import cv2
import numpy as np

from brikks_vision.detect.printed_digits import glyphs_in_cells, turned_over

SIDE = 48


def test_a_grid_that_is_turned_over_has_the_same_digits() -> None:
    grid = np.full((3 * SIDE, 3 * SIDE, 3), 235, np.uint8)
    for at, digit in enumerate("234"):
        place = (at * SIDE + 14, at * SIDE + 34)
        cv2.putText(grid, digit, place, cv2.FONT_HERSHEY_SIMPLEX, 0.9, (40, 40, 40), 2)
    over = np.ascontiguousarray(grid[::-1, ::-1])
    expected = {glyph.centre for glyph in glyphs_in_cells(over, SIDE)}
    found = {glyph.centre for glyph in turned_over(glyphs_in_cells(grid, SIDE), grid)}
    assert found
    assert all(min(np.hypot(x - a, y - b) for a, b in expected) < 1.5 for x, y in found)
