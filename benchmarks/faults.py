"""Does the referee catch what is wrong? Photos of sheets with one planted fault each.

``python -m benchmarks.faults --sheets 100 --seed 3001`` prints for each tier and kind of fault how
many were reported under the right code, and under which codes others were.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy import LONG_SIDE, TIERS, slips
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.layout import load_layout
from brikks_vision.pipeline import scan_photo
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.state import as_inked
from brikks_vision.rules.brikks.violations import Rule
from simulation.brikks.faults import one_fault
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import any_blank, shoot

PLANTED = (
    Rule.FLOATING, Rule.NOT_A_BLOCK, Rule.ENERGY_COUNT, Rule.ENERGY_ORDER, Rule.BONUS_COUNT,
)  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    tier: str
    number: int
    planted: str
    reported: tuple[str, ...]
    beside: tuple[str, ...]  # rules that were reported and are not broken
    problem: str


def measure_one(task: tuple[str, int, int, Path | None]) -> Outcome:
    tier, seed, number, folder = task
    cv2.setNumThreads(1)
    layout = load_layout("brikks-light")
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    rule = PLANTED[number % len(PLANTED)]
    played = one_fault(rule)(load_sheet(layout.name), random.Random(int(rng.integers(2**31))))
    blank = any_blank(layout, rng)
    hand = replace(visible_hand(layout, blank, rng, held_out=True), outlines="all", strays=0.0)
    shot = shoot(layout, blank, played, hand, rng, tier, LONG_SIDE, layout.marked_area)
    try:
        reported = tuple(found.rule for found in scan_photo(shot.data).reading.violations)
        problem = ""
    except PhotoUnreadable as error:
        reported, problem = (), type(error).__name__
    if folder and rule not in reported:
        (folder / f"{tier}-{number}-{rule}.jpg").write_bytes(shot.data)
    broken = {str(rule)} | slips(shot, score(as_inked(played.state)))
    beside = tuple(code for code in reported if code not in broken)
    return Outcome(tier, number, str(rule), reported, beside, problem)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=100, help="a tier")
    parser.add_argument("--seed", type=int, default=3001)
    parser.add_argument("--tiers", nargs="+", choices=TIERS, default=TIERS)
    parser.add_argument("--failures", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if options.failures:
        options.failures.mkdir(parents=True, exist_ok=True)
    # fresh processes: OpenCV's threads do not survive a fork
    context = get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=context) as pool:
        for tier in options.tiers:
            tasks = [
                (tier, options.seed, number, options.failures) for number in range(options.sheets)
            ]
            outcomes = list(pool.map(measure_one, tasks, chunksize=4))
            planted, caught = Counter[str](), Counter[str]()
            for outcome in outcomes:
                planted[outcome.planted] += 1
                caught[outcome.planted] += outcome.planted in outcome.reported
                if outcome.planted not in outcome.reported or outcome.beside:
                    print(outcome, flush=True)
            kinds = ", ".join(f"{rule} {caught[rule]}/{planted[rule]}" for rule in planted)
            share = sum(caught.values()) / len(outcomes)
            print(f"{tier}: {100 * share:.1f} % caught ({kinds})", flush=True)


if __name__ == "__main__":
    main()
