"""The log-odds of all marks of a sheet: the networks that read them, and what they tell together.

A ring drawn on its printed circle and a stroke of transparent ink over print only differ from the
print by comparison with the sheet's other places, and a stain or a glint only by the colour of the
pen (`brikks_vision.detect.pen`). So the network of the bars sees all their patches together
(`training.networks.Bars`): an encoder of each patch beside what is printed alike, a context head
that judges it beside the others, and a writer-adaptation head that compares each mark with this
hand's others: a stroke that follows its ring is recognised by how the player draws strokes
elsewhere.

The fast pass reads the grid of a coarsely decoded photo with a small network, fully convolutional,
that tells the cells and their edges. Where the pipeline finds that not enough, other views of a
finer photo are added: the reader, which sees the whole sheet with more context, the bars in a
mirror, and each place beside the empty sheet, where that is known.

The sum is a logarithmic opinion pool (Genest and Zidek 1986): a weighted sum of what each view
tells. Views of one photo err alike; photos err together less.

Rings that would not show: that none is seen there is no evidence against one.

A player's ring lies mostly outside its printed circle. Where the ground there is about as dark as
the ink makes paper, a ring does not show. So a ring in the ink of this sheet, as the crosses show
it, is painted into the photo around each such circle, and read: what the network does not read as
a ring it would not have read there either (analysis by synthesis).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import (
    outputs_of,
    run_batch,
    run_network,
    sample,
    view_weights,
)
from brikks_vision.detect.pen import NOISE_LEVEL, Pen, ink_likeness, pen_of
from brikks_vision.detect.placement import Image, Placement, Points, rectify, rectify_patches
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import CELL, Box, Layout, Mark

Array = NDArray[np.float64]
Shared = float | Array
"""How much of what views tell is the same: of all places, or of each."""

PHOTOS = 0.5
"""``shared`` of photos of a sheet: of two, each counts 0.67 times. Measured on 40 sheets in hard
light, three photos each (seed 49): 78 % sure, none of them wrong; with 0.25 85 %, two wrong, with
0.75 72 %, none wrong. What a dark print hides it hides in all of them."""

OF_A_GAME = 0.75
"""Photos of one game are taken in one light, so that one fault stands in many: n photos count as
n to the power of 1 - OF_A_GAME."""


def added(
    logs: Sequence[Array], shared: Shared, shown: Sequence[NDArray[Any]] | None = None
) -> Array:
    """What several views tell together of each place.

    logs: of each view, of one shape. shared: how much of what they tell is the same, 0 (they are
    independent) to 1. shown: of each view and place, how much of the place it shows, 0 to 1, in a
    shape that broadcasts to that of the logs; None: all of it.
    """
    of_views = np.stack(logs)
    weights = np.ones(of_views.shape) if shown is None else np.broadcast_to(shown, of_views.shape)
    views = np.maximum(weights.sum(axis=0), 1.0)
    return np.asarray((weights * of_views).sum(axis=0) / (1 + shared * (views - 1)))


# The network was trained at this resolution and stride.
READER_PIXELS = 24  # px per cell
READER_STRIDE = 8  # px per output

Key = tuple[str, str]
"""A field of a layout and a mark that can stand in it."""

NO_SHARED: Mapping[Key, Shared] = {}

Covered = Mapping[str, NDArray[np.bool_]]
"""By field of a layout (of figures, too), in its shape: True where something hides the place.

