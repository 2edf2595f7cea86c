"""Finds loose things of some kinds that lie on a table, by a network."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import letterbox
from brikks_vision.detect.networks import run_network
from brikks_vision.detect.placement import Image

# Set by hand where no source is named.
MIN_PEAK = 0.1  # probability that a thing lies there; what is fainter is not looked at

Floats = NDArray[np.float32]

THINGS_SIDE = 320  # px of the picture that the network sees
THINGS_STRIDE = 4  # px of that picture for each px of its maps
SEEN = 0.3  # probability from which a thing tells where to look more closely
GOOD_REACH = 14.0  # px of the network's picture: half the width of a thing that is told well
ROOM = 4.0  # of a thing's reach around those that were seen; others may lie there
BETTER = 0.75  # of the photo's longer side: larger windows are not worth it
WINDOWS_IN_A_ROW = 4  # at most
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
    """The things that a network finds, the surest first. image: (H, W, 3) uint8 BGR.

    Where they are small, it looks again at the part of the photo in which they lie, more closely.
    """
    height, width = image.shape[:2]
    first = _seen_in(image, Window(0, 0, max(height, width)), network)
    windows = closer_windows(first, height, width)
    found = _merged(
        thing for window in windows for thing in _seen_in(image, window, network)
    ) if windows else first  # fmt: skip
    return [thing for thing in found if 0 <= thing.x < width and 0 <= thing.y < height]


class Window(NamedTuple):
    """A square part of a photo, px."""

    left: int
    top: int
    side: int


def closer_windows(found: Sequence[FoundThing], height: int, width: int) -> list[Window]:
    """Squares that cover the things that were found, in which they are large enough to be told.

    Empty where they are so in the whole photo.
    """
    sure = [thing for thing in found if thing.chance >= SEEN]
    if not sure:
        return []
    reach = float(np.median([thing.reach for thing in sure]))
    around = ROOM * reach
    left = max(0.0, min(thing.x for thing in sure) - around)
    top = max(0.0, min(thing.y for thing in sure) - around)
    right = min(float(width), max(thing.x for thing in sure) + around)
    bottom = min(float(height), max(thing.y for thing in sure) + around)
    side = max(THINGS_SIDE * reach / GOOD_REACH, max(right - left, bottom - top) / WINDOWS_IN_A_ROW)
    if side > BETTER * max(height, width):
        return []
    step = side - min(2 * around, side / 2)
    return [
        Window(round(x), round(y), round(side))
        for y in _starts(top, bottom, side, step)
        for x in _starts(left, right, side, step)
    ]


def _starts(low: float, high: float, side: float, step: float) -> list[float]:
    """Where windows begin that cover a stretch, overlapping."""
    if high - low <= side:
        return [(low + high - side) / 2]
    count = 1 + int(np.ceil((high - low - side) / step))
    return [float(start) for start in np.linspace(low, high - side, count)]


def _seen_in(image: Image, window: Window, network: str) -> list[FoundThing]:
    """The things whose middle lies in a part of the photo, in px of the whole photo."""
    height, width = image.shape[:2]
    left, top = max(0, window.left), max(0, window.top)
    part = image[
        top : min(height, window.top + window.side), left : min(width, window.left + window.side)
    ]
    boxed, factor = letterbox(part, THINGS_SIDE)
    return [
        FoundThing(
            (thing.x + 0.5) / factor - 0.5 + left, (thing.y + 0.5) / factor - 0.5 + top,
            thing.reach / factor, thing.chances,
        )
        for thing in things_of_maps(run_network(network, boxed))
    ]  # fmt: skip


def _merged(things: Iterable[FoundThing]) -> list[FoundThing]:
    """The surest first, without those that are the same as a surer one."""
    found: list[FoundThing] = []
    for thing in sorted(things, key=lambda thing: -thing.chance):
        if not any(_is_same(thing, other) for other in found):
            found.append(thing)
    return found


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
    found = []
    for row, column in zip(rows, columns, strict=True):
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
        found.append(thing)
    return _merged(found)


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
