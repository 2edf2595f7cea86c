"""How well does a reader of marks without any neural network read?

``python -m benchmarks.classical --sheets 60 --seed 5001 --fit FOLDER`` fits the classical reader on
samples (see `training.samples`), shoots photos by writers that were never trained on, locates the
sheets as the program does, and prints for each tier and kind of mark how many percent are read
wrong, by the classical reader and by the networks, from the same straightened pictures.

The classical reader looks twice at each sheet:

1. Every patch (a cell, an edge between cells, a point, a box, a bomb) is freed of its local light
   and compared with the sheet's own patches of like print: what is darker than the darkest or
   lighter than the lightest that they show within a pixel is taken for ink. Of the ink's map
   oriented lines, rings, a coarse grid and the strength are measured, and a logistic regression
   judges them.
2. Now it is known, by and large, what is marked. The like patches are those judged unmarked, and
   histograms of colours tell this pen from this print. The same is measured of both maps, and a
   second logistic regression judges it together with the first judgement, seen beside those of
   the sheet's marked and unmarked patches. Edges also hear of the cells beside them.

No coordinate or count is written here: all come from the sheet's definition.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks.accuracy import TIERS, nth_shot, print_table
from brikks_vision.detect.bars import (
    BARS_PIXELS,
    bar_centres,
    bar_counts,
    bar_groups,
    rectify_bars,
    with_bars,
)
from brikks_vision.detect.marks import (
    BOMB,
    BOX,
    CELL,
    EDGE,
    READER_PIXELS,
    RING,
    STRIKE,
    Marks,
    mark_positions,
    read_marks,
    rectify_for_reading,
)
from brikks_vision.errors import PhotoUnreadable
from brikks_vision.pipeline import scan_photo
from brikks_vision.sheet import load_sheet
from simulation.ink import Drawn
from training.samples import PIXELS_PER_CELL
from training.train import displacement, load_arrays, resample, roughly_placed, usable

Floats = NDArray[np.float32]
NAMES = ("cell", "edge", "ring", "strike", "box", "bomb")  # by channel
UNSURE = 3.0  # log-odds: what was judged with less does not show what pen or print look like
MOST = 12.0  # log-odds
RIDGE = 10.0
COLOR_STEPS = 16  # a channel of a histogram


@dataclass(frozen=True, eq=False)
class Kind:
    """Patches that are judged alike.

    groups : (N,), equal numbers where the print is alike. models : (N,), each has factors of its
    own. channels : the marks that each patch may bear. round : its print has a centre.
    circles : (N,), radius in px of a disc of a colour of its own that is printed in the middle.
    """

    name: str
    places: NDArray[np.float64]  # (N, 2), cells
    groups: NDArray[np.int64]
    models: NDArray[np.int64]
    channels: tuple[int, ...]
    round: bool
    circles: Floats
    measure: Callable[[Floats], Floats]


# --- the patches of a sheet ----------------------------------------------------------------------


def numbered(keys: Sequence[Hashable]) -> NDArray[np.int64]:
    """Equal numbers for equal keys."""
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    return np.array([numbers[key] for key in keys])


CELL_SIDE = READER_PIXELS + 8  # px
EDGE_REACH = 6  # px beside an edge


@cache
def kinds() -> tuple[Kind, ...]:
    """Cells, edges, energy points, boxes, bombs."""
    definition = load_sheet()
    grid = definition.grid
    zones = {
        row: at for at, zone in enumerate(grid.zones) for row in range(zone.first, zone.last + 1)
    }
    circled = {circle.cell for circle in definition.circles}
    edges = [
        ("down", zones[row], 0 < column < grid.columns)
        for row in range(grid.rows)
        for column in range(grid.columns + 1)
    ] + [
        ("across", zones.get(row - 1), zones.get(row))
        for row in range(grid.rows + 1)
        for _ in range(grid.columns)
    ]
    # the frame and the lines between zones are often printed bolder
    bold = [not key[2] if key[0] == "down" else key[1] != key[2] for key in edges]
    points, channels = mark_positions(definition)
    bars = np.split(np.arange(len(bar_centres(definition))), np.cumsum(bar_counts(definition))[:-1])
    radius = definition.circle_diameter / 2 * READER_PIXELS
    circles = np.array([radius * (cell in circled) for cell in grid.cells], np.float32)

    def of_bar(name: str, at: int, marks: tuple[int, ...]) -> Kind:
        places, groups = bar_centres(definition)[bars[at]], bar_groups(definition.name)[bars[at]]
        none = np.zeros(len(places), np.float32)
        measure = shapes_of(BARS_PIXELS)
        return Kind(name, places, groups, numbered(list(groups)), marks, at != 1, none, measure)

    return (
        Kind(
            "cells", points[channels == CELL], numbered([zones[row] for row, _ in grid.cells]),
            numbered([cell in circled for cell in grid.cells]), (CELL,), False, circles,
            shapes_of(READER_PIXELS),
        ),
        Kind(
            "edges", points[channels == EDGE], numbered(edges), numbered(bold), (EDGE,), False,
            np.zeros(len(edges), np.float32), along_of,
        ),
        of_bar("points", 0, (RING, STRIKE)),
        of_bar("boxes", 1, (BOX,)),
        of_bar("bombs", 2, (BOMB,)),
    )  # fmt: skip


def patches_of(flat: NDArray[np.uint8], patches: NDArray[np.uint8]) -> list[NDArray[np.uint8]]:
    """The patches (N, h, w, 3) of each of `kinds`; all edges lie across."""
    definition = load_sheet()
    area, grid = definition.reading_area, definition.grid

    def cut(place: NDArray[np.float64], height: int, width: int) -> NDArray[np.uint8]:
        x, y = (place - (area.left, area.top)) * READER_PIXELS
        left, top = round(x - width / 2), round(y - height / 2)
        return flat[top : top + height, left : left + width]

    cells, edges, *_ = kinds()
    down = grid.rows * (grid.columns + 1)
    wide = 2 * EDGE_REACH + 1
    cut_edges = [cut(place, CELL_SIDE, wide).swapaxes(0, 1) for place in edges.places[:down]]
    cut_edges += [cut(place, wide, CELL_SIDE) for place in edges.places[down:]]
    return [
        np.stack([cut(place, CELL_SIDE, CELL_SIDE) for place in cells.places]),
        np.stack(cut_edges),
        *np.split(patches, np.cumsum(bar_counts(definition))[:-1]),
    ]


# --- ink: what like patches do not show ----------------------------------------------------------


def in_even_light(kind: Kind, patches: NDArray[np.uint8]) -> tuple[Floats, Floats]:
    """Logarithms of the patches (N, h, w, 3) without local light, and their grounds (N, 3)."""
    logs = np.log(patches.astype(np.float32) + 8)
    middles = np.median(logs.reshape(len(logs), -1, 3), axis=1)
    grounds = np.empty_like(middles)
    for group in np.unique(kind.groups):
        grounds[kind.groups == group] = np.median(middles[kind.groups == group], axis=0)
    distances = np.linalg.norm(kind.places[:, None] - kind.places[None], axis=2)
    near = np.argsort(distances, axis=1, kind="stable")[:, : min(9, len(logs))]
    light = np.median((middles - grounds)[near], axis=1)  # of many: a mark is no shadow
    return logs - light[:, None, None], grounds


@cache
def radii(height: int, width: int) -> NDArray[np.int64]:
    y, x = np.mgrid[:height, :width]
    return np.hypot(y - (height - 1) / 2, x - (width - 1) / 2).astype(np.int64)


def around_the_middle(logs: Floats) -> Floats:
    """Each patch as its median colour at each distance from its middle."""
    distances = radii(*logs.shape[1:3])
    result = np.empty_like(logs)
    for distance in range(distances.max() + 1):
        ring = distances == distance
        result[:, ring] = np.median(logs[:, ring], axis=1, keepdims=True)
    return result


def like_print(kind: Kind, logs: Floats, grounds: Floats, unmarked: NDArray[np.bool_]) -> Floats:
    """What each patch would show without ink: the median of unmarked patches of its print."""
    raised = logs - grounds[:, None, None]
    result = np.empty_like(logs)
    plain = kind.circles == 0
    anywhere = np.median(raised[unmarked & plain], axis=0) if (unmarked & plain).any() else None
    for group in np.unique(kind.groups):
        alike = (kind.groups == group) & plain
        own = alike & unmarked
        # where too few are unmarked, those on other grounds do, but points are printed differently
        if own.sum() >= 3 or anywhere is None or STRIKE in kind.channels:
            model = np.median(raised[own if own.any() else alike], axis=0)
        else:
            model = anywhere
        of_group = kind.groups == group
        result[of_group] = model + grounds[of_group][:, None, None]
    discs = kind.circles > 0
    if discs.any():
        inside = radii(*logs.shape[1:3]) <= kind.circles.max() + 1.5
        result[discs] = np.where(inside[..., None], around_the_middle(logs[discs]), result[discs])
    return result


def aligned(model: Floats, logs: Floats) -> Floats:
    """The models (N, h, w, 3), each moved by up to a pixel to where it fits its patch best."""
    patch, print_ = logs.mean(axis=3), model.mean(axis=3)
    best, result = np.full(len(logs), np.inf), model.copy()
    for y, x in product((0, -1, 1), repeat=2):
        moved = np.roll(print_, (y, x), axis=(1, 2))
        off = np.abs(patch - moved)[:, 2:-2, 2:-2]
        cost = np.minimum(off, 0.3).mean(axis=(1, 2)) * (1 + 0.02 * np.hypot(x, y))
        better = cost < best
        best[better] = cost[better]
        result[better] = np.roll(model[better], (y, x), axis=(1, 2))
    return result


def excess(logs: Floats, model: Floats) -> Floats:
    """What is darker (negative) or lighter than all that the model shows within a pixel."""
    square = np.ones((3, 3), np.uint8)
    least = np.stack([cv2.erode(each, square) for each in model])
    most = np.stack([cv2.dilate(each, square) for each in model])
    return np.minimum(logs - least, 0) + np.maximum(logs - most, 0)


def quietest(kind: Kind, logs: Floats, grounds: Floats) -> NDArray[np.bool_]:
    """The third of each group that differs least from its ground: a first guess at no marks."""
    contrast = np.abs(logs - grounds[:, None, None])[:, 4:-4, 4:-4].mean(axis=(1, 2, 3))
    quiet = np.zeros(len(logs), bool)
    for group in np.unique(kind.groups):
        own = np.flatnonzero((kind.groups == group) & (kind.circles == 0))
        quiet[own[np.argsort(contrast[own])[: max(min(3, len(own)), len(own) // 3)]]] = True
    return quiet


# --- measures of a map of ink --------------------------------------------------------------------


@cache
def line_filters(height: int, width: int, unit: float) -> Floats:
    """(angles, offsets, height * width): means along strokes through the middle or beside it."""
    y, x = np.mgrid[:height, :width] - np.array([height - 1, width - 1])[:, None, None] / 2
    filters = []
    for angle in np.arange(8) * np.pi / 8:
        along, off = x * np.cos(angle) + y * np.sin(angle), y * np.cos(angle) - x * np.sin(angle)
        for offset in np.linspace(-0.25, 0.25, 5) * unit:
            line = np.exp(-(((off - offset) / (0.05 * unit)) ** 2)) * (np.abs(along) < 0.4 * unit)
            filters.append(line.ravel() / line.sum())
    return np.array(filters, np.float32).reshape(8, 5, -1)


@cache
def sector_filters(height: int, width: int, unit: float) -> Floats:
    """(bands, sectors, height * width): arcs of rings of several sizes."""
    y, x = np.mgrid[:height, :width] - np.array([height - 1, width - 1])[:, None, None] / 2
    radius, angle = np.hypot(x, y) / unit, np.arctan2(y, x)
    sector = ((angle + np.pi) / (2 * np.pi) * 12).astype(int) % 12
    filters = []
    for inner in np.arange(0.1, 0.61, 0.075):
        for at in range(12):
            arc = (radius >= inner) & (radius < inner + 0.075) & (sector == at)
            filters.append(arc.ravel() / max(1, arc.sum()))
    return np.array(filters, np.float32).reshape(-1, 12, height * width)


def shapes_of(unit: int) -> Callable[[Floats], Floats]:
    """Measures lines, rings and a coarse grid in maps (N, h, w) of ink."""

    def measure(ink: Floats) -> Floats:
        count, height, width = ink.shape
        flat = ink.reshape(count, -1)
        lines = (line_filters(height, width, unit) @ flat.T).transpose(2, 0, 1).max(axis=2)
        arcs = (sector_filters(height, width, unit) @ flat.T).transpose(2, 0, 1)
        outer = arcs[:, 2:].max(axis=1)  # a ring drawn by hand wanders
        falling, rising = lines[:, 1:4].max(axis=1), lines[:, 5:].max(axis=1)
        middle = ink[:, height // 2 - unit // 2 : height // 2 + unit // 2 + 1,
                     width // 2 - unit // 2 : width // 2 + unit // 2 + 1]  # fmt: skip
        grid = np.stack([cv2.resize(each, (4, 4), interpolation=cv2.INTER_AREA) for each in middle])
        parts = (
            lines, np.minimum(falling, rising)[:, None], np.maximum(falling, rising)[:, None],
            arcs.mean(axis=2), outer.mean(axis=1)[:, None],
            np.quantile(outer, (0.1, 0.3), axis=1).T, grid.reshape(count, -1),
            np.quantile(middle.reshape(count, -1), (0.5, 0.75, 0.9), axis=1).T,
        )  # fmt: skip
        return np.concatenate(parts, axis=1).astype(np.float32)

    return measure


def along_of(ink: Floats) -> Floats:
    """Measures in maps (N, h, w) of ink how far a stroke follows the edge."""
    between = ink[:, :, 4:-4]
    middle = between[:, 2:-2].max(axis=1)
    stroke = np.quantile(middle, (0.1, 0.25, 0.5, 0.75), axis=1).T
    across = between.mean(axis=2)
    # one that keeps its distance, as a cross in a cell beside does not
    straight = np.quantile(between, 0.3, axis=2)
    parts = (stroke, middle.mean(axis=1)[:, None], across, straight.max(axis=1)[:, None], straight)
    return np.concatenate(parts, axis=1).astype(np.float32)


def course(raised: Floats) -> Floats:
    """How dark and how colourful edges (N, h, w, 3) are across, wherever the line may lie."""
    between = raised[:, :, 4:-4]
    lengthwise = between.sum(axis=1)  # (N, w, 3), the same for a line that lies a little beside
    middle = np.median(between, axis=2)  # (N, h, 3): a cross that reaches over it does not count
    dark = middle.sum(axis=2)
    parts = (
        middle.sum(axis=1), dark.min(axis=1)[:, None], dark.max(axis=1)[:, None],
        np.abs(dark).mean(axis=1)[:, None], np.sort(dark, axis=1)[:, 1:6],
        np.quantile(lengthwise.sum(axis=2), (0.2, 0.5, 0.8), axis=1).T,
    )  # fmt: skip
    return np.concatenate(parts, axis=1)


def beyond_the_unmarked(kind: Kind, values: Floats, unmarked: NDArray[np.bool_]) -> Floats:
    """Measures (N, features) less the median of what unmarked patches of like print show."""
    result = np.empty_like(values)
    for group in np.unique(kind.groups):
        alike = kind.groups == group
        bare = alike & unmarked
        if not bare.any():
            bare = unmarked if unmarked.any() else alike
        result[alike] = values[alike] - np.median(values[bare], axis=0)
    return result


def measures(
    kind: Kind, logs: Floats, grounds: Floats, unmarked: NDArray[np.bool_]
) -> tuple[Floats, Floats]:
    """All that is measured of the ink (N, features), and its map (N, h, w), 0 to 1."""
    model = aligned(like_print(kind, logs, grounds, unmarked), logs)
    beyond = excess(logs, model)
    strength = np.linalg.norm(beyond, axis=3)
    # how strong this pen is on this print; nothing is marked where it is hardly above the noise
    strong = max(0.15, float(np.quantile(strength, 0.97)))
    ink = strength / (strength + 0.4 * strong)
    tone = np.stack(
        [
            strength.mean(axis=(1, 2)), np.minimum(beyond, 0).mean(axis=(1, 2, 3)),
            np.maximum(beyond, 0).mean(axis=(1, 2, 3)),
            np.quantile(strength.reshape(len(ink), -1), 0.9, axis=1),
        ],
        axis=1,
    )  # fmt: skip
    tone = np.sqrt(np.abs(tone))
    parts = [
        kind.measure(ink), tone, beyond_the_unmarked(kind, tone, unmarked),
        np.full((len(ink), 1), np.log(strong), np.float32), (logs - model).mean(axis=(1, 2)),
    ]  # fmt: skip
    if kind.round:
        around = np.linalg.norm(excess(logs, around_the_middle(logs)), axis=3)
        values = kind.measure(around / (around + 0.4 * strong))
        parts.append(beyond_the_unmarked(kind, values, unmarked))
    if kind.channels == (EDGE,):
        values = course(logs - grounds[:, None, None])
        parts.append(beyond_the_unmarked(kind, values, unmarked))
        parts.append(beyond_the_unmarked(kind, values / strong, unmarked))
    return np.concatenate(parts, axis=1), ink


# --- this pen's colour and this print's ----------------------------------------------------------


def colors_of(logs: Floats) -> NDArray[np.int64]:
    """The bin of each pixel's colour."""
    steps = np.clip((np.exp(logs) - 8) / 256 * COLOR_STEPS, 0, COLOR_STEPS - 1).astype(np.int64)
    return (steps[..., 0] * COLOR_STEPS + steps[..., 1]) * COLOR_STEPS + steps[..., 2]


