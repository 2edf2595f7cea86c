"""Computer players: how well they play, and whether their advice is the same with other dice."""

from __future__ import annotations

import random
import time
from argparse import Namespace

import numpy as np

from benchmarks.harness import Row, Table, share
from brikks_vision.games.bloxx import player
from brikks_vision.games.bloxx.places import sheet_of as bloxx_sheet_of
from brikks_vision.games.brikks.player.many import Games, bombed, joined, score
from brikks_vision.games.brikks.player.monte_carlo import Judged, after_choice, judged
from brikks_vision.games.brikks.player.policy import (
    Dice,
    Policy,
    best_places,
    play,
    policy_of,
    throw,
    worth,
)
from brikks_vision.infer.advice import STANDARD_ERRORS
from brikks_vision.layout import load_layout
from brikks_vision.rules.blox.actions import Action, gain_of
from brikks_vision.rules.blox.material import PawnColor
from brikks_vision.rules.blox.position import load_board
from brikks_vision.rules.blox.possible import looked_ahead, possible_actions
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.blox.random_player import legal_actions
from simulation.blox.setup import start
from simulation.blox.state import State
from simulation.bloxx.play import play_game
from simulation.brikks.self_play import new_games, started
from simulation.brikks.strength import played_at_random

PLAYERS, LEVEL = 2, 2
PLAYED_TURNS, PLAYED_CHOICES = 2_000, 6
"""What the Monte Carlo player spends on a turn here: a twentieth of the coach's."""
MAX_BLOX_TURNS = 900
"""After which a game of BLOX that does not end is counted as it stands."""


def advice_table(options: Namespace) -> Table:
    """How often advice is the same with other dice, or within the error that it tells."""
    twice = _bloxx_twice if options.game == "bloxx" else _brikks_twice
    found = [each for number in range(options.sheets) for each in twice(options.seed, number)]
    same, alike, seconds = (sum(values) for values in zip(*found, strict=True))
    count = len(found)
    return [
        ("turns", "same best place", "or within the told error", "s of one core, mean"),
        (str(count), share(same, count), share(alike, count), f"{seconds / (2 * count):.2f}"),
    ]


def _brikks_twice(seed: int, number: int) -> list[tuple[bool, bool, float]]:
    policy, rng = policy_of(load_sheet(), LEVEL), np.random.default_rng([seed, number])
    dice, turn = throw(policy.tables, PLAYERS, 1, rng), int(rng.integers(0, 26))
    game = started(policy, new_games(policy.tables.sheet, PLAYERS, 1))
    game = play(policy, game, Dice(dice.first[:turn], dice.again[:turn], dice.active), PLAYERS)
    roll, begun = policy.tables.rolls[rng.integers(len(policy.tables.rolls))], time.process_time()
    one, other = (judged(policy, game, roll, PLAYERS, np.random.default_rng(2 * number + at))
                  for at in (0, 1))  # fmt: skip
    if not one:
        return []
    spent, second = time.process_time() - begun, _done(other[0])
    (there,) = (each for each in one if _done(each) == second)
    is_alike = one[0].value - there.value <= STANDARD_ERRORS * there.error
    return [(there is one[0], there is one[0] or is_alike, spent)]


def _done(choice: Judged) -> object:
    return choice.turn and (choice.turn.cells, choice.turn.option.cost), choice.bomb


def _bloxx_twice(seed: int, number: int) -> list[tuple[bool, bool, float]]:
    sheet, rng = bloxx_sheet_of(load_layout("bloxx")), random.Random(f"{seed} {number}")
    dice = sheet.dice or ()
    game = play_game(sheet, rng, [1.0, 2.0], max_rolls=rng.randrange(13))
    face, begun = rng.choice([face for die in dice for face in die]), time.process_time()
    (places, one), (_, other) = (
        player.judged(game.players[0].sheet, face, dice, 2 * number + at) for at in (0, 1)
    )
    if not places:
        return []
    spent = time.process_time() - begun
    (there,) = (each for each in one if each.number == other[0].number)
    is_alike = -sum(there.ahead) <= STANDARD_ERRORS * there.error
    return [(there is one[0], there is one[0] or is_alike, spent)]


def players_table(options: Namespace) -> Table:
    """Points of players: of BLOX who takes the first action of `moves` against who takes most at
    once; else the Monte Carlo player and one at random against the policy that it plays out."""
    count, seed = options.sheets, options.seed
    head: Row = ("player", "games", "mean", "more than the others", "standard error")
    if options.game == "blox":
        points = [_blox_game(seed + number, number % 3) for number in range(count)]
        mine, others = (np.array(each) for each in zip(*points, strict=True))
        return [head, _player_row("first of the list", mine, others)]
    policy, rng = policy_of(load_sheet(), LEVEL), np.random.default_rng(seed)
    dice = throw(policy.tables, PLAYERS, count, rng)
    games = started(policy, new_games(policy.tables.sheet, PLAYERS, count))
    greedy = score(policy.tables, play(policy, games, dice, PLAYERS)).total
    ended = joined([_by_monte_carlo(policy, games, dice, at, seed + at) for at in range(count)])
    return [
        head,
        _player_row("at random", played_at_random(policy, games, dice, rng), greedy),
        _player_row("policy", greedy, greedy),
        _player_row("Monte Carlo", score(policy.tables, ended).total, greedy),
    ]


def _player_row(name: str, totals: np.ndarray, others: np.ndarray) -> Row:
    more = totals - others
    error = more.std(ddof=1) / len(more) ** 0.5 if len(more) > 1 else np.inf
    return name, str(len(more)), f"{totals.mean():.1f}", f"{more.mean():+.2f}", f"{error:.2f}"


def _by_monte_carlo(policy: Policy, games: Games, dice: Dice, number: int, seed: int) -> Games:
    """One of the games as it ends; it rolls again where the policy would."""
    tables, rng, game = policy.tables, np.random.default_rng(seed), games.at(np.array([number]))
    rolls = zip(dice.first[:, number], dice.again[:, number], strict=True)
    for turn, (roll, again) in enumerate(rolls):
        if (dice.active[number] - turn) % PLAYERS == 0:
            best = best_places(policy, game, tables.costs[[roll]]).worth[0]
            if game.bombs[0] < len(tables.bombs) - 1:
                best = max(best, worth(policy, bombed(game))[0])
            if best < worth(policy, game)[0] - policy.weights["again"]:
                roll = again
        options = judged(
            policy, game, tables.rolls[roll], PLAYERS, rng, None, PLAYED_TURNS, PLAYED_CHOICES
        )
        if not options or not (options[0].turn or options[0].bomb):
            return game
        game = after_choice(policy, game, options[0])
    return game


def _blox_game(seed: int, seat: int) -> tuple[int, float]:
    """The points of who sits there, and of the two others on average."""
    rng, state = random.Random(seed), start(load_board(), list(PawnColor)[:3], seed=seed)
    for _ in range(MAX_BLOX_TURNS):
        if state.is_over:
            break
        state = state.play(
            _first_of_moves(state) if state.turn == seat else _most_at_once(state, rng)
        )
    points = [each.points for each in state.players]
    return points.pop(seat), float(np.mean(points))


def _first_of_moves(state: State) -> Action:
    mover = state.to_move
    told = (mover.color, mover.cards, mover.blocks)
    found = possible_actions(state.position, *told, state.phase)
    return looked_ahead(state.position, found, *told)[0].possible.action


def _most_at_once(state: State, rng: random.Random) -> Action:
    can = list(legal_actions(state, state.to_move.color))
    rng.shuffle(can)
    return max(can, key=gain_of)
