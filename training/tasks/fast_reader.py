"""The fast pass over the grid: its cells and edges, at a coarse resolution."""

from __future__ import annotations

from functools import cache

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from brikks_vision.detect.marks import (
    FAST_PIXELS,
    Key,
    fast_area,
    fast_places,
    grid_view,
    mark_places,
)
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import load_layout
from training.augment import MOTTLED_SHARE, coarsened, mottled, recolor
from training.photos import Arrays
from training.tasks.marks import GRID_KINDS, kind_means, labels_of, losses_of, wrong_of
from training.tasks.task import Batch, Measures, as_input


def fast_reader_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    layout = load_layout("brikks-light")
    images = [grid_view(flat, layout) for flat in coarsened(arrays, chosen, rng, training)]
    if training:
        images = [recolor(image, rng, 0.8) for image in images]
        images = [mottled(each, rng) if rng.random() < MOTTLED_SHARE else each for each in images]
    template = as_input([draw_template(layout, fast_area(layout), FAST_PIXELS)]).expand(
        len(images), -1, -1, -1
    )
    return {
        "images": torch.cat([as_input(images), template], 1),
        "labels": labels_of(arrays, chosen, GRID_KINDS),
    }


@cache
def grid_places() -> dict[Key, tuple[Tensor, int]]:
    """By field and mark: its places (places, 2) in the map of `FastReader`, and its output."""
    layout = load_layout("brikks-light")
    area = fast_area(layout)
    return {
        key: (torch.from_numpy(fast_places(points, area)), output)
        for key, points, output, _ in mark_places(layout, "fast_reader")
    }


def fast_reader_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    out, labels = net(batch["images"]).float(), batch["labels"]
    logits = {
        key: out[:, output, places[:, 0], places[:, 1]]
        for key, (places, output) in grid_places().items()
    }
    means = kind_means(losses_of(logits, labels), GRID_KINDS, labels)
    wrong = kind_means(wrong_of(logits, labels), GRID_KINDS, labels)
    figures = {kind: 100 * share.mean().item() for kind, share in wrong.items()}
    return means["cell"] + 0.5 * means["edge"], figures