def histogram(colors: NDArray[np.int64], weights: Floats) -> NDArray[np.float64]:
    counts = np.bincount(colors.ravel(), weights.ravel(), COLOR_STEPS**3)
    cube = counts.reshape((COLOR_STEPS,) * 3)
    for axis in range(3):  # a pen's colour is not one but about one
        padded = np.pad(cube, [(1, 1) if each == axis else (0, 0) for each in range(3)], "edge")
        before, here, after = (
            np.take(padded, range(first, first + COLOR_STEPS), axis) for first in range(3)
        )
        cube = (before + 2 * here + after) / 4
    return cube.ravel()


def pen_share(
    looks: Sequence[tuple[NDArray[np.int64], Floats, NDArray[np.float64]]],
) -> list[Floats]:
    """How sure each pixel has the pen's colour and not the print's: maps (N, h, w), 0 to 1.

    ``looks`` : of each kind, the colours and the ink of its pixels, the log-odds of a mark (N,).
    """
    inks, prints = [], []
    for colors, ink, scores in looks:
        marked = (scores > UNSURE)[:, None, None] * np.where(ink > 0.5, ink, 0)
        inks.append(histogram(colors, marked.astype(np.float32)))
        bare = np.broadcast_to((scores < -UNSURE)[:, None, None], ink.shape)
        prints.append(histogram(colors, bare.astype(np.float32)))
    pen = sum(inks[1:], inks[0])
    pen = (pen + 1e-9) / (pen.sum() + 200)  # little ink says little
    everywhere = sum(each / (each.sum() + 200) for each in prints) / len(prints)
    shares = []
    for (colors, _, _), own in zip(looks, prints, strict=True):
        bare = 0.8 * own / (own.sum() + 200) + 0.2 * everywhere
        odds = (pen + 1e-4) / (bare + 1e-4)
        shares.append((odds / (1 + odds)).astype(np.float32)[colors])
    return shares


