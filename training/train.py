"""Trains the packaged networks from a folder of samples (see `training.samples`).

``python -m training.train NAME FOLDER --minutes 20`` trains one network (see `TASKS`) and writes it
to ``brikks_vision/detect/models/`` when it is done. What is drawn is seeded, but a run is limited
by time, and batches are prepared beside it: no two runs end alike.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import torch
from numpy.typing import NDArray
from scipy.spatial import cKDTree
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy, grid_sample

from brikks_vision.detect.aligner import ALIGNER_STRIDE
from brikks_vision.detect.bars import PATCH_SIDE, bar_counts, bar_groups, bar_templates
from brikks_vision.detect.features import keypoints
from brikks_vision.detect.figures import (
    CLASSES,
    DASH,
    NONE,
    PLACES,
    figure_patches,
)
from brikks_vision.detect.glance import (
    GLANCE_PIXELS,
    bar_view_templates,
    bar_views,
    glance_area,
    glance_places,
    grid_view,
)
from brikks_vision.detect.locator import COORDINATE_UNIT
from brikks_vision.detect.marks import mark_positions
from brikks_vision.detect.pen import Pen, ink_likeness
from brikks_vision.detect.template import draw_template
from brikks_vision.layout import load_layout
from training.networks import Aligner, Bars, Figures, Glance, GlanceBars, Locator, Reader
from training.samples import (
    CELL,
    DASH_WRITTEN,
    EDGE,
    LOCATOR_STRIDE,
    MARGIN,
    NOTHING_WRITTEN,
    PIXELS_PER_CELL,
    RING,
    STRIKE,
)
from training.storage import (
    store_as_whole_numbers,
    store_in_half_precision,
    stored_weights,
)

MODELS = Path(__file__).resolve().parents[1] / "brikks_vision" / "detect" / "models"
HELD_OUT = 0.04  # share of the samples that only measure
Arrays = dict[str, Any]  # arrays, or `Pictures`


class Pictures:
    """The pictures of several folders, one after the other, read when they are asked for."""

    def __init__(self, parts: list[NDArray]) -> None:
        self.parts = parts
        self.ends = np.cumsum([len(part) for part in parts])

    def __getitem__(self, at: int) -> NDArray:
        part = int(np.searchsorted(self.ends, at, side="right"))
        picture: NDArray = self.parts[part][at - self.ends[part]]
        return picture


def load_arrays(folders: list[Path], names: tuple[str, ...]) -> Arrays:
    arrays = {}
    for name in names:
        parts = [np.load(folder / f"{name}.npy", mmap_mode="r") for folder in folders]
        arrays[name] = Pictures(parts) if parts[0].ndim > 3 else np.concatenate(parts)
    return arrays


def split(chosen: NDArray) -> tuple[NDArray, NDArray]:
    """Sample numbers to train on and to measure on; always the same of a folder."""
    shuffled = np.random.default_rng(0).permutation(chosen)
    held = max(1, int(len(shuffled) * HELD_OUT))
    return shuffled[held:], shuffled[:held]


UNIFORM_SHARE = 0.25  # of the draws of samples; the others favour what is read badly


class Sampler:
    """Draws samples, those more often whose loss was high when last seen.

    Most sheets are read well after a while and teach little. Each loss is weighted by the inverse
    of its sample's probability, so that the expected gradient stays that of uniform draws
    (importance sampling, Katharopoulos and Fleuret 2018).
    """

    def __init__(self, numbers: NDArray, rng: np.random.Generator) -> None:
        self.numbers, self.rng = numbers, rng
        self.losses = np.ones(len(numbers))  # at first all alike, and higher than most will be

    def draw(self, size: int) -> tuple[NDArray, NDArray[np.float32]]:
        """Positions in ``numbers`` (size,) and the weights of their losses (size,)."""
        count = len(self.numbers)
        above = self.losses - self.losses.min() + 1e-6  # a log likelihood may be negative
        share = above / above.sum()
        probability = UNIFORM_SHARE / count + (1 - UNIFORM_SHARE) * share
        drawn = np.sort(self.rng.choice(count, size, p=probability / probability.sum()))
        return drawn, (1 / (count * probability[drawn])).astype(np.float32)

    def note(self, drawn: NDArray, losses: NDArray[np.float32]) -> None:
        """Remember the losses of drawn samples."""
        known = np.isfinite(losses)
        self.losses[drawn[known]] = losses[known]


def as_input(images: list[NDArray[np.uint8]]) -> Tensor:
    tensor = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2)
    return tensor.float().div_(255)


def with_template(images: Tensor, pixels_per_cell: int) -> Tensor:
    layout = load_layout("brikks-light")
    template = draw_template(layout, layout.reading_area, pixels_per_cell)
    return torch.cat([images, as_input([template]).expand(len(images), -1, -1, -1)], 1)


def recolor(
    image: NDArray[np.uint8], rng: np.random.Generator, strength: float
) -> NDArray[np.uint8]:
    """Other light, other print, other camera: gain and curve a channel, grey, noise."""
    levels = np.linspace(0, 1, 256)[:, None] ** np.exp(strength * rng.normal(0, 0.2))
    gain = 1 + strength * (rng.normal(0, 0.2) + rng.normal(0, 0.08, 3))
    table = np.clip(255 * levels * gain, 0, 255).astype(np.uint8)
    image = cv2.LUT(np.ascontiguousarray(image), table.reshape(1, 256, 3))
    if rng.random() < 0.08 * strength:
        image = cv2.merge([cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)] * 3)
    if rng.random() < 0.5:
        noise = np.empty(image.shape, np.int8)
        cv2.randn(noise, 0, strength * rng.uniform(0, 6))
        image = cv2.add(image, noise, dtype=cv2.CV_8U)
    return image


def mottled(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Spots, grain or streaks of print and paper, all over a picture or on a band of it."""
    height, width = image.shape[:2]
    grain = np.exp(rng.uniform(np.log(2), np.log(24)) + rng.normal(0, 0.5, 2))  # px down, across
    coarse = rng.normal(0, 1, (int(height / grain[0]) + 2, int(width / grain[1]) + 2))
    field = cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    if rng.random() < 0.5:
        first, last = np.sort(rng.integers(0, height, 2))
        field[:first] = field[last:] = 0
    tint = rng.uniform(3, 18) * (1 + rng.normal(0, 0.3, 3))
    return np.clip(image + field[..., None] * tint, 0, 255).astype(np.uint8)


