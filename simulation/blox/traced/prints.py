"""What is printed: the board, the faces of chips and cards. Pictures as in `textures`."""

from __future__ import annotations

from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.rules.blox.board import FIELDS, SIDE, Board
from simulation.blox.traced.style import Print, Rgb
from simulation.blox.traced.textures import Floats, fractal, noise, wood
from simulation.paper.chances import chance, pick
from simulation.paper.fonts import Font, text_mask
from simulation.paper.fonts import random_font as any_font

FIELD_PIXELS = 128
CHIP_PIXELS = 160
CHIPS = (1, 2, 3, 4, 10)
_SQUARES = ((0.91, 0.55, 0.16), (0.94, 0.8, 0.24), (0.27, 0.71, 0.86), (0.88, 0.27, 0.2))
# Of ground and print.
_CHIPS = (
    ((0.95, 0.93, 0.86), (0.1, 0.1, 0.11)), ((0.11, 0.11, 0.13), (0.94, 0.84, 0.51)),
    ((0.8, 0.65, 0.31), (0.16, 0.11, 0.05)), ((0.96, 0.96, 0.96), (0.67, 0.12, 0.12)),
    ((0.16, 0.27, 0.51), (0.96, 0.96, 0.94)), ((0.87, 0.77, 0.59), (0.27, 0.16, 0.08)),
)  # fmt: skip
_CHIPS_BY_VALUE = (
    ((0.27, 0.51, 0.75), (1, 1, 1)), ((0.35, 0.59, 0.27), (1, 1, 1)),
    ((0.9, 0.67, 0.16), (0.16, 0.12, 0.04)), ((0.78, 0.24, 0.2), (1, 1, 1)),
    ((0.24, 0.2, 0.24), (1, 1, 1)),
)  # fmt: skip


def board_print(rng: np.random.Generator, board: Board, look: Print, has_folds: bool) -> Floats:
    """The whole board with its margin, its first row at the top."""
    image, margin = _ground(rng, look), round(look.margin * FIELD_PIXELS)
    inside = image[margin : len(image) - margin, margin : len(image) - margin]
    parted, gap = pick(rng, "line", "line", "gap", ""), 0.0
    cover = np.ones((FIELD_PIXELS, FIELD_PIXELS))
    if parted == "gap":
        gap = rng.uniform(0.03, 0.09)
        cover = _field_cover(gap, rng.uniform(0.02, 0.12))
    inside += np.tile(cover, (SIDE, SIDE))[..., None] * (_fields(rng, board, look) - inside)
    if parted == "line":
        _draw_lines(rng, inside)
    _draw_squares(rng, inside, board, look, gap)
    _draw_margin(rng, image, look, margin)
    if has_folds or (not look.is_wood and chance(rng, 0.2)):
        _fold(image)
        if chance(rng, 0.5):
            _fold(image.transpose(1, 0, 2))
    shape = image.shape[:2]
    image *= 1 + 0.012 * noise(rng, shape, 2, 2)[..., None]
    image += rng.uniform(0, 0.02) * np.clip(fractal(rng, shape, 115), 0, 3)[..., None]
    return np.clip(image, 0, 1)


def _ground(rng: np.random.Generator, look: Print) -> Floats:
    size = 2 * round(look.margin * FIELD_PIXELS) + SIDE * FIELD_PIXELS
    if look.is_wood:
        return wood(rng, size, look.margin_color, rng.uniform(25, 50), 0.18)
    shaded = 1 + 0.25 * np.linspace(-1, 1, size)[:, None]
    speckled = np.exp(0.22 * fractal(rng, (size, size), 23))
    light = pick(rng, np.ones((size, 1)), shaded, speckled)[..., None]
    return np.full((size, size, 3), light * look.margin_color, np.float32)


