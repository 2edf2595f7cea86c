"""Where a board of square cells lies in a photo: its cells, and its four corners."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from brikks_vision.detect import board
from simulation.blox.samples import write_photo
from training.networks import BoardLocator
from training.tasks.task import Batch, Measures, Task, evenly

Floats = NDArray[np.float32]
CORNER_SPREAD = 1.2  # px of the output
DRAWN_SIDE = 800  # px of photos of boards
LOST = 100.0  # px: counts as the error where no board is found


def draw_boards(folder: Path, numbers: range, seed: int) -> None:
    """Photos of boards, from which all networks of boards learn."""
    for number in numbers:
        write_photo(folder, number, seed, DRAWN_SIDE, render_with="rasterizer")


@dataclass(frozen=True, eq=False)
class Photos:
    """Photos, letterboxed (N, side, side, 3), and what is true of each, px."""

    images: NDArray[np.uint8]
    truth: list[NDArray[np.float64]]

    def __len__(self) -> int:
        return len(self.images)


def load_photos(
    parts: list[Path], side: int, truth_of: Callable[[Any, float], NDArray[np.float64]]
) -> Photos:
    """All photos. ``truth_of``: what is true of one, by its facts and the scale of its picture."""
    images, truth = [], []
    for path in (path for part in parts for path in sorted(part.glob("*.json"))):
        image = np.asarray(cv2.imread(str(path.with_suffix(".jpg"))), np.uint8)
        boxed, scale = board.letterbox(image, side)
        images.append(boxed)
        truth.append(truth_of(json.loads(path.read_text("utf-8")), scale))
    return Photos(np.stack(images), truth)


def load(parts: list[Path]) -> Photos:
    """Photos at twice the size that the network sees, and the corners (4, 2) of their boards."""

    def corners(facts: Any, scale: float) -> NDArray[np.float64]:
        return np.asarray((np.array(facts["corners"]) + 0.5) * scale - 0.5)

    return load_photos(parts, 2 * board.LOCATOR_SIDE, corners)


def sample(
    image: NDArray[np.uint8], corners: NDArray[np.float64], rng: np.random.Generator, plain: bool
) -> tuple[Floats, Floats, NDArray[np.float64]]:
    """One augmented picture, its target maps and the corners in it, px."""
    side = board.LOCATOR_SIDE
    height, width = image.shape[:2]
    if plain:
        matrix = np.diag([side / width, side / height, 1.0])
    else:
        angle, scale = rng.uniform(0, 2 * np.pi), rng.uniform(0.75, 1.2) * side / width
        turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        if rng.random() < 0.5:
            turn[:, 0] *= -1
        middle = corners.mean(axis=0)
        reach = np.abs((corners - middle) @ turn.T).max()
        if reach > side * 0.49:
            turn *= side * 0.49 / reach
            reach = side * 0.49
        target = side / 2 + rng.uniform(-1, 1, 2) * (side / 2 - reach)
        matrix = np.eye(3)
        matrix[:2, :2], matrix[:2, 2] = turn, target - turn @ middle
        matrix[2, :2] = rng.normal(0, 0.0002, 2)
        matrix /= (matrix @ [*middle, 1.0])[2]
    seen = cv2.warpPerspective(
        image, matrix, (side, side), flags=cv2.INTER_AREA, borderValue=(board.PADDING,) * 3
    )
    moved = np.c_[corners, np.ones(4)] @ matrix.T
    moved = moved[:, :2] / moved[:, 2:]
    pixels = seen.astype(np.float32) / 255
    if not plain:
        pixels = pixels ** np.float32(np.exp(rng.normal(0, 0.25)))
        pixels *= np.exp(rng.normal(0, 0.15, 3)).astype(np.float32)
        pixels += rng.normal(0, rng.uniform(0, 0.05), pixels.shape).astype(np.float32)
        if rng.random() < 0.3:
            pixels = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.3, 1.0))
    maps = np.zeros((2, side // board.LOCATOR_STRIDE, side // board.LOCATOR_STRIDE), np.float32)
    at = (moved + 0.5) / board.LOCATOR_STRIDE - 0.5
    fine = np.zeros((side, side), np.uint8)
    cv2.fillPoly(fine, [np.rint(moved).astype(np.int32)], 255)
    maps[0] = cv2.resize(fine, maps.shape[1:], interpolation=cv2.INTER_AREA) / 255
    y, x = np.mgrid[: maps.shape[1], : maps.shape[2]]
    for corner in at:
        squared = (x - corner[0]) ** 2 + (y - corner[1]) ** 2
        maps[1] = np.maximum(maps[1], np.exp(-squared / (2 * CORNER_SPREAD**2)))
    return np.clip(pixels, 0, 1).transpose(2, 0, 1), maps, moved


def batch_of(samples: Photos, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    seen = [sample(samples.images[at], samples.truth[at], rng, not training) for at in chosen]
    images, maps, corners = (np.stack(each) for each in zip(*seen, strict=True))
    return {
        "images": torch.from_numpy(images),
        "maps": torch.from_numpy(maps),
        "corners": torch.from_numpy(corners),
    }


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    target = batch["maps"]
    weight = torch.ones_like(target)
    weight[:, 1] += 30 * target[:, 1]
    logits = net(batch["images"]).float()
    losses = binary_cross_entropy_with_logits(logits, target, weight, reduction="none")
    return losses.mean((1, 2, 3)), {}


def corner_errors(net: nn.Module, batch: Batch) -> Measures:
    """How far off the worst corner of a board is, px of the input, in any turn of the board."""
    errors = []
    told = net(batch["images"]).cpu().numpy()
    for maps, corners in zip(told, batch["corners"].cpu().numpy(), strict=True):
        quad = board.quad_of_maps(maps)
        turns = [np.roll(corners, turn, axis=0) for turn in range(4)]
        turns += [turn[::-1] for turn in turns]
        each = [LOST if quad is None else np.linalg.norm(quad - turn, axis=1).max()
                for turn in turns]  # fmt: skip
        errors.append(min(each))
    off = np.array(errors)
    return {"px off": float(np.median(off)), "10 px off": 100 * float((off > 10).mean())}


TASK = Task(
    BoardLocator, draw_boards, load, batch_of, loss_of, corner_errors,
    size=16, chances=evenly, decay=1e-4,
)  # fmt: skip
