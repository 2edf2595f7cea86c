"""The full pass over the bars: patches of all places off the grid."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from brikks_vision.detect.marks import Key, bar_counts, bar_templates
from brikks_vision.detect.networks import outputs_of
from brikks_vision.detect.pen import Pen, ink_likeness
from brikks_vision.layout import Layout, load_layout
from training.augment import photographed_otherwise, roughly_placed
from training.photos import Arrays
from training.tasks.marks import BAR_KINDS, ByMark, kind_means, labels_of, losses_of
from training.tasks.task import Batch, Measures, as_input

MIRRORED_SHARE = 0.25  # of the patches of one kind, each way
FIRST_LOOK_SHARE = 0.3  # of the loss: so that what is compared with is worth it


def mirrored(patches: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The patches (P, side, side, channels), those of one kind in a mirror now and then."""
    kinds = np.split(patches, np.cumsum(bar_counts(load_layout("brikks-light")))[:-1])
    for axis in (1, 2):
        kinds = [np.flip(each, axis) if rng.random() < MIRRORED_SHARE else each for each in kinds]
    return np.concatenate(kinds)


def bars_batch(arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    sheets = [(arrays["patches"][at], arrays["pen"][at]) for at in chosen]
    if training:
        sheets = [photographed_otherwise(patches, pen, rng) for patches, pen in sheets]
    placed = [(roughly_placed(patches, rng), pen) for patches, pen in sheets]
    template = bar_templates(load_layout("brikks-light"))[..., None]
    return bars_input(placed, template, labels_of(arrays, chosen, BAR_KINDS), rng, training)


def bar_groups(layout: Layout) -> tuple[int, ...]:
    """Numbers (P,) from 0; patches with the same print have the same number."""
    kinds = [(at, kind) for at, field in enumerate(layout.places) for kind in field.prints]
    _, groups = np.unique(kinds, axis=0, return_inverse=True)
    return tuple(groups.reshape(-1).tolist())


def bars_input(
    sheets: list[tuple[NDArray[np.uint8], Pen]],
    template: NDArray[np.uint8],
    labels: dict[Key, Tensor],
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


def by_mark(logits: Tensor) -> dict[Key, Tensor]:
    """The log-odds (N, P, outputs) of all patches as (N, places) by field and mark."""
    layout, outputs = load_layout("brikks-light"), outputs_of("bars")
    of_fields = logits.float().split(bar_counts(layout), dim=1)
    return {
        (field.name, mark): of_field[..., outputs[field.name, mark]]
        for field, of_field in zip(layout.places, of_fields, strict=True)
        for mark in field.marks
    }


def bars_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    return verdict_loss(net.verdicts(net.features_of(batch["images"])), batch["labels"])


def verdict_loss(verdicts: tuple[Tensor, Tensor], labels: ByMark) -> tuple[Tensor, Measures]:
    """One loss a sheet (N,) of a first and a last look at its bars.

    ``labels`` : (N, places) by field and mark.
    """
    first, logits = (by_mark(each) for each in verdicts)
    early, late = (
        torch.stack([*kind_means(losses_of(look, labels), BAR_KINDS, labels).values()]).mean(0)
        for look in (first, logits)
    )
    missed = {key: ((logits[key] > 0) != (labels[key] > 0.5)).float() for key in logits}
    figures = {
        kind: 100 * share.mean().item()
        for kind, share in kind_means(missed, BAR_KINDS, labels).items()
    }
    return FIRST_LOOK_SHARE * early + (1 - FIRST_LOOK_SHARE) * late, figures
