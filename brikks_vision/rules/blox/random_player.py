"""A player that knows the rules and no strategy."""

from __future__ import annotations

import random

from brikks_vision.rules.blox.actions import Action
from brikks_vision.rules.blox.possible import legal_actions
from brikks_vision.rules.blox.state import State


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
