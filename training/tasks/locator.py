"""The locator: where the sheet is in a small picture of the photo."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from brikks_vision.detect.locator import COORDINATE_UNIT
from brikks_vision.layout import load_layout
from training.augment import cut, recolor
from training.photos import Arrays
from training.tasks.task import Batch, Measures, as_input, each_mean, laplace

CUT_SHARE, MAX_CUT = 0.35, 15  # of the pictures; by how many outputs of the locator


def locator_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    strength = 1.0 if training else 0.0
    images, places = [], []
    for at in chosen:
        image, place = arrays["small"][at], arrays["place"][at].astype(np.float32)
        if training and arrays["kind"][at] == 0 and rng.random() < CUT_SHARE:
            image, place = cut(image, place, *rng.integers(-MAX_CUT, MAX_CUT + 1, 2))
        images.append(recolor(image, rng, strength))
        places.append(place)
    return {
        "images": as_input(images),
        "kind": torch.from_numpy(arrays["kind"][chosen].astype(np.int64)),
        "place": torch.from_numpy(np.stack(places)).permute(0, 3, 1, 2),
    }


def locator_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    out = net(batch["images"]).float()
    place = batch["place"]
    area = load_layout("brikks-light").reading_area
    x, y = place[:, 0], place[:, 1]
    on_sheet = (
        (x > area.left + 0.8)
        & (x < area.right - 0.8)
        & (y > area.top + 0.6)
        & (y < area.bottom - 0.6)
    ).float()
    back = (batch["kind"] == 1).float()
    loss = each_mean(out[:, 0], on_sheet) + 0.3 * each_mean(out[:, 1].amax((1, 2)), back)
    difference = out[:, 2:4] * COORDINATE_UNIT - place
    weight = on_sheet / on_sheet.sum((1, 2), keepdim=True).clamp(min=1)
    difference = difference.clamp(-100, 100)
    loss = loss + 0.3 * (laplace(difference, out[:, 4]) * weight).sum((1, 2))
    loss = loss + 0.3 * (difference.abs().sum(1) * weight).sum((1, 2))
    return loss, {
        "cells off": (difference.norm(dim=1) * on_sheet).sum().item() / (1 + on_sheet.sum().item()),
        "mask": ((out[:, 0] > 0).float() == on_sheet).float().mean().item(),
        "back": ((out[:, 1].amax((1, 2)) > 0).float() == back).float().mean().item(),
    }
