"""Hands that play BLOXX!: faint pencils and thick felt-tips above all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from brikks_vision.layout import CELL, Layout
from simulation.bloxx.art import sheet_of
from simulation.bloxx.keys import BONUS
from simulation.hand import MAX_TRIES, MAX_ZIGZAG_PEN_WIDTH, Hand, random_hand, shows_at
from simulation.handwriting import load_writers
from simulation.paper.blank import BlankSheet
from simulation.real_ink import load_mattes
from simulation.strokes import Pen, random_pen

PENCIL_SHARE, FELT_SHARE = 0.35, 0.25
FELT_WIDTHS = 0.13, 0.24  # cells
MIN_CROSS = 3.2  # pen widths: a smaller cross of a thick pen is a blot


def faint_pencil(rng: np.random.Generator) -> Pen:
    """A hard or lightly held pencil."""
    grey = rng.uniform(60, 125)
    blue, green, red = (int(np.clip(grey + rng.normal(0, 4), 0, 255)) for _ in range(3))
    return Pen(
        (blue, green, red), rng.uniform(0.04, 0.11), rng.uniform(0.4, 0.8), rng.uniform(0.2, 0.7),
        True, "pencil", rough=rng.uniform(0.3, 1.0), unevenness=rng.uniform(0.02, 0.15),
    )  # fmt: skip


def thick_felt(rng: np.random.Generator) -> Pen:
    """A felt-tip as for colouring, in any of the usual colours."""
    while True:
        pen = random_pen(rng)
        if pen.kind == "felt":
            return replace(pen, width=float(rng.uniform(*FELT_WIDTHS)))


def bloxx_hand(rng: np.random.Generator, held_out: bool) -> Hand:
    """A player with any habits and a pen as this game is played with.

    ``held_out``: one of the writers that are never trained on.
    """
    hand = random_hand(rng, load_writers(held_out), load_mattes(held_out))
    kind = rng.random()
    if kind < PENCIL_SHARE:
        return with_pen(hand, faint_pencil(rng))
    if kind < PENCIL_SHARE + FELT_SHARE:
        return with_pen(hand, thick_felt(rng))
    return hand


def with_pen(hand: Hand, pen: Pen) -> Hand:
    """The same player with another pen, who crosses as large as it asks for."""
    strike = hand.circle_strike
    if strike.kind == "zigzag" and pen.width > MAX_ZIGZAG_PEN_WIDTH:
        strike = replace(strike, kind="slash")
    size = max(hand.cross_size, MIN_CROSS * pen.width)
    return replace(hand, pen=pen, circle_strike=strike, cross_size=size)


def visible_hand(
    layout: Layout, blank: BlankSheet, rng: np.random.Generator, held_out: bool
) -> Hand:
    """Any hand whose pen shows where this sheet is marked, unless none of 40 does."""
    spots = marked_spots(layout)
    hand = bloxx_hand(rng, held_out)
    for _ in range(MAX_TRIES):
        if shows_at(hand, blank, spots):
            break
        hand = bloxx_hand(rng, held_out)
    return hand


def marked_spots(layout: Layout) -> list[tuple[float, float]]:
    """Places of every kind of print that a player marks, in cells."""
    sheet = sheet_of(layout)
    colored = {row.row for row in sheet.colored_rows}
    plain = [row for row in range(sheet.rows) if row not in colored]
    cells = [(1.5, row + 0.5) for row in (*sorted(colored), *plain[:2])]
    numbered = [layout.fields[CELL].centres[n.row * sheet.columns + n.column]
                for n in sheet.numbers[:2]]  # fmt: skip
    figures = [field.centres[0] for field in layout.figures.values()]
    return [*cells, *numbered, *layout.fields[BONUS].centres, *figures]
