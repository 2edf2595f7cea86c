"""Draws marks of a hand on any printed sheet: crosses, lines, rings, fills, outlines and digits.

Frame: sheet frame in cells (see ``brikks_vision.layout``); rasters map it by
``px = origin + cells * pixels_per_cell``. All ink goes to an `Ink`, which is then laid on the
blank sheet with `Ink.on`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as with_default

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.marks import Key, mark_keys
from brikks_vision.layout import CELL, Box, Cell, Field, Grid, Layout, Mark
from simulation.hand import Hand, Strike, hatch_strokes, slash_stroke, zigzag_stroke
from simulation.handwriting import Glyph, resampled, turning, vary
from simulation.paper.blank import BlankSheet
from simulation.real_ink import Matte, Mattes, stamp, stamp_line
from simulation.strokes import Pen, draw_stroke, print_ink

Image = NDArray[np.uint8]
Stroke = NDArray[np.float64]
Edge = tuple[str, int, int]
"""An edge of the lattice: ("v", row, line) or ("h", line, column)."""

FILLS = ("scribble", "hatch", "solid")  # ways to fill a place
PAINT = 222, 258  # grey levels of correction fluid


@dataclass(frozen=True)
class Drawn:
    """What a drawn sheet truly bears.

    marks: by field and mark, float32 arrays of the field's shape: 0 no mark, 1 a mark, 0.5 where no
    reader can tell. figures: by name of the figures, the text written at each place, "" for none.
    cancelled: by field (of figures, too), in its shape, the places of marks that do not count.
    is_filled: cells are filled in where others make crosses.
    """

    marks: Mapping[Key, NDArray[np.float32]]
    figures: Mapping[str, tuple[str, ...]]
    cancelled: Mapping[str, NDArray[np.bool_]] = with_default(default_factory=dict)
    is_filled: bool = False

    def __getitem__(self, key: Key) -> NDArray[np.float32]:
        return self.marks[key]


@dataclass(frozen=True)
class MarkedSheet:
    """A sheet with marks on it. picture: uint8 BGR of the blank's size. drawn: the truth."""

    blank: BlankSheet
    picture: Image
    drawn: Drawn


def no_marks(layout: Layout) -> dict[Key, NDArray[np.float32]]:
    """Zeros by field and mark, in the shapes of the layout's fields."""
    return {key: np.zeros(layout.fields[key[0]].shape, np.float32) for key in mark_keys(layout)}


class Ink:
    """The ink on a sheet while it is being drawn, as a density map (see `simulation.strokes`)."""

    def __init__(self, blank: BlankSheet, pen: Pen, rng: np.random.Generator) -> None:
        self.origin = np.asarray(blank.origin, float)
        self.pixels_per_cell = blank.pixels_per_cell
        self.density = np.zeros(blank.image.shape[:2], np.float32)
        self.pen = pen
        self.rng = rng
        # own streams, so that strokes that stray or skip do not change the others
        self.slips, self.texture = rng.spawn(2)
        self.paints: dict[bool, list[NDArray[np.float64]]] = {True: [], False: []}

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.origin + points * self.pixels_per_cell)

    def stroke(self, points: Stroke, width: float, pressure: float = 1.0) -> None:
        """One pen stroke through points in cells; width in cells."""
        self.strokes([points], width, pressure)

    def strokes(self, parts: Sequence[Stroke], width: float, pressure: float = 1.0) -> None:
        """One pen stroke in parts, between which the ink gives out."""
        wide = width * self.pixels_per_cell * self.rng.uniform(0.85, 1.15)
        for points in parts:
            draw_stroke(self.density, self.pixels(points), wide, pressure, self.pen, self.texture)

    def stamp(
        self,
        mattes: Sequence[Matte],
        centre: Sequence[float],
        size: tuple[float, float],
        angle: float,
    ) -> None:
        """One of a real pen's marks around ``centre``; cells and radians."""
        sides = np.asarray(size) * self.pixels_per_cell
        wide = self._matte_width()
        matte = _any_of(self.rng, mattes)
        stamp(self.density, matte, self.pixels(np.asarray(centre)), sides, angle, wide)

    def stamp_line(self, mattes: Sequence[Matte], start: Stroke, end: Stroke) -> None:
        """A straight line of a real pen, in cells."""
        wide = self._matte_width()
        ends = self.pixels(start), self.pixels(end)
        stamp_line(self.density, tuple(mattes), *ends, wide, self.texture)

    def paint(self, rim: NDArray[np.float64], under: bool) -> None:
        """Correction fluid within a rim (N, 2) in cells, under the ink or over it."""
        self.paints[under].append(self.pixels(rim))

    def on(self, blank: BlankSheet) -> Image:
        """The blank sheet with the ink on it, uint8 BGR of its size."""
        sheet = self._painted(blank.image, self.paints[True])
        inked = print_ink(sheet, self.density, self.pen, self.pixels_per_cell, self.texture)
        return self._painted(inked, self.paints[False])

    def _painted(self, picture: Image, rims: Sequence[NDArray[np.float64]]) -> Image:
        if not rims:
            return picture
        cover = np.zeros(picture.shape[:2], np.uint8)
        cv2.fillPoly(cover, [np.round(rim).astype(np.int32) for rim in rims], 255, cv2.LINE_AA)
        share = cv2.GaussianBlur(cover, (0, 0), 0.03 * self.pixels_per_cell)[..., None] / 255.0
        white = self.texture.uniform(*PAINT) * np.array([0.97, 0.99, 1.0])
        return np.asarray(picture * (1 - share) + np.minimum(white, 255) * share, np.uint8)

    def _matte_width(self) -> float:
        return self.pen.width * self.pixels_per_cell * self.rng.uniform(0.85, 1.15)


