"""A printing of BLOXX! is learnt from pictures of empty sheets, drawn by the simulator."""

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from brikks_vision import errors, scan
from brikks_vision.detect.template import blank_picture
from brikks_vision.games.bloxx.bonus_places import Digit, find_bonuses, find_digits, reading_order
from brikks_vision.games.bloxx.learn import NAMES, check, values_of
from brikks_vision.games.bloxx.print_reading import read_print
from brikks_vision.games.learning import Proposal
from brikks_vision.games.printings import parse_printing
from brikks_vision.layout import Box, Layout, load_layout, parse_layout
from brikks_vision.learn import learn_sheet
from simulation.bloxx.art import render_blank
from simulation.bloxx.layouts import random_layout
from simulation.bloxx.photos import printed_blank, random_sheet, shoot_blank
from simulation.hand import hand_that_shows
from simulation.marks import Ink, draw_cell_cross
from simulation.photos import Photo

pytestmark = pytest.mark.usefixtures("observed_once")

Image = NDArray[np.uint8]


def on_a_table(sheet: Image) -> Image:
    """The sheet on a darker, even ground."""
    return np.asarray(cv2.copyMakeBorder(sheet, 40, 40, 40, 40, cv2.BORDER_CONSTANT,
                                         value=(70, 80, 90)), np.uint8)  # fmt: skip


@cache
def own_sheet() -> Image:
    return on_a_table(printed_blank(110).image)


@cache
def own_learnt() -> Proposal:
    return learn_sheet(own_sheet(), "bloxx", "own")


def numbers(layout: Layout) -> dict[tuple[int, int], int]:
    return {(each["row"], each["column"]): each["value"] for each in layout.printed["numbers"]}


def colors(layout: Layout) -> dict[int, str]:
    return {each["row"]: each["color"] for each in layout.printed["colored_rows"]}


def test_the_own_sheet_is_learnt_wholly() -> None:
    known, learnt = load_layout("bloxx"), own_learnt().layout
    assert (learnt.grid.rows, learnt.grid.columns) == (10, 7)
    assert numbers(learnt) == numbers(known)
    assert colors(learnt) == colors(known)
    bonus = np.array(learnt.fields["bonus"].centres)
    assert np.abs(bonus - known.fields["bonus"].centres).max() < 0.15
    for name, field in known.figures.items():
        assert np.abs(np.array(learnt.figures[name].centres) - field.centres).max() < 0.2
    check(learnt)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_turned_sheet_is_learnt_as_well(turns: int) -> None:
    learnt = learn_sheet(np.ascontiguousarray(np.rot90(own_sheet(), turns)), "bloxx", "own").layout
    assert numbers(learnt) == numbers(own_learnt().layout)
    assert colors(learnt) == colors(own_learnt().layout)


@pytest.mark.parametrize("seed", [5, 15, 21])
def test_a_printing_by_chance_in_art_by_chance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    layout = random_layout(rng)
    sheet = render_blank(layout, rng, pixels_per_cell=48).image
    learnt = learn_sheet(on_a_table(sheet), "bloxx", "chance")
    unsure = {doubt.where for doubt in learnt.doubts}
    grid = layout.grid
    assert (learnt.layout.grid.rows, learnt.layout.grid.columns) == (grid.rows, grid.columns)
    told, true = numbers(learnt.layout), numbers(layout)
    wrong = {f"cell {r},{c}" for r, c in grid.cells if told.get((r, c)) != true.get((r, c))}
    rows = {f"row {r}" for r in range(grid.rows)
            if colors(learnt.layout).get(r) != colors(layout).get(r)}  # fmt: skip
    assert wrong | rows <= unsure
    assert len(wrong | rows) <= 1


def test_bonuses_tell_the_game_where_numbers_are_faint() -> None:
    blank, layout = printed_blank(110), load_layout("bloxx")
    sheet, side = blank.image.copy(), blank.pixels_per_cell
    for row, column in layout.grid.cells:
        left, top = np.array([column, row]) * side + blank.origin + 0.1 * side
        cell = sheet[round(top) : round(top + 0.8 * side), round(left) : round(left + 0.8 * side)]
        cell[:] = 0.96 * np.median(cell, axis=(0, 1)) + 0.04 * cell
    learnt = learn_sheet(on_a_table(sheet), "bloxx").layout
    bonus = np.array(learnt.fields["bonus"].centres)
    assert np.abs(bonus - layout.fields["bonus"].centres).max() < 0.15
    assert colors(learnt) == colors(layout)


