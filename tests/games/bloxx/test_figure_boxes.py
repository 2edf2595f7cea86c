"""Boxes for figures, and lines to write them on, found on drawn pictures."""

import itertools

import cv2
import numpy as np

from brikks_vision.games.bloxx.figure_boxes import find_figure_boxes
from tests.drawn_boxes import AREA, PIXELS, at, page, with_lines


def test_four_lines_are_the_places_of_the_figures() -> None:
    found = find_figure_boxes(with_lines(), AREA, PIXELS, [], AREA)
    assert len(found) == 4
    assert all(one.right < other.left for one, other in itertools.pairwise(found))


def test_lines_close_below_each_other_are_written_on() -> None:
    picture = page()
    for number in range(4):
        y = 1.2 + 0.8 * number
        cv2.line(picture, at(5.0, y), at(6.8, y), (60, 60, 60), 2)
    found = find_figure_boxes(picture, AREA, PIXELS, [], AREA)
    assert np.allclose([box.bottom for box in found], [1.2, 2.0, 2.8, 3.6], atol=0.1)


def test_boxes_of_a_picture_beside_the_print_are_none_for_figures() -> None:
    bonuses = [Box(0.6, 0.3, 1.2, 0.9), Box(1.3, 0.3, 1.9, 0.9)]
    picture = with_lines()
    cv2.rectangle(picture, at(0.0, 3.3), at(9.0, 5.0), (40, 20, 90), -1)
    for number in range(4):
        left = 0.4 + 2.1 * number
        cv2.rectangle(picture, at(left, 3.7), at(left + 1.8, 4.6), (160, 90, 190), 2)
    found = find_figure_boxes(picture, AREA, PIXELS, [Box(0, -9, 9, 0), *bonuses], AREA)
    assert [round(box.bottom, 1) for box in found] == [3.0] * 4
