"""Grids of any size are found by their cells; printed digits and coloured rows are read."""

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from brikks_vision.detect.cells import (
    FoundGrid,
    find_grids,
    line_shares,
    resized,
)
from brikks_vision.detect.ground import OFFSET, cell_grounds, chroma, row_tints
from brikks_vision.detect.pen import median
from brikks_vision.detect.placement import apply_homography
from brikks_vision.detect.printed_digits import digit_shapes, glyphs, likeness
from brikks_vision.detect.template import find_boxes, find_lines
from brikks_vision.layout import Box
from tests.drawn_boxes import AREA, PIXELS, at, page, with_lines

Image = NDArray[np.uint8]
CELL = 60  # px


def drawn_grid(rows: int, columns: int, colored: dict[int, tuple[int, int, int]]) -> Image:
    """A grid on white paper with a margin of one cell; rows in BGR colours."""
    paper = np.full(((rows + 2) * CELL, (columns + 2) * CELL, 3), 245, np.uint8)
    for row, color in colored.items():
        paper[(row + 1) * CELL : (row + 2) * CELL, CELL:-CELL] = color
    for row in range(rows + 1):
        y = (row + 1) * CELL
        cv2.line(paper, (CELL, y), ((columns + 1) * CELL, y), (90, 90, 90), 2, cv2.LINE_AA)
    for column in range(columns + 1):
        x = (column + 1) * CELL
        cv2.line(paper, (x, CELL), (x, (rows + 1) * CELL), (90, 90, 90), 2, cv2.LINE_AA)
    return paper


def corners(rows: int, columns: int) -> NDArray[np.float64]:
    box = Box(CELL, CELL, (columns + 1) * CELL, (rows + 1) * CELL)
    return np.array(box.corners, float)


def farthest(found: NDArray[np.float64], true: NDArray[np.float64]) -> float:
    """Of four corners, whichever of them comes first, px."""
    return min(float(np.abs(np.roll(found, at, axis=0) - true).max()) for at in range(4))


@pytest.mark.parametrize(("rows", "columns"), [(10, 7), (12, 8), (8, 6), (5, 9)])
def test_a_grid_of_any_size_is_found(rows: int, columns: int) -> None:
    grids = find_grids(drawn_grid(rows, columns, {2: (120, 190, 240)}))
    assert sorted((grids[0].rows, grids[0].columns)) == sorted((rows, columns))
    assert farthest(grids[0].corners, corners(rows, columns)) < 0.1 * CELL


@pytest.mark.parametrize("turn", [-70, -20, 35, 170])
def test_a_grid_is_found_at_a_slant(turn: int) -> None:
    paper = drawn_grid(10, 7, {1: (60, 160, 240), 6: (160, 80, 140)})
    height, width = paper.shape[:2]
    matrix = np.vstack([cv2.getRotationMatrix2D((width / 2, height / 2), turn, 0.9), [0, 0, 1]])
    matrix[:2, 2] += 250
    matrix[2, 1] = 2e-4
    photo = np.asarray(cv2.warpPerspective(paper, matrix, (1200, 1200), borderValue=(60, 70, 80)))
    grids = find_grids(np.asarray(photo, np.uint8))
    assert sorted((grids[0].rows, grids[0].columns)) == [7, 10]
    true = apply_homography(matrix, corners(10, 7))
    assert farthest(grids[0].corners, true) < 0.15 * CELL


@pytest.mark.parametrize("sides", [(2, 2, 2, 2), (2, 3, 2, 2), (3, 2, 2, 1)])
def test_lines_tell_which_rows_and_columns_are_of_the_grid(sides: tuple[int, ...]) -> None:
    paper = cv2.copyMakeBorder(drawn_grid(10, 7, {1: (60, 160, 240)}), *(2 * CELL,) * 4,
                               cv2.BORDER_REPLICATE)  # fmt: skip
    cells = np.array([[x + 0.5, y + 0.5] for x in range(7) for y in range(10)])
    grid = FoundGrid(10, 7, cells, CELL * (cells + 3))
    left, top, right, bottom = sides
    larger = resized(grid, (left, top, right, bottom))
    assert (larger.rows, larger.columns) == (10 + top + bottom, 7 + left + right)
    rows, columns = line_shares(np.asarray(paper, np.uint8), larger, 2)
    assert [*np.flatnonzero(rows > 0.5)] == [*range(top, top + 10)]
    assert [*np.flatnonzero(columns > 0.5)] == [*range(left, left + 7)]
    assert resized(larger, (-left, -top, -right, -bottom)).size == grid.size


def test_plain_paper_has_no_grid() -> None:
    assert find_grids(np.full((800, 600, 3), 230, np.uint8)) == []


@pytest.mark.parametrize("font", [cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_TRIPLEX])
@pytest.mark.parametrize("value", [2, 3, 4])
@pytest.mark.parametrize("is_light", [False, True])
def test_digits_are_read_on_discs_and_on_paper(font: int, value: int, is_light: bool) -> None:
    patch = np.full((48, 48, 3), 240, np.uint8)
    if is_light:
        cv2.circle(patch, (24, 24), 17, (150, 70, 40), -1, cv2.LINE_AA)
    ink = (245, 245, 245) if is_light else (40, 40, 60)
    (width, height), _ = cv2.getTextSize(str(value), font, 0.8, 2)
    at = (24 - width // 2, 24 + height // 2)
    cv2.putText(patch, str(value), at, font, 0.8, ink, 2, cv2.LINE_AA)
    found = glyphs(patch, 48)
    like = likeness(found, digit_shapes((2, 3, 4))).max(axis=(0, 1))
    assert (2, 3, 4)[int(like.argmax())] == value
    assert like.max() > 0.75


def test_an_empty_cell_bears_no_digit() -> None:
    assert glyphs(np.full((48, 48, 3), 200, np.uint8), 48) == []


def test_tinted_rows_differ_in_hue_where_the_light_falls_off() -> None:
    paper = drawn_grid(10, 7, {1: (130, 190, 245), 4: (150, 220, 160), 8: (220, 170, 190)})
    light = np.linspace(1.0, 0.5, paper.shape[0])[:, None, None]
    dim = (paper * light).astype(np.uint8)[CELL:-CELL, CELL:-CELL]
    grounds = cell_grounds(dim, 10, 7)
    strengths = np.linalg.norm(row_tints(chroma(grounds)), axis=1)
    assert set(np.argsort(-strengths)[:3]) == {1, 4, 8}
    assert np.sort(strengths)[-3] > 5 * np.sort(strengths)[-4]


def test_boxes_are_found_where_they_are_drawn() -> None:
    paper = np.full((200, 400, 3), 240, np.uint8)
    for number in range(3):
        left = 20 + 120 * number
        cv2.rectangle(paper, (left, 50), (left + 90, 110), (60, 60, 60), 2)
    boxes = find_boxes(paper, Box(0.0, 0.0, 400 / 60, 200 / 60), 60)
    assert len(boxes) == 3
    assert min(abs(box.left * 60 - 20) for box in boxes) < 4


# --- grounds of cells, and which rows are tinted --------------------------------------------------


def test_five_rows_of_nine_may_be_tinted() -> None:
    tinted = [3, 4, 5, 6, 7]
    grounds = np.log(np.full((9, 7, 3), 200.0) + OFFSET)
    for number, row in enumerate(tinted):
        grounds[row, :, number % 3] -= 0.2
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


# --- lines to write on, found on drawn pictures ---------------------------------------------------


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
