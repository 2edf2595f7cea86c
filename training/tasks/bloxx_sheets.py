"""Whole BLOXX! sheets, marked and photographed: places with the truth of each.

Any printing in any art, as the game's own simulation makes it, with a photo of the empty sheet that
it was learnt from. The places are cut out of the photo by the very functions that read a photo
(`brikks_vision.detect.patches`), from where a sheet is found, which is never quite where it lies.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.patches import is_edge, readable_fields
from brikks_vision.detect.placement import Placement, Points, apply_homography, bend_terms, rectify
from brikks_vision.layout import CELL, Field, Layout
from simulation.bloxx import keys
from simulation.bloxx.art import sheet_of
from simulation.bloxx.games import any_game
from simulation.bloxx.hands import visible_hand
from simulation.bloxx.photos import any_sheet, scrambled, shoot
from simulation.marks import Drawn
from simulation.paper.blank import BlankSheet
from simulation.paper.wear import worn
from simulation.photos import Photo, TruePlacement, take_photo
from training.tasks.small_sheets import OUTPUTS, TIER_SHARES, UNKNOWN, Places, places_in

TIERS = ("scan", "good", "hard")
LONG_SIDES = 750, 1600  # px, of the photos
SCRAMBLED_SHARE = 0.35  # of the sheets: marks that no game gives
WORN_SHARE = 0.1
BLANK_TIER_SHARES = (0.35, 0.55, 0.1)
BLANK_PIXELS = 20, 41  # per cell, of the learnt blank


@dataclass(frozen=True)
class RoughPlacement:
    """Where a sheet is found: beside its true place by an error that changes slowly over it.

    error, bend: as `Placement.homography` and `Placement.bend`, from cells to cells.
    """

    true: TruePlacement
    error: NDArray[np.float64]
    bend: NDArray[np.float64]
    layout: Layout

    def to_photo(self, points: Points) -> Points:
        off = bend_terms(points, self.layout.page) @ self.bend
        return self.true.to_photo(apply_homography(self.error, points + off))

    def scaled(self, factor: float) -> RoughPlacement:
        return replace(self, true=self.true.scaled(factor))

    def moved(self, x: float, y: float) -> RoughPlacement:
        return replace(self, true=self.true.moved(x, y))

    def cell_size(self) -> float:
        return self.true.cell_size()


def roughly(true: TruePlacement, layout: Layout, rng: np.random.Generator) -> Placement:
    """Off by some hundredths of a cell, mostly fewer."""
    off = abs(rng.normal(0, 0.035))
    error = np.eye(3)
    error[:2, 2] = rng.normal(0, 0.6 * off + 0.01, 2)
    error[:2, :2] += rng.normal(0, 0.1 * off, (2, 2))
    bend = rng.normal(0, 0.5 * off, (12, 2)) * np.repeat([1.0, 0.5, 0.3], [3, 4, 5])[:, None]
    rough = RoughPlacement(true, error, bend, layout)
    return rough  # type: ignore[return-value]  # it has all of a placement that is used here


def displaced(layout: Layout, rng: np.random.Generator) -> Layout:
    """The layout as learnt: the places beside the grid some hundredths of a cell off."""

    def of_field(field: Field) -> Field:
        if field.name == CELL or is_edge(field):
            return field
        off = np.array(field.centres) + rng.normal(0, 0.03, (len(field.centres), 2))
        return replace(field, centres=tuple((float(x), float(y)) for x, y in off))

    fields = {name: of_field(field) for name, field in layout.fields.items()}
    return replace(layout, fields=fields)


def marked_places(rng: np.random.Generator, held_out: bool, plain: bool = False) -> Places:
    """All places of one sheet, marked and photographed; edges in part.

    ``held_out``: by writers and real ink that are never trained on. ``plain``: marks as games give
    them, on a fresh print.
    """
    dice = random.Random(int(rng.integers(2**31)))
    layout, blank = any_sheet(rng)
    long_side = int(rng.integers(*LONG_SIDES))
    hand = visible_hand(layout, blank, rng, held_out)
    played = any_game(sheet_of(layout), dice)
    if not plain and rng.random() < SCRAMBLED_SHARE:
        played = replace(played, state=scrambled(played.state, rng))
    copy = blank
    if not plain and rng.random() < WORN_SHARE:
        copy = replace(blank, image=worn(blank.image, rng))
    tier = str(rng.choice(TIERS, p=TIER_SHARES))
    shot = shoot(layout, copy, played, hand, rng, tier, long_side, layout.marked_area)
    return places_of(
        shot, layout, blank, rng, long_side, lambda field: _labels_of(field, shot.marked.drawn)
    )


def places_of(
    shot: Photo, layout: Layout, blank: BlankSheet, rng: np.random.Generator, long_side: int,
    labels_of: Callable[[Field], NDArray[np.uint8]],
) -> Places:  # fmt: skip
    """All places of a photographed sheet, beside a photo of it, empty, that it was learnt from.

    ``labels_of`` : (places, `OUTPUTS`) of a field.
    """
    learnt = displaced(layout, rng)
    placement = roughly(shot.placement, layout, rng)
    tier = str(rng.choice(TIERS, p=BLANK_TIER_SHARES))
    empty = take_photo(blank.image, blank, layout.page, rng, tier, long_side, layout.page)
    pixels = int(rng.integers(*BLANK_PIXELS))
    picture = rectify(empty.image, roughly(empty.placement, layout, rng), layout.page, pixels)
    labels = np.concatenate([labels_of(field) for field in readable_fields(learnt)])
    return places_in(shot.image, placement, learnt, picture, labels, rng)


def _labels_of(field: Field, drawn: Drawn) -> NDArray[np.uint8]:
    """Labels (places, `OUTPUTS`) of a field."""
    count = len(field.centres)
    labels = np.full((count, len(OUTPUTS)), UNKNOWN, np.uint8)

    def tell(output: str, values: NDArray[np.float32]) -> None:
        known = np.where(values == 0.5, UNKNOWN, values > 0.5).ravel()
        labels[:, OUTPUTS.index(output)] = known

    if is_edge(field):
        lines = {key[0]: key for key in (keys.VERTICALS, keys.HORIZONTALS)}
        tell("edge", drawn[lines[field.name]])
        return labels
    if field.name == keys.BONUS:
        tell("ring", drawn[keys.CIRCLED])
        tell("strike", drawn[keys.STRUCK])
        for output in ("cross", "line", "fill"):  # a strike may be called any of these
            struck = drawn[keys.STRUCK].ravel() > 0
            labels[:, OUTPUTS.index(output)] = np.where(struck, UNKNOWN, 0)
        return labels
    tell("cross", drawn[keys.CROSSES])
    tell("ring", drawn[keys.CIRCLES])
    tell("fill", drawn[keys.GAPS])
    tell("line", np.zeros(count, np.float32))
    tell("strike", np.maximum(drawn[keys.CROSSES], drawn[keys.GAPS]))
    return labels
