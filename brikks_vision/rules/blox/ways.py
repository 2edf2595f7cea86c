"""Straight ways over the board.

Nothing is ever jumped over; pawns and towers both block. A way is the fields that a pawn passes, in
order; the last one is where it ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

from brikks_vision.rules.blox.board import SIDE, is_on_board
from brikks_vision.rules.blox.material import Color, Field
from brikks_vision.rules.blox.position import Position

Way = tuple[Field, ...]

DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@cache
def lines_from(field: Field) -> tuple[Way, ...]:
    """The fields from a field, which is left out, to each edge: up, right, down, left."""
    return tuple(_line(field, direction) for direction in DIRECTIONS)


@cache
def lines_in() -> tuple[Way, ...]:
    """The fields of each row and column, from each of its ends."""
    around = [
        *((-1, column) for column in range(SIDE)),
        *((row, SIDE) for row in range(SIDE)),
        *((SIDE, column) for column in range(SIDE)),
        *((row, -1) for row in range(SIDE)),
    ]
    return tuple(way for field in around for way in lines_from(field) if len(way) == SIDE)


def _line(field: Field, direction: tuple[int, int]) -> Way:
    row, column = field
    down, right = direction
    steps = ((row + down * step, column + right * step) for step in range(1, SIDE + 1))
    return tuple(step for step in steps if is_on_board(step))


@cache
def neighbours(field: Field) -> tuple[Field, ...]:
    """The fields beside a field, not across a corner."""
    return tuple(line[0] for line in lines_from(field) if line)


def entries(position: Position) -> dict[Field, Way]:
    """Every field that a pawn can enter on, each with a shortest way from an edge."""
    return _shortest(way for line in lines_in() for way in _first_fields(position, line))


def moves(position: Position, start: Field) -> dict[Field, Way]:
    """Every field that a pawn can move to from ``start``, with its way."""
    return _shortest(way for line in lines_from(start) for way in _first_fields(position, line))


def reached(position: Position, start: Field) -> Iterator[Way]:
    """The free ways from ``start`` to the first tower or pawn in each direction."""
    for line in lines_from(start):
        for steps, field in enumerate(line, start=1):
            if position.at(field) is not None:
                yield line[:steps]
                break


def _first_fields(position: Position, line: Way) -> Iterator[Way]:
    """The ways along a line to its first field of each colour, as far as the line is free."""
    passed: set[Color] = set()
    for steps, field in enumerate(line, start=1):
        if position.at(field) is not None:
            return
        color = position.board.color(field)
        if color not in passed:
            passed.add(color)
            yield line[:steps]


def _shortest(ways: Iterable[Way]) -> dict[Field, Way]:
    found: dict[Field, Way] = {}
    for way in ways:
        known = found.get(way[-1])
        if known is None or len(way) < len(known):
            found[way[-1]] = way
    return dict(sorted(found.items()))


def way_to(start: Field, target: Field) -> Way | None:
    """The straight way from a field to another; None where there is none."""
    for line in lines_from(start):
        if target in line:
            return line[: line.index(target) + 1]
    return None


def walled_in(position: Position, built: Field) -> Field | None:
    """A tower beside ``built`` that no side would lead to, were a tower built there; or None.

    A side leads to a tower where the field beside it bears no tower: a pawn there can leave.
    Outside of the board is no side, as entering clears nothing.
    """
    towers = position.towers
    for beside in neighbours(built):
        if beside in towers and all(side == built or side in towers for side in neighbours(beside)):
            return beside
    return None
