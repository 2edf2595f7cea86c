"""Recognises photos that were flipped left to right, as selfie cameras and slide scanners do.

Lattice and bars look nearly the same in a mirror, so the networks locate them all the same. The
circles printed in the grid do not: what they differ by from their cells is compared with the sheet
and with its mirror image. Differences within a cell hold in a shadow, and without colours. A sheet
of which the empty sheet is known is compared with that and with its mirror image.
"""

from __future__ import annotations

from enum import Enum
from functools import cache, lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.by_blank import PIXELS, printed_page
from brikks_vision.detect.lattice import ALIGNER_PIXELS, bars_in_place, see_keypoints
from brikks_vision.detect.pen import median
from brikks_vision.detect.placement import Image, Placement, Points, halved, rectify
from brikks_vision.layout import CELL, Box, Layout

# Set by hand where no source is named.
# cosine between the printed circles as seen and those of the sheet, or of its mirror image; below
# it the side is undecided. Of 38 simulated sheets, photographed as they are and flipped (seed
# 6301), one had 0.08 in colour and in grey, and all others 0.54 or more; in black and white the
# wrong side won three times, with 0.24 at most
MIN_MIRROR_COSINE = 0.3
# cosine between what mirroring changes in the photo and in the empty sheet; below it the side is
# undecided. On eight photos of simulated printings (seed 6401) it was 0.31 or more, in black and
# white 0.12 or more
MIN_MIRROR_BLANK_COSINE = 0.1
# grey levels by which mirroring changes a place of an empty sheet; places with less are skipped
MIN_MIRROR_CHANGE = 15.0
# cells from the middle of a cell, across and down: within a printed circle, of which a printed
# digit covers less than half
MIRROR_SPOTS = (-0.28, -0.14, 0.0, 0.14, 0.28)
MIRROR_RIM = 0.42  # cells from the middle of a cell: beside a printed circle, within the lines

INNER = tuple(product(MIRROR_SPOTS, repeat=2))
RIM = tuple(
    (x, y)
    for x, y in product((-MIRROR_RIM, *MIRROR_SPOTS, MIRROR_RIM), repeat=2)
    if MIRROR_RIM in (abs(x), abs(y))
)
SPOTS = np.array((*INNER, *RIM))


class Side(Enum):
    """Whether a photo shows a sheet or the mirror image of it."""

    AS_PRINTED = "as printed"
    MIRRORED = "mirrored"
    UNDECIDED = "undecided"


def side_of(image: Image, placement: Placement, layout: Layout) -> Side:
    """Whether a placed sheet shows its print or the mirror image of it.

    ``image`` : uint8 BGR (height, width, 3). A sheet that is placed by markers is as printed: they
    are not found in a mirror. So is one of which nothing is known that a mirror changes.
    """
    if layout.blank is not None and placement.method in ("keypoints", "lattice"):
        ahead = _ahead_by_blank(image, placement, layout) / MIN_MIRROR_BLANK_COSINE
    elif placement.method == "lattice" and layout.fields[CELL].colors:
        ahead = _ahead_by_circles(image, placement, layout) / MIN_MIRROR_COSINE
        if abs(ahead) < 1 and _bars_are_in_place(image, placement, layout):
            return Side.AS_PRINTED
    else:
        return Side.AS_PRINTED
    if abs(ahead) < 1:
        return Side.UNDECIDED
    return Side.AS_PRINTED if ahead > 0 else Side.MIRRORED


def _ahead_by_circles(image: Image, placement: Placement, layout: Layout) -> float:
    """Cosine, -1 to 1, of what is seen of the circles with the sheet; its mirror image has -1.

    Each cell is compared with the one where a mirror shows it, so that crosses in both cancel out.
    """
    centres, others, expected = _circles(layout)
    seen = _contrasts_at(image, placement, np.concatenate([centres, others]))
    seen = seen[: len(centres)] - seen[len(centres) :]
    norms = np.linalg.norm(seen) * np.linalg.norm(expected)
    return float((seen * expected).sum() / (norms + 1e-9))


