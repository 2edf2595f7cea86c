"""Placements from matched points, and the printed points of a sheet that can be matched."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Placement, Points, apply_homography, bend_terms
from brikks_vision.errors import NoSheetFound
from brikks_vision.layout import Box, Field, Layout

# Set by hand where no source is named.
MIN_MATCHES = 8  # matches to fit a placement to: twice what a homography needs
# px, side of a cell; no placement of a sheet lies outside
MIN_VISIBLE_CELL, MAX_VISIBLE_CELL = 0.5, 2000.0
PLANE_TOLERANCE = 0.6  # cells, RANSAC's tolerance for the locator's matches under one homography
MAX_PLANE_TRIALS = 500  # iterations of that RANSAC
STIFFNESS = 0.0001  # ridge of the bend, relative to the mean weight of a match
# scale of the Cauchy weights, as a multiple of the median error: about the standard deviation of
# normal errors (1.48)
CAUCHY_SCALE = 1.5
MIN_CAUCHY_SPREAD = 1e-3  # cells, lower bound of that median error
MAX_FIT_STEPS = 6  # steps of Gauss-Newton of one fit
MIN_FIT_STEP = 0.005  # cells; a fit has converged if no coefficient moves by more


@dataclass(frozen=True)
class Matches:
    """Sheet points (N, 2), in cells, and photo points (N, 2), in px, where they are seen.

    weights: (N,) at least 0, about the inverse variance of a match in cells.
    """

    sheet: Points
    photo: Points
    weights: NDArray[np.float64]


def fit(matches: Matches, area: Box, method: str, stiffness: float) -> Placement:
    """`fit_placement` of matches that may not come from a sheet.

    Raises
    ------
    NoSheetFound
        The matches are few or collinear, or the fitted sheet is impossibly small or large.
    """
    if len(matches.sheet) < MIN_MATCHES:
        raise NoSheetFound
    try:
        placement = fit_placement(
            matches.sheet, matches.photo, matches.weights, area, method, stiffness
        )
    except np.linalg.LinAlgError as error:
        raise NoSheetFound from error
    if not MIN_VISIBLE_CELL < placement.cell_size() < MAX_VISIBLE_CELL:
        raise NoSheetFound
    return placement


def consensus(matches: Matches) -> Matches:
    """The inliers of one plane sheet (RANSAC).

    Raises
    ------
    NoSheetFound
    """
    _, inliers = cv2.findHomography(
        matches.photo,
        matches.sheet,
        cv2.RANSAC,
        PLANE_TOLERANCE,
        maxIters=MAX_PLANE_TRIALS,
    )
    if inliers is None or inliers.sum() < MIN_MATCHES:
        raise NoSheetFound
    kept = inliers.ravel().astype(bool)
    return Matches(matches.sheet[kept], matches.photo[kept], matches.weights[kept])


def fit_placement(
    sheet: Points,
    photo: Points,
    weights: NDArray[np.float64],
    area: Box,
    method: str,
    stiffness: float,
) -> Placement:
    """Fit homography and bend to matched points.

    Gauss-Newton steps on homography and bend together, reweighted with Cauchy weights, so that
    single wrong matches do not bend the sheet (Holland and Welsch 1977).

    Parameters
    ----------
    sheet, photo : (N, 2) matched points in cells and px, N >= 4.
    weights : (N,) at least 0, about the inverse variance of a match in cells.
    area : the part of the sheet for which the bend is defined, in cells.
    method : "markers" or "lattice", kept in the placement.
    stiffness : of the bend; `numpy.inf` fits a plane sheet.

    Raises
    ------
    numpy.linalg.LinAlgError
        The points determine no homography.
    """
    to_sheet = np.linalg.inv(_weighted_homography(sheet, photo, weights))
    terms = bend_terms(sheet, area)
    bent = np.isfinite(stiffness)
    bend = np.zeros((terms.shape[1], 2))
    unit = np.array(
        [
            [2 / area.width, 0, -2 * area.left / area.width - 1],
            [0, 2 / area.height, -2 * area.top / area.height - 1],
            [0, 0, 1],
        ]
    )
    scale = np.array([2 / area.width, 2 / area.height])
    blank = np.zeros_like(terms)
    paper = np.block([[-scale[0] * terms, blank], [blank, -scale[1] * terms]])
    for _ in range(MAX_FIT_STEPS):
        error = apply_homography(to_sheet, photo) - sheet - terms @ bend
        robust = _cauchy(error)
        plane = _plane_columns(apply_homography(unit @ to_sheet, photo))
        columns = np.concatenate([plane, paper], axis=1) if bent else plane
        strength = np.tile(weights * robust, 2)[:, None]
        normal = columns.T @ (columns * strength)
        normal += np.eye(len(normal)) * 1e-9 * np.trace(normal)
        if bent:
            ridge = stiffness * strength.mean() * np.eye(2 * len(bend))
            normal[8:, 8:] += ridge
        gone = -(error * scale).T.reshape(-1, 1)
        right = columns.T @ (gone * strength)
        if bent:
            right[8:] -= ridge @ bend.T.reshape(-1, 1)
        step = np.linalg.solve(normal, right)[:, 0]
        to_sheet = np.linalg.inv(unit) @ _plane_moves(step[:8]) @ unit @ to_sheet
        if bent:
            bend = bend + step[8:].reshape(2, -1).T
        farthest = np.abs(step)
        farthest[:8] /= scale.min()  # those of the plane are in normalised coordinates
        if farthest.max() < MIN_FIT_STEP:
            break
    error = apply_homography(to_sheet, photo) - sheet - terms @ bend
    squares = (error**2).sum(axis=1)
    residual = float(np.sqrt(np.average(squares, weights=weights * _cauchy(error) + 1e-12)))
    homography = np.linalg.inv(to_sheet)
    return Placement(homography / homography[2, 2], bend, area, method, residual)


def _plane_columns(points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Jacobian (2 N, 8) of points (N, 2) in the eight entries of a homography."""
    x, y = points.T
    one, zero = np.ones_like(x), np.zeros_like(x)
    across = [one, x, y, zero, zero, zero, -x * x, -x * y]
    down = [zero, zero, zero, one, x, y, -x * y, -y * y]
    return np.concatenate([np.stack(across, axis=1), np.stack(down, axis=1)])


