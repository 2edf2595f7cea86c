"""Finds the sheet in a photo: by its fiducial markers, else by its print.

Both ways give matched points (sheet, photo); a fit makes a placement of them, and the aligner,
which sees the sheet through that placement, corrects it until nothing is left to correct.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.networks import run_network
from brikks_vision.detect.placement import Image, Placement, Points, fit_placement, rectify
from brikks_vision.errors import NoSheetFound, SheetBackShown, SheetCutOff, SheetTooSmall, Side
from brikks_vision.sheet import Box, SheetDefinition

LOCATOR_SIZE = 320  # px, the side of the square that the locator sees
LOCATOR_STRIDE = 8
COORDINATE_UNIT = 10.0  # cells per unit of the locator's coordinates
ALIGNER_PIXELS = 12  # per cell
ALIGNER_STRIDE = 4
REACH = 0.5  # cells around a keypoint's expected place in which it is looked for


@dataclass(frozen=True)
class Matches:
    """Sheet points (cells) and the photo points (px) where they were seen; weights (N,)."""

    sheet: Points
    photo: Points
    weights: NDArray[np.float64]


def letterbox(image: Image, side: int) -> tuple[Image, float]:
    """The image shrunk to fit a square at its top left, black elsewhere, and the scale."""
    height, width = image.shape[:2]
    scale = side / max(height, width)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    square = np.zeros((side, side, 3), np.uint8)
    square[: size[1], : size[0]] = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    return square, scale


def marker_matches(image: Image, definition: SheetDefinition) -> Matches | None:
    """Corners of the sheet's fiducial markers; None where fewer than three of one sheet are seen.

    Markers of several sheets are told apart by their ids; the sheet with the largest markers wins.
    """
    markers = definition.markers
    scale = min(1.0, 1600 / max(image.shape[:2]))
    small = (
        image
        if scale == 1.0
        else cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    )
    dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, markers.dictionary))
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary, parameters).detectMarkers(small)
    if ids is None:
        return None
    half = markers.size / 2
    square = np.array([[-half, -half], [half, -half], [half, half], [-half, half]])
    sheets: dict[int, list[tuple[int, Points]]] = {}
    for number, quad in zip(np.asarray(ids).ravel(), corners, strict=True):
        sheets.setdefault(int(number) // 4, []).append(
            (int(number) % 4, np.asarray(quad[0], float))
        )
    best = max(sheets.values(), key=lambda seen: (len({at for at, _ in seen}), _total_area(seen)))
    if len({at for at, _ in best}) < 3:
        return None
    sheet = np.concatenate([square + markers.centres[at] for at, _ in best])
    photo = np.concatenate([(quad + 0.5) / scale - 0.5 for _, quad in best])
    return Matches(sheet, photo, np.ones(len(sheet)))


def _total_area(seen: list[tuple[int, Points]]) -> float:
    return sum(float(cv2.contourArea(quad.astype(np.float32))) for _, quad in seen)


@dataclass(frozen=True)
class Sighting:
    """What the locator saw: matches on a sheet's front, and how sure it is of front and back.

    front_share: part of the picture (0 to 1) that shows a front. back: probability 0 to 1.
    """

    matches: Matches
    front_share: float
    back: float


def print_sighting(image: Image) -> Sighting:
    """Where the locator network sees a sheet's print, whatever way up."""
    small, scale = letterbox(image, LOCATOR_SIZE)
    front, back, x, y, log_scale = run_network("locator", small)
    rows, columns = np.nonzero(front > 0)
    sheet = COORDINATE_UNIT * np.stack([x[rows, columns], y[rows, columns]], axis=1)
    photo = (np.stack([columns, rows], axis=1) + 0.5) * LOCATOR_STRIDE / scale - 0.5
    weights = np.exp(-2 * np.clip(log_scale[rows, columns], -4, 4))
    seen = letterbox_share(image) * front.size
    return Sighting(
        Matches(sheet.astype(float), photo.astype(float), weights.astype(float)),
        len(rows) / seen,
        float(1 / (1 + np.exp(-back.max()))),
    )


def letterbox_share(image: Image) -> float:
    """Share of the letterboxed square that the image fills."""
    height, width = image.shape[:2]
    return float(min(height, width) / max(height, width))


def keypoints(definition: SheetDefinition) -> Points:
    """Printed points that can be pinned down, in cells (N, 2): lattice nodes, points, boxes, bombs."""
    grid = definition.grid
    nodes = [(column, row) for row in range(grid.rows + 1) for column in range(grid.columns + 1)]
    marks = (*definition.energy.centres, *definition.bonus.centres, *definition.bombs.centres)
    return np.array([*nodes, *marks], float)


