"""A computer player of BLOXX!, and what the places for a rolled shape are worth by its games.

It takes the place that is worth most. Its games are those of two players, many at once, and end
with the first roll that it cannot enter. Nothing can be entered below the highest drawn cell of a
column: its height tells which of its cells are closed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from brikks_vision.infer import advice
from brikks_vision.rules.bloxx.order import Entry, Spot, spots, to_bits
from brikks_vision.rules.bloxx.sheet import Die, Face, Sheet
from brikks_vision.rules.bloxx.state import PENALTY, BonusMark, SheetState, number_points

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Bools = npt.NDArray[np.bool_]

PLAYERS = 2
CHOICES, GAMES = 12, 4_000
"""Places that are played out, and games of all of them together: about 1 s on one core."""

GAP, NUMBER, HEIGHT = 2.8, 0.2, 0.25
"""What a place is worth less than its points: for a gap; for each point of a number under a cross
or in a gap; for each cell and row that the top of the shape is high. Found by trying weights at
random, 150 games each."""

PARTS = ("rows", "numbers", "penalty")
WORD = 60
"""Bits of a grid that one number holds."""


@dataclass(frozen=True, eq=False)
class Places:
    """Places for shapes, P of them, on a grid of C columns and R coloured rows.

    lowest: height of the lowest cell by column, (P, C); above the grid where the shape has none.
    tops: height of the column after it, (P, C); 0 there. has: whether it has a cell there.
    bits, beside: its cells and those around it, (P, words). is_on_floor: (P,). sizes, numbers:
    cells, and points of the number under its circle, (P,). in_rows: cells in coloured rows, (P, R).
    gaps, lost: the cells below its cells as if the columns were empty, and their numbers, (P,).
    worth: what it is worth where it leaves no gap, (P,).
    """

    entries: tuple[Entry, ...]
    lowest: Ints
    tops: Ints
    has: Floats
    bits: npt.NDArray[np.uint64]
    beside: npt.NDArray[np.uint64]
    is_on_floor: Bools
    sizes: Ints
    numbers: Ints
    in_rows: Ints
    gaps: Floats
    lost: Floats
    worth: Floats


@dataclass(frozen=True, eq=False)
class Games:
    """Sheets of N games.

    heights: of the columns, (N, C). drawn: bits, (N, words). cells: how many are drawn; numbers:
    points of those under circles, (N,). in_rows: drawn cells of coloured rows, (N, R).
    """

    heights: Ints
    drawn: npt.NDArray[np.uint64]
    cells: Ints
    numbers: Ints
    in_rows: Ints

    def __len__(self) -> int:
        return len(self.cells)

    def at(self, which: Ints) -> Games:
        return Games(*(array[which] for array in vars(self).values()))


@dataclass(frozen=True, eq=False)
class Dice:
    """Rolls of N games, as many as there can be turns. faces: by die, (turns, N, 2). taken: the die
    that another player took, so that it has no circle, (turns, N); above 1: none."""

    faces: Ints
    taken: Ints


def judged(
    state: SheetState, face: Face, dice: tuple[Die, ...], seed: int
) -> tuple[tuple[Entry, ...], tuple[advice.Ranked, ...]]:
    """The best places for a shape, and what they are worth by their numbers; none: no place.

    Of the ways to enter it in the same cells only the best one.
    """
    sheet, start = state.sheet, games_of([state])
    places = places_of((face,), sheet, True)
    worths = worth(places, start, sheet)[0]
    order = [number for number in np.argsort(-worths, kind="stable") if worths[number] > -np.inf]
    by_cells: dict[object, int] = {}
    for number in order:
        by_cells.setdefault(places.entries[number].cells, int(number))
    can = list(by_cells.values())[:CHOICES]
    if not can:
        return (), ()
    rng = np.random.default_rng(seed)
    entered_ones = entered(start.at(np.zeros(len(can), int)), places, np.array(can))

    def outcomes(numbers: list[int], count: int) -> list[advice.Floats]:
        thrown = throw(dice, sheet, count, rng)
        copies = len(numbers)
        same = Dice(np.tile(thrown.faces, (1, copies, 1)), np.tile(thrown.taken, (1, copies)))
        ended = play(entered_ones.at(np.repeat(numbers, count)), sheet, dice, same)
        return np.split(points(ended, state).astype(np.float32), copies, axis=1)

    ranked = advice.ranked(advice.played(len(can), GAMES, outcomes))
    return tuple(places.entries[number] for number in can), ranked


def throw(dice: tuple[Die, ...], sheet: Sheet, count: int, rng: np.random.Generator) -> Dice:
    """Rolls for games to their end, whatever happens in them."""
    smallest = min(len(face.cells) for die in dice for face in die)
    turns = sheet.rows * sheet.columns // smallest + 1
    faces = np.stack([rng.integers(len(die), size=(turns, count)) for die in dice], axis=2)
    return Dice(faces, rng.integers(PLAYERS * len(dice), size=(turns, count)))


def play(games: Games, sheet: Sheet, dice: tuple[Die, ...], thrown: Dice) -> Games:
    """The games as they end: with the first roll of which no shape can be entered."""
    now = Games(*(array.copy() for array in vars(games).values()))
    playing = np.arange(len(games))
    for faces, taken in zip(thrown.faces, thrown.taken, strict=True):
        part = now.at(playing)
        best = np.full(len(playing), -np.inf)
        after = part
        for number, die in enumerate(dice):
            kinds = 2 * faces[playing, number] + (taken[playing] == number)
            for kind in np.unique(kinds):
                (these,) = np.nonzero(kinds == kind)
                places = places_of((die[kind // 2],), sheet, kind % 2 == 0)
                worths = worth(places, part.at(these), sheet)
                place = worths.argmax(axis=1)
                most = worths[np.arange(len(these)), place]
                better = most > best[these]
                these, place = these[better], place[better]
                best[these] = most[better]
                after = _with(after, these, entered(part.at(these), places, place))
        goes_on = best > -np.inf
        now = _with(now, playing[goes_on], after.at(np.flatnonzero(goes_on)))
        playing = playing[goes_on]
        if not len(playing):
            break
    return now


def _with(games: Games, which: Ints, others: Games) -> Games:
    """The games with some of them exchanged."""
    found = [array.copy() for array in vars(games).values()]
    for array, other in zip(found, vars(others).values(), strict=True):
        array[which] = other
    return Games(*found)


def games_of(states: Sequence[SheetState]) -> Games:
    """The games of sheets as they are drawn."""
    sheet = states[0].sheet
    drawn = [state.drawn for state in states]
    return Games(
        np.array(
            [
                [
                    max((sheet.rows - row for row, column in cells if column == at), default=0)
                    for at in range(sheet.columns)
                ]
                for cells in (state.drawn | state.gaps for state in states)
            ]
        ),
        _words([to_bits(cells, sheet) for cells in drawn], sheet),
        np.array([len(cells) for cells in drawn]),
        np.array([number_points(state) for state in states]),
        _in_rows(drawn, sheet),
    )


@cache
def places_of(faces: tuple[Face, ...], sheet: Sheet, has_circle: bool) -> Places:
    """Every place of the shapes inside the grid."""
    found: list[Spot] = [spot for face in faces for spot in spots(face, sheet, has_circle)]
    values = {each.cell: each.value for each in sheet.numbers}
    lowest = np.full((len(found), sheet.columns), sheet.rows + 1)
    tops = np.zeros_like(lowest)
    numbers, crossed, gaps, lost = (np.zeros(len(found)) for _ in range(4))
    for at, spot in enumerate(found):
        cells, circle = spot.entry.cells, spot.entry.circle
        for row, column in cells:
            lowest[at, column] = min(lowest[at, column], sheet.rows - 1 - row)
            tops[at, column] = max(tops[at, column], sheet.rows - row)
        under = {
            (below, column)
            for row, column in cells
            for below in range(row + 1, sheet.rows)
            if (below, column) not in cells
        }
        numbers[at] = values.get(circle, 0) if circle else 0
        crossed[at] = sum(values.get(cell, 0) for cell in cells) - numbers[at]
        gaps[at], lost[at] = len(under), sum(values.get(cell, 0) for cell in under)
    sizes = np.array([len(spot.entry.cells) for spot in found])
    return Places(
        tuple(spot.entry for spot in found),
        lowest,
        tops,
        (tops > 0).astype(float),
        _words([spot.bits for spot in found], sheet),
        _words([spot.beside for spot in found], sheet),
        np.array([spot.is_on_floor for spot in found]),
        sizes,
        numbers.astype(int),
        _in_rows([spot.entry.cells for spot in found], sheet),
        gaps,
        lost,
        sizes + numbers - NUMBER * crossed - HEIGHT * tops.max(axis=1) * sizes,
    )


def worth(places: Places, games: Games, sheet: Sheet) -> Floats:
    """What each place is worth in each game, (N, P): its points, less what it spoils.

    -inf where the English rules do not allow it.
    """
    can = np.ones((len(games), len(places.entries)), bool)
    for column in range(sheet.columns):
        can &= places.lowest[:, column] >= games.heights[:, column, None]
    touches = np.zeros_like(can)
    for word in range(places.beside.shape[1]):
        touches |= (places.beside[:, word] & games.drawn[:, word, None]) != 0
    can &= np.where(games.cells[:, None] > 0, touches, places.is_on_floor)
    closed = _numbers_below(sheet)[np.arange(sheet.columns), games.heights]
    gaps = places.gaps - games.heights @ places.has.T
    found = places.worth - GAP * gaps - NUMBER * (places.lost - closed @ places.has.T)
    return np.where(can, found, -np.inf)


@cache
def _numbers_below(sheet: Sheet) -> Floats:
    """By column and height, the printed numbers below it, (C, rows + 1)."""
    found = np.zeros((sheet.columns, sheet.rows + 1))
    for each in sheet.numbers:
        row, column = each.cell
        found[column, sheet.rows - row :] += each.value
    return found


def entered(games: Games, places: Places, which: Ints) -> Games:
    """The games with a shape entered in each, at one of the places."""
    return Games(
        np.maximum(games.heights, places.tops[which]),
        games.drawn | places.bits[which],
        games.cells + places.sizes[which],
        games.numbers + places.numbers[which],
        games.in_rows + places.in_rows[which],
    )


def points(games: Games, state: SheetState) -> Ints:
    """Points by `PARTS`, (3, N): whole rows give the highest bonus that is not struck."""
    sheet = state.sheet
    bonuses = [
        max((bonus for bonus, mark in zip(printed.bonuses, marks, strict=True)
             if mark is not BonusMark.STRUCK), default=0)
        for printed, marks in zip(sheet.colored_rows, state.bonuses, strict=True)
    ]  # fmt: skip
    rows = (games.in_rows == sheet.columns) @ np.array(bonuses, int)
    empty = sheet.rows * sheet.columns - games.cells
    return np.stack([rows, games.numbers, PENALTY * empty])


def _words(bits: Sequence[int], sheet: Sheet) -> npt.NDArray[np.uint64]:
    words = range(-(-sheet.rows * sheet.columns // WORD))
    full = (1 << WORD) - 1
    return np.array([[each >> WORD * word & full for word in words] for each in bits], np.uint64)


def _in_rows(cells: Sequence[frozenset[tuple[int, int]]], sheet: Sheet) -> Ints:
    """How many cells lie in each coloured row, (len(cells), rows)."""
    rows = [printed.row for printed in sheet.colored_rows]
    return np.array([[sum(row == at for row, _ in each) for at in rows] for each in cells], int)
