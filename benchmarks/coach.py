"""The computer player of Brikks and its advice: ``python -m benchmarks.coach [WHAT ...]``.

exact: means of games against exact expectations on a small sheet. seeds: advice repeated with other
dice. referee: placements against the plain rules and the referee. players: the Monte Carlo player
against the policy that it plays out, and a player at random, with the same dice. bloxx: advice of
BLOXX! repeated with other dice. blox: who takes the first action of `moves` against who takes most
points at once, at three. times: of 1,000 games and of a turn.
"""

from __future__ import annotations

import random
import time
from argparse import ArgumentParser, Namespace

import numpy as np

from benchmarks.harness import Table, main, share
from brikks_vision.decode.advice import STANDARD_ERRORS
from brikks_vision.games.bloxx import player
from brikks_vision.games.bloxx.keys import sheet_of as bloxx_sheet_of
from brikks_vision.games.brikks.player.many import Games, bombed, games_of, joined, landings, score
from brikks_vision.games.brikks.player.monte_carlo import (
    TURNS,
    Judged,
    after_choice,
    judged,
    rolled_again,
)
from brikks_vision.games.brikks.player.policy import (
    Dice,
    Policy,
    best_places,
    play,
    policy_of,
    throw,
    worth,
)
from brikks_vision.layout import load_layout
from brikks_vision.rules.blox.actions import Action, gain_of
from brikks_vision.rules.blox.ahead import looked_ahead
from brikks_vision.rules.blox.board import load_board
from brikks_vision.rules.blox.material import PawnColor
from brikks_vision.rules.blox.possible import possible_actions
from brikks_vision.rules.brikks.blocks import kinds
from brikks_vision.rules.brikks.play import legal_turns
from brikks_vision.rules.brikks.settings import LEVELS
from brikks_vision.rules.brikks.sheet import Sheet, load_sheet
from brikks_vision.rules.brikks.state import Energy, SheetState
from brikks_vision.rules.brikks.turn import judge_turn
from simulation.blox.random_player import legal_actions
from simulation.blox.setup import start as blox_start
from simulation.blox.state import State
from simulation.bloxx.play import play_game
from simulation.brikks.engine import cross_out, enter_block
from simulation.brikks.self_play import new_games, started
from simulation.brikks.strength import played_at_random

PLAYERS, LEVEL = 2, 2
PLAYED_TURNS, PLAYED_CHOICES = 2_000, 6
"""What the Monte Carlo player spends on a turn here: a twentieth of the coach's."""
MAX_BLOX_TURNS = 900
"""After which a game of BLOX that does not end is counted as it stands."""


def positions(policy: Policy, count: int, rng: np.random.Generator) -> Games:
    """Games after any number of turns."""
    dice = throw(policy.tables, PLAYERS, count, rng)
    games = started(policy, new_games(policy.tables.sheet, PLAYERS, count))
    turns = rng.integers(0, 26, count)
    parts = []
    for turn in np.unique(turns):
        (at,) = np.nonzero(turns == turn)
        some = Dice(dice.first[:turn, at], dice.again[:turn, at], dice.active[at])
        parts.append(play(policy, games.at(at), some, PLAYERS))
    return joined(parts)


def state_of(games: Games, number: int, sheet: Sheet) -> SheetState:
    """One of the games as a sheet without outlines."""
    ringed, left = int(games.activated[number]), int(games.energy[number])
    points = [Energy.USED] * (ringed - left) + [Energy.CIRCLED] * left
    crosses, bombs = int(games.crosses[number]), int(games.bombs[number])
    return SheetState(
        frozenset(cell for cell in sheet.cells if games.grid[cell[0], number] >> cell[1] & 1),
        (),
        tuple(points + [Energy.OPEN] * (sheet.energy_points - ringed)),
        tuple(box < crosses for box in range(len(sheet.bonus_values))),
        tuple(bomb < bombs for bomb in range(len(sheet.bomb_points))),
        sheet,
    )


def measure_exact(options: Namespace) -> Table:
    from tests.games.brikks.slow_player import SMALL, exact_expectation, small_states

    table: Table = [("players", "level", "states", "within 2 standard errors")]
    for players, level in ((1, 1), (2, 2), (3, 3), (4, 4)):
        policy = policy_of(SMALL, level)
        rng, within = np.random.default_rng(options.seed), 0
        states = small_states(level, 50, random.Random(players))
        for state in states:
            exact = exact_expectation(state, level, players, policy.weights)
            dice = throw(policy.tables, players, 480, rng)
            ended = play(policy, joined([games_of([state])] * 480), dice, players)
            totals = score(policy.tables, ended).total
            error = totals.std(ddof=1) / len(totals) ** 0.5
            within += bool(abs(totals.mean() - exact) <= 2 * error + 1e-6)
        table.append((str(players), str(level), str(len(states)), share(within, len(states))))
    return table


