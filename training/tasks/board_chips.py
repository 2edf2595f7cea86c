"""The chip on top of a tower, or that there is none."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from brikks_vision.detect.pieces import faces_at, hidden_points, scaled_for_faces
from brikks_vision.games.blox.see import BARE, CLASSES, NO_TOP, PIXELS, REACH, stretched
from brikks_vision.rules.blox.material import PawnColor
from brikks_vision.rules.blox.position import FIELDS, SIDE, Position
from training.networks import PieceClassifier
from training.tasks.board_locator import draw_boards
from training.tasks.board_pieces import seen_photo
from training.tasks.task import Batch, Pictures, Task, by_class, label_loss

CORNERS_OFF = (0.02,)  # fields, by which corners are found aside
KEPT_REACH = 0.8  # fields, so that a face can be turned and moved
KEPT = round(PIXELS * KEPT_REACH / REACH)
SHARES = (0.18, 0.18, 0.18, 0.18, 0.08, 0.2)  # of the classes in a batch
MIN_APART = 0.5  # fields beside a top at which it is none
MAX_BESIDE = 0.2
MIN_SEEN, MAX_HIDDEN = 0.6, 0.2  # of a top, for it to count as seen, as not seen
MAX_EMPTY = 6  # empty fields of a photo above which no top is seen
MIXED_COLORS = 0.15  # how much of each channel another one gets
OTHER_COLORS = 0.3  # of the faces have their channels exchanged: chips have any colour


Pixels = NDArray[np.uint8]
Face = tuple[Pixels, int]
"""A picture (side, side, 3) and its class."""


def load(parts: list[Path]) -> Pictures:
    """The faces of all photos."""
    rng = np.random.default_rng(0)
    paths = [path for part in parts for path in sorted(part.glob("*.json"))]
    found = [(*face, number) for number, path in enumerate(paths) for face in faces_of(path, rng)]
    pixels, classes, photos = zip(*found, strict=True)
    return Pictures(np.stack(pixels), np.array(classes), np.array(photos))


def faces_of(path: Path, rng: np.random.Generator) -> list[Face]:
    """Tops of the towers in a photo, and places that are none, with their classes."""
    photo = seen_photo(path, rng, CORNERS_OFF)
    position, size = photo.position, photo.facts["block"]
    middle_of_board = (SIDE / 2, SIDE / 2, 0.0)
    image, pose = scaled_for_faces(photo.image, photo.pose, middle_of_board, KEPT_REACH, KEPT)
    block = size[1]
    tops = np.array([
        [column + 0.5, row + 0.5, tower.height * block]
        for (row, column), tower in position.towers.items()
    ]).reshape(-1, 3)  # fmt: skip
    faces = [
        (faces_at(image, pose, [middle], KEPT_REACH, KEPT)[0], NO_TOP)
        for middle in _of_others(position, block, rng)
        if not len(tops) or _beside(pose.centre, tops, np.array(middle)).min() > MIN_APART
    ]
    for (row, column), tower in position.towers.items():
        foot = np.array([column + 0.5, row + 0.5, 0.0])
        top = foot + np.array([0, 0, tower.height * block])
        seen = _seen(tops, size, top, pose.centre)
        ray = pose.centre - foot
        slant = float(np.linalg.norm(ray[:2]) / ray[2])
        for level in range(1, 6):
            height = level * block
            beside = abs(tower.height - level) * block * slant
            if beside < MAX_BESIDE and seen >= MIN_SEEN:
                kind = tower.height - 1 if tower.chip else BARE
            elif beside < MAX_BESIDE and seen > MAX_HIDDEN:
                continue
            elif beside < MAX_BESIDE or beside > MIN_APART:
                kind = NO_TOP
            else:
                continue
            if level != tower.height and rng.random() < 0.6:
                continue
            middle = (foot[0], foot[1], height)
            faces.append((faces_at(image, pose, [middle], KEPT_REACH, KEPT)[0], kind))
    return faces


def _of_others(
    position: Position, block: float, rng: np.random.Generator
) -> list[tuple[float, float, float]]:
    """Where the tops of towers would be above the pawns and some of the empty fields."""
    empty = [field for field in FIELDS if position.at(field) is None]
    pawns = [field for field in FIELDS if isinstance(position.at(field), PawnColor)]
    some = [empty[at] for at in rng.permutation(len(empty))[:MAX_EMPTY]]
    return [
        (column + 0.5, row + 0.5, float(rng.integers(1, 6) * block))
        for row, column in pawns * 2 + some
    ]


def _beside(
    centre: NDArray[np.float64], tops: NDArray[np.float64], middle: NDArray[np.float64]
) -> NDArray[np.float64]:
    """How far beside a place, fields, tops of towers (N, 3) are seen at its height."""
    share = (middle[2] - centre[2]) / (tops[:, 2] - centre[2])
    seen = centre + (tops - centre) * share[:, None]
    return np.asarray(np.linalg.norm(seen[:, :2] - middle[:2], axis=1))


def _seen(
    tops: NDArray[np.float64], block: list[float], top: NDArray[np.float64], centre: Any
) -> float:
    """Which share of a tower's top no tower hides; tops: the middles of all, (N, 3)."""
    half = np.array([block[0] / 2, block[0] / 2, 0])
    low, high = tops * [1, 1, 0] - half, tops + half
    steps = np.array([-0.3, 0, 0.3]) * block[0]
    points = np.array([top + np.array([x, y, 1e-3]) for x in steps for y in steps])
    return float(1 - hidden_points(points, centre, low, high).mean())


def augmented(face: Pixels, rng: np.random.Generator | None) -> Pixels:
    """A face, turned and moved."""
    angle, scale, move = 0.0, 1.0, np.zeros(2)
    if rng is not None:
        angle, scale = rng.uniform(0, 360), float(rng.uniform(0.9, 1.12))
        move = rng.normal(0, 1.2, 2)
    matrix = cv2.getRotationMatrix2D(((KEPT - 1) / 2, (KEPT - 1) / 2), angle, scale)
    matrix[:, 2] += (PIXELS - KEPT) / 2 + move
    seen = cv2.warpAffine(face, matrix, (PIXELS, PIXELS), borderMode=cv2.BORDER_REPLICATE)
    if rng is not None:
        mixed = np.eye(3) + rng.normal(0, MIXED_COLORS, (3, 3))
        order = rng.permutation(3) if rng.random() < OTHER_COLORS else np.arange(3)
        seen = np.clip(seen @ mixed[order], 0, 255).astype(np.uint8)
        if rng.random() < 0.3:
            seen = cv2.GaussianBlur(seen, (0, 0), float(rng.uniform(0.4, 1.2)))
    return np.asarray(stretched(seen[None])[0], np.uint8)


def batch_of(samples: Pictures, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    faces = [augmented(samples.pictures[at], rng if training else None) for at in chosen]
    pixels = np.stack(faces).astype(np.float32) / 255
    if training:
        pixels += rng.normal(0, 0.03, pixels.shape).astype(np.float32)
    images = torch.from_numpy(pixels.transpose(0, 3, 1, 2).copy())
    return {"images": images, "labels": torch.from_numpy(samples.labels[chosen])}


def chances_of(samples: Pictures) -> NDArray[np.float64]:
    return by_class(samples.labels, SHARES)


TASK = Task(
    partial(PieceClassifier, CLASSES), draw_boards, load, batch_of,
    partial(label_loss, smoothing=0.02), chances=chances_of, rate=3e-3,
)  # fmt: skip
