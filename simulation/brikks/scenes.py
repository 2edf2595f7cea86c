"""The scenes of the fixtures: which game, hand, print and photo each shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from brikks_vision.layout import Layout
from brikks_vision.rules.brikks.blocks import blank_sheet
from brikks_vision.rules.brikks.placement import Rule
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.sheet import Sheet
from simulation.brikks.art import render_blank
from simulation.brikks.faults import Game, one_fault
from simulation.brikks.games import PlayedSheet, play_sheet
from simulation.brikks.notation import read_sheet
from simulation.brikks.photos import Shot, printed_blank
from simulation.files import as_heic, as_jpeg, as_png, as_turned_jpeg, as_webp
from simulation.hand import Hand, random_hand
from simulation.handwriting import load_writers
from simulation.paper.blank import BlankSheet
from simulation.strokes import Pen

WORKED_EXAMPLE = """
.x......x.
xx.xxxxxxx
x.xxxxx..x
xxxxxxxxxx
xx.xxxxxxx
xxx.xxxxxx
xxxxxxxxxx
xxxxxxxxxx
xxxxxxxxxx
xxxxxxxxxx
xxxxxxxxxx
energy xxxxxxxxxxxxxxxxxxxxxxxxoo
extra  xxxxxx
bombs  xx
"""
"""The publisher's own example: rows 47, extra points 21, bombs 4, energy 1, total 73."""
LONG_SIDE = 1800  # px


# --- what is on the sheet ------------------------------------------------------------------------


def any_game(sheet: Sheet, dice: random.Random) -> PlayedSheet:
    """Any game, from one just begun to a full grid."""
    players, level = dice.randint(1, 4), dice.randint(1, 4)
    return play_sheet(sheet, dice, players, level, "solo" if players == 1 else "standard")


def long_game(sheet: Sheet, dice: random.Random) -> PlayedSheet:
    """A good player's game of two to four at the basic level, with extra crosses and bombs used."""
    while True:
        played = play_sheet(sheet, dice, dice.randint(2, 4), 2)
        state = played.state
        if score(state).total >= 65 and 2 <= sum(state.bonus) <= 10 and any(state.bombs):
            return played


def nothing_yet(sheet: Sheet, dice: random.Random) -> PlayedSheet:
    """A sheet as printed."""
    return PlayedSheet(blank_sheet(sheet), (), 4, 2, "standard")


def worked_example(sheet: Sheet, dice: random.Random) -> PlayedSheet:
    return PlayedSheet(read_sheet(WORKED_EXAMPLE, sheet), (), 4, 2, "standard")


# --- the hand and the paper ----------------------------------------------------------------------


def any_hand(rng: np.random.Generator) -> Hand:
    """A held-out writer with any pen, whose paper bears nothing but the game."""
    return replace(random_hand(rng, load_writers(held_out=True)), outlines="all", strays=0.0)


def without_outlines(rng: np.random.Generator) -> Hand:
    return replace(any_hand(rng), outlines="none")


def tidy_hand(rng: np.random.Generator) -> Hand:
    """A neat player with a dark blue gel pen."""
    hand = any_hand(rng)
    return replace(
        hand,
        pen=Pen((120, 45, 20), 0.085, 0.96, 0.0, False),
        cross_size=0.72,
        cross_spread=0.04,
        wobble=0.4,
        outline_offset=0.02,
        doubled_strokes=0.0,
        ring_size=1.25,
        doubled_rings=0.0,
        looseness=0.05,
        circle_strike=replace(hand.circle_strike, kind="cross"),
        writes_rows=True,
        writes_total=True,
    )


def blank_of(sheet: str, layout: Layout, rng: np.random.Generator) -> BlankSheet:
    """``sheet``: "light" or "arcade" (the project's own), or "random art"."""
    if sheet == "random art":
        return render_blank(layout, rng, pixels_per_cell=40)
    return printed_blank(layout.name, sheet, 110)


# --- the scenes ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Scene:
    """One photo of a sheet. ``facing``: where the sheet's top points in it; None leaves it free."""

    file: str
    shows: str
    seed: int
    tier: str = "good"
    sheet: str = "random art"
    game: Game = any_game
    hand: Callable[[np.random.Generator], Hand] = any_hand
    facing: str | None = None
    save: Callable[[Shot], bytes] = as_jpeg
    long_side: int = LONG_SIDE
    ink_left: float = 0.0  # of a cross that was rubbed out


@dataclass(frozen=True)
class SeveralScene:
    """One photo of the sheets of several players, side by side."""

    file: str
    shows: str
    seed: int
    sheets: int
    sheet: str = "random art"
    hand: Callable[[np.random.Generator], Hand] = any_hand
    upside_down: float = 0.0
    tier: str = "good"
    long_side: int = 2200


