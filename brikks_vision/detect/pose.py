"""Where the camera stood: its pose from the homography of a plane.

Frame of the world: that of the sheet, in cells, with z up from the plane towards the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import scaled_homography

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
