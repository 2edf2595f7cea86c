"""Whole Qwixx sheets, marked and photographed: places with the truth of each.

Crosses and rings on numbers in saturated colours, lines through numbers that were passed over,
locks in printed rings, boxes; as `training.tasks.bloxx_sheets`.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Field, Mark
from brikks_vision.rules.qwixx.sheet import COLUMNS, CROSSED, MAX_FAILED, OPEN, ROWS, SheetState
from simulation.hand import PLAIN_STRIKES, Hand
from simulation.marks import Drawn
from simulation.qwixx.games import PlayedSheet, any_game, written_by
from simulation.qwixx.photos import any_sheet, shoot
from training.tasks import bloxx_sheets
from training.tasks.small_sheets import OUTPUTS, TIER_SHARES, UNKNOWN, Places

HABITS = 0.5, 0.2
"""As of the game's own photos, but more of them: lines and rings are told from crosses."""


def scrambled(rng: np.random.Generator, dice: random.Random) -> PlayedSheet:
    """Marks that no game gives: a reader must see ink, not guess at what players do."""

    def letters(count: int) -> str:
        return "".join(rng.choice([OPEN, CROSSED], count, p=[1 - share, share]))

    share = rng.uniform(0, 1)
    rows = tuple(letters(COLUMNS) for _ in range(ROWS))
    state = SheetState(rows, letters(ROWS), int(rng.integers(MAX_FAILED + 1)))
    return PlayedSheet(state, written_by(state, dice))


def marked_places(rng: np.random.Generator, held_out: bool, plain: bool = False) -> Places:
    """All places of one sheet, marked and photographed; arguments as of `bloxx_sheets`."""
    dice = random.Random(int(rng.integers(2**31)))
    layout, blank = any_sheet(rng)
    long_side = int(rng.integers(*bloxx_sheets.LONG_SIDES))
    is_game = plain or rng.random() >= bloxx_sheets.SCRAMBLED_SHARE
    played = any_game(dice) if is_game else scrambled(rng, dice)
    tier = str(rng.choice(bloxx_sheets.TIERS, p=TIER_SHARES))
    shot = shoot(layout, blank, played, rng, tier, long_side, held_out, HABITS)
    return bloxx_sheets.places_of(
        shot, layout, blank, rng, long_side,
        lambda field: _labels_of(field, shot.marked.drawn, shot.hand),
    )  # fmt: skip


def _labels_of(field: Field, drawn: Drawn, hand: Hand) -> NDArray[np.uint8]:
    """Labels (places, `OUTPUTS`) of a field."""
    labels = np.zeros((len(field.centres), len(OUTPUTS)), np.uint8)
    labels[:, OUTPUTS.index("edge")] = UNKNOWN
    crossed = drawn[field.name, Mark.CROSS].ravel() > 0
    for mark in field.marks:
        labels[:, OUTPUTS.index(mark)] = drawn[field.name, mark].ravel()
    if field.name == "failed":  # any strike is a cross of it
        kind = hand.box_strike.kind
        values = {"cross": kind == "cross", "line": kind == "slash", "fill": 0}
        for output, value in values.items():
            labels[crossed, OUTPUTS.index(output)] = value if kind in PLAIN_STRIKES else UNKNOWN
    labels[:, OUTPUTS.index("strike")] = labels[:, OUTPUTS.index("line")] | crossed
    return labels
