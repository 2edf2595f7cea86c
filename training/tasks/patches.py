"""The reader of marks at places of any print (`brikks_vision.detect.patches`).

Half of its samples are places of small sheets of no game (`training.tasks.small_sheets`), half of
whole BLOXX! sheets (`training.tasks.bloxx_sheets`).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn.functional import binary_cross_entropy_with_logits

from brikks_vision.detect.patches import SIDE, Reference, darker_than, lighter_than
from training.tasks import bloxx_sheets, small_sheets
from training.tasks.small_sheets import UNKNOWN
from training.tasks.task import Batch, Measures, Numbers

SHEETS = (small_sheets.marked_places, bloxx_sheets.marked_places)  # in turn
CELL, EDGE, LOOSE = 0, 1, 2  # kinds of places
REFERENCE_SHARES = (0.4, 0.4, 0.2)  # of training: blank, alike, none
TEMPLATE_SHARE = 0.6  # of training: the others have no template
LAYERS = 11  # channels of stored pictures, and of the network's input


# --- samples ---------------------------------------------------------------------------------


def write_places(folder: Path, numbers: range, seed: int) -> None:
    """The places of some sheets, to train on."""
    _write(folder, numbers, seed, unseen=False)


def write_unseen_places(folder: Path, numbers: range, seed: int) -> None:
    """Plainly marked, by writers and real ink that are never trained on: to calibrate on."""
    _write(folder, numbers, seed, unseen=True)


def _write(folder: Path, numbers: range, seed: int, unseen: bool) -> None:
    """Files of places.

    Pictures uint8 (N, SIDE, SIDE, 11), labels (N, outputs), facts (N, 3). Pictures: photo, blank,
    alike (BGR each), lightest, template. Facts: kind of place, kind of the reference without a
    blank, number of the sheet within its part.
    """
    pictures, labels, facts = [], [], []
    for at, number in enumerate(numbers):
        marked_places = SHEETS[number % len(SHEETS)]
        places = marked_places(np.random.default_rng([seed, number]), unseen, unseen)
        alike, beside = places.alike, places.with_blank
        parts = (alike.photo, beside.reference, alike.reference, alike.lightest, alike.template)
        pictures.append(np.concatenate(parts, axis=-1))
        labels.append(places.labels)
        on_sheet = np.full(len(places.kinds), at, np.uint8)
        facts.append(np.stack([places.kinds, alike.kinds, on_sheet], axis=1))
    for name, arrays in (("labels", labels), ("facts", facts), ("pictures", pictures)):
        np.save(folder / f"{name}.npy", np.concatenate(arrays))


@dataclass(frozen=True, eq=False)
class Samples:
    """The places of some parts; pictures are read when they are asked for."""

    parts: list[NDArray[np.uint8]]
    labels: NDArray[np.uint8]
    facts: NDArray[np.uint8]

    def pictures(self, chosen: Numbers) -> NDArray[np.uint8]:
        ends = np.cumsum([len(part) for part in self.parts])
        part = np.searchsorted(ends, chosen, side="right")
        within = chosen - (ends - [len(part) for part in self.parts])[part]
        return np.stack([self.parts[p][w] for p, w in zip(part, within, strict=True)])

    @property
    def photos(self) -> Numbers:
        """The number of each place's sheet in all parts."""
        begins = np.diff(self.facts[:, 2].astype(int), prepend=0) != 0
        begins[np.cumsum([len(part) for part in self.parts])[:-1]] = True
        return np.cumsum(begins)

    def __len__(self) -> int:
        return len(self.labels)


def load_samples(parts: list[Path], device: torch.device) -> Samples:
    return Samples(
        [np.load(part / "pictures.npy", mmap_mode="r") for part in parts],
        np.concatenate([np.load(part / "labels.npy") for part in parts]),
        np.concatenate([np.load(part / "facts.npy") for part in parts]),
    )


# --- training --------------------------------------------------------------------------------


