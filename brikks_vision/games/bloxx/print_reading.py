"""Reads the print of an empty BLOXX! grid: its coloured rows and the numbers of its cells."""

from __future__ import annotations

import colorsys
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect import ground
from brikks_vision.detect.placement import Image
from brikks_vision.detect.printed_digits import number_chances

GRID_PIXELS = 48  # px per cell of the grid that is read
# All set by hand on simulated printings (seeds 1 to 60).
USUAL_COUNT = 4  # of coloured rows. Source: rules
OTHER_COUNT = 0.35  # of the gap's logarithm, the cost of one row more or less
MIN_STRENGTH = 0.01  # of a tint: plain rows differ as much
MIN_HUE_GAP = 0.7  # of the logarithm of strengths, from which on hues tell which rows are coloured
GAP_SPREAD = 0.12  # of the logarithm of a tint's strength beside the gap
HUE_SPREAD = 8.0  # degrees, of a row's hue: light and paper turn it by as much
GREY_CHROMA = 0.02  # a row with less has no hue
GREY_SHARE = 0.1  # of how much darker rows are: grey in a light that is none has so much hue
SURE = 0.95  # probability; what is less sure is a doubt


@dataclass(frozen=True)
class RowRead:
    """A row: the probability that it is coloured, and the colour it would have.

    tint: BGR, 0 to 1, of its ground beside that of plain rows. names: probabilities of colours.
    """

    colored: float
    tint: tuple[float, float, float]
    names: Mapping[str, float]

    @property
    def color(self) -> str:
        """The most probable name of its colour."""
        return max(self.names, key=self.names.__getitem__)


@dataclass(frozen=True)
class PrintRead:
    """What was read of a grid.

    hues: (rows, 3), of each row's ground and frames beside plain ones, differences of logarithms of
    BGR, without lightness. numbers: (rows, columns, 1 + values) probabilities of no number and of
    each of the values.
    """

    rows: tuple[RowRead, ...]
    hues: ground.Colors
    numbers: NDArray[np.float64]


def read_print(flat: Image, rows: int, columns: int) -> PrintRead:
    """Read an empty grid. ``flat`` : the grid alone, rectified at `GRID_PIXELS`, uint8 BGR."""
    numbers = number_chances(flat, rows, columns)
    grounds = _of_bare_cells(ground.cell_grounds(flat, rows, columns), numbers.argmax(axis=-1) == 0)
    told, hues = _rows(
        grounds, ground.row_tints(ground.chroma(grounds)), ground.frame_tints(flat, rows, columns)
    )
    return PrintRead(told, hues, numbers)


def _of_bare_cells(grounds: ground.Colors, is_bare: NDArray[np.bool_]) -> ground.Colors:
    """The grounds; a numbered cell, where frames may hide it, has that of its row's bare ones."""
    found = grounds.copy()
    for row, bare in zip(found, is_bare, strict=True):
        if bare.any():
            row[~bare] = np.median(row[bare], axis=0)
    return found


def _rows(
    grounds: ground.Colors, hues: ground.Colors, frames: ground.Colors
) -> tuple[tuple[RowRead, ...], ground.Colors]:
    """The rows, and their hues by grounds and frames."""
    shades = ground.row_tints(grounds)
    ways = [_split(strengths) for strengths in np.linalg.norm([hues, frames], axis=2)]
    colored, gap = max(ways, key=lambda way: way[1])
    # A shadow darkens rows, too: lightness tells only where neither grounds nor frames have hues.
    levels = np.abs(shades.mean(axis=1))
    weak = max(GREY_CHROMA, GREY_SHARE * float(levels.max()))
    if gap < MIN_HUE_GAP and np.linalg.norm(hues, axis=1).max() <= weak:
        by_level = _split(levels)
        if by_level[1] > gap:
            (colored, gap), frames = by_level, np.zeros_like(frames)
    every, found = _stronger(hues, frames), []
    for shade, odds, names in zip(shades + frames, colored, names_of(every), strict=True):
        blue, green, red = (float(each) for each in np.exp(shade - shade.max()))
        found.append(RowRead(odds, (blue, green, red), names))
    return tuple(found), every


def _stronger(one: ground.Colors, other: ground.Colors) -> ground.Colors:
    """Means of chromas (N, 3), where each counts as much as it is strong."""
    weights = np.linalg.norm([one, other], axis=-1, keepdims=True) + 1e-9
    return np.asarray((one * weights[0] + other * weights[1]) / weights.sum(axis=0), np.float64)


def _split(strengths: NDArray[np.float64]) -> tuple[list[float], float]:
    """Probabilities that rows are coloured, by the widest gap between the strengths of their tints.

    Also how wide that is. The rules say that four are; other numbers need a wider gap.
    """
    logs = np.log(np.maximum(strengths, MIN_STRENGTH))
    ranked = np.sort(logs)[::-1]
    most = max(1, min(ground.MAX_TINTED, len(ranked) - ground.MIN_PLAIN))
    gaps = [
        ranked[count - 1] - ranked[count] - OTHER_COUNT * abs(count - USUAL_COUNT)
        for count in range(1, most + 1)
    ]
    count = int(np.argmax(gaps)) + 1
    middle = (ranked[count - 1] + ranked[count]) / 2
    spread = GAP_SPREAD
    told = [float(1 / (1 + np.exp(-np.clip((each - middle) / spread, -50, 50)))) for each in logs]
    return told, float(max(gaps))


@cache
def _palette() -> tuple[dict[str, float], str]:
    file = resources.files("brikks_vision").joinpath("games", "bloxx", "colors.json")
    data = json.loads(file.read_text("utf-8"))
    return data["hues"], data["grey"]


def color_choices() -> tuple[str, ...]:
    """The names of colours, in their order."""
    hues, grey = _palette()
    return (*hues, grey)


@cache
def color_swatches() -> Mapping[str, str]:
    """The colours as "#rrggbb", by name."""
    hues, grey = _palette()
    shades = {name: colorsys.hsv_to_rgb(hue / 360, 1.0, 1.0) for name, hue in hues.items()}
    shades[grey] = (0.6, 0.6, 0.6)
    return {
        name: "#" + "".join(f"{round(255 * each):02x}" for each in shade)
        for name, shade in shades.items()
    }


def names_of(hues: NDArray[np.float64]) -> list[dict[str, float]]:
    """Probabilities of the names of rows' colours, each by itself: a person corrects them.

    ``hues`` : (rows, 3), chroma of the rows, differences of logarithms of BGR.
    """
    known, grey = _palette()
    angles, strengths = np.array(list(known.values())), np.linalg.norm(hues, axis=1)
    bgr = np.exp(hues - hues.max(axis=1, keepdims=True))
    degrees = np.array([360 * colorsys.rgb_to_hsv(*map(float, each[::-1]))[0] for each in bgr])
    spreads = HUE_SPREAD * (1 + GREY_CHROMA / np.maximum(strengths, 1e-6))
    away = (degrees[:, None] - angles + 180) % 360 - 180
    shares = np.exp(-0.5 * (away / spreads[:, None]) ** 2) + 1e-12
    shares /= shares.sum(axis=1, keepdims=True)
    has_hue = strengths**4 / (strengths**4 + (0.7 * GREY_CHROMA) ** 4)
    return [
        {**dict(zip(known, map(float, own * sure), strict=True)), grey: float(1 - sure)}
        for own, sure in zip(shares, has_hue, strict=True)
    ]
