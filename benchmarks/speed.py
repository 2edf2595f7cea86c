"""How fast is a scan, measured against the plain decode of the same photo, in one run?

``python -m benchmarks.speed`` takes simulated 12-megapixel JPEGs and prints medians: the warm scan
by the warm ``cv2.imread``, for each photo and over all of them, the share of each step of the warm
scan, the whole cold command by a cold ``cv2.imread``, and the command's peak memory.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np

from brikks_vision.layout import load_layout
from brikks_vision.pipeline import scan_photo
from brikks_vision.rules.brikks.order import search_orders
from simulation.brikks.photos import random_shot

LONG_SIDE = 4032  # px: 12 megapixels at 4:3
PIXELS = 12e6
COLD_ROUNDS = 3  # for each photo


def milliseconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return 1000 * (time.perf_counter() - started)


def alternate(
    first: Callable[[], object], second: Callable[[], object], rounds: int
) -> tuple[list[float], list[float]]:
    """Times of both, taken in turns so that the machine's moods fall on both alike."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        times[0].append(milliseconds(first))
        times[1].append(milliseconds(second))
    return times


def run(*words: str) -> None:
    subprocess.run([sys.executable, *words], check=False, capture_output=True)


def peak_memory(*words: str) -> float:
    """Peak resident memory of a Python process, MB."""
    run(*words)
    script = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, *sys.argv[1:]], capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    done = subprocess.run([sys.executable, "-c", script, *words], capture_output=True, check=True)
    unit = 1 if sys.platform == "darwin" else 1024
    return int(done.stdout) * unit / 1e6


def row(name: str, ours: list[float], plain: list[float]) -> str:
    ratio = statistics.median(a / b for a, b in zip(ours, plain, strict=True))
    medians = statistics.median(ours), statistics.median(plain)
    return f"{name:10} ours {medians[0]:7.1f} ms   plain {medians[1]:7.1f} ms   ratio {ratio:5.2f}"


def photos(seed: int, count: int) -> Iterator[bytes]:
    """Good photos of 12 megapixels; those of another shape than 4:3 are left out."""
    rng, dice = np.random.default_rng(seed), random.Random(seed)
    while count:
        shot = random_shot(load_layout("brikks-light"), rng, dice, "good", LONG_SIDE, held_out=True)
        height, width = shot.image.shape[:2]
        if abs(width * height / PIXELS - 1) < 0.05:
            count -= 1
            yield shot.data


def scan_anew(path: Path) -> Mapping[str, float]:
    """A scan that does not remember in which orders this sheet's blocks can fall; its steps, ms."""
    search_orders.cache_clear()
    return scan_photo(path).reading.timing_ms


def shares(steps: Sequence[Mapping[str, float]]) -> str:
    """The share of each step in the time of all scans, as their readings tell it."""
    spent: dict[str, float] = {}
    for scan in steps:
        for step, took in scan.items():
            spent[step] = spent.get(step, 0.0) + took
    whole = sum(spent.values())
    return "   ".join(f"{step} {took / whole:.0%}" for step, took in spent.items())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=15, help="for each photo")
    parser.add_argument("--seed", type=int, default=1001)
    options = parser.parse_args()
    print(f"{cv2.getNumThreads()} threads")
    warm: tuple[list[float], list[float]] = ([], [])
    cold: tuple[list[float], list[float]] = ([], [])
    memory = []
    steps: list[Mapping[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        for data in photos(options.seed, options.photos):
            path.write_bytes(data)
            scan_photo(path)
            of_this = alternate(
                lambda: steps.append(scan_anew(path)),
                lambda: cv2.imread(str(path)),
                options.rounds,
            )
            print(row(f"{len(data) / 1e6:.1f} MB", *of_this), flush=True)
            scan_words = ("-m", "brikks_vision", str(path), "--json")
            read_words = ("-c", "import cv2, sys; cv2.imread(sys.argv[1])", str(path))
            started = alternate(
                lambda scan=scan_words: run(*scan), lambda read=read_words: run(*read), COLD_ROUNDS
            )
            memory.append(peak_memory(*scan_words))
            for together, one in ((warm, of_this), (cold, started)):
                together[0].extend(one[0])
                together[1].extend(one[1])
    print(row("all warm", *warm))
    print(f"{'steps':10} {shares(steps)}")
    print(row("all cold", *cold))
    print(f"memory     {max(memory):.0f} MB at its peak")


if __name__ == "__main__":
    main()
