"""How right and how sure is the reader of places, beside the networks of the Brikks sheet?

``python -m benchmarks.patches --sheets 20 --seed 3501`` simulates photos of marked sheets by
writers that were never trained on, 20 a tier, finds the sheet, and reads every mark three times: by
a close look of the present networks, by `brikks_vision.detect.patches` without a blank, and by it
beside a photo of the empty sheet. Prints for each kind of mark how many are wrong and how many are
in doubt. With a picture of an empty sheet (see `benchmarks.unknown_print`) that is the print;
``--pictures FOLDER`` keeps the places that are read wrong, photo beside reference.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import LONG_SIDE, TIERS, print_table
from benchmarks.unknown_print import CELL, ORIGIN, Print, blank_of
from brikks_vision.detect.bars import rectify_bars, with_bars
from brikks_vision.detect.glance import glance_marks, with_glance
from brikks_vision.detect.locate import locate
from brikks_vision.detect.marks import Key, Marks, read_marks, rectify_for_reading
from brikks_vision.detect.patches import (
    Views,
    beside_blank,
    mark_logits,
    patch_logits,
    readable_fields,
    readable_marks,
    see_places,
)
from brikks_vision.detect.pen import pen_of
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.games.brikks.keys import (
    BOMBS,
    BOXES,
    CELLS,
    HORIZONTALS,
    RINGS,
    STRIKES,
    VERTICALS,
)
from brikks_vision.layout import Layout, load_layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import visible_hand
from simulation.brikks.photos import any_blank, shoot
from simulation.camera import TIERS as CONDITIONS
from simulation.camera import compress, photograph, random_pose, sheet_map
from simulation.marks import Drawn
from simulation.paper.blank import BlankSheet
from simulation.photos import TruePlacement
from simulation.tables import render_table

WAYS = ("today", "alike", "blank")
KEYS = (CELLS, VERTICALS, HORIZONTALS, RINGS, STRIKES, BOXES, BOMBS)
DOUBTFUL = 3.0  # log-odds under which a mark is in doubt
BLANK_PIXELS = 32  # per cell, of the learnt blank


@dataclass(frozen=True, eq=False)
class Read:
    """The log-odds of one photo's marks by each way, and the truth (0.5: nobody can tell)."""

    tier: str
    number: int
    logits: Mapping[str, Mapping[Key, NDArray[np.float64]]]
    truth: Mapping[Key, NDArray[np.float64]]
    views: Mapping[str, Mapping[str, Views]]  # of places read wrong, by way and field


def truth_of(drawn: Drawn) -> dict[Key, NDArray[np.float64]]:
    """What the sheet bears; rings of struck points are not asked for."""
    truth = {key: np.asarray(drawn[key], np.float64) for key in KEYS}
    truth[RINGS][truth[STRIKES] > 0.5] = 0.5
    return truth


def full_pass(image: Image, placement: Placement, layout: Layout) -> Marks:
    """All present networks, as in `brikks_vision.pipeline`."""
    flat = rectify_for_reading(image, placement, layout)
    glance = glance_marks(flat, layout)
    pen = pen_of(flat, glance[CELLS], layout)
    closer = with_bars(
        read_marks(flat, layout), rectify_bars(image, placement, layout), pen, layout
    )
    return with_glance(closer, glance, placement.cell_size())


def learnt_blank(blank: BlankSheet, layout: Layout, rng: np.random.Generator) -> Image:
    """The page as learnt from a good photo of the empty sheet."""
    conditions = CONDITIONS["good"]
    pose = random_pose(rng, layout.page, layout.marked_area, conditions, LONG_SIDE)
    table = render_table(rng, *pose.size)
    image = photograph(
        blank.image, blank.origin, blank.pixels_per_cell, table, pose, sheet_map(pose), rng,
        conditions,
    )  # fmt: skip
    data = compress(image, int(rng.integers(*conditions.quality)))
    photo = np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR), np.uint8)
    try:
        found = locate(photo, (layout,))
    except PhotoUnreadable:
        true: Placement = TruePlacement(pose)  # type: ignore[assignment]
        return rectify(photo, true, layout.page, BLANK_PIXELS)
    return rectify(photo, found.placement, layout.page, BLANK_PIXELS)


