"""Which marks a player has cancelled (`brikks_vision.detect.occlusion`).

A sample is all places of one sheet that bear a pen's marks, edges left out.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from brikks_vision.detect.occlusion import fields_read
from brikks_vision.detect.patches import SIDE, Reference, beside_alike, beside_blank, see_places
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.layout import CELL, Layout, Mark
from simulation import corrections
from simulation.marks import Drawn
from simulation.paper.blank import BlankSheet
from training.place_networks import Cancelled
from training.tasks.bloxx_sheets import roughly
from training.tasks.occlusion import BRIKKS_SHARE, any_bloxx_photo, any_brikks_photo, drawn_on
from training.tasks.patches import (
    Samples,
    as_input,
    colored,
    joined,
    load,
    mirrored,
    pictures_of,
    shifted,
    store,
)
from training.tasks.task import Batch, Measures, Numbers, Task, evenly

MISTAKEN_SHARE = 0.7  # of the sheets: some marks are cancelled
MOST_MISTAKES = 8  # of a sheet with any: more than players make, so that each sheet teaches much
PLAIN, CANCELLED, UNTOLD = 0, 1, 2  # labels of places
LONG_SIDES = 700, 2100  # px, of the photos
PAGE_PIXELS = 26  # px a cell, of the known empty sheet
BLANK_SHARE = 0.5  # of training: beside the empty sheet; the others beside other places


# --- samples ---------------------------------------------------------------------------------


def _labels(layout: Layout, drawn: Drawn) -> NDArray[np.uint8]:
    """(N,), of all places that are read."""
    found = []
    for field in fields_read(layout):
        told = np.full(field.shape, PLAIN, np.uint8)
        if field.name in drawn.cancelled:
            told[drawn.cancelled[field.name]] = CANCELLED
        for mark in field.marks:  # filled over what was cancelled, or the like
            if mark == Mark.FILL and field.name == CELL:
                told[(drawn[CELL, mark] == 1) & (told == CANCELLED)] = UNTOLD
        found.append(told.ravel())
    return np.concatenate(found)


def draw(folder: Path, numbers: range, seed: int) -> None:
    """Files of places, as those of `patches`; facts: field, kind of the reference."""
    sheets = []
    corrections.MAX_MISTAKES = MOST_MISTAKES
    for number in numbers:
        rng = np.random.default_rng([seed, number])
        draw = any_brikks_photo if rng.random() < BRIKKS_SHARE else any_bloxx_photo
        layout, blank, shot = draw(rng, LONG_SIDES, MISTAKEN_SHARE)
        fields = fields_read(layout)
        placement = roughly(shot.placement, layout, rng)
        alone = see_places(shot.image, placement, layout, fields)
        alike = beside_alike(alone, fields)
        printed = beside_blank(alone, layout, fields, _page(blank, layout))
        of_field = np.repeat(np.arange(len(fields)), [len(field.centres) for field in fields])
        labels = _labels(layout, drawn_on(shot))
        facts = np.column_stack([of_field, alike.kinds, np.zeros_like(labels)])
        sheets.append((pictures_of(alike, printed), labels[:, None], facts))
    store(folder, sheets)


def _page(blank: BlankSheet, layout: Layout) -> Image:
    """The empty sheet as it is known: its whole page."""
    scale, (x, y) = blank.pixels_per_cell, blank.origin
    matrix = np.array([[scale, 0, x], [0, scale, y], [0, 0, 1.0]])
    placement = Placement(matrix, np.zeros((12, 2)), layout.page, "page", 0.0)
    return rectify(blank.image, placement, layout.page, PAGE_PIXELS)


# --- training --------------------------------------------------------------------------------


def batch_of(samples: Samples, chosen: Numbers, rng: np.random.Generator, training: bool) -> Batch:
    """Of sheets: "images" (P, 12, SIDE, SIDE), "labels" and "sheets" (P,)."""
    images, labels, sheets = [], [], []
    for number, sheet in enumerate(chosen):
        places = samples.places(sheet)
        pictures, facts = samples.pictures(places), samples.facts[places]
        every = np.ones(len(places), np.bool_)
        if training:
            pictures = mirrored(shifted(colored(pictures, rng), rng), every, rng)
        beside_blank = rng.random() < BLANK_SHARE
        kinds = np.full(len(facts), Reference.BLANK) if beside_blank else facts[:, 1]
        seen = as_input(pictures, kinds.astype(np.uint8), every)
        of_field = torch.from_numpy(facts[:, 0].astype(np.float32) / 255)[:, None, None, None]
        images.append(torch.cat([seen, of_field.expand(-1, 1, SIDE, SIDE)], 1))
        labels.append(samples.labels[places, 0])
        sheets.append(np.full(len(facts), number))
    return joined(images, labels, sheets)


def loss_of(net: Cancelled, batch: Batch) -> tuple[Tensor, Measures]:
    labels, sheets = batch["labels"], batch["sheets"]
    features, of_field = net.features(batch["images"]).float(), batch["images"][:, -1, 0, 0]
    count = int(sheets.max()) + 1
    logits = torch.cat(
        [net.beside(features[sheets == at], of_field[sheets == at])[:, 0] for at in range(count)]
    ).float()
    known, struck = labels != UNTOLD, labels == CANCELLED
    losses = binary_cross_entropy_with_logits(logits, struck.float(), reduction="none") * known
    of_sheets = losses.new_zeros(count).index_add(0, sheets, losses)
    figures = {
        "missed": 100 * (logits[struck] < 0).float().mean().item(),
        "false": 100 * (logits[known & ~struck] > 0).float().mean().item(),
        "log loss": 1000 * (losses.sum() / known.sum()).item(),
    }
    return of_sheets * count / known.sum() * 10, figures


TASK = Task(Cancelled, draw, load, batch_of, loss_of, size=12, chances=evenly, averaged=0.998)
