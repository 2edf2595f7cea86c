"""Rings that would not show: that none is seen there is no evidence against one.

A player's ring lies mostly outside its printed circle. Where the ground there is about as dark as
the ink makes paper, a ring does not show. So a ring in the ink of this sheet, as the crosses show
it, is painted into the photo around each such circle, and read: what the network does not read as
a ring it would not have read there either (analysis by synthesis).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.bars import BARS_PIXELS, PATCH_SIDE, bar_counts, bar_logits
from brikks_vision.detect.marks import Key
from brikks_vision.detect.pen import NOISE_LEVEL, Pen
from brikks_vision.layout import Layout, Mark

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
