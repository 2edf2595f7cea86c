"""How right are readings of BLOXX! sheets? Simulates them, by writers that were never trained on.

``python -m benchmarks.bloxx_accuracy --sheets 40 --seed 8001 --printing learnt`` draws a printing
of any size and art for each sheet, learns it from one good photo of the empty sheet, and reads a
photo of a marked one; ``--printing own`` takes the sheet that the project prints. Prints a row a
tier. ``--faults`` plants one fault on each sheet and prints how many are named. ``--failures
FOLDER`` keeps the photos that went wrong, with the reading drawn on them.
"""

from __future__ import annotations

import argparse
import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import zip_longest
from multiprocessing import get_context
from operator import attrgetter
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy import LONG_SIDE, TIERS, print_table
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.learning import Learnt
from brikks_vision.layout import Layout, load_layout
from brikks_vision.learn import learn_sheet
from brikks_vision.pipeline import scan_photo
from brikks_vision.rules.bloxx.scoring import score
from brikks_vision.rules.bloxx.violations import Rule
from brikks_vision.show.overlay import annotate
from simulation.bloxx.art import sheet_of
from simulation.bloxx.faults import broken_rules, one_fault
from simulation.bloxx.games import any_game
from simulation.bloxx.hands import visible_hand
from simulation.bloxx.photos import (
    OWN,
    Shot,
    printed_blank,
    random_sheet,
    shoot,
    shoot_blank,
)

BLANK_TIER = "good"  # a player learns a printing once, with care
PLANTED = tuple(
    rule for rule in Rule if rule not in (Rule.BONUS_SHARED, Rule.SHAPES_DIFFER)
)  # those of one sheet


@dataclass(frozen=True)
class Outcome:
    """What became of one photo.

    learnt: "right", "wrong", "wrong and unsaid", "unsure" (right, with doubts), or the error.
    planted: the rule that is broken; named: whether the referee says so.
    """

    tier: str
    number: int
    learnt: str
    problem: str = ""
    total_right: bool = False
    status: str = "unreadable"
    in_range: bool = False
    cells: int = 0
    cells_wrong: int = 0
    shapes_right: bool | None = None  # None: the player drew no outlines
    accused: tuple[str, ...] = ()
    planted: str = ""
    named: bool = False
    milliseconds: float = 0.0

    @property
    def silent(self) -> bool:
        """A wrong total under status ok."""
        return self.status == "ok" and not self.total_right


def nth_shot(
    tier: str, seed: int, number: int, printing: str, faults: bool
) -> tuple[Shot, Layout, str, str]:
    """Always the same of its arguments: a photo, the layout to read it with, how well that was
    learnt, and the rule that the sheet breaks."""
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = random.Random(int(rng.integers(2**31)))
    cv2.setRNGSeed(number)
    planted = PLANTED[number % len(PLANTED)] if faults else None
    if printing == "own":
        layout, blank = load_layout(OWN), printed_blank()
        known, how = layout, "right"
    else:
        layout, blank = random_sheet(rng)
        empty = shoot_blank(layout, blank, rng, BLANK_TIER, LONG_SIDE)
        learnt = learn_sheet(empty.data, "bloxx", "learnt")
        known, how = learnt.layout, how_learnt(learnt, layout)
    if planted in (Rule.NOT_A_SHAPE, Rule.WRONG_CIRCLE) and "dice" not in layout.printed:
        planted = Rule.ORDER  # without its dice a printing does not show the others
    game = any_game if planted is None else one_fault(planted)
    hand = visible_hand(layout, blank, rng, held_out=True)
    played = game(sheet_of(layout), dice)
    shot = shoot(layout, blank, played, hand, rng, tier, LONG_SIDE, layout.marked_area)
    return shot, known, how, str(planted or "")


def how_learnt(learnt: Learnt, truth: Layout) -> str:
    parts = ("colored_rows", "numbers")
    right = all(
        sorted(map(str, learnt.layout.printed[part])) == sorted(map(str, truth.printed[part]))
        for part in parts
    )
    if right:
        return "unsure" if learnt.doubts else "right"
    return "wrong" if learnt.doubts else "wrong and unsaid"