def read_one(task: tuple[Print | None, str, int, int]) -> Read | None:
    printed, tier, seed, number = task
    cv2.setNumThreads(1)
    layout = load_layout("brikks-light")
    rng = np.random.default_rng([seed, TIERS.index(tier), number])
    dice = random.Random(int(rng.integers(2**31)))
    players, level = dice.randint(1, 4), dice.randint(1, 4)
    sheet = load_sheet(layout.name)
    played = play_sheet(sheet, dice, players, level, "solo" if players == 1 else "standard")
    blank = blank_of(printed) if printed else any_blank(layout, rng)
    hand = visible_hand(layout, blank, rng, held_out=True)
    shot = shoot(layout, blank, played, hand, rng, tier, LONG_SIDE, layout.marked_area)
    try:
        found = locate(shot.image, (load_layout("brikks-light"), load_layout("brikks")))
    except PhotoUnreadable:
        return None
    layout, placement = found.layout, found.placement
    truth = truth_of(shot.drawn)
    fields = readable_fields(layout)
    empty = learnt_blank(blank, layout, rng)
    alike = see_places(shot.image, placement, layout, fields)
    views = {"alike": alike, "blank": beside_blank(alike, layout, fields, empty)}
    logits: dict[str, Mapping[Key, NDArray[np.float64]]] = {}
    logits["today"] = full_pass(shot.image, placement, layout).logits
    wrong: dict[str, dict[str, Views]] = {}
    ends = np.cumsum([len(field.centres) for field in fields])[:-1]
    for way, seen in views.items():
        of_fields = np.split(patch_logits(seen), ends)
        logits[way] = {
            (field.name, mark): mark_logits(field, mark, each).reshape(field.shape)
            for field, each in zip(fields, of_fields, strict=True)
            for mark in readable_marks(field)
        }
        wrong[way] = {}
        for field, start in zip(fields, (0, *ends), strict=True):
            for mark in readable_marks(field):
                key = (field.name, mark)
                if key not in truth:
                    continue
                known = truth[key].ravel() != 0.5
                bad = known & ((logits[way][key].ravel() > 0) != (truth[key].ravel() > 0.5))
                at = start + np.flatnonzero(bad)
                parts = (seen.photo, seen.reference, seen.lightest, seen.template, seen.kinds)
                wrong[way][f"{field.name} {mark}"] = Views(*(part[at] for part in parts))
    return Read(tier, number, logits, truth, wrong)


def rows_of(reads: list[Read]) -> list[tuple[str, ...]]:
    """For each kind of mark: how many, and by each way wrong and in doubt, in percent."""
    rows: list[tuple[str, ...]] = [
        ("mark", "marks", *(f"{way}: wrong, doubtful, loss" for way in WAYS))
    ]
    for key in KEYS:
        cells = []
        truth = np.concatenate([read.truth[key].ravel() for read in reads])
        known = truth != 0.5
        for way in WAYS:
            logits = np.concatenate([read.logits[way][key].ravel() for read in reads])[known]
            label = truth[known] > 0.5
            wrong, doubtful = (logits > 0) != label, np.abs(logits) < DOUBTFUL
            loss = 1000 * np.logaddexp(0, np.where(label, -logits, logits)).mean()
            cells.append(f"{100 * wrong.mean():.2f} {100 * doubtful.mean():.2f} {loss:.1f}")
        rows.append((" ".join(key), str(known.sum()), *cells))
    return rows


def keep_pictures(reads: list[Read], folder: Path) -> None:
    """One picture a way and kind of mark: the wrong places, photo, reference and lightest."""
    folder.mkdir(parents=True, exist_ok=True)
    strips: dict[str, list[Image]] = {}
    for read in reads:
        for way, by_mark in read.views.items():
            for mark, views in by_mark.items():
                for photo, reference, light in zip(
                    views.photo, views.reference, views.lightest, strict=True
                ):
                    strip = np.hstack([photo, reference, np.repeat(light, 3, axis=2)])
                    large = cv2.resize(strip, None, fx=3, fy=3, interpolation=cv2.INTER_NEAREST)
                    label = f"{read.tier} {read.number}"
                    cv2.putText(large, label, (3, 92), 0, 0.4, (0, 0, 255), 1)
                    strips.setdefault(f"{way} {mark}", []).append(np.asarray(large, np.uint8))
    for name, each in strips.items():
        shown = each[:60]
        shown += [np.zeros_like(each[0])] * (-len(shown) % 4)
        lines = [np.hstack(shown[at : at + 4]) for at in range(0, len(shown), 4)]
        cv2.imwrite(str(folder / f"{name.replace(' ', '-')}.png"), np.vstack(lines))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("blank", type=Path, nargs="?", help="a picture of an empty sheet")
    parser.add_argument("--origin", type=float, nargs=2, default=ORIGIN, metavar=("X", "Y"))
    parser.add_argument("--cell", type=float, default=CELL, help="px")
    parser.add_argument("--mended", action="store_true", help="take off what lies on single places")
    parser.add_argument("--sheets", type=int, default=20, help="a tier")
    parser.add_argument("--seed", type=int, default=3501)
    parser.add_argument("--pictures", type=Path, help="keeps the places that are read wrong here")
    parser.add_argument("--processes", type=int, default=1)
    options = parser.parse_args()
    printed = None
    if options.blank:
        printed = Print(options.blank, tuple(options.origin), options.cell, options.mended)
        blank_of(printed)  # fails now, if it does
    tasks = [
        (printed, tier, options.seed, number) for tier in TIERS for number in range(options.sheets)
    ]
    # fresh processes: OpenCV's threads do not survive a fork
    with ProcessPoolExecutor(options.processes, mp_context=get_context("spawn")) as pool:
        found = list(pool.map(read_one, tasks))
    reads = [read for read in found if read]
    print(len(found) - len(reads), "of", len(found), "photos without a sheet that is found")
    for tier in TIERS:
        print(tier)
        print_table(rows_of([read for read in reads if read.tier == tier]))
    print("all")
    print_table(rows_of(reads))
    if options.pictures:
        keep_pictures(reads, options.pictures)


if __name__ == "__main__":
    main()