Of a field that is missing nothing is hidden.
"""


@dataclass(frozen=True)
class Marks:
    """Log-odds (natural logarithm) of all marks, float64, by field and mark.

    Each array has the shape of its field. The log-odds of a ring are meaningless in a place that is
    crossed. covered: the places that something hides; their log-odds are 0, see `with_covered`.
    cancelled: those whose mark the player has cancelled; their log-odds are 0, too. least: of keys
    whose marks might not show, the least log-odds of each place, see `with_least`.
    """

    logits: Mapping[Key, NDArray[np.float64]]
    covered: Covered = dataclasses.field(default_factory=dict)
    least: Mapping[Key, NDArray[np.float64]] = dataclasses.field(default_factory=dict)
    cancelled: Covered = dataclasses.field(default_factory=dict)

    def __getitem__(self, key: Key) -> NDArray[np.float64]:
        return self.logits[key]

    def hidden(self, name: str, shape: tuple[int, ...]) -> NDArray[np.bool_]:
        """The covered places of a field of that shape."""
        return self.covered.get(name, np.zeros(shape, np.bool_))

    def with_logits(self, changed: Mapping[Key, NDArray[np.float64]]) -> Marks:
        """The marks with the log-odds of some keys replaced; what tells nothing stays at 0."""
        marks = replace(self, logits={**self.logits, **changed})
        return marks.with_covered(self.covered).with_cancelled(self.cancelled)

    def with_covered(self, covered: Covered) -> Marks:
        """The marks with exactly these places hidden; their log-odds become 0."""
        hidden = {name: places for name, places in covered.items() if places.any()}
        if not hidden and not self.covered:
            return self
        return replace(self, logits=self._without(hidden), covered=hidden)

    def with_cancelled(self, cancelled: Covered) -> Marks:
        """The marks with exactly these places cancelled; their log-odds become 0."""
        struck = {name: places for name, places in cancelled.items() if places.any()}
        if not struck and not self.cancelled:
            return self
        return replace(self, logits=self._without(struck), cancelled=struck)

    def _without(self, places: Covered) -> Mapping[Key, NDArray[np.float64]]:
        """The log-odds with 0 at these places."""
        return {
            (name, mark): np.where(places[name], 0.0, array) if name in places else array
            for (name, mark), array in self.logits.items()
        }

    def with_least(self, least: Mapping[Key, NDArray[np.float64]]) -> Marks:
        """The marks where that a mark is not seen tells no more against it than this.

        The closer look keeps it. least: log-odds, 0 or less.
        """
        raised = {key: np.maximum(self.logits[key], lowest) for key, lowest in least.items()}
        return replace(self, logits={**self.logits, **raised}, least=least)


def mark_keys(layout: Layout) -> tuple[Key, ...]:
    """All fields and marks of a layout, field by field."""
    return tuple((name, mark) for name, field in layout.fields.items() for mark in field.marks)


def mark_places(layout: Layout, network: str) -> Iterator[tuple[Key, Points, int, tuple[int, ...]]]:
    """For each key that a network reads: centres (N, 2) in cells, output, shape of the field."""
    outputs = outputs_of(network)
    for name, mark in mark_keys(layout):
        if (name, mark) in outputs:
            field = layout.fields[name]
            yield (name, mark), np.array(field.centres), outputs[name, mark], field.shape


def rectify_for_reading(image: Image, placement: Placement, layout: Layout) -> Image:
    """The reading area, rectified at the reader's resolution: uint8 BGR."""
    return rectify(image, placement, layout.reading_area, READER_PIXELS)


def read_marks(flat: Image, layout: Layout) -> Marks:
    """One forward pass over the rectified sheet, sampled at the centre of each mark.

    ``flat`` : see `rectify_for_reading`.
    """
    area = layout.reading_area
    maps = run_network("reader", flat, draw_template(layout, area, READER_PIXELS))
    step = READER_PIXELS / READER_STRIDE
    logits = {}
    for key, points, output, shape in mark_places(layout, "reader"):
        x = (points[:, 0] - area.left) * step - 0.5
        y = (points[:, 1] - area.top) * step - 0.5
        logits[key] = sample(maps[output : output + 1], x, y)[0].reshape(shape)
    return Marks(logits)


