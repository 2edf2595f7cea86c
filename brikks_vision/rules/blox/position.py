"""A position of BLOX: the board, what stands on it, and the straight ways over it.

The board: 9 x 9 fields in four colours, some with squares that say how high a tower starts.

What stands on the board: on each field a tower, a pawn or nothing.

Nothing is ever jumped over; pawns and towers both block. A way is the fields that a pawn passes, in
order; the last one is where it ends.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any

from brikks_vision.rules.blox import material

SIDE = 9
"""Fields along each side."""

FIELDS: tuple[material.Field, ...] = tuple(
    (row, column) for row in range(SIDE) for column in range(SIDE)
)

NO_SQUARES = "."
_COLORS = {color[0]: color for color in material.Color}
_SQUARES = {NO_SQUARES: 0} | {str(count): count for count in range(1, material.MAX_CHIP + 1)}


@dataclass(frozen=True)
class Board:
    """One printing of the board.

    colors: one a field, 81, row by row from the top. squares: how high a tower starts on each
    field, 0 where none does.
    """

    colors: tuple[material.Color, ...]
    squares: tuple[int, ...] = (0,) * len(FIELDS)

    def color(self, field: material.Field) -> material.Color:
        return self.colors[index(field)]

    def squares_on(self, field: material.Field) -> int:
        return self.squares[index(field)]

    @property
    def field_colors(self) -> tuple[str, ...]:
        """Nine strings of nine letters, the top row first: w white, g grey, p purple, b black."""
        return _rows("".join(color[0] for color in self.colors))

    @property
    def square_rows(self) -> tuple[str, ...]:
        """Nine strings of nine signs: a figure, or "." where a field has no square."""
        return _rows("".join(str(count) if count else NO_SQUARES for count in self.squares))


def index(field: material.Field) -> int:
    """The place of a field in the order of ``FIELDS``."""
    return field[0] * SIDE + field[1]


def is_on_board(field: material.Field) -> bool:
    return 0 <= field[0] < SIDE and 0 <= field[1] < SIDE


def parse_board(data: Mapping[str, Any]) -> Board:
    """The board of a layout's JSON.

    data: "field_colors", nine strings of nine of the letters w, g, p, b; and "squares", nine
    strings of nine of the signs "1" to "4" and "." for none. Without "squares" no tower starts
    anywhere, which is enough for all but the setup. Other keys are not looked at.

    Raises
    ------
    BoardColorsError
        The colours are not such nine strings.
    BoardSquaresError
        The squares are not such nine strings.
    """
    colors = _signs(data.get("field_colors"), _COLORS)
    if colors is None:
        raise material.BoardColorsError
    if data.get("squares") is None:
        return Board(tuple(_COLORS[letter] for letter in colors))
    squares = _signs(data["squares"], _SQUARES)
    if squares is None:
        raise material.BoardSquaresError
    return Board(
        tuple(_COLORS[letter] for letter in colors), tuple(_SQUARES[sign] for sign in squares)
    )


def _signs(rows: object, known: Mapping[str, object]) -> str | None:
    """All signs of nine rows of nine; None where they are not such rows."""
    if isinstance(rows, str) or not isinstance(rows, Sequence) or len(rows) != SIDE:
        return None
    if any(not isinstance(row, str) or len(row) != SIDE or set(row) - set(known) for row in rows):
        return None
    return "".join(rows)


def _rows(signs: str) -> tuple[str, ...]:
    return tuple(signs[start : start + SIDE] for start in range(0, len(signs), SIDE))


@cache
def load_board() -> Board:
    """The board that the package brings, of the project's own making."""
    file = resources.files("brikks_vision").joinpath("layouts", "blox.json")
    return parse_board(json.loads(file.read_text("utf-8")))


@dataclass(frozen=True)
class Tower:
    """Blocks on top of each other, and the chip on the uppermost.

    blocks: bottom-up, None for a block whose colour does not show on a photo. chip: its value, None
    where none is seen.

    Raises
    ------
    EmptyTowerError
        There are no blocks.
    """

    blocks: tuple[material.Color | None, ...]
    chip: int | None = None

    def __post_init__(self) -> None:
        if not self.blocks:
            raise material.EmptyTowerError

    @property
    def height(self) -> int:
        return len(self.blocks)

    @cached_property
    def seen(self) -> tuple[material.Color, ...]:
        """The colours that are known, bottom-up."""
        return tuple(color for color in self.blocks if color is not None)

    @property
    def hidden(self) -> int:
        """How many blocks have no known colour."""
        return self.height - len(self.seen)


