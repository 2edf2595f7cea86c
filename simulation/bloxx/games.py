"""Whole legal games: sheets of every kind, from a game just begun to a full grid.

The rules library says what may be entered; the players here differ in taste, luck and habits.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.sheet import MAX_PLAYERS, MIN_PLAYERS, Die, Sheet
from brikks_vision.rules.bloxx.state import (
    BonusMark,
    Score,
    Shape,
    SheetState,
    Written,
    blank_sheet,
    score,
)
from simulation.bloxx.dice import dice_of
from simulation.bloxx.entering import enter_shape, legal_entries


@dataclass(frozen=True)
class PlayedSheet:
    """A sheet and the game behind it.

    written: the player's own figures. order: the shapes in the order entered. players: of the
    game; the sheet itself does not tell.
    """

    state: SheetState
    written: Written
    order: tuple[Shape, ...]
    players: int


@dataclass(frozen=True)
class _Taste:
    """How a player weighs an entry, in points of their own; higher values are better.

    sloppiness: standard deviation of their errors. luck: of so many rolls, they get the one they
    like best. patience: after so many void rolls in all they stop.
    """

    gap: float
    depth: float
    number: float
    row: float
    sloppiness: float
    luck: int
    patience: int


@dataclass(frozen=True)
class _Habits:
    """What a player writes beside the shapes, as probabilities.

    circles: a bonus of a complete row. strikes: the higher bonus that others got. strikes_rest: the
    bonus of an own row that was not given.
    """

    circles: float
    strikes: float
    strikes_rest: float


def _taste(rng: random.Random) -> _Taste:
    """A player between careful and careless, now and then with lucky dice."""
    care = rng.betavariate(1.8, 1.0)
    return _Taste(
        gap=rng.uniform(1.5, 4.0) * (0.1 + 0.9 * care),
        depth=rng.uniform(0.3, 0.9),
        number=rng.uniform(0.2, 1.2),
        row=rng.uniform(0.0, 0.5),
        sloppiness=0.2 + 8.0 * (1.0 - care) ** 2,
        luck=rng.choices((1, 2, 5), (65, 20, 15))[0],
        patience=rng.choice((1, 1, 2, 3, 8)),
    )


def _habits(rng: random.Random) -> _Habits:
    return _Habits(
        circles=rng.choice((1.0, 1.0, 1.0, 0.8)),
        strikes=rng.choice((1.0, 1.0, 0.5, 0.0)),
        strikes_rest=rng.choice((0.0, 0.0, 0.0, 0.7)),
    )


def _rolls_before_stop(rng: random.Random) -> int:
    """Most games are played to their end; some sheets are photographed in between."""
    if rng.random() < 0.1:
        return rng.randint(1, 4)
    if rng.random() < 0.15:
        return rng.randint(5, 12)
    return 100


# --- entering shapes -----------------------------------------------------------------------------


def _worth(
    tops: Sequence[int],
    sheet: Sheet,
    entry: Entry,
    taste: _Taste,
    values: dict[tuple[int, int], int],
) -> float:
    """How much a player likes an entry. tops: the highest closed row of each column."""
    in_column = Counter(column for _, column in entry.cells)
    highest: dict[int, int] = {}
    for row, column in entry.cells:
        highest[column] = min(row, highest.get(column, row))
    gaps = sum(tops[column] - highest[column] - count for column, count in in_column.items())
    colored = {printed.row for printed in sheet.colored_rows}
    return (
        taste.depth * sum(row for row, _ in entry.cells)
        - taste.gap * gaps
        + taste.number * (values.get(entry.circle, 0) if entry.circle else 0)
        + taste.row * sum(row in colored for row, _ in entry.cells)
    )


def _tops(state: SheetState) -> list[int]:
    """The highest row of each column that is drawn or coloured in; the floor where none is."""
    tops = [state.sheet.rows] * state.sheet.columns
    for row, column in state.drawn | state.gaps:
        tops[column] = min(tops[column], row)
    return tops


def _liked_entry(
    state: SheetState,
    sheet: Sheet,
    dice: Sequence[Die],
    resting: Resting,
    taste: _Taste,
    players: int,
    rng: random.Random,
) -> Entry | None:
    """The best entry of as many rolls as the player has luck; None where all of them are void.

    state: of the bare sheet (see `play_sheet`).
    """
    tops = _tops(state)
    values = {number.cell: number.value for number in sheet.numbers}
    best: tuple[float, Entry] | None = None
    for _ in range(taste.luck):
        # the circle of the active player's die is a cross for everybody else
        crossed = rng.randrange(len(dice)) if rng.random() > 1 / players else None
        for number, die in enumerate(dice):
            for entry in legal_entries(state, rng.choice(die), resting, number != crossed):
                worth = _worth(tops, sheet, entry, taste, values)
                worth += rng.gauss(0.0, taste.sloppiness)
                if best is None or worth > best[0]:
                    best = worth, entry
    return best and best[1]


def play_sheet(sheet: Sheet, rng: random.Random, max_rolls: int | None = None) -> PlayedSheet:
    """One player's sheet of a legal game, played with a taste, some sloppiness and habits.

    A sheet that knows no dice is played with a pair of the simulator's own. max_rolls: the game
    stops after so many; None for any length.
    """
    players = rng.randint(MIN_PLAYERS, MAX_PLAYERS)
    taste, habits, dice = _taste(rng), _habits(rng), dice_of(sheet, rng)
    resting = rng.choice(tuple(Resting))
    # Shapes are entered on a bare sheet, as the rules library keeps every sheet it is asked about.
    state = blank_sheet(Sheet(sheet.rows, sheet.columns))
    order: list[Shape] = []
    void = 0
    for _ in range(_rolls_before_stop(rng) if max_rolls is None else max_rolls):
        entry = _liked_entry(state, sheet, dice, resting, taste, players, rng)
        if entry is None:
            void += 1
            if void >= taste.patience:
                break
            continue
        state = enter_shape(state, entry)
        order.append(entry.cells)
    played = replace(blank_sheet(sheet), grid=state.grid, shapes=state.shapes)
    marked = _with_bonuses(played, habits, rng)
    is_over = void >= taste.patience
    return PlayedSheet(marked, random_figures(score(marked), is_over, rng), tuple(order), players)


# --- bonuses and figures -------------------------------------------------------------------------


def _with_bonuses(state: SheetState, habits: _Habits, rng: random.Random) -> SheetState:
    """The sheet with its bonuses circled and struck, whatever the other players finished."""
    complete = state.complete_rows()
    for colored, printed in enumerate(state.sheet.colored_rows):
        was_first = rng.random() < (0.65 if printed.row in complete else 0.7)
        given = 0 if was_first else 1
        if printed.row in complete and rng.random() < habits.circles:
            state = state.with_bonus(colored, given, BonusMark.CIRCLED)
            if was_first and rng.random() < habits.strikes_rest:
                state = state.with_bonus(colored, 1, BonusMark.STRUCK)
        if not was_first and rng.random() < habits.strikes:
            state = state.with_bonus(colored, 0, BonusMark.STRUCK)
    return state


def random_figures(points: Score, is_over: bool, rng: random.Random) -> Written:
    """The right figures of a player who writes all of them, some or none."""
    if rng.random() > (0.6 if is_over else 0.08):
        return Written()
    rows = rng.choice(points.possible_rows)
    right = Written(
        rows=rows,
        numbers=points.numbers,
        penalty=abs(points.penalty),
        total=rows + points.numbers + points.penalty,
    )
    kind = rng.random()
    if kind < 0.7:
        return right
    if kind < 0.85:
        return Written(total=right.total)
    return replace(right, total=None) if rng.random() < 0.5 else replace(right, rows=None)


# --- games to photograph -------------------------------------------------------------------------

GameOf = Callable[[Sheet, random.Random], PlayedSheet]
"""Plays one sheet."""


def any_game(sheet: Sheet, rng: random.Random) -> PlayedSheet:
    """Any game, from one just begun to a full grid."""
    return play_sheet(sheet, rng)


def long_game(sheet: Sheet, rng: random.Random) -> PlayedSheet:
    """A good player's game: a coloured row complete, numbers circled, all figures written."""
    while True:
        played = play_sheet(sheet, rng)
        points = score(played.state)
        if (
            points.total >= 0
            and points.rows
            and all(
                figure is not None
                for figure in (played.written.rows, played.written.numbers, played.written.total)
            )
        ):
            return played