def added_marks(photos: Sequence[Marks], shared: Mapping[Key, Shared] = NO_SHARED) -> Marks:
    """What one or more photos of the same sheet in the same state tell together.

    A place is covered, or cancelled, if it is so in all of them. shared: see `added`; `PHOTOS`
    where nothing is said.
    """
    together = {}
    for key in photos[0].logits:
        logs = [each[key] for each in photos]
        shown = [~each.hidden(key[0], log.shape) for each, log in zip(photos, logs, strict=True)]
        together[key] = added(logs, shared.get(key, PHOTOS), shown)
    covered, cancelled = (
        {
            name: np.logical_and.reduce([each.get(name, np.zeros_like(places)) for each in some])
            for name, places in some[0].items()
        }
        for some in ([each.covered for each in photos], [each.cancelled for each in photos])
    )
    return Marks(together).with_covered(covered).with_cancelled(cancelled)


def either_covered(some: Covered, more: Covered) -> Covered:
    """The places that one or the other has."""
    return {
        **some,
        **{name: some[name] | places if name in some else places for name, places in more.items()},
    }


# The networks were trained at this resolution and size.
BARS_PIXELS = 36  # px per cell
PATCH_SIDE = 48  # px


def bar_centres(layout: Layout) -> Points:
    """Centres (N, 2) of the patches, in cells, field by field."""
    return np.concatenate([np.array(field.centres) for field in layout.places])


def bar_counts(layout: Layout) -> tuple[int, ...]:
    """The number of patches of each field, in order."""
    return tuple(len(field.centres) for field in layout.places)


@cache
def bar_templates(layout: Layout) -> NDArray[np.uint8]:
    """Drawn print of each patch, uint8 (N, PATCH_SIDE, PATCH_SIDE)."""
    area = layout.reading_area
    places = np.ascontiguousarray(draw_template(layout, area, BARS_PIXELS)[..., 1])
    corner = (area.left, area.top)
    middles = (bar_centres(layout) - corner) * BARS_PIXELS - 0.5
    size = (PATCH_SIDE, PATCH_SIDE)
    patches = [cv2.getRectSubPix(places, size, tuple(middle)) for middle in middles]
    templates = np.array(patches, np.uint8)
    templates.setflags(write=False)
    return templates


def rectify_bars(image: Image, placement: Placement, layout: Layout) -> NDArray[np.uint8]:
    """The rectified patches of the bars: uint8 BGR (P, PATCH_SIDE, PATCH_SIDE, 3)."""
    return np.concatenate(
        [
            rectify_patches(image, placement, np.array(field.centres), PATCH_SIDE, BARS_PIXELS)
            for field in layout.places
        ]
    )


def bar_logits(
    patches: NDArray[np.uint8], pen: Pen, layout: Layout, mirrored: tuple[int, ...] = ()
) -> dict[Key, NDArray[np.float64]]:
    """The log-odds of all marks outside the grid, by field and mark.

    Parameters
    ----------
    patches : see `rectify_bars`.
    mirrored : axes along which patches and print are flipped: 1 top to bottom, 2 left to right.
    """
    template = np.flip(bar_templates(layout)[..., None], mirrored)
    seen = np.flip(patches, mirrored)
    logits = run_batch("bars", seen, template, ink_likeness(seen, pen))
    return by_field(np.asarray(logits[0], np.float64), "bars", layout)


def by_field(
    logits: NDArray[np.float64], name: str, layout: Layout
) -> dict[Key, NDArray[np.float64]]:
    """The log-odds (P, outputs) of patches as a table by field and mark."""
    outputs = outputs_of(name)
    of_fields = np.split(logits, np.cumsum(bar_counts(layout))[:-1])
    return {
        (field.name, mark): of_field[:, outputs[field.name, mark]]
        for field, of_field in zip(layout.places, of_fields, strict=True)
        for mark in field.marks
    }


# Set by hand on 245 simulated photos (seeds 77001 and 77002).
RING_SIZE = 1.45  # diameters of the printed circle: of a large ring, which shows best
STROKE = 0.04  # cells, deviation of the painted stroke's density
# contrast of a ring's ink with its ground, relative to that with paper, from which on no ring is
# painted, which takes time: of places with more nearly all painted rings were read as rings
SHOWN = 0.5
# log-odds of a sheet's clearest ring from which on none is painted, which takes time: where no ring
# is read, that is then sure anyway. 8 of 12 sheets with dark grounds (seed 4820) have such a ring
CLEAR = 8.0
PRINTED_RING = "bold ring"  # what is drawn of a printed ring that counts as one


