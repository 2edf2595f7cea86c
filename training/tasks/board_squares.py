"""The reader of the small squares that are printed on fields of a board (`games.blox.squares`).

Its samples are the fields of the empty boards beside the samples of `training.tasks.board_pieces`.
"""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray

from brikks_vision.detect.board import quad_homography
from brikks_vision.detect.placement import Image
from brikks_vision.games.blox.board_print import FIELD_PIXELS, PIXELS, field_pictures
from brikks_vision.rules.blox.material import FIELDS_BY_SQUARES
from brikks_vision.rules.blox.position import SIDE, parse_board
from simulation.paper.surfaces import smooth_noise
from training.networks import PrintReader
from training.tasks import printed_numbers
from training.tasks.board_locator import draw_boards
from training.tasks.task import Batch, Pictures, Task, label_loss

DRAWN = 0.5  # of the fields of a batch that bear none get some: in more ways than boards have them
FINE = 4  # px of the picture that they are drawn in, a px of the field
GRAINED = 0.4  # of the fields that bear none
FRAMED = 0.15  # of the drawn ones
MIN_CONTRAST = 45  # grey levels between drawn squares and their field
CHANCES = (1.0, 1.0, 2.0, 2.0, 2.0)  # of fields to be drawn, by how many squares they bear
OFF = 1.5  # px, standard deviation of the corners of a board that is found


def fields_of(path: Path, rng: np.random.Generator) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """The fields of the empty board beside a photo, (81, ...), and how many squares each bears."""
    facts = json.loads(path.read_text("utf-8"))
    image = np.asarray(cv2.imread(str(path.parent / facts["empty"]["file"])), np.uint8)
    off = np.array(facts["empty"]["corners"]) + rng.normal(0, OFF, (4, 2))
    pictures = field_pictures(image, quad_homography(off, SIDE))
    return pictures, np.array(parse_board(facts).squares)


def load(parts: list[Path]) -> Pictures:
    """The fields of all boards that are empty in one of the photos of some folders."""
    boards: dict[Path, Path] = {}
    for path in (path for part in parts for path in sorted(part.glob("*.json"))):
        empty = json.loads(path.read_text("utf-8")).get("empty")
        if empty:
            boards.setdefault(path.parent / empty["file"], path)
    rng = np.random.default_rng(0)
    pictures, labels = zip(*(fields_of(path, rng) for path in boards.values()), strict=True)
    photos = np.repeat(np.arange(len(boards)), SIDE**2)
    return Pictures(np.concatenate(pictures), np.concatenate(labels), photos)


def chances_of(samples: Pictures) -> NDArray[np.float64]:
    return np.array(CHANCES)[samples.labels]


def drawn_places(count: int, side: float, rng: np.random.Generator) -> NDArray[np.float64]:
    """Where on a field, 0 to 1, one of many printers would put some squares, (count, 2).

    side: of one, fields. How far apart they are does not tell how many there are.
    """
    inset = rng.uniform(side / 2 + 0.02, 0.25)
    most = (0.98 - side) / max(count - 1, 1)
    gap = rng.choice([rng.uniform(0.04, 0.08), rng.uniform(0.05, 2 * side)])
    step = min(most, side + gap)
    ends = np.array([[0, 0], [1, 1], [1, 0], [0, 1]])[rng.permutation(4)]
    corners = inset + (1 - 2 * inset) * ends[:count]
    row = np.column_stack([step * np.arange(count), np.zeros(count)])
    free = 1 - step * (count - 1)
    start = rng.choice([min(inset, free / 2), free / 2, free / 2, max(free - inset, free / 2)])
    aside = [start, rng.choice([inset, 0.5, 1 - inset, rng.uniform(inset, 1 - inset)])]
    near = np.array([[0, 0], [1, 1], [1, 0], [0, 1]])[:count] * step
    close = near + rng.uniform(side / 2, max(side / 2, 1 - side / 2 - step), 2)
    first = min(inset, 0.5 - (count - 1) * (side + 0.04) / 2)
    diagonal = np.linspace(first, 1 - first, count)[:, None] * [1, 1]
    styles = [corners, row + aside, row + aside, row + aside, close, diagonal]
    return np.asarray(styles[rng.integers(len(styles))])


