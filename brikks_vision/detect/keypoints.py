"""Where learnt printings may lie: by keypoints of their empty sheets (SIFT: Lowe 2004)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import Proposal
from brikks_vision.detect.fit import Matches, fit
from brikks_vision.detect.pen import products
from brikks_vision.detect.placement import Image, Points, shrunk
from brikks_vision.detect.template import blank_picture
from brikks_vision.errors import DefinitionDamaged, NoSheetFound
from brikks_vision.layout import Layout

# Set by hand where no source is named.
MIN_CONTRAST = 0.02  # threshold of SIFT: half of OpenCV's default, for pale print
MIN_MATCHING = 12  # matches between photo and empty sheet that fit one plane
MATCHED_AT_ONCE = 500  # descriptors, with all others: more need more memory
RATIO = 0.8  # most of the distances to the nearest two descriptors (Lowe 2004)
MAGSAC_TOLERANCE = 4.0  # px of the photo
MIN_TOLD_SHARE = 0.5  # of the matches of the printing with most: rivals for the sheet


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
    """points: (N, 2) px or cells. descriptors: (N, 128)."""

    points: Points
    descriptors: NDArray[np.float32]


def keypoint_proposals(
    image: Image, layouts: Sequence[Layout], search: Search
) -> Sequence[Proposal]:
    """Where a sheet may lie of which the photo shows keypoints: of those printings that show most.

    A picture of an empty sheet that cannot be decoded is passed over; the list of learnt sheets
    tells it.
    """
    found: list[Proposal] = []
    with suppress(NoSheetFound):
        photo = keypoints_of(image, search.photo_side, search.most)
        for layout in layouts:
            with suppress(NoSheetFound, DefinitionDamaged):
                matches = distinct_matches(photo, blank_keypoints(layout, search))
                plane = fit(matches, layout.page, "keypoints", np.inf)
                count = len(matches.sheet)
                found.append(Proposal(layout, plane, count, is_coarse=search.is_coarse))
    most = max((each.support for each in found), default=0)
    return [each for each in found if each.support >= MIN_TOLD_SHARE * most]


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
    return Keypoints(points, np.asarray(descriptors, np.float32))


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
    return replace(found, points=points)


def distinct_matches(photo: Keypoints, sheet: Keypoints) -> Matches:
    """The keypoints of a photo that are plainly those of an empty sheet, in one plane.

    By MAGSAC++ (Barath et al. 2020).

    Raises
    ------
    NoSheetFound
        They are too few, or show a mirror image.
    """
    own, far = _nearest(photo.descriptors, sheet.descriptors)
    close = np.flatnonzero(far[:, 0] < RATIO * far[:, 1])
    # a keypoint of the sheet is seen once: what many of a newspaper are like is none of them
    nearest = {int(own[at, 0]): at for at in close[np.argsort(-far[close, 0], kind="stable")]}
    there, here = sheet.points[[*nearest]], photo.points[[*nearest.values()]]
    if len(there) < MIN_MATCHING:
        raise NoSheetFound
    plane, inliers = cv2.findHomography(
        there, here, cv2.USAC_MAGSAC, MAGSAC_TOLERANCE, maxIters=5000, confidence=0.9999
    )
    if plane is None or inliers.sum() < MIN_MATCHING or np.linalg.det(plane) < 0:
        raise NoSheetFound
    kept = inliers.ravel().astype(bool)
    return Matches(there[kept], here[kept], np.ones(kept.sum()))


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
