"""Finds the fiducial markers of a sheet."""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.fit import Matches
from brikks_vision.detect.placement import Image, Points, shrunk
from brikks_vision.layout import Markers

# Set by hand where no source is named.
MIN_MARKERS = 3  # markers of one sheet by which it is placed
# px, window of OpenCV's adaptive threshold. One window instead of the three by default takes a
# third of the time and lost no marker of a readable sheet (simulated photos)
MARKER_WINDOW = 23
# scales of the overview, tried in turn: a sheet that shows no marker at the first has none, or is
# so small that its print is enough
MARKER_SCALES = (0.5, 1.0)
# how far a marker may lie from where another one predicts it, as a share of their distance: the
# corners of a marker give its size and turn to about a tenth, and perspective adds to the error
MAX_MARKER_ASIDE = 0.3

Seen = list[tuple[int, Points]]
"""Markers: the sheet's corner that each stands at, and its own corners (4, 2), px."""


def marker_matches(image: Image, markers: Markers) -> Matches | None:
    """Corners of a sheet's fiducial markers; None if it shows fewer than `MIN_MARKERS`.

    The ids tell the markers of several sheets apart; the sheet with most markers wins. The halved
    image is searched first: if it shows no marker, the sheet has none or is so small that its print
    places it as well.

    ``image`` : uint8 BGR (height, width, 3).
    """
    for scale in MARKER_SCALES:
        seen = _seen_markers(shrunk(image, scale)[0], markers)
        if not seen:
            return None
        if len({at for at, _ in seen}) >= MIN_MARKERS:
            break
    else:
        return None
    half = markers.size / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    sheet = np.concatenate([square + markers.centres[at] for at, _ in seen])
    photo = (np.concatenate([quad for _, quad in seen]) + 0.5) / scale - 0.5
    return Matches(sheet, photo, np.ones(len(sheet)))


def _seen_markers(image: Image, markers: Markers) -> Seen:
    """The markers of one sheet: the sheet's corner that each stands at, and its own corners (4, 2).

    Of several sheets the one with most markers, then with the largest.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    parameters.adaptiveThreshWinSizeMin = parameters.adaptiveThreshWinSizeMax = MARKER_WINDOW
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(image)
    if ids is None:
        return []
    sheets: dict[int, Seen] = {}
    for number, quad in zip(np.asarray(ids).ravel(), corners, strict=True):
        sheet, corner = divmod(int(number) - markers.first, 4)
        if sheet >= 0:
            sheets.setdefault(sheet, []).append((corner, np.asarray(quad[0], float)))
    alone = [of_one_sheet(seen, markers) for seen in sheets.values()]
    return max(alone, key=lambda seen: (len(seen), _total_area(seen)), default=[])


def of_one_sheet(seen: Seen, markers: Markers) -> Seen:
    """Of markers that several sheets bear alike, those of one sheet, each corner once.

    Each marker tells by its own four corners where the others of its sheet must be, roughly.
    """
    if len({at for at, _ in seen}) == len(seen):
        return seen
    groups = [_group_around(at, quad, seen, markers) for at, quad in seen]
    return max(groups, key=lambda group: (len(group), _total_area(group)))


def _group_around(at: int, quad: Points, seen: Seen, markers: Markers) -> Seen:
    """A marker and, of each other corner, the nearest one to where that must be, if it is near."""
    half = markers.size / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    known = (square + markers.centres[at]).astype(np.float32)
    # an affine map: a plane by one small marker would be far off at the other side of the sheet
    affine, _ = cv2.estimateAffine2D(known, quad.astype(np.float32))
    if affine is None:
        return [(at, quad)]
    group = [(at, quad)]
    for other, centre in enumerate(markers.centres):
        if other == at:
            continue
        expected = affine[:, :2] @ np.asarray(centre) + affine[:, 2]
        reach = MAX_MARKER_ASIDE * float(np.linalg.norm(expected - quad.mean(axis=0)))
        near = [
            (float(np.linalg.norm(each.mean(axis=0) - expected)), number)
            for number, (corner, each) in enumerate(seen)
            if corner == other
        ]
        if near and min(near)[0] < reach:
            group.append(seen[min(near)[1]])
    return group


def _total_area(seen: Seen) -> float:
    return sum(float(cv2.contourArea(quad.astype(np.float32))) for _, quad in seen)
