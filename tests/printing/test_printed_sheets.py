"""The printed sheets, looked at as pixels: is everything where their layouts say?"""

from functools import cache
from itertools import pairwise, product

import cv2
import numpy as np
import pypdfium2
import pytest
from numpy.typing import NDArray

from brikks_vision.errors import UnknownValue
from brikks_vision.games.bloxx.game import DEFINITION as OF_BLOXX
from brikks_vision.games.brikks.game import DEFINITION as OF_BRIKKS
from brikks_vision.games.brikks.game import PRINTED_STYLES
from brikks_vision.games.qwixx.game import DEFINITION as OF_QWIXX
from brikks_vision.layout import CELL, Box, Field, Point, load_layout
from brikks_vision.printing.page import (
    CUTTING_GAP,
    MARGIN,
    PAPERS,
    SHEETS_PER_PAGE,
    page_layout,
    pdf_of_sheets,
)
from brikks_vision.rules.bloxx.sheet import parse_sheet
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.text.languages import LANGUAGES
from brikks_vision.text.phrases import Phrase, translator
from simulation.brikks.decoration import decoration_of
from simulation.paper.print_raster import rasterize, sheet_origin_on_page

DOTS_PER_INCH = 200
BRIKKS, BLOXX = load_layout("brikks-light"), load_layout("bloxx")
OF_GAME = {BRIKKS.name: OF_BRIKKS, BLOXX.name: OF_BLOXX}
PAGES = [
    *product([BRIKKS.name], PAPERS, (1, 2), PRINTED_STYLES),
    *product([BLOXX.name], PAPERS, (1, 2, 4), ("light",)),
]

Image = NDArray[np.uint8]

every_page = pytest.mark.parametrize(("name", "paper", "count", "style"), PAGES)
every_light_page = pytest.mark.parametrize(
    ("name", "paper", "count"), [page[:3] for page in PAGES if page[3] == "light"]
)


@cache
def printed(name: str, paper: str = "a4", count: int = 1, style: str = "light") -> bytes:
    return OF_GAME[name].printer(paper, count, style, Phrase.text)


@cache
def page(
    name: str, paper: str = "a4", count: int = 1, style: str = "light", number: int = 0
) -> Image:
    return rasterize(printed(name, paper, count, style), number, DOTS_PER_INCH)


def pixel(name: str, point: Point, paper: str = "a4", count: int = 1, index: int = 0) -> Point:
    """Where a point of the sheet frame (cells) is in the rasterized page (px)."""
    x0, y0, cell = sheet_origin_on_page(paper, count, index, load_layout(name))
    scale = DOTS_PER_INCH / 72
    return (x0 + point[0] * cell) * scale, (y0 + point[1] * cell) * scale


def cell_pixels(name: str, paper: str, count: int) -> float:
    return page_layout(paper, count, load_layout(name)).cell * DOTS_PER_INCH / 72


def part(image: Image, name: str, box: Box, *where: object) -> Image:
    """A box of the sheet frame (cells) as pixels. where: paper, count and index of the sheet."""
    left, top = pixel(name, (box.left, box.top), *where)
    right, bottom = pixel(name, (box.right, box.bottom), *where)
    return image[round(top) : round(bottom), round(left) : round(right)]


def place(field: Field, at: int, share: float = 1.0) -> Box:
    (x, y), (width, height) = field.centres[at], field.size
    across, down = share * width / 2, share * height / 2
    return Box(x - across, y - down, x + across, y + down)


def edges(box: Box, wide: float = 0.05) -> tuple[Box, Box]:
    """The left and right edge of a frame."""
    return (
        Box(box.left - wide, box.top, box.left + wide, box.bottom),
        Box(box.right - wide, box.top, box.right + wide, box.bottom),
    )


def color_at(image: Image, point: Point) -> tuple[int, int, int]:
    """Red, green, blue."""
    blue, green, red = image[round(point[1]), round(point[0])]
    return int(red), int(green), int(blue)


def found_markers(image: Image, dictionary: str) -> dict[int, Image]:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    known = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    corners, ids, _ = cv2.aruco.ArucoDetector(known, parameters).detectMarkers(image)
    if ids is None:
        return {}
    return {int(i): c.reshape(4, 2) for i, c in zip(ids.ravel(), corners, strict=True)}


# --- the sheets of all games ---------------------------------------------------------------------