@pytest.mark.parametrize(
    ("seed", "tier", "number"),
    [
        (996031, 0, 3),  # bonuses without colours on a motley ground
        (996032, 1, 6),  # grey, and its bonuses are near the grid
    ],
)
def test_each_row_has_the_bonuses_that_are_said_to_be_its_own(
    seed: int, tier: int, number: int
) -> None:
    rng = np.random.default_rng([seed, tier, number])
    rng.integers(2**31)
    layout, blank = random_sheet(rng)
    learnt = learn_sheet(shoot_blank(layout, blank, rng, "good", 2000).data, "bloxx")
    grid, names = learnt.layout.grid, colors(learnt.layout)
    assert (grid.rows, grid.columns) == (layout.grid.rows, layout.grid.columns)
    rows = {color: row for row, color in colors(layout).items()}
    said = {each.where: names[rows[each.read]] for each in values_of(layout)
            if each.where.startswith("bonus ")}  # fmt: skip
    centres = learnt.given(said).layout.fields["bonus"].centres
    assert np.abs(np.subtract(centres, layout.fields["bonus"].centres)).max() < 0.25


def printing_of(seeds: list[int]) -> tuple[Layout, Photo]:
    """Any printing and a good photo of it, empty."""
    rng = np.random.default_rng(seeds)
    if seeds[1] not in (7, 9):
        rng.integers(2**31)
    layout, blank = random_sheet(rng)
    return layout, shoot_blank(layout, blank, rng, "good", 2000)


def test_bonuses_tell_the_upper_side_where_numbers_are_as_good_upside_down() -> None:
    rng = np.random.default_rng([55221, 1, 3])
    rng.integers(2**31)
    layout, blank = random_sheet(rng)
    photo = shoot_blank(layout, blank, rng, "good", 2000)
    assert colors(learn_sheet(photo.data, "bloxx").layout).keys() == colors(layout).keys()


@pytest.mark.parametrize(
    "seeds",
    [
        [995003, 0, 0],  # below the grid a strip as high as a row, in which nothing parts cells
        [62001, 7, 13],  # below the grid a row of bonuses that is like its own
    ],
)
def test_the_grid_ends_where_nothing_parts_cells(seeds: list[int]) -> None:
    layout, photo = printing_of(seeds)
    learnt = learn_sheet(photo.data, "bloxx")
    assert (learnt.layout.grid.rows, learnt.layout.grid.columns) == (
        layout.grid.rows,
        layout.grid.columns,
    )
    assert numbers(learnt.layout) == numbers(layout)
    assert colors(learnt.layout).keys() == colors(layout).keys()


@pytest.mark.parametrize(
    "seeds",
    [
        [770403, 9, 40],  # its numbers are more like others upside down
        [770403, 9, 46],  # the cloth below it is more like a grid with numbers
        [995003, 1, 2],  # bonuses of grey rows beside them, the left ones next to the grid
        [62002, 7, 102],  # beside it a sheet of another game with more digits
        [26004, 0, 7],  # with its bonuses, and what lies before them, it would be as large as usual
        [996011, 0, 4],  # a chequered band passes for rows
        [996021, 0, 1],  # the last row's lines are faint, its numbers stand in discs
        [8801, 0, 15],  # the last row, a coloured one, is not found with the others
    ],
)
def test_any_sheet_is_learnt_where_its_corners_and_size_are_said(seeds: list[int]) -> None:
    layout, photo = printing_of(seeds)
    grid = layout.grid
    corners = photo.placement.to_photo(np.array(grid.box.corners))
    said = {"grid": corners, "size": f"{grid.rows}x{grid.columns}"}
    learnt = learn_sheet(photo.data, "bloxx", settings=said)
    assert np.allclose(learnt.regions["grid"], corners)
    told, true = numbers(learnt.layout), numbers(layout)
    wrong = {f"cell {r},{c}": str(true.get((r, c), "none")) for r, c in grid.cells
             if told.get((r, c)) != true.get((r, c))}  # fmt: skip
    assert len(wrong) <= 3
    assert numbers(learnt.given(wrong).layout) == true


