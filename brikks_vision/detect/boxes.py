"""Empty boxes in the rectified picture of a sheet, such as those that figures are written in."""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.cells import regions_of
from brikks_vision.detect.placement import Image
from brikks_vision.layout import Box

# All set by hand on simulated printings.
MIN_BOX_WIDTH = 0.9  # cells, of a printed box for figures
MAX_BOX_WIDTH = 3.6  # cells
MIN_BOX_HEIGHT = 0.55  # cells
MAX_BOX_HEIGHT = 1.9  # cells
MIN_BOX_FILLED = 0.85  # share of its rectangle
SAME = 0.3  # cells between the sides of two finds of one box


def find_boxes(flat: Image, area: Box, pixels_per_cell: int) -> list[Box]:
    """Rectangles that edges surround, in cells. ``flat`` : uint8 BGR, rectified ``area``."""
    found: list[Box] = []
    for regions in regions_of(flat):
        contours, _ = cv2.findContours(regions, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            x, y, width, height = cv2.boundingRect(contour)
            if not MIN_BOX_WIDTH <= width / pixels_per_cell <= MAX_BOX_WIDTH:
                continue
            if not MIN_BOX_HEIGHT <= height / pixels_per_cell <= MAX_BOX_HEIGHT:
                continue
            if cv2.contourArea(contour) < MIN_BOX_FILLED * width * height:
                continue
            left, top = area.left + x / pixels_per_cell, area.top + y / pixels_per_cell
            box = Box(left, top, left + width / pixels_per_cell, top + height / pixels_per_cell)
            found.append(box)
    return _merged(found)


def _merged(found: list[Box]) -> list[Box]:
    """Boxes that were found several times, once each: the median of their sides."""
    sides = np.array([(box.left, box.top, box.right, box.bottom) for box in found]).reshape(-1, 4)
    boxes = []
    free = np.ones(len(sides), bool)
    for at in range(len(sides)):
        if free[at]:
            same = free & (np.abs(sides - sides[at]).max(axis=1) < SAME)
            free &= ~same
            boxes.append(Box(*(float(side) for side in np.median(sides[same], axis=0))))
    return boxes
