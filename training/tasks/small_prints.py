"""Small printed sheets in random art: a few cells, and a few loose places beside them.

No game is meant: rows and columns, what stands in cells, loose circles, boxes and balls, colours,
relief and wear are drawn by chance, far beyond what one printed sheet looks like. Lengths are in
cells, colours BGR.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from brikks_vision.layout import Box, Layout, Mark, Point, parse_layout
from simulation.paper import ornaments
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Canvas, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import (
    BLACK,
    WHITE,
    Color,
    any_color,
    contrasting,
    hsv,
    luminance,
    mixed,
    varied,
)
from simulation.paper.fonts import random_font, random_word
from simulation.paper.relief import (
    ball_style,
    crescent,
    embossed_point,
    like_a_photograph,
    lit_bomb,
    point_relief,
    soft_disc,
)
from simulation.paper.surfaces import gradient
from simulation.paper.wear import coarsely_printed, faded, photocopied, screened, worn

MARGIN = 1.1  # cells around everything that can be marked
DARK_SHARE = 0.35  # of the sheets
PHOTOGRAPH_SHARE = 0.12  # of the grounds
VARIED_LABELS_SHARE = 0.4  # of the labelled prints: another number at each place

Print = Callable[[Canvas, Point, str], None]
"""Draws one place around a point, with a label where it bears any."""


@dataclass(frozen=True)
class Printing:
    """How the places of one number are printed. drawn: as `brikks_vision.layout.Drawn`.

    labels: one for all places, or several of which each bears one.
    """

    draw: Print
    drawn: dict[str, float]
    labels: tuple[str, ...]


@dataclass(frozen=True)
class SmallSheet:
    layout: Layout
    blank: BlankSheet


def _labels(rng: np.random.Generator) -> tuple[str, ...]:
    kind = rng.random()
    if kind < 0.6:
        labels = [str(each) for each in rng.integers(0, 100 if chance(rng, 0.4) else 10, 5)]
    elif kind < 0.85:
        labels = list(random_word(rng, 5))
    else:
        labels = list(rng.choice(["+", "-", "?", "!", "*", "x2", "+1", "#", "%", "&"], 5))
    return tuple(labels if chance(rng, VARIED_LABELS_SHARE) else labels[:1])


def _seen(rng: np.random.Generator, ground: Color) -> Color:
    """A colour for lines, mostly seen well on the ground, now and then hardly."""
    color = contrasting(rng, ground, float(rng.uniform(25, 110)))
    if chance(rng, 0.45):  # grey, dark or white lines are the usual ones
        color = hsv(0, 0, float(rng.uniform(0, 0.5) if luminance(ground) > 110 else 0.9))
    return mixed(ground, color, float(rng.uniform(0.35, 1.0)))


def _shape(rng: np.random.Generator, size: float, ground: Color) -> tuple[str, Print, Color]:
    """A printed outline or body as wide as ``size``: its name, what draws it, colour inside it."""
    kind = str(
        rng.choice(
            ["ring", "box", "disc", "embossed", "ball", "star", "double", "glow", "none"],
            p=[0.2, 0.22, 0.14, 0.14, 0.12, 0.04, 0.04, 0.04, 0.06],
        )
    )
    half = size / 2
    fill = ground if chance(rng, 0.3) else any_color(rng, (0, 0.4), (0.75, 1.0))
    if chance(rng, 0.25):
        fill = any_color(rng)
    line, width = _seen(rng, fill), float(rng.uniform(0.015, 0.1))
    corner = float(pick(rng, 0.0, 0.0, rng.uniform(0, half)))
    if kind == "ring":
        bold = float(pick(rng, 1.0, 1.0, 2.0))

        def ring(canvas: Canvas, at: Point, _: str) -> None:
            canvas.disc(at, half, fill)
            canvas.ring(at, half - width / 2, line, width * bold)

        return kind, ring, fill
    if kind == "box":
        bevel = float(pick(rng, 0.0, 0.0, rng.uniform(0.02, 0.08)))
        shade = mixed(fill, BLACK, 0.4)

        def box(canvas: Canvas, at: Point, _: str) -> None:
            x, y = at
            shape = rounded(Box(x - half, y - half, x + half, y + half), corner)
            if bevel:
                canvas.fill(shape + bevel, shade)
            canvas.fill(shape, fill)
            canvas.outline(shape, line, width)

        return kind, box, fill
    if kind == "disc":
        color = contrasting(rng, ground, 30)
        return kind, lambda canvas, at, _: canvas.disc(at, half, color), color
    if kind == "embossed":
        relief = point_relief(rng, line)
        return kind, lambda canvas, at, _: embossed_point(canvas, at, half, fill, relief), fill
    if kind == "ball":
        style, font = ball_style(rng, ground, half), random_font(rng)
        figure = chance(rng, 0.8)

        def ball(canvas: Canvas, at: Point, label: str) -> None:
            lit_bomb(canvas, at, 0.94 * half, label if figure else "", font, style)

        return kind, ball, style.fill
    if kind == "star":
        form = ornaments.star(int(rng.integers(2, 8)), float(rng.uniform(0.4, 1.0)))
        turn, color = float(rng.uniform(0, 6.3)), contrasting(rng, ground, 30)
        rim = chance(rng, 0.4)

        def stars(canvas: Canvas, at: Point, _: str) -> None:
            points = ornaments.turned(form, at, turn, half)
            canvas.fill(points, color)
            if rim:
                canvas.outline(points, line, width)

        return kind, stars, color
    if kind == "double":

        def double(canvas: Canvas, at: Point, _: str) -> None:
            canvas.disc(at, half, fill)
            canvas.ring(at, half - width / 2, line, width)
            canvas.ring(at, half - width / 2 - 0.1, line, width)

        return kind, double, fill
    if kind == "glow":
        light = any_color(rng, (0.2, 0.9), (0.7, 1.0))
        spread, strength = float(rng.uniform(0.05, 0.2)), float(rng.uniform(0.4, 1.0))

        def glow(canvas: Canvas, at: Point, _: str) -> None:
            soft_disc(canvas, at, half, spread, light, strength)
            canvas.disc(at, half * 0.95, fill)
            crescent(canvas, at, half * 0.9, line, width, 1.5, 1.0, 0.9)

        return kind, glow, fill
    return kind, lambda canvas, at, _: None, ground


def _printing(rng: np.random.Generator, size: float, ground: Color, bare: float) -> Printing:
    """How a place of that size looks. ``bare``: share of the prints that bear no label."""
    name, shape, fill = _shape(rng, size, ground)
    room = size * float(rng.uniform(0.35, 0.7))
    font, ink = random_font(rng), contrasting(rng, fill, float(rng.uniform(40, 110)))
    inner = str(rng.choice(["label", "cross"], p=[0.8, 0.2]))
    label = inner if name == "none" or not chance(rng, bare) else ""
    cross = ornaments.random_cross_style(rng)
    drawn: dict[str, float] = {}
    if name in ("ring", "box", "disc"):
        drawn[name] = size
    elif name in ("embossed", "ball", "glow", "double"):
        drawn["ring"] = size
    if label == "cross":
        drawn["cross"] = room

    def draw(canvas: Canvas, at: Point, text: str) -> None:
        shape(canvas, at, text)
        if label == "label" and name != "ball":
            canvas.fitted_text(text, at, (0.9 * size, room), ink, font)
        elif label == "cross":
            ornaments.draw_cross(canvas, at, room, ink, font, cross)

    return Printing(draw, drawn, _labels(rng))


@dataclass(frozen=True)
class _Plan:
    """A small sheet's parts before it is drawn; loose: (centres, size, prints, printings)."""

    rows: int
    columns: int
    prints: tuple[tuple[int, ...], ...]
    kinds: tuple[Printing, ...]
    loose: tuple[tuple[list[Point], float, list[int], tuple[Printing, ...], Color], ...]
    bottom: float
    right: float