TERM_SIZES = 0.8 * np.array([1.0, 0.7, 0.7, 0.35, 0.5, 0.35, 0.2, 0.2])


def displacement(
    rng: np.random.Generator, height: int, width: int, size: float
) -> NDArray[np.float32]:
    """A smooth random field of offsets (height, width, 2), about ``size`` large."""
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    terms = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y, x**3, y**3], axis=-1)
    factors = rng.normal(0, 1, (8, 2)) * TERM_SIZES[:, None] * size
    return (terms @ factors).astype(np.float32)


def resample(
    flat: NDArray[np.uint8], offsets: NDArray[np.float32], pixels_per_cell: int
) -> NDArray[np.uint8]:
    """The reading area of a wide picture, seen through a placement that is off by ``offsets``.

    ``offsets`` (h, w, 2) in cells, stretched over the reading area.
    """
    area = load_layout("brikks-light").reading_area
    shrink = PIXELS_PER_CELL // pixels_per_cell
    if shrink > 1:
        flat = cv2.resize(flat, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA)
    size = (round(area.width * pixels_per_cell), round(area.height * pixels_per_cell))
    moved = cv2.resize(offsets, size, interpolation=cv2.INTER_LINEAR) * pixels_per_cell
    x = moved[..., 0] + np.arange(size[0], dtype=np.float32) + MARGIN * pixels_per_cell
    y = moved[..., 1] + np.arange(size[1], dtype=np.float32)[:, None] + MARGIN * pixels_per_cell
    return cv2.remap(flat, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)


def each_mean(logits: Tensor, labels: Tensor) -> Tensor:
    """The cross entropy of each sample of a batch (N, ...), on average over its places: (N,)."""
    losses = binary_cross_entropy_with_logits(logits, labels, reduction="none")
    return losses.reshape(len(losses), -1).mean(1)


