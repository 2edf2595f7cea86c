"""The printed sheet, looked at as pixels: is everything where the layout says?"""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise, product
from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from brikks_vision.errors import OutputNotWritable, UnknownValue
from brikks_vision.files import write_whole
from brikks_vision.games.bloxx.pdf import STYLES, sheet_pdf
from brikks_vision.layout import CELL, Box, Field, Point, load_layout
from brikks_vision.printing.page import MARGIN, PAPERS, SHEETS_PER_PAGE, page_layout
from brikks_vision.rules.bloxx.sheet import parse_sheet
from brikks_vision.text.languages import LANGUAGES
from brikks_vision.text.phrases import translator
from simulation.paper.print_raster import rasterize, sheet_origin_on_page

DOTS_PER_INCH = 200
LAYOUT = load_layout("bloxx")
SHEET = parse_sheet(LAYOUT.printed, LAYOUT.grid.rows, LAYOUT.grid.columns)

Image = NDArray[np.uint8]

every_page = pytest.mark.parametrize(
    ("paper", "sheets_per_page"), list(product(PAPERS, SHEETS_PER_PAGE))
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int], Path]:
    folder = tmp_path_factory.mktemp("printed")
    files = {}
    for paper, count in product(PAPERS, SHEETS_PER_PAGE):
        files[paper, count] = folder / f"{paper}-{count}.pdf"
        write_whole(files[paper, count], sheet_pdf(LAYOUT, paper, count))
    return files


def pixel(paper: str, sheets_per_page: int, index: int, point: Point) -> Point:
    """Where a point of the sheet frame (cells) is in the rasterized page (px)."""
    x0, y0, cell = sheet_origin_on_page(paper, sheets_per_page, index, LAYOUT)
    scale = DOTS_PER_INCH / 72
    return (x0 + point[0] * cell) * scale, (y0 + point[1] * cell) * scale


def part(image: Image, box: Box, paper: str = "a4", count: int = 1, index: int = 0) -> Image:
    left, top = pixel(paper, count, index, (box.left, box.top))
    right, bottom = pixel(paper, count, index, (box.right, box.bottom))
    return image[round(top) : round(bottom), round(left) : round(right)]


def place(field: Field, at: int, share: float = 1.0) -> Box:
    (x, y), (width, height) = field.centres[at], field.size
    return Box(
        x - share * width / 2, y - share * height / 2, x + share * width / 2, y + share * height / 2
    )


def found_markers(image: Image) -> dict[int, Image]:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, LAYOUT.markers.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    if ids is None:
        return {}
    return {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}


@every_page
def test_markers_are_found_at_their_places(printed, paper, sheets_per_page):
    found = found_markers(rasterize(printed[paper, sheets_per_page], 0, DOTS_PER_INCH))
    first, markers = LAYOUT.markers.first, LAYOUT.markers
    assert sorted(found) == list(range(first, first + 4 * sheets_per_page))
    cell = page_layout(paper, sheets_per_page, LAYOUT).cell * DOTS_PER_INCH / 72
    for index, (corner, (x, y)) in product(range(sheets_per_page), enumerate(markers.centres)):
        half = markers.size / 2
        square = [(x - half, y - half), (x + half, y - half), (x + half, y + half)]
        square.append((x - half, y + half))
        expected = [pixel(paper, sheets_per_page, index, point) for point in square]
        # The detector counts from pixel centres, the page from its edge.
        off = np.abs(found[first + 4 * index + corner] + 0.5 - expected) / cell
        assert off.max() < 0.06


@every_page
def test_grid_lines_are_where_the_layout_says(printed, paper, sheets_per_page):
    image = rasterize(printed[paper, sheets_per_page], 0, DOTS_PER_INCH).min(axis=2)
    cell = page_layout(paper, sheets_per_page, LAYOUT).cell * DOTS_PER_INCH / 72
    reach = round(0.15 * cell)
    for index, column in product(range(sheets_per_page), range(LAYOUT.grid.columns + 1)):
        x, y = pixel(paper, sheets_per_page, index, (column, 0.15))
        profile = 255.0 - image[round(y), round(x) - reach : round(x) + reach]
        middle = np.average(np.arange(2 * reach) + 0.5, weights=profile - profile.min())
        assert round(x) - reach + middle == pytest.approx(x, abs=max(0.7, 0.05 * cell))
    for index, row in product(range(sheets_per_page), range(LAYOUT.grid.rows + 1)):
        x, y = pixel(paper, sheets_per_page, index, (0.15, row))
        assert image[round(y) - 1 : round(y) + 1, round(x)].min() < 160


def test_each_row_has_its_color_and_no_other_has_one(printed):
    image = rasterize(printed["a4", 1], 0, DOTS_PER_INCH)
    colors = {printed_row.row: printed_row.color for printed_row in SHEET.colored_rows}
    for row in range(SHEET.rows):
        corner = np.median(part(image, Box(0.1, row + 0.1, 0.2, row + 0.9)), axis=(0, 1))
        if row not in colors:
            assert (corner == 255).all()
            continue
        red, green, blue = (int(LAYOUT.colors[colors[row]][i : i + 2], 16) for i in (1, 3, 5))
        full = np.array([blue, green, red])
        tint = (255 - corner) / np.maximum(255 - full, 1)
        assert tint == pytest.approx(tint.mean(), abs=0.03)
        assert 0.2 < tint.mean() < 0.6


def test_numbers_stand_in_their_cells_and_in_no_others(printed):
    image = rasterize(printed["a4", 1], 0, DOTS_PER_INCH)
    cells, numbered = LAYOUT.fields[CELL], {number.cell for number in SHEET.numbers}
    for at, cell in enumerate(SHEET.cells):
        middle = part(image, place(cells, at, 0.6)).astype(int)
        assert (np.ptp(middle, axis=(0, 1)).max() > 100) == (cell in numbered)