def _plan(rng: np.random.Generator, page: Color, zones: list[Color]) -> _Plan:
    rows, columns = len(zones), int(rng.integers(3, 9))
    kinds = [Printing(lambda canvas, at, text: None, {}, ("",))]
    special = int(rng.integers(0, 3))
    for _ in range(special):
        kinds.append(_printing(rng, float(rng.uniform(0.4, 0.85)), zones[0], 0.4))
    share = float(rng.uniform(0.05, 0.35)) if special else 0.0
    prints = tuple(
        tuple(
            int(rng.integers(1, special + 1)) if rng.random() < share else 0 for _ in range(columns)
        )
        for _ in range(rows)
    )
    loose, y, right = [], rows + float(rng.uniform(0.5, 1.3)), float(columns)
    for _ in range(int(rng.integers(1, 3))):
        size = float(rng.uniform(0.5, 1.1))
        pitch = size * float(1 + rng.choice([0.06, 0.25, 0.6, 1.0]) * rng.uniform(0.5, 1.2))
        count, lines = int(rng.integers(1, 10)), int(rng.integers(1, 3))
        y += size / 2
        centres = [
            (size / 2 + pitch * at + 0.1 * line, y + line * max(pitch, 1.05 * size))
            for line in range(lines)
            for at in range(count)
        ]
        y = centres[-1][1] + size / 2 + float(rng.uniform(0.35, 1.0))
        right = max(right, max(x for x, _ in centres) + size / 2)
        ground = page if chance(rng, 0.4) else any_color(rng, (0, 0.8), (0.3, 1.0))
        alike = tuple(
            _printing(rng, size, ground, 0.6) for _ in range(int(rng.choice([1, 1, 2, 3])))
        )
        numbers = [int(rng.integers(len(alike))) for _ in centres]
        loose.append((centres, size, numbers, alike, ground))
    return _Plan(rows, columns, prints, tuple(kinds), tuple(loose), y, right)


