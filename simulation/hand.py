"""Players' hands: pens, strokes and habits drawn by chance. They know no game.

Sizes are in cells unless said otherwise.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from simulation import handwriting
from simulation.paper.blank import BlankSheet
from simulation.real_ink import Mattes, load_mattes
from simulation.strokes import Pen, inked, random_pen


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
class Strike:
    """How one player crosses out what is printed at a place.

    kind: one of `STRIKES`. sizes: smallest and largest, in widths of what is crossed out.
    """

    kind: str
    sizes: tuple[float, float]


@dataclass(frozen=True)
class Hand:
    """How one player marks; sizes in cells, spreads as standard deviations.

    A printed circle, a printed box and any other printed figure are each crossed out in a way of
    their own; a cell of a grid is marked with a plain cross.
    """

    pen: Pen
    crosses: tuple[handwriting.Glyph, ...]
    slashes: tuple[handwriting.Glyph, ...]  # whose strokes single strikes are: crosses, or lines
    rings: tuple[handwriting.Glyph, ...]
    digits: dict[str, tuple[handwriting.Glyph, ...]]
    cross_size: float
    cross_spread: float
    apart: float  # how far the strokes of one mark stray from each other, in its sizes
    skips: float  # share of strokes in which the ink gives out
    wobble: float
    outlines: str  # one of `OUTLINES`
    outline_offset: float
    doubled_strokes: float  # share of marks gone over twice
    ring_size: float  # diameter, in diameters of the ringed circle
    doubled_rings: float  # share of rings gone over twice
    looseness: float  # how far rings stray from their places; strikes half as far
    circle_strike: Strike
    box_strike: Strike
    figure_strike: Strike
    rings_under_strikes: bool  # a struck circle bears its ring under the strike
    slash: Slash
    writes_rows: bool  # writes the points of the parts of the score
    writes_total: bool
    strays: float  # expected number of stray marks on the sheet
    mattes: Mattes | None = None  # of a real pen, with which marks and outlines are made


STRIKES = ("cross", "slash", "zigzag", "hatch")  # ways to cross something out
PLAIN_STRIKES = STRIKES[:2]
OUTLINES = ("all", "none", "some", "inner")  # which outlines: "inner" leaves out the grid's own rim
PLAIN_SHARE = 0.85  # of the players
REAL_SHARE = 0.35  # of the players, where there are mattes
BOX_STRIKE_SIZES = 0.8, 1.2


def random_hand(
    rng: np.random.Generator, writers: handwriting.Writers, mattes: Mattes | None = None
) -> Hand:
    """A player with one writer's crosses and rings, a pen and habits of their own.

    Most mark plainly (see `plain_hand`); what the others do is meant to be hard to read.
    ``mattes``: of a real pen, with which some of them mark.
    """
    hand = any_hand(rng, writers)
    plain, real = rng.spawn(2)
    if mattes and real.random() < REAL_SHARE:
        hand = replace(hand, mattes=mattes)
    return plain_hand(plain, hand) if plain.random() < PLAIN_SHARE else hand


def any_hand(rng: np.random.Generator, writers: handwriting.Writers) -> Hand:
    """A player with any habits, common or rare."""
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
    rings = tuple(handwriting.own_ring(rng) for _ in range(3)) if own_rings else rings
    if habits.random() < 0.45:  # most writers have drawn only one ring
        rings = (_turned(habits, writers.loops[habits.integers(len(writers.loops))]),)
        rings += tuple(
            _turned(shapes, writers.loops[shapes.integers(len(writers.loops))])
            for _ in range(shapes.integers(3))
        )
    if shapes.random() < 0.5:
        squeeze, slant = (
            shapes.uniform(handwriting.MIN_RING_WIDTH, 1.0),
            shapes.uniform(-0.35, 0.35),
        )
        rings = tuple(handwriting.slender(ring, squeeze, slant) for ring in rings)
    crosses = tuple(handwriting.own_cross(rng) for _ in range(3)) if own_crosses else crosses
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
        outlines=str(rng.choice(OUTLINES, p=[0.72, 0.14, 0.06, 0.08])),
        outline_offset=rng.uniform(0.0, 0.06),
        doubled_strokes=rng.choice([0.0, 0.05, 0.5], p=[0.7, 0.2, 0.1]),
        ring_size=rng.uniform(0.85, 1.6) * float(habits.choice([1.0, 0.7], p=[0.65, 0.35])),
        doubled_rings=float(habits.choice([0.0, 0.6], p=[0.85, 0.15])),
        looseness=float(habits.choice([0.05, 0.1], p=[0.65, 0.35])),
        circle_strike=Strike(_way_to_strike(rng, [0.4, 0.42, 0.08, 0.1], pen), (0.7, 1.7)),
        rings_under_strikes=bool(rng.random() < 0.85),
        box_strike=Strike(_way_to_strike(rng, [0.7, 0.14, 0.1, 0.06], pen), BOX_STRIKE_SIZES),
        figure_strike=Strike(_way_to_strike(rng, [0.44, 0.32, 0.14, 0.1], pen), (0.65, 1.5)),
        slash=_random_slash(rng),
        writes_rows=bool(rng.random() < 0.55),
        writes_total=bool(rng.random() < 0.5),
        strays=float(rng.choice([0.0, 1.0, 4.0], p=[0.6, 0.3, 0.1])),
    )


def _turned(rng: np.random.Generator, glyph: handwriting.Glyph) -> handwriting.Glyph:
    """The same ring by a hand that holds the pen differently, or draws the other way round."""
    turn, mirrored = rng.normal(0, 0.4), float(rng.choice([-1, 1]))
    return tuple(stroke * [mirrored, 1.0] @ handwriting.turning(turn) for stroke in glyph)


PLAIN_PEN_WIDTHS = 0.04, 0.15  # cells, of pens made for writing
MAX_PLAIN_BEND = 0.12
PLAIN_RING_SIZES = 0.78, 1.5  # circle diameters
PLAIN_STRIKE_SIZES = 0.95, 1.4  # of what is crossed out: of the ring, of the figure
PLAIN_STRIKE_RATIO = 1.2  # largest strike to smallest


def plain_hand(rng: np.random.Generator, hand: Hand) -> Hand:
    """The same player marking as most do at a table: fine crosses and plain strokes, in place."""
    kinds = [
        strike.kind if strike.kind in PLAIN_STRIKES else str(rng.choice(PLAIN_STRIKES))
        for strike in (hand.circle_strike, hand.box_strike, hand.figure_strike)
    ]
    ring_size = rng.uniform(*PLAIN_RING_SIZES)
    of_circle = max(1.0, ring_size) * rng.uniform(*PLAIN_STRIKE_SIZES)
    of_figure = rng.uniform(*PLAIN_STRIKE_SIZES)
    return replace(
        hand,
        pen=replace(hand.pen, width=min(hand.pen.width, rng.uniform(*PLAIN_PEN_WIDTHS))),
        apart=0.0,
        skips=0.0,
        slashes=hand.crosses,
        doubled_strokes=0.0,
        doubled_rings=0.0,
        ring_size=ring_size,
        looseness=min(hand.looseness, 0.07),
        circle_strike=Strike(kinds[0], (of_circle, PLAIN_STRIKE_RATIO * of_circle)),
        box_strike=replace(hand.box_strike, kind=kinds[1]),
        figure_strike=Strike(kinds[2], (of_figure, PLAIN_STRIKE_RATIO * of_figure)),
        slash=Slash(
            number=hand.slash.number,
            turn=float(rng.normal(0, 0.1)),
            bow=rng.uniform(-MAX_PLAIN_BEND, MAX_PLAIN_BEND),
            wave=rng.uniform(-MAX_PLAIN_BEND, MAX_PLAIN_BEND),
        ),
        strays=min(hand.strays, 1.0),
    )


MAX_BEND = 0.45  # of its length: a stroke bent further is a ring that does not close


def _random_slash(rng: np.random.Generator) -> Slash:
    """A single stroke: some hands draw it as in their crosses, some turned, most bent."""
    turn = rng.choice([0.0, np.pi / 2, np.pi / 4, -np.pi / 4], p=[0.7, 0.1, 0.1, 0.1])
    bend = rng.choice([0.0, 0.12, 0.3], p=[0.4, 0.25, 0.35])
    return Slash(
        number=int(rng.integers(2)),
        turn=float(turn + rng.normal(0, 0.1)),
        bow=float(np.clip(bend * rng.normal(), -MAX_BEND, MAX_BEND)),
        wave=float(np.clip(bend * rng.normal(), -MAX_BEND, MAX_BEND)),
    )


MAX_ZIGZAG_PEN_WIDTH = 0.16  # cells


def _way_to_strike(rng: np.random.Generator, shares: list[float], pen: Pen) -> str:
    """One of `STRIKES`, but no zigzag of a pen too thick for so small a place."""
    kind = str(rng.choice(STRIKES, p=shares))
    return "slash" if kind == "zigzag" and pen.width > MAX_ZIGZAG_PEN_WIDTH else kind


def _strokes_cross(glyph: handwriting.Glyph) -> bool:
    """Whether the first two strokes run along clearly different diagonals."""
    spans = [stroke[-1] - stroke[0] for stroke in glyph[:2]]
    slopes = [span[0] * span[1] for span in spans]
    return bool(slopes[0] * slopes[1] < 0)


# --- shapes of strikes ---------------------------------------------------------------------------


def slash_stroke(
    rng: np.random.Generator, slash: Slash, stroke: NDArray[np.float64]
) -> NDArray[np.float64]:
    """The stroke as this hand crosses out with it: (N, 2), its middle point at 0.

    However it is bent, it runs through the middle: an arc around the middle cannot be told from
    the ring that it crosses out.
    """
    drawn = handwriting.resampled(
        handwriting.bent(rng, stroke @ handwriting.turning(slash.turn), slash.bow, slash.wave), 61
    )
    return drawn - drawn[30]


def zigzag_stroke(rng: np.random.Generator) -> NDArray[np.float64]:
    """One stroke to and fro, about as large as a cross: (N, 2) around 0."""
    turns = int(rng.integers(3, 10))
    across = np.linspace(-0.5, 0.5, turns) + rng.normal(0, 0.04, turns)
    height = rng.uniform(0.15, 0.5)
    aside = np.where(np.arange(turns) % 2, height, -height) + rng.normal(0, 0.05, turns)
    turn = rng.normal(0, 0.4) + rng.choice([0, np.pi / 4, np.pi / 2, -np.pi / 4])
    return np.stack([across, aside], axis=1) @ handwriting.turning(turn)


def hatch_strokes(
    rng: np.random.Generator, stroke: NDArray[np.float64], max_strokes: int
) -> handwriting.Glyph:
    """Two to ``max_strokes`` strokes side by side, each like the given one."""
    along = stroke[-1] - stroke[0]
    aside = np.array([-along[1], along[0]]) / max(1e-6, float(np.linalg.norm(along)))
    count = int(rng.integers(2, max_strokes + 1))
    places = (np.arange(count) - (count - 1) / 2) * rng.uniform(0.18, 0.5 - 0.06 * count)
    return tuple(
        stroke * rng.uniform(0.8, 1.05) + (place + rng.normal(0, 0.03)) * aside for place in places
    )


# --- pens that show ------------------------------------------------------------------------------

MIN_CONTRAST = 44  # grey levels in one colour channel
MIN_SHOWN = 0.65  # part of a place on which ink has that contrast
MAX_TRIES = 40


def shows_at(hand: Hand, blank: BlankSheet, spots: Sequence[tuple[float, float]]) -> bool:
    """Whether this pen's ink can be seen at all spots (x, y) in cells."""
    pixels = np.round(np.array(spots) * blank.pixels_per_cell + blank.origin).astype(int)
    reach = max(1, round(0.3 * blank.pixels_per_cell))
    full = np.float32([1.0])
    for x, y in pixels:
        ground = blank.image[y - reach : y + reach, x - reach : x + reach].astype(np.float32)
        contrast = np.abs(inked(ground, full, hand.pen) - ground).max(axis=-1)
        if np.mean(contrast > MIN_CONTRAST) < MIN_SHOWN:
            return False
    return True


def hand_that_shows(
    blank: BlankSheet,
    spots: Sequence[tuple[float, float]],
    rng: np.random.Generator,
    held_out: bool,
) -> Hand:
    """Any hand whose pen shows at the spots of this print, unless none of 40 does.

    Players take a pen that can be seen. ``held_out``: by writers that are never trained on.
    """
    writers, mattes = handwriting.load_writers(held_out), load_mattes(held_out)
    hand = random_hand(rng, writers, mattes)
    for _ in range(MAX_TRIES):
        if shows_at(hand, blank, spots):
            break
        hand = random_hand(rng, writers, mattes)
    return hand