# --- crosses, strikes, lines ---------------------------------------------------------------------

MATTE_TURN = 0.15  # radians, spread of a real pen's marks


def draw_cross(ink: Ink, hand: Hand, centre: Sequence[float], size: tuple[float, float]) -> None:
    """A plain cross of that width and height."""
    if hand.mattes:
        _stamp_cross(ink, hand.mattes, centre, size)
    else:
        _draw_glyph(ink, hand, _any_of(ink.rng, hand.crosses), centre, size)


def draw_cell_cross(ink: Ink, hand: Hand, centre: Sequence[float]) -> None:
    """A cross in a cell of the grid, as large and as well aimed as this hand's are."""
    rng = ink.rng
    size = float(np.clip(rng.normal(hand.cross_size, hand.cross_spread), 0.35, 1.15))
    aimed = nearby(rng, centre, hand.cross_spread * 0.7)
    stretch = np.exp(rng.normal(0, 0.08, 2))
    draw_cross(ink, hand, aimed, (size * stretch[0], size * stretch[1]))


def draw_strike(
    ink: Ink, hand: Hand, strike: Strike, centre: Sequence[float], width: float
) -> None:
    """Cross out what is printed at a place. ``width``: of what is crossed out."""
    strike_of_size(ink, hand, strike.kind, centre, width * ink.rng.uniform(*strike.sizes))


def strike_of_size(ink: Ink, hand: Hand, kind: str, centre: Sequence[float], size: float) -> None:
    """A strike of a kind (one of `hand.STRIKES`) and size in cells."""
    glyph = _any_of(ink.rng, hand.crosses)
    if kind == "slash":
        glyph = _any_of(ink.rng, hand.slashes)
        glyph = (slash_stroke(ink.rng, hand.slash, glyph[hand.slash.number % len(glyph)]),)
    elif kind == "zigzag":
        glyph = (zigzag_stroke(ink.rng),)
    elif kind == "hatch":
        glyph = hatch_strokes(ink.rng, glyph[0], 2 if hand.pen.width > 0.1 else 4)
    # a ring may lie beside its place, but a strike is aimed at the middle
    middle = loosely(ink.rng, centre, hand.looseness / 2)
    if hand.mattes and kind == "cross":
        _stamp_cross(ink, hand.mattes, middle, (size, size))
    elif hand.mattes and kind == "slash":
        half = (glyph[0][-1] - glyph[0][0]) * size / 2
        ink.stamp_line(hand.mattes.strokes, middle - half, middle + half)
    else:
        _draw_glyph(ink, hand, glyph, middle, (size, size))


