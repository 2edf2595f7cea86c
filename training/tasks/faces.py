"""Small pictures of single pieces and what each shows: shared by the tasks that tell them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from training.tasks.task import Batch, Measures, Numbers

Pixels = NDArray[np.uint8]
Face = tuple[Pixels, int]
"""A picture (side, side, 3) and its class."""


@dataclass(frozen=True, eq=False)
class Faces:
    """pixels: (N, side, side, 3). classes, photos: (N,)."""

    pixels: Pixels
    classes: Numbers
    photos: Numbers


def load_faces(
    parts: list[Path], faces_of: Callable[[Path, np.random.Generator], list[Face]]
) -> Faces:
    """The faces of all photos; ``faces_of``: of one, by the path of its truth."""
    rng = np.random.default_rng(0)
    paths = [path for part in parts for path in sorted(part.glob("*.json"))]
    found = [(*face, number) for number, path in enumerate(paths) for face in faces_of(path, rng)]
    pixels, classes, photos = zip(*found, strict=True)
    return Faces(np.stack(pixels), np.array(classes), np.array(photos))


def faces_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    logits, classes = net(batch["images"]).float(), batch["classes"]
    losses = cross_entropy(logits, classes, label_smoothing=0.02, reduction="none")
    wrong = (logits.argmax(1) != classes).float().mean()
    return losses, {"wrong": 100 * wrong.item()}
