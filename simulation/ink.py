"""A player's hand: draws a sheet's state on a blank sheet with human strokes.

Frame: sheet frame in cells (see ``brikks_vision.layout``); rasters map it by
``px = origin + cells * pixels_per_cell``.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from brikks_vision.games.brikks.decoration import decoration_of
from brikks_vision.layout import Cell, Layout
from brikks_vision.rules.brikks.scoring import score
from brikks_vision.rules.brikks.state import Energy, SheetState
from simulation.art import BlankSheet
from simulation.handwriting import (
    LEAST_SLENDER,
    Glyph,
    Writers,
    bent,
    own_cross,
    own_ring,
    resampled,
    slender,
    turning,
    vary,
)
from simulation.real_ink import Matte, Mattes, stamp, stamp_line
from simulation.strokes import Pen, draw_stroke, inked, print_ink, random_pen

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Slash:
    """How one player draws the single stroke that crosses something out.

    number: of the stroke within a cross; turn: radians; bow, wave: see `handwriting.bent`.
    """

    number: int
    turn: float
    bow: float
    wave: float


@dataclass(frozen=True)
class Hand:
    """How one player marks; sizes in cells, spreads as standard deviations."""

    pen: Pen
    crosses: tuple[Glyph, ...]
    slashes: tuple[Glyph, ...]  # of which single strokes are: crosses, or lines
    rings: tuple[Glyph, ...]
    digits: dict[str, tuple[Glyph, ...]]
    cross_size: float
    cross_spread: float
    apart: float  # how far the strokes of one mark stray from each other, in its sizes
    skips: float  # share of strokes in which the ink gives out
    wobble: float
    outlines: str  # "all" | "none" | "some" | "inner": the grid's own rim is left out
    outline_offset: float
    doubled_strokes: float  # share of marks gone over twice
    ring_size: float  # diameter in energy point diameters
    doubled_rings: float  # share of rings gone over twice
    looseness: float  # how far rings stray from their places, in cells; strikes half as far
    energy_strike: str  # of `STRIKES`
    energy_strike_sizes: tuple[float, float]  # from, to; in energy point diameters
    rings_used: bool  # used points bear their ring under the strike
    box_strike: str
    bomb_strike: str
    bomb_strike_sizes: tuple[float, float]  # from, to; in bomb diameters
    slash: Slash
    writes_rows: bool
    writes_total: bool
    strays: float  # expected number of stray marks on the sheet
    mattes: Mattes | None = None  # of a real pen, by which marks and outlines are laid


@dataclass(frozen=True)
class Drawn:
    """What a drawn sheet truly bears. Probabilities of 0.5 mark what no reader can tell.

    cells: (rows, columns); vertical_edges: (rows, columns + 1); horizontal_edges:
    (rows + 1, columns); ringed, struck: (points,); boxes; bombs: float32 0, 0.5 or 1.
    """

    cells: NDArray[np.float32]
    vertical_edges: NDArray[np.float32]
    horizontal_edges: NDArray[np.float32]
    ringed: NDArray[np.float32]
    struck: NDArray[np.float32]
    boxes: NDArray[np.float32]
    bombs: NDArray[np.float32]
    written_rows: tuple[str, ...]
    written_total: str


STRIKES = ("cross", "slash", "zigzag", "hatch")  # ways to cross something out
PLAIN_STRIKES = STRIKES[:2]
PLAIN_SHARE = 0.85  # of the players
REAL_SHARE = 0.35  # of the players, where there are mattes


def random_hand(rng: np.random.Generator, writers: Writers, mattes: Mattes | None = None) -> Hand:
    """A player with one writer's crosses and rings, a pen and habits of their own.

    Most of them mark plainly (see `_plain`); what the others do is meant to be hard to read.
    ``mattes``: of a real pen, with which some of them mark.
    """
    hand = _any_hand(rng, writers)
    plain, real = rng.spawn(2)
    if mattes and real.random() < REAL_SHARE:
        hand = replace(hand, mattes=mattes)
    return _plain(plain, hand) if plain.random() < PLAIN_SHARE else hand


def _any_hand(rng: np.random.Generator, writers: Writers) -> Hand:
    habits, shapes = rng.spawn(2)
    own_crosses, own_rings = rng.random() < 0.15, rng.random() < 0.35
    crosses = writers.crosses[rng.integers(len(writers.crosses))]
    if rng.random() < 0.35:  # strokes of several writers mixed: more hands than there are samples
        pool = [glyph for writer in writers.crosses for glyph in writer if len(glyph) >= 2]
        crosses = tuple(
            (pool[rng.integers(len(pool))][0], pool[rng.integers(len(pool))][1]) for _ in range(3)
        )
        crosses = tuple(glyph for glyph in crosses if _strokes_cross(glyph)) or (pool[0],)
    rings = writers.rings[rng.integers(len(writers.rings))]
    pen = random_pen(rng)
    rings = tuple(own_ring(rng) for _ in range(3)) if own_rings else rings
    if habits.random() < 0.45:  # most writers have drawn no more than one ring
        rings = (_turned(habits, writers.loops[habits.integers(len(writers.loops))]),)
        rings += tuple(
            _turned(shapes, writers.loops[shapes.integers(len(writers.loops))])
            for _ in range(shapes.integers(3))
        )
    if shapes.random() < 0.5:
        squeeze, slant = shapes.uniform(LEAST_SLENDER, 1.0), shapes.uniform(-0.35, 0.35)
        rings = tuple(slender(ring, squeeze, slant) for ring in rings)
    crosses = tuple(own_cross(rng) for _ in range(3)) if own_crosses else crosses
    slashes = crosses
    if habits.random() < 0.35:
        slashes = (writers.lines[habits.integers(len(writers.lines))],)
    return Hand(
        pen=pen,
        crosses=crosses,
        slashes=slashes,
        rings=rings,
        digits={
            digit: tuple(samples[i] for i in rng.integers(len(samples), size=2))
            for digit, samples in writers.digits.items()
        },
        cross_size=rng.uniform(0.5, 1.0),
        cross_spread=rng.uniform(0.02, 0.09),
        apart=float(habits.choice([0.0, 0.08, 0.16], p=[0.6, 0.2, 0.2])),
        skips=float(habits.choice([0.0, 0.1, 0.3], p=[0.7, 0.2, 0.1])),
        wobble=rng.uniform(0.1, 1.0),
        outlines=str(rng.choice(["all", "none", "some", "inner"], p=[0.72, 0.14, 0.06, 0.08])),
        outline_offset=rng.uniform(0.0, 0.06),
        doubled_strokes=rng.choice([0.0, 0.05, 0.5], p=[0.7, 0.2, 0.1]),
        ring_size=rng.uniform(0.85, 1.6) * float(habits.choice([1.0, 0.7], p=[0.65, 0.35])),
        doubled_rings=float(habits.choice([0.0, 0.6], p=[0.85, 0.15])),
        looseness=float(habits.choice([0.05, 0.1], p=[0.65, 0.35])),
        energy_strike=_way_to_strike(rng, [0.4, 0.42, 0.08, 0.1], pen),
        energy_strike_sizes=(0.7, 1.7),
        rings_used=bool(rng.random() < 0.85),
        box_strike=_way_to_strike(rng, [0.7, 0.14, 0.1, 0.06], pen),
        bomb_strike=_way_to_strike(rng, [0.44, 0.32, 0.14, 0.1], pen),
        bomb_strike_sizes=(0.65, 1.5),
        slash=_random_slash(rng),
        writes_rows=bool(rng.random() < 0.55),
        writes_total=bool(rng.random() < 0.5),
        strays=float(rng.choice([0.0, 1.0, 4.0], p=[0.6, 0.3, 0.1])),
    )


def _turned(rng: np.random.Generator, glyph: Glyph) -> Glyph:
    """The same ring by a hand that holds the pen otherwise, or goes round the other way."""
    turn, mirrored = rng.normal(0, 0.4), float(rng.choice([-1, 1]))
    return tuple(stroke * [mirrored, 1.0] @ turning(turn) for stroke in glyph)


PLAIN_WIDTHS = 0.04, 0.15  # cells, of pens that are made for writing
PLAIN_BEND = 0.12
PLAIN_RINGS = 0.78, 1.5  # energy point diameters
PLAIN_REACH = 0.95, 1.4  # of what is crossed out: of the ring, of the bomb
PLAIN_UNEVEN = 1.2  # largest strike in the smallest


def _plain(rng: np.random.Generator, hand: Hand) -> Hand:
    """The same player as most are at a table: crosses and plain strokes, fine, in their places."""
    kinds = [
        kind if kind in PLAIN_STRIKES else str(rng.choice(PLAIN_STRIKES))
        for kind in (hand.energy_strike, hand.box_strike, hand.bomb_strike)
    ]
    ring_size = rng.uniform(*PLAIN_RINGS)
    least, of_bomb = max(1.0, ring_size) * rng.uniform(*PLAIN_REACH), rng.uniform(*PLAIN_REACH)
    return replace(
        hand,
        pen=replace(hand.pen, width=min(hand.pen.width, rng.uniform(*PLAIN_WIDTHS))),
        apart=0.0,
        skips=0.0,
        slashes=hand.crosses,
        doubled_strokes=0.0,
        doubled_rings=0.0,
        ring_size=ring_size,
        looseness=min(hand.looseness, 0.07),
        energy_strike=kinds[0],
        energy_strike_sizes=(least, PLAIN_UNEVEN * least),
        box_strike=kinds[1],
        bomb_strike=kinds[2],
        bomb_strike_sizes=(of_bomb, PLAIN_UNEVEN * of_bomb),
        slash=Slash(
            number=hand.slash.number,
            turn=float(rng.normal(0, 0.1)),
            bow=rng.uniform(-PLAIN_BEND, PLAIN_BEND),
            wave=rng.uniform(-PLAIN_BEND, PLAIN_BEND),
        ),
        strays=min(hand.strays, 1.0),
    )


MOST_BENT = 0.45  # of its length: what is bent farther is a ring that does not close


def _random_slash(rng: np.random.Generator) -> Slash:
    """A single stroke: some draw it as it is, some turned, most bent."""
    turn = rng.choice([0.0, np.pi / 2, np.pi / 4, -np.pi / 4], p=[0.7, 0.1, 0.1, 0.1])
    bend = rng.choice([0.0, 0.12, 0.3], p=[0.4, 0.25, 0.35])
    return Slash(
        number=int(rng.integers(2)),
        turn=float(turn + rng.normal(0, 0.1)),
        bow=float(np.clip(bend * rng.normal(), -MOST_BENT, MOST_BENT)),
        wave=float(np.clip(bend * rng.normal(), -MOST_BENT, MOST_BENT)),
    )


def _way_to_strike(rng: np.random.Generator, shares: list[float], pen: Pen) -> str:
    """One of `STRIKES`, but no zigzag of a pen too thick for so small a place."""
    kind = str(rng.choice(STRIKES, p=shares))
    return "slash" if kind == "zigzag" and pen.width > 0.16 else kind


def _strokes_cross(glyph: Glyph) -> bool:
    """Do the first two strokes run in clearly different diagonals?"""
    spans = [stroke[-1] - stroke[0] for stroke in glyph[:2]]
    slopes = [span[0] * span[1] for span in spans]
    return bool(slopes[0] * slopes[1] < 0)


class Paper:
    """The ink on a sheet while it is being drawn, as a density map (see `simulation.strokes`)."""

    def __init__(self, blank: BlankSheet, pen: Pen, rng: np.random.Generator) -> None:
        self.origin = np.asarray(blank.origin, float)
        self.pixels_per_cell = blank.pixels_per_cell
        self.density = np.zeros(blank.image.shape[:2], np.float32)
        self.pen = pen
        self.rng = rng
        self.slips, self.ink = rng.spawn(2)  # strokes that stray or skip change no others

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(self.origin + points * self.pixels_per_cell)

    def stroke(self, points: NDArray[np.float64], width: float, pressure: float = 1.0) -> None:
        """One pen stroke through points in cells; width in cells."""
        self.strokes([points], width, pressure)

    def strokes(
        self, parts: Sequence[NDArray[np.float64]], width: float, pressure: float = 1.0
    ) -> None:
        """One pen stroke in parts, between which the ink gives out."""
        wide = width * self.pixels_per_cell * self.rng.uniform(0.85, 1.15)
        for points in parts:
            draw_stroke(self.density, self.pixels(points), wide, pressure, self.pen, self.ink)

    def stamp(
        self,
        mattes: Sequence[Matte],
        centre: Sequence[float],
        size: tuple[float, float],
        angle: float,
    ) -> None:
        """One of a real pen's marks around ``centre``; cells and radians."""
        sides = np.asarray(size) * self.pixels_per_cell
        wide = self.pen.width * self.pixels_per_cell * self.rng.uniform(0.85, 1.15)
        stamp(
            self.density,
            _one(self.rng, mattes),
            self.pixels(np.asarray(centre)),
            sides,
            angle,
            wide,
        )

    def stamp_line(
        self, mattes: Sequence[Matte], start: NDArray[np.float64], end: NDArray[np.float64]
    ) -> None:
        """A straight line of a real pen, in cells."""
        wide = self.pen.width * self.pixels_per_cell * self.rng.uniform(0.85, 1.15)
        ends = self.pixels(start), self.pixels(end)
        stamp_line(self.density, tuple(mattes), *ends, wide, self.ink)


