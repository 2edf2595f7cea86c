"""Lines to write on, found on drawn pictures."""

import cv2

from brikks_vision.detect.template import find_lines
from tests.drawn_boxes import AREA, PIXELS, at, page, with_lines


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
