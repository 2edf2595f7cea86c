"""What can be done for a roll, by expected final points: flat Monte Carlo over the policy."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from brikks_vision.games.brikks.player import many
from brikks_vision.games.brikks.player.policy import (
    Dice,
    Floats,
    Policy,
    after_roll,
    play,
    throw,
    worth,
)
from brikks_vision.infer import advice
from brikks_vision.rules.brikks.blocks import Block, kinds
from brikks_vision.rules.brikks.scoring import Option, Roll, Turn

PARTS = ("rows", "bonus", "energy", "bombs")
"""Parts of the points by which choices differ."""

CHOICES = 12
"""Maximum number of choices that are played out: those of the highest worth."""

TURNS = 36_000
"""Turns that all games of one judgement take together: less than 2 s on one core."""

AGAIN_TURNS = 6_000
"""Of those that judge whether to roll again."""

MAX_GAMES = 4_000
"""Maximum number of games of one judgement."""

CELLS_A_BLOCK = 4


@dataclass(frozen=True)
class Judged:
    """What a player may do for a roll, and what it is worth.

    turn: the block, its place and cost; None: no block is entered. bomb: whether one is used.
    games: how often it was played to its end. value: expected final points. ahead: how many points
    more than the best choice it is worth, by `PARTS`; of the best one, more than the next one.
    error: the standard error of their sum. after: the game as the choice leaves it.
    """

    turn: Turn | None
    bomb: bool
    games: int
    value: float
    ahead: tuple[float, ...]
    error: float
    after: many.Games = field(compare=False, repr=False)


def judged(
    policy: Policy,
    game: many.Games,
    roll: Roll,
    players: int,
    rng: np.random.Generator,
    done: Block | None = None,
    pays: int | None = None,
) -> tuple[Judged, ...]:
    """What may be done for a roll, best first; empty where nothing may.

    game: one. players: in the game; one plays solo. done: a block that is judged however good it
    seems. pays: the energy that a block may cost; None: all there is.
    """
    pays = int(game.energy[0]) if pays is None else pays
    turns, bombs, sheets = _promising(policy, game, roll, done, pays)
    if not turns:
        return ()

    def outcomes(numbers: list[int], count: int) -> list[Floats]:
        goes_on = np.array([bool(turns[number] or bombs[number]) for number in numbers])
        dice = throw(policy.tables, players, count, rng)
        chosen = sheets.at(np.repeat(numbers, count))
        return _ends(policy, chosen, np.repeat(goes_on, count), dice, players)

    mine = [number for number, turn in enumerate(turns) if turn and turn.cells == done]
    points = advice.played(len(turns), _affordable(policy, game, TURNS), outcomes, mine)
    return tuple(
        Judged(turns[at], bombs[at], games, value, ahead, error, sheets.at(np.array([at])))
        for at, games, value, ahead, error in advice.ranked(points)
    )


def rolled_again(
    policy: Policy,
    game: many.Games,
    best: Judged,
    players: int,
    rng: np.random.Generator,
) -> Judged:
    """What it is worth to roll once more, against the best choice for what was rolled.

    The block of the second roll is entered by the policy. Parameters as of `judged`.
    """
    count = max(2, _affordable(policy, game, AGAIN_TURNS) // 2)
    same = np.zeros(count, int)
    second = throw(policy.tables, players, count, rng).first[0]
    again, stays = after_roll(policy, game.at(same), second)
    goes_on = np.full(count, best.turn is not None or best.bomb)
    mine, others = _ends(
        policy,
        many.joined([again, best.after.at(same)]),
        np.concatenate([stays, goes_on]),
        throw(policy.tables, players, count, rng),
        players,
    )
    ahead, error = advice.difference(mine, others)
    return Judged(None, False, count, best.value + sum(ahead), ahead, error, game)


def _affordable(policy: Policy, game: many.Games, turns: int) -> int:
    """How many games can be played to their end with so many turns."""
    free = policy.tables.counts[policy.tables.full & ~game.grid].sum()
    return min(MAX_GAMES, turns * CELLS_A_BLOCK // (int(free) + CELLS_A_BLOCK))


def _promising(
    policy: Policy, game: many.Games, roll: Roll, done: Block | None, pays: int
) -> tuple[list[Turn | None], list[bool], many.Games]:
    """The choices of the highest worth: blocks, whether a bomb is used, and the games after."""
    tables = policy.tables
    costs = tables.costs[[tables.rolls.index(roll)]]
    found = many.landings(tables, game.grid, costs, np.array([pays]))
    turns: list[Turn | None] = [
        _turn(tables, *each) for each in zip(found.place, found.cost, strict=True)
    ]
    bombs = [False] * len(turns)
    sheets = [many.entered(tables, game.at(found.game), found.place, found.cost, policy.level)]
    if game.bombs[0] < len(tables.bombs) - 1:
        turns.append(None)
        bombs.append(True)
        sheets.append(many.bombed(game))
    values = worth(policy, many.joined(sheets))
    if not len(found) and bombs:  # only who cannot enter a block may drop out
        turns.append(None)
        bombs.append(False)
        sheets.append(game)
        values = np.append(values, np.float32(many.score(tables, game).total[0]))
    best = np.argsort(-values, kind="stable").tolist()
    kept = best[:CHOICES] + [
        number for number in best[CHOICES:] if (turn := turns[number]) and turn.cells == done
    ]
    after = many.joined(sheets).at(np.array(kept, int))
    return [turns[number] for number in kept], [bombs[number] for number in kept], after


def _turn(tables: many.Tables, place: int, cost: int) -> Turn:
    kind, top, left = np.argwhere(tables.place == place)[0].tolist()
    return Turn(Option(kinds(tables.sheet)[kind], int(cost)), (top, left))


def _ends(
    policy: Policy, sheets: many.Games, goes_on: many.Bools, dice: Dice, players: int
) -> list[Floats]:
    """The points of games, as many for each choice as there are dice, by choice and `PARTS`."""
    copies = len(sheets) // dice.first.shape[1]
    same = Dice(
        np.tile(dice.first, copies), np.tile(dice.again, copies), np.tile(dice.active, copies)
    )
    ended = play(policy, sheets, same, players, goes_on)
    points = many.score(policy.tables, ended)
    parts = np.array([getattr(points, part) for part in PARTS], np.float32)
    return np.split(parts, copies, axis=1)
