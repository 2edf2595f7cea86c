"""The policy of the computer player and its exact expectation, step by step by the plain rules."""

import random
from dataclasses import replace
from functools import cache
from itertools import pairwise

from brikks_vision.games.brikks.player.policy import NEARLY_FULL, Weights
from brikks_vision.rules.brikks import blocks
from brikks_vision.rules.brikks.scoring import Roll, legal_turns, score
from brikks_vision.rules.brikks.sheet import Circle, Sheet
from brikks_vision.rules.shapes import neighbors
from simulation.brikks.engine import cross_out, enter_block, with_next_bomb

SMALL = Sheet(
    rows=4,
    columns=4,
    row_factors=(4, 2, 1, 1),
    row_points={3: 2, 4: 5},
    circles=(Circle("red", (1, 1)), Circle("blue", (2, 3)), Circle("blue", (0, 2))),
    energy_points=7,
    preprinted=(0, 1),
    labels={},
    pink_points=(3, 5),
    points_per_score=2,
    move_cost=1,
    any_block_cost=5,
    bonus_values=(0, 1, 3, 6, 10),
    crosses_for_rows={2: 1, 3: 2, 4: 4},
    bomb_points=(2,),
    blocks={
        "red": (((0, 0), (0, 1), (1, 0), (1, 1)), ((0, 0), (1, 0), (1, 1))),
        "blue": (((0, 0), (0, 1), (0, 2)), ((0, 0), (1, 0), (2, 0))),
    },
)
"""Four rolls and seven blocks at most: all sequences of dice can be followed."""

ROLLS = tuple(Roll(color, column) for color in SMALL.blocks for column in (1, 2))


def small_states(level: int, count: int, rng: random.Random) -> list[blocks.SheetState]:
    """The small sheet after some random turns."""
    states = []
    while len(states) < count:
        state = blocks.blank_sheet(SMALL)
        for _ in range(rng.randint(1, 3)):
            turns = legal_turns(state, rng.choice(ROLLS))
            if turns:
                turn = rng.choice(turns)
                paid = cross_out(state, turn.option.cost)
                state = enter_block(paid, turn.cells, turn.option.kind.color, level).state
        states.append(replace(state, blocks=()))
    return states


def reachable(state: blocks.SheetState) -> frozenset:
    """Free cells to which a single cell can fall and slide."""
    free = frozenset(SMALL.cells) - state.crossed
    found = {cell for cell in free if cell[0] == 0}
    queue = list(found)
    for row, column in queue:
        for cell in ((row + 1, column), (row, column - 1), (row, column + 1)):
            if cell in free and cell not in found:
                found.add(cell)
                queue.append(cell)
    return frozenset(found)


def worth(state: blocks.SheetState, weights: Weights) -> float:
    """What `Weights` says."""
    free, reach = frozenset(SMALL.cells) - state.crossed, reachable(state)
    value = 0.0
    gaps = []
    for row, factor in enumerate(SMALL.row_factors):
        line = [(row, column) for column in range(SMALL.columns)]
        open_cells = [cell for cell in line if cell in reach]
        shut = [cell for cell in line if cell in free - reach]
        covered = [
            (r, c) for r, c in open_cells if any((above, c) in state.crossed for above in range(r))
        ]
        taken = len(line) - len(open_cells) - len(shut)
        gaps.append(frozenset(c for r, c in free if r == row))
        chance = weights["chance"] - weights["higher"] * (SMALL.rows - 1 - row)
        before = 0
        for count, points in sorted(SMALL.row_points.items()):
            if taken + len(open_cells) >= count:
                value += factor * (points - before) * chance ** max(0, count - taken)
            before = points
        value += weights["room"] * len(open_cells) - weights["sheltered"] * len(covered)
        value -= weights["shut"] * factor * len(shut)
    for row, column in SMALL.cells:
        for near in neighbors((row, column)):
            inside = near in SMALL.cells
            if near[0] < 0:  # above the grid there is nothing
                continue
            name = "across" if near[0] == row else "down"
            taken = near in state.crossed or not inside
            if (row, column) in free and taken:
                value -= weights[name]
    for above, below in pairwise(gaps):
        if above == below and 0 < len(below) <= NEARLY_FULL:
            value += weights["together"]
    energy, crosses = blocks.available(state), sum(state.bonus)
    value += weights["circles"] * sum(circle.cell in reach for circle in SMALL.circles)
    value += (weights["energy"] + 1 / SMALL.points_per_score) * energy
    value += weights["saved"] * min(energy, blocks.SWAP_COST) + weights[
        "ringed"
    ] * blocks.activated(state)
    value += weights["crosses"] * crosses + SMALL.bonus_values[crosses]
    value += sum(
        weights["bombs"] + points
        for points, used in zip(SMALL.bomb_points, state.bombs, strict=True)
        if not used
    )
    return value


def best_place(state: blocks.SheetState, roll: Roll, level: int, weights: Weights):
    """Worth and sheet of the best place, or None; of equal ones the highest, by kind, leftmost."""
    turns = sorted(
        legal_turns(state, roll),
        key=lambda turn: (
            turn.corner[0],
            blocks.kinds(SMALL).index(turn.option.kind),
            turn.corner[1],
        ),
    )
    best = None
    for turn in turns:
        paid = cross_out(state, turn.option.cost)
        after = enter_block(paid, turn.cells, turn.option.kind.color, level).state
        after = replace(after, blocks=())
        value = worth(after, weights)
        if best is None or value > best[0] + 1e-5:
            best = value, after
    return best


def exact_expectation(
    state: blocks.SheetState, level: int, players: int, weights: Weights
) -> float:
    """The mean of final totals over all sequences of dice, and over who is active first."""

    @cache
    def before_roll(state: blocks.SheetState, until_active: int) -> float:
        bombs_left = not all(state.bombs)
        passed = worth(with_next_bomb(state), weights) if bombs_left else float("-inf")
        later = (until_active - 1) % players

        def done(best) -> float:
            if best and best[0] >= passed:
                return before_roll(best[1], later)
            if bombs_left and (best or passed - weights["over"] >= score(state).total):
                return before_roll(with_next_bomb(state), later)
            return score(state).total

        found = [best_place(state, roll, level, weights) for roll in ROLLS]
        second = sum(map(done, found)) / len(found)
        total = 0.0
        for best in found:
            value = max(passed, best[0] if best else float("-inf"))
            may_again = players > 1 and until_active == 0
            if may_again and value < worth(state, weights) - weights["again"]:
                total += second
            else:
                total += done(best)
        return total / len(found)

    return sum(before_roll(state, turn) for turn in range(players)) / players
