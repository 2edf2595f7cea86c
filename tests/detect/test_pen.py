"""The pen as the crosses show it, and what of a picture is like its ink."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from brikks_vision.detect.pen import ink_likeness, pen_colors
from brikks_vision.layout import Layout, load_layout
from brikks_vision.rules.brikks.sheet import load_sheet

PER_CELL = 24
PAPERS = [(235, 240, 240), (60, 170, 235), (200, 120, 230)]  # BGR, a zone each
INK = (130, 50, 20)


@pytest.fixture
def definition() -> Layout:
    return load_layout("brikks")


@pytest.fixture
def crossed(definition: Layout) -> NDArray[np.bool_]:
    marked = np.zeros((definition.grid.rows, definition.grid.columns), bool)
    marked[-4:, 1:8] = True
    marked[4, 2] = True
    return marked


def draw_grid(
    crossed: NDArray[np.bool_], definition: Layout, ink: tuple[int, int, int], width: int
) -> NDArray[np.uint8]:
    """The reading area with zones in their colours and crosses of that ink, so many px wide."""
    area = definition.reading_area
    size = (round(area.height * PER_CELL), round(area.width * PER_CELL), 3)
    flat = np.full(size, 128, np.uint8)

    def at(row: float, column: float) -> tuple[int, int]:
        return round((column - area.left) * PER_CELL), round((row - area.top) * PER_CELL)

    for zone, paper in zip(definition.grid.zones, PAPERS, strict=True):
        corners = at(zone.first, 0), at(zone.last + 1, definition.grid.columns)
        cv2.rectangle(flat, *corners, paper, -1)
    for row, column in np.argwhere(crossed):
        cv2.line(flat, at(row + 0.15, column + 0.15), at(row + 0.85, column + 0.85), ink, width)
        cv2.line(flat, at(row + 0.15, column + 0.85), at(row + 0.85, column + 0.15), ink, width)
    return flat


@pytest.mark.parametrize("width", [2, 4, 9])
def test_pen_is_the_ink_of_the_crosses(
    width: int, crossed: NDArray[np.bool_], definition: Layout
) -> None:
    paper, ink = pen_colors(
        draw_grid(crossed, definition, INK, width), crossed, ~crossed, definition
    )
    assert np.abs(ink - INK).max() < 5
    assert min(np.abs(paper - each).max() for each in PAPERS) < 5


def test_pen_of_a_blank_sheet_is_not_known(definition: Layout) -> None:
    nothing = np.zeros((definition.grid.rows, definition.grid.columns), bool)
    pen = pen_colors(draw_grid(nothing, definition, INK, 3), nothing, ~nothing, definition)
    assert np.isnan(pen).all()
    assert not ink_likeness(np.full((2, 4, 4, 3), 90, np.uint8), pen).any()


def test_pen_of_a_full_grid_is_not_known(definition: Layout) -> None:
    """Without an empty cell nothing tells the paper."""
    everything = np.ones((definition.grid.rows, definition.grid.columns), bool)
    pen = pen_colors(draw_grid(everything, definition, INK, 3), everything, ~everything, definition)
    assert np.isnan(pen).all()


def test_ink_is_like_ink_and_paper_is_not() -> None:
    pen = np.array([PAPERS[0], INK], np.float32)
    pixels = np.array([[INK], [PAPERS[0]]], np.uint8)[None]
    ((near_ink, lacking_as_ink),), ((near_paper, lacking_as_paper),) = ink_likeness(pixels, pen)[0]
    assert near_ink == 255
    assert near_paper < 40
    assert abs(int(lacking_as_ink) - 191) < 6
    assert abs(int(lacking_as_paper) - 64) < 2


def test_other_ink_of_the_same_darkness_is_less_like_it() -> None:
    pen = np.array([PAPERS[0], INK], np.float32)
    red = INK[::-1]
    likeness = ink_likeness(np.array([[[INK, red]]], np.uint8), pen)[0, 0]
    assert (likeness[0] > likeness[1].astype(int) + 40).all()


def test_a_printed_circle_is_no_ink(definition: Layout) -> None:
    """Of five crosses one is on a black circle, which is farther from the paper than the pen."""
    crossed = np.zeros((definition.grid.rows, definition.grid.columns), bool)
    row, column = load_sheet().circles[0].cell
    crossed[row] = True
    crossed[row, [at for at in range(definition.grid.columns) if at != column][4:]] = False
    flat = draw_grid(crossed, definition, INK, 3)
    left, top = definition.reading_area.left, definition.reading_area.top
    middle = round((column + 0.5 - left) * PER_CELL), round((row + 0.5 - top) * PER_CELL)
    cv2.circle(flat, middle, PER_CELL // 3, (0, 0, 0), -1)
    _, ink = pen_colors(flat, crossed, ~crossed, definition)
    assert np.abs(ink - INK).max() < 5
