"""Pictures of empty sheets of Brikks that ink can be laid on, and the ink."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from brikks_vision.layout import load_layout
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
    """A picture of an empty sheet: its grid's top left corner and a cell's side, px."""

    path: Path
    origin: tuple[float, float]
    cell: float


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
        image, origin, PIXELS_PER_CELL,
        printed.path.stem, corner_radius=0.0, markers=False, total_field=False,
    )  # fmt: skip


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


def print_in(options: Namespace) -> Print | None:
    """The picture that the options name.

    Raises
    ------
    OSError
        There is no picture at that path.
    """
    if options.blank is None:
        return None
    printed = Print(options.blank, tuple(options.origin), options.cell)
    blank_of(printed)
    return printed
