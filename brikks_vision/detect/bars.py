"""Reads the marks outside the grid, the bars, from high-resolution patches.

A ring drawn on its printed circle and a stroke of transparent ink over print only differ from the
print by comparison with the sheet's other places, and a stain or a glint only by the colour of the
pen (`brikks_vision.detect.pen`). So the network sees all patches of a sheet together
(`training.networks.Bars`): an encoder of each patch beside what is printed alike, a context head
that judges it beside the others, and a writer-adaptation head that compares each mark with this
hand's others: a stroke that follows its ring is recognised by how the player draws strokes
elsewhere.

The reader of the whole sheet (`brikks_vision.detect.marks`) sees the same marks at a lower
resolution with more context. It adds little to what this network tells, which is why the fast pass
goes without it.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Key
from brikks_vision.detect.networks import outputs_of, run_batch
from brikks_vision.detect.pen import Pen, ink_likeness
from brikks_vision.detect.placement import Image, Placement, Points, rectify_patches
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import Layout

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
