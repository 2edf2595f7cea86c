"""The heads of the networks of the bars, trained further on kept features.

The features that the packaged network's encoder computes of each sample are kept, for a few draws
of each. With them the two heads see every sample many times in minutes, which would take the whole
network hours. Against overfitting, features are left out at random, the same ones in all patches of
a sheet (dropout; Srivastava et al. 2014), and the weights decay.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import dropout

from brikks_vision.detect.marks import Key
from training.networks import Bars
from training.photos import load_arrays, readable_sheets
from training.tasks.bars import verdict_loss
from training.tasks.task import Batch, Measures, Numbers, Task

DRAWS = 2  # of how else each sample may look
LEFT_OUT = 0.2  # of the features


@dataclass(frozen=True, eq=False)
class Features:
    """features: (N, P, width), in half precision. labels: (N, places). photos: (N,)."""

    features: Tensor
    labels: dict[Key, Tensor]
    photos: Numbers


def kept_features(net: Bars, whole: Task, parts: list[Path]) -> Features:
    """The features that the encoder of a network computes of samples; ``whole``: its task."""
    arrays = load_arrays(parts, ("patches", "flat", "pen", "labels", "kind"))
    numbers = np.flatnonzero(readable_sheets(arrays) >= 0)
    rng = np.random.default_rng(1)
    features, labels = [], []
    with torch.no_grad():
        for _ in range(DRAWS):
            for first in range(0, len(numbers), whole.size):
                batch = whole.batch(arrays, numbers[first : first + whole.size], rng, True)
                features.append(net.eval().features_of(batch["images"]).half())
                labels.append(batch["labels"])
    joined = {key: torch.cat([each[key] for each in labels]) for key in labels[0]}
    return Features(torch.cat(features), joined, np.tile(numbers, DRAWS))


def judges_batch(
    samples: Features, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    seen = samples.features[chosen].float()
    if training:
        seen = seen * dropout(torch.ones(len(seen), 1, seen.shape[2]), LEFT_OUT)
    return {"images": seen, "labels": {key: each[chosen] for key, each in samples.labels.items()}}


def judges_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    return verdict_loss(net.verdicts(batch["images"]), batch["labels"])
