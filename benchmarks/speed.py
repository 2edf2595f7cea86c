"""How fast is a scan, compared with only decoding the same photo in the same run?

``python -m benchmarks.speed --game brikks`` takes simulated JPEGs of 12 megapixels (of boards, of
their own size) and prints medians: the warm scan by the warm ``cv2.imread``, for each photo and
over all of them, the whole cold command by a cold ``cv2.imread``, the command's peak memory; then
the share of each step of the warm scan.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.cases import GAMES, brikks_shot, case_of
from benchmarks.harness import Row, Table, main, parser_of, share
from brikks_vision import scan
from brikks_vision.decode.groups import grid_parts
from brikks_vision.rules.brikks.order import search_orders
from simulation.camera import compress

LONG_SIDE = 4032  # px: 12 megapixels at 4:3
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


def run(compiled: Path, *words: str) -> None:
    subprocess.run(
        [sys.executable, *words], check=False, capture_output=True, env=_installed(compiled)
    )


def _installed(compiled: Path) -> dict[str, str]:
    """An environment in which modules are compiled once, into a folder, as where they are
    installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**kept, "PYTHONPYCACHEPREFIX": str(compiled)}


def peak_memory(compiled: Path, *words: str) -> float:
    """Peak resident memory of a Python process, MB."""
    script = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, *sys.argv[1:]], capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", script, *words]
    done = subprocess.run(command, capture_output=True, check=True, env=_installed(compiled))
    unit = 1 if sys.platform == "darwin" else 1024
    return int(done.stdout) * unit / 1e6


def row(ours: list[float], plain: list[float]) -> Row:
    times = statistics.median(a / b for a, b in zip(ours, plain, strict=True))
    return f"{statistics.median(ours):.0f}", f"{statistics.median(plain):.0f}", f"{times:.2f}"


def photos(game: str, seed: int, count: int) -> Iterator[tuple[bytes, Mapping[str, Any] | None]]:
    """Good photos, of sheets of 12 megapixels, and the definition of the board that one shows."""
    tier = "slant" if game == "blox" else "good"
    for number in range(count):
        if game == "brikks":
            yield brikks_shot(tier, seed, number, long_side=LONG_SIDE).data, None
            continue
        case = case_of(game, tier, seed, number)
        assert isinstance(case.data, bytes)
        if case.board is not None:
            yield case.data, case.board
            continue
        scale = LONG_SIDE / max(case.image.shape[:2])
        large = cv2.resize(case.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        yield compress(np.asarray(large, np.uint8), 90), None


def scan_anew(path: Path, board: Path | None) -> Mapping[str, float]:
    """A scan that does not remember what was worked out of this sheet's blocks; its steps, ms."""
    search_orders.cache_clear()
    grid_parts.cache_clear()
    return scan(path, sheet=board).timing_ms


def shares(steps: Sequence[Mapping[str, float]]) -> Table:
    """The share of each step in the time of all scans, as their readings tell it."""
    spent: dict[str, float] = {}
    for each in steps:
        for step, took in each.items():
            spent[step] = spent.get(step, 0.0) + took
    whole = sum(spent.values())
    return [tuple(spent), tuple(share(took, whole, 0) for took in spent.values())]


def parser() -> ArgumentParser:
    found = parser_of(__doc__, 5, 1001, GAMES)
    found.add_argument("--rounds", type=int, default=15, help="for each photo")
    return found


def measure(options: Namespace) -> list[Table]:
    rows: Table = [("photo", "ours, ms", "cv2.imread, ms", "times as long", "peak memory, MB")]
    warm: tuple[list[float], list[float]] = ([], [])
    cold: tuple[list[float], list[float]] = ([], [])
    memory = []
    steps: list[Mapping[str, float]] = []
    with tempfile.TemporaryDirectory() as folder:
        path, board_path = Path(folder) / "photo.jpg", Path(folder) / "board.json"
        compiled = Path(folder) / "compiled"
        for data, board in photos(options.game, options.seed, options.sheets):
            path.write_bytes(data)
            board_path.write_text(json.dumps(board), "utf-8")
            known = board_path if board else None
            scan(path, sheet=known)
            of_this = alternate(
                partial(_noted, steps, path, known), partial(cv2.imread, str(path)), options.rounds
            )
            rows.append((f"{len(data) / 1e6:.1f} MB, warm", *row(*of_this), "-"))
            words = ["-m", "brikks_vision", str(path), "--json"]
            words += ["--sheet", str(known)] if known else []
            plain = ("-c", "import cv2, sys; cv2.imread(sys.argv[1])", str(path))
            memory.append(peak_memory(compiled, *words))  # compiles the modules, too
            ours, theirs = (partial(run, compiled, *each) for each in (words, plain))
            started = alternate(ours, theirs, COLD_ROUNDS)
            for together, one in ((warm, of_this), (cold, started)):
                together[0].extend(one[0])
                together[1].extend(one[1])
    rows.append(("all, warm", *row(*warm), "-"))
    rows.append(("all, cold", *row(*cold), f"{max(memory):.0f}"))
    return [rows, shares(steps)]


def _noted(steps: list[Mapping[str, float]], path: Path, board: Path | None) -> None:
    steps.append(scan_anew(path, board))


if __name__ == "__main__":
    main(parser(), measure)
