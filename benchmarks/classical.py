"""What do the networks gain over the classical way of reading marks?

``python -m benchmarks.classical --sheets 40 --seed 6001`` reads the same marks of simulated sheets
in both ways, through the same placement and without the rules of the game, and prints the share of
each kind that is read wrong.

The classical way is that of optical mark readers: after the light is evened out, a mark is the
darkness of its place (of a cell: its contrast, which tells crosses better), by the least of the
sheet's own places with the same print, and Otsu's threshold (1979) over the places of a kind tells
marked from unmarked ones.
"""

from __future__ import annotations

import argparse
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import TIERS, nth_shot
from brikks_vision.detect.marks import (
    BOMB,
    BOX,
    CELL,
    EDGE,
    READER_PIXELS,
    RING,
    STRIKE,
    Marks,
    mark_positions,
    rectify_for_reading,
)
from brikks_vision.detect.placement import Image
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.pipeline import scan_photo
from brikks_vision.sheet import SheetDefinition, load_sheet
from simulation.photos import Shot

KINDS = {CELL: "cell", EDGE: "edge", RING: "ring", STRIKE: "strike", BOX: "box", BOMB: "bomb"}
LIGHT = 3.0  # cells: wider than any mark
APART = 1.6  # standard deviations of the unmarked: closer groups are one
FEWEST = 4  # marked places that show how far apart the two groups are

Bools = NDArray[np.bool_]


def evened_out(flat: Image) -> NDArray[np.float32]:
    """Darkness 0 to 1 of the straightened sheet (H, W), by the light around."""
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY).astype(np.float32)
    light = cv2.GaussianBlur(grey, (0, 0), LIGHT * READER_PIXELS / 2)
    return np.asarray(1 - np.clip(grey / (2 * light + 1), 0, 1), np.float32)


def darkness(flat: Image, definition: SheetDefinition) -> NDArray[np.float64]:
    """How dark each place is, or how rich in contrast, in the order of `mark_positions`: (N,)."""
    area, dark = definition.reading_area, evened_out(flat)
    points, channels = mark_positions(definition)
    radius = definition.energy.radius
    reach = {CELL: 0.36, EDGE: 0.34, RING: 1.5 * radius, STRIKE: 0.7 * radius, BOX: 0.4, BOMB: 0.5}
    values = np.empty(len(points))
    for at, ((x, y), channel) in enumerate(zip(points, channels, strict=True)):
        half = max(2, round(reach[channel] * READER_PIXELS))
        middle = ((x - area.left) * READER_PIXELS - 0.5, (y - area.top) * READER_PIXELS - 0.5)
        patch = cv2.getRectSubPix(dark, (2 * half + 1, 2 * half + 1), middle)
        if channel == EDGE:
            wide = max(1, half // 3)
            along = slice(half - wide, half + wide + 1)
            patch = patch[:, along] if float(x).is_integer() else patch[along]
        elif channel == RING:
            inner = round(radius * READER_PIXELS)
            distance = np.hypot(*np.mgrid[-half : half + 1, -half : half + 1])
            patch = patch[distance > 0.8 * inner]
        values[at] = patch.std() if channel == CELL else patch.mean()
    return values


def prints(definition: SheetDefinition) -> list[object]:
    """What is printed at each place of a mark: places with the same print are comparable."""
    colors = {spot.cell: spot.color for spot in definition.circles}
    points, channels = mark_positions(definition)
    found: list[object] = []
    for (x, y), channel in zip(points, channels, strict=True):
        cell = (int(y), int(x))
        zone = definition.grid.row_factors[cell[0]] if channel == CELL else 0
        found.append((int(channel), zone, colors.get(cell) if channel == CELL else None))
    return found


def is_marked(values: NDArray[np.float64], kinds: list[object]) -> Bools:
    """Otsu's threshold over all places (N,), of which those with the same print start alike."""
    own = np.array([values[[k == kind for k in kinds]].min() for kind in kinds])
    above = values - own
    ordered = np.sort(above)
    counts = np.arange(1, len(ordered))
    low = np.cumsum(ordered)[:-1] / counts
    high = (ordered.sum() - np.cumsum(ordered)[:-1]) / counts[::-1]
    best = int((counts * counts[::-1] * (high - low) ** 2).argmax())
    threshold = (ordered[best] + ordered[best + 1]) / 2
    spread = ordered[: best + 1].std() + 1e-3
    if len(ordered) - best - 1 < FEWEST and high[best] - low[best] < APART * spread:
        return np.zeros(len(values), bool)
    return np.asarray(above > threshold)


def read_classically(flat: Image, definition: SheetDefinition) -> Bools:
    """Whether there is a mark at each place of `mark_positions`: (N,)."""
    values, kinds = darkness(flat, definition), prints(definition)
    channels = mark_positions(definition)[1]
    marked = np.zeros(len(values), bool)
    for channel in KINDS:
        at = np.flatnonzero(channels == channel)
        marked[at] = is_marked(values[at], [kinds[place] for place in at])
    return marked


def in_order(marks: Marks) -> NDArray[np.float64]:
    """All of a sheet's marks, field by field: (N,)."""
    return np.concatenate([np.ravel(array) for array in vars(marks).values()])


def drawn_marks(shot: Shot) -> NDArray[np.float64]:
    """1 where there is a mark, 0 where there is none, else what nobody can tell: (N,)."""
    drawn = shot.drawn
    parts = (
        drawn.cells, drawn.vertical_edges, drawn.horizontal_edges,
        np.where(drawn.struck > 0, 0.5, drawn.ringed), drawn.struck, drawn.boxes, drawn.bombs,
    )  # fmt: skip
    return np.concatenate([np.ravel(part).astype(float) for part in parts])


def compare_one(task: tuple[str, int, int]) -> NDArray[np.float64] | None:
    """Of each kind of mark how many there are, wrong classically, wrong by network: (kinds, 3)."""
    tier, seed, number = task
    cv2.setNumThreads(1)
    definition = load_sheet()
    shot = nth_shot(tier, seed, number)
    try:
        result = scan_photo(shot.data)
    except PhotoUnreadable:
        return None
    flat = rectify_for_reading(result.photo.image, result.placement, definition)
    truth, channels = drawn_marks(shot), mark_positions(definition)[1]
    known = truth != 0.5
    classical = read_classically(flat, definition) != (truth > 0.5)
    learned = (in_order(result.ink.marks) > 0) != (truth > 0.5)
    return np.array(
        [
            [np.sum(each & known & (channels == kind)) for each in (known, classical, learned)]
            for kind in KINDS
        ],
        float,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=40, help="a tier")
    parser.add_argument("--seed", type=int, default=6001)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    print("wrong marks, classical / networks:", ", ".join(KINDS.values()))
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        for tier in TIERS:
            tasks = [(tier, options.seed, number) for number in range(options.sheets)]
            found = [each for each in pool.map(compare_one, tasks, chunksize=4) if each is not None]
            shares = np.sum(found, axis=0)
            shares = 100 * shares[:, 1:] / shares[:, :1]
            told = (f"{classical:.2f} / {learned:.2f} %" for classical, learned in shares)
            print(f"{tier}: {len(found)} sheets,", ", ".join(told))


if __name__ == "__main__":
    main()
