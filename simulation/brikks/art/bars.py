"""The bars of extra points and energy points."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from brikks_vision.layout import Box, Layout, Point
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.art.look import MAX_MISPRINT, RELIEF_SHARE, Look
from simulation.paper.canvas import Canvas, around, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import (
    BLACK,
    WHITE,
    Color,
    any_color,
    color_distance,
    contrasting,
    hsv,
    luminance,
    mixed,
    varied,
    visible_on,
)
from simulation.paper.fonts import random_font, random_word
from simulation.paper.ornaments import draw_cross, draw_glow, draw_panel, random_cross_style
from simulation.paper.relief import PointRelief, embossed_point, point_relief, soft_disc


# Rows finished with one block and the crosses they give: the hint printed above the bonus bar.
def _bar_ground(
    canvas: Canvas,
    box: Box,
    rng: np.random.Generator,
    look: Look,
    light_share: float,
) -> Color:
    """The panel of a bar; its colour."""
    if look.light and chance(rng, 0.6):
        if chance(rng, 0.4):
            ink = visible_on(look.accent, look.page[0], 40)
            canvas.outline(rounded(box, box.height / 2), ink, float(rng.uniform(0.02, 0.1)))
        return look.page[0]
    if look.light:
        ground = any_color(rng, (0, 0.25), (0.85, 1.0))
    elif chance(rng, light_share):
        ground = any_color(rng, (0, 0.3), (0.8, 1.0))
    else:
        ground = any_color(rng, (0.1, 1.0), (0.05, 0.6))
    colors = (ground, varied(rng, ground, 15, 0.08)) if chance(rng, 0.4) else (ground,)
    rim = any_color(rng, (0, 1), (0.2, 1.0)) if chance(rng, 0.7) else None
    radius = float(rng.uniform(0, 0.5)) * box.height
    if rim is not None and not look.light and chance(rng, 0.25):
        draw_glow(
            canvas, [rounded(box, radius)], mixed(rim, BLACK, 0.3), 0.3, rng.uniform(0.3, 0.9)
        )
    draw_panel(canvas, box, radius, rng, colors, rim)
    return ground


def draw_bonus_bar(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    """The boxes of the extra points and the hint above them."""
    bonus = layout.fields["box"]
    canvas = canvas.moved(*rng.uniform(-MAX_MISPRINT, MAX_MISPRINT, 2))
    width, height = bonus.size
    hint_above = height / 2 + float(rng.uniform(0.45, 0.75))
    box = around(bonus.centres, width / 2, height / 2)
    margin = float(rng.uniform(0.15, 0.8))
    panel = Box(
        box.left - margin,
        box.top - float(rng.uniform(0.95, 1.25)),
        box.right + margin,
        box.bottom + float(rng.uniform(0.12, 0.4)),
    )
    ground = _bar_ground(canvas, panel, rng, look, 0.25)
    style = pick(rng, "boxes", "boxes", "boxes", "bar", "ruled", "round")
    fill = WHITE if chance(rng, 0.45) else any_color(rng, (0, 0.25), (0.82, 1.0))
    if look.light and chance(rng, 0.3):
        fill = ground
    rim = visible_on(any_color(rng), fill, float(rng.uniform(30, 120)))
    rim_width = float(rng.uniform(0.02, 0.08))
    scale = float(rng.uniform(0.88, 1.04))
    half = (width / 2 * scale, height / 2 * float(rng.uniform(0.9, 1.1)))
    bare = chance(rng, 0.3) and color_distance(fill, ground) > 40
    if style in ("bar", "ruled"):
        canvas.fill(rounded(box.grown(0.03), float(rng.choice([0, 0.3]))), fill)
        canvas.outline(box.grown(0.02).corners, rim, rim_width)
    ink = look.mark if chance(rng, 0.55) else any_color(rng, (0, 1), (0, 0.8))
    ink = visible_on(ink, fill, 60)
    font = look.numbers if chance(rng, 0.5) else random_font(rng)
    size = (width * float(rng.uniform(0.55, 0.8)), height * float(rng.uniform(0.35, 0.62)))
    even = chance(rng, 0.6)
    radius = float(rng.choice([0, 0, 0.08, 0.2]))
    for index, (centre, value) in enumerate(
        zip(bonus.centres, load_sheet(layout.name).bonus_values, strict=True)
    ):
        x, y = centre
        if style in ("boxes", "round"):
            cell = Box(x - half[0], y - half[1], x + half[0], y + half[1])
            shape = rounded(cell, min(half) if style == "round" else radius)
            canvas.fill(shape, fill)
            if not bare:
                canvas.outline(shape, rim, rim_width)
        elif style == "ruled" and index:
            middle = (x + bonus.centres[index - 1][0]) / 2
            canvas.stroke((middle, y - half[1]), (middle, y + half[1]), rim, rim_width)
        if even:
            canvas.squeezed_text(str(value), centre, size, ink, font)
        else:
            canvas.fitted_text(str(value), centre, size, ink, font)
    _draw_bonus_hint(canvas, layout, rng, look, ground, hint_above)
    if chance(rng, 0.2):
        ink = contrasting(rng, look.page[0], 70)
        middle = (panel.right + layout.page.right) / 2 - 0.4
        for line in range(int(rng.integers(1, 4))):
            words = f"{random_word(rng, 3)} {random_word(rng, 5)}".lower()
            at = (middle, panel.top + 0.6 + 0.5 * line)
            canvas.fitted_text(words, at, (3.0, 0.28), ink, look.title)


def _draw_bonus_hint(
    canvas: Canvas,
    layout: Layout,
    rng: np.random.Generator,
    look: Look,
    ground: Color,
    above: float,
) -> None:
    """Signs for rows finished together and the printed crosses they give."""
    if chance(rng, 0.08):
        return
    first, last = layout.fields["box"].centres[0], layout.fields["box"].centres[-1]
    y = first[1] - above
    line = contrasting(rng, ground, 50)
    mark = visible_on(look.mark, ground, 45)
    style, font = random_cross_style(rng), random_font(rng)
    size = float(rng.uniform(0.3, 0.5))
    sign = pick(rng, "lines", "lines", "number", "blocks")
    gives = chance(rng, 0.3) and sign != "number"
    x = first[0] + float(rng.uniform(0, 0.8))
    gained = load_sheet(layout.name).crosses_for_rows
    pitch = (last[0] - first[0] - 0.5) / sum(1.3 + 0.55 * n for n in gained.values())
    for rows, crosses in gained.items():
        if sign == "lines":
            for index in range(rows):
                at = y + (index - (rows - 1) / 2) * 0.5 / rows
                canvas.stroke((x, at), (x + 0.9, at), line, float(rng.uniform(0.05, 0.08)))
        elif sign == "number":
            canvas.fitted_text(f"{rows} =", (x + 0.45, y), (0.9, 0.45), line, font)
        else:
            for index in range(rows):
                canvas.box(Box(x + index * 0.22, y - 0.1, x + index * 0.22 + 0.17, y + 0.1), line)
        start = x + 1.25
        if gives:
            canvas.stroke((x + 1.0, y), (x + 1.2, y), line, 0.06)
            canvas.fill([(x + 1.2, y - 0.12), (x + 1.38, y), (x + 1.2, y + 0.12)], line)
            start += 0.4
        for index in range(crosses):
            centre = (start + index * max(size * 1.15, 0.4), y)
            draw_cross(canvas, centre, size, mark, font, style)
        x += pitch * (1.3 + 0.55 * crosses)


@dataclass(frozen=True)
class _PointStyle:
    """How the circles of one energy bar are printed."""

    ground: Color
    fill: Color
    rim: Color
    rim_width: float
    radius: float
    bevel: float
    started: str
    heavy: float
    glow: Color
    relief: PointRelief | None


def _point_style(
    layout: Layout, rng: np.random.Generator, look: Look, ground: Color
) -> _PointStyle:
    kind = rng.random()
    if kind < 0.35:
        fill = hsv(0, 0, rng.uniform(0.85, 1.0))
    elif kind < 0.55:
        fill = mixed(ground, WHITE, 0.3) if luminance(ground) > 140 else WHITE
    elif kind < 0.75:
        fill = hsv(rng.uniform(180, 260), rng.uniform(0.0, 0.2), rng.uniform(0.7, 0.95))
    else:
        fill = any_color(rng, (0.05, 0.35), (0.8, 1.0))
    if look.light and chance(rng, 0.5):
        fill = ground
    glow_hue = rng.uniform(80, 140) if chance(rng, 0.5) else rng.uniform(0, 360)
    rim = any_color(rng, (0, 0.6 if chance(rng, 0.6) else 1.0), (0.1, 0.75))
    rim = visible_on(rim, fill, float(rng.uniform(35, 110)))
    return _PointStyle(
        ground,
        fill,
        rim,
        float(0.02 + 0.07 * rng.beta(1.2, 2.5)),
        layout.fields["energy"].radius * float(rng.uniform(0.9, 1.08)),
        float(rng.uniform(0.03, 0.08)) if chance(rng, 0.35) else 0.0,
        pick(rng, "ring", "ring", "glow ring", "glow ring", "fill", "double", "glow", "fill ring"),
        float(rng.uniform(0.09, 0.16)),
        hsv(glow_hue, rng.uniform(0.3, 0.9), rng.uniform(0.7, 1.0)),
        point_relief(rng, rim) if chance(rng, RELIEF_SHARE) else None,
    )


def _draw_point(canvas: Canvas, centre: Point, style: _PointStyle, started: bool) -> Color:
    """One circle of the energy bar; the colour inside it."""
    fill = style.fill
    if started and style.started in ("glow ring", "glow"):
        steps = 4
        for step in range(steps):
            share = (step + 1) / steps
            canvas.disc(
                centre,
                style.radius * (1.65 - 0.5 * share),
                mixed(mixed(style.fill, style.glow, 0.25), style.glow, share),
            )
        fill = mixed(style.glow, WHITE, 0.55)
    if started and style.started in ("fill", "fill ring"):
        fill = mixed(style.glow, WHITE, 0.3)
    if style.relief:
        if not started:
            embossed_point(canvas, centre, style.radius, fill, style.relief)
            return fill
        if style.started in ("glow ring", "glow"):
            soft_disc(canvas, centre, style.radius * 1.1, 0.15, style.glow, 0.9)
        embossed_point(canvas, centre, style.radius, fill, replace(style.relief, cast=0.0))
        heavy = 0.6 * style.heavy if style.started in ("fill", "glow") else style.heavy
        dark = mixed(style.relief.shade, BLACK, 0.6)
        canvas.ring(centre, style.radius + style.heavy / 4, dark, heavy)
        return fill
    if style.bevel:
        below = (centre[0] + style.bevel * 0.6, centre[1] + style.bevel)
        canvas.disc(below, style.radius, mixed(style.rim, BLACK, 0.3))
    canvas.disc(centre, style.radius, fill)
    if started and style.started in ("ring", "glow ring", "fill ring"):
        dark = mixed(style.rim, BLACK, 0.65)
        if luminance(style.ground) < 90:
            dark = mixed(style.glow, WHITE, 0.3)
        canvas.ring(centre, style.radius + style.heavy / 4, dark, style.heavy)
    elif started and style.started == "double":
        canvas.ring(centre, style.radius, mixed(style.rim, BLACK, 0.4), 0.06)
        canvas.ring(centre, style.radius + 0.11, mixed(style.rim, BLACK, 0.4), 0.06)
    else:
        canvas.ring(centre, style.radius - style.rim_width / 2, style.rim, style.rim_width)
    return fill


def draw_energy_bar(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    energy, sheet = layout.fields["energy"], load_sheet(layout.name)
    canvas = canvas.moved(*rng.uniform(-MAX_MISPRINT, MAX_MISPRINT, 2))
    margin = energy.radius + float(rng.uniform(0.12, 0.45))
    box = around(energy.centres, margin + 0.1, margin)
    ground = _bar_ground(canvas, box, rng, look, 0.85)
    style = _point_style(layout, rng, look, ground)
    if chance(rng, 0.15):
        ink = visible_on(look.accent, ground, 40)
        for start, end in zip(energy.centres, energy.centres[1:], strict=False):
            if end[0] > start[0]:
                canvas.stroke(start, end, ink, 0.06)
    font = look.numbers if chance(rng, 0.6) else random_font(rng)
    cross_style, cross_font = random_cross_style(rng), random_font(rng)
    room = 2 * (style.radius - style.rim_width)
    cross_size = float(rng.uniform(0.24, 0.46))
    if chance(rng, 0.85):
        cross_size = min(cross_size, room * 0.68)
    height = float(rng.uniform(0.26, 0.4))
    mark = visible_on(look.mark, style.fill, float(rng.uniform(30, 70)))
    jitter = rng.normal(0, 0.012, 2)
    for index, centre in enumerate(energy.centres):
        fill = _draw_point(canvas, centre, style, index in sheet.preprinted)
        inside = (centre[0] + jitter[0], centre[1] + jitter[1])
        if index in sheet.labels:
            ink = visible_on(style.rim, fill, 90)
            canvas.text(sheet.labels[index], inside, height, ink, font)
        if index in sheet.pink_points:
            draw_cross(canvas, inside, cross_size, mark, cross_font, cross_style)