Thing = Tower | material.PawnColor


def tower_of(blocks: tuple[material.Color | None, ...]) -> Tower:
    """A tower with the chip that belongs on it."""
    return Tower(blocks, material.chip_for(len(blocks)))


@dataclass(frozen=True)
class Position:
    """A board with all that stands on it.

    things: one entry a field, in the order of ``FIELDS``; None where nothing stands.
    """

    board: Board = dataclasses.field(hash=False)
    things: tuple[Thing | None, ...] = (None,) * len(FIELDS)

    def at(self, field: material.Field) -> Thing | None:
        return self.things[index(field)]

    @cached_property
    def towers(self) -> Mapping[material.Field, Tower]:
        return {
            place: thing
            for place, thing in zip(FIELDS, self.things, strict=True)
            if isinstance(thing, Tower)
        }

    @cached_property
    def pawns(self) -> Mapping[material.Field, material.PawnColor]:
        return {
            place: thing
            for place, thing in zip(FIELDS, self.things, strict=True)
            if isinstance(thing, material.PawnColor)
        }

    def pawns_of(self, pawn: material.PawnColor) -> tuple[material.Field, ...]:
        """Where the pawns of one colour stand, row by row."""
        return tuple(place for place, color in self.pawns.items() if color == pawn)

    def pawns_left(self, pawn: material.PawnColor) -> int:
        """How many pawns of a colour are not on the board."""
        return max(0, material.PAWNS_OF_A_COLOR - len(self.pawns_of(pawn)))

    def towers_of(self, height: int) -> int:
        """How many towers are exactly so high."""
        return sum(tower.height == height for tower in self.towers.values())

    def with_things(self, things: Mapping[material.Field, Thing | None]) -> Position:
        """The position with other things, or nothing, on some fields."""
        changed = list(self.things)
        for place, thing in things.items():
            changed[index(place)] = thing
        return Position(self.board, tuple(changed))


Way = tuple[material.Field, ...]

DIRECTIONS = ((-1, 0), (0, 1), (1, 0), (0, -1))


@cache
def lines_from(field: material.Field) -> tuple[Way, ...]:
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


def _line(field: material.Field, direction: tuple[int, int]) -> Way:
    row, column = field
    down, right = direction
    steps = ((row + down * step, column + right * step) for step in range(1, SIDE + 1))
    return tuple(step for step in steps if is_on_board(step))


@cache
def neighbours(field: material.Field) -> tuple[material.Field, ...]:
    """The fields beside a field, not across a corner."""
    return tuple(line[0] for line in lines_from(field) if line)


def entries(position: Position) -> dict[material.Field, Way]:
    """Every field that a pawn can enter on, each with a shortest way from an edge."""
    return _shortest(way for line in lines_in() for way in _first_fields(position, line))


def moves(position: Position, start: material.Field) -> dict[material.Field, Way]:
    """Every field that a pawn can move to from ``start``, with its way."""
    return _shortest(way for line in lines_from(start) for way in _first_fields(position, line))


def reached(position: Position, start: material.Field) -> Iterator[Way]:
    """The free ways from ``start`` to the first tower or pawn in each direction."""
    for line in lines_from(start):
        for steps, field in enumerate(line, start=1):
            if position.at(field) is not None:
                yield line[:steps]
                break


def _first_fields(position: Position, line: Way) -> Iterator[Way]:
    """The ways along a line to its first field of each colour, as far as the line is free."""
    passed: set[material.Color] = set()
    for steps, field in enumerate(line, start=1):
        if position.at(field) is not None:
            return
        color = position.board.color(field)
        if color not in passed:
            passed.add(color)
            yield line[:steps]


def _shortest(ways: Iterable[Way]) -> dict[material.Field, Way]:
    found: dict[material.Field, Way] = {}
    for way in ways:
        known = found.get(way[-1])
        if known is None or len(way) < len(known):
            found[way[-1]] = way
    return dict(sorted(found.items()))


def way_to(start: material.Field, target: material.Field) -> Way | None:
    """The straight way from a field to another; None where there is none."""
    for line in lines_from(start):
        if target in line:
            return line[: line.index(target) + 1]
    return None


def walled_in(position: Position, built: material.Field) -> material.Field | None:
    """A tower beside ``built`` that no side would lead to, were a tower built there; or None.

    A side leads to a tower where the field beside it bears no tower: a pawn there can leave.
    Outside of the board is no side, as entering clears nothing.
    """
    towers = position.towers
    for beside in neighbours(built):
        if beside in towers and all(side == built or side in towers for side in neighbours(beside)):
            return beside
    return None
