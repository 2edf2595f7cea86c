"""What a photo of the Brikks sheet bears: the tasks that read its marks and figures.

Of the rectified sheet: the reader (all marks, for the full pass), the fast reader (the grid at a
coarse resolution) and the bars (patches of all places off the grid).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, partial

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import (
    binary_cross_entropy_with_logits,
    grid_sample,
)

from brikks_vision.detect import marks
from brikks_vision.detect.networks import outputs_of
from brikks_vision.detect.pen import Pen, ink_likeness
from brikks_vision.detect.template import draw_template
from brikks_vision.games.brikks import reading
from brikks_vision.layout import Layout, load_layout
from training import augment, networks
from training.photos import PIXELS_PER_CELL, Arrays
from training.tasks.sheet_place import of_sheet
from training.tasks.task import Batch, Measures, Task, as_input

# --- labels and losses by field and mark ---------------------------------------------------------

KINDS: dict[str, tuple[marks.Key, ...]] = {
    "cell": (reading.CELLS,),
    "edge": (reading.VERTICALS, reading.HORIZONTALS),
    "ring": (reading.RINGS,),
    "strike": (reading.STRIKES,),
    "box": (reading.BOXES,),
    "bomb": (reading.BOMBS,),
}
"""Fields and marks by the names of their kinds, in the order of the networks' outputs."""
BAR_KINDS = ("ring", "strike", "box", "bomb")
GRID_KINDS = ("cell", "edge")
ByMark = Mapping[marks.Key, Tensor]
"""Tensors (N, places) by field and mark."""


def keys_of(kinds: Iterable[str]) -> tuple[marks.Key, ...]:
    """The fields and marks of some kinds."""
    return tuple(key for kind in kinds for key in KINDS[kind])


def labels_of(arrays: Arrays, chosen: NDArray, kinds: Iterable[str]) -> dict[marks.Key, Tensor]:
    """The labels of samples, 0 to 1, float32 (N, places) by field and mark."""
    labels = {key: arrays["labels"][key][chosen] for key in keys_of(kinds)}
    return {
        key: torch.from_numpy(each.reshape(len(chosen), -1).astype(np.float32))
        for key, each in labels.items()
    }


def losses_of(logits: ByMark, labels: ByMark) -> dict[marks.Key, Tensor]:
    """The cross entropy of every place: (N, places) by field and mark."""
    return {
        key: binary_cross_entropy_with_logits(logits[key], labels[key], reduction="none")
        for key in logits
    }


def wrong_of(logits: ByMark, labels: ByMark) -> dict[marks.Key, Tensor]:
    """1 where a place is read wrongly, else 0; 0 where nobody can tell: (N, places)."""
    return {
        key: (((logits[key] > 0) != (labels[key] > 0.5)) & (labels[key] != 0.5)).float()
        for key in logits
    }


def kind_means(values: ByMark, kinds: Iterable[str], labels: ByMark) -> dict[str, Tensor]:
    """The mean over the places of each kind: (N,) by kind. Rings under a strike do not count."""
    means = {kind: torch.cat([values[key] for key in KINDS[kind]], 1).mean(1) for kind in kinds}
    if "ring" in means:
        means["ring"] = mean_of_open(values[reading.RINGS], labels[reading.STRIKES])
    return means


def mean_of_open(of_rings: Tensor, struck: Tensor) -> Tensor:
    """The mean (N,) of what is said of rings (N, points): those under a strike do not count."""
    is_open = 1 - struck
    return (of_rings * is_open).sum(1) / is_open.sum(1).clamp(min=1)


# --- the reader --------------------------------------------------------------------------------

KIND_WEIGHTS = {"cell": 1.0, "edge": 0.5, "ring": 1.0, "strike": 1.5, "box": 1.0, "bomb": 1.5}


def _beside(
    template: NDArray[np.uint8], images: list[NDArray[np.uint8]], rng: np.random.Generator,
    training: bool,
) -> Tensor:  # fmt: skip
    """Pictures, for training in other light and print, each with the template after it."""
    if training:
        images = [augment.recolor(image, rng, 0.8) for image in images]
        images = [
            augment.mottled(each, rng) if rng.random() < augment.MOTTLED_SHARE else each
            for each in images
        ]
    beside = as_input([template]).expand(len(images), -1, -1, -1)
    return torch.cat([as_input(images), beside], 1)


def _loss_of(logits: ByMark, labels: ByMark, kinds: Iterable[str]) -> tuple[Tensor, Measures]:
    """One loss a sheet (N,), and how many percent of each kind are read wrong."""
    # a kind of mark counts by what it decides, not by how many places of it a sheet has
    means = kind_means(losses_of(logits, labels), kinds, labels)
    loss = torch.stack([KIND_WEIGHTS[kind] * mean for kind, mean in means.items()], dim=1)
    wrong = kind_means(wrong_of(logits, labels), kinds, labels)
    return loss.mean(1), {kind: 100 * share.mean().item() for kind, share in wrong.items()}


@cache
def sampling_grid() -> dict[marks.Key, tuple[Tensor, int]]:
    """By field and mark: where in the reader's map, (places, 2) from -1 to 1, in which output."""
    layout = load_layout("brikks-light")
    area = layout.reading_area
    corner, size = np.array([area.left, area.top]), np.array([area.width, area.height])
    return {
        key: (torch.from_numpy((points - corner) / size * 2 - 1).float(), output)
        for key, points, output, _ in marks.mark_places(layout, "reader")
    }