def test_answers_count_rows_as_the_learnt_grid_does() -> None:
    """Its last row is found after the others: it is no row of the grid on the way."""
    rng = np.random.default_rng([62001, 7, 13])
    layout, blank = random_sheet(rng)
    photo = shoot_blank(layout, blank, rng, "good", 2000).data
    last = layout.grid.rows - 1
    learnt = learn_sheet(photo, "bloxx", settings={f"row {last}": "plain", f"cell {last},0": "3"})
    assert learnt.layout.grid.rows == layout.grid.rows
    assert numbers(learnt.layout) == {**numbers(layout), (last, 0): 3}


def test_frames_tell_whose_bonuses_they_are_where_grounds_are_pale() -> None:
    """Blue, violet, pink and orange rows: the ground of the blue one is turquoise, and so on."""
    inks = {0: (190, 110, 50), 2: (160, 60, 140), 3: (150, 100, 235), 6: (30, 150, 240)}
    flat = np.full((12 * 32, 9 * 32, 3), 240, np.uint8)  # the grid begins at (1, 0) and is 7 wide
    for row, ink in inks.items():
        cv2.rectangle(flat, (32, 32 * row), (8 * 32, 32 * row + 31), ink, 3)
    for place, row in enumerate((2, 0, 3, 6)):  # the bonuses of violet come first
        for at, digit in enumerate("42"):
            x, y = 40 + 64 * place + 28 * at, 9 * 32
            cv2.rectangle(flat, (x, y), (x + 22, y + 26), inks[row], -1)
            cv2.putText(flat, digit, (x + 4, y + 20), cv2.FONT_HERSHEY_SIMPLEX, 0.65,
                        (255, 255, 255), 2, cv2.LINE_AA)  # fmt: skip
    area, grid = Box(-1, 0, 8, 12), Box(0, 0, 7, 8)
    pale = np.array([[0.04, 0.02, -0.06], [0.01, -0.04, 0.03], [-0.03, -0.03, 0.06],
                     [-0.13, 0.06, 0.07]])  # fmt: skip
    digits = find_digits(flat, area, 32, grid)
    found = find_bonuses(flat, area, 32, digits, list(inks), pale, grid, {})
    assert found is not None
    assert found.reading == (1, 0, 2, 3)


