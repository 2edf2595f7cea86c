"""How much places with the same print differ from each other on one sheet: by ink, mostly."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image, Placement, rectify_patches
from brikks_vision.layout import CELL, Field, Layout

# Set by hand where no source is named.
CHANGED_SHARE = 0.12  # share of a patch that ink changes; the pixels that differ most count
MAX_PRINT_SLIP = 1  # px at `unlike.PATCH_PIXELS`, by which print may be out of place
MIN_ALIKE = 3  # places with the same print; fewer cannot be compared
MIN_UNLIKENESS_DEVIATION = 4.0  # grey levels, lower bound of how untouched places differ
PATCH_PIXELS = 20  # px per cell


def looks_of(field: Field, layout: Layout) -> list[Hashable]:
    """What the places of a field look like: equal where they should look the same."""
    if field.name != CELL:
        return list(field.prints)
    zone = [
        at for at, zone in enumerate(layout.grid.zones) for _ in range(zone.first, zone.last + 1)
    ]
    looks: list[Hashable] = [
        (kind, zone[place // layout.grid.columns]) for place, kind in enumerate(field.prints)
    ]
    for place, color in field.colors:
        looks[place] = color
    return looks


def unlikeness(
    image: Image, placement: Placement, field: Field, prints: Sequence[object]
) -> NDArray[np.float64]:
    """How much each place differs from others with the same print, in deviations of theirs.

    Compared is what a place has beside its own ground, so that light does not matter.

    Parameters
    ----------
    prints : by place; equal for equal print.

    Returns
    -------
    (places,) about 0 to 2 for print alone; 0 where fewer than `MIN_ALIKE` have the same print.
    """
    width, height = (side or 1.0 for side in field.size)
    side = round(min(max(width, height), 1.0) * PATCH_PIXELS)
    patches = rectify_patches(image, placement, np.array(field.centres), side, PATCH_PIXELS)
    flat = np.stack([cv2.GaussianBlur(patch, (0, 0), 0.7) for patch in patches]).astype(np.float32)
    flat -= np.median(flat, axis=(1, 2), keepdims=True)
    found = np.zeros(len(flat))
    for kind in dict.fromkeys(prints):
        group = [at for at, other in enumerate(prints) if other == kind]
        if len(group) < MIN_ALIKE:
            continue
        scores = _changes(flat[group])
        usual = np.median(scores)
        deviation = 1.4826 * np.median(np.abs(scores - usual))
        found[group] = (scores - usual) / max(float(deviation), MIN_UNLIKENESS_DEVIATION)
    return found


def _changes(patches: NDArray[np.float32]) -> NDArray[np.float64]:
    """Grey levels by which the most changed pixels of patches (N, ...) differ from the median's."""
    usual = np.median(patches, axis=0)
    best = np.full(len(patches), np.inf)
    inner = slice(MAX_PRINT_SLIP, -MAX_PRINT_SLIP)
    for x, y in product(range(-MAX_PRINT_SLIP, MAX_PRINT_SLIP + 1), repeat=2):
        moved = np.roll(usual, (y, x), axis=(0, 1))
        away = np.abs(patches - moved).max(axis=-1)[:, inner, inner]
        away = np.sort(away.reshape(len(patches), -1), axis=1)
        count = max(1, round(CHANGED_SHARE * away.shape[1]))
        best = np.minimum(best, away[:, -count:].mean(axis=1))
    return best
