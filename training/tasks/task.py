"""A task of training: a network, its samples, its batches, its loss and its measure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

Batch = dict[str, Any]  # tensors by name; "labels": tensors (N, places) by field and mark
Measures = dict[str, float]
Numbers = NDArray[np.int64]
Draw = Callable[[Path, range, int], None]
"""Writes the samples of some numbers of a seed into an empty folder."""


def no_measures(net: nn.Module, batch: Batch) -> Measures:
    return {}


def photos_of(samples: Any) -> Numbers:
    """Of samples that say which photo each is of; others are a photo each."""
    told: Numbers | None = getattr(samples, "photos", None)
    return np.arange(len(samples)) if told is None else told


@dataclass(frozen=True)
class Task:
    """What a network learns, and from what.

    Attributes
    ----------
    network
        Makes it untrained.
    draw
        Draws its samples, see `training.samples`.
    load
        The samples of some parts.
    batch
        Of chosen samples, augmented where it is for training. "images": the network's input.
    loss
        Losses of a batch, mostly one a sample (N,), and figures that come with them.
    measure
        Further figures of a batch, where they take longer.
    photos
        (N,): which photo each sample is of, -1: not to be learnt from. No photo is both trained on
        and measured on.
    size
        Samples a step.
    chances
        (N,): how often each sample is drawn; None: more often those that are read badly.
    rate, decay
        The highest learning rate, and the decay of the weights (see `torch.optim.AdamW`).
    averaged
        Decay of the running mean of the weights, which is what is packaged; 0: there is none.
    """

    network: Callable[[], nn.Module]
    draw: Draw
    load: Callable[[list[Path]], Any]
    batch: Callable[[Any, Numbers, np.random.Generator, bool], Batch]
    loss: Callable[[nn.Module, Batch], tuple[Tensor, Measures]]
    measure: Callable[[nn.Module, Batch], Measures] = no_measures
    photos: Callable[[Any], Numbers] = photos_of
    size: int = 64
    chances: Callable[[Any], NDArray[np.float64]] | None = None
    rate: float = 2e-3
    decay: float = 1e-3
    averaged: float = 0.0


def evenly(samples: Any) -> NDArray[np.float64]:
    """All samples are drawn alike."""
    return np.ones(len(photos_of(samples)))


def by_class(classes: Numbers, shares: tuple[float, ...]) -> NDArray[np.float64]:
    """Chances (N,) of samples, so that each class has its share of a batch."""
    counts = np.bincount(classes, minlength=len(shares))
    return (np.array(shares) / np.maximum(counts, 1))[classes]


def as_input(images: list[NDArray[np.uint8]]) -> Tensor:
    tensor = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2)
    return tensor.float().div_(255)


@dataclass(frozen=True, eq=False)
class Pictures:
    """pictures: uint8 (N, side, side, 3), each of one thing. labels, photos: (N,)."""

    pictures: NDArray[np.uint8]
    labels: NDArray[Any]
    photos: Numbers


def label_loss(net: nn.Module, batch: Batch, smoothing: float = 0.0) -> tuple[Tensor, Measures]:
    """The loss of each picture (N,) by its label, and how many percent are told wrong."""
    logits, labels = net(batch["images"]).float(), batch["labels"]
    wrong = 100 * (logits.argmax(1) != labels).float().mean().item()
    losses = cross_entropy(logits, labels, label_smoothing=smoothing, reduction="none")
    return losses, {"wrong": wrong}


def stored_sheets(parts: list[Path], file: str, names: tuple[str, ...]) -> list[NDArray[Any]]:
    """Arrays of a file of all parts, one after the other; last the number of each one's sheet."""
    files = [np.load(part / file) for part in parts]
    firsts = np.cumsum([0, *(int(each["sheets"].max()) + 1 for each in files)])
    sheets = [first + each["sheets"] for first, each in zip(firsts, files, strict=False)]
    return [*(np.concatenate([each[name] for each in files]) for name in names),
            np.concatenate(sheets)]  # fmt: skip


def each_mean(logits: Tensor, labels: Tensor) -> Tensor:
    """The cross entropy of each sample of a batch (N, ...), on average over its places: (N,)."""
    losses = binary_cross_entropy_with_logits(logits, labels, reduction="none")
    return losses.reshape(len(losses), -1).mean(1)


def laplace(difference: Tensor, log_scale: Tensor) -> Tensor:
    """Negative log likelihood of a Laplace distribution of two coordinates: (N, H, W)."""
    log_scale = log_scale.clamp(-6, 4)
    return difference.abs().sum(1) * torch.exp(-log_scale) + 2 * log_scale
