"""Whole games at random."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.sheet import circle_places
from brikks_vision.rules.bloxx.state import Mark, below, blank_sheet
from simulation.bloxx.entering import enter_shape, legal_entries
from simulation.bloxx.play import Game, play_game
from tests.rules.bloxx.bloxx_sheets import OWN


def marks(game: Game) -> list:
    return [(side.sheet, side.order) for side in game.players]


def test_the_same_seed_gives_the_same_game():
    once, again, other = (play_game(OWN, random.Random(seed), (1, 3)) for seed in (5, 5, 6))
    assert marks(once) == marks(again)
    assert marks(once) != marks(other)


@settings(max_examples=40, deadline=None)
@given(
    st.integers(0, 10**6),
    st.sampled_from(Resting),
    st.lists(st.floats(0, 6), min_size=2, max_size=4),
)
def test_a_game_is_legal_from_its_first_to_its_last_shape(seed, resting, cares):
    game = play_game(OWN, random.Random(seed), cares, resting)
    assert game.is_over
    for side in game.players:
        state = blank_sheet(OWN)
        for shape in side.order:
            circle = side.sheet.circle_of(shape)
            assert circle is None or circle in circle_places(OWN.dice, shape)
            faces = [face for die in OWN.dice for face in die]
            assert any(shape == entry.cells for face in faces
                       for entry in legal_entries(state, face, resting))  # fmt: skip
            state = enter_shape(state, Entry(shape, circle))
            assert state.gaps == below(state.drawn, OWN) - state.drawn
        assert (state.grid, state.shapes) == (side.sheet.grid, side.sheet.shapes)


def test_a_game_can_stop_early():
    game = play_game(OWN, random.Random(1), (2, 2, 2), max_rolls=3)
    assert not game.is_over
    assert [len(side.order) for side in game.players] == [3, 3, 3]


@pytest.mark.parametrize("resting", Resting)
def test_careful_players_leave_fewer_gaps(resting):
    def gaps(care: float) -> int:
        games = [play_game(OWN, random.Random(seed), (care, care), resting) for seed in range(20)]
        return sum(len(side.sheet.gaps) for game in games for side in game.players)

    assert gaps(4) < gaps(1) < gaps(0)


def test_games_show_all_that_a_sheet_can_show():
    games = [play_game(OWN, random.Random(seed), (1, 3, 5)) for seed in range(12)]
    states = [side.sheet for game in games for side in game.players]
    assert {mark for state in states for row in state.grid for mark in row} == set(Mark)
    bonuses = {
        "".join(mark.name[0] for mark in figures) for state in states for figures in state.bonuses
    }
    assert bonuses == {"OO", "CO", "SO", "SC"}
    assert any(state.circle_of(shape) is None for state in states for shape in state.shapes)


def test_one_player_writes_a_cross_where_the_active_player_took_the_circle():
    for seed in range(20):
        game = play_game(OWN, random.Random(seed), (0, 0), max_rolls=1)
        first, second = (side.sheet for side in game.players)
        assert len(first.circles) == 1
        assert first.shapes != second.shapes or not second.circles or len(second.circles) == 1


def test_a_game_ends_when_two_players_fail_in_the_same_roll():
    for seed in range(8):
        game = play_game(OWN, random.Random(seed), (1, 2, 3))
        shorter = sum(len(side.order) < game.rolls for side in game.players)
        assert game.is_over and shorter >= 2
