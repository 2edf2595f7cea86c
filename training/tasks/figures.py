"""The figures that the player writes: classes of their digits."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from brikks_vision.detect.figures import CLASSES, DASH, NONE, PLACES, figure_patches
from brikks_vision.layout import load_layout
from training.augment import displacement, recolor, resample
from training.photos import DASH_WRITTEN, NOTHING_WRITTEN, PIXELS_PER_CELL, Arrays
from training.tasks.task import Batch, Measures, as_input


def figure_classes(value: int) -> list[int]:
    """The classes of a written figure's places (see `brikks_vision.detect.figures`)."""
    if value == NOTHING_WRITTEN:
        return [NONE] * PLACES
    if value == DASH_WRITTEN:
        return [NONE] * (PLACES - 1) + [DASH]
    digits = [int(digit) for digit in str(value)]
    return [NONE] * (PLACES - len(digits)) + digits


def figures_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    layout = load_layout("brikks-light")
    area = layout.reading_area
    places = layout.figures.values()
    centres = tuple(centre for field in places for centre in field.centres)
    patches, classes = [], []
    for at in chosen:
        flat = resample(
            arrays["flat"][at], displacement(rng, 16, 12, rng.uniform(0, 0.08)), PIXELS_PER_CELL
        )
        flat = recolor(flat, rng, 0.8 if training else 0.0)
        patches += figure_patches(flat, area, centres)
        for name in layout.figures:
            classes += [figure_classes(int(value)) for value in arrays["written"][name][at]]
    return {"images": as_input(patches), "classes": torch.tensor(classes)}


def figures_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    logits = net(batch["images"]).float().reshape(-1, PLACES, CLASSES).transpose(1, 2)
    losses = cross_entropy(logits, batch["classes"], reduction="none")
    right = (logits.argmax(1) == batch["classes"]).all(1)
    written = batch["classes"][:, -1] != NONE
    figures = sum(len(field.centres) for field in load_layout("brikks-light").figures.values())
    return losses.reshape(-1, figures * PLACES).mean(1), {
        "written wrong": 100 * (1 - right[written].float().mean().item()),
        "blank wrong": 100 * (1 - right[~written].float().mean().item()),
    }