# --- the judgement -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Logistic:
    """A logistic regression over measures and their hinges, which bend its answer."""

    mean: Floats
    scale: Floats
    factors: NDArray[np.float64]

    def bent(self, features: Floats) -> NDArray[np.float64]:
        z = np.clip((features - self.mean) / self.scale, -4, 4).astype(np.float64)
        hinges = [np.maximum(z - knot, 0) for knot in (-0.7, 0.3, 1.3)]
        return np.concatenate([np.ones((len(z), 1)), z, *hinges], axis=1)

    def scores(self, features: Floats) -> NDArray[np.float64]:
        return np.clip(self.bent(features) @ self.factors, -MOST, MOST)


def fit_logistic(features: Floats, labels: Floats, ridge: float) -> Logistic:
    """By Newton's method; labels of 0.5 must not be among them."""
    model = Logistic(features.mean(axis=0), features.std(axis=0) + 1e-4, np.empty(0))
    columns = model.bent(features)
    factors = np.zeros(columns.shape[1])
    penalty = np.full(len(factors), ridge)
    penalty[0] = 1e-3
    for _ in range(12):
        odds = np.clip(columns @ factors, -MOST, MOST)
        share = 1 / (1 + np.exp(-odds))
        weights = share * (1 - share) + 1e-4
        slope = columns.T @ (share - labels) + penalty * factors
        curve = (columns * weights[:, None]).T @ columns + np.diag(penalty)
        factors = factors - np.linalg.solve(curve, slope)
    return Logistic(model.mean, model.scale, factors)