@every_light_page
def test_markers_are_found_at_their_places(name, paper, count):
    markers = load_layout(name).markers
    found = found_markers(page(name, paper, count), markers.dictionary)
    assert sorted(found) == list(range(markers.first, markers.first + 4 * count))
    half, cell = markers.size / 2, cell_pixels(name, paper, count)
    for index, (corner, (x, y)) in product(range(count), enumerate(markers.centres)):
        square = [(x - half, y - half), (x + half, y - half), (x + half, y + half)]
        square.append((x - half, y + half))
        expected = [pixel(name, point, paper, count, index) for point in square]
        # The detector counts from pixel centres, the page from its edge.
        off = np.abs(found[markers.first + 4 * index + corner] + 0.5 - expected) / cell
        assert off.max() < 0.06


@every_page
def test_grid_lines_are_where_the_layout_says(name, paper, count, style):
    grid, cell = load_layout(name).grid, cell_pixels(name, paper, count)
    image = cv2.cvtColor(page(name, paper, count, style), cv2.COLOR_BGR2GRAY)
    reach = round(0.15 * cell)

    def middle(profile: Image, start: int) -> float:
        """The middle of what is darker than the ground in a profile across one line, px."""
        weights = np.clip(np.median(profile) - profile.astype(float), 0, None)
        return start + float(np.average(np.arange(len(profile)) + 0.5, weights=weights))

    most = max(0.7, 0.05 * cell)
    for index in range(count):
        for column in range(1, grid.columns):
            x, y = pixel(name, (column, grid.rows - 0.85), paper, count, index)
            left = round(x) - reach
            assert abs(middle(image[round(y), left : left + 2 * reach], left) - x) < most
        for row in range(1, grid.rows):
            x, y = pixel(name, (grid.columns - 0.85, row), paper, count, index)
            top = round(y) - reach
            assert abs(middle(image[top : top + 2 * reach, round(x)], top) - y) < most


@every_page
def test_two_pages_with_white_margins(name, paper, count, style):
    with pypdfium2.PdfDocument(printed(name, paper, count, style)) as document:
        assert len(document) == 2
        assert sorted(document[0].get_size()) == pytest.approx(sorted(PAPERS[paper]), abs=0.1)
        for each in document:
            shapes = [item.type for item in each.get_objects()]
            assert shapes and pypdfium2.raw.FPDF_PAGEOBJ_IMAGE not in shapes
    margin = int(MARGIN)
    for number in (0, 1):
        image = rasterize(printed(name, paper, count, style), number, 72)
        inside = np.zeros(image.shape[:2], bool)
        inside[margin:-margin, margin:-margin] = True
        assert (image[~inside] == 255).all()


@every_light_page
def test_fields_for_words_are_empty_but_for_their_captions(name, paper, count):
    image, words = page(name, paper, count), load_layout(name).words
    assert {"name", "date"} <= set(words)
    for index, box in product(range(count), words.values()):
        inside = Box(box.left + 0.1, box.top + 0.45, box.right - 0.1, box.bottom - 0.1)
        assert (part(image, name, inside, paper, count, index) == 255).all()


@pytest.mark.parametrize("name", OF_GAME)
def test_the_same_sheet_is_the_same_file(name):
    again = OF_GAME[name].printer("a4", 2, "light", Phrase.text)
    assert again == printed(name, "a4", 2)


@pytest.mark.parametrize("name", OF_GAME)
@pytest.mark.parametrize(
    ("paper", "count", "style"),
    [("a3", 1, "light"), ("a4", 3, "light"), ("a4", 0, "light"), ("a4", 1, "neon")],
)
def test_unknown_choices_are_refused(name, paper, count, style):
    with pytest.raises(UnknownValue):
        printed(name, paper, count, style)


def words_on(content: bytes, number: int = 0) -> str:
    """All text of a page."""
    with pypdfium2.PdfDocument(content) as document:
        return str(document[number].get_textpage().get_text_range())


@pytest.mark.parametrize(
    ("name", "language", "front", "back"),
    [
        (BRIKKS.name, "en", "TOTAL,Name,Date,Level,Players,open box,skip a block", ""),
        (BRIKKS.name, "de", "SUMME,Name,Datum,Level,Spieler,freie Feld,Block auslassen", ""),
        (BRIKKS.name, "fr", "TOTAL,Nom,Date,Niveau,Joueurs,case libre,passer un bloc", ""),
        (BRIKKS.name, "es", "TOTAL,Nombre,Fecha,Nivel,Jugadores,casilla,saltar un bloque", ""),
        (BLOXX.name, "en", "Name,Date,coloured,TOTAL", "LIGHT DIE,DARK DIE,two ordinary"),
        (BLOXX.name, "de", "Datum,Lücken und,SUMME", "HELLER WÜRFEL,gewöhnlichen,Kreuz"),
        (BLOXX.name, "fr", "Nom,cases vides,TOTAL", "DÉ CLAIR,DÉ FONCÉ,ordinaires"),
        (BLOXX.name, "es", "Nombre,Fecha,huecos y,TOTAL", "DADO CLARO,corrientes,círculo"),
    ],
)
def test_all_words_are_in_the_chosen_language(name, language, front, back):
    content = OF_GAME[name].printer("a4", 1, "light", translator(language))
    for number, expected in enumerate((front, back)):
        shown = words_on(content, number)
        assert [words for words in expected.split(",") if words not in shown] == []
    if language != "en":
        told = {"first", "open", "counts", "move", "take", "any", "skip", "left", "end"}
        assert not told & {*words_on(content).split()}