def _layout_of(plan: _Plan) -> Layout:
    marks = [str(mark) for mark in Mark]
    page = {"x": [-MARGIN, plan.right + MARGIN], "y": [-MARGIN, plan.bottom + MARGIN - 0.5]}
    fields: dict[str, Any] = {
        "cell": {
            "marks": marks,
            "prints": ["".join(map(str, row)) for row in plan.prints],
            "drawn": [dict(kind.drawn) for kind in plan.kinds],
        }
    }
    for number, (centres, size, prints, alike, _) in enumerate(plan.loose):
        fields[f"loose {number}"] = {
            "centres": centres, "size": [size, size], "marks": marks, "prints": prints,
            "drawn": [dict(each.drawn) for each in alike],
        }  # fmt: skip
    return parse_layout(
        {
            "name": "small", "game": "small", "title": "small", "page": page, "reading_area": page,
            "grid": {"rows": plan.rows, "columns": plan.columns, "line_width": 0.05},
            "fields": fields, "colors": {}, "printed": {},
        }
    )  # fmt: skip


def _draw_grid(canvas: Canvas, plan: _Plan, zones: list[Color], rng: np.random.Generator) -> None:
    kind = rng.random()
    line, width = _seen(rng, zones[0]), float(rng.uniform(0.015, 0.1))
    see_through = chance(rng, 0.15)
    for row, color in enumerate(zones):
        if not see_through:
            canvas.box(Box(0, row, plan.columns, row + 1), color)
    rows, columns = plan.rows, plan.columns
    if kind < 0.7:
        for x in range(columns + 1):
            canvas.stroke((x, 0), (x, rows), line, width)
        for y in range(rows + 1):
            canvas.stroke((0, y), (columns, y), line, width)
    else:
        gap, corner = float(rng.uniform(0.02, 0.1)), float(pick(rng, 0.0, rng.uniform(0, 0.25)))
        between = any_color(rng, (0, 0.5), (0, 1))
        depth = float(pick(rng, 0.0, rng.uniform(0.02, 0.08)))
        canvas.box(Box(0, 0, columns, rows), between)
        for row, color in enumerate(zones):
            for column in range(columns):
                cell = Box(column + gap, row + gap, column + 1 - gap, row + 1 - gap)
                if depth:
                    canvas.fill(rounded(cell, corner), mixed(color, BLACK, 0.35))
                    cell = Box(cell.left, cell.top, cell.right - depth, cell.bottom - depth)
                canvas.fill(rounded(cell, corner), color)
                if chance(rng, 0.3) and corner == 0:
                    canvas.outline(cell.corners, line, width / 2)
    if chance(rng, 0.4):
        canvas.outline(Box(0, 0, columns, rows).corners, line, 1.6 * width)


