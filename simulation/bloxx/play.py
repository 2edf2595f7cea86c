"""Whole legal games of BLOXX! at random: by people of every skill, from first to last roll."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.sheet import VOID_ROLLS_AT_END, Sheet
from brikks_vision.rules.bloxx.state import BonusMark, Shape, SheetState, blank_sheet
from simulation.bloxx.entering import enter_shape, legal_entries, opened_gaps

HEIGHT_COST = 0.5
"""Cost to a careful player of each row that a shape rises higher, in gaps."""

NUMBER_GAIN = 0.5
"""Value to a careful player of each point of a number under the circle, in gaps.

Both were chosen so that careful players' sheets look like people's: low, with few gaps and some
numbers.
"""


@dataclass(frozen=True)
class Player:
    """One player's side. order: shapes as entered."""

    sheet: SheetState
    order: tuple[Shape, ...] = ()


@dataclass(frozen=True)
class Game:
    """A game that was played. rolls: so many were rolled. is_over: it was played out."""

    players: tuple[Player, ...]
    rolls: int
    is_over: bool


def play_game(
    sheet: Sheet,
    rng: random.Random,
    cares: Sequence[float],
    resting: Resting = Resting.ENGLISH,
    max_rolls: int | None = None,
) -> Game:
    """A game at random; one player for each of ``cares``, as in `choose_turn`.

    max_rolls: stop after so many rolls, None for a whole game. The same seed gives the same game.
    All players of one roll get their turn before the game ends. A row that several complete in the
    same roll gives the highest bonus to each of them.
    """
    players, count = [Player(blank_sheet(sheet)) for _ in cares], len(cares)
    rolls = void = 0
    while void < VOID_ROLLS_AT_END and (max_rolls is None or rolls < max_rolls):
        faces = [die[rng.randrange(len(die))] for die in sheet.dice or ()]
        void, picked = 0, None
        for at in ((rolls + step) % count for step in range(count)):
            side = players[at]
            turns = [
                (die, entry)
                for die, face in enumerate(faces)
                # the circle of the active player's die is a cross for everybody else
                for entry in legal_entries(side.sheet, face, resting, die != picked)
            ]
            if not turns:
                void += 1
                continue
            die, entry = choose_turn(side.sheet, turns, rng, cares[at])
            picked = die if at == rolls % count else picked
            entered = _with_bonuses(side.sheet, enter_shape(side.sheet, entry))
            players[at] = Player(entered, (*side.order, entry.cells))
        players = [replace(each, sheet=_with_strikes(each.sheet, players)) for each in players]
        rolls += 1
    return Game(tuple(players), rolls, void >= VOID_ROLLS_AT_END)


def choose_turn(
    state: SheetState, turns: Sequence[tuple[int, Entry]], rng: random.Random, care: float
) -> tuple[int, Entry]:
    """One of the legal turns: a die, counted from 0, and where its shape is entered.

    care: 0 takes any of them; the larger it is, the more probable is a turn that opens few gaps,
    lies low and puts the circle on a number.
    """
    if care == 0:
        return rng.choice(turns)
    costs = [_cost(state, entry) for _, entry in turns]
    least = min(costs)
    return rng.choices(turns, [exp(-care * (cost - least)) for cost in costs])[0]


def _with_bonuses(before: SheetState, state: SheetState) -> SheetState:
    """The sheet with a bonus circled for each row just completed: the highest not struck."""
    finished = set(state.complete_rows()) - set(before.complete_rows())
    for colored, printed in enumerate(state.sheet.colored_rows):
        if printed.row in finished and BonusMark.OPEN in state.bonuses[colored]:
            figure = state.bonuses[colored].index(BonusMark.OPEN)
            state = state.with_bonus(colored, figure, BonusMark.CIRCLED)
    return state


def _with_strikes(state: SheetState, players: Sequence[Player]) -> SheetState:
    """The sheet with the bonuses struck that others got and this player did not."""
    for colored, figures in enumerate(state.bonuses):
        taken = any(side.sheet.bonuses[colored][0] is BonusMark.CIRCLED for side in players)
        if taken and figures[0] is BonusMark.OPEN:
            state = state.with_bonus(colored, 0, BonusMark.STRUCK)
    return state


def _cost(state: SheetState, entry: Entry) -> float:
    """The cost of an entry to a careful player, in gaps."""
    height = state.sheet.rows - min(row for row, _ in entry.cells)
    number = sum(n.value for n in state.sheet.numbers if n.cell == entry.circle)
    return len(opened_gaps(state, entry.cells)) + HEIGHT_COST * height - NUMBER_GAIN * number
