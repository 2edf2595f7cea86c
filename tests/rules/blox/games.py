"""Boards, drawn positions and games for the tests of BLOX."""

import random

from hypothesis import strategies as st

from brikks_vision.rules.blox.board import load_board
from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import Position, Tower
from brikks_vision.rules.blox.random_player import random_action
from brikks_vision.rules.blox.setup import start

BOARD = load_board()
COLORS = tuple(PawnColor)


def played(players: int, seed: int, actions: int):
    """A game after so many random actions, or at its end."""
    state = start(BOARD, COLORS[:players], seed)
    rng = random.Random(seed)
    for _ in range(actions):
        if state.is_over:
            break
        state = state.play(random_action(state, rng))
    return state


@st.composite
def states(draw):
    """Games at any moment."""
    return played(draw(st.integers(2, 4)), draw(st.integers(0, 10**6)), draw(st.integers(0, 300)))


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
