"""Finds the places of the bonuses on an empty BLOXX! sheet: a 4 and a 2 for each coloured row.

They stand beside each other or one above the other, alike for all rows, outside of the grid.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.grounds import OFFSET, chroma
from brikks_vision.detect.placement import Image
from brikks_vision.detect.printed_digits import digit_shapes, glyphs, likeness
from brikks_vision.layout import Box, Point
from brikks_vision.rules.bloxx.sheet import BONUSES

# All set by hand on simulated printings (seeds 1 to 60). Lengths in cells.
WINDOW, STEP = 1.2, 0.35  # sides of the windows that digits are sought in, and between them
PARTS = (1.0, 0.65)  # of a window: the grounds of places beside each other differ
MIN_DIGIT, MIN_WEAK_DIGIT = 0.6, 0.45  # likeness of a digit found anywhere, and of one expected
SAME_PLACE = 0.2
MAX_APART = 2.2  # between the bonuses of one row
PLACE_ERROR = 0.12  # from where the others let one expect it
MAX_HEIGHT_RATIO = 1.35  # of digits of one print
PLACE_TO_DIGIT = 1.75  # side of a place by the height of its digit
MIN_CHROMA = 0.02  # of the ground of a place that tells its row
MAX_REGRET = 0.15  # of differences of hues, by which the order of reading is preferred


@dataclass(frozen=True)
class Digit:
    """A digit outside of the grid: which of `BONUSES` (an index), its likeness, where, how high."""

    bonus: int
    like: float
    x: float
    y: float
    height: float


@dataclass(frozen=True)
class BonusPlaces:
    """centres: for each coloured row, top first, those of its bonuses, the highest first.

    size: side of a place. confidence: the probability that all is right, 0 to 1.
    """

    centres: tuple[tuple[Point, ...], ...]
    size: float
    confidence: float


def find_digits(flat: Image, area: Box, pixels_per_cell: int, grid: Box) -> list[Digit]:
    """All that looks like a bonus outside of the grid.

    ``flat`` : uint8 BGR, rectified ``area`` at ``pixels_per_cell``. ``grid`` : beside which bonuses
    stand.
    """
    return _digits(flat, area, pixels_per_cell, grid)


def find_bonuses(
    flat: Image,
    area: Box,
    pixels_per_cell: int,
    digits: list[Digit],
    rows: Sequence[int],
    tints: NDArray[np.float64],
) -> BonusPlaces | None:
    """The places of the bonuses of coloured rows; None where no pair is found for each.

    Parameters
    ----------
    flat : as of `find_digits`, which found ``digits``.
    rows : the coloured ones, top first. tints : (rows, 3), logarithms of BGR beside plain rows.
    """
    pairs = _pairs(digits, rows)
    if len(pairs) != len(rows):
        return None
    heights = [digit.height for pair in pairs for digit in pair]
    size = PLACE_TO_DIGIT * float(np.median(heights))
    apart = min(np.hypot(one.x - other.x, one.y - other.y) for one, other in pairs)
    size = min(size, float(apart) - 0.04) if apart > 0.3 else size
    hues = np.array([_hue(flat, area, pixels_per_cell, pair, size) for pair in pairs])
    order = _order(pairs, rows, hues, chroma(tints))
    centres = tuple(tuple((digit.x, digit.y) for digit in pairs[at]) for at in order)
    like = float(np.mean([digit.like for pair in pairs for digit in pair]))
    return BonusPlaces(centres, size, min(0.99, like + 0.1))


def _digits(flat: Image, area: Box, pixels_per_cell: int, grid: Box) -> list[Digit]:
    """All that looks like a bonus outside of the grid, at one place once."""
    shapes = digit_shapes(BONUSES)
    side, found = round(WINDOW * pixels_per_cell), list[Digit]()
    for y in np.arange(area.top, area.bottom - WINDOW, STEP):
        for x in np.arange(area.left, area.right - WINDOW, STEP):
            inside = grid.left - 0.2 < x and x + WINDOW < grid.right + 0.2
            if y + WINDOW < grid.bottom + 0.3 and (inside or y + WINDOW < grid.top + 0.5):
                continue
            left = round((x - area.left) * pixels_per_cell)
            top = round((y - area.top) * pixels_per_cell)
            window = flat[top : top + side, left : left + side]
            near = glyphs(window, pixels_per_cell, PARTS)
            for glyph, likes in zip(
                near, likeness(near, shapes).max(axis=1, initial=0), strict=True
            ):
                bonus = int(likes.argmax())
                if likes[bonus] < MIN_WEAK_DIGIT:
                    continue
                place = (
                    area.left + (left + glyph.centre[0] + 0.5) / pixels_per_cell,
                    area.top + (top + glyph.centre[1] + 0.5) / pixels_per_cell,
                )
                if grid.left < place[0] < grid.right and grid.top < place[1] < grid.bottom:
                    continue
                height = glyph.size[1] / pixels_per_cell
                found.append(Digit(bonus, float(likes[bonus]), *place, height))
    found.sort(key=lambda digit: -digit.like)
    kept: list[Digit] = []
    for digit in found:
        if all(abs(digit.x - o.x) > SAME_PLACE or abs(digit.y - o.y) > SAME_PLACE for o in kept):
            kept.append(digit)
    return kept


Pair = tuple[Digit, Digit]


def _pairs(digits: list[Digit], rows: Sequence[int]) -> list[Pair]:
    """A pair for each coloured row, in the order of reading; fewer where not all are found."""
    high = [digit for digit in digits if digit.bonus == 0]
    low = [digit for digit in digits if digit.bonus == 1]
    best: list[Pair] = []
    for one in high:
        for other in low:
            offset = np.array([other.x - one.x, other.y - one.y])
            if np.hypot(*offset) > MAX_APART or not _alike(one, other):
                continue
            if min(one.like, other.like) < MIN_DIGIT or np.abs(offset).min() > PLACE_ERROR:
                continue
            pairs = _with_offset(high, low, offset, one)
            for chosen in _regular(pairs, rows):
                if _worth(chosen, rows) > _worth(best, rows):
                    best = chosen
    return sorted(best, key=lambda pair: (round(pair[0].y, 1), pair[0].x))


def _worth(pairs: list[Pair], rows: Sequence[int]) -> float:
    like = sum(digit.like for pair in pairs for digit in pair)
    apart = sum(abs(pair[0].x - pair[1].x) + abs(pair[0].y - pair[1].y) for pair in pairs)
    return like - 0.1 * apart - 2 * max(0, len(pairs) - len(rows))


def _alike(one: Digit, other: Digit) -> bool:
    return max(one.height, other.height) < MAX_HEIGHT_RATIO * min(one.height, other.height)


def _with_offset(
    high: list[Digit], low: list[Digit], offset: NDArray[np.float64], like: Digit
) -> list[Pair]:
    """The pairs with an offset, of digits as high as another."""
    pairs = []
    for one in high:
        if not _alike(one, like):
            continue
        near = [
            other
            for other in low
            if abs(other.x - one.x - offset[0]) < PLACE_ERROR
            and abs(other.y - one.y - offset[1]) < PLACE_ERROR
            and _alike(one, other)
        ]
        if near:
            pairs.append((one, max(near, key=lambda digit: digit.like)))
    return pairs


def _regular(pairs: list[Pair], rows: Sequence[int]) -> list[list[Pair]]:
    """Sets of as many pairs as there are rows: at equal distances, or each beside its row."""
    count = len(rows)
    beside = []
    for row in rows:
        own = [pair for pair in pairs if abs(pair[0].y - row - 0.5) < 2 * PLACE_ERROR]
        beside += [max(own, key=lambda pair: pair[0].like)] if own else []
    found = [beside] if len(beside) == count else []
    if count == 1:
        return found + [[pair] for pair in pairs]
    for one in pairs:
        for other in pairs:
            step = np.array([other[0].x - one[0].x, other[0].y - one[0].y])
            if not step.any() or np.abs(step).min() > PLACE_ERROR or step.sum() < 0:
                continue
            line = []
            for at in range(count):
                x, y = (one[0].x, one[0].y) + at * step
                near = [
                    pair
                    for pair in pairs
                    if abs(pair[0].x - x) < 2 * PLACE_ERROR and abs(pair[0].y - y) < 2 * PLACE_ERROR
                ]
                line += [max(near, key=lambda pair: pair[0].like)] if near else []
            if len(line) == count:
                found.append(line)
    return found


def _hue(
    flat: Image, area: Box, pixels_per_cell: int, pair: Pair, size: float
) -> NDArray[np.float64]:
    """The chroma (3,) of the places of a pair beside the ground around them; the strongest."""
    found = []
    for digit in pair:
        rim = _ring(flat, area, pixels_per_cell, digit, 0.6 * digit.height, 0.5 * size)
        around = _ring(flat, area, pixels_per_cell, digit, 0.75 * size, 1.1 * size)
        hue = chroma(np.log(np.median(rim, axis=0) + OFFSET))
        found += [hue - chroma(np.log(np.percentile(around, 75, axis=0) + OFFSET))]
        ink = _ring(flat, area, pixels_per_cell, digit, 0.0, 0.5 * size)
        colors = chroma(np.log(ink + OFFSET))
        found += [
            colors[np.linalg.norm(colors, axis=1).argsort()[-len(colors) // 4 :]].mean(axis=0)
        ]
    return np.asarray(max(found, key=lambda hue: float(np.linalg.norm(hue))), np.float64)


def _ring(
    flat: Image, area: Box, pixels_per_cell: int, digit: Digit, inner: float, outer: float
) -> NDArray[np.float64]:
    """The pixels (N, 3) of a square ring around a digit; half sides in cells."""
    x, y = (digit.x - area.left) * pixels_per_cell, (digit.y - area.top) * pixels_per_cell
    reach = outer * pixels_per_cell
    top, left = max(round(y - reach), 0), max(round(x - reach), 0)
    part = flat[top : round(y + reach) + 1, left : round(x + reach) + 1].astype(float)
    ys, xs = np.mgrid[0 : part.shape[0], 0 : part.shape[1]]
    away = np.maximum(np.abs(ys + top - y), np.abs(xs + left - x))
    return np.asarray(part[away >= inner * pixels_per_cell], np.float64)


def _order(
    pairs: list[Pair], rows: Sequence[int], hues: NDArray[np.float64], tints: NDArray[np.float64]
) -> tuple[int, ...]:
    """For each row the index of its pair: as they stand, unless colours clearly tell otherwise."""
    in_order = tuple(range(len(rows)))
    if all(abs(pair[0].y - row - 0.5) < 0.3 for pair, row in zip(pairs, rows, strict=True)):
        return in_order
    lengths = np.linalg.norm(hues, axis=1)
    if (lengths < MIN_CHROMA).any() or (np.linalg.norm(tints, axis=1) < MIN_CHROMA).any():
        return in_order
    own = hues / lengths[:, None]
    wanted = tints / np.linalg.norm(tints, axis=1, keepdims=True)
    away = np.linalg.norm(wanted[:, None] - own[None], axis=-1)
    costs = {
        order: float(away[list(in_order), list(order)].mean()) for order in permutations(in_order)
    }
    best = min(costs, key=costs.__getitem__)
    if costs[in_order] < costs[best] + MAX_REGRET:
        return in_order
    return best
