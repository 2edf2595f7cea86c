"""How many photos a second does a batch read, with one process and with one a core?

``python -m benchmarks.batch --photos 200`` simulates some well taken photos, makes so many files of
them, and reads all with each number of processes in turns, from the first process started to the
last photo read.
"""

from __future__ import annotations

import argparse
import random
import statistics
import tempfile
import time
from pathlib import Path

from brikks_vision.commands.batch import cores
from brikks_vision.intake.batch import read_photos
from brikks_vision.layout import load_layout
from brikks_vision.reading import NO_SETTINGS

DIFFERENT = 8  # photos; the files differ in what follows the picture
LONG_SIDE = 4032  # px: 12 megapixels at 4:3


def make_photos(folder: Path, count: int, long_side: int, seed: int) -> list[Path]:
    # not above: the processes that read import this module, and numpy after they took one core
    import numpy as np

    from simulation.brikks.photos import random_shot

    rng = np.random.default_rng(seed)
    dice = random.Random(seed)
    kinds = min(count, DIFFERENT)
    shots = [
        random_shot(load_layout("brikks-light"), rng, dice, "good", long_side, held_out=True).data
        for _ in range(kinds)
    ]
    files = [folder / f"{number:05}.jpg" for number in range(count)]
    for number, file in enumerate(files):
        file.write_bytes(shots[number % kinds] + number.to_bytes(4, "big"))
    return files


def photos_a_second(files: list[Path], jobs: int) -> float:
    started = time.perf_counter()
    read = sum(1 for _ in read_photos(files, jobs, (NO_SETTINGS, "en", None), {}))
    return read / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=200)
    parser.add_argument("--jobs", type=int, nargs="+", default=[1, cores()])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--long-side", type=int, default=LONG_SIDE)
    parser.add_argument("--seed", type=int, default=1001)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        files = make_photos(Path(folder), options.photos, options.long_side, options.seed)
        rates: dict[int, list[float]] = {jobs: [] for jobs in options.jobs}
        for _ in range(options.rounds):  # in turns: the machine's moods fall on all alike
            for jobs in rates:
                rates[jobs].append(photos_a_second(files, jobs))
    base = options.jobs[0]
    for jobs in options.jobs:
        times = statistics.median(
            rate / one for rate, one in zip(rates[jobs], rates[base], strict=True)
        )
        rate = statistics.median(rates[jobs])
        print(f"{jobs} processes  {rate:6.2f} photos a second  {times:5.2f} times {base}")


if __name__ == "__main__":
    main()
