"""Reads the marks of any field of any game: each place against what is printed there.

Of each place the network `patches` sees a patch of the photo, wider than the place, and beside it
a reference: what the photo would show if nothing were drawn there.

- Of a learnt sheet that is the patch of its blank, brought to the photo's blur, contrast and light.
- Else it is made of the other places of the same print on the same sheet, of those that look least
  marked: the median of the most similar ones.
- A place that has neither is read alone.

What each place tells by itself, a second network weighs with what all others of the sheet tell: a
ring is drawn as this hand draws its other rings, a bold line is bolder than the printed ones.

The print as a template draws it, the lightest of all places of the same print, and where the photo
is darker than the reference come beside them. Patches are as many places wide for every field, so
that one network serves large and small ones. An edge of the grid is a place like any other: its
patch shows the edge upright, and a bold line along it is a mark of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cache, lru_cache, partial, reduce
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Key, Marks
from brikks_vision.detect.networks import logit_factors, outputs_of, run_batch, run_next
from brikks_vision.detect.pen import median, products
from brikks_vision.detect.placement import Image, Placement, rectify_patches
from brikks_vision.detect.template import blank_picture, draw_template
from brikks_vision.layout import Field, Layout, Mark

# Set by hand where no source is named.
MAX_GAIN = 2.0  # times as light as another place of the same print on one sheet
MIN_TONE_STEP = 4.0  # grey levels between two at which the contrast of an empty sheet is matched

# The network was trained with these.
SIDE = 32  # px, side of a patch
REACH = 1.7  # sides of the place that a patch shows
BATCH = 64  # patches a pass: more need more memory
CONTEXT = "patches_context"
PLACE, EDGE, STRIKE = "place", "edge", "strike"  # names of the network's outputs
SIMILAR = 3  # places that make a reference
LIGHTEST_SHARE = 0.8  # quantile over the places of one print
BINS = 4  # each way, of a patch, for what is compared and matched
NEIGHBOURS = 9  # places over which the light of a blank is smoothed
TONES = 16  # grey levels at which the contrast of a blank is matched
BLURS = (0.6, 0.9, 1.3, 1.8, 2.5, 3.4)  # px of a patch, standard deviations
SAMPLED = 16  # patches at most, by which the blur is chosen, or the lightest taken

# axes of patches along which each view of them is flipped: two views, and the two in a mirror. The
# network learnt from flipped patches, so it errs in each of them by itself. On 93 photos of learnt
# sheets (seeds 55221, 91001, 91100, and 18 of another renderer) a cell's cross was read wrong in
# 0.35 % by one view, 0.26 % by two, 0.21 % by four
UPRIGHT, MIRRORED = ((), (1, 2)), ((1,), (2,))
SURE = 6.0  # log-odds; beyond them other views told the same of all marks of 12 photos (seed 4242)

Patches = NDArray[np.uint8]  # (N, SIDE, SIDE, channels)
Flips = tuple[tuple[int, ...], ...]
Array = NDArray[np.float32]


class Reference(IntEnum):
    """What a place is compared with; the value is the level of the network's last channel."""

    NONE = 0
    ALIKE = 128  # other places of the same print
    BLANK = 255


@dataclass(frozen=True, eq=False)
class Views:
    """What is seen of N places of one sheet.

    photo, reference: uint8 BGR (N, SIDE, SIDE, 3). lightest, template: uint8 (N, SIDE, SIDE, 1).
    kinds: `Reference` values, uint8 (N,).
    """

    photo: Patches
    reference: Patches
    lightest: Patches
    template: Patches
    kinds: NDArray[np.uint8]

    def some(self, chosen: NDArray[np.bool_]) -> Views:
        """Those of the places (N,) that are chosen."""
        parts = (self.photo, self.reference, self.lightest, self.template, self.kinds)
        return Views(*(part[chosen] for part in parts))