# --- Brikks --------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", PRINTED_STYLES)
def test_zones_and_circles_have_their_colors(style):
    image = page(BRIKKS.name, style=style)
    grounds = [color_at(image, pixel(BRIKKS.name, (9.15, row + 0.15))) for row in range(11)]
    assert len(set(grounds[:1])) == len(set(grounds[1:6])) == len(set(grounds[6:])) == 1
    orange, light_orange, white = grounds[0], grounds[1], grounds[6]
    assert white == (255, 255, 255)
    assert orange[2] < light_orange[2] < 255
    hues = {}
    for circle in load_sheet().circles:
        row, column = circle.cell
        seen = color_at(image, pixel(BRIKKS.name, (column + 0.5, row + 0.5)))
        assert hues.setdefault(circle.color, seen) == seen
        if style == "arcade":
            assert BRIKKS.colors[circle.color] == "#{:02x}{:02x}{:02x}".format(*seen)
    assert len(set(hues.values())) == 6


@pytest.mark.parametrize("count", [1, 2])
def test_arcade_has_no_markers(count):
    image = page(BRIKKS.name, count=count, style="arcade")
    assert found_markers(image, BRIKKS.markers.dictionary) == {}


def test_only_light_has_a_total_field():
    field = decoration_of(BRIKKS).total_field
    assert field is not None
    middle = (field.top + field.bottom) / 2
    inside = pixel(BRIKKS.name, ((field.left + field.right) / 2, middle))
    light, arcade = page(BRIKKS.name), page(BRIKKS.name, style="arcade")
    for x in (field.left, field.right):
        assert sum(color_at(light, pixel(BRIKKS.name, (x, field.top + 0.2)))) < 300
    assert color_at(light, inside) == (255, 255, 255)
    assert sum(color_at(arcade, inside)) < 300


def test_energy_points_lie_open_and_the_first_ones_are_ringed():
    image = rasterize(printed(BRIKKS.name), 0, 300)
    x0, y0, cell = sheet_origin_on_page("a4", 1, 0, BRIKKS)
    scale, field, weights = 300 / 72, BRIKKS.fields["energy"], []
    for x, y in field.centres:
        left = round((x0 + (x - field.radius - 0.15) * cell) * scale)
        row = round((y0 + y * cell) * scale)
        profile = image[row, left : left + round(0.3 * cell * scale)].astype(int).min(axis=1)
        weights.append(int(np.count_nonzero(profile < 160)))
    ringed = [weights[point] for point in load_sheet().preprinted]
    others = [w for point, w in enumerate(weights) if point not in load_sheet().preprinted]
    assert min(others) > 0
    assert min(ringed) > 2 * max(others)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("paper", "count"), [*product(PAPERS, (1, 2))])
def test_boxes_for_the_game_are_open_and_framed(paper, count, language):
    content = OF_BRIKKS.printer(paper, count, "light", translator(language))
    image = rasterize(content, 0, DOTS_PER_INCH).min(axis=2)
    for index, field in product(range(count), BRIKKS.settings.values()):
        for at in range(len(field.centres)):
            where = (BRIKKS.name, place(field, at), paper, count, index)
            assert part(image, *where)[3:-3, 3:-3].min() == 255
            for edge in edges(place(field, at)):
                line = part(image, BRIKKS.name, edge, paper, count, index)
                assert line.min(axis=1).max() < 160


def test_fields_about_the_game_stand_where_nothing_else_is_read():
    area, boxes = BRIKKS.reading_area, [field.box for field in BRIKKS.settings.values()]
    for box in (*boxes, *BRIKKS.words.values()):
        assert box.left > area.right or box.bottom < area.top


# --- BLOXX! --------------------------------------------------------------------------------------

OWN = parse_sheet(BLOXX.printed, BLOXX.grid.rows, BLOXX.grid.columns)


