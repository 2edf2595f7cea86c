"""The start of a game (published rules, "Setup" and "Two players")."""

from __future__ import annotations

import random
from collections.abc import Sequence

from brikks_vision.rules.blox.material import (
    BLOCKS,
    BLOCKS_OF_A_COLOR,
    CARDS_OF_A_COLOR,
    HAND,
    PAWNS_OF_A_COLOR,
    Color,
    Field,
    PawnColor,
    in_order,
    parse_pawn,
)
from brikks_vision.rules.blox.position import FIELDS, Board, Position, Thing, tower_of
from simulation.blox.errors import BoardForTwoError, BoardSetupError, PlayersError
from simulation.blox.state import Player, State, shuffled

PLAYERS = (2, 3, 4)
FIRST_PHASE_FOR_TWO = 2
FURTHER_TOWER = 2
"""The height of the towers that two players add, on fields with one square."""

FURTHER_TOWERS = {Color.GREY: 2, Color.WHITE: 2}
"""How many of them stand on fields of which colour."""


def start(board: Board, players: Sequence[PawnColor | str], seed: int = 0) -> State:
    """A game before its first turn.

    players: the colours of 2 to 4 players, the starting player first. seed: of the blocks' colours,
    of the cards and, for two, of the fields that the rules leave open; the same seed gives the same
    game.

    Raises
    ------
    UnknownPawnError
        A colour is none of the pawns.
    PlayersError
        There are not 2 to 4 players of different colours.
    BoardSetupError
        The board's squares do not add up to all blocks.
    BoardForTwoError
        Two players need two grey and two white fields with one square, and as many further ones as
        there are neutral pawns.
    """
    colors = tuple(parse_pawn(color) for color in players)
    if len(colors) not in PLAYERS or len(set(colors)) < len(colors):
        raise PlayersError
    if sum(board.squares) != BLOCKS:
        raise BoardSetupError(sum(board.squares))
    rng = random.Random(seed)
    things = _for_two(board, colors, rng) if len(colors) == 2 else _for_more(board, rng)
    cards = shuffled(tuple(Color) * CARDS_OF_A_COLOR, seed)
    hands = [cards[place * HAND : (place + 1) * HAND] for place in range(len(colors))]
    return State(
        position=Position(board).with_things(things),
        players=tuple(
            Player(color, in_order(hand)) for color, hand in zip(colors, hands, strict=True)
        ),
        phase=FIRST_PHASE_FOR_TWO if len(colors) == 2 else 1,
        draw_pile=cards[HAND * len(colors) :],
        seed=seed + 1,
    )


def _for_more(board: Board, rng: random.Random) -> dict[Field, Thing]:
    heights = {field: board.squares_on(field) for field in FIELDS if board.squares_on(field)}
    return _with_towers(heights, BLOCKS_OF_A_COLOR, rng)


def _for_two(
    board: Board, players: tuple[PawnColor, ...], rng: random.Random
) -> dict[Field, Thing]:
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
    neutral = [color for color in PawnColor if color not in players] * PAWNS_OF_A_COLOR
    if len(free) != len(neutral):
        raise BoardForTwoError
    rng.shuffle(neutral)
    # One block of each colour stays in the box.
    towers = _with_towers(heights, BLOCKS_OF_A_COLOR - 1, rng)
    return towers | dict(zip(free, neutral, strict=True))


def _with_towers(
    heights: dict[Field, int], blocks_of_a_color: int, rng: random.Random
) -> dict[Field, Thing]:
    blocks = list(Color) * blocks_of_a_color
    if sum(heights.values()) != len(blocks):
        raise BoardForTwoError
    rng.shuffle(blocks)
    things: dict[Field, Thing] = {}
    for field, height in heights.items():
        things[field] = tower_of(tuple(blocks[:height]))
        blocks = blocks[height:]
    return things
