"""What probably stands on a field of a board in a game, by the squares that are printed on it.

Where squares are printed, a tower of as many blocks stands until somebody clears it, and players
build towers of the height of their phase: all fields together tell how far the game is.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from brikks_vision.rules.blox.board import FIELDS
from brikks_vision.rules.blox.material import FIELDS_BY_SQUARES

Array = NDArray[np.float64]

FILE = Path(__file__).with_name("stages.json")
"""The shares of things by stage of the game and by squares (`training.board_stages`)."""
OTHERWISE = 0.02  # of the fields: positions that no game has
MISREAD = 0.05  # of fields with squares: another number of them was learnt


@cache
def _stages() -> tuple[Array, Array]:
    """The log-probabilities by stage, (stages, 5, THINGS), and of any field, (THINGS,)."""
    shares = np.array(json.loads(FILE.read_text("utf-8")))
    average = np.array(FIELDS_BY_SQUARES) @ shares.mean(axis=0) / len(FIELDS) + 1e-4
    average /= average.sum()
    everywhere = np.broadcast_to(average, shares.shape[1:])  # whatever squares are printed
    with_squares = shares[:, 1:]
    shares[:, 1:] += MISREAD * (with_squares.mean(axis=1, keepdims=True) - with_squares)
    stages = (1 - OTHERWISE) * np.concatenate([shares, everywhere[None]]) + OTHERWISE * average
    return np.log(stages), np.log(average)


def expected_anywhere() -> Array:
    """What stands on any field of any game, (THINGS,), log."""
    return _stages()[1]


def expected_by_squares(log_chances: Array, squares: tuple[int, ...]) -> Array:
    """What stands on each field before it is looked at, (81, THINGS), log, told by all fields.

    log_chances: of fields in any game, as seen. squares: on each field; none at all: not known.
    """
    stages, average = _stages()
    if not any(squares):
        return np.tile(average, (len(log_chances), 1))
    of_stages = stages[:, list(squares)]
    fit = np.logaddexp.reduce(log_chances - average + of_stages, axis=2).sum(axis=1)
    weights = fit - np.logaddexp.reduce(fit)
    return np.asarray(np.logaddexp.reduce(of_stages + weights[:, None, None], axis=0))


def by_squares(log_chances: Array, expected: Array) -> Array:
    """What stands on each field, (81, THINGS), log, with what `expected_by_squares` tells."""
    told = log_chances - _stages()[1] + expected
    return np.asarray(told - np.logaddexp.reduce(told, axis=1, keepdims=True))
