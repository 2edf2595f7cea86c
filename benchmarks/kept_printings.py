"""Is a photo read as the kept printing that it shows, and as none where it shows another?

``python -m benchmarks.kept_printings --printings 20 --unlearnt 20 --seed 7001`` draws printings in
any art whose fields stand some tenths of a cell beside those of the packaged layout, learns the
first ones from a good photo of the empty sheet each, and photographs marked sheets of all, by
writers that were never trained on. All learnt printings are kept at once. Prints a row a tier: of
how many photos the own printing, a wrong one, and none is told, and how long a comparison takes.
"""

from __future__ import annotations

import argparse
import random
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context

import cv2
import numpy as np

from benchmarks.accuracy import LONG_SIDE, TIERS, print_table
from brikks_vision.detect.locate import locate
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.same_print import with_printing
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.layout import Layout, layout_from_json, load_layout, packaged_layouts
from brikks_vision.learn import learn_sheet
from brikks_vision.pipeline import GLANCE_LONG_SIDE
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.art import render_blank
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import Shot, shoot
from simulation.paper.blank import BlankSheet
from simulation.photos import take_photo

MAX_ACROSS, MAX_DOWN = 0.3, 0.2  # cells by which a field is displaced
PREFIX = "print-"  # of the names of learnt printings
MAX_TRIES = 4  # photos of an empty sheet until one can be learnt


@dataclass(frozen=True)
class Told:
    """What became of one photo.

    own: the name of its printing; None: it is not learnt. told: the printing that it is read as.
    milliseconds: that each comparison with a printing took.
    """

    tier: str
    own: str | None
    told: str
    milliseconds: float


def displaced(layout: Layout, rng: np.random.Generator) -> Layout:
    """The layout with each field beside the grid moved a little, as editions differ."""
    fields = dict(layout.fields)
    for field in layout.places:
        x, y = rng.uniform(-MAX_ACROSS, MAX_ACROSS), rng.uniform(-MAX_DOWN, MAX_DOWN)
        centres = tuple((a + x, b + y) for a, b in field.centres)
        fields[field.name] = replace(field, centres=centres)
    return replace(layout, fields=fields)


def name_of(number: int) -> str:
    return f"{PREFIX}{number}"


@cache
def nth_print(seed: int, number: int) -> tuple[Layout, BlankSheet]:
    """Always the same printing of a seed and number: its true layout and its empty sheet."""
    rng = np.random.default_rng([seed, number])
    layout = displaced(load_layout("brikks-light"), rng)
    return layout, render_blank(layout, rng, pixels_per_cell=int(rng.integers(30, 44)))


def learn_nth(task: tuple[int, int]) -> str | None:
    """The definition of a printing, learnt from a good photo; None where that is refused."""
    seed, number = task
    cv2.setNumThreads(1)
    layout, blank = nth_print(seed, number)
    for attempt in range(MAX_TRIES):
        rng = np.random.default_rng([seed, number, attempt])
        photo = take_photo(blank.image, blank, layout.page, rng, "good", 2600, layout.page)
        try:
            return learn_sheet(photo.data, "brikks", name_of(number)).to_json()
        except PhotoUnreadable:
            continue
    return None


def nth_shot(seed: int, number: int, tier: str, sheet: int) -> Shot:
    """A photo of a marked sheet of a printing."""
    layout, blank = nth_print(seed, number)
    rng = np.random.default_rng([seed, number, TIERS.index(tier), sheet])
    dice = random.Random(int(rng.integers(2**31)))
    players, level = dice.randint(1, 4), dice.randint(1, 4)
    variant = "solo" if players == 1 else "standard"
    played = play_sheet(load_sheet("brikks-light"), dice, players, level, variant)
    hand = visible_hand(layout, blank, rng, held_out=True)
    return shoot(layout, blank, played, hand, rng, tier, LONG_SIDE, layout.marked_area)


def read_one(task: tuple[int, int, str, int, tuple[str | None, ...]]) -> Told | None:
    seed, number, tier, sheet, definitions = task
    cv2.setNumThreads(1)
    kept = [layout_from_json(each) for each in definitions if each]
    photo = load_photo(nth_shot(seed, number, tier, sheet).data, GLANCE_LONG_SIDE)
    try:
        found = locate(photo.image, packaged_layouts("brikks"))
    except PhotoUnreadable:
        return None
    start = time.perf_counter()
    told = with_printing(found, photo.image, kept).layout.name
    spent = 1000 * (time.perf_counter() - start) / max(1, len(kept))
    is_learnt = number < len(definitions) and definitions[number] is not None
    return Told(tier, name_of(number) if is_learnt else None, told, spent)


def row_of(tier: str, all_told: list[Told]) -> tuple[str, ...]:
    learnt = [each for each in all_told if each.own]
    right = sum(each.told == each.own for each in learnt)
    is_kept = [each.told.startswith(PREFIX) for each in all_told]
    wrong = sum(
        kept and each.told != each.own for kept, each in zip(is_kept, all_told, strict=True)
    )
    spent = f"{np.median([each.milliseconds for each in all_told]):.1f}"
    return tier, f"{right} of {len(learnt)}", f"{wrong} of {len(all_told)}", spent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--printings", type=int, default=20, help="that are learnt")
    parser.add_argument("--unlearnt", type=int, default=20)
    parser.add_argument("--sheets", type=int, default=1, help="of each printing and tier")
    parser.add_argument("--seed", type=int, default=7001)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    seed, printings = options.seed, options.printings
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        definitions = tuple(pool.map(learn_nth, [(seed, number) for number in range(printings)]))
        tasks = [
            (seed, number, tier, sheet, definitions)
            for number in range(printings + options.unlearnt)
            for tier in TIERS
            for sheet in range(options.sheets)
        ]
        found = [told for told in pool.map(read_one, tasks) if told]
    learnt, lost = sum(map(bool, definitions)), len(tasks) - len(found)
    print(f"{learnt} of {printings} printings learnt, {lost} of {len(tasks)} photos not placed")
    by_tier = [row_of(tier, [each for each in found if each.tier == tier]) for tier in TIERS]
    print_table([("photos", "own printing", "a wrong one", "ms a printing"), *by_tier])


if __name__ == "__main__":
    main()
