"""Boards, positions and whole games as text, there and back."""

from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.blox.material import Color
from brikks_vision.rules.blox.position import Position, Tower
from brikks_vision.rules.blox.turn import print_game, print_position
from simulation.blox.notation import read_board, read_game, read_position, read_state
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


@given(st.lists(misread_positions(), min_size=1, max_size=4))
def test_what_no_action_explains_is_read_back_too(positions):
    assert read_game(print_game(positions), BOARD) == tuple(positions)


# --- boards and moments of games ------------------------------------------------------------------


DRAWING = """\
.    .    .    .    .    .    .    .    .
.    Bl   .    .    wg:3 .    Re   .    .
.    .    .    .    w?p  .    .    .    .
.    .    .    .    wgpb w:-  .    wwwww .
"""

GAME = """\
turn red
phase 2
player blue cards wwgpb joker active blocks g points 7
player red cards gbbpw joker spent blocks - points 12
"""


def test_a_drawing_reads_as_it_looks():
    position = read_position(DRAWING, BOARD)
    assert position.pawns == {(1, 1): "blue", (1, 6): "red"}
    assert position.towers == {
        (1, 4): Tower((Color.WHITE, Color.GREY), 3),
        (2, 4): Tower((Color.WHITE, None, Color.PURPLE), 3),
        (3, 4): Tower((Color.WHITE, Color.GREY, Color.PURPLE, Color.BLACK), 4),
        (3, 5): Tower((Color.WHITE,), None),
        (3, 7): Tower((Color.WHITE,) * 5, None),
    }


def test_a_moment_of_a_game_reads_as_it_is_told():
    state = read_state(DRAWING + GAME, BOARD)
    assert state.to_move.color == "red"
    assert state.to_move.hand == ("white", "grey", "purple", "black", "black")
    assert [player.has_joker for player in state.players] == [True, False]
    assert (state.phase, state.draw_pile, state.seed) == (2, (), 0)


def test_a_board_reads_as_it_looks():
    board = read_board("\n".join(["w1 g p b2 w g p b w"] * 9))
    assert board.field_colors == ("wgpbwgpbw",) * 9
    assert board.square_rows == ("1..2.....",) * 9


@settings(max_examples=60, deadline=None)
@given(misread_positions())
def test_every_position_is_read_back(position):
    assert read_position(print_position(position), BOARD) == position


def test_rows_left_out_are_empty():
    assert read_position("", BOARD) == Position(BOARD)