def draw_line(ink: Ink, hand: Hand, start: Sequence[float], end: Sequence[float]) -> None:
    """A straight stroke from about one point to about another."""
    rng = ink.rng
    a = np.asarray(start) + rng.normal(0, 0.03, 2)
    b = np.asarray(end) + rng.normal(0, 0.03, 2)
    along = (b - a) / max(1e-6, float(np.linalg.norm(b - a)))
    a, b = a - along * rng.normal(0.0, 0.05), b + along * rng.normal(0.0, 0.05)
    if hand.mattes:
        ink.stamp_line(hand.mattes.strokes, a, b)
        return
    count = max(4, int(6 * np.linalg.norm(b - a)))
    at = np.linspace(0, 1, count)[:, None]
    wave = np.cumsum(rng.normal(0, 0.012 * hand.wobble, (count, 2)), axis=0)
    wave -= at * wave[-1]
    ink.stroke(a * (1 - at) + b * at + wave, hand.pen.width * rng.uniform(0.9, 1.2))


def _stamp_cross(
    ink: Ink, mattes: Mattes, centre: Sequence[float], size: tuple[float, float]
) -> None:
    turn = ink.slips.normal(0, MATTE_TURN) + np.pi / 2 * ink.slips.integers(4)
    ink.stamp(mattes.crosses, centre, size, float(turn))


# --- rings ---------------------------------------------------------------------------------------

MIN_RING = 3.0  # pen widths across a ring: of a smaller one nobody sees that it is open


def draw_ring(ink: Ink, hand: Hand, centre: Sequence[float], width: float) -> None:
    """A ring around a printed circle of that width."""
    times = 2 if ink.slips.random() < hand.doubled_rings else 1
    for _ in range(times):
        middle = loosely(ink.rng, centre, hand.looseness)
        size = width * hand.ring_size * (1 + hand.looseness * ink.rng.uniform(-2, 2))
        ring = _any_of(ink.rng, hand.rings)
        across = min(float(np.ptp(stroke, axis=0).min()) for stroke in ring)
        size = max(size, MIN_RING * hand.pen.width / max(across, 0.5))
        if hand.mattes:
            sides = (size, size * ink.slips.uniform(0.8, 1.1))
            ink.stamp(hand.mattes.rings, middle, sides, ink.slips.normal(0, MATTE_TURN))
        else:
            _draw_glyph(ink, hand, ring, middle, (size, size))


# --- fills ---------------------------------------------------------------------------------------

HATCH_PITCH = 2.6  # pen widths from stroke to stroke of a hatched place
SOLID_PITCH = 0.8  # the same of a place that is filled without gaps
MIN_FILL_STROKES = 3


def draw_fill(
    ink: Ink, hand: Hand, centre: Sequence[float], size: tuple[float, float], kind: str
) -> None:
    """Fill a place of that width and height in one of the ways of `FILLS`."""
    rng = ink.rng
    middle = loosely(rng, centre, hand.looseness / 2)
    if kind == "scribble":
        ink.stroke(scribble(rng, (0.0, 0.0)) * size + middle, hand.pen.width * 1.3)
        return
    pitch = hand.pen.width * (SOLID_PITCH if kind == "solid" else HATCH_PITCH)
    turn = turning(rng.normal(0, 0.15) + rng.choice([0, np.pi / 4, np.pi / 2, -np.pi / 4]))
    reach = 0.42 * min(size)  # half the strokes' length: they fill a disc inside the place
    count = max(MIN_FILL_STROKES, round(2 * reach / pitch) + 1)
    across = np.linspace(-0.95, 0.95, count) + rng.normal(0, 0.1 / count, count)
    ends = []
    for number, at in enumerate(np.clip(across, -0.97, 0.97)):
        half = np.sqrt(1 - at**2) * np.array([1, -1]) * (-1) ** number
        ends.append(np.stack([half + rng.normal(0, 0.04, 2), [at, at]], axis=1))
    stretch = np.asarray(size) / min(size)
    placed = [pair * reach @ turn * stretch + middle for pair in ends]
    if kind == "solid":  # to and fro without lifting the pen
        ink.stroke(np.concatenate(placed), hand.pen.width)
        return
    for pair in placed:
        ink.stroke(pair, hand.pen.width, rng.uniform(0.85, 1.0))