def _draw_ground(canvas: Canvas, page: Color, rng: np.random.Generator) -> None:
    height, width = canvas.image.shape[:2]
    kind = rng.random()
    if kind < PHOTOGRAPH_SHARE:
        canvas.image[:] = like_a_photograph(rng, height, width)
    elif kind < 0.5:
        colors = tuple(varied(rng, page, 25, 0.15) for _ in range(int(rng.integers(1, 4))))
        canvas.image[:] = gradient(rng, height, width, (page, *colors))
    else:
        canvas.image[:] = page
    if chance(rng, 0.25):
        box = Box(
            -canvas.origin[0] / canvas.scale, -canvas.origin[1] / canvas.scale,
            (width - canvas.origin[0]) / canvas.scale, (height - canvas.origin[1]) / canvas.scale,
        )  # fmt: skip
        pick(rng, *ornaments.ORNAMENTS)(canvas, rng, box, int(rng.integers(2, 6)))


def _used(image: np.ndarray, cell: float, rng: np.random.Generator) -> np.ndarray:
    """The print after a screen, a copier, the sun or a small picture, now and then."""
    kind = rng.random()
    if kind < 0.06:
        return photocopied(image, rng)
    if kind < 0.12:
        return faded(image, rng)
    if kind < 0.18:
        return screened(image, cell, rng)
    if kind < 0.28:
        return coarsely_printed(image, cell, rng)
    if kind < 0.34:
        return worn(image, rng)
    return image


def small_sheet(rng: np.random.Generator) -> SmallSheet:
    """A small sheet in random art, and where marks can stand on it."""
    dark = chance(rng, DARK_SHARE)
    page = any_color(rng, (0.1, 1.0), (0.1, 0.8)) if dark else mixed(any_color(rng), WHITE, 0.93)
    if not dark and chance(rng, 0.5):
        page = WHITE
    base = page if chance(rng, 0.4) else any_color(rng, (0, 0.3), (0.8, 1.0))
    if chance(rng, 0.3):
        base = any_color(rng) if dark else WHITE
    zones = [base] * int(rng.integers(2, 8))
    if chance(rng, 0.5):  # coloured rows
        zones = [
            any_color(rng, (0.1, 0.9), (0.6, 1.0)) if chance(rng, 0.4) else color for color in zones
        ]
    plan = _plan(rng, page, zones)
    layout = _layout_of(plan)
    scale, area = float(rng.integers(28, 45)), layout.page
    size = (round(area.height * scale), round(area.width * scale), 3)
    origin = (-area.left * scale - 0.5, -area.top * scale - 0.5)
    canvas = Canvas(np.zeros(size, np.uint8), origin, scale)
    _draw_ground(canvas, page, rng)
    _draw_grid(canvas, plan, zones, rng)

    def draw(printing: Printing, at: Point) -> None:
        printing.draw(canvas.moved(*rng.normal(0, 0.006, 2)), at, pick(rng, *printing.labels))

    misprint = rng.normal(0, 0.015, 2)
    for row, prints in enumerate(plan.prints):
        for column, number in enumerate(prints):
            draw(plan.kinds[number], (column + 0.5 + misprint[0], row + 0.5 + misprint[1]))
    for centres, place, numbers, alike, ground in plan.loose:
        if ground != page:
            half = place / 2 + float(rng.uniform(0.05, 0.25))
            x, y = zip(*centres, strict=True)
            box = Box(min(x) - half, min(y) - half, max(x) + half, max(y) + half)
            ornaments.draw_panel(canvas, box, float(rng.uniform(0, 0.4)), rng, (ground,), None)
        misprint = rng.normal(0, 0.015, 2)
        for (left, top), number in zip(centres, numbers, strict=True):
            draw(alike[number], (left + misprint[0], top + misprint[1]))
    image = np.asarray(_used(canvas.image, scale, rng), np.uint8)
    blank = BlankSheet(image, origin, scale, "small", 0.0, False, False)
    return SmallSheet(layout, blank)
