"""Finds the fiducial markers of a sheet."""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.fit import Matches
from brikks_vision.detect.placement import Image, Points, shrunk
from brikks_vision.detect.thresholds import MARKER_SCALES, MARKER_WINDOW, MIN_MARKERS
from brikks_vision.layout import Markers


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


def _seen_markers(image: Image, markers: Markers) -> list[tuple[int, Points]]:
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
    sheets: dict[int, list[tuple[int, Points]]] = {}
    for number, quad in zip(np.asarray(ids).ravel(), corners, strict=True):
        sheet, corner = divmod(int(number) - markers.first, 4)
        if sheet >= 0:
            sheets.setdefault(sheet, []).append((corner, np.asarray(quad[0], float)))
    if not sheets:
        return []
    return max(sheets.values(), key=lambda seen: (len({at for at, _ in seen}), _total_area(seen)))


def _total_area(seen: list[tuple[int, Points]]) -> float:
    return sum(float(cv2.contourArea(quad.astype(np.float32))) for _, quad in seen)
