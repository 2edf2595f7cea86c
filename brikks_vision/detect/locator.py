"""What shows in a photo before a placement is known: the print, and fiducial markers.

What the locator network sees: matches between the print of a sheet and a photo.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.fit import MIN_MATCHES, Matches
from brikks_vision.detect.networks import run_network
from brikks_vision.detect.placement import Image, Points, halved, shrunk, softened
from brikks_vision.errors import NoSheetFound, SheetBackShown
from brikks_vision.layout import Layout, Markers, Point

# Set by hand where no source is named.
# degrees by which the whole photo is rotated if no sheet is found in it upright
VIEW_TURNS = tuple(range(45, 360, 45))
# if no sheet is found in a rotated photo either: side as a share of the photo's longer side, and
# places (across, down) from 0 (left, top) to 1
CLOSER_VIEWS = (
    (0.6, (*product((0.0, 1.0), repeat=2), (0.5, 0.5))),
    (0.45, tuple(product((0.0, 0.5, 1.0), repeat=2))),
)
# share of a square view that shows a sheet's front; a smaller one cannot be read
MIN_FRONT_SHARE = 0.012
# probability from which on the back of the sheet is said to be up, if no front is seen. The whole
# photos of 15 of 16 backs (seed 991) had 0.94 and more, of 15 other printings 0.77 and less
MIN_BACK_PROBABILITY = 0.9
# cells, RANSAC's tolerance for the locator's matches under one similarity
SIMILARITY_TOLERANCE = 1.5
VIEW_MARGIN = 1.6  # side of a closer view, as a multiple of the longer side of the reading area
# of the second, closer view over the first; with less there is none. So it is left out where the
# reading area is longer than 42 % of the photo: such sheets were placed as well without it (660
# simulated photos, and 70 that were reduced)
MIN_MAGNIFICATION = 1.5
MAX_MATCH_LOG_SCALE = 4.0  # the predicted log scale of a match of the locator is clipped to +-this

# The network was trained at this size, stride and unit.
LOCATOR_SIZE = 320  # px, maximum side of its input
LOCATOR_STRIDE = 8  # px of its input per output
LOCATOR_STEP = 32  # px; sides of the input are multiples, because the network halves it five times
COORDINATE_UNIT = 10.0  # cells per unit of the coordinates that it predicts


@dataclass(frozen=True)
class Sighting:
    """What the locator sees in one view.

    matches: points of a sheet's front, in px of the view.
    front_share: share (0 to 1) of a square view that shows a front.
    back: probability (0 to 1) that the view shows a back.
    """

    matches: Matches
    front_share: float
    back: float


def print_sighting(view: Image) -> Sighting:
    """One forward pass of the locator over a view of a photo, at any rotation.

    ``view`` : uint8 BGR; sides are multiples of `LOCATOR_STEP` up to `LOCATOR_SIZE`.
    """
    front, back, x, y, log_scale = run_network("locator", view)
    rows, columns = np.nonzero(front > 0)
    sheet = COORDINATE_UNIT * np.stack([x[rows, columns], y[rows, columns]], axis=1)
    seen = (np.stack([columns, rows], axis=1) + 0.5) * LOCATOR_STRIDE - 0.5
    weights = np.exp(
        -2 * np.clip(log_scale[rows, columns], -MAX_MATCH_LOG_SCALE, MAX_MATCH_LOG_SCALE)
    )
    return Sighting(
        Matches(sheet.astype(float), seen.astype(float), weights.astype(float)),
        len(rows) / (LOCATOR_SIZE // LOCATOR_STRIDE) ** 2,
        float(1 / (1 + np.exp(-back.max()))),
    )


def views(width: int, height: int) -> Iterator[list[NDArray[np.float64]]]:
    """Rounds of square views of a photo, as (2, 3) similarities from photo px to view px.

    First the whole photo; if no sheet is found there, the photo rotated, then closer parts of it.
    """
    longest = max(width, height)
    middle = (width / 2, height / 2)
    scale = LOCATOR_SIZE / longest
    yield [np.array([[scale, 0, scale / 2 - 0.5], [0, scale, scale / 2 - 0.5]])]
    yield [square_view(middle, longest, turn) for turn in VIEW_TURNS]
    closer = []
    for part, places in CLOSER_VIEWS:
        window = part * longest
        reach_x, reach_y = max(0.0, width - window), max(0.0, height - window)
        for x, y in places:
            centre = (middle[0] + (x - 0.5) * reach_x, middle[1] + (y - 0.5) * reach_y)
            closer.append(square_view(centre, window, 0))
    yield closer


def square_view(centre: Point, side: float, turn: int) -> NDArray[np.float64]:
    """The view of a square of the photo, ``side`` px wide, rotated by ``turn`` degrees."""
    scale = LOCATOR_SIZE / side
    to_view = np.asarray(cv2.getRotationMatrix2D(centre, turn, scale), np.float64)
    to_view[:, 2] += LOCATOR_SIZE / 2 - np.array(centre)
    return to_view


def find_print(image: Image, layout: Layout, to_view: NDArray[np.float64]) -> Matches:
    """Matches between the sheet's print and a photo, from one view and then from a closer one.

    The second view is skipped if it would not magnify the sheet by `MIN_MAGNIFICATION`.

    Parameters
    ----------
    to_view : (2, 3) similarity from photo px to px of the first view.

    Raises
    ------
    NoSheetFound, SheetBackShown
    """
    sighting = print_sighting(take_view(image, to_view))
    seen = sighting.matches
    if sighting.front_share < MIN_FRONT_SHARE or len(seen.sheet) < MIN_MATCHES:
        raise SheetBackShown if sighting.back > MIN_BACK_PROBABILITY else NoSheetFound
    first = _seen_in(to_view, seen)
    estimated, _ = cv2.estimateAffinePartial2D(
        first.photo, first.sheet, method=cv2.RANSAC, ransacReprojThreshold=SIMILARITY_TOLERANCE
    )
    if estimated is None:
        raise NoSheetFound
    similarity = np.asarray(estimated, np.float64)
    area = layout.reading_area
    cell = LOCATOR_SIZE / (VIEW_MARGIN * max(area.width, area.height))  # px of the closer view
    middle = np.array([(area.left + area.right) / 2, (area.top + area.bottom) / 2])
    if cell * _scale(similarity) < MIN_MAGNIFICATION * _scale(to_view):
        return first
    to_closer = cell * similarity
    to_closer[:, 2] += LOCATOR_SIZE / 2 - cell * middle
    closer = print_sighting(take_view(image, to_closer)).matches
    if len(closer.sheet) < MIN_MATCHES:
        return first
    return _seen_in(to_closer, closer)


def _seen_in(to_view: NDArray[np.float64], seen: Matches) -> Matches:
    """Matches in a view, with their positions mapped to the photo."""
    back = cv2.invertAffineTransform(to_view)
    return Matches(seen.sheet, seen.photo @ back[:, :2].T + back[:, 2], seen.weights)


def _scale(similarity: NDArray[np.float64]) -> float:
    """The scale factor of a (2, 3) similarity."""
    return float(np.sqrt(abs(np.linalg.det(similarity[:, :2]))))


def take_view(image: Image, matrix: NDArray[np.float64]) -> Image:
    """A view of the image through a (2, 3) similarity, antialiased.

    The view is a square of `LOCATOR_SIZE`, cropped at the right and the bottom to what the image
    covers.
    """
    height, width = image.shape[:2]
    corners = np.array([[0, 0, 1], [width, 0, 1], [0, height, 1], [width, height, 1]])
    reach = np.ceil((corners @ matrix.T).max(axis=0) / LOCATOR_STEP).astype(int) * LOCATOR_STEP
    across, down = np.clip(reach, LOCATOR_STEP, LOCATOR_SIZE).tolist()
    image, factor = halved(image, _scale(matrix))
    matrix = matrix.copy()
    matrix[:, 2] += matrix[:, :2] @ np.full(2, 0.5 / factor - 0.5)
    matrix[:, :2] /= factor
    image = softened(image, 1 / _scale(matrix), factor < 1)
    view = cv2.warpAffine(image, matrix, (across, down), flags=cv2.INTER_LINEAR)
    return np.asarray(view, np.uint8)


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
