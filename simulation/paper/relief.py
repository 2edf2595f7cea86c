"""Printed things that look solid: lit balls, embossed circles, glows, grounds like photographs.

Lengths are in the unit of the canvas (cells for sheets), angles in radians from x to y; colours
are BGR. Light comes from ``light``: where the brightest spot is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
import numpy as np
import numpy.typing as npt

from brikks_vision.layout import Point
from simulation.paper.canvas import Canvas, Image
from simulation.paper.chances import chance, pick
from simulation.paper.colors import BLACK, WHITE, Color, any_color, hsv, mixed
from simulation.paper.fonts import Font
from simulation.paper.surfaces import smooth_noise

Array = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Window:
    """A part of a canvas: its pixels, and the offset of each from a centre, in cells."""

    pixels: Image
    x: Array
    y: Array
    pixel: float  # in cells

    @property
    def far(self) -> Array:
        return np.asarray(np.hypot(self.x, self.y), np.float32)

    def facing(self, angle: float) -> Array:
        """How far each pixel lies towards an angle: -1 to 1."""
        along = self.x * math.cos(angle) + self.y * math.sin(angle)
        return np.asarray(along / np.maximum(self.far, 1e-3), np.float32)

    def lay(self, color: Color | Array, alpha: Array) -> None:
        """Blend a colour, or one for each pixel, by ``alpha`` (0 to 1)."""
        ground = self.pixels.astype(np.float32)
        over = np.asarray(color, np.float32)
        blended = ground + np.clip(alpha, 0, 1)[..., None] * (over - ground)
        self.pixels[:] = np.clip(blended, 0, 255).astype(np.uint8)


def window(canvas: Canvas, centre: Point, reach: float) -> Window | None:
    """The square around a centre, cut at the canvas's edge; None outside."""
    x, y = canvas.pixel(centre)
    half = reach * canvas.scale
    left, top = max(0, math.floor(x - half)), max(0, math.floor(y - half))
    part = canvas.image[top : max(0, math.ceil(y + half)), left : max(0, math.ceil(x + half))]
    if part.shape[0] < 2 or part.shape[1] < 2:
        return None
    columns = (np.arange(part.shape[1], dtype=np.float32) + np.float32(left - x)) / canvas.scale
    rows = (np.arange(part.shape[0], dtype=np.float32) + np.float32(top - y)) / canvas.scale
    across, down = np.meshgrid(columns, rows)
    return Window(part, across, down, 1 / canvas.scale)


def _inside(seen: Window, radius: float) -> Array:
    return np.asarray(np.clip((radius - seen.far) / seen.pixel + 0.5, 0, 1), np.float32)


def shaded_disc(
    canvas: Canvas,
    centre: Point,
    radius: float,
    colors: tuple[Color, Color],
    light: float,
    round_share: float,
) -> None:
    """A disc from a lit colour to one in shadow.

    ``round_share``: 0 as a slanted plane, 1 as a ball.
    """
    seen = window(canvas, centre, radius * 1.1)
    if seen is None:
        return
    along = (seen.x * math.cos(light) + seen.y * math.sin(light)) / radius
    spot = np.hypot(
        seen.x - 0.45 * radius * math.cos(light), seen.y - 0.45 * radius * math.sin(light)
    )
    shadow = (1 - round_share) * (0.5 - 0.5 * along) + round_share * (spot / (1.4 * radius)) ** 1.5
    lit, dark = (np.asarray(color, np.float32) for color in colors)
    surface = lit + np.clip(shadow, 0, 1)[..., None] * (dark - lit)
    seen.lay(surface.astype(np.float32), _inside(seen, radius))


def crescent(
    canvas: Canvas,
    centre: Point,
    radius: float,
    color: Color,
    width: float,
    angle: float,
    spread: float,
    strength: float,
) -> None:
    """A rim that is thickest towards ``angle`` and fades on the other side.

    ``spread``: 0 a narrow sickle, 1 nearly a whole ring. ``strength``: 0 to 1.
    """
    seen = window(canvas, centre, radius + width + 0.1)
    if seen is None:
        return
    share = np.clip((seen.facing(angle) + spread) / (1 + spread), 0, 1)
    half = 0.5 * width * share + 0.3 * seen.pixel
    edge = np.abs(seen.far - radius)
    alpha = np.clip((half - edge) / seen.pixel + 0.5, 0, 1) * np.minimum(1, 1.6 * share)
    seen.lay(color, (strength * alpha).astype(np.float32))


