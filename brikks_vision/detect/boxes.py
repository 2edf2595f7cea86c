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
LINE_WIDTH = 0.2  # cells, the most that a line to write on is thick
MIN_LINE_DEPTH = 8.0  # grey levels by which it is darker or lighter than what is above and below
LINE_FILLED = 0.7  # share of its rectangle
SIDE_DEPTH, SIDE_SEEN = 0.4, 0.7  # cells below it, share of them in which a box's sides show
ABOVE_LINE = 0.55  # of its width: the height of what is written on it


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


def find_lines(flat: Image, area: Box, pixels_per_cell: int) -> list[Box]:
    """The boxes above lines that are written on, in cells; arguments as of `find_boxes`.

    The upper side of a box is no such line.
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
    thick = np.ones((round(LINE_WIDTH * pixels_per_cell), 1), np.uint8)
    straight = np.ones((1, round(MIN_BOX_WIDTH / 2 * pixels_per_cell)), np.uint8)  # no letters
    found: list[Box] = []
    for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        seen, upright = (
            (cv2.morphologyEx(grey, kind, each) >= MIN_LINE_DEPTH).astype(np.uint8)
            for each in (thick, thick.T)
        )
        seen = np.asarray(cv2.morphologyEx(seen, cv2.MORPH_OPEN, straight), np.uint8)
        _, _, parts, _ = cv2.connectedComponentsWithStats(seen)
        for x, y, width, height, size in parts[1:].tolist():
            wide, high = width / pixels_per_cell, height / pixels_per_cell
            if not (MIN_BOX_WIDTH <= wide <= MAX_BOX_WIDTH and high <= LINE_WIDTH):
                continue
            below = upright[y + height : y + height + round(SIDE_DEPTH * pixels_per_cell)]
            is_top = all(
                below[:, max(end - len(thick), 0) : end + len(thick)].any(axis=1).mean() > SIDE_SEEN
                for end in (x, x + width)
            )  # of a box
            if size >= LINE_FILLED * width * height and not is_top:
                left, bottom = area.left + x / pixels_per_cell, area.top + y / pixels_per_cell
                tall = float(np.clip(ABOVE_LINE * wide, MIN_BOX_HEIGHT, MAX_BOX_HEIGHT))
                found.append(Box(left, bottom + high / 2 - tall, left + wide, bottom + high / 2))
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
