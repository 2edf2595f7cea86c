"""Surfaces of tables: wood, cloth, stone, tiles, newspaper and others.

Frame: the image's pixels, x to the right, y down.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from brikks_vision.layout import Box
from simulation.paper.canvas import Canvas, Image, rounded
from simulation.paper.chances import chance
from simulation.paper.colors import BLACK, WHITE, Color, any_color, contrasting, hsv, mixed, varied
from simulation.paper.surfaces import gradient, smooth_field

Mask = npt.NDArray[np.uint8]


def _ramp(dark: Color, light: Color) -> npt.NDArray[np.uint8]:
    """A look-up table (256, 1, 3) from dark to light."""
    share = np.linspace(0, 1, 256)[:, None]
    return np.rint(np.array(dark) * (1 - share) + np.array(light) * share).astype(np.uint8)[:, None]


def _painted(values: Mask, dark: Color, light: Color) -> Image:
    """Grey values as colours between dark and light."""
    return np.asarray(cv2.applyColorMap(values, _ramp(dark, light)), np.uint8)


def _warped(values: Mask, rng: np.random.Generator, reach: float) -> Mask:
    """The values pushed about smoothly by up to ``reach`` px."""
    height, width = values.shape
    push = [
        (smooth_field(rng, height, width, 4, 4).astype(np.float32) - 128) * (reach / 128)
        for _ in range(2)
    ]
    across, down = np.meshgrid(
        np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32)
    )
    return np.asarray(
        cv2.remap(
            values,
            across + push[0],
            down + push[1],
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        ),
        np.uint8,
    )


def _wood(rng: np.random.Generator, height: int, width: int) -> Image:
    """Grain along one direction, in planks now and then."""
    hue = rng.uniform(12, 38)
    light = hsv(hue, rng.uniform(0.2, 0.75), rng.uniform(0.35, 0.95))
    dark = mixed(light, hsv(hue - 5, 0.8, 0.2), float(rng.uniform(0.2, 0.8)))
    coarse = smooth_field(rng, height, width, height // int(rng.integers(6, 40)), 3)
    fine = smooth_field(rng, height, width, height // 2, int(rng.integers(4, 16)))
    grain = cv2.addWeighted(coarse, 0.6, fine, float(rng.uniform(0.15, 0.4)), 10)
    if chance(rng, 0.5):
        rings = (coarse.astype(np.uint16) * int(rng.integers(3, 9)) % 256).astype(np.uint8)
        grain = cv2.addWeighted(grain, 0.6, rings, 0.4, 0)
    grain = _warped(np.asarray(grain, np.uint8), rng, rng.uniform(2, 25))
    image = _painted(grain, dark, light)
    if chance(rng, 0.5):
        step = int(height / rng.uniform(2, 9))
        for y in range(int(rng.integers(step)), height, step):
            plank = image[y : y + step]
            shade = rng.uniform(0.75, 1.05)
            np.copyto(plank, cv2.convertScaleAbs(plank, alpha=shade))
            cv2.line(image, (0, y), (width, y), mixed(dark, BLACK, 0.5), int(rng.integers(1, 3)))
    return image


def _plain(rng: np.random.Generator, height: int, width: int) -> Image:
    base = any_color(rng, (0.0, float(rng.beta(1.2, 2.0))), (0.15, 1.0))
    return gradient(rng, height, width, (base, varied(rng, base, 10, 0.1)))


def _dark(rng: np.random.Generator, height: int, width: int) -> Image:
    base = any_color(rng, (0.0, 0.6), (0.0, 0.22))
    return gradient(rng, height, width, (base, varied(rng, base, 15, 0.08)))


def _cloth(rng: np.random.Generator, height: int, width: int) -> Image:
    """Woven checks, stripes or plain weave."""
    first, second = any_color(rng, (0.0, 0.9), (0.2, 1.0)), any_color(rng, (0.0, 0.7), (0.3, 1.0))
    if chance(rng, 0.4):
        second = WHITE
    period = int(rng.integers(6, 90))
    share = rng.uniform(0.15, 0.6)
    across = (np.arange(width) % period < share * period).astype(np.uint8)
    down = (np.arange(height) % period < share * period).astype(np.uint8)
    kind = rng.random()
    if kind < 0.5:
        values = (across[None, :] + down[:, None]) * 127
    elif kind < 0.7:
        values = np.repeat(across[None, :] * 255, height, 0)
    else:
        values = np.full((height, width), int(rng.integers(256)), np.uint8)
    weave = ((np.arange(width)[None, :] + np.arange(height)[:, None]) % 2 * 12).astype(np.uint8)
    woven = cv2.addWeighted(np.asarray(values, np.uint8), 0.85, weave, 1.0, 0)
    woven = _warped(np.asarray(woven, np.uint8), rng, rng.uniform(0, 12))
    return _painted(woven, first, second)


def _marble(rng: np.random.Generator, height: int, width: int) -> Image:
    base = any_color(rng, (0.0, 0.2), (0.1, 1.0) if chance(rng, 0.4) else (0.8, 1.0))
    vein = mixed(base, contrasting(rng, base, 60, 0.4), float(rng.uniform(0.2, 0.8)))
    rough = cv2.addWeighted(
        smooth_field(rng, height, width, 5, 6),
        0.6,
        smooth_field(rng, height, width, 20, 26),
        0.4,
        0,
    )
    rough = _warped(np.asarray(rough, np.uint8), rng, 60)
    sharp = float(rng.uniform(4, 14))
    levels = np.clip(255 - np.abs(np.arange(256) - 128.0) * sharp, 0, 255).astype(np.uint8)
    return _painted(np.asarray(cv2.LUT(rough, levels), np.uint8), base, vein)


def _stone(rng: np.random.Generator, height: int, width: int) -> Image:
    """Specks of several sizes."""
    first, second = any_color(rng, (0.0, 0.3), (0.1, 0.9)), any_color(rng, (0.0, 0.3), (0.2, 1.0))
    step = int(rng.integers(1, 5))
    knots = rng.integers(0, 256, (height // step + 1, width // step + 1), dtype=np.uint8)
    values = cv2.resize(knots, (width, height), interpolation=cv2.INTER_LINEAR)
    values = cv2.addWeighted(values, 0.6, smooth_field(rng, height, width, 8, 10), 0.4, 0)
    return _painted(np.asarray(values, np.uint8), first, mixed(first, second, 0.6))


def _mat(rng: np.random.Generator, height: int, width: int) -> Image:
    """A playing mat or a game board: a field with a rim and ornaments."""
    image = _plain(rng, height, width) if chance(rng, 0.5) else _dark(rng, height, width)
    canvas = Canvas(image, (0.0, 0.0), 1.0)
    for _ in range(int(rng.integers(2, 14))):
        centre = (float(rng.uniform(0, width)), float(rng.uniform(0, height)))
        size, color = float(rng.uniform(0.03, 0.4)) * width, any_color(rng)
        if chance(rng, 0.5):
            canvas.ring(centre, size, color, float(rng.uniform(1, 8)))
        else:
            box = Box(centre[0] - size, centre[1] - size, centre[0] + size, centre[1] + size)
            canvas.outline(rounded(box, size * 0.2), color, float(rng.uniform(1, 8)))
    if chance(rng, 0.4):
        step, color = float(rng.uniform(15, 70)), any_color(rng)
        for x in np.arange(0, width, step):
            canvas.path([(x, 0), (x, height)], color, 1)
        for y in np.arange(0, height, step):
            canvas.path([(0, y), (width, y)], color, 1)
    return image


def _tiles(rng: np.random.Generator, height: int, width: int) -> Image:
    image = _stone(rng, height, width) if chance(rng, 0.5) else _plain(rng, height, width)
    joint = any_color(rng, (0.0, 0.2), (0.2, 0.9))
    step = int(rng.uniform(0.08, 0.45) * width)
    wide = int(rng.integers(1, 6))
    for x in range(int(rng.integers(step)), width, step):
        cv2.line(image, (x, 0), (x, height), joint, wide)
    for y in range(int(rng.integers(step)), height, step):
        cv2.line(image, (0, y), (width, y), joint, wide)
    return image


def _newspaper(rng: np.random.Generator, height: int, width: int) -> Image:
    paper = hsv(rng.uniform(25, 60), rng.uniform(0, 0.2), rng.uniform(0.75, 1.0))
    image = np.full((height, width, 3), paper, np.uint8)
    ink = hsv(0, 0, rng.uniform(0.05, 0.45))
    column = int(rng.uniform(0.12, 0.3) * width)
    for left in range(5, width, column):
        y = 4
        while y < height:
            if chance(rng, 0.08):
                tall = int(rng.integers(20, 90))
                picture = any_color(rng, (0, 0.5), (0.2, 0.8))
                cv2.rectangle(image, (left, y), (left + column - 8, y + tall), picture, -1)
                y += tall + 6
                continue
            head = chance(rng, 0.05)
            draw_greek(image, rng, (left, y), column - 8, 9 if head else 3, ink)
            y += 16 if head else 6
    return image


def draw_greek(
    image: Image,
    rng: np.random.Generator,
    start: tuple[int, int],
    width: int,
    tall: int,
    ink: Color,
) -> None:
    """One line of text too small to read: dashes for words."""
    x, y = start
    end = x + int(width * (1.0 if chance(rng, 0.8) else rng.uniform(0.3, 0.9)))
    while x < end:
        word = int(rng.uniform(1.5, 8) * tall)
        cv2.rectangle(image, (x, y), (min(x + word, end), y + tall - 1), ink, -1)
        x += word + tall


SURFACES: tuple[Callable[[np.random.Generator, int, int], Image], ...] = (
    _wood,
    _wood,
    _wood,
    _plain,
    _dark,
    _cloth,
    _cloth,
    _marble,
    _stone,
    _mat,
    _tiles,
    _newspaper,
)
