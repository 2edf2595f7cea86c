"""The printed sheet, looked at as pixels: is everything where the sheet definition says?"""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from brikks_vision.errors import OutputNotWritable, UnknownValue
from brikks_vision.files import write_whole
from brikks_vision.games.brikks.pdf import STYLES, sheet_pdf
from brikks_vision.games.brikks.sheet_art import decoration_of
from brikks_vision.layout import Point, load_layout
from brikks_vision.printing.page import MARGIN, PAPERS, page_layout
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.text.languages import LANGUAGES
from brikks_vision.text.phrases import translator
from simulation.paper.print_raster import rasterize, sheet_origin_on_page

DOTS_PER_INCH = 150
SHEET = load_layout("brikks-light")

Image = NDArray[np.uint8]

every_layout = pytest.mark.parametrize(
    ("paper", "sheets_per_page", "index"),
    [(paper, count, index) for paper in PAPERS for count in (1, 2) for index in range(count)],
)


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, int, str], Path]:
    folder = tmp_path_factory.mktemp("printed")
    files = {}
    for paper in PAPERS:
        for count in (1, 2):
            for style in STYLES:
                path = folder / f"{paper}-{count}-{style}.pdf"
                write_whole(path, sheet_pdf(SHEET, paper, count, style))
                files[paper, count, style] = path
    return files


def pixel(paper: str, sheets_per_page: int, index: int, point: Point) -> Point:
    """Where a point of the sheet frame (cells) is in the rasterized page (px)."""
    x0, y0, cell = sheet_origin_on_page(paper, sheets_per_page, index, SHEET)
    scale = DOTS_PER_INCH / 72
    return (x0 + point[0] * cell) * scale, (y0 + point[1] * cell) * scale


def cell_pixels(paper: str, sheets_per_page: int) -> float:
    return page_layout(paper, sheets_per_page, SHEET).cell * DOTS_PER_INCH / 72


def color_at(image: Image, point: Point) -> tuple[int, int, int]:
    """Red, green, blue."""
    blue, green, red = image[round(point[1]), round(point[0])]
    return int(red), int(green), int(blue)


def found_markers(image: Image) -> dict[int, Image]:
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, SHEET.markers.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    if ids is None:
        return {}
    return {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}


@every_layout
def test_markers_are_found_at_their_places(printed, paper, sheets_per_page, index):
    image = rasterize(printed[paper, sheets_per_page, "light"], 0, DOTS_PER_INCH)
    markers = found_markers(image)
    assert sorted(markers) == list(range(4 * sheets_per_page))
    half, cell = SHEET.markers.size / 2, cell_pixels(paper, sheets_per_page)
    for corner, (x, y) in enumerate(SHEET.markers.centres):
        square = [(x - half, y - half), (x + half, y - half), (x + half, y + half)]
        square.append((x - half, y + half))
        expected = [pixel(paper, sheets_per_page, index, point) for point in square]
        # The detector counts from pixel centres, the page from its edge.
        off = np.abs(markers[4 * index + corner] + 0.5 - expected) / cell
        assert off.max() < 0.05


@pytest.mark.parametrize("style", STYLES)
@every_layout
def test_grid_lines_are_where_the_definition_says(printed, paper, sheets_per_page, index, style):
    image = rasterize(printed[paper, sheets_per_page, style], 0, DOTS_PER_INCH)
    gray = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    cell = cell_pixels(paper, sheets_per_page)

    def darkest(profile: NDArray[np.int64]) -> float:
        """Middle of the dark part of a profile across one line, px from its start."""
        darkness = profile.max() - profile.astype(float)
        return float(np.average(np.arange(len(profile)) + 0.5, weights=darkness))

    reach = round(0.15 * cell)
    for column in range(1, SHEET.grid.columns):
        x, y = pixel(paper, sheets_per_page, index, (column, 10.15))
        left = round(x) - reach
        line = gray[round(y), left : left + 2 * reach]
        assert left + darkest(line) == pytest.approx(x, abs=0.05 * cell)
    for row in range(1, SHEET.grid.rows):
        x, y = pixel(paper, sheets_per_page, index, (9.15, row))
        top = round(y) - reach
        line = gray[top : top + 2 * reach, round(x)]
        # Between two zones the grounds differ, which moves the middle a little.
        assert top + darkest(line) == pytest.approx(y, abs=0.06 * cell)


