"""Measures the computer player by players and level, and writes what the package says of totals.

``python -m simulation.brikks.strength`` takes about ten seconds for each of the 16 settings.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser
from pathlib import Path

import numpy as np

from brikks_vision.games.brikks.player import strength
from brikks_vision.games.brikks.player.many import new_games, score, tables_of
from brikks_vision.games.brikks.player.policy import play, policy_of, started, throw
from brikks_vision.rules.brikks.settings import LEVELS
from brikks_vision.rules.brikks.sheet import load_sheet

FILE = Path(strength.__file__).with_name("strength.json")
GAMES, AT_ONCE = 10_000, 1_000
SEED = 20261126


def totals(players: int, level: int, count: int, seed: int) -> np.ndarray:
    """Final totals of the computer player, (count,)."""
    sheet, rng = load_sheet(), np.random.default_rng(seed)
    tables, policy = tables_of(sheet), policy_of(sheet, level)
    found = []
    for _ in range(0, count, AT_ONCE):
        games = started(policy, new_games(sheet, players, AT_ONCE))
        ended = play(policy, games, throw(tables, players, AT_ONCE, rng), players)
        found.append(score(tables, ended).total)
    return np.concatenate(found)[:count]


def main() -> None:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS)
    levels = parser.parse_args().levels
    measured = json.loads(FILE.read_text("utf-8"))["players"] if FILE.exists() else {}
    for players in (1, 2, 3, 4):
        for level in levels:
            found = totals(players, level, GAMES, SEED)
            percents = np.percentile(found, range(101), method="nearest")
            measured.setdefault(str(players), {})[str(level)] = {
                "mean": round(float(found.mean()), 2),
                "sd": round(float(found.std()), 2),
                "percents": percents.astype(int).tolist(),
            }
            print(players, level, found.mean().round(2), found.std().round(2), flush=True)
    about = (
        "Totals of the computer player: mean, standard deviation and percentiles, by players and "
        "level; written by simulation/brikks/strength.py."
    )
    data = {"about": about, "games": GAMES, "players": measured}
    FILE.write_text(json.dumps(data) + "\n", "utf-8")


if __name__ == "__main__":
    main()
