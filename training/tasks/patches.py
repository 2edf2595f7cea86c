"""The reader of marks at places of any print (`brikks_vision.detect.patches`), and its context.

A third of its samples each are small sheets of no game (`training.tasks.small_sheets`), whole
BLOXX! and whole Qwixx sheets (`bloxx_sheets`, `qwixx_sheets`); each is all marked places of one
photo. They are drawn in shares of their own, `SHEET_SHARES`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from brikks_vision.detect.patches import SIDE, Reference, Views, darker_than, lighter_than
from training.place_networks import Patches
from training.tasks import bloxx_sheets, qwixx_sheets, small_sheets
from training.tasks.small_sheets import OUTPUTS, UNKNOWN
from training.tasks.task import Batch, Measures, Numbers, Task, by_class

SHEETS = tuple(each.marked_places for each in (small_sheets, bloxx_sheets, qwixx_sheets))  # in turn
SHEET_SHARES = (0.25, 0.25, 0.5)  # of training: Qwixx sheets have the most kinds of marks
CELL, EDGE, LOOSE = 0, 1, 2  # kinds of places
REFERENCE_SHARES = (0.4, 0.4, 0.2)  # of training: blank, alike, none
TEMPLATE_SHARE = 0.6  # of training: the others have no template
SPARSE_SHARE = 0.15  # of training: sheets of which some marks, or all, are left out
ALONE = 0.3  # weight of the loss of what each place tells by itself
LAYERS = 11  # channels of stored pictures, and of the network's input


# --- samples ---------------------------------------------------------------------------------


def draw(folder: Path, numbers: range, seed: int) -> None:
    """The places of some sheets, to train on."""
    _write(folder, numbers, seed, unseen=False)


def draw_unseen(folder: Path, numbers: range, seed: int) -> None:
    """Plainly marked, by writers and real ink that are never trained on: to calibrate on."""
    _write(folder, numbers, seed, unseen=True)


def _write(folder: Path, numbers: range, seed: int, unseen: bool) -> None:
    sheets = []
    for number in numbers:
        sheet = number % len(SHEETS)
        places = SHEETS[sheet](np.random.default_rng([seed, number]), unseen, unseen)
        alike = places.alike
        facts = np.column_stack([places.kinds, alike.kinds, np.full_like(places.kinds, sheet)])
        sheets.append((pictures_of(alike, places.with_blank), places.labels, facts))
    store(folder, sheets)


def pictures_of(alike: Views, beside: Views) -> NDArray[np.uint8]:
    """What is stored of places beside others and beside the empty sheet, (N, SIDE, SIDE, 11)."""
    parts = (alike.photo, beside.reference, alike.reference, alike.lightest, alike.template)
    return np.concatenate(parts, axis=-1)


def store(folder: Path, sheets: Sequence[tuple[NDArray[np.uint8], ...]]) -> None:
    """Files of the places of sheets: pictures, labels (N, outputs), and facts (N, 3) of each.

    Pictures uint8 (N, SIDE, SIDE, 11): photo, blank, alike (BGR each), lightest, template. Facts:
    kind of place, kind of the reference without a blank, kind of sheet (its number in `SHEETS`).
    """
    parts = zip(*sheets, strict=True)
    for name, arrays in zip(("pictures", "labels", "facts"), parts, strict=True):
        np.save(folder / f"{name}.npy", np.concatenate(arrays).astype(np.uint8))
    np.save(folder / "counts.npy", [len(labels) for _, labels, _ in sheets])


@dataclass(frozen=True, eq=False)
class Samples:
    """The sheets of some parts; pictures are read when they are asked for.

    starts: (sheets + 1,), the numbers of each sheet's first place, and of all.
    """

    parts: list[NDArray[np.uint8]]
    labels: NDArray[np.uint8]
    facts: NDArray[np.uint8]
    starts: Numbers

    def pictures(self, chosen: Numbers) -> NDArray[np.uint8]:
        """Of places, by their numbers."""
        ends = np.cumsum([len(part) for part in self.parts])
        part = np.searchsorted(ends, chosen, side="right")
        within = chosen - (ends - [len(part) for part in self.parts])[part]
        return np.stack([self.parts[p][w] for p, w in zip(part, within, strict=True)])

    def places(self, sheet: int) -> Numbers:
        """The numbers of a sheet's places."""
        return np.arange(self.starts[sheet], self.starts[sheet + 1])

    def __len__(self) -> int:
        return len(self.starts) - 1


def load(parts: list[Path]) -> Samples:
    pictures = [np.load(part / "pictures.npy", mmap_mode="r") for part in parts]
    facts = [np.load(part / "facts.npy") for part in parts]
    counts = np.concatenate([np.load(part / "counts.npy") for part in parts])
    starts = np.concatenate([[0], np.cumsum(counts)])
    labels = np.concatenate([np.load(part / "labels.npy") for part in parts])
    return Samples(pictures, labels, np.concatenate(facts), starts)


# --- training --------------------------------------------------------------------------------


def sheet_chances(samples: Samples) -> NDArray[np.float64]:
    """Each kind of sheet in its share, however many of each there are."""
    return by_class(samples.facts[samples.starts[:-1], 2], SHEET_SHARES)


