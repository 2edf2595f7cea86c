"""Things that lie on a sheet and hide what is printed and drawn there: cutouts with coverage.

Most look like what lies on tables where people play (fingers, coins, dice, pens, notes, tokens,
glasses, cables), lit from one side; the others are any shape of any surface, so that a reader does
not learn what things look like, but what a printed sheet looks like. All are drawn with numpy and
OpenCV; pictures of one's own can be added (`cutouts_in`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.ground import draw_greek
from simulation.paper.canvas import Image
from simulation.paper.chances import chance
from simulation.paper.colors import any_color, hsv
from simulation.paper.surfaces import smooth_noise
from simulation.tables import render_small_thing

SIDE = 160  # px, of every cutout

Mask = NDArray[np.uint8]
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Cutout:
    """Something that can lie on a sheet.

    picture: uint8 BGRA (SIDE, SIDE, 4). length: of its longer side, least and most, in cells.
    """

    picture: Image
    length: tuple[float, float]


# --- surfaces ----------------------------------------------------------------------------------


def _noise(rng: np.random.Generator, across: float, down: float) -> Floats:
    """Smooth noise of about unit variance; its grain is 1/across and 1/down of the side."""
    return smooth_noise(rng, (SIDE, SIDE), (int(down) + 2, int(across) + 2))


def _skin(rng: np.random.Generator) -> Floats:
    """Skin of any tone, a little mottled."""
    light = rng.uniform(0, 1)
    pale, dark = np.array([175, 200, 240.0]), np.array([25, 38, 65.0])
    tone = dark + (pale - dark) * light + rng.normal(0, 9, 3)
    field = (
        np.stack([_noise(rng, 9, 9)] * 3, axis=-1) * 0.03 + _noise(rng, 50, 50)[..., None] * 0.02
    )
    red = np.clip(_noise(rng, 3, 3), 0, 2)[..., None] * np.array([-6, -6, 9.0]) * light
    return np.asarray(tone * (1 + field) + red, np.float32)


def _plain(rng: np.random.Generator) -> Floats:
    return np.full((SIDE, SIDE, 3), any_color(rng), np.float32)


def _pale(rng: np.random.Generator) -> Floats:
    """White or nearly: paper, ivory, plastic."""
    color = hsv(rng.uniform(0, 360), rng.uniform(0, 0.12), rng.uniform(0.75, 1.0))
    return np.full((SIDE, SIDE, 3), color, np.float32) + 2 * _noise(rng, 70, 70)[..., None]


def _dark(rng: np.random.Generator) -> Floats:
    color = hsv(rng.uniform(0, 360), rng.uniform(0, 0.5), rng.uniform(0.0, 0.25))
    return np.full((SIDE, SIDE, 3), color, np.float32) + 2 * _noise(rng, 70, 70)[..., None]


def _note(rng: np.random.Generator) -> Floats:
    """The usual colours of notes that stick."""
    hue = float(rng.choice([52, 52, 55, 95, 190, 330, 30]))
    return np.full(
        (SIDE, SIDE, 3), hsv(hue, rng.uniform(0.25, 0.8), rng.uniform(0.85, 1)), np.float32
    )


def _metal(rng: np.random.Generator) -> Floats:
    base = np.array(hsv(rng.uniform(15, 50), rng.uniform(0, 0.6), rng.uniform(0.35, 0.9)))
    return np.asarray(base * (1 + 0.15 * _noise(rng, 22, 22)[..., None]), np.float32)


def _wood(rng: np.random.Generator) -> Floats:
    base = np.array(hsv(rng.uniform(12, 45), rng.uniform(0.2, 0.8), rng.uniform(0.25, 0.95)))
    grain = _noise(rng, 2, rng.uniform(20, 60)) * 0.12 + _noise(rng, 6, 90) * 0.05
    return np.asarray(base * (1 + grain[..., None]), np.float32)


def _mottled(rng: np.random.Generator) -> Floats:
    """Two colours in any pattern."""
    one, other = np.array(any_color(rng), float), np.array(any_color(rng), float)
    field = sum(_noise(rng, s * rng.uniform(0.3, 3), s) / s**0.5 for s in (3, 8, 20))
    share = 1 / (1 + np.exp(-field * rng.uniform(1, 6)))
    return np.asarray(one + (other - one) * share[..., None], np.float32)


def _striped(rng: np.random.Generator) -> Floats:
    one, other = np.array(any_color(rng), float), np.array(any_color(rng), float)
    x, y = np.meshgrid(np.linspace(0, 1, SIDE), np.linspace(0, 1, SIDE))
    angle, count = rng.uniform(0, np.pi), rng.uniform(2, 20)
    wave = np.sin(2 * np.pi * count * (x * np.cos(angle) + y * np.sin(angle)))
    if chance(rng, 0.4):  # chequered
        wave = wave * np.sin(2 * np.pi * count * (y * np.cos(angle) - x * np.sin(angle)))
    share = 1 / (1 + np.exp(-wave * rng.uniform(2, 12)))
    return np.asarray(one + (other - one) * share[..., None], np.float32)


def _written(rng: np.random.Generator) -> Floats:
    """Paper with lines of writing, ruled or squared now and then."""
    page = np.clip(_pale(rng) if chance(rng, 0.7) else _note(rng), 0, 255).astype(np.uint8)
    ruling, step = any_color(rng, (0, 0.6), (0.4, 0.9)), int(rng.integers(8, 24))
    if chance(rng, 0.4):
        for at in range(0, SIDE, step):
            cv2.line(page, (0, at), (SIDE, at), ruling, 1)
            if step % 2:  # squared
                cv2.line(page, (at, 0), (at, SIDE), ruling, 1)
    ink = any_color(rng, (0, 1), (0, 0.45))
    for y in range(step, SIDE - 6, step):
        if chance(rng, 0.7):
            left = int(rng.integers(2, 50))
            draw_greek(page, rng, (left, y), int(rng.integers(20, 150)), max(3, step // 2), ink)
    return page.astype(np.float32)


SURFACES: tuple[Callable[[np.random.Generator], Floats], ...] = (
    _skin, _skin, _plain, _plain, _pale, _pale, _dark, _note, _metal, _wood, _mottled, _striped,
    _written,
)  # fmt: skip


# --- shapes ------------------------------------------------------------------------------------


def _empty() -> Mask:
    return np.zeros((SIDE, SIDE), np.uint8)


def _stroke(mask: Mask, a: tuple[float, float], b: tuple[float, float], width: float) -> None:
    """A thick line with round ends, a and b in shares of the side."""
    ends = [(round(x * SIDE), round(y * SIDE)) for x, y in (a, b)]
    cv2.line(mask, ends[0], ends[1], 255, max(1, round(width * SIDE)), cv2.LINE_AA)


def _disc(rng: np.random.Generator) -> Mask:
    mask = _empty()
    axes = (SIDE // 2 - 3, round((SIDE // 2 - 3) * rng.uniform(0.75, 1)))
    cv2.ellipse(mask, (SIDE // 2, SIDE // 2), axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
    return mask


def _block(rng: np.random.Generator) -> Mask:
    """A rectangle, its corners rounded or not."""
    mask = _empty()
    half = np.array([0.48, 0.48 * np.exp(-abs(rng.normal(0, 0.5)))]) * SIDE
    radius = rng.uniform(0, 0.3) * half.min() if chance(rng, 0.6) else 0.0
    (w, h), r = np.maximum(half - radius, 1).astype(int), int(radius)
    middle = SIDE // 2
    cv2.rectangle(mask, (middle - w, middle - h), (middle + w, middle + h), 255, -1)
    return np.asarray(
        cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * r + 1,) * 2))
    )


def _polygon(rng: np.random.Generator) -> Mask:
    mask, corners = _empty(), int(rng.integers(3, 9))
    angles = np.sort(rng.uniform(0, 2 * np.pi, corners))
    radii = SIDE * rng.uniform(0.15, 0.5, corners)
    points = SIDE / 2 + np.stack([np.cos(angles), np.sin(angles)], axis=1) * radii[:, None]
    cv2.fillPoly(mask, [points.astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def _blob(rng: np.random.Generator) -> Mask:
    x, y = np.meshgrid(np.linspace(-1, 1, SIDE), np.linspace(-1, 1, SIDE))
    field = 0.75 - np.hypot(x, y * rng.uniform(1, 2)) + rng.uniform(0.1, 0.4) * _noise(rng, 5, 5)
    return np.clip(field * 40 * 255, 0, 255).astype(np.uint8)


def _finger(rng: np.random.Generator) -> Mask:
    """One finger, its tip at the right, from the left edge."""
    mask, width = _empty(), rng.uniform(0.17, 0.32)
    bend = rng.normal(0, 0.04)
    _stroke(mask, (-0.2, 0.5 + bend), (0.45, 0.5), width * rng.uniform(1, 1.2))
    _stroke(mask, (0.45, 0.5), (0.98 - width / 2, 0.5 - bend), width)
    return mask


def _hand(rng: np.random.Generator) -> Mask:
    """Some fingers side by side on a fist."""
    mask, count = _empty(), int(rng.integers(2, 6))
    width = rng.uniform(0.13, 0.18)
    spread = rng.uniform(0.0, 0.12)
    middle = (count - 1) / 2
    for index in range(count):
        y = 0.5 + (index - middle) * width * 1.08
        tip = rng.uniform(0.7, 0.95) - 0.05 * abs(index - middle)
        _stroke(mask, (0.3, y), (tip, y + (index - middle) * spread), width)
    _stroke(mask, (-0.1, 0.5), (0.3, 0.5), min(0.9, width * count * 1.15))
    return mask


def _rod(rng: np.random.Generator) -> Mask:
    mask, width = _empty(), rng.uniform(0.04, 0.1)
    _stroke(mask, (0.04, 0.5), (0.9, 0.5), width)
    tip = np.array([[0.9, 0.5 - width / 2], [0.99, 0.5], [0.9, 0.5 + width / 2]]) * SIDE
    cv2.fillPoly(mask, [tip.astype(np.int32)], 255, cv2.LINE_AA)
    return mask


def _cable(rng: np.random.Generator) -> Mask:
    """A cord that winds, or a loop."""
    mask, at = _empty(), np.linspace(0, 1, 60)
    x = at + 0.1 * np.interp(at, np.linspace(0, 1, 5), rng.normal(0, 1, 5))
    y = 0.5 + 0.2 * np.interp(at, np.linspace(0, 1, 6), rng.normal(0, 1, 6))
    if chance(rng, 0.3):
        x, y = 0.5 + 0.4 * np.cos(2 * np.pi * at), 0.5 + 0.3 * np.sin(2 * np.pi * at + x)
    points = (np.stack([x, y], axis=1) * SIDE * 16).astype(np.int32)
    cv2.polylines(mask, [points], False, 255, int(rng.integers(3, 9)), cv2.LINE_AA, 4)
    return mask


def _rim(rng: np.random.Generator) -> Mask:
    """The foot of a glass, a ring, the rim of a cup."""
    mask = _empty()
    width = int(rng.integers(6, 30))
    cv2.circle(mask, (SIDE // 2, SIDE // 2), SIDE // 2 - width, 255, width, cv2.LINE_AA)
    return mask


def _pawn(rng: np.random.Generator) -> Mask:
    """A figure: a head on a body."""
    mask, middle = _empty(), SIDE // 2
    foot, waist = rng.uniform(0.2, 0.42) * SIDE, rng.uniform(0.06, 0.2) * SIDE
    body = np.array(
        [[middle - foot, SIDE * 0.95], [middle - waist, SIDE * 0.4], [middle + waist, SIDE * 0.4],
         [middle + foot, SIDE * 0.95]]
    )  # fmt: skip
    cv2.fillPoly(mask, [body.astype(np.int32)], 255, cv2.LINE_AA)
    head = round(rng.uniform(0.12, 0.24) * SIDE)
    cv2.circle(mask, (middle, round(SIDE * 0.05) + head), head, 255, -1, cv2.LINE_AA)
    return mask


SHAPES: tuple[Callable[[np.random.Generator], Mask], ...] = (
    _disc, _block, _polygon, _blob, _finger, _hand, _rod, _cable, _rim, _pawn,
)  # fmt: skip


# --- light -------------------------------------------------------------------------------------


def _lit(mask: Mask, surface: Floats, rng: np.random.Generator, roundness: float) -> Image:
    """A shape of a surface as one lamp shows it: BGRA.

    roundness: of the edge, in sides; 0 is flat.
    """
    inside = np.asarray(cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5))
    shade = np.ones((SIDE, SIDE, 1), np.float32)
    shine = np.zeros((SIDE, SIDE, 1), np.float32)
    if roundness > 0:
        reach = roundness * SIDE
        near = np.clip(inside / reach, 0, 1)
        height = cv2.GaussianBlur(np.sqrt(1 - (1 - near) ** 2), (0, 0), 1.2) * reach
        slope = np.stack(np.gradient(height), axis=-1)
        normal = np.concatenate([-slope[..., ::-1], np.ones((SIDE, SIDE, 1))], axis=-1)
        normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
        angle, rise = rng.uniform(0, 2 * np.pi), rng.uniform(0.4, 1.3)
        lamp = np.array([np.cos(angle) * np.cos(rise), np.sin(angle) * np.cos(rise), np.sin(rise)])
        toward = np.clip(normal @ lamp, 0, 1)
        ambient = rng.uniform(0.3, 0.75)
        shade = (ambient + (1 - ambient) * toward / lamp[2])[..., None].astype(np.float32)
        half = lamp + np.array([0, 0, 1.0])
        half /= np.linalg.norm(half)
        gloss = np.clip(normal @ half, 0, 1) ** rng.uniform(10, 120)
        shine = (gloss * rng.choice([0, 0, rng.uniform(20, 200)]))[..., None].astype(np.float32)
    else:
        slope = rng.normal(0, 0.12, 2)
        x, y = np.meshgrid(np.linspace(-1, 1, SIDE), np.linspace(-1, 1, SIDE))
        shade = (1 + slope[0] * x + slope[1] * y)[..., None].astype(np.float32)
    picture = np.clip(surface * np.clip(shade, 0, 1.4) + shine, 0, 255).astype(np.uint8)
    return np.dstack([picture, mask])


# --- things ------------------------------------------------------------------------------------


def _with_nail(picture: Image, rng: np.random.Generator) -> Image:
    """A nail near the right end of a finger."""
    color = np.array(picture[SIDE // 2, SIDE // 2, :3], float) * 0.6 + 90
    if chance(rng, 0.25):  # varnished
        color = np.array(any_color(rng), float)
    columns = np.flatnonzero(picture[SIDE // 2, :, 3] > 127)
    tip = int(columns.max()) if len(columns) else SIDE - 10
    axes = (int(rng.integers(12, 18)), int(rng.integers(9, 13)))
    nail = _empty()
    cv2.ellipse(nail, (tip - axes[0] - 3, SIDE // 2), axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
    share = nail[..., None] / 255 * 0.8
    picture[..., :3] = (picture[..., :3] * (1 - share) + np.clip(color, 0, 255) * share).astype(
        np.uint8
    )
    return picture


def _creased(picture: Image, rng: np.random.Generator) -> Image:
    """Creases of the joints across a finger."""
    for at in (0.35, 0.62):
        for _ in range(int(rng.integers(1, 4))):
            x = round((at + rng.normal(0, 0.02)) * SIDE)
            tall = int(rng.integers(8, 22))
            low = picture[SIDE // 2 - tall : SIDE // 2 + tall, x : x + 1, :3]
            low[:] = (low * rng.uniform(0.7, 0.9)).astype(np.uint8)
    return picture


def finger(rng: np.random.Generator) -> Cutout:
    picture = _lit(_finger(rng), _skin(rng), rng, rng.uniform(0.09, 0.18))
    picture = _creased(picture, rng)
    if chance(rng, 0.65):
        picture = _with_nail(picture, rng)
    return Cutout(picture, (5.0, 12.0))


def hand(rng: np.random.Generator) -> Cutout:
    picture = _lit(_hand(rng), _skin(rng), rng, rng.uniform(0.05, 0.09))
    return Cutout(picture, (9.0, 18.0))


def coin(rng: np.random.Generator) -> Cutout:
    surface, mask = _metal(rng), _disc(rng)
    relief = _empty()
    cv2.circle(relief, (SIDE // 2, SIDE // 2), int(SIDE * 0.43), 255, 2, cv2.LINE_AA)
    cv2.putText(
        relief, str(rng.choice(["1", "2", "5", "10", "20", "50"])), (45, 105),
        cv2.FONT_HERSHEY_SIMPLEX, 2.2, 255, 5, cv2.LINE_AA,
    )  # fmt: skip
    edge = cv2.Sobel(cv2.GaussianBlur(relief, (0, 0), 1.5), cv2.CV_32F, 1, 1)
    surface = surface + np.clip(edge, -60, 60)[..., None] * 0.7
    return Cutout(_lit(mask, surface, rng, 0.04), (1.7, 3.4))


def die(rng: np.random.Generator) -> Cutout:
    mask = _empty()
    low, high, radius = 8, SIDE - 9, int(rng.integers(2, 34))
    cv2.rectangle(mask, (low + radius, low + radius), (high - radius, high - radius), 255, -1)
    mask = np.asarray(
        cv2.dilate(mask, cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1,) * 2))
    )
    surface = (_pale if chance(rng, 0.5) else _plain)(rng)
    ink = (15.0, 15.0, 15.0) if surface.mean() > 110 else (240.0, 240.0, 240.0)
    spots = np.array([(0.25, 0.25), (0.75, 0.75), (0.25, 0.75), (0.75, 0.25), (0.5, 0.5),
                      (0.25, 0.5), (0.75, 0.5)])  # fmt: skip
    for x, y in spots[: int(rng.integers(0, 8))]:
        at = (round(x * SIDE), round(y * SIDE))
        cv2.circle(surface, at, int(rng.integers(9, 16)), ink, -1, cv2.LINE_AA)
    picture = _lit(mask, surface, rng, rng.uniform(0.03, 0.15))
    if chance(rng, 0.5):  # seen a little from the side
        side = np.zeros_like(picture)
        shift = int(rng.integers(6, 26))
        moved = np.roll(picture, shift, axis=0)
        side[...] = moved
        side[..., :3] = (moved[..., :3] * rng.uniform(0.4, 0.8)).astype(np.uint8)
        keep = picture[..., 3:] > 127
        picture = np.where(keep, picture, side)
    return Cutout(picture, (1.2, 2.6))


def pen(rng: np.random.Generator) -> Cutout:
    surface = (_plain, _dark, _wood, _metal, _striped)[int(rng.integers(5))](rng)
    for _ in range(int(rng.integers(0, 3))):  # cap, grip, print
        left = int(rng.integers(0, SIDE))
        surface[:, left : left + int(rng.integers(5, 50))] = any_color(rng)
    return Cutout(_lit(_rod(rng), surface, rng, rng.uniform(0.02, 0.05)), (9.0, 18.0))


def note(rng: np.random.Generator) -> Cutout:
    """Paper: a note, a card, a page, a folded corner."""
    surface = (_note, _pale, _pale, _written, _written, _striped)[int(rng.integers(6))](rng)
    mask = _block(rng) if chance(rng, 0.8) else _polygon(rng)
    return Cutout(_lit(mask, surface, rng, 0.0), (2.0, 22.0))


def token(rng: np.random.Generator) -> Cutout:
    shape = (_disc, _block, _pawn, _pawn)[int(rng.integers(4))]
    surface = (_plain, _plain, _wood, _dark, _pale)[int(rng.integers(5))](rng)
    return Cutout(_lit(shape(rng), surface, rng, rng.uniform(0.03, 0.3)), (1.0, 3.5))


def glass(rng: np.random.Generator) -> Cutout:
    """The foot or rim of a glass or cup."""
    surface = (_pale, _dark, _metal, _plain)[int(rng.integers(4))](rng)
    if chance(rng, 0.5):
        return Cutout(_lit(_rim(rng), surface, rng, 0.05), (4.0, 9.0))
    inner = (_mottled, _dark, _plain)[int(rng.integers(3))](rng)
    mask, cup = _disc(rng), _empty()
    cv2.circle(cup, (SIDE // 2, SIDE // 2), int(SIDE * rng.uniform(0.3, 0.46)), 255, -1)
    surface = np.where(cup[..., None] > 0, inner, surface)
    return Cutout(_lit(mask, surface, rng, 0.06), (4.0, 9.0))


def cable(rng: np.random.Generator) -> Cutout:
    surface = (_plain, _dark, _pale)[int(rng.integers(3))](rng)
    return Cutout(_lit(_cable(rng), surface, rng, 0.02), (6.0, 20.0))


def thing(rng: np.random.Generator) -> Cutout:
    """What lies about on the simulator's tables."""
    patch = render_small_thing(rng)
    height, width = patch.shape[:2]
    scale = SIDE / max(height, width)
    small = cv2.resize(patch, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    picture = np.zeros((SIDE, SIDE, 4), np.uint8)
    top, left = (SIDE - small.shape[0]) // 2, (SIDE - small.shape[1]) // 2
    picture[top : top + small.shape[0], left : left + small.shape[1]] = small
    return Cutout(picture, (2.0, 14.0))


def anything(rng: np.random.Generator) -> Cutout:
    """Any shape of any surface."""
    mask = SHAPES[int(rng.integers(len(SHAPES)))](rng)
    surface = SURFACES[int(rng.integers(len(SURFACES)))](rng)
    roundness = rng.choice([0.0, rng.uniform(0.02, 0.3)])
    return Cutout(_lit(mask, surface, rng, float(roundness)), (1.0, 14.0))


def chip(rng: np.random.Generator) -> Cutout:
    """A small thing, about as large as a place of a sheet, flat or raised, of any surface."""
    shape = (_disc, _disc, _disc, _block, _block, _polygon, _blob, _rim, _pawn)[
        int(rng.integers(9))
    ]
    surfaces = (_plain, _plain, _plain, _pale, _pale, _dark, _metal, _wood, _mottled, _striped)
    surface = surfaces[int(rng.integers(len(surfaces)))](rng)
    roundness = float(rng.choice([0.0, 0.0, rng.uniform(0.02, 0.4)]))
    return Cutout(_lit(shape(rng), surface, rng, roundness), (0.6, 1.4))


def hair(rng: np.random.Generator) -> Cutout:
    """A hair or a thread."""
    mask, at = _empty(), np.linspace(0, 1, 80)
    bends = rng.uniform(0.02, 0.3)
    x = at + 0.1 * np.interp(at, np.linspace(0, 1, 5), rng.normal(0, 1, 5))
    y = 0.5 + bends * np.interp(at, np.linspace(0, 1, 7), np.cumsum(rng.normal(0, 0.6, 7)))
    points = (np.stack([x, y], axis=1) * SIDE * 16).astype(np.int32)
    cv2.polylines(mask, [points], False, 255, int(rng.integers(1, 3)), cv2.LINE_AA, 4)
    surface = (_dark, _dark, _wood, _pale, _plain)[int(rng.integers(5))](rng)
    return Cutout(_lit(mask, surface, rng, 0.0), (3.0, 12.0))


CUTOUTS: tuple[Callable[[np.random.Generator], Cutout], ...] = (
    finger, finger, finger, hand, hand, coin, die, pen, note, note, note, token, glass, cable,
    thing, anything, anything, anything,
)  # fmt: skip


def random_cutout(rng: np.random.Generator) -> Cutout:
    return CUTOUTS[int(rng.integers(len(CUTOUTS)))](rng)


def cutouts_in(folder: Path) -> list[Cutout]:
    """Pictures with an alpha channel (PNG, WebP) of a folder, as things on a sheet."""
    found = []
    for path in sorted(folder.glob("*.*")):
        picture = cv2.imread(str(path), cv2.IMREAD_UNCHANGED)
        if picture is None or picture.ndim != 3 or picture.shape[2] != 4:
            continue
        square = cv2.resize(picture, (SIDE, SIDE), interpolation=cv2.INTER_AREA)
        found.append(Cutout(np.asarray(square, np.uint8), (1.5, 10.0)))
    return found