def scribble(rng: np.random.Generator, centre: Sequence[float]) -> Stroke:
    """One stroke to and fro that blackens a cell around ``centre``: (N, 2)."""
    count = int(rng.integers(8, 18))
    x = np.linspace(-0.4, 0.4, count) + rng.normal(0, 0.04, count)
    y = np.where(np.arange(count) % 2 == 0, -0.38, 0.38) + rng.normal(0, 0.05, count)
    turn = rng.uniform(0, np.pi)
    return np.stack([x, y], axis=1) @ turning(turn) + np.asarray(centre)


# --- outlines of cells ---------------------------------------------------------------------------


def block_edges(cells: Iterable[Cell]) -> set[Edge]:
    """The rim of some cells: edges of the lattice between one of them and none of them."""
    inside = set(cells)
    edges: set[Edge] = set()
    for row, column in inside:
        if (row, column - 1) not in inside:
            edges.add(("v", row, column))
        if (row, column + 1) not in inside:
            edges.add(("v", row, column + 1))
        if (row - 1, column) not in inside:
            edges.add(("h", row, column))
        if (row + 1, column) not in inside:
            edges.add(("h", row + 1, column))
    return edges


def outlined_edges(ink: Ink, hand: Hand, cells: Iterable[Cell], grid: Grid) -> set[Edge]:
    """The edges that this hand draws around a block; none where it leaves the outline out."""
    if hand.outlines == "none" or (hand.outlines == "some" and ink.rng.random() < 0.25):
        return set()
    edges = block_edges(cells)
    if hand.outlines == "inner":
        edges = {
            edge
            for edge in edges
            if not (edge[0] == "v" and edge[2] in (0, grid.columns))
            and not (edge[0] == "h" and edge[1] in (0, grid.rows))
        }
    return edges


def draw_outline(ink: Ink, hand: Hand, edges: set[Edge]) -> None:
    """Draw along edges of the lattice, each straight run in one stroke."""
    rng = ink.rng
    shift = rng.normal(0, hand.outline_offset, 2)
    for start, end in _runs(edges):
        for _ in range(2 if rng.random() < hand.doubled_strokes else 1):
            draw_line(ink, hand, np.asarray(start) + shift, np.asarray(end) + shift)


def _runs(edges: set[Edge]) -> list[tuple[tuple[float, float], tuple[float, float]]]:
    """Straight runs of neighbouring edges, as end points (x, y) in cells."""
    runs = []
    left = set(edges)
    while left:
        kind, row, column = min(left)
        step = (1, 0) if kind == "v" else (0, 1)
        length = 0
        while (kind, row + length * step[0], column + length * step[1]) in left:
            left.remove((kind, row + length * step[0], column + length * step[1]))
            length += 1
        end = (column + length * step[1], row + length * step[0])
        runs.append(((float(column), float(row)), (float(end[0]), float(end[1]))))
    return runs


# --- any mark of a field -------------------------------------------------------------------------


def strike_for(hand: Hand, field: Field) -> Strike | None:
    """How this hand crosses out places of a field; None in cells of a grid, which get a cross."""
    if field.name == CELL:
        return None
    if Mark.RING in field.marks:
        return hand.circle_strike
    return hand.box_strike if any("box" in each for each in field.drawn) else hand.figure_strike


# --- digits and stray marks ----------------------------------------------------------------------


def draw_digits(ink: Ink, hand: Hand, text: str, centre: Sequence[float], height: float) -> None:
    """Digits, or "-", side by side around ``centre``."""
    rng = ink.rng
    widths = [0.62 * height] * len(text)
    x = centre[0] - sum(widths) / 2
    for char, width in zip(text, widths, strict=True):
        middle = nearby(rng, (x + width / 2, centre[1]), 0.02)
        if char == "-":
            ends = np.array([[-0.25, 0.0], [0.25, 0.0]]) + rng.normal(0, 0.03, (2, 2))
            ink.stroke(ends * height + middle, hand.pen.width)
        else:
            glyph = vary(rng, _any_of(rng, hand.digits[char]), 0.6)
            for stroke in _placed(glyph, middle, (0.85 * height, height)):
                ink.stroke(stroke, hand.pen.width)
        x += width


