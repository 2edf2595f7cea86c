"""Random games of BLOX to their end: ``python -m benchmarks.blox_games [--games 1000]``.

After each action it is looked at what every moment of a game keeps; what is broken is printed. Then
how long the games were, and what they needed.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections import Counter
from collections.abc import Iterator

from brikks_vision.rules.blox.actions import Action, Build, Capture, Clear
from brikks_vision.rules.blox.board import load_board
from brikks_vision.rules.blox.material import (
    BLOCKS_OF_A_COLOR,
    CARDS_OF_A_COLOR,
    CHIP_VALUES,
    CHIPS,
    HAND,
    MAX_CHIP,
    RULE_OF_SEVEN,
    Color,
    PawnColor,
    chip_for,
)
from brikks_vision.rules.blox.phases import phases_of
from brikks_vision.rules.blox.referee import referee
from simulation.blox.random_player import random_action
from simulation.blox.setup import start
from simulation.blox.state import State


def min_chips(total: int) -> int:
    """The minimum number of chips of a player who has so many points."""
    count = 0
    for value in sorted(CHIP_VALUES, reverse=True):
        chips, total = divmod(total, value)
        count += chips
    return count


def broken_invariants(state: State) -> Iterator[str]:
    """What a moment of a game does not keep; nothing if the rules are right."""
    position, players = state.position, state.players
    blocks = Counter(color for player in players for color in player.blocks)
    for tower in position.towers.values():
        blocks.update(tower.seen)
    in_game = BLOCKS_OF_A_COLOR - (len(players) == 2)
    if blocks != dict.fromkeys(Color, in_game):
        yield f"{in_game} blocks of each colour: {blocks}"
    cards = Counter((*state.draw_pile, *state.discard_pile))
    for player in players:
        cards.update(player.hand)
    if cards != dict.fromkeys(Color, CARDS_OF_A_COLOR):
        yield f"{CARDS_OF_A_COLOR} cards of each colour: {cards}"
    if any(len(player.hand) != HAND for player in players):
        yield f"{HAND} cards in each hand"
    if any(tower.chip != chip_for(tower.height) for tower in position.towers.values()):
        yield "the chip of its height on each tower"
    if chips_needed(state) > CHIPS:
        yield f"{CHIPS} chips: {chips_needed(state)}"
    if any(len(player.blocks) > RULE_OF_SEVEN - 1 + state.phase for player in players):
        yield "the rule of seven"
    if state.phase not in phases_of(position):
        yield f"phase {state.phase} as the towers tell"
    for violation in referee(position):
        yield violation.message


def chips_needed(state: State) -> int:
    """The fewest chips that the towers bear and the players hold together."""
    on_towers = sum(tower.chip is not None for tower in state.position.towers.values())
    return on_towers + sum(min_chips(player.points) for player in state.players)


def points_of(state: State, action: Action) -> int:
    """What an action earns, by the table of the rules."""
    match action:
        case Clear(target=target):
            return min(state.position.towers[target].height, MAX_CHIP)
        case Build(blocks=blocks):
            return len(blocks)
        case Capture(cards=cards):
            return len(cards)
    return 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1000)
    games = parser.parse_args().games
    lengths, chips = [], []
    broken, kinds = Counter[str](), Counter[str]()
    begun = time.perf_counter()
    for seed in range(games):
        rng = random.Random(seed)
        state = start(load_board(), [*PawnColor][: 2 + seed % 3], seed)
        worth, needed = Counter[str](), [chips_needed(state)]
        length = 0
        while not state.is_over:
            action = random_action(state, rng)
            kinds[action.name] += 1
            worth[state.to_move.color] += points_of(state, action)
            state = state.play(action)
            length += 1
            needed.append(chips_needed(state))
            broken.update(broken_invariants(state))
        if any(player.points != worth[player.color] for player in state.players):
            broken["points add up"] += 1
        if length % len(state.players):
            broken["as many turns for all"] += 1
        lengths.append(length)
        chips.append(max(needed))
    seconds = time.perf_counter() - begun
    print(f"{games} games, {sum(lengths)} actions in {seconds:.0f} s")
    print(f"actions a game: {min(lengths)} to {max(lengths)}, median {statistics.median(lengths)}")
    print(f"most chips needed in a game: {max(chips)}, median {statistics.median(chips)}")
    print("kinds:", dict(kinds.most_common()))
    print("broken:", dict(broken) or "nothing")


if __name__ == "__main__":
    main()
