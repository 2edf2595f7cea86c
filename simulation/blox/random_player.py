"""A player that knows the rules and no strategy.

A game to its end by random players; a state is never changed, ``play`` gives the next one:

>>> import random
>>> from brikks_vision.rules.blox.actions import Enter
>>> from brikks_vision.rules.blox.position import load_board
>>> from simulation.blox.setup import start
>>> state = start(load_board(), ["blue", "green", "red"], seed=1)
>>> print(state.to_move.color, *state.to_move.hand)
blue white white grey grey black
>>> state = state.play(Enter((0, 2), ("grey",)))
>>> rng = random.Random(1)
>>> while not state.is_over:
...     state = state.play(random_action(state, rng))
>>> print(*state.winners, [player.points for player in state.players])
blue [117, 111, 116]
"""

from __future__ import annotations

import random

from brikks_vision.rules.blox.actions import Action
from brikks_vision.rules.blox.possible import possible_actions
from simulation.blox.state import State


def legal_actions(state: State, player: str) -> tuple[Action, ...]:
    """All that a player may do now; empty when it is not their turn or the game is over.

    player: the colour of the pawns. Blocks may be piled in any order: each choice of blocks is one
    ``Build``, and ``State.play`` takes it in any other order as well.
    """
    if state.is_over or state.to_move.color != player:
        return ()
    side = state.to_move
    found = possible_actions(state.position, player, side.cards, side.blocks, state.phase)
    return tuple(each.action for each in found)


def random_action(state: State, rng: random.Random) -> Action:
    """A legal action of the player whose turn it is: first its kind by chance, then one of them.

    There is one as long as the game is not over, as cards can always be swapped.

    Raises
    ------
    IndexError
        The game is over, or the player has nothing at all to do.
    """
    kinds: dict[str, list[Action]] = {}
    for action in legal_actions(state, state.to_move.color):
        kinds.setdefault(action.name, []).append(action)
    return rng.choice(kinds[rng.choice(list(kinds))])


def random_game(state: State, rng: random.Random) -> State:
    """The state at the end of a game that random players go on with."""
    while not state.is_over:
        state = state.play(random_action(state, rng))
    return state
