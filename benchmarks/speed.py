"""How fast is a scan, compared with only decoding the same photo in the same run?

    python -m benchmarks.speed --sheets 5

A game takes simulated JPEGs of 12 megapixels (of boards, of their own size). Medians: the warm scan
by the warm ``cv2.imread``, the whole cold command by a cold ``cv2.imread``, and the command's peak
memory; then the share of each step of the warm scans.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path

import cv2
import numpy as np

from benchmarks.cases import GAMES, brikks_shot, case_of
from benchmarks.harness import Row, Table, add_sheets, main, parser_of, share
from brikks_vision import scan
from brikks_vision.infer.groups import grid_parts
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


def run(compiled: Path, *words: str, check: bool = False) -> str:
    """What a Python process prints, whose modules are compiled once, as where it is installed."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run([sys.executable, *words], check=check, capture_output=True, text=True,
                          env={**kept, "PYTHONPYCACHEPREFIX": str(compiled)})  # fmt: skip
    return done.stdout


def peak_memory(compiled: Path, *words: str) -> float:
    """Peak resident memory of a Python process, MB."""
    script = (
        "import resource, subprocess, sys;"
        "subprocess.run([sys.executable, *sys.argv[1:]], capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    unit = 1 if sys.platform == "darwin" else 1024
    return int(run(compiled, "-c", script, *words, check=True)) * unit / 1e6


def row(ours: list[float], plain: list[float]) -> Row:
    times = statistics.median(a / b for a, b in zip(ours, plain, strict=True))
    return f"{statistics.median(ours):.0f}", f"{statistics.median(plain):.0f}", f"{times:.2f}"


def photos(game: str, seed: int, count: int) -> Iterator[tuple[bytes, str | None]]:
    """Good photos, of sheets of 12 megapixels, and the definition of the board that one shows."""
    for number in range(count):
        if game == "brikks":
            yield brikks_shot("good", seed, number, long_side=LONG_SIDE).data, None
            continue
        case = case_of(game, "slant" if game == "blox" else "good", seed, number)
        if game == "blox":
            yield case.shot.data, case.layouts[0].to_json()
            continue
        scale = LONG_SIDE / max(case.image.shape[:2])
        large = cv2.resize(case.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        yield compress(np.asarray(large, np.uint8), 90), None


def scan_anew(path: Path, board: Path | None) -> Mapping[str, float]:
    """A scan that does not remember what was worked out of this sheet's blocks; its steps, ms."""
    search_orders.cache_clear()
    grid_parts.cache_clear()
    return scan(path, sheet=board).timing_ms


def measured(game: str, options: Namespace, folder: Path) -> tuple[list[Row], Row]:
    """The rows of a game, and the shares of the steps."""
    warm, cold = (([], []) for _ in range(2))
    memory, steps = [], list[Mapping[str, float]]()
    path, board_path, compiled = (folder / each for each in ("photo.jpg", "board.json", "compiled"))
    for data, board in photos(game, options.seed, options.sheets):
        path.write_bytes(data)
        board_path.write_text(board or "", "utf-8")
        known = board_path if board else None
        scan(path, sheet=known)
        of_this = alternate(
            lambda known=known: steps.append(scan_anew(path, known)),
            partial(cv2.imread, str(path)), options.rounds,
        )  # fmt: skip
        words = ["-m", "brikks_vision", str(path), "--json"]
        words += ["--sheet", str(known)] if known else []
        plain = ("-c", "import cv2, sys; cv2.imread(sys.argv[1])", str(path))
        memory.append(peak_memory(compiled, *words))  # compiles the modules, too
        ours, theirs = (partial(run, compiled, *each) for each in (words, plain))
        for together, one in ((warm, of_this), (cold, alternate(ours, theirs, COLD_ROUNDS))):
            together[0].extend(one[0])
            together[1].extend(one[1])
    rows = [
        (f"{game}, warm", *row(*warm), "-"),
        (f"{game}, cold", *row(*cold), f"{max(memory):.0f}"),
    ]
    timing = sum(map(Counter, steps), Counter[str]())
    told = ", ".join(f"{name} {share(took, timing.total(), 0)}" for name, took in timing.items())
    return rows, (game, told)


def parser() -> ArgumentParser:
    found = add_sheets(parser_of(__doc__), 3, 1001, ("all", *GAMES))
    found.add_argument("--rounds", type=int, default=15, help="for each photo")
    return found


def measure(options: Namespace) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        games = GAMES if options.game == "all" else (options.game,)
        found = [measured(game, options, Path(folder)) for game in games]
    head = ("photos", "ours, ms", "cv2.imread, ms", "times as long", "peak memory, MB")
    return [[head, *(each for rows, _ in found for each in rows)],
            [("game", "steps"), *(steps for _, steps in found)]]  # fmt: skip


if __name__ == "__main__":
    main(parser(), measure)
