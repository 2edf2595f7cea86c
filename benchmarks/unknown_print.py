"""How right and how sure are readings of a print that the networks have never seen?

``python -m benchmarks.unknown_print BLANK.jpg`` lays ink on a picture of an empty sheet,
photographs it, and reads it: legal games by writers that were never trained on, once in drawn ink,
once in that of a real pen (`simulation.real_ink`) where there is some. The picture stays where it
is; it shows the sheet straight, its grid where ``--origin`` and ``--cell`` say. Prints a row a kind
of ink and tier, then what is doubted: each field of the photos that are not ``ok``, what it is told
as, what it is, and how often. Without a picture the print is any of the simulator's own.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np

from benchmarks.accuracy import LONG_SIDE, TIERS, judge, print_table
from brikks_vision.layout import Point, load_layout
from brikks_vision.reading import Doubt
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.rules.brikks.state import SheetState, as_inked
from simulation.brikks.games import play_sheet
from simulation.brikks.marking import marked_spots
from simulation.brikks.photos import Shot, any_blank, shoot
from simulation.hand import Hand, random_hand, shows_at
from simulation.handwriting import load_writers
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Image
from simulation.real_ink import load_mattes

PIXELS_PER_CELL = 40  # of the picture once it is enlarged to be drawn on
KINDS = ("drawn", "real")  # of ink
# where the grid's corner is in the picture of the publisher's rules, and how large a cell, px
ORIGIN, CELL = (154.3, 122.5), 27.04


@dataclass(frozen=True)
class Print:
    """A picture of an empty sheet: its grid's top left corner and a cell's side, px.

    is_mended: see `mended`.
    """

    path: Path
    origin: tuple[float, float]
    cell: float
    is_mended: bool = False


@dataclass(frozen=True)
class Told:
    """What became of one photo. doubted: (kind of field, what it is told as, what it is)."""

    total_right: bool
    status: str
    in_range: bool
    accused: bool
    doubted: tuple[tuple[str, str, str], ...]
    name: str

    @property
    def is_silent(self) -> bool:
        return self.status == "ok" and not self.total_right


@cache
def blank_of(printed: Print) -> BlankSheet:
    """The picture as a sheet to be marked, cut or filled up to the page.

    Raises
    ------
    OSError
        There is no picture at that path.
    """
    picture = cv2.imread(str(printed.path), cv2.IMREAD_COLOR)
    if picture is None:
        raise OSError(f"{printed.path} is no picture")
    page, scale = load_layout().page, PIXELS_PER_CELL / printed.cell
    size = round(page.width * PIXELS_PER_CELL), round(page.height * PIXELS_PER_CELL)
    origin = (-page.left * PIXELS_PER_CELL, -page.top * PIXELS_PER_CELL)
    matrix = np.array(
        [
            [scale, 0, origin[0] - scale * printed.origin[0]],
            [0, scale, origin[1] - scale * printed.origin[1]],
        ]
    )
    image = cv2.warpAffine(
        picture, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    if printed.is_mended:
        image = mended(np.asarray(image, np.uint8), origin)
    return BlankSheet(
        np.asarray(image, np.uint8), origin, PIXELS_PER_CELL, printed.path.stem,
        corner_radius=0.0, markers=False, total_field=False,
    )  # fmt: skip


OTHERWISE = 45  # grey levels between a place and others with the same print: something lies on it


def mended(image: Image, origin: tuple[float, float]) -> Image:
    """The print without what lies on single places of it, such as the arrows of rules.

    Where an energy point or a cell differs from the median of those with the same print in its row
    or zone, it is that median.
    """
    layout, result = load_layout(), image.copy()
    energy, grid = layout.fields["energy"], layout.grid
    places: dict[tuple[str, float, bool], list[Point]] = {}
    sheet = load_sheet()
    for point, (x, y) in enumerate(energy.centres):
        if point not in sheet.preprinted:
            places.setdefault(("energy", y, point in sheet.pink_points), []).append((x, y))
    circles = {circle.cell for circle in sheet.circles}
    for number, zone in enumerate(grid.zones):
        for row, column in grid.cells:
            if zone.first <= row <= zone.last and (row, column) not in circles:
                places.setdefault(("cell", number, False), []).append((column + 0.5, row + 0.5))
    side = round(1.06 * PIXELS_PER_CELL)
    for alike in places.values():
        corners = np.round(np.array(alike) * PIXELS_PER_CELL + origin - side / 2).astype(int)
        windows = [np.s_[y : y + side, x : x + side] for x, y in corners]
        usual = np.median([image[window] for window in windows], axis=0)
        for window in windows:
            differs = np.abs(image[window] - usual).max(axis=2) > OTHERWISE
            grown = cv2.dilate(differs.astype(np.uint8), np.ones((5, 5), np.uint8)) > 0
            if differs.mean() > 0.02:
                result[window] = np.where(grown[..., None], usual, result[window])
    return result


def hand_for(blank: BlankSheet, kind: str, rng: np.random.Generator) -> Hand:
    """A hand with such ink whose pen shows on the print."""
    writers, mattes = load_writers(held_out=True), load_mattes(held_out=True)
    while True:
        hand = random_hand(rng, writers)
        if kind == "real":
            hand = replace(hand, mattes=mattes)
        if shows_at(hand, blank, marked_spots(load_layout())):
            return hand


def nth_shot(printed: Print | None, kind: str, tier: str, seed: int, number: int) -> Shot:
    """Always the same photo of a seed and number."""
    layout = load_layout("brikks-light")
    rng = np.random.default_rng([seed, KINDS.index(kind), TIERS.index(tier), number])
    dice = random.Random(int(rng.integers(2**31)))
    players, level = dice.randint(1, 4), dice.randint(1, 4)
    played = play_sheet(
        load_sheet(layout.name), dice, players, level, "solo" if players == 1 else "standard"
    )
    blank = blank_of(printed) if printed else any_blank(layout, rng)
    hand = hand_for(blank, kind, rng)
    needed = layout.marked_area
    return shoot(layout, blank, played, hand, rng, tier, LONG_SIDE, needed)


def true_mark(state: SheetState, doubt: Doubt) -> tuple[str, str]:
    """The kind of field that a doubt is about, and what truly stands there."""
    kind, _, place = doubt.where.partition(" ")
    if kind == "cell":
        row, column = map(int, place.split(","))
        spot = next((c for c in state.sheet.circles if c.cell == (row, column)), None)
        print_there = f"cell with a {spot.color} circle" if spot else "cell"
        return print_there, "X" if (row, column) in state.crossed else "."
    if kind == "energy":
        point = int(place)
        if point in state.sheet.preprinted:
            kind = "energy, printed ring"
        elif point in state.sheet.pink_points:
            kind = "energy with an X"
        return kind, str(state.energy[point])
    marks = {"box": state.bonus, "bomb": state.bombs}[kind]
    return kind, "X" if marks[int(place)] else "."


def read_one(task: tuple[Print | None, str, str, int, int, Path | None]) -> Told:
    printed, kind, tier, seed, number, folder = task
    cv2.setNumThreads(1)
    shot = nth_shot(printed, kind, tier, seed, number)
    outcome, result = judge(shot, tier, number)
    state = as_inked(shot.played.state)
    doubted = []
    for doubt in result.reading.doubts if result else ():
        field, is_there = true_mark(state, doubt)
        doubted.append((field, doubt.read, is_there))
    name = f"{kind}-{tier}-{number}"
    told = Told(
        outcome.total_right, outcome.status, outcome.in_range, bool(outcome.accused),
        tuple(doubted), name,
    )  # fmt: skip
    if folder and (told.status != "ok" or not told.total_right):
        (folder / f"{name}.jpg").write_bytes(shot.data)
        where = result.reading.doubts if result else ()
        (folder / f"{name}.txt").write_text(
            f"{outcome}\n{shot.hand.pen}\n{where}\n{doubted}\n", "utf-8"
        )
    return told


HEADINGS = (
    "ink", "tier", "photos", "total right", "status ok", "wrong under ok", "in range", "accused",
)  # fmt: skip


def table_row(kind: str, tier: str, told: list[Told]) -> tuple[str, ...]:
    def share(part: int) -> str:
        return f"{100 * part / len(told):.1f} %"

    return (
        kind, tier, str(len(told)),
        share(sum(each.total_right for each in told)),
        share(sum(each.status == "ok" for each in told)),
        str(sum(each.is_silent for each in told)),
        share(sum(each.in_range for each in told)),
        str(sum(each.accused for each in told)),
    )  # fmt: skip


def causes(told: list[Told]) -> list[tuple[str, ...]]:
    """What is doubted on the photos that are not ``ok``: photos with it, and how many marks."""
    marks, photos = Counter[tuple[str, str, str]](), Counter[tuple[str, str, str]]()
    for each in told:
        if each.status == "ok":
            continue
        if not each.doubted:
            photos[each.status, "", ""] += 1
        marks.update(each.doubted)
        photos.update(set(each.doubted))
    rows: list[tuple[str, ...]] = [("doubted", "told as", "is", "photos", "marks")]
    for cause, count in photos.most_common():
        rows.append((*cause, str(count), str(marks[cause])))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("blank", type=Path, nargs="?", help="a picture of an empty sheet")
    parser.add_argument("--origin", type=float, nargs=2, default=ORIGIN, metavar=("X", "Y"))
    parser.add_argument("--cell", type=float, default=CELL, help="px")
    parser.add_argument("--mended", action="store_true", help="take off what lies on single places")
    parser.add_argument("--sheets", type=int, default=30, help="a kind of ink and tier")
    parser.add_argument("--seed", type=int, default=3401)
    parser.add_argument("--failures", type=Path, help="keeps the photos that are not ok here")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    if options.failures:
        options.failures.mkdir(parents=True, exist_ok=True)
    printed = None
    if options.blank:
        printed = Print(options.blank, tuple(options.origin), options.cell, options.mended)
        blank_of(printed)  # fails now, if it does
    kinds = KINDS if load_mattes(held_out=True) else KINDS[:1]
    rows: list[tuple[str, ...]] = [HEADINGS]
    everything: list[Told] = []
    # fresh processes: OpenCV's threads do not survive a fork
    context = get_context("spawn")
    with ProcessPoolExecutor(options.processes, mp_context=context) as pool:
        for kind in kinds:
            for tier in TIERS:
                tasks = [
                    (printed, kind, tier, options.seed, number, options.failures)
                    for number in range(options.sheets)
                ]
                told = list(pool.map(read_one, tasks, chunksize=2))
                rows.append(table_row(kind, tier, told))
                everything += told
                print_table([HEADINGS, rows[-1]])
                print("wrong under ok:", [each.name for each in told if each.is_silent], flush=True)
    print_table(rows)
    print_table(causes(everything))


if __name__ == "__main__":
    main()
