"""Whole games by random players: what holds at every moment, and how they end."""

import doctest
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.actions import Capture, Clear
from brikks_vision.rules.blox.material import PawnColor
from brikks_vision.rules.blox.position import FIELDS, load_board, neighbours, parse_board
from brikks_vision.rules.blox.referee import phases_of
from simulation.blox import random_player
from simulation.blox.notation import read_state
from simulation.blox.random_player import legal_actions, random_action, random_game
from simulation.blox.setup import BoardForTwoError, start
from tests.rules.blox.games import BOARD, COLORS, broken_invariants, points_of


@settings(max_examples=6, deadline=None)
@given(st.integers(2, 4), st.integers(0, 10**9))
def test_every_moment_of_a_random_game_keeps_what_the_rules_keep(players, seed):
    state, rng = start(BOARD, COLORS[:players], seed), random.Random(seed)
    turns, earned = Counter(), Counter()
    assert [*broken_invariants(state)] == []
    while not state.is_over:
        action, mover = random_action(state, rng), state.to_move
        earned[mover.color] += points_of(state, action)
        turns[mover.color] += 1
        state = state.play(action)
        assert [*broken_invariants(state)] == []
    assert {player.color: player.points for player in state.players} == {
        color: earned[color] for color in COLORS[:players]
    }
    assert len({turns[color] for color in COLORS[:players]}) == 1
    assert state.phase == 4 and state.position.towers_of(4) <= 1
    assert legal_actions(state, state.to_move.color) == ()
    assert state.winners


def test_the_example_runs_as_shown():
    results = doctest.testmod(random_player)
    assert (results.attempted > 4, results.failed) == (True, 0)


def test_the_same_seed_plays_the_same_game():
    games = [random_game(start(BOARD, COLORS, 7), random.Random(7)) for _ in range(2)]
    assert games[0] == games[1]
    assert games[0] != random_game(start(BOARD, COLORS, 8), random.Random(7))


END = """\
.    .    .    .    .    .    .    .    .
.    .    .    Bl   wwgp .    .    .    .
.    .    .    .    .    .    .    .    .
.    .    .    .    .    wgpb .    .    .
.    .    .    .    .    .    .    .    .
turn {turn}
phase 4
player blue cards wwgpb joker active blocks gg points 10
player red cards wwgpb joker active blocks {blocks} points {points}
player green cards wwgpb joker active blocks gg points 3
draw wwwwwwwwww
"""
CLEAR_FOUR = Clear((1, 3), (1, 4), ("white", "white", "grey", "purple"))


def test_the_round_is_finished_once_one_tower_of_four_is_left():
    state = read_state(END.format(turn="blue", blocks="g", points=1), BOARD)
    assert not state.is_near_end
    state = state.play(CLEAR_FOUR)
    for player in ("red", "green"):
        assert state.is_near_end and not state.is_over
        assert state.to_move.color == player
        state = state.play(legal_actions(state, player)[0])
    assert state.is_over
    assert state.winners == (PawnColor.BLUE,)
    assert legal_actions(state, "blue") == ()


@pytest.mark.parametrize(
    ("blocks", "points", "winners"),
    [
        ("ggg", 9, ["blue"]),
        ("-", 11, ["red"]),
        ("ggg", 10, ["red"]),
        ("g", 10, ["blue"]),
        ("wb", 10, ["blue", "red"]),
    ],
)
def test_most_points_win_and_more_blocks_where_they_tie(blocks, points, winners):
    state = read_state(END.format(turn="green", blocks=blocks, points=points), BOARD)
    assert [*state.winners] == winners


PHASE_END = """\
.    .    .    .    .    .    .    .    .
.    .    .    Bl   w    .    .    .    .
.    .    .    .    g    .    .    .    .
.    wgp  .    wgp  .    .    .    .    .
.    {}   .    {}   .    .    .    .    .
turn blue
phase 1
player blue cards wwgpb joker active blocks - points 0
player red cards wwgpb joker active blocks - points 0
draw wwwwwwwwww
"""


@pytest.mark.parametrize(("twos", "phase"), [(("wg", "wg"), 2), (("wg", "."), 3), ((".", "."), 3)])
def test_the_next_phase_begins_at_once_and_may_be_over_too(twos, phase):
    state = read_state(PHASE_END.format(*twos), BOARD)
    assert phases_of(state.position) == (1,)
    state = state.play(Clear((1, 3), (1, 4), ("white",)))
    assert state.phase == phase
    assert phases_of(state.position) == (phase,)


NEUTRAL = """\
.    .    .    .    .    .    .    .    .
.    .    .    .    .    .    .    .    .
Bl   Br   .    .    .    wg   .    wg   .
turn blue
phase 2
player blue cards wwwgp joker active blocks - points 0
player red cards wwgpb joker active blocks - points 0
draw wwwwwwwwww
"""


def test_a_neutral_pawn_is_captured_and_out_of_the_game():
    state = read_state(NEUTRAL, BOARD)
    state = state.play(Capture((2, 0), (2, 1), ("white", "white", "white", "joker")))
    assert state.position.pawns == {(2, 1): "blue"}
    assert state.players[0].points == 4
    assert not state.players[0].has_joker


