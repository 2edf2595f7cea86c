"""Reads the figures that the player wrote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.fusion import PHOTOS, added
from brikks_vision.detect.marks import READER_PIXELS, Covered
from brikks_vision.detect.medians import median
from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image
from brikks_vision.layout import Box, Layout, Mark, Point

# Set by hand where no source is named.
MIN_FIGURE_PROBABILITY = 1e-6  # probability below which the value of a figure is dropped
FRAME = 0.12  # cells inside of a figure's box, left out because of its lines
MIN_INK = 20.0  # grey levels darker than the paper
INK_SHARE = 0.4  # of the way from the paper to the darkest ink
MIN_SIGN_RATIO = 1.7  # width over height of a minus sign
SIGN_WIDTHS = (0.15, 0.55)  # cells
SIGN_PLACES = (0.25, 0.8)  # of the box's height, where its middle stands
MIN_TALLER = 2.0  # height of the digits over that of the sign

# The network was trained with these.
FIGURE_SIZE = (40, 32)  # px at the reader's resolution, width and height of a figure's patch
PLACES = 3  # digits of a figure, right-aligned
NONE, DASH = 10, 11  # classes besides the digits; only the last place can be a dash
CLASSES = 12  # of one place


@dataclass(frozen=True)
class Figure:
    """The most probable value of a figure; None if nothing is written.

    probability : 0 to 1. others : other values with their probabilities, most probable first.
    """

    value: int | None
    probability: float
    others: tuple[tuple[int | None, float], ...] = ()


Figures = Mapping[str, tuple[Figure, ...]]
"""The figures of a sheet by the name of their places in the layout."""


def figure_patches(flat: Image, area: Box, centres: tuple[Point, ...]) -> list[Image]:
    """The patches (32, 40, 3) around figures in a rectified sheet at the reader's resolution.

    ``area`` : the part of the sheet that ``flat`` shows. ``centres`` : in cells.
    """
    width, height = FIGURE_SIZE
    patches = []
    for x, y in centres:
        left = round((x - area.left) * READER_PIXELS - width / 2)
        top = round((y - area.top) * READER_PIXELS - height / 2)
        patches.append(flat[top : top + height, left : left + width])
    return patches


def read_figures(flat: Image, layout: Layout) -> Figures:
    """Read all figures of a sheet; none where the layout has no places for them.

    ``flat`` : rectified `Layout.reading_area` at the reader's resolution, uint8 BGR.
    """
    fields = layout.figures.values()
    if not fields:
        return {}
    centres = tuple(centre for field in fields for centre in field.centres)
    patches = np.stack(figure_patches(flat, layout.reading_area, centres))
    sizes = [field.size for field in fields for _ in field.centres]
    signed = [Mark.LINE in field.marks for field in fields for _ in field.centres]
    bare = [
        without_minus(patch, size) if may_be else None
        for patch, size, may_be in zip(patches, sizes, signed, strict=True)
    ]
    patches = np.stack(
        [each if one is None else one for each, one in zip(patches, bare, strict=True)]
    )
    logits = run_batch("figures", patches).reshape(len(centres), PLACES, CLASSES)
    read = [
        figure_of(one) if each is None else _negative(figure_of(one))
        for one, each in zip(logits, bare, strict=True)
    ]
    ends = np.cumsum([len(field.centres) for field in fields]).tolist()
    return {
        field.name: tuple(read[end - len(field.centres) : end])
        for field, end in zip(fields, ends, strict=True)
    }


def without_minus(patch: Image, size: tuple[float, float]) -> Image | None:
    """The patch of a figure without the minus sign before its digits; None where it has none.

    A minus sign is a flat stroke at half height, apart from all other ink and left of it.

    ``patch`` : as of `figure_patches`. ``size`` : of the figure's box, cells.
    """
    height, width = patch.shape[:2]
    across, down = (round((side / 2 - FRAME) * READER_PIXELS) for side in size)
    top, left = max(0, height // 2 - down), max(0, width // 2 - across)
    grey = cv2.cvtColor(patch, cv2.COLOR_BGR2GRAY)[top : height - top, left : width - left]
    paper = float(median(grey.ravel()))
    ink = paper - grey > max(MIN_INK, INK_SHARE * (paper - float(grey.min())))
    _, labels, stats, middles = cv2.connectedComponentsWithStats(ink.astype(np.uint8))
    parts = [at for at in range(1, len(stats)) if stats[at, cv2.CC_STAT_AREA] > 2]
    if len(parts) < 2:
        return None
    sign, *others = sorted(parts, key=lambda at: int(stats[at, cv2.CC_STAT_LEFT]))
    x, _, wide, high, _ = stats[sign].tolist()
    narrowest, widest = (READER_PIXELS * each for each in SIGN_WIDTHS)
    is_flat = wide >= MIN_SIGN_RATIO * high and narrowest <= wide <= widest
    is_halfway = SIGN_PLACES[0] <= middles[sign][1] / len(grey) <= SIGN_PLACES[1]
    is_before = all(stats[at, cv2.CC_STAT_LEFT] >= x + wide - 1 for at in others)
    tallest = max(int(stats[at, cv2.CC_STAT_HEIGHT]) for at in others)
    if not (is_flat and is_halfway and is_before and tallest >= MIN_TALLER * high):
        return None
    bare = patch.copy()
    stroke = cv2.dilate((labels == sign).astype(np.uint8), np.ones((5, 3), np.uint8)) > 0
    inside = bare[top : height - top, left : width - left]
    inside[stroke] = median(inside[~ink])
    ends = [(stats[at, cv2.CC_STAT_LEFT], stats[at, cv2.CC_STAT_WIDTH]) for at in others]
    middle = (min(x for x, _ in ends) + max(x + w for x, w in ends)) / 2
    inside[:] = np.roll(inside, round(inside.shape[1] / 2 - middle), axis=1)
    return bare


def _negative(figure: Figure) -> Figure:
    others = tuple((value and -value, chance) for value, chance in figure.others)
    return Figure(figure.value and -figure.value, figure.probability, others)


def without_covered(figures: Figures, covered: Covered) -> Figures:
    """The figures; nothing is read where something hides their place."""
    return {
        name: tuple(
            Figure(None, 1.0) if hidden else figure
            for figure, hidden in zip(of_field, covered[name], strict=True)
        )
        if name in covered
        else of_field
        for name, of_field in figures.items()
    }


def added_figures(photos: Sequence[Figures], covered: Sequence[Covered]) -> Figures:
    """What several photos of the same sheet tell together of its figures.

    covered: in each photo. A figure that one of them hides is as the others show it.
    """
    return {
        name: tuple(
            _added([photo[name][place] for photo in shown] or [figure])
            for place, figure in enumerate(of_field)
            for shown in [
                [
                    photo
                    for photo, hidden in zip(photos, covered, strict=True)
                    if name in photo and not (name in hidden and hidden[name].ravel()[place])
                ]
            ]
        )
        for name, of_field in photos[0].items()
    }


def _added(figures: Sequence[Figure]) -> Figure:
    """One figure in several photos, at least one."""
    told = [{figure.value: figure.probability, **dict(figure.others)} for figure in figures]
    values = list(dict.fromkeys(value for each in told for value in each))
    logs = [
        np.log([max(each.get(value, 0.0), MIN_FIGURE_PROBABILITY) for value in values])
        for each in told
    ]
    together = added(logs, PHOTOS)
    likely = np.exp(together - np.logaddexp.reduce(together))
    ranked = [
        (values[entry], float(likely[entry]))
        for entry in np.argsort(-likely, kind="stable")
        if likely[entry] > MIN_FIGURE_PROBABILITY
    ]
    return Figure(*ranked[0], tuple(ranked[1:]))


def figure_of(logits: NDArray[np.float32]) -> Figure:
    """The posterior of one figure, from the logits (places, classes) of its patch."""
    odds = np.exp(logits - logits.max(axis=1, keepdims=True)).astype(np.float64)
    odds /= odds.sum(axis=1, keepdims=True)
    chances = odds[0]
    for place in odds[1:]:
        chances = np.multiply.outer(chances, place)
    entries, values = _figures()
    weights = np.bincount(entries, chances.ravel(), minlength=len(values) + 1)[:-1]
    if weights.sum() == 0:
        return Figure(None, 0.0)
    likely = weights / weights.sum()
    told = np.flatnonzero(likely > MIN_FIGURE_PROBABILITY)
    ranked = told[np.argsort(-likely[told], kind="stable")]
    first, *others = [(values[entry], float(likely[entry])) for entry in ranked]
    return Figure(*first, tuple(others))


@cache
def _figures() -> tuple[NDArray[np.int64], tuple[int | None, ...]]:
    """The index of the value of each combination of classes, in C order, and the values.

    Combinations that are no figure have the index after the last value.
    """
    values: dict[int | None, int] = {}
    combinations = list(product(range(CLASSES), repeat=PLACES))
    entries = [
        values.setdefault(_value(classes), len(values)) if _is_figure(classes) else -1
        for classes in combinations
    ]
    return np.array([entry % (len(values) + 1) for entry in entries]), tuple(values)


def _is_figure(classes: tuple[int, ...]) -> bool:
    """Whether blanks stand on the left only, and a dash alone."""
    written = [place for place in classes if place != NONE]
    return list(classes[len(classes) - len(written) :]) == written and (
        DASH not in written or len(written) == 1
    )


def _value(classes: tuple[int, ...]) -> int | None:
    digits = [0 if place == DASH else place for place in classes if place != NONE]
    return int("".join(map(str, digits))) if digits else None
