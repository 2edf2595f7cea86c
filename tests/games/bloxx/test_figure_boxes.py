"""Boxes for figures, and lines to write them on, found on drawn pictures."""

import itertools

import cv2
import numpy as np

from brikks_vision.games.bloxx.learn import find_figure_boxes
from tests.drawn_boxes import AREA, at, page, with_lines


def test_four_lines_are_the_places_of_the_figures() -> None:
    found = find_figure_boxes(with_lines(), AREA, [])
    assert len(found) == 4
    assert all(one.right < other.left for one, other in itertools.pairwise(found))


def test_lines_close_below_each_other_are_written_on() -> None:
    picture = page()
    for number in range(4):
        y = 1.2 + 0.8 * number
        cv2.line(picture, at(5.0, y), at(6.8, y), (60, 60, 60), 2)
    found = find_figure_boxes(picture, AREA, [])
    assert np.allclose([box.bottom for box in found], [1.2, 2.0, 2.8, 3.6], atol=0.1)