def see_beside(
    photo: Image,
    placement: Placement,
    layout: Layout,
    blank: Image | None = None,
    fields: tuple[Field, ...] = (),
) -> Views:
    """What is seen of all places of a sheet, or of some fields, beside what is printed there.

    Parameters
    ----------
    photo : uint8 BGR.
    placement : of the sheet in the photo.
    blank : the empty sheet, rectified: uint8 BGR of the whole page of the layout, at any number of
        pixels a cell, which is its width over the page's; see
        `brikks_vision.detect.placement.rectify`. None: it is not known.
    """
    fields = fields or readable_fields(layout)
    alone = see_places(photo, placement, layout, fields)
    if blank is None:
        return beside_alike(alone, fields)
    return beside_blank(alone, layout, fields, blank)


def read_views(views: Views, layout: Layout, flips: Flips = UPRIGHT) -> Marks:
    """The log-odds of all marks of all fields of a sheet, from what is seen of its places.

    Where the first view is not sure, they are the mean of what several views tell. ``flips`` : of
    each view, axes of the patches (1: upside down, 2: left to right).

    Returns the marks that `Field.marks` lists. Where a field knows no line and no fill, whatever
    crosses a place out is its cross: two strokes, one, or a scribble.
    """
    fields = readable_fields(layout)
    first, *others = flips
    edges, kinds = edges_of(fields), views.kinds
    told = patch_features(flipped(views, first))
    logits = logits_in_context(told, edges, kinds)
    beside = np.zeros(len(logits))
    if any({Mark.CROSS, Mark.LINE} <= {*field.marks} for field in fields):
        beside = beside_line(views)
    logits = np.column_stack([logits, beside])
    unsure = _least_sure(fields, logits) < SURE
    if others and unsure.any():
        again = [logits[unsure, :-1]]
        for axes in others:
            again_told = told.copy()
            again_told[unsure] = patch_features(flipped(views.some(unsure), axes))
            again.append(logits_in_context(again_told, edges, kinds)[unsure])
        logits[unsure, :-1] = np.mean(again, axis=0)
    found: dict[Key, NDArray[np.float64]] = {}
    for field, of_field in _by_field(fields, logits):
        for mark in readable_marks(field):
            found[field.name, mark] = mark_logits(field, mark, of_field).reshape(field.shape)
    return Marks(found)


def _by_field(
    fields: tuple[Field, ...], parts: NDArray[Any]
) -> Iterator[tuple[Field, NDArray[Any]]]:
    """What belongs to the places of each field, of what belongs to those of all."""
    ends = np.cumsum([len(field.centres) for field in fields])
    return zip(fields, np.split(parts, ends[:-1]), strict=True)


