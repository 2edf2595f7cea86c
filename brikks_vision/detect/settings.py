"""Reads the game's settings: in each row of printed boxes, the box that the player crossed.

No network knows these boxes; they are few and simple enough for shares of ink. Other printings have
none, so nothing is read unless the boxes' frames are seen in their places.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.layout import Box, Field, Layout

# Set by hand where no source is named.
SETTINGS_PIXELS = 32  # px per cell: a frame, the finest line here, is then more than a pixel wide
FRAME_REACH = 0.14  # cells on either side of a frame's line in which the frame must stand out
MAX_FRAME_SHIFT = 0.25  # cells by which curled paper moves a box from its expected place
# px, standard deviation of a blur of ink and frames, so that a line slightly out of place
# still correlates
FRAME_BLUR = 1.5
GRAIN_BLUR = 0.1  # cells, standard deviation of the blur that averages the paper's grain
# cells, side of the closing that estimates the paper: wider than any stroke and than a filled
# box, so that a shadow is not taken for ink
PAPER_REACH = 1.1
# mean correlation of a row of boxes with its frames; rows of boxes had 0.74 or more, places
# without boxes 0.41 or less (116 rows on simulated photos, tiers good and hard, all kinds of
# pens)
MIN_FRAMES = 0.55
# evidence of a crossed box, as a share of a box that is all black; from the same 116 rows
MIN_CROSSED = 0.08
MAX_OPEN = 0.03  # evidence of an open box; in the same 116 rows it was 0.029 at most
# cells, as `PAPER_REACH`, wider than strokes alone; and the least ink of strokes in a crossed box,
# as the shares above: 0.048 and more on simulated photos (seeds 40 to 75, good and hard, four
# pens), 0.013 where the shadow of a narrow thing fell into a box
STROKE_REACH, MIN_STROKES = 0.4, 0.03

Ink = NDArray[np.float32]


def read_settings(image: Image, placement: Placement, layout: Layout) -> Mapping[str, int] | None:
    """The values of the crossed boxes, by the name of the setting; None if no boxes are printed.

    ``image`` : uint8 BGR, the photo. ``placement`` : of the sheet in it. A setting is left out
    unless one box is clearly crossed and all others are clearly open.
    """
    seen = {}
    for name, field in layout.settings.items():
        found = ink_of_boxes(image, placement, layout, name)
        if found is not None:
            seen[name] = crossed_value(*found, field.values)
    if not seen:
        return None
    return {name: value for name, value in seen.items() if value is not None}


def crossed_value(
    shares: NDArray[np.float64], strokes: NDArray[np.float64], values: tuple[int, ...]
) -> int | None:
    """The value of the only crossed box; None unless it is clear which one that is.

    ``shares``, ``strokes`` : see `ink_of_boxes`.
    """
    crossed, is_open = (shares >= MIN_CROSSED) & (strokes >= MIN_STROKES), shares <= MAX_OPEN
    if crossed.sum() != 1 or is_open.sum() != len(shares) - 1:
        return None
    return values[int(crossed.argmax())]


def ink_of_boxes(
    image: Image, placement: Placement, layout: Layout, name: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    """The ink in each box of a setting, and that of strokes alone; None where no frames are seen.

    Both (boxes,) from 0 to 1. The shadow of a narrow thing is wider than strokes.
    """
    field, around = layout.settings[name], FRAME_REACH + MAX_FRAME_SHIFT
    box = field.box
    # `rectify` is exact to the pixel if the sides are whole numbers of half cells.
    width, height = (np.ceil(2 * (side + 2 * around)) / 2 for side in (box.width, box.height))
    left, top = box.left - around, box.top - around
    area = Box(left, top, left + width, top + height)
    flat = rectify(image, placement, area, SETTINGS_PIXELS)
    ink, of_strokes = ink_of(flat), ink_of(flat, STROKE_REACH)
    frame, beside = _frame(layout, name)
    reach = round(2 * MAX_FRAME_SHIFT * SETTINGS_PIXELS)  # px, from the first to the last shift
    corners = [
        (
            round((x - field.size[0] / 2 - box.left) * SETTINGS_PIXELS),
            round((y - field.size[1] / 2 - box.top) * SETTINGS_PIXELS),
        )
        for x, y in field.centres
    ]
    rows, columns = frame.shape
    margin = round((2 * FRAME_REACH + _line_width(field) / 2) * SETTINGS_PIXELS)
    shares, likeness = [], []
    inside = slice(margin, rows - margin), slice(margin, columns - margin)
    for x, y in corners:  # one by one: curled paper moves them differently
        around_box = ink[y : y + rows + reach, x : x + columns + reach]
        found = _correlation(around_box, frame, beside)
        down, across = np.unravel_index(found.argmax(), found.shape)
        at = slice(y + down, y + down + rows), slice(x + across, x + across + columns)
        shares.append([float(each[at][inside].mean()) for each in (ink, of_strokes)])
        likeness.append(float(found[down, across]))
    # Ignore the least similar box: a thick pen may hide the frame of the box that it crosses.
    if np.mean(sorted(likeness)[1:]) < MIN_FRAMES:
        return None
    of_all, narrow = np.array(shares).T
    return of_all, narrow


def _correlation(
    ink: Ink, frame: NDArray[np.float32], beside: NDArray[np.float32]
) -> NDArray[np.float32]:
    """Correlation (-1 to 1) of each part of the ink with the frame; 0 if the part is uniform."""
    found = cv2.matchTemplate(ink, frame, cv2.TM_CCOEFF_NORMED, mask=beside)
    return np.where(np.isfinite(found), np.clip(found, -1, 1), 0.0)


def ink_of(flat: Image, reach: float = PAPER_REACH) -> Ink:
    """How much darker than the paper around it each pixel is, 0 to 1, in its darkest channel.

    A closing keeps everything that is wider than ``reach``, cells: the paper, and shadows on it.
    The grain is averaged first, because a closing keeps the brightest pixels.
    """
    side = round(reach * SETTINGS_PIXELS)
    smooth = cv2.GaussianBlur(flat, (0, 0), GRAIN_BLUR * SETTINGS_PIXELS)
    paper = cv2.morphologyEx(smooth, cv2.MORPH_CLOSE, np.ones((side, side), np.uint8))
    soft = cv2.GaussianBlur(flat, (0, 0), FRAME_BLUR)
    darker = 1 - soft.astype(np.float32) / np.maximum(paper, 1)
    blue, green, red = cv2.split(darker)  # numpy is slow along an axis of length three
    return np.maximum(np.maximum(blue, green), red)


def _line_width(field: Field) -> float:
    return field.drawn[0]["line"]


@cache
def _frame(layout: Layout, name: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The printed frame of a box, and the mask in which it is searched: 0 to 1."""
    field = layout.settings[name]
    width, height = field.size
    columns, rows = (round((side + 2 * FRAME_REACH) * SETTINGS_PIXELS) for side in (width, height))
    y, x = np.mgrid[:rows, :columns].astype(np.float32)
    from_line = np.maximum(
        abs(x - (columns - 1) / 2) / SETTINGS_PIXELS - width / 2,
        abs(y - (rows - 1) / 2) / SETTINGS_PIXELS - height / 2,
    )
    line = (abs(from_line) <= _line_width(field) / 2).astype(np.float32)
    beside = (abs(from_line) <= FRAME_REACH).astype(np.float32)
    return np.asarray(cv2.GaussianBlur(line, (0, 0), FRAME_BLUR), np.float32), beside
