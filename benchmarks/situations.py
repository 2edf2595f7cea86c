"""Hard light, hands and sheets, one by one: how right are readings of good photos with one of them?

``python -m benchmarks.situations --sheets 30 --seed 5001`` prints a row a situation, with the
columns of `benchmarks.accuracy`. The games, hands and art are the same in each, but for what the
situation is; where its making needs chance, the photo is taken from elsewhere.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context

import cv2
import numpy as np

from benchmarks.accuracy import HEADINGS, LONG_SIDE, Outcome, judge, print_table, table_row
from brikks_vision.layout import load_layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import any_blank, shoot
from simulation.camera import GOOD, Conditions
from simulation.hand import Hand
from simulation.paper.blank import BlankSheet
from simulation.paper.wear import photocopied, worn
from simulation.strokes import PEN_COLORS, Pen

SMALL_SIDE = 620  # px: a sheet in it is about 500 px high


def _plainly_lit(conditions: Conditions) -> Conditions:
    return replace(conditions, shadow=0.0, glare=0.0, light=(0.02, 0.1))


def _same_hand(hand: Hand) -> Hand:
    return hand


def _same_sheet(blank: BlankSheet, rng: np.random.Generator) -> BlankSheet:
    return blank


def _with_pen(color: tuple[int, int, int], width: float, grain: float) -> Callable[[Hand], Hand]:
    pen = Pen(color, width, opacity=0.9, grain=grain, multiplies=True)
    return lambda hand: replace(hand, pen=pen)


@dataclass(frozen=True)
class Situation:
    """What is done to an evenly lit good photo, its player's hand, its sheet before the game."""

    name: str
    conditions: Callable[[Conditions], Conditions] = _plainly_lit
    hand: Callable[[Hand], Hand] = _same_hand
    sheet: Callable[[BlankSheet, np.random.Generator], BlankSheet] = _same_sheet
    long_side: int = LONG_SIDE


SITUATIONS = (
    Situation("evenly lit"),
    Situation("shadow", lambda good: replace(_plainly_lit(good), shadow=1.0)),
    Situation("lamp glare", lambda good: replace(_plainly_lit(good), glare=1.0)),
    Situation("light falling off", lambda good: replace(_plainly_lit(good), light=(0.8, 0.9))),
    Situation("screen (moire)", lambda good: replace(_plainly_lit(good), moire=1.0)),
    Situation("pencil", hand=_with_pen((80, 80, 80), 0.07, grain=0.6)),
    Situation("red pen", hand=_with_pen(PEN_COLORS["red"], 0.07, grain=0.0)),
    Situation("thick felt-tip", hand=_with_pen(PEN_COLORS["blue"], 0.27, grain=0.0)),
    Situation("crossed twice", hand=lambda hand: replace(hand, doubled_strokes=0.9)),
    Situation(
        "stains, folds", sheet=lambda blank, rng: replace(blank, image=worn(blank.image, rng))
    ),
    Situation(
        "grey copy", sheet=lambda blank, rng: replace(blank, image=photocopied(blank.image, rng))
    ),
    Situation("500 px high", long_side=SMALL_SIDE),
)


def measure_one(task: tuple[int, int, int]) -> Outcome:
    index, seed, number = task
    cv2.setNumThreads(1)
    layout, chosen = load_layout("brikks-light"), SITUATIONS[index]
    rng = np.random.default_rng([seed, number])
    dice = random.Random(int(rng.integers(2**31)))
    played = play_sheet(load_sheet(layout.name), dice, dice.randint(2, 4), dice.randint(1, 4))
    blank = any_blank(layout, rng)
    hand = chosen.hand(visible_hand(layout, blank, rng, held_out=True))
    shot = shoot(
        layout, chosen.sheet(blank, rng), played, hand, rng, "good", chosen.long_side,
        layout.marked_area, chosen.conditions(GOOD),
    )  # fmt: skip
    return judge(shot, "good", number)[0]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=30, help="a situation")
    parser.add_argument("--seed", type=int, default=5001)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    tasks = [
        (index, options.seed, number)
        for index in range(len(SITUATIONS))
        for number in range(options.sheets)
    ]
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        outcomes = list(pool.map(measure_one, tasks, chunksize=4))
    rows = [
        table_row(chosen.name, outcomes[first : first + options.sheets])
        for chosen, first in zip(SITUATIONS, range(0, len(outcomes), options.sheets), strict=True)
    ]
    print_table([("situation", *HEADINGS[1:]), *rows])


if __name__ == "__main__":
    main()
