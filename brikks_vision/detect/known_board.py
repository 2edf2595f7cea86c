"""Places a board whose picture is known, wherever some of its cells show.

A network sees the corners, but some are hidden or off. Any three of them, or two and the sides that
begin there, give a guess of where the camera stood, for each of some focal lengths. If a guess is
right, colours change from cell to cell as in the picture. The best guesses are moved until they do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import cell_sides, fit_lines, flat_homography, lattice_corners
from brikks_vision.detect.ground import HAZE
from brikks_vision.detect.placement import (
    FOCAL_DEVIATION,
    USUAL_FOCAL,
    Image,
    scaled_homography,
    shrunk,
)

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

FOCALS = (0.6, 0.75, 0.9, 1.15, 1.5)  # of the photo's long side, that guesses are made with
CENTRE_DEVIATION = 0.04  # of the long side: the camera's axis from the middle; more in cut photos
OFFSET_DEVIATION = 0.06  # cells
MIN_HEIGHT, MIN_DEPTH = 2.0, 1.0  # cells from the board's plane, and from corners, to the camera
COARSE_PIXELS, FINE_PIXELS = 14, 28  # about a cell's side in the photo, scaled down twice
BESIDE = 0.22  # cells from a side at which its two colours are looked at
# cells from the middle of a side where it is looked at, in a coarse and in a fine photo
FEW_ALONG, ALONG = (-0.2, 0.2), (-0.28, -0.14, 0.0, 0.14, 0.28)
CLEAR = 0.15  # log colour of a change that is half clear
# how many of the best cameras are moved on, and how far from its place a side is looked for, cells
COARSE_STAGES = ((48, 0.6), (24, 0.5), (12, 0.4))
FINE_STAGES = ((6, 0.3), (4, 0.2), (3, 0.15), (3, 0.15))
MANY = 3  # times as many are compared first
APART = 0.3  # cells of a corner by which two cameras differ
LINE_REACHES = (0.12, 0.12)  # at which all lines are fitted in the end, see `fit_lines`
MAX_LESS = 0.05  # of agreement that is given up for lines
STEPS = 6  # at which a side is looked for, on both sides of its place
STEP_WIDTH = 0.12  # cells to both sides, of a change that is looked for
ROUNDS = 6
CAMERA = 9  # numbers of a camera
TINY = 1e-9


@dataclass(frozen=True)
class Picture:
    """A board seen from straight above.

    pixels: (H, W, 3) uint8 BGR, square, with ``scale`` px a cell, and ``margin`` cells around the
    ``side`` x ``side`` cells.
    """

    pixels: Image
    side: int
    scale: int
    margin: float

    @property
    def plane(self) -> Array:
        """The homography (3, 3) from cells to its px."""
        return flat_homography(self.scale, self.margin)

    @cached_property
    def changes(self) -> Floats:
        """Of the log colour at each side, (4, sides, 3), with each corner as the first, in turn."""
        turns = [np.ascontiguousarray(np.rot90(self.pixels, quarters)) for quarters in range(4)]
        return np.stack(
            [_Seen(_logs(turn)).changes(self.plane[None], self.side)[0] for turn in turns]
        )

    @cached_property
    def offsets(self) -> Array:
        """Where each side is seen, along its normal, (sides,), cells: a line between two cells is
        part of one of them."""
        seen, planes = _Seen(_logs(self.pixels)), self.plane[None]
        offsets, _ = _side_offsets(seen, planes, self.side, self.changes[:1], FINE_STAGES[-1][1])
        return np.asarray(offsets[0])


@dataclass(frozen=True)
class Match:
    """Where a board lies.

    number: which of the boards it is. homography: (3, 3), its cells to px. agreement: how far the
    colours change at the sides of its cells as in its picture, 0 (by chance) to 1. lines: the share
    of these sides that are seen as lines, see `FoundBoard`.
    """

    number: int
    homography: Array
    agreement: float
    lines: float


def place_pictures(image: Image, corners: Array, pictures: Sequence[Picture]) -> list[Match]:
    """Where one of some boards may lie, the most probable first; empty where that cannot be told.

    corners: (4, 2), where a network sees them, clockwise, px. pictures: of as many cells each.
    """
    side, size = pictures[0].side, (image.shape[1], image.shape[0])
    cameras = cameras_of_corners(corners, side, size)
    if not len(cameras):
        return []
    pixels = float(np.sqrt(cv2.contourArea(corners.astype(np.float32)))) / side
    smaller, factor = shrunk(image, FINE_PIXELS / max(pixels, 1.0))
    smallest, share = shrunk(smaller, COARSE_PIXELS / FINE_PIXELS)
    coarse = _Seen(_logs(smallest), FEW_ALONG, factor * share)
    fine = _Seen(_logs(smaller), ALONG, factor)
    cameras, numbers = _compared(coarse, cameras, size, pictures)
    for seen, stages in ((coarse, COARSE_STAGES), (fine, FINE_STAGES)):
        for most, reach in stages:
            usable = _are_usable(cameras, side, size)
            cameras, numbers = cameras[usable], numbers[usable]
            kept = _best_apart(seen, cameras, numbers, size, pictures, most)
            if not kept:
                return []
            cameras, numbers = cameras[kept], numbers[kept]
            cameras = _fitted(seen, cameras, size, [pictures[number] for number in numbers], reach)
    planes = homographies(cameras, size)
    return _with_lines(smaller, fine, planes, numbers, pictures)


def _compared(
    seen: _Seen, cameras: Array, size: tuple[int, int], pictures: Sequence[Picture]
) -> tuple[Array, NDArray[np.intp]]:
    """Cameras at which the sides look most like those of a picture, and which one.

    A lattice looks the same one cell further on, and from each of its four sides.
    """
    side = pictures[0].side
    cameras = np.concatenate(
        [_moved(cameras, move) for move in product((-1.0, 0.0, 1.0), repeat=2)]
    )
    cameras = cameras[_are_usable(cameras, side, size)]
    changes = np.concatenate([picture.changes for picture in pictures])
    agreed = _agreements(seen.changes(homographies(cameras, size), side), changes)
    best = agreed.ravel().argsort()[::-1][: MANY * COARSE_STAGES[0][0]]
    rows, columns = np.unravel_index(best, agreed.shape)
    turns = (4 - columns % 4) % 4
    turned = [_turned(*each, side) for each in zip(cameras[rows], turns, strict=True)]
    return np.stack(turned), columns // 4


def _best_apart(
    seen: _Seen, cameras: Array, numbers: NDArray[np.intp], size: tuple[int, int],
    pictures: Sequence[Picture], most: int,
) -> list[int]:  # fmt: skip
    """Which cameras see a board elsewhere than better ones, the best first, ``most`` at most."""
    side, planes = pictures[0].side, homographies(cameras, size)
    changes = np.stack([picture.changes[0] for picture in pictures])
    agreed = _agreements(seen.changes(planes, side), changes)[np.arange(len(planes)), numbers]
    lattice, found = lattice_corners(side), list[int]()
    back = np.linalg.inv(planes)
    for at in agreed.argsort()[::-1].tolist():
        same = [other for other in found if numbers[other] == numbers[at]]
        others = _project(back[at] @ planes[same], lattice)
        if (np.abs(others - lattice.T).max(axis=(1, 2)) > APART).all():
            found.append(at)
        if len(found) == most:
            break
    return found


def _with_lines(
    image: Image, seen: _Seen, planes: Array, numbers: NDArray[np.intp],
    pictures: Sequence[Picture],
) -> list[Match]:  # fmt: skip
    """Matches with all lines fitted, where the changes agree as well then.

    image: that of ``seen``. Of matches that agree as well, lines decide.
    """
    found = []
    for plane, number in zip(planes, numbers, strict=True):
        picture = pictures[number]
        scaled = scaled_homography(plane, seen.factor)
        lines = fit_lines(image, scaled, picture.side, LINE_REACHES)
        tried = np.stack([plane, scaled_homography(lines.homography, 1 / seen.factor)])
        before, after = _agreements(seen.changes(tried, picture.side), picture.changes[:1])[:, 0]
        is_worse = after < before - MAX_LESS
        homography, agreement = (plane, before) if is_worse else (tried[1], after)
        homography = homography / homography[2, 2]
        found.append(Match(int(number), homography, float(agreement), lines.strength))
    return sorted(found, key=lambda match: -match.agreement - match.lines)


def homographies(cameras: Array, size: tuple[int, int]) -> Array:
    """(N, 3, 3), cells to px, of cameras (N, 9).

    A camera is the turn, as Rodrigues has it, and the place of the board before it, in cells (x to
    the right, y down, z forward), the logarithm of its focal length, and where its axis meets the
    photo, from the middle; these as shares of the photo's long side.
    """
    turns, places, focals, centres = np.split(cameras, [3, 6, 7], axis=1)
    angles = np.linalg.norm(turns, axis=1)[:, None, None]
    x, y, z = (turns / np.maximum(angles[:, 0], 1e-12)).T
    zero = np.zeros_like(x)
    cross = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=1).reshape(-1, 3, 3)
    rotations = np.eye(3) + np.sin(angles) * cross + (1 - np.cos(angles)) * (cross @ cross)
    planes = np.concatenate([rotations[:, :, :2], places[:, :, None]], axis=2)
    intrinsic = np.zeros((len(cameras), 3, 3))
    intrinsic[:, 0, 0] = intrinsic[:, 1, 1] = np.exp(focals[:, 0]) * max(size)
    intrinsic[:, :2, 2] = centres * max(size) + (np.array(size) - 1) / 2
    intrinsic[:, 2, 2] = 1
    return np.asarray(intrinsic @ planes)


def cameras_of_corners(corners: Array, side: int, size: tuple[int, int]) -> Array:
    """Cameras (N, 9), see `homographies`, that may have seen a board with corners (4, 2), px.

    Each sees three of the corners there, or two and the sides that begin in them. All of the board
    lies before each of them, and they see it from above.
    """
    lattice = lattice_corners(side)
    rays = corners - (np.array(size) - 1) / 2
    found = []
    for first, focal in product(range(4), FOCALS):
        length = focal * max(size)
        kept = [corner for corner in range(4) if corner != first]
        _, turns, places = cv2.solveP3P(
            np.c_[lattice, np.zeros(4)][kept], rays[kept], np.diag([length, length, 1.0]), None,
            flags=cv2.SOLVEPNP_P3P,
        )  # fmt: skip
        poses = [(turn.ravel(), place.ravel()) for turn, place in zip(turns, places, strict=True)]
        found += [[*turn, *place, np.log(focal), 0, 0] for turn, place in poses]
        of_side = _pose_of_side(np.roll(np.c_[rays / length, np.ones(4)], -first, axis=0), side)
        if of_side is not None:
            camera = np.array([*of_side[0], *of_side[1], np.log(focal), 0, 0])
            found.append([*_turned(camera, (4 - first) % 4, side)])
    cameras = np.array(found).reshape(-1, CAMERA)
    cameras = cameras[np.isfinite(cameras).all(axis=1)]
    return cameras[_are_usable(cameras, side, size)]


def _are_usable(cameras: Array, side: int, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Before which cameras all of the board lies, seen from above, (N,)."""
    planes = homographies(cameras, size)
    depths = planes[:, 2] @ np.c_[lattice_corners(side), np.ones(4)].T
    heights = np.linalg.det(planes) / (np.exp(cameras[:, 6]) * max(size)) ** 2
    return np.asarray((depths > MIN_DEPTH).all(axis=1) & (heights > MIN_HEIGHT))


