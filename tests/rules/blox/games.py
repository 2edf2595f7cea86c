"""Boards, drawn positions and games for the tests of BLOX."""

import random
from functools import cache

from hypothesis import strategies as st

from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import Position, Tower, load_board
from simulation.blox.random_player import random_action
from simulation.blox.setup import start
from simulation.blox.state import State

BOARD = load_board()
COLORS = tuple(PawnColor)


@cache
def played(players: int, seed: int) -> tuple[State, ...]:
    """Every moment of a random game."""
    moments = [start(BOARD, COLORS[:players], seed)]
    rng = random.Random(seed)
    while not moments[-1].is_over:
        moments.append(moments[-1].play(random_action(moments[-1], rng)))
    return tuple(moments)


@st.composite
def states(draw):
    """Any moment of some games, which are played once for all tests."""
    moments = played(draw(st.integers(2, 4)), draw(st.integers(0, 2)))
    return moments[draw(st.integers(0, len(moments) - 1))]


def towers(max_height: int = 7):
    blocks = st.lists(st.sampled_from([*Color, None]), min_size=1, max_size=max_height)
    chips = st.sampled_from([None, None, 1, 2, 3, 4, 10])
    return st.builds(Tower, blocks.map(tuple), chips)


def misread_positions(max_height: int = 7):
    """Whatever a photo may be read as: also what no game leads to."""
    things = st.one_of(st.none(), st.none(), towers(max_height), st.sampled_from(COLORS))
    return st.lists(things, min_size=81, max_size=81).map(
        lambda found: Position(BOARD, tuple(found))
    )
