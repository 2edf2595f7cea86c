"""What stands on a board of BLOX at each stage of a game, by the squares printed on the fields.

``python -m training.board_stages --games 320`` lets random players play whole games on random
boards and writes ``brikks_vision/games/blox/stages.json``: for each stage (each phase in two
halves, of two players and of more) and each count of squares, 0 to 4, the shares of the fields that
bear nothing, a pawn of each colour, a tower of each height.
"""

from __future__ import annotations

import argparse
import json
import random

import numpy as np
from numpy.typing import NDArray

from brikks_vision.files import write_whole
from brikks_vision.games.blox.decode import FIRST_TOWER, THINGS, place_of_thing
from brikks_vision.games.blox.field_evidence import FILE
from brikks_vision.rules.blox.material import MAX_CHIP, PawnColor
from simulation.blox.looks import random_board
from simulation.blox.random_player import random_action
from simulation.blox.setup import BoardForTwoError, start
from simulation.blox.state import State

EVERY = 8  # turns between two positions that are counted

Counts = NDArray[np.float64]  # (squares, things)


def states_of(number: int, seed: int) -> list[State]:
    """Some states of a game from its start to its end; none where the board is not for so many."""
    rng = np.random.default_rng([seed, number])
    board = random_board(rng)
    colors = [list(PawnColor)[place] for place in rng.permutation(4)[: int(rng.integers(2, 5))]]
    try:
        state = start(board, colors, int(rng.integers(1 << 30)))
    except BoardForTwoError:
        return []
    player, found = random.Random(int(rng.integers(1 << 30))), [state]
    for turn in range(1, 3000):
        if state.is_over:
            break
        state = state.play(random_action(state, player))
        if turn % EVERY == 0:
            found.append(state)
    return [*found, state]


def counted(state: State) -> Counts:
    """How many fields of each count of squares bear each thing; pawns of all colours alike."""
    counts = np.zeros((MAX_CHIP + 1, THINGS))
    things = [place_of_thing(thing) for thing in state.position.things]
    np.add.at(counts, (state.position.board.squares, things), 1)
    counts[:, 1:FIRST_TOWER] = counts[:, 1:FIRST_TOWER].mean(axis=1, keepdims=True)
    return counts


def stages(games: int, seed: int) -> list[Counts]:
    """The shares of each stage."""
    sums: dict[tuple[bool, int, bool], Counts] = {}
    for number in range(games):
        played = states_of(number, seed)
        for phase in sorted({state.phase for state in played}):
            of_phase = [state for state in played if state.phase == phase]
            for turn, state in enumerate(of_phase):
                stage = (len(state.players) == 2, int(phase), 2 * turn >= len(of_phase))
                sums[stage] = sums.get(stage, 0) + counted(state)
    return [each / each.sum(axis=1, keepdims=True) for _, each in sorted(sums.items())]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=320)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    found = [np.round(each, 4).tolist() for each in stages(options.games, options.seed)]
    rows = [",\n".join(f"  {json.dumps(row)}" for row in each) for each in found]
    text = ",\n".join(f" [\n{each}\n ]" for each in rows)
    write_whole(FILE, f"[\n{text}\n]\n".encode())


if __name__ == "__main__":
    main()