def _pose_of_side(rays: Array, side: int) -> tuple[Array, Array] | None:
    """Turn (3,) and place (3,) of the board of which the first and the last corner are seen along
    rays (4, 3), and the sides from these to the others, however long they look."""
    towards = _cross(_cross(rays[0], rays[1]), _cross(rays[3], rays[2]))
    if abs(rays[3] @ towards) < TINY:
        return None
    across = towards / np.linalg.norm(towards)
    # As the side between the two corners is at a right angle to the others.
    down = rays[3] * (across @ rays[0]) / (across @ rays[3]) - rays[0]
    length = float(np.linalg.norm(down))
    if length < TINY:
        return None
    place, down = rays[0] * side / length, down / length
    normal = _cross(rays[0], rays[3])
    if (normal @ across) * (normal @ rays[1]) < 0:
        across = -across
    rotation = np.stack([across, down, _cross(across, down)], axis=1)
    return np.asarray(cv2.Rodrigues(rotation)[0].ravel(), np.float64), place


def _cross(one: Array, other: Array) -> Array:
    """The cross product of two vectors (3,); for so few numbers numpy's takes long."""
    (a, b, c), (x, y, z) = one.tolist(), other.tolist()
    return np.array([b * z - c * y, c * x - a * z, a * y - b * x])