def _place(
    glyph: Glyph, centre: Sequence[float], size: tuple[float, float]
) -> list[NDArray[np.float64]]:
    return [stroke * size + np.asarray(centre, float) for stroke in glyph]


def _draw_glyph(
    paper: Paper, hand: Hand, glyph: Glyph, centre: Sequence[float], size: tuple[float, float]
) -> None:
    rng = paper.rng
    times = 2 if rng.random() < hand.doubled_strokes else 1
    for _ in range(times):
        varied = vary(rng, glyph, hand.wobble)
        if len(varied) > 1 and hand.apart > 0:
            varied = tuple(_strayed(paper.slips, stroke, hand.apart) for stroke in varied)
        for stroke in _place(varied, centre, size):
            skips = paper.slips.random() < hand.skips
            parts = _with_a_gap(paper.slips, stroke) if skips else [stroke]
            paper.strokes(parts, hand.pen.width, rng.uniform(0.85, 1.0))


def _strayed(
    rng: np.random.Generator, stroke: NDArray[np.float64], spread: float
) -> NDArray[np.float64]:
    """The stroke shifted, turned and stretched for itself, so that a cross may meet off its middle.

    ``spread``: in the cross's sizes, radians and shares.
    """
    turn, stretch = rng.normal(0, spread), np.exp(rng.normal(0, spread))
    middle = (stroke.min(axis=0) + stroke.max(axis=0)) / 2
    moved = (stroke - middle) @ turning(turn) * stretch + middle + rng.normal(0, spread, 2)
    return np.asarray(np.clip(moved, -0.65, 0.65))


