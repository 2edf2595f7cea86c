"""Where shapes can be entered: drawings, and the rule applied to every place by hand."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.sheet import read_face
from simulation.bloxx.entering import enter_shape, legal_entries
from simulation.bloxx.notation import print_face, print_sheet
from simulation.bloxx.play import play_game
from tests.rules.bloxx.bloxx_sheets import OWN, drawn

FACES = [side for die in OWN.dice for side in die]
LINE = read_face(["XOX"])


def at(*cells) -> frozenset:
    return frozenset(cells)


def cells_of(state, face, resting) -> set:
    return {entry.cells for entry in legal_entries(state, face, resting)}


TOWER = drawn("""
    X...... A......
    O...... A......
    X...... A......
""")


def test_the_first_shape_touches_the_bottom_edge():
    blank = drawn("")
    for resting in Resting:
        entries = legal_entries(blank, LINE, resting)
        assert len(entries) == 5 + 7
        assert all(any(row == 9 for row, _ in entry.cells) for entry in entries)
    assert at((8, 0), (8, 1), (8, 2)) not in cells_of(blank, LINE, Resting.ENGLISH)


def test_by_the_german_rules_a_shape_comes_to_rest_on_another():
    # upright on the tower, or lying on it and over the edge
    assert cells_of(TOWER, LINE, Resting.GERMAN) == {
        at((4, 0), (5, 0), (6, 0)),
        at((6, 0), (6, 1), (6, 2)),
    }
    assert at((9, 1), (9, 2), (9, 3)) not in cells_of(TOWER, LINE, Resting.GERMAN)


def test_by_the_english_rules_a_side_is_enough():
    beside = at((9, 1), (9, 2), (9, 3))
    hanging = at((7, 1), (8, 1), (9, 1))
    assert {beside, hanging} <= cells_of(TOWER, LINE, Resting.ENGLISH)
    assert at((6, 1), (6, 2), (6, 3)) not in cells_of(
        TOWER, LINE, Resting.ENGLISH
    )  # corners do not touch


def test_nothing_is_entered_under_what_is_drawn():
    roof = drawn("""
        .XOX... .BBB...
        .X##... .A.....
        .X##... .A.....
        .O##... .A.....
    """)
    for resting in Resting:
        assert not any(
            row > 6 and column in (1, 2, 3)
            for cells in cells_of(roof, LINE, resting)
            for row, column in cells
        )


def test_a_shape_stays_inside_the_grid():
    assert at((9, 6), (9, 7), (9, 8)) not in cells_of(TOWER, LINE, Resting.ENGLISH)


def test_what_lies_under_a_shape_is_coloured_in_at_once():
    entered = enter_shape(TOWER, Entry(at((6, 0), (6, 1), (6, 2)), (6, 2)))
    assert print_sheet(entered).splitlines()[6:10] == [
        "XXO.... BBB....",
        "X##.... A......",
        "O##.... A......",
        "X##.... A......",
    ]


def test_a_gap_stays_a_gap():
    entered = enter_shape(TOWER, Entry(at((6, 0), (6, 1), (6, 2)), None))
    again = enter_shape(entered, Entry(at((5, 1), (5, 2), (5, 3)), None))
    assert entered.gaps < again.gaps
    assert again.gaps - entered.gaps == {(6, 3), (7, 3), (8, 3), (9, 3)}


def test_without_its_circle_a_shape_has_fewer_ways():
    face = read_face(["OXX"])
    assert len(legal_entries(drawn(""), face, Resting.ENGLISH)) == 2 * (5 + 7)
    without = legal_entries(drawn(""), face, Resting.ENGLISH, has_circle=False)
    assert len(without) == 5 + 7
    assert {entry.circle for entry in without} == {None}


def every_way(face) -> set:
    """All turnings and mirrorings, by reading the drawing in eight ways."""
    found = set()
    lines = list(print_face(face))
    for _ in range(4):
        lines = ["".join(column) for column in zip(*lines[::-1], strict=True)]
        found |= {tuple(lines), tuple(line[::-1] for line in lines)}
    return found


def is_legal(state, cells, resting) -> bool:
    """The rules, as they are written."""
    for row, column in cells:
        if not (0 <= row < 10 and 0 <= column < 7):
            return False
        if any(state.grid[above][column] in "XO" for above in range(row + 1)):
            return False
    if not state.drawn:
        return any(row == 9 for row, _ in cells)
    near = [(row + 1, column) for row, column in cells]
    if resting is Resting.ENGLISH:
        near += [(row - 1, column) for row, column in cells]
        near += [(row, column + side) for row, column in cells for side in (-1, 1)]
    return any(cell in state.drawn for cell in near)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 18), st.sampled_from(FACES), st.sampled_from(Resting))
def test_the_legal_entries_are_those_of_the_rules(seed, rolls, face, resting):
    game = play_game(OWN, random.Random(seed), (2, 2), resting, max_rolls=rolls)
    state = game.players[0].sheet
    by_hand = set()
    for lines in every_way(face):
        for top in range(-2, 10):
            for left in range(-2, 7):
                signs = {
                    (top + row, left + column): sign
                    for row, line in enumerate(lines)
                    for column, sign in enumerate(line)
                    if sign != "."
                }
                if is_legal(state, signs, resting):
                    circle = next(cell for cell, sign in signs.items() if sign == "O")
                    by_hand.add(Entry(frozenset(signs), circle))
    entries = legal_entries(state, face, resting)
    assert len(entries) == len(set(entries))
    assert set(entries) == by_hand


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 18), st.sampled_from(FACES))
def test_what_the_german_rules_allow_the_english_allow_too(seed, rolls, face):
    game = play_game(OWN, random.Random(seed), (2, 2), Resting.GERMAN, max_rolls=rolls)
    state = game.players[0].sheet
    german = set(legal_entries(state, face, Resting.GERMAN))
    assert german <= set(legal_entries(state, face, Resting.ENGLISH))
