"""Finds the places of the bonuses on an empty BLOXX! sheet: a 4 and a 2 for each coloured row.

They stand beside each other or one above the other, alike for all rows, outside of the grid.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import ceil, factorial

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect import printed_digits
from brikks_vision.detect.ground import OFFSET, chroma
from brikks_vision.detect.placement import Image
from brikks_vision.detect.template import arranged
from brikks_vision.layout import Box, Point
from brikks_vision.rules.bloxx.sheet import BONUSES

# All set by hand on simulated printings (seeds 1 to 60). Lengths in cells.
MIN_SHAPE = 0.25  # likeness of a shape to a digit, from which on the network looks at it
ALIKE_PIXELS = 2.0  # shapes that lie and measure about the same are looked at once
MIN_DIGIT, MIN_WEAK_DIGIT = (
    0.6,
    0.45,
)  # likeness of a digit anywhere, and where one is expected
MIN_SEEN = 0.7  # share of the digits of an arrangement that must be seen: 7 of 10, 6 of 8
MIN_WHOLE = 2  # pairs of which both digits are seen, where there are so many
NOTHING_THERE = 0.5  # likeness that a digit loses where nothing stands in its other one's place
MOST_SHAPES, MOST_DIGITS = 600, 100  # looked at, and kept: on noise everything is a digit
SAME_PLACE = 0.2  # two digits that are nearer are one
SAME_LINE = 0.3  # from the highest place of a line down to others of it
MAX_APART = 2.2  # between the two bonuses of one row
MAX_BESIDE = 2.5  # beside the grid, where the two of one row may stand at both ends
PLACE_ERROR = 0.12  # between a place and where the others predict it
MAX_HEIGHT_RATIO = 1.35  # of digits of one print
PLACE_TO_DIGIT = 1.75  # side of a place over the height of its digit
COLOR_REACH = 0.8  # sides of a place, around its middle: the colour of its row is printed there
MIN_COLOR = 0.001  # mean square of chroma between pairs: less is the light, not the print
# log-odds of an order of the pairs, by hand, if the rows' colours explained all their differences
SHARE_WORTH = 30.0
# prior probabilities: pairs stand in the order of their rows, first or last one first
IN_ORDER, REVERSED = 0.8, 0.18


Array = NDArray[np.float64]


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
    """Where the bonuses of coloured rows stand.

    centres: those of each coloured row, top first; its highest bonus first. size: side of a place.
    reading: for each row, which pair is its own, in reading order. sure: the probability of that.
    unseen: how many digits were not seen; their places follow from the others.
    """

    centres: tuple[tuple[Point, ...], ...]
    size: float
    reading: tuple[int, ...]
    sure: tuple[float, ...]
    unseen: int

    @property
    def weight(self) -> int:
        """How many more digits were seen than not: a pair of which one is seen tells nothing."""
        return len(BONUSES) * len(self.centres) - 2 * self.unseen


def find_digits(flat: Image, area: Box, pixels_per_cell: int, grid: Box) -> list[Digit]:
    """All digits outside of the grid that look like bonuses, one a place and height.

    ``flat`` : uint8 BGR, rectified ``area`` at ``pixels_per_cell``. ``grid`` : beside which bonuses
    stand.
    """
    near = printed_digits.glyphs(flat, pixels_per_cell)
    shapes = printed_digits.likeness(near, printed_digits.digit_shapes(BONUSES)).max(
        axis=1, initial=-1.0
    )
    distinct: dict[tuple[int, ...], int] = {}
    for at in (-shapes.max(axis=1)).argsort().tolist():
        x, y = near[at].centre
        is_on_grid = (
            grid.left < area.left + (x + 0.5) / pixels_per_cell < grid.right
            and grid.top < area.top + (y + 0.5) / pixels_per_cell < grid.bottom
        )
        if shapes[at].max() >= MIN_SHAPE and not is_on_grid:
            distinct.setdefault(_rounded(near[at]), at)
    chosen = list(distinct.values())[:MOST_SHAPES]
    near = [near[at] for at in chosen]
    chances = printed_digits.chances_of_glyphs(flat, near)[
        :, [1 + printed_digits.VALUES.index(bonus) for bonus in BONUSES]
    ]
    likes = (shapes[chosen] + chances) / 2
    kept: list[Digit] = []
    for at in (-likes.max(axis=1, initial=0)).argsort().tolist():
        bonus = int(likes[at].argmax())
        x, y = (np.array(near[at].centre) + 0.5) / pixels_per_cell
        height = near[at].size[1] / pixels_per_cell
        digit = Digit(
            bonus, float(likes[at, bonus]), float(area.left + x), float(area.top + y), height
        )
        if (
            len(kept) < MOST_DIGITS
            and digit.like >= MIN_WEAK_DIGIT
            and all(
                abs(digit.x - o.x) > SAME_PLACE
                or abs(digit.y - o.y) > SAME_PLACE
                or not _alike(digit.height, o.height)  # a ring with its digit, a part of one
                for o in kept
            )
        ):
            kept.append(digit)
    return kept


def _rounded(glyph: printed_digits.Glyph) -> tuple[int, ...]:
    return tuple(round(each / ALIKE_PIXELS) for each in (*glyph.centre, glyph.size[1]))


def find_bonuses(
    flat: Image,
    area: Box,
    pixels_per_cell: int,
    digits: list[Digit],
    rows: Sequence[int],
    tints: Array,
    grid: Box,
    said: Mapping[int, int],
) -> BonusPlaces | None:
    """The places of the bonuses of coloured rows; None where no pair is found for each.

    Parameters
    ----------
    flat : as of `find_digits`, which found ``digits``.
    rows : the coloured ones, top first. tints : (rows, 3), logarithms of BGR beside plain rows.
    grid : beside which they stand. said : to which row those belong, the n-th in the order of
        reading, as a person says.
    """
    pairs = _pairs(digits, rows, grid, area)
    if len(pairs) != len(rows):
        return None
    places = np.array([pair.places for pair in pairs])
    heights = [
        digit.height for x, y in places.reshape(-1, 2) for digit in digits if _is_at(digit, x, y)
    ]
    size = min(PLACE_TO_DIGIT * float(np.median(heights)), _least_apart(pairs) - 0.04)
    between = [
        np.abs(one[:, None] - other[None]).max(axis=2).min()
        for at, one in enumerate(places)
        for other in places[:at]
    ]
    room = min(between, default=np.inf) / 2

    seen = _seen(flat, area, pixels_per_cell, pairs, min(COLOR_REACH * size, room))
    orders = [
        order
        for order in permutations(range(len(rows)))
        if all(order[rows.index(row)] == pair for pair, row in said.items())
    ] or [*permutations(range(len(rows)))]
    weights = _order_chances(orders, seen, tints, _are_beside(pairs, rows))
    order = orders[int(weights.argmax())]
    sure = tuple(
        float(sum(w for each, w in zip(orders, weights, strict=True) if each[at] == order[at]))
        for at in range(len(rows))
    )
    unseen = sum(len(BONUSES) - pair.seen for pair in pairs)
    return BonusPlaces(tuple(pairs[at].places for at in order), size, order, sure, unseen)


def _are_beside(pairs: Sequence[Pair], rows: Sequence[int]) -> bool:
    """Whether each pair stands beside its row."""
    heights = np.array([y for pair in pairs for _, y in pair.places])
    return bool(np.abs(heights - np.repeat(rows, len(BONUSES)) - 0.5).max() < 0.3)


def _order_chances(
    orders: Sequence[tuple[int, ...]], seen: Array, tints: Array, are_beside: bool
) -> Array:
    """How probable each order of pairs is: for each row the index of its pair.

    ``seen`` : see `_seen`. ``tints`` : as of `find_bonuses`. ``are_beside`` : see `_are_beside`.
    """
    count = len(tints)
    plain = tuple(range(count))
    priors = dict.fromkeys(orders, (1 - IN_ORDER - REVERSED) / factorial(count))
    priors |= {plain[::-1]: REVERSED, plain: 1e6 if are_beside else IN_ORDER}
    # all pairs are printed alike but for their colours, and dark ink has any chroma
    prints, level = chroma(np.log(seen + OFFSET)), seen.mean(axis=(0, 2)) / 255
    apart = (prints - prints.mean(axis=0)) * level[:, None]
    hues = chroma(tints)
    wanted = hues - hues.mean(axis=0)
    wanted = wanted / (np.linalg.norm(wanted) + 1e-9)
    power = float((apart**2).sum()) + MIN_COLOR * apart.shape[1]
    logs = []
    for order in orders:
        own = np.maximum(np.einsum("ipc,ic->p", apart[list(order)], wanted), 0)
        logs.append(SHARE_WORTH * float((own**2).sum()) / power + np.log(priors[order]))
    odds = np.exp(np.array(logs) - max(logs))
    return np.asarray(odds / odds.sum(), np.float64)


@dataclass(frozen=True)
class Pair:
    """The two bonuses of a row, the higher one first; one that is not seen has its place only.

    like: the sum of both likenesses; less where nothing is printed in the place of one.
    """

    places: tuple[Point, Point]
    like: float
    seen: int


def _pairs(digits: list[Digit], rows: Sequence[int], grid: Box, area: Box) -> list[Pair]:
    """A pair for each coloured row, in the order of reading; none where not all are found.

    Some digits may be missing: the others tell their places, which lie in ``area``, too.
    """
    high, low = ([digit for digit in digits if digit.bonus == bonus] for bonus in (0, 1))
    best: list[Pair] = []
    tried: list[tuple[Array, float]] = []
    for one in high:
        for other in low:
            offset = np.array([other.x - one.x, other.y - one.y])
            if min(one.like, other.like) < MIN_DIGIT or not _alike(one.height, other.height):
                continue
            if np.abs(offset).min() > PLACE_ERROR or not _belong(one, other, grid):
                continue
            known = any(
                np.abs(offset - before).max() < PLACE_ERROR / 2 and _alike(height, one.height, 1.1)
                for before, height in tried
            )
            if known:
                continue
            tried.append((offset, one.height))
            pairs = [
                pair
                for pair in _with_offset(digits, offset, one.height)
                if all(_lies_in(area, *place) for place in pair.places)
            ]
            for chosen in _arranged(pairs, rows):
                if _worth(chosen) > _worth(best):
                    best = chosen
    return [best[at] for at in reading_order([pair.places[0] for pair in best])]


def reading_order(places: Sequence[Sequence[float]]) -> list[int]:
    """The indices of places (x, y), in cells, line by line from the left."""
    lines: list[list[int]] = []
    for at in sorted(range(len(places)), key=lambda at: places[at][1]):
        if not lines or places[at][1] > places[lines[-1][0]][1] + SAME_LINE:
            lines.append([])
        lines[-1].append(at)
    return [at for line in lines for at in sorted(line, key=lambda at: places[at][0])]


def _belong(one: Digit, other: Digit, grid: Box) -> bool:
    """Whether two digits are near each other, or stand at both ends of one row."""
    if np.hypot(one.x - other.x, one.y - other.y) <= MAX_APART:
        return True
    left, right = sorted((one.x, other.x))
    beside = (
        grid.left - MAX_BESIDE < left < grid.left < grid.right < right < grid.right + MAX_BESIDE
    )
    return beside and grid.top < one.y < grid.bottom


def _worth(pairs: list[Pair]) -> float:
    apart = sum(float(np.ptp(pair.places, axis=0).sum()) for pair in pairs)
    return sum(pair.like for pair in pairs) - 0.1 * min(apart, len(pairs) * MAX_APART)


def _alike(one: float, other: float, ratio: float = MAX_HEIGHT_RATIO) -> bool:
    return max(one, other) < ratio * min(one, other)


def _with_offset(digits: list[Digit], offset: Array, height: float) -> list[Pair]:
    """The pairs with this offset, of digits about as high; a pair may lack one digit.

    In the place of that one something else is seen: a print that is misread, or a part of it.
    """
    alike = [digit for digit in digits if _alike(digit.height, height)]
    highs, lows = ([digit for digit in alike if digit.bonus == bonus] for bonus in (0, 1))
    pairs, taken = list[Pair](), set[Digit]()

    def like(own: Digit, expected: Point) -> float:
        is_printed = any(_is_at(digit, *expected) for digit in digits)
        return own.like - (0.0 if is_printed else NOTHING_THERE)

    for one in highs:
        expected = one.x + offset[0], one.y + offset[1]
        near = [digit for digit in lows if _is_at(digit, *expected)]
        if near:
            other = max(near, key=lambda digit: digit.like)
            taken.add(other)
            places = ((one.x, one.y), (other.x, other.y))
            pairs.append(Pair(places, one.like + other.like, 2))
        elif one.like >= MIN_DIGIT:
            pairs.append(Pair(((one.x, one.y), expected), like(one, expected), 1))
    for other in lows:
        if other not in taken and other.like >= MIN_DIGIT:
            expected = other.x - offset[0], other.y - offset[1]
            pairs.append(Pair((expected, (other.x, other.y)), like(other, expected), 1))
    return pairs


def _least_apart(pairs: Sequence[Pair]) -> float:
    """The least distance between any two places."""
    every = np.array([pair.places for pair in pairs]).reshape(-1, 2)
    apart = np.linalg.norm(every[:, None] - every[None], axis=2)
    return float(apart[~np.eye(len(every), dtype=bool)].min())


def _lies_in(area: Box, x: float, y: float) -> bool:
    return area.left < x < area.right and area.top < y < area.bottom


def _is_at(digit: Digit, x: float, y: float) -> bool:
    return abs(digit.x - x) < PLACE_ERROR and abs(digit.y - y) < PLACE_ERROR


def _arranged(pairs: list[Pair], rows: Sequence[int]) -> Iterator[list[Pair]]:
    """Sets of as many pairs as there are rows: beside them, or in lines of equal distances."""
    count = len(rows)
    if sum(pair.seen == 2 for pair in pairs) < min(count, MIN_WHOLE):
        return
    if count == 1:
        yield from ([pair] for pair in pairs if pair.seen == 2)
        return
    places = [Box(*pair.places[0], *pair.places[0]) for pair in pairs]
    sets = arranged(places, count, range(1, count + 1), 2 * PLACE_ERROR)
    at = np.array([pair.places[0] for pair in pairs])
    for x in at[:, 0].tolist():
        away = np.abs(at[None] - [[[x, row + 0.5]] for row in rows]).max(axis=2)
        if (away.min(axis=1) < 2 * PLACE_ERROR).all():
            sets.append(away.argmin(axis=1).tolist())
    least = ceil(MIN_SEEN * len(BONUSES) * count)
    for chosen in ([pairs[at] for at in each] for each in sets):
        if sum(pair.seen for pair in chosen) >= least and _least_apart(chosen) > SAME_PLACE:
            yield chosen


def _seen(
    flat: Image, area: Box, pixels_per_cell: int, pairs: Sequence[Pair], reach: float
) -> Array:
    """The picture (pairs, pixels, 3), BGR, in and around the places of pairs.

    A pixel is the same part of the print in each of them. ``reach`` : how far around the middles of
    the places, cells.
    """
    side = 2 * round(reach * pixels_per_cell) + 1
    smooth = cv2.blur(flat, (3, 3))
    parts = [
        cv2.getRectSubPix(
            smooth,
            (side, side),
            ((x - area.left) * pixels_per_cell - 0.5, (y - area.top) * pixels_per_cell - 0.5),
        )
        for pair in pairs
        for x, y in pair.places
    ]
    return np.array(parts, np.float64).reshape(len(pairs), -1, 3)
