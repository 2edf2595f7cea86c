"""Whole games by random players: what holds at every moment, and how they end."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.blox.actions import Capture, Clear
from brikks_vision.rules.blox.material import PawnColor
from brikks_vision.rules.blox.referee import phases_of
from simulation.blox.errors import GameOverError
from simulation.blox.notation import read_state
from simulation.blox.random_player import legal_actions, random_action, random_game
from simulation.blox.setup import start
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
    with pytest.raises(GameOverError):
        state.play(CLEAR_FOUR)


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
