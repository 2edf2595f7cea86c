"""Positions and whole games as text.

A position is nine lines of nine fields: ``.`` for nothing, ``Bl``, ``Br``, ``Gr``, ``Re`` for a
blue, brown, green or red pawn, and for a tower the letters of its blocks, bottom-up, ``?`` where a
colour does not show. A tower bears the chip of its height; another one follows a colon, ``-`` for
none: ``wg:3``, ``wg:-``. Rows left out at the bottom are empty.

A game is the position at its beginning and one line a turn, fields as "row,column" from 0::

    enter Bl 0,2
    move Bl 0,2 0,4
    clear Bl 0,4 3,4
    build Bl 3,4 wp
    capture Re 1,1 1,5
    swap
    change 1,5=. 2,5=wg:-

``change`` is what no action explains. Whether a turn was legal is not written: the positions tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from brikks_vision.rules.blox.board import FIELDS, SIDE, is_on_board
from brikks_vision.rules.blox.errors import NotationError
from brikks_vision.rules.blox.material import Color, Field, PawnColor, chip_for
from brikks_vision.rules.blox.position import Position, Thing, Tower
from brikks_vision.rules.blox.turn import judge_turn

EMPTY = "."
HIDDEN = "?"
NONE = "-"
CHIP = ":"
MAX_DIGITS = 9
"""No number of a game is longer; very long ones cannot even be converted."""

COLOR_LETTERS = {color[0]: color for color in Color}
_PAWNS = {pawn[:2].capitalize(): pawn for pawn in PawnColor}


def print_position(position: Position) -> str:
    """What stands on the board, as text."""
    return grid_text([thing_sign(thing) for thing in position.things])


def print_game(positions: Sequence[Position]) -> str:
    """A game from its positions, one more than there were turns."""
    turns = [_print_turn(before, after) for before, after in pairwise(positions)]
    return print_position(positions[0]) + "".join(f"{turn}\n" for turn in turns)


def _print_turn(before: Position, after: Position) -> str:
    verdict = judge_turn(before, after)
    changed = [field for field in FIELDS if before.at(field) != after.at(field)]
    told = [verdict.action or "", thing_sign(verdict.pawn)]
    match verdict.action:
        case "swap" if not changed:
            return "swap"
        case "enter":
            line = " ".join([*told, _field_text(changed[0])])
        case "build":
            line = " ".join([*told, _field_text(changed[0]), thing_sign(after.at(changed[0]))])
        case "move" | "clear" | "capture" if verdict.start and verdict.target:
            line = " ".join([*told, _field_text(verdict.start), _field_text(verdict.target)])
        case _:
            line = ""
    if line and read_turn(line, before) == after:
        return line
    # what no action explains, or more than it does
    signs = [f"{_field_text(field)}={thing_sign(after.at(field))}" for field in changed]
    return " ".join(["change", *signs])


def read_turn(line: str, before: Position) -> Position:
    """The position after the turn that a line tells; raises NotationError."""
    name, *words = line.split()
    match name, words:
        case "swap", []:
            return before
        case "enter", [pawn, target]:
            return before.with_things({_field(target): _pawn(pawn)})
        case "build", [pawn, field, tower]:
            _pawn(pawn)
            return before.with_things({_field(field): read_thing(tower)})
        case (("move" | "clear" | "capture"), [pawn, start, target]):
            return before.with_things({_field(start): None, _field(target): _pawn(pawn)})
        case "change", [_, *_]:
            pairs = [word.partition("=") for word in words]
            return before.with_things({_field(field): read_thing(sign) for field, _, sign in pairs})
    raise NotationError(line)


def _field_text(field: Field) -> str:
    return f"{field[0]},{field[1]}"


def _field(text: str) -> Field:
    row, _, column = text.partition(",")
    field = number_of(text, row), number_of(text, column)
    if not is_on_board(field):
        raise NotationError(text)
    return field


def _pawn(sign: str) -> PawnColor:
    if sign not in _PAWNS:
        raise NotationError(sign)
    return _PAWNS[sign]


def thing_sign(thing: Thing | None) -> str:
    """What stands on a field, as text."""
    if thing is None:
        return EMPTY
    if not isinstance(thing, Tower):
        return thing[:2].capitalize()
    blocks = "".join(color[0] if color else HIDDEN for color in thing.blocks)
    if thing.chip == chip_for(thing.height):
        return blocks
    return f"{blocks}{CHIP}{NONE if thing.chip is None else thing.chip}"


def read_thing(sign: str) -> Thing | None:
    """What the text of a field says; raises NotationError."""
    if sign == EMPTY:
        return None
    if sign in _PAWNS:
        return _PAWNS[sign]
    letters, colon, chip = sign.partition(CHIP)
    known: dict[str, Color | None] = {**COLOR_LETTERS, HIDDEN: None}
    if not letters or set(letters) - set(known):
        raise NotationError(sign)
    blocks = tuple(known[letter] for letter in letters)
    if not colon:
        return Tower(blocks, chip_for(len(blocks)))
    return Tower(blocks, None if chip == NONE else number_of(sign, chip))


def number_of(line: str, digits: str) -> int:
    """The number that some digits write; raises NotationError, with the line, for anything else."""
    if not (digits.isascii() and digits.isdigit() and len(digits) <= MAX_DIGITS):
        raise NotationError(line)
    return int(digits)


def grid_text(signs: Sequence[str]) -> str:
    """Nine lines of nine signs, in columns."""
    width = max(len(sign) for sign in signs)
    rows = [signs[start : start + SIDE] for start in range(0, len(signs), SIDE)]
    return "".join(" ".join(sign.ljust(width) for sign in row).rstrip() + "\n" for row in rows)
