"""Draws the samples that a network learns from.

``python -m training.samples NAME FOLDER --count 8000 --seed 1`` fills a folder for one network (see
`training.tasks.table`), or with the samples that its calibration needs (`CALIBRATION`). Networks
with the same ``draw`` in that table share a folder. A sample depends on its seed and number alone.
They are drawn in parts, each in a folder of its own, whole or not at all: what is broken off goes
on where it stood, and a folder may hold samples of several seeds.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import cv2

from training.photos import write_readable_photos
from training.tasks.patches import draw_unseen
from training.tasks.table import TASKS
from training.tasks.task import Draw

PART = 50  # samples; fewer would make more files than may be open at once
CALIBRATION = {"calibration": write_readable_photos, "patches_calibration": draw_unseen}
DRAWS: dict[str, Draw] = {**{name: task.draw for name, task in TASKS.items()}, **CALIBRATION}


def write_part(draw: Draw, part: Path, numbers: range, seed: int) -> Path:
    """One part of a folder of samples, whole or not at all."""
    cv2.setNumThreads(1)
    begun = part.with_suffix(".begun")
    begun.mkdir(parents=True, exist_ok=True)
    draw(begun, numbers, seed)
    return begun.rename(part)


def parts_of(folder: Path, count: int, seed: int) -> dict[Path, range]:
    """The parts with at least ``count`` samples, and the numbers in each: always as many."""
    firsts = range(0, count, PART)
    return {folder / f"{seed}-{first:06d}": range(first, first + PART) for first in firsts}


def write_samples(draw: Draw, folder: Path, count: int, seed: int, processes: int) -> None:
    """All parts of a folder of samples that are not there yet."""
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        begun = [
            pool.submit(write_part, draw, part, numbers, seed)
            for part, numbers in parts_of(folder, count, seed).items()
            if not part.exists()
        ]
        for each in begun:
            print(each.result(), flush=True)


def parts_in(folders: list[Path]) -> list[Path]:
    """The parts of folders of samples.

    Raises
    ------
    SystemExit
        There are none.
    """
    parts = [path for folder in folders for path in sorted(folder.glob("*-[0-9]*[0-9]"))]
    if not parts:
        raise SystemExit(f"no samples in {', '.join(map(str, folders))}")
    return parts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(DRAWS))
    parser.add_argument("folder", type=Path)
    parser.add_argument(
        "--count", type=int, default=8000, help=f"of photos, in full parts of {PART}"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    write_samples(
        DRAWS[options.name], options.folder, options.count, options.seed, options.processes
    )


if __name__ == "__main__":
    main()
