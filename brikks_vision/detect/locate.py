"""Finds the sheet in a photo: by its fiducial markers, else by its print.

Both ways give matched points (sheet, photo); a fit makes a placement of them, and the aligner,
which sees the sheet through that placement, corrects it until nothing is left to correct.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import run_network, sample
from brikks_vision.detect.placement import (
    Image,
    Placement,
    Points,
    apply_homography,
    fit_placement,
    fit_planes,
    halved,
    rectify,
    shrunk,
    softened,
)
from brikks_vision.errors import (
    NoSheetFound,
    PhotoUnreadable,
    SheetBackShown,
    SheetCutOff,
    SheetTooBlurred,
    SheetTooSmall,
    Side,
)
from brikks_vision.layout import Box, Layout, Markers, Point

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
LEAST_MATCHES = 8
MARKER_WINDOW = 23  # px of the picture looked at around which a marker's threshold is taken
LEAST_PLACES = 60  # keypoints in the photo, of a sheet's
LOWEST_EVIDENCE = -4.0
COORDINATE_UNIT = 10.0  # cells per unit of the locator's coordinates
ALIGNER_PIXELS = 12  # per cell
ALIGNER_STRIDE = 4
REACH = 0.5  # cells around a keypoint's expected place in which it is looked for
# how the bars may lie aside of where the lattice puts them, in cells: as far as beyond a fold, but
# no row further, as nothing is printed that tells rows apart. Across, down, their right end
# further than the left one (half of it), the lower ones further than the upper ones (half of it)
BARS_MOVED = np.array(
    list(
        product(
            np.linspace(-1.65, 1.65, 23),
            (0.0, -0.2, 0.2, -0.4, 0.4, -0.6, 0.6),
            (0.0, -0.2, 0.2, -0.4, 0.4),
            (0.0, -0.2, 0.2),
        )
    )
)
LIKELY_IN_PLACE = 2.0  # log-odds against each cell of these
IN_PLACE = -0.15  # mean log-likelihood of the bars where the lattice puts them: look no further
LESS_LIKELY = 15.0  # log-odds of places of the bars that are followed, by the likeliest
BAR_SPREAD = 0.15  # cells
OUT_OF_VIEW = 0.5  # probability of what is seen where nothing can be seen


@dataclass(frozen=True)
class Matches:
    """Sheet points (cells) and the photo points (px) where they were seen; weights (N,)."""

    sheet: Points
    photo: Points
    weights: NDArray[np.float64]


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
    yield [_square_view(middle, longest, turn) for turn in range(45, 360, 45)]
    closer = []
    for part, places in PARTS:
        window = part * longest
        reach_x, reach_y = max(0.0, width - window), max(0.0, height - window)
        for x, y in places:
            centre = (middle[0] + (x - 0.5) * reach_x, middle[1] + (y - 0.5) * reach_y)
            closer.append(_square_view(centre, window, 0))
    yield closer


def _square_view(centre: Point, side: float, turn: int) -> NDArray[np.float64]:
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


@cache
def keypoints(layout: Layout) -> Points:
    """Printed points that can be pinned down, (N, 2) in cells: lattice nodes and marks' places."""
    grid = layout.grid
    nodes = [(column, row) for row in range(grid.rows + 1) for column in range(grid.columns + 1)]
    marks = [centre for field in layout.places for centre in field.centres]
    points = np.array([*nodes, *marks], float)
    points.setflags(write=False)
    return points


@dataclass(frozen=True)
class Keypoints:
    """What the aligner sees through a placement, at steps of `ALIGNER_STRIDE`.

    through: that placement. heat: (rows, columns) probability that a keypoint is here; around: the
    greatest of it here and a step beside. votes: (rows, columns, 2) where the nearest keypoint is,
    in cells. strength: (rows, columns) of each vote. frame: width and height of the photo, px.
    """

    through: Placement
    heat: NDArray[np.float64]
    around: NDArray[np.float32]
    votes: NDArray[np.float64]
    strength: NDArray[np.float64]
    frame: tuple[int, int]

    @cached_property
    def in_photo(self) -> NDArray[np.bool_]:
        """(rows, columns) whether the photo shows what is there, at each step."""
        steps = np.moveaxis(np.indices(self.heat.shape), 0, -1).reshape(-1, 2)[:, ::-1] + 0.5
        area = self.through.area
        places = np.asarray((area.left, area.top) + steps * ALIGNER_STEP, np.float64)
        return inside(self.through.to_photo(places), self.frame).reshape(self.heat.shape)


