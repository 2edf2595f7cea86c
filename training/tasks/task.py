"""A task of training: a network, its batches, its loss."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from training.samples import Arrays

Batch = dict[str, Any]  # tensors by name; "labels": tensors (N, places) by field and mark
Measures = dict[str, float]


@dataclass(frozen=True)
class Task:
    """What a network learns, and from what.

    network: makes it untrained. batch: of chosen samples, augmented where it is for training. loss:
    one loss a sample (N,), and figures of the batch. arrays: of the samples that it needs.
    """

    network: Callable[[], nn.Module]
    batch: Callable[[Arrays, NDArray, np.random.Generator, bool], Batch]
    loss: Callable[[nn.Module, Batch], tuple[Tensor, Measures]]
    arrays: tuple[str, ...]
    batch_size: int


def as_input(images: list[NDArray[np.uint8]]) -> Tensor:
    tensor = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2)
    return tensor.float().div_(255)


def each_mean(logits: Tensor, labels: Tensor) -> Tensor:
    """The cross entropy of each sample of a batch (N, ...), on average over its places: (N,)."""
    losses = binary_cross_entropy_with_logits(logits, labels, reduction="none")
    return losses.reshape(len(losses), -1).mean(1)


def laplace(difference: Tensor, log_scale: Tensor) -> Tensor:
    """Negative log likelihood of a Laplace distribution of two coordinates: (N, H, W)."""
    log_scale = log_scale.clamp(-6, 4)
    return difference.abs().sum(1) * torch.exp(-log_scale) + 2 * log_scale
