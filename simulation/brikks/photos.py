"""Simulated photos of Brikks sheets: a game, a hand, a printed sheet, a camera, and the truth."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.brikks.game import DEFINITION
from brikks_vision.layout import Box, Layout, load_layout
from brikks_vision.rules.brikks.blocks import Energy, SheetState
from brikks_vision.rules.brikks.sheet import load_sheet
from brikks_vision.text.phrases import Phrase
from simulation import camera
from simulation.brikks.art import render_blank, render_overview
from simulation.brikks.games import PlayedSheet, play_sheet
from simulation.brikks.marking import FILLED_SHARE, MISTAKEN_SHARE, draw_state, visible_hand
from simulation.hand import Hand
from simulation.paper.blank import BlankSheet
from simulation.paper.print_raster import printed_sheet
from simulation.paper.wear import worn
from simulation.photos import MarkedPhoto, decoded, table_for, take_photo

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Shot(MarkedPhoto):
    """A photo of a sheet of Brikks and all that is true of it.

    played: its game. blank: the sheet before it was played on.
    """

    played: PlayedSheet
    blank: BlankSheet


@cache
def printed_blank(layout_name: str, style: str, dots_per_inch: int) -> BlankSheet:
    """The project's own printable sheet as a printer would print it."""
    layout = load_layout(layout_name)
    pdf = DEFINITION.printer("a4", 1, style, Phrase.text)
    return printed_sheet(pdf, layout, dots_per_inch, style, style == "light")


def any_blank(layout: Layout, rng: np.random.Generator) -> BlankSheet:
    """Art of any kind; every eighth sheet is one that the project prints itself."""
    if rng.random() < 1 / 8:
        style = str(rng.choice(["light", "light", "arcade"]))
        return printed_blank(layout.name, style, 100)
    return render_blank(layout, rng, pixels_per_cell=int(rng.integers(30, 44)))


def shoot(
    layout: Layout,
    blank: BlankSheet,
    played: PlayedSheet,
    hand: Hand,
    rng: np.random.Generator,
    tier: str,
    long_side: int,
    needed: Box,
    conditions: camera.Conditions | None = None,
    mistaken: float = MISTAKEN_SHARE,
    filled: float = FILLED_SHARE,
) -> Shot:
    """Mark the blank sheet, lay it on a table, photograph it.

    ``conditions``: what the photo is like, if not any of its tier. ``mistaken``, ``filled``: see
    `draw_state`.
    """
    sheet, drawn = draw_state(blank, layout, played.state, hand, rng, mistaken, filled)
    photo = take_photo(sheet, blank, layout.page, rng, tier, long_side, needed, conditions)
    return Shot(**vars(photo), played=played, blank=blank, hand=hand, drawn=drawn)


def scrambled(state: SheetState, rng: np.random.Generator, layout: Layout) -> SheetState:
    """Marks that no game gives: a reader must see ink, not guess at what players do."""
    share = rng.uniform(0, 1, 4)
    energy = tuple(
        Energy(rng.choice(["open", "circled", "used"], p=[0.5, 0.3, 0.2])) for _ in state.energy
    )
    mixed = tuple(
        other if rng.random() < share[0] else mark
        for mark, other in zip(state.energy, energy, strict=True)
    )
    printed = set(load_sheet(layout.name).preprinted)
    mixed = tuple(
        Energy.CIRCLED if mark is Energy.OPEN and point in printed else mark
        for point, mark in enumerate(mixed)
    )
    uncrossed = {cell for cell in state.crossed if rng.random() < 0.2 * share[2]}
    added = {cell for cell in layout.grid.cells if rng.random() < 0.15 * share[3]}
    return SheetState(
        crossed=(state.crossed - uncrossed) | added,
        blocks=tuple(block for block in state.blocks if rng.random() > 0.2 * share[2]),
        energy=mixed,
        bonus=tuple(bool(rng.random() < share[1]) for _ in state.bonus),
        bombs=tuple(bool(rng.random() < 0.5) for _ in state.bombs),
        sheet=state.sheet,
    )


def random_shot(
    layout: Layout,
    rng: np.random.Generator,
    dice: random.Random,
    tier: str,
    long_side: int,
    held_out: bool,
    cut_off: bool = False,
    scramble: bool = False,
    worn_share: float = 0.0,
) -> Shot:
    """Any game by any hand on any art; ``held_out`` takes the writers that are never trained on.

    ``cut_off``: a part of the sheet is out of the picture. ``scramble``: see `scrambled`.
    ``worn_share``: of sheets that are `worn`, beside those that are anyway.
    """
    players, level = dice.randint(1, 4), dice.randint(1, 4)
    played = play_sheet(
        load_sheet(layout.name), dice, players, level, "solo" if players == 1 else "standard"
    )
    if scramble:
        played = replace(played, state=scrambled(played.state, rng, layout))
    blank = any_blank(layout, rng)
    if worn_share and rng.random() < worn_share:
        blank = replace(blank, image=worn(blank.image, rng))
    needed = layout.marked_area
    if cut_off:
        x, y = rng.uniform(0, 6), rng.uniform(0, 10)
        needed = Box(needed.left + x, needed.top + y, needed.left + x + 7, needed.top + y + 8)
    conditions = replace(camera.TIERS[tier], fill=(1.0, 1.5)) if cut_off else None
    hand = visible_hand(layout, blank, rng, held_out)
    return shoot(layout, blank, played, hand, rng, tier, long_side, needed, conditions)


def random_clutter_shot(layout: Layout, rng: np.random.Generator, tier: str, back: bool) -> Image:
    """A photo without a sheet's front: only a table, or the sheet's back."""
    conditions: camera.Conditions = camera.TIERS[tier]
    pose = camera.random_pose(
        rng, layout.page, layout.page, conditions, int(rng.integers(700, 1300))
    )
    table = table_for(rng, pose.size, "good")
    if back:
        scale = 30
        page = layout.page
        picture = render_overview(layout, rng, scale)
        x_scale, y_scale = picture.shape[1] / page.width, picture.shape[0] / page.height
        picture = cv2.resize(picture, None, fx=scale / x_scale, fy=scale / y_scale)
        points = camera.sheet_map(pose)
        origin = (-page.left * scale, -page.top * scale)
        image = camera.photograph(picture, origin, scale, table, pose, points, rng, conditions)
    else:
        image = camera.develop(cv2.resize(table, pose.size), rng, conditions)
    data = camera.compress(image, int(rng.integers(*conditions.quality)))
    return decoded(data)
