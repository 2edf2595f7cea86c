"""Boards, positions and games as text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.blox.material import Color, NotationError
from brikks_vision.rules.blox.position import Position, Tower
from simulation.blox import notation
from tests.rules.blox.games import BOARD, misread_positions

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
    position = notation.read_position(DRAWING, BOARD)
    assert position.pawns == {(1, 1): "blue", (1, 6): "red"}
    assert position.towers == {
        (1, 4): Tower((Color.WHITE, Color.GREY), 3),
        (2, 4): Tower((Color.WHITE, None, Color.PURPLE), 3),
        (3, 4): Tower((Color.WHITE, Color.GREY, Color.PURPLE, Color.BLACK), 4),
        (3, 5): Tower((Color.WHITE,), None),
        (3, 7): Tower((Color.WHITE,) * 5, None),
    }


def test_a_game_reads_as_it_is_told():
    state = notation.read_state(DRAWING + GAME, BOARD)
    assert state.to_move.color == "red"
    assert state.to_move.hand == ("white", "grey", "purple", "black", "black")
    assert [player.has_joker for player in state.players] == [True, False]
    assert (state.phase, state.draw_pile, state.seed) == (2, (), 0)


def test_a_board_reads_as_it_looks():
    board = notation.read_board("\n".join(["w1 g p b2 w g p b w"] * 9))
    assert board.field_colors == ("wgpbwgpbw",) * 9
    assert board.square_rows == ("1..2.....",) * 9


@settings(max_examples=60, deadline=None)
@given(misread_positions())
def test_every_position_is_read_back(position):
    assert notation.read_position(notation.print_position(position), BOARD) == position


@pytest.mark.parametrize(
    "line",
    [
        ". . . . . . . .",
        ". . . . . . . . X",
        ". . . . . . . . w:x",
        ". . . . . . . . w:",
        ". . . . . . . . :3",
        ". . . . . . . . w:" + "9" * 5000,
    ],
)
def test_a_line_that_is_no_row_is_named(line):
    with pytest.raises(NotationError) as raised:
        notation.read_position(line, BOARD)
    assert line in str(raised.value)


def test_ten_rows_are_too_many():
    with pytest.raises(NotationError):
        notation.read_position(". . . . . . . . .\n" * 10, BOARD)
    assert notation.read_position("", BOARD) == Position(BOARD)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("turn red", "turn green"),
        ("turn red", ""),
        ("phase 2", "phase 5"),
        ("phase 2", "phase"),
        ("player blue", "player red"),
        ("player blue", "player pink"),
        ("joker active", "joker lost"),
        ("cards wwgpb", "cards wwgpx"),
        ("cards wwgpb", "hand wwgpb"),
        ("points 12", "points many"),
        ("points 12", "points -1"),
        ("points 12", ""),
        ("phase 2", "phase 2\ndraw x"),
        ("phase 2", "phase 2\nseed x"),
        ("phase 2", "stage 2"),
    ],
)
def test_a_text_that_is_no_game_is_refused(before, after):
    assert before in GAME
    with pytest.raises(NotationError):
        notation.read_state(DRAWING + GAME.replace(before, after), BOARD)


@pytest.mark.parametrize("text", ["", "w g p", "w g p b w g p b w\n" * 8, "x g p b w g p b w\n" * 9,
                                  "w5 g p b w g p b w\n" * 9])  # fmt: skip
def test_a_text_that_is_no_board_is_refused(text):
    with pytest.raises(NotationError):
        notation.read_board(text)


@given(st.text(max_size=80))
def test_any_text_is_a_game_or_is_refused(text):
    for read in (notation.read_position, notation.read_state):
        try:
            read(text, BOARD)
        except NotationError as error:
            assert str(error).endswith(".")
