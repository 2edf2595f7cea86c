"""Pages of any sheet: the sheets lie apart, inside the margins, and are drawn where it is said."""

import numpy as np
import pypdfium2
import pytest

from brikks_vision.errors import UnknownValue
from brikks_vision.layout import load_layout
from brikks_vision.printing.page import (
    CUTTING_GAP,
    MARGIN,
    PAPERS,
    SHEETS_PER_PAGE,
    page_layout,
    pdf_of_sheets,
)
from brikks_vision.printing.shapes import draw_rectangle
from simulation.paper.print_raster import sheet_origin_on_page

every_page = pytest.mark.parametrize(
    ("name", "paper", "count"),
    [
        (name, paper, count)
        for name in ("brikks-light", "bloxx")
        for paper in PAPERS
        for count in SHEETS_PER_PAGE
    ],
)


@every_page
def test_sheets_lie_apart_and_inside_the_margins(name, paper, count):
    layout = load_layout(name)
    page = page_layout(paper, count, layout)
    width, height = layout.page.width * page.cell, layout.page.height * page.cell
    gap = CUTTING_GAP * page.cell
    assert len(page.origins) == count
    for index, (left, top) in enumerate(page.origins):
        assert left >= MARGIN - 1e-6 and left + width <= page.width - MARGIN + 1e-6
        assert top >= MARGIN - 1e-6 and top + height <= page.height - MARGIN + 1e-6
        for other_left, other_top in page.origins[:index]:
            apart = max(abs(left - other_left) - width, abs(top - other_top) - height)
            assert apart >= gap - 1e-6


@every_page
def test_each_sheet_is_drawn_at_its_origin_with_its_index(name, paper, count):
    layout = load_layout(name)
    grays = [f"#{40 * index:02x}{40 * index:02x}{40 * index:02x}" for index in range(count)]
    content = pdf_of_sheets(
        "grays",
        page_layout(paper, count, layout),
        layout.page,
        [lambda canvas, index: draw_rectangle(canvas, layout.grid.box, fill=grays[index])],
    )
    with pypdfium2.PdfDocument(content) as document:
        assert len(document) == 1
        image = document[0].render(scale=1).to_numpy()
    for index in range(count):
        x0, y0, cell = sheet_origin_on_page(paper, count, index, layout)
        rows, columns = layout.grid.rows, layout.grid.columns
        inside = image[
            round(y0) + 2 : round(y0 + rows * cell) - 2,
            round(x0) + 2 : round(x0 + columns * cell) - 2,
        ]
        assert np.abs(inside.astype(int) - 40 * index).max() <= 1
        assert image[round(y0) - 2, round(x0) - 2].min() == 255


@pytest.mark.parametrize(("count", "lines"), [(1, 0), (2, 1), (4, 2)])
def test_lines_to_cut_along(count, lines):
    page = page_layout("a4", count, load_layout("bloxx"))
    content = pdf_of_sheets("empty", page, load_layout("bloxx").page, [lambda canvas, index: None])
    with pypdfium2.PdfDocument(content) as document:
        assert len(list(document[0].get_objects())) == lines


@pytest.mark.parametrize(("paper", "count"), [("a3", 1), ("a4", 3), ("a4", 0)])
def test_other_papers_and_numbers_of_sheets_are_refused(paper, count):
    with pytest.raises(UnknownValue):
        page_layout(paper, count, load_layout("bloxx"))


def test_a_game_may_print_fewer_sheets_a_page():
    with pytest.raises(UnknownValue, match="1, 2"):
        page_layout("a4", 4, load_layout("brikks-light"), allowed=(1, 2))
