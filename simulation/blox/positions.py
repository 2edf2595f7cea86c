"""What stands on the board: moments of random games, or crowds for training."""

from __future__ import annotations

import random

import numpy as np

from brikks_vision.rules.blox.material import Color, PawnColor
from brikks_vision.rules.blox.position import FIELDS, Board, Position, Thing, tower_of
from simulation.blox.random_player import random_action
from simulation.blox.setup import start


def played_position(board: Board, rng: np.random.Generator) -> Position:
    """A moment of a game that random players play."""
    seed = int(rng.integers(1 << 31))
    colors = [list(PawnColor)[place] for place in rng.permutation(4)[: int(rng.choice([3, 4]))]]
    state = start(board, colors, seed)
    player = random.Random(seed)
    for _ in range(int(rng.integers(0, 140))):
        state = state.play(random_action(state, player))
        if state.is_over:
            break
    return state.position


def crowded_position(board: Board, rng: np.random.Generator) -> Position:
    """More towers and pawns than a game has, of all heights alike, so that a photo shows many."""
    things: dict[tuple[int, int], Thing | None] = {}
    towers, pawns = int(rng.integers(6, 23)), int(rng.integers(4, 19))
    places = [FIELDS[place] for place in rng.permutation(len(FIELDS))[: towers + pawns]]
    heights = rng.choice([1, 2, 3, 4, 5], towers, p=[0.26, 0.22, 0.2, 0.18, 0.14])
    for field, height in zip(places, heights, strict=False):
        things[field] = tower_of(tuple(list(Color)[place] for place in rng.integers(0, 4, height)))
    for field in places[towers:]:
        things[field] = list(PawnColor)[int(rng.integers(4))]
    return Position(board).with_things(things)
