"""Fits the weights of the computer player by self-play: ``python -m simulation.brikks.self_play``.

The cross-entropy method (Szita and Lorincz, Learning Tetris using the noisy cross-entropy method,
2006): each generation draws weights around those of the best of the last one, and lets all of them
play the same dice. Each level starts from the weights that are packaged for it.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

from brikks_vision.games.brikks.player import policy as packaged
from brikks_vision.games.brikks.player.many import NEVER, Games, entered, score, tables_of
from brikks_vision.games.brikks.player.policy import Policy, best_places, make_policy, play, throw
from brikks_vision.rules.brikks.blocks import activated_at_setup, struck_at_setup
from brikks_vision.rules.brikks.sheet import Sheet, load_sheet

FILE = Path(packaged.__file__).with_name("weights.json")
PLAYERS = 2
CANDIDATES, BEST = 32, 8
STEP = 0.7
"""How far the mean goes towards that of the best ones in a generation."""

LEAST_SPREAD = {"chance": 0.01, "higher": 0.004}
"""Standard deviations of the first generation; of other weights 0.1, or a fifth of the weight."""


def new_games(sheet: Sheet, players: int, count: int) -> Games:
    """Empty sheets as they are set up for a game of so many players; one plays solo."""
    ringed = activated_at_setup(sheet, players)
    left = ringed - len(struck_at_setup(sheet, players))
    return Games(
        np.zeros((sheet.rows, count), np.uint16),
        np.full(count, left, np.int16),
        np.full(count, ringed, np.int16),
        np.zeros(count, np.int16),
        np.zeros(count, np.int16),
    )


def started(policy: Policy, games: Games) -> Games:
    """Empty sheets with the best start block; its circles do not count."""
    tables = policy.tables
    costs = np.full((len(games), tables.costs.shape[1]), NEVER, np.int16)
    costs[:, tables.starts] = 0
    chosen = best_places(policy, games, costs)
    return entered(tables, games, chosen.place, chosen.cost, policy.level, circles=False)


def fitted(
    start: dict[str, float], level: int, generations: int, games: int, rng: np.random.Generator
) -> dict[str, float]:
    """Better weights for a level."""
    tables = tables_of(load_sheet())
    names = list(start)
    mean = np.array(list(start.values()))
    spread = np.array([LEAST_SPREAD.get(name, max(0.1, abs(start[name]) / 5)) for name in names])
    for generation in range(generations):
        dice = throw(tables, PLAYERS, games, rng)
        drawn = mean + spread * rng.standard_normal((CANDIDATES, len(names)))
        drawn[0] = mean
        means = []
        for weights in drawn:
            policy = make_policy(tables, level, dict(zip(names, weights, strict=True)))
            sheets = started(policy, new_games(tables.sheet, PLAYERS, games))
            means.append(score(tables, play(policy, sheets, dice, PLAYERS)).total.mean())
        best = drawn[np.argsort(means)[-BEST:]]
        told = ", ".join(f"{name} {value:.3f}" for name, value in zip(names, mean, strict=True))
        print(
            f"level {level}, generation {generation}: mean {means[0]:.2f} with {told}", flush=True
        )
        mean = (1 - STEP) * mean + STEP * best.mean(axis=0)
        spread = (1 - STEP) * spread + STEP * best.std(axis=0)
    return dict(zip(names, (round(float(each), 4) for each in mean), strict=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, nargs="+", default=[1, 2, 3, 4])
    parser.add_argument("--generations", type=int, default=20)
    parser.add_argument("--games", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    for level in asked.levels:
        rng = np.random.default_rng(asked.seed)
        start = json.loads(FILE.read_text("utf-8"))["levels"][str(level)]
        weights = fitted(start, level, asked.generations, asked.games, rng)
        data = json.loads(FILE.read_text("utf-8"))
        data["levels"][str(level)] = weights
        FILE.write_text(json.dumps(data, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