def test_two_begin_in_phase_two_among_neutral_pawns():
    state = start(BOARD, ["blue", "red"], 3)
    assert state.phase == 2
    assert Counter(state.position.pawns.values()) == {"brown": 4, "green": 4}
    assert sum(tower.height for tower in state.position.towers.values()) == 36
    assert not any(tower.height == 1 for tower in state.position.towers.values())


# --- boards, and the start of a game on them ------------------------------------------------------


PLAIN = {"field_colors": list(BOARD.field_colors), "squares": list(BOARD.square_rows)}


def test_the_board_is_as_the_rules_say():
    assert Counter(BOARD.colors) == {"black": 21, "white": 20, "grey": 20, "purple": 20}
    heights = Counter(BOARD.squares)
    assert heights[1] == 12
    assert sum(height * count for height, count in heights.items()) == 40
    # Two players: all but the towers of 1, and four further ones of 2, use four blocks less.
    assert 40 - 12 + 4 * 2 == 36
    assert load_board() is load_board()


def test_no_two_neighbours_on_the_board_are_alike_so_that_ways_are_short():
    assert not [
        (field, beside)
        for field in FIELDS
        for beside in neighbours(field)
        if BOARD.color(field) == BOARD.color(beside)
    ]


def test_the_four_turns_of_the_board_differ():
    turned = BOARD.field_colors
    for _ in range(3):
        turned = tuple("".join(column) for column in zip(*reversed(turned), strict=True))
        different = sum(
            sign != other
            for row, other_row in zip(turned, BOARD.field_colors, strict=True)
            for sign, other in zip(row, other_row, strict=True)
        )
        assert different > len(FIELDS) // 2


def test_a_board_is_read_from_its_layout():
    assert parse_board(PLAIN | {"name": "mine", "page": {}}) == BOARD
    empty = parse_board({"field_colors": PLAIN["field_colors"]})
    assert empty.colors == BOARD.colors
    assert set(empty.squares) == {0}


@pytest.mark.parametrize(
    "colors",
    [None, 7, "wgpbwgpbw", [], ["wgpbwgpbw"] * 8, ["wgpbwgpb"] * 9, ["wgpbwgpbx"] * 9,
     [["w"] * 9] * 9, [7] * 9],
)  # fmt: skip
def test_other_colours_are_refused(colors):
    with pytest.raises(material.BoardColorsError, match="field_colors"):
        parse_board(PLAIN | {"field_colors": colors})


@pytest.mark.parametrize("squares", [7, [], ["........."] * 8, ["........5"] * 9, [None] * 9])
def test_other_squares_are_refused(squares):
    with pytest.raises(material.BoardSquaresError, match="squares"):
        parse_board(PLAIN | {"squares": squares})


@given(st.integers(3, 4), st.integers(0, 10**9))
def test_three_or_four_players_begin_with_all_blocks(players, seed):
    state = start(BOARD, COLORS[:players], seed)
    assert state.phase == 1
    assert not state.position.pawns
    for field in FIELDS:
        tower = state.position.towers.get(field)
        assert (tower.height if tower else 0) == BOARD.squares_on(field)
        assert tower is None or tower.chip == tower.height
    blocks = Counter(color for tower in state.position.towers.values() for color in tower.blocks)
    assert blocks == dict.fromkeys(material.Color, 10)
    assert [player.color for player in state.players] == [*COLORS[:players]]
    assert all(player.has_joker and len(player.hand) == 5 for player in state.players)


@given(st.permutations(COLORS), st.integers(0, 10**9))
def test_two_players_begin_without_towers_of_one_and_among_neutral_pawns(colors, seed):
    state = start(BOARD, colors[:2], seed)
    position = state.position
    assert state.phase == 2
    blocks = Counter(color for tower in position.towers.values() for color in tower.blocks)
    assert blocks == dict.fromkeys(material.Color, 9)
    ones = [field for field in FIELDS if BOARD.squares_on(field) == 1]
    added = [field for field in ones if field in position.towers]
    assert Counter(BOARD.color(field) for field in added) == {"grey": 2, "white": 2}
    assert all(position.towers[field].height == 2 for field in added)
    assert Counter(position.pawns.values()) == dict.fromkeys(colors[2:], 4)
    assert {*position.pawns} | {*added} == {*ones}
    for field in FIELDS:
        if BOARD.squares_on(field) > 1:
            assert position.towers[field].height == BOARD.squares_on(field)


def with_squares(squares):
    return parse_board(PLAIN | {"squares": squares})


@pytest.mark.parametrize("seed", range(5))
def test_a_board_without_the_fields_for_two_is_for_three_and_four(seed):
    places = random.Random(seed).sample(FIELDS, 40)
    board = with_squares(
        [
            "".join("1" if (row, column) in places else "." for column in range(9))
            for row in range(9)
        ]
    )
    assert len(start(board, COLORS[:3]).position.towers) == 40
    with pytest.raises(BoardForTwoError):
        start(board, COLORS[:2])


def test_two_need_two_white_and_two_grey_fields_with_one_square():
    ones = [field for field in FIELDS if BOARD.color(field) == "black"][:12]
    rest = iter([4] * 7)
    squares = [["."] * 9 for _ in range(9)]
    for row, column in FIELDS:
        if (row, column) in ones:
            squares[row][column] = "1"
        elif height := next(rest, None):
            squares[row][column] = str(height)
    with pytest.raises(BoardForTwoError):
        start(with_squares(["".join(row) for row in squares]), COLORS[:2])
