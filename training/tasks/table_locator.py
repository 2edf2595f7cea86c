"""Where the chips and blocks on a table lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from brikks_vision.detect.board import PADDING
from brikks_vision.detect.things import THINGS_SIDE, THINGS_STRIDE, things_of_maps
from brikks_vision.games.blox.points import KINDS
from training.networks import BoardLocator
from training.tasks.board_locator import Photos, load_photos
from training.tasks.task import Batch, Measures

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
MAPS = len(KINDS) + 1
SIDE = THINGS_SIDE // THINGS_STRIDE
KEPT = 2 * THINGS_SIDE  # px of the photos that are kept
NEAR = 0.5  # of a thing's reach: a find so near is the thing
SURE = 0.4  # the chance from which a find counts


def table_network() -> BoardLocator:
    """At first it says that nothing lies anywhere, and the reach of a usual thing."""
    net = BoardLocator(MAPS)
    with torch.no_grad():
        net.out.bias.copy_(torch.tensor([-4.0] * len(KINDS) + [2.5]))
    return net


def load_tables(parts: list[Path], device: torch.device) -> Photos:
    """Photos and the things in them: (N, 4): kind, x, y and reach, px."""

    def things(facts: Any, scale: float) -> Array:
        found = [
            (KINDS.index(kind.split()[0]), (x + 0.5) * scale - 0.5, (y + 0.5) * scale - 0.5,
             reach * scale)
            for kind, x, y, reach in facts["things"]
            if kind.split()[0] in KINDS
        ]  # fmt: skip
        return np.array(found, np.float64).reshape(-1, 4)

    return load_photos(parts, KEPT, things)


def sample(
    image: NDArray[np.uint8], things: Array, rng: np.random.Generator | None
) -> tuple[Floats, Floats, Array]:
    """One picture, its maps and the things in it."""
    scale, angle, middle = THINGS_SIDE / KEPT, 0.0, np.array([KEPT / 2 - 0.5] * 2)
    target = np.array([THINGS_SIDE / 2 - 0.5] * 2)
    if rng is not None:
        scale *= float(np.exp(rng.uniform(-0.35, 0.45)))
        angle = rng.uniform(0, 2 * np.pi)
        target = target + rng.uniform(-30, 30, 2)
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    matrix = np.c_[turn, target - turn @ middle]
    seen = cv2.warpAffine(
        image, matrix, (THINGS_SIDE,) * 2, flags=cv2.INTER_AREA, borderValue=(PADDING,) * 3
    )
    moved = things.copy()
    moved[:, 1:3] = things[:, 1:3] @ turn.T + matrix[:, 2]
    moved[:, 3] *= scale
    inside = ((moved[:, 1:3] >= 0) & (moved[:, 1:3] < THINGS_SIDE)).all(axis=1)
    moved = moved[inside]
    pixels = seen.astype(np.float32) / 255
    if rng is not None:
        pixels = pixels ** np.float32(np.exp(rng.normal(0, 0.25)))
        pixels *= np.exp(rng.normal(0, 0.12, 3)).astype(np.float32)
        pixels += rng.normal(0, rng.uniform(0, 0.04), pixels.shape).astype(np.float32)
        if rng.random() < 0.3:
            pixels = cv2.GaussianBlur(pixels, (0, 0), rng.uniform(0.3, 1.0))
    return np.clip(pixels, 0, 1).transpose(2, 0, 1), maps_of(moved), moved


def maps_of(things: Array) -> Floats:
    """By kind, how near the middle of a thing is (0 to 1); last, the log reach, 0 where none is."""
    maps = np.zeros((MAPS, SIDE, SIDE), np.float32)
    ys, xs = np.mgrid[:SIDE, :SIDE]
    for kind, x, y, reach in things:
        at_x, at_y = (x + 0.5) / THINGS_STRIDE - 0.5, (y + 0.5) / THINGS_STRIDE - 0.5
        spread = max(0.6, 0.22 * reach / THINGS_STRIDE)
        near = np.exp(-((xs - at_x) ** 2 + (ys - at_y) ** 2) / (2 * spread**2))
        maps[int(kind)] = np.maximum(maps[int(kind)], near)
        row, column = (int(np.clip(round(value), 0, SIDE - 1)) for value in (at_y, at_x))
        maps[int(kind)][row, column] = 1.0
        maps[-1][near > 0.5] = maps[-1, row, column] = np.log(reach)
    return maps


def table_batch(
    samples: Photos, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    augment = rng if training else None
    seen = [sample(samples.images[at], samples.truth[at], augment) for at in chosen]
    images, maps, things = zip(*seen, strict=True)
    return {
        "images": torch.from_numpy(np.stack(images)),
        "maps": torch.from_numpy(np.stack(maps)),
        "things": {at: torch.from_numpy(each) for at, each in enumerate(things)},
    }


def table_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    """A focal loss of the middles (Law and Deng, CornerNet, 2018), and of the log reach."""
    outputs, target = net(batch["images"]).float(), batch["maps"]
    logits, near = outputs[:, :-1], target[:, :-1]
    chance = torch.sigmoid(logits)
    at_middle = (near > 0.8).float()
    found = at_middle * (1 - chance) ** 2 * functional.logsigmoid(logits)
    beside = (1 - at_middle) * (1 - near) ** 4 * chance**2 * functional.logsigmoid(-logits)
    count = at_middle.sum().clamp(min=1) / len(outputs)
    reach, is_known = target[:, -1], (target[:, -1] > 0).float()
    off = functional.smooth_l1_loss(outputs[:, -1], reach, reduction="none") * is_known
    known = is_known.sum().clamp(min=1) / len(outputs)
    return -(found + beside).sum((1, 2, 3)) / count + off.sum((1, 2)) / known, {}


def finds(net: nn.Module, batch: Batch) -> Measures:
    """Of the things, the shares missed and seen where none is, %; the log reach's mean error."""
    missed, wrong, total, errors = 0, 0, 0, []
    for maps, things in zip(net(batch["images"]).cpu().numpy(), batch["things"].values(),
                            strict=True):  # fmt: skip
        found = [thing for thing in things_of_maps(maps) if thing.chance > SURE]
        total += len(things)
        used = set[int]()
        for _, x, y, reach in things.tolist():
            near = [
                place for place, thing in enumerate(found)
                if place not in used and np.hypot(thing.x - x, thing.y - y) < NEAR * reach
            ]  # fmt: skip
            if near:
                used.add(near[0])
                errors.append(abs(np.log(found[near[0]].reach / reach)))
            else:
                missed += 1
        wrong += len(found) - len(used)
    share = 100 / max(total, 1)
    reach_error = float(np.mean(errors)) if errors else float("nan")
    return {"missed": share * missed, "false": share * wrong, "reach": reach_error}
