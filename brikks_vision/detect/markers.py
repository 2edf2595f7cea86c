"""Finds the fiducial markers of a sheet."""

from __future__ import annotations

import cv2
import numpy as np

from brikks_vision.detect.fit import Matches
from brikks_vision.detect.placement import Image, Points, shrunk
from brikks_vision.layout import Markers

MARKER_WINDOW = 23  # px of the picture looked at around which a marker's threshold is taken


def marker_matches(image: Image, markers: Markers) -> Matches | None:
    """Corners of the sheet's fiducial markers; None where fewer than three of one sheet are seen.

    Markers of several sheets are told apart by their ids; the sheet that shows most of them wins.
    The image is looked at halved first: where that shows no marker the sheet has none, or is so
    small that its print tells as much.
    """
    for scale in (0.5, 1.0):
        seen = _seen_markers(shrunk(image, scale)[0], markers)
        if not seen:
            return None
        if len({at for at, _ in seen}) >= 3:
            break
    else:
        return None
    half = markers.size / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    sheet = np.concatenate([square + markers.centres[at] for at, _ in seen])
    photo = (np.concatenate([quad for _, quad in seen]) + 0.5) / scale - 0.5
    return Matches(sheet, photo, np.ones(len(sheet)))


def _seen_markers(image: Image, markers: Markers) -> list[tuple[int, Points]]:
    """Markers of the sheet that shows most of them: which corner of it each is, and its own (4, 2).

    Of sheets that show as many the one with the largest.
    """
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    # one threshold instead of three: a third of the time, and no marker of a readable sheet is lost
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
