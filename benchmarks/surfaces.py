"""Things that come to lie on a sheet, as surfaces: their height and colour at any point.

A thing is a function of coordinates ``u``, ``v``: float32 arrays of one shape, mm in the thing's
own frame on the plane of the sheet. Lengths are those of real things. Most things are a few parts,
each of one colour. A thing knows no photo; `benchmarks.things_on_sheets` lights it and lays it
there. No network was trained with them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from math import cos, radians, sin
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree

Array = NDArray[Any]
Color = tuple[float, float, float]  # sRGB, red, green, blue, 0 to 255
Point = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Surface:
    """A thing at the points asked for.

    height: mm of its upper side over the sheet. alpha: how much of the point it takes, 0 to 1.
    albedo: (..., 3), BGR, linear, 1 is white paper. gloss: strength of the highlight.
    """

    height: Array
    alpha: Array
    albedo: Array
    gloss: Any = 0.1


Thing = Callable[[Array, Array], Surface]


@dataclass(frozen=True, eq=False)
class Piece:
    """A thing and how far it reaches: left, top, right, bottom in mm, in its own frame.

    ``arm``: whether it comes in from outside, along its own u axis.
    """

    thing: Thing
    reach: tuple[float, float, float, float]
    arm: bool = False


def around(thing: Thing, across: float, down: float) -> Piece:
    """A thing that reaches as far to all sides of its middle, mm."""
    return Piece(thing, (-across - 1, -down - 1, across + 1, down + 1))


@dataclass(frozen=True)
class Part:
    """What lies within ``half`` mm of the line from start to end, with round ends or square ones.

    rise: mm of its upper side, which falls off over ``edge`` mm towards the rim; None: it is paint
    on what lies below. joins: whether it grows together with what is below and keeps its colour
    there; else it lies over it. gloss: as of `Surface`. alpha: of what is not seen through it.
    """

    start: Point
    end: Point
    half: float
    color: Color
    rise: float | None = None
    edge: float = 1.0
    square: bool = False
    joins: bool = False
    gloss: float = 0.3
    alpha: float = 1.0

    def distance(self, u: Array, v: Array) -> Array:
        """Signed distance from its rim, mm, negative inside."""
        (x0, y0), (dx, dy) = self.start, np.subtract(self.end, self.start).tolist()
        length = float(np.hypot(dx, dy))
        c, s = (dx / length, dy / length) if length else (1.0, 0.0)
        x, y = u - np.float32(x0), v - np.float32(y0)
        across, beyond = np.abs(y * c - x * s), np.abs(x * c + y * s - length / 2) - length / 2
        if self.square:
            return np.maximum(across - self.half, beyond)
        return np.hypot(across, np.maximum(beyond, 0)) - np.float32(self.half)


def disc(centre: Point, radius: float, color: Color, **facts: Any) -> Part:
    return Part(centre, centre, radius, color, **facts)


def made_of(
    parts: Sequence[Part], rng: np.random.Generator, uneven: float = 0.05, period: float = 30.0,
    stretch: float = 1.0,
) -> Thing:  # fmt: skip
    """A thing of parts, each over those before it. uneven: of its colour, as wood or skin is."""
    grain = Grain(rng)

    def surface(u: Array, v: Array) -> Surface:
        height, alpha, gloss = (np.zeros_like(u, np.float32) for _ in range(3))
        albedo = np.zeros((*u.shape, 3), np.float32)
        for part in parts:
            distance = part.distance(u, v)
            at = distance < 0.2
            distance = distance[at]
            there = inside(distance)
            if part.rise is not None:
                falls = 1 - dome(np.clip(1 + distance / part.edge, 0, 1))
                own, below = part.rise - min(part.edge, part.rise) * falls, height[at]
                grown = joined(below, own, 4) if part.joins else below + (own - below) * there
                height[at], alpha[at] = grown, np.maximum(alpha[at], part.alpha * there)
            albedo[at] = mixed(albedo[at], linear(part.color), there)
            gloss[at] += (part.gloss - gloss[at]) * there
        shade = 1 + uneven * (2 * grain(u, v, period, stretch) + grain(v, u, period / 4))
        return Surface(height, alpha, albedo * shade[..., None], gloss)

    return surface


def linear(color: Color) -> Array:
    """The albedo, BGR, of a colour on a screen."""
    return (np.asarray(color[::-1], np.float32) / 255) ** np.float32(2.2)


def mixed(a: Array, b: Array, share: Array) -> Array:
    return a + (b - a) * np.asarray(share, np.float32)[..., None]


def soft(x: Array, low: float, high: float) -> Array:
    """A smooth step, from 0 at ``low`` to 1 at ``high``."""
    t = np.clip((x - low) / (high - low), 0, 1)
    return np.asarray(t * t * (3 - 2 * t), np.float32)


def inside(distance: Array, edge: float = 0.12) -> Array:
    """Coverage of a shape by the signed distance from its rim, mm, negative inside."""
    return soft(-distance, -edge, edge)


def joined(a: Array, b: Array, width: float) -> Array:
    """The larger of two heights, with a smooth passage of ``width`` where both are above 0."""
    wide = np.clip(2 * np.minimum(a, b), 1e-3, width)
    t = np.clip(0.5 + 0.5 * (a - b) / wide, 0, 1)
    return np.asarray(b + (a - b) * t + wide * t * (1 - t), np.float32)


def dome(t: Array) -> Array:
    """A half circle: 1 in the middle, 0 at ``t`` = 1."""
    return np.asarray(np.sqrt(np.clip(1 - t * t, 0, 1)))


@cache
def _noise() -> Array:
    """Noise of many sizes, 512 px wide, which repeats."""
    noise = np.random.default_rng(1).standard_normal((512, 512)).astype(np.float32)
    layers = [gaussian_filter(noise, sigma, mode="wrap") for sigma in (32, 16, 8, 4, 2, 1)]
    picture = sum(0.55**octave * each / each.std() for octave, each in enumerate(layers))
    return np.asarray(picture / (2 * np.std(picture)), np.float32)


class Grain:
    """Noise of many sizes, about -1 to 1, that can be asked for at any point."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.offset = rng.uniform(0, 512, 2).astype(np.float32)

    def __call__(self, u: Array, v: Array, period: float, stretch: float = 1.0) -> Array:
        """``period``: mm after which it repeats; ``stretch``: how much longer along u."""
        scale, (x, y) = np.float32(512 / period), self.offset
        return looked_up(_noise(), u * scale / np.float32(stretch) + x, v * scale + y)