def least_of_rings(
    patches: NDArray[np.uint8],
    pen: Pen,
    read: Mapping[Key, NDArray[np.float64]],
    layout: Layout,
) -> dict[Key, NDArray[np.float64]]:
    """The least log-odds of rings that their not being seen can give, 0 or less, by field and mark.

    They are those of a painted ring's not being read, or of the clearest ring's of this sheet, if
    that is clearer: as well as that one shows, others would. Fields of which all rings would show
    are left out.

    Parameters
    ----------
    patches : as of `bar_logits`. pen : see `pen_of`.
    read : what `bar_logits` tells of the patches.
    """
    if np.isnan(pen).any():
        return {}
    ends = np.cumsum(bar_counts(layout))
    found: dict[Key, NDArray[np.float64]] = {}
    for field, end in zip(layout.places, ends, strict=True):
        key = field.name, Mark.RING
        if key not in read:
            continue
        of_field = np.arange(end - len(field.centres), end)
        width = field.size[0]
        faint = ring_contrast(patches[of_field], pen, width) < SHOWN
        if not faint.any():
            continue
        # Where a ring is printed, none is drawn: for such places alone none is painted.
        is_printed = np.array([PRINTED_RING in field.drawn[kind] for kind in field.prints])
        shown = np.where(faint, -np.inf, np.inf)
        crossed = read.get((field.name, Mark.CROSS), np.full(len(of_field), -np.inf))
        clearest = np.max(read[key][crossed < 0], initial=-np.inf)
        is_painted = clearest < CLEAR and (faint & ~is_printed).any()
        painted = np.flatnonzero(faint if is_painted else [])
        # Half of them at a time: the network compares places with each other.
        for half in (painted[::2], painted[1::2]) if len(painted) else ():
            tried = patches.copy()
            tried[of_field[half]] = with_ring(tried[of_field[half]], pen, width)
            shown[half] = bar_logits(tried, pen, layout)[key][half]
        found[key] = -np.logaddexp(0, np.maximum(shown, clearest))
    return found


def ring_contrast(patches: NDArray[np.uint8], pen: Pen, width: float) -> NDArray[np.float64]:
    """How much ink would change the ground of a ring, beside what it changes of paper: (N,).

    patches : uint8 BGR (N, PATCH_SIDE, PATCH_SIDE, 3). width : of the printed circle, cells.
    """
    paper, ink = pen
    taken = 1 - (ink + NOISE_LEVEL) / (paper + NOISE_LEVEL)
    away = _from_middle()
    around = (away > width / 2) & (away < RING_SIZE * width / 2)
    # numpy is slow along an axis of length three
    blue, green, red = (
        np.abs((patches[:, around, of] + NOISE_LEVEL) * taken[of]) for of in range(3)
    )
    change = np.maximum(np.maximum(blue, green), red).mean(axis=1)
    of_paper = float(np.abs(paper - ink).max())
    return np.asarray(change / max(of_paper, 1.0), np.float64)


def with_ring(patches: NDArray[np.uint8], pen: Pen, width: float) -> NDArray[np.uint8]:
    """The patches, uint8 BGR (N, PATCH_SIDE, PATCH_SIDE, 3), each with a ring in the pen's ink.

    The ink takes the same share of the light as on paper. ``width``: of the printed circle, cells.
    """
    paper, ink = pen
    density = np.exp(-(((_from_middle() - RING_SIZE * width / 2) / STROKE) ** 2) / 2)
    passed = np.log((ink + NOISE_LEVEL) / (paper + NOISE_LEVEL))
    inked = (patches + NOISE_LEVEL) * np.exp(density[..., None] * passed) - NOISE_LEVEL
    return np.asarray(np.clip(inked, 0, 255), np.uint8)


@cache
def _from_middle() -> NDArray[np.float64]:
    """The distance of each pixel of a patch from its middle, in cells."""
    across = (np.arange(PATCH_SIDE) - (PATCH_SIDE - 1) / 2) / BARS_PIXELS
    away = np.hypot(across, across[:, None])
    away.setflags(write=False)
    return np.asarray(away, np.float64)


