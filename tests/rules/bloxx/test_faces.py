"""The shapes of the dice, turned and mirrored."""

from hypothesis import given
from hypothesis import strategies as st

from brikks_vision.rules.bloxx import sheet
from simulation.bloxx.notation import print_face
from tests.rules.bloxx.bloxx_sheets import OWN

FACES = [side for die in OWN.dice for side in die]


def ways(*lines: str) -> set[tuple[str, ...]]:
    return {print_face(way) for way in sheet.turned(sheet.read_face(lines))}


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
        assert sheet.read_face(print_face(way)) == way


@given(st.sampled_from(FACES))
def test_turning_what_is_turned_gives_the_same_ways(face):
    for way in sheet.turned(face):
        assert set(sheet.turned(way)) == set(sheet.turned(face))
        assert sheet.low_height(way, 7) == sheet.low_height(face, 7)


def test_blank_rows_and_columns_around_a_shape_do_not_count():
    assert sheet.read_face(["....", ".OX.", "...."]) == sheet.read_face(["OX"])


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
    assert sheet.low_height(sheet.read_face(["XXOX"]), 7) == 1
    assert sheet.low_height(sheet.read_face(["XXOX"]), 3) == 4
    assert sheet.low_height(sheet.read_face(["X..", "XO.", ".XX"]), 7) == 3
    assert sheet.low_height(sheet.read_face(["X..", "XO.", ".XX"]), 2) is None
