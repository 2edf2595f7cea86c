"""Reads the marks outside the grid, the bars, from high-resolution patches.

A ring drawn on its printed circle and a stroke of transparent ink over print only differ from the
print by comparison with the sheet's other places, and a stain or a glint only by the colour of the
pen (`brikks_vision.detect.pen`). Five networks run in turn:

1. ``stem`` computes feature maps of each patch.
2. ``print`` estimates what is printed from the mean, minimum and maximum of the maps over all
   patches with the same print. The estimate is added to the maps.
3. ``features`` reduces the maps of each patch to a vector.
4. ``judge`` sees each vector beside the mean, minimum and maximum over patches with the same print,
   and the mean over all patches.
5. ``hand`` sees each first result beside this player's other marks (`beside_others`): a stroke that
   follows its ring is recognised by how the player draws strokes elsewhere.

The reader of the whole sheet (`brikks_vision.detect.marks`) sees the same marks at a lower
resolution with more context. `training.calibrate` weights both, so that their log-odds add up.
"""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Key, Marks
from brikks_vision.detect.networks import outputs_of, run_batch, run_next
from brikks_vision.detect.pen import Pen, ink_likeness
from brikks_vision.detect.placement import Image, Placement, Points, rectify_patches
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import Layout, Mark

# The networks were trained at this resolution and size.
BARS_PIXELS = 36  # px per cell
PATCH_SIDE = 48  # px
PRIOR_WEIGHT = 0.5  # marks; pulls the mean of few marks towards 0


def bar_centres(layout: Layout) -> Points:
    """Centres (N, 2) of the patches, in cells, field by field."""
    return np.concatenate([np.array(field.centres) for field in layout.places])


def bar_counts(layout: Layout) -> tuple[int, ...]:
    """The number of patches of each field, in order."""
    return tuple(len(field.centres) for field in layout.places)


@cache
def bar_groups(layout: Layout) -> NDArray[np.int64]:
    """Group numbers (N,) from 0; patches with the same print have the same number."""
    kinds = [(at, kind) for at, field in enumerate(layout.places) for kind in field.prints]
    _, groups = np.unique(kinds, axis=0, return_inverse=True)
    groups = groups.reshape(-1)
    groups.setflags(write=False)
    return groups


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


def of_groups(values: NDArray[np.float32], groups: NDArray[np.int64]) -> NDArray[np.float32]:
    """Mean, minimum and maximum over each group of patches: (P, C, ...) to (G, 3 C, ...).

    ``groups`` : (P,) numbers from 0.
    """
    contexts = []
    for group in range(groups.max() + 1):
        alike = values[groups == group]
        contexts.append(np.concatenate([alike.mean(axis=0), alike.min(axis=0), alike.max(axis=0)]))
    return np.stack(contexts)


def beside_others(
    judged: NDArray[np.float32],
    counts: tuple[int, ...],
    crosses: tuple[int, ...],
    rings: tuple[int | None, ...],
    outputs: int,
) -> NDArray[np.float32]:
    """Each patch beside the others of its field: the crossed, the ringed and the open ones.

    Parameters
    ----------
    judged : (P, outputs + L) logits and a vector by which marks are compared.
    counts : number of patches of each field.
    crosses, rings : each field's output for crosses and for rings; None if it has no rings.

    Returns
    -------
    float32 (P, outputs + 7 L + 3): ``judged``; the mean vector of the others of each kind, weighted
    by the probability of the kind and shrunk towards 0 if they are few; the absolute differences
    from these means; the expected number N of each kind, as N / (N + 1).
    """
    logits, look = np.split(judged, [outputs], axis=1)
    likely = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    kind = np.repeat(np.arange(len(counts)), counts)
    crossed = likely[np.arange(len(kind)), np.array(crosses)[kind]]
    ring = np.concatenate(
        [
            np.zeros(count, likely.dtype) if at is None else likely[kind == field, at]
            for field, (count, at) in enumerate(zip(counts, rings, strict=True))
        ]
    )
    shares = np.stack([crossed, (1 - crossed) * ring, (1 - crossed) * (1 - ring)], axis=1)
    weighted = shares[..., None] * look[:, None]
    same = (kind[:, None] == kind) & ~np.eye(len(kind), dtype=np.bool_)
    weights = same @ shares
    mean = np.einsum("pq,qsl->psl", same, weighted) / (weights[..., None] + PRIOR_WEIGHT)
    away = np.abs(mean - look[:, None])
    rows = [each.reshape(len(judged), -1) for each in (mean, away)]
    return np.hstack([logits, look, *rows, weights / (weights + 1)]).astype(np.float32)


def rectify_bars(image: Image, placement: Placement, layout: Layout) -> NDArray[np.uint8]:
    """The rectified patches of the bars: uint8 BGR (P, PATCH_SIDE, PATCH_SIDE, 3)."""
    return np.concatenate(
        [
            rectify_patches(image, placement, np.array(field.centres), PATCH_SIDE, BARS_PIXELS)
            for field in layout.places
        ]
    )


def patch_logits(
    name: str,
    patches: NDArray[np.uint8],
    template: NDArray[np.uint8],
    pen: Pen,
    layout: Layout,
) -> NDArray[np.float64]:
    """Log-odds (P, outputs) of the marks in each patch, see `outputs_of`.

    Parameters
    ----------
    name : prefix of the networks' names.
    patches : uint8 BGR (P, side, side, 3).
    template : drawn print, uint8 (P, side, side, 1).
    """
    groups, outputs = bar_groups(layout), outputs_of(name)
    maps = run_batch(f"{name}_stem", patches, template, ink_likeness(patches, pen))
    printed = run_next(f"{name}_print", of_groups(maps, groups))
    features = run_next(f"{name}_features", np.maximum(maps + printed[groups], 0))
    whole = np.broadcast_to(features.mean(axis=0), features.shape)
    beside = np.hstack([features, of_groups(features, groups)[groups], whole])
    judged = run_next(f"{name}_judge", beside)
    compared = beside_others(
        judged,
        bar_counts(layout),
        tuple(outputs[field.name, Mark.CROSS] for field in layout.places),
        tuple(outputs.get((field.name, Mark.RING)) for field in layout.places),
        len(set(outputs.values())),
    )
    return run_next(f"{name}_hand", compared).astype(np.float64)


def with_bars(
    marks: Marks,
    patches: NDArray[np.uint8],
    pen: Pen,
    layout: Layout,
    mirrored: tuple[int, ...] = (),
) -> Marks:
    """The marks with the log-odds of the patches added.

    Parameters
    ----------
    patches : see `rectify_bars`.
    mirrored : axes along which patches and print are flipped: 1 top to bottom, 2 left to right.
    """
    template = np.flip(bar_templates(layout)[..., None], mirrored)
    logits = patch_logits("bars", np.flip(patches, mirrored), template, pen, layout)
    closer = by_field(logits, "bars", layout)
    return marks.with_logits(
        {key: array + closer.get(key, 0.0) for key, array in marks.logits.items()}
    )


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