def measure_one(task: tuple[str, int, int, str, bool, Path | None]) -> Outcome:
    tier, seed, number, printing, faults, folder = task
    cv2.setNumThreads(1)
    try:
        shot, known, how, planted = nth_shot(tier, seed, number, printing, faults)
    except PhotoUnreadable as error:
        return Outcome(tier, number, type(error).__name__)
    state = shot.marked.seen
    try:
        result = scan_photo(shot.data, layouts=[known])
    except PhotoUnreadable as error:
        outcome = Outcome(tier, number, how, type(error).__name__, planted=planted)
        keep(folder, outcome, shot)
        return outcome
    reading, read = result.reading, result.posterior.state
    truth = score(shot.marked.played.state).total
    assert reading.score and reading.total_range
    allowed = broken_rules(shot.marked.played)
    drawn_cells, read_cells = ("".join(map("".join, each.grid)) for each in (state, read))
    wrong = sum(one != other for one, other in zip_longest(drawn_cells, read_cells))
    told = {violation.rule for violation in reading.violations}
    outcome = Outcome(
        tier, number, how,
        total_right=reading.score.total == truth,
        status=str(reading.status),
        in_range=reading.total_range[0] <= truth <= reading.total_range[1],
        cells=len(drawn_cells),
        cells_wrong=wrong,
        shapes_right=set(read.shapes) == set(state.shapes) if state.shapes else None,
        accused=tuple(sorted(told - set(allowed))),
        planted=planted,
        named=planted in told,
        milliseconds=sum(reading.timing_ms.values()),
    )  # fmt: skip
    if not outcome.total_right or outcome.accused or outcome.status != "ok":
        drawn = annotate(
            result.photo.image, result.placement, result.reading, result.layout, "en", result.view
        )
        keep(folder, outcome, shot, drawn)
    return outcome


def keep(
    folder: Path | None, outcome: Outcome, shot: Shot, drawn: np.ndarray | None = None
) -> None:
    if folder is None:
        return
    name = f"{outcome.tier}-{outcome.number}" + ("-SILENT" if outcome.silent else "")
    (folder / f"{name}.jpg").write_bytes(shot.data)
    if drawn is not None:
        cv2.imwrite(str(folder / f"{name}.png"), drawn)


HEADINGS = (
    "tier", "sheets", "learnt right", "unsure", "wrong", "unsaid", "refused", "cells right",
    "total right", "status ok", "silent wrong", "in range", "shapes right", "accused", "named",
    "unread", "ms",
)  # fmt: skip


def table_row(tier: str, outcomes: list[Outcome]) -> tuple[str, ...]:
    count = len(outcomes)
    read = [each for each in outcomes if each.cells]
    cells, cells_wrong = (sum(map(attrgetter(of), read)) for of in ("cells", "cells_wrong"))
    outlined = [each.shapes_right for each in read if each.shapes_right is not None]
    planted = [each.named for each in read if each.planted]
    states = ("right", "unsure", "wrong", "wrong and unsaid")

    def share(part: float, whole: float) -> str:
        return f"{100 * part / max(1, whole):.1f} %"

    return (
        tier,
        str(count),
        *(str(sum(each.learnt == state for each in outcomes)) for state in states),
        str(sum(each.learnt not in states for each in outcomes)),
        f"{100 - 100 * cells_wrong / max(1, cells):.2f} %",
        share(sum(each.total_right for each in outcomes), count),
        share(sum(each.status == "ok" for each in outcomes), count),
        str(sum(each.silent for each in outcomes)),
        share(sum(each.in_range for each in read), len(read)),
        share(sum(map(bool, outlined)), len(outlined)),
        str(sum(bool(each.accused) for each in outcomes)),
        share(sum(planted), len(planted)) if planted else "-",
        str(sum(bool(each.problem) for each in outcomes)),
        f"{np.median([each.milliseconds for each in read] or [0]):.0f}",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=40, help="a tier")
    parser.add_argument("--seed", type=int, default=8001)
    parser.add_argument("--printing", choices=("own", "learnt"), default="learnt")
    parser.add_argument("--faults", action="store_true")
    parser.add_argument("--tiers", nargs="+", choices=TIERS, default=TIERS)
    parser.add_argument("--failures", type=Path)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if options.failures:
        options.failures.mkdir(parents=True, exist_ok=True)
    rows = [HEADINGS]
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for tier in options.tiers:
            tasks = [
                (tier, options.seed, number, options.printing, options.faults, options.failures)
                for number in range(options.sheets)
            ]
            outcomes = list(pool.map(measure_one, tasks, chunksize=2))
            rows.append(table_row(tier, outcomes))
            for outcome in outcomes:
                if not outcome.total_right or outcome.accused or outcome.learnt != "right":
                    print(outcome, flush=True)
    print_table(rows)


if __name__ == "__main__":
    main()
