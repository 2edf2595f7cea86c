"""Poses of a camera that looks at the board, by kind of view."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from brikks_vision.rules.blox.position import SIDE

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Camera:
    """A pinhole camera.

    matrix: (3, 4), world (fields) to homogeneous px. position, target, up: in the world's frame.
    focal: px.
    """

    matrix: Array
    position: Array
    target: Array
    up: Array
    focal: float
    size: tuple[int, int]

    def project(self, points: Array) -> Array:
        """Pixels (N, 2) of world points (N, 3); a pixel's centre has whole coordinates."""
        homogeneous = np.c_[points, np.ones(len(points))] @ self.matrix.T
        return np.asarray(homogeneous[:, :2] / homogeneous[:, 2:])


@dataclass(frozen=True)
class View:
    """What a kind of view is like: tilt in degrees from the vertical, and how bad the light is.

    turn: from which sides, in radians around the board.
    """

    tilt: tuple[float, float]
    fill: tuple[float, float]
    roll: float
    is_hard: bool
    turn: tuple[float, float] = (0, 2 * np.pi)


VIEWS = {
    "above": View((0, 18), (0.75, 0.98), 180, False),
    "slant": View((18, 40), (0.75, 0.98), 12, False),
    "hard": View((30, 50), (0.6, 0.95), 20, True),
}


def camera_at(
    position: Array, target: Array, up: Array, focal: float, size: tuple[int, int]
) -> Camera:
    forward = (target - position) / np.linalg.norm(target - position)
    # The world's frame is left-handed (y down, z up), hence the order of the product.
    right = np.cross(forward, up) * -1
    right /= np.linalg.norm(right)
    down = np.cross(forward, right) * -1
    rotation = np.stack([right, down, forward])
    width, height = size
    inner = np.array([[focal, 0, (width - 1) / 2], [0, focal, (height - 1) / 2], [0, 0, 1.0]])
    outer = np.c_[rotation, -rotation @ position]
    return Camera(inner @ outer, position, target, -down, focal, size)


def random_camera(
    view: View, size: tuple[int, int], tall: float, rng: np.random.Generator
) -> Camera:
    """A camera that has the whole board, and things up to ``tall`` fields high, in its frame."""
    low, high = -0.3, SIDE + 0.3
    tilt = np.radians(rng.uniform(*view.tilt))
    turn = rng.uniform(*view.turn)
    focal = float(rng.uniform(0.65, 1.3)) * max(size)
    middle = np.array([SIDE / 2, SIDE / 2, 0.0])
    away = np.array([np.sin(tilt) * np.cos(turn), np.sin(tilt) * np.sin(turn), np.cos(tilt)])
    up = np.array([-np.cos(turn), -np.sin(turn), 0.0]) if tilt > 1e-3 else np.array([1.0, 0, 0])
    roll = np.radians(rng.uniform(-view.roll, view.roll))
    corners = np.array([(x, y, z) for x in (low, high) for y in (low, high) for z in (0, tall)])
    fill = rng.uniform(*view.fill)
    aim = middle.copy()
    near, far = 5.0, 80.0
    for _ in range(18):  # the nearest distance at which all fits
        distance = (near + far) / 2
        for _ in range(3):
            camera = _rolled(camera_at(aim + away * distance, aim, up, focal, size), roll)
            box = camera.project(corners)
            aim = aim + _shift(camera, box, aim)
        box = camera.project(corners)
        share = ((box.max(0) - box.min(0)) / np.array(size)).max()
        near, far = (distance, far) if share > fill else (near, distance)
    slack = (np.array(size) * 0.98 - (box.max(0) - box.min(0))) / 2
    off = rng.uniform(-1, 1, 2) * np.maximum(slack, 0) * 0.8
    moved = aim + _ground_step(camera, aim, off)
    return _rolled(camera_at(moved + away * distance, moved, up, focal, size), roll)


def _rolled(camera: Camera, roll: float) -> Camera:
    if not roll:
        return camera
    forward = (camera.target - camera.position) / np.linalg.norm(camera.target - camera.position)
    side = np.cross(forward, camera.up)
    up = camera.up * np.cos(roll) + side * np.sin(roll)
    return camera_at(camera.position, camera.target, up, camera.focal, camera.size)


def _shift(camera: Camera, box: Array, aim: Array) -> Array:
    """How the aim moves along the board so that what is seen stands in the middle."""
    middle = (box.max(0) + box.min(0)) / 2
    return _ground_step(camera, aim, (np.array(camera.size) - 1) / 2 - middle)


def _ground_step(camera: Camera, aim: Array, pixels: Array) -> Array:
    """The move of the aim that moves the picture by so many px."""
    base = camera.project(aim + np.array([[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0]]))
    jacobian = (base[1:] - base[0]).T / 0.1
    step = np.linalg.solve(jacobian, -pixels)
    return np.array([*step, 0.0])
