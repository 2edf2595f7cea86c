"""A board and a whole game at one moment as text, so that a test is a drawing.

A board is nine lines of nine fields, the top row first: the letter of the colour (w white, g grey,
p purple, b black), and a figure where the field has squares::

    b  p1 g  w  p1 g  b  w  g

A state is a position (`brikks_vision.rules.blox.turn`) and these lines, ``-`` standing for no
cards or blocks::

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

from collections.abc import Callable, Sequence
from typing import TypeVar

from brikks_vision.rules.blox.material import MAX_CHIP, Color, NotationError, PawnColor, in_order
from brikks_vision.rules.blox.position import FIELDS, SIDE, Board, Position
from brikks_vision.rules.blox.referee import PHASES
from brikks_vision.rules.blox.turn import (
    COLOR_LETTERS,
    NONE,
    number_of,
    print_position,
    read_thing,
    read_turn,
)
from simulation.blox.state import Player, State

__all__ = [
    "print_position",
    "read_board",
    "read_position",
    "read_state",
]

_T = TypeVar("_T")

_JOKERS = {"active": True, "spent": False}
_PLAYER = "player {color} cards {cards} joker {joker} blocks {blocks} points {points}"


def read_position(text: str, board: Board) -> Position:
    """The position that a text draws, on a board.

    Raises
    ------
    NotationError
        A line is no row of a position, or there are more than nine; the message has the line.
    """
    return position_of(lines_of(text), board)


def read_board(text: str) -> Board:
    """The board that a text draws.

    Raises
    ------
    NotationError
        The text is not nine lines of nine fields; the message has the line.
    """
    lines = lines_of(text)
    if len(lines) != SIDE:
        raise NotationError(text.strip())
    fields = [_board_field(line, sign) for line in lines for sign in signs_of(line)]
    return Board(tuple(color for color, _ in fields), tuple(squares for _, squares in fields))


def read_state(text: str, board: Board) -> State:
    """The game that a text tells, on a board; piles and seed may be left out.

    Raises
    ------
    NotationError
        A line is no part of a game, or a part is missing; the message has the line, or the text.
    """
    rows: list[str] = []
    players: list[Player] = []
    parts: dict[str, str] = {}
    for line in lines_of(text):
        name, _, rest = line.partition(" ")
        if name == "player":
            players.append(_read_player(line))
        elif name in ("turn", "phase", "draw", "discard", "seed"):
            parts[name] = rest.strip()
        else:
            rows.append(line)
    colors = [player.color for player in players]
    if parts.get("turn") not in colors or len(set(colors)) < len(colors):
        raise NotationError(f"turn {parts.get('turn', '')}".strip())
    phase = number_of("phase", parts.get("phase", ""))
    if phase not in PHASES:
        raise NotationError(f"phase {phase}")
    return State(
        position=position_of(rows, board),
        players=tuple(players),
        turn=colors.index(PawnColor(parts["turn"])),
        phase=phase,
        draw_pile=_read_letters(parts.get("draw", NONE)),
        discard_pile=in_order(_read_letters(parts.get("discard", NONE))),
        seed=number_of("seed", parts.get("seed", "0")),
    )


def _board_field(line: str, sign: str) -> tuple[Color, int]:
    color, squares = sign[0], sign[1:] or "0"
    if color not in COLOR_LETTERS or squares not in map(str, range(MAX_CHIP + 1)):
        raise NotationError(line)
    return COLOR_LETTERS[color], int(squares)


def _read_player(line: str) -> Player:
    words = line.split()
    names = _PLAYER.split()
    if len(words) != len(names) or words[::2] != names[::2]:
        raise NotationError(line)
    _, color, _, cards, _, joker, _, blocks, _, points = words
    if color not in [*PawnColor] or joker not in _JOKERS:
        raise NotationError(line)
    return Player(
        color=PawnColor(color),
        hand=in_order(in_line(line, _read_letters, cards)),
        has_joker=_JOKERS[joker],
        blocks=in_order(in_line(line, _read_letters, blocks)),
        points=number_of(line, points),
    )


def _read_letters(letters: str) -> tuple[Color, ...]:
    if letters == NONE:
        return ()
    if not letters or set(letters) - set(COLOR_LETTERS):
        raise NotationError(letters)
    return tuple(COLOR_LETTERS[letter] for letter in letters)


def read_game(text: str, board: Board) -> tuple[Position, ...]:
    """The positions of the game that a text tells, on a board.

    Raises
    ------
    NotationError
        A line is neither a row of a position nor a turn; the message has the line.
    """
    lines = lines_of(text)
    positions = [position_of(lines[:SIDE], board)]
    for line in lines[SIDE:]:
        positions.append(in_line(line, lambda turn: read_turn(turn, positions[-1]), line))
    return tuple(positions)


def position_of(lines: Sequence[str], board: Board) -> Position:
    """The position that lines of fields draw; raises NotationError."""
    if len(lines) > SIDE:
        raise NotationError(lines[SIDE])
    things = [in_line(line, read_thing, sign) for line in lines for sign in signs_of(line)]
    return Position(board, (*things, *(None for _ in FIELDS[len(things) :])))


def in_line(line: str, read: Callable[[str], _T], part: str) -> _T:
    """A part of a line, read; an error has the whole line."""
    try:
        return read(part)
    except NotationError:
        raise NotationError(line) from None


def lines_of(text: str) -> list[str]:
    """The lines that are not empty."""
    return [line.strip() for line in text.splitlines() if line.strip()]


def signs_of(line: str) -> list[str]:
    """The nine signs of a line; raises NotationError."""
    signs = line.split()
    if len(signs) != SIDE:
        raise NotationError(line)
    return signs
