"""What the parts of one sheet have in common: light or dark, colours, letters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from simulation.paper.chances import chance, pick
from simulation.paper.colors import WHITE, Color, any_color, hsv, mixed, varied
from simulation.paper.fonts import Font, random_font

MAX_MISPRINT = 0.03  # cells: how far a part of the print may lie from its place
RELIEF_SHARE = 0.5  # of the sheets: bombs that are lit balls; of energy points: embossed ones


@dataclass(frozen=True)
class Look:
    """What the parts of one sheet have in common."""

    light: bool
    page: tuple[Color, ...]
    screen: tuple[Color, ...]
    accent: Color
    title: Font
    numbers: Font
    mark: Color

    @property
    def screen_color(self) -> Color:
        return self.screen[0]


def dark_look(rng: np.random.Generator) -> Look:
    """A page in saturated or dark colours, as of a machine, a board or a poster."""
    hue = rng.uniform(0, 360)
    brightness = pick(rng, 0.25, 0.35, 0.5, 0.5, 0.75, 1.0)
    page = tuple(
        hsv(
            hue + rng.normal(0, 35),
            rng.uniform(0.2, 1.0),
            rng.uniform(0.3, 1.0) * brightness,
        )
        for _ in range(int(rng.integers(2, 5)))
    )
    kind = rng.random()
    if kind < 0.6:
        base = hsv(hue + rng.normal(0, 40), rng.uniform(0, 1), rng.uniform(0.0, 0.35))
    elif kind < 0.75:
        base = hsv(hue + rng.normal(0, 60), rng.uniform(0, 1), rng.uniform(0.35, 0.7))
    elif kind < 0.9:
        base = any_color(rng, (0.0, 0.4), (0.75, 1.0))
    else:
        base = page[0]
    other = varied(rng, base, 25, 0.12) if chance(rng, 0.6) else base
    return Look(
        False,
        page,
        (base, other),
        any_color(rng, (0.4, 1.0), (0.6, 1.0)),
        random_font(rng),
        random_font(rng),
        _mark_color(rng),
    )


def light_look(rng: np.random.Generator) -> Look:
    """White or cream paper that takes little ink."""
    paper = hsv(rng.uniform(20, 60), rng.uniform(0, 0.14), rng.uniform(0.9, 1.0))
    if chance(rng, 0.3):
        paper = WHITE
    elif chance(rng, 0.15):
        paper = any_color(rng, (0.03, 0.2), (0.85, 1.0))
    screen = paper if chance(rng, 0.7) else any_color(rng, (0.0, 0.15), (0.88, 1.0))
    accent = any_color(rng, (0.0, 1.0), (0.1, 0.8))
    return Look(
        True,
        (paper, mixed(paper, WHITE, float(rng.uniform(0, 0.6)))),
        (screen,),
        accent,
        random_font(rng),
        random_font(rng),
        _mark_color(rng),
    )


def _mark_color(rng: np.random.Generator) -> Color:
    """The colour of the printed crosses."""
    kind = rng.random()
    if kind < 0.55:
        return hsv(rng.uniform(300, 350), rng.uniform(0.4, 1.0), rng.uniform(0.55, 1.0))
    if kind < 0.7:
        return hsv(rng.uniform(-10, 10), rng.uniform(0.5, 1.0), rng.uniform(0.5, 1.0))
    if kind < 0.85:
        return any_color(rng, (0.4, 1.0), (0.3, 0.9))
    return hsv(0, 0, rng.uniform(0.0, 0.65))
