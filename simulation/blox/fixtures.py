"""Writes the photos of boards that the tests read: ``python -m simulation.blox.fixtures``.

One set in all of them: its empty board, a position in three views, the positions after a legal and
after an illegal action, and the board set up. Beside each photo lies what is true of
it.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

import numpy as np

from brikks_vision.rules.blox.actions import Move
from brikks_vision.rules.blox.material import PawnColor
from brikks_vision.rules.blox.position import FIELDS, Position
from simulation.blox.cameras import VIEWS
from simulation.blox.path_tracer import rendered
from simulation.blox.photos import Set, random_set, shoot
from simulation.blox.random_player import legal_actions, random_action
from simulation.blox.samples import facts, set_up_position
from simulation.blox.setup import start
from simulation.blox.state import State

FOLDER = Path(__file__).parents[2] / "tests" / "fixtures" / "blox"
SEED = 5
ACTIONS = 24
LONG_SIDE = 900


def played(box: Set) -> State:
    """A moment of a game of three, at which a pawn can move."""
    state = start(box.board, [PawnColor.BLUE, PawnColor.RED, PawnColor.GREEN], SEED)
    player = random.Random(SEED)
    while len(state.position.pawns) < ACTIONS // 4 or not moves_of(state):
        state = state.play(random_action(state, player))
    return state


def moves_of(state: State) -> list[Move]:
    return [each for each in legal_actions(state, state.to_move.color) if isinstance(each, Move)]


def illegal(position: Position, move: Move) -> Position:
    """The pawn on a field of another colour, where no way leads."""
    pawn = position.at(move.start)
    for field in FIELDS:
        straight = field[0] == move.start[0] or field[1] == move.start[1]
        if not straight and position.at(field) is None:
            return position.with_things({move.start: None, field: pawn})
    raise ValueError("the board is full")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=FOLDER)
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    box = random_set(np.random.default_rng(SEED))
    state = played(box)
    move = moves_of(state)[0]
    position = state.position
    photos = {
        "empty": ("slant", Position(box.board)),
        "above": ("above", position),
        "slant": ("slant", position),
        "hard": ("hard", position),
        "after": ("slant", state.play(move).position),
        "illegal": ("slant", illegal(position, move)),
        "setup": ("slant", set_up_position(box.board, np.random.default_rng(SEED))),
    }
    for place, (name, (view, shown)) in enumerate(photos.items()):
        rng = np.random.default_rng([SEED, place])
        shot = shoot(box, shown, VIEWS[view], rng, rendered, LONG_SIDE)
        (out / f"{name}.jpg").write_bytes(shot.data)
        (out / f"{name}.json").write_text(json.dumps(facts(shot, view)) + "\n", "utf-8")


if __name__ == "__main__":
    main()
