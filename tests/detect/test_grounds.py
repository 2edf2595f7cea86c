"""Grounds of cells, and which rows are tinted."""

import numpy as np

from brikks_vision.detect.ground import OFFSET, cell_grounds, row_tints
from brikks_vision.detect.pen import median


def test_five_rows_of_nine_may_be_tinted() -> None:
    tinted = [3, 4, 5, 6, 7]
    grounds = np.log(np.full((9, 7, 3), 200.0) + OFFSET)
    for at, row in enumerate(tinted):
        grounds[row, :, at % 3] -= 0.2
    tints = np.linalg.norm(row_tints(grounds), axis=1)
    assert all((strength > 0.1) is (row in tinted) for row, strength in enumerate(tints.tolist()))


def test_a_ground_is_what_lies_near_the_corners_of_a_cell() -> None:
    flat = np.full((24, 36, 3), 100, np.uint8)
    flat[:, 12:24] = 50
    flat[5:7, 5:7] = 0  # a number
    found = np.exp(cell_grounds(flat, 2, 3)) - OFFSET
    assert np.allclose(found[:, 1], 50)
    assert np.allclose(found[:, [0, 2]], 100)


def test_medians_of_few_values() -> None:
    values = np.array([5.0, 1.0, 4.0, 2.0], np.float32)
    assert median(values) == np.median(values)
    assert median(values[:3]) == np.median(values[:3])