def laplace(difference: Tensor, log_scale: Tensor) -> Tensor:
    """Negative log likelihood of a Laplace distribution of two coordinates: (N, H, W)."""
    log_scale = log_scale.clamp(-6, 4)
    return difference.abs().sum(1) * torch.exp(-log_scale) + 2 * log_scale


# --- the tasks: a batch, the losses of its samples and what is measured --------------------------

Batch = dict[str, Tensor]
Measures = dict[str, float]


MOTTLED_SHARE = 0.3  # of the samples
FAR = 1000.0  # the sheet point of what is not in the picture
CUT_SHARE, MOST_CUT = 0.35, 15  # of the pictures; by how many outputs of the locator


def cut(
    image: NDArray[np.uint8], place: NDArray[np.float32], across: int, down: int
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Picture and targets moved by whole outputs, so that a part of the sheet is cut off."""
    moved, targets = np.zeros_like(image), np.full_like(place, FAR)
    for source, result, step in ((image, moved, LOCATOR_STRIDE), (place, targets, 1)):
        height, width = source.shape[:2]
        x, y = across * step, down * step
        result[max(0, y) : height + min(0, y), max(0, x) : width + min(0, x)] = source[
            max(0, -y) : height - max(0, y), max(0, -x) : width - max(0, x)
        ]
    return moved, targets


def locator_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    strength = 1.0 if training else 0.0
    images, places = [], []
    for at in chosen:
        image, place = arrays["small"][at], arrays["place"][at].astype(np.float32)
        if training and arrays["kind"][at] == 0 and rng.random() < CUT_SHARE:
            image, place = cut(image, place, *rng.integers(-MOST_CUT, MOST_CUT + 1, 2))
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


MARK_KINDS = ("cell", "edge", "ring", "strike", "box", "bomb")  # the reader's channels
KIND_WEIGHTS = (1.0, 0.5, 1.0, 1.5, 1.0, 1.5)


@cache
def mark_channels() -> tuple[Tensor, Tensor]:
    """For every label its place in the reader's output (-1 to 1) and its channel."""
    layout = load_layout("brikks-light")
    points, channels = mark_positions(layout, "reader")
    area = layout.reading_area
    x = (points[:, 0] - area.left) / area.width * 2 - 1
    y = (points[:, 1] - area.top) / area.height * 2 - 1
    return torch.from_numpy(np.stack([x, y], axis=1)).float(), torch.from_numpy(channels)


def reader_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    images = [
        resample(
            arrays["flat"][at], displacement(rng, 16, 12, rng.uniform(0, 0.06)), PIXELS_PER_CELL
        )
        for at in chosen
    ]
    if training:
        images = [recolor(image, rng, 0.8) for image in images]
        images = [mottled(each, rng) if rng.random() < MOTTLED_SHARE else each for each in images]
    return {
        "images": with_template(as_input(images), PIXELS_PER_CELL),
        "labels": torch.from_numpy(arrays["labels"][chosen].astype(np.float32)),
    }


def mark_logits(net: nn.Module, batch: Batch) -> Tensor:
    """The log-odds of every mark: (N, labels)."""
    out = net(batch["images"]).float()
    grid, channels = mark_channels()
    places = grid.expand(len(out), 1, -1, -1)
    sampled = grid_sample(out, places, align_corners=False)[:, :, 0]
    return sampled.gather(1, channels.expand(len(out), 1, -1))[:, 0]


def mean_of_open(of_rings: Tensor, struck: Tensor) -> Tensor:
    """The mean (N,) of what is said of rings (N, points): those under a strike do not count."""
    is_open = 1 - struck
    return (of_rings * is_open).sum(1) / is_open.sum(1).clamp(min=1)


def reader_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    labels, logits = batch["labels"], mark_logits(net, batch)
    channels = mark_channels()[1]
    losses = binary_cross_entropy_with_logits(logits, labels, reduction="none")
    # a kind of mark counts by what it decides, not by how many places of it a sheet has
    by_kind = [losses[:, channels == kind].mean(1) for kind in range(len(MARK_KINDS))]
    by_kind[RING] = mean_of_open(losses[:, channels == RING], labels[:, channels == STRIKE])
    loss = torch.stack(by_kind, dim=1) * torch.tensor(KIND_WEIGHTS)
    wrong = (((logits > 0) != (labels > 0.5)) & (labels != 0.5)).float()
    figures = {name: wrong[:, channels == kind].mean(1) for kind, name in enumerate(MARK_KINDS)}
    figures["ring"] = mean_of_open(wrong[:, channels == RING], labels[:, channels == STRIKE])
    return loss.mean(1), {name: 100 * each.mean().item() for name, each in figures.items()}


COARSE_SHARE, COARSEST = 0.4, 13.0  # of the photos; px per cell


def coarse(image: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture as a coarsely decoded photo would show it."""
    scale = rng.uniform(COARSEST, PIXELS_PER_CELL) / PIXELS_PER_CELL
    smaller = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return cv2.resize(smaller, image.shape[1::-1], interpolation=cv2.INTER_LINEAR)


def glanced(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> list[NDArray[np.uint8]]:
    """The sheets as they lie, and as coarse as photos are that are decoded for a glance."""
    flats = [
        resample(
            arrays["flat"][at], displacement(rng, 16, 12, rng.uniform(0, 0.06)), PIXELS_PER_CELL
        )
        for at in chosen
    ]
    share = COARSE_SHARE if training else 0.0
    return [coarse(flat, rng) if rng.random() < share else flat for flat in flats]


def glance_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    layout = load_layout("brikks-light")
    images = [grid_view(flat, layout) for flat in glanced(arrays, chosen, rng, training)]
    if training:
        images = [recolor(image, rng, 0.8) for image in images]
        images = [mottled(each, rng) if rng.random() < MOTTLED_SHARE else each for each in images]
    template = as_input([draw_template(layout, glance_area(layout), GLANCE_PIXELS)]).expand(
        len(images), -1, -1, -1
    )
    labels = arrays["labels"][chosen].astype(np.float32)
    return {
        "images": torch.cat([as_input(images), template], 1),
        "labels": torch.from_numpy(labels[:, : len(grid_places()[1])]),
    }


@cache
def grid_places() -> tuple[Tensor, Tensor]:
    """Of every label of the grid its place in the output of `Glance`, (N, 2), and its channel."""
    layout = load_layout("brikks-light")
    points, channels = mark_positions(layout, "glance")
    area = glance_area(layout)
    places = glance_places(points, area)
    return torch.from_numpy(places), torch.from_numpy(channels)


def glance_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    out = net(batch["images"]).float()
    places, channels = grid_places()
    logits, labels = out[:, channels, places[:, 0], places[:, 1]], batch["labels"]
    losses = binary_cross_entropy_with_logits(logits, labels, reduction="none")
    by_kind = [losses[:, channels == kind].mean(1) for kind in (CELL, EDGE)]
    wrong = (((logits > 0) != (labels > 0.5)) & (labels != 0.5)).float()
    figures = {name: wrong[:, channels == kind] for kind, name in enumerate(MARK_KINDS[:2])}
    return by_kind[CELL] + 0.5 * by_kind[EDGE], {
        name: 100 * each.mean().item() for name, each in figures.items()
    }


def glance_bars_network() -> nn.Module:
    layout = load_layout("brikks-light")
    return GlanceBars(tuple(bar_groups(layout).tolist()), bar_counts(layout))


def glance_bars_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    layout = load_layout("brikks-light")
    flats = glanced(arrays, chosen, rng, training)
    pens = arrays["pen"][chosen]
    sheets = [(bar_views(flat, layout), pen) for flat, pen in zip(flats, pens, strict=True)]
    if training:
        sheets = [photographed_otherwise(patches, pen, rng) for patches, pen in sheets]
    template = bar_view_templates(layout)
    return bars_input(sheets, template, arrays["labels"][chosen], rng, training)


BAR_MARKS = MARK_KINDS[2:]  # the channels of the network that reads the bars
PEN_UNKNOWN_SHARE, PEN_SPREAD = 0.08, 4.0  # of the samples; grey levels
MIRRORED_SHARE = 0.25  # of the patches of one kind, each way


def bars_network() -> nn.Module:
    layout = load_layout("brikks-light")
    return Bars(tuple(bar_groups(layout).tolist()), bar_counts(layout))


def misplaced(
    patches: NDArray[np.uint8], offsets: NDArray[np.float64], turns: NDArray[np.complex128]
) -> NDArray[np.uint8]:
    """The middles of wide patches (P, wide, wide, 3) as a placement that is off would cut them.

    ``offsets`` : (P, 2) px. ``turns`` : (P,), each turns and enlarges as the complex number does.
    """
    middle, old = (PATCH_SIDE - 1) / 2, (patches.shape[1] - 1) / 2
    result = np.empty((len(patches), PATCH_SIDE, PATCH_SIDE, 3), np.uint8)
    for at, (patch, (x, y), turn) in enumerate(zip(patches, offsets, turns, strict=True)):
        cos, sin = turn.real, turn.imag
        matrix = np.array(
            [
                [cos, -sin, old + x - cos * middle + sin * middle],
                [sin, cos, old + y - sin * middle - cos * middle],
            ]
        )
        result[at] = cv2.warpAffine(
            patch, matrix, (PATCH_SIDE, PATCH_SIDE),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE,
        )  # fmt: skip
    return result


def roughly_placed(patches: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The middles of wide patches, a little off: all together, and each for itself."""
    count = len(patches)
    off = rng.choice([0.5, 1.0, 2.0], p=[0.4, 0.4, 0.2])
    offsets = off * (rng.normal(0, 1.0, 2) + rng.normal(0, 0.6, (count, 2)))  # px
    turns = 1 + off * (rng.normal(0, 0.015, count) + 1j * rng.normal(0, 0.015, count))
    return misplaced(patches, offsets, turns)


def seen_otherwise(patches: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The patches (P, wide, wide, 3) of a sheet as another photo would show them."""
    count, wide = patches.shape[:2]
    tall = recolor(patches.reshape(count * wide, wide, 3), rng, 0.8)
    if rng.random() < MOTTLED_SHARE:
        tall = mottled(tall, rng)
    if rng.random() < 0.15:  # other colours of print and pen
        tall = np.ascontiguousarray(tall[..., rng.permutation(3)])
    patches = tall.reshape(patches.shape)
    if rng.random() < 0.15:  # a coarser photo
        small = int(rng.integers(24, 48))
        patches = np.stack(
            [
                cv2.resize(
                    cv2.resize(each, (small, small), interpolation=cv2.INTER_AREA), (wide, wide)
                )
                for each in patches
            ]
        )
    return patches


def photographed_otherwise(
    patches: NDArray[np.uint8], pen: Pen, rng: np.random.Generator
) -> tuple[NDArray[np.uint8], Pen]:
    """`seen_otherwise`, with the pen as that photo shows it; it is not always known, nor exactly.

    What is ink by its colour alone would be learned too well otherwise.
    """
    spots = np.broadcast_to(np.nan_to_num(pen)[:, None, None], (2, *patches.shape[1:]))
    seen = seen_otherwise(np.concatenate([patches, spots.astype(np.uint8)]), rng)
    unknown = np.isnan(pen).any() or rng.random() < PEN_UNKNOWN_SHARE
    mean = seen[-2:].mean(axis=(1, 2)) + rng.normal(0, PEN_SPREAD, (2, 3))
    return seen[:-2], np.where(unknown, np.nan, np.clip(mean, 0, 255)).astype(np.float32)


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
    return bars_input(placed, template, arrays["labels"][chosen], rng, training)


def bars_input(
    sheets: list[tuple[NDArray[np.uint8], Pen]],
    template: NDArray[np.uint8],
    labels: NDArray,
    rng: np.random.Generator,
    training: bool,
) -> Batch:
    """Patches (P, side, side, 3) of sheets, each with its pen, as networks of the bars see them.

    ``template`` : (P, side, side, 1). ``labels`` : all those of each sheet.
    """
    patches = [
        np.concatenate([each, template, ink_likeness(each, pen)], axis=-1) for each, pen in sheets
    ]
    if training:
        patches = [mirrored(each, rng) for each in patches]
    energy, bonus, bombs = bar_counts(load_layout("brikks-light"))
    of_bars = labels[:, -(2 * energy + bonus + bombs) :]
    return {
        "images": as_input(list(np.concatenate(patches))),
        "labels": torch.from_numpy(of_bars.astype(np.float32)),
    }


def by_mark(logits: Tensor) -> list[Tensor]:
    """The log-odds (N, marks) of each of `BAR_MARKS`, of those of every patch."""
    energy, bonus, _ = bar_counts(load_layout("brikks-light"))
    out = logits.float()
    return [
        out[:, :energy, 0],
        out[:, :energy, 1],
        out[:, energy : energy + bonus, 2],
        out[:, energy + bonus :, 3],
    ]


FIRST_LOOK_SHARE = 0.3  # of the loss: so that what is compared with is worth it


def bars_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    return verdict_loss(net.verdicts(net.features_of(batch["images"])), batch["labels"])


def verdict_loss(verdicts: tuple[Tensor, Tensor], marks: Tensor) -> tuple[Tensor, Measures]:
    """One loss a sheet (N,) of a first and a last look at its bars. ``marks``: (N, labels)."""
    first, logits = (by_mark(each) for each in verdicts)
    labels = marks.split([each.shape[1] for each in logits], dim=1)
    _, struck, _, _ = labels

    def by_kind(values: list[Tensor]) -> Tensor:
        of_rings, *others = values
        return torch.stack([mean_of_open(of_rings, struck), *(kind.mean(1) for kind in others)])

    early, late = (
        by_kind(
            [
                binary_cross_entropy_with_logits(mark, label, reduction="none")
                for mark, label in zip(look, labels, strict=True)
            ]
        ).mean(0)
        for look in (first, logits)
    )
    wrong = by_kind(
        [((mark > 0) != (label > 0.5)).float() for mark, label in zip(logits, labels, strict=True)]
    )
    figures = (100 * wrong.mean(1)).tolist()
    loss = FIRST_LOOK_SHARE * early + (1 - FIRST_LOOK_SHARE) * late
    return loss, dict(zip(BAR_MARKS, figures, strict=True))


def figure_classes(value: int) -> list[int]:
    """The classes of a written figure's places (see `brikks_vision.detect.figures`)."""
    if value == NOTHING_WRITTEN:
        return [NONE] * PLACES
    if value == DASH_WRITTEN:
        return [NONE] * (PLACES - 1) + [DASH]
    digits = [int(digit) for digit in str(value)]
    return [NONE] * (PLACES - len(digits)) + digits


def figures_batch(
    arrays: Arrays, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    layout = load_layout("brikks-light")
    area = layout.reading_area
    places = layout.figures.values()
    centres = tuple(centre for field in places for centre in field.centres)
    patches, classes = [], []
    for at in chosen:
        flat = resample(
            arrays["flat"][at], displacement(rng, 16, 12, rng.uniform(0, 0.08)), PIXELS_PER_CELL
        )
        flat = recolor(flat, rng, 0.8 if training else 0.0)
        patches += figure_patches(flat, area, centres)
        classes += [figure_classes(int(value)) for value in arrays["written"][at]]
    return {"images": as_input(patches), "classes": torch.tensor(classes)}


def figures_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    logits = net(batch["images"]).float().reshape(-1, PLACES, CLASSES).transpose(1, 2)
    losses = cross_entropy(logits, batch["classes"], reduction="none")
    right = (logits.argmax(1) == batch["classes"]).all(1)
    written = batch["classes"][:, -1] != NONE
    figures = load_layout("brikks-light").grid.rows + 1  # of a sheet
    return losses.reshape(-1, figures * PLACES).mean(1), {
        "written wrong": 100 * (1 - right[written].float().mean().item()),
        "blank wrong": 100 * (1 - right[~written].float().mean().item()),
    }


@dataclass(frozen=True)
class Task:
    """What a network learns; ``loss`` gives one loss a sample (N,), and figures of the batch."""

    network: Callable[[], nn.Module]
    batch: Callable[[Arrays, NDArray, np.random.Generator, bool], Batch]
    loss: Callable[[nn.Module, Batch], tuple[Tensor, Measures]]
    arrays: tuple[str, ...]
    batch_size: int


TASKS = {
    "locator": Task(Locator, locator_batch, locator_loss, ("small", "kind", "place"), 24),
    "aligner": Task(Aligner, aligner_batch, aligner_loss, ("flat", "labels", "kind"), 16),
    "figures": Task(
        Figures, figures_batch, figures_loss, ("flat", "labels", "kind", "written"), 24
    ),
    "glance": Task(Glance, glance_batch, glance_loss, ("flat", "labels", "kind"), 24),
    "glance_bars": Task(
        glance_bars_network, glance_bars_batch, bars_loss, ("flat", "pen", "labels", "kind"), 24
    ),
    "bars": Task(bars_network, bars_batch, bars_loss, ("patches", "pen", "labels", "kind"), 16),
    "reader": Task(Reader, reader_batch, reader_loss, ("flat", "labels", "kind"), 16),
}


def usable(arrays: Arrays, name: str) -> NDArray:
    if name == "locator":
        return np.arange(len(arrays["kind"]))
    front = arrays["kind"][:] == 0
    return np.flatnonzero(front & (arrays["labels"][:, 0] >= 0))


def measure(net: nn.Module, task: Task, arrays: Arrays, numbers: NDArray) -> Measures:
    """Mean loss and figures over samples that were not trained on."""
    net.eval()
    rng = np.random.default_rng(1)
    sums: Measures = {}
    with torch.no_grad():
        for first in range(0, len(numbers), 16):
            part = np.sort(numbers[first : first + 16])
            value, figures = task.loss(net, task.batch(arrays, part, rng, False))
            for key, figure in {"loss": value.mean().item(), **figures}.items():
                sums[key] = sums.get(key, 0.0) + figure * len(part) / len(numbers)
    return sums


PREPARED = 3  # batches


def prefetched(
    task: Task, arrays: Arrays, sampler: Sampler, rng: np.random.Generator
) -> Iterator[tuple[NDArray, Tensor, Batch]]:
    """Positions, weights and training batches without end, each prepared beside the last one."""

    def prepare() -> tuple[NDArray, Tensor, Batch]:
        drawn, weights = sampler.draw(task.batch_size)
        batch = task.batch(arrays, sampler.numbers[drawn], rng, True)
        return drawn, torch.from_numpy(weights), batch

    with ThreadPoolExecutor(1) as thread:
        waiting = [thread.submit(prepare) for _ in range(PREPARED)]
        while True:
            yield waiting.pop(0).result()
            waiting.append(thread.submit(prepare))


def load_packaged(net: nn.Module, paths: list[Path], example: Tensor) -> None:
    """Take the weights of a packaged network up again, to train it on.

    Its batch normalisation is folded into its convolutions. Each is unfolded by what the example,
    a batch of inputs, shows of its statistics; what the network computes stays the same, with the
    factors that `training.calibrate` left in it. ``paths``: of its parts, in their order.

    Raises
    ------
    ValueError
        The files hold another network, or a part of one.
    """
    graphs = [onnx.load(str(path)).graph for path in paths]
    layers = [
        (module, following)
        for module, following in pairwise([*net.modules(), net])
        if isinstance(module, (nn.Conv2d, nn.Linear))
    ]
    nodes = [
        (stored_weights(graph), node)
        for graph in graphs
        for node in graph.node
        if node.op_type in ("Conv", "Gemm", "MatMul")
    ]
    normalisations = []
    for (module, following), (arrays, node) in zip(layers, nodes, strict=True):
        weight, *bias = (torch.from_numpy(arrays[name]) for name in node.input[1:])
        # a layer without offsets is stored as a product, the other way round
        weight = weight.T if node.op_type == "MatMul" else weight
        if weight.shape != module.weight.shape:
            raise ValueError(f"weights of {tuple(weight.shape)}, not {tuple(module.weight.shape)}")
        module.weight.data.copy_(weight)
        if module.bias is not None:
            module.bias.data.copy_(bias[0])
        elif isinstance(following, nn.BatchNorm2d):
            normalisations.append(following)
            following.bias.data.copy_(bias[0])
            following.running_var = torch.full_like(bias[0], 1 - following.eps)

    def unfold(module: nn.BatchNorm2d, inputs: tuple[Tensor, ...]) -> None:
        seen = inputs[0].mean((0, 2, 3)), inputs[0].var((0, 2, 3))
        module.running_mean, module.running_var = seen
        module.weight.data = (seen[1] + module.eps).sqrt()
        module.bias.data = module.bias.data + seen[0]

    hooks = [each.register_forward_pre_hook(unfold) for each in normalisations]
    with torch.no_grad():
        net.eval()(example)
    for hook in hooks:
        hook.remove()


def parts_of(net: nn.Module, name: str) -> dict[str, nn.Module]:
    """The parts of a network that are packaged each for itself, by name, in their order.

    What lies between them is left to numpy.
    """
    parts = getattr(net, "parts", ())
    return {f"{name}_{part}": getattr(net, part) for part in parts} or {name: net}


WHOLE_NUMBERS = ("figures", "glance", "glance_bars")  # what is stored so: see `training.storage`


def export(net: nn.Module, name: str, example: Tensor) -> list[Path]:
    """Write the network as ONNX: batch normalisation in the convolutions, half precision."""
    MODELS.mkdir(exist_ok=True)
    net = net.eval().to(memory_format=torch.contiguous_format)
    parts, inputs = parts_of(net, name), {}

    def note(part: nn.Module, given: tuple[Tensor, ...]) -> None:
        inputs[part] = given[0].contiguous()

    hooks = [part.register_forward_pre_hook(note) for part in parts.values()]
    with torch.no_grad():
        net(example[: len(net.groups)] if isinstance(net, Bars) else example[:1])
    for hook in hooks:
        hook.remove()
    paths = []
    for part_name, part in parts.items():
        path = MODELS / f"{part_name}.onnx"
        torch.onnx.export(
            part, (inputs[part],), str(path),
            dynamo=False, input_names=["image"], output_names=["maps"], opset_version=13,
        )  # fmt: skip
        store_in_half_precision(path)
        if name in WHOLE_NUMBERS:
            store_as_whole_numbers(path)
        paths.append(path)
    return paths


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", choices=sorted(TASKS))
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--minutes", type=float, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--resume", type=Path, help="weights (.pt), or packaged ones' folder")
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    # without AVX-512 bfloat16 is emulated, ten times slower than float32
    half_precision = "AVX512" in torch.backends.cpu.get_cpu_capability()
    rng = np.random.default_rng(options.seed)
    task = TASKS[options.name]
    arrays = load_arrays(options.folders, task.arrays)
    train, held = split(usable(arrays, options.name))
    net = task.network()
    if options.resume and options.resume.is_dir():
        paths = [options.resume / f"{part}.onnx" for part in parts_of(net, options.name)]
        load_packaged(net, paths, task.batch(arrays, train[:16], rng, True)["images"])
    elif options.resume:
        net.load_state_dict(torch.load(options.resume))
    net = net.to(memory_format=torch.channels_last)
    size = sum(p.numel() for p in net.parameters())
    print(f"{size / 1e3:.0f} k weights, {len(train)} + {len(held)} samples")
    optimizer = torch.optim.AdamW(net.parameters(), lr=options.rate, weight_decay=1e-3)
    started, shown = time.monotonic(), 0.0
    sampler = Sampler(train, np.random.default_rng([options.seed, 1]))
    for step, (drawn, weights, batch) in enumerate(prefetched(task, arrays, sampler, rng)):
        share = (time.monotonic() - started) / (60 * options.minutes)
        if share >= 1:
            break
        warm = min(1, (step + 1) / 100)
        for group in optimizer.param_groups:
            group["lr"] = options.rate * warm * (0.5 + 0.5 * np.cos(np.pi * share)) + 1e-6
        net.train()
        with torch.autocast("cpu", torch.bfloat16, enabled=half_precision):
            losses, _ = task.loss(net, batch)
        sampler.note(drawn, losses.detach().float().numpy())
        optimizer.zero_grad()
        (losses * weights).mean().backward()
        if torch.isfinite(nn.utils.clip_grad_norm_(net.parameters(), 1.0)):
            optimizer.step()
        if share - shown > 0.1:
            shown = share
            figures = measure(net, task, arrays, held[:64])
            rounded = {name: round(figure, 4) for name, figure in figures.items()}
            print(f"{100 * share:3.0f} % step {step}", rounded, flush=True)
    torch.save(net.state_dict(), options.folders[0] / f"{options.name}.pt")
    print("measured", measure(net, task, arrays, held))
    print(export(net, options.name, batch["images"]))


if __name__ == "__main__":
    main()
