"""The reader of numbers that are printed in the cells of a grid (`detect.printed_numbers`).

Its samples are the cells of empty sheets in any art.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from brikks_vision.detect.placement import rectify
from brikks_vision.detect.printed_numbers import REACH, SIDE, VALUES
from brikks_vision.layout import Box
from simulation.bloxx.photos import random_sheet, shoot_blank
from training.tasks.task import Batch, Measures, Numbers, as_input

TIERS, TIER_SHARES = ("scan", "good", "hard"), (0.2, 0.45, 0.35)
LONG_SIDES = (1400, 2600)  # px of the photos
SHIFT, GROWTH = 0.06, 0.03  # cells and share, standard deviations by which a grid lies aside
CHANCES = (1.0, 1.3, 1.3, 1.3)  # of cells to be drawn, by what is printed there


def cells_of_sheet(seed: int, number: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The cells (N, SIDE, SIDE, 3) of an empty sheet in a photo, and the output of each (N,)."""
    rng = np.random.default_rng([seed, number])
    cv2.setRNGSeed(number)
    layout, sheet = random_sheet(rng)
    tier = str(rng.choice(TIERS, p=TIER_SHARES))
    photo = shoot_blank(layout, sheet, rng, tier, int(rng.integers(*LONG_SIDES)))
    x, y = rng.normal(0, SHIFT, 2)
    wider, higher = np.exp(rng.normal(0, GROWTH, 2))
    pixels, grid = round(SIDE / REACH), layout.grid
    room = (SIDE / pixels - 1) / 2
    area = Box(x - room, y - room, x + wider * grid.columns + room, y + higher * grid.rows + room)
    size = (grid.columns * pixels + SIDE - pixels, grid.rows * pixels + SIDE - pixels)
    flat = cv2.resize(rectify(photo.image, photo.placement, area, 48), size,
                      interpolation=cv2.INTER_AREA)  # fmt: skip
    numbers = {(each["row"], each["column"]): each["value"] for each in layout.printed["numbers"]}
    cells = layout.grid.cells
    pictures = [
        flat[row * pixels : row * pixels + SIDE, column * pixels : column * pixels + SIDE]
        for row, column in cells
    ]
    labels = [1 + VALUES.index(numbers[cell]) if cell in numbers else 0 for cell in cells]
    return np.stack(pictures), np.array(labels, np.uint8)


@dataclass(frozen=True, eq=False)
class Cells:
    """pictures: (N, SIDE, SIDE, 3). labels, photos: (N,)."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.uint8]
    photos: Numbers


def write_cells(folder: Path, numbers: range, seed: int) -> None:
    sheets = [cells_of_sheet(seed, number) for number in numbers]
    pictures, labels = (np.concatenate(each) for each in zip(*sheets, strict=True))
    at = np.repeat(np.arange(len(sheets)), [len(labels) for _, labels in sheets])
    np.savez(folder / "cells.npz", pictures=pictures, labels=labels, sheets=at)


def load_cells(parts: list[Path], device: torch.device) -> Cells:
    files = [np.load(part / "cells.npz") for part in parts]
    pictures, labels = (
        np.concatenate([file[name] for file in files]) for name in ("pictures", "labels")
    )
    sheets, before = [], 0
    for file in files:
        sheets.append(before + file["sheets"])
        before += file["sheets"].max() + 1
    return Cells(pictures, labels, np.concatenate(sheets))


def cells_chances(samples: Cells) -> NDArray[np.float64]:
    return np.array(CHANCES)[samples.labels]


def augmented(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Pictures in other light and colours, a pixel or two aside, some inverted or grey."""
    result = pictures.copy()
    levels = np.arange(256) / 255
    for at in range(len(result)):
        gamma, gain = np.exp(rng.normal(0, 0.3, 3)), np.exp(rng.normal(0, 0.15, 3))
        table = np.clip(255 * gain * levels[:, None] ** gamma, 0, 255).astype(np.uint8)
        picture = cv2.LUT(result[at], table[:, None])
        if rng.random() < 0.3:
            picture = picture[..., rng.permutation(3)]
        if rng.random() < 0.15:
            picture = 255 - picture
        if rng.random() < 0.2:
            picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.4, 1.2))
        shift = rng.integers(-2, 3, 2)
        result[at] = np.roll(picture, tuple(shift), (0, 1))
    return result


def cells_batch(samples: Cells, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    pictures = samples.pictures[chosen]
    return {
        "images": as_input(list(augmented(pictures, rng) if training else pictures)),
        "labels": torch.from_numpy(samples.labels[chosen]).long(),
    }


def cells_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    logits, labels = net(batch["images"]).float(), batch["labels"]
    wrong = (logits.argmax(1) != labels).float().mean().item()
    return cross_entropy(logits, labels, reduction="none"), {"wrong": 100 * wrong}