def _least_sure(fields: tuple[Field, ...], logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far the log-odds of a place's marks are from 0, of the least sure one, (N,)."""
    least = [
        np.min([np.abs(mark_logits(field, mark, of_field)) for mark in readable_marks(field)], 0)
        for field, of_field in _by_field(fields, logits)
    ]
    return np.concatenate(least)


def readable_marks(field: Field) -> tuple[str, ...]:
    """The marks of a field that are drawn by a pen; on a board there may be others."""
    return tuple(mark for mark in field.marks if mark in set(Mark))


def readable_fields(layout: Layout) -> tuple[Field, ...]:
    """The fields of a layout in which a pen can draw marks, in their order."""
    return tuple(field for field in layout.fields.values() if readable_marks(field))


def is_edge(field: Field) -> bool:
    """Is each place a line of the grid, without a width of its own?"""
    return min(field.size) == 0


def patch_pixels(field: Field) -> int:
    """Pixels per cell of a field's patches."""
    return max(1, round(SIDE / (REACH * max(field.size))))


def cut_patches(image: Image, placement: Placement, field: Field) -> Patches:
    """The rectified patches of a field: uint8 BGR (N, SIDE, SIDE, 3).

    Those of edges show them upright: for horizontal edges rows and columns are exchanged.
    """
    pixels = patch_pixels(field)
    patches = rectify_patches(image, placement, np.array(field.centres), SIDE, pixels)
    return _upright(patches, field)


def _upright(patches: Patches, field: Field) -> Patches:
    return np.swapaxes(patches, 1, 2) if is_edge(field) and field.size[1] == 0 else patches


@cache
def template_patches(layout: Layout, field_name: str) -> Patches:
    """What a template shows at each place of a field: uint8 (N, SIDE, SIDE, 1)."""
    field, area = layout.fields[field_name], layout.page
    pixels = patch_pixels(field)
    drawn = np.ascontiguousarray(draw_template(layout, area, pixels).max(axis=-1))
    middles = (np.array(field.centres) - (area.left, area.top)) * pixels - 0.5
    size = (SIDE, SIDE)
    patches = np.stack([cv2.getRectSubPix(drawn, size, (x, y)) for x, y in middles])
    patches = _upright(np.asarray(patches, np.uint8), field)[..., None]
    patches.setflags(write=False)
    return patches


def see_places(
    photo: Image, placement: Placement, layout: Layout, fields: tuple[Field, ...]
) -> Views:
    """What is seen of all places of some fields, field by field, without references."""
    patches = [cut_patches(photo, placement, field) for field in fields]
    lightest = [
        lightest_alike(each, field.prints) for each, field in zip(patches, fields, strict=True)
    ]
    templates = np.concatenate([template_patches(layout, field.name) for field in fields])
    seen = np.concatenate(patches)
    kinds = np.full(len(seen), Reference.NONE, np.uint8)
    return Views(seen, np.zeros_like(seen), np.concatenate(lightest), templates, kinds)


def beside_alike(views: Views, fields: tuple[Field, ...]) -> Views:
    """The same places with `alike_references`."""
    found = [
        alike_references(patches, field.prints) for field, patches in _by_field(fields, views.photo)
    ]
    references, kinds = (np.concatenate(part) for part in zip(*found, strict=True))
    return replace(views, reference=references, kinds=kinds)


def beside_blank(views: Views, layout: Layout, fields: tuple[Field, ...], blank: Image) -> Views:
    """The same places with the empty sheet's patches as references; see `see_beside`."""
    printed = [
        as_blurred(partial(_printed_patches, layout, field.name, blank), patches)
        for field, patches in _by_field(fields, views.photo)
    ]
    centres = np.concatenate([np.array(field.centres) for field in fields])
    references = as_lit(np.concatenate(printed), views.photo, centres)
    kinds = np.full(len(references), Reference.BLANK, np.uint8)
    return replace(views, reference=references, kinds=kinds)


def _printed_patches(layout: Layout, field_name: str, blank: Image, blur: float) -> Patches:
    """What an empty sheet, blurred, shows at the places of a field; ``blank`` of `see_beside`."""
    if blank is blank_picture(layout):
        return _patches_of_blank(layout, field_name, blur)
    patches = cut_patches(blank, page_placement(layout, blank), layout.fields[field_name])
    return _blurred(patches, blur) if blur else patches


@lru_cache(maxsize=128)
def _patches_of_blank(layout: Layout, field_name: str, blur: float) -> Patches:
    """The same of the layout's own empty sheet. Not to be changed."""
    if blur:
        return _blurred(_patches_of_blank(layout, field_name, 0.0), blur)
    blank = blank_picture(layout)
    assert blank is not None
    return cut_patches(blank, page_placement(layout, blank), layout.fields[field_name])


def flipped(views: Views, axes: tuple[int, ...]) -> Views:
    """The views with all pictures flipped along these axes."""
    if not axes:
        return views
    parts = (views.photo, views.reference, views.lightest, views.template)
    photo, reference, lightest, template = (
        np.ascontiguousarray(np.flip(part, axes)) for part in parts
    )
    return Views(photo, reference, lightest, template, views.kinds)


def page_placement(layout: Layout, blank: Image) -> Placement:
    """Where the sheet lies in a rectified picture of its page."""
    page = layout.page
    pixels = blank.shape[1] / page.width
    matrix = np.array(
        [[pixels, 0, -page.left * pixels - 0.5], [0, pixels, -page.top * pixels - 0.5], [0, 0, 1.0]]
    )
    return Placement(matrix, np.zeros((12, 2)), page, "page", 0.0)


def patch_features(views: Views) -> Array:
    """What the network tells of each place by itself: (N, features and uncalibrated log-odds)."""
    layers = network_layers(views)
    parts = [
        run_batch("patches", *(layer[start : start + BATCH] for layer in layers))
        for start in range(0, len(views.kinds), BATCH)
    ]
    return np.concatenate(parts)


def edges_of(fields: tuple[Field, ...]) -> NDArray[np.bool_]:
    """Which places of some fields are edges, (N,)."""
    return np.repeat([is_edge(field) for field in fields], [len(f.centres) for f in fields])


def logits_in_context(
    told: Array, edges: NDArray[np.bool_], kinds: NDArray[np.uint8]
) -> NDArray[np.float64]:
    """Calibrated log-odds (N, outputs), see `outputs_of`, of all places of one sheet together.

    ``told`` : as of `patch_features`. ``edges``, ``kinds`` : of the places, (N,); edges and other
    places are read apart from each other.
    """
    logits = np.zeros((len(told), len(logit_factors("patches")["none"])))
    for chosen in (edges, ~edges):
        if chosen.any():
            flags = edges[chosen, None].astype(np.float32)
            logits[chosen] = run_next(CONTEXT, np.hstack([told[chosen], flags]))
    factors = logit_factors("patches")
    for kind in Reference:
        logits[kinds == kind] *= factors[kind.name.lower()]
    return logits


def network_layers(views: Views) -> tuple[Patches, ...]:
    """The network's input: uint8 pictures (N, SIDE, SIDE, ...), to be laid on each other."""
    kinds = np.broadcast_to(views.kinds[:, None, None, None], views.lightest.shape)
    darker = darker_than(views.reference, views.photo)
    lighter = lighter_than(views.reference, views.photo)
    return views.photo, views.reference, views.lightest, views.template, kinds, darker, lighter


def darker_than(reference: Patches, photo: Patches) -> Patches:
    """How much darker the photo is than the reference nearby: uint8 (N, SIDE, SIDE, 1).

    Each pixel is compared with the darkest of nine of the reference, so that a reference that lies
    a pixel aside tells no ink; of the channels the one that differs most counts.
    """
    beside = reference.copy()
    np.minimum(beside[:, :, 1:], reference[:, :, :-1], out=beside[:, :, 1:])
    np.minimum(beside[:, :, :-1], reference[:, :, 1:], out=beside[:, :, :-1])
    darkest = beside.copy()
    np.minimum(darkest[:, 1:], beside[:, :-1], out=darkest[:, 1:])
    np.minimum(darkest[:, :-1], beside[:, 1:], out=darkest[:, :-1])
    darker = np.maximum(darkest, photo) - photo
    return _largest_channel(darker)


def lighter_than(reference: Patches, photo: Patches) -> Patches:
    """How much lighter the photo is than the reference nearby, as `darker_than`."""
    return darker_than(255 - reference, 255 - photo)


def _largest_channel(patches: Patches) -> Patches:
    blue, green, red = (patches[..., at : at + 1] for at in range(3))
    return np.asarray(np.maximum(np.maximum(blue, green), red), np.uint8)


def mark_logits(field: Field, mark: str, logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """The log-odds (N,) of one mark of a field, from all outputs and `beside_line`,
    (N, outputs + 1)."""
    outputs: Mapping[Key, int] = outputs_of("patches")
    if is_edge(field):
        return logits[:, outputs[EDGE, Mark.LINE]]
    if mark != Mark.CROSS:
        return logits[:, outputs[PLACE, mark]]
    if Mark.LINE in field.marks:
        return _crossed_or_circled(logits)
    if Mark.FILL not in field.marks:
        return logits[:, outputs[PLACE, STRIKE]]
    # a place that can be filled, too: one stroke or two cross it out, a scribble fills it
    either = (logits[:, outputs[PLACE, each]] for each in (Mark.CROSS, Mark.LINE))
    return np.asarray(np.maximum(*either), np.float64)


# log-odds that a stroke is no level line, of `beside_line`: a logistic fit to 227 slashes through
# numbers (12 photos, seed 73001) and 605 lines through what was passed over (81 others)
NO_LINE = 3.2, 1.7
MIDDLE = slice(6, 26)  # px of a patch, each way, that lie in its place
LINE_SLOPES = -0.2, -0.1, 0.0, 0.1, 0.2
LINE_HALF = 2.5  # px of a patch, half of the widest line
LEAST_INK = 12.0  # grey levels by which ink is darker
INK_SHARE, BESIDE_SHARE, LEAST_SHARE = 0.01, 0.003, 0.02  # that count everywhere: noise


def beside_line(views: Views) -> NDArray[np.float64]:
    """Log-odds (N,) of the share of ink that lies beside the best nearly horizontal line.

    A line through what is passed over leaves little beside it, a cross or a ring most.
    """
    ink = darker_than(views.reference, views.photo)[:, MIDDLE, MIDDLE, 0]
    ink = ink.reshape(len(ink), -1).astype(np.float32)
    level = max(LEAST_INK, float(np.quantile(np.quantile(ink, 0.97, axis=1), 0.9)))
    ink = np.minimum(ink / np.float32(level), 1)
    whole = ink.mean(axis=1)
    beside = whole - (ink @ _line_masks()).max(axis=1) / ink.shape[1]
    share = (beside + BESIDE_SHARE) / (whole + INK_SHARE)
    return np.asarray(np.log(share / np.maximum(1 - share, LEAST_SHARE)), np.float64)


@cache
def _line_masks() -> Array:
    """Nearly horizontal lines through the middle of a patch: (px, lines), 1 on the line."""
    side = MIDDLE.stop - MIDDLE.start
    y, x = np.mgrid[:side, :side]
    lines = [
        np.abs(y - at - slope * (x - side / 2)) <= LINE_HALF
        for slope in LINE_SLOPES
        for at in range(3, side - 3)
    ]
    return np.stack(lines, axis=-1).reshape(side * side, -1).astype(np.float32)


def _crossed_or_circled(logits: NDArray[np.float64]) -> NDArray[np.float64]:
    """Log-odds that a place is crossed or circled, where a line says that it was passed over.

    Some hands cross with one slanted stroke. Strokes that are not level count where they are more
    than crosses and rings.
    """
    outputs: Mapping[Key, int] = outputs_of("patches")
    cross, ring, strike = (
        logits[:, outputs[PLACE, each]] for each in (Mark.CROSS, Mark.RING, STRIKE)
    )
    weight, shift = NO_LINE
    crossed = np.logaddexp(cross, ring)
    slashed = np.minimum(strike, weight * logits[:, -1] + shift)
    if np.sum((slashed > 0) & (crossed < 0)) > np.sum(crossed > 0):
        crossed = np.maximum(crossed, slashed)
    return np.asarray(crossed, np.float64)


# log-odds; on 30 simulated photos (seeds 0 to 53) crosses had 3.6 and more, open boxes -3.0 and
# less; of 24 others (seeds 3000 to 3023, good and hard) all 43 crosses were read, none wrongly
PLAIN_SETTING = 3.0


def read_settings(image: Image, placement: Placement, layout: Layout) -> Mapping[str, int] | None:
    """The values of the crossed boxes, by the name of the setting; None if no boxes are printed.

    ``image`` : uint8 BGR, the photo. ``placement`` : of the sheet in it. A setting is left out
    unless one box is plainly crossed and all others are plainly open.
    """
    if not layout.settings:
        return None
    boxes = _boxes_of_settings(layout)
    marks = read_views(see_beside(image, placement, boxes), boxes)
    found = {}
    for name, field in layout.settings.items():
        crossed = marks[name, Mark.CROSS]
        if np.abs(crossed).min() >= PLAIN_SETTING and np.count_nonzero(crossed > 0) == 1:
            found[name] = field.values[int(crossed.argmax())]
    return found


@cache
def _boxes_of_settings(layout: Layout) -> Layout:
    """The sheet with the boxes of its settings as its only places."""
    return replace(layout, fields=layout.settings)


# --- references ------------------------------------------------------------------------------


def alike_references(
    patches: Patches, prints: tuple[int, ...]
) -> tuple[Patches, NDArray[np.uint8]]:
    """What is printed, as the other places of the same print tell it.

    Returns references (N, SIDE, SIDE, 3) and kinds (N,): `Reference.ALIKE`, or `NONE` for a place
    whose print no other bears; its picture is 0.
    """
    references = np.zeros_like(patches)
    kinds = np.full(len(patches), Reference.NONE, np.uint8)
    for members in _of_same_print(prints):
        references[members] = _most_alike(patches[members])
        kinds[members] = Reference.ALIKE
    return references, kinds


def lightest_alike(patches: Patches, prints: tuple[int, ...]) -> Patches:
    """How light each pixel is at the lightest places of the same print, in the light of each place.

    Returns (N, SIDE, SIDE, 1), 0 where no other place bears the same print.
    """
    lightest = np.zeros((*patches.shape[:3], 1), np.uint8)
    of_light = median(_binned(patches)[0], axis=1).mean(axis=1)[:, None, None]
    for members in _of_same_print(prints):
        lightest[members, ..., 0] = _lightest(patches[members], of_light[members])
    return lightest


def _of_same_print(prints: tuple[int, ...]) -> Iterator[NDArray[np.intp]]:
    """The places of each print that two or more bear."""
    groups = np.array(prints)
    for group in sorted(set(prints)):
        members = np.flatnonzero(groups == group)
        if len(members) > 1:
            yield members


def _binned(patches: Patches) -> tuple[Array, Array]:
    """Brightest and mean colours in coarse bins: float32 (N, BINS², 3), levels from 1."""
    count, half = len(patches), SIDE // 2
    step, flat = half // BINS, (count, BINS * BINS, 3)
    tall = np.ascontiguousarray(patches).reshape(-1, SIDE, 3).astype(np.float32)
    pairs = cv2.resize(tall, (half, count * half), interpolation=cv2.INTER_AREA)
    mean = cv2.resize(pairs, (BINS, count * BINS), interpolation=cv2.INTER_AREA)
    # one axis after the other: numpy is slow with several at once, and along short ones
    bins = pairs.reshape(count, BINS, step, BINS, step, 3)
    rows = reduce(np.maximum, (bins[:, :, at] for at in range(step)))
    brightest = reduce(np.maximum, (rows[:, :, :, at] for at in range(step)))
    return np.maximum(brightest, 1).reshape(flat), np.maximum(mean, 1).reshape(flat)


def _most_alike(patches: Patches) -> Patches:
    """References of two or more places of one print.

    A place is most like another whose ground has the same colours, and the better reference the
    less there is on that ground: marks are smaller than bins, so the ground is seen beside them.
    """
    count = len(patches)
    ground, mean = _binned(patches)
    level = median(ground, axis=1)[:, None]
    evenly = (ground / level).reshape(count, -1)
    lengths = (evenly**2).sum(axis=1)
    squared = lengths[:, None] + lengths - 2 * products(evenly, evenly)
    apart = np.sqrt(np.maximum(squared, 0) / evenly.shape[1])
    uneven = ((ground - mean) / level).mean(axis=(1, 2))
    unlike = apart + uneven
    np.fill_diagonal(unlike, np.inf)
    chosen = SIMILAR if count > SIMILAR else 1
    nearest = np.argsort(unlike, axis=1)[:, :chosen]
    gains = np.clip(level[:, None, 0] / level[nearest, 0], 1 / MAX_GAIN, MAX_GAIN)
    lit = patches[nearest] * gains[:, :, None, None]
    lit = np.minimum(lit, 255).astype(np.uint8)
    if chosen < SIMILAR:
        return np.asarray(lit[:, 0], np.uint8)
    a, b, c = lit[:, 0], lit[:, 1], lit[:, 2]
    return np.asarray(np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c)), np.uint8)


