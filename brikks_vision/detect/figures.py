"""What the player wrote in printed boxes, or on lines: figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import PHOTOS, Covered, added
from brikks_vision.detect.networks import run_batch
from brikks_vision.detect.placement import Image
from brikks_vision.detect.template import blank_picture
from brikks_vision.layout import Box, Layout, Mark, Point

# Set by hand where no source is named.
MIN_FIGURE_PROBABILITY = 1e-6  # probability below which the value of a figure is dropped
SURE_FIGURE = 0.98  # the probability from which one view of a figure is enough
# The network was trained with these.
VIEW_SIZE = (64, 32)  # px, width and height of a figure's view
# px by which further views lie aside: of 1,289 figures by hands not learnt from, the mean of
# three reads 17.7 % wrong, one alone 19.6
STEPS = (1.5, -1.5)
AROUND = 1.2  # of a box's sides, those of what its view shows
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


def figure_views(
    flat: Image, area: Box, centres: Sequence[Point], sizes: Sequence[tuple[float, float]],
    blank: Image | None, page: Box,
) -> NDArray[np.uint8]:  # fmt: skip
    """What the network sees of figures: (N, 32, 64, 7) uint8.

    BGR of the photo, BGR of the empty sheet, and whether that is known, 0 or 255. Each view shows
    the box of a figure, of whatever size, as large as it fits.

    ``flat`` : the sheet rectified, of which it shows ``area``. ``centres``, ``sizes`` : of the
    boxes, cells. ``blank`` : the empty sheet, rectified, of which it shows ``page``.
    """
    width, height = VIEW_SIZE
    views = np.zeros((len(centres), height, width, 7), np.uint8)
    for view, centre, size in zip(views, centres, sizes, strict=True):
        scale = _scale(size)
        view[..., :3] = _view(flat, area, centre, scale)
        if blank is not None:
            view[..., 3:6], view[..., 6] = _view(blank, page, centre, scale), 255
    return views


def _view(picture: Image, shown: Box, centre: Point, scale: float) -> Image:
    """A part of a rectified picture around a place, with ``scale`` px a cell."""
    pixels = picture.shape[1] / shown.width
    shrink = pixels / scale
    (width, height), (x, y) = VIEW_SIZE, centre
    # from px of the view to px of the picture, whose middles have whole coordinates
    left, top = (x - shown.left) * pixels - 0.5, (y - shown.top) * pixels - 0.5
    matrix = np.array(
        [
            [shrink, 0, left - shrink * (width - 1) / 2],
            [0, shrink, top - shrink * (height - 1) / 2],
        ]
    )
    part = cv2.warpAffine(
        picture, matrix, VIEW_SIZE, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(part, np.uint8)


def read_figures(flat: Image, layout: Layout) -> Figures:
    """Read all figures of a sheet; none where the layout has no places for them.

    ``flat`` : rectified `Layout.reading_area` at the reader's resolution, uint8 BGR.
    """
    fields = layout.figures.values()
    if not fields:
        return {}
    logits = _logits(flat, layout)
    ends = np.cumsum([len(field.centres) for field in fields]).tolist()
    return {
        field.name: tuple(
            _read(each, Mark.LINE in field.marks) for each in logits[end - len(field.centres) : end]
        )
        for field, end in zip(fields, ends, strict=True)
    }


def _logits(flat: Image, layout: Layout) -> NDArray[np.float32]:
    """The outputs for all figures, (N, `PLACES` * `CLASSES` + 1): the last is the sign."""
    fields, area = layout.figures.values(), layout.reading_area
    centres = tuple(centre for field in fields for centre in field.centres)
    sizes = [field.size for field in fields for _ in field.centres]
    blank = blank_picture(layout)

    def seen(step: float, some: Sequence[int]) -> NDArray[np.float32]:
        of_some = [sizes[at] for at in some]
        middles = _aside([centres[at] for at in some], of_some, step)
        views = figure_views(flat, area, middles, of_some, blank, layout.page)
        return run_batch("boxed_figures", views)

    told = seen(0.0, range(len(centres)))
    unsure = [at for at, each in enumerate(told) if _read(each, False).probability < SURE_FIGURE]
    if unsure:
        told[unsure] = np.mean([told[unsure], *(seen(step, unsure) for step in STEPS)], axis=0)
    return told


def _aside(
    centres: Sequence[Point], sizes: Sequence[tuple[float, float]], pixels: float
) -> list[Point]:
    """Places that lie so many px of a figure's view to the right."""
    return [(x + pixels / _scale(size), y) for (x, y), size in zip(centres, sizes, strict=True)]


def _scale(size: tuple[float, float]) -> float:
    """The px of a view for each cell of a box."""
    return min(side / (AROUND * of_box) for side, of_box in zip(VIEW_SIZE, size, strict=True))


def _read(logits: NDArray[np.float32], may_be_negative: bool) -> Figure:
    """The posterior of one figure, from the outputs for it."""
    figure = figure_of(logits[: PLACES * CLASSES].reshape(PLACES, CLASSES))
    return with_sign(figure, float(logits[-1])) if may_be_negative else figure


def with_sign(figure: Figure, log_odds: float) -> Figure:
    """The posterior of a figure before whose digits a minus sign stands, with these log-odds."""
    negative = 1 / (1 + np.exp(-log_odds))
    told: dict[int | None, float] = {}
    for value, chance in ((figure.value, figure.probability), *figure.others):
        for other, share in ((value, 1 - negative), (value and -value, negative)):
            told[other] = told.get(other, 0.0) + chance * float(share)
    (first, chance), *others = sorted(told.items(), key=lambda each: -each[1])
    kept = [(value, each) for value, each in others if each > MIN_FIGURE_PROBABILITY]
    return Figure(first, chance, tuple(kept))


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
    """The posterior of one figure, from the logits (places, classes) of its view."""
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
