"""What is written or crossed in printed boxes: figures of the player, settings of the game.

A setting is the box that the player crossed in a row of printed ones. No network knows these boxes;
they are few and simple enough for shares of ink. Other printings have none, so nothing is read
unless the boxes' frames are seen in their places.
"""

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
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.detect.template import blank_picture
from brikks_vision.layout import Box, Field, Layout, Mark, Point

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


# Set by hand where no source is named.
SETTINGS_PIXELS = 32  # px per cell: a frame, the finest line here, is then more than a pixel wide
FRAME_REACH = 0.14  # cells on either side of a frame's line in which the frame must stand out
MAX_FRAME_SHIFT = 0.25  # cells by which curled paper moves a box from its expected place
# px, standard deviation of a blur of ink and frames, so that a line slightly out of place
# still correlates
FRAME_BLUR = 1.5
GRAIN_BLUR = 0.1  # cells, standard deviation of the blur that averages the paper's grain
# cells, side of the closing that estimates the paper: wider than any stroke and than a filled
# box, so that a shadow is not taken for ink
PAPER_REACH = 1.1
# mean correlation of a row of boxes with its frames; rows of boxes had 0.74 or more, places
# without boxes 0.41 or less (116 rows on simulated photos, tiers good and hard, all kinds of
# pens)
MIN_FRAMES = 0.55
# evidence of a crossed box, as a share of a box that is all black; from the same 116 rows
MIN_CROSSED = 0.08
MAX_OPEN = 0.03  # evidence of an open box; in the same 116 rows it was 0.029 at most
# cells, as `PAPER_REACH`, wider than strokes alone; and the least ink of strokes in a crossed box,
# as the shares above: 0.048 and more on simulated photos (seeds 40 to 75, good and hard, four
# pens), 0.013 where the shadow of a narrow thing fell into a box
STROKE_REACH, MIN_STROKES = 0.4, 0.03

Ink = NDArray[np.float32]


def read_settings(image: Image, placement: Placement, layout: Layout) -> Mapping[str, int] | None:
    """The values of the crossed boxes, by the name of the setting; None if no boxes are printed.

    ``image`` : uint8 BGR, the photo. ``placement`` : of the sheet in it. A setting is left out
    unless one box is clearly crossed and all others are clearly open.
    """
    seen = {}
    for name, field in layout.settings.items():
        found = ink_of_boxes(image, placement, layout, name)
        if found is not None:
            seen[name] = crossed_value(*found, field.values)
    if not seen:
        return None
    return {name: value for name, value in seen.items() if value is not None}


def crossed_value(
    shares: NDArray[np.float64], strokes: NDArray[np.float64], values: tuple[int, ...]
) -> int | None:
    """The value of the only crossed box; None unless it is clear which one that is.

    ``shares``, ``strokes`` : see `ink_of_boxes`.
    """
    crossed, is_open = (shares >= MIN_CROSSED) & (strokes >= MIN_STROKES), shares <= MAX_OPEN
    if crossed.sum() != 1 or is_open.sum() != len(shares) - 1:
        return None
    return values[int(crossed.argmax())]


def ink_of_boxes(
    image: Image, placement: Placement, layout: Layout, name: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """The ink in each box of a setting, and that of strokes alone; None where no frames are seen.

    Both (boxes,) from 0 to 1. The shadow of a narrow thing is wider than strokes.
    """
    field, around = layout.settings[name], FRAME_REACH + MAX_FRAME_SHIFT
    box = field.box
    # `rectify` is exact to the pixel if the sides are whole numbers of half cells.
    width, height = (np.ceil(2 * (side + 2 * around)) / 2 for side in (box.width, box.height))
    left, top = box.left - around, box.top - around
    area = Box(left, top, left + width, top + height)
    flat = rectify(image, placement, area, SETTINGS_PIXELS)
    ink, of_strokes = ink_of(flat), ink_of(flat, STROKE_REACH)
    frame, beside = _frame(layout, name)
    reach = round(2 * MAX_FRAME_SHIFT * SETTINGS_PIXELS)  # px, from the first to the last shift
    corners = [
        (
            round((x - field.size[0] / 2 - box.left) * SETTINGS_PIXELS),
            round((y - field.size[1] / 2 - box.top) * SETTINGS_PIXELS),
        )
        for x, y in field.centres
    ]
    rows, columns = frame.shape
    margin = round((2 * FRAME_REACH + _line_width(field) / 2) * SETTINGS_PIXELS)
    shares, likeness = [], []
    inside = slice(margin, rows - margin), slice(margin, columns - margin)
    for x, y in corners:  # one by one: curled paper moves them differently
        around_box = ink[y : y + rows + reach, x : x + columns + reach]
        found = _correlation(around_box, frame, beside)
        down, across = np.unravel_index(found.argmax(), found.shape)
        at = slice(y + down, y + down + rows), slice(x + across, x + across + columns)
        shares.append([float(each[at][inside].mean()) for each in (ink, of_strokes)])
        likeness.append(float(found[down, across]))
    # Ignore the least similar box: a thick pen may hide the frame of the box that it crosses.
    if np.mean(sorted(likeness)[1:]) < MIN_FRAMES:
        return None
    of_all, narrow = np.array(shares).T
    return of_all, narrow


def _correlation(
    ink: Ink, frame: NDArray[np.float32], beside: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Correlation (-1 to 1) of each part of the ink with the frame; 0 if the part is uniform."""
    found = cv2.matchTemplate(ink, frame, cv2.TM_CCOEFF_NORMED, mask=beside)
    return np.where(np.isfinite(found), np.clip(found, -1, 1), 0.0)


def ink_of(flat: Image, reach: float = PAPER_REACH) -> Ink:
    """How much darker than the paper around it each pixel is, 0 to 1, in its darkest channel.

    A closing keeps everything that is wider than ``reach``, cells: the paper, and shadows on it.
    The grain is averaged first, because a closing keeps the brightest pixels.
    """
    side = round(reach * SETTINGS_PIXELS)
    smooth = cv2.GaussianBlur(flat, (0, 0), GRAIN_BLUR * SETTINGS_PIXELS)
    paper = cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    soft = cv2.GaussianBlur(flat, (0, 0), FRAME_BLUR)
    darker = 1 - soft.astype(np.float32) / np.maximum(paper, 1)
    blue, green, red = cv2.split(darker)  # numpy is slow along an axis of length three
    return np.maximum(np.maximum(blue, green), red)


def _line_width(field: Field) -> float:
    return field.drawn[0]["line"]


@cache
def _frame(layout: Layout, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The printed frame of a box, and the mask in which it is searched: 0 to 1."""
    field = layout.settings[name]
    width, height = field.size
    columns, rows = (round((side + 2 * FRAME_REACH) * SETTINGS_PIXELS) for side in (width, height))
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    from_line = np.maximum(
        abs(x - (columns - 1) / 2) / SETTINGS_PIXELS - width / 2,
        abs(y - (rows - 1) / 2) / SETTINGS_PIXELS - height / 2,
    )
    line = (abs(from_line) <= _line_width(field) / 2).astype(np.float32)
    beside = (abs(from_line) <= FRAME_REACH).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(line, (0, 0), FRAME_BLUR), np.float32), beside
