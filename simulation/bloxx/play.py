"""Whole legal games played at random: by people of every skill, from first to last roll."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import exp

from brikks_vision.rules.bloxx.order import Entry, Resting
from brikks_vision.rules.bloxx.sheet import Sheet
from brikks_vision.rules.bloxx.state import SheetState
from simulation.bloxx.engine import Game, Turn
from simulation.bloxx.entering import opened_gaps

HEIGHT_COST = 0.5
"""Cost to a careful player of each row that a shape rises higher, in gaps."""

NUMBER_GAIN = 0.5
"""Value to a careful player of each point of a number under the circle, in gaps.

Both were chosen so that careful players' sheets look like people's: low, with few gaps and some
numbers.
"""


def roll_dice(sheet: Sheet, rng: random.Random) -> tuple[int, ...]:
    """A side of each die; for a sheet without dice none."""
    return tuple(rng.randrange(len(die)) for die in sheet.dice or ())


def choose_turn(state: SheetState, turns: Sequence[Turn], rng: random.Random, care: float) -> Turn:
    """One of the legal turns.

    care: 0 takes any of them; the larger it is, the more probable is a turn that opens few gaps,
    lies low and puts the circle on a number.
    """
    if care == 0:
        return rng.choice(turns)
    costs = [_cost(state, turn.entry) for turn in turns]
    least = min(costs)
    return rng.choices(turns, [exp(-care * (cost - least)) for cost in costs])[0]


def play_roll(game: Game, rng: random.Random, cares: Sequence[float]) -> None:
    """Roll once and let every player take a turn. cares: one a player, as in `choose_turn`."""
    game.roll(*roll_dice(game.sheet, rng))
    for player in game.waiting:
        turns = game.legal_turns(player)
        if turns:
            state = game.players[player].sheet
            game.enter(player, choose_turn(state, turns, rng, cares[player]))
        else:
            game.fail(player)


def play_game(
    sheet: Sheet,
    rng: random.Random,
    cares: Sequence[float],
    resting: Resting = Resting.ENGLISH,
    max_rolls: int | None = None,
) -> Game:
    """A game at random; one player for each of ``cares``, as in `choose_turn`.

    max_rolls: stop after so many rolls, None for a whole game. The same seed gives the same game.

    Raises
    ------
    ImpossibleGameError, UnknownDiceError
        As `Game` does.
    """
    game = Game(sheet, len(cares), resting)
    while not game.is_over and (max_rolls is None or game.rolls < max_rolls):
        play_roll(game, rng, cares)
    return game


def _cost(state: SheetState, entry: Entry) -> float:
    """The cost of an entry to a careful player, in gaps."""
    height = state.sheet.rows - min(row for row, _ in entry.cells)
    number = sum(n.value for n in state.sheet.numbers if n.cell == entry.circle)
    return len(opened_gaps(state, entry.cells)) + HEIGHT_COST * height - NUMBER_GAIN * number