Judges = dict[tuple[int, int, int], Logistic]  # by the kind's place, model, channel


@dataclass(frozen=True, eq=False)
class Look:
    """Of each kind of a sheet's patches what was measured (N, features), and its light removed."""

    measured: list[Floats]
    logs: list[Floats]
    grounds: list[Floats]


def first_look(flat: NDArray[np.uint8], patches: NDArray[np.uint8]) -> Look:
    look = Look([], [], [])
    for kind, pixels in zip(kinds(), patches_of(flat, patches), strict=True):
        logs, grounds = in_even_light(kind, pixels)
        measured, _ = measures(kind, logs, grounds, quietest(kind, logs, grounds))
        look.measured.append(measured)
        look.logs.append(logs)
        look.grounds.append(grounds)
    return look


def judged(measured: list[Floats], judges: Judges) -> list[NDArray[np.float64]]:
    """Log-odds of each kind's marks, (N, channels)."""
    result = []
    for place, kind in enumerate(kinds()):
        scores = np.zeros((len(kind.places), len(kind.channels)))
        for at, channel in enumerate(kind.channels):
            for model in np.unique(kind.models):
                own = kind.models == model
                scores[own, at] = judges[place, model, channel].scores(measured[place][own])
        result.append(scores)
    return result


def beside_the_sheet(kind: Kind, scores: NDArray[np.float64]) -> Floats:
    """First judgements (N, channels), and how they lie between this sheet's two classes."""
    columns = [scores]
    for at in range(scores.shape[1]):
        own = scores[:, at]
        for groups in (kind.models, np.zeros_like(kind.models)):
            low, high, share = np.empty_like(own), np.empty_like(own), np.empty_like(own)
            for group in np.unique(groups):
                alike = groups == group
                marked = alike & (own > 0)
                bare = alike & (own <= 0)
                # where one of the classes is empty it is taken to lie where it usually does
                low[alike] = (own[bare].sum() - UNSURE) / (bare.sum() + 1)
                high[alike] = (own[marked].sum() + UNSURE) / (marked.sum() + 1)
                share[alike] = marked.sum() / alike.sum()
            between = (own - low) / (high - low)
            columns.append(np.stack([own - low, own - high, between, share, low, high], axis=1))
    return np.concatenate(columns, axis=1).astype(np.float32)


