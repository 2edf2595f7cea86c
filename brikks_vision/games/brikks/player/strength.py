"""What totals the computer player reaches, by players and level: how good a total is."""

from __future__ import annotations

import json
from functools import cache
from importlib import resources
from typing import Any

from brikks_vision.decode.advice import STANDARD_ERRORS, Expected, Unspent
from brikks_vision.games.monte_carlo import percentile_of


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
