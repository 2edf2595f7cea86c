"""Placements: a bent homography from the sheet to the photo, and the pose of the camera.

Where the sheet lies in the photo: a homography, bent a little for curled paper.

Where the camera stood: its pose from the homography of a plane.

Frame of the world: that of the sheet, in cells, with z up from the plane towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Box

# Set by hand where no source is named.
# px² of the result, variance of the kernel that samples a pixel: thin lines do not alias away
TARGET_VARIANCE = 0.17
MIN_BLUR_VARIANCE = 0.06  # px²; weaker blurs are left out to save time

# Variances of the kernel that a pixel is sampled with, beside `TARGET_VARIANCE`.
LINEAR_VARIANCE = 1 / 6  # px² of the photo: linear interpolation, on average over positions
AVERAGED_VARIANCE = 1 / 12  # px² of the halved photo: a box of one pixel
Points = NDArray[np.float64]  # (N, 2)
Image = NDArray[np.uint8]  # (height, width, 3), BGR


@dataclass(frozen=True)
class Placement:
    """Maps sheet points to photo pixels: ``photo = homography(point + bend(point))``.

    homography: (3, 3), cells to px of the photo it was found in.
    bend: (terms, 2) coefficients in cells of the polynomial terms of `bend_terms`.
    area: the part of the sheet for which the polynomial was fitted, in cells.
    method: "markers", "lattice" or "keypoints": what the sheet was found by.
    residual: weighted root mean square of what the map leaves unexplained, in cells.
    """

    homography: NDArray[np.float64]
    bend: NDArray[np.float64]
    area: Box
    method: str
    residual: float

    def to_photo(self, points: Points) -> Points:
        """Photo pixels (N, 2) of sheet points (N, 2) in cells."""
        if self.bend.any():
            points = points + bend_terms(points, self.area) @ self.bend
        return apply_homography(self.homography, points)

    def scaled(self, factor: float) -> Placement:
        """The placement in a photo that is ``factor`` times as large."""
        return replace(self, homography=scaled_homography(self.homography, factor))

    def moved(self, x: float, y: float) -> Placement:
        """The placement in a larger photo, in which this one begins at (x, y), px."""
        matrix = np.array([[1, 0, x], [0, 1, y], [0, 0, 1.0]])
        return Placement(matrix @ self.homography, self.bend, self.area, self.method, self.residual)

    def cell_size(self) -> float:
        """Side of a cell in the photo, px, on average over the fitted area."""
        return self._cell_size

    @cached_property
    def _cell_size(self) -> float:
        area = self.area
        middle = np.array([(area.left + area.right) / 2, (area.top + area.bottom) / 2])
        a, b, c = self.to_photo(middle + np.array([[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]]))
        return float(np.sqrt(abs((b - a)[0] * (c - a)[1] - (b - a)[1] * (c - a)[0])))


def max_shift(points: Points, before: Placement, after: Placement) -> float:
    """The maximum distance, in cells, by which a new placement moves sheet points (N, 2)."""
    moved = np.linalg.norm(after.to_photo(points) - before.to_photo(points), axis=1)
    return float(moved.max() / after.cell_size())


def apply_homography(homography: NDArray[Any], points: Points) -> Points:
    """Map points (N, 2) by a (3, 3) homography; N may be 0."""
    if len(points) == 0:  # OpenCV would return None.
        return points
    seen = cv2.perspectiveTransform(points.reshape(1, -1, 2), homography)
    return np.asarray(seen.reshape(-1, 2), np.float64)


def scaled_homography(homography: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    """The homography (..., 3, 3) to px of a photo that is ``factor`` times as large."""
    # Pixel centres are whole numbers, so the image begins at -1/2.
    shift = 0.5 * factor - 0.5
    matrix = np.array([[factor, 0, shift], [0, factor, shift], [0, 0, 1.0]])
    return np.asarray(matrix @ homography)


def bend_terms(points: Points, area: Box) -> NDArray[np.float64]:
    """Monomials of degree 2 to 4 in normalised coordinates of the area (-1 to 1): (N, 12).

    The homography covers degrees 0 and 1.
    """
    x = 2 * (points[:, 0] - area.left) / area.width - 1
    y = 2 * (points[:, 1] - area.top) / area.height - 1
    xx, xy, yy = x * x, x * y, y * y
    cubes = (xx * x, xx * y, x * yy, yy * y)
    terms = np.empty((len(points), 12))  # column by column: numpy.stack is slow along short axes
    for at, term in enumerate((xx, xy, yy, *cubes, xx * xx, xx * xy, xx * yy, xy * yy, yy * yy)):
        terms[:, at] = term
    return terms


def rectify(image: Image, placement: Placement, area: Box, pixels_per_cell: int) -> Image:
    """An area of the sheet, rectified.

    Returns uint8 BGR (area.height * pixels_per_cell, area.width * pixels_per_cell, 3). Column c
    shows the sheet at ``area.left + (c + 0.5) / pixels_per_cell``, rows likewise. The rim of the
    photo is repeated outside it.
    """
    width, height = round(area.width * pixels_per_cell), round(area.height * pixels_per_cell)
    step = pixels_per_cell // 2
    columns, rows = width // step + 3, height // step + 3  # One more knot on every side.
    points = np.empty((rows, columns, 2))
    points[..., 0] = area.left + (np.arange(columns) - 1) * step / pixels_per_cell
    points[..., 1] = (area.top + (np.arange(rows) - 1) * step / pixels_per_cell)[:, None]
    knots = points.reshape(-1, 2)
    image, placement = _at_resolution(image, placement, placement.to_photo(knots), pixels_per_cell)
    coarse = placement.to_photo(knots).reshape(rows, columns, 2).astype(np.float32)
    # The map is nearly linear between the knots, so interpolate instead of projecting every pixel.
    # cv2.resize counts from pixel centres, so the knots are moved by half a step.
    centred = 0.25 * (coarse[:-1, :-1] + coarse[1:, :-1] + coarse[:-1, 1:] + coarse[1:, 1:])
    size = ((columns - 1) * step, (rows - 1) * step)
    fine = cv2.resize(centred, size, interpolation=cv2.INTER_LINEAR)
    x_map = np.ascontiguousarray(fine[step : step + height, step : step + width, 0])
    y_map = np.ascontiguousarray(fine[step : step + height, step : step + width, 1])
    flat = cv2.remap(image, x_map, y_map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8)


def rectify_patches(
    image: Image, placement: Placement, centres: Points, side: int, pixels_per_cell: int
) -> NDArray[np.uint8]:
    """Square patches of the sheet, rectified, one around each centre.

    ``centres`` : (N, 2) in cells. ``side`` : px. Returns uint8 BGR (N, side, side, 3). The map is
    taken as affine within a patch.
    """
    reach = side / pixels_per_cell * np.array([[-0.5, -0.5], [0.5, -0.5], [-0.5, 0.5], [0.5, 0.5]])
    corners = placement.to_photo((centres[:, None] + reach).reshape(-1, 2))
    image, placement = _at_resolution(image, placement, corners, pixels_per_cell)
    half = 0.5  # cells on either side, for the finite differences of the map
    steps = np.array([[0.0, 0.0], [-half, 0.0], [half, 0.0], [0.0, -half], [0.0, half]])
    around = (centres[:, None] + steps).reshape(-1, 2)
    seen = placement.to_photo(around).reshape(-1, len(steps), 2)
    across, down = (seen[:, 2] - seen[:, 1]) / (2 * half), (seen[:, 4] - seen[:, 3]) / (2 * half)
    at = (np.arange(side) + 0.5 - side / 2) / pixels_per_cell
    x_map, y_map = (
        (
            seen[:, 0, None, None, axis]
            + across[:, None, None, axis] * at[None, None, :]
            + down[:, None, None, axis] * at[None, :, None]
        )
        .astype(np.float32)
        .reshape(-1, side)
        for axis in (0, 1)
    )
    flat = cv2.remap(image, x_map, y_map, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(flat, np.uint8).reshape(len(centres), side, side, 3)


def _at_resolution(
    image: Image, placement: Placement, points: Points, pixels_per_cell: int
) -> tuple[Image, Placement]:
    """The part of the photo around points (N, 2), px, reduced to the wanted resolution.

    Without the reduction thin lines would alias away.
    """
    beside = 4  # px, the margin that averaging and blurring need
    height, width = image.shape[:2]
    left, top = np.clip(points.min(axis=0) - beside, 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(points.max(axis=0) + beside + 1, (left + 1, top + 1), (width, height))
    image = image[top : int(bottom), left : int(right)]
    placement = placement.moved(-float(left), -float(top))
    image, factor = halved(image, pixels_per_cell / placement.cell_size())
    placement = placement.scaled(factor)
    return softened(image, placement.cell_size() / pixels_per_cell, factor < 1), placement


def shrunk(image: Image, scale: float) -> tuple[Image, float]:
    """The image reduced to ``scale``, and its scale; a scale above 1 leaves it as it is."""
    if scale >= 1:
        return image, 1.0
    scale = max(scale, 1 / min(image.shape[:2]))  # A strip keeps one pixel.
    # Pass the scale, not the size: the size in whole pixels would be another scale.
    smaller = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(smaller, np.uint8), scale


def halved(image: Image, scale: float) -> tuple[Image, float]:
    """The image halved as often as its scale stays at least ``scale``, and its scale.

    Halving takes a tenth of the time of an average at any other scale.
    """
    times = int(np.log2(1 / scale)) if scale < 1 else 0
    return shrunk(image, 0.5**times)


def softened(image: Image, step: float, averaged: bool) -> Image:
    """The image blurred so that linear samples, ``step`` px apart, lose no thin line.

    ``averaged`` : whether its pixels are averages of finer ones already.
    """
    variance = (
        TARGET_VARIANCE * step**2 - LINEAR_VARIANCE - (AVERAGED_VARIANCE if averaged else 0.0)
    )
    if variance < MIN_BLUR_VARIANCE:
        return image
    return np.asarray(cv2.GaussianBlur(image, (0, 0), np.sqrt(variance)), np.uint8)


Array = NDArray[np.float64]

# Focal lengths of phones, as shares of the photo's long side, and the logarithm's deviation: 24 to
# 28 mm of a 35 mm film are 0.70 to 0.80 of it; twofold zoom, and cut photos, are longer.
USUAL_FOCAL = 0.9
FOCAL_DEVIATION = 0.3
MIN_FOCAL, MAX_FOCAL = 0.45, 2.5  # from ultra-wide to the most that photos are zoomed and cut
AXES_DEVIATION = 0.01  # of the cosine and the log ratio of the axes that a good homography gives
FOCAL_STEPS = 120


@dataclass(frozen=True)
class Pose:
    """A pinhole camera: ``pixel ~ intrinsic @ (rotation @ point + translation)``.

    intrinsic: (3, 3). rotation: (3, 3), its rows right, down and forward of the camera; it mirrors,
    as y of the sheet goes down and z up. translation: (3,), cells.
    """

    intrinsic: Array
    rotation: Array
    translation: Array

    @property
    def centre(self) -> Array:
        """Where the camera stands, (3,), cells."""
        return np.asarray(-self.rotation.T @ self.translation)

    @property
    def matrix(self) -> Array:
        """(3, 4), homogeneous world points to homogeneous px."""
        return np.asarray(self.intrinsic @ np.c_[self.rotation, self.translation])

    def project(self, points: Array) -> Array:
        """Pixels (N, 2) of world points (N, 3)."""
        seen = (points @ self.rotation.T + self.translation) @ self.intrinsic.T
        return np.asarray(seen[:, :2] / seen[:, 2:])

    def scaled(self, factor: float) -> Pose:
        """The pose for a photo that is ``factor`` times as large."""
        return replace(self, intrinsic=scaled_homography(self.intrinsic, factor))


def pose_of_plane(homography: Array, size: tuple[int, int], focal: float | None = None) -> Pose:
    """The pose of a camera with square pixels and its axis in the middle of the photo.

    homography: (3, 3), plane (cells) to px. size: (width, height) of the photo, px. focal: px;
    left out, the one at which the plane's axes are most nearly orthogonal and equally long, weighed
    against what is usual. Seen from straight above, a plane tells no focal length.
    """
    width, height = size
    centred = _centred(homography, size)
    if focal is None:
        focal = _focal_length(centred, max(size))
    intrinsic = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    across, down, away = (np.diag([1 / focal, 1 / focal, 1.0]) @ centred).T
    unit = np.sqrt(np.linalg.norm(across) * np.linalg.norm(down))
    if away[2] < 0:  # the plane lies before the camera
        unit = -unit
    across, down, away = across / unit, down / unit, away / unit
    up = np.cross(across, down)
    # The nearest matrix with orthonormal columns; a camera above the plane sees z mirrored.
    left, _, right = np.linalg.svd(np.stack([across, down, -up / np.linalg.norm(up)], axis=1))
    rotation = left @ right
    if (-rotation.T @ away)[2] < 0:
        rotation[:, 2] *= -1
    return Pose(intrinsic, rotation, away)


def skew_of_plane(homography: Array, size: tuple[int, int]) -> float:
    """How far the cells of a plane are from squares, whatever a phone's camera saw them.

    The cosine of the angle between a cell's sides and the log ratio of their lengths, together, at
    the focal length at which they are least; 0 for squares. Parameters are those of
    `pose_of_plane`.
    """
    focals = np.geomspace(MIN_FOCAL, MAX_FOCAL, FOCAL_STEPS) * max(size)
    return float(_skews(_centred(homography, size), focals).min())


def _centred(homography: Array, size: tuple[int, int]) -> Array:
    """The homography to px from the middle of a photo."""
    width, height = size
    middle = np.array([[1, 0, -(width - 1) / 2], [0, 1, -(height - 1) / 2], [0, 0, 1.0]])
    return np.asarray(middle @ homography)


def _focal_length(centred: Array, long_side: int) -> float:
    """The most probable focal length, px. centred: a homography to px from the photo's middle."""
    spread = np.linspace(np.log(MIN_FOCAL), np.log(MAX_FOCAL), FOCAL_STEPS)
    focals = np.exp(spread) * long_side
    cost = _skews(centred, focals) ** 2 / AXES_DEVIATION**2
    cost += ((spread - np.log(USUAL_FOCAL)) / FOCAL_DEVIATION) ** 2
    return float(focals[int(cost.argmin())])


def _skews(centred: Array, focals: Array) -> Array:
    """How far the cells are from squares at each focal length, (N,): see `skew_of_plane`."""
    axes = np.stack([centred[:, :2] / [[f], [f], [1.0]] for f in focals])
    norms = np.linalg.norm(axes, axis=1)
    cosine = (axes[..., 0] * axes[..., 1]).sum(axis=1) / norms.prod(axis=1)
    ratio = np.log(norms[:, 0] / norms[:, 1])
    return np.asarray(np.hypot(cosine, ratio))
