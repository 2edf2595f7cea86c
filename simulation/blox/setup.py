"""The start of a game (published rules, "Setup" and "Two players")."""

from __future__ import annotations

import random
from collections.abc import Sequence

from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.position import FIELDS, Board, Position, Thing, tower_of
from simulation.blox.state import Player, State, shuffled

FIRST_PHASE_FOR_TWO = 2
FURTHER_TOWER = 2
"""The height of the towers that two players add, on fields with one square."""

FURTHER_TOWERS = {material.Color.GREY: 2, material.Color.WHITE: 2}
"""How many of them stand on fields of which colour."""


class BoardForTwoError(ValueError):
    """The board has not the fields that two players need."""


def start(board: Board, players: Sequence[material.PawnColor | str], seed: int = 0) -> State:
    """A game before its first turn, on a board whose squares add up to all blocks.

    players: the colours of 2 to 4 players, the starting player first. seed: of the blocks' colours,
    of the cards and, for two, of the fields that the rules leave open; the same seed gives the same
    game.

    Raises
    ------
    BoardForTwoError
        Two players need two grey and two white fields with one square, and as many further ones as
        there are neutral pawns.
    """
    colors = tuple(material.parse_pawn(color) for color in players)
    rng = random.Random(seed)
    things = _for_two(board, colors, rng) if len(colors) == 2 else _for_more(board, rng)
    cards = shuffled(tuple(material.Color) * material.CARDS_OF_A_COLOR, seed)
    hands = [
        cards[place * material.HAND : (place + 1) * material.HAND] for place in range(len(colors))
    ]
    return State(
        position=Position(board).with_things(things),
        players=tuple(
            Player(color, material.in_order(hand))
            for color, hand in zip(colors, hands, strict=True)
        ),
        phase=FIRST_PHASE_FOR_TWO if len(colors) == 2 else 1,
        draw_pile=cards[material.HAND * len(colors) :],
        seed=seed + 1,
    )


def _for_more(board: Board, rng: random.Random) -> dict[material.Field, Thing]:
    heights = {field: board.squares_on(field) for field in FIELDS if board.squares_on(field)}
    return _with_towers(heights, material.BLOCKS_OF_A_COLOR, rng)


def _for_two(
    board: Board, players: tuple[material.PawnColor, ...], rng: random.Random
) -> dict[material.Field, Thing]:
    """No towers of 1, but further ones of 2; neutral pawns on the other fields with one square."""
    heights = {field: board.squares_on(field) for field in FIELDS if board.squares_on(field) > 1}
    ones = [field for field in FIELDS if board.squares_on(field) == 1]
    for color, count in FURTHER_TOWERS.items():
        of_color = [field for field in ones if board.color(field) == color]
        if len(of_color) < count:
            raise BoardForTwoError
        for field in rng.sample(of_color, count):
            heights[field] = FURTHER_TOWER
    free = [field for field in ones if field not in heights]
    neutral = [
        color for color in material.PawnColor if color not in players
    ] * material.PAWNS_OF_A_COLOR
    if len(free) != len(neutral):
        raise BoardForTwoError
    rng.shuffle(neutral)
    # One block of each colour stays in the box.
    towers = _with_towers(heights, material.BLOCKS_OF_A_COLOR - 1, rng)
    return towers | dict(zip(free, neutral, strict=True))


def _with_towers(
    heights: dict[material.Field, int], blocks_of_a_color: int, rng: random.Random
) -> dict[material.Field, Thing]:
    blocks = list(material.Color) * blocks_of_a_color
    if sum(heights.values()) != len(blocks):
        raise BoardForTwoError
    rng.shuffle(blocks)
    things: dict[material.Field, Thing] = {}
    for field, height in heights.items():
        things[field] = tower_of(tuple(blocks[:height]))
        blocks = blocks[height:]
    return things
