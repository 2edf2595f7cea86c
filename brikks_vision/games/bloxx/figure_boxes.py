"""Finds the boxes for the player's figures on an empty BLOXX! sheet."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from brikks_vision.detect.boxes import find_boxes
from brikks_vision.detect.placement import Image
from brikks_vision.layout import Box, Point, bounds

NAMES = ("rows", "numbers", "penalty", "total")
"""Figures in their order of reading. Source: the sum that the rules write."""

# All set by hand on simulated printings.
SAME_SIDE = 0.15  # of a side, by which boxes of one print differ at most
SAME_LINE = 0.4  # of a box's height, by which boxes of one line differ at most

Boxes = tuple[tuple[Point, ...], tuple[float, float]]
"""Centres of the boxes in the order of `NAMES`, and their width and height, in cells."""


def find_figure_boxes(
    flat: Image, area: Box, pixels_per_cell: int, taken: Sequence[Box]
) -> Boxes | None:
    """The boxes for figures; None where four equal ones are not found.

    ``flat`` : uint8 BGR, rectified ``area``. ``taken`` : parts of the sheet where they are not.
    """
    found = [
        box
        for box in find_boxes(flat, area, pixels_per_cell)
        if not any(_meet(box, other) for other in taken)
    ]
    best: list[Box] | None = None
    for like in found:
        alike = [
            box
            for box in found
            if abs(box.width - like.width) < SAME_SIDE * like.width
            and abs(box.height - like.height) < SAME_SIDE * like.height
        ]
        if len(alike) != len(NAMES) or any(_meet(bounds(alike), other) for other in taken):
            continue  # they stand together
        if best is None or like.width > best[0].width:
            best = alike
    if best is None:
        return None
    ordered = sorted(best, key=lambda box: box.top)
    lines: list[list[Box]] = []
    for box in ordered:
        if lines and box.top - lines[-1][0].top < SAME_LINE * box.height:
            lines[-1].append(box)
        else:
            lines.append([box])
    reading = [box for line in lines for box in sorted(line, key=lambda box: box.left)]
    centres = tuple(box.middle for box in reading)
    size = (
        float(np.median([box.width for box in best])),
        float(np.median([box.height for box in best])),
    )
    return centres, size


def _meet(one: Box, other: Box) -> bool:
    return (
        one.left < other.right
        and other.left < one.right
        and one.top < other.bottom
        and other.top < one.bottom
    )
