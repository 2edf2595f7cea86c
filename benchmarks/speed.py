"""How fast is a scan, measured against the plain decode of the same photo, in one run?

``python -m benchmarks.speed`` takes a simulated 12-megapixel JPEG and prints medians: the warm scan
by the warm ``cv2.imread``, the whole cold command by a cold ``cv2.imread``, and the command's peak
memory.
"""

from __future__ import annotations

import argparse
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from brikks_vision.pipeline import scan_photo
from brikks_vision.rules.order import search_orders
from brikks_vision.sheet import load_sheet
from simulation.photos import random_shot

LONG_SIDE = 4032  # px: 12 megapixels at 4:3


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
    return f"{name:6}  ours {medians[0]:7.1f} ms   plain {medians[1]:7.1f} ms   ratio {ratio:5.2f}"


def scan_anew(path: Path) -> None:
    """A scan that does not remember in which orders this sheet's blocks can fall."""
    search_orders.cache_clear()
    scan_photo(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1001)
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    dice = random.Random(options.seed)
    shot = random_shot(load_sheet(), rng, dice, "good", LONG_SIDE, held_out=True)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "photo.jpg"
        path.write_bytes(shot.data)
        height, width = shot.image.shape[:2]
        print(f"{width}x{height} px, {len(shot.data) / 1e6:.1f} MB, {cv2.getNumThreads()} threads")
        scan_photo(path)
        warm = alternate(lambda: scan_anew(path), lambda: cv2.imread(str(path)), options.rounds)
        print(row("warm", *warm))
        scan_words = ("-m", "brikks_vision", str(path), "--json")
        read_words = ("-c", "import cv2, sys; cv2.imread(sys.argv[1])", str(path))
        cold = alternate(lambda: run(*scan_words), lambda: run(*read_words), options.rounds // 2)
        print(row("cold", *cold))
        print(f"memory  {peak_memory(*scan_words):.0f} MB at its peak")


if __name__ == "__main__":
    main()
