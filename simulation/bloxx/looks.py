"""What the parts of one printed sheet have in common: colours, fonts, weights of lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from brikks_vision.layout import Layout
from simulation.paper import colors
from simulation.paper.chances import chance, pick
from simulation.paper.fonts import Font, random_font, text_mask

LIGHT, COLORFUL, DARK, PHOTOGRAPH = "light", "colourful", "dark", "photograph"
FAMILIES = (LIGHT, COLORFUL, DARK, PHOTOGRAPH)
FAMILY_SHARES = (0.5, 0.22, 0.14, 0.14)

MIN_LUMINANCE = 118.0
"""Of the ground of cells: nobody writes on a darker one with common pens."""

MIN_ROW_DIFFERENCE = 34.0
"""Least difference of a coloured row's ground from that of the others, see `color_distance`."""


@dataclass(frozen=True)
class Look:
    """The print of one sheet; colours are BGR, widths in cells.

    page: colours of the paper around the grid. ground: of plain cells. opacity: of the grounds of
    cells over the page, 0 to 1. rows: the ground of coloured rows, by name of the colour.
    """

    family: str
    page: tuple[colors.Color, ...]
    ground: colors.Color
    opacity: float
    rows: Mapping[str, colors.Color]
    line: colors.Color
    line_width: float
    ink: colors.Color
    accent: colors.Color
    title: Font
    numbers: Font
    captions: Font

    def ground_of(self, color: str | None) -> colors.Color:
        """The ground of a cell in a row of that colour; None for plain rows."""
        return self.ground if color is None else self.rows[color]


def light_enough(color: colors.Color, lowest: float) -> colors.Color:
    """The colour, mixed with white until it is so light."""
    level = colors.luminance(color)
    return (
        color
        if level >= lowest
        else colors.mixed(color, colors.WHITE, (lowest - level) / (255 - level))
    )


@lru_cache(maxsize=1024)
def _is_legible(font: Font) -> bool:
    """Whether letters and figures differ: fonts without them show the same box for each."""
    upright = replace(font, slant=0.0)
    shapes = {text_mask(sign, upright, 40).tobytes() for sign in "234OX"}
    return len(shapes) == 5


def legible_font(rng: np.random.Generator) -> Font:
    """Any font that has Latin letters and figures."""
    while True:
        font = random_font(rng)
        if _is_legible(font):
            return font


def random_look(rng: np.random.Generator, layout: Layout) -> Look:
    """Any print of a layout whose cells can be written on and whose coloured rows are seen."""
    family = str(rng.choice(FAMILIES, p=FAMILY_SHARES))
    page = _page(rng, family)
    ground = _ground(rng, family, page)
    line = _line(rng, family, ground)
    return Look(
        family=family,
        page=page,
        ground=ground,
        opacity=float(rng.uniform(0.55, 0.9)) if family != LIGHT and chance(rng, 0.3) else 1.0,
        rows=_rows(rng, layout, ground),
        line=line,
        line_width=layout.grid.line_width * float(rng.uniform(0.7, 1.6)),
        ink=_ink(rng, ground),
        accent=colors.any_color(rng, (0.4, 1.0), (0.4, 1.0)),
        title=legible_font(rng),
        numbers=legible_font(rng),
        captions=legible_font(rng),
    )


def _page(rng: np.random.Generator, family: str) -> tuple[colors.Color, ...]:
    if family == LIGHT:
        paper = (
            colors.WHITE if chance(rng, 0.35) else colors.any_color(rng, (0.0, 0.12), (0.9, 1.0))
        )
        return paper, colors.mixed(paper, colors.WHITE, float(rng.uniform(0, 0.6)))
    hue, count = rng.uniform(0, 360), int(rng.integers(2, 5))
    brightness = pick(rng, 0.2, 0.3, 0.4) if family == DARK else pick(rng, 0.6, 0.8, 1.0)
    return tuple(
        colors.hsv(
            hue + rng.normal(0, 35),
            rng.uniform(0.2, 1.0),
            rng.uniform(0.4, 1.0) * brightness,
        )
        for _ in range(count)
    )


def _ground(rng: np.random.Generator, family: str, page: tuple[colors.Color, ...]) -> colors.Color:
    kind = rng.random()
    if family == LIGHT and kind < 0.6:
        return page[0]
    if kind < 0.5:
        return colors.WHITE
    if kind < 0.85:
        return colors.any_color(rng, (0.0, 0.15), (0.88, 1.0))
    return light_enough(colors.any_color(rng, (0.0, 0.35), (0.7, 1.0)), 150.0)


def _rows(
    rng: np.random.Generator, layout: Layout, ground: colors.Color
) -> dict[str, colors.Color]:
    """Tints of the layout's colours, alike strong on one sheet."""
    strength = float(rng.uniform(0.3, 1.0))
    rows = {}
    for name, text in layout.colors.items():
        full = colors.varied(rng, colors.from_hex(text), 3, 0.04)
        share = strength
        while True:
            color = light_enough(colors.mixed(ground, full, share), MIN_LUMINANCE)
            if colors.color_distance(color, ground) >= MIN_ROW_DIFFERENCE or share >= 1:
                break
            share = min(1.0, share + 0.1)
        rows[name] = color
    return rows


def _line(rng: np.random.Generator, family: str, ground: colors.Color) -> colors.Color:
    """Lines that are seen on plain cells: dark ones, pale ones, now and then white on colour."""
    contrast = float(rng.uniform(28, 180))
    level = max(colors.luminance(ground) - contrast, 8.0) / 255
    color = colors.hsv(rng.uniform(0, 360), rng.uniform(0, 0.8) if chance(rng, 0.5) else 0.0, level)
    if family != LIGHT and colors.luminance(ground) < 200 and chance(rng, 0.4):
        color = colors.WHITE
    return colors.visible_on(color, ground, min(contrast, 28.0))


def _ink(rng: np.random.Generator, ground: colors.Color) -> colors.Color:
    """The colour of the printed numbers."""
    if chance(rng, 0.5):
        return colors.hsv(0, 0, rng.uniform(0, 0.45))
    return colors.contrasting(rng, ground, 50)