def reader_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    images = [
        augment.resample(
            arrays["flat"][at],
            augment.displacement(rng, 16, 12, rng.uniform(0, 0.06)),
            PIXELS_PER_CELL,
        )
        for at in chosen
    ]
    layout = load_layout("brikks-light")
    template = draw_template(layout, layout.reading_area, PIXELS_PER_CELL)
    return {
        "images": _beside(template, images, rng, training),
        "labels": labels_of(arrays, chosen, KINDS),
    }


def mark_logits(net: nn.Module, batch: Batch) -> dict[marks.Key, Tensor]:
    """The log-odds of every mark: (N, places) by field and mark."""
    out = net(batch["images"]).float()
    return {
        key: grid_sample(
            out[:, output : output + 1], grid.expand(len(out), 1, -1, -1), align_corners=False
        )[:, 0, 0]
        for key, (grid, output) in sampling_grid().items()
    }


def reader_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    return _loss_of(mark_logits(net, batch), batch["labels"], KINDS)


# --- the fast reader ---------------------------------------------------------------------------


def fast_reader_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    layout = load_layout("brikks-light")
    images = [
        marks.grid_view(flat, layout) for flat in augment.coarsened(arrays, chosen, rng, training)
    ]
    template = draw_template(layout, marks.fast_area(layout), marks.FAST_PIXELS)
    return {
        "images": _beside(template, images, rng, training),
        "labels": labels_of(arrays, chosen, GRID_KINDS),
    }


@cache
def grid_places() -> dict[marks.Key, tuple[Tensor, int]]:
    """By field and mark: its places (places, 2) in the map of `FastReader`, and its output."""
    layout = load_layout("brikks-light")
    area = marks.fast_area(layout)
    return {
        key: (torch.from_numpy(marks.fast_places(points, area)), output)
        for key, points, output, _ in marks.mark_places(layout, "fast_reader")
    }


def fast_reader_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    out, labels = net(batch["images"]).float(), batch["labels"]
    logits = {
        key: out[:, output, places[:, 0], places[:, 1]]
        for key, (places, output) in grid_places().items()
    }
    return _loss_of(logits, labels, GRID_KINDS)


# --- the bars ----------------------------------------------------------------------------------

MIRRORED_SHARE = 0.25  # of the patches of one kind, each way
FIRST_LOOK_SHARE = 0.3  # of the loss: so that what is compared with is worth it


def mirrored(patches: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The patches (P, side, side, channels), those of one kind in a mirror now and then."""
    kinds = np.split(patches, np.cumsum(marks.bar_counts(load_layout("brikks-light")))[:-1])
    for axis in (1, 2):
        kinds = [np.flip(each, axis) if rng.random() < MIRRORED_SHARE else each for each in kinds]
    return np.concatenate(kinds)


def bars_batch(arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    sheets = [(arrays["patches"][at], arrays["pen"][at]) for at in chosen]
    if training:
        sheets = [augment.photographed_otherwise(patches, pen, rng) for patches, pen in sheets]
    placed = [(augment.roughly_placed(patches, rng), pen) for patches, pen in sheets]
    template = marks.bar_templates(load_layout("brikks-light"))[..., None]
    return bars_input(placed, template, labels_of(arrays, chosen, BAR_KINDS), rng, training)


def bar_groups(layout: Layout) -> tuple[int, ...]:
    """Numbers (P,) from 0; patches with the same print have the same number."""
    kinds = [(at, kind) for at, field in enumerate(layout.places) for kind in field.prints]
    _, groups = np.unique(kinds, axis=0, return_inverse=True)
    return tuple(groups.reshape(-1).tolist())


def bars_input(
    sheets: list[tuple[NDArray[np.uint8], Pen]],
    template: NDArray[np.uint8],
    labels: dict[marks.Key, Tensor],
    rng: np.random.Generator,
    training: bool,
) -> Batch:
    """Patches (P, side, side, 3) of sheets, each with its pen, as networks of the bars see them.

    ``template`` : (P, side, side, 1). ``labels`` : (N, places) by field and mark.
    """
    patches = [
        np.concatenate([each, template, ink_likeness(each, pen)], axis=-1) for each, pen in sheets
    ]
    if training:
        patches = [mirrored(each, rng) for each in patches]
    return {"images": as_input(list(np.concatenate(patches))), "labels": labels}


def by_mark(logits: Tensor) -> dict[marks.Key, Tensor]:
    """The log-odds (N, P, outputs) of all patches as (N, places) by field and mark."""
    layout, outputs = load_layout("brikks-light"), outputs_of("bars")
    of_fields = logits.float().split(marks.bar_counts(layout), dim=1)
    return {
        (field.name, mark): of_field[..., outputs[field.name, mark]]
        for field, of_field in zip(layout.places, of_fields, strict=True)
        for mark in field.marks
    }


def bars_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    """One loss a sheet (N,), of a first and a last look at its bars."""
    first, last = net.verdicts(net.features_of(batch["images"]))
    (early, _), (late, figures) = (
        _loss_of(by_mark(look), batch["labels"], BAR_KINDS) for look in (first, last)
    )
    return FIRST_LOOK_SHARE * early + (1 - FIRST_LOOK_SHARE) * late, figures


def bars_task() -> Task:
    layout = load_layout("brikks-light")
    network = partial(networks.Bars, bar_groups(layout), marks.bar_counts(layout))
    return of_sheet(network, ("patches", "pen", "labels", "kind"), bars_batch, bars_loss, 16)


OF_FLAT = ("flat", "labels", "kind")
READER = of_sheet(networks.Reader, OF_FLAT, reader_batch, reader_loss, 16)
FAST_READER = of_sheet(networks.FastReader, OF_FLAT, fast_reader_batch, fast_reader_loss, 24)
