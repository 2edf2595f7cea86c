"""Refuses sheets that cannot be read where they lie: cut off, too small or blurred."""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.align import Alignment
from brikks_vision.detect.aligner import ALIGNER_PIXELS
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.errors import (
    NoSheetFound,
    PhotoUnreadable,
    SheetCutOff,
    SheetTooBlurred,
    SheetTooSmall,
    Side,
)
from brikks_vision.layout import Layout

SMALLEST_CELL = 8.0  # px
LEAST_SHARPNESS = 0.15  # under less it is too blurred; readable photos have 0.3 and more
HOPELESS_EVIDENCE = -0.8  # under less there is no lattice at all
JUST_OUT, FAR_OUT = 0.35, 1.5  # cells over the picture's edge: of a sure placement, of a first one


def unseen(alignment: Alignment, first: Placement, image: Image) -> PhotoUnreadable:
    """Why the print does not show under a placement."""
    placement = alignment.placement
    side, cells = overrun(first, image, alignment.layout)
    if cells > FAR_OUT:
        return SheetCutOff(side)
    if placement.cell_size() < SMALLEST_CELL:
        return SheetTooSmall()
    if alignment.evidence > HOPELESS_EVIDENCE and is_blurred(placement, image):
        return SheetTooBlurred()
    return NoSheetFound()


def check_frame(placement: Placement, image: Image, layout: Layout) -> None:
    """Refuse a sheet that runs over the photo's edge, or is too small in it to be read.

    Raises
    ------
    SheetCutOff, SheetTooSmall
    """
    side, cells = overrun(placement, image, layout)
    if cells > JUST_OUT:
        raise SheetCutOff(side)
    if placement.cell_size() < SMALLEST_CELL:
        raise SheetTooSmall


def is_blurred(placement: Placement, image: Image) -> bool:
    """Whether the sheet that lies there is too blurred to be read."""
    return sharpness(image, placement) < LEAST_SHARPNESS


def sharpness(image: Image, placement: Placement) -> float:
    """Contrast finer than a tenth of a cell, by that of the size of half a cell, on the sheet."""
    flat = rectify(image, placement, placement.area, ALIGNER_PIXELS)
    flat = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    fine = cv2.GaussianBlur(flat, (0, 0), 0.1 * ALIGNER_PIXELS)
    coarse = cv2.GaussianBlur(flat, (0, 0), 0.5 * ALIGNER_PIXELS)
    finer, coarser = cv2.absdiff(flat, fine).mean(), cv2.absdiff(fine, coarse).mean()
    return float(finer / (coarser + 1.0))


def is_out_of_sight(placement: Placement, image: Image, layout: Layout) -> bool:
    """Whether a sheet would run over the picture's edge by more than its own length."""
    area = layout.marked_area
    return overrun(placement, image, layout)[1] > max(area.width, area.height)


def overrun(placement: Placement, image: Image, layout: Layout) -> tuple[Side, float]:
    """Over which edge of the picture what can be marked runs farthest, and by how many cells."""
    height, width = image.shape[:2]
    at = np.linspace(0, 1, 9)[:, None]
    corners = np.asarray(layout.marked_area.corners)
    rim = np.concatenate(
        [a * (1 - at) + b * at for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    seen = placement.to_photo(rim)
    beyond: dict[Side, float] = {
        "left": float(-seen[:, 0].min()),
        "right": float(seen[:, 0].max() - (width - 1)),
        "top": float(-seen[:, 1].min()),
        "bottom": float(seen[:, 1].max() - (height - 1)),
    }
    side = max(beyond, key=beyond.__getitem__)
    return side, beyond[side] / placement.cell_size()