@pytest.mark.parametrize("style", STYLES)
def test_zones_and_circles_have_their_colors(printed, style):
    image = rasterize(printed["a4", 1, style], 0, DOTS_PER_INCH)
    grounds = [color_at(image, pixel("a4", 1, 0, (9.15, row + 0.15))) for row in range(11)]
    assert len(set(grounds[:1])) == len(set(grounds[1:6])) == len(set(grounds[6:])) == 1
    orange, light_orange, white = grounds[0], grounds[1], grounds[6]
    assert white == (255, 255, 255)
    assert orange[2] < light_orange[2] < 255
    hues = {}
    for circle in load_sheet().circles:
        row, column = circle.cell
        centre = color_at(image, pixel("a4", 1, 0, (column + 0.5, row + 0.5)))
        assert hues.setdefault(circle.color, centre) == centre
    assert len(set(hues.values())) == 6


def test_arcade_prints_the_definitions_colors(printed):
    image = rasterize(printed["a4", 1, "arcade"], 0, DOTS_PER_INCH)
    for circle in load_sheet().circles:
        row, column = circle.cell
        red, green, blue = color_at(image, pixel("a4", 1, 0, (column + 0.5, row + 0.5)))
        assert f"#{red:02x}{green:02x}{blue:02x}" == SHEET.colors[circle.color]


@pytest.mark.parametrize("sheets_per_page", [1, 2])
def test_arcade_has_no_markers(printed, sheets_per_page):
    image = rasterize(printed["a4", sheets_per_page, "arcade"], 0, DOTS_PER_INCH)
    assert found_markers(image) == {}


def test_only_light_has_a_total_field(printed):
    field = decoration_of(SHEET).total_field
    assert field is not None
    frame = [(field.left, field.top + 0.2), (field.right, field.top + 0.2)]
    inside = ((field.left + field.right) / 2, (field.top + field.bottom) / 2)
    light = rasterize(printed["a4", 1, "light"], 0, DOTS_PER_INCH)
    assert all(sum(color_at(light, pixel("a4", 1, 0, point))) < 300 for point in frame)
    assert color_at(light, pixel("a4", 1, 0, inside)) == (255, 255, 255)
    arcade = rasterize(printed["a4", 1, "arcade"], 0, DOTS_PER_INCH)
    assert sum(color_at(arcade, pixel("a4", 1, 0, inside))) < 300


def test_energy_points_lie_open_and_the_first_ones_are_ringed(printed):
    image = rasterize(printed["a4", 1, "light"], 0, 300)
    x0, y0, cell = sheet_origin_on_page("a4", 1, 0, SHEET)
    scale = 300 / 72
    weights = []
    for x, y in SHEET.fields["energy"].centres:
        left = round((x0 + (x - SHEET.fields["energy"].radius - 0.15) * cell) * scale)
        row = round((y0 + y * cell) * scale)
        profile = image[row, left : left + round(0.3 * cell * scale)].astype(int).min(axis=1)
        weights.append(int(np.count_nonzero(profile < 160)))
    ringed = [weights[point] for point in load_sheet().preprinted]
    others = [w for point, w in enumerate(weights) if point not in load_sheet().preprinted]
    assert min(others) > 0
    assert min(ringed) > 2 * max(others)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("sheets_per_page", [1, 2])
@pytest.mark.parametrize("style", STYLES)
def test_two_pages_with_white_margins(printed, paper, sheets_per_page, style):
    path = printed[paper, sheets_per_page, style]
    with pypdfium2.PdfDocument(path) as document:
        assert len(document) == 2
        assert sorted(document[0].get_size()) == pytest.approx(sorted(PAPERS[paper]), abs=0.1)
        for page in document:
            shapes = [item.type for item in page.get_objects()]
            assert shapes
            assert pypdfium2.raw.FPDF_PAGEOBJ_IMAGE not in shapes
    for page in (0, 1):
        image = rasterize(path, page, 72)
        margin = int(MARGIN)
        inside = np.zeros(image.shape[:2], bool)
        inside[margin:-margin, margin:-margin] = True
        assert (image[~inside] == 255).all()


def test_the_same_sheet_is_the_same_file():
    assert sheet_pdf(SHEET, "a4", 2, "light") == sheet_pdf(SHEET, "a4", 2, "light")


