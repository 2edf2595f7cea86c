"""How many sheets of a photo of several are found, and in the right order?

``python -m benchmarks.several_sheets --photos 10`` simulates well taken photos of two or three
sheets side by side, by writers that were never trained on, and prints a line a photo and a summary.
"""

from __future__ import annotations

import argparse
import random
import time

import cv2
import numpy as np

from brikks_vision import Reading, scan_all
from brikks_vision.layout import load_layout
from brikks_vision.reading import Status
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.state import as_inked
from simulation.brikks.several_sheets import random_several_shot
from simulation.several_sheets import SeveralShot

LONG_SIDE = 2600  # px
NEAR = 0.5  # cells that a corner may be off


def right_places(shot: SeveralShot, readings: list[Reading]) -> int:
    """How many readings lie on the sheet that has their place, from left to right."""
    layout = load_layout("brikks-light")
    corners = np.asarray(layout.grid.box.corners, float)
    right = 0
    for at, reading in zip(shot.left_to_right(layout), readings, strict=False):
        if reading.corners is not None:
            place = shot.places[at]
            off = np.asarray(reading.corners) - place.to_photo(corners)
            right += bool(np.hypot(*off.T).max() < NEAR * place.cell_size())
    return right


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=10)
    parser.add_argument("--sheets", type=int, nargs="+", default=[2, 3], help="a photo, in turns")
    parser.add_argument("--tier", default="good")
    parser.add_argument("--seed", type=int, default=4001)
    options = parser.parse_args()
    layout = load_layout("brikks-light")
    sheets = found = placed = totals = silent = 0
    times = []
    for number in range(options.photos):
        count = options.sheets[number % len(options.sheets)]
        rng = np.random.default_rng([options.seed, number])
        dice = random.Random(int(rng.integers(2**31)))
        cv2.setRNGSeed(options.seed + number)
        shot = random_several_shot(layout, rng, dice, options.tier, count, LONG_SIDE)
        started = time.perf_counter()
        readings = scan_all(shot.data)
        times.append(1000 * (time.perf_counter() - started))
        states = [
            as_inked(shot.sheets[at].marked.played.state) for at in shot.left_to_right(layout)
        ]
        truths = [score(state).total for state in states]
        read = [reading.score.total if reading.score else None for reading in readings]
        in_place = right_places(shot, readings)
        sheets, found, placed = sheets + count, found + len(readings), placed + in_place
        if in_place == count == len(readings):
            pairs = list(zip(readings, truths, strict=True))
            wrong = [r for r, truth in pairs if r.score is None or r.score.total != truth]
            totals += count - len(wrong)
            silent += sum(reading.status is Status.OK for reading in wrong)
        print(f"{number:3}  {count} sheets  in place {in_place}  read {read}  drawn {truths}")
    print(
        f"{sheets} sheets on {options.photos} photos: {found} readings, {placed} in their place, "
        f"{totals} totals right, {silent} silent wrong, {np.median(times):.0f} ms a photo"
    )


if __name__ == "__main__":
    main()
