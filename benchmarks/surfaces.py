"""Things that come to lie on a sheet, as surfaces: their height and colour at any point.

A thing is a function of coordinates ``u``, ``v``: float32 arrays of one shape, mm in the thing's
own frame on the plane of the sheet. Lengths are those of real things. A thing knows no photo;
`benchmarks.things_on_sheets` lights it and lays it there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, radians, sin
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]
Color = tuple[float, float, float]  # sRGB, red, green, blue, 0 to 255


@dataclass(frozen=True, eq=False)
class Surface:
    """A thing at the points asked for.

    height: mm of its upper side over the sheet. alpha: how much of the point it takes, 0 to 1.
    albedo: (..., 3), BGR, linear, 1 is white paper. gloss: strength of the highlight, may be an
    array; shine: how narrow it is. metal: 0 to 1, how much of the light is a reflection. side:
    the albedo of its upright side at a height; None where it has no upright side. under: mm between
    the sheet and its lower side.
    """

    height: Array
    alpha: Array
    albedo: Array
    gloss: Any = 0.1
    shine: float = 20.0
    metal: float = 0.0
    side: Callable[[float], Array] | None = None
    under: float = 0.0


Thing = Callable[[Array, Array], Surface]


@dataclass(frozen=True, eq=False)
class Piece:
    """A thing and how far it reaches: left, top, right, bottom in mm, in its own frame.

    ``arm``: whether it comes in from outside, along its own u axis.
    """

    thing: Thing
    reach: tuple[float, float, float, float]
    arm: bool = False


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


def merged(a: Array, b: Array, width: float) -> Array:
    """The union of two shapes by their signed distances, with a rounded passage."""
    t = np.clip(0.5 + 0.5 * (b - a) / width, 0, 1)
    return np.asarray(b + (a - b) * t - width * t * (1 - t), np.float32)


def dome(t: Array) -> Array:
    """A half circle: 1 in the middle, 0 at ``t`` = 1."""
    return np.asarray(np.sqrt(np.clip(1 - t * t, 0, 1)))


def segment(u: Array, v: Array, a: tuple[float, float], b: tuple[float, float]) -> Array:
    """Distance from a segment."""
    du, dv = b[0] - a[0], b[1] - a[1]
    t = np.clip(((u - a[0]) * du + (v - a[1]) * dv) / (du * du + dv * dv), 0, 1)
    return np.hypot(u - a[0] - t * du, v - a[1] - t * dv)


def box(u: Array, v: Array, half: tuple[float, float], radius: float) -> Array:
    """Signed distance from a rectangle with round corners."""
    x, y = np.abs(u) - half[0] + radius, np.abs(v) - half[1] + radius
    outer = np.hypot(np.maximum(x, 0), np.maximum(y, 0))
    return outer + np.minimum(np.maximum(x, y), 0) - radius


class Grain:
    """Noise of many sizes, about -1 to 1, that can be asked for at any point."""

    def __init__(self, rng: np.random.Generator, octaves: int = 6, fall: float = 0.55) -> None:
        side = 512
        self.picture = np.zeros((side, side), np.float32)
        for octave in range(octaves):
            knots = 4 * 2**octave
            wrapped = np.pad(rng.normal(0, 1, (knots, knots)).astype(np.float32), 2, mode="wrap")
            factor = side // knots
            large = cv2.resize(wrapped, None, fx=factor, fy=factor, interpolation=cv2.INTER_CUBIC)
            self.picture += fall**octave * large[2 * factor : -2 * factor, 2 * factor : -2 * factor]
        self.picture /= 2 * self.picture.std()

    def __call__(self, u: Array, v: Array, period: float, stretch: float = 1.0) -> Array:
        """``period``: mm after which it repeats; ``stretch``: how much longer along u."""
        side = self.picture.shape[0]
        return looked_up(
            self.picture, u * (side / period / stretch) % side, v * (side / period) % side
        )


def looked_up(picture: Array, x: Array, y: Array) -> Array:
    """A picture at px coordinates of any shape; beyond its rim it repeats."""
    shape = x.shape
    flat_x, flat_y = (np.ascontiguousarray(each, np.float32).reshape(-1) for each in (x, y))
    at = [np.resize(each, (-(-each.size // 4096), 4096)) for each in (flat_x, flat_y)]
    found = cv2.remap(picture, at[0], at[1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    channels = picture.shape[2:]
    return found.reshape(-1, *channels)[: flat_x.size].reshape(*shape, *channels)


def blurred(picture: Array, sigma: float) -> Array:
    """A Gaussian blur; wide ones are computed on a smaller picture."""
    shrink = int(sigma / 3)
    if shrink < 2:
        return cv2.GaussianBlur(picture, (0, 0), max(sigma, 0.05))
    height, width = picture.shape[:2]
    small = (max(1, width // shrink), max(1, height // shrink))
    less = cv2.resize(picture, small, interpolation=cv2.INTER_AREA)
    less = cv2.GaussianBlur(less, (0, 0), sigma / shrink)
    return cv2.resize(less, (width, height), interpolation=cv2.INTER_LINEAR)


def extent(where: Array) -> tuple[slice, ...]:
    """The smallest part of an array with all that is true in it."""
    parts = []
    for axis in range(where.ndim):
        others = tuple(each for each in range(where.ndim) if each != axis)
        at = np.flatnonzero(where.any(axis=others))
        parts.append(slice(int(at[0]), int(at[-1]) + 1) if len(at) else slice(0, 0))
    return tuple(parts)


def choice(rng: np.random.Generator, options: Any) -> Any:
    return options[int(rng.integers(len(options)))]


# ---------------------------------------------------------------- hands

SKINS: tuple[Color, ...] = (
    (246, 214, 194), (236, 196, 168), (224, 178, 144), (198, 148, 112), (166, 114, 80),
    (126, 84, 58), (92, 60, 42), (66, 44, 34),
)  # fmt: skip
NAIL_PAINTS: tuple[Color, ...] = ((176, 24, 44), (40, 40, 48), (214, 140, 160), (60, 90, 160))
SLEEVES: tuple[Color, ...] = (
    (50, 60, 80), (120, 40, 44), (196, 192, 184), (60, 84, 66), (30, 30, 34), (150, 128, 96),
)  # fmt: skip


@dataclass(frozen=True)
class Finger:
    """tip, base: mm. tip_radius, base_radius. joints: mm from the tip. nail: half its width."""

    tip: tuple[float, float]
    base: tuple[float, float]
    tip_radius: float
    base_radius: float
    joints: tuple[float, ...]
    bend: float
    lift: float  # mm that the base is higher than the tip

    def frame(self, u: Array, v: Array) -> tuple[Array, Array, float]:
        """Along the finger from its tip, across it, and its length."""
        du, dv = self.base[0] - self.tip[0], self.base[1] - self.tip[1]
        length = float(np.hypot(du, dv))
        along = ((u - self.tip[0]) * du + (v - self.tip[1]) * dv) / length
        across = ((v - self.tip[1]) * du - (u - self.tip[0]) * dv) / length
        t = np.clip(along / length, 0, 1)
        return along, across - self.bend * 4 * t * (1 - t), length

    def radius(self, along: Array, length: float) -> Array:
        t = np.clip(along / length, 0, 1)
        radius = self.tip_radius + (self.base_radius - self.tip_radius) * t
        for joint in self.joints:
            radius = radius * (1 + 0.07 * np.exp(-(((along - joint) / 5.5) ** 2)))
        tip = 1.35 * self.tip_radius
        return np.asarray(radius * dome(np.clip((tip - along) / tip, 0, 1)), np.float32)

    def height(self, u: Array, v: Array) -> Array:
        """Of the skin over the sheet; 0 beside it."""
        along, across, length = self.frame(u, v)
        radius = self.radius(along, length)
        t = np.clip(np.abs(across) / np.maximum(radius, 1e-3), 0, 1)
        within = (along > 0) & (along < length + self.base_radius)
        end = dome(np.clip((along - length) / self.base_radius, 0, 1))
        round_ = 1.45 * radius * dome(t) * end
        lifted = self.lift * np.clip(along / length, 0, 1) * dome(t) ** 0.5
        return np.where(within, round_ + lifted * (round_ > 0), 0).astype(np.float32)


@dataclass(frozen=True, eq=False)
class Skin:
    color: Color
    grain: Grain
    fine: Grain
    paint: Color | None  # of the nails
    lines: float  # how deep the folds over the joints are
    hairs: float


def any_skin(rng: np.random.Generator) -> Skin:
    shade = choice(rng, SKINS)
    return Skin(
        tuple(float(np.clip(part * rng.normal(1, 0.03), 20, 252)) for part in shade),  # type: ignore[arg-type]
        Grain(rng), Grain(rng, 7, 0.8),
        choice(rng, NAIL_PAINTS) if rng.random() < 0.15 else None,
        float(rng.uniform(0.1, 0.35)), float(rng.random() < 0.4) * float(rng.uniform(0.05, 0.2)),
    )  # fmt: skip


def painted(
    finger: Finger, skin: Skin, u: Array, v: Array, own: Array, albedo: Array
) -> tuple[Array, Array, Array]:
    """The colours of a finger, with its folds and its nail; how much higher, how much glossier."""
    red, raised = np.array([0.80, 0.84, 1.04], np.float32), np.zeros_like(u)
    along, across, length = finger.frame(u, v)
    radius = np.maximum(finger.radius(along, length), 1e-3)
    near = (np.abs(across) < 1.1 * radius) & (along > -1) & (own > 0)
    for joint in finger.joints:
        at = np.exp(-(((along - joint) / 5.0) ** 2)) * near
        albedo = mixed(albedo, albedo * red, 0.6 * at)
        folds = np.sin(2.3 * along + 2.5 * skin.grain(across, along, 30) + joint)
        deep = at * np.clip(folds - 0.35, 0, 1) * soft(-np.abs(across), -float(radius.max()), 0)
        albedo *= (1 - 1.6 * skin.lines * deep)[..., None]
        raised = raised - 0.5 * skin.lines * deep
    tip = np.exp(-((along / 9.0) ** 2)) * near
    albedo = mixed(albedo, albedo * red, 0.5 * tip)
    half = 0.66 * finger.tip_radius
    centre, length_half = 0.95 * finger.tip_radius, 0.72 * finger.tip_radius
    shape = (np.abs((along - centre) / length_half) ** 3.2 + np.abs(across / half) ** 3.2) - 1
    nail = soft(-shape, 0.0, 0.22) * near
    groove = np.exp(-((shape / 0.22) ** 2)) * near * (along > centre - length_half * 0.8)
    if skin.paint:
        plate = np.broadcast_to(linear(skin.paint), albedo.shape)
    else:
        pink = 0.55 * linear(skin.color) + 0.45 * linear((244, 196, 186))
        plate = np.broadcast_to(pink, albedo.shape)
        white = linear((246, 236, 226))
        moon = np.hypot(along - centre - length_half * 1.05, 0.8 * across) - half * 0.55
        plate = mixed(plate, white, 0.45 * inside(moon, 0.5))
        plate = mixed(plate, white, 0.75 * soft(centre - length_half * 0.72 - along, -0.4, 0.4))
        plate = plate * (1 + 0.05 * np.sin(5 * across))[..., None]
    albedo = mixed(albedo * (1 - 0.45 * groove)[..., None], plate, nail)
    return albedo, raised + 0.25 * nail - 0.25 * groove, (0.55 if skin.paint else 0.32) * nail


def hand_thing(
    fingers: Sequence[Finger],
    blobs: Sequence[tuple[float, float, float, float, float]],
    skin: Skin,
    sleeve: tuple[float, Color] | None,
) -> Thing:
    """A hand of fingers and rounded masses (u, v, half length, half width, height)."""

    def surface(u: Array, v: Array) -> Surface:
        height = np.zeros_like(u)
        for u0, v0, half_u, half_v, top in blobs:
            across, along = ((u - u0) / half_u) ** 2, ((v - v0) / half_v) ** 2
            rho = np.sqrt(np.minimum(across**1.4 + along**1.4, 1)) ** np.float32(1.43)
            height = joined(height, top * dome(rho), 8.0)
        albedo = np.broadcast_to(linear(skin.color), (*u.shape, 3)).copy()
        patchy = skin.grain(u, v, 60)
        albedo *= (1 + 0.10 * patchy + 0.05 * skin.fine(u, v, 14))[..., None]
        gloss = np.full_like(u, 0.10) * (1 + 0.5 * skin.fine(u, v, 9))
        for finger in fingers:
            own = finger.height(u, v)
            height = joined(height, own, 2.5) if blobs else np.maximum(height, own)
            part = extent(own > 0)
            if own[part].size:
                colored = painted(finger, skin, u[part], v[part], own[part], albedo[part])
                albedo[part], raised, shine = colored
                height[part] += raised
                gloss[part] += shine
        if skin.hairs:
            wisps = soft(skin.fine(u, v, 24, 5.0), 0.75, 1.0) * soft(u, 40, 90)
            albedo *= (1 - 2.5 * skin.hairs * wisps)[..., None]
        if sleeve:
            start, color = sleeve
            edge = u - start + 3 * skin.grain(v, u, 90)
            weave = 1 + 0.14 * np.sin(5.2 * u) * np.sin(5.2 * v) + 0.16 * skin.fine(u, v, 18)
            cloth = linear(color) * (weave * (1 - 0.35 * np.exp(-((edge / 1.6) ** 2))))[..., None]
            on = soft(edge, -0.3, 0.3)
            albedo = mixed(albedo, cloth, on)
            height = height + on * (height > 0) * (4 + 2.2 * skin.grain(u, v, 80))
            gloss = gloss * (1 - on)
        return Surface(
            np.maximum(height, 0), soft(height, 0.25, 0.9), np.maximum(albedo, 0.002), gloss, 14.0
        )

    return surface


def thumb(rng: np.random.Generator) -> Piece:
    """A thumb that holds the sheet at its rim; the hand is beyond it."""
    size = rng.uniform(0.88, 1.08)
    length = size * rng.uniform(62, 74)
    swing = rng.uniform(-18, 18)
    finger = Finger(
        (0.0, 0.0), (length, swing), size * 9.6, size * 11.5, (size * 31,), rng.uniform(-4, 4), 9.0
    )
    side = float(rng.choice([-1.0, 1.0]))
    blobs = [
        (length + 24, swing + 9 * side, 52, 31, 27),
        (length + 85, swing + 22 * side, 72, 44, 32),
        (length + 210, swing + 30 * side, 120, 31, 40),
    ]
    sleeve = (length + 130.0, choice(rng, SLEEVES)) if rng.random() < 0.7 else None
    thing = hand_thing([finger], blobs, any_skin(rng), sleeve)
    return Piece(thing, (-4, -90, length + 320, 90), arm=True)


def _hand(rng: np.random.Generator, shown: tuple[int, ...], with_thumb: bool, curl: float) -> Piece:
    size, side = rng.uniform(0.88, 1.08), float(rng.choice([-1.0, 1.0]))
    bases = ((46, -29), (41, -9), (44, 11), (53, 30))
    lengths, radii = (72, 80, 74, 58), (8.4, 8.8, 8.2, 7.2)
    spread = rng.uniform(0.3, 1.0)
    fingers = []
    for at in shown:
        angle = radians((-11, -3, 6, 16)[at] * spread + rng.normal(0, 2.5))
        length = lengths[at] * (1 - curl * rng.uniform(0.6, 1.2)) * size
        base = (size * (bases[at][0] + 32), size * side * bases[at][1])
        tip = (base[0] - length * cos(angle), base[1] + side * length * sin(angle))
        radius = size * radii[at]
        joints = (size * 25 * (1 - curl), size * 47 * (1 - curl))
        fingers.append(
            Finger(tip, base, radius * 0.92, radius * 1.08, joints, rng.uniform(-3, 3), 12.0)
        )
    if with_thumb:
        base = (size * 118, -side * size * 42)
        angle = radians(rng.uniform(12, 50))
        tip = (base[0] - size * 62 * cos(angle), base[1] - side * size * 62 * sin(angle))
        fingers.append(
            Finger(tip, base, size * 9.6, size * 12.5, (size * 31,), rng.uniform(-3, 3), 8.0)
        )
    first = min(finger.tip[0] for finger in fingers)
    first_v = min(fingers, key=lambda finger: finger.tip[0]).tip[1]
    fingers = [
        Finger(
            (f.tip[0] - first, f.tip[1] - first_v), (f.base[0] - first, f.base[1] - first_v),
            f.tip_radius, f.base_radius, f.joints, f.bend, f.lift,
        )
        for f in fingers
    ]  # fmt: skip
    palm = size * 118 - first
    blobs = [
        (palm, -first_v, size * 52, size * 43, 27),
        (palm + size * 130, -first_v, size * 115, size * 31, 36),
    ]
    sleeve = (palm + size * 70, choice(rng, SLEEVES)) if rng.random() < 0.7 else None
    thing = hand_thing(fingers, blobs, any_skin(rng), sleeve)
    return Piece(thing, (-4, -110, palm + 250, 110), arm=True)


def fingers(rng: np.random.Generator) -> Piece:
    """Some fingers of a hand."""
    shown = choice(rng, ((0,), (0, 1), (0, 1, 2), (1, 2), (0, 1, 2, 3)))
    return _hand(rng, shown, False, rng.uniform(0, 0.25))


def hand(rng: np.random.Generator) -> Piece:
    """A whole hand."""
    return _hand(rng, (0, 1, 2, 3), rng.random() < 0.8, rng.uniform(0, 0.35))


# ---------------------------------------------------------------- things of a game table

GAME_COLORS: tuple[Color, ...] = (
    (196, 30, 36), (30, 74, 160), (36, 128, 62), (240, 190, 30), (32, 32, 34), (236, 232, 222),
    (226, 110, 26), (120, 60, 140), (150, 150, 156),
)  # fmt: skip
PIPS = {
    1: ((0, 0),), 2: ((-1, -1), (1, 1)), 3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)), 5: ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}  # fmt: skip


def pen(rng: np.random.Generator) -> Piece:
    """A ballpoint pen, a felt pen or a pencil."""
    kind = str(rng.choice(["ball", "felt", "pencil"]))
    length = rng.uniform(130, 148) if kind != "pencil" else rng.uniform(90, 178)
    radius = {"ball": 5.2, "felt": 4.9, "pencil": 3.7}[kind] * rng.uniform(0.9, 1.1)
    body, cap = choice(rng, GAME_COLORS), choice(rng, GAME_COLORS)
    metal = linear((196, 198, 202))
    grain, tip = Grain(rng), 17.0
    band = rng.uniform(50, 95)

    def surface(u: Array, v: Array) -> Surface:
        at = u + length / 2
        taper = np.clip(at / tip, 0, 1) if kind == "pencil" else np.clip(0.24 + at / tip, 0, 1)
        profile = radius * np.where(at < tip, taper, 1.0)
        profile = np.where((at < 0) | (at > length), 0, profile)
        t = np.abs(v) / np.maximum(profile, 1e-3)
        if kind == "pencil":  # six sides
            shape = np.where(t < 0.55, 1.0, 1 - 0.75 * (t - 0.55) / 0.45)
            height = radius + profile * 0.9 * np.where(at < tip, dome(np.minimum(t, 1)), shape)
        else:
            height = radius + profile * dome(np.minimum(t, 1))
        alpha = inside(np.abs(v) - profile) * inside(np.abs(u) - length / 2)
        color = np.broadcast_to(linear(body), (*u.shape, 3)).copy()
        gloss = np.full_like(u, 0.5)
        if kind == "pencil":
            wood = linear((214, 170, 118)) * (1 + 0.12 * grain(u, v, 12, 6.0))[..., None]
            edge = tip - 3.4 + 1.6 * np.cos(6 * t)
            color = mixed(color, wood, soft(edge - at, -0.3, 0.3))
            color = mixed(color, linear((52, 52, 56)), soft(5.2 - at, -0.2, 0.2))
            gloss = np.where(at < tip, 0.05, 0.35)
            ferrule = (at > length - 16) & (at < length - 6)
            ribs = 1 + 0.3 * np.sin(3.5 * at)
            color = np.where(ferrule[..., None], metal * ribs[..., None], color)
            color = np.where((at >= length - 6)[..., None], linear((226, 138, 134)), color)
        elif kind == "ball":
            color = np.where(((at < tip) | (np.abs(at - band) < 1.5))[..., None], metal, color)
            color = mixed(color, linear((60, 60, 66)), soft(np.sin(2.6 * at), 0.3, 0.7)
                          * (at > 22) * (at < 46))  # fmt: skip
            clip = box(at - length + 24, v, (22, 1.7), 1.5)
            color = mixed(color, np.broadcast_to(metal, color.shape), inside(clip))
            height = height + 1.6 * inside(clip, 0.4)
            gloss = gloss + 0.4 * inside(clip)
        else:
            color = np.where((at > band)[..., None], linear(cap), color)
            ring = np.exp(-(((at - band) / 0.5) ** 2))
            color = color * (1 - 0.6 * ring)[..., None]
            height = height + 0.7 * (at > band)
            lettering = (np.abs(v) < 1.0) & (at > band + 8) & (at < band + 34)
            letters = soft(grain(u, v, 26), 0.25, 0.4) * lettering
            color = mixed(color, np.broadcast_to(linear((240, 240, 240)), color.shape), letters)
        return Surface(height, alpha, color, gloss, 60.0)

    return Piece(surface, (-length / 2 - 1, -7, length / 2 + 1, 7))


def die(rng: np.random.Generator) -> Piece:
    """A die with pips, of any colour, or with coloured faces."""
    half, radius = rng.uniform(6, 9), rng.uniform(1.0, 2.4)
    body = choice(rng, GAME_COLORS)
    dark = np.mean(body) < 120
    ink: Color = (
        (240, 240, 236) if dark else choice(rng, ((20, 20, 24), (20, 20, 24), (170, 24, 30)))
    )
    top, *sides = (int(each) for each in rng.permutation(6)[:3] + 1)
    spread, spot = 0.5 * half, 0.18 * half

    def surface(u: Array, v: Array) -> Surface:
        distance = box(u, v, (half, half), 1.6 * radius)
        t = np.clip(1 + distance / radius, 0, 1)
        height = 2 * half - radius * (1 - dome(t))
        color = np.broadcast_to(linear(body), (*u.shape, 3)).copy()
        for x, y in PIPS[top]:
            rho = np.hypot(u - x * spread, v - y * spread)
            color = mixed(color, linear(ink), inside(rho - spot, 0.15))
            height = height - 0.55 * spot * dome(np.clip(rho / spot, 0, 1))

        def side(z: float) -> Array:
            at_side = np.broadcast_to(linear(body), (*u.shape, 3)).copy()
            for axis, other, number in ((u, v, sides[0]), (v, u, sides[1])):
                for x, y in PIPS[number]:
                    rho = np.hypot(other - x * spread, z - half - y * spread)
                    on = inside(rho - spot, 0.15) * (np.abs(axis) > 0.8 * half)
                    at_side = mixed(at_side, linear(ink), on)
            return at_side

        return Surface(height, inside(distance), color, 0.5, 50.0, side=side)

    return Piece(surface, (-half - 1, -half - 1, half + 1, half + 1))


def token(rng: np.random.Generator) -> Piece:
    """Wood: a figure that lies, a cube, a disc, or a pawn that stands."""
    kind = str(rng.choice(["figure", "figure", "cube", "disc", "pawn"]))
    grain, color = Grain(rng), choice(rng, (*GAME_COLORS, (204, 160, 108)))
    size = rng.uniform(0.9, 1.25)

    def flat(u: Array, v: Array) -> tuple[Array, float]:
        x, y = u / size, v / size
        if kind == "cube":
            return size * box(x, y, (5, 5), 0.6), 10.0
        if kind == "disc":
            return size * (np.hypot(x, y) - 7.5), 4.5
        head, arms = np.hypot(x, y + 5.6) - 3.3, segment(x, y, (-5.6, -1.4), (5.6, -1.4)) - 2.1
        legs = [segment(x, y, (0, -2), (foot, 6)) - 2.6 for foot in (-4.2, 4.2)]
        return size * merged(merged(head, arms, 1), merged(legs[0], legs[1], 1), 1), 9.0

    def surface(u: Array, v: Array) -> Surface:
        rings = 1 + 0.10 * grain(u, v, 22, 7.0) + 0.05 * np.sin(3 * v + 3 * grain(u, v, 60))
        wood = linear(color) * rings[..., None]
        if kind == "pawn":
            rho = np.hypot(u, v) / size
            body = np.interp(rho, (0, 3.0, 3.6, 4.6, 6.8, 7.6, 8.0), (15, 15, 14, 9, 4.5, 3.4, 0))
            head = 18.5 + 5.2 * dome(np.minimum(rho / 5.2, 1))
            height = size * np.where(rho < 5.2, head, body).astype(np.float32)
            return Surface(height, inside(size * (rho - 8.0)), wood, 0.4, 30.0, side=lambda _: wood)
        distance, thick = flat(u, v)
        t = np.clip(1 + distance / 0.9, 0, 1)
        height = size * thick - 0.9 * (1 - dome(t)) + 0.05 * grain(u, v, 22, 7.0)
        return Surface(height, inside(distance), wood, 0.22, 18.0, side=lambda _: wood)

    reach = 11 * size
    return Piece(surface, (-reach, -reach, reach, reach))


COINS: tuple[tuple[float, str, Color, Color | None], ...] = (
    (16.25, "1", (184, 112, 78), None), (18.75, "2", (184, 112, 78), None),
    (21.25, "5", (178, 106, 74), None), (19.75, "10", (206, 170, 96), None),
    (22.25, "20", (206, 170, 96), None), (24.25, "50", (206, 170, 96), None),
    (23.25, "1", (200, 198, 190), (208, 176, 108)), (25.75, "2", (208, 176, 108), (200, 198, 190)),
    (24.26, "25", (192, 192, 190), None), (22.5, "1", (196, 190, 180), None),
)  # fmt: skip


def coin(rng: np.random.Generator) -> Piece:
    """A coin, with a number or a head."""
    diameter, number, color, ring = choice(rng, COINS)
    radius, grain = diameter / 2, Grain(rng, 7, 0.8)
    drawn = np.zeros((256, 256), np.uint8)
    if rng.random() < 0.5:
        scale = 4.6 if len(number) == 1 else 3.2
        (width, high), _ = cv2.getTextSize(number, cv2.FONT_HERSHEY_DUPLEX, scale, 16)
        at = (128 - width // 2, 128 + high // 2)
        cv2.putText(drawn, number, at, cv2.FONT_HERSHEY_DUPLEX, scale, 170, 16, cv2.LINE_AA)
        for _ in range(6):
            x = int(rng.integers(40, 216))
            cv2.line(drawn, (x, 60), (x + 10, 196), 85, 3, cv2.LINE_AA)
    else:
        cv2.ellipse(drawn, (132, 108), (42, 56), 10, 0, 360, 170, -1, cv2.LINE_AA)
        cv2.ellipse(drawn, (84, 124), (16, 10), 30, 0, 360, 150, -1, cv2.LINE_AA)
        cv2.ellipse(drawn, (138, 206), (64, 46), 0, 180, 360, 150, -1, cv2.LINE_AA)
        cv2.ellipse(drawn, (150, 92), (48, 50), 0, 200, 340, 240, 10, cv2.LINE_AA)
    for angle in np.arange(0, 2 * np.pi, np.pi / 14):
        at = (int(128 + 108 * np.cos(angle)), int(128 + 108 * np.sin(angle)))
        cv2.circle(drawn, at, 5, 136, -1, cv2.LINE_AA)
    relief = cv2.GaussianBlur(drawn.astype(np.float32) / 170, (0, 0), 2.0)
    wear = rng.uniform(0.05, 0.35)

    def surface(u: Array, v: Array) -> Surface:
        rho = np.hypot(u, v)
        scale = 128 / radius
        x, y = (np.clip(each * scale + 128, 0, 255) for each in (u, v))
        height = 2.0 + 0.55 * looked_up(relief, x, y) * (rho < 0.93 * radius)
        height += 0.4 * soft(rho, 0.90 * radius, 0.93 * radius)
        height -= 0.5 * soft(rho, 0.97 * radius, radius)
        metal = np.broadcast_to(linear(color), (*u.shape, 3)).copy()
        if ring:
            metal = mixed(metal, linear(ring), inside(0.70 * radius - rho, 0.1))
        metal *= (1 - wear * np.clip(0.5 + grain(u, v, 25), 0, 1))[..., None]
        metal *= (1 - 0.45 * np.exp(-(((rho - 0.905 * radius) / 0.35) ** 2)))[..., None]
        dull = np.clip(looked_up(relief, x, y), 0, 1)
        metal *= (0.72 + 0.4 * dull)[..., None]
        return Surface(height, inside(rho - radius), metal, 0.5, 30.0, metal=0.8)

    return Piece(surface, (-radius - 1, -radius - 1, radius + 1, radius + 1))


# ---------------------------------------------------------------- paper

PICTURE = 8  # px per mm of drawn papers


def scribble(page: Array, rng: np.random.Generator, color: Color, size: float) -> None:
    """Handwriting on a picture (uint8 BGR): words of loops, in lines. ``size``: of letters, mm."""
    height, width = page.shape[:2]
    y, letter = 2.2 * size, size * PICTURE
    ink = tuple(int(part) for part in color[::-1])
    while y * PICTURE < height - letter:
        x = letter * rng.uniform(0.6, 1.2)
        end = width * rng.uniform(0.5, 0.95)
        while x < end:
            count = int(rng.integers(2, 8))
            t = np.arange(0, count, 0.08)
            tall = np.repeat(rng.choice([0.5, 0.5, 1.0, -0.6], count), 13)[: len(t)]
            wave_x = x + letter * (0.62 * t + 0.22 * np.sin(2 * np.pi * t))
            wave_y = y * PICTURE - letter * np.clip(tall, -1, 1) * (
                0.5 - 0.5 * np.cos(2 * np.pi * t)
            )
            wave_y += rng.normal(0, 0.03 * letter, len(t))
            line = (np.stack([wave_x, wave_y], 1) * 8).astype(np.int32)
            cv2.polylines(page, [line], False, ink, max(2, int(0.5 * PICTURE)), cv2.LINE_AA, 3)
            x = wave_x[-1] + letter * rng.uniform(0.6, 1.1)
        y += 2.1 * size


def paper_thing(
    picture: Array, size: tuple[float, float], rng: np.random.Generator, curl: float,
    radius: float = 0.2, thick: float = 0.3, torn: float = 0.0, gloss: float = 0.02,
) -> Piece:  # fmt: skip
    """A flat piece with a picture (uint8 BGR), ``size`` in mm; ``curl``: how far a side rises."""
    pixels = (picture.astype(np.float32) / 255) ** np.float32(2.2)
    grain = Grain(rng)
    angle = rng.uniform(0, 2 * np.pi)
    half = (size[0] / 2, size[1] / 2)
    long = max(size)

    def surface(u: Array, v: Array) -> Surface:
        edge = v + half[1]
        distance = box(u, v, half, radius) + torn * grain(u, v, 40) * (edge < 9)
        along = (u * np.cos(angle) + v * np.sin(angle)) / long + 0.5
        height = thick + curl * np.clip(along, 0, 1) ** 2.2 + 0.25 * min(curl, 1) * grain(u, v, 120)
        x = np.clip((u / size[0] + 0.5) * picture.shape[1], 0, picture.shape[1] - 1)
        y = np.clip((v / size[1] + 0.5) * picture.shape[0], 0, picture.shape[0] - 1)
        color = looked_up(pixels, x, y) * (1 + 0.03 * grain(u, v, 15))[..., None]
        return Surface(np.maximum(height, 0.05), inside(distance), color, gloss, 20.0)

    reach = (half[0] + 2, half[1] + 2)
    return Piece(surface, (-reach[0], -reach[1], reach[0], reach[1]))


NOTES: tuple[Color, ...] = (
    (250, 236, 120), (250, 236, 120), (252, 160, 178), (170, 226, 150), (160, 210, 240),
    (250, 250, 246), (250, 250, 246), (238, 230, 212),
)  # fmt: skip
INKS: tuple[Color, ...] = ((24, 34, 110), (24, 24, 28), (170, 30, 36))


def note(rng: np.random.Generator) -> Piece:
    """A sticky note or a slip of paper, blank, written on, or with squares or lines."""
    color = choice(rng, NOTES)
    size = (76.0, 76.0) if rng.random() < 0.5 else (rng.uniform(35, 95), rng.uniform(30, 90))
    width, height = (int(side * PICTURE) for side in size)
    page = np.full((height, width, 3), np.asarray(color[::-1], np.uint8))
    white = min(color) > 200
    if white and rng.random() < 0.6:
        step = int(PICTURE * (5 if rng.random() < 0.6 else 8))
        page[::step] = (210, 190, 170)
        page[1::step] = (210, 190, 170)
        if step == 5 * PICTURE:
            page[:, ::step] = (210, 190, 170)
            page[:, 1::step] = (210, 190, 170)
    if rng.random() < 0.65:
        scribble(page, rng, choice(rng, INKS), rng.uniform(2.5, 5))
    torn = rng.uniform(0.5, 2) if white and rng.random() < 0.5 else 0.0
    return paper_thing(page, size, rng, rng.uniform(0.3, 9), torn=torn)


def _suit(page: Array, at: tuple[float, float], size: float, suit: int) -> None:
    x, y = at
    color = (40, 30, 190) if suit < 2 else (30, 26, 26)

    def disc(dx: float, dy: float, radius: float) -> None:
        centre = (int((x + dx * size) * 8), int((y + dy * size) * 8))
        cv2.circle(page, centre, int(radius * size * 8), color, -1, cv2.LINE_AA, 3)

    def shape(*points: tuple[float, float]) -> None:
        corners = np.array([(x + px * size, y + py * size) for px, py in points]) * 8
        cv2.fillPoly(page, [corners.astype(np.int32)], color, cv2.LINE_AA, 3)

    if suit == 0:
        disc(-0.25, -0.18, 0.27)
        disc(0.25, -0.18, 0.27)
        shape((-0.49, -0.06), (0.49, -0.06), (0, 0.55))
    elif suit == 1:
        shape((0, -0.58), (0.42, 0), (0, 0.58), (-0.42, 0))
    else:
        if suit == 2:
            disc(-0.24, 0.12, 0.25)
            disc(0.24, 0.12, 0.25)
            shape((-0.47, 0.04), (0.47, 0.04), (0, -0.58))
        else:
            disc(-0.26, 0.08, 0.24)
            disc(0.26, 0.08, 0.24)
            disc(0, -0.28, 0.24)
        shape((0, -0.1), (-0.18, 0.56), (0.18, 0.56))


def card(rng: np.random.Generator) -> Piece:
    """A playing card, its face or its back."""
    size = (63.0, 88.0) if rng.random() < 0.7 else (56.0, 87.0)
    width, height = (int(side * PICTURE) for side in size)
    page = np.full((height, width, 3), 250, np.uint8)
    suit = int(rng.integers(4))
    ink = (40, 30, 190) if suit < 2 else (30, 26, 26)
    if rng.random() < 0.65:
        number = int(rng.integers(2, 11))
        rows = {1: 1, 2: 2, 3: 3}.get(number, (number + 1) // 2)
        spots = [
            (x, 0.16 + 0.68 * row / max(1, rows - 1))
            for row in range(rows)
            for x in ((0.5,) if number < 4 or (number % 2 and row == rows // 2) else (0.3, 0.7))
        ]
        for x, y in spots:
            _suit(page, (x * width, y * height), 13 * PICTURE, suit)
        for turn in range(2):
            at = (int(0.04 * width), int(0.105 * height))
            cv2.putText(page, str(number), at, cv2.FONT_HERSHEY_DUPLEX, 1.9, ink, 4, cv2.LINE_AA)
            _suit(page, (0.09 * width, 0.15 * height), 6 * PICTURE, suit)
            if turn == 0:
                page = np.ascontiguousarray(page[::-1, ::-1])
    else:
        color = tuple(int(each) for each in choice(rng, GAME_COLORS[:5])[::-1])
        rim = 4 * PICTURE
        page[rim:-rim, rim:-rim] = color
        step = int(rng.uniform(3, 6) * PICTURE)
        light = tuple(int(0.45 * each + 0.55 * 250) for each in color)
        for offset in range(-height, width, step):
            for way in (1, -1):
                x = offset if way > 0 else width - offset
                cv2.line(page, (x, rim), (x + way * height, rim + height), light, 4, cv2.LINE_AA)
        page[:rim], page[-rim:], page[:, :rim], page[:, -rim:] = (250,) * 4
    return paper_thing(
        page, size, rng, rng.uniform(0, 2.5), radius=3.2, thick=0.35, gloss=rng.uniform(0.05, 0.25)
    )


# ---------------------------------------------------------------- cups, cables, crumbs


def cup(rng: np.random.Generator) -> Piece:
    """A mug with a drink in it, or a bottle's cap."""
    body = choice(rng, ((240, 238, 232), (240, 238, 232), *GAME_COLORS))
    if rng.random() < 0.3:  # a cap, 28 mm, with ridges
        radius, high = rng.uniform(14, 19), rng.uniform(9, 16)

        def cap(u: Array, v: Array) -> Surface:
            rho = np.hypot(u, v) + 0.25 * np.sin(60 * np.arctan2(v, u))
            t = np.clip((rho - radius + 2) / 2, 0, 1)
            color = np.broadcast_to(linear(body), (*u.shape, 3))
            return Surface(
                high - 2 * (1 - dome(t)),
                inside(rho - radius),
                color,
                0.4,
                30.0,
                side=lambda _: color,
            )

        return Piece(cap, (-radius - 1, -radius - 1, radius + 1, radius + 1))
    radius, high, wall = rng.uniform(36, 44), rng.uniform(60, 95), rng.uniform(3, 4.5)
    drink = choice(rng, ((52, 30, 18), (120, 78, 48), (176, 108, 30), (235, 235, 235)))
    level = high * rng.uniform(0.5, 0.9)
    inner = 0.6 * linear(body)

    def mug(u: Array, v: Array) -> Surface:
        rho = np.hypot(u, v)
        t = np.clip(np.abs(rho - radius + wall / 2) / (wall / 2), 0, 1)
        height = np.where(rho > radius - wall, high - 0.5 * wall * (1 - dome(t)), level)
        handle = np.abs(np.hypot((u - radius - 8) / 1.15, v) - 15) - 4.5
        on_handle = inside(handle, 0.3) * (u > 0) * (rho > radius)
        height = np.where((on_handle > 0.5) & (rho > radius), 0.75 * high, height)
        color = np.broadcast_to(linear(body), (*u.shape, 3)).copy()
        surface_color = (
            linear(drink) * (1 + 0.6 * soft(rho, radius - wall - 3, radius - wall))[..., None]
        )
        color = np.where((rho < radius - wall)[..., None], surface_color, color)
        shade = soft(rho, radius - wall - 9, radius - wall) * (rho < radius - wall)
        color = mixed(color, np.broadcast_to(0.3 * inner, color.shape), 0.5 * shade)
        alpha = np.maximum(inside(rho - radius), on_handle)
        return Surface(height.astype(np.float32), alpha, color, 0.5, 45.0,
                       side=lambda _: np.broadcast_to(linear(body), (*u.shape, 3)))  # fmt: skip

    reach = radius + 1
    return Piece(mug, (-reach, -reach, radius + 32, reach))