def with_squares(picture: Image, count: int, rng: np.random.Generator) -> Image:
    """A field, (PIXELS, PIXELS, 3), with some squares drawn on it."""
    share, fine = rng.uniform(0.07, 0.18), PIXELS * FINE
    side, mask = share * FIELD_PIXELS * FINE, np.zeros((fine, fine), np.uint8)
    thick = -1 if rng.random() < 0.75 else max(2, round(side / 5))
    offset = (PIXELS - FIELD_PIXELS) / 2
    for place in drawn_places(count, share, rng):
        x, y = ((offset + place * FIELD_PIXELS) * FINE - side / 2).round().astype(int)
        cv2.rectangle(mask, (int(x), int(y)), (int(x + side), int(y + side)), 255, thick)
    ground = np.median(picture.reshape(-1, 3), axis=0)
    if rng.random() < FRAMED:  # by a line of its own around them all
        around = np.full(2, 2 * round(side * rng.uniform(0.15, 0.5)) + 1)
        frame = cv2.morphologyEx(
            cv2.dilate(mask, np.ones(around, np.uint8)), cv2.MORPH_CLOSE, np.ones(around, np.uint8)
        )
        picture = _inked(picture, frame, _seen_ink(ground, rng), rng)
        ground = np.median(picture[cv2.resize(frame, (PIXELS, PIXELS)) > 128], axis=0)
    return _inked(picture, mask, _seen_ink(ground, rng), rng)


def with_grain(picture: Image, rng: np.random.Generator) -> Image:
    """A field, (PIXELS, PIXELS, 3), printed like stone: clouds, and veins across it."""
    size = int(rng.integers(3, 9))
    clouds = smooth_noise(rng, (PIXELS, PIXELS), (size, size))
    shade = rng.uniform(0, 14) * clouds
    veins = np.zeros((PIXELS * FINE, PIXELS * FINE), np.uint8)
    for _ in range(int(rng.integers(0, 7))):
        steps = rng.normal(0, 1, (int(rng.integers(5, 14)), 2)) + 1.2 * rng.normal(0, 1, 2)
        way = rng.uniform(0, PIXELS * FINE, 2) + np.cumsum(rng.uniform(3, 9) * steps, axis=0)
        points = way.round().astype(np.int32)[None]
        cv2.polylines(
            veins, list(points), False, int(rng.integers(90, 256)), int(rng.integers(1, 4))
        )
    small = cv2.resize(veins, (PIXELS, PIXELS), interpolation=cv2.INTER_AREA) / 255
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.4, 1.2))
    shade = shade + rng.uniform(-90, 90) * small
    tint = shade[..., None] * rng.uniform(0.8, 1.2, 3)
    return np.clip(picture + tint, 0, 255).astype(np.uint8)


def _seen_ink(ground: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.float64]:
    """Any colour that shows on a ground."""
    ink = rng.uniform(0, 255, 3)
    shows = np.abs(ink - ground).max() >= MIN_CONTRAST
    return ink if shows else np.where(ground > 128, ground - 70, ground + 70)


def _inked(
    picture: Image, mask: Image, ink: NDArray[np.float64], rng: np.random.Generator
) -> Image:
    """The picture with an ink where the mask, which is finer, is white."""
    small = cv2.resize(mask, (PIXELS, PIXELS), interpolation=cv2.INTER_AREA)
    share = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.4, 1.0))[..., None] / 255
    return np.clip(picture * (1 - share) + ink * share, 0, 255).astype(np.uint8)


def batch_of(samples: Pictures, chosen: NDArray, rng: np.random.Generator, training: bool) -> Batch:
    """As of `printed_numbers`, some with squares of other prints, from any side: no top is told."""
    if not training:
        return printed_numbers.batch_of(samples, chosen, rng, training)
    pictures, labels = samples.pictures[chosen], samples.labels[chosen]
    for at in np.flatnonzero((labels == 0) & (rng.random(len(chosen)) < GRAINED)):
        pictures[at] = with_grain(pictures[at], rng)
    for at in np.flatnonzero((labels == 0) & (rng.random(len(chosen)) < DRAWN)):
        labels[at] = rng.integers(1, len(FIELDS_BY_SQUARES))
        pictures[at] = with_squares(pictures[at], int(labels[at]), rng)
    drawn = replace(samples, pictures=pictures, labels=labels)
    batch = printed_numbers.batch_of(drawn, np.arange(len(chosen)), rng, training)
    turns = int(rng.integers(4))
    batch["images"] = torch.rot90(batch["images"], turns, (2, 3)).contiguous()
    return batch


TASK = Task(
    partial(PrintReader, PIXELS, len(FIELDS_BY_SQUARES)), draw_boards, load, batch_of, label_loss,
    size=256, chances=chances_of, decay=1e-2,
)  # fmt: skip
