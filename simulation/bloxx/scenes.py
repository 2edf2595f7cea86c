"""The scenes of the fixtures: which game, hand, print and photo each shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from brikks_vision.rules.bloxx.referee import Rule
from simulation.bloxx.faults import one_fault
from simulation.bloxx.games import GameOf, any_game, long_game, nothing_yet
from simulation.bloxx.hands import bloxx_hand, faint_pencil, thick_felt, with_pen
from simulation.hand import Hand
from simulation.strokes import Pen

LONG_SIDE = 1500  # px
OWN_PRINT, OWN_PLACES, OTHER = "printed", "art", "another printing"
"""Sheets: the one that the project prints; its layout in random art; a random printing."""


# --- hands ---------------------------------------------------------------------------------------


def any_hand(rng: np.random.Generator) -> Hand:
    """A held-out writer with any pen, whose paper bears nothing but the game."""
    return replace(bloxx_hand(rng, held_out=True), outlines="all", strays=0.0)


def without_outlines(rng: np.random.Generator) -> Hand:
    return replace(any_hand(rng), outlines="none")


def hand_with(pen_of: Callable[[np.random.Generator], Pen], rng: np.random.Generator) -> Hand:
    """The same with a pen of that kind."""
    return with_pen(any_hand(rng), pen_of(rng))


def tidy_hand(rng: np.random.Generator) -> Hand:
    """A neat player with a dark blue gel pen."""
    hand = any_hand(rng)
    return replace(
        with_pen(hand, Pen((120, 45, 20), 0.075, 0.96, 0.0, False)),
        cross_size=0.66,
        cross_spread=0.04,
        wobble=0.4,
        outline_offset=0.02,
        doubled_strokes=0.0,
        ring_size=1.1,
        doubled_rings=0.0,
        looseness=0.05,
        circle_strike=replace(hand.circle_strike, kind="slash"),
    )


# --- the scenes ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """One photo of a sheet. ``facing``: where the sheet's top points in it; None leaves it free.

    sheet: one of the kinds above. printing: the seed of a random printing and its art.
    """

    file: str
    shows: str
    seed: int
    tier: str = "good"
    sheet: str = OWN_PRINT
    game: GameOf = any_game
    hand: Callable[[np.random.Generator], Hand] = any_hand
    facing: str | None = None
    printing: int = 0
    long_side: int = LONG_SIDE


def _fault_scene(rule: Rule, shows: str, seed: int, sheet: str = OWN_PRINT) -> Scene:
    return Scene(f"fault-{rule}.jpg", shows, seed, sheet=sheet, game=one_fault(rule))


SCENES = (
    Scene("scan-printed.jpg", "a flatbed scan of our printed sheet", 101, "scan", game=long_game),
    Scene("good-printed.jpg", "a good photo of our printed sheet", 111, game=long_game),
    Scene("hard-printed.jpg", "a hard photo of our printed sheet", 121, "hard"),
    Scene("good-art.jpg", "our sheet's places in another art", 112, sheet=OWN_PLACES),
    Scene("blank.jpg", "our printed sheet, on which nothing is marked", 131, game=nothing_yet),
    Scene("no-outlines.jpg", "crosses and circles without outlines", 133, game=long_game,
          hand=without_outlines),
    Scene("pencil.jpg", "a sheet filled with a faint pencil", 151, game=long_game,
          hand=partial(hand_with, faint_pencil)),
    Scene("felt-tip.jpg", "a sheet filled with a thick felt-tip", 152, game=long_game,
          hand=partial(hand_with, thick_felt)),
    Scene("other-blank.jpg", "an empty sheet of another printing", 161, sheet=OTHER,
          game=nothing_yet, printing=4),
    Scene("other-filled.jpg", "a sheet of that printing, filled", 162, sheet=OTHER, printing=4,
          game=long_game),
    Scene("other-blank-2.jpg", "an empty sheet of a third printing", 163, sheet=OTHER,
          game=nothing_yet, printing=24),
    Scene("other-filled-2.jpg", "a sheet of that printing, filled", 164, sheet=OTHER, printing=24),
    _fault_scene(Rule.NOT_A_SHAPE, "an outline around what no die shows", 201),
    _fault_scene(Rule.TWO_CIRCLES, "a shape with two circles", 202, OWN_PLACES),
    _fault_scene(Rule.WRONG_CIRCLE, "a circle in a wrong square of its shape", 203),
    _fault_scene(Rule.FLOATING, "a shape that touches no other", 204),
    _fault_scene(Rule.FIRST_SHAPE, "no shape on the bottom edge", 205, OWN_PLACES),
    _fault_scene(Rule.ORDER, "a shape that nobody can have entered", 206),
    _fault_scene(Rule.OPEN_GAP, "a gap that is not coloured in", 207, OWN_PLACES),
    _fault_scene(Rule.FALSE_GAP, "a coloured cell with nothing above it", 208),
    _fault_scene(Rule.STRAY_MARK, "a mark outside of every outline", 209),
    _fault_scene(Rule.ROW_BONUS, "a bonus for a row that is not complete", 210),
    _fault_scene(Rule.WRITTEN_TOTAL, "a wrong total", 211),
)  # fmt: skip
SAMPLES = (
    Scene("bloxx.jpg", "", 31, game=long_game, hand=tidy_hand, facing="up"),
    Scene("bloxx-open-gap.jpg", "", 22, game=one_fault(Rule.OPEN_GAP), hand=tidy_hand,
          facing="up"),
)  # fmt: skip
