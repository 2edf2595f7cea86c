"""Measures the computer player by players and level, and writes what the package says of totals.

``python -m simulation.brikks.strength`` takes about ten minutes.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path

import numpy as np

from brikks_vision.games.brikks.player import policy
from brikks_vision.games.brikks.player.many import Games, entered, landings, score, tables_of
from brikks_vision.games.brikks.player.policy import Dice, Policy, play, policy_of, throw
from brikks_vision.rules.brikks.sheet import LEVELS, load_sheet
from simulation.brikks.self_play import new_games, started

FILE = Path(policy.__file__).with_name("strength.json")
GAMES, AT_ONCE = 10_000, 1_000
SEED = 20261126
ENERGY, ENERGY_GAMES = (2, 4, 6, 8, 10), 3_000


def totals(players: int, level: int, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Final totals of the computer player and of one at random, same dice, each (count,)."""
    sheet, rng = load_sheet(), np.random.default_rng(seed)
    tables, policy = tables_of(sheet), policy_of(sheet, level)
    found, by_chance = [], []
    for number in range(0, count, AT_ONCE):
        games = started(policy, new_games(sheet, players, AT_ONCE))
        dice = throw(tables, players, AT_ONCE, rng)
        found.append(score(tables, play(policy, games, dice, players)).total)
        chance = np.random.default_rng([seed, number])
        by_chance.append(played_at_random(policy, games, dice, chance))
    return np.concatenate(found)[:count], np.concatenate(by_chance)[:count]


def played_at_random(
    policy: Policy, games: Games, dice: Dice, rng: np.random.Generator
) -> np.ndarray:
    """Totals of a player who enters any block at any place that its energy pays, and never bombs.

    games: with their start blocks, (N,). Returns (N,).
    """
    tables = policy.tables
    totals = np.zeros(len(games), int)
    playing = np.arange(len(games))
    for roll in dice.first:
        found = landings(tables, games.grid, tables.costs[roll[playing]], games.energy)
        order = rng.permutation(len(found))
        can, at = np.unique(found.game[order], return_index=True)
        out = np.setdiff1d(np.arange(len(games)), can)
        totals[playing[out]] = score(tables, games.at(out)).total
        taken = order[at]
        games = entered(tables, games.at(can), found.place[taken], found.cost[taken], policy.level)
        playing = playing[can]
    totals[playing] = score(tables, games).total
    return totals


def spending(level: int, count: int, seed: int) -> list[list[float]]:
    """What `ENERGY` more energy points bring beyond what they count at the end, and its error.

    With two players, who have them from the start; by standard errors.
    """
    sheet, rng = load_sheet(), np.random.default_rng(seed)
    tables, policy = tables_of(sheet), policy_of(sheet, level)
    more: list[list[np.ndarray]] = [[] for _ in ENERGY]
    for _ in range(0, count, AT_ONCE):
        games = started(policy, new_games(sheet, 2, AT_ONCE))
        dice = throw(tables, 2, AT_ONCE, rng)
        without = score(tables, play(policy, games, dice, 2)).total
        for points, gained in zip(ENERGY, more, strict=True):
            richer = replace(games, energy=games.energy + points)
            total = score(tables, play(policy, richer, dice, 2)).total
            gained.append(total - without - points // sheet.points_per_score)
    together = [np.concatenate(gained) for gained in more]
    return [
        [round(float(each.mean()), 2), round(float(each.std() / len(each) ** 0.5), 3)]
        for each in together
    ]


def told(totals: np.ndarray) -> tuple[str, str]:
    """Mean and standard deviation."""
    return f"{totals.mean():.2f}", f"{totals.std():.2f}"


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS)
    levels = parser.parse_args().levels
    data = json.loads(FILE.read_text("utf-8"))
    measured, energy = data["players"], data.setdefault("energy", {})
    for level in levels:
        energy[str(level)] = spending(level, ENERGY_GAMES, SEED)
        print("energy", level, energy[str(level)], flush=True)
    for players in (1, 2, 3, 4):
        for level in levels:
            found, by_chance = totals(players, level, GAMES, SEED)
            percents = np.percentile(found, range(101), method="nearest")
            measured.setdefault(str(players), {})[str(level)] = {
                "mean": round(float(found.mean()), 2),
                "sd": round(float(found.std()), 2),
                "percents": percents.astype(int).tolist(),
            }
            print(players, level, *told(found), "at random", *told(by_chance), flush=True)
    about = (
        "Totals of the computer player: mean, standard deviation and percentiles, by players and "
        "level; what 2, 4, ... more energy points bring beyond what they count at the end, and its "
        "standard error, by level; written by simulation/brikks/strength.py."
    )
    data = {"about": about, "games": GAMES, "players": measured, "energy": energy}
    FILE.write_text(json.dumps(data) + "\n", "utf-8")


if __name__ == "__main__":
    main()
