"""Many photos at once: archives, clusters, watched folders, the page.

    python -m benchmarks.load batch --photos 200
    python -m benchmarks.load make FOLDER --photos 1000
    python -m benchmarks.load cluster FOLDER --sizes 1000 --workers 1 2 --kills 10
    python -m benchmarks.load watch --photos 500 --kills 20
    python -m benchmarks.load flood --requests 200 --at-once 16 --tricklers 25

``batch``: how many photos a second with one process, and with one a core? ``make`` simulates
photos, all different, for ``cluster``, which reads them on a Dask cluster of its own: a scheduler,
workers of one thread each, and ``brikks-scan batch`` as the client. ``watch`` drops photos into a
folder in every way in which they arrive, kills ``brikks-scan watch`` at random moments, and counts
what is recorded. ``flood`` sends many photos to the page at once, among uploads that trickle.
"""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from argparse import ArgumentParser, Namespace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from benchmarks import cluster
from benchmarks.harness import Table, main, parser_of
from brikks_vision.intake.batch import read_photos
from brikks_vision.intake.workers import available_cores
from brikks_vision.reading import NO_SETTINGS

LONG_SIDE = 4032  # px: 12 megapixels at 4:3
TIERS = ("good", "good", "good", "hard")  # in turns
DIFFERENT = 8  # different photos of a batch; other files differ in the bytes after the picture
ROUNDS = 3  # in turns, so that a busy machine slows all alike


def make_photo(number: int, folder: Path, seed: int, long_side: int = LONG_SIDE) -> Path:
    """Write the photo of that number, the same for the same seed."""
    # not above: the processes that read import this module, and numpy after they took one core
    import numpy as np

    from brikks_vision.layout import load_layout
    from simulation.brikks.photos import random_shot

    rng, dice = np.random.default_rng([seed, number]), random.Random(f"{seed} {number}")
    tier = TIERS[number % len(TIERS)]
    shot = random_shot(load_layout("brikks-light"), rng, dice, tier, long_side, held_out=True)
    path = folder / f"{number:06}.jpg"
    path.write_bytes(shot.data)
    return path


def make_photos(folder: Path, options: Namespace) -> list[Path]:
    """Make the photos that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"{number:06}.jpg" for number in range(options.photos)]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    work = partial(make_photo, folder=folder, seed=options.seed, long_side=options.long_side)
    with get_context("spawn").Pool(available_cores()) as pool:
        for _ in pool.imap_unordered(work, missing):
            pass
    return paths


def batch(options: Namespace) -> Table:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        different = [
            make_photo(at, folder, options.seed, options.long_side).read_bytes()
            for at in range(min(options.photos, DIFFERENT))
        ]
        files = [folder / f"{number:05}.jpg" for number in range(options.photos)]
        for number, file in enumerate(files):
            file.write_bytes(different[number % len(different)] + number.to_bytes(4, "big"))
        rates = [{jobs: _photos_a_second(files, jobs) for jobs in options.workers}
                 for _ in range(ROUNDS)]  # fmt: skip
    rows: Table = [("processes", "photos a second", f"times that of {options.workers[0]}")]
    for jobs in options.workers:
        rate = statistics.median(each[jobs] for each in rates)
        times = statistics.median(each[jobs] / each[options.workers[0]] for each in rates)
        rows.append((str(jobs), f"{rate:.2f}", f"{times:.2f}"))
    return rows


def _photos_a_second(files: list[Path], jobs: int) -> float:
    started = time.perf_counter()
    read = sum(1 for _ in read_photos(files, jobs, (NO_SETTINGS, "en", None), {}))
    return read / (time.perf_counter() - started)


def watch(options: Namespace) -> Table:
    from benchmarks import watching

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "photos"
        folder.mkdir()
        photos, begun = watching.different_photos(options.photos), time.monotonic()
        database = Path(place) / "record.sqlite3"
        told = watching.kill_and_count(folder, database, photos, options.kills, options.seed)
    return [
        ("photos", "kills", "results", "lost", "doubled", "originals changed", "record sound", "s"),
        (str(told.photos), str(options.kills), str(told.results), str(len(told.lost)),
         str(len(told.doubled)), str(len(told.touched)), "yes" if told.is_sound else "NO",
         f"{time.monotonic() - begun:.0f}"),
    ]  # fmt: skip


def parser() -> ArgumentParser:
    found = parser_of(__doc__, ("batch", "make", "cluster", "watch", "flood"))
    found.add_argument("folder", type=Path, nargs="?", default=Path("cache/archive"))
    found.add_argument("--photos", type=int, default=200)
    found.add_argument("--seed", type=int, default=1001)
    found.add_argument("--long-side", type=int, default=LONG_SIDE)
    found.add_argument("--workers", type=int, nargs="+", default=[1, available_cores()])
    found.add_argument("--sizes", type=int, nargs="+", default=[1000])
    found.add_argument("--kills", type=int, default=0)
    found.add_argument("--requests", type=int, default=200)
    found.add_argument("--at-once", type=int, default=16)
    found.add_argument("--tricklers", type=int, default=0)
    return found


def measure(options: Namespace) -> list[Table]:
    if options.what == "make":
        return [[("photos",), (str(len(make_photos(options.folder, options))),)]]
    if options.what == "cluster":
        return cluster.tables(options.folder, options.sizes, options.workers, options.kills)
    if options.what == "flood":
        from benchmarks.flood import flood

        return [flood(options.requests, options.at_once, options.tricklers)]
    return [{"batch": batch, "watch": watch}[options.what](options)]


if __name__ == "__main__":
    main(parser(), measure)
