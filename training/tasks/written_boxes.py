"""Boxes of any print in which a player writes figures, photographed, beside their empty sheet.

Boxes of all shapes stand in rows, bare or with captions, signs between them or a minus sign within;
one hand fills them with figures of up to three digits. Its digits are a writer's strokes, drawn
ones, or scanned ones where `SCANS` names a folder of them.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.figures import figure_views
from brikks_vision.detect.marks import READER_PIXELS
from brikks_vision.detect.template import BLANK_PIXELS
from brikks_vision.layout import Box
from simulation.bloxx.hands import faint_pencil, thick_felt, with_pen
from simulation.bloxx.looks import legible_font, light_enough
from simulation.hand import MAX_TRIES, Hand, random_hand, shows_at
from simulation.handwriting import Glyph, load_writers, own_digit, vary
from simulation.marks import Ink, nearby
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Canvas, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import WHITE, Color, any_color, hsv, mixed, visible_on
from simulation.paper.fonts import Font
from simulation.paper.surfaces import gradient
from simulation.real_ink import Matte, load_mattes
from training.tasks.numbered_cells import straightened

SCANS = "BRIKKS_SCANNED_DIGITS"
"""The variable that names a folder of scanned digits: 0.json to 9.json, each with "data", the grey
levels (0 to 1) of pictures of 28 x 28 px, one after the other, such as those of MNIST."""

SCAN_SIDE, SCAN_FINER = 28, 3  # px; how many times as many they get
SCANS_HELD_OUT = 3  # every third is never trained on
SCALE = 44  # px per cell, of what is drawn
ROOM = 13.0, 7.0  # cells across and down that boxes fill
WIDTHS, HEIGHTS = (0.95, 3.5), (0.6, 1.85)  # cells
PIXELS = 15, 70  # of a photo, a cell
CAPTIONS, CAPTION_SHARES = ("none", "above", "within", "beside"), (0.4, 0.25, 0.25, 0.1)
WORDS = ("total", "Summe", "rows", "Reihen", "lignes", "Zahlen", "minus", "points", "score", "Name")
OUTLINES, OUTLINE_SHARES = ("line", "rounded", "ground", "under"), (0.5, 0.28, 0.14, 0.08)
DIGITS, DIGIT_SHARES = (0, 1, 2, 3), (0.12, 0.32, 0.46, 0.1)  # of a figure
PENCIL_SHARE, FELT_SHARE = 0.25, 0.15  # of the hands, beside any pen
MAX_PEN = 0.13  # of a box's height: digits of a wider pen are blots
SOURCES, SOURCE_SHARES = ("strokes", "scans", "drawn"), (0.5, 0.38, 0.12)
NOTHING_WRITTEN, DASH_WRITTEN = -1, -2  # instead of a number


@dataclass(frozen=True)
class Written:
    """What stands in a box.

    value: a number, `NOTHING_WRITTEN` or `DASH_WRITTEN`; signed: after a minus sign.
    """

    value: int
    signed: bool = False

    @property
    def text(self) -> str:
        number = {NOTHING_WRITTEN: "", DASH_WRITTEN: "-"}.get(self.value, str(self.value))
        return "-" * self.signed + number


@dataclass(frozen=True)
class Digits:
    """How a hand writes digits: strokes, or scans, of each; and how it sets them.

    size: of a box's height. wide: a digit's width by its height; step: from one to the next, by
    that width. side: where in a box they stand, -1 left to 1 right. minus: its length, by height.
    """

    glyphs: Mapping[str, tuple[Glyph, ...]]
    scans: Mapping[str, tuple[Matte, ...]]
    size: float
    wide: float
    step: float
    side: float
    minus: float


def written_boxes(
    rng: np.random.Generator, held_out: bool
) -> tuple[NDArray[np.uint8], list[Written]]:
    """Views of the boxes of one sheet, see `figure_views`, and what stands in each.

    ``held_out`` : by writers that are never trained on.
    """
    blank, boxes = _print(rng)
    hand = _hand_for(blank, boxes, rng, held_out)
    digits = _digits_of(hand, rng, held_out)
    ink = Ink(blank, hand.pen, rng)
    signed_share = float(rng.choice([0.0, 0.15, 0.5]))
    written = [_any_figure(rng, signed_share) for _ in boxes]
    for box, figure in zip(boxes, written, strict=True):
        if figure.text:
            _write(ink, hand, digits, figure.text, box)
        elif chance(rng, 0.1):  # a slip of the pen
            spot = np.array(box.middle) + rng.uniform(-0.5, 0.5, 2) * (box.width, box.height)
            ink.stroke(spot + rng.normal(0, 0.05, (2, 2)), hand.pen.width)
    whole = Box(-1.0, -1.0, ROOM[0] + 1, ROOM[1] + 1)
    inked = replace(blank, image=ink.on(blank))
    flat = straightened(inked, whole, whole, READER_PIXELS, PIXELS, rng)
    pixels = int(rng.integers(20, BLANK_PIXELS + 10))
    empty = straightened(blank, whole, whole, pixels, PIXELS, rng)
    aside = rng.normal(0, 0.03, (len(boxes), 2))
    centres = tuple((x + dx, y + dy) for (x, y), (dx, dy) in zip(
        (box.middle for box in boxes), aside.tolist(), strict=True
    ))  # fmt: skip
    sizes = [(box.width, box.height) for box in boxes]
    return figure_views(flat, whole, centres, sizes, empty, whole), written


def _any_figure(rng: np.random.Generator, signed_share: float) -> Written:
    count = int(rng.choice(DIGITS, p=DIGIT_SHARES))
    if not count:
        return Written(DASH_WRITTEN if chance(rng, 0.2) else NOTHING_WRITTEN)
    value = int(rng.integers(10 ** (count - 1) if count > 1 else 0, 10**count))
    return Written(value, chance(rng, signed_share))


# --- print -----------------------------------------------------------------------------------


def _print(rng: np.random.Generator) -> tuple[BlankSheet, list[Box]]:
    """Boxes on a page, and where they stand."""
    height = float(np.exp(rng.uniform(*np.log(HEIGHTS))))
    width = float(np.clip(height * np.exp(rng.uniform(np.log(0.95), np.log(3.6))), *WIDTHS))
    across, down = width + rng.uniform(0.25, 1.4), height + rng.uniform(0.2, 1.2)
    columns, rows = max(1, int(ROOM[0] / across)), max(1, int(ROOM[1] / down))
    middles = [
        ((column + 0.5) * across, (row + 0.5) * down)
        for row in range(rows)
        for column in range(columns)
    ]
    boxes = [Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2) for x, y in middles]
    page = pick(rng, light_enough(any_color(rng, (0, 0.25), (0.8, 1.0)), 190.0), WHITE)
    size = round((ROOM[1] + 2) * SCALE), round((ROOM[0] + 2) * SCALE)
    canvas = Canvas(gradient(rng, *size, (page,)), (SCALE, SCALE), SCALE)
    _draw_boxes(canvas, boxes, page, rng)
    return BlankSheet(canvas.image, canvas.origin, SCALE, "boxes", 0.0, False, False), boxes


def _draw_boxes(canvas: Canvas, boxes: list[Box], page: Color, rng: np.random.Generator) -> None:
    kind = str(rng.choice(OUTLINES, p=OUTLINE_SHARES))
    ground = pick(rng, page, page, WHITE, mixed(any_color(rng), WHITE, rng.uniform(0.6, 0.95)))
    if kind == "ground":
        ground = mixed(any_color(rng), WHITE, float(rng.uniform(0.5, 0.8)))
    dark = hsv(0, 0, float(rng.uniform(0, 0.5))) if chance(rng, 0.6) else any_color(rng)
    line = visible_on(dark, page, 40)
    width, radius = float(np.exp(rng.uniform(-4.2, -2.3))), float(rng.uniform(0.08, 0.45))
    font, ink = legible_font(rng), visible_on(dark, page, 60)
    captions = str(rng.choice(CAPTIONS, p=CAPTION_SHARES))
    has_signs, minus_share = chance(rng, 0.3), float(rng.choice([0.0, 0.25]))
    for box in boxes:
        shape = rounded(box, min(radius, box.height / 2)) if kind == "rounded" else box.corners
        canvas.fill(shape, ground)
        if kind == "under":
            canvas.stroke((box.left, box.bottom), (box.right, box.bottom), line, width)
        elif kind != "ground" or chance(rng, 0.2):
            canvas.outline(shape, line, width)
        _caption(canvas, box, captions, font, ink, rng)
        y = box.middle[1]
        if has_signs:
            sign = pick(rng, "+", "-", "=", "+")
            canvas.text(sign, (box.right + 0.15, y), 0.06 if sign == "-" else 0.25, ink, font)
        if chance(rng, minus_share):
            long = box.height * float(rng.uniform(0.12, 0.3))
            left = box.left + box.width * float(rng.uniform(0.06, 0.14))
            canvas.stroke((left, y), (left + long, y), ink, max(width, 0.03))


def _caption(
    canvas: Canvas, box: Box, where: str, font: Font, ink: Color, rng: np.random.Generator
) -> None:
    word, height = pick(rng, *WORDS), float(rng.uniform(0.12, 0.28))
    x, _ = box.middle
    if where == "above":
        at = (x, box.top - 0.6 * height)
    elif where == "within":
        height = min(height, 0.25 * box.height)
        at = (box.left + 0.3 * box.width, box.top + 0.9 * height)
    elif where == "beside":
        at = (box.left - 0.3, box.middle[1])
    else:
        return
    canvas.fitted_text(word, at, (0.55 * box.width, height), ink, font)


# --- hand ------------------------------------------------------------------------------------


def _hand_for(
    blank: BlankSheet, boxes: list[Box], rng: np.random.Generator, held_out: bool
) -> Hand:
    spots, widest = [box.middle for box in boxes[:3]], MAX_PEN * boxes[0].height
    for _ in range(MAX_TRIES):
        hand = random_hand(rng, load_writers(held_out), load_mattes(held_out))
        kind = rng.random()
        if kind < PENCIL_SHARE:
            hand = with_pen(hand, faint_pencil(rng))
        elif kind < PENCIL_SHARE + FELT_SHARE:
            hand = with_pen(hand, thick_felt(rng))
        if hand.pen.width <= widest and shows_at(hand, blank, spots):
            break
    return replace(hand, pen=replace(hand.pen, width=min(hand.pen.width, widest)))


def _digits_of(hand: Hand, rng: np.random.Generator, held_out: bool) -> Digits:
    source, scans = str(rng.choice(SOURCES, p=SOURCE_SHARES)), scanned_digits(held_out)
    glyphs = hand.digits
    if source == "drawn":
        glyphs = {digit: tuple(own_digit(rng, digit) for _ in range(2)) for digit in glyphs}
    chosen = {
        digit: tuple(each[int(at)] for at in rng.integers(len(each), size=2))
        for digit, each in scans.items()
    }
    return Digits(
        glyphs, chosen if source == "scans" else {}, float(rng.uniform(0.4, 0.9)),
        float(rng.uniform(0.55, 0.95)), float(rng.uniform(0.7, 1.15)),
        float(np.clip(rng.normal(0, 0.5), -1, 1)), float(rng.uniform(0.2, 0.6)),
    )  # fmt: skip


def _write(ink: Ink, hand: Hand, digits: Digits, text: str, box: Box) -> None:
    """Digits side by side in a box, after a minus sign where there is one; or a dash."""
    rng = ink.rng
    height = box.height * digits.size * float(rng.uniform(0.88, 1.1))
    long = sum(digits.minus + 0.15 if each == "-" else digits.wide * digits.step for each in text)
    height = min(height, 0.98 * box.width / long)
    room = max(0.0, box.width - height * long) / 2 - 0.08
    side = float(np.clip(digits.side + rng.normal(0, 0.2), -1, 1))
    x = box.middle[0] + side * max(0.0, room) - height * long / 2
    y = box.middle[1] + float(rng.normal(0, 0.05)) * box.height
    lean = float(rng.normal(0, 0.05))  # of the line that they stand on
    for each in text:
        step = height * (digits.minus + 0.15 if each == "-" else digits.wide * digits.step)
        at = nearby(rng, (x + step / 2, y + lean * (x - box.middle[0])), 0.02)
        if each == "-":
            ends = np.array([[-0.5, 0.0], [0.5, 0.0]]) * digits.minus
            ends += rng.normal(0, 0.03, (2, 2))
            ink.stroke(ends * height + at, hand.pen.width)
        elif digits.scans:
            mattes = digits.scans[each]
            matte = mattes[int(rng.integers(len(mattes)))]
            high, across = matte.density.shape
            wide = min(digits.wide * height, 1.3 * height * across / high)
            ink.stamp([matte], at, (wide, height), float(rng.normal(0, 0.06)))
        else:
            glyphs = digits.glyphs[each]
            for stroke in vary(rng, glyphs[int(rng.integers(len(glyphs)))], 0.6):
                ink.stroke(stroke * (digits.wide * height * 1.2, height) + at, hand.pen.width)
        x += step


@cache
def scanned_digits(held_out: bool) -> Mapping[str, tuple[Matte, ...]]:
    """Scanned digits, cut to their ink, to train on or held out; none where `SCANS` is not set."""
    folder = os.environ.get(SCANS)
    if folder is None:
        return {}
    digits = {}
    for digit in "0123456789":
        data = json.loads((Path(folder) / f"{digit}.json").read_text("utf-8"))["data"]
        pictures = np.array(data, np.float32).reshape(-1, SCAN_SIDE, SCAN_SIDE)
        number = np.arange(len(pictures))
        chosen = (number % SCANS_HELD_OUT == SCANS_HELD_OUT - 1) == held_out
        digits[digit] = tuple(map(_matte_of, pictures[chosen]))
    return digits


def _matte_of(picture: NDArray[np.float32]) -> Matte:
    side = SCAN_SIDE * SCAN_FINER
    fine = cv2.resize(picture, (side, side), interpolation=cv2.INTER_CUBIC)
    density = 1 / (1 + np.exp(-12 * (fine - 0.45)))
    rows, columns = (np.flatnonzero(density.max(axis) > 0.5) for axis in (1, 0))
    cut = density[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    padded = np.pad(cut, 2).astype(np.float32)
    far = cv2.distanceTransform((padded > 0.5).astype(np.uint8), cv2.DIST_L2, 5)
    return Matte(padded, float(2 * np.quantile(far[far > 0], 0.9)))
