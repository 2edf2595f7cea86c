"""Boxes for figures, and lines to write them on, found on drawn pictures."""

import itertools

import cv2

from brikks_vision.games.bloxx.figure_boxes import find_figure_boxes
from tests.drawn_boxes import AREA, PIXELS, at, page, with_lines


def test_four_lines_are_the_places_of_the_figures() -> None:
    found = find_figure_boxes(with_lines(), AREA, PIXELS, [], AREA)
    assert len(found) == 4
    assert all(one.right < other.left for one, other in itertools.pairwise(found))


def test_a_box_that_is_broken_is_told_by_three_that_look_like_it() -> None:
    picture = page()
    for number in range(4):
        left = 0.6 + 2.1 * number
        cv2.rectangle(picture, at(left, 2.0), at(left + 1.5, 2.9), (60, 60, 60), 2)
    cv2.line(picture, at(7.2, 1.5), at(7.2, 3.2), (230, 230, 230), 7)  # a gap in its outline
    found = find_figure_boxes(picture, AREA, PIXELS, [], AREA)
    assert len(found) == 4
    assert abs(found[-1].middle[0] - 7.65) < 0.15
