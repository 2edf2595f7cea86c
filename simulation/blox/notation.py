"""Boards, positions and games as text, so that a test is a drawing.

A board is nine lines of nine fields, the top row first: the letter of the colour (w white, g grey,
p purple, b black), and a figure where the field has squares::

    b  p1 g  w  p1 g  b  w  g

A state is a position (`brikks_vision.rules.blox.turn`) and these lines, ``-`` standing for no
cards or blocks; those from "draw" on may be left out::

    turn blue
    phase 2
    player blue cards wwgpb joker active blocks g points 7
    player red cards wgppb joker spent blocks - points 12
    draw wgpbw
    discard -
    seed 3

The players stand in the order of their turns; the next card is the first of the draw pile.
"""

from __future__ import annotations

from collections.abc import Sequence

from brikks_vision.rules.blox.material import Color, Field, PawnColor, chip_for, in_order
from brikks_vision.rules.blox.position import FIELDS, SIDE, Board, Position, Thing, Tower
from brikks_vision.rules.blox.turn import CHIP, EMPTY, HIDDEN, NONE, print_position
from simulation.blox.state import Player, State

__all__ = ["print_position", "read_board", "read_game", "read_position", "read_state"]

_BLOCKS: dict[str, Color | None] = {color[0]: color for color in Color} | {HIDDEN: None}
_PAWNS = {pawn[:2].capitalize(): pawn for pawn in PawnColor}


def read_board(text: str) -> Board:
    """The board that a text draws."""
    signs = text.split()
    squares = tuple(int(sign[1:] or 0) for sign in signs)
    return Board(tuple(_color(sign[0]) for sign in signs), squares)


def read_position(text: str, board: Board) -> Position:
    """The position that a text draws, on a board; rows left out at the bottom are empty."""
    things = [_thing(sign) for sign in text.split()]
    return Position(board, (*things, *(None for _ in FIELDS[len(things) :])))


def read_game(text: str, board: Board) -> tuple[Position, ...]:
    """The positions of the game that a text tells, on a board."""
    lines = text.strip().splitlines()
    positions = [read_position("\n".join(lines[:SIDE]), board)]
    for line in lines[SIDE:]:
        positions.append(positions[-1].with_things(_changes(*line.split())))
    return tuple(positions)


def read_state(text: str, board: Board) -> State:
    """The game that a text tells, on a board."""
    drawing, _, rest = text.partition("turn ")
    turn, *lines = (line.split() for line in rest.strip().splitlines())
    said = dict(line for line in lines if len(line) == 2)
    players = tuple(_player(line) for line in lines if len(line) != 2)
    return State(
        position=read_position(drawing, board),
        players=players,
        turn=[player.color for player in players].index(PawnColor(turn[0])),
        phase=int(said["phase"]),
        draw_pile=_colors(said.get("draw", NONE)),
        discard_pile=in_order(_colors(said.get("discard", NONE))),
        seed=int(said.get("seed", 0)),
    )


def _player(words: Sequence[str]) -> Player:
    _, color, _, cards, _, joker, _, blocks, _, points = words
    return Player(
        color=PawnColor(color),
        hand=in_order(_colors(cards)),
        has_joker=joker == "active",
        blocks=in_order(_colors(blocks)),
        points=int(points),
    )


def _changes(name: str, *words: str) -> dict[Field, Thing | None]:
    """What a turn puts on which fields."""
    match name:
        case "enter":
            return {_field(words[1]): _thing(words[0])}
        case "build":
            return {_field(words[1]): _thing(words[2])}
        case "move" | "clear" | "capture":
            return {_field(words[1]): None, _field(words[2]): _thing(words[0])}
    pairs = (word.split("=") for word in words)  # "change", or "swap" without any
    return {_field(field): _thing(sign) for field, sign in pairs}


def _field(text: str) -> Field:
    row, column = map(int, text.split(","))
    return row, column


def _thing(sign: str) -> Thing | None:
    if sign == EMPTY:
        return None
    if sign in _PAWNS:
        return _PAWNS[sign]
    letters, _, chip = sign.partition(CHIP)
    blocks = tuple(_BLOCKS[letter] for letter in letters)
    if chip:
        return Tower(blocks, None if chip == NONE else int(chip))
    return Tower(blocks, chip_for(len(blocks)))


def _colors(letters: str) -> tuple[Color, ...]:
    return tuple(map(_color, letters.replace(NONE, "")))


def _color(letter: str) -> Color:
    color = _BLOCKS[letter]
    assert color is not None
    return color
