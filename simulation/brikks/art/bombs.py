"""The bombs, flat or lit."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from brikks_vision.layout import Layout, Point
from brikks_vision.rules.brikks.sheet import load_sheet
from simulation.brikks.art.look import MAX_MISPRINT, RELIEF_SHARE, Look
from simulation.paper.canvas import Canvas, around
from simulation.paper.chances import chance, pick
from simulation.paper.colors import WHITE, Color, any_color, contrasting, hsv, mixed
from simulation.paper.fonts import random_font
from simulation.paper.ornaments import draw_panel, star, turned
from simulation.paper.relief import ball_style, lit_bomb


@dataclass(frozen=True)
class _BombStyle:
    """A sheet's bombs: where neck and fuse point (radians, and how far each strays), in cells."""

    fill: Color
    rim: Color | None
    angle: float
    strays: float
    neck_width: float
    fuse: float
    fuse_width: float
    bent: float  # how far the fuse's end lies aside of where the neck points
    spark: bool
    glint: float  # radius of the light spot on the ball, 0 for none
    shine: float  # share of white in it


def bomb_style(rng: np.random.Generator, fill: Color, rim: Color | None) -> _BombStyle:
    return _BombStyle(
        fill,
        rim,
        angle=float(rng.uniform(-2.6, -0.3) if chance(rng, 0.3) else rng.uniform(-1.2, -0.5)),
        strays=float(pick(rng, 0.0, 0.0, 0.3)),
        neck_width=float(pick(rng, 0.0, rng.uniform(0.15, 0.35))),
        fuse=float(rng.uniform(0.1, 0.6)),
        fuse_width=float(rng.uniform(0.05, 0.16)),
        bent=float(pick(rng, 0.0, rng.uniform(-0.45, 0.45))),
        spark=chance(rng, 0.35),
        glint=float(pick(rng, 0.0, rng.uniform(0.05, 0.16))),
        shine=float(rng.uniform(0.15, 0.9)),
    )


def bomb_icon(
    canvas: Canvas, rng: np.random.Generator, centre: Point, radius: float, style: _BombStyle
) -> None:
    """A ball with a neck and a fuse, mostly towards the upper right."""
    angle = style.angle + float(rng.normal(0, 1)) * style.strays
    x, y = math.cos(angle), math.sin(angle)
    color = style.fill if style.rim is None else style.rim
    inside = (centre[0] + x * radius * 0.7, centre[1] + y * radius * 0.7)
    neck = (centre[0] + x * radius * 1.1, centre[1] + y * radius * 1.1)
    if style.neck_width:
        canvas.stroke(inside, neck, color, style.neck_width)
    half = style.fuse / 2
    middle = (neck[0] + x * half, neck[1] + y * half)
    end = (middle[0] + x * half - y * style.bent, middle[1] + y * half + x * style.bent)
    canvas.path([inside, neck, middle, end], color, style.fuse_width)
    if style.spark:
        spark = turned(star(5, 0.4), end, 0.3, float(rng.uniform(0.08, 0.18)))
        canvas.fill(spark, hsv(rng.uniform(10, 60), 0.9, 1.0))
    canvas.disc(centre, radius, style.fill)
    if style.glint:
        aside = math.copysign(0.4, -x) * radius
        spot = (centre[0] + aside, centre[1] - 0.4 * radius)
        canvas.disc(spot, style.glint, mixed(style.fill, WHITE, style.shine))
    if style.rim is not None:
        canvas.ring(centre, radius, style.rim, float(rng.uniform(0.04, 0.1)))


def draw_bombs(canvas: Canvas, layout: Layout, rng: np.random.Generator, look: Look) -> None:
    bombs = layout.fields["bomb"]
    canvas = canvas.moved(*rng.uniform(-MAX_MISPRINT, MAX_MISPRINT, 2))
    ground = look.screen_color
    if chance(rng, 0.6 if not look.light else 0.3):
        ground = any_color(rng, (0.0, 0.8), (0.3, 1.0) if not look.light else (0.85, 1.0))
        if chance(rng, 0.3):
            ground = hsv(rng.uniform(290, 350), rng.uniform(0.15, 0.6), rng.uniform(0.75, 1.0))
        margin = bombs.radius + float(rng.uniform(0.1, 0.3))
        rim = any_color(rng) if chance(rng, 0.4) else None
        box = around(bombs.centres, margin, margin + 0.15)
        draw_panel(canvas, box, float(rng.uniform(0, 0.6)), rng, (ground,), rim)
    font = random_font(rng)
    radius = bombs.radius * float(rng.uniform(0.85, 1.1))
    forms = ("outline", "hexagon", "tile", "badge", "plain disc", "star")
    style = pick(rng, "ball", "ball", "ball", *forms)
    fill = contrasting(rng, ground, 45)
    if style == "outline":
        fill = ground
    rim = contrasting(rng, fill, 60) if style == "outline" or chance(rng, 0.3) else None
    ink = contrasting(rng, fill, 80, 0.6)
    height = float(rng.uniform(0.35, 0.6))
    bomb = bomb_style(rng, fill, rim)
    lit = ball_style(rng, ground, radius) if chance(rng, RELIEF_SHARE) else None
    for centre, points in zip(bombs.centres, load_sheet(layout.name).bomb_points, strict=True):
        if lit:
            lit_bomb(canvas, centre, radius * 0.92, str(points), font, lit)
            continue
        if style in ("ball", "outline", "badge"):
            bomb_icon(canvas, rng, centre, radius, bomb)
        elif style == "plain disc":
            canvas.disc(centre, radius, fill)
        else:
            sides = {"hexagon": 3, "tile": 2, "star": 7}[style]
            form = star(sides, 0.75 if style == "star" else 1.0)
            form = turned(form, centre, math.pi / 4 if style == "tile" else 0.3, radius * 1.15)
            canvas.fill(form, fill)
            if rim is not None:
                canvas.outline(form, rim, 0.06)
        color = ink
        if style == "badge":
            canvas.disc(centre, radius * 0.7, ink)
            color = fill
        canvas.text(str(points), centre, height, color, font)
