"""Things that lie about on tables: papers, cards, dice, pens, cups, hands.

Each is a picture with coverage, uint8 BGRA.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
import numpy.typing as npt

from brikks_vision.layout import Box
from simulation.ground import draw_greek
from simulation.paper.canvas import Canvas, Image, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import BLACK, WHITE, Color, any_color, contrasting, hsv, mixed
from simulation.paper.fonts import random_font, random_word

Mask = npt.NDArray[np.uint8]


def _cut_out(picture: Image, mask: Mask | None = None) -> Image:
    """With its coverage; None where it is opaque all over."""
    whole = np.full(picture.shape[:2], 255, np.uint8) if mask is None else mask
    return np.asarray(cv2.merge([*cv2.split(picture), whole]), np.uint8)


def _drawing(height: int, width: int) -> tuple[Image, Mask, Canvas, Canvas]:
    """A black picture and its coverage, nothing yet, and a canvas of each."""
    picture, mask = np.zeros((height, width, 3), np.uint8), np.zeros((height, width), np.uint8)
    return picture, mask, Canvas(picture, (0.0, 0.0), 1.0), Canvas(mask, (0.0, 0.0), 1.0)


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
            draw_greek(page, rng, (30, y), 340, tall, ink)
    return _cut_out(page)


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
                    number = str(int(rng.integers(1, 20)))
                    canvas.text(number, middle, step * 0.45, contrasting(rng, color, 70), font)
                else:
                    canvas.disc(middle, step * 0.3, any_color(rng))
    bottom = top + rows * step + 25
    count = int(rng.integers(5, 16))
    for index in range(count):
        centre = (left + (index + 0.5) * (width - 2 * left) / count, bottom)
        if bottom < height - 15:
            canvas.disc(centre, 9, WHITE)
            canvas.ring(centre, 9, line, wide)
    return _cut_out(page)


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
    return _cut_out(page)


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
    picture, mask, canvas, cut = _drawing(size + 14, size)
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
    picture, mask, canvas, cut = _drawing(size, size)
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
    picture, mask, canvas, cut = _drawing(height, width)
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
    picture, mask, canvas, cut = _drawing(size, size)
    color, middle = any_color(rng, (0, 1), (0.2, 1)), (size / 2, size / 2)
    cut.disc(middle, 52, WHITE)
    canvas.disc(middle, 53, mixed(color, BLACK, 0.3))
    canvas.disc((middle[0] - 2, middle[1] - 2), 44, color)
    if chance(rng, 0.5):
        sign = str(int(rng.integers(1, 51)))
        canvas.text(sign, middle, 40, contrasting(rng, color, 60), random_font(rng))
    return _cut_out(picture, mask)


Thing = Callable[[np.random.Generator], Image]
# What lies about and how long its longer side is, as a share of the image's longer side.
THINGS: tuple[tuple[Thing, float, float], ...] = (
    (_written_page, 0.35, 0.9), (_score_grid, 0.3, 0.8), (_score_grid, 0.3, 0.8),
    (_sudoku, 0.2, 0.6), (_card, 0.1, 0.3), (_die, 0.03, 0.1), (_die, 0.03, 0.1),
    (_pen, 0.2, 0.55), (_pen, 0.2, 0.55), (_cup, 0.15, 0.4), (_hand, 0.25, 0.6),
    (_token, 0.03, 0.09),
)  # fmt: skip
# Things small enough to lie on a sheet's margin.
SMALL_THINGS: tuple[tuple[Thing, float, float], ...] = (
    (_die, 0.03, 0.08), (_pen, 0.2, 0.5), (_token, 0.03, 0.08), (_hand, 0.2, 0.4),
    (_card, 0.1, 0.25),
)  # fmt: skip
