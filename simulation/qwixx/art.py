"""Prints of a Qwixx sheet as others would draw them: proportions, colours, letters by chance.

The unit is the distance of two numbers of a row; nothing here is a likeness of the published sheet.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from brikks_vision.layout import Box, Field, Layout, Point, load_layout
from brikks_vision.rules.qwixx.sheet import COLUMNS, MAX_FAILED, ROWS, number_at
from simulation.paper.blank import BlankSheet
from simulation.paper.canvas import Canvas, empty_page, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import BLACK, WHITE, Color, hsv, mixed, varied, visible_on
from simulation.paper.fonts import Font, random_font
from simulation.paper.wear import aged

HUES = 2.0, 48.0, 130.0, 215.0
"""Red, yellow, green, blue, degrees."""

Rng = np.random.Generator


def random_layout(rng: Rng, reordered: bool = False) -> Layout:
    """Where any print has its places. reordered: its rows stand in any order, not the usual one."""
    own, x, y = load_layout("qwixx"), rng.uniform, 0.0
    cell, step = float(x(0.8, 1.0)), float(x(1.05, 1.6))
    order = rng.permutation(ROWS) if reordered else np.arange(ROWS)
    tops = np.argsort(order) * step + 0.5
    lock, lock_x = float(x(0.6, min(1.0, step - 0.1))), COLUMNS + float(x(0.5, 1.2))
    failed, gap = float(x(0.55, 0.95)), float(x(0.05, 0.4))
    y = float(tops.max()) + float(x(1.1, 2.0))
    left = float(x(0.0, lock_x - (MAX_FAILED - 0.5) * (failed + gap)))
    crossed_out = [(left + (failed + gap) * (at + 0.5), y) for at in range(MAX_FAILED)]
    wide, high = float(x(1.1, 1.5)), float(x(0.8, 1.2))
    pitch = wide + float(x(0.2, 0.6))
    start, y = float(x(0.0, max(0.1, lock_x - 6 * pitch))), y + float(x(1.2, 1.8))
    boxes = [(start + pitch * (at + 0.5), y) for at in range(ROWS + 2)]
    places = [(column + 0.5, float(top)) for top in tops for column in range(COLUMNS)]
    fields = {
        "row": _at(own.fields["row"], places, (cell, cell)),
        "lock": _at(own.fields["lock"], [(lock_x, float(top)) for top in tops], (lock, lock)),
        "failed": _at(own.fields["failed"], crossed_out, (failed, failed)),
    }
    sums = {"rows": [boxes[at] for at in np.argsort(order)], "failed": boxes[-2:-1],
            "total": boxes[-1:]}  # fmt: skip
    figures = {name: _at(own.figures[name], sums[name], (wide, high)) for name in own.figures}
    page = Box(
        -float(x(0.9, 2)), -float(x(0.9, 2.6)), lock_x + float(x(0.8, 2)), y + float(x(1, 2))
    )
    return replace(
        own, name="any", page=page, reading_area=page, fields=fields, figures=figures, words={},
        markers=None, blank=None,
    )  # fmt: skip


def _at(field: Field, centres: list[Point], size: Point) -> Field:
    return replace(field, centres=tuple(centres), size=size)


def render_blank(layout: Layout, rng: Rng, pixels_per_cell: int = 40) -> BlankSheet:
    """An empty sheet of the layout in any art."""
    canvas = empty_page(layout.page, pixels_per_cell)
    paper = mixed(hsv(float(rng.uniform(0, 360)), 0.35, 1.0), WHITE, float(rng.uniform(0.4, 1.0)))
    canvas.image[:] = paper
    font, letters = random_font(rng), random_font(rng)
    while font.rows:  # in coarse pixels nobody prints small numbers
        font = random_font(rng)
    colors = [varied(rng, hsv(hue, 0.8, 0.85), 8.0, 0.12) for hue in HUES]
    pale, shape = float(rng.uniform(0.45, 0.95)), pick(rng, "box", "rounded", "disc", "none")
    bar = pick(rng, "full", "full", "full", "outline")
    has_picture, is_dark = chance(rng, 0.7), chance(rng, 0.25)
    for row, color in enumerate(colors):
        _draw_row(canvas, layout, row, color, (pale, shape, bar, has_picture, is_dark), font, rng)
    ink = pick(rng, BLACK, mixed(paper, BLACK, 0.8))
    width, radius = float(rng.uniform(0.03, 0.09)), float(rng.uniform(0.0, 0.2))
    failed = layout.fields["failed"]
    for centre in failed.centres:
        canvas.outline(rounded(_box(centre, failed.size), radius), ink, width)
    (x, y), side = failed.centres[0], failed.size[0]
    if x > 1.5:
        canvas.text("-5", (x - side / 2 - 0.5, y), 0.45, ink, letters)
    inks = [*colors, ink, ink]
    boxes = [(at, field.size) for field in layout.figures.values() for at in field.centres]
    for (centre, size), of_box in zip(boxes, inks, strict=True):
        canvas.box(_box(centre, size), WHITE)
        canvas.outline(rounded(_box(centre, size), radius), of_box, width)
    if chance(rng, 0.6):
        _draw_table(canvas, layout, ink, letters)
    size = (0.5 * layout.page.width, 0.6 * -layout.page.top)
    middle = (layout.page.left + layout.page.width / 2, 0.6 * layout.page.top)
    canvas.fitted_text(pick(rng, "QWIXX", "Qwixx", "qwixx"), middle, size, ink, letters)
    family, image = aged(canvas, "light", rng, copied=0.0)
    return BlankSheet(image, canvas.origin, pixels_per_cell, family, 0.0, False, True)


def _box(centre: Point, size: Point) -> Box:
    (x, y), (width, height) = centre, size
    return Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)


def _draw_row(
    canvas: Canvas, layout: Layout, row: int, color: Color,
    style: tuple[float, str, str, bool, bool], font: Font, rng: Rng,
) -> None:  # fmt: skip
    pale, shape, bar, has_picture, is_dark = style
    cells, locks = layout.fields["row"], layout.fields["lock"]
    places = cells.centres[COLUMNS * row : COLUMNS * (row + 1)]
    (x, y), half = locks.centres[row], max(cells.size[1], locks.size[1]) / 2 + 0.03
    around = Box(-0.75, y - half, x + locks.size[0] / 2 + 0.15, y + half)
    if bar == "full":
        canvas.fill(rounded(around, 0.2), color)
    else:
        canvas.outline(rounded(around, 0.2), color, 0.06)
    canvas.fill([(-0.6, y - 0.2), (-0.6, y + 0.2), (-0.3, y)], WHITE if bar == "full" else color)
    ground = mixed(color, WHITE, pale)
    ink = visible_on(mixed(color, BLACK, 0.75 if is_dark else 0.2), ground, 60.0)
    for column, centre in enumerate(places):
        box = _box(centre, cells.size)
        if shape == "disc":
            canvas.disc(centre, cells.size[0] / 2, ground)
        elif shape != "none":
            canvas.fill(rounded(box, 0.0 if shape == "box" else 0.2), ground)
        elif bar == "full":
            canvas.fill(rounded(box.grown(-0.02), 0.05), ground)
        else:
            canvas.outline(rounded(box, 0.1), color, 0.04)
        size = (cells.size[0] * 0.75, cells.size[1] * 0.5)
        canvas.fitted_text(str(number_at(row, column)), centre, size, ink, font)
    edge = visible_on(ink, color if bar == "full" else WHITE, 60.0)
    canvas.disc((x, y), locks.size[0] / 2, ground)
    canvas.ring((x, y), locks.size[0] / 2, edge, 0.05)
    if has_picture:
        canvas.box(_box((x, y + 0.1), (0.3, 0.22)), ink)
        canvas.ring((x, y - 0.04), 0.1, ink, 0.05)


def _draw_table(canvas: Canvas, layout: Layout, ink: Color, letters: Font) -> None:
    """What so many crosses are worth, where there is room for it."""
    failed = layout.fields["failed"].box
    left = 0.3 if failed.left > 6.5 else failed.right + 0.6
    for crosses in range(1, COLUMNS + 2):
        x = left + 0.47 * (crosses - 1)
        if x < layout.page.right - 0.6 and (x < failed.left - 1.0 or x > failed.right + 0.3):
            y = layout.fields["failed"].centres[0][1]
            worth = crosses * (crosses + 1) // 2
            canvas.text(f"{crosses}x", (x, y - 0.2), 0.15, ink, letters)
            canvas.text(str(worth), (x, y + 0.15), 0.2, ink, letters)


def random_sheet(rng: Rng) -> tuple[Layout, BlankSheet]:
    """Any printing in any art; of every fifth the rows stand in another order."""
    layout = random_layout(rng, chance(rng, 0.2))
    return layout, render_blank(layout, rng, int(rng.integers(34, 48)))
