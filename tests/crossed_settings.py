"""Simulated photos of printed sheets on which a hand has crossed the level and the players."""

import random
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np

from brikks_vision.layout import load_layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.games import play_sheet
from simulation.brikks.photos import Shot, printed_blank, shoot
from simulation.hand import Hand, random_hand
from simulation.handwriting import load_writers, own_cross
from simulation.marks import Ink, draw_digits, strike_of_size
from simulation.paper.blank import BlankSheet
from simulation.strokes import Pen, print_ink

LAYOUT = load_layout("brikks-light")
BALL_PEN = Pen((120, 50, 30), 0.07, 0.9, 0.1, False, "ball", "blue")
LONG_SIDE = 1500


def plain_hand(rng: np.random.Generator, pen: Pen = BALL_PEN) -> Hand:
    """A hand with that pen that aims at the middle and leaves nothing stray."""
    hand = random_hand(rng, load_writers(held_out=True))
    return replace(
        hand, pen=pen, crosses=(own_cross(rng),), strays=0.0, skips=0.0, apart=0.0, looseness=0.05
    )


def crossed_shot(
    seed: int,
    crossed: Mapping[str, Iterable[int]],
    pen: Pen = BALL_PEN,
    tier: str = "good",
    words: Mapping[str, str] | None = None,
) -> Shot:
    """A photo of a sheet of a finished game of two at level 2, with these values crossed.

    ``words``: figures that stand in the fields for words, by name.
    """
    rng, dice = np.random.default_rng(seed), random.Random(seed)
    played = play_sheet(load_sheet(LAYOUT.name), dice, 2, 2, "standard")
    hand = plain_hand(rng, pen)
    blank = printed_blank(LAYOUT.name, "light", 110)
    ink = Ink(blank, hand.pen, rng)
    for name, values in crossed.items():
        field = LAYOUT.settings[name]
        for value in values:
            size = field.size[0] * rng.uniform(0.8, 1.2)
            strike_of_size(ink, hand, "cross", field.centres[field.values.index(value)], size)
    marked = inked_with(blank, ink, hand, rng)
    ink = Ink(marked, hand.pen, rng)
    for name, text in (words or {}).items():
        line = LAYOUT.words[name]
        draw_digits(ink, hand, text, line.middle, 0.6 * line.height)
    marked = inked_with(marked, ink, hand, rng)
    return shoot(LAYOUT, marked, played, hand, rng, tier, LONG_SIDE, LAYOUT.page)


def inked_with(blank: BlankSheet, ink: Ink, hand: Hand, rng: np.random.Generator) -> BlankSheet:
    return replace(
        blank, image=print_ink(blank.image, ink.density, hand.pen, blank.pixels_per_cell, rng)
    )