def _fields(rng: np.random.Generator, board: Board, look: Print) -> Floats:
    colors = np.array([look.shades[color] for color in board.colors]).reshape(SIDE, SIDE, 3)
    colors = np.clip(colors * (1 + rng.normal(0, 0.012, (SIDE, SIDE, 1))), 0, 1)
    image = colors.repeat(FIELD_PIXELS, 0).repeat(FIELD_PIXELS, 1)
    from_middle = np.abs(np.linspace(-1, 1, FIELD_PIXELS))
    away = np.tile(np.maximum.outer(from_middle, from_middle), (SIDE, SIDE))[..., None]
    art = "grain" if look.is_wood else pick(rng, "", "", "", "marble", "bevel", "frame")
    if art == "grain":
        image *= wood(rng, len(image), (0.5, 0.5, 0.5), 29, 0.1)[..., :1] / 0.46
    elif art == "marble":
        veins = fractal(rng, image.shape[:2], 40)
        image *= np.exp(rng.uniform(0.03, 0.07) * veins)[..., None]
    elif art == "bevel":
        image *= 1 - 0.22 * np.clip((away - 0.72) / 0.28, 0, 1)
    elif art == "frame":
        frame = 0.35 * ((away > 0.76) & (away < 0.82))
        image += frame * (np.where(image.mean(2, keepdims=True) < 0.4, 0.5, 0.25) - image)
    return np.asarray(image, np.float32)


def _field_cover(gap: float, rounding: float) -> NDArray[np.float64]:
    """How much of each pixel of a field its colour covers, 0 to 1: a rounded square."""
    radius = rounding * FIELD_PIXELS
    across = np.abs(np.arange(FIELD_PIXELS) - (FIELD_PIXELS - 1) / 2)
    beyond = np.maximum(across - (FIELD_PIXELS * (0.5 - gap / 2) - radius), 0)
    return np.asarray(np.clip(0.5 + radius - np.hypot.outer(beyond, beyond), 0, 1))


def _draw_lines(rng: np.random.Generator, fields: Floats) -> None:
    half = rng.uniform(0.007, 0.022) * FIELD_PIXELS
    color = pick(rng, (0.92, 0.91, 0.88), (0.06, 0.06, 0.07), (0.75, 0.66, 0.42))
    for at in np.arange(SIDE + 1) * FIELD_PIXELS:
        across = slice(max(0, int(at - half)), int(np.ceil(at + half)))
        fields[across] = color
        fields[:, across] = color


def _square_places(where: str, count: int, step: float, reach: float) -> list[tuple[float, float]]:
    """Middles of the squares from the middle of a field; reach: of those in its corners."""
    if where == "row":
        return [((number - (count - 1) / 2) * step, 0) for number in range(count)]
    if where == "edge":
        return [(number * step - reach, reach) for number in range(count)]
    if where == "dice":
        reach = step / 2
        if count in (1, 3):
            return [(0, 0), (-step, step), (step, -step)][:count]
    return [(-reach, -reach), (reach, reach), (reach, -reach), (-reach, reach)][:count]


def _draw_squares(
    rng: np.random.Generator, fields: Floats, board: Board, look: Print, gap: float
) -> None:
    size, where = rng.uniform(0.13, 0.21), pick(rng, "dice", "row", "corners", "edge")
    color = None if chance(rng, 1 / 3) else pick(rng, *_SQUARES)
    wide = max(2, int(size * FIELD_PIXELS * 0.2)) if chance(rng, 0.2) else -1
    for row, column in FIELDS:
        is_light = look.shades[board.color((row, column))].mean() > 0.4
        ink = color or ((0.12, 0.12, 0.13) if is_light else (0.93, 0.93, 0.9))
        count = board.squares_on((row, column))
        for x, y in _square_places(where, count, size * 1.35, 0.43 - gap / 2 - size / 2):
            middle = np.array([column + x, row + y]) + 0.5
            ends = np.rint(np.stack([middle - size / 2, middle + size / 2]) * FIELD_PIXELS)
            first, last = ends.astype(int).tolist()
            cv2.rectangle(fields, first, last, ink, wide)