def soft_disc(
    canvas: Canvas, centre: Point, radius: float, spread: float, color: Color, strength: float
) -> None:
    """Light or shadow around a place: full up to the radius, then fading over ``spread``."""
    seen = window(canvas, centre, radius + 2.5 * spread)
    if seen is None:
        return
    beyond = np.maximum(seen.far - radius, 0) / max(spread, 1e-3)
    seen.lay(color, (strength * np.exp(-(beyond**2))).astype(np.float32))


@dataclass(frozen=True)
class PointRelief:
    """How the circles of one energy bar stand out: see `embossed_point`."""

    light: float
    shade: Color
    shade_width: float
    shade_spread: float
    shade_strength: float
    gleam: float  # strength of the light rim
    slope: float  # how much lighter and darker its ground gets
    round_share: float
    cast: float  # strength of its shadow on the bar


def point_relief(rng: np.random.Generator, rim: Color) -> PointRelief:
    upwards = float(-math.pi / 2 + rng.normal(0, 0.7))
    return PointRelief(
        light=upwards if chance(rng, 0.75) else upwards + math.pi,
        shade=mixed(rim, BLACK, float(rng.uniform(0, 0.7))),
        shade_width=float(rng.uniform(0.03, 0.15)),
        shade_spread=float(rng.uniform(0.0, 1.5)),
        shade_strength=float(rng.uniform(0.4, 1.0)),
        gleam=float(pick(rng, 0.0, rng.uniform(0.2, 0.9))),
        slope=float(rng.uniform(0, 0.35)),
        round_share=float(pick(rng, 0.0, rng.uniform(0, 1))),
        cast=float(pick(rng, 0.0, rng.uniform(0.1, 0.6))),
    )


def embossed_point(
    canvas: Canvas, centre: Point, radius: float, fill: Color, relief: PointRelief
) -> None:
    """A circle pressed into the paper or standing on it, with a dark rim on one side."""
    away = relief.light + math.pi
    if relief.cast:
        aside = (centre[0] + 0.06 * math.cos(away), centre[1] + 0.06 * math.sin(away))
        soft_disc(canvas, aside, radius, 0.08, relief.shade, relief.cast)
    colors = mixed(fill, WHITE, relief.slope), mixed(fill, relief.shade, relief.slope)
    shaded_disc(canvas, centre, radius, colors, relief.light, relief.round_share)
    crescent(
        canvas, centre, radius, relief.shade, relief.shade_width, away, relief.shade_spread,
        relief.shade_strength,
    )  # fmt: skip
    if relief.gleam:
        inner = radius - 0.5 * relief.shade_width
        crescent(canvas, centre, inner, WHITE, 0.05, relief.light, 0.2, relief.gleam)


@dataclass(frozen=True)
class BallStyle:
    """A sheet's lit bombs, lengths in radii; see `lit_bomb`."""

    fill: Color
    light: float
    depth: float  # how dark the far side is
    round_share: float
    rim: Color
    rim_width: float
    halo: Color
    halo_width: float
    angle: float
    fuse: float
    fuse_width: float
    bent: float
    bands: int
    gleam: float
    figure: Color
    figure_height: float
    figure_edge: Color | None
    figure_shadow: float


def ball_style(rng: np.random.Generator, ground: Color, radius: float) -> BallStyle:
    """Any lit bombs: mostly dark or strong balls with light figures."""
    fill = any_color(rng, (0.3, 1.0), (0.15, 0.9)) if chance(rng, 0.75) else hsv(0, 0, 0.15)
    dark = chance(rng, 0.8)
    return BallStyle(
        fill=fill if dark else mixed(fill, WHITE, 0.6),
        light=float(rng.uniform(-math.pi, -math.pi / 3)),
        depth=float(rng.uniform(0.1, 0.8)),
        round_share=float(rng.uniform(0, 1)),
        rim=mixed(fill, BLACK, float(rng.uniform(0.3, 1.0))),
        rim_width=float(pick(rng, 0.0, rng.uniform(0.03, 0.14))),
        halo=mixed(ground, WHITE, float(rng.uniform(0.4, 1.0))) if chance(rng, 0.7) else BLACK,
        halo_width=float(pick(rng, 0.0, rng.uniform(0.06, 0.25))),
        angle=float(rng.uniform(-1.4, -0.3) if chance(rng, 0.8) else rng.uniform(-2.8, -0.2)),
        fuse=float(rng.uniform(0.3, 1.0)),
        fuse_width=float(rng.uniform(0.1, 0.45)),
        bent=float(rng.uniform(-0.5, 0.5)),
        bands=int(pick(rng, 0, 0, int(rng.integers(2, 7)))),
        gleam=float(pick(rng, 0.0, rng.uniform(0.2, 0.95))),
        figure=WHITE if dark else BLACK,
        figure_height=float(rng.uniform(0.75, 1.25)) * radius,
        figure_edge=mixed(fill, BLACK, 0.7) if chance(rng, 0.3) else None,
        figure_shadow=float(pick(rng, 0.0, rng.uniform(0.02, 0.08))),
    )