def _lightest(patches: Patches, of_light: Array) -> NDArray[np.uint8]:
    """`lightest_alike` of two or more places of one print, (N, SIDE, SIDE).

    ``of_light`` : how light the ground of each is, (N, 1, 1).
    """
    some = np.linspace(0, len(patches) - 1, min(len(patches), SAMPLED)).astype(int)
    at = int(np.ceil(LIGHTEST_SHARE * (len(some) - 1)))
    lightest = np.partition(_grey(patches[some]) / of_light[some], at, axis=0)[at]
    return np.asarray(np.minimum(lightest * of_light, 255), np.uint8)


def _grey(patches: Patches) -> Array:
    """The mean of the channels: float32 (N, SIDE, SIDE)."""
    wide = patches.astype(np.uint16)
    return np.asarray((wide[..., 0] + wide[..., 1] + wide[..., 2]) / np.float32(3), np.float32)


def _sharpness(patches: Patches) -> Array:
    """The mean absolute Laplacian of each patch (N,) over its mean level, whatever its light."""
    grey = _grey(patches)
    inner = grey[:, 1:-1, 1:-1]
    around = grey[:, :-2, 1:-1] + grey[:, 2:, 1:-1] + grey[:, 1:-1, :-2] + grey[:, 1:-1, 2:]
    unevenness = np.abs(4 * inner - around).mean(axis=(1, 2)) + 0.5
    return np.asarray(unevenness / (grey.mean(axis=(1, 2)) + 1), np.float32)