def _moved(cameras: Array, move: tuple[float, ...]) -> Array:
    """Cameras that see the board where the cell ``move`` from the first one was."""
    moved = cameras.copy()
    moved[:, 3:6] += [cv2.Rodrigues(camera[:3])[0][:, :2] @ move for camera in cameras]
    return moved


def _turned(camera: Array, quarters: int, side: int) -> Array:
    """The camera that sees the first corner where it saw the one so many corners further on."""
    rotation, place = cv2.Rodrigues(camera[:3])[0], camera[3:6]
    for _ in range(quarters):
        place = place + side * rotation[:, 0]
        rotation = rotation @ np.array([[0, -1.0, 0], [1, 0, 0], [0, 0, 1]])
    return np.array([*cv2.Rodrigues(rotation)[0].ravel(), *place, *camera[6:]])


def _project(planes: Array, points: Array) -> Array:
    """Points (M, 2) of each plane (N, 3, 3), (N, 2, M)."""
    there = np.ones((3, len(points)))
    there[:2] = points.T
    seen = planes @ there
    with np.errstate(divide="ignore", invalid="ignore"):  # points level with the camera
        return np.asarray(seen[:, :2] / seen[:, 2:])


_LOGS = np.log(np.arange(256) + HAZE).astype(np.float32)