def lit_bomb(
    canvas: Canvas, centre: Point, radius: float, figure: str, font: Font, style: BallStyle
) -> None:
    """A ball in the light with a thick fuse, an outline and a halo around both, and a figure."""
    across, up = math.cos(style.angle), math.sin(style.angle)
    at = np.linspace(0, 1, 7)[:, None]
    along = np.array([across, up]) * (0.8 + style.fuse * at)
    fuse = centre + radius * (along + np.array([-up, across]) * style.bent * style.fuse * at**2)
    width = style.fuse_width * radius

    def silhouette(grown: float, color: Color) -> None:
        canvas.path(fuse, color, width + 2 * grown)
        canvas.disc((float(fuse[-1][0]), float(fuse[-1][1])), width / 2 + grown, color)
        canvas.disc(centre, radius + grown, color)

    rim = style.rim_width * radius
    if style.halo_width:
        silhouette(rim + style.halo_width * radius, style.halo)
    if rim:
        silhouette(rim, style.rim)
    silhouette(0.0, mixed(style.fill, BLACK, 0.25))
    for band in range(style.bands):
        spot = fuse[-1] + (fuse[2] - fuse[-1]) * band / style.bands
        aside = np.array([-up, across]) * width / 2
        canvas.path([spot - aside, spot + aside], style.rim, 0.25 * width)
    colors = mixed(style.fill, WHITE, 0.25), mixed(style.fill, BLACK, style.depth)
    shaded_disc(canvas, centre, radius, colors, style.light, style.round_share)
    if style.gleam:
        spot = (
            centre[0] + 0.55 * radius * math.cos(style.light),
            centre[1] + 0.55 * radius * math.sin(style.light),
        )
        soft_disc(canvas, spot, 0.04 * radius, 0.22 * radius, WHITE, style.gleam)
    _solid_figure(canvas, centre, figure, font, style)


def _solid_figure(canvas: Canvas, centre: Point, figure: str, font: Font, style: BallStyle) -> None:
    """A figure with an edge around it or a shadow beside it."""
    if style.figure_edge is not None:
        step = 0.05
        for x, y in ((-step, 0), (step, 0), (0, -step), (0, step)):
            beside = (centre[0] + x, centre[1] + y)
            canvas.text(figure, beside, style.figure_height, style.figure_edge, font)
    if style.figure_shadow:
        below = (centre[0] + style.figure_shadow, centre[1] + style.figure_shadow)
        canvas.text(figure, below, style.figure_height, mixed(style.fill, BLACK, 0.6), font)
    canvas.text(figure, centre, style.figure_height, style.figure, font)


def like_a_photograph(rng: np.random.Generator, height: int, width: int) -> Image:
    """A ground as busy as a photograph: soft shapes, light, texture at every size."""
    small = (max(8, height // 6), max(8, width // 6))
    picture = np.zeros((*small, 3), np.float32)
    picture[:] = any_color(rng, (0.1, 0.9), (0.2, 0.9))
    for _ in range(int(rng.integers(6, 26))):
        layer = np.zeros(small, np.uint8)
        centre = (int(rng.integers(small[1])), int(rng.integers(small[0])))
        axes = rng.uniform(0.03, 0.4, 2) * small[1]
        cv2.ellipse(
            layer, centre, (int(axes[0]) + 1, int(axes[1]) + 1), float(rng.uniform(0, 180)), 0,
            360, 255, -1, cv2.LINE_AA,
        )  # fmt: skip
        soft = cv2.GaussianBlur(layer, (0, 0), float(rng.uniform(0.6, 0.12 * small[1] + 1)))
        alpha = soft[..., None].astype(np.float32) / 255 * np.float32(rng.uniform(0.3, 1.0))
        color = np.asarray(any_color(rng, (0.0, 0.9), (0.05, 1.0)), np.float32)
        picture += alpha * (color - picture)
    whole = cv2.resize(picture, (width, height), interpolation=cv2.INTER_CUBIC)
    for grain in (24, 8, 3):
        knots = height // grain + 2, width // grain + 2
        texture = smooth_noise(rng, (height, width), knots)
        whole += np.float32(rng.uniform(0, 14)) * texture[..., None]
    return np.asarray(np.clip(whole, 0, 255), np.uint8)