def strand(rng: np.random.Generator) -> Piece:
    """A hair, a cable, a thread or a rubber band."""
    kind = str(rng.choice(["hair", "cable", "band", "band", "thread"]))
    thick = {"hair": 0.14, "cable": 3.6, "band": 1.8, "thread": 0.6}[kind] * rng.uniform(0.8, 1.25)
    count = 8
    if kind == "band":
        angles = np.linspace(0, 2 * np.pi, count, endpoint=False)
        radii = rng.uniform(18, 32) * rng.uniform(0.6, 1.25, count)
        knots = np.stack([radii * np.cos(angles), radii * np.sin(angles)], 1)
        knots = np.concatenate([knots[-2:], knots, knots[:3]])
    else:
        long = {"hair": 90, "cable": 420, "thread": 140}[kind]
        x = np.linspace(-long / 2, long / 2, count)
        knots = np.stack([x, np.cumsum(rng.normal(0, long / 22, count))], 1)
        knots -= knots[count // 2]
    points = []
    for a, b, c, d in zip(knots, knots[1:], knots[2:], knots[3:], strict=False):  # Catmull-Rom
        for t in np.linspace(0, 1, 14, endpoint=False):
            points.append(
                0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2
                       + (3 * b - a - 3 * c + d) * t**3)
            )  # fmt: skip
    color: Color = choice(rng, {
        "hair": ((40, 26, 20), (96, 64, 38), (20, 16, 16)),
        "cable": ((236, 236, 236), (30, 30, 32), (30, 30, 32)),
        "band": ((206, 160, 104), (190, 40, 44), (40, 120, 70), (40, 70, 150)),
        "thread": ((170, 30, 40), (30, 50, 120), (240, 236, 226), (30, 30, 30)),
    }[kind])  # fmt: skip
    path = np.array(points, np.float32)
    grain = Grain(rng)

    def surface(u: Array, v: Array) -> Surface:
        distance = np.full(u.shape, 1e3, np.float32)
        for a, b in pairwise(path):
            left, right = min(a[0], b[0]) - thick - 1, max(a[0], b[0]) + thick + 1
            low, top = min(a[1], b[1]) - thick - 1, max(a[1], b[1]) + thick + 1
            near = (u > left) & (u < right) & (v > low) & (v < top)
            if near.any():
                found = segment(u[near], v[near], (a[0], a[1]), (b[0], b[1]))
                distance[near] = np.minimum(distance[near], found)
        half = thick / 2
        t = np.clip(distance / half, 0, 1)
        height = half + half * dome(t)
        shade = linear(color) * (1 + 0.06 * grain(u, v, 20))[..., None]
        if kind == "thread":
            shade = shade * (1 + 0.35 * np.sin(9 * (u + v)))[..., None]
        return Surface(height, inside(distance - half, min(0.1, half)), shade, 0.35, 40.0)

    low, high = path.min(0) - 2 * thick, path.max(0) + 2 * thick
    return Piece(surface, (low[0], low[1], high[0], high[1]))


