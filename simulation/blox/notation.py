"""A position as text, so that a test is a drawing.

A board is nine lines of nine fields, the top row first: the letter of the colour (w white, g grey,
p purple, b black), and a figure where the field has squares::

    b  p1 g  w  p1 g  b  w  g

A position is nine lines of nine fields: ``.`` for nothing, ``Bl``, ``Br``, ``Gr``, ``Re`` for a
blue, brown, green or red pawn, and for a tower the letters of its blocks, bottom-up, ``?`` where a
colour does not show. A tower bears the chip of its height; another one follows a colon, ``-`` for
none: ``wg:3``, ``wg:-``. Rows left out at the bottom are empty.

A state is a position and these lines, ``-`` standing for no cards or blocks::

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

from brikks_vision.rules.blox.board import FIELDS, SIDE, Board
from brikks_vision.rules.blox.material import (
    MAX_CHIP,
    Color,
    PawnColor,
    chip_for,
    in_order,
)
from brikks_vision.rules.blox.phases import PHASES
from brikks_vision.rules.blox.position import Position, Thing, Tower
from simulation.blox.errors import NotationError
from simulation.blox.state import Player, State

EMPTY = "."
HIDDEN = "?"
NONE = "-"
CHIP = ":"
MAX_DIGITS = 9
"""No number of a game is longer; very long ones cannot even be converted."""

_COLORS = {color[0]: color for color in Color}
_PAWNS = {pawn[:2].capitalize(): pawn for pawn in PawnColor}
_JOKERS = {"active": True, "spent": False}
_PLAYER = "player {color} cards {cards} joker {joker} blocks {blocks} points {points}"

_T = TypeVar("_T")


def print_board(board: Board) -> str:
    """The board as text: colours and squares."""
    signs = zip(board.colors, board.squares, strict=True)
    return _grid([f"{color[0]}{squares or ''}" for color, squares in signs])


def read_board(text: str) -> Board:
    """The board that a text draws.

    Raises
    ------
    NotationError
        The text is not nine lines of nine fields; the message has the line.
    """
    lines = _lines(text)
    if len(lines) != SIDE:
        raise NotationError(text.strip())
    fields = [_board_field(line, sign) for line in lines for sign in _signs(line)]
    return Board(tuple(color for color, _ in fields), tuple(squares for _, squares in fields))


def print_position(position: Position) -> str:
    """What stands on the board, as text."""
    return _grid([_print_thing(thing) for thing in position.things])


def read_position(text: str, board: Board) -> Position:
    """The position that a text draws, on a board.

    Raises
    ------
    NotationError
        A line is no row of a position, or there are more than nine; the message has the line.
    """
    return _position(_lines(text), board)


def print_state(state: State) -> str:
    """The whole game as text."""
    lines = [
        f"turn {state.to_move.color}",
        f"phase {state.phase}",
        *(_print_player(player) for player in state.players),
        f"draw {_letters(state.draw_pile)}",
        f"discard {_letters(state.discard_pile)}",
        f"seed {state.seed}",
    ]
    return print_position(state.position) + "\n".join(lines) + "\n"


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
    for line in _lines(text):
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
    phase = _number("phase", parts.get("phase", ""))
    if phase not in PHASES:
        raise NotationError(f"phase {phase}")
    return State(
        position=_position(rows, board),
        players=tuple(players),
        turn=colors.index(PawnColor(parts["turn"])),
        phase=phase,
        draw_pile=_read_letters(parts.get("draw", NONE)),
        discard_pile=in_order(_read_letters(parts.get("discard", NONE))),
        seed=_number("seed", parts.get("seed", "0")),
    )


def _print_thing(thing: Thing | None) -> str:
    if thing is None:
        return EMPTY
    if not isinstance(thing, Tower):
        return thing[:2].capitalize()
    blocks = "".join(color[0] if color else HIDDEN for color in thing.blocks)
    if thing.chip == chip_for(thing.height):
        return blocks
    return f"{blocks}{CHIP}{NONE if thing.chip is None else thing.chip}"


def _read_thing(sign: str) -> Thing | None:
    if sign == EMPTY:
        return None
    if sign in _PAWNS:
        return _PAWNS[sign]
    letters, colon, chip = sign.partition(CHIP)
    known: dict[str, Color | None] = {**_COLORS, HIDDEN: None}
    if not letters or set(letters) - set(known):
        raise NotationError(sign)
    blocks = tuple(known[letter] for letter in letters)
    if not colon:
        return Tower(blocks, chip_for(len(blocks)))
    return Tower(blocks, None if chip == NONE else _number(sign, chip))


def _position(lines: Sequence[str], board: Board) -> Position:
    if len(lines) > SIDE:
        raise NotationError(lines[SIDE])
    things = [_in_line(line, _read_thing, sign) for line in lines for sign in _signs(line)]
    return Position(board, (*things, *(None for _ in FIELDS[len(things) :])))


def _board_field(line: str, sign: str) -> tuple[Color, int]:
    color, squares = sign[0], sign[1:] or "0"
    if color not in _COLORS or squares not in map(str, range(MAX_CHIP + 1)):
        raise NotationError(line)
    return _COLORS[color], int(squares)


def _print_player(player: Player) -> str:
    return _PLAYER.format(
        color=player.color,
        cards=_letters(player.hand),
        joker="active" if player.has_joker else "spent",
        blocks=_letters(player.blocks),
        points=player.points,
    )


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
        hand=in_order(_in_line(line, _read_letters, cards)),
        has_joker=_JOKERS[joker],
        blocks=in_order(_in_line(line, _read_letters, blocks)),
        points=_number(line, points),
    )


def _letters(colors: Sequence[Color]) -> str:
    return "".join(color[0] for color in colors) or NONE


def _read_letters(letters: str) -> tuple[Color, ...]:
    if letters == NONE:
        return ()
    if not letters or set(letters) - set(_COLORS):
        raise NotationError(letters)
    return tuple(_COLORS[letter] for letter in letters)


def _number(line: str, digits: str) -> int:
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        raise NotationError(line)
    return int(digits)


def _in_line(line: str, read: Callable[[str], _T], part: str) -> _T:
    """A part of a line, read; an error has the whole line."""
    try:
        return read(part)
    except NotationError:
        raise NotationError(line) from None


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


def _signs(line: str) -> list[str]:
    signs = line.split()
    if len(signs) != SIDE:
        raise NotationError(line)
    return signs


def _grid(signs: Sequence[str]) -> str:
    """Nine lines of nine signs, in columns."""
    width = max(len(sign) for sign in signs)
    rows = [signs[start : start + SIDE] for start in range(0, len(signs), SIDE)]
    return "".join(" ".join(sign.ljust(width) for sign in row).rstrip() + "\n" for row in rows)