def _fault_scene(rule: Rule, shows: str, seed: int, sheet: str = "random art") -> Scene:
    return Scene(f"fault-{rule}.jpg", shows, seed, sheet=sheet, game=one_fault(rule))


SCENES = (
    Scene("scan-art.jpg", "a flatbed scan", 101, tier="scan"),
    Scene("scan-art-2.jpg", "a flatbed scan", 102, tier="scan"),
    Scene("scan-printed.jpg", "a flatbed scan of our printed sheet", 103, tier="scan",
          sheet="light", game=long_game),
    Scene("good-art.jpg", "a good photo", 111),
    Scene("good-art-2.jpg", "a good photo of a long game", 112, game=long_game),
    Scene("good-arcade.jpg", "a good photo of our dark sheet", 113, sheet="arcade"),
    Scene("good-printed.jpg", "a good photo of our printed sheet", 114, sheet="light"),
    Scene("hard-art.jpg", "a hard photo", 121, tier="hard"),
    Scene("hard-arcade.jpg", "a hard photo of our dark sheet", 122, tier="hard", sheet="arcade"),
    Scene("hard-printed.jpg", "a hard photo of our printed sheet", 123, tier="hard",
          sheet="light", game=long_game),
    Scene("blank.jpg", "a sheet on which nothing is marked", 131, game=nothing_yet),
    Scene("worked-example.jpg", "the publisher's worked example", 132, sheet="arcade",
          game=worked_example, hand=without_outlines),
    Scene("no-outlines.jpg", "crosses without outlines of blocks", 133, game=long_game,
          hand=without_outlines),
    Scene("rubbed-out.jpg", "a cross that is rubbed out", 136, sheet="arcade", game=long_game,
          hand=without_outlines, ink_left=0.18),
    Scene("rubbed-out-2.jpg", "a cross that is rubbed out", 139, game=long_game,
          hand=without_outlines, ink_left=0.18),
    Scene("small.jpg", "a small photo of a cross that is rubbed out", 160, game=long_game,
          hand=without_outlines, ink_left=0.2, long_side=620),
    Scene("small-2.jpg", "a small photo of a cross that is rubbed out", 163, game=long_game,
          hand=without_outlines, ink_left=0.2, long_side=620),
    Scene("landscape.jpg", "a sheet that lies on its side", 141, facing="right"),
    Scene("upside-down.jpg", "a sheet upside down", 142, facing="down", sheet="arcade"),
    Scene("exif.jpg", "a photo that its EXIF orientation turns upright", 143, facing="up",
          save=as_turned_jpeg),
    Scene("picture.png", "a scan saved as PNG", 144, tier="scan", sheet="light", save=as_png,
          long_side=1100),
    Scene("picture.webp", "a photo saved as WebP", 145, save=as_webp),
    Scene("picture.heic", "a photo saved as HEIC", 146, sheet="light", save=as_heic),
    _fault_scene(Rule.FLOATING, "a block that rests on nothing", 201, "light"),
    _fault_scene(Rule.NOT_A_BLOCK, "outlined cells that are no block", 202, "arcade"),
    _fault_scene(Rule.STRAY_MARK, "a cross outside of every block", 203),
    _fault_scene(Rule.ENERGY_COUNT, "two energy points too many", 204, "light"),
    _fault_scene(Rule.ENERGY_ORDER, "an energy point left out", 205, "light"),
    _fault_scene(Rule.BONUS_COUNT, "three extra crosses too many", 206, "arcade"),
    _fault_scene(Rule.BONUS_ORDER, "a box of the extra points left out", 207),
    _fault_scene(Rule.BOMB_ORDER, "the second bomb used before the first", 208),
)  # fmt: skip
SEVERAL = (
    SeveralScene("two-sheets.jpg", "two sheets side by side", 301, 2, "arcade", tidy_hand),
    SeveralScene("three-sheets.jpg", "three sheets, some upside down", 302, 3, upside_down=0.5),
    SeveralScene("same-markers.jpg", "two pages that bear the same markers", 303, 2, "light"),
)
SAMPLES = (
    Scene("arcade.jpg", "", 21, sheet="arcade", game=long_game, hand=tidy_hand, facing="up"),
    Scene("printed.jpg", "", 24, sheet="light", game=long_game, hand=tidy_hand, facing="up"),
    Scene("floating-block.jpg", "", 22, sheet="arcade", game=one_fault(Rule.FLOATING),
          hand=tidy_hand, facing="up"),
)  # fmt: skip
