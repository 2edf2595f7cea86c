"""Games of Qwixx, played at random as people play: few numbers passed over, rows closed."""

from __future__ import annotations

import random
from dataclasses import dataclass

from brikks_vision.rules.qwixx.sheet import CROSSED, MAX_FAILED, ROWS, SheetState, Written, score
from brikks_vision.rules.qwixx.turn import EMPTY, Cross, Throw, after, choices

PLAYERS = 2, 5
SLIP_SHARE = 0.06  # of the figures that players write
WRITTEN_SHARE = 0.75  # of the players who write any
PATIENCE = 1.5, 4.0  # numbers passed over from which on a player rather crosses nothing


@dataclass(frozen=True)
class PlayedSheet:
    """A player's sheet at some time of a game, and what they wrote."""

    state: SheetState
    written: Written


def throw_dice(dice: random.Random, closed: frozenset[int]) -> Throw:
    """A throw with the dice of the rows that are not closed."""
    white, other = dice.randint(1, 6), dice.randint(1, 6)
    one, two, three, four = (0 if row in closed else dice.randint(1, 6) for row in range(ROWS))
    return Throw((white, other), (one, two, three, four))


def passed_over(state: SheetState, crosses: tuple[Cross, ...]) -> float:
    """Numbers that crosses pass over."""
    over, lasts = 0, [marks.rfind(CROSSED) for marks in state.rows]
    for row, column in crosses:
        over += column - lasts[row] - 1
        lasts[row] = column
    return over


def chosen(
    state: SheetState, throw: Throw, is_active: bool, patience: float, dice: random.Random
) -> tuple[Cross, ...]:
    """What a player crosses who passes over few numbers."""

    def worth(crosses: tuple[Cross, ...]) -> float:
        fails = is_active and not crosses
        return len(crosses) * patience - passed_over(state, crosses) - 3 * fails + dice.random()

    return max(choices(state, throw, is_active), key=worth)


def play(dice: random.Random, players: int, rounds: int | None = None) -> list[SheetState]:
    """The sheets of all players at the end of a game, or after so many throws."""
    sheets, closed, thrown = [EMPTY] * players, frozenset[int](), 0
    patience = [dice.uniform(*PATIENCE) for _ in sheets]
    while len(closed) < 2 and all(each.failed < MAX_FAILED for each in sheets):
        if thrown == rounds:
            break
        throw = throw_dice(dice, closed)
        for player, state in enumerate(sheets):
            is_active = player == thrown % players
            crosses = chosen(state, throw, is_active, patience[player], dice)
            sheets[player] = after(state, crosses, is_active)
        closed = frozenset(
            row for row in range(ROWS) if any(each.locks[row] == CROSSED for each in sheets)
        )
        thrown += 1
    return sheets


def written_by(state: SheetState, dice: random.Random) -> Written:
    """What a player writes, with a slip now and then; a total that adds up what is written."""
    if dice.random() > WRITTEN_SHARE:
        return Written()

    def figure(right: int) -> int:
        return right + dice.choice((-3, -1, 1, 5, 10)) if dice.random() < SLIP_SHARE else right

    points = score(state)
    rows = tuple(max(0, figure(each)) for each in points.rows)
    failed = max(0, figure(-points.failed))
    return Written(rows, failed, figure(sum(rows) - failed))


def any_game(dice: random.Random) -> PlayedSheet:
    """A sheet of any game, most of them at its end."""
    rounds = None if dice.random() < 0.8 else dice.randint(0, 20)
    state = dice.choice(play(dice, dice.randint(*PLAYERS), rounds))
    return PlayedSheet(state, written_by(state, dice))