def colored(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A sheet in other colours and light, the photo and its references alike."""
    if rng.random() < 0.6:
        levels = np.arange(256, dtype=np.float32)[:, None] / 255
        gamma, gain = np.exp(rng.normal(0, 0.2, 3)), np.exp(rng.normal(0, 0.12, 3))
        table = np.clip(255 * gain * levels**gamma, 0, 255)
        tables = [table, table, table, table.mean(axis=1, keepdims=True), 255 * levels]
        tall = pictures.reshape(-1, SIDE, LAYERS)
        table = np.concatenate(tables, axis=1).astype(np.uint8)[None]
        pictures = np.asarray(cv2.LUT(tall, table), np.uint8).reshape(pictures.shape)
    if rng.random() < 0.25:
        order = rng.permutation(3)
        rest = np.arange(9, LAYERS)
        pictures = pictures[..., np.concatenate([order, order + 3, order + 6, rest])]
    return pictures


def shifted(pictures: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    """A third of the places a pixel aside, with all that is seen of them."""
    for at in np.flatnonzero(rng.random(len(pictures)) < 0.33):
        y, x = rng.integers(-1, 2, 2)
        rows = np.clip(np.arange(SIDE) + y, 0, SIDE - 1)
        columns = np.clip(np.arange(SIDE) + x, 0, SIDE - 1)
        pictures[at] = pictures[at][rows[:, None], columns]
    return pictures


def mirrored(
    pictures: NDArray[np.uint8], turnable: NDArray[np.bool_], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """Half of the sheets in a mirror, each way; the turnable places of half turned by a quarter.

    Edges are not turnable: they stand upright.
    """
    upside_down, left_to_right, turned = rng.random(3) < 0.5
    axes = tuple(np.flatnonzero([False, upside_down, left_to_right]))
    pictures = np.flip(pictures, axes).copy()
    if turned:
        pictures[turnable] = np.swapaxes(pictures[turnable], 1, 2)
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


def batch_of(samples: Samples, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    """Of sheets: inputs by the kinds of references in their shares, and labels.

    "images": of all places (P, 11, SIDE, SIDE). "labels": (P, outputs), `UNKNOWN` kept. "edges":
    (P,), is each an edge? "sheets": (P,), which of the chosen sheets each is of.
    """
    images, labels, edges, sheets = [], [], [], []
    for number, sheet in enumerate(chosen):
        places = samples.places(sheet)
        if training and rng.random() < SPARSE_SHARE:
            is_marked = (samples.labels[places] == 1).any(axis=1)
            places = places[~is_marked | (rng.random(len(places)) < rng.choice([0, rng.random()]))]
        facts, pictures = samples.facts[places], samples.pictures(places)
        is_edge = facts[:, 0] == EDGE
        if training:
            pictures = mirrored(shifted(colored(pictures, rng), rng), ~is_edge, rng)
        wanted = rng.choice([Reference.BLANK, Reference.ALIKE, Reference.NONE], p=REFERENCE_SHARES)
        kinds = np.where(wanted == Reference.ALIKE, facts[:, 1], wanted).astype(np.uint8)
        images.append(
            as_input(pictures, kinds, np.full(len(places), rng.random() < TEMPLATE_SHARE))
        )
        labels.append(samples.labels[places])
        edges.append(is_edge)
        sheets.append(np.full(len(places), number))
    edges_of_all = torch.from_numpy(np.concatenate(edges))
    return {**joined(images, labels, sheets), "edges": edges_of_all}


def joined(
    images: list[Tensor], labels: list[NDArray[np.uint8]], sheets: list[NDArray[np.int64]]
) -> Batch:
    """A batch of what each sheet of some has."""
    return {
        "images": torch.cat(images).contiguous(memory_format=torch.channels_last),
        "labels": torch.from_numpy(np.concatenate(labels)),
        "sheets": torch.from_numpy(np.concatenate(sheets)),
    }


def in_sets(told: Tensor, numbers: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Places in one row a set, which is as long as the longest.

    told: (P, width). numbers: (P,), of the set that each is in.

    Returns rows (sets, longest, width), which of their places are absent (sets, longest), and the
    place of each in them (P,), counted through all rows.
    """
    order = torch.argsort(numbers, stable=True)
    _, of_set, counts = torch.unique(numbers, return_inverse=True, return_counts=True)
    longest = int(counts.max())
    starts = torch.cumsum(counts, 0) - counts
    at = torch.empty_like(order)
    at[order] = torch.arange(len(order), device=order.device)
    at = at - starts[of_set] + longest * of_set
    rows = told.new_zeros(len(counts) * longest, told.shape[1]).index_copy(0, at, told)
    absent = torch.ones(len(rows), dtype=torch.bool, device=told.device)
    absent[at] = False
    shape = (len(counts), longest)
    return rows.reshape(*shape, -1), absent.reshape(shape), at


def loss_of(net: Patches, batch: Batch) -> tuple[Tensor, Measures]:
    labels, edges, sheets = batch["labels"], batch["edges"], batch["sheets"]
    told = net.reader(batch["images"]).float()
    known, marked = labels != UNKNOWN, (labels == 1).float()
    rows, absent, at = in_sets(torch.cat([told, edges[:, None]], 1), 2 * sheets + edges)
    logits = net.context(rows, absent).float().flatten(0, 1)[at]
    alone = binary_cross_entropy_with_logits(told[:, -len(OUTPUTS) :], marked, reduction="none")
    losses = binary_cross_entropy_with_logits(logits, marked, reduction="none")
    count = int(sheets.max()) + 1
    of_places = ((losses + ALONE * alone) * known).sum(1)
    of_sheets = of_places.new_zeros(count).index_add(0, sheets, of_places)
    figures = {
        "wrong": 100 * ((logits > 0) != (marked > 0))[known].float().mean().item(),
        "log loss": 1000 * losses[known].mean().item(),
        "alone": 1000 * alone[known].mean().item(),
    }
    # a sheet with more outputs that are known counts more
    return of_sheets * count / known.sum(), figures


TASK = Task(
    Patches, draw, load, batch_of, loss_of, size=8, chances=sheet_chances, rate=3e-3, averaged=0.999
)