def looked_up(picture: Array, x: Array, y: Array) -> Array:
    """A picture at px coordinates, of one or two dimensions; beyond its rim it repeats."""
    size = np.float32(picture.shape[1]), np.float32(picture.shape[0])
    at = [np.atleast_2d(np.float32(each) % side) for each, side in zip((x, y), size, strict=True)]
    found = cv2.remap(picture, *at, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    return found.reshape(*x.shape, *picture.shape[2:])


def blurred(picture: Array, sigma: float) -> Array:
    """A Gaussian blur; wide ones are computed on a smaller picture."""
    if sigma < 6:
        return cv2.GaussianBlur(picture, (0, 0), max(sigma, 0.05))
    height, width = picture.shape[:2]
    small = (max(1, int(3 * width / sigma)), max(1, int(3 * height / sigma)))
    less = cv2.GaussianBlur(cv2.resize(picture, small, interpolation=cv2.INTER_AREA), (0, 0), 3)
    return cv2.resize(less, (width, height), interpolation=cv2.INTER_LINEAR)


def choice(rng: np.random.Generator, options: Any) -> Any:
    return options[int(rng.integers(len(options)))]


# ---------------------------------------------------------------- hands

SKINS: tuple[Color, ...] = (
    (246, 214, 194), (236, 196, 168), (224, 178, 144), (198, 148, 112), (166, 114, 80),
    (126, 84, 58), (92, 60, 42), (66, 44, 34),
)  # fmt: skip
SLEEVES: tuple[Color, ...] = (
    (50, 60, 80), (120, 40, 44), (196, 192, 184), (60, 84, 66), (30, 30, 34), (150, 128, 96),
)  # fmt: skip
BASES, LENGTHS = ((46, -29), (41, -9), (44, 11), (53, 30)), (72, 80, 74, 58)  # mm, from the palm
RADII, SPREAD = (8.4, 8.8, 8.2, 7.2), (-11, -3, 6, 16)  # mm and degrees
Finger = tuple[Point, Point, float]  # tip, base, radius


def _finger(tip: Point, base: Point, radius: float, skin: Color, nail: Color) -> list[Part]:
    """Two bones and a fold between them, redder at its tip, with a nail."""
    (x, y), (dx, dy) = tip, np.subtract(base, tip) / np.hypot(*np.subtract(base, tip))
    at = [(x + mm * dx, y + mm * dy) for mm in (radius, 0.7 * radius, 1.2 * radius, 30, 31)]
    red, dark = ((part * 0.94, part * 0.78, part * 0.76) for part in (1.0, 0.9))
    tip_color, fold = (tuple(np.multiply(skin, each)) for each in (red, dark))
    facts: dict[str, Any] = {"edge": radius, "joins": True, "gloss": 0.1}
    return [
        Part(at[3], base, 1.15 * radius, skin, 1.7 * radius + 6, **facts),
        Part(at[0], at[3], radius, skin, 1.5 * radius, **facts),
        disc(at[0], 0.9 * radius, tip_color),
        Part(at[3], at[4], 0.8 * radius, fold, square=True, gloss=0.05),
        Part(at[1], at[2], 0.58 * radius, nail, gloss=0.45),
    ]


def _hand(rng: np.random.Generator, fingers: Sequence[Finger], palm: Sequence[Part]) -> Piece:
    """Fingers on a palm, of which only the shape counts; a sleeve lies over the last part of it."""
    skin = tuple(np.clip(np.multiply(choice(rng, SKINS), rng.normal(1, 0.03)), 20, 252))
    painted = rng.random() < 0.15
    nail = choice(rng, SLEEVES) if painted else tuple(0.6 * np.add(skin, (110, 80, 76)))
    parts = [replace(part, color=skin, joins=True, edge=part.half, gloss=0.1) for part in palm]
    if rng.random() < 0.7:
        parts[-1] = replace(parts[-1], color=choice(rng, SLEEVES), gloss=0.02, joins=False)
    for each in fingers:
        parts += _finger(*each, skin, nail)
    far = max(part.end[0] for part in parts)
    return Piece(made_of(parts, rng, 0.05, 60), (-4, -110, far, 110), arm=True)


def thumb(rng: np.random.Generator) -> Piece:
    """A thumb that holds the sheet at its rim; the hand is beyond it."""
    size, aside = rng.uniform(0.88, 1.08), float(rng.choice([-9, 9]))
    base = (size * rng.uniform(62, 74), rng.uniform(-18, 18))
    x, y = base[0], base[1] + aside
    palm = [Part((x + 20, y), (x + 100, y + 2 * aside), 36, METAL, 30),
            Part((x + 130, y + 2 * aside), (x + 320, y + 2 * aside), 32, METAL, 38)]  # fmt: skip
    return _hand(rng, [((0.0, 0.0), base, size * 9.6)], palm)


def _whole(rng: np.random.Generator, shown: Sequence[int], with_thumb: bool, curl: float) -> Piece:
    size, side, spread = rng.uniform(0.88, 1.08), rng.choice([-1.0, 1.0]), rng.uniform(0.3, 1.0)
    found = []
    for at in shown:
        angle = radians(SPREAD[at] * spread + rng.normal(0, 2.5))
        long = LENGTHS[at] * (1 - curl * rng.uniform(0.6, 1.2))
        found.append((BASES[at][0] + 32, BASES[at][1], long, angle, RADII[at]))
    if with_thumb:
        found.append((118, -42, 62, -radians(rng.uniform(12, 50)), 9.6))
    tips = [(size * (x - long * cos(turn)), size * side * (y + long * sin(turn)))
            for x, y, long, turn, _ in found]  # fmt: skip
    left, top = min(tips)
    fingers = [
        ((x - left, y - top), (size * at - left, size * side * aside - top), size * radius)
        for (x, y), (at, aside, _, _, radius) in zip(tips, found, strict=True)
    ]
    palm = size * 118 - left
    masses = [Part((palm - 20, -top), (palm + 25, -top), size * 40, METAL, 27),
              Part((palm + 65, -top), (palm + 250, -top), size * 31, METAL, 36)]  # fmt: skip
    return _hand(rng, fingers, masses)


def fingers(rng: np.random.Generator) -> Piece:
    """Some fingers of a hand."""
    shown = choice(rng, ((0,), (0, 1), (0, 1, 2), (1, 2), (0, 1, 2, 3)))
    return _whole(rng, shown, False, rng.uniform(0, 0.25))


def hand(rng: np.random.Generator) -> Piece:
    """A whole hand."""
    return _whole(rng, range(4), rng.random() < 0.8, rng.uniform(0, 0.35))


# ---------------------------------------------------------------- things of a game table

GAME_COLORS: tuple[Color, ...] = (
    (196, 30, 36), (30, 74, 160), (36, 128, 62), (240, 190, 30), (32, 32, 34), (236, 232, 222),
    (226, 110, 26), (120, 60, 140), (150, 150, 156),
)  # fmt: skip
METAL: Color = (196, 198, 202)
WOOD: Color = (214, 170, 118)


def pen(rng: np.random.Generator) -> Piece:
    """A ballpoint pen, a felt pen or a pencil, its tip to the left."""
    is_pencil = rng.random() < 1 / 3
    long = rng.uniform(45, 89) if is_pencil else rng.uniform(65, 74)
    radius, band = (3.7 if is_pencil else 5.0) * rng.uniform(0.9, 1.1), rng.uniform(-20, 30)
    body, cap = choice(rng, GAME_COLORS), choice(rng, (*GAME_COLORS, METAL))
    rod: dict[str, Any] = {"edge": radius, "square": True, "gloss": 0.5}
    cone, thin = WOOD if is_pencil else METAL, radius / 2
    parts = [
        Part((6 - long, 0), (16 - long, 0), thin, cone, 3 * thin, thin),
        Part((15 - long, 0), (long, 0), radius, body, 2 * radius, **rod),
        Part((-long, 0), (7 - long, 0), 0.2 * radius, (52, 52, 56), radius, 0.2 * radius),
    ]
    if is_pencil:
        parts += [Part((long - 16, 0), (long - 6, 0), radius, METAL, square=True),
                  Part((long - 6, 0), (long, 0), radius, (226, 138, 134), square=True)]  # fmt: skip
    else:
        top = 2 * radius + 1
        parts += [Part((band, 0), (long, 0), radius + 0.4, cap, top, **rod),
                  Part((band + 8, 0), (band + 26, 0), 0.8, (240, 240, 240)),
                  Part((long - 40, 0), (long, 0), 1.7, METAL, top + 1, gloss=0.8)]  # fmt: skip
    return around(made_of(parts, rng, 0.04, 22, 6), long, 6)


PIPS = ((0, 0), (-1, -1), (1, 1), (-1, 1), (1, -1), (-1, 0), (1, 0))
SPOTS = {
    1: (0,),
    2: (1, 2),
    3: (0, 1, 2),
    4: (1, 2, 3, 4),
    5: (0, 1, 2, 3, 4),
    6: (1, 2, 3, 4, 5, 6),
}


def die(rng: np.random.Generator) -> Piece:
    """A die with pips, of any colour."""
    half, body = rng.uniform(6, 9), choice(rng, GAME_COLORS)
    ink: Color = (240, 240, 236) if np.mean(body) < 120 else (20, 20, 24)
    cube = Part((-half, 0), (half, 0), half, body, 2 * half, rng.uniform(1, 2.4), True, gloss=0.5)
    spots = (PIPS[at] for at in choice(rng, SPOTS))
    pips = [disc((x * half / 2, y * half / 2), 0.18 * half, ink) for x, y in spots]
    return around(made_of([cube, *pips], rng, 0.01), half, half)


def token(rng: np.random.Generator) -> Piece:
    """Wood: a figure that lies, a cube, a disc, or a pawn that stands."""
    color, size = choice(rng, (*GAME_COLORS, WOOD)), rng.uniform(0.9, 1.25)
    arms, legs = ((-5.6, -1.4), (5.6, -1.4)), (((0, -2), (foot, 6)) for foot in (-4.2, 4.2))
    kinds = {
        "figure": [disc((0, -5.6), 3.3, color, rise=9), Part(*arms, 2.1, color, 9),
                   *(Part(*leg, 2.6, color, 9) for leg in legs)],
        "cube": [Part((-5, 0), (5, 0), 5, color, 10, square=True)],
        "disc": [disc((0, 0), 7.5, color, rise=4.5)],
        "pawn": [disc((0, 0), 8, color, rise=6, edge=5),
                 disc((0, 0), 5.2, color, rise=24, edge=5.2)],
    }  # fmt: skip
    parts = [
        replace(part, start=tuple(np.multiply(size, part.start)), half=size * part.half,
                end=tuple(np.multiply(size, part.end)), rise=size * (part.rise or 0))
        for part in kinds[str(rng.choice(["figure", *kinds]))]
    ]  # fmt: skip
    return around(made_of(parts, rng, 0.06, 22, 7), 11 * size, 11 * size)


COINS: tuple[tuple[float, Color, Color | None], ...] = (
    (16.25, (184, 112, 78), None), (21.25, (178, 106, 74), None), (19.75, (206, 170, 96), None),
    (23.25, (200, 198, 190), (208, 176, 108)), (25.75, (208, 176, 108), (200, 198, 190)),
    (24.26, (192, 192, 190), None),
)  # fmt: skip


def coin(rng: np.random.Generator) -> Piece:
    """A coin, with a head or a figure of strokes."""
    diameter, color, ring = choice(rng, COINS)
    radius, facts = diameter / 2, {"gloss": 1.2, "edge": 0.4}
    parts = [disc((0, 0), radius, ring or color, rise=2.4, **facts),
             disc((0, 0), 0.92 * radius, ring or color, rise=2.0, **facts),
             disc((0, 0), 0.70 * radius, color, gloss=1.2)]  # fmt: skip
    for _ in range(int(rng.integers(2, 6))):
        start, end = rng.normal(0, 0.25 * radius, (2, 2))
        half = rng.uniform(0.04, 0.3) * radius
        parts.append(Part(tuple(start), tuple(end), half, color, 2.6, gloss=1.2))
    return around(made_of(parts, rng, rng.uniform(0.03, 0.15), 25), radius, radius)


def cup(rng: np.random.Generator) -> Piece:
    """A mug with a drink in it, or a bottle's cap."""
    body = choice(rng, ((240, 238, 232), (240, 238, 232), *GAME_COLORS))
    if rng.random() < 0.3:
        radius = rng.uniform(14, 19)
        cap = disc((0, 0), radius, body, rise=rng.uniform(9, 16), edge=2)
        return around(made_of([cap], rng), radius, radius)
    radius, high, wall = rng.uniform(36, 44), rng.uniform(60, 95), rng.uniform(3, 4.5)
    drink = choice(rng, ((52, 30, 18), (120, 78, 48), (176, 108, 30), (235, 235, 235)))
    level = high * rng.uniform(0.5, 0.9)
    parts = [Part((radius, 0), (radius + 24, 0), 15, body, 0.75 * high, gloss=0.5),
             disc((0, 0), radius, body, rise=high, edge=wall / 2, gloss=0.5),
             disc((0, 0), radius - wall, drink, rise=level, gloss=0.6)]  # fmt: skip
    return Piece(made_of(parts, rng, 0.02), (-radius, -radius, radius + 40, radius))


def glass(rng: np.random.Generator) -> Piece:
    """A drinking glass: its wall and the rim of its foot hide what is below, its foot hardly."""
    radius, high = rng.uniform(26, 36), rng.uniform(70, 120)
    pale, dark = (216, 222, 224), (120, 128, 132)
    facts: dict[str, Any] = {"gloss": 1.5, "edge": 0.5}
    parts = [disc((0, 0), radius, pale, rise=2, alpha=0.35, **facts)]
    for angle in np.arange(0, 2 * np.pi, np.pi / 24):
        there, then = ((radius * cos(a), radius * sin(a)) for a in (angle, angle + np.pi / 24))
        color = pale if rng.random() < 0.5 else dark
        parts.append(Part(there, then, rng.uniform(1.2, 2.4), color, high, alpha=0.9, **facts))
    return around(made_of(parts, rng, 0.02), radius + 3, radius + 3)


STRANDS: dict[str, tuple[float, float, tuple[Color, ...]]] = {
    # half its width and its length, mm, and its colours
    "hair": (0.07, 90, ((40, 26, 20), (96, 64, 38), (20, 16, 16))),
    "cable": (1.8, 420, ((236, 236, 236), (30, 30, 32), (30, 30, 32))),
    "thread": (0.3, 140, ((170, 30, 40), (30, 50, 120), (240, 236, 226), (30, 30, 30))),
    "band": (0.9, 0, ((206, 160, 104), (190, 40, 44), (40, 120, 70), (40, 70, 150))),
}


def strand(rng: np.random.Generator) -> Piece:
    """A hair, a cable, a thread or a rubber band."""
    kind = str(rng.choice(["hair", "cable", "band", "band", "thread"]))
    half, long, colors = STRANDS[kind]
    half, color, grain = half * rng.uniform(0.8, 1.25), linear(choice(rng, colors)), Grain(rng)
    if kind == "band":
        turns = np.linspace(0, 2 * np.pi, 9)
        radii = rng.uniform(18, 32) * rng.uniform(0.6, 1.25, 9)
        knots = radii[:, None] * np.stack([np.cos(turns), np.sin(turns)], 1)
        knots[-1] = knots[0]
    else:
        x = np.linspace(-long / 2, long / 2, 9)
        knots = np.stack([x, np.cumsum(rng.normal(0, long / 22, 9))], 1)
        knots -= knots[4]
    ends = "periodic" if kind == "band" else "not-a-knot"
    path = CubicSpline(np.arange(9), knots, bc_type=ends)(np.linspace(0, 8, 4000))
    tree = cKDTree(path)

    def surface(u: Array, v: Array) -> Surface:
        points = np.stack([u.ravel(), v.ravel()], 1)
        distance, _ = tree.query(points, distance_upper_bound=half + 1)
        distance = np.minimum(distance, half + 1).reshape(u.shape).astype(np.float32)
        shade = color * (1 + 0.06 * grain(u, v, 20))[..., None]
        height = half + half * dome(np.minimum(distance / half, 1))
        return Surface(height, inside(distance - half, min(0.1, half)), shade, 0.35)

    return Piece(surface, (*path.min(0), *path.max(0)))


def patch(rng: np.random.Generator) -> Piece:
    """Something flat and black: tape, card, a tablet's corner."""
    across, down, level = rng.uniform(10, 40), rng.uniform(8, 28), rng.uniform(8, 40)
    black: Color = (level, level, level + 2)
    part = Part((-across, 0), (across, 0), down, black, 0.6, square=True, gloss=0.06)
    return around(made_of([part], rng, 0.1), across, down)


def crumb(rng: np.random.Generator) -> Piece:
    """A crumb of bread, smaller than the ink of a mark."""
    color = choice(rng, ((176, 124, 70), (206, 164, 104), (120, 76, 40), (226, 200, 150)))
    size, end = rng.uniform(0.3, 0.6), rng.normal(0, 0.25, 2)
    part = Part((0, 0), tuple(end), size, color, size, edge=size, gloss=0.02)
    return around(made_of([part], rng, 0.15, 3), 1, 1)


# ---------------------------------------------------------------- paper

PICTURE = 8  # px per mm of drawn papers
NOTES: tuple[Color, ...] = (
    (250, 236, 120), (252, 160, 178), (170, 226, 150), (160, 210, 240), (250, 250, 246),
    (250, 250, 246), (238, 230, 212),
)  # fmt: skip


def paper_thing(
    picture: Array, size: Point, rng: np.random.Generator, curl: float, gloss: float = 0.02
) -> Piece:
    """A flat piece with a picture (uint8 BGR), ``size`` in mm; ``curl``: how far a side rises."""
    pixels = (picture.astype(np.float32) / 255) ** np.float32(2.2)
    grain, angle, (across, down) = Grain(rng), rng.uniform(0, 2 * np.pi), np.divide(size, 2)
    outline = Part((-across, 0), (across, 0), down, METAL, square=True)

    def surface(u: Array, v: Array) -> Surface:
        along = (u * np.cos(angle) + v * np.sin(angle)) / max(size) + 0.5
        height = 0.3 + curl * np.clip(along, 0, 1) ** 2.2 + 0.25 * min(curl, 1) * grain(u, v, 120)
        x = np.clip((u / size[0] + 0.5) * picture.shape[1], 0, picture.shape[1] - 1)
        y = np.clip((v / size[1] + 0.5) * picture.shape[0], 0, picture.shape[0] - 1)
        alpha = inside(outline.distance(u, v))
        return Surface(np.maximum(height, 0.05), alpha, looked_up(pixels, x, y), gloss)

    return around(surface, across, down)


def note(rng: np.random.Generator) -> Piece:
    """A sticky note or a slip of paper, blank, written on, or with squares or lines."""
    size = (76.0, 76.0) if rng.random() < 0.5 else tuple(rng.uniform(30, 95, 2))
    width, height = (int(side * PICTURE) for side in size)
    page = np.full((height, width, 3), np.asarray(choice(rng, NOTES)[::-1], np.uint8))
    if rng.random() < 0.4:
        page[:: 5 * PICTURE] = (210, 190, 170)
        if rng.random() < 0.6:
            page[:, :: 5 * PICTURE] = (210, 190, 170)
    if rng.random() < 0.65:  # lines of loops, as handwriting
        letter = PICTURE * rng.uniform(2.5, 5)
        ink = choice(rng, ((110, 34, 24), (28, 24, 24), (36, 30, 170)))
        for y in np.arange(1.5 * letter, height - letter, 2.1 * letter):
            t = np.arange(0, rng.uniform(0.5, 0.9) * width / letter, 0.08)
            tall = np.repeat(rng.choice([0.5, 0.5, 1.0, -0.6], len(t) // 13 + 1), 13)[: len(t)]
            x = letter * (0.8 + t + 0.22 * np.sin(2 * np.pi * t))
            loops = np.stack([x, y - letter * tall * (0.5 - 0.5 * np.cos(2 * np.pi * t))], 1)
            cv2.polylines(page, [np.int32(loops)], False, ink, 4, cv2.LINE_AA)
    return paper_thing(page, size, rng, rng.uniform(0.3, 9))


def card(rng: np.random.Generator) -> Piece:
    """A playing card, its face or its back."""
    size = (63.0, 88.0)
    width, height = (int(side * PICTURE) for side in size)
    page = np.full((height, width, 3), 250, np.uint8)
    if rng.random() < 0.65:
        ink, number = choice(rng, ((40, 30, 190), (30, 26, 26))), int(rng.integers(2, 11))
        for turn in range(2):
            cv2.putText(page, str(number), (30, 84), cv2.FONT_HERSHEY_DUPLEX, 1.9, ink, 4)
            for spot in range((number + turn) // 2):
                middle = (int((0.3 + 0.4 * (spot % 2)) * width), int((0.18 + 0.1 * spot) * height))
                cv2.ellipse(page, middle, (26, 42), 0, 0, 360, ink, -1, cv2.LINE_AA)
            page = np.ascontiguousarray(page[::-1, ::-1])
    else:
        x, y = np.meshgrid(np.arange(width), np.arange(height))
        step, color = int(rng.uniform(3, 6) * PICTURE), np.array(choice(rng, GAME_COLORS[:5])[::-1])
        lines = ((x + y) % step < 4) | ((x - y) % step < 4)
        back = np.where(lines[..., None], 0.45 * color + 137, color)
        page[32:-32, 32:-32] = back[32:-32, 32:-32]
    return paper_thing(page, size, rng, rng.uniform(0, 2.5), rng.uniform(0.05, 0.25))
