"""How the computer player chooses: by what a sheet is worth before a roll.

Of all that may be done for a roll, it does what leads to the sheet of the highest worth. By this
one measure it enters blocks, pays energy, uses bombs, rolls again and drops out.

What totals the computer player reaches, by players and level: how good a total is.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import numpy.typing as npt

from brikks_vision.games.brikks.player import many
from brikks_vision.infer.advice import STANDARD_ERRORS, Expected, Unspent, percentile_of
from brikks_vision.rules.brikks.blocks import SWAP_COST, kinds
from brikks_vision.rules.brikks.sheet import Sheet

Floats = npt.NDArray[np.float32]

Weights = Mapping[str, float]
"""What a sheet is worth, in points of the final score:

chance: of filling one more cell of the lowest row, for each cell that a number of crosses lacks.
higher: what is taken off it for each row above. shut: off for a free cell that cannot be reached,
times the factor of its row. sheltered: off for a free cell that is reached from the side only.
room: for any that is reached. across, down: off for each side of a cell, to the left or right,
above or below, where taken and free meet. together: for a row with at most two free cells, the same
as those of the row above. energy: for a point that is left; saved: more, for each of those that any
block costs. ringed: for a point that was activated. crosses: for a cross on the extra-points bar.
circles: for a circle that can be reached. bombs: for a bomb that is left. again: how much worse
than the sheet as it stands the best choice is where the player rolls again. over: how much more
than its points a sheet is worth with a bomb less where the player uses it to stay in.
"""

NEARLY_FULL = 2
"""Free cells of a row that one block may finish together with another row."""


@dataclass(frozen=True, eq=False)
class Policy:
    """A way to play on one sheet at one level.

    rows: (rows, states of a row), what each is worth. filled, shut, sheltered: (2 ** columns,),
    what the bits of cells taken, not reached, reached from the side add to the number of a row's
    state. circles: (rows, 1), bits of the circles.
    """

    tables: many.Tables
    level: int
    weights: Weights
    rows: Floats
    filled: many.Ints
    shut: many.Ints
    sheltered: many.Ints
    circles: many.Bits


@cache
def policy_of(sheet: Sheet, level: int) -> Policy:
    """The policy whose weights are packaged."""
    text = resources.files(__package__).joinpath("weights.json").read_text("utf-8")
    return make_policy(many.tables_of(sheet), level, json.loads(text)["levels"][str(level)])


def make_policy(tables: many.Tables, level: int, weights: Weights) -> Policy:
    """The policy with these weights."""
    sheet = tables.sheet
    base = sheet.columns + 1
    filled, shut, sheltered = np.ogrid[:base, :base, :base]
    rows = []
    for height, factor in enumerate(reversed(sheet.row_factors)):
        chance = np.clip(weights["chance"] - weights["higher"] * height, 0.01, 0.99)
        value = weights["room"] * (sheet.columns - filled - shut) - weights["sheltered"] * sheltered
        value = value - weights["shut"] * factor * shut
        before = 0
        for count, points in sorted(sheet.row_points.items()):
            can_be = shut <= sheet.columns - count
            lacking = np.maximum(count - filled, 0)
            value = value + factor * (points - before) * can_be * chance**lacking
            before = points
        rows.append(value.ravel())
    circles = np.zeros((sheet.rows, 1), np.uint16)
    for circle in sheet.circles:
        circles[circle.cell[0], 0] |= 1 << circle.cell[1]
    counts = tables.counts.astype(np.uint16)
    return Policy(
        tables,
        level,
        weights,
        np.array(rows[::-1], np.float32),
        counts * base**2,
        counts * base,
        counts,
        circles,
    )


def reached(tables: many.Tables, empty: many.Bits) -> many.Bits:
    """The free cells that a single cell falling from above can come to; both (rows, N)."""
    found = np.empty_like(empty)
    found[0] = empty[0]
    for row in range(1, len(empty)):
        line = empty[row]
        seeds = found[row - 1] & line
        found[row] = tables.spread[line.astype(np.int32) << tables.sheet.columns | seeds]
    return found


def worth(policy: Policy, games: many.Games) -> Floats:
    """What sheets are worth before a roll, (N,)."""
    tables, weights, counts = policy.tables, policy.weights, policy.tables.counts
    columns, full = tables.sheet.columns, np.uint16(tables.full)
    grid, energy = games.grid, games.energy
    empty = ~grid & full
    reach = reached(tables, empty)
    covered = np.bitwise_or.accumulate(grid, axis=0)
    state = policy.filled[grid] + policy.shut[empty & ~reach]
    state += policy.sheltered[covered & reach]
    value = np.zeros(len(games), np.float32)
    for row, of_row in zip(policy.rows, state, strict=True):
        value += row[of_row]
    across = counts[(grid ^ (grid >> 1)) & (full >> 1)].sum(axis=0)
    across += (empty & 1).sum(axis=0) + (empty >> (columns - 1)).sum(axis=0)
    down = counts[grid[:-1] ^ grid[1:]].sum(axis=0) + counts[empty[-1]]
    same = (empty[:-1] == empty[1:]) & (empty[1:] != 0)
    together = (same & (counts[empty[1:]] <= NEARLY_FULL)).sum(axis=0)
    circles = counts[reach & policy.circles].sum(axis=0)
    bombs = len(tables.bombs) - 1 - games.bombs
    for weight, amount in (
        (-weights["across"], across),
        (-weights["down"], down),
        (weights["together"], together),
        (weights["circles"], circles),
        (weights["energy"] + 1 / tables.sheet.points_per_score, energy),
        (weights["saved"], np.minimum(energy, SWAP_COST)),
        (weights["ringed"], games.activated),
        (weights["crosses"], games.crosses),
        (1, tables.bonus[games.crosses]),
        (weights["bombs"], bombs),
        (1, tables.bombs[games.bombs]),
    ):
        value += np.float32(weight) * amount
    return value


@dataclass(frozen=True)
class Chosen:
    """The best place for a block in N games. place, cost: (N,). place: -1 where there is none.

    worth: (N,), of the sheet with the block; minus infinity where there is none.
    """

    place: many.Ints
    cost: many.Ints
    worth: Floats


def best_places(policy: Policy, games: many.Games, costs: many.Ints) -> Chosen:
    """The best place of each game. costs: (N, K), of the kinds."""
    tables = policy.tables
    place, cost = np.full(len(games), -1), np.zeros(len(games), np.int16)
    best = np.full(len(games), -np.inf, np.float32)
    found = many.landings(tables, games.grid, costs, games.energy)
    if len(found):
        after = many.entered(tables, games.at(found.game), found.place, found.cost, policy.level)
        values = worth(policy, after)
        first = np.flatnonzero(np.diff(found.game, prepend=-1))
        highest = np.maximum.reduceat(values, first)
        sizes = np.diff(first, append=len(values))
        highest_at = np.flatnonzero(values == np.repeat(highest, sizes))
        game, at = np.unique(found.game[highest_at], return_index=True)
        taken = highest_at[at]
        place[game], cost[game], best[game] = found.place[taken], found.cost[taken], highest
    return Chosen(place, cost, best)


@dataclass(frozen=True)
class Dice:
    """What N games will roll. first, again: (turns, N), numbers of rolls; again: of a second try.

    active: (N,), in how many turns each player is the active one.
    """

    first: many.Ints
    again: many.Ints
    active: many.Ints


def throw(tables: many.Tables, players: int, count: int, rng: np.random.Generator) -> Dice:
    """Dice for all turns that a game can have.

    In each turn the games share all rolls among them as evenly as their number allows, and each
    game's roll is any of them with the same probability: Latin hypercube sampling.
    """
    sheet = tables.sheet
    smallest = min(len(kind.shape) for kind in kinds(sheet))
    turns = sheet.rows * sheet.columns // smallest + len(sheet.bomb_points)

    def even(sides: int) -> many.Ints:
        offsets = rng.integers(sides, size=(turns, 1))
        return rng.permuted((np.arange(count) + offsets) % sides, axis=1)

    return Dice(even(len(tables.rolls)), even(len(tables.rolls)), even(players)[0])


def play(
    policy: Policy, games: many.Games, dice: Dice, players: int, goes_on: many.Bools | None = None
) -> many.Games:
    """The games as they end.

    players: in a game; one never rolls again. goes_on: (N,), who is still in; left out, all are.
    """
    playing = np.arange(len(games))
    ended: list[tuple[many.Ints, many.Games]] = []
    if goes_on is not None:
        ended.append((playing[~goes_on], games.at(~goes_on)))
        playing, games = playing[goes_on], games.at(goes_on)
    for turn, (first, again) in enumerate(zip(dice.first, dice.again, strict=True)):
        if not len(playing):
            break
        may_again = (dice.active[playing] - turn) % players == 0
        if players == 1:
            may_again[:] = False
        step = _turn(policy, games, first[playing], again[playing], may_again)
        ended.append((playing[step.out], games.at(step.out)))
        playing = np.concatenate([playing[step.enters], playing[step.bombs]])
        games = step.games
    ended.append((playing, games))
    order = np.argsort(np.concatenate([numbers for numbers, _ in ended]))
    return many.joined([each for _, each in ended]).at(order)


def after_roll(
    policy: Policy, games: many.Games, rolls: many.Ints
) -> tuple[many.Games, many.Bools]:
    """The games after a turn with these rolls, and who is still in. rolls and result: (N,)."""
    step = _turn(policy, games, rolls, rolls, np.zeros(len(games), int))
    goes_on = np.ones(len(games), bool)
    goes_on[step.out] = False
    order = np.argsort(np.concatenate([step.enters, step.bombs, step.out]))
    return many.joined([step.games, games.at(step.out)]).at(order), goes_on


@dataclass(frozen=True)
class _Turn:
    """enters, bombs, out: what the players do, by number. games: of those who enter, then bomb."""

    enters: many.Ints
    bombs: many.Ints
    out: many.Ints
    games: many.Games


def _turn(
    policy: Policy, games: many.Games, first: many.Ints, again: many.Ints, may_again: many.Ints
) -> _Turn:
    """One turn of N games. may_again: (N,), who may roll again."""
    tables = policy.tables
    chosen = best_places(policy, games, tables.costs[first])
    left = games.bombs < len(tables.bombs) - 1
    passed = np.full(len(games), -np.inf, np.float32)
    passed[left] = worth(policy, many.bombed(games.at(left)))
    (may,) = np.nonzero(may_again)
    best = np.maximum(chosen.worth[may], passed[may])
    retry = may[best < worth(policy, games.at(may)) - policy.weights["again"]]
    if len(retry):
        second = best_places(policy, games.at(retry), tables.costs[again[retry]])
        chosen.place[retry], chosen.cost[retry] = second.place, second.cost
        chosen.worth[retry] = second.worth
    can = chosen.place >= 0
    enters = can & (chosen.worth >= passed)
    stays = passed - policy.weights["over"] >= many.score(tables, games).total
    bombs = ~enters & left & (can | stays)
    entering, bombing = np.flatnonzero(enters), np.flatnonzero(bombs)
    place, cost = chosen.place[entering], chosen.cost[entering]
    after = many.entered(tables, games.at(entering), place, cost, policy.level)
    return _Turn(
        entering,
        bombing,
        np.flatnonzero(~enters & ~bombs),
        many.joined([after, many.bombed(games.at(bombing))]),
    )


@cache
def _measured() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("strength.json").read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def expected(players: int, level: int, total: int, energy: int) -> Expected:
    """What the player reaches with so many players, 1 to 4, of whom one plays solo, at a level.

    energy: points that were left.
    """
    of_setting = _measured()["players"][str(players)][str(level)]
    percentile = percentile_of(total, of_setting["percents"])
    mean, sd = of_setting["mean"], of_setting["sd"]
    unspent = _unspent(level, energy)
    return Expected(players, level, mean, sd, _measured()["games"], percentile, unspent)


def _unspent(level: int, energy: int) -> Unspent | None:
    """What energy brings, as far as it was measured: of 2, 4, ... points, whatever the players."""
    gains = _measured()["energy"][str(level)]
    pairs = min(energy // 2, len(gains))
    if not pairs:
        return None
    points, error = gains[pairs - 1]
    found = Unspent(2 * pairs, points, STANDARD_ERRORS * error)
    return found if found.points > found.margin else None