def draw_stray(ink: Ink, hand: Hand, page: Box, margins: Sequence[Box]) -> None:
    """A dot or a slip of the pen anywhere on the page, or a note in one of its margins, if any."""
    rng = ink.rng
    kind = rng.choice(["dot", "slip", "note"], p=[0.4, 0.4, 0.2])
    if kind == "note" and margins:
        heights = [rng.uniform(margin.top, margin.bottom) for margin in margins]
        number = int(rng.choice(len(margins)))
        at = (rng.uniform(margins[number].left, margins[number].right), heights[number])
        digits = "".join(rng.choice(list("0123456789"), 3))
        draw_digits(ink, hand, digits, at, rng.uniform(0.6, 1.4))
        return
    spot = np.array([rng.uniform(page.left, page.right), rng.uniform(page.top, page.bottom)])
    length = 0.05 if kind == "dot" else rng.uniform(0.1, 0.35)
    angle = rng.uniform(0, 2 * np.pi)
    offset = 0.5 * length * np.array([np.cos(angle), np.sin(angle)])
    ink.stroke(
        np.stack([spot - offset, spot, spot + offset]),
        hand.pen.width * rng.uniform(0.6, 1.0),
        rng.uniform(0.5, 1.0),
    )


# --- strokes of a glyph --------------------------------------------------------------------------


def nearby(rng: np.random.Generator, centre: Sequence[float], spread: float) -> tuple[float, float]:
    """A point near ``centre``; ``spread``: the standard deviation of each coordinate."""
    return centre[0] + rng.normal(0, spread), centre[1] + rng.normal(0, spread)


def loosely(
    rng: np.random.Generator, centre: Sequence[float], spread: float
) -> tuple[float, float]:
    """A place near the one meant, though never so far that another could be meant."""
    aside = np.clip(rng.normal(0, spread, 2), -2 * spread, 2 * spread)
    return centre[0] + aside[0], centre[1] + aside[1]


def _any_of(rng: np.random.Generator, glyphs: Sequence) -> Glyph:
    return glyphs[int(rng.integers(len(glyphs)))]


def _placed(glyph: Glyph, centre: Sequence[float], size: tuple[float, float]) -> list[Stroke]:
    return [stroke * size + np.asarray(centre, float) for stroke in glyph]


def _draw_glyph(
    ink: Ink, hand: Hand, glyph: Glyph, centre: Sequence[float], size: tuple[float, float]
) -> None:
    rng = ink.rng
    times = 2 if rng.random() < hand.doubled_strokes else 1
    for _ in range(times):
        varied = vary(rng, glyph, hand.wobble)
        if len(varied) > 1 and hand.apart > 0:
            varied = tuple(_strayed(ink.slips, stroke, hand.apart) for stroke in varied)
        for stroke in _placed(varied, centre, size):
            skips = ink.slips.random() < hand.skips
            parts = _with_a_gap(ink.slips, stroke) if skips else [stroke]
            ink.strokes(parts, hand.pen.width, rng.uniform(0.85, 1.0))


def _strayed(rng: np.random.Generator, stroke: Stroke, spread: float) -> Stroke:
    """The stroke shifted, turned and stretched by itself, so that a cross may meet off its middle.

    ``spread``: in the cross's sizes, radians and shares.
    """
    turn, stretch = rng.normal(0, spread), np.exp(rng.normal(0, spread))
    middle = (stroke.min(axis=0) + stroke.max(axis=0)) / 2
    moved = (stroke - middle) @ turning(turn) * stretch + middle + rng.normal(0, spread, 2)
    return np.asarray(np.clip(moved, -0.65, 0.65))


def _with_a_gap(rng: np.random.Generator, stroke: Stroke) -> list[Stroke]:
    """The stroke in two parts, without a piece somewhere along it."""
    points = resampled(stroke, 60)
    length = int(rng.integers(5, 18))
    first = int(rng.integers(3, len(points) - length))
    return [points[: first + 1], points[first + length - 1 :]]
