"""The ground of a sheet or board: the colours of its cells, and how far its paper reaches.

Paper ends at four straight edges, nearly parallel to the grid, that reach from corner to corner and
no further. Lines that stand out along a whole side are sought, and the best quadrangle of such
lines is taken: it is large, and its strong sides end at its corners. A panel that is printed on
the paper is smaller; the edges of other things beside the paper go on beyond its corners.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.board import flatten
from brikks_vision.detect.pen import median
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.layout import Box

Array = NDArray[np.float64]

CELL_PIXELS = 16  # of a cell of the flattened photo
INSET = 0.16  # of a cell at each side is not looked at: there are lines
HAZE = 8.0  # grey levels that even the darkest cell sends; keeps logarithms finite
ROBUST = 0.12  # log colour beyond which a cell counts less: something may stand on it
MAX_MISFIT = 0.15  # log colour; more is as bad: something else stands there
ROUNDS = 12


@dataclass(frozen=True)
class Light:
    """How each kind of cell looks at each place, on one board or on several.

    shades: (..., kinds, 3), logarithm of the colour (BGR, with `HAZE`) of each kind in the middle
    of the board. slopes: (..., terms, 3), how it changes with the terms of `_terms`.
    """

    shades: Array
    slopes: Array

    def colors(self, side: int) -> Array:
        """Expected colours (..., side, side, kinds, 3), BGR."""
        lit = _terms(side) @ self.slopes
        logs = lit[..., None, :] + self.shades[..., None, :, :]
        return np.asarray(np.exp(logs).reshape(*lit.shape[:-2], side, side, -1, 3) - HAZE)

    @property
    def contrast(self) -> float:
        """The distance between the two most similar kinds, in log colour."""
        apart = np.linalg.norm(self.shades[:, None] - self.shades, axis=2) / np.sqrt(3)
        return float(apart[~np.eye(len(apart), dtype=bool)].min())


def cell_colors(image: Image, homography: Array, side: int) -> Array:
    """The median colour (side, side, 3) of each cell, BGR."""
    flat = flatten(image, homography, side, CELL_PIXELS, 0.0)
    inset = round(INSET * CELL_PIXELS)
    cells = flat.reshape(side, CELL_PIXELS, side, CELL_PIXELS, 3).transpose(0, 2, 1, 3, 4)
    inner = cells[:, :, inset:-inset, inset:-inset].reshape(side, side, -1, 3)
    return np.asarray(np.median(inner, axis=2), np.float64)


@cache
def _terms(side: int) -> Array:
    """Smooth changes across the board at each cell, (side * side, 5)."""
    y, x = np.mgrid[:side, :side] / (side - 1) * 2 - 1
    terms = np.stack([x, y, x * y, x * x, y * y], axis=-1).reshape(side * side, -1)
    terms.setflags(write=False)
    return np.asarray(terms, np.float64)


def fit_light(colors: Array, weights: Array) -> Light:
    """How the kinds look, given how probably each cell is of each; of several boards at once.

    colors: (..., side, side, 3). weights: (..., side, side, kinds), 0 to 1. Cells that look like
    none of their kind, as something stands on them, count little.
    """
    side, kinds = weights.shape[-2:]
    logs = np.log(np.maximum(colors, 0) + HAZE).reshape(*colors.shape[:-3], -1, 3)
    belongs, terms = weights.reshape(*weights.shape[:-3], -1, kinds), _terms(side)
    shades = _weighted_medians(logs, belongs)
    slopes = np.zeros((*shades.shape[:-2], terms.shape[1], 3))
    ridge = 0.6 * np.eye(terms.shape[1])
    for _ in range(ROUNDS):
        lit = terms @ slopes
        off = (logs - lit)[..., None, :] - shades[..., None, :, :]
        trust = belongs / (1 + (off**2).sum(axis=-1) / (3 * ROBUST**2)) ** 2
        # Light first, of all channels alike but for a slow change of colour, then the shades.
        weight, total = trust.sum(axis=-1, keepdims=True), trust.sum(axis=-2)
        slopes = np.linalg.solve(
            terms.T @ (terms * weight) + ridge, terms.T @ (logs * weight - trust @ shades)
        )
        slopes = 0.7 * slopes.mean(axis=-1, keepdims=True) + 0.3 * slopes
        means = np.swapaxes(trust, -1, -2) @ (logs - terms @ slopes)
        means /= np.maximum(total, 1e-6)[..., None]
        shades = np.where((total > 0.3)[..., None], means, shades)
    return Light(shades, slopes)


def _weighted_medians(values: Array, weights: Array) -> Array:
    """Medians (..., kinds, 3) of values (..., cells, 3), of those cells that have at least half of
    the greatest weight (..., cells, kinds) of a kind; of all where none has any."""
    used = weights >= np.maximum(0.5 * weights.max(axis=-2, keepdims=True), 1e-9)
    used |= ~used.any(axis=-2, keepdims=True)
    ordered = np.sort(np.where(used[..., None], values[..., None, :], np.inf), axis=-3)
    middle = (used.sum(axis=-2)[..., None, :, None] - 1) / 2
    lower, upper = (
        np.take_along_axis(ordered, each(middle).astype(np.intp), axis=-3)[..., 0, :, :]
        for each in (np.floor, np.ceil)
    )
    return np.asarray((lower + upper) / 2)


def misfits(colors: Array, light: Light) -> Array:
    """How far each cell is from each kind, (side, side, kinds), in log colour."""
    expected = np.log(np.maximum(light.colors(colors.shape[0]), 0) + HAZE)
    logs = np.log(np.maximum(colors, 0) + HAZE)[:, :, None]
    return np.asarray(np.linalg.norm(logs - expected, axis=3) / np.sqrt(3))


def turn_misfit(colors: Array, kinds: NDArray[np.uint8], count: int) -> tuple[float, Light]:
    """How badly the cells fit a known board, 0 to `MAX_MISFIT`, and how it looks then."""
    weights = np.eye(count)[kinds]
    light = fit_light(colors, weights)
    side = len(kinds)
    rows, columns = np.mgrid[:side, :side]
    own = misfits(colors, light)[rows, columns, kinds]
    return float(np.minimum(own, MAX_MISFIT).mean()), light


def own_share(colors: Array, kinds: NDArray[np.uint8], light: Light) -> float:
    """The share of the cells, 0 to 1, that look most like their own kind."""
    return float((misfits(colors, light).argmin(axis=2) == kinds).mean())


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
PAPER_CORNER, BEYOND = 4, 14  # px beyond a corner, from and to, where a side must not go on
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
        _on_line(differences, line, middle, ends[0] - BEYOND, ends[0] - PAPER_CORNER),
        _on_line(differences, line, middle, ends[1] + PAPER_CORNER, ends[1] + BEYOND),
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


# All set by hand on simulated printings.
MAX_GROUND_SLOPE = 0.12  # of logarithms a row, of light that falls off along a page
MAX_TINTED, MIN_PLAIN = 5, 3  # rows
CORNER = 0.18, 0.31  # of a cell's side: near its corners, where no number stands
FRAME_REACH, FRAME_SPAN = 0.2, (0.25, 0.75)  # of a cell's width and height: its upright sides
SAME_INK = 0.7  # cosine between the colours at both ends of a row
OFFSET = 4.0  # grey levels, added before taking logarithms

Colors = NDArray[np.float64]


def cell_grounds(flat: Image, rows: int, columns: int) -> Colors:
    """The ground of each cell: (rows, columns, 3), logarithms of BGR.

    ``flat`` : the grid alone, rectified, uint8 BGR, whole px a cell.
    """
    height, width = flat.shape[0] // rows, flat.shape[1] // columns
    cells = flat.reshape(rows, height, columns, width, 3)
    low, high = CORNER
    corners = []
    for top, left in product((low, 1 - high), repeat=2):
        y, x = round(top * height), round(left * width)
        bottom, right = round((top + high - low) * height), round((left + high - low) * width)
        part = cells[:, y : max(bottom, y + 1), :, x : max(right, x + 1)]
        corners.append(median(part.swapaxes(1, 2).reshape(rows, columns, -1, 3), 2))
    found = median(np.array(corners))
    return np.asarray(np.log(found + OFFSET), np.float64)


def chroma(logarithms: Colors) -> Colors:
    """What is left of colours (..., 3) without lightness: shadows and light change it little."""
    return np.asarray(logarithms - logarithms.mean(axis=-1, keepdims=True), np.float64)


def frame_tints(flat: Image, rows: int, columns: int) -> Colors:
    """What frames around rows or around all cells of a row are coloured in: (rows, 3), chroma.

    It is the strongest colour along the upright sides of the cells of a row, in all of them or at
    both ends of the row, that other rows have not got there. ``flat`` : the grid alone, rectified,
    uint8 BGR.
    """
    height, width = flat.shape[0] / rows, flat.shape[1] // columns
    reach, (low, high) = round(FRAME_REACH * width), FRAME_SPAN
    sides = np.zeros((rows, columns, 2, reach, 3))
    for row in range(rows):
        band = flat[round((row + low) * height) : round((row + high) * height)]
        middle = np.median(band, axis=0).reshape(columns, width, 3)
        sides[row, :, 0], sides[row, :, 1] = middle[:, :reach], middle[:, -reach:]
    hues = chroma(np.log(sides + OFFSET))
    level = sides.mean(axis=-1, keepdims=True) / 255  # dark ink has any chroma
    apart = (hues - np.median(hues, axis=0)) * level
    found = np.zeros((rows, 3))
    for row, own in enumerate(apart):
        left, right = _strongest(own[0, 0]), _strongest(own[-1, 1])
        ways = [_strongest(np.median(own, axis=0).reshape(-1, 3))]
        if left @ right > SAME_INK * np.linalg.norm(left) * np.linalg.norm(right):
            ways.append((left + right) / 2)
        found[row] = max(ways, key=lambda way: float(np.linalg.norm(way)))
    return found


def _strongest(hues: Colors) -> Colors:
    return np.asarray(hues[np.linalg.norm(hues, axis=-1).argmax()], np.float64)


def row_tints(grounds: Colors) -> Colors:
    """How each row is tinted beside the plain ones: (rows, 3), differences of logarithms of BGR.

    Most rows are plain, or all but a few; light may fall off along the page.
    """
    rows = np.median(grounds, axis=1)
    at = np.arange(len(rows))
    enough = min((len(rows) + 1) // 2, max(len(rows) - MAX_TINTED, MIN_PLAIN))
    best, least = rows - np.median(rows, axis=0), np.inf
    for first, second in combinations(range(len(rows)), 2):
        slope = (rows[second] - rows[first]) / (second - first)
        if np.abs(slope).max() > MAX_GROUND_SLOPE:
            continue
        away = rows - (rows[first] + (at - first)[:, None] * slope)
        lengths = np.sort(np.linalg.norm(away, axis=1))[:enough]
        # Steep light is less probable than the same rows on even light.
        cost = float(lengths.sum() + 0.5 * np.linalg.norm(slope))
        if cost < least:
            best, least = away, cost
    return np.asarray(best, np.float64)