def _colored(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """Each place in other colours and light, the photo and its references alike."""
    count = len(pictures)
    levels = np.arange(256, dtype=np.float32)[None, :, None] / 255
    gamma = np.exp(rng.normal(0, 0.2, (count, 1, 3))).astype(np.float32)
    gain = np.exp(rng.normal(0, 0.12, (count, 1, 3))).astype(np.float32)
    tables = np.clip(255 * gain * levels**gamma, 0, 255)
    grey, template = (
        tables.mean(axis=2, keepdims=True),
        np.broadcast_to(255 * levels, (count, 256, 1)),
    )
    tables = np.concatenate([tables, tables, tables, grey, template], axis=2).astype(np.uint8)
    result = pictures
    for at in np.flatnonzero(rng.random(count) < 0.6):
        result[at] = cv2.LUT(pictures[at], tables[at][None])
    rest = np.arange(9, LAYERS)
    for at in np.flatnonzero(rng.random(count) < 0.25):
        order = rng.permutation(3)
        result[at] = result[at][..., np.concatenate([order, order + 3, order + 6, rest])]
    return result


def _shifted(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A third of the places a pixel aside, with all that is seen of them."""
    for at in np.flatnonzero(rng.random(len(pictures)) < 0.33):
        y, x = rng.integers(-1, 2, 2)
        rows = np.clip(np.arange(SIDE) + y, 0, SIDE - 1)
        columns = np.clip(np.arange(SIDE) + x, 0, SIDE - 1)
        pictures[at] = pictures[at][rows[:, None], columns]
    return pictures


def _mirrored(
    pictures: NDArray[np.uint8], turnable: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Half of the places in a mirror, each way; half of the turnable ones turned by a quarter.

    Edges are not turnable: they stand upright.
    """
    flips = rng.random((3, len(pictures))) < 0.5
    for at in np.flatnonzero(flips[0]):
        pictures[at] = pictures[at][::-1]
    for at in np.flatnonzero(flips[1]):
        pictures[at] = pictures[at][:, ::-1]
    for at in np.flatnonzero(flips[2] & turnable):
        pictures[at] = np.swapaxes(pictures[at], 0, 1)
    return pictures


def as_input(
    pictures: NDArray[np.uint8], kinds: NDArray[np.uint8], templates: NDArray[np.bool_]
) -> Tensor:
    """Pictures (N, SIDE, SIDE, 11) as the network's input, by the kind of reference (N,)."""
    none = kinds == Reference.NONE
    reference = pictures[..., 6:9].copy()
    reference[kinds == Reference.BLANK] = pictures[kinds == Reference.BLANK, ..., 3:6]
    reference[none] = 0
    whole = np.empty((*pictures.shape[:3], LAYERS), np.uint8)
    whole[..., :3], whole[..., 3:6] = pictures[..., :3], reference
    whole[..., 6:8] = pictures[..., 9:]
    whole[none, ..., 6] = 0
    whole[~templates, ..., 7] = 0
    whole[..., 8] = kinds[:, None, None]
    photo = pictures[..., :3]
    whole[..., 9:10], whole[..., 10:] = (
        darker_than(reference, photo),
        lighter_than(reference, photo),
    )
    # channels last, as torch sees it
    return torch.from_numpy(whole).permute(0, 3, 1, 2).float().div_(255)


def patches_batch(
    samples: Samples, chosen: NDArray, rng: np.random.Generator, training: bool
) -> Batch:
    """Inputs by the kinds of references in their shares, and labels (`UNKNOWN` kept)."""
    facts, pictures, size = samples.facts[chosen], samples.pictures(chosen), len(chosen)
    if training:
        pictures = _shifted(_colored(pictures, rng), rng)
        pictures = _mirrored(pictures, facts[:, 0] != EDGE, rng)
    wanted = rng.choice(
        [Reference.BLANK, Reference.ALIKE, Reference.NONE], size, p=REFERENCE_SHARES
    )
    kinds = np.where(wanted == Reference.ALIKE, facts[:, 1], wanted).astype(np.uint8)
    images = as_input(pictures, kinds, rng.random(size) < TEMPLATE_SHARE)
    return {
        "images": images.contiguous(memory_format=torch.channels_last),
        "labels": torch.from_numpy(samples.labels[chosen]),
    }


def patches_loss(net: nn.Module, batch: Batch) -> tuple[Tensor, Measures]:
    logits, known = net(batch["images"]).float(), batch["labels"] != UNKNOWN
    marked = batch["labels"] == 1
    losses = binary_cross_entropy_with_logits(logits, marked.float(), reduction="none")
    wrong = ((logits > 0) != marked)[known].float().mean().item()
    # a place with more outputs that are known counts more
    return (losses * known).sum(1) * len(known) / known.sum(), {"wrong": 100 * wrong}
