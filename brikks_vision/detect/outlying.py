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

# Set by hand where no source is named.
MIN_CELL = 8.0  # px, side of a cell; the print of a smaller sheet cannot be read
# contrast at `FINE_BLUR` over that at `COARSE_BLUR`; readable simulated photos had 0.3 or more
MIN_SHARPNESS = 0.15
# cells, the standard deviations of the two blurs that the sharpness compares
FINE_BLUR, COARSE_BLUR = 0.1, 0.5
MIN_CONTRAST = 1.0  # grey levels added to the coarse contrast, so that blank paper is not sharp
# evidence below which there is no lattice at all, not even a blurred one
MIN_LATTICE_EVIDENCE = -0.8
MAX_OVERRUN = 0.35  # cells beyond the photo's edge, of an aligned placement; more is cut off
MAX_FIRST_OVERRUN = 1.5  # the same for a first placement, which is less exact


def unseen(alignment: Alignment, first: Placement, image: Image) -> PhotoUnreadable:
    """Why an alignment has too little evidence.

    ``first`` : the placement that was aligned; alignment may have moved it away from an edge.
    """
    placement = alignment.placement
    cut_off = _cut_off(first, image, alignment.layout, MAX_FIRST_OVERRUN)
    if cut_off:
        return cut_off
    if placement.cell_size() < MIN_CELL:
        return SheetTooSmall()
    if alignment.evidence > MIN_LATTICE_EVIDENCE and is_blurred(placement, image):
        return SheetTooBlurred()
    return NoSheetFound()


def check_frame(placement: Placement, image: Image, layout: Layout) -> None:
    """Refuse a sheet that is cut off by the photo's edge or too small to be read.

    Raises
    ------
    SheetCutOff, SheetTooSmall
    """
    cut_off = _cut_off(placement, image, layout, MAX_OVERRUN)
    if cut_off:
        raise cut_off
    if placement.cell_size() < MIN_CELL:
        raise SheetTooSmall


def is_blurred(placement: Placement, image: Image) -> bool:
    """Whether the sheet is too blurred to be read."""
    return sharpness(image, placement) < MIN_SHARPNESS


def sharpness(image: Image, placement: Placement) -> float:
    """Contrast of the rectified sheet at a tenth of a cell over that at half a cell; at least 0."""
    flat = rectify(image, placement, placement.area, ALIGNER_PIXELS)
    flat = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    fine = cv2.GaussianBlur(flat, (0, 0), FINE_BLUR * ALIGNER_PIXELS)
    coarse = cv2.GaussianBlur(flat, (0, 0), COARSE_BLUR * ALIGNER_PIXELS)
    finer, coarser = cv2.absdiff(flat, fine).mean(), cv2.absdiff(fine, coarse).mean()
    return float(finer / (coarser + MIN_CONTRAST))


def is_out_of_sight(placement: Placement, image: Image, layout: Layout) -> bool:
    """Whether a sheet would run beyond the photo's edge by more than its own length."""
    area = layout.marked_area
    return max(overruns(placement, image, layout).values()) > max(area.width, area.height)


def _cut_off(placement: Placement, image: Image, layout: Layout, most: float) -> SheetCutOff | None:
    """The failure of a sheet that runs beyond the photo's edges by more than so many cells."""
    beyond = overruns(placement, image, layout)
    side = max(beyond, key=beyond.__getitem__)
    if beyond[side] <= most:
        return None
    pairs = (beyond["left"], beyond["right"]), (beyond["top"], beyond["bottom"])
    error = SheetCutOff(side)
    error.is_larger = any(min(pair) > most for pair in pairs)
    return error


def overruns(placement: Placement, image: Image, layout: Layout) -> dict[Side, float]:
    """By how many cells (may be < 0) the marked area overruns each edge of the photo."""
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
    cell = placement.cell_size()
    return {side: pixels / cell for side, pixels in beyond.items()}