def test_a_single_digit_below_the_bonuses_is_no_pair_of_a_further_row() -> None:
    blank = printed_blank(110)
    sheet, side = blank.image.copy(), blank.pixels_per_cell
    x, y = (np.array([0.3, 12.75]) * side + blank.origin).round().astype(int).tolist()
    cv2.putText(sheet, "4", (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.02 * side, (70, 50, 40), 3)
    assert colors(learn_sheet(on_a_table(sheet), "bloxx").layout) == colors(own_learnt().layout)


def test_frames_around_numbers_do_not_color_their_row() -> None:
    """Of a plain row four cells of seven bear numbers in dark frames."""
    flat = np.full((10 * 48, 7 * 48, 3), 245, np.uint8)
    inks = {1: (250, 190, 170), 3: (150, 210, 250), 6: (200, 160, 250), 8: (170, 240, 190)}
    for row, ink in inks.items():
        flat[48 * row : 48 * (row + 1)] = ink
    for column in (0, 1, 3, 6):
        x, y = 48 * column, 48 * 4
        cv2.rectangle(flat, (x + 10, y + 10), (x + 38, y + 38), (60, 20, 110), 5)
        cv2.putText(flat, "3", (x + 17, y + 31), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (60, 20, 110), 2)
    read = read_print(flat, 10, 7)
    assert {row for row, each in enumerate(read.rows) if each.colored > 0.5} == inks.keys()


def test_frames_alone_color_a_row() -> None:
    """Of three rows the frames of their cells, of one its own; all grounds are white."""
    flat = np.full((10 * 48, 7 * 48, 3), 245, np.uint8)
    inks = {1: (190, 110, 50), 3: (60, 60, 200), 6: (90, 160, 60)}
    for row, ink in inks.items():
        for column in range(7):
            corners = (48 * column + 3, 48 * row + 3), (48 * column + 44, 48 * row + 44)
            cv2.rectangle(flat, *corners, ink, 3)
    cv2.rectangle(flat, (2, 48 * 8 + 2), (7 * 48 - 3, 48 * 9 - 3), (30, 190, 230), 3)
    read = read_print(flat, 10, 7)
    assert {row for row, each in enumerate(read.rows) if each.colored > 0.5} == {*inks, 8}
    assert [read.rows[row].color for row in (*inks, 8)] == ["blue", "red", "green", "yellow"]


def test_numbers_in_corners_are_read() -> None:
    signs = ["3..4.", ".2.3.", "4.3..", "..2.4"]
    flat = np.full((4 * 48, 5 * 48, 3), 235, np.uint8)
    flat[::48] = flat[:, ::48] = 90
    for (row, column), sign in np.ndenumerate([list(line) for line in signs]):
        if sign != ".":
            at = 48 * column + 30, 48 * row + 42
            cv2.putText(flat, sign, at, cv2.FONT_HERSHEY_SIMPLEX, 0.5,
                        (50, 40, 60), 1, cv2.LINE_AA)  # fmt: skip
    numbers = read_print(flat, 4, 5).numbers
    read = ["".join(".234"[at] for at in line) for line in numbers.argmax(axis=-1)]
    assert read == signs
    assert numbers.max(axis=-1).min() > 0.9


def test_digits_whose_strokes_have_gaps_are_found() -> None:
    flat = np.full((320, 320, 3), 225, np.uint8)  # of 10 by 10 cells; the grid ends at 6
    for at, digit in enumerate("4242"):
        where = round((1 + 1.2 * at) * 32), round(8.25 * 32)
        cv2.putText(flat, digit, where, cv2.FONT_HERSHEY_SIMPLEX, 0.7, (60, 50, 40), 2, cv2.LINE_AA)
    flat[8 * 32 : 8 * 32 + 1] = 225  # through the middle of all
    found = find_digits(flat, Box(0, 0, 10, 10), 32, Box(0, 0, 6, 6))
    whole = [digit for digit in found if digit.like > 0.6 and digit.height > 0.4]
    across = sorted((digit.x, digit.bonus) for digit in whole)
    assert [bonus for _, bonus in across] == [0, 1, 0, 1]


def test_pairs_of_digits_on_each_other_are_no_bonuses() -> None:
    grid = Box(0.0, 0.0, 7.0, 10.0)
    area, flat = grid.grown(4.0), np.full((18 * 32, 15 * 32, 3), 230, np.uint8)
    one = [Digit(0, 0.9, 1.0, 11.0, 0.5), Digit(1, 0.9, 2.0, 11.0, 0.5)]
    inside = [Digit(0, 0.9, 2.01, 11.0, 0.3), Digit(1, 0.9, 3.01, 11.0, 0.4)]
    rows, tints = [2, 5], np.zeros((2, 3))
    assert find_bonuses(flat, area, 32, [*one, *inside], rows, tints, grid, {}) is None


def test_bonuses_of_a_line_are_found_where_two_in_its_middle_do_not_show() -> None:
    flat = np.full((12 * 32, 7 * 32, 3), 240, np.uint8)
    columns = (1.0, 2.3, 3.6, 4.9)
    digits = [Digit(0, 0.9, x, 8.5, 0.5) for x in columns]
    digits += [Digit(1, 0.9, x, 9.5, 0.5) for x in (columns[0], columns[-1])]
    found = find_bonuses(
        flat, Box(0, 0, 7, 12), 32, digits, [0, 2, 3, 6], np.zeros((4, 3)), Box(0, 0, 6, 8), {}
    )
    assert found is not None
    assert found.unseen == 2
    assert np.allclose(found.centres, [[(x, 8.5), (x, 9.5)] for x in columns])


@pytest.mark.parametrize("is_reversed", [False, True])
def test_colors_of_some_places_tell_whether_bonuses_begin_with_the_last_row(
    is_reversed: bool,
) -> None:
    colors = np.array([(80, 80, 235), (90, 225, 90), (235, 120, 80), (230, 220, 60)], np.uint8)
    flat = np.full((12 * 32, 7 * 32, 3), 240, np.uint8)
    digits = []
    for at, color in enumerate(colors[::-1] if is_reversed else colors):
        places = (0.8 + 1.6 * at, 8.5), (0.8 + 1.6 * at, 9.5)
        digits += [Digit(bonus, 0.9, *place, 0.5) for bonus, place in enumerate(places)]
        x, y = (round(32 * each) for each in places[at % 2])  # of each pair one place
        flat[y - 12 : y + 12, x - 12 : x + 12] = color
    tints = np.log(colors.astype(float)) - np.log(240)
    found = find_bonuses(
        flat, Box(0, 0, 7, 12), 32, digits, [0, 2, 3, 6], tints, Box(0, 0, 7, 8), {}
    )
    assert found is not None
    assert found.reading == ((3, 2, 1, 0) if is_reversed else (0, 1, 2, 3))


def test_places_of_one_line_are_read_from_the_left_where_they_lie_a_little_askew() -> None:
    assert reading_order([(5.6, 10.74), (0.4, 10.77), (3.0, 11.7), (2.1, 10.76)]) == [1, 3, 0, 2]


def pairs_at(*places: tuple[float, float], apart: tuple[float, float]) -> list[list[float]]:
    """The centres of a 4 at each place, and of a 2 so far from it."""
    return [[x + n * apart[0], y + n * apart[1]] for x, y in places for n in (0, 1)]


BONUSES_ELSEWHERE = {
    "two rows of two": pairs_at((1, 10.9), (3, 10.9), (1, 11.8), (3, 11.8), apart=(0.8, 0)),
    "fours above twos": pairs_at((1, 10.9), (2.5, 10.9), (4, 10.9), (5.5, 10.9), apart=(0, 0.9)),
    "above the grid": pairs_at((0.6, -0.8), (2.3, -0.8), (4, -0.8), (5.7, -0.8), apart=(0.8, 0)),
    "a column beside the grid": pairs_at((7.7, 2), (7.7, 3), (7.7, 4), (7.7, 5), apart=(0.8, 0)),
    "at the left of their rows": pairs_at(
        (-1.7, 1.5), (-1.7, 4.5), (-1.7, 6.5), (-1.7, 8.5), apart=(0.8, 0)
    ),
}


@pytest.mark.parametrize("where", BONUSES_ELSEWHERE)
def test_bonuses_are_found_wherever_they_stand(where: str) -> None:
    known = load_layout("bloxx")
    data = json.loads(known.to_json())
    data["fields"]["bonus"]["centres"] = BONUSES_ELSEWHERE[where]
    layout = parse_layout(data)
    rng = np.random.default_rng(2)
    learnt = learn_sheet(on_a_table(render_blank(layout, rng, 48).image), "bloxx")
    assert colors(learnt.layout).keys() == colors(layout).keys()
    found = np.array(learnt.layout.fields["bonus"].centres)
    assert np.abs(found - BONUSES_ELSEWHERE[where]).max() < 0.2


@pytest.mark.parametrize("size", ["10x8", "10 × 6"])
def test_the_size_of_the_grid_can_be_said(size: str) -> None:
    rows, columns = (int(each) for each in size.split("×" if "×" in size else "x"))
    learnt = learn_sheet(own_sheet(), "bloxx", "own", {"grid": size})
    assert (learnt.layout.grid.rows, learnt.layout.grid.columns) == (rows, columns)
    assert "grid" not in {doubt.where for doubt in learnt.doubts}


def with_a_faint_row(numbered: bool) -> Image:
    """The own sheet, where nearly nothing shows of the top row of the grid."""
    layout = own_learnt().layout
    blank = blank_picture(layout)
    assert blank is not None
    scale = layout.blank.pixels_per_cell if layout.blank else 0
    picture, (left, top) = blank.copy(), layout.page.corners[0]
    row = slice(round((-0.3 - top) * scale), round((0.9 - top) * scale))
    columns = slice(round((-0.3 - left) * scale), round((7.3 - left) * scale))
    part = picture[row, columns].astype(float)
    ground = np.median(part, axis=(0, 1))
    picture[row, columns] = (ground + 0.3 * (part - ground)).astype(np.uint8)
    for column in () if numbered else (1, 5):
        across = slice(*(round((column + side - left) * scale) for side in (0.15, 0.85)))
        picture[round((0.15 - top) * scale) : round((0.85 - top) * scale), across] = ground
    return on_a_table(picture)


def test_a_faint_row_that_bears_numbers_is_one() -> None:
    learnt = learn_sheet(with_a_faint_row(numbered=True), "bloxx", "own")
    assert (learnt.layout.grid.rows, learnt.layout.grid.columns) == (10, 7)
    assert "grid" not in {doubt.where for doubt in learnt.doubts}


def test_a_faint_row_is_of_the_grid_where_its_size_is_said() -> None:
    sure = learn_sheet(with_a_faint_row(numbered=False), "bloxx", "own", {"grid": "10x7"})
    assert (sure.layout.grid.rows, sure.layout.grid.columns) == (10, 7)
    assert "grid" not in {doubt.where for doubt in sure.doubts}
    assert colors(sure.layout).keys() == colors(own_learnt().layout).keys()


def test_a_row_without_lines_is_of_the_grid_where_its_size_is_said() -> None:
    data = json.loads(load_layout("bloxx").to_json())
    data["grid"]["columns"] = 8
    cells = data["fields"]["cell"]
    cells["prints"] = [f"{line}0" for line in cells["prints"]]
    blank = render_blank(parse_layout(data), np.random.default_rng(2), 48)
    side = blank.pixels_per_cell
    for column in (1, 2, 4, 5, 7, 8):  # of these the lines of the top row are missing
        left, top = np.array([column - 0.3, 0.15]) * side + blank.origin
        low, right = round(top + 0.7 * side), round(left + 0.6 * side)
        ground = blank.image[round(top) : low, round(left)].copy()
        blank.image[round(top) : low, round(left) : right] = ground[:, None]
    learnt = learn_sheet(on_a_table(blank.image), "bloxx", settings={"grid": "10x8"}).layout
    assert (learnt.grid.rows, learnt.grid.columns) == (10, 8)
    assert colors(learnt).keys() == colors(load_layout("bloxx")).keys()


def test_lines_beside_the_grid_are_no_column_where_its_size_is_said() -> None:
    blank = printed_blank(110)
    sheet, side = blank.image.copy(), blank.pixels_per_cell

    def line(start: tuple[float, float], end: tuple[float, float]) -> None:
        ends = (tuple((np.array(at) * side + blank.origin).round().astype(int).tolist())
                for at in (start, end))  # fmt: skip
        cv2.line(sheet, *ends, (60, 50, 40), 3, cv2.LINE_AA)

    (left, top), (right, bottom) = (
        (np.array(at) * side + blank.origin).round().astype(int) for at in ((7.1, 0), (8.1, 10))
    )
    sheet[top:bottom, left:right] = 255  # the rows' tags
    line((8, 0), (8, 10))
    for row in (0, 1, 2, 4, 5, 7, 8, 10):
        line((7, row), (8, row))
    learnt = learn_sheet(on_a_table(sheet), "bloxx", settings={"grid": "10x7"})
    assert (learnt.layout.grid.rows, learnt.layout.grid.columns) == (10, 7)
    assert "grid" not in {doubt.where for doubt in learnt.doubts}


def test_whose_bonuses_they_are_can_be_said() -> None:
    known = own_learnt().layout
    names = [name for _, name in sorted(colors(known).items())]
    said = {f"bonus {at}": names[row] for at, row in enumerate((3, 1, 2, 0))}
    learnt = learn_sheet(own_sheet(), "bloxx", "own", said).layout
    swapped = np.array(known.fields["bonus"].centres)[[6, 7, 2, 3, 4, 5, 0, 1]]
    assert np.array_equal(learnt.fields["bonus"].centres, swapped)


def test_whose_bonuses_they_are_can_be_said_where_all_rows_are_grey() -> None:
    grey = cv2.cvtColor(cv2.cvtColor(own_sheet(), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    proposal = learn_sheet(grey, "bloxx", "grey")
    rows, found = sorted(colors(proposal.layout)), proposal.layout.fields["bonus"].centres
    assert set(colors(proposal.layout).values()) == {"grey"}
    named = {each.where: each.read for each in proposal.values if each.where.startswith("bonus")}
    assert named == {f"bonus {at}": f"row {row}" for at, row in enumerate(rows)}
    said = {f"bonus {at}": f"row {rows[own]}" for at, own in enumerate((3, 1, 2, 0))}
    learnt = learn_sheet(grey, "bloxx", "grey", said).layout
    assert np.allclose(learnt.fields["bonus"].centres, np.array(found)[[6, 7, 2, 3, 4, 5, 0, 1]])


def test_the_whole_paper_is_kept_with_its_title() -> None:
    page, paper = own_learnt().layout.page, load_layout("bloxx").page
    assert np.abs(np.array(page.corners) - paper.corners).max() < 0.4


def test_the_definition_reads_back_with_its_picture() -> None:
    again = parse_printing(own_learnt().to_json(), "file")
    assert asdict(again) == asdict(own_learnt().layout)
    assert again.blank is not None


def test_what_is_said_of_the_print_stands() -> None:
    said = {
        "cell 0,0": "3",
        "cell 0,1": "none",
        "row 1": "violet",
        "row 4": "plain",
        "row 0": "red",
    }
    learnt = learn_sheet(own_sheet(), "bloxx", "own", said).layout
    assert numbers(learnt)[0, 0] == 3
    assert (0, 1) not in numbers(learnt)
    assert colors(learnt) | {1: "violet", 0: "red"} == colors(learnt)
    assert 4 not in colors(learnt)


@pytest.mark.parametrize(
    ("place", "said", "error"),
    [
        ("cell 0,0", "7", errors.AnswerUnclear),
        ("cell 0", "2", errors.AnswerUnclear),
        ("grid", "ten", errors.AnswerUnclear),
        ("grid", "2x7", errors.AnswerUnclear),
        ("grid", "10x99", errors.AnswerUnclear),
        ("row 1", "loud", errors.AnswerUnclear),
        ("bomb 1", "2", errors.AnswerUnclear),
        ("bonus 0", "loud", errors.AnswerUnclear),
        ("bonus 10", "violet", errors.AnswerOffSheet),
        ("cell 99,0", "2", errors.AnswerOffSheet),
        ("row 10", "violet", errors.AnswerOffSheet),
    ],
)
def test_what_is_no_print_cannot_be_said(place: str, said: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        learn_sheet(own_sheet(), "bloxx", "own", {place: said})


def test_a_filled_sheet_is_no_blank() -> None:
    marked = own_sheet().copy()
    learnt = own_learnt().layout
    blank = printed_blank(110)
    for row in range(6, 10):
        for column in range(7):
            if (row, column) not in numbers(learnt):
                x, y = (
                    np.array([column, row]) * blank.pixels_per_cell + blank.origin + 40
                ).tolist()
                low, high = 0.25 * blank.pixels_per_cell, 0.75 * blank.pixels_per_cell
                ends = [(round(x + a), round(y + b)) for a, b in ((low, low), (high, high))]
                others = [(round(x + a), round(y + b)) for a, b in ((low, high), (high, low))]
                cv2.line(marked, *ends, (90, 30, 20), 3, cv2.LINE_AA)
                cv2.line(marked, *others, (90, 30, 20), 3, cv2.LINE_AA)
    assert isinstance(learn_sheet(marked, "bloxx").remark, errors.BlankIsMarked)


def crossed_sheet(count: int, seed: int) -> tuple[Image, set[str]]:
    """The own sheet with crosses in cells by chance, by any hand that shows; and these cells."""
    rng = np.random.default_rng(seed)
    layout, blank = load_layout("bloxx"), printed_blank(110)
    field = layout.fields["cell"]
    crossed = np.zeros(field.shape, bool)
    crossed.flat[rng.permutation(crossed.size)[:count]] = True
    hand = hand_that_shows(blank, field.centres, rng, True)
    ink = Ink(blank, hand.pen, rng)
    for place in np.flatnonzero(crossed):
        draw_cell_cross(ink, hand, field.centres[place])
    places = {f"cell {row},{column}" for row, column in np.argwhere(crossed)}
    return on_a_table(ink.on(blank)), places


@pytest.mark.parametrize(("count", "seed"), [(1, 4), (3, 1), (8, 2), (20, 3)])
def test_a_sheet_with_a_few_crosses_is_no_blank(count: int, seed: int) -> None:
    sheet, crossed = crossed_sheet(count, seed)
    remark = learn_sheet(sheet, "bloxx").remark
    assert isinstance(remark, errors.BlankIsMarked)
    place, _, print_ = str(remark.facts["setting"]).partition("=")
    assert (place in crossed, print_) == (True, "none")
    assert 1 <= int(str(remark.facts["count"])) <= count


def test_a_mark_that_is_said_to_be_print_is_learnt() -> None:
    sheet, (cell,) = crossed_sheet(1, 4)
    learnt = learn_sheet(sheet, "bloxx", "own", {cell: "none"})
    assert (learnt.remark, learnt.layout.blank is not None) == (None, True)


def test_of_a_sheet_without_boxes_for_the_sums_none_are_read_nor_asked_about() -> None:
    rng = np.random.default_rng(5)  # of this printing lines stand for the sums
    layout = random_layout(rng)
    blank = render_blank(layout, rng, pixels_per_cell=48)
    assert learn_sheet(on_a_table(blank.image), "bloxx").layout.figures.keys() == set(NAMES)
    image = blank.image.copy()
    for field in layout.figures.values():
        corners = np.array(field.box.grown(0.35).corners)[[0, 2]] * 48 + blank.origin
        (left, top), (right, bottom) = corners.round().astype(int)
        image[top:bottom, left:right] = np.median(image[top:bottom, left:right], axis=(0, 1))
    sheet = on_a_table(image)
    learnt = learn_sheet(sheet, "bloxx")
    assert learnt.layout.figures == {}
    assert {doubt.where for doubt in learnt.doubts}.isdisjoint(NAMES)
    again = parse_printing(learnt.confirmed().to_json(), "file")
    check(again)
    reading = scan(sheet, sheet=again)
    assert set(reading.to_dict()["written"].values()) == {None}
    assert (reading.status, reading.violations) == ("ok", ())


def test_bonuses_that_do_not_show_are_placed_by_hand() -> None:
    blank, field = printed_blank(110), load_layout("bloxx").fields["bonus"]
    sheet = blank.image.copy()
    (left, top), (right, bottom) = (
        (np.array(end(field.centres, axis=0)) + side * 0.6) * blank.pixels_per_cell + blank.origin
        for end, side in ((np.min, -1), (np.max, 1))
    )
    sheet[round(top) : round(bottom), round(left) : round(right)] = 250
    proposal = learn_sheet(on_a_table(sheet), "bloxx")
    assert isinstance(proposal.remark, errors.BonusesNotFound)
    true = np.array(field.centres).reshape(-1, 2, 2)
    side = np.array([[-0.3, -0.3], [0.3, -0.3], [0.3, 0.3], [-0.3, 0.3]])
    said: dict[str, object] = {}
    for number, pair in enumerate(true):
        box = np.array([pair[0], pair[1], pair[1], pair[0]]) + side
        said[f"bonus {number}"] = proposal.placement.to_photo(box)
    placed = proposal.given(said)
    assert placed.remark is None
    assert np.abs(np.subtract(placed.layout.fields["bonus"].centres, field.centres)).max() < 0.1


def test_sheets_of_one_game_teach_no_other() -> None:
    assert isinstance(learn_sheet(own_sheet(), "brikks").remark, errors.BlankOfOtherGame)
    of_brikks = learn_sheet(Path("tests/fixtures/blank.jpg"), "bloxx")
    assert isinstance(of_brikks.remark, errors.BlankOfOtherGame)
    assert learn_sheet(own_sheet()).layout.game == "bloxx"


def test_an_empty_table_is_no_sheet() -> None:
    proposal = learn_sheet(np.full((900, 700, 3), 200, np.uint8), "bloxx")
    assert isinstance(proposal.remark, errors.GridNotFound)


def test_a_chess_board_is_no_sheet_of_this_game() -> None:
    board = np.full((900, 900, 3), 235, np.uint8)
    for at in range(9):
        cv2.line(board, (50 + 100 * at, 50), (50 + 100 * at, 850), (40, 40, 40), 3)
        cv2.line(board, (50, 50 + 100 * at), (850, 50 + 100 * at), (40, 40, 40), 3)
    assert isinstance(learn_sheet(board, "bloxx").remark, errors.BlankOfOtherGame)