@cache
def cells_beside() -> NDArray[np.bool_]:
    """Which cells (edges, cells) touch which edges."""
    cells, edges, *_ = kinds()
    distances = np.linalg.norm(edges.places[:, None] - cells.places[None], axis=2)
    return distances < 0.6


def bare_edges(scores: list[NDArray[np.float64]]) -> NDArray[np.bool_]:
    """Edges that show the print alone.

    Most edges of a full sheet are inked, and what is usual is not what is printed; but nobody
    outlines an edge between empty cells. Where such edges are few, the first judgement counts.
    """
    cells, edges = scores[0][:, 0], scores[1][:, 0]
    groups = kinds()[1].groups
    between = ~(cells_beside() & (cells > -1)).any(axis=1)
    bare = between.copy()
    for group in np.unique(groups):
        if (between & (groups == group)).sum() < 3:
            bare |= (groups == group) & (edges < 0)
    return bare


def second_look(look: Look, scores: list[NDArray[np.float64]]) -> list[Floats]:
    most = [each.max(axis=1) for each in scores]
    most[1] = np.where(bare_edges(scores), -MOST, 0)
    inks, measured = [], []
    for place, kind in enumerate(kinds()):
        # an edge of 0 shows neither what the print nor what the pen is like
        unmarked = most[place] < 0
        values, ink = measures(kind, look.logs[place], look.grounds[place], unmarked)
        inks.append(ink)
        measured.append(values)
    shares = pen_share(
        [(colors_of(logs), ink, own) for logs, ink, own in zip(look.logs, inks, most, strict=True)]
    )
    features = [
        np.concatenate(
            [beside_the_sheet(kind, own), values, kind.measure(share), kind.measure(share * ink)],
            axis=1,
        )
        for kind, own, values, share, ink in zip(
            kinds(), scores, measured, shares, inks, strict=True
        )
    ]  # fmt: skip
    beside = np.where(cells_beside(), scores[0][:, 0], -np.inf)
    neighbours = np.maximum(np.sort(beside, axis=1)[:, -2:], -MOST)
    features[1] = np.concatenate([features[1], neighbours.astype(np.float32)], axis=1)
    return features