@dataclass(frozen=True)
class _Seen:
    """Log colours of a photo, where it is looked at along sides of cells, and its scale."""

    logs: Floats
    along: tuple[float, ...] = ALONG
    factor: float = 1.0

    def across_sides(self, planes: Array, side: int, offsets: Array) -> Floats:
        """Colours (N, sides, offsets, 3) so far from each side, along its normal, cells.

        planes: (N, 3, 3), cells to px of the photo, not scaled.
        """
        middles, normals = (each[None, :, None] for each in cell_sides(side))
        along = np.array(self.along)[:, None, None, None]
        points = middles + offsets[:, None] * normals + along * normals[..., ::-1]
        shape = (len(planes), len(along), middles.shape[1], len(offsets), 3)
        places = _project(scaled_homography(planes, self.factor), points.reshape(-1, 2))
        maps = places.astype(np.float32)
        seen = cv2.remap(
            self.logs, maps[:, 0], maps[:, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ).reshape(shape)
        total = seen[:, 0]
        for row in range(1, len(along)):
            total = total + seen[:, row]
        return np.asarray(total / np.float32(len(along)), np.float32)

    def changes(self, planes: Array, side: int) -> Floats:
        """How the log colour changes at each side, (N, sides, 3)."""
        seen = self.across_sides(planes, side, np.array([-BESIDE, BESIDE]))
        return np.asarray(seen[:, :, 1] - seen[:, :, 0])


def _logs(image: Image) -> Floats:
    return np.asarray(cv2.GaussianBlur(_LOGS[image], (0, 0), 1.0), np.float32)


def _agreements(seen: Floats, changes: Floats) -> Floats:
    """How far sides (N, sides, 3) change as they should (M, sides, 3), (N, M), -1 to 1."""
    clear = seen / (np.linalg.norm(seen, axis=2, keepdims=True) + CLEAR)
    total = np.linalg.norm(changes, axis=2).sum(axis=1)
    return np.asarray(clear.reshape(len(seen), -1) @ changes.reshape(len(changes), -1).T / total)


def _side_offsets(
    photo: _Seen, planes: Array, side: int, changes: Floats, reach: float
) -> tuple[Array, Array]:
    """Where each side is seen, along its normal, cells, and how clearly, (N, sides) each.

    changes: (N, sides, 3), of the colour there.
    """
    step = reach / STEPS
    width = max(1, round(STEP_WIDTH / step))
    places = np.arange(-STEPS - width, STEPS + width + 1)
    seen = photo.across_sides(planes, side, np.asarray(places * step))
    steps = seen[:, :, 2 * width :] - seen[:, :, : -2 * width]
    sizes = np.linalg.norm(changes, axis=2, keepdims=True)
    along = np.einsum("nspc,nsc->nsp", steps, changes / np.maximum(sizes, 1e-6))
    alike = np.maximum(along, 0) * along / (np.linalg.norm(steps, axis=3) + CLEAR)
    near = np.exp(-0.5 * (np.arange(-STEPS, STEPS + 1) / (0.7 * STEPS)) ** 2)
    tops = np.clip((alike * near).argmax(axis=2), 1, 2 * STEPS - 1)
    n, s = np.indices(tops.shape)
    before, top, after = (alike[n, s, tops + move] for move in (-1, 0, 1))
    bend = np.minimum(before - 2 * top + after, -1e-6)
    offsets = (tops - STEPS + np.clip(0.5 * (before - after) / bend, -1, 1)) * step
    return offsets, top / (top + CLEAR) * np.minimum(sizes[..., 0], 1.0)


def _fitted(
    photo: _Seen, cameras: Array, size: tuple[int, int], pictures: Sequence[Picture], reach: float
) -> Array:
    """Cameras moved to where the sides are seen as in the picture of each."""
    side = pictures[0].side
    changes = np.stack([picture.changes[0] for picture in pictures])
    offsets, weights = _side_offsets(photo, homographies(cameras, size), side, changes, reach)
    offsets -= np.stack([picture.offsets for picture in pictures])
    middles, normals = cell_sides(side)
    tiny = 1e-4
    nudges = np.repeat(tiny * np.eye(CAMERA + 1, CAMERA, -1)[None], len(cameras), axis=0)
    # With a longer focal length the board is as much further away, so that it looks as large.
    nudges[:, 7, 5] = tiny * cameras[:, 5]
    nudged = (cameras[:, None] + nudges).reshape(-1, CAMERA)
    planes = homographies(nudged, size).reshape(-1, CAMERA + 1, 3, 3)
    moves = (np.linalg.inv(planes[:, :1]) @ planes[:, 1:]).reshape(-1, 3, 3)
    moved = (_project(moves, middles) - middles.T) * normals.T
    design = moved.sum(axis=1).reshape(len(cameras), CAMERA, -1) / tiny
    # Weighed against what is usual of cameras.
    usual = cameras.copy()
    usual[:, 6:] = np.log(USUAL_FOCAL), 0, 0
    certain = np.array([0.0] * 6 + [FOCAL_DEVIATION**-2] + [CENTRE_DEVIATION**-2] * 2)
    certain = certain + 1e-9 + 1e-4 * (design**2).sum(axis=2)
    pull = certain * (usual - cameras)
    scale = max(reach / 3, 0.03)
    robust, steps = np.ones_like(offsets), np.zeros_like(cameras)
    for _ in range(ROUNDS):
        weighted = design * (weights * robust / OFFSET_DEVIATION**2)[:, None]
        left = weighted @ design.swapaxes(1, 2) + certain[:, None] * np.eye(CAMERA)
        right = (weighted @ offsets[..., None])[..., 0] + pull
        steps = np.linalg.solve(left, right[..., None])[..., 0]
        left_over = offsets - (steps[:, None] @ design)[:, 0]
        robust = 1 / (1 + (left_over / scale) ** 2) ** 2
    moved_on = cameras + steps
    moved_on[:, 5] += cameras[:, 5] * np.expm1(steps[:, 6])
    return np.asarray(moved_on)
