"""What can be done for a roll, by expected final points: flat Monte Carlo over the policy."""

from __future__ import annotations

from dataclasses import dataclass

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
    error: the standard error of their sum.
    """

    turn: Turn | None
    bomb: bool
    games: int
    value: float
    ahead: tuple[float, ...]
    error: float


@dataclass(frozen=True)
class _Choices:
    """sheets: as each choice leaves the sheet."""

    turns: tuple[Turn | None, ...]
    bombs: tuple[bool, ...]
    sheets: many.Games


def judged(
    policy: Policy,
    game: many.Games,
    roll: Roll,
    players: int,
    rng: np.random.Generator,
    done: Block | None = None,
    turns: int = TURNS,
    most: int = CHOICES,
    pays: int | None = None,
) -> tuple[Judged, ...]:
    """What may be done for a roll, best first; empty where nothing may.

    game: one. players: in the game; one plays solo. done: a block that is judged however good it
    seems. turns: how many turns all games together take, about; most: choices that are judged.
    pays: the energy that a block may cost; None: all there is.
    """
    pays = int(game.energy[0]) if pays is None else pays
    choices = _promising(policy, game, roll, done, most, pays)
    if not choices.turns:
        return ()
    points = advice.played(
        len(choices.turns),
        _affordable(policy, game, turns),
        lambda numbers, count: _outcomes(
            policy, choices, numbers, throw(policy.tables, players, count, rng), players
        ),
        [number for number, turn in enumerate(choices.turns) if turn and turn.cells == done],
    )
    return tuple(
        Judged(
            choices.turns[each.number],
            choices.bombs[each.number],
            each.games,
            each.value,
            each.ahead,
            each.error,
        )
        for each in advice.ranked(points)
    )


def rolled_again(
    policy: Policy,
    game: many.Games,
    best: Judged,
    players: int,
    rng: np.random.Generator,
    turns: int = AGAIN_TURNS,
) -> Judged:
    """What it is worth to roll once more, against the best choice for what was rolled.

    The block of the second roll is entered by the policy. Parameters as of `judged`.
    """
    kept = after_choice(policy, game, best)
    count = max(2, _affordable(policy, game, turns) // 2)
    same = np.zeros(count, int)
    second = throw(policy.tables, players, count, rng).first[0]
    again, stays = after_roll(policy, game.at(same), second)
    goes_on = np.full(count, best.turn is not None or best.bomb)
    mine, others = _ends(
        policy,
        many.joined([again, kept.at(same)]),
        np.concatenate([stays, goes_on]),
        throw(policy.tables, players, count, rng),
        players,
    )
    ahead, error = advice.difference(mine, others)
    return Judged(None, False, count, best.value + sum(ahead), ahead, error)


def after_choice(policy: Policy, game: many.Games, choice: Judged) -> many.Games:
    """The game, one, after what was chosen."""
    if choice.turn is None:
        return many.bombed(game) if choice.bomb else game
    tables, option = policy.tables, choice.turn.option
    place = tables.place[kinds(tables.sheet).index(option.kind), *choice.turn.corner]
    return many.entered(tables, game, place[None], np.array([option.cost]), policy.level)


def _affordable(policy: Policy, game: many.Games, turns: int) -> int:
    """How many games can be played to their end with so many turns."""
    free = policy.tables.counts[policy.tables.full & ~game.grid].sum()
    return min(MAX_GAMES, turns * CELLS_A_BLOCK // (int(free) + CELLS_A_BLOCK))


def _promising(
    policy: Policy, game: many.Games, roll: Roll, done: Block | None, most: int, pays: int
) -> _Choices:
    """The choices of the highest worth."""
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
    kept = best[:most] + [
        number for number in best[most:] if (turn := turns[number]) and turn.cells == done
    ]
    return _Choices(
        tuple(turns[number] for number in kept),
        tuple(bombs[number] for number in kept),
        many.joined(sheets).at(np.array(kept, int)),
    )


def _turn(tables: many.Tables, place: int, cost: int) -> Turn:
    kind, top, left = np.argwhere(tables.place == place)[0].tolist()
    return Turn(Option(kinds(tables.sheet)[kind], int(cost)), (top, left))


def _outcomes(
    policy: Policy, choices: _Choices, numbers: list[int], dice: Dice, players: int
) -> list[Floats]:
    """The points of some choices with the same dice, by `PARTS`."""
    count = dice.first.shape[1]
    sheets = choices.sheets.at(np.repeat(numbers, count))
    goes_on = np.array([bool(choices.turns[n] or choices.bombs[n]) for n in numbers])
    return _ends(policy, sheets, np.repeat(goes_on, count), dice, players)


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
