"""The reader: all marks of the rectified sheet, for the full pass."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import grid_sample

from brikks_vision.detect.marks import Key, mark_places
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import load_layout
from training.augment import MOTTLED_SHARE, displacement, mottled, recolor, resample
from training.photos import PIXELS_PER_CELL, Arrays
from training.tasks.marks import KINDS, kind_means, labels_of, losses_of, wrong_of
from training.tasks.task import Batch, Measures, as_input

KIND_WEIGHTS = {"cell": 1.0, "edge": 0.5, "ring": 1.0, "strike": 1.5, "box": 1.0, "bomb": 1.5}


def with_template(images: Tensor, pixels_per_cell: int) -> Tensor:
    layout = load_layout("brikks-light")
    template = draw_template(layout, layout.reading_area, pixels_per_cell)
    return torch.cat([images, as_input([template]).expand(len(images), -1, -1, -1)], 1)


@cache
def sampling_grid() -> dict[Key, tuple[Tensor, int]]:
    """By field and mark: where in the reader's map, (places, 2) from -1 to 1, in which output."""
    layout = load_layout("brikks-light")
    area = layout.reading_area
    corner, size = np.array([area.left, area.top]), np.array([area.width, area.height])
    return {
        key: (torch.from_numpy((points - corner) / size * 2 - 1).float(), output)
        for key, points, output, _ in mark_places(layout, "reader")
    }


def reader_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    images = [
        resample(
            arrays["flat"][at], displacement(rng, 16, 12, rng.uniform(0, 0.06)), PIXELS_PER_CELL
        )
        for at in chosen
    ]
    if training:
        images = [recolor(image, rng, 0.8) for image in images]
        images = [mottled(each, rng) if rng.random() < MOTTLED_SHARE else each for each in images]
    return {
        "images": with_template(as_input(images), PIXELS_PER_CELL),
        "labels": labels_of(arrays, chosen, KINDS),
    }


def mark_logits(net: nn.Module, batch: Batch) -> dict[Key, Tensor]:
    """The log-odds of every mark: (N, places) by field and mark."""
    out = net(batch["images"]).float()
    return {
        key: grid_sample(
            out[:, output : output + 1], grid.expand(len(out), 1, -1, -1), align_corners=False
        )[:, 0, 0]
        for key, (grid, output) in sampling_grid().items()
    }


def reader_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    labels, logits = batch["labels"], mark_logits(net, batch)
    # a kind of mark counts by what it decides, not by how many places of it a sheet has
    means = kind_means(losses_of(logits, labels), KINDS, labels)
    loss = torch.stack([KIND_WEIGHTS[kind] * mean for kind, mean in means.items()], dim=1)
    wrong = kind_means(wrong_of(logits, labels), KINDS, labels)
    return loss.mean(1), {kind: 100 * share.mean().item() for kind, share in wrong.items()}
