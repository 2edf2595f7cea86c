"""Labels and losses by field and mark, shared by the tasks that read marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from brikks_vision.detect.marks import Key
from brikks_vision.games.brikks.reading import (
    BOMBS,
    BOXES,
    CELLS,
    HORIZONTALS,
    RINGS,
    STRIKES,
    VERTICALS,
)
from training.photos import Arrays

KINDS: dict[str, tuple[Key, ...]] = {
    "cell": (CELLS,),
    "edge": (VERTICALS, HORIZONTALS),
    "ring": (RINGS,),
    "strike": (STRIKES,),
    "box": (BOXES,),
    "bomb": (BOMBS,),
}
"""Fields and marks by the names of their kinds, in the order of the networks' outputs."""
BAR_KINDS = ("ring", "strike", "box", "bomb")
GRID_KINDS = ("cell", "edge")
ByMark = Mapping[Key, Tensor]
"""Tensors (N, places) by field and mark."""


def keys_of(kinds: Iterable[str]) -> tuple[Key, ...]:
    """The fields and marks of some kinds."""
    return tuple(key for kind in kinds for key in KINDS[kind])


def labels_of(arrays: Arrays, chosen: NDArray, kinds: Iterable[str]) -> dict[Key, Tensor]:
    """The labels of samples, 0 to 1, float32 (N, places) by field and mark."""
    labels = {key: arrays["labels"][key][chosen] for key in keys_of(kinds)}
    return {
        key: torch.from_numpy(each.reshape(len(chosen), -1).astype(np.float32))
        for key, each in labels.items()
    }


def losses_of(logits: ByMark, labels: ByMark) -> dict[Key, Tensor]:
    """The cross entropy of every place: (N, places) by field and mark."""
    return {
        key: binary_cross_entropy_with_logits(logits[key], labels[key], reduction="none")
        for key in logits
    }


def wrong_of(logits: ByMark, labels: ByMark) -> dict[Key, Tensor]:
    """1 where a place is read wrongly, else 0; 0 where nobody can tell: (N, places)."""
    return {
        key: (((logits[key] > 0) != (labels[key] > 0.5)) & (labels[key] != 0.5)).float()
        for key in logits
    }


def kind_means(values: ByMark, kinds: Iterable[str], labels: ByMark) -> dict[str, Tensor]:
    """The mean over the places of each kind: (N,) by kind. Rings under a strike do not count."""
    means = {kind: torch.cat([values[key] for key in KINDS[kind]], 1).mean(1) for kind in kinds}
    if "ring" in means:
        means["ring"] = mean_of_open(values[RINGS], labels[STRIKES])
    return means


def mean_of_open(of_rings: Tensor, struck: Tensor) -> Tensor:
    """The mean (N,) of what is said of rings (N, points): those under a strike do not count."""
    is_open = 1 - struck
    return (of_rings * is_open).sum(1) / is_open.sum(1).clamp(min=1)
