"""A computer player of BLOXX!, and what the places for a rolled shape are worth by its games.

It takes the place that is worth most. Its games are those of two players, and end with the first
roll that it cannot enter.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np

from brikks_vision.games import monte_carlo
from brikks_vision.rules.bloxx.entering import Entry, Spot, closed_cells, spots
from brikks_vision.rules.bloxx.faces import Die, Face
from brikks_vision.rules.bloxx.order import to_bits
from brikks_vision.rules.bloxx.scoring import PENALTY, number_points
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import BonusMark, SheetState, below

PLAYERS = 2
CHOICES, GAMES = 12, 480
"""Places that are played out, and games of all of them together: less than 1 s on one core."""

GAP, NUMBER, HEIGHT = 2.8, 0.2, 0.25
"""What a place is worth less than its points: for a gap; for each point of a number under a cross
or in a gap; for each cell and row that the top of the shape is high. Found by trying weights at
random, 150 games each."""

PARTS = ("rows", "numbers", "penalty")


@dataclass(frozen=True)
class Place(Spot):
    """A place for a shape with what it brings.

    shade: the cells under it, as bits. number: points of that under its circle; crossed: of those
    under its crosses. height: of its top, in rows.
    """

    shade: int
    number: int
    crossed: int
    height: int


@dataclass(frozen=True)
class Position:
    """A sheet, cells as bits.

    drawn; closed: where nothing can be entered. numbers: points of the numbers under circles.
    """

    drawn: int
    closed: int
    numbers: int


def judged(
    state: SheetState, face: Face, dice: tuple[Die, ...], seed: int
) -> tuple[tuple[Entry, ...], tuple[monte_carlo.Ranked, ...]]:
    """The best places for a shape, and what they are worth by their numbers; none: no place.

    Of the ways to enter it in the same cells only the best one.
    """
    sheet, start = state.sheet, position_of(state)
    ways = sorted(possible(start, face, sheet, True), key=lambda way: worth(start, way, sheet))
    can = list({way.bits: way for way in ways}.values())
    can = sorted(can, key=lambda way: -worth(start, way, sheet))[:CHOICES]
    if not can:
        return (), ()
    random_games = random.Random(seed)

    def outcomes(numbers: list[int], count: int) -> list[monte_carlo.Floats]:
        seeds = [random_games.random() for _ in range(count)]
        return [
            np.array(
                [
                    points(play(entered(start, can[n]), sheet, dice, random.Random(each)), state)
                    for each in seeds
                ],
                np.float32,
            ).T
            for n in numbers
        ]

    ranked = monte_carlo.ranked(monte_carlo.played(len(can), GAMES, outcomes))
    return tuple(place.entry for place in can), ranked


def play(position: Position, sheet: Sheet, dice: tuple[Die, ...], rng: random.Random) -> Position:
    """The position in which the player cannot enter a shape."""
    while True:
        faces = [rng.choice(die) for die in dice]
        taken = rng.randrange(PLAYERS * len(dice))  # by another: this die has no circle then
        can = [
            place
            for number, face in enumerate(faces)
            for place in possible(position, face, sheet, number != taken)
        ]
        if not can:
            return position
        position = entered(position, max(can, key=lambda place: worth(position, place, sheet)))


def position_of(state: SheetState) -> Position:
    """What is drawn on a sheet."""
    return Position(to_bits(state.drawn, state.sheet), closed_cells(state), number_points(state))


@cache
def places(face: Face, sheet: Sheet, has_circle: bool) -> tuple[Place, ...]:
    """Every place of a shape inside the grid."""
    values = {each.cell: each.value for each in sheet.numbers}
    found = []
    for spot in spots(face, sheet, has_circle):
        cells, circle = spot.entry.cells, spot.entry.circle
        number = values.get(circle, 0) if circle else 0
        crossed = sum(values.get(cell, 0) for cell in cells) - number
        shade = to_bits(below(cells, sheet) - cells, sheet)
        height = sheet.rows - min(row for row, _ in cells)
        found.append(
            Place(**vars(spot), shade=shade, number=number, crossed=crossed, height=height)
        )
    return tuple(found)


def possible(position: Position, face: Face, sheet: Sheet, has_circle: bool) -> Iterator[Place]:
    """Where a shape can be entered by the English rules."""
    drawn, closed = position.drawn, position.closed
    for place in places(face, sheet, has_circle):
        if not place.bits & closed and (place.beside & drawn if drawn else place.is_on_floor):
            yield place


def worth(position: Position, place: Place, sheet: Sheet) -> float:
    """What a place is worth: its points, less what it spoils."""
    size = place.bits.bit_count()
    value = size + place.number - NUMBER * place.crossed - HEIGHT * place.height * size
    gaps = place.shade & ~position.closed
    if gaps:
        value -= GAP * gaps.bit_count()
        value -= NUMBER * sum(number for cell, number in numbered_cells(sheet) if gaps & cell)
    return value


@cache
def numbered_cells(sheet: Sheet) -> tuple[tuple[int, int], ...]:
    """The bit of each printed number, and its value."""
    return tuple((to_bits([each.cell], sheet), each.value) for each in sheet.numbers)


def entered(position: Position, place: Place) -> Position:
    """The position with a shape entered, and the gaps under it closed."""
    return Position(
        position.drawn | place.bits,
        position.closed | place.bits | place.shade,
        position.numbers + place.number,
    )


def points(position: Position, state: SheetState) -> tuple[int, int, int]:
    """Points by `PARTS`: whole rows give the highest bonus that is not struck on the sheet."""
    sheet, rows = state.sheet, 0
    for printed, marks in zip(sheet.colored_rows, state.bonuses, strict=True):
        cells = to_bits(sheet.row_cells(printed.row), sheet)
        if cells & position.drawn == cells:
            both = zip(printed.bonuses, marks, strict=True)
            rows += max((bonus for bonus, mark in both if mark is not BonusMark.STRUCK), default=0)
    empty = sheet.rows * sheet.columns - position.drawn.bit_count()
    return rows, position.numbers, PENALTY * empty