def inside(points: Points, frame: tuple[int, int]) -> NDArray[np.bool_]:
    """Which photo points (N, 2) lie within a frame (width, height)."""
    (x, y), (width, height) = points.T, frame
    return np.asarray((x >= 0) & (x < width) & (y >= 0) & (y < height), np.bool_)


def within(places: NDArray[np.float64], area: Box) -> NDArray[np.bool_]:
    """Which places (..., 2) lie in a part of the sheet, in cells."""
    x, y = places[..., 0], places[..., 1]
    across, down = (x >= area.left) & (x <= area.right), (y >= area.top) & (y <= area.bottom)
    return np.asarray(across & down, np.bool_)


ALIGNER_STEP = ALIGNER_STRIDE / ALIGNER_PIXELS  # cells


def see_keypoints(image: Image, placement: Placement) -> Keypoints:
    """One pass of the aligner over the sheet as a placement shows it."""
    area = placement.area
    maps = run_network("aligner", rectify(image, placement, area, ALIGNER_PIXELS)).astype(float)
    logit, offset_x, offset_y, log_scale = maps
    x = area.left + (np.arange(logit.shape[1]) + 0.5) * ALIGNER_STEP
    y = area.top + (np.arange(logit.shape[0]) + 0.5) * ALIGNER_STEP
    votes = np.stack([x + offset_x, y[:, None] + offset_y], axis=-1)
    heat = 1 / (1 + np.exp(-logit))
    strength = heat * np.exp(-2 * np.clip(log_scale, -5, 3))
    around = np.asarray(cv2.dilate(heat, np.ones((3, 3), np.uint8)), np.float32)
    return Keypoints(placement, heat, around, votes, strength, (image.shape[1], image.shape[0]))


def seen_at(seen: Keypoints, placement: Placement, points: Points) -> Points:
    """Where sheet points (N, 2) are in what is seen, in cells, if they lie as a placement says.

    That is near the one looked through, whose bend is taken to be the same at both places.
    """
    back = np.linalg.inv(seen.through.homography)
    there = apply_homography(back, seen.through.to_photo(points))
    return points + apply_homography(back, placement.to_photo(points)) - there


def match_keypoints(
    seen: Keypoints,
    placement: Placement,
    layout: Layout,
    aside: NDArray[np.float64],
) -> Matches:
    """Each keypoint where the votes around its expected place put it.

    ``aside`` : (N, 2) by how many cells the places are thought to be off.
    """
    points = keypoints(layout)
    means, sure = voted_places(seen, seen_at(seen, placement, points) + aside)
    kept = sure > 0
    return Matches(points[kept], seen.through.to_photo(means[kept]), sure[kept])