def test_each_row_has_its_color_and_no_other_has_one():
    image, colors = page(BLOXX.name), {each.row: each.color for each in OWN.colored_rows}
    for row in range(OWN.rows):
        ground = part(image, BLOXX.name, Box(0.1, row + 0.1, 0.2, row + 0.9))
        corner = np.median(ground, axis=(0, 1))
        if row not in colors:
            assert (corner == 255).all()
            continue
        red, green, blue = (int(BLOXX.colors[colors[row]][i : i + 2], 16) for i in (1, 3, 5))
        tint = (255 - corner) / np.maximum(255 - np.array([blue, green, red]), 1)
        assert tint == pytest.approx(tint.mean(), abs=0.03)
        assert 0.2 < tint.mean() < 0.6


def test_numbers_stand_in_their_cells_and_in_no_others():
    image, numbered = page(BLOXX.name), {number.cell for number in OWN.numbers}
    for at, cell in enumerate(OWN.cells):
        middle = part(image, BLOXX.name, place(BLOXX.fields[CELL], at, 0.6)).astype(int)
        assert (np.ptp(middle, axis=(0, 1)).max() > 100) == (cell in numbered)


def test_bonuses_and_figures_stand_in_framed_boxes():
    image, bonus = page(BLOXX.name).min(axis=2), BLOXX.fields["bonus"]
    for at in range(len(bonus.centres)):
        inside = part(image, BLOXX.name, place(bonus, at, 0.8))
        assert inside.max() == 255 and inside.min() < 120  # a figure on white
    for field in BLOXX.figures.values():
        assert part(image, BLOXX.name, place(field, 0, 0.85)).min() == 255
        for edge in edges(place(field, 0)):
            assert part(image, BLOXX.name, edge).min(axis=1).max() < 160


def test_the_back_shows_each_shape_of_the_dice_once():
    """As many circles are drawn as there are sides of dice."""
    image = page(BLOXX.name, number=1).astype(int)
    accent = (np.abs(image - [0x7F, 0x32, 0xC8]).max(axis=2) < 40).astype(np.uint8)
    _count, _, stats, _ = cv2.connectedComponentsWithStats(accent)
    sizes = stats[1:, cv2.CC_STAT_AREA]
    assert (sizes > 0.3 * sizes.max()).sum() == sum(len(die) for die in OWN.dice) == 12


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_caption_is_wider_than_its_place(language):
    """Between the boxes for figures, below them, the paper is white."""
    image = rasterize(OF_BLOXX.printer("a4", 1, "light", translator(language)), 0, DOTS_PER_INCH)
    boxes = sorted((place(field, 0) for field in BLOXX.figures.values()), key=lambda b: b.left)
    for one, other in pairwise(boxes):
        middle = (one.right + other.left) / 2
        between = Box(middle - 0.02, one.bottom + 0.1, middle + 0.02, BLOXX.page.bottom)
        assert (part(image, BLOXX.name, between) == 255).all()


# --- Qwixx ---------------------------------------------------------------------------------------


def test_each_place_of_qwixx_is_drawn_where_its_layout_has_it():
    layout = load_layout("qwixx")
    image = rasterize(OF_QWIXX.printer("a4", 1, "light", Phrase.text), 0, DOTS_PER_INCH)
    for field in (*layout.fields.values(), *layout.figures.values()):
        for at in range(len(field.centres)):
            middle = np.median(part(image, layout.name, place(field, at, 0.8)), axis=(0, 1))
            for edge in edges(place(field, at)):
                line = np.abs(part(image, layout.name, edge) - middle).max(axis=(1, 2))
                assert np.median(line) > 30, (field.name, at)


# --- pages of any sheet ---------------------------------------------------------------------------


every_page_of_sheets = pytest.mark.parametrize(
    ("name", "paper", "count"),
    [
        (name, paper, count)
        for name in ("brikks-light", "bloxx")
        for paper in PAPERS
        for count in SHEETS_PER_PAGE
    ],
)


@every_page_of_sheets
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


@pytest.mark.parametrize(("count", "lines"), [(1, 0), (2, 1), (4, 2)])
def test_lines_to_cut_along(count, lines):
    page = page_layout("a4", count, load_layout("bloxx"))
    content = pdf_of_sheets("empty", page, load_layout("bloxx").page, [lambda canvas, index: None])
    with pypdfium2.PdfDocument(content) as document:
        assert len(list(document[0].get_objects())) == lines


def test_a_game_may_print_fewer_sheets_a_page():
    with pytest.raises(UnknownValue, match="1, 2"):
        page_layout("a4", 4, load_layout("brikks-light"), allowed=(1, 2))
