"""What must not be lost: photos in a watched folder, and sent to the page.

    python -m benchmarks.load make FOLDER --photos 1000
    python -m benchmarks.load watch --photos 500 --kills 20
    python -m benchmarks.load flood --photos 200 --at-once 16 --tricklers 25

``make`` simulates photos, all different. ``watch`` drops photos into a folder in every way in which
they arrive, kills ``brikks-scan watch`` at random moments, and counts what is recorded. ``flood``
sends many photos to the page at once, among uploads that trickle.
"""

from __future__ import annotations

import random
import tempfile
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path

import numpy as np

from benchmarks.flood import flood
from benchmarks.harness import Table, in_processes, main, parser_of
from benchmarks.watching import different_photos, kill_and_count
from brikks_vision.layout import load_layout
from simulation.brikks.photos import random_shot

LONG_SIDE = 4032  # px: 12 megapixels at 4:3
TIERS = ("good", "good", "good", "hard")  # in turns


def make_photo(task: tuple[Path, int, Namespace]) -> None:
    """Write the photo of a number to a path, the same for the same seed."""
    path, number, options = task
    rng, dice = (
        np.random.default_rng([options.seed, number]), random.Random(f"{options.seed} {number}")
    )  # fmt: skip
    tier, layout = TIERS[number % len(TIERS)], load_layout("brikks-light")
    shot = random_shot(layout, rng, dice, tier, options.long_side, held_out=True)
    path.write_bytes(shot.data)


def make_photos(options: Namespace) -> Table:
    """Make the photos that are not there yet."""
    options.folder.mkdir(parents=True, exist_ok=True)
    paths = [options.folder / f"{number:06}.jpg" for number in range(options.photos)]
    missing = [(path, at, options) for at, path in enumerate(paths) if not path.exists()]
    in_processes(make_photo, missing, options.processes)
    return [("photos",), (str(len(paths)),)]


def watch(options: Namespace) -> Table:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "photos"
        folder.mkdir()
        photos, begun = different_photos(options.photos), time.monotonic()
        database = Path(place) / "record.sqlite3"
        told = kill_and_count(folder, database, photos, options.kills, options.seed)
    return [
        ("photos", "kills", "results", "lost", "doubled", "originals changed", "record sound", "s"),
        (str(told.photos), str(options.kills), str(told.results), str(len(told.lost)),
         str(len(told.doubled)), str(len(told.touched)), "yes" if told.is_sound else "NO",
         f"{time.monotonic() - begun:.0f}"),
    ]  # fmt: skip


MEASURES = {
    "make": make_photos,
    "watch": watch,
    "flood": lambda options: flood(options.photos, options.at_once, options.tricklers),
}


def parser() -> ArgumentParser:
    found = parser_of(__doc__, MEASURES)
    found.add_argument("folder", type=Path, nargs="?", default=Path("cache/archive"))
    found.add_argument("--photos", type=int, default=200)
    found.add_argument("--seed", type=int, default=1001)
    found.add_argument("--long-side", type=int, default=LONG_SIDE)
    found.add_argument("--processes", type=int, default=2)
    found.add_argument("--kills", type=int, default=0)
    found.add_argument("--at-once", type=int, default=16)
    found.add_argument("--tricklers", type=int, default=0)
    return found


def measure(options: Namespace) -> list[Table]:
    return [MEASURES[options.what](options)]


if __name__ == "__main__":
    main(parser(), measure)
