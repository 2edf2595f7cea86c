"""The board: 9 x 9 fields in four colours, some with squares that say how high a tower starts."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from brikks_vision.rules.blox.errors import BoardColorsError, BoardSquaresError
from brikks_vision.rules.blox.material import MAX_CHIP, Color, Field

SIDE = 9
"""Fields along each side."""

FIELDS: tuple[Field, ...] = tuple((row, column) for row in range(SIDE) for column in range(SIDE))

NO_SQUARES = "."
_COLORS = {color[0]: color for color in Color}
_SQUARES = {NO_SQUARES: 0} | {str(count): count for count in range(1, MAX_CHIP + 1)}


@dataclass(frozen=True)
class Board:
    """One printing of the board.

    colors: one a field, 81, row by row from the top. squares: how high a tower starts on each
    field, 0 where none does.
    """

    colors: tuple[Color, ...]
    squares: tuple[int, ...] = (0,) * len(FIELDS)

    def color(self, field: Field) -> Color:
        return self.colors[index(field)]

    def squares_on(self, field: Field) -> int:
        return self.squares[index(field)]

    @property
    def field_colors(self) -> tuple[str, ...]:
        """Nine strings of nine letters, the top row first: w white, g grey, p purple, b black."""
        return _rows("".join(color[0] for color in self.colors))

    @property
    def square_rows(self) -> tuple[str, ...]:
        """Nine strings of nine signs: a figure, or "." where a field has no square."""
        return _rows("".join(str(count) if count else NO_SQUARES for count in self.squares))


def index(field: Field) -> int:
    """The place of a field in the order of ``FIELDS``."""
    return field[0] * SIDE + field[1]


def is_on_board(field: Field) -> bool:
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
        raise BoardColorsError
    if data.get("squares") is None:
        return Board(tuple(_COLORS[letter] for letter in colors))
    squares = _signs(data["squares"], _SQUARES)
    if squares is None:
        raise BoardSquaresError
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
