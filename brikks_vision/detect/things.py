"""Finds loose things of some kinds that lie on a table, by a network."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import letterbox
from brikks_vision.detect.networks import run_network
from brikks_vision.detect.placement import Image
from brikks_vision.detect.thresholds import MIN_PEAK

Floats = NDArray[np.float32]

THINGS_SIDE = 320  # px of the picture that the network sees
THINGS_STRIDE = 4  # px of that picture for each px of its maps
SAME = 0.7  # of a thing's reach: nearer peaks are the same thing
FACE_REACH = 1.5  # of a thing's reach that its picture shows to each side


@dataclass(frozen=True)
class FoundThing:
    """Something on the table.

    x, y: the middle of its upper face, px of the photo. reach: half its width, px. chances: by
    kind, how probably one lies there, 0 to 1.
    """

    x: float
    y: float
    reach: float
    chances: tuple[float, ...]

    @property
    def chance(self) -> float:
        return max(self.chances)


def find_things(image: Image, network: str) -> list[FoundThing]:
    """The things that a network finds, the surest first. image: (H, W, 3) uint8 BGR."""
    boxed, factor = letterbox(image, THINGS_SIDE)
    height, width = image.shape[:2]
    found = [
        FoundThing(
            (thing.x + 0.5) / factor - 0.5, (thing.y + 0.5) / factor - 0.5,
            thing.reach / factor, thing.chances,
        )
        for thing in things_of_maps(run_network(network, boxed))
    ]  # fmt: skip
    return [thing for thing in found if 0 <= thing.x < width and 0 <= thing.y < height]


def things_of_maps(maps: Floats) -> list[FoundThing]:
    """The things in px of the network's input, the surest first.

    maps: (kinds + 1, H, W): logits that the middle of a thing of each kind is here; last, the
    logarithm of half its width in px.
    """
    chances = 1 / (1 + np.exp(-maps[:-1].astype(np.float64)))
    heat = chances.max(axis=0)
    # A thing's middle may lie between two px, which then share it.
    smooth = cv2.GaussianBlur(heat, (3, 3), 0.6)
    highest = cv2.dilate(smooth, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((smooth >= highest - 1e-12) & (heat >= MIN_PEAK))
    found: list[FoundThing] = []
    for place in np.argsort(-heat[rows, columns]):
        row, column = int(rows[place]), int(columns[place])
        top, left = max(0, row - 1), max(0, column - 1)
        near = heat[top : row + 2, left : column + 2]
        ys, xs = np.mgrid[top : top + near.shape[0], left : left + near.shape[1]]
        x, y = float((near * xs).sum() / near.sum()), float((near * ys).sum() / near.sum())
        thing = FoundThing(
            (x + 0.5) * THINGS_STRIDE - 0.5,
            (y + 0.5) * THINGS_STRIDE - 0.5,
            float(np.exp(np.clip(maps[-1, row, column], 0, 5))),
            tuple(float(chance) for chance in chances[:, row, column]),
        )
        if not any(_is_same(thing, other) for other in found):
            found.append(thing)
    return found


def _is_same(one: FoundThing, other: FoundThing) -> bool:
    return bool(np.hypot(one.x - other.x, one.y - other.y) < SAME * max(one.reach, other.reach))


def thing_face(image: Image, x: float, y: float, reach: float, pixels: int) -> Image:
    """A thing's picture, (pixels, pixels, 3), with what is around it."""
    side = 2 * FACE_REACH * reach
    if side > 2 * pixels:  # so that nothing is aliased
        factor = pixels / side
        half = int(np.ceil(FACE_REACH * reach)) + 2
        left, top = round(x) - half, round(y) - half
        around = cv2.copyMakeBorder(
            image[max(0, top) : top + 2 * half + 1, max(0, left) : left + 2 * half + 1],
            max(0, -top), max(0, top + 2 * half + 1 - image.shape[0]),
            max(0, -left), max(0, left + 2 * half + 1 - image.shape[1]), cv2.BORDER_REPLICATE,
        )  # fmt: skip
        x, y = x - left, y - top
        image = np.asarray(
            cv2.resize(around, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), np.uint8
        )
        x, y, side = (x + 0.5) * factor - 0.5, (y + 0.5) * factor - 0.5, float(pixels)
    step = side / pixels
    matrix = np.array([[step, 0, x - side / 2 + step / 2], [0, step, y - side / 2 + step / 2]])
    face = cv2.warpAffine(
        image, matrix, (pixels, pixels), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )  # fmt: skip
    return np.asarray(face, np.uint8)
