"""The smaller parts: the strip for points, factors, legend, the field for the total, pointers."""

from __future__ import annotations

import math

import numpy as np

from brikks_vision.layout import Box, Layout
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.art.look import MAX_MISPRINT, Look
from simulation.brikks.decoration import decoration_of
from simulation.paper.canvas import Canvas, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import BLACK, WHITE, any_color, contrasting, hsv, varied, visible_on
from simulation.paper.fonts import random_font
from simulation.paper.ornaments import draw_cross, draw_panel, fill_shape, random_cross_style


def draw_strip(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """The column for the rows' points."""
    strip, rows = decoration_of(layout).score_strip, layout.grid.rows
    jitter = rng.uniform(-MAX_MISPRINT, MAX_MISPRINT, 2)
    canvas = canvas.moved(*jitter)
    if look.light and chance(rng, 0.45):
        fill = look.screen_color
    elif chance(rng, 0.6):
        fill = any_color(rng, (0.0, 0.25), (0.85, 1.0))
    else:
        fill = any_color(rng, (0.05, 0.45), (0.7, 1.0))
    if not look.light and chance(rng, 0.06):
        return
    colors = (fill, varied(rng, fill, 10, 0.06)) if chance(rng, 0.3) else (fill,)
    fill_shape(canvas, rounded(strip, float(rng.choice([0, 0, 0.15, 0.4]))), rng, colors)
    ink = visible_on(any_color(rng, (0, 1), (0, 0.7)), fill, float(rng.uniform(35, 120)))
    width = float(rng.uniform(0.03, 0.1))
    step = strip.height / rows
    style = pick(rng, "dashes", "dashes", "lines", "boxes", "dots", "none")
    if style in ("lines", "boxes") or chance(rng, 0.15):
        canvas.outline(strip.corners, ink, width)
    inset = float(rng.uniform(0.1, 0.4)) * strip.width if style == "dashes" else 0.0
    for row in range(1, rows):
        y = strip.top + row * step
        if style in ("dashes", "lines"):
            canvas.stroke((strip.left + inset, y), (strip.right - inset, y), ink, width)
        elif style == "boxes":
            box = Box(strip.left + 0.1, y - step + 0.08, strip.right - 0.1, y - 0.08)
            canvas.outline(rounded(box, 0.1), ink, width)
        elif style == "dots":
            for x in np.linspace(strip.left + 0.15, strip.right - 0.15, 7):
                canvas.disc((float(x), y), width * 0.6, ink)


def draw_total_field(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    if decoration_of(layout).total_field is None:
        return
    fill = look.screen_color if chance(rng, 0.5) else any_color(rng, (0, 0.15), (0.9, 1.0))
    ink = visible_on(look.accent, fill, 60)
    shape = rounded(decoration_of(layout).total_field, float(rng.choice([0, 0.12, 0.25])))
    canvas.fill(shape, fill)
    canvas.outline(shape, ink, float(rng.uniform(0.03, 0.1)))
    if chance(rng, 0.5):
        field = decoration_of(layout).total_field
        centre = ((field.left + field.right) / 2, field.bottom + 0.3)
        word = pick(rng, "TOTAL", "Total", "Σ", "=", "Summe")
        canvas.fitted_text(word, centre, (1.3, 0.28), ink, look.title)


def draw_multipliers(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    left, right = decoration_of(layout).multipliers
    centre = (left + right) / 2 + float(rng.uniform(-0.15, 0.15))
    height = float(rng.uniform(0.35, 0.7))
    font = random_font(rng)
    sign = pick(rng, "x{}", "X{}", "×{}", "{}x", "* {}", "x {}", "{}×")
    top = contrasting(rng, look.screen_color, 70)
    if chance(rng, 0.4):
        hue = hsv(rng.uniform(15, 45), rng.uniform(0.7, 1.0), rng.uniform(0.7, 1.0))
        top = visible_on(hue, look.screen_color, 60)
    other = varied(rng, top, 20, 0.2) if chance(rng, 0.5) else top
    other = visible_on(other, look.screen_color, 50)
    ones = chance(rng, 0.25)
    tag = chance(rng, 0.15)
    for row, factor in enumerate(load_sheet(layout.name).row_factors):
        if factor == 1 and not ones:
            continue
        near_bomb = any(abs(y - row - 0.5) < 1.2 for _, y in layout.fields["bomb"].centres)
        if factor == 1 and near_bomb:
            continue
        at = (centre, row + 0.5)
        color = top if factor == max(load_sheet(layout.name).row_factors) else other
        if tag:
            box = Box(left, row + 0.1, right, row + 0.9)
            canvas.fill(rounded(box, 0.2), color)
            color = visible_on(look.screen_color, color, 80)
        canvas.fitted_text(sign.format(factor), at, ((right - left) * 0.9, height), color, font)


def draw_legend(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """The hint below the grid: how many crosses of a row give how many points."""
    if chance(rng, 0.06):
        return
    top, bottom = decoration_of(layout).legend
    y = (top + bottom) / 2 + float(rng.uniform(-0.15, 0.15))
    height = float(rng.uniform(0.4, 0.62))
    ground = look.screen_color
    if chance(rng, 0.25):
        ground = any_color(rng, (0, 1), (0, 1) if not look.light else (0.85, 1))
        box = Box(0.0, top - 0.1, float(layout.grid.columns), bottom + 0.1)
        draw_panel(canvas, box, float(rng.uniform(0, 0.6)), rng, (ground,), None)
    ink = contrasting(rng, ground, 90, 0.3)
    points_ink = contrasting(rng, ground, 60)
    font, style = random_font(rng), random_cross_style(rng)
    boxed, arrow = chance(rng, 0.75), pick(rng, "arrow", "=", ":", ">", "arrow")
    box_fill = WHITE if chance(rng, 0.6) else any_color(rng, (0, 0.2), (0.7, 1.0))
    if chance(rng, 0.25):
        box_fill = ground
    cross_ink = visible_on(look.mark if chance(rng, 0.3) else BLACK, box_fill, 70)
    if not boxed:
        cross_ink = ink
    items = sorted(load_sheet(layout.name).row_points.items(), reverse=True)
    pitch = layout.grid.columns / len(items)
    for index, (crosses, points) in enumerate(items):
        x = (index + 0.5) * pitch
        canvas.fitted_text(str(crosses), (x - 0.95, y), (0.9, height), ink, font)
        size = height * 1.15
        box = Box(x - 0.1 - size / 2, y - size / 2, x - 0.1 + size / 2, y + size / 2)
        if boxed:
            canvas.fill(rounded(box, float(rng.choice([0, 0.1]))), box_fill)
            canvas.outline(box.corners, ink, 0.05)
        draw_cross(canvas, (x - 0.1, y), size * 0.75, cross_ink, font, style)
        if arrow == "arrow":
            canvas.stroke((x + 0.45, y), (x + 0.75, y), ink, 0.09)
            canvas.fill([(x + 0.7, y - 0.2), (x + 1.0, y), (x + 0.7, y + 0.2)], ink)
        else:
            canvas.fitted_text(arrow, (x + 0.7, y), (0.4, height * 0.5), ink, font)
        canvas.fitted_text(str(points), (x + 1.25, y), (0.5, height), points_ink, font)
        if index and chance(rng, 0.5):
            canvas.stroke((index * pitch, top), (index * pitch, bottom), points_ink, 0.05)


def draw_pointers(canvas: Canvas, layout: Layout, rng: np.random.Generator) -> None:
    """Arrows from the margins to parts of the sheet, as on a picture taken from rules."""
    page, area = layout.page, layout.reading_area
    color = WHITE if chance(rng, 0.6) else any_color(rng)
    width, head = float(rng.uniform(0.08, 0.2)), float(rng.uniform(0.5, 1.2))
    for _ in range(int(rng.integers(2, 7))):
        left = chance(rng, 0.5)
        start = page.left if left else page.right, float(rng.uniform(area.top, area.bottom))
        for _ in range(int(rng.integers(1, 4))):
            x = area.left + float(rng.uniform(1, 6)) if left else area.right - rng.uniform(0.5, 5)
            end = float(x), start[1] + float(rng.uniform(-3, 3))
            way = np.subtract(end, start) / math.hypot(end[0] - start[0], end[1] - start[1])
            neck, aside = end - head * way, 0.35 * head * np.array([-way[1], way[0]])
            canvas.stroke(start, (float(neck[0]), float(neck[1])), color, width)
            canvas.fill([end, neck + aside, neck - aside], color)
