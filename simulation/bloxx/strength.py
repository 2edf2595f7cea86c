"""Measures the computer player of BLOXX! and writes what the package says of totals.

``python -m simulation.bloxx.strength`` takes some seconds.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from brikks_vision.games.bloxx import player
from brikks_vision.games.bloxx.places import sheet_of
from brikks_vision.layout import load_layout
from brikks_vision.rules.bloxx.state import blank_sheet

FILE = Path(player.__file__).with_name("strength.json")
GAMES = 10_000
SEED = 20261127


def main() -> None:
    sheet = sheet_of(load_layout("bloxx"))
    blank, dice, rng = blank_sheet(sheet), sheet.dice or (), np.random.default_rng(SEED)
    games = player.games_of([blank]).at(np.zeros(GAMES, int))
    thrown = player.throw(dice, sheet, GAMES, rng)
    totals = player.points(player.play(games, sheet, dice, thrown), blank).sum(axis=0)
    told = {
        "about": "Totals of the computer player; written by simulation/bloxx/strength.py.",
        "games": GAMES,
        "players": player.PLAYERS,
        "mean": round(float(totals.mean()), 2),
        "sd": round(float(totals.std()), 2),
        "percents": np.percentile(totals, range(101), method="nearest").astype(int).tolist(),
    }
    FILE.write_text(json.dumps(told) + "\n", "utf-8")
    print(told["mean"], told["sd"])


if __name__ == "__main__":
    main()