def _draw_margin(rng: np.random.Generator, image: Floats, look: Print, margin: int) -> None:
    """A line, a title and ornaments in the corners."""
    size = len(image)
    ink = (0.88, 0.78, 0.5) if look.margin_color.mean() < 0.4 else (0.18, 0.14, 0.12)
    if chance(rng, 0.4):
        at = round(margin * 0.18)
        cv2.rectangle(image, (at, at), (size - at, size - at), ink, 3)
    if look.margin > 0.5 and (title := pick(rng, "BLOX", "B L O X", "", "")):
        stamp(image[:margin], title, random_font(rng), margin * 0.4, np.array(ink))
    sides = pick(rng, 0, 4, 24) if look.margin > 0.35 else 0
    turns = np.linspace(0, 2 * np.pi, sides, endpoint=False)
    rim = 0.28 * margin * np.stack([np.cos(turns), np.sin(turns)], 1)
    for middle in product((margin // 2, size - margin // 2), repeat=2) if sides else ():
        cv2.fillConvexPoly(image, np.rint(rim + middle).astype(np.int32), ink, cv2.LINE_AA)


def _fold(image: Floats) -> None:
    away = np.abs(np.arange(len(image)) - len(image) / 2)
    light = 1 - 0.55 * np.exp(-((away / 1.7) ** 2)) - 0.06 * np.exp(-((away / 13) ** 2))
    image *= light[:, None, None].astype(np.float32)


def stamp(image: Floats, text: str, font: Font, height: float, ink: Rgb) -> None:
    """Writes in the middle of the image, as high as told, or narrowed to fit."""
    mask = text_mask(text, font, height)
    most = int(image.shape[1] * 0.62)
    if mask.shape[1] > most:
        mask = np.asarray(cv2.resize(mask, (most, len(mask))), np.uint8)
    top, left = (image.shape[0] - len(mask)) // 2, (image.shape[1] - mask.shape[1]) // 2
    part = image[top : top + len(mask), left : left + mask.shape[1]]
    part += mask[..., None] / 255 * (ink - part)


def chip_faces(rng: np.random.Generator) -> Floats:
    """The faces of all chips side by side, and a sixth square for their rims."""
    size = CHIP_PIXELS
    image = np.full((size, size * 6, 3), (0.8, 0.75, 0.63), np.float32)
    colors = _CHIPS_BY_VALUE if chance(rng, 0.25) else (pick(rng, *_CHIPS),) * 5
    ring, font, high = pick(rng, 0, 1, 1, 2), random_font(rng), rng.uniform(0.36, 0.5)
    away = np.hypot.outer(*[np.arange(size) - size / 2] * 2) / size
    for number, value in enumerate(CHIPS):
        ground, ink = colors[number]
        face = image[:, number * size : (number + 1) * size]
        face[:] = ground
        if ring == 1:
            face[(away > 0.4) & (away < 0.43)] = ink
        elif ring == 2:
            face[away < 0.36] = ink
            ground, ink = ink, ground
        stamp(face, str(value), font, size * high, np.array(ink))
    return np.clip(image * (1 + 0.02 * noise(rng, image.shape[:2], 3, 3)[..., None]), 0, 1)


def card(color: Rgb, is_back: bool) -> Floats:
    """One side of a card."""
    image = np.full((384, 256, 3), 0.92, np.float32)
    cv2.rectangle(image, (16, 16), (239, 367), color.tolist(), -1)
    for step in range(6 if is_back else 0):
        first, last = (40 + 6 * step, 60 + 14 * step), (215 - 6 * step, 323 - 14 * step)
        cv2.rectangle(image, first, last, (0.9, 0.86, 0.78), 4)
    return image


def block_face(rng: np.random.Generator, color: Rgb, is_wood: bool) -> Floats:
    """What all blocks of a colour are cut from."""
    if is_wood:
        return wood(rng, 512, color * 1.06, rng.uniform(25, 60), 0.14)
    return np.clip(color * (1 + 0.02 * fractal(rng, (512, 512), 120, 3)[..., None]), 0, 1)


def random_font(rng: np.random.Generator) -> Font:
    """A font that has figures; some show the same sign for all that they lack."""
    while True:
        font = any_font(rng)
        three, four = (text_mask(figure, font, 40) for figure in ("3", "4"))
        if three.shape != four.shape or np.abs(three.astype(int) - four).mean() > 8:
            return font
