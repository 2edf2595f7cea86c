"""Finds how far the paper reaches around the part of a sheet that is known to lie in the photo.

Paper ends at four straight edges, nearly parallel to the grid, that reach from corner to corner and
no further. Lines that stand out along a whole side are sought, and the best quadrangle of such
lines is taken: it is large, and its strong sides end at its corners. A panel that is printed on
the paper is smaller; the edges of other things beside the paper go on beyond its corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.layout import Box

# Set by hand on 38 simulated empty sheets of two renderers: nine in ten sides were found within
# 0.4 cells on plain paper, three in four on paper full of pictures.
REACH = 5.0  # cells beyond the inner part in which edges are sought
PIXELS = 12  # px per cell
STRIP, GAP = 3, 3  # px: width of the strips on both sides of a line, and from one to the other
SLOPES = np.linspace(-0.06, 0.06, 13)  # of an edge, relative to the grid
STEP = 4  # px between the samples along a line
SHARE = 25  # percentile of the contrast at these samples that counts for the line
MIN_CONTRAST = 4.0  # units of Lab that a line must stand out by
FULL_CONTRAST = 15.0  # units of Lab; more contrast counts no more
MAX_LINES = 4  # candidates on each side
APART = 5  # px, the least distance of two lines on one side
CORNER, BEYOND = 4, 14  # px beyond a corner, from and to, where a side must not go on
PENALTY = 0.8  # for a side that goes on with the same contrast
AREA_WORTH = 5.0  # weight of the logarithm of the area

Differences = NDArray[np.float32]
"""(height, width, 3): the difference of the colours right and left of each pixel."""


@dataclass(frozen=True)
class Line:
    """A line across a picture: at ``at`` px in the middle of the inner part, and its slope."""

    at: int
    slope: float


def paper_box(image: Image, placement: Placement, inner: Box, reach: float = REACH) -> Box:
    """The part of the sheet frame that the paper covers; ``inner`` where none of its edges is seen.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3).
    placement : of the sheet in it, good ``reach`` cells around ``inner``.
    inner : what lies on the paper for sure, cells.
    reach : beyond ``inner`` edges are sought, cells.
    """
    area = inner.grown(reach)
    flat = rectify(image, placement, area, PIXELS).astype(np.float32) / 255
    blurred = cv2.GaussianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2LAB), (0, 0), 1.0)
    lab = np.asarray(blurred, np.float32)
    across, down = _differences(lab), _differences(np.ascontiguousarray(lab.swapaxes(0, 1)))
    height, width = lab.shape[:2]
    rim = round(reach * PIXELS)
    columns, rows = (rim, width - rim), (rim, height - rim)
    sides = [
        [*_lines(differences, along, low, high), None]
        for differences, along, of_axis in ((across, rows, columns), (down, columns, rows))
        for low, high in ((STRIP, of_axis[0]), (of_axis[1], len(differences[0]) - STRIP))
    ]
    best: Sequence[Line | None] = (None,) * 4
    most = 0.0
    for chosen in product(*sides):
        left, right = _ends(chosen[0], chosen[1], columns)
        top, bottom = _ends(chosen[2], chosen[3], rows)
        worths = [
            _worth(differences, line, along, ends)
            for line, differences, along, ends in zip(
                chosen, (across, across, down, down), (rows, rows, columns, columns),
                ((top, bottom),) * 2 + ((left, right),) * 2, strict=True,
            )
            if line is not None
        ]  # fmt: skip
        if None in worths:
            continue
        size = (right - left) * (bottom - top) / ((columns[1] - columns[0]) * (rows[1] - rows[0]))
        worth = sum(each for each in worths if each is not None) + AREA_WORTH * np.log(size)
        if worth > most:
            best, most = chosen, float(worth)
    left, right = _ends(best[0], best[1], columns)
    top, bottom = _ends(best[2], best[3], rows)
    return Box(
        area.left + left / PIXELS, area.top + top / PIXELS,
        area.left + right / PIXELS, area.top + bottom / PIXELS,
    )  # fmt: skip


def _ends(low: Line | None, high: Line | None, otherwise: tuple[int, int]) -> tuple[int, int]:
    return low.at if low else otherwise[0], high.at if high else otherwise[1]


def _differences(lab: NDArray[np.float32]) -> Differences:
    kernel = np.zeros((1, 2 * STRIP + GAP), np.float32)
    kernel[0, :STRIP], kernel[0, -STRIP:] = -1 / STRIP, 1 / STRIP
    return np.asarray(cv2.filter2D(lab, -1, kernel, borderType=cv2.BORDER_REPLICATE), np.float32)


def _lines(differences: Differences, along: tuple[int, int], low: int, high: int) -> list[Line]:
    """The strongest upright lines between two columns; ``along``: the rows that they must cross."""
    height, width = differences.shape[:2]
    contrasts = []
    for slope in SLOPES:
        shear = np.array([[1, slope, -slope * sum(along) / 2], [0, 1, 0]])
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        upright = cv2.warpAffine(
            differences, shear, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE
        )
        crossing = np.asarray(upright[along[0] : along[1] : STEP], np.float32)
        contrasts.append(_contrast(crossing)[0])
    steepest, strongest = np.argmax(contrasts, axis=0), np.max(contrasts, axis=0)
    strongest[:low], strongest[high:] = 0, 0
    found: list[Line] = []
    while len(found) < MAX_LINES and strongest.max() >= MIN_CONTRAST:
        at = int(strongest.argmax())
        found.append(Line(at, float(SLOPES[steepest[at]])))
        strongest[max(0, at - APART) : at + APART + 1] = 0
    return found


def _contrast(differences: Differences) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """How much columns of differences (N, ..., 3) stand out, (...), and in which direction."""
    usual = np.median(differences, axis=0)
    direction = usual / (np.linalg.norm(usual, axis=-1, keepdims=True) + 1e-6)
    return np.percentile((differences * direction).sum(axis=-1), SHARE, axis=0), direction


def _worth(
    differences: Differences, line: Line, along: tuple[int, int], ends: tuple[int, int]
) -> float | None:
    """How good a line is as a side of the paper between two corners; None: it is no side."""
    middle = sum(along) / 2
    side = _on_line(differences, line, middle, *ends)
    contrast, direction = _contrast(side)
    if contrast < MIN_CONTRAST / 2:
        return None
    strength = float(np.median(side @ direction))
    beyond = [
        _on_line(differences, line, middle, ends[0] - BEYOND, ends[0] - CORNER),
        _on_line(differences, line, middle, ends[1] + CORNER, ends[1] + BEYOND),
    ]
    goes_on = max((float(np.median(part @ direction)) for part in beyond if len(part)), default=0.0)
    share = min(max(goes_on / strength, 0.0), 1.0)
    return 1 + min(float(contrast), FULL_CONTRAST) / FULL_CONTRAST - PENALTY * share


def _on_line(
    differences: Differences, line: Line, middle: float, start: int, end: int
) -> Differences:
    height, width = differences.shape[:2]
    rows = np.arange(max(start, 0), min(end, height), STEP // 2)
    columns = np.rint(line.at + line.slope * (rows - middle)).astype(int)
    inside = (columns >= 0) & (columns < width)
    return np.asarray(differences[rows[inside], columns[inside]], np.float32)
