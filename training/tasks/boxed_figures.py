"""The figures that the player writes in boxes of any sheet: classes of their digits, their sign.

Samples are boxes of any print (`training.tasks.written_boxes`) beside a photo of the empty sheet,
and those of Brikks sheets, whose empty sheet is not known.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from brikks_vision.detect.figures import CLASSES, DASH, NONE, PLACES, figure_views
from brikks_vision.detect.marks import READER_PIXELS
from brikks_vision.detect.placement import rectify
from brikks_vision.layout import Box, load_layout
from simulation.brikks.photos import random_shot
from training.photos import TIERS
from training.place_networks import BoxedFigures
from training.tasks.task import Batch, Measures, Numbers, Task, as_input, stored_sheets
from training.tasks.written_boxes import DASH_WRITTEN, NOTHING_WRITTEN, written_boxes

BRIKKS_EVERY = 5  # samples, one is a Brikks sheet
LONG_SIDES = 600, 2000  # px, of photos of those
OFF = 0.04  # cells by which a sheet lies aside
BLANK_DROPPED = 0.35  # share of the figures that are shown without the empty sheet
AUGMENTED = 0.7  # share of those that are shown in other light


def numbers_of(texts: tuple[str, ...]) -> NDArray[np.int16]:
    """Written figures as numbers."""
    names = {"": NOTHING_WRITTEN, "-": DASH_WRITTEN}
    return np.array([names[text] if text in names else int(text) for text in texts], np.int16)


def figure_classes(value: int) -> list[int]:
    """The classes of a written figure's places (see `brikks_vision.detect.figures`)."""
    if value == NOTHING_WRITTEN:
        return [NONE] * PLACES
    if value == DASH_WRITTEN:
        return [NONE] * (PLACES - 1) + [DASH]
    digits = [int(digit) for digit in str(value)]
    return [NONE] * (PLACES - len(digits)) + digits


@dataclass(frozen=True, eq=False)
class Samples:
    """views: (N, 32, 64, 7), see `figure_views`. values: (N,), as of `numbers_of`.

    signed: (N,), whether after a minus sign. photos: (N,).
    """

    views: NDArray[np.uint8]
    values: NDArray[np.int16]
    signed: NDArray[np.bool_]
    photos: Numbers


def figures_of(
    seed: int, number: int, held_out: bool = False
) -> tuple[NDArray[np.uint8], NDArray[np.int16], NDArray[np.bool_]]:
    """The views, values and signs of the figures of one sheet."""
    rng = np.random.default_rng([seed, number])
    cv2.setRNGSeed(number)
    if number % BRIKKS_EVERY:
        views, written = written_boxes(rng, held_out)
        values = np.array([each.value for each in written], np.int16)
        return views, values, np.array([each.signed for each in written])
    views, values = _of_brikks(rng, held_out)
    return views, values, np.zeros(len(values), bool)


def _of_brikks(
    rng: np.random.Generator, held_out: bool
) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
    layout = load_layout("brikks-light")
    tier, long_side = str(rng.choice(TIERS)), int(rng.integers(*LONG_SIDES))
    dice = random.Random(int(rng.integers(2**31)))
    shot = random_shot(layout, rng, dice, tier, long_side, held_out)
    area, (x, y) = layout.reading_area, rng.normal(0, OFF, 2)
    aside = Box(area.left + x, area.top + y, area.right + x, area.bottom + y)
    flat = rectify(shot.image, shot.placement, aside, READER_PIXELS)
    fields = layout.figures.values()
    centres = [centre for field in fields for centre in field.centres]
    sizes = [field.size for field in fields for _ in field.centres]
    values = [numbers_of(shot.drawn.figures[field.name]) for field in fields]
    return figure_views(flat, area, centres, sizes, None, layout.page), np.concatenate(values)


def draw(folder: Path, numbers: range, seed: int) -> None:
    sheets = [figures_of(seed, number) for number in numbers]
    views, values, signed = (np.concatenate(each) for each in zip(*sheets, strict=True))
    at = np.repeat(np.arange(len(sheets)), [len(values) for _, values, _ in sheets])
    np.savez(folder / "figures.npz", views=views, values=values, signed=signed, sheets=at)


def load(parts: list[Path]) -> Samples:
    return Samples(*stored_sheets(parts, "figures.npz", ("views", "values", "signed")))


def augmented(view: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A view some pixels aside, stretched, turned and sheared; each picture in other light."""
    height, width = view.shape[:2]
    result = view.copy()
    turn, shear = rng.normal(0, 0.03), rng.normal(0, 0.08)
    grown = np.exp(rng.normal(0, 0.05, 2))
    linear = np.array([[grown[0], shear - turn], [turn, grown[1]]])
    middle = np.array([width - 1, height - 1]) / 2
    for first in (0, 3):  # the empty sheet lies a little beside the photo
        shift = rng.normal(0, 0.5, 2) + (rng.normal(0, 1.0, 2) if first == 0 else 0.0)
        matrix = np.column_stack([linear, middle - linear @ middle + shift])
        part = cv2.warpAffine(
            view[..., first : first + 3], matrix, (width, height), borderMode=cv2.BORDER_REPLICATE
        )
        gamma, gain = np.exp(rng.normal(0, 0.2, 3)), np.exp(rng.normal(0, 0.12))
        levels = np.arange(256)[:, None] / 255
        table = np.clip(255 * gain * levels**gamma, 0, 255).astype(np.uint8)
        result[..., first : first + 3] = cv2.LUT(part, table[:, None])
    return result


def batch_of(samples: Samples, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    views = list(samples.views[chosen])
    if training:
        views = [augmented(view, rng) if rng.random() < AUGMENTED else view for view in views]
    views = [
        np.dstack([view[..., :3], np.zeros_like(view[..., 3:])])
        if rng.random() < BLANK_DROPPED
        else view
        for view in views
    ]
    return {
        "images": as_input(views),
        "classes": torch.tensor([figure_classes(int(each)) for each in samples.values[chosen]]),
        "signed": torch.from_numpy(samples.signed[chosen].astype(np.float32)),
    }


def loss_of(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    told = net(batch["images"]).float()
    logits = told[:, :-1].reshape(-1, PLACES, CLASSES).transpose(1, 2)
    losses = cross_entropy(logits, batch["classes"], reduction="none").sum(1)
    of_sign = binary_cross_entropy_with_logits(told[:, -1], batch["signed"], reduction="none")
    right = (logits.argmax(1) == batch["classes"]).all(1)
    written = batch["classes"][:, -1] != NONE
    return losses + of_sign, {
        "written wrong": 100 * (1 - right[written].float().mean().item()),
        "blank wrong": 100 * (1 - right[~written].float().mean().item()),
        "sign wrong": 100 * ((told[:, -1] > 0) != (batch["signed"] > 0.5)).float().mean().item(),
    }


TASK = Task(BoxedFigures, draw, load, batch_of, loss_of, size=256, decay=1e-2)
