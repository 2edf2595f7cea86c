"""Simulated photos of BLOXX! sheets: a printing, its art, a game, a hand, a camera, the truth."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.bloxx.game import DEFINITION
from brikks_vision.layout import Box, Layout, load_layout
from brikks_vision.rules.bloxx.state import BonusMark, Mark, SheetState
from brikks_vision.text.phrases import Phrase
from simulation.bloxx.art import render_blank, sheet_of
from simulation.bloxx.games import PlayedSheet, any_game
from simulation.bloxx.hands import visible_hand
from simulation.bloxx.layouts import random_layout
from simulation.bloxx.marking import MISTAKEN_SHARE, PlayersSheet, mark_sheet
from simulation.camera import TIERS, Conditions
from simulation.hand import Hand
from simulation.paper.blank import BlankSheet
from simulation.paper.print_raster import printed_sheet
from simulation.paper.wear import worn
from simulation.photos import Photo, take_photo

Image = NDArray[np.uint8]

OWN = "bloxx"
"""The layout of the sheet that the project prints."""


@dataclass(frozen=True)
class Shot(Photo):
    """A photo of a marked sheet and all that is true of it."""

    layout: Layout
    marked: PlayersSheet


@cache
def printed_blank(dots_per_inch: int = 110) -> BlankSheet:
    """The project's own printable sheet as a printer would print it."""
    layout = load_layout(OWN)
    return printed_sheet(
        DEFINITION.printer("a4", 1, "light", Phrase.text), layout, dots_per_inch, "light"
    )


def random_sheet(rng: np.random.Generator) -> tuple[Layout, BlankSheet]:
    """Any printing in any art."""
    layout = random_layout(rng)
    return layout, render_blank(layout, rng, pixels_per_cell=int(rng.integers(30, 48)))


def any_sheet(rng: np.random.Generator) -> tuple[Layout, BlankSheet]:
    """Any printing; every sixth sheet is the one that the project prints, in its art or another."""
    kind = rng.random()
    if kind < 1 / 12:
        return load_layout(OWN), printed_blank()
    if kind < 1 / 6:
        layout = load_layout(OWN)
        return layout, render_blank(layout, rng, pixels_per_cell=int(rng.integers(30, 48)))
    return random_sheet(rng)


def shoot(
    layout: Layout,
    blank: BlankSheet,
    played: PlayedSheet,
    hand: Hand,
    rng: np.random.Generator,
    tier: str,
    long_side: int,
    needed: Box,
    conditions: Conditions | None = None,
    mistaken: float = MISTAKEN_SHARE,
) -> Shot:
    """Mark the blank sheet, lay it on a table, photograph it.

    ``long_side``: of the photo, px. ``needed``: what must be in the picture. ``conditions``: what
    the photo is like, if not any of its tier. ``mistaken``: see `mark_sheet`.
    """
    marked = mark_sheet(blank, layout, played, hand, rng, mistaken)
    photo = take_photo(marked.picture, blank, layout.page, rng, tier, long_side, needed, conditions)
    return Shot(**vars(photo), layout=layout, marked=marked)


def shoot_blank(
    layout: Layout, blank: BlankSheet, rng: np.random.Generator, tier: str, long_side: int
) -> Photo:
    """A photo of the empty sheet, all of it in the picture."""
    return take_photo(blank.image, blank, layout.page, rng, tier, long_side, layout.page)


def scrambled(state: SheetState, rng: np.random.Generator) -> SheetState:
    """Marks that no game gives: a reader must see ink, not guess at what players do."""
    share = rng.uniform(0, 1, 3)
    marks = {
        cell: Mark(rng.choice([str(mark) for mark in Mark]))
        for cell in state.sheet.cells
        if rng.random() < 0.4 * share[0]
    }
    bonuses = tuple(
        tuple(
            BonusMark(rng.choice([str(each) for each in BonusMark])) if rng.random() < share[1]
            else mark
            for mark in figures
        )
        for figures in state.bonuses
    )  # fmt: skip
    shapes = tuple(shape for shape in state.shapes if rng.random() > 0.25 * share[2])
    return replace(state.with_marks(marks), bonuses=bonuses, shapes=shapes)


def random_shot(
    rng: np.random.Generator,
    dice: random.Random,
    tier: str,
    long_side: int,
    held_out: bool,
    cut_off: bool = False,
    scramble: bool = False,
    worn_share: float = 0.0,
) -> Shot:
    """Any game by any hand on any sheet; ``held_out``: by writers that are never trained on.

    ``cut_off``: a part of the sheet is out of the picture. ``scramble``: see `scrambled`.
    ``worn_share``: of sheets that are `worn`, beside those that are anyway.
    """
    layout, blank = any_sheet(rng)
    played = any_game(sheet_of(layout), dice)
    if scramble:
        played = replace(played, state=scrambled(played.state, rng))
    if worn_share and rng.random() < worn_share:
        blank = replace(blank, image=worn(blank.image, rng))
    needed = layout.marked_area
    if cut_off:
        width, height = 0.65 * needed.width, 0.65 * needed.height
        left = needed.left + rng.uniform(0, needed.width - width)
        top = needed.top + rng.uniform(0, needed.height - height)
        needed = Box(left, top, left + width, top + height)
    conditions = replace(TIERS[tier], fill=(1.0, 1.5)) if cut_off else None
    hand = visible_hand(layout, blank, rng, held_out)
    return shoot(layout, blank, played, hand, rng, tier, long_side, needed, conditions)