def _plane_moves(step: NDArray[np.float64]) -> NDArray[np.float64]:
    """The homography (3, 3) of a step (8,) along `_plane_columns`."""
    return np.array([step[[1, 2, 0]], step[[4, 5, 3]], [*step[6:8], 0.0]]) + np.eye(3)


def _cauchy(error: Points) -> NDArray[np.float64]:
    """Cauchy weights (N,) of errors (N, 2), scaled by their median distance."""
    distance = np.hypot(error[:, 0], error[:, 1])
    half = len(distance) // 2  # numpy.median is five times slower
    spread = CAUCHY_SCALE * max(float(np.partition(distance, half)[half]), MIN_CAUCHY_SPREAD)
    return np.asarray(1 / (1 + (distance / spread) ** 2), np.float64)


def _weighted_homography(
    sheet: Points, photo: Points, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Weighted direct linear transform of normalised points (Hartley 1997)."""

    def normaliser(points: Points) -> NDArray[np.float64]:
        middle = np.average(points, axis=0, weights=weights + 1e-12)
        size = np.sqrt(np.average(((points - middle) ** 2).sum(axis=1), weights=weights + 1e-12))
        scale = np.sqrt(2) / max(float(size), 1e-9)
        return np.array([[scale, 0, -scale * middle[0]], [0, scale, -scale * middle[1]], [0, 0, 1]])

    from_sheet, from_photo = normaliser(sheet), normaliser(photo)
    x, y = apply_homography(from_sheet, sheet).T
    u, v = apply_homography(from_photo, photo).T
    root = np.sqrt(weights)
    one, zero = np.ones_like(x), np.zeros_like(x)
    rows = np.concatenate(
        [
            np.stack([x, y, one, zero, zero, zero, -u * x, -u * y, -u], axis=1) * root[:, None],
            np.stack([zero, zero, zero, x, y, one, -v * x, -v * y, -v], axis=1) * root[:, None],
        ]
    )
    _, vectors = np.linalg.eigh(rows.T @ rows)
    matrix = np.linalg.inv(from_photo) @ vectors[:, 0].reshape(3, 3) @ from_sheet
    homography: NDArray[np.float64] = matrix / matrix[2, 2]
    return homography


@cache
def keypoints(layout: Layout) -> Points:
    """Printed points that can be located, (N, 2) in cells: lattice nodes, then centres of marks."""
    grid = layout.grid
    nodes = [(column, row) for row in range(grid.rows + 1) for column in range(grid.columns + 1)]
    marks = [centre for field in layout.places for centre in field.centres]
    points = np.array([*nodes, *marks], float)
    points.setflags(write=False)
    return points


def within(places: NDArray[np.float64], area: Box) -> NDArray[np.bool_]:
    """Which places (..., 2), in cells, lie in a part of the sheet."""
    x, y = places[..., 0], places[..., 1]
    across, down = (x >= area.left) & (x <= area.right), (y >= area.top) & (y <= area.bottom)
    return np.asarray(across & down, np.bool_)


def row_ends(field: Field) -> Points:
    """Places (N, 2), in cells, one mark beyond both ends of each row of a field; nothing there."""
    ends = []
    for row in sorted({y for _, y in field.centres}):
        x = sorted(x for x, y in field.centres if y == row)
        if len(x) < 2:
            continue
        ends += [(2 * x[0] - x[1], row), (2 * x[-1] - x[-2], row)]
    return np.array(ends, float).reshape(-1, 2)


def beyond_bars(layout: Layout) -> Points:
    """Places (N, 2), in cells, one mark beyond both ends of each row of the bars; nothing there."""
    return np.concatenate([row_ends(field) for field in layout.places] or [np.zeros((0, 2))])


def lattice_nodes(layout: Layout) -> Points:
    """The keypoints that are nodes of the lattice, (N, 2) in cells."""
    points = keypoints(layout)
    return points[(points <= (layout.grid.columns, layout.grid.rows)).all(axis=1)]


def empty_places(layout: Layout) -> Points:
    """Points one cell outside the lattice all round, (N, 2) in cells; no node is printed there."""
    grid = layout.grid
    columns, rows = range(-1, grid.columns + 2), range(-1, grid.rows + 2)
    around = {(column, row) for column in columns for row in rows if row in (-1, grid.rows + 1)}
    around |= {
        (column, row) for column in columns for row in rows if column in (-1, grid.columns + 1)
    }
    return np.array(sorted(around), float)


@cache
def telling_points(layout: Layout) -> tuple[Points, int]:
    """All keypoints, then points without print, (N, 2) in cells; and the number of keypoints."""
    marked = keypoints(layout)
    ends = beyond_bars(layout)
    empty = [empty_places(layout), ends[within(ends, layout.reading_area)]]
    points = np.concatenate([marked, *empty])
    points.setflags(write=False)
    return points, len(marked)