@dataclass(frozen=True, eq=False)
class Reader:
    """Reads marks as `read_marks` and `with_bars` do together."""

    first: tuple[Judges, Judges]  # which judge together
    second: Judges

    def read(self, flat: NDArray[np.uint8], patches: NDArray[np.uint8]) -> Marks:
        definition = load_sheet()
        grid = definition.grid
        look = first_look(flat, patches)
        one, other = (judged(look.measured, judges) for judges in self.first)
        means = [(a + b) / 2 for a, b in zip(one, other, strict=True)]
        measured = second_look(look, means)
        cells, edges, points, boxes, bombs = judged(measured, self.second)
        down, across = np.split(edges[:, 0], [grid.rows * (grid.columns + 1)])
        return Marks(
            cells.reshape(grid.rows, grid.columns),
            down.reshape(grid.rows, grid.columns + 1),
            across.reshape(grid.rows + 1, grid.columns),
            points[:, 0], points[:, 1], boxes[:, 0], bombs[:, 0],
        )  # fmt: skip


def truths(labels: Floats) -> list[Floats]:
    """Labels in the order of `Marks` as those of each kind (N, channels)."""
    _, channels = mark_positions(load_sheet())
    by_kind = [
        np.stack([labels[channels == each] for each in kind.channels], 1) for kind in kinds()
    ]
    points = by_kind[2]
    points[points[:, 1] != 0, 0] = 0.5  # a ring under a strike counts for nothing
    return by_kind


