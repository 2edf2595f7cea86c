"""Empty sheets found again in a photo by keypoints, and which of several printings it shows.

Keypoints are those of SIFT (Lowe 2004). Of a sheet full of ink few keypoints are left, and cells
look like each other: hardly one is told from the second best. But each match says how the sheet
lies: where, how large and how turned. Those that say the same are counted, as Lowe (2004) does, and
then each keypoint of the sheet is sought where it must be.

All printings of one game share the lattice, so that a sheet is placed by any of them; what stands
beside the grid differs by some tenths of a cell, and the art wholly. Small tiles of the empty sheet
are sought where they should lie, each by its normalised cross-correlation (Lewis 1995), which light
does not change. Of the same printing most tiles are found again; marks spoil some of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import Alignment
from brikks_vision.detect.fit import Matches
from brikks_vision.detect.pen import products
from brikks_vision.detect.placement import (
    Image,
    Placement,
    Points,
    apply_homography,
    rectify,
    shrunk,
)
from brikks_vision.detect.template import blank_picture
from brikks_vision.errors import DefinitionDamaged, NoSheetFound
from brikks_vision.layout import Box, Layout

# Set by hand where no source is named.
MIN_CONTRAST = 0.02  # threshold of SIFT: half of OpenCV's default, for pale print
MIN_MATCHING = 12  # matches between photo and empty sheet that fit one plane
MATCHED_AT_ONCE = 500  # descriptors, with all others: more need more memory
RATIO = 0.8  # most of the distances to the nearest two descriptors (Lowe 2004)
MAGSAC_TOLERANCE = 4.0  # px of the photo

# of poses, of which each keypoint of the sheet may have two counterparts in the photo
TRIED_POSES = 300  # those of the most alike keypoints
MAX_SCALE_RATIO, MAX_TURN = 1.6, 0.45  # between matches of one pose, as tilted sheets have; radians
# by which a keypoint may lie aside: cells, and as a share of how far it is from that of the pose
POSE_REACH, POSE_SLOPE = 0.4, 0.15
MIN_AGREEING = 12  # keypoints
MAX_POSES = 2  # that are looked at closely
MAX_SHARED = 0.5  # of the matches of one pose, that another one has as well
# Rounds in which all keypoints are sought by a plane: cells around where they must be, and the
# tolerance of the next plane
GUIDED_ROUNDS = ((1.0, 0.5), (0.6, 0.3), (0.4, 0.25))
MAX_DISTANCE = 0.74  # of descriptors that are still alike


@dataclass(frozen=True)
class Search:
    """How finely keypoints are sought.

    photo_side, sheet_side: px that the long sides of the pictures of photo and empty sheet are
    shrunk to. most: keypoints of each that are used. is_coarse: what is not found plainly is to be
    sought more finely.
    """

    photo_side: int
    sheet_side: int
    most: int
    is_coarse: bool = False


# One after the other, until the sheet is found. Of 71 sheets (seeds 771001, 771002, 990173) the
# first found 53 in a tenth of the time of the third, and the second nine more.
SEARCHES = (
    Search(250, 350, 800, is_coarse=True),
    Search(350, 500, 800, is_coarse=True),
    Search(700, 1200, 4000),
    Search(1200, 1200, 4000),
)


COARSE_SEARCHES = tuple(search for search in SEARCHES if search.is_coarse)
FINE_SEARCHES = tuple(search for search in SEARCHES if not search.is_coarse)


@dataclass(frozen=True, eq=False)
class Keypoints:
    """points: (N, 2) px or cells, as are sizes (N,). turns: (N,) radians. descriptors: (N, 128)."""

    points: Points
    sizes: NDArray[np.float64]
    turns: NDArray[np.float64]
    descriptors: NDArray[np.float32]

    def at(self, chosen: NDArray[np.bool_]) -> Keypoints:
        return Keypoints(
            self.points[chosen], self.sizes[chosen], self.turns[chosen], self.descriptors[chosen]
        )


def keypoints_of(image: Image, side: int, most: int) -> Keypoints:
    """Keypoints of a picture, in px; raises NoSheetFound where it has too few to match.

    ``side`` : px that its long side is shrunk to. ``most`` : keypoints, those that show best.
    """
    small, scale = shrunk(image, min(1.0, side / max(image.shape[:2])))
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    sift = cv2.SIFT.create(nfeatures=most, contrastThreshold=MIN_CONTRAST)
    found, descriptors = sift.detectAndCompute(grey, None)
    if len(found) < MIN_MATCHING:
        raise NoSheetFound
    points = (np.array([each.pt for each in found]) + 0.5) / scale - 0.5
    # the square root of descriptors is compared better (RootSIFT: Arandjelovic, Zisserman 2012)
    descriptors = np.sqrt(descriptors / np.maximum(descriptors.sum(axis=1, keepdims=True), 1e-6))
    return Keypoints(
        points,
        np.array([each.size for each in found]) / scale,
        np.radians([each.angle for each in found]),
        np.asarray(descriptors, np.float32),
    )


@lru_cache(maxsize=32)
def blank_keypoints(layout: Layout, search: Search) -> Keypoints:
    """Keypoints of the empty sheet, in cells.

    Raises
    ------
    NoSheetFound, DefinitionDamaged
    """
    blank = blank_picture(layout)
    if blank is None:
        raise NoSheetFound
    found = keypoints_of(blank, search.sheet_side, search.most)
    pixels = blank.shape[1] / layout.page.width
    points = (found.points + 0.5) / pixels + (layout.page.left, layout.page.top)
    return Keypoints(points, found.sizes / pixels, found.turns, found.descriptors)


def distinct_matches(photo: Keypoints, sheet: Keypoints) -> Matches:
    """The keypoints of a photo that are plainly those of an empty sheet, in one plane.

    By MAGSAC++ (Barath et al. 2020).

    Raises
    ------
    NoSheetFound
    """
    own, far = _nearest(photo.descriptors, sheet.descriptors)
    close = np.flatnonzero(far[:, 0] < RATIO * far[:, 1])
    # a keypoint of the sheet is seen once: what many of a newspaper are like is none of them
    nearest = {int(own[at, 0]): at for at in close[np.argsort(-far[close, 0], kind="stable")]}
    there, here = sheet.points[[*nearest]], photo.points[[*nearest.values()]]
    found = _in_a_plane(there, here, MAGSAC_TOLERANCE)
    if found is None:
        raise NoSheetFound
    return found[1]


def posed_matches(photo: Keypoints, sheet: Keypoints) -> Iterator[Matches]:
    """Matches of an empty sheet by how they say that it lies, for each of a few ways.

    The one that most say comes first.

    Raises
    ------
    NoSheetFound
    """
    own, far = _nearest(sheet.descriptors, photo.descriptors)
    of_sheet, which = np.unravel_index(np.argsort(far, axis=None, kind="stable"), far.shape)
    of_photo = own[of_sheet, which]
    for agree in _poses(sheet, photo, of_sheet, of_photo):
        there, here = of_sheet[agree], of_photo[agree]
        scale = float(np.median(photo.sizes[here] / sheet.sizes[there]))  # px per cell
        first = _in_a_plane(sheet.points[there], photo.points[here], POSE_REACH / 2 * scale)
        found = _guided(first[0], sheet, photo) if first else None
        if found is not None:
            yield found


def _nearest(
    those: NDArray[np.float32], others: NDArray[np.float32]
) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
    """Of each of N descriptors the two most alike others, and how far they are: both (N, 2)."""
    own, far = np.empty((len(those), 2), np.intp), np.empty((len(those), 2), np.float32)
    for start in range(0, len(those), MATCHED_AT_ONCE):
        alike = products(those[start : start + MATCHED_AT_ONCE], others)
        rows = np.arange(len(alike))
        for which in (0, 1):
            most = alike.argmax(axis=1)
            own[start + rows, which] = most
            far[start + rows, which] = np.sqrt(np.maximum(2 - 2 * alike[rows, most], 0))
            alike[rows, most] = -1
    return own, far


def _poses(
    sheet: Keypoints, photo: Keypoints, of_sheet: NDArray[np.intp], of_photo: NDArray[np.intp]
) -> list[NDArray[np.bool_]]:
    """Which matches agree with a pose, for the poses with which most agree.

    ``of_sheet``, ``of_photo`` : (N,) indices of matching keypoints, the most alike ones first.
    """
    there, here = sheet.points[of_sheet], photo.points[of_photo]
    scales = photo.sizes[of_photo] / sheet.sizes[of_sheet]
    turns = photo.turns[of_photo] - sheet.turns[of_sheet]
    found: list[tuple[int, NDArray[np.bool_]]] = []
    for at in range(min(TRIED_POSES, len(there))):
        cos, sin = scales[at] * np.cos(turns[at]), scales[at] * np.sin(turns[at])
        away = there - there[at]
        expected = here[at] + away @ np.array([[cos, sin], [-sin, cos]])
        reach = scales[at] * (POSE_REACH + POSE_SLOPE * np.linalg.norm(away, axis=1))
        agree = np.linalg.norm(here - expected, axis=1) < reach
        agree &= np.abs(np.log(scales / scales[at])) < np.log(MAX_SCALE_RATIO)
        agree &= np.cos(turns - turns[at]) > np.cos(MAX_TURN)
        count = min(len(np.unique(each[agree])) for each in (of_sheet, of_photo))
        if count >= MIN_AGREEING:
            found.append((count, agree))
    found.sort(key=lambda each: -each[0])
    chosen: list[NDArray[np.bool_]] = []
    for _, agree in found:
        if all((agree & other).sum() < MAX_SHARED * agree.sum() for other in chosen):
            chosen.append(agree)
        if len(chosen) == MAX_POSES:
            break
    return chosen


def _guided(plane: NDArray[np.float64], sheet: Keypoints, photo: Keypoints) -> Matches | None:
    """The matches of all keypoints near where a plane puts them; None where too few are."""
    found: tuple[NDArray[np.float64], Matches] | None = None
    for reach, tolerance in GUIDED_ROUNDS:
        expected = apply_homography(plane, sheet.points)
        beside = apply_homography(plane, sheet.points + np.array([0.5, 0.0]))
        units = 2 * np.linalg.norm(beside - expected, axis=1)  # px per cell
        low, high = expected.min(axis=0) - units.max(), expected.max(axis=0) + units.max()
        if not np.isfinite(low).all() or not np.isfinite(high).all():
            return None
        near = photo.at(((photo.points > low) & (photo.points < high)).all(axis=1))
        if len(near.points) < MIN_MATCHING:
            return None
        alike = products(sheet.descriptors, near.descriptors)
        distances = np.sqrt(np.maximum(2 - 2 * alike, 0))
        for start in range(0, len(expected), MATCHED_AT_ONCE):
            part = slice(start, start + MATCHED_AT_ONCE)
            x, y = (expected[part, of, None] - near.points[:, of] for of in (0, 1))
            aside = np.square(x) + np.square(y)
            np.copyto(distances[part], np.inf, where=aside > np.square(reach * units[part, None]))
        own = distances.argmin(axis=1)
        at = np.arange(len(own))
        kept = (distances[at, own] < MAX_DISTANCE) & (distances.argmin(axis=0)[own] == at)
        found = _in_a_plane(
            sheet.points[kept], near.points[own[kept]], tolerance * float(np.median(units))
        )
        if found is None:
            return None
        plane = found[0]
    return found[1] if found else None


def _in_a_plane(
    there: Points, here: Points, tolerance: float
) -> tuple[NDArray[np.float64], Matches] | None:
    """The homography of matches (N, 2), and those that fit it; None where too few do.

    ``tolerance`` : px of the photo. A mirror image is none.
    """
    if len(there) < MIN_MATCHING:
        return None
    plane, inliers = cv2.findHomography(
        there, here, cv2.USAC_MAGSAC, tolerance, maxIters=5000, confidence=0.9999
    )
    if plane is None or inliers.sum() < MIN_MATCHING or np.linalg.det(plane) < 0:
        return None
    kept = inliers.ravel().astype(bool)
    return np.asarray(plane, np.float64), Matches(there[kept], here[kept], np.ones(kept.sum()))


# Set by hand where no source is named.
# median correlation of tiles. On 118 simulated photos of displaced printings in any art it was 0.71
# to 0.96 with the right printing but for one photo (90 % had 0.78 or more), and 0.73 at most with
# the best of 19 others
MIN_SAME_PRINT = 0.78
MIN_TILE_CONTRAST = 6.0  # grey levels, standard deviation of a tile on which something is printed
COMPARED_PIXELS = 10  # px per cell at which sheets are compared
TILE = 20  # px, side of a tile
REACH = 2  # px by which a tile may lie aside: placements are off by about a tenth of a cell


def with_printing(found: Alignment, image: Image, layouts: Sequence[Layout]) -> Alignment:
    """The alignment with the learnt layout that the sheet shows, or as it is if it shows none.

    Parameters
    ----------
    found : the sheet in the photo, by any layout of its game.
    image : the photo, uint8 BGR (height, width, 3).
    layouts : among which those of the same game and grid that hold an empty sheet are compared.
    """
    best, most_like = found.layout, MIN_SAME_PRINT
    pages: dict[Box, Image] = {}
    for layout in layouts:
        if not is_comparable(layout, found.layout):
            continue
        if layout.page not in pages:
            pages[layout.page] = page_in_photo(image, found.placement, layout.page)
        likeness = print_likeness(pages[layout.page], layout)
        if likeness >= most_like:
            best, most_like = layout, likeness
    return replace(found, layout=best)


def is_comparable(layout: Layout, other: Layout) -> bool:
    """Whether a layout holds an empty sheet, and one with the lattice of the other layout."""
    same = (layout.game, layout.grid) == (other.game, other.grid)
    return layout.blank is not None and layout is not other and same


def page_in_photo(
    image: Image, placement: Placement, page: Box, pixels: int = COMPARED_PIXELS
) -> Image:
    """The page, rectified at ``pixels`` a cell; outside the photo, and only there, it is 0."""
    flat = np.maximum(rectify(image, placement, page, pixels), 1)
    rows, columns = np.mgrid[: flat.shape[0], : flat.shape[1]]
    cells = np.stack([columns.ravel(), rows.ravel()], axis=1) + 0.5
    seen = placement.to_photo(cells / pixels + (page.left, page.top))
    height, width = image.shape[:2]
    inside = ((seen >= 0) & (seen <= (width - 1, height - 1))).all(axis=1)
    flat[~inside.reshape(flat.shape[:2])] = 0
    return flat


def print_likeness(page: Image, layout: Layout) -> float:
    """The median correlation, -1 to 1, of tiles of a layout's empty sheet with those of a page.

    Tiles of which the photo shows nothing and those on which next to nothing is printed do not
    count. 0 where none is left, or where the layout's picture of the empty sheet cannot be read.
    ``page`` : as of `page_in_photo`.
    """
    try:
        blank = blank_picture(layout)
    except DefinitionDamaged:  # the list of learnt sheets tells it
        return 0.0
    if blank is None:
        return 0.0
    height, width = page.shape[:2]
    printed = np.asarray(cv2.resize(blank, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    last = TILE + REACH
    corners = product(range(REACH, height - last + 1, TILE), range(REACH, width - last + 1, TILE))
    found = [_correlation(page, printed, row, column) for row, column in corners]
    told = [each for each in found if each is not None]
    return float(np.median(told)) if told else 0.0


def _correlation(page: Image, printed: Image, row: int, column: int) -> float | None:
    """The best of a tile within its reach; None for one without print, or outside the photo."""
    tile = printed[row : row + TILE, column : column + TILE]
    around = page[row - REACH : row + TILE + REACH, column - REACH : column + TILE + REACH]
    if tile.std(axis=(0, 1)).mean() < MIN_TILE_CONTRAST or not around.any(axis=2).all():
        return None
    return float(cv2.matchTemplate(around, tile, cv2.TM_CCOEFF_NORMED).max())
