"""Shapes of blocks, pawns and chips as triangles, and PLY files of them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Vertices = NDArray[np.float64]  # (N, 5): x, y, z, u, v
Faces = NDArray[np.int64]  # (M, 3)
Mesh = tuple[Vertices, Faces]

Profile = tuple[tuple[float, float], ...]
"""Half widths by height, both as shares of the whole."""

PAWN_PROFILES: Mapping[str, Profile] = {
    "cone": ((0, 0), (1, 0), (1, 0.05), (0.85, 0.1), (0.35, 0.62), (0.3, 0.68), (0.5, 0.75),
             (0.58, 0.84), (0.5, 0.93), (0.3, 0.985), (0, 1)),
    "chess": ((0, 0), (1, 0), (1, 0.08), (0.8, 0.13), (0.75, 0.2), (0.45, 0.3), (0.35, 0.55),
              (0.6, 0.6), (0.6, 0.63), (0.35, 0.66), (0.55, 0.76), (0.6, 0.84), (0.5, 0.94),
              (0.3, 0.985), (0, 1)),
    "cylinder": ((0, 0), (0.94, 0), (1, 0.03), (1, 0.96), (0.94, 1), (0, 1)),
    "bullet": ((0, 0), (1, 0), (1, 0.5), (0.93, 0.68), (0.75, 0.84), (0.45, 0.95), (0, 1)),
    "waist": ((0, 0), (1, 0), (1, 0.1), (0.55, 0.45), (0.5, 0.55), (0.75, 0.8), (0.75, 0.97),
              (0.7, 1), (0, 1)),
}  # fmt: skip


DISC_PROFILES: tuple[Profile, ...] = (
    ((0, 0), (0.93, 0), (1, 0.12), (1, 0.88), (0.93, 1), (0, 1)),
    ((0, 0), (0.8, 0), (1, 0.3), (1, 0.7), (0.8, 1), (0, 1)),
    ((0, 0), (1, 0), (1, 0.6), (0.9, 0.85), (0.7, 1), (0.65, 0.9), (0, 0.9)),
)

FIGURE_PROFILES: tuple[Profile, ...] = (
    ((0, 0), (0.85, 0), (0.8, 0.1), (0.5, 0.36), (1, 0.5), (1, 0.6), (0.45, 0.68), (0.36, 0.72),
     (0.42, 0.82), (0.36, 0.95), (0.15, 1), (0, 1)),
    ((0, 0), (0.7, 0), (0.7, 0.06), (0.55, 0.42), (1, 0.56), (0.85, 0.66), (0.3, 0.7),
     (0.48, 0.8), (0.45, 0.93), (0.2, 1), (0, 1)),
    ((0, 0), (1, 0), (0.95, 0.12), (0.6, 0.55), (0.35, 0.64), (0.5, 0.76), (0.5, 0.9), (0.25, 1),
     (0, 1)),
)  # fmt: skip


def random_profile(rng: np.random.Generator) -> Profile:
    """A foot, a body that becomes narrower, and a round or flat head."""
    foot = float(rng.uniform(0.02, 0.16))
    waist, neck = rng.uniform(0.25, 1.0), rng.uniform(0.2, 0.7)
    head = max(neck, float(rng.uniform(0.35, 0.95)))
    top = float(rng.uniform(0.15, 0.5))  # of the height is the head
    bulge = float(rng.uniform(0.8, 1.25))
    points = [(0.0, 0.0), (1.0, 0.0), (1.0, foot), (min(1.0, waist * 1.2), foot + 0.03)]
    body = 1 - top - foot - 0.05
    for step in (0.33, 0.67, 1.0):
        width = waist + (neck - waist) * step**bulge
        points.append((float(width), foot + 0.04 + body * step))
    if rng.random() < 0.75:
        angles = np.linspace(-0.9, np.pi / 2, 7)
        middle = 1 - top / 2
        points += [
            (float(head * np.cos(angle)), middle + top / 2 * float(np.sin(angle)))
            for angle in angles[:-1]
        ]
    else:
        points += [(head, 1 - top + 0.02), (head, 0.97), (0.9 * head, 1.0)]
    return (*points, (0.0, 1.0))


def random_figure(rng: np.random.Generator) -> Profile:
    """The outline of somebody: legs or a gown, arms, a neck and a head."""
    foot, waist = rng.uniform(0.45, 1.0), rng.uniform(0.35, 0.75)
    shoulder, neck = float(rng.uniform(0.5, 0.68)), float(rng.uniform(0.2, 0.45))
    arm, thick = float(rng.uniform(0.6, 1.0)), float(rng.uniform(0.06, 0.16))
    head = max(neck, float(rng.uniform(0.3, 0.6)))
    top = shoulder + thick
    middle = (top + 1) / 2
    return (
        (0, 0), (foot, 0), (foot, float(rng.uniform(0.04, 0.15))),
        (waist, shoulder - thick / 2), (arm, shoulder), (0.94 * arm, top), (neck, top + 0.03),
        (head, middle - 0.02), (0.95 * head, middle + 0.06), (0.5 * head, 0.99), (0, 1),
    )  # fmt: skip


def cut(profile: Profile, at: float) -> tuple[Profile, Profile]:
    """The parts of a profile below and above a height, which is a share of its whole height."""
    heights = np.array([height for _, height in profile])
    width = float(np.interp(at, np.maximum.accumulate(heights), [half for half, _ in profile]))
    lower = tuple(point for point in profile if point[1] <= at)
    upper = tuple(point for point in profile if point[1] > at)
    return (*lower, (width, at), (0.0, at)), ((0.0, at), (width, at), *upper)


def write_ply(path: Path, vertices: Vertices, faces: Faces) -> None:
    """A mesh with texture coordinates, as a binary file."""
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(vertices)}\n"
        + "".join(f"property float {name}\n" for name in ("x", "y", "z", "u", "v"))
        + f"element face {len(faces)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    rows = np.zeros(len(faces), dtype=[("count", "u1"), ("at", "<i4", 3)])
    rows["count"], rows["at"] = 3, faces
    path.write_bytes(header.encode() + vertices.astype("<f4").tobytes() + rows.tobytes())


def block(width: float, height: float, bevel: float) -> Mesh:
    """A block with bevelled edges, standing on z = 0 around the origin."""
    half, low = width / 2 - bevel, bevel
    vertices: list[tuple[float, ...]] = []
    faces: list[tuple[int, int, int]] = []

    def quad(corners: list[tuple[float, float, float]]) -> None:
        start = len(vertices)
        for (x, y, z), uv in zip(corners, ((0, 0), (1, 0), (1, 1), (0, 1)), strict=True):
            vertices.append((x, y, z, *uv))
        faces.append((start, start + 1, start + 2))
        faces.append((start, start + 2, start + 3))

    top, bottom, out = height, 0.0, width / 2
    square = [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    quad([(x * half, y * half, top) for x, y in square])
    quad([(x * half, y * half, bottom) for x, y in reversed(square)])
    for first, second in zip(square, [*square[1:], square[0]], strict=True):
        # A side looks along the axis on which both of its corners agree.
        axis = 0 if first[0] == second[0] else 1

        def at(
            corner: tuple[int, int], reach: float, z: float, axis: int = axis
        ) -> tuple[float, float, float]:
            x, y = corner[0] * half, corner[1] * half
            return (corner[0] * reach, y, z) if axis == 0 else (x, corner[1] * reach, z)

        quad(
            [
                at(first, out, low),
                at(second, out, low),
                at(second, out, height - low),
                at(first, out, height - low),
            ]
        )
        quad(
            [
                at(first, out, height - low),
                at(second, out, height - low),
                at(second, half, top),
                at(first, half, top),
            ]
        )
        quad(
            [
                at(first, half, bottom),
                at(second, half, bottom),
                at(second, out, low),
                at(first, out, low),
            ]
        )
    for x, y in square:
        quad(
            [
                (x * out, y * half, low),
                (x * half, y * out, low),
                (x * half, y * out, height - low),
                (x * out, y * half, height - low),
            ]
        )
        quad(
            [
                (x * out, y * half, height - low),
                (x * half, y * out, height - low),
                (x * half, y * half, top),
                (x * half, y * half, top),
            ]
        )
    return _outward(np.array(vertices, np.float64), np.array(faces, np.int64), height / 2)


def _outward(vertices: Vertices, faces: Faces, middle: float) -> Mesh:
    """A convex mesh around (0, 0, middle), all faces of which look outwards."""
    a, b, c = (vertices[faces[:, corner], :3] for corner in range(3))
    outwards = (a + b + c) / 3 - np.array([0, 0, middle])
    inside = (np.cross(b - a, c - a) * outwards).sum(axis=1) < 0
    faces[inside] = faces[inside][:, ::-1]
    return vertices, faces


def turned(profile: Profile, width: float, height: float, steps: int = 40) -> Mesh:
    """A solid of revolution around z that stands on z = 0."""
    angles = np.linspace(0, 2 * np.pi, steps + 1)
    vertices = [
        (radius * width / 2 * np.cos(angle), radius * width / 2 * np.sin(angle), z * height,
         angle / (2 * np.pi), z)
        for radius, z in profile
        for angle in angles
    ]  # fmt: skip
    row = steps + 1
    faces = []
    for level in range(len(profile) - 1):
        for step in range(steps):
            a = level * row + step
            faces += [(a, a + 1, a + row + 1), (a, a + row + 1, a + row)]
    return np.array(vertices, np.float64), np.array(faces, np.int64)


def figure(profile: Profile, width: float, height: float, thick: float, legs: float = 0.0) -> Mesh:
    """A board as thick as told, cut out along a profile, that stands on z = 0.

    legs: how high, as a share of the whole, a gap between legs reaches.
    """
    y = thick / 2
    quads: list[list[tuple[float, float, float]]] = []
    if legs:
        shares, halves = [share for _, share in profile], [half for half, _ in profile]
        above = [(half, share) for half, share in profile if share > legs]
        profile = ((halves[1], 0.0), (float(np.interp(legs, shares[1:], halves[1:])), legs), *above)
    points = [(half * width / 2, share * height) for half, share in profile]
    for (low, z), (high, top) in pairwise(points):
        gap = 0.4 * low if z < legs * height else 0.0
        for side in (-y, y):
            for sign in (-1, 1):
                quads.append(
                    [(sign * gap, side, z), (sign * low, side, z), (sign * high, side, top),
                     (0, side, top)]
                )  # fmt: skip
        for sign in (-1, 1):
            quads.append(
                [(sign * low, -y, z), (sign * low, y, z), (sign * high, y, top),
                 (sign * high, -y, top)]
            )  # fmt: skip
            if gap:
                quads.append([(sign * gap, -y, z), (sign * gap, y, z), (0, y, top), (0, -y, top)])
    vertices = [(x, y, z, x / width + 0.5, z / height) for quad in quads for x, y, z in quad]
    faces = [
        (at, at + first, at + first + 1) for at in range(0, 4 * len(quads), 4) for first in (1, 2)
    ]
    return np.array(vertices, np.float64), np.array(faces, np.int64)


def lying(mesh: Mesh, thick: float) -> Mesh:
    """A figure on its back."""
    vertices, faces = mesh
    laid = vertices.copy()
    laid[:, 1], laid[:, 2] = vertices[:, 2] - vertices[:, 2].max() / 2, vertices[:, 1] + thick / 2
    return laid, faces


def square() -> Mesh:
    """From -1 to 1 in x and y, looking up."""
    vertices = [
        (x, y, 0, (x + 1) / 2, (y + 1) / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    return np.array(vertices, np.float64), np.array([(0, 1, 2), (0, 2, 3)])


def cube() -> Mesh:
    """From -1 to 1 in all directions."""
    vertices, faces = block(2.0, 2.0, 0.0)
    vertices = vertices - np.array([0, 0, 1, 0, 0])
    return vertices, faces


def disc(steps: int = 32) -> Mesh:
    """Of radius 1, looking up; its picture is a square around it."""
    angles = np.linspace(0, 2 * np.pi, steps + 1)[:-1]
    points = np.r_[[[0, 0]], np.c_[np.cos(angles), np.sin(angles)]]
    vertices = np.c_[points, np.zeros(steps + 1), points / 2 + 0.5]
    faces = [(0, 1 + step, 1 + (step + 1) % steps) for step in range(steps)]
    return vertices, np.array(faces)


def tube(steps: int = 32) -> Mesh:
    """The wall of a cylinder of radius 1 from z = 0 to 1."""
    return turned(((1.0, 0.0), (1.0, 1.0)), 2.0, 1.0, steps)
