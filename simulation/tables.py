"""Tables that sheets are photographed on: a surface and the things that lie about on it.

Frame: the image's pixels, x to the right, y down. The sheet itself is laid on later.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
import numpy.typing as npt

from brikks_vision.layout import Point
from simulation.ground import SURFACES
from simulation.paper.canvas import Image
from simulation.paper.chances import chance
from simulation.paper.surfaces import add_grain
from simulation.things import SMALL_THINGS, THINGS, Thing

Mask = npt.NDArray[np.uint8]


def lay(
    image: Image,
    patch: Image,
    centre: Point,
    angle: float,
    length: float,
    shadow: float,
) -> None:
    """Lay a BGRA patch on the image in place.

    ``centre`` in px, ``angle`` in degrees, ``length``: of the patch's longer side in px,
    ``shadow``: 0 (none) to 1 (black). Parts outside the image are cut off.
    """
    rows, columns = patch.shape[:2]
    scale = length / max(rows, columns)
    reach = round(math.hypot(rows, columns) * scale / 2) + 3
    soft = max(2, round(length * 0.015)) if shadow else 0
    left, top = round(centre[0]) - reach, round(centre[1]) - reach
    x0, y0 = max(left, 0), max(top, 0)
    x1 = min(left + 2 * reach + 3 * soft, image.shape[1])
    y1 = min(top + 2 * reach + 3 * soft, image.shape[0])
    if x1 - x0 < 3 or y1 - y0 < 3:
        return
    turn = cv2.getRotationMatrix2D((columns / 2, rows / 2), angle, scale)
    turn[:, 2] += (centre[0] - x0 - columns / 2, centre[1] - y0 - rows / 2)
    small = cv2.warpAffine(patch, turn, (x1 - x0, y1 - y0), flags=cv2.INTER_LINEAR)
    part = image[y0:y1, x0:x1]
    alpha = small[:, :, 3]
    if shadow:
        quarter = cv2.resize(alpha, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_NEAREST)
        size = soft // 2 * 2 + 1
        quarter = cv2.blur(quarter, (size, size))
        move = np.array([[1, 0, soft / 4], [0, 1, soft / 4]], np.float32)
        quarter = cv2.warpAffine(quarter, move, (quarter.shape[1], quarter.shape[0]))
        shade = cv2.resize(quarter, (x1 - x0, y1 - y0), interpolation=cv2.INTER_LINEAR)
        shade = cv2.convertScaleAbs(shade, alpha=-shadow, beta=255)
        cv2.multiply(part, cv2.merge([shade] * 3), dst=part, scale=1 / 255)
    _, hard = cv2.threshold(alpha, 127, 255, cv2.THRESH_BINARY)
    cv2.copyTo(np.ascontiguousarray(small[:, :, :3]), hard, part)


def _scatter(
    image: Image,
    rng: np.random.Generator,
    things: tuple[tuple[Thing, float, float], ...],
    count: int,
) -> None:
    height, width = image.shape[:2]
    shadow = float(rng.uniform(0.1, 0.6))
    for _ in range(count):
        make, least, most = things[int(rng.integers(len(things)))]
        lay(
            image,
            make(rng),
            (float(rng.uniform(0, width)), float(rng.uniform(0, height))),
            float(rng.uniform(0, 360)),
            float(rng.uniform(least, most)) * max(height, width),
            shadow,
        )


def render_table(rng: np.random.Generator, width: int, height: int) -> Image:
    """A table top with things on it, uint8 BGR (height, width, 3)."""
    shrink = int(rng.integers(2, 5))
    surface = SURFACES[int(rng.integers(len(SURFACES)))]
    rows, columns = height // shrink + 1, width // shrink + 1
    if chance(rng, 0.5):
        small = surface(rng, rows, columns)
    else:
        small = np.ascontiguousarray(surface(rng, columns, rows).transpose(1, 0, 2))
    image = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    if chance(rng, 0.5):
        add_grain(rng, image, float(rng.uniform(1, 8)))
    if chance(rng, 0.8):
        _scatter(image, rng, THINGS, int(rng.integers(1, 8)))
    return image


def render_small_thing(rng: np.random.Generator) -> Image:
    """Something that may lie on a sheet's margin: uint8 BGRA, a few hundred px, for ``lay``."""
    make = SMALL_THINGS[int(rng.integers(len(SMALL_THINGS)))][0]
    return make(rng)