def measure_seeds(options: Namespace) -> Table:
    policy = policy_of(load_sheet(), LEVEL)
    rng = np.random.default_rng(options.seed)
    games = positions(policy, options.count or 200, rng)
    same = alike = told = 0
    errors = []
    for number in range(len(games)):
        roll = policy.tables.rolls[rng.integers(len(policy.tables.rolls))]
        one, other = (
            judged(
                policy,
                games.at(np.array([number])),
                roll,
                PLAYERS,
                np.random.default_rng(seed),
                turns=options.turns,
            )
            for seed in (2 * number, 2 * number + 1)
        )
        if not one:
            continue
        told += 1
        first, second = _done(one[0]), _done(other[0])
        (there,) = (each for each in one if _done(each) == second)
        same += first == second
        alike += first == second or one[0].value - there.value <= STANDARD_ERRORS * there.error
        if len(one) > 1:
            errors.append(one[0].error)
        if number % 20 == 19:
            print(f"# {told} states: same {same}, within the error {alike}", flush=True)
    return [
        ("turns", "same best placement", "or within the told error", "median standard error"),
        (str(told), share(same, told), share(alike, told), f"{np.median(errors):.2f}"),
    ]


def measure_bloxx_seeds(options: Namespace) -> Table:
    sheet = bloxx_sheet_of(load_layout("bloxx"))
    dice = sheet.dice or ()
    random_states = random.Random(options.seed)
    same = alike = told = 0
    for number in range(options.count or 60):
        most = random_states.randrange(13)
        game = play_game(sheet, random_states, [1.0, 2.0], max_rolls=most)
        face = random_states.choice([face for die in dice for face in die])
        state = game.players[0].sheet
        (places, one), (_, other) = (
            player.judged(state, face, dice, seed) for seed in (2 * number, 2 * number + 1)
        )
        if not places:
            continue
        told += 1
        (there,) = (each for each in one if each.number == other[0].number)
        same += there is one[0]
        alike += there is one[0] or -sum(there.ahead) <= STANDARD_ERRORS * there.error
    return [
        ("turns of BLOXX!", "same best place", "or within the told error"),
        (str(told), share(same, told), share(alike, told)),
    ]


def measure_blox(options: Namespace) -> Table:
    colors = list(PawnColor)[:3]
    count, mine, others, won, spent = options.count or 40, [], [], 0, []
    for number in range(count):
        rng, seat = random.Random(options.seed + number), number % len(colors)
        state = blox_start(load_board(), colors, seed=options.seed + number)
        for _ in range(MAX_BLOX_TURNS):
            if state.is_over:
                break
            begun = time.process_time()
            action = _first_of_moves(state) if state.turn == seat else _most_at_once(state, rng)
            if state.turn == seat:
                spent.append(1000 * (time.process_time() - begun))
            state = state.play(action)
        points = [player.points for player in state.players]
        own = points.pop(seat)
        mine.append(own)
        others.append(float(np.mean(points)))
        won += own > max(points)
    more = np.array(mine) - np.array(others)
    error = more.std(ddof=1) / count**0.5
    return [
        ("games of BLOX", "points", "of the others", "more", "standard error", "won", "ms a turn"),
        (
            *(str(count), f"{np.mean(mine):.1f}", f"{np.mean(others):.1f}", f"{more.mean():+.1f}"),
            *(f"{error:.1f}", share(won, count), f"{np.median(spent):.0f}, {max(spent):.0f}"),
        ),
    ]


def _first_of_moves(state: State) -> Action:
    mover = state.to_move
    told = (mover.color, mover.cards, mover.blocks)
    found = possible_actions(state.position, *told, state.phase)
    return looked_ahead(state.position, found, *told)[0].possible.action


def _most_at_once(state: State, rng: random.Random) -> Action:
    can = list(legal_actions(state, state.to_move.color))
    rng.shuffle(can)
    return max(can, key=gain_of)


def _done(choice: Judged) -> object:
    return choice.turn and (choice.turn.cells, choice.turn.option.cost), choice.bomb


