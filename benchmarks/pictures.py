"""Pictures of empty sheets of Brikks that ink can be laid on, and the ink."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from brikks_vision.layout import Point, load_layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.marking import marked_spots
from simulation.brikks.photos import any_blank
from simulation.hand import Hand, random_hand, shows_at
from simulation.handwriting import load_writers
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Image
from simulation.real_ink import load_mattes

PIXELS_PER_CELL = 40  # of the picture once it is enlarged to be drawn on
INKS = ("drawn", "real")
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
    page, scale = load_layout("brikks").page, PIXELS_PER_CELL / printed.cell
    size = round(page.width * PIXELS_PER_CELL), round(page.height * PIXELS_PER_CELL)
    origin = (-page.left * PIXELS_PER_CELL, -page.top * PIXELS_PER_CELL)
    moved = np.subtract(origin, np.multiply(scale, printed.origin))
    matrix = np.array([[scale, 0, moved[0]], [0, scale, moved[1]]])
    image: Image = cv2.warpAffine(
        picture, matrix, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
    )
    return BlankSheet(
        mended(image, origin) if printed.is_mended else image, origin, PIXELS_PER_CELL,
        printed.path.stem, corner_radius=0.0, markers=False, total_field=False,
    )  # fmt: skip


OTHERWISE = 45  # grey levels; a place that differs more from others of its print is covered


def mended(image: Image, origin: tuple[float, float]) -> Image:
    """The print without what covers single places of it, such as arrows in a rule book.

    Where an energy point or a cell differs from the median of those with the same print in its row
    or zone, it is that median.
    """
    layout, sheet, result = load_layout("brikks"), load_sheet(), image.copy()
    circles = {circle.cell for circle in sheet.circles}
    places: dict[tuple[object, ...], list[Point]] = {}
    for point, (x, y) in enumerate(layout.fields["energy"].centres):
        if point not in sheet.preprinted:
            places.setdefault(("energy", y, point in sheet.pink_points), []).append((x, y))
    for row, column in sorted(set(layout.grid.cells) - circles):
        zone = next(zone for zone in layout.grid.zones if zone.first <= row <= zone.last)
        places.setdefault(("cell", zone), []).append((column + 0.5, row + 0.5))
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


def hand_for(ink: str, blank: BlankSheet, rng: np.random.Generator) -> Hand:
    """A hand with this kind of ink, whose pen is visible on the print."""
    writers, mattes = load_writers(held_out=True), load_mattes(held_out=True)
    while True:
        hand = random_hand(rng, writers)
        if ink == "real" and mattes:
            hand = replace(hand, mattes=mattes)
        if shows_at(hand, blank, marked_spots(load_layout("brikks"))):
            return hand


def print_of(printed: Print | None, rng: np.random.Generator) -> BlankSheet:
    """The picture as a sheet; any of the simulator's own where there is none."""
    return blank_of(printed) if printed else any_blank(load_layout("brikks-light"), rng)


def add_options(parser: ArgumentParser) -> None:
    parser.add_argument("--blank", type=Path, help="a picture of an empty sheet")
    parser.add_argument("--origin", type=float, nargs=2, default=ORIGIN, metavar=("X", "Y"))
    parser.add_argument("--cell", type=float, default=CELL, help="px")
    parser.add_argument("--mended", action="store_true", help="take off what lies on single places")


def print_in(options: Namespace) -> Print | None:
    """The picture that the options name.

    Raises
    ------
    OSError
        There is no picture at that path.
    """
    if options.blank is None:
        return None
    printed = Print(options.blank, tuple(options.origin), options.cell, options.mended)
    blank_of(printed)
    return printed