def test_bonuses_and_figures_stand_in_framed_boxes(printed):
    image = rasterize(printed["a4", 1], 0, DOTS_PER_INCH).min(axis=2)
    bonus = LAYOUT.fields["bonus"]
    for at in range(len(bonus.centres)):
        inside = part(image, place(bonus, at, 0.8))
        assert inside.max() == 255 and inside.min() < 120  # a figure on white
    for field in LAYOUT.figures.values():
        assert part(image, place(field, 0, 0.85)).min() == 255
        box = place(field, 0)
        for edge in (
            Box(box.left - 0.05, box.top, box.left + 0.05, box.bottom),
            Box(box.right - 0.05, box.top, box.right + 0.05, box.bottom),
        ):
            assert part(image, edge).min(axis=1).max() < 160


def test_fields_for_words_are_empty_but_for_their_captions(printed):
    image = rasterize(printed["a4", 1], 0, DOTS_PER_INCH)
    assert {"name", "date"} == set(LAYOUT.words)
    for box in LAYOUT.words.values():
        inside = Box(box.left + 0.1, box.top + 0.4, box.right - 0.1, box.bottom - 0.1)
        assert (part(image, inside) == 255).all()


@every_page
def test_two_pages_with_white_margins(printed, paper, sheets_per_page):
    path = printed[paper, sheets_per_page]
    with pypdfium2.PdfDocument(path) as document:
        assert len(document) == 2
        assert sorted(document[0].get_size()) == pytest.approx(sorted(PAPERS[paper]), abs=0.1)
        for page in document:
            shapes = [item.type for item in page.get_objects()]
            assert shapes and pypdfium2.raw.FPDF_PAGEOBJ_IMAGE not in shapes
    for page in (0, 1):
        image = rasterize(path, page, 72)
        margin = int(MARGIN)
        inside = np.zeros(image.shape[:2], bool)
        inside[margin:-margin, margin:-margin] = True
        assert (image[~inside] == 255).all()


def test_the_back_shows_each_shape_of_the_dice_once(printed):
    """As many circles are drawn as there are sides of dice."""
    image = rasterize(printed["a4", 1], 1, DOTS_PER_INCH).astype(int)
    accent = (np.abs(image - [0x7F, 0x32, 0xC8]).max(axis=2) < 40).astype(np.uint8)
    _count, _, stats, _ = cv2.connectedComponentsWithStats(accent)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    assert (sizes > 0.3 * sizes.max()).sum() == sum(len(die) for die in SHEET.dice) == 12


def words_on(content: bytes, page: int) -> str:
    with pypdfium2.PdfDocument(content) as document:
        return str(document[page].get_textpage().get_text_range())


@pytest.mark.parametrize(
    ("language", "front", "back"),
    [
        ("en", ["Name", "Date", "coloured", "TOTAL"], ["LIGHT DIE", "DARK DIE", "two ordinary"]),
        ("de", ["Datum", "Lücken und", "SUMME"], ["HELLER WÜRFEL", "gewöhnlichen", "Kreuz"]),
        ("fr", ["Nom", "cases vides", "TOTAL"], ["DÉ CLAIR", "DÉ FONCÉ", "ordinaires"]),
        ("es", ["Nombre", "Fecha", "huecos y", "TOTAL"], ["DADO CLARO", "corrientes", "círculo"]),
    ],
)
def test_all_words_are_in_the_chosen_language(language, front, back):
    content = sheet_pdf(LAYOUT, words=translator(language))
    for page, expected in enumerate((front, back)):
        assert [words for words in expected if words not in words_on(content, page)] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_caption_is_wider_than_its_place(tmp_path, language):
    """Between the boxes for figures, below them, the paper is white."""
    path = tmp_path / "sheet.pdf"
    write_whole(path, sheet_pdf(LAYOUT, words=translator(language)))
    image = rasterize(path, 0, DOTS_PER_INCH)
    boxes = sorted((place(field, 0) for field in LAYOUT.figures.values()), key=lambda b: b.left)
    for one, other in pairwise(boxes):
        middle = (one.right + other.left) / 2
        between = Box(middle - 0.02, one.bottom + 0.1, middle + 0.02, LAYOUT.page.bottom)
        assert (part(image, between) == 255).all()


def test_a_sheet_without_dice_has_no_back():
    diceless = {name: data for name, data in LAYOUT.printed.items() if name != "dice"}
    content = sheet_pdf(replace(LAYOUT, printed=diceless))
    with pypdfium2.PdfDocument(content) as document:
        assert len(document) == 1


def test_the_same_sheet_is_the_same_file():
    assert sheet_pdf(LAYOUT, "a4", 4) == sheet_pdf(LAYOUT, "a4", 4)


@pytest.mark.parametrize("name", ["missing/sheet.pdf", "folder"])
def test_unwritable_place_is_named_and_left_as_it_was(tmp_path, name):
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OutputNotWritable, match=name):
        write_whole(tmp_path / name, sheet_pdf(LAYOUT))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("paper", "sheets_per_page", "style"),
    [("a3", 1, "light"), ("a4", 3, "light"), ("a4", 1, "neon")],
)
def test_unknown_choices_are_refused(tmp_path, paper, sheets_per_page, style):
    with pytest.raises(UnknownValue):
        write_whole(tmp_path / "sheet.pdf", sheet_pdf(LAYOUT, paper, sheets_per_page, style))
    assert not list(tmp_path.iterdir())
    assert "light" in STYLES
