"""Shapes of pieces and things as triangles, and the pile of all that a photo shows.

Mitsuba makes the normals: smooth where triangles share vertices, sharp where they do not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulation.blox.meshes import Mesh

Array = NDArray[np.float64]
Profile = tuple[tuple[float, float], ...]
"""Radius and height of points from the bottom up; a point given twice is a sharp edge."""

LYING = np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], np.float64)


def _ball(radius: float, middle: float, first: float) -> Profile:
    turns = np.linspace(first, np.pi / 2, 12)
    return tuple((radius * np.cos(turn), middle + radius * np.sin(turn)) for turn in turns)


_FOOT = ((0, 0), (0, 0), (1, 0), (1, 0))
PAWNS: Mapping[str, tuple[Profile, Profile]] = {
    "turned": (
        (*_FOOT, (1, 0.18), (0.93, 0.3), (0.7, 0.42), (0.55, 0.6), (0.42, 1), (0.34, 1.45),
         (0.36, 1.6), (0.52, 1.66), (0.52, 1.74), (0.34, 1.8)), _ball(0.56, 2.25, -0.95)),
    "halma": (
        (*_FOOT, (1, 0.12), (0.94, 0.22), (0.8, 0.6), (0.6, 1.2), (0.42, 1.75), (0.36, 1.95)),
        _ball(0.52, 2.3, -0.85)),
    "cone": (
        (*_FOOT, (0.99, 0.08), (0.6, 1.1)), ((0.6, 1.1), (0.16, 2.25), (0.1, 2.33), (0, 2.36))),
    "cylinder": (
        (*_FOOT, (1, 0.7)), ((1, 0.7), (1, 1.5), (0.97, 1.57), (0.9, 1.6), (0.9, 1.6), (0, 1.6))),
    "tall": (
        (*_FOOT, (1, 1)), ((1, 1), (1, 2.5), (0.95, 2.6), (0.88, 2.64), (0.88, 2.64), (0, 2.64))),
    "disc": (
        ((0, 0), (0, 0), (0.93, 0), (1, 0.06), (1, 0.2)),
        ((1, 0.2), (1, 0.42), (0.95, 0.5), (0.88, 0.52), (0.88, 0.52), (0, 0.52))),
    "peg": ((*_FOOT, (1, 0.9)), ((1, 0.9), *_ball(1, 1.5, 0.05))),
    "bishop": (
        (*_FOOT, (1, 0.15), (0.8, 0.28), (0.8, 0.36), (0.95, 0.5), (0.6, 0.75), (0.4, 1.4)),
        ((0.4, 1.4), (0.62, 1.6), (0.7, 1.9), (0.5, 2.3), (0.2, 2.55), (0, 2.6))),
}  # fmt: skip
"""Turned pawns with a foot of radius 1: what is below and above where clear ones end."""

FIGURE: Profile = ((0, 0), (0.81, 0), (0.88, 0.05), (0.59, 0.35), (0.97, 0.46), (1, 0.55),
                   (0.9, 0.6), (0.44, 0.65), (0.4, 0.74), (0.46, 0.82), (0.4, 0.92), (0.25, 0.98),
                   (0, 1))  # fmt: skip
"""Somebody cut out of a board, as `simulation.blox.meshes.figure` wants it."""


def lathe(profile: Profile, steps: int = 40) -> Mesh:
    """A solid of revolution around z."""
    turns = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    vertices = [
        (radius * x, radius * y, z, 0.5 + 0.1 * x, 0.5 + 0.1 * y + 0.3 * z)
        for radius, z in profile
        for x, y in zip(np.cos(turns), np.sin(turns), strict=True)
    ]
    faces = []
    for level in range(len(profile) - 1):
        if tuple(profile[level]) != tuple(profile[level + 1]):
            for step in range(steps):
                after = (step + 1) % steps
                a, b = level * steps + step, level * steps + after
                faces += [(a, b, b + steps), (a, b + steps, a + steps)]
    return np.array(vertices, np.float64), np.array(faces, np.int64)


def rounded(radius: float, height: float, bevel: float, steps: int = 48) -> Mesh:
    """A disc or a cylinder with a bevelled upper edge; of 6 steps a hexagon."""
    inner = radius - bevel
    rim = ((radius, 0), (radius, height - bevel), (radius - 0.3 * bevel, height - 0.3 * bevel))
    top = ((inner, height), (inner, height), (0, height))
    return lathe(((0, 0), (radius, 0), *rim, *top), steps)


def capsule(first: ArrayLike, last: ArrayLike, radius: float, last_radius: float) -> Mesh:
    """Round at both ends, from one point to another."""
    start, way = np.asarray(first, np.float64), np.subtract(last, first)
    length = float(np.linalg.norm(way))
    turns = np.linspace(0, np.pi / 2, 9)
    start_ball = tuple((radius * np.sin(turn), -radius * np.cos(turn)) for turn in turns)
    profile = (*start_ball, *_ball(last_radius, length, 0))
    along = way / length
    side = np.cross([0, 0.3, 1.0], along)
    side /= np.linalg.norm(side)
    placement = np.eye(4)
    placement[:3] = np.stack([side, np.cross(along, side), along, start], 1)
    return moved(lathe(profile, 24), placement)


def moved(mesh: Mesh, placement: Array) -> Mesh:
    """The mesh in another frame; placement: (4, 4)."""
    vertices, faces = mesh[0].copy(), mesh[1]
    vertices[:, :3] = vertices[:, :3] @ placement[:3, :3].T + placement[:3, 3]
    return vertices, faces


def pictured(mesh: Mesh, number: int, count: int) -> Mesh:
    """A flat thing on whose top stands one of a row of pictures; its rim has the last of them."""
    vertices, faces = mesh[0].copy(), mesh[1]
    places = vertices[:, :3]
    reach = np.abs(places[:, :2]).max(axis=0)
    at = np.clip(0.5 + places[:, :2] / reach * 0.49, 0.01, 0.99)
    of_top = (places[faces][..., 2] > places[:, 2].max() - 1e-6).all(axis=1)
    vertices[:, 3:] = (count - 0.5) / count, 0.5
    top = np.unique(faces[of_top])
    vertices[top, 3], vertices[top, 4] = (number + at[top, 0]) / count, at[top, 1]
    return vertices, faces


class Pile:
    """All meshes of a photo in the frame of the scene, by what they are made of."""

    def __init__(self) -> None:
        self._meshes: dict[str, list[Mesh]] = defaultdict(list)

    def add(self, material: str, mesh: Mesh, placement: Array | None = None) -> None:
        self._meshes[material].append(mesh if placement is None else moved(mesh, placement))

    def parts(self) -> Iterator[tuple[str, Mesh]]:
        """Each mesh with what it is made of."""
        for material, meshes in self._meshes.items():
            for mesh in meshes:
                yield material, mesh

    def joined(self) -> dict[str, Mesh]:
        """One mesh a material."""
        return {name: _joined(meshes) for name, meshes in self._meshes.items()}


def _joined(meshes: Sequence[Mesh]) -> Mesh:
    """Without triangles that have no area, which have no normal."""
    counts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    vertices = np.concatenate([vertices for vertices, _ in meshes])
    faces = np.concatenate(
        [faces + start for (_, faces), start in zip(meshes, counts, strict=False)]
    )
    a, b, c = (vertices[faces[:, corner], :3] for corner in range(3))
    return vertices, faces[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-9]
