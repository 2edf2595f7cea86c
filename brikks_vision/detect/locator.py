"""What the locator network sees: matches between the print of a sheet and a photo."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.fit import LEAST_MATCHES, Matches
from brikks_vision.detect.networks import run_network
from brikks_vision.detect.placement import Image, halved, softened
from brikks_vision.errors import NoSheetFound, SheetBackShown
from brikks_vision.layout import Layout, Point

LOCATOR_SIZE = 320  # px, the side of the square that the locator sees
LOCATOR_STRIDE, LOCATOR_STEP = 8, 32  # px of an output; sides that the network can halve
# of the photo's longer side: what is looked at closer if no sheet was seen, and from where (0 to 1)
PARTS = (
    (0.6, (*product((0.0, 1.0), repeat=2), (0.5, 0.5))),
    (0.45, tuple(product((0.0, 0.5, 1.0), repeat=2))),
)
CLOSER = 1.6  # the second view is so much larger than what is read of the sheet
# times as large as the first must a second view be to tell more: so sheets are looked at closer
# that have less than 42 % of the photo's length (shrunk photos' larger ones were placed as well)
LEAST_CLOSER = 1.5
COORDINATE_UNIT = 10.0  # cells per unit of the locator's coordinates
LIKELY_BACK = 0.15  # probability of a back, where no front is seen
LEAST_FRONT = 0.012  # share of a square view: less shows no sheet that could be read


@dataclass(frozen=True)
class Sighting:
    """What the locator saw: matches on a sheet's front, and how sure it is of front and back.

    front_share: part of a square view (0 to 1) that shows a front. back: probability 0 to 1.
    """

    matches: Matches
    front_share: float
    back: float


def print_sighting(view: Image) -> Sighting:
    """Where the locator network sees a sheet's print, whatever way up.

    ``view`` : as large as `LOCATOR_SIZE` at most; sides are multiples of `LOCATOR_STEP`.
    """
    front, back, x, y, log_scale = run_network("locator", view)
    rows, columns = np.nonzero(front > 0)
    sheet = COORDINATE_UNIT * np.stack([x[rows, columns], y[rows, columns]], axis=1)
    seen = (np.stack([columns, rows], axis=1) + 0.5) * LOCATOR_STRIDE - 0.5
    weights = np.exp(-2 * np.clip(log_scale[rows, columns], -4, 4))
    return Sighting(
        Matches(sheet.astype(float), seen.astype(float), weights.astype(float)),
        len(rows) / (LOCATOR_SIZE // LOCATOR_STRIDE) ** 2,
        float(1 / (1 + np.exp(-back.max()))),
    )


def views(width: int, height: int) -> Iterator[list[NDArray[np.float64]]]:
    """Square views of a photo, as (2, 3) similarities from photo px to view px.

    All of it first; for a sheet that was overlooked then all of it turned, then its parts closer.
    """
    longest = max(width, height)
    middle = (width / 2, height / 2)
    scale = LOCATOR_SIZE / longest
    yield [np.array([[scale, 0, scale / 2 - 0.5], [0, scale, scale / 2 - 0.5]])]
    yield [square_view(middle, longest, turn) for turn in range(45, 360, 45)]
    closer = []
    for part, places in PARTS:
        window = part * longest
        reach_x, reach_y = max(0.0, width - window), max(0.0, height - window)
        for x, y in places:
            centre = (middle[0] + (x - 0.5) * reach_x, middle[1] + (y - 0.5) * reach_y)
            closer.append(square_view(centre, window, 0))
    yield closer


def square_view(centre: Point, side: float, turn: int) -> NDArray[np.float64]:
    """The view of a square of the photo, ``side`` px wide, turned by degrees."""
    scale = LOCATOR_SIZE / side
    to_view = np.asarray(cv2.getRotationMatrix2D(centre, turn, scale), np.float64)
    to_view[:, 2] += LOCATOR_SIZE / 2 - np.array(centre)
    return to_view


def find_print(image: Image, layout: Layout, to_view: NDArray[np.float64]) -> Matches:
    """Matches between the sheet's print and a photo: a look at one view of it, then a closer one.

    The second look is spared where it would not be much closer.

    Raises
    ------
    NoSheetFound, SheetBackShown
    """
    sighting = print_sighting(_warp(image, to_view))
    seen = sighting.matches
    if sighting.front_share < LEAST_FRONT or len(seen.sheet) < LEAST_MATCHES:
        raise SheetBackShown if sighting.back > LIKELY_BACK else NoSheetFound
    first = _seen_in(to_view, seen)
    estimated, _ = cv2.estimateAffinePartial2D(
        first.photo, first.sheet, method=cv2.RANSAC, ransacReprojThreshold=1.5
    )
    if estimated is None:
        raise NoSheetFound
    similarity = np.asarray(estimated, np.float64)
    area = layout.reading_area
    side = LOCATOR_SIZE / (CLOSER * max(area.width, area.height))  # px per cell of the closer view
    middle = np.array([(area.left + area.right) / 2, (area.top + area.bottom) / 2])
    if side * _scale(similarity) < LEAST_CLOSER * _scale(to_view):
        return first
    to_closer = side * similarity
    to_closer[:, 2] += LOCATOR_SIZE / 2 - side * middle
    closer = print_sighting(_warp(image, to_closer)).matches
    if len(closer.sheet) < LEAST_MATCHES:
        return first
    return _seen_in(to_closer, closer)


def _seen_in(to_view: NDArray[np.float64], seen: Matches) -> Matches:
    """Matches in a view as matches in the photo."""
    back = cv2.invertAffineTransform(to_view)
    return Matches(seen.sheet, seen.photo @ back[:, :2].T + back[:, 2], seen.weights)


def _scale(similarity: NDArray[np.float64]) -> float:
    """By how much a (2, 3) similarity enlarges."""
    return float(np.sqrt(abs(np.linalg.det(similarity[:, :2]))))


def _warp(image: Image, matrix: NDArray[np.float64]) -> Image:
    """A view of the image through a (2, 3) similarity, averaged where it shrinks.

    A square of `LOCATOR_SIZE` without what lies right of all of the image, or below.
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
