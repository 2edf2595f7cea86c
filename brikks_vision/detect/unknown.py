"""Whether a small picture of a photo shows a sheet at all, whatever is printed on it.

A grid is one of cells (`brikks_vision.detect.cells`), a page a quadrangle with print on it. Both
count where they lie wholly in the photo: of what goes on beyond its edge too little shows.
"""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.cells import find_grids, regions_of
from brikks_vision.detect.placement import Image, Points, apply_homography, shrunk
from brikks_vision.layout import Box

# All set by hand.
GRID_SIDE, PAGE_SIDE, LINES_SIDE = 800, 400, 500  # px, longer side of the pictures
MIN_PAGE_AREA = 0.1  # share of the photo
MIN_PAGE_FILLED = 0.9  # share of its quadrangle, as curled paper fills
CORNER = 0.03  # of a page's outline: what is shorter than that is no side of it
MIN_PRINTED = 15  # things that are printed on a page, or written
MIN_LINE, MIN_LINES = 0.06, 4  # of the longer side, of a straight line; how many a sheet shows


def shows_lines(image: Image) -> bool:
    """Whether a photo has any straight lines. Every printed sheet shows some; noise shows none."""
    grey = cv2.cvtColor(_small(image, LINES_SIDE), cv2.COLOR_BGR2GRAY)
    found = cv2.createLineSegmentDetector().detect(grey)[0]
    if found is None:
        return False
    lines = np.asarray(found, np.float64).reshape(-1, 2, 2)
    long = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) >= MIN_LINE * max(grey.shape)
    return bool(long.sum() >= MIN_LINES)


def shows_grid(image: Image) -> bool:
    """Whether the grid of any game lies in a photo, with room for a cell more around it."""
    for grid in find_grids(image, (GRID_SIDE,)):
        plane, _ = cv2.findHomography(grid.cells, grid.photo, 0)
        around = Box(0.0, 0.0, float(grid.columns), float(grid.rows)).grown(1.0)
        if _lies_in(apply_homography(plane, np.array(around.corners)), image):
            return True
    return False


def shows_page(image: Image) -> bool:
    """Whether a page with something printed on it lies in a photo."""
    small = _small(image, PAGE_SIDE)
    for regions in regions_of(small):
        outlines, _ = cv2.findContours(regions, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        middles = np.array([each.mean(axis=(0, 1)) for each in outlines])
        for outline in outlines:
            hull = cv2.convexHull(outline)
            size = cv2.contourArea(outline)
            if size < MIN_PAGE_AREA * regions.size or not _lies_in(
                np.asarray(hull[:, 0], np.float64), small
            ):
                continue
            page = cv2.approxPolyDP(hull, CORNER * cv2.arcLength(hull, True), True)
            if len(page) != 4 or size < MIN_PAGE_FILLED * cv2.contourArea(page):
                continue
            on_it = [
                cv2.pointPolygonTest(page, (float(x), float(y)), False) > 0 for x, y in middles
            ]
            if sum(on_it) > MIN_PRINTED:
                return True
    return False


def _small(image: Image, side: int) -> Image:
    return shrunk(image, min(1.0, side / max(image.shape[:2])))[0]


def _lies_in(points: Points, image: Image) -> bool:
    height, width = image.shape[:2]
    return bool((points > 1).all() and (points < (width - 2, height - 2)).all())