def voted_places(
    seen: Keypoints, expected: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where the votes around expected places (..., 2) put what is there, and how surely (...).

    Places in cells, as they are seen; sureness 0 without votes within `REACH`.
    """
    area = seen.through.area
    reach = int(np.ceil(REACH / ALIGNER_STEP))
    around = np.arange(-reach, reach + 1)
    last_row, last_column = seen.heat.shape[0] - 1, seen.heat.shape[1] - 1
    columns = np.round((expected[..., 0] - area.left) / ALIGNER_STEP - 0.5).astype(int)
    rows = np.round((expected[..., 1] - area.top) / ALIGNER_STEP - 0.5).astype(int)
    columns = np.clip(columns[..., None, None] + around[None, :], 0, last_column)
    rows = np.clip(rows[..., None, None] + around[:, None], 0, last_row)
    # coordinate by coordinate: numpy is slow along an axis of two
    votes = [seen.votes[..., axis][rows, columns] for axis in (0, 1)]
    near = [
        np.abs(vote - expected[..., None, None, axis]) < REACH for axis, vote in enumerate(votes)
    ]
    weights = seen.strength[rows, columns] * (near[0] & near[1])
    total = weights.sum(axis=(-2, -1))
    means = [(vote * weights).sum(axis=(-2, -1)) / (total + 1e-9) for vote in votes]
    scatter = sum(
        (vote - mean[..., None, None]) ** 2 for vote, mean in zip(votes, means, strict=True)
    )
    spread = (scatter * weights).sum(axis=(-2, -1)) / (total + 1e-9)
    sureness = np.where(total > 1e-6, total / (1 + spread / 0.01), 0.0)
    return np.stack(means, axis=-1), sureness


def bars_aside(seen: Keypoints, placement: Placement, layout: Layout) -> list[NDArray[np.float64]]:
    """How far off the keypoints' places (N, 2) the bars may be seen, in cells; 0 for all others.

    The bars lie outside of the lattice, and under curled paper a placement that fits the lattice
    may miss them by half the way to the next mark, or more, which looks the same, but for their
    ends. So shifts and stretches of all bars together are weighed by the marks that they hit and by
    the places beyond the ends, where none is. The likeliest comes first, then those that are a mark
    further on and nearly as likely: a look through a placement that follows them decides.
    """
    points = keypoints(layout)
    barred = np.flatnonzero(points[:, 1] > layout.grid.rows)
    there = seen_at(seen, placement, np.concatenate([points[barred], beyond_the_bars(layout)]))
    aside = np.zeros_like(points)
    if _likelihood(seen, there[None], len(barred))[0] > IN_PLACE * len(there):
        return [aside]
    middle, half = (there.max(axis=0) + there.min(axis=0)) / 2, np.ptp(there, axis=0) / 2
    x, y = ((there - middle) / half).T
    across, down, stretched, slanted = BARS_MOVED.T[..., None]
    moved = np.stack([across + stretched * x + slanted * y, np.tile(down, len(there))], axis=-1)
    likelihood = _likelihood(seen, there + moved, len(barred))
    likelihood -= LIKELY_IN_PLACE * np.abs(BARS_MOVED).sum(axis=1)
    likely = likelihood > likelihood.max() - LESS_LIKELY
    found = []
    while likely.any():
        best = int(np.where(likely, likelihood, -np.inf).argmax())
        found.append(aside.copy())
        found[-1][barred] = moved[best, : len(barred)]
        likely &= np.abs(BARS_MOVED[:, 0] - BARS_MOVED[best, 0]) > REACH
    return found


def _likelihood(seen: Keypoints, places: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Log-likelihoods (S,) of places (S, M, 2) in what is seen: of ``count`` keypoints, then of
    places where none is."""
    area = seen.through.area
    x, y = np.moveaxis(places, -1, 0)
    columns = np.round((x - area.left) / ALIGNER_STEP - 0.5).astype(int)
    rows = np.round((y - area.top) / ALIGNER_STEP - 0.5).astype(int)
    nearest = np.clip(rows, 0, len(seen.heat) - 1), np.clip(columns, 0, seen.heat.shape[1] - 1)
    vote_x, vote_y = seen.votes[..., 0][nearest], seen.votes[..., 1][nearest]
    squares = (vote_x - x) ** 2 + (vote_y - y) ** 2
    hit = np.clip(seen.heat[nearest] * np.exp(-0.5 * squares / BAR_SPREAD**2), 0.02, 0.98)
    hit[:, count:] = 1 - hit[:, count:]
    hit[~seen.in_photo[nearest] | ~within(places, area)] = OUT_OF_VIEW
    return np.asarray(np.log(hit).sum(axis=1), np.float64)


def beyond_the_bars(layout: Layout) -> Points:
    """Where the bars' marks would be if each of their rows had one more at either end, (N, 2)."""
    ends = []
    for field in layout.places:
        for row in sorted({y for _, y in field.centres}):
            x = sorted(x for x, y in field.centres if y == row)
            if len(x) < 2:
                continue
            ends += [(2 * x[0] - x[1], row), (2 * x[-1] - x[-2], row)]
    return np.array(ends, float).reshape(-1, 2)


def lattice_nodes(layout: Layout) -> Points:
    """The keypoints of the grid's lattice, (N, 2) in cells."""
    points = keypoints(layout)
    return points[(points <= (layout.grid.columns, layout.grid.rows)).all(axis=1)]


def empty_places(layout: Layout) -> Points:
    """Where lattice nodes would be if the grid went on for a cell all round, (N, 2) in cells."""
    grid = layout.grid
    columns, rows = range(-1, grid.columns + 2), range(-1, grid.rows + 2)
    around = {(column, row) for column in columns for row in rows if row in (-1, grid.rows + 1)}
    around |= {
        (column, row) for column in columns for row in rows if column in (-1, grid.columns + 1)
    }
    return np.array(sorted(around), float)


@cache
def telling_points(layout: Layout) -> tuple[Points, int]:
    """All keypoints, then points where none is, and how many keypoints there are."""
    marked = keypoints(layout)
    ends = beyond_the_bars(layout)
    empty = [empty_places(layout), ends[within(ends, layout.reading_area)]]
    points = np.concatenate([marked, *empty])
    points.setflags(write=False)
    return points, len(marked)


def keypoint_evidence(
    seen: Keypoints,
    places: NDArray[np.float64],
    shown: NDArray[np.bool_],
    keypoint_count: int,
) -> NDArray[np.float64]:
    """How well sheets explain what is seen: keypoints where they have some, and none beside.

    places: (S, M, 2) where the points of S sheets are seen, in cells: of each first the
    ``keypoint_count`` keypoints, then points where none is. shown: (S, M) those in the photo.
    Returns (S,) mean log-likelihoods of a place (at most 0); very low where hardly any keypoint
    lies in the photo.
    """
    area = seen.through.area
    x = (places[..., 0].ravel() - area.left) / ALIGNER_STEP - 0.5
    y = (places[..., 1].ravel() - area.top) / ALIGNER_STEP - 0.5
    heat = np.clip(sample(seen.around[None], x, y)[0], 0.02, 0.98).reshape(shown.shape)
    heat[:, keypoint_count:] = 1 - heat[:, keypoint_count:]
    sums = np.where(shown, np.log(heat), 0).sum(axis=1)
    enough = shown[:, :keypoint_count].sum(axis=1) >= LEAST_PLACES
    return np.where(enough, sums / np.maximum(shown.sum(axis=1), 1), LOWEST_EVIDENCE)


def fit(matches: Matches, area: Box, method: str, stiffness: float) -> Placement:
    """`fit_placement` of matches that may show no sheet.

    Raises
    ------
    NoSheetFound
        The matches are few, or lie on a line, or on a speck, or all over the place.
    """
    if len(matches.sheet) < LEAST_MATCHES:
        raise NoSheetFound
    try:
        placement = fit_placement(
            matches.sheet, matches.photo, matches.weights, area, method, stiffness
        )
    except np.linalg.LinAlgError as error:
        raise NoSheetFound from error
    if not SMALLEST_SIGHT < placement.cell_size() < LARGEST_SIGHT:
        raise NoSheetFound
    return placement


# --- from first sight to placement ----------------------------------------------------------------

LIKELY_BACK = 0.15  # probability of a back, where no front is seen
LEAST_FRONT = 0.012  # share of a square view: less shows no sheet that could be read
SMALLEST_CELL = 8.0  # px
SMALLEST_SIGHT, LARGEST_SIGHT = 0.5, 2000.0  # px of a cell: beyond it there is nothing to see
LEAST_SHARPNESS = 0.15  # under less it is too blurred; readable photos have 0.3 and more
CLEAR_EVIDENCE = -0.12  # log-likelihood of a keypoint under a placement that is surely right
HOPELESS_EVIDENCE = -0.8  # under less there is no lattice at all
NEAR_EVIDENCE = -0.5  # under less the sheet is farther off than a slip
LEAST_EVIDENCE = -0.2  # under less it is not this sheet, or cannot be read
JUST_OUT, FAR_OUT = 0.35, 1.5  # cells over the picture's edge: of a sure placement, of a first one
MOST_LOOKS = 3
MOST_FITS = 3  # of a bent placement
A_SLIP = 0.7  # cells: markers say where the sheet lies within less
WORSE = 0.05  # evidence lost by bending: then what was matched is not print
IN_ITS_PLACE = 0.25  # cells: what is seen farther off is nearer to half-way to the next node
SETTLED = 0.2  # cells: a fit, or another view, that moved nothing farther needs no other
NEARBY = 0.5  # cells: what lies so near what was looked at need not be looked at again
MOST_FOLLOWED = 2  # first placements by several views that are followed up
OTHER_TURNS = (90, 180)  # degrees, of views from which a sheet is placed anew
SAME_PLACE = 3.0  # cells: farther off lies another sheet
OVERVIEW_SIDE = 1000  # px: large enough for markers and the locator's views
SLIPS = ((0.0, -0.8, 0.8), (0.0, -0.6, 0.6, -1.2, 1.2))  # cells that it may be off: none first
FLAT = 1e-6  # determinant of a homography that maps the sheet on a line
STIFFNESS = 0.0001  # of the paper


@dataclass(frozen=True)
class Alignment:
    """A corrected placement, and the evidence for it (`keypoint_evidence`, at most 0).

    layout: the printing that lies there. is_clear: whether it is sure that it did not slip by a
    cell, by what is seen or by markers.
    """

    layout: Layout
    placement: Placement
    evidence: float
    is_clear: bool

    def scaled(self, factor: float) -> Alignment:
        """The same in a photo that is ``factor`` times as large."""
        return replace(self, placement=self.placement.scaled(factor))


def locate(image: Image, layouts: Sequence[Layout]) -> Alignment:
    """Which sheet lies where in a photo, and how surely.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3), upright or not.
    layouts : of the sheets that it may be; one of them without markers.

    Raises
    ------
    NoSheetFound, SheetBackShown, SheetCutOff, SheetTooSmall, SheetTooBlurred
    """
    # whole numbers of pixels average much faster
    overview, scale = shrunk(image, 1 / max(1, round(max(image.shape[:2]) / OVERVIEW_SIDE)))
    problems: list[PhotoUnreadable] = []
    of_views = 0  # of the problems
    for first in first_placements(overview, layouts):
        is_by_markers = False
        try:
            if isinstance(first, PhotoUnreadable):
                raise first
            layout, placement = first
            is_by_markers = placement.method == "markers"
            alignment = align(overview, placement, layout)
            if alignment.evidence < LEAST_EVIDENCE:
                raise unseen(alignment, placement, overview)
        except PhotoUnreadable as error:
            problems.append(error)
            of_views += not is_by_markers
            continue
        if is_blurred(alignment.placement, overview):  # other views would see this sheet again
            raise SheetTooBlurred
        # where the first view did not show it, others have been looked at before
        if not alignment.is_clear and not of_views:
            alignment = _clearer(alignment, overview)
        alignment = alignment.scaled(1 / scale)
        check_frame(alignment.placement, image, layout)
        return alignment
    # the first view shows most; closer ones see sheets in many things
    raise problems[0] if problems else NoSheetFound


def _clearer(known: Alignment, image: Image) -> Alignment:
    """The sheet placed anew from other views, where more speaks for a place nearby, or as it was.

    On curled paper the bend may settle on a wrong place, and be seen to be wrong. Where another
    view leads to the same place, no third is tried: it would mostly lead there, too.
    """
    layout = known.layout
    height, width = image.shape[:2]
    for turn in OTHER_TURNS:
        view = _square_view((width / 2, height / 2), max(width, height), turn)
        with suppress(PhotoUnreadable):
            _, first = _print_placement(image, layout, view)
            found = align(image, first, layout)
            check_frame(found.placement, image, layout)
            moved = most_moved(keypoints(layout), known.placement, found.placement)
            better = (found.is_clear, found.evidence) > (known.is_clear, known.evidence)
            if better and moved < SAME_PLACE:
                known = found
            if known.is_clear or moved < SETTLED:
                break
    return known


def unseen(alignment: Alignment, first: Placement, image: Image) -> PhotoUnreadable:
    """Why the print does not show under a placement."""
    placement = alignment.placement
    side, cells = overrun(first, image, alignment.layout)
    if cells > FAR_OUT:
        return SheetCutOff(side)
    if placement.cell_size() < SMALLEST_CELL:
        return SheetTooSmall()
    if alignment.evidence > HOPELESS_EVIDENCE and is_blurred(placement, image):
        return SheetTooBlurred()
    return NoSheetFound()


def check_frame(placement: Placement, image: Image, layout: Layout) -> None:
    """Refuse a sheet that runs over the photo's edge, or is too small in it to be read.

    Raises
    ------
    SheetCutOff, SheetTooSmall
    """
    side, cells = overrun(placement, image, layout)
    if cells > JUST_OUT:
        raise SheetCutOff(side)
    if placement.cell_size() < SMALLEST_CELL:
        raise SheetTooSmall


def is_blurred(placement: Placement, image: Image) -> bool:
    """Whether the sheet that lies there is too blurred to be read."""
    return sharpness(image, placement) < LEAST_SHARPNESS


def sharpness(image: Image, placement: Placement) -> float:
    """Contrast finer than a tenth of a cell, by that of the size of half a cell, on the sheet."""
    flat = rectify(image, placement, placement.area, ALIGNER_PIXELS)
    flat = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    fine = cv2.GaussianBlur(flat, (0, 0), 0.1 * ALIGNER_PIXELS)
    coarse = cv2.GaussianBlur(flat, (0, 0), 0.5 * ALIGNER_PIXELS)
    finer, coarser = cv2.absdiff(flat, fine).mean(), cv2.absdiff(fine, coarse).mean()
    return float(finer / (coarser + 1.0))


def first_placements(
    image: Image, layouts: Sequence[Layout]
) -> Iterator[tuple[Layout, Placement] | PhotoUnreadable]:
    """Which plane sheet may lie where: by its markers, else by its print in several views.

    Of several views' placements those that most of what is seen agrees with come first, and few
    are followed up: what is seen of a sheet that was not made out agrees with no plane. Or else
    why a view shows none.
    """
    for marked in layouts:
        markers = marker_matches(image, marked.markers) if marked.markers else None
        if markers is not None:
            with suppress(NoSheetFound):
                placement = fit(markers, marked.reading_area, "markers", np.inf)
                if not is_out_of_sight(placement, image, marked):
                    yield marked, placement
    layout = next(each for each in layouts if each.markers is None)
    for of_round in views(image.shape[1], image.shape[0]):
        found: list[tuple[int, Placement]] = []
        for to_view in of_round:
            try:
                agreeing, placement = _print_placement(image, layout, to_view)
            except PhotoUnreadable as error:
                yield error
                continue
            if not is_out_of_sight(placement, image, layout):
                found.append((agreeing, placement))
        found.sort(key=lambda entry: -entry[0])
        yield from ((layout, placement) for _, placement in found[:MOST_FOLLOWED])


def _print_placement(
    image: Image, layout: Layout, to_view: NDArray[np.float64]
) -> tuple[int, Placement]:
    """A placement by a view, and with how many matches it agrees; raises what `find_print` does."""
    matches = _consensus(find_print(image, layout, to_view))
    return len(matches.sheet), fit(matches, layout.reading_area, "lattice", np.inf)


def _consensus(matches: Matches) -> Matches:
    """The matches that one plane sheet explains (RANSAC)."""
    tolerance = 0.6  # cells
    _, inliers = cv2.findHomography(
        matches.photo, matches.sheet, cv2.RANSAC, tolerance, maxIters=500
    )
    if inliers is None or inliers.sum() < LEAST_MATCHES:
        raise NoSheetFound
    kept = inliers.ravel().astype(bool)
    return Matches(matches.sheet[kept], matches.photo[kept], matches.weights[kept])


def align(image: Image, placement: Placement, layout: Layout) -> Alignment:
    """Correct a placement by the keypoints seen through it: first plane, then bent.

    Slips of the lattice are tried ever wider until one placement explains all that is seen, or
    nothing that looks like the sheet is near.

    Raises
    ------
    NoSheetFound
    """
    image, scale = halved(image, ALIGNER_PIXELS / placement.cell_size())
    first = placement.scaled(scale)
    best: tuple[bool, Bent] | None = None
    for start, seen in plane_placements(image, first, layout):
        with suppress(NoSheetFound):
            found = settle(image, start, seen, layout)
            best = _better(best, (lies_where_seen(seen, found.placement, layout), found))
            if _is_clear(best):
                break
    if best is None:
        raise NoSheetFound
    if _is_clear(best) and not _bars_in_place(best[1], layout):
        with suppress(NoSheetFound):
            best = _better(best, _with_bars_followed(image, best[1].placement, layout))
    placed = best[1].placement
    is_clear = _is_clear(best) or (
        first.method == "markers" and most_moved(keypoints(layout), first, placed) < A_SLIP
    )
    return Alignment(layout, placed.scaled(1 / scale), best[1].evidence, is_clear)


@dataclass(frozen=True)
class Bent:
    """A bent placement, the evidence for it, and what was seen when it was fitted."""

    placement: Placement
    evidence: float
    seen: Keypoints


def _better(known: tuple[bool, Bent] | None, found: tuple[bool, Bent]) -> tuple[bool, Bent]:
    """The one that lies where the sheet is seen, or of two that do the one of more evidence."""
    if known is None or (found[0], found[1].evidence) > (known[0], known[1].evidence):
        return found
    return known


def _is_clear(found: tuple[bool, Bent]) -> bool:
    """Whether a sheet is seen there, and in no other place."""
    in_place, bent = found
    return in_place and bent.evidence > CLEAR_EVIDENCE


def _bars_in_place(bent: Bent, layout: Layout) -> bool:
    """Whether the bars of a sheet whose place is clear are seen where they should be.

    A lattice that came into its place late has said nothing yet of where they are.
    """
    first, *others = bars_aside(bent.seen, bent.placement, layout)
    return not others and not first.any()


def _with_bars_followed(image: Image, placement: Placement, layout: Layout) -> tuple[bool, Bent]:
    """The placement with the bars where they are seen through it, and whether all is seen there.

    Raises
    ------
    NoSheetFound
    """
    seen = see_keypoints(image, placement)
    asides = bars_aside(seen, placement, layout)
    found = _best_bent(image, seen, placement, asides, layout)
    return lies_where_seen(found.seen, found.placement, layout), found


def plane_placements(
    image: Image, placement: Placement, layout: Layout
) -> Iterator[tuple[Placement, Keypoints]]:
    """Where the sheet may lie if it is plane, and what is seen there.

    First as its markers say, then by its lattice.
    """
    if placement.method == "markers":
        yield placement, see_keypoints(image, placement)
    for slips in SLIPS:
        found = placement
        for _ in range(MOST_LOOKS):
            seen = see_keypoints(image, found)
            found, evidence = catch_lattice(seen, layout, slips)
            if evidence > CLEAR_EVIDENCE:
                break
        if most_moved(keypoints(layout), seen.through, found) > NEARBY:
            seen = see_keypoints(image, found)
        yield found, seen
        if evidence < NEAR_EVIDENCE:
            break


def lies_where_seen(seen: Keypoints, placement: Placement, layout: Layout) -> bool:
    """Whether most of what is seen of the keypoints is seen in their places.

    The evidence hardly tells: all that is seen within half a cell of a place speaks for it.
    """
    points = keypoints(layout)
    points = points[inside(placement.to_photo(points), seen.frame)]
    expected = seen_at(seen, placement, points)
    means, sure = voted_places(seen, expected)
    in_place = np.linalg.norm(means - expected, axis=1) < IN_ITS_PLACE
    return bool(sure[in_place].sum() > sure.sum() / 2)


def settle(image: Image, placement: Placement, seen: Keypoints, layout: Layout) -> Bent:
    """Bend a placement until the keypoints that are ``seen`` near it lie where they should.

    Returns the bent placement; or the plane one, where bending explains less of what is seen.

    Raises
    ------
    NoSheetFound
    """
    plane_evidence = _evidence(seen, placement, layout)
    asides = _bars_aside_if_near(seen, placement, plane_evidence, layout)
    best = _best_bent(image, seen, placement, asides, layout)
    if plane_evidence > best.evidence + WORSE:
        return Bent(placement, plane_evidence, seen)
    return best


def _best_bent(
    image: Image,
    seen: Keypoints,
    placement: Placement,
    asides: list[NDArray[np.float64]],
    layout: Layout,
) -> Bent:
    """The bent placement of the most evidence of those with the bars so far aside at first.

    Raises
    ------
    NoSheetFound
    """
    found = []
    for aside in asides:
        with suppress(NoSheetFound):
            found.append(_bent(image, seen, placement, aside, layout))
    if not found:
        raise NoSheetFound
    return max(found, key=lambda bent: bent.evidence)


def _bars_aside_if_near(
    seen: Keypoints, placement: Placement, evidence: float, layout: Layout
) -> list[NDArray[np.float64]]:
    """`bars_aside` where the lattice is seen: else the bars tell nothing, and a search is dear."""
    if evidence < LEAST_EVIDENCE:
        return [np.zeros_like(keypoints(layout))]
    return bars_aside(seen, placement, layout)


def _bent(
    image: Image,
    seen: Keypoints,
    placement: Placement,
    aside: NDArray[np.float64],
    layout: Layout,
) -> Bent:
    """A placement bent by what is seen near it, the bars first as they are thought to lie.

    Raises
    ------
    NoSheetFound
    """
    evidence = LOWEST_EVIDENCE
    for look in range(MOST_FITS):
        if look:
            seen = see_keypoints(image, placement)
            aside = _bars_aside_if_near(seen, placement, evidence, layout)[0]
        matches = match_keypoints(seen, placement, layout, aside)
        found = fit(matches, placement.area, placement.method, STIFFNESS)
        settled = most_moved(keypoints(layout), placement, found) < SETTLED
        evidence = _evidence(seen, found, layout)
        placement = found
        if settled:
            break
    return Bent(placement, evidence, seen)


def _evidence(seen: Keypoints, placement: Placement, layout: Layout) -> float:
    """The evidence of what is seen for a placement near it."""
    points, marked = telling_points(layout)
    shown = inside(placement.to_photo(points), seen.frame)
    places = seen_at(seen, placement, points)
    return float(keypoint_evidence(seen, places[None], shown[None], marked)[0])


def most_moved(points: Points, before: Placement, after: Placement) -> float:
    """How far the farthest of sheet points (N, 2) is moved by a new placement, in cells."""
    moved = np.linalg.norm(after.to_photo(points) - before.to_photo(points), axis=1)
    return float(moved.max() / after.cell_size())


def catch_lattice(
    seen: Keypoints, layout: Layout, slips: tuple[float, ...]
) -> tuple[Placement, float]:
    """A plane placement under which the keypoints lie that are seen through one, and its evidence.

    It is that of no slip where that makes it clear, or else the best of all.

    A lattice looks the same a cell further on, except at its rims and beside the bars, and a first
    placement may be off by a cell: so slips around it are tried, and whole cells around each. Only
    the grid's lattice is fitted: the bars, which could slip on their own, then prove it.
    """
    aside = np.array(list(product(slips, repeat=2)))
    first, first_evidence = _best_slip(seen, layout, aside[:1])
    if first_evidence > CLEAR_EVIDENCE:
        return first, first_evidence
    best, evidence = _best_slip(seen, layout, aside[1:])
    return (best, evidence) if evidence > first_evidence else (first, first_evidence)


def _best_slip(
    seen: Keypoints, layout: Layout, slips: NDArray[np.float64]
) -> tuple[Placement, float]:
    """The placement of the most evidence of those that lie slips (S, 2), in cells, aside.

    The one that was looked through, a plane one, too, and evidence of minus infinity where none can
    be fitted.
    """
    points, marked = telling_points(layout)
    nodes, placement = lattice_nodes(layout), seen.through
    means, sure = voted_places(seen, nodes + slips[:, None])
    enough = (sure > 0).sum(axis=1) >= marked / 4
    if not enough.any():
        return placement, -np.inf
    try:
        planes = fit_planes(nodes, means[enough], sure[enough])
    except np.linalg.LinAlgError:
        return placement, -np.inf
    planes = planes[np.abs(np.linalg.det(planes)) > FLAT]  # none that makes a line of the sheet
    homographies = placement.homography @ np.linalg.inv(planes)
    shifts = np.array(list(product((0.0, -1.0, 1.0), repeat=2)))
    there = (points + shifts[:, None]).reshape(-1, 2)
    found = [replace(placement, homography=each / each[2, 2]) for each in homographies]
    found = [each for each in found if SMALLEST_SIGHT < each.cell_size() < LARGEST_SIGHT]
    if not found:
        return placement, -np.inf
    back = np.linalg.inv(placement.homography)
    now = np.stack([each.to_photo(there) for each in found])
    shown = inside(now.reshape(-1, 2), seen.frame).reshape(-1, len(points))
    places = apply_homography(back, now.reshape(-1, 2)).reshape(-1, len(points), 2)
    evidence = keypoint_evidence(seen, places, shown, marked)
    slip, shift = divmod(int(evidence.argmax()), len(shifts))
    return shifted(found[slip], shifts[shift]), float(evidence.max())


def shifted(placement: Placement, shift: NDArray[np.float64]) -> Placement:
    """A plane placement that shows each sheet point where this one shows it moved by (2,) cells."""
    moved = np.array([[1.0, 0.0, shift[0]], [0.0, 1.0, shift[1]], [0.0, 0.0, 1.0]])
    return replace(placement, homography=placement.homography @ moved)


def is_out_of_sight(placement: Placement, image: Image, layout: Layout) -> bool:
    """Whether a sheet would run over the picture's edge by more than its own length."""
    area = layout.marked_area
    return overrun(placement, image, layout)[1] > max(area.width, area.height)


def overrun(placement: Placement, image: Image, layout: Layout) -> tuple[Side, float]:
    """Over which edge of the picture what can be marked runs farthest, and by how many cells."""
    height, width = image.shape[:2]
    at = np.linspace(0, 1, 9)[:, None]
    corners = np.asarray(layout.marked_area.corners)
    rim = np.concatenate(
        [a * (1 - at) + b * at for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    seen = placement.to_photo(rim)
    beyond: dict[Side, float] = {
        "left": float(-seen[:, 0].min()),
        "right": float(seen[:, 0].max() - (width - 1)),
        "top": float(-seen[:, 1].min()),
        "bottom": float(seen[:, 1].max() - (height - 1)),
    }
    side = max(beyond, key=beyond.__getitem__)
    return side, beyond[side] / placement.cell_size()
