"""Casts rays into a scene; ``cast.cpp`` does it, and is compiled by g++ at first use.

Frame of the scene: fields, x to the right, y up from the board's first corner, z towards the
camera; right-handed. Light is linear, red first.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import numpy as np
from numpy.typing import ArrayLike, NDArray
from platformdirs import user_cache_path

from simulation.blox.cameras import Camera
from simulation.blox.cast.rooms import Room
from simulation.blox.meshes import Mesh
from simulation.blox.traced.textures import Floats

Array = NDArray[np.float64]

_SOURCES = [Path(__file__).with_name(name) for name in ("cast.cpp", "tree.h")]
_FLAGS = ("-std=c++17", "-O2", "-shared", "-fPIC")
_MORE_SAMPLES = 3  # where things or colours meet
_ALIKE = np.cos(np.radians(50))  # faces that lean less from each other look like one round face
_GRID = 1 / 2000  # corners so near to each other are one, in fields


class NoCompilerError(SystemExit):
    """The caster cannot be compiled: there is no g++, or it refuses."""

    def __init__(self, said: str = "") -> None:
        told = f"failed: {said}" if said else "is not installed"
        super().__init__(
            "The cast photos of boards are rendered by a program in C++, which the compiler g++ "
            f"makes ready at first use; it {told}. On Debian and Ubuntu, `apt install g++` "
            "installs it."
        )


@dataclass(frozen=True, eq=False)
class Surface:
    """What a thing is made of.

    color: linear, (3,). roughness: 0 for a mirror. reflectance: of what one looks straight at.
    picture: (height, width, 5), a factor of the color, and slopes as `textures.picture` makes it.
    bump: how much the slopes count. is_clear: light goes through it.
    """

    color: ArrayLike = (1.0, 1.0, 1.0)
    roughness: float = 0.5
    reflectance: float = 0.04
    picture: Floats | None = None
    bump: float = 0.0
    is_clear: bool = False


@dataclass(frozen=True, eq=False)
class Thing:
    """A mesh in the frame of the scene."""

    mesh: Mesh
    surface: Surface
    casts_shadow: bool = True


def cast(
    things: Sequence[Thing], room: Room, camera: Camera, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """The light that the camera sees, (height, width, 3), and how far away it comes from."""
    library = _library()
    corners, kinds = _triangles(things)
    surfaces, pictures = _surfaces(things)
    sizes = np.array([image.shape[1::-1] for image in pictures], np.int32)
    addresses = (ctypes.c_void_p * len(pictures))(*[image.ctypes.data for image in pictures])
    lamps = np.array([lamp.row for lamp in room.lamps], np.float32)
    width, height = camera.size
    light = np.zeros((height, width, 3), np.float32)
    away = np.zeros((height, width), np.float32)
    library.cast_picture(
        len(kinds), _at(corners), _at(kinds), _at(surfaces), len(pictures), _at(sizes), addresses,
        len(lamps), _at(lamps), _at(np.asarray(room.around, np.float32)), _at(_camera_row(camera)),
        width, height, _MORE_SAMPLES, int(rng.integers(1 << 30)), _at(light), _at(away),
    )  # fmt: skip
    return light, away


def _at(array: NDArray[np.float32] | NDArray[np.int32]) -> ctypes.c_void_p:
    if not array.flags.c_contiguous:
        raise ValueError("The caster wants arrays without gaps.")
    return ctypes.c_void_p(array.ctypes.data)


def _camera_row(camera: Camera) -> Floats:
    mirror = np.array([1, -1, 1])  # from the world's frame to that of the scene
    way = (camera.target - camera.position) * mirror
    forward, up = way / np.linalg.norm(way), camera.up * mirror
    parts = camera.position * mirror, np.cross(forward, up), up, forward, [camera.focal]
    return np.concatenate(parts).astype(np.float32)


def _surfaces(things: Sequence[Thing]) -> tuple[Floats, list[Floats]]:
    """One row for each thing, and the pictures that the rows name."""
    pictures: dict[int, Floats] = {}
    rows = []
    for thing in things:
        own, number = thing.surface, -1
        if own.picture is not None:
            pictures.setdefault(id(own.picture), own.picture)
            number = list(pictures).index(id(own.picture))
        color = np.asarray(own.color, np.float64).tolist()
        rows.append([*color, own.roughness, own.reflectance, own.is_clear, own.bump, number])
    return np.array(rows, np.float32), list(pictures.values())


def _triangles(things: Sequence[Thing]) -> tuple[Floats, NDArray[np.int32]]:
    """Corners (N, 3, 8): place, normal, u and v; and (N, 3): surface, thing, casts shadow."""
    corners = np.concatenate([thing.mesh[0][thing.mesh[1]] for thing in things])
    counts = [len(thing.mesh[1]) for thing in things]
    casts = [thing.casts_shadow and not thing.surface.is_clear for thing in things]
    numbers = np.arange(len(things)).repeat(counts)
    places = corners[..., :3]
    has_area = np.linalg.norm(_crossed(places), axis=1) > 1e-9
    corners, places, numbers = corners[has_area], places[has_area], numbers[has_area]
    kinds = np.stack([numbers, numbers, np.array(casts)[numbers]], 1)
    rows = np.concatenate([places, smooth_normals(places, numbers), corners[..., 3:]], 2)
    return np.ascontiguousarray(rows, np.float32), np.ascontiguousarray(kinds, np.int32)


def _crossed(places: Array) -> Array:
    """Normals of triangles (N, 3, 3), as long as twice their areas."""
    first, second = places[:, 1] - places[:, 0], places[:, 2] - places[:, 0]
    return np.asarray(np.cross(first, second))


def smooth_normals(places: Array, numbers: NDArray[np.int64]) -> Array:
    """Normals at the corners of triangles, (N, 3, 3); edges that are not sharp look round.

    At each corner it is the mean, weighted by areas, of all triangles of the same thing that meet
    there and lean little from its own. numbers: of the things, (N,).
    """
    crossed = _crossed(places)
    facing = crossed / np.linalg.norm(crossed, axis=1, keepdims=True)
    cells = np.rint(places.reshape(-1, 3) / _GRID).astype(np.int64)
    keys = np.concatenate([cells, numbers.repeat(3)[:, None]], 1)
    group = np.unique(keys, axis=0, return_inverse=True)[1].ravel()
    order, counts = np.argsort(group, kind="stable"), np.bincount(group)
    starts, partners = np.cumsum(counts) - counts, counts[group]
    of = np.arange(len(group)).repeat(partners)
    within = np.arange(len(of)) - (np.cumsum(partners) - partners).repeat(partners)
    other = order[starts[group].repeat(partners) + within] // 3
    is_alike = (facing[of // 3] * facing[other]).sum(1) > _ALIKE
    sums = [np.bincount(of, crossed[other, axis] * is_alike) for axis in range(3)]
    normals = np.stack(sums, 1) / np.linalg.norm(sums, axis=0)[:, None]
    return np.asarray(normals.reshape(-1, 3, 3))


@cache
def _library() -> ctypes.CDLL:
    code = "".join(source.read_text("utf-8") for source in _SOURCES) + " ".join(_FLAGS)
    digest = sha256(code.encode()).hexdigest()[:16]
    path = user_cache_path("brikks-vision", appauthor=False) / f"cast-{digest}.so"
    if not path.exists():
        _compile(path)
    return ctypes.CDLL(str(path))


def _compile(path: Path) -> None:
    compiler = which("g++")
    if compiler is None:
        raise NoCompilerError
    path.parent.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=path.parent) as folder:
        made = Path(folder, path.name)
        command = [compiler, *_FLAGS, str(_SOURCES[0]), "-o", str(made)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise NoCompilerError(done.stderr.strip())
        os.replace(made, path)
