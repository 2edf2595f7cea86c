"""Places a sheet whose empty sheet is known by comparing the photo with the picture of that.

For printings that the networks do not know. A first placement comes from fiducial markers, or from
keypoints of the picture that are found again in the photo (SIFT: Lowe 2004; homography by MAGSAC++:
Barath et al. 2020). Then small tiles of the empty sheet are sought near where they should lie, by
normalised cross-correlation; where they are found corrects the placement and bends it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import Alignment
from brikks_vision.detect.blank import blank_picture
from brikks_vision.detect.fit import Matches, fit
from brikks_vision.detect.markers import marker_matches
from brikks_vision.detect.placement import Image, Placement, Points, rectify, shrunk
from brikks_vision.detect.same_print import MIN_TILE_CONTRAST
from brikks_vision.errors import DefinitionDamaged, NoSheetFound
from brikks_vision.layout import Layout

# Set by hand where no source is named.
MIN_KEYPOINT_CONTRAST = 0.02  # threshold of SIFT: half of OpenCV's default, for pale print
MIN_MATCHING_KEYPOINTS = 12  # matches between photo and empty sheet that fit one plane
MIN_TILE_CORRELATION = 0.35  # correlation of a tile that may correct a placement
# upper quartile of the correlations of tiles of a sheet that is placed by its empty sheet; on 36
# photos of such sheets (seed 4101) it was 0.45 or more
MIN_PLACED_LIKENESS = 0.4
MIN_CLEAR_LIKENESS = 0.6  # the same, above which the place of the sheet is clear
# or so many matching keypoints: five sheets full of ink, three of them of another renderer, had 47
# to 135 and less likeness; of 250 photos of other printings (seeds 55221, 91001, 91100) the two
# that were placed had 13 and 19
MIN_CLEAR_KEYPOINTS = 40
# px, long sides of a picture in which keypoints are sought: a photo is first looked at coarsely.
# With six photos (seed 88311) the tiles led to the same placement, in two thirds of the time.
KEYPOINT_SIDES = (700, 1200)
KEYPOINTS = 4000  # the most that are used of a picture
RATIO = 0.8  # most of the distances to the nearest two descriptors (Lowe 2004)
MAGSAC_TOLERANCE = 4.0  # px of the photo
PIXELS = 16  # px per cell of the straightened sheet in which tiles are sought
TILE = 32  # px, side of a tile
STEP = 16  # px from tile to tile
SOME_TILES = 48  # of them are sought in a coarse round
ROUNDS = ((12, np.inf, SOME_TILES), (8, 0.03, SOME_TILES), (4, 0.01, None), (2, 0.01, None))
"""Rounds of the search: how many px a tile may be displaced, the stiffness of the bend, and how
many tiles are sought (None: all). With all tiles in each of them, as many sheets were placed."""

UNMARKED_QUANTILE = 0.75  # of the correlations that counts: ink spoils most tiles of a full sheet
AROUND_PLACE = 0.25  # cells around a place that marks may reach
MIN_UNMARKED_LIKENESS = 0.75  # their median correlation; 12 sheets in photos had 0.87 to 0.97
MIN_UNMARKED_TILES = 12  # tiles beside all places (title, legend, footer); fewer prove nothing


def place_by_markers(image: Image, layouts: Sequence[Layout]) -> Alignment:
    """The sheet that lies where its fiducial markers show.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3), in any turn.
    layouts : those without a blank or without markers are passed over.

    Returns
    -------
    Alignment
        As of `settled`.

    Raises
    ------
    NoSheetFound
    """
    for layout in layouts:
        markers = marker_matches(image, layout.markers) if layout.markers else None
        if markers is not None and layout.blank is not None:
            return settled(image, layout, fit(markers, layout.page, "markers", np.inf))
    raise NoSheetFound


def place_by_keypoints(
    image: Image, layouts: Sequence[Layout], sides: Sequence[int] = KEYPOINT_SIDES
) -> Alignment:
    """The sheet of which the photo shows most keypoints. Parameters and errors: `place_by_markers`.

    ``sides`` : px, long sides of the pictures of it in which they are sought, one after the other.

    A picture of an empty sheet that cannot be decoded is passed over; the list of learnt sheets
    tells it.
    """
    for side in dict.fromkeys(min(side, max(image.shape[:2])) for side in sides):
        with suppress(NoSheetFound):
            return _placed_by_keypoints(image, layouts, side)
    raise NoSheetFound


def _placed_by_keypoints(image: Image, layouts: Sequence[Layout], side: int) -> Alignment:
    points, descriptors = _keypoints(image, side)
    best: tuple[int, Layout, Placement] | None = None
    for layout in layouts:
        with suppress(NoSheetFound, DefinitionDamaged):
            matches = keypoint_matches(points, descriptors, layout)
            if best is None or len(matches.sheet) > best[0]:
                placement = fit(matches, layout.page, "keypoints", np.inf)
                best = len(matches.sheet), layout, placement
    if best is None:
        raise NoSheetFound
    matching, layout, placement = best
    found = settled(image, layout, placement)
    return replace(found, is_clear=found.is_clear or matching >= MIN_CLEAR_KEYPOINTS)


def settled(image: Image, layout: Layout, placement: Placement) -> Alignment:
    """The alignment in which the tiles of the empty sheet are found.

    ``placement`` : plane, of the page, within half a cell. The evidence is the correlation of the
    better tiles, or of those on which nobody writes, less one, at most 0.

    Raises
    ------
    NoSheetFound
        What lies there does not look like the empty sheet.
    DefinitionDamaged
        The layout's picture of the empty sheet cannot be decoded.
    """
    method = placement.method
    tiles = tiles_of(layout)
    for reach, stiffness, count in ROUNDS:
        sought = tiles if count is None else tiles.some(count)
        sheet, correlation, aside = seek_tiles(image, placement, layout, sought, reach)
        good = correlation > MIN_TILE_CORRELATION
        weights = correlation[good] ** 4
        # where a tile is found through the placement that it was sought by
        photo = placement.to_photo(sheet[good] + aside[good])
        placement = fit(Matches(sheet[good], photo, weights), layout.page, method, stiffness)
    likeness = float(np.quantile(correlation, UNMARKED_QUANTILE))
    if tiles.unmarked.sum() >= MIN_UNMARKED_TILES:
        unmarked = float(np.median(correlation[tiles.unmarked]))
        if unmarked >= MIN_UNMARKED_LIKENESS:
            likeness = max(likeness, unmarked)
        elif unmarked < MIN_PLACED_LIKENESS and likeness < MIN_CLEAR_LIKENESS:
            raise NoSheetFound
    if likeness < MIN_PLACED_LIKENESS:
        raise NoSheetFound
    return Alignment(layout, placement, likeness - 1, likeness >= MIN_CLEAR_LIKENESS)


@lru_cache(maxsize=16)
def blank_keypoints(layout: Layout) -> tuple[Points, NDArray[np.float32]]:
    """Keypoints of the empty sheet, cells (N, 2), and their descriptors (N, 128).

    Raises
    ------
    NoSheetFound, DefinitionDamaged
    """
    blank = blank_picture(layout)
    if blank is None:
        raise NoSheetFound
    points, descriptors = _keypoints(blank, max(KEYPOINT_SIDES))
    pixels = blank.shape[1] / layout.page.width
    return (points + 0.5) / pixels + (layout.page.left, layout.page.top), descriptors


def _keypoints(image: Image, side: int) -> tuple[Points, NDArray[np.float32]]:
    """Keypoints of a picture, px (N, 2), and their descriptors (N, 128); raises NoSheetFound.

    ``side`` : px that its long side is shrunk to.
    """
    small, scale = shrunk(image, min(1.0, side / max(image.shape[:2])))
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    sift = cv2.SIFT.create(nfeatures=KEYPOINTS, contrastThreshold=MIN_KEYPOINT_CONTRAST)
    found, descriptors = sift.detectAndCompute(grey, None)
    if descriptors is None:
        raise NoSheetFound
    points = (np.array([each.pt for each in found]) + 0.5) / scale - 0.5
    # the square root of descriptors is compared better (RootSIFT: Arandjelovic, Zisserman 2012)
    descriptors = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    return points, np.asarray(descriptors, np.float32)


def keypoint_matches(points: Points, descriptors: NDArray[np.float32], layout: Layout) -> Matches:
    """The keypoints of a photo, px (N, 2), that are those of an empty sheet in one plane.

    Raises
    ------
    NoSheetFound
    DefinitionDamaged
    """
    sheet, others = blank_keypoints(layout)
    if min(len(sheet), len(points)) < MIN_MATCHING_KEYPOINTS:
        raise NoSheetFound
    pairs = cv2.BFMatcher(cv2.NORM_L2).knnMatch(descriptors, others, 2)
    close = [near for near, far in pairs if near.distance < RATIO * far.distance]
    # a keypoint of the sheet is seen once: what many of a newspaper are like is none of them
    nearest = {each.trainIdx: each for each in sorted(close, key=lambda each: -each.distance)}
    chosen = list(nearest.values())
    if len(chosen) < MIN_MATCHING_KEYPOINTS:
        raise NoSheetFound
    there = sheet[[each.trainIdx for each in chosen]]
    here = points[[each.queryIdx for each in chosen]]
    matrix, inliers = cv2.findHomography(
        there, here, cv2.USAC_MAGSAC, MAGSAC_TOLERANCE, maxIters=5000, confidence=0.9999
    )
    if matrix is None or inliers.sum() < MIN_MATCHING_KEYPOINTS:
        raise NoSheetFound
    if np.linalg.det(matrix) < 0:  # seen as in a mirror
        raise NoSheetFound
    kept = inliers.ravel().astype(bool)
    return Matches(there[kept], here[kept], np.ones(kept.sum()))


@dataclass(frozen=True)
class Tiles:
    """Parts of an empty sheet at `PIXELS` a cell on which something is printed.

    corners: top left (N, 2), whole px of the rectified page. pictures: uint8 BGR (N, TILE, TILE, 3)
    unmarked: (N,), whether they lie beside all places of marks, figures and words.
    """

    corners: NDArray[np.int64]
    pictures: NDArray[np.uint8]
    unmarked: NDArray[np.bool_]

    def some(self, count: int) -> Tiles:
        """At most so many of the tiles, from everywhere on the page."""
        at = slice(None, None, -(-len(self.corners) // count))
        return Tiles(self.corners[at], self.pictures[at], self.unmarked[at])


@lru_cache(maxsize=16)
def tiles_of(layout: Layout) -> Tiles:
    """The tiles of a layout's empty sheet.

    Raises
    ------
    NoSheetFound
        It has no picture of the empty sheet, or next to nothing is printed there.
    DefinitionDamaged
    """
    printed = printed_page(layout)
    height, width = printed.shape[:2]
    corners = [
        (x, y)
        for y in range(0, height - TILE + 1, STEP)
        for x in range(0, width - TILE + 1, STEP)
        if printed[y : y + TILE, x : x + TILE].std(axis=(0, 1)).mean() >= MIN_TILE_CONTRAST
    ]
    if not corners:
        raise NoSheetFound
    pictures = [printed[y : y + TILE, x : x + TILE] for x, y in corners]
    return Tiles(np.array(corners), np.asarray(pictures, np.uint8), _unmarked(corners, layout))


def _unmarked(corners: Sequence[tuple[int, int]], layout: Layout) -> NDArray[np.bool_]:
    """Whether tiles (N,) with these top left corners, px of the page, lie beside all places."""
    low = np.array(corners) / PIXELS + (layout.page.left, layout.page.top)
    high = low + TILE / PIXELS
    unmarked = np.ones(len(corners), bool)
    boxes = [(box.corners[0], box.corners[2]) for box in (layout.grid.box, *layout.words.values())]
    for field in (*layout.places, *layout.figures.values(), *layout.settings.values()):
        half, centres = np.array(field.size) / 2, np.array(field.centres)
        boxes += [(tuple(centre - half), tuple(centre + half)) for centre in centres]
    for first, last in np.array(boxes):
        meets = (low < last + AROUND_PLACE) & (high > first - AROUND_PLACE)
        unmarked &= ~meets.all(axis=1)
    return unmarked


def printed_page(layout: Layout) -> Image:
    """The picture of a layout's empty sheet at `PIXELS` a cell.

    Raises
    ------
    NoSheetFound
        It has none.
    DefinitionDamaged
    """
    blank = blank_picture(layout)
    if blank is None:
        raise NoSheetFound
    size = round(layout.page.width * PIXELS), round(layout.page.height * PIXELS)
    return np.asarray(cv2.resize(blank, size, interpolation=cv2.INTER_AREA), np.uint8)


def seek_tiles(
    image: Image, placement: Placement, layout: Layout, tiles: Tiles, reach: int
) -> tuple[Points, NDArray[np.float64], Points]:
    """Where the tiles of an empty sheet are in a photo.

    ``reach`` : px of the straightened sheet by which a tile may lie aside.

    Returns
    -------
    Middles of the tiles (N, 2), cells; correlations (N,), -1 to 1; and by how many cells (N, 2)
    each lies aside.
    """
    area = layout.page
    flat = rectify(image, placement, area, PIXELS)
    flat = np.pad(flat, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    correlations, asides = [], []
    side = TILE + 2 * reach
    for (x, y), tile in zip(tiles.corners, tiles.pictures, strict=True):
        around = flat[y : y + side, x : x + side]
        surface = np.asarray(cv2.matchTemplate(around, tile, cv2.TM_CCOEFF_NORMED), np.float32)
        row, column = divmod(int(surface.argmax()), surface.shape[1])
        correlations.append(float(surface[row, column]))
        across, down = _between(surface[row], column), _between(surface[:, column], row)
        asides.append((column + across - reach, row + down - reach))
    sheet = (tiles.corners + TILE / 2) / PIXELS + (area.left, area.top)
    return sheet, np.array(correlations), np.array(asides) / PIXELS


def _between(values: NDArray[np.float32], at: int) -> float:
    """The top of the parabola through a peak and its neighbours, px from the peak."""
    if not 0 < at < len(values) - 1:
        return 0.0
    before, top, after = (float(values[at + step]) for step in (-1, 0, 1))
    bow = before - 2 * top + after
    return 0.0 if bow >= 0 else min(max(0.5 * (before - after) / bow, -0.5), 0.5)