def fit_judges(measured: list[list[Floats]], labels: list[list[Floats]], ridge: float) -> Judges:
    """``measured``, ``labels`` : of each sheet, of each kind."""
    judges = {}
    for place, kind in enumerate(kinds()):
        features = np.stack([each[place] for each in measured])
        truth = np.stack([each[place] for each in labels])
        for at, channel in enumerate(kind.channels):
            for model in np.unique(kind.models):
                own = kind.models == model
                shown = features[:, own].reshape(-1, features.shape[2])
                true = truth[:, own, at].ravel()
                told = true != 0.5
                judges[place, int(model), channel] = fit_logistic(shown[told], true[told], ridge)
    return judges


def fit(folder: Path, count: int) -> Reader:
    """Fits on the first samples of a folder."""
    arrays = load_arrays([folder], ("flat", "patches", "labels", "kind"))
    chosen = usable(arrays, "reader")[:count]
    rng = np.random.default_rng(1)
    looks, labels = [], []
    for at in chosen:  # as roughly placed as the program places a sheet
        field = displacement(rng, 16, 12, rng.uniform(0, 0.06))
        flat = resample(arrays["flat"][at], field, PIXELS_PER_CELL)
        looks.append(first_look(flat, roughly_placed(arrays["patches"][at], rng)))
        labels.append(truths(arrays["labels"][at].astype(np.float32)))
    half = len(looks) // 2
    measured = [look.measured for look in looks]
    # what is judged on samples that it was fitted on looks surer than it is
    first = (
        fit_judges(measured[half:], labels[half:], RIDGE),
        fit_judges(measured[:half], labels[:half], RIDGE),
    )
    seen = [
        second_look(look, judged(look.measured, first[at >= half])) for at, look in enumerate(looks)
    ]
    return Reader(first, fit_judges(seen, labels, RIDGE))


