"""What an action brings, at once and with the next turn."""

import random
from collections import Counter

import pytest

from brikks_vision.rules.blox.actions import gain_of
from brikks_vision.rules.blox.material import CARDS_OF_A_COLOR, HAND, Color
from brikks_vision.rules.blox.position import load_board
from brikks_vision.rules.blox.possible import looked_ahead, possible_actions
from simulation.blox.random_player import legal_actions, random_action
from simulation.blox.setup import start


def played(seed, turns):
    rng = random.Random(seed)
    state = start(load_board(), ["blue", "green"], seed=seed)
    for _ in range(turns):
        state = state.play(random_action(state, rng))
    return state


def prospects(state):
    mover = state.to_move
    told = (mover.color, mover.cards, mover.blocks)
    found = possible_actions(state.position, *told, state.phase)
    return found, looked_ahead(state.position, found, *told)


@pytest.mark.parametrize("seed", range(6))
def test_all_actions_are_told_the_best_first(seed):
    found, ranked = prospects(played(seed, 12 + 9 * seed))
    assert Counter(each.action for each in found) == Counter(
        each.possible.action for each in ranked
    )
    assert [each.worth for each in ranked] == sorted((each.worth for each in ranked), reverse=True)
    assert all(each.points == gain_of(each.possible.action)[0] for each in ranked)


@pytest.mark.parametrize("seed", range(4))
def test_the_next_turn_is_what_drawing_by_chance_brings(seed):
    """Against the engine: the same player once more, with cards drawn from all that they lack."""
    state = played(seed, 20 + 7 * seed)
    _, ranked = prospects(state)
    mover = state.to_move
    pile = list((Counter(dict.fromkeys(Color, CARDS_OF_A_COLOR)) - Counter(mover.hand)).elements())
    rng = random.Random(seed)
    for each in rng.sample(ranked, min(3, len(ranked))):
        most = []
        for _ in range(150):
            rng.shuffle(pile)
            after = again(state, each.possible.action, tuple(pile))
            gains = (gain_of(action)[0] for action in legal_actions(after, mover.color))
            most.append(max(gains, default=0))
        mean = sum(most) / len(most)
        error = (sum((one - mean) ** 2 for one in most) / len(most) / len(most)) ** 0.5
        assert abs(mean - each.later) <= 4 * error + 1e-9


def again(state, action, pile):
    """The state after an action, drawn from that pile, in which the same player moves again."""
    from dataclasses import replace

    after = replace(state, draw_pile=pile).play(action)
    assert len(after.players[state.turn].hand) == HAND
    return replace(after, turn=state.turn)