def aligner_matches(image: Image, placement: Placement, definition: SheetDefinition) -> Matches:
    """The keypoints that the aligner sees through a placement that is off by less than half a cell.

    Around each keypoint's expected place the network's votes (where it is, how sure) are averaged.
    """
    area = placement.area
    maps = run_network("aligner", rectify(image, placement, area, ALIGNER_PIXELS))
    heat, offset_x, offset_y, log_scale = maps.astype(float)
    step = ALIGNER_STRIDE / ALIGNER_PIXELS
    x = area.left + (np.arange(heat.shape[1]) + 0.5) * step
    y = area.top + (np.arange(heat.shape[0]) + 0.5) * step
    votes = np.stack([x + offset_x, y[:, None] + offset_y], axis=-1)
    strength = 1 / (1 + np.exp(-heat)) * np.exp(-2 * np.clip(log_scale, -5, 3))
    points = keypoints(definition)
    reach = int(np.ceil(REACH / step))
    around = np.arange(-reach, reach + 1)
    columns = np.round((points[:, 0] - area.left) / step - 0.5).astype(int)
    rows = np.round((points[:, 1] - area.top) / step - 0.5).astype(int)
    columns = np.clip(columns[:, None, None] + around[None, :], 0, heat.shape[1] - 1)
    rows = np.clip(rows[:, None, None] + around[:, None], 0, heat.shape[0] - 1)
    seen = votes[rows, columns]
    near = np.abs(seen - points[:, None, None]).max(axis=-1) < REACH
    weights = strength[rows, columns] * near
    total = weights.sum(axis=(1, 2))
    mean = (seen * weights[..., None]).sum(axis=(1, 2)) / (total[:, None] + 1e-9)
    spread = (((seen - mean[:, None, None]) ** 2).sum(axis=-1) * weights).sum(axis=(1, 2)) / (
        total + 1e-9
    )
    sure = total / (1 + spread / 0.01)
    kept = total > 1e-6
    return Matches(points[kept], placement.to_photo(mean[kept]), sure[kept])


def fit(matches: Matches, area: Box, method: str, stiffness: float) -> Placement:
    return fit_placement(matches.sheet, matches.photo, matches.weights, area, method, stiffness)


# --- from first sight to placement ----------------------------------------------------------------

LEAST_FRONT = 0.012  # share of the picture: less shows no sheet that could be read
SMALLEST_CELL = 6.0  # px in the full-size photo
LOST = 0.35  # cells: an aligner that still sees such offsets looks at something else


def locate(image: Image, definition: SheetDefinition) -> Placement:
    """Where the sheet lies in a photo.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3), upright or not.

    Raises
    ------
    NoSheetFound, SheetBackShown, SheetCutOff, SheetTooSmall
    """
    placement = first_placement(image, definition)
    if placement.cell_size() < SMALLEST_CELL:
        raise SheetTooSmall
    check_inside(placement, image, definition)
    placement, off = align(image, placement, definition)
    if off > LOST:
        raise NoSheetFound
    check_inside(placement, image, definition)
    return placement


def first_placement(image: Image, definition: SheetDefinition) -> Placement:
    """A plane sheet by its markers, else by its print."""
    area = definition.reading_area
    markers = marker_matches(image, definition)
    if markers is not None:
        return fit(markers, area, "markers", np.inf)
    sighting = print_sighting(image)
    if sighting.front_share < LEAST_FRONT or len(sighting.matches.sheet) < 8:
        raise SheetBackShown if sighting.back > 0.5 else NoSheetFound
    return fit(_consensus(sighting.matches), area, "lattice", np.inf)


def _consensus(matches: Matches) -> Matches:
    """The matches that one plane sheet explains (RANSAC)."""
    tolerance = 0.6  # cells
    _, inliers = cv2.findHomography(
        matches.photo, matches.sheet, cv2.RANSAC, tolerance, maxIters=500
    )
    if inliers is None or inliers.sum() < 8:
        raise NoSheetFound
    kept = inliers.ravel().astype(bool)
    return Matches(matches.sheet[kept], matches.photo[kept], matches.weights[kept])


def align(
    image: Image, placement: Placement, definition: SheetDefinition
) -> tuple[Placement, float]:
    """Correct a placement by what the aligner sees through it, first plane, then bent.

    Returns the placement and the mean offset of the last correction, in cells.
    """
    off = np.inf
    for stiffness in (np.inf, 0.1, 0.01):
        matches = aligner_matches(image, placement, definition)
        before = placement.to_photo(matches.sheet)
        placement = fit(matches, placement.area, placement.method, stiffness)
        moved = np.linalg.norm(placement.to_photo(matches.sheet) - before, axis=1)
        off = float(moved.mean()) / placement.cell_size()
    return placement, off


def check_inside(placement: Placement, image: Image, definition: SheetDefinition) -> None:
    """Raise `SheetCutOff` where a part of the sheet that can be marked is out of the picture."""
    height, width = image.shape[:2]
    box = definition.marked_area
    at = np.linspace(0, 1, 9)[:, None]
    corners = np.asarray(box.corners)
    rim = np.concatenate(
        [a * (1 - at) + b * at for a, b in zip(corners, np.roll(corners, -1, 0), strict=True)]
    )
    seen = placement.to_photo(rim)
    slack = 0.35 * placement.cell_size()
    beyond: dict[Side, float] = {
        "left": float(-seen[:, 0].min()),
        "right": float(seen[:, 0].max() - (width - 1)),
        "top": float(-seen[:, 1].min()),
        "bottom": float(seen[:, 1].max() - (height - 1)),
    }
    side = max(beyond, key=beyond.__getitem__)
    if beyond[side] > slack:
        raise SheetCutOff(side)
