"""Boxes for figures, and lines to write them on, found on drawn pictures."""

import itertools

import cv2
import numpy as np

from brikks_vision.games.bloxx.figure_boxes import find_figure_boxes
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
