"""Where the Brikks sheet lies: the locator, in a small picture of the photo, and the aligner, how
far the placement is off at each point of the rectified sheet."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from torch import Tensor, nn

from brikks_vision.detect.fit import keypoints
from brikks_vision.detect.lattice import ALIGNER_STRIDE
from brikks_vision.detect.locator import COORDINATE_UNIT
from brikks_vision.layout import load_layout
from training.augment import cut, displacement, recolor, resample
from training.networks import Aligner, Locator
from training.photos import (
    PIXELS_PER_CELL,
    Arrays,
    every_photo,
    load_arrays,
    readable_sheets,
    write_photos,
)
from training.tasks.task import Batch, Measures, Numbers, Task, as_input, each_mean, laplace

CUT_SHARE, MAX_CUT = 0.35, 15  # of the pictures; by how many outputs of the locator


def of_sheet(
    network: Callable[[], nn.Module],
    arrays: tuple[str, ...],
    batch: Callable[..., Batch],
    loss: Callable[[nn.Module, Batch], tuple[Tensor, Measures]],
    size: int,
    photos: Callable[[Arrays], Numbers] = readable_sheets,
) -> Task:
    """A task of the Brikks sheet, which needs some arrays of `training.photos`."""
    load = partial(load_arrays, names=arrays)
    return Task(network, write_photos, load, batch, loss, photos=photos, size=size)


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


# --- the aligner -------------------------------------------------------------------------------

HIT = 0.3  # cells: so near a keypoint the aligner shall see it
NEAR = 0.42  # cells: so far from a keypoint the aligner is asked where it is


@cache
def keypoint_tree() -> cKDTree:
    return cKDTree(keypoints(load_layout("brikks-light")))


def aligner_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    area, tree = load_layout("brikks-light").reading_area, keypoint_tree()
    pixels = PIXELS_PER_CELL // 2
    height, width = (round(side * pixels) // ALIGNER_STRIDE for side in (area.height, area.width))
    step = ALIGNER_STRIDE / pixels
    x, y = np.meshgrid(
        area.left + (np.arange(width) + 0.5) * step, area.top + (np.arange(height) + 0.5) * step
    )
    images, targets = [], []
    for at in chosen:
        field = displacement(rng, height, width, rng.choice([0.03, 0.15, 0.4, 0.8]))
        if rng.random() < 0.5:  # whole cells off: what is near its place must not be guessed
            field += rng.uniform(-1.6, 1.6, 2).astype(np.float32)
        image = resample(arrays["flat"][at], field, pixels)
        images.append(recolor(image, rng, 1.0 if training else 0.0))
        seen = np.stack([x, y], axis=-1) + field
        distance, nearest = tree.query(seen)
        offset = tree.data[nearest] - seen
        heat = (distance < HIT).astype(float)
        targets.append(np.concatenate([heat[..., None], offset], axis=-1).astype(np.float32))
    return {
        "images": as_input(images),
        "targets": torch.from_numpy(np.stack(targets)).permute(0, 3, 1, 2),
    }


def aligner_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    out = net(batch["images"]).float()
    heat, offset = batch["targets"][:, 0], batch["targets"][:, 1:]
    near = (offset.abs().amax(1) < NEAR).float()
    near = near / near.sum((1, 2), keepdim=True).clamp(min=1)
    difference = out[:, 1:3] - offset
    loss = 5 * each_mean(out[:, 0], heat)
    loss = loss + (laplace(difference, out[:, 3]) * near).sum((1, 2))
    loss = loss + 4 * (difference.abs().sum(1) * near).sum((1, 2))
    return loss, {
        "cells off": (difference.norm(dim=1) * near).sum().item() / len(near),
        "heat off": (out[:, 0].sigmoid() - heat).abs().mean().item(),
    }


LOCATOR = of_sheet(
    Locator, ("small", "kind", "place"), locator_batch, locator_loss, 24, photos=every_photo
)
ALIGNER = of_sheet(Aligner, ("flat", "labels", "kind"), aligner_batch, aligner_loss, 16)
