"""Whole games as text, there and back."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.blox.material import NotationError
from brikks_vision.rules.blox.turn import print_game
from simulation.blox.notation import read_game, read_position
from tests.rules.blox.games import BOARD, misread_positions, played

START = """\
.    .    .    .    .    .    .    .    .
.    Bl   .    .    wg   .    Re   .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
"""
TURNS = """\
enter Gr 0,2
swap
clear Bl 1,1 1,4
capture Re 1,6 1,4
build Gr 0,2 w?
move Re 1,4 4,4
change 0,2=. 4,4=Gr
"""


def test_a_game_reads_as_it_is_told():
    positions = read_game(START + TURNS, BOARD)
    assert len(positions) == 8
    assert positions[0] == read_position(START, BOARD)
    assert dict(positions[-1].pawns) == {(4, 4): "green"}
    assert (
        print_game(positions)
        == START.replace("    ", "  ")
        .replace("wg   ", "wg ")
        .replace("Bl   ", "Bl ")
        .replace("Re   ", "Re ")
        + TURNS
    )


@settings(max_examples=20, deadline=None)
@given(st.integers(2, 4), st.integers(0, 2))
def test_every_game_is_read_back(players, seed):
    positions = tuple(state.position for state in played(players, seed))
    assert read_game(print_game(positions), BOARD) == positions


@settings(max_examples=60, deadline=None)
@given(st.lists(misread_positions(), min_size=1, max_size=4))
def test_what_no_action_explains_is_read_back_too(positions):
    assert read_game(print_game(positions), BOARD) == tuple(positions)


@pytest.mark.parametrize(
    "line", ["jump Bl 1,1 1,2", "enter Bl 9,0", "enter Xx 0,0", "build Bl 1,1", "swap 1", "change",
             "change 1,1", "move Bl 1,1 x,2"]
)  # fmt: skip
def test_a_line_that_is_no_turn_is_named(line):
    with pytest.raises(NotationError) as raised:
        read_game(START + line, BOARD)
    assert line in str(raised.value)


@given(st.text(max_size=80))
def test_any_text_is_a_game_or_is_refused(text):
    try:
        read_game(START + text, BOARD)
    except NotationError as error:
        assert str(error).endswith(".")
