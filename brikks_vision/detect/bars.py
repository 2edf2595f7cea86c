"""Reads the bars from close by: energy points, boxes of the extra-points bar, bombs.

A ring that lies on its printed circle, or a stroke of transparent ink over print, is told from the
print alone by comparing it with the sheet's other points, and a stain or a glint by the colour of
the pen (`brikks_vision.detect.pen`). One network looks at each patch (`bars_stem`); from the mean,
least and greatest of its maps over the patches that bear the same print a second one makes out that
print, place by place (`bars_print`), which is added to the maps before a third goes on
(`bars_features`); and another one (`bars_judge`) sees each patch's features
beside their mean, least and greatest over the patches with the same print, and their mean over all.
A stroke that hugs its ring is told by how this hand's other points look, those struck and those
not: the last one (`bars_hand`) sees each patch's first verdict beside those (`beside_others`).

The reader of the whole sheet (`brikks_vision.detect.marks`) sees these marks too, coarser and with
more around them. `training.calibrate` weighs the two against each other, so that their log-odds add
up.
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

BARS_PIXELS = 36  # per cell
PATCH_SIDE = 48  # px


def bar_centres(layout: Layout) -> Points:
    """Where the patches are, (N, 2) in cells: the places of one field after the other."""
    return np.concatenate([np.array(field.centres) for field in layout.places])


def bar_counts(layout: Layout) -> tuple[int, ...]:
    """How many patches of each field there are, in their order."""
    return tuple(len(field.centres) for field in layout.places)


@cache
def bar_groups(layout: Layout) -> NDArray[np.int64]:
    """Which patches bear the same print: equal numbers (N,), from 0."""
    kinds = [(at, kind) for at, field in enumerate(layout.places) for kind in field.prints]
    _, groups = np.unique(kinds, axis=0, return_inverse=True)
    groups = groups.reshape(-1)
    groups.setflags(write=False)
    return groups


@cache
def bar_templates(layout: Layout) -> NDArray[np.uint8]:
    """What is printed in each patch, uint8 (N, PATCH_SIDE, PATCH_SIDE)."""
    area = layout.reading_area
    places = np.ascontiguousarray(draw_template(layout, area, BARS_PIXELS)[..., 1])
    corner = (area.left, area.top)
    middles = (bar_centres(layout) - corner) * BARS_PIXELS - 0.5
    size = (PATCH_SIDE, PATCH_SIDE)
    return np.stack([cv2.getRectSubPix(places, size, tuple(middle)) for middle in middles])


def of_groups(values: NDArray[np.float32], groups: NDArray[np.int64]) -> NDArray[np.float32]:
    """Mean, least and greatest over each group of patches: (P, C, ...) to (G, 3 C, ...).

    ``groups`` : (P,), from 0.
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
    """Each patch beside its field's others: those struck, those with a ring only, the open ones.

    ``judged`` : (P, outputs + L), logits and what marks are compared by. ``counts`` : of patches of
    each field; ``crosses``, ``rings`` : which logit tells its crosses and rings (None: it bears
    none). Returns (P, 4 + 7 L + 3): both; the means of the others, weighted by how likely each is
    such a mark, and drawn towards 0 where there are few; how far off those are; how many there
    are (of N: N / (N + 1)).
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
    mean = np.einsum("pq,qsl->psl", same, weighted) / (weights[..., None] + 0.5)
    away = np.abs(mean - look[:, None])
    rows = [each.reshape(len(judged), -1) for each in (mean, away)]
    return np.hstack([logits, look, *rows, weights / (weights + 1)]).astype(np.float32)


def rectify_bars(image: Image, placement: Placement, layout: Layout) -> NDArray[np.uint8]:
    """The patches of a sheet's bars: uint8 BGR (P, PATCH_SIDE, PATCH_SIDE, 3)."""
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
    """Log-odds (P, outputs) of what each patch of the bars may bear, see `outputs_of`.

    ``name`` : of the networks. ``patches`` : BGR (P, side, side, 3). ``template`` : what is printed
    there, (P, side, side, 1).
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
    """The marks of a sheet after the close look at its bars, whose log-odds are added.

    ``patches`` : what `rectify_bars` returns. ``mirrored`` : axes along which they are shown to the
    network in a mirror, with their print: 1 top to bottom, 2 left to right.
    """
    template = np.flip(bar_templates(layout)[..., None], mirrored)
    logits = patch_logits("bars", np.flip(patches, mirrored), template, pen, layout)
    closer = by_field(logits, "bars", layout)
    return Marks({key: array + closer.get(key, 0.0) for key, array in marks.logits.items()})


def by_field(
    logits: NDArray[np.float64], name: str, layout: Layout
) -> dict[Key, NDArray[np.float64]]:
    """The log-odds (P, outputs) of patches by field and mark, as the networks' outputs are."""
    outputs = outputs_of(name)
    of_fields = np.split(logits, np.cumsum(bar_counts(layout))[:-1])
    return {
        (field.name, mark): of_field[:, outputs[field.name, mark]]
        for field, of_field in zip(layout.places, of_fields, strict=True)
        for mark in field.marks
    }
