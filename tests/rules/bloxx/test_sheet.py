"""Sheets as data: any size, and what is wrong with data that is no sheet."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.rules.bloxx import sheet
from brikks_vision.rules.bloxx.sheet import (
    ColoredRow,
    Face,
    NumberedCell,
    parse_sheet,
    turned,
)
from brikks_vision.rules.shapes import connected, shape_of
from simulation.bloxx.notation import print_face
from tests.rules.bloxx.bloxx_sheets import LAYOUT, OWN

PRINTED = LAYOUT["printed"]


def test_a_sheet_of_any_size_is_read():
    sheet = parse_sheet(
        {
            "colored_rows": [{"row": 3, "color": "violet"}, {"row": 0, "color": "orange"}],
            "numbers": [{"row": 0, "column": 2, "value": 4}],
        },
        rows=4,
        columns=3,
    )
    assert sheet.colored_rows == (ColoredRow(0, "orange", (4, 2)), ColoredRow(3, "violet", (4, 2)))
    assert sheet.numbers == (NumberedCell(0, 2, 4),)
    assert sheet.dice is None
    assert len(sheet.cells) == 12
    assert sheet.row_cells(1) == {(1, 0), (1, 1), (1, 2)}


def test_a_sheet_may_know_other_bonuses():
    entry = {"row": 0, "color": "red", "bonuses": [3, 6, 1]}
    assert parse_sheet({"colored_rows": [entry]}, 1, 1).colored_rows[0].bonuses == (6, 3, 1)


def face(**lines):
    return {"dice": [[["OX"]] * 6, [["OX"]] * 5 + [lines["lines"]]]}


@pytest.mark.parametrize(
    ("printed", "field"),
    [
        ({"colored_rows": {"row": 1}}, "colored_rows"),
        ({"colored_rows": [{"row": 10, "color": "red"}]}, "colored_rows"),
        ({"colored_rows": [{"row": True, "color": "red"}]}, "colored_rows.row"),
        ({"colored_rows": [{"row": 0, "color": "red"}, {"color": "red"}]}, "colored_rows.row"),
        ({"colored_rows": ["red"]}, "colored_rows"),
        ({"colored_rows": [{"row": 1, "color": ""}]}, "colored_rows.color"),
        ({"colored_rows": [{"row": 1, "color": "red"}] * 2}, "colored_rows"),
        ({"colored_rows": [{"row": 1, "color": "red", "bonuses": []}]}, "colored_rows.bonuses"),
        (
            {"colored_rows": [{"row": 1, "color": "red", "bonuses": [4, 4]}]},
            "colored_rows.bonuses",
        ),
        ({"numbers": [{"row": 0, "column": 7, "value": 4}]}, "numbers"),
        ({"numbers": [{"row": 0, "column": 6, "value": 0}]}, "numbers.value"),
        ({"numbers": [{"row": 0, "column": 6, "value": "4"}]}, "numbers.value"),
        ({"numbers": [{"row": 0, "column": 6, "value": 4}] * 2}, "numbers"),
        ({"dice": [[["OX"]] * 6]}, "dice"),
        ({"dice": [[["OX"]] * 6, [["OX"]] * 5]}, "dice"),
        (face(lines=["XX"]), "dice"),
        (face(lines=["OO"]), "dice"),
        (face(lines=["O"]), "dice"),
        (face(lines=["O.X"]), "dice"),
        (face(lines=["OA"]), "dice"),
        (face(lines=[]), "dice"),
        (face(lines="OX"), "dice"),
    ],
)
def test_what_is_wrong_is_named(printed, field):
    with pytest.raises(ValueError) as caught:  # what is wrong is its argument
        parse_sheet(printed, 10, 7)
    assert caught.value.args == (field,)


def test_a_sheet_has_rows_and_columns():
    with pytest.raises(ValueError, match="columns"):
        parse_sheet(PRINTED, 10, 0)


def test_the_own_sheet_is_a_bloxx_sheet():
    assert (OWN.rows, OWN.columns) == (10, 7)
    assert len(OWN.colored_rows) == 4
    assert {number.value for number in OWN.numbers} == {2, 3, 4}


def test_the_own_dice_show_twelve_shapes_of_three_to_five_squares():
    faces = [side for die in OWN.dice for side in die]
    assert len({turned(side)[0] for side in faces}) == 12
    assert len({frozenset(turned(side)) for side in faces}) == 12
    for side in faces:
        assert 3 <= len(side.cells) <= 5
        assert side.cells == shape_of(side.cells)
        assert len(connected(side.cells)) == 1
        assert side.circle in side.cells


def test_the_own_sheet_has_a_place_for_every_mark():
    """Nothing lies over anything else, and all of it on the page, inside of the markers."""
    bonus = LAYOUT["fields"]["bonus"]
    assert len(bonus["centres"]) == sum(len(row.bonuses) for row in OWN.colored_rows)
    boxes = [(0, 0, OWN.columns, OWN.rows)]
    for field in (bonus, *LAYOUT["figures"].values()):
        width, height = field["size"]
        for x, y in field["centres"]:
            boxes.append((x - width / 2, y - height / 2, x + width / 2, y + height / 2))
    half = LAYOUT["markers"]["size"] / 2
    for x, y in LAYOUT["markers"]["centres"]:
        boxes.append((x - half, y - half, x + half, y + half))
    page = LAYOUT["page"]
    for at, (left, top, right, bottom) in enumerate(boxes):
        assert page["x"][0] < left < right < page["x"][1]
        assert page["y"][0] < top < bottom < page["y"][1]
        for other in boxes[:at]:
            assert right <= other[0] or other[2] <= left or bottom <= other[1] or other[3] <= top


# --- the shapes of the dice, turned and mirrored --------------------------------------------------


FACES = [side for die in OWN.dice for side in die]


def ways(*lines: str) -> set[tuple[str, ...]]:
    return {print_face(way) for way in sheet.turned(Face.from_json(lines))}


def test_the_circle_moves_with_the_shape():
    assert ways("XO") == {("XO",), ("OX",), ("X", "O"), ("O", "X")}
    assert ways("XOX") == {("XOX",), ("X", "O", "X")}
    assert ways("XX", "XO") == {("XX", "XO"), ("XX", "OX"), ("XO", "XX"), ("OX", "XX")}


def test_a_shape_without_symmetry_has_eight_ways():
    assert ways("XXX", "O..") == {
        ("XXX", "O.."),
        ("XXX", "..O"),
        ("O..", "XXX"),
        ("..O", "XXX"),
        ("OX", ".X", ".X"),
        ("XO", "X.", "X."),
        (".X", ".X", "OX"),
        ("X.", "X.", "XO"),
    }


@given(st.sampled_from(FACES))
def test_a_shape_comes_back_from_its_drawing(face):
    for way in sheet.turned(face):
        assert Face.from_json(print_face(way)) == way


@given(st.sampled_from(FACES))
def test_turning_what_is_turned_gives_the_same_ways(face):
    for way in sheet.turned(face):
        assert set(sheet.turned(way)) == set(sheet.turned(face))
        assert sheet.low_height(way, 7) == sheet.low_height(face, 7)


def test_blank_rows_and_columns_around_a_shape_do_not_count():
    assert Face.from_json(["....", ".OX.", "...."]) == Face.from_json(["OX"])


def test_two_dice_may_show_one_form_with_its_circle_at_two_places():
    line = [(4, 2), (4, 3), (4, 4)]
    assert sheet.circle_places(OWN.dice, line) == frozenset(line)
    assert sheet.circle_places(OWN.dice[:1], line) == {(4, 2), (4, 4)}
    assert sheet.circle_places(OWN.dice[1:], line) == {(4, 3)}


def test_what_no_die_shows():
    assert not sheet.shows(OWN.dice, [(0, 0), (0, 1)])
    assert not sheet.shows(OWN.dice, [(0, column) for column in range(5)])
    assert sheet.circle_places(OWN.dice, [(0, 0), (0, 1)]) == frozenset()


def test_how_low_a_shape_can_lie():
    assert sheet.low_height(Face.from_json(["XXOX"]), 7) == 1
    assert sheet.low_height(Face.from_json(["XXOX"]), 3) == 4
    assert sheet.low_height(Face.from_json(["X..", "XO.", ".XX"]), 7) == 3
    assert sheet.low_height(Face.from_json(["X..", "XO.", ".XX"]), 2) is None
