"""Finds the boxes for the player's figures on an empty BLOXX! sheet, or lines to write them on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import inf

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.ground import OFFSET, chroma
from brikks_vision.detect.placement import Image
from brikks_vision.detect.template import MIN_BOX_HEIGHT, find_boxes, find_lines
from brikks_vision.layout import Box, Point, bounds

NAMES = ("rows", "numbers", "penalty", "total")
"""Figures in their order of reading. Source: the sum that the rules write."""

# All set by hand on simulated printings.
SAME_SIDE = 0.15  # of a side, by which boxes of one print differ at most
BORDER = 0.3  # cells, the same where of some the inside and of others the border is found
MAX_TOTAL_SIDE = 1.6  # of the same side of the others, of the box of the total
SAME_LINE = 0.4  # of a box's height, by which boxes of one line differ at most
SAME_PLACE = 0.3  # cells between the middles of two finds of one box
INNER = 0.6  # share of a box's area that a box within it has at least
MOST_BOXES = 60  # and lines, that are looked at
MAX_ALIKE = 12  # boxes of one size that are looked at
TWICE = 0.15  # by which a gap that one box lacks differs from twice the other one at most
LINE_GAP = 0.03  # cells from a line down to the box above the next one
RIM, NEAR = 0.2, 0.12  # cells around a box that are compared, and by which it may lie aside
MIN_LIKE, LIKE_LEAD = 0.6, 0.25  # correlation of two boxes, and how much more than at the other end
# cells beside a box where its ground is seen; how much that may differ from the one around bonuses
# (0.14 at most on paper, 0.19 and more in pictures and on cloths), at first and where none are
# found; of lightness less, as shadows fall on paper
BESIDE, OTHER_GROUND, SHADE_SHARE = (0.2, 0.35), (0.17, inf), 0.3
MAX_UNEVEN = 0.4  # of a side, by which the gaps between boxes in a line differ at most


def find_figure_boxes(
    flat: Image, area: Box, pixels_per_cell: int, taken: Sequence[Box], paper: Box
) -> tuple[Box, ...]:
    """The boxes for figures in the order of `NAMES`; none where four that belong are not found.

    ``flat`` : uint8 BGR, rectified ``area``. ``taken`` : parts of the sheet where they are not, the
    grid, then bonuses. ``paper`` : where they are.
    """

    def free(boxes: Sequence[Box]) -> list[Box]:
        return [
            box
            for box in boxes
            if not any(_meet(box, other) for other in taken) and _holds(paper, box.middle)
        ]

    lines = free(_below_each_other(find_lines(flat, area, pixels_per_cell)[:MOST_BOXES]))
    found = _innermost(free(find_boxes(flat, area, pixels_per_cell))[: 2 * MOST_BOXES])
    found = [box for box in found if not any(_is_through(line, box) for line in lines)][:MOST_BOXES]
    grey = np.asarray(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), np.uint8)
    bonuses = taken[1:]
    away = {
        box: _other_ground(flat, area, box, bonuses) if bonuses else 0.0 for box in (*found, *lines)
    }
    for most in OTHER_GROUND:
        boxes, under = ([box for box in each if away[box] <= most] for each in (found, lines))
        chosen = (
            _four(boxes, taken)
            or next(_completed(boxes, taken), ())
            or next(_lengthened(boxes, grey, area, taken), ())
            or _four([box for box in under if _is_one_of_four(box, under)], taken)
        )
        if chosen:
            return chosen
    return ()


def _other_ground(flat: Image, area: Box, box: Box, printed: Sequence[Box]) -> float:
    """How much the ground beside a box differs from that around other print, in hue and lightness.

    Pictures and cloths have rectangles, too. The second best of the four sides counts.

    ``printed`` : bonuses; the ground in the first is taken for the paper.
    """
    paper = _ground(flat, area, printed[0])
    usual = sorted(
        (each for each in _grounds(flat, area, bounds(printed[1:])) if each is not None),
        key=lambda each: _difference(each, paper),
    )[:2]  # of four: the others may lie in a picture
    sides = [each for each in _grounds(flat, area, box) if each is not None]
    away = sorted(min(_difference(each, other) for other in usual) for each in sides if usual)
    return away[min(1, len(away) - 1)] if away else 0.0


def _difference(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """Of two colours (3,), logarithms of BGR."""
    away = one - other
    return float(np.linalg.norm(chroma(away)) + SHADE_SHARE * abs(away.mean()))


def _grounds(flat: Image, area: Box, box: Box) -> Iterator[NDArray[np.float64] | None]:
    """The colour beside each side of a box, see `_ground`; None beyond the picture."""
    near, far = BESIDE
    for part in (
        Box(box.left, box.top - far, box.right, box.top - near),
        Box(box.left, box.bottom + near, box.right, box.bottom + far),
        Box(box.left - far, box.top, box.left - near, box.bottom),
        Box(box.right + near, box.top, box.right + far, box.bottom),
    ):
        found = _ground(flat, area, part)
        yield found if np.isfinite(found).all() else None


def _ground(flat: Image, area: Box, part: Box) -> NDArray[np.float64]:
    """The colour (3,) of most of a part, logarithms of BGR; not finite beyond the picture."""
    pixels = flat.shape[1] / area.width
    left, right = (max(0, round((x - area.left) * pixels)) for x in (part.left, part.right))
    top, bottom = (max(0, round((y - area.top) * pixels)) for y in (part.top, part.bottom))
    shown = flat[top:bottom, left:right].reshape(-1, 3)
    return np.log(np.median(shown, axis=0) + OFFSET) if len(shown) else np.full(3, np.inf)


def _four(found: Sequence[Box], taken: Sequence[Box]) -> tuple[Box, ...]:
    """Four boxes of a kind, of such sets the widest ones."""
    best: tuple[Box, ...] = ()
    for like in found:
        alike = _distinct([box for box in found if _alike(box, like)], like)[:MAX_ALIKE]
        larger = _distinct([box for box in found if _is_larger(box, like)], like)[:MAX_ALIKE]
        for chosen in _sets(alike, larger):
            is_free = not any(_meet(bounds(chosen), other) for other in taken)
            if is_free and (not best or chosen[0].width > best[0].width):
                best = chosen
    return best


def _is_through(line: Box, box: Box) -> bool:
    """Whether a line to write on runs through a box: what is seen around the line is none."""
    return (
        line.left < box.left + BORDER
        and line.right > box.right - BORDER
        and box.top + box.height / 4 < line.bottom < box.bottom - box.height / 4
    )


def _below_each_other(lines: Sequence[Box]) -> list[Box]:
    """The boxes above lines, no higher than it is from one to the next."""
    found = []
    for box in lines:
        apart = [
            abs(other.bottom - box.bottom) - LINE_GAP
            for other in lines
            if abs(other.left - box.left) < BORDER
            and abs(other.right - box.right) < BORDER
            and abs(other.bottom - box.bottom) > MIN_BOX_HEIGHT
        ]
        found.append(replace(box, top=box.bottom - min([box.height, *apart])))
    return found


def _is_one_of_four(line: Box, lines: Sequence[Box]) -> bool:
    """Whether a line to write on is one of four that are evenly apart."""
    alike = [box for box in lines if _alike(box, line)][:MAX_ALIKE]
    return any(
        line in chosen and (ordered := _in_order(chosen)) and _is_even(ordered)
        for chosen in combinations(alike, len(NAMES))
    )


def _lengthened(
    found: Sequence[Box], grey: NDArray[np.uint8], area: Box, taken: Sequence[Box]
) -> Iterator[tuple[Box, ...]]:
    """Four boxes in a line of which three beside each other are seen, and one looks like them."""
    pixels = grey.shape[1] / area.width
    for chosen in combinations(found[:MAX_ALIKE], len(NAMES) - 1):
        three = _in_order(chosen)
        if not three or not all(_alike(box, three[0]) for box in three) or not _is_even(three):
            continue
        away = np.subtract(three[-1].middle, three[0].middle) / (len(three) - 1)
        x, y = float(away[0]), float(away[1])
        ends = [
            Box(box.left + x * way, box.top + y * way, box.right + x * way, box.bottom + y * way)
            for box, way in ((three[0], -1), (three[-1], 1))
        ]
        likes = [
            max(_likeness(grey, pixels, area, end, box) for box in three)
            if not any(_meet(end, other) for other in taken)
            else -1.0
            for end in ends
        ]
        if max(likes) >= MIN_LIKE and abs(likes[0] - likes[1]) >= LIKE_LEAD:
            whole = _in_order([*three, ends[int(np.argmax(likes))]])
            if whole and not any(_meet(bounds(whole), other) for other in taken):
                yield whole


def _likeness(
    grey: NDArray[np.uint8], pixels: float, area: Box, place: Box, box: Box
) -> float:  # fmt: skip
    """How much a place looks like a box and what is around it, -1 to 1; nearby counts, too."""

    def around(middle: Point, reach: float) -> NDArray[np.uint8]:
        size = tuple(round((side + 2 * (RIM + reach)) * pixels) for side in (box.width, box.height))
        x, y = (
            (at - low) * pixels - 0.5 for at, low in zip(middle, (area.left, area.top), strict=True)
        )
        return np.asarray(cv2.getRectSubPix(grey, size, (x, y)), np.uint8)

    seen, like = around(place.middle, NEAR), around(box.middle, 0.0)
    return float(cv2.matchTemplate(seen, like, cv2.TM_CCOEFF_NORMED).max())


def _completed(found: Sequence[Box], taken: Sequence[Box]) -> Iterator[tuple[Box, ...]]:
    """Four boxes in a line of which three are seen: a gap as wide as two tells where one lacks."""
    for chosen in combinations(found[:MAX_ALIKE], len(NAMES) - 1):
        three = _in_order(chosen)
        if not three or not all(_alike(box, three[0]) for box in three):
            continue
        steps = np.diff([box.middle for box in three], axis=0)
        lengths = np.linalg.norm(steps, axis=1)
        wide = int(lengths.argmax())
        is_straight = np.abs(steps[wide] - 2 * steps[1 - wide]).max() < 2 * TWICE * lengths.min()
        if not is_straight or np.abs(steps).min(axis=1).max() > SAME_LINE * three[0].height:
            continue
        across, down = steps[1 - wide]
        box = three[wide]
        lacking = Box(box.left + across, box.top + down, box.right + across, box.bottom + down)
        whole = _in_order([*three, lacking])
        if whole and not any(_meet(bounds(whole), other) for other in taken):
            yield whole


def _innermost(boxes: Sequence[Box]) -> list[Box]:
    """Without those that lie closely around others, with their lines or captions."""
    return [
        box
        for box in boxes
        if not any(
            _holds(box, other.middle)
            and INNER < other.width * other.height / (box.width * box.height) < 1
            and other.width < box.width + SAME_PLACE
            and other.height < box.height + SAME_PLACE
            for other in boxes
        )
    ]


def _alike(box: Box, like: Box) -> bool:
    return abs(box.width - like.width) < max(SAME_SIDE * like.width, BORDER) and abs(
        box.height - like.height
    ) < max(SAME_SIDE * like.height, BORDER)


def _is_larger(box: Box, like: Box) -> bool:
    """Whether it may be the box of a total, larger than the others."""
    ratios = box.width / like.width, box.height / like.height
    return min(ratios) > 1 - SAME_SIDE and 1 + SAME_SIDE < max(ratios) < MAX_TOTAL_SIDE


def _distinct(boxes: Sequence[Box], like: Box) -> list[Box]:
    """Of boxes in one place the one that is most like another."""
    kept: list[Box] = []
    for box in sorted(
        boxes, key=lambda box: abs(box.width - like.width) + abs(box.height - like.height)
    ):
        if all(np.abs(np.subtract(box.middle, o.middle)).max() > SAME_PLACE for o in kept):
            kept.append(box)
    return kept


def _sets(alike: Sequence[Box], larger: Sequence[Box]) -> Iterator[tuple[Box, ...]]:
    """Four boxes each, in their order of reading: four of a kind, or three and a larger last."""
    count = len(NAMES)
    for chosen in combinations(alike, count):
        ordered = _in_order(chosen)
        if ordered and (len(alike) == count or _is_even(ordered)):
            yield ordered
    for first in combinations(alike, count - 1):
        for last in larger:
            ordered = _in_order([*first, last])
            if ordered and ordered[-1] is last and _is_even(ordered):
                yield ordered


def _in_order(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """Line by line from the left; none where some lie on each other."""
    if any(_meet(one, other) for one, other in combinations(boxes, 2)):
        return ()
    lines: list[list[Box]] = []
    for box in sorted(boxes, key=lambda box: box.middle[1]):
        if lines and box.middle[1] - lines[-1][0].middle[1] < SAME_LINE * box.height:
            lines[-1].append(box)
        else:
            lines.append([box])
    return tuple(box for line in lines for box in sorted(line, key=lambda box: box.left))


def _is_even(boxes: Sequence[Box]) -> bool:
    """Whether boxes in order make one line or one column of even gaps, or a square."""
    middles = np.array([box.middle for box in boxes])
    sides = np.array([(box.width, box.height) for box in boxes]).min(axis=0)
    for axis in (0, 1):
        across = np.ptp(middles[:, 1 - axis])
        ends = np.array([(b.left, b.right) if axis == 0 else (b.top, b.bottom) for b in boxes])
        gaps = ends[1:, 0] - ends[:-1, 1]
        if across < SAME_LINE * sides[1 - axis]:
            return bool(np.ptp(gaps) < MAX_UNEVEN * sides[axis])
    if len(boxes) < len(NAMES):
        return False
    square = middles.reshape(2, 2, 2)  # lines, boxes, (x, y)
    away = np.abs(square[1, :, 0] - square[0, :, 0]).max(), np.ptp(square[..., 1], axis=1).max()
    return bool(away[0] < SAME_LINE * sides[0] and away[1] < SAME_LINE * sides[1])


def _holds(box: Box, point: Point) -> bool:
    return box.left < point[0] < box.right and box.top < point[1] < box.bottom


def _meet(one: Box, other: Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )
