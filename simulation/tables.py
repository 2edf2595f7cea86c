"""Tables that sheets are photographed on: a surface and the things that lie about on it.

Frame: the image's pixels, x to the right, y down. The sheet itself is laid on later.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from brikks_vision.layout import Box, Point
from simulation.paper.canvas import Canvas, Image, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import BLACK, WHITE, Color, any_color, contrasting, hsv, mixed, varied
from simulation.paper.fonts import random_font, random_word
from simulation.paper.surfaces import add_grain, gradient, smooth_field

Mask = npt.NDArray[np.uint8]


# --- surfaces --------------------------------------------------------------------------------


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
            _greek(image, rng, (left, y), column - 8, 9 if head else 3, ink)
            y += 16 if head else 6
    return image


def _greek(
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


_SURFACES: tuple[Callable[[np.random.Generator, int, int], Image], ...] = (
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


# --- things ----------------------------------------------------------------------------------


def _blank_patch(height: int, width: int, color: Color) -> Image:
    """A BGRA patch, opaque all over."""
    return np.full((height, width, 4), (*color, 255), np.uint8)


def _cut_out(picture: Image, mask: Mask) -> Image:
    return np.asarray(cv2.merge([*cv2.split(picture), mask]), np.uint8)


def _paper_color(rng: np.random.Generator) -> Color:
    if chance(rng, 0.7):
        return hsv(rng.uniform(20, 60), rng.uniform(0, 0.08), rng.uniform(0.88, 1.0))
    return any_color(rng, (0.05, 0.5), (0.6, 1.0))


def _written_page(rng: np.random.Generator) -> Image:
    """A page of text with a heading, ruled now and then."""
    height, width = 560, 400
    paper = _paper_color(rng)
    page = np.full((height, width, 3), paper, np.uint8)
    ink = contrasting(rng, paper, 80, 0.6)
    canvas = Canvas(page, (0.0, 0.0), 1.0)
    canvas.fitted_text(random_word(rng, 8), (200.0, 40.0), (250.0, 26.0), ink, random_font(rng))
    step, tall = int(rng.integers(10, 26)), int(rng.integers(3, 9))
    ruled = chance(rng, 0.3)
    rule = mixed(paper, hsv(220, 0.6, 0.8), 0.5)
    for y in range(80, height - 30, step):
        if ruled:
            cv2.line(page, (20, y + tall + 2), (380, y + tall + 2), rule, 1)
        if chance(rng, 0.8):
            _greek(page, rng, (30, y), 340, tall, ink)
    return _cut_out(page, np.full((height, width), 255, np.uint8))


def _score_grid(rng: np.random.Generator) -> Image:
    """A page of another game or a puzzle: grids with coloured cells, numbers, circles, crosses."""
    height, width = int(rng.integers(380, 620)), int(rng.integers(330, 520))
    paper = _paper_color(rng) if chance(rng, 0.65) else any_color(rng, (0.2, 1), (0.1, 0.7))
    page = np.full((height, width, 3), paper, np.uint8)
    canvas = Canvas(page, (0.0, 0.0), 1.0)
    font, line = random_font(rng), contrasting(rng, paper, 60)
    rows, columns = int(rng.integers(3, 14)), int(rng.integers(3, 14))
    step = min((width - 60) / columns, (height - 130) / rows)
    colors = [any_color(rng, (0.0, 0.9), (0.6, 1.0)) for _ in range(int(rng.integers(1, 6)))]
    by_row = chance(rng, 0.4)
    wide = float(rng.uniform(1, 4))
    left, top = float(rng.uniform(15, 45)), float(rng.uniform(20, 90))
    round_cells = chance(rng, 0.2)
    for row in range(rows):
        for column in range(columns):
            x, y = left + column * step, top + row * step
            color = colors[(row if by_row else int(rng.integers(99))) % len(colors)]
            shape = rounded(Box(x, y, x + step, y + step), step / 2 if round_cells else 0.0)
            canvas.fill(shape, color)
            canvas.outline(shape, line, wide)
            if chance(rng, 0.2):
                middle = (x + step / 2, y + step / 2)
                if chance(rng, 0.6):
                    canvas.text(
                        str(int(rng.integers(1, 20))),
                        middle,
                        step * 0.45,
                        contrasting(rng, color, 70),
                        font,
                    )
                else:
                    canvas.disc(middle, step * 0.3, any_color(rng))
    bottom = top + rows * step + 25
    count = int(rng.integers(5, 16))
    for index in range(count):
        centre = (left + (index + 0.5) * (width - 2 * left) / count, bottom)
        if bottom < height - 15:
            canvas.disc(centre, 9, WHITE)
            canvas.ring(centre, 9, line, wide)
    return _cut_out(page, np.full((height, width), 255, np.uint8))


def _sudoku(rng: np.random.Generator) -> Image:
    side = 9 if chance(rng, 0.7) else int(rng.integers(4, 16))
    step = 44
    size = side * step + 60
    paper = _paper_color(rng)
    page = np.full((size, size, 3), paper, np.uint8)
    canvas, font = Canvas(page, (0.0, 0.0), 1.0), random_font(rng)
    ink = contrasting(rng, paper, 110, 0.3)
    for index in range(side + 1):
        wide = 4.0 if index % 3 == 0 else 1.5
        at = 30.0 + index * step
        canvas.path([(at, 30), (at, size - 30)], ink, wide)
        canvas.path([(30, at), (size - 30, at)], ink, wide)
    for row in range(side):
        for column in range(side):
            if chance(rng, 0.4):
                centre = (30 + (column + 0.5) * step, 30 + (row + 0.5) * step)
                canvas.text(str(int(rng.integers(1, 10))), centre, step * 0.5, ink, font)
    return _cut_out(page, np.full((size, size), 255, np.uint8))


def _card(rng: np.random.Generator) -> Image:
    """A playing card: face or back."""
    height, width = 350, 240
    paper = WHITE if chance(rng, 0.6) else any_color(rng)
    page = np.full((height, width, 3), paper, np.uint8)
    canvas, color = Canvas(page, (0.0, 0.0), 1.0), contrasting(rng, paper, 60)
    if chance(rng, 0.5):
        font = random_font(rng)
        sign = pick(rng, "A", "K", "7", "10", "Q", "3")
        canvas.text(sign, (30.0, 40.0), 40, color, font)
        canvas.text(sign, (width - 30.0, height - 40.0), 40, color, font)
        for _ in range(int(rng.integers(1, 10))):
            centre = (float(rng.uniform(70, 170)), float(rng.uniform(60, 290)))
            canvas.disc(centre, 18, color)
    else:
        for x in range(12, width, int(rng.integers(10, 40))):
            canvas.path([(x, 12), (width - x, height - 12)], color, 3)
        canvas.outline([(10, 10), (230, 10), (230, 340), (10, 340)], color, 6)
    mask = np.zeros((height, width), np.uint8)
    shape = rounded(Box(1.0, 1.0, width - 2.0, height - 2.0), 18.0)
    Canvas(mask, (0.0, 0.0), 1.0).fill(shape, WHITE)
    return _cut_out(page, mask)


def _die(rng: np.random.Generator) -> Image:
    """A die seen from above and a little from the side."""
    size = 120
    picture = np.zeros((size + 14, size, 3), np.uint8)
    mask = np.zeros((size + 14, size), np.uint8)
    canvas, cut = Canvas(picture, (0.0, 0.0), 1.0), Canvas(mask, (0.0, 0.0), 1.0)
    color = WHITE if chance(rng, 0.4) else any_color(rng)
    for y, share in ((13.0, 0.45), (0.0, 0.0)):
        shape = rounded(Box(1.0, y + 1, size - 2.0, y + size - 2.0), 20.0)
        canvas.fill(shape, mixed(color, BLACK, share))
        cut.fill(shape, WHITE)
    ink = contrasting(rng, color, 80)
    if chance(rng, 0.4):
        sign = str(int(rng.integers(1, 7)))
        canvas.text(sign, (size / 2, size / 2), 60, ink, random_font(rng))
    else:
        spots = ((30, 30), (90, 90), (30, 90), (90, 30), (60, 60), (30, 60), (90, 60))
        for x, y in spots[: int(rng.integers(1, 8))]:
            canvas.disc((float(x), float(y)), 11, ink)
    return _cut_out(picture, mask)


def _pen(rng: np.random.Generator) -> Image:
    """A pen or pencil, tip to the right, with a streak of light along it."""
    length, wide = 620, int(rng.integers(26, 56))
    color, cap = any_color(rng), any_color(rng)
    picture = np.zeros((wide, length, 3), np.uint8)
    picture[:] = color
    picture[:, : int(rng.integers(10, 200))] = cap
    picture[:, length - int(rng.integers(40, 120)) :] = any_color(rng, (0, 0.6))
    across = np.sin(np.linspace(0.25, 2.9, wide)) * 0.75 + 0.25
    streak = np.exp(-(((np.arange(wide) - wide * 0.35) / (wide * 0.08)) ** 2)) * 90
    shaded = picture * across[:, None, None] + streak[:, None, None]
    picture = np.clip(shaded, 0, 255).astype(np.uint8)
    mask = np.zeros((wide, length), np.uint8)
    tip = length - int(rng.integers(40, 90))
    half = wide / 2
    outline = [(0, 2), (tip, 1), (length - 2, half - 2), (length - 2, half + 2), (tip, wide - 2)]
    Canvas(mask, (0.0, 0.0), 1.0).fill([*outline, (0, wide - 3)], WHITE)
    return _cut_out(picture, mask)


def _cup(rng: np.random.Generator) -> Image:
    """A cup or glass from above, or a coaster or bowl."""
    size = 320
    picture, mask = np.zeros((size, size, 3), np.uint8), np.zeros((size, size), np.uint8)
    canvas, cut = Canvas(picture, (0.0, 0.0), 1.0), Canvas(mask, (0.0, 0.0), 1.0)
    middle = (size / 2, size / 2)
    wall = any_color(rng, (0, 0.7), (0.3, 1.0))
    cut.disc(middle, 118, WHITE)
    canvas.disc(middle, 118, mixed(wall, BLACK, 0.3))
    if chance(rng, 0.6):
        angle = rng.uniform(0, 6.3)
        end = (middle[0] + 155 * math.cos(angle), middle[1] + 155 * math.sin(angle))
        cut.stroke(middle, end, WHITE, 30)
        canvas.stroke(middle, end, mixed(wall, BLACK, 0.15), 30)
    canvas.disc(middle, 112, wall)
    drink = hsv(rng.uniform(0, 50), rng.uniform(0.2, 1.0), rng.uniform(0.05, 0.9))
    canvas.disc(middle, 98, mixed(wall, BLACK, 0.35))
    canvas.disc((middle[0] + 4, middle[1] + 4), 93, drink)
    canvas.disc((middle[0] - 40, middle[1] - 45), 14, mixed(drink, WHITE, 0.5))
    return _cut_out(picture, mask)


def _hand(rng: np.random.Generator) -> Image:
    """Fingers from the left on a fist, flat shaded."""
    height, width = 360, 520
    skin = hsv(rng.uniform(10, 28), rng.uniform(0.25, 0.65), rng.uniform(0.25, 0.98))
    picture, mask = np.zeros((height, width, 3), np.uint8), np.zeros((height, width), np.uint8)
    canvas, cut = Canvas(picture, (0.0, 0.0), 1.0), Canvas(mask, (0.0, 0.0), 1.0)
    sleeve = any_color(rng, (0, 1), (0.05, 0.9))
    canvas.box(Box(0.0, 60.0, 90.0, 320.0), sleeve)
    cut.box(Box(0.0, 60.0, 90.0, 320.0), WHITE)
    palm = rounded(Box(60.0, 40.0, 300.0, 330.0), 90.0)
    canvas.fill(palm, mixed(skin, BLACK, 0.12))
    cut.fill(palm, WHITE)
    for index in range(int(rng.integers(1, 5))):
        y = 75 + index * 68.0
        end = float(rng.uniform(330, 500))
        for shade, wide in ((mixed(skin, BLACK, 0.35), 66.0), (skin, 56.0)):
            canvas.path([(220, y), (end - 32, y + float(rng.normal(0, 4)))], shade, wide)
            cut.path([(220, y), (end - 32, y)], WHITE, wide)
        nail = (round(end - 14), round(y))
        cv2.ellipse(picture, nail, (16, 13), 0, 0, 360, mixed(skin, WHITE, 0.3), -1, cv2.LINE_AA)
    return _cut_out(picture, mask)


def _token(rng: np.random.Generator) -> Image:
    """A coin, counter or pawn."""
    size = 110
    picture, mask = np.zeros((size, size, 3), np.uint8), np.zeros((size, size), np.uint8)
    color, middle = any_color(rng, (0, 1), (0.2, 1)), (size / 2, size / 2)
    canvas = Canvas(picture, (0.0, 0.0), 1.0)
    Canvas(mask, (0.0, 0.0), 1.0).disc(middle, 52, WHITE)
    canvas.disc(middle, 53, mixed(color, BLACK, 0.3))
    canvas.disc((middle[0] - 2, middle[1] - 2), 44, color)
    if chance(rng, 0.5):
        sign = str(int(rng.integers(1, 51)))
        canvas.text(sign, middle, 40, contrasting(rng, color, 60), random_font(rng))
    return _cut_out(picture, mask)


_Thing = Callable[[np.random.Generator], Image]
# What lies about and how long its longer side is, as a share of the image's longer side.
_THINGS: tuple[tuple[_Thing, float, float], ...] = (
    (_written_page, 0.35, 0.9),
    (_score_grid, 0.3, 0.8),
    (_score_grid, 0.3, 0.8),
    (_sudoku, 0.2, 0.6),
    (_card, 0.1, 0.3),
    (_die, 0.03, 0.1),
    (_die, 0.03, 0.1),
    (_pen, 0.2, 0.55),
    (_pen, 0.2, 0.55),
    (_cup, 0.15, 0.4),
    (_hand, 0.25, 0.6),
    (_token, 0.03, 0.09),
)
# Things small enough to lie on a sheet's margin.
_SMALL_THINGS: tuple[tuple[_Thing, float, float], ...] = (
    (_die, 0.03, 0.08),
    (_pen, 0.2, 0.5),
    (_token, 0.03, 0.08),
    (_hand, 0.2, 0.4),
    (_card, 0.1, 0.25),
)


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
    things: tuple[tuple[_Thing, float, float], ...],
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
    surface = _SURFACES[int(rng.integers(len(_SURFACES)))]
    rows, columns = height // shrink + 1, width // shrink + 1
    if chance(rng, 0.5):
        small = surface(rng, rows, columns)
    else:
        small = np.ascontiguousarray(surface(rng, columns, rows).transpose(1, 0, 2))
    image = np.asarray(cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)
    if chance(rng, 0.5):
        add_grain(rng, image, float(rng.uniform(1, 8)))
    if chance(rng, 0.8):
        _scatter(image, rng, _THINGS, int(rng.integers(1, 8)))
    return image


def render_small_thing(rng: np.random.Generator) -> Image:
    """Something that may lie on a sheet's margin: uint8 BGRA, a few hundred px, for ``lay``."""
    make = _SMALL_THINGS[int(rng.integers(len(_SMALL_THINGS)))][0]
    return make(rng)