def test_two_sheets_share_the_page_without_touching():
    for paper in PAPERS:
        layout = page_layout(paper, 2, SHEET)
        (left, top), (other_left, other_top) = layout.origins
        apart = max(
            (other_left - left) / layout.cell - SHEET.page.width,
            (other_top - top) / layout.cell - SHEET.page.height,
        )
        assert apart > 0


@pytest.mark.parametrize("name", ["missing/sheet.pdf", "folder"])
def test_unwritable_place_is_named_and_left_as_it_was(tmp_path, name):
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OutputNotWritable, match=name):
        write_whole(tmp_path / name, sheet_pdf(SHEET, "a4", 1, "light"))
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("paper", "sheets_per_page", "style"),
    [("a3", 1, "light"), ("a4", 3, "light"), ("a4", 1, "neon")],
)
def test_unknown_choices_are_refused(tmp_path, paper, sheets_per_page, style):
    with pytest.raises(UnknownValue):
        write_whole(tmp_path / "sheet.pdf", sheet_pdf(SHEET, paper, sheets_per_page, style))
    assert not list(tmp_path.iterdir())


def words_on(content: bytes) -> str:
    """All text of the first page."""
    with pypdfium2.PdfDocument(content) as document:
        return str(document[0].get_textpage().get_text_range())


@pytest.mark.parametrize(
    ("language", "expected"),
    [
        ("en", ["TOTAL", "Name", "Date", "Level", "Players", "open box", "skip a block"]),
        ("de", ["SUMME", "Name", "Datum", "Level", "Spieler", "freie Feld", "Block auslassen"]),
        ("fr", ["TOTAL", "Nom", "Date", "Niveau", "Joueurs", "case libre", "passer un bloc"]),
        ("es", ["TOTAL", "Nombre", "Fecha", "Nivel", "Jugadores", "casilla", "saltar un bloque"]),
    ],
)
def test_all_words_are_in_the_chosen_language(language, expected):
    printed = words_on(sheet_pdf(SHEET, "a4", 1, "light", translator(language)))
    assert [words for words in expected if words not in printed] == []
    if language != "en":
        told = ["first", "open", "counts", "move", "take", "any", "skip", "left", "end"]
        assert not {*told} & {*printed.split()}


@pytest.mark.parametrize("language", LANGUAGES)
@every_layout
def test_boxes_for_the_game_are_open_and_framed(tmp_path, paper, sheets_per_page, index, language):
    path = tmp_path / "sheet.pdf"
    words = translator(language)
    write_whole(path, sheet_pdf(SHEET, paper, sheets_per_page, "light", words))
    image = cv2.cvtColor(rasterize(path, 0, DOTS_PER_INCH), cv2.COLOR_BGR2GRAY)
    for field in SHEET.settings.values():
        half = field.size[0] / 2
        for x, y in field.centres:
            left, top = pixel(paper, sheets_per_page, index, (x - half, y - half))
            right, bottom = pixel(paper, sheets_per_page, index, (x + half, y + half))
            inside = image[round(top) + 3 : round(bottom) - 3, round(left) + 3 : round(right) - 3]
            assert inside.min() == 255
            rows, columns = slice(round(top), round(bottom)), slice(round(left), round(right))
            for at in (round(left), round(right)):
                assert image[rows, at - 2 : at + 2].min(axis=1).max() < 160
            for at in (round(top), round(bottom)):
                assert image[at - 2 : at + 2, columns].min(axis=0).max() < 160


@every_layout
def test_fields_for_words_are_empty_but_for_their_captions(printed, paper, sheets_per_page, index):
    image = rasterize(printed[paper, sheets_per_page, "light"], 0, DOTS_PER_INCH)
    for field in SHEET.words.values():
        left, top = pixel(paper, sheets_per_page, index, (field.left + 0.1, field.top + 0.45))
        right, bottom = pixel(
            paper, sheets_per_page, index, (field.right - 0.1, field.bottom - 0.1)
        )
        assert (image[round(top) : round(bottom), round(left) : round(right)] == 255).all()


def test_fields_about_the_game_stand_where_nothing_else_is_read():
    area, boxes = SHEET.reading_area, [field.box for field in SHEET.settings.values()]
    for box in (*boxes, *SHEET.words.values()):
        assert box.left > area.right or box.bottom < area.top
