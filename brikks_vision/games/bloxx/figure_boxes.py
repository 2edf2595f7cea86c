"""Finds the boxes for the player's figures on an empty BLOXX! sheet, or lines to write them on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

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
MOST_BOXES = 60  # or lines, that are looked at
LINE_GAP = 0.03  # cells from a line down to the box above the next one
MAX_ALIKE = 12  # boxes of one size that are looked at
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
    boxes = _innermost(free(find_boxes(flat, area, pixels_per_cell)))
    boxes = [box for box in boxes if not any(_is_through(line, box) for line in lines)]
    return _four(boxes[:MOST_BOXES], taken) or _four(lines, taken)


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