def as_blurred(printed: Callable[[float], Patches], patches: Patches) -> Patches:
    """Patches of a blank, blurred until they are about as sharp as the photo's (in the median).

    ``printed`` : them by how much they are blurred, px.
    """
    some = np.linspace(0, len(patches) - 1, min(len(patches), SAMPLED)).astype(int)
    wanted = _sharpness(patches[some])
    best, least = printed(0.0), np.inf
    for blur in (0.0, *BLURS):
        tried = printed(blur)
        excess = np.log(median(_sharpness(tried[some]) / wanted))
        if abs(excess) < least:
            best, least = tried, abs(excess)
        if excess < 0:
            break
    return best


def _blurred(patches: Patches, blur: float) -> Patches:
    """Each patch blurred for itself: all rows in one picture, then all columns."""
    side = 2 * int(np.ceil(3 * blur)) + 1
    for _ in range(2):
        rows = np.ascontiguousarray(patches).reshape(-1, SIDE, 3)
        soft = cv2.GaussianBlur(rows, (side, 1), blur, borderType=cv2.BORDER_REPLICATE)
        patches = np.swapaxes(np.asarray(soft, np.uint8).reshape(patches.shape), 1, 2)
    return np.ascontiguousarray(patches)


def as_lit(printed: Patches, patches: Patches, centres: NDArray[np.float64]) -> Patches:
    """Patches of a blank (N, SIDE, SIDE, 3) in the light and contrast of the photo's.

    The light is the median ratio in a patch, and of those in the median of its neighbours; then
    grey levels are mapped as the medians of both over the whole sheet say, so that neither marks
    nor single places count. ``centres`` : of the places, in cells.
    """
    # the brightest of each bin is paper beside the marks
    of_print, mean_of_print = _binned(printed)
    of_photo, mean_of_photo = _binned(patches)
    gains = median(of_photo / of_print, axis=1)
    x, y = centres.T
    away = (x[:, None] - x) ** 2 + (y[:, None] - y) ** 2
    count = min(NEIGHBOURS, len(centres))
    near = np.argpartition(away, count - 1, axis=1)[:, :count]
    gains = median(gains[near], axis=1)
    rows = printed.reshape(len(printed), SIDE, -1)
    of_rows = np.tile(gains.astype(np.float32), SIDE)[:, None]
    lit = np.minimum(rows * of_rows, 255).astype(np.uint8)
    # means, too, so that the darker print has levels to be mapped by
    before = np.concatenate([of_print, mean_of_print])
    before = np.minimum(before * np.concatenate([gains, gains])[:, None], 255)
    after = np.concatenate([of_photo, mean_of_photo])
    tables = [_tones(before[..., at].ravel(), after[..., at].ravel()) for at in range(3)]
    table = np.stack(tables, axis=-1)[None]
    return np.asarray(cv2.LUT(lit.reshape(1, -1, 3), table), np.uint8).reshape(printed.shape)


def _tones(before: Array, after: Array) -> NDArray[np.uint8]:
    """The table (256,) that maps grey levels as the medians of both in equal parts say."""
    order = np.argsort(before)
    parts = np.array_split(order, TONES)
    x = np.array([median(before[part]) for part in parts])
    y = np.array([median(after[part]) for part in parts])
    kept = [0]
    for at in range(1, len(x)):
        if x[at] - x[kept[-1]] >= MIN_TONE_STEP:
            kept.append(at)
    x, y = x[kept], np.maximum.accumulate(y[kept])
    # beyond the known levels the difference stays
    x = np.concatenate([[0.0], x, [255.0]])
    y = np.concatenate([[max(0.0, y[0] - x[1])], y, [y[-1] + 255 - x[-2]]])
    return np.asarray(np.clip(np.interp(np.arange(256), x, y), 0, 255), np.uint8)