def patch(rng: np.random.Generator) -> Piece:
    """Something flat and black: tape, card, a tablet's corner."""
    half = (rng.uniform(10, 40), rng.uniform(8, 28))
    level = rng.uniform(8, 40)
    grain, radius = Grain(rng), rng.uniform(0.3, 4)

    def surface(u: Array, v: Array) -> Surface:
        color = linear((level, level, level + 2)) * (1 + 0.2 * grain(u, v, 30))[..., None]
        height = np.full(u.shape, 0.6, np.float32)
        return Surface(height, inside(box(u, v, half, radius)), color, 0.06, 10.0)

    return Piece(surface, (-half[0] - 1, -half[1] - 1, half[0] + 1, half[1] + 1))


def crumb(rng: np.random.Generator) -> Piece:
    """A crumb of bread, smaller than the ink of a mark."""
    size, grain, angle = rng.uniform(0.35, 0.85), Grain(rng), rng.uniform(0, 10)
    color: Color = choice(rng, ((176, 124, 70), (206, 164, 104), (120, 76, 40), (226, 200, 150)))

    def surface(u: Array, v: Array) -> Surface:
        rho = np.hypot(u, v) * (1 + 0.35 * grain(u + angle, v, 5))
        shade = linear(color) * (1 + 0.3 * grain(u, v, 2.5))[..., None]
        height = size * 0.9 * dome(np.clip(rho / size, 0, 1))
        return Surface(height, inside(rho - size, 0.1), shade, 0.02, 10.0)

    return Piece(surface, (-2, -2, 2, 2))
