"""The reader of numbers that are printed in the cells of a grid (`detect.printed_numbers`).

Its samples are the cells of empty sheets in any art, and in turn as many of no game
(`training.tasks.numbered_cells`).
"""

from __future__ import annotations

from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from brikks_vision.detect.placement import rectify
from brikks_vision.detect.printed_digits import SIDE, VALUES, cells_in
from brikks_vision.games.bloxx.print_reading import GRID_PIXELS
from brikks_vision.layout import Box
from simulation.bloxx.photos import random_sheet, shoot_blank
from training.networks import PrintReader
from training.tasks.numbered_cells import numbered_cells
from training.tasks.task import Batch, Pictures, Task, as_input, label_loss, stored_sheets

TIERS, TIER_SHARES = ("scan", "good", "hard"), (0.2, 0.45, 0.35)
LONG_SIDES = (1400, 2600)  # px of the photos
SHIFT, GROWTH = 0.06, 0.03  # cells and share, standard deviations by which a grid lies aside
CHANCES = (1.0, 1.3, 1.3, 1.3)  # of cells to be drawn, by what is printed there


def cells_of(seed: int, number: int) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The cells (N, SIDE, SIDE, 3) of something printed in a photo, and the output of each (N,)."""
    rng = np.random.default_rng([seed, number])
    cv2.setRNGSeed(number)
    flat, values = _sheet(rng) if number % 2 else numbered_cells(rng, GRID_PIXELS)
    outputs = np.zeros(1 + max(VALUES), np.uint8)
    outputs[list(VALUES)] = 1 + np.arange(len(VALUES))
    return cells_in(flat, *values.shape), outputs[values.ravel()]


def _sheet(rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """The grid of an empty sheet in a photo, rectified, and what its cells bear."""
    layout, sheet = random_sheet(rng)
    tier = str(rng.choice(TIERS, p=TIER_SHARES))
    photo = shoot_blank(layout, sheet, rng, tier, int(rng.integers(*LONG_SIDES)))
    x, y = rng.normal(0, SHIFT, 2)
    wider, higher = np.exp(rng.normal(0, GROWTH, 2))
    grid = layout.grid
    area = Box(x, y, x + wider * grid.columns, y + higher * grid.rows)
    values = np.zeros((grid.rows, grid.columns), np.uint8)
    for each in layout.printed["numbers"]:
        values[each["row"], each["column"]] = each["value"]
    flat = rectify(photo.image, photo.placement, area, GRID_PIXELS)
    size = grid.columns * GRID_PIXELS, grid.rows * GRID_PIXELS
    return np.asarray(cv2.resize(flat, size, interpolation=cv2.INTER_AREA), np.uint8), values


def draw(folder: Path, numbers: range, seed: int) -> None:
    sheets = [cells_of(seed, number) for number in numbers]
    pictures, labels = (np.concatenate(each) for each in zip(*sheets, strict=True))
    at = np.repeat(np.arange(len(sheets)), [len(labels) for _, labels in sheets])
    np.savez(folder / "cells.npz", pictures=pictures, labels=labels, sheets=at)


def load(parts: list[Path]) -> Pictures:
    return Pictures(*stored_sheets(parts, "cells.npz", ("pictures", "labels")))


def chances_of(samples: Pictures) -> NDArray[np.float64]:
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


def batch_of(samples: Pictures, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    pictures = samples.pictures[chosen]
    return {
        "images": as_input(list(augmented(pictures, rng) if training else pictures)),
        "labels": torch.from_numpy(samples.labels[chosen]).long(),
    }


TASK = Task(
    partial(PrintReader, SIDE, 1 + len(VALUES)), draw, load, batch_of, label_loss,
    size=256, chances=chances_of, decay=1e-2,
)  # fmt: skip