# The networks were trained with these.
FAST_PIXELS = 16  # px per cell
FAST_STRIDE = 8  # px per output: outputs fall on the centres of cells and on those of their edges
LEFT_TO_RIGHT = (2,)  # axes of the bars in a mirror, see `bar_logits`
BESIDE_GRID = 1.25  # cells around the grid in the input; with it an output falls on each node


def fast_marks(flat: Image, patches: NDArray[np.uint8], layout: Layout) -> Marks:
    """Read all marks of a sheet.

    flat : see `rectify_for_reading`. patches : see `rectify_bars`.
    """
    on_grid = _read_grid(flat, layout)
    pen = pen_of(flat, on_grid[CELL, Mark.CROSS], layout)
    of_bars = bar_logits(patches, pen, layout)
    least = least_of_rings(patches, pen, of_bars, layout)
    return Marks({**on_grid, **of_bars}).with_least(least)


def closer_marks(
    flat: Image, patches: NDArray[np.uint8], layout: Layout, beside: Marks | None
) -> Marks:
    """The weighted sums of what the views of a closer look tell, see `view_weights`.

    Networks trained at different resolutions and on different samples make different errors. How
    one reads a doubtful mark depends on how the pixels fall, too, so the bars are also seen in a
    mirror (test-time augmentation: Krizhevsky, Sutskever and Hinton 2012).

    flat, patches : as of `fast_marks`. beside : each place beside the empty sheet, where that is
    known: thick dark lines, or rings that look drawn, may be print.
    """
    fast = fast_marks(flat, patches, layout)
    pen = pen_of(flat, fast[CELL, Mark.CROSS], layout)
    mirrored = bar_logits(patches, pen, layout, LEFT_TO_RIGHT)
    of_blank = {} if beside is None else beside.logits
    views = (fast.logits, mirrored, read_marks(flat, layout).logits, of_blank)
    together = {
        key: np.asarray(sum(by * view.get(key, 0) for by, view in zip(weights, views, strict=True)))
        for key, weights in view_weights().items()
    }
    return Marks(together).with_least(fast.least)


def _read_grid(flat: Image, layout: Layout) -> dict[Key, NDArray[np.float64]]:
    """Log-odds of the cells and their edges, by field and mark."""
    area = fast_area(layout)
    template = draw_template(layout, area, FAST_PIXELS)
    maps = run_network("fast_reader", grid_view(flat, layout), template)
    logits = {}
    for key, points, output, shape in mark_places(layout, "fast_reader"):
        rows, columns = fast_places(points, area).T
        logits[key] = maps[output, rows, columns].astype(np.float64).reshape(shape)
    return logits


def fast_area(layout: Layout) -> Box:
    """The grid with a margin, in cells."""
    box = layout.grid.box
    return Box(
        box.left - BESIDE_GRID,
        box.top - BESIDE_GRID,
        box.right + BESIDE_GRID,
        box.bottom + BESIDE_GRID,
    )


def fast_places(points: Points, area: Box) -> NDArray[np.int64]:
    """Rows and columns (N, 2) of the network's output at sheet points (N, 2), in cells."""
    step = FAST_STRIDE / FAST_PIXELS
    places = (points - (area.left, area.top)) / step - 0.5
    return np.round(places[:, ::-1]).astype(np.int64)


def grid_view(flat: Image, layout: Layout) -> Image:
    """The `fast_area` at `FAST_PIXELS`, from what `rectify_for_reading` returns."""
    area, whole = fast_area(layout), layout.reading_area
    left = round((area.left - whole.left) * READER_PIXELS)
    top = round((area.top - whole.top) * READER_PIXELS)
    width, height = round(area.width * READER_PIXELS), round(area.height * READER_PIXELS)
    size = round(area.width * FAST_PIXELS), round(area.height * FAST_PIXELS)
    part = flat[top : top + height, left : left + width]
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)
