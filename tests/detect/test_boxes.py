"""Lines to write on, found on drawn pictures."""

import cv2
import numpy as np

from brikks_vision.detect.boxes import find_lines
from brikks_vision.layout import Box

PIXELS = 32
AREA = Box(0.0, 0.0, 9.0, 5.0)


def page() -> np.ndarray:
    return np.full((round(AREA.height * PIXELS), round(AREA.width * PIXELS), 3), 230, np.uint8)


def at(x: float, y: float) -> tuple[int, int]:
    return round(x * PIXELS), round(y * PIXELS)


def with_lines() -> np.ndarray:
    """Four lines in a row, each 1.5 cells long."""
    picture = page()
    for number in range(4):
        left = 0.6 + 2.1 * number
        cv2.line(picture, at(left, 3.0), at(left + 1.5, 3.0), (60, 60, 60), 2)
    return picture


def test_what_is_written_on_a_line_stands_above_it() -> None:
    lines = find_lines(with_lines(), AREA, PIXELS)
    assert len(lines) == 4
    for line in lines:
        assert abs(line.bottom - 3.0) < 0.1
        assert abs(line.width - 1.5) < 0.2


def test_the_upper_side_of_a_box_is_no_line() -> None:
    picture = page()
    cv2.rectangle(picture, at(2, 2), at(3.5, 3), (60, 60, 60), 2)
    assert all(line.bottom > 2.5 for line in find_lines(picture, AREA, PIXELS))