def _with_a_gap(rng: np.random.Generator, stroke: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """The stroke in two parts, without a piece somewhere along it."""
    points = resampled(stroke, 60)
    length = int(rng.integers(5, 18))
    first = int(rng.integers(3, len(points) - length))
    return [points[: first + 1], points[first + length - 1 :]]


def _one(rng: np.random.Generator, glyphs: Sequence[Glyph]) -> Glyph:
    return glyphs[int(rng.integers(len(glyphs)))]


def _jitter(
    rng: np.random.Generator, centre: Sequence[float], spread: float
) -> tuple[float, float]:
    return centre[0] + rng.normal(0, spread), centre[1] + rng.normal(0, spread)


MATTE_TURN = 0.15  # radians, spread of a real pen's marks
LEAST_RING = 3.0  # pen widths across a ring: of a smaller one nobody sees that it is open


def _draw_ring(paper: Paper, hand: Hand, centre: Sequence[float], size: float) -> None:
    times = 2 if paper.slips.random() < hand.doubled_rings else 1
    for _ in range(times):
        middle = _loosely(paper.rng, centre, hand.looseness)
        wide = size * (1 + hand.looseness * paper.rng.uniform(-2, 2))
        ring = _one(paper.rng, hand.rings)
        across = min(float(np.ptp(stroke, axis=0).min()) for stroke in ring)
        wide = max(wide, LEAST_RING * hand.pen.width / max(across, 0.5))
        if hand.mattes:
            sides = (wide, wide * paper.slips.uniform(0.8, 1.1))
            paper.stamp(hand.mattes.rings, middle, sides, paper.slips.normal(0, MATTE_TURN))
        else:
            _draw_glyph(paper, hand, ring, middle, (wide, wide))


def _loosely(
    rng: np.random.Generator, centre: Sequence[float], spread: float
) -> tuple[float, float]:
    """A place near the one meant, though never so far that another could be meant."""
    aside = np.clip(rng.normal(0, spread, 2), -2 * spread, 2 * spread)
    return centre[0] + aside[0], centre[1] + aside[1]


def _draw_strike(paper: Paper, hand: Hand, kind: str, centre: Sequence[float], size: float) -> None:
    glyph = _one(paper.rng, hand.crosses)
    if kind == "slash":
        glyph = _one(paper.rng, hand.slashes)
        glyph = (slash_stroke(paper.rng, hand.slash, glyph[hand.slash.number % len(glyph)]),)
    elif kind == "zigzag":
        glyph = (_zigzag(paper.rng),)
    elif kind == "hatch":
        glyph = _hatch(paper.rng, glyph[0], 2 if hand.pen.width > 0.1 else 4)
    # a ring may lie beside what it means, but what crosses a thing out is aimed at its middle
    middle = _loosely(paper.rng, centre, hand.looseness / 2)
    if hand.mattes and kind == "cross":
        _stamp_cross(paper, hand.mattes, middle, (size, size))
    elif hand.mattes and kind == "slash":
        half = (glyph[0][-1] - glyph[0][0]) * size / 2
        paper.stamp_line(hand.mattes.strokes, middle - half, middle + half)
    else:
        _draw_glyph(paper, hand, glyph, middle, (size, size))


def _stamp_cross(
    paper: Paper, mattes: Mattes, centre: Sequence[float], size: tuple[float, float]
) -> None:
    turn = paper.slips.normal(0, MATTE_TURN) + np.pi / 2 * paper.slips.integers(4)
    paper.stamp(mattes.crosses, centre, size, float(turn))


def _draw_cross(
    paper: Paper, hand: Hand, centre: Sequence[float], size: tuple[float, float]
) -> None:
    if hand.mattes:
        _stamp_cross(paper, hand.mattes, centre, size)
    else:
        _draw_glyph(paper, hand, _one(paper.rng, hand.crosses), centre, size)


def slash_stroke(
    rng: np.random.Generator, slash: Slash, stroke: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The stroke as this hand crosses out with it: (N, 2); half-way, by its points, at 0.

    However it is bent: an arc around the middle is not told from the ring that it crosses out.
    """
    drawn = resampled(bent(rng, stroke @ turning(slash.turn), slash.bow, slash.wave), 61)
    return drawn - drawn[30]


def _zigzag(rng: np.random.Generator) -> NDArray[np.float64]:
    """One stroke to and fro, about as large as a cross: (N, 2) around 0."""
    turns = int(rng.integers(3, 10))
    across = np.linspace(-0.5, 0.5, turns) + rng.normal(0, 0.04, turns)
    height = rng.uniform(0.15, 0.5)
    aside = np.where(np.arange(turns) % 2, height, -height) + rng.normal(0, 0.05, turns)
    turn = rng.normal(0, 0.4) + rng.choice([0, np.pi / 4, np.pi / 2, -np.pi / 4])
    return np.stack([across, aside], axis=1) @ turning(turn)


def _hatch(rng: np.random.Generator, stroke: NDArray[np.float64], most: int) -> Glyph:
    """Two strokes side by side, or as many as ``most``, each like the given one."""
    along = stroke[-1] - stroke[0]
    aside = np.array([-along[1], along[0]]) / max(1e-6, float(np.linalg.norm(along)))
    count = int(rng.integers(2, most + 1))
    places = (np.arange(count) - (count - 1) / 2) * rng.uniform(0.18, 0.5 - 0.06 * count)
    return tuple(
        stroke * rng.uniform(0.8, 1.05) + (place + rng.normal(0, 0.03)) * aside for place in places
    )


def block_edges(cells: Iterable[Cell]) -> set[tuple[str, int, int]]:
    """The rim of a block: ("v", row, line) and ("h", line, column) lattice edges."""
    inside = set(cells)
    edges: set[tuple[str, int, int]] = set()
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


def _runs(
    edges: set[tuple[str, int, int]],
) -> list[tuple[tuple[float, float], tuple[float, float]]]:
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


def _draw_outline(paper: Paper, hand: Hand, edges: set[tuple[str, int, int]]) -> None:
    rng = paper.rng
    shift = rng.normal(0, hand.outline_offset, 2)
    for start, end in _runs(edges):
        for _ in range(2 if rng.random() < hand.doubled_strokes else 1):
            a = np.asarray(start) + shift + rng.normal(0, 0.03, 2)
            b = np.asarray(end) + shift + rng.normal(0, 0.03, 2)
            along = (b - a) / max(1e-6, float(np.linalg.norm(b - a)))
            a, b = a - along * rng.normal(0.0, 0.05), b + along * rng.normal(0.0, 0.05)
            if hand.mattes:
                paper.stamp_line(hand.mattes.strokes, a, b)
                continue
            count = max(4, int(6 * np.linalg.norm(b - a)))
            at = np.linspace(0, 1, count)[:, None]
            wave = np.cumsum(rng.normal(0, 0.012 * hand.wobble, (count, 2)), axis=0)
            wave -= at * wave[-1]
            paper.stroke(a * (1 - at) + b * at + wave, hand.pen.width * rng.uniform(0.9, 1.2))


def _draw_digits(
    paper: Paper, hand: Hand, text: str, centre: Sequence[float], height: float
) -> None:
    rng = paper.rng
    widths = [0.62 * height] * len(text)
    x = centre[0] - sum(widths) / 2
    for char, width in zip(text, widths, strict=True):
        middle = _jitter(rng, (x + width / 2, centre[1]), 0.02)
        if char == "-":
            ends = np.array([[-0.25, 0.0], [0.25, 0.0]]) + rng.normal(0, 0.03, (2, 2))
            paper.stroke(ends * height + middle, hand.pen.width)
        else:
            glyph = vary(rng, _one(rng, hand.digits[char]), 0.6)
            for stroke in _place(glyph, middle, (0.85 * height, height)):
                paper.stroke(stroke, hand.pen.width)
        x += width


def _draw_stray(paper: Paper, hand: Hand, layout: Layout) -> None:
    """A dot, a slip of the pen, a tick or a note: small, or outside of every mark's place."""
    rng = paper.rng
    area, screen = layout.page, decoration_of(layout).screen
    kind = rng.choice(["dot", "slip", "note"], p=[0.4, 0.4, 0.2])
    if kind == "note":  # in the margins above and below the screen
        y = rng.choice(
            [rng.uniform(area.top + 0.6, screen.top - 1.2), rng.uniform(19.4, area.bottom - 0.6)]
        )
        at = (rng.uniform(area.left + 3, area.right - 3), y)
        _draw_digits(
            paper, hand, "".join(rng.choice(list("0123456789"), 3)), at, rng.uniform(0.6, 1.4)
        )
        return
    at = np.array([rng.uniform(area.left, area.right), rng.uniform(area.top, area.bottom)])
    length = 0.05 if kind == "dot" else rng.uniform(0.1, 0.35)
    angle = rng.uniform(0, 2 * np.pi)
    offset = 0.5 * length * np.array([np.cos(angle), np.sin(angle)])
    paper.stroke(
        np.stack([at - offset, at, at + offset]),
        hand.pen.width * rng.uniform(0.6, 1.0),
        rng.uniform(0.5, 1.0),
    )


def _scribble(rng: np.random.Generator, centre: Sequence[float]) -> NDArray[np.float64]:
    count = int(rng.integers(8, 18))
    x = np.linspace(-0.4, 0.4, count) + rng.normal(0, 0.04, count)
    y = np.where(np.arange(count) % 2 == 0, -0.38, 0.38) + rng.normal(0, 0.05, count)
    turn = rng.uniform(0, np.pi)
    return np.stack([x, y], axis=1) @ turning(turn) + np.asarray(centre)


def draw_state(
    blank: BlankSheet,
    layout: Layout,
    state: SheetState,
    hand: Hand,
    rng: np.random.Generator,
) -> tuple[Image, Drawn]:
    """Mark a blank sheet as this hand would.

    Returns the picture (uint8 BGR, same size as the blank) and what it truly bears.
    """
    paper = Paper(blank, hand.pen, rng)
    grid, sheet = layout.grid, state.sheet
    energy, boxes_field, bombs = (layout.fields[name] for name in ("energy", "box", "bomb"))
    vertical = np.zeros((grid.rows, grid.columns + 1), np.float32)
    horizontal = np.zeros((grid.rows + 1, grid.columns), np.float32)
    cells = np.zeros((grid.rows, grid.columns), np.float32)

    for block in state.blocks:
        if hand.outlines == "none" or (hand.outlines == "some" and rng.random() < 0.25):
            continue
        edges = block_edges(block)
        if hand.outlines == "inner":
            edges = {
                edge
                for edge in edges
                if not (edge[0] == "v" and edge[2] in (0, grid.columns))
                and not (edge[0] == "h" and edge[1] in (0, grid.rows))
            }
        _draw_outline(paper, hand, edges)
        for kind, row, column in edges:
            (vertical if kind == "v" else horizontal)[row, column] = 1

    for row, column in sorted(state.crossed):
        size = float(np.clip(rng.normal(hand.cross_size, hand.cross_spread), 0.35, 1.15))
        centre = _jitter(rng, (column + 0.5, row + 0.5), hand.cross_spread * 0.7)
        stretch = np.exp(rng.normal(0, 0.08, 2))
        _draw_cross(paper, hand, centre, (size * stretch[0], size * stretch[1]))
        cells[row, column] = 1

    ringed, struck = (
        np.zeros(len(energy.centres), np.float32),
        np.zeros(len(energy.centres), np.float32),
    )
    diameter = 2 * energy.radius
    for point, (centre, mark) in enumerate(zip(energy.centres, state.energy, strict=True)):
        by_hand = point not in sheet.preprinted and (
            mark is Energy.CIRCLED or (mark is Energy.USED and hand.rings_used)
        )
        if by_hand:
            _draw_ring(paper, hand, centre, diameter * hand.ring_size)
            ringed[point] = 1
        if mark in (Energy.USED, Energy.OFF):
            size = diameter * rng.uniform(*hand.energy_strike_sizes)
            _draw_strike(paper, hand, hand.energy_strike, centre, size)
            struck[point] = 1

    boxes = np.asarray(state.bonus, np.float32)
    for centre, crossed in zip(boxes_field.centres, state.bonus, strict=True):
        if crossed:
            size = boxes_field.size[0] * rng.uniform(0.8, 1.2)
            _draw_strike(paper, hand, hand.box_strike, centre, size)
    for centre, crossed in zip(bombs.centres, state.bombs, strict=True):
        if crossed:
            size = 2 * bombs.radius * rng.uniform(*hand.bomb_strike_sizes)
            _draw_strike(paper, hand, hand.bomb_strike, centre, size)

    written_rows, written_total = _written_figures(layout, state, hand, rng)
    strip = decoration_of(layout).score_strip
    for row, text in enumerate(written_rows):
        centre = _jitter(rng, ((strip.left + strip.right) / 2, row + 0.5), 0.08)
        _draw_digits(paper, hand, text, centre, rng.uniform(0.5, 0.8))
    field = decoration_of(layout).total_field
    if not blank.total_field:
        written_total = ""
    if written_total and field:
        centre = ((field.left + field.right) / 2, (field.top + field.bottom) / 2)
        _draw_digits(paper, hand, written_total, centre, rng.uniform(0.6, 0.8))
    for _ in range(rng.poisson(hand.strays)):
        _draw_stray(paper, hand, layout)
    if rng.random() < 0.03:  # a mistake blackened out: nobody can tell what counts
        row, column = int(rng.integers(grid.rows)), int(rng.integers(grid.columns))
        paper.stroke(_scribble(rng, (column + 0.5, row + 0.5)), hand.pen.width * 1.3)
        cells[row, column] = 0.5
    drawn = Drawn(
        cells,
        vertical,
        horizontal,
        ringed,
        struck,
        boxes,
        np.asarray(state.bombs, np.float32),
        written_rows,
        written_total,
    )
    cell = blank.pixels_per_cell
    return print_ink(blank.image, paper.density, hand.pen, cell, paper.ink), drawn


LEAST_CONTRAST = 44  # grey levels in one colour channel
LEAST_SHOWN = 0.65  # part of a place on which ink has that contrast


def shows_on(hand: Hand, blank: BlankSheet, layout: Layout) -> bool:
    """Can this pen's ink be seen wherever the sheet is marked? Players take one that can."""
    grid = layout.grid
    cells = [(column + 0.5, zone.first + 0.5) for zone in grid.zones for column in (2, 5)]
    spots = np.array(
        [
            *cells,
            *layout.fields["box"].centres[:3],
            *layout.fields["energy"].centres[4:8],
            *layout.fields["bomb"].centres,
        ]
    )
    pixels = np.round(spots * blank.pixels_per_cell + blank.origin).astype(int)
    reach = max(1, round(0.3 * blank.pixels_per_cell))
    full = np.float32([1.0])
    for x, y in pixels:
        ground = blank.image[y - reach : y + reach, x - reach : x + reach].astype(np.float32)
        contrast = np.abs(inked(ground, full, hand.pen) - ground).max(axis=-1)
        if np.mean(contrast > LEAST_CONTRAST) < LEAST_SHOWN:
            return False
    return True


def _written_figures(
    layout: Layout, state: SheetState, hand: Hand, rng: np.random.Generator
) -> tuple[tuple[str, ...], str]:
    """The row points and total that this player writes: a slip now and then, dashes for 0."""
    points = score(state)
    dash = rng.random() < 0.3
    rows = ["-" if value == 0 and dash else str(value) for value in points.rows]
    for _ in range(int(rng.integers(0, 4)) if rng.random() < 0.15 else 0):
        rows[int(rng.integers(len(rows)))] = str(int(rng.integers(0, 100)))
    if not hand.writes_rows:
        rows = [""] * len(rows)
    total = str(max(0, points.total + (int(rng.integers(-10, 11)) if rng.random() < 0.1 else 0)))
    return tuple(rows), total if hand.writes_total else ""