def measure_referee(options: Namespace) -> Table:
    sheet = load_sheet()
    table: Table = [("level", "states", "placements", "not legal", "best one not by the referee")]
    count = (options.count or 10_000) // len(LEVELS)
    for level in LEVELS:
        policy = policy_of(sheet, level)
        tables, known = policy.tables, kinds(sheet)
        rng = np.random.default_rng(options.seed + level)
        games = positions(policy, count, rng)
        rolled = rng.integers(len(tables.rolls), size=count)
        found = landings(tables, games.grid, tables.costs[rolled], games.energy)
        best = best_places(policy, games, tables.costs[rolled])
        wrong = refused = 0
        for number, roll in enumerate(rolled):
            state = state_of(games, number, sheet)
            turns = {
                int(tables.place[known.index(turn.option.kind), *turn.corner]): turn
                for turn in legal_turns(state, tables.rolls[roll])
            }
            mine = found.game == number
            costs = zip(found.place[mine].tolist(), found.cost[mine].tolist(), strict=True)
            wrong += sum(place not in turns or turns[place].option.cost != c for place, c in costs)
            wrong += len(turns) != mine.sum()
            if best.place[number] >= 0 and state.crossed:
                turn = turns[int(best.place[number])]
                paid = cross_out(state, turn.option.cost)
                after = enter_block(paid, turn.cells, turn.option.kind.color, level).state
                after = SheetState(after.crossed, (), after.energy, after.bonus, after.bombs, sheet)
                refused += bool(judge_turn(state, after, tables.rolls[roll], level).violations)
        table.append((str(level), str(count), str(len(found)), str(wrong), str(refused)))
    return table


def measure_players(options: Namespace) -> Table:
    policy = policy_of(load_sheet(), LEVEL)
    count = options.count or 500
    rng = np.random.default_rng(options.seed)
    dice = throw(policy.tables, PLAYERS, count, rng)
    games = started(policy, new_games(policy.tables.sheet, PLAYERS, count))
    greedy = score(policy.tables, play(policy, games, dice, PLAYERS)).total
    found: list[int] = []
    for number in range(count):
        at = np.array([number])
        own = Dice(dice.first[:, at], dice.again[:, at], dice.active[at])
        ended = _played_by_monte_carlo(policy, games.at(at), own, options.seed + number)
        found.append(int(score(policy.tables, ended).total[0]))
        more = np.array(found) - greedy[: len(found)]
        error = more.std(ddof=1) / len(found) ** 0.5 if len(found) > 1 else np.inf
        if number % 10 == 9:
            print(f"# {number + 1} games: {more.mean():+.2f}, error {error:.2f}", flush=True)
    by_chance = played_at_random(policy, games, dice, rng)
    table: Table = [("player", "games", "mean", "spread", "more than the policy", "standard error")]
    for name, totals in (
        ("at random", by_chance),
        ("policy", greedy),
        ("Monte Carlo", np.array(found)),
    ):
        more = totals - greedy
        error = more.std(ddof=1) / count**0.5
        table.append(
            (
                *(name, str(count), f"{totals.mean():.1f}", f"{totals.std():.1f}"),
                *(f"{more.mean():+.2f}", f"{error:.2f}"),
            )
        )
    return table


def _played_by_monte_carlo(policy: Policy, game: Games, dice: Dice, seed: int) -> Games:
    """One game as it ends; it rolls again where the policy would."""
    tables, rng = policy.tables, np.random.default_rng(seed)
    for turn, (first, again) in enumerate(zip(dice.first[:, 0], dice.again[:, 0], strict=True)):
        roll = first
        if (dice.active[0] - turn) % PLAYERS == 0:
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


def measure_times(options: Namespace) -> Table:
    policy = policy_of(load_sheet(), LEVEL)
    rng = np.random.default_rng(options.seed)
    table: Table = [("what", "s of one core")]
    games = started(policy, new_games(policy.tables.sheet, PLAYERS, 1000))
    dice = throw(policy.tables, PLAYERS, 1000, rng)
    begun = time.process_time()
    play(policy, games, dice, PLAYERS)
    table.append(("1,000 finished games", f"{time.process_time() - begun:.2f}"))
    found = positions(policy, options.count or 20, rng)
    times = []
    for number in range(len(found)):
        roll = policy.tables.rolls[rng.integers(len(policy.tables.rolls))]
        begun = time.process_time()
        game = found.at(np.array([number]))
        choices = judged(policy, game, roll, PLAYERS, rng)
        if choices:
            rolled_again(policy, game, choices[0], PLAYERS, rng)
        times.append(time.process_time() - begun)
    table.append(("a turn judged, median", f"{np.median(times):.2f}"))
    table.append(("a turn judged, longest", f"{max(times):.2f}"))
    return table


MEASURES = {
    "exact": measure_exact,
    "seeds": measure_seeds,
    "referee": measure_referee,
    "players": measure_players,
    "bloxx": measure_bloxx_seeds,
    "blox": measure_blox,
    "times": measure_times,
}


def measure(options: Namespace) -> list[Table]:
    return [MEASURES[what](options) for what in options.what]


if __name__ == "__main__":
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="*", choices=list(MEASURES), default=list(MEASURES))
    parser.add_argument("--count", type=int, help="of states or games")
    parser.add_argument("--seed", type=int, default=48)
    parser.add_argument("--turns", type=int, default=TURNS, help="that one advice of seeds plays")
    main(parser, measure)
