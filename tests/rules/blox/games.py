"""Boards, drawn positions and games for the tests of BLOX."""

import random
from collections import Counter
from collections.abc import Iterator
from functools import cache

from hypothesis import strategies as st

from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.actions import Action, Build, Capture, Clear
from brikks_vision.rules.blox.position import Position, Tower, load_board
from brikks_vision.rules.blox.referee import phases_of, referee
from simulation.blox.random_player import random_action
from simulation.blox.setup import start
from simulation.blox.state import State

BOARD = load_board()
COLORS = tuple(material.PawnColor)


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
    blocks = st.lists(st.sampled_from([*material.Color, None]), min_size=1, max_size=max_height)
    chips = st.sampled_from([None, None, 1, 2, 3, 4, 10])
    return st.builds(Tower, blocks.map(tuple), chips)


def misread_positions(max_height: int = 7):
    """Whatever a photo may be read as: also what no game leads to."""
    things = st.one_of(st.none(), st.none(), towers(max_height), st.sampled_from(COLORS))
    return st.lists(things, min_size=81, max_size=81).map(
        lambda found: Position(BOARD, tuple(found))
    )


def min_chips(total: int) -> int:
    """The minimum number of chips of a player who has so many points."""
    count = 0
    for value in sorted(material.CHIP_VALUES, reverse=True):
        chips, total = divmod(total, value)
        count += chips
    return count


def broken_invariants(state: State) -> Iterator[str]:
    """The invariants that a moment of a game breaks; none if the rules are right."""
    position, players = state.position, state.players
    blocks = Counter(color for player in players for color in player.blocks)
    for tower in position.towers.values():
        blocks.update(tower.seen)
    in_game = material.BLOCKS_OF_A_COLOR - (len(players) == 2)
    if blocks != dict.fromkeys(material.Color, in_game):
        yield f"{in_game} blocks of each colour: {blocks}"
    cards = Counter((*state.draw_pile, *state.discard_pile))
    for player in players:
        cards.update(player.hand)
    if cards != dict.fromkeys(material.Color, material.CARDS_OF_A_COLOR):
        yield f"{material.CARDS_OF_A_COLOR} cards of each colour: {cards}"
    if any(len(player.hand) != material.HAND for player in players):
        yield f"{material.HAND} cards in each hand"
    if any(tower.chip != material.chip_for(tower.height) for tower in position.towers.values()):
        yield "the chip of its height on each tower"
    if chips_needed(state) > material.CHIPS:
        yield f"{material.CHIPS} chips: {chips_needed(state)}"
    if any(len(player.blocks) > material.RULE_OF_SEVEN - 1 + state.phase for player in players):
        yield "the rule of seven"
    if state.phase not in phases_of(position):
        yield f"phase {state.phase} as the towers tell"
    for violation in referee(position):
        yield violation.message


def chips_needed(state: State) -> int:
    """The least number of chips that the towers bear and the players hold together."""
    on_towers = sum(tower.chip is not None for tower in state.position.towers.values())
    return on_towers + sum(min_chips(player.points) for player in state.players)


def points_of(state: State, action: Action) -> int:
    """What an action earns, by the table of the rules."""
    match action:
        case Clear(target=target):
            return min(state.position.towers[target].height, material.MAX_CHIP)
        case Build(blocks=blocks):
            return len(blocks)
        case Capture(cards=cards):
            return len(cards)
    return 0