@cache
def _circles(layout: Layout) -> tuple[Points, Points, NDArray[np.float64]]:
    """Cells with circles, (N, 2), those where a mirror shows them, and how both differ, (N, 3)
    BGR, relative to the ground of each cell.
    """
    rows, columns = layout.grid.rows, layout.grid.columns
    prints = np.zeros((rows, columns, 3))
    for place, color in layout.fields[CELL].colors:
        row, column = divmod(place, columns)
        ground = [zone.color for zone in layout.grid.zones if zone.first <= row <= zone.last]
        paper = layout.colors[ground[0]] if ground else "#ffffff"
        prints[row, column] = np.subtract(_bgr(layout.colors[color]), _bgr(paper))
    down, across = np.nonzero(prints.any(axis=2))
    opposite = columns - 1 - across
    middles = [np.asarray(np.stack([at, down], axis=1) + 0.5) for at in (across, opposite)]
    return middles[0], middles[1], prints[down, across] - prints[down, opposite]


def _bars_are_in_place(image: Image, placement: Placement, layout: Layout) -> bool:
    """Whether the bars are seen where the sheet has them, not where its mirror image does."""
    small, scale = halved(image, ALIGNER_PIXELS / placement.cell_size())
    through = placement.scaled(scale)
    return bars_in_place(see_keypoints(small, through), through, layout)


def _ahead_by_blank(image: Image, placement: Placement, layout: Layout) -> float:
    """Cosine, -1 to 1, of what a mirror changes in a photo and in the empty sheet.

    Where the empty sheet is symmetric, nothing counts. Its mirror image has -1.
    """
    area, printed, counts = _blank_changes(layout)
    seen = _changed_by_mirror(rectify(image, placement, area, PIXELS))[counts]
    norms = np.linalg.norm(printed) * np.linalg.norm(seen)
    return float((printed * seen).sum() / (norms + 1e-9))


@lru_cache(maxsize=16)
def _blank_changes(layout: Layout) -> tuple[Box, NDArray[np.float32], NDArray[np.bool_]]:
    """The widest part of an empty sheet that a mirror shows in its own place; what it changes of
    the print there, and where, in a picture of that part.
    """
    (middle, _), page = layout.outline.middle, layout.page
    half = min(middle - page.left, page.right - middle)
    half = int(half * PIXELS) / PIXELS  # else the part may be a pixel wider than the page
    area = Box(middle - half, page.top, middle + half, page.bottom)
    left = round((area.left - page.left) * PIXELS)
    part = printed_page(layout)[:, left : left + round(area.width * PIXELS)]
    changed = _changed_by_mirror(part)
    counts = np.abs(changed) > MIN_MIRROR_CHANGE
    return area, changed[counts], counts


def _changed_by_mirror(page: Image) -> NDArray[np.float32]:
    """The picture minus its mirror image, fine print only, in grey levels."""
    level = np.asarray(page, np.float32)
    # the ground in a smaller picture, which takes a tenth of the time
    small = cv2.resize(level, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    ground = cv2.resize(cv2.GaussianBlur(small, (0, 0), 0.25 * PIXELS), level.shape[1::-1])
    fine = cv2.GaussianBlur(level, (0, 0), 0.1 * PIXELS) - ground
    return np.asarray(fine - fine[:, ::-1], np.float32)


def _contrasts_at(image: Image, placement: Placement, centres: Points) -> NDArray[np.float64]:
    """BGR (N, 3) of the middles of cells less that of their rims; medians, as ink is thin."""
    spots = (centres[:, None] + SPOTS).reshape(-1, 2)
    x, y = placement.to_photo(spots).astype(np.float32).T
    seen = cv2.remap(image, x[None], y[None], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    colors = np.asarray(seen, np.float64).reshape(len(centres), len(SPOTS), 3)
    inner, rim = colors[:, : len(INNER)], colors[:, len(INNER) :]
    return np.asarray(median(inner, axis=1) - median(rim, axis=1), np.float64)


def _bgr(color: str) -> tuple[int, int, int]:
    """BGR of a colour written as "#rrggbb"."""
    red, green, blue = bytes.fromhex(color.removeprefix("#"))
    return blue, green, red