# --- beside the networks -------------------------------------------------------------------------


def wrong_by_kind(marks: Marks, drawn: Drawn) -> NDArray[np.int64]:
    """Marks wrong and marks there are, by channel: (channels, 2)."""
    pairs = (
        (CELL, marks.cells, drawn.cells),
        (EDGE, marks.vertical_edges, drawn.vertical_edges),
        (EDGE, marks.horizontal_edges, drawn.horizontal_edges),
        (RING, marks.rings, np.where(drawn.struck != 0, 0.5, drawn.ringed)),
        (STRIKE, marks.strikes, drawn.struck),
        (BOX, marks.boxes, drawn.boxes),
        (BOMB, marks.bombs, drawn.bombs),
    )
    counts = np.zeros((len(NAMES), 2), np.int64)
    for channel, odds, truth in pairs:
        told = truth != 0.5
        counts[channel] += (((odds > 0) != (truth > 0.5)) & told).sum(), told.sum()
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sheets", type=int, default=60, help="a tier")
    parser.add_argument("--seed", type=int, default=5001)
    parser.add_argument("--fit", type=Path, required=True, help="a folder of samples")
    parser.add_argument("--samples", type=int, default=360, help="to fit on; 8 MB of memory each")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    definition = load_sheet()
    reader = fit(options.fit, options.samples)
    rows: list[tuple[str, ...]] = [("tier", "sheets", "% wrong of", *NAMES)]
    for tier in TIERS:
        read, counts = 0, np.zeros((2, len(NAMES), 2), np.int64)
        for number in range(options.sheets):
            shot = nth_shot(tier, options.seed, number)
            try:
                result = scan_photo(shot.data)
            except PhotoUnreadable:  # neither reader gets to see it
                continue
            read += 1
            flat = rectify_for_reading(result.photo.image, result.placement, definition)
            patches = rectify_bars(result.photo.image, result.placement, definition)
            both = (
                reader.read(flat, patches),
                with_bars(read_marks(flat, definition), patches, definition),
            )
            counts += [wrong_by_kind(marks, shot.drawn) for marks in both]
        for name, (wrong, marks) in zip(
            ("classical", "networks"), counts.transpose(0, 2, 1), strict=True
        ):
            shares = [f"{100 * share:.2f}" for share in wrong / np.maximum(1, marks)]
            rows.append((tier, str(read), name, *shares))
    print_table(rows)


if __name__ == "__main__":
    main()
