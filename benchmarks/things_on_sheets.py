"""Lays things on photos of sheets: lit as the photo is, with their shadow, blur and noise.

Every thing is a `benchmarks.surfaces.Surface` over the plane of the sheet. Its shading follows from
its slopes (Lambert and Blinn, one lamp and the room), its upright sides are seen as far as the
camera stands beside it, and its shadow falls as far as the lamp stands low. The photo says how
bright, how coloured, how blurred and how noisy it must be.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from benchmarks import surfaces
from benchmarks.surfaces import Grain, Piece, Surface, blurred, choice, linear, mixed, soft
from brikks_vision.layout import Box, Layout
from simulation.photos import Photo

Array = NDArray[Any]
CELL_MM = {"brikks": (7.2, 10.0), "bloxx": (9.5, 13.0)}
"""Width of a grid cell: from two sheets on a page of A4, or the published block, to one."""
MAX_HIDDEN = 0.45  # share of all places; with more hidden nobody would expect a reading
HIDDEN = 0.5  # share of the middle of a place


@dataclass(frozen=True)
class Lamp:
    """towards: unit vector to it, x, y of the sheet and up. wide: its blur of shadows, mm a mm of
    height. dark: how much light a shadow takes."""

    towards: Array
    wide: float
    dark: float


@dataclass(frozen=True, eq=False)
class Scene:
    """A photo of a sheet, what lies where in it, and how it was taken.

    image: float32 BGR, 0 to 255. points: (height, width, 2), mm on the plane of the sheet of every
    pixel, from the grid's corner. page, marked: mm. to_photo: from mm to px. lean: (x, y) that a
    thing seems to move a mm of height, at a point in mm. white: BGR of white paper, of every pixel;
    black: grey level. blur: px. noise: grey levels.
    """

    image: Array
    points: Array
    page: Box
    marked: Box
    cell_mm: float
    pixels_per_mm: float
    to_photo: Callable[[Array], Array]
    lean: Callable[[Array], Array]
    white: Array
    black: float
    blur: float
    noise: float
    lamp: Lamp


@dataclass(frozen=True, eq=False)
class Place:
    """A place where marks can stand: its name as answers write it, centre and width in mm."""

    name: str
    centre: tuple[float, float]
    width: float


@dataclass(frozen=True, eq=False)
class Laid:
    """A photo with a thing on it, uint8 BGR; alpha: (height, width), 1 where it hides the sheet."""

    image: NDArray[np.uint8]
    alpha: Array
    hidden: tuple[str, ...]
    touched: tuple[str, ...]  # a part of them is hidden, or all


def places_of(layout: Layout, cell_mm: float) -> tuple[Place, ...]:
    found = []
    for name, field in layout.fields.items():
        if name in ("vertical", "horizontal"):
            continue
        for at, centre in enumerate(field.centres):
            index = ",".join(str(part) for part in np.unravel_index(at, field.shape))
            middle = (centre[0] * cell_mm, centre[1] * cell_mm)
            found.append(Place(f"{name} {index}", middle, min(field.size) * cell_mm))
    return tuple(found)


# ---------------------------------------------------------------- what the photo is like


def in_mm(box: Box, cell_mm: float) -> Box:
    return Box(*(side * cell_mm for side in (box.left, box.top, box.right, box.bottom)))


def on(box: Box, points: Array) -> Array:
    x, y = points[..., 0], points[..., 1]
    return (x > box.left) & (x < box.right) & (y > box.top) & (y < box.bottom)


def white_of(image: Array, on_page: Array) -> Array:
    """White paper at every pixel, (height, width, 3): smooth, through the brightest paper."""
    height, width = on_page.shape
    step = max(8, max(height, width) // 40)
    brightest = image.max(axis=2)
    rows = []
    for top in range(0, height - step + 1, step):
        for left in range(0, width - step + 1, step):
            part = (slice(top, top + step), slice(left, left + step))
            if on_page[part].all():
                rows.append((left + step / 2, top + step / 2, np.percentile(brightest[part], 88)))
    at = np.array(rows or [(width / 2, height / 2, 230.0)])
    x, y, level = at[:, 0] / width - 0.5, at[:, 1] / height - 0.5, at[:, 2]
    terms = np.stack([np.ones_like(x), x, y, x * x, y * y, x * y], 1)
    weight = np.ones_like(level)
    solved = np.array([level.mean(), 0, 0, 0, 0, 0])
    for _ in range(6):  # dark blocks are print, not shade
        if len(rows) > 20:
            solved = np.linalg.lstsq(terms * weight[:, None], level * weight, rcond=None)[0]
            weight = np.where(level > terms @ solved - 3, 1.0, 0.25)
    coarse = (
        np.arange(0, width + 16, 16) / width - 0.5,
        np.arange(0, height + 16, 16) / height - 0.5,
    )
    gx, gy = np.meshgrid(*coarse)
    field = sum(c * t for c, t in zip(solved, (1, gx, gy, gx * gx, gy * gy, gx * gy), strict=True))
    field = np.clip(field, 0.45 * np.median(level), 262).astype(np.float32)
    field = cv2.resize(field, None, fx=16, fy=16)[:height, :width]
    pixels = image[on_page]
    bright = pixels[pixels.max(axis=1) >= np.percentile(pixels.max(axis=1), 60)]
    ratio = bright / np.maximum(bright.max(axis=1, keepdims=True), 1)
    palest = ratio[ratio.min(axis=1) >= np.percentile(ratio.min(axis=1), 85)]
    tint = np.clip(np.median(palest, axis=0), 0.72, 1)
    return np.asarray(np.clip(field, 20, 262)[..., None] * tint.astype(np.float32), np.float32)


def blur_of(image: Array, on_page: Array) -> float:
    """Width of the photo's sharpest edges, as the sigma of a Gaussian, px."""
    gray = cv2.cvtColor(image.astype(np.uint8), cv2.COLOR_BGR2GRAY).astype(np.float32)
    steep = np.maximum(np.abs(cv2.Sobel(gray, cv2.CV_32F, 1, 0)) / 8,
                       np.abs(cv2.Sobel(gray, cv2.CV_32F, 0, 1)) / 8)  # fmt: skip
    span = cv2.dilate(gray, np.ones((9, 9))) - cv2.erode(gray, np.ones((9, 9)))
    best = on_page & (span > 50)
    if not best.any():
        return 1.0
    ratio = (steep / np.maximum(span, 1))[best]
    return float(np.clip(1 / (2.507 * np.percentile(ratio, 96)) - 0.35, 0.45, 3.5))


def noise_of(image: Array) -> float:
    gray = cv2.cvtColor(image.astype(np.uint8), cv2.COLOR_BGR2GRAY).astype(np.float32)
    rough = np.abs(gray - blurred(gray, 1.2))
    return float(np.clip(1.4826 * np.percentile(rough[::3, ::3], 40), 0.3, 9))


def scene_of(photo: Photo, layout: Layout, rng: np.random.Generator) -> Scene:
    """``photo`` with its truth, as a place where things can be laid."""
    cell_mm = rng.uniform(*CELL_MM[layout.game])
    pose = photo.placement.pose
    image, points = photo.image.astype(np.float32), photo.points * np.float32(cell_mm)
    page = in_mm(layout.page, cell_mm)
    unit = cell_mm * layout.page.height / 2
    middle = np.array([page.left + page.right, page.top + page.bottom]) / 2
    camera = pose.rotation.T @ (0.0, 0.0, -pose.distance)

    def lean(at: Array) -> Array:
        return np.asarray(
            ((np.asarray(at) - middle) / unit - camera[:2]) / abs(camera[2]), np.float32
        )

    def to_photo(at: Array) -> Array:
        return photo.placement.to_photo(np.asarray(at) / cell_mm)

    on_page = on(page, points)
    height = rng.uniform(0.75, 2.6)  # of the lamp, to a step to the side
    turn = rng.uniform(0, 2 * np.pi)
    towards = np.array([np.cos(turn), np.sin(turn), height])
    wide = float(choice(rng, (0.05, 0.12, 0.3, 0.5)))
    lamp = Lamp(
        (towards / np.linalg.norm(towards)).astype(np.float32), wide, rng.uniform(0.25, 0.62)
    )
    darkest = np.percentile(image[on_page].max(axis=1), 0.3) if on_page.any() else 0.0
    return Scene(
        image, points, page, in_mm(layout.marked_area, cell_mm), cell_mm,
        photo.placement.cell_size() / cell_mm, to_photo, lean, white_of(image, on_page),
        float(np.clip(darkest, 0, 30)), blur_of(image, on_page), noise_of(image), lamp,
    )  # fmt: skip


# ---------------------------------------------------------------- a thing, lit and laid


@dataclass(frozen=True, eq=False)
class Raster:
    """A part of the sheet's plane: mm of its top left pixel's corner, and px a mm."""

    left: float
    top: float
    scale: float
    shape: tuple[int, int]

    def coordinates(self) -> tuple[Array, Array]:
        height, width = self.shape
        x = self.left + (np.arange(width, dtype=np.float32) + 0.5) / self.scale
        y = self.top + (np.arange(height, dtype=np.float32) + 0.5) / self.scale
        grid = np.meshgrid(x.astype(np.float32), y.astype(np.float32))
        return grid[0], grid[1]

    def of_photo(self, points: Array, picture: Array) -> Array:
        """The picture on this raster as the photo sees it; nothing beyond its rim."""
        x = (points[..., 0] - np.float32(self.left)) * np.float32(self.scale) - 0.5
        y = (points[..., 1] - np.float32(self.top)) * np.float32(self.scale) - 0.5
        return cv2.remap(picture, x.astype(np.float32), y.astype(np.float32), cv2.INTER_LINEAR,
                         borderMode=cv2.BORDER_CONSTANT, borderValue=0)  # fmt: skip


def turned(x: Array, y: Array, centre: Array, angle: float) -> tuple[Array, Array]:
    """Coordinates in the frame of a thing that lies at ``centre``, turned by ``angle``."""
    dx, dy = x - np.float32(centre[0]), y - np.float32(centre[1])
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return dx * c + dy * s, dy * c - dx * s


def bounds(piece: Piece, centre: Array, angle: float) -> Box:
    left, top, right, bottom = piece.reach
    c, s = np.cos(angle), np.sin(angle)
    corners = np.array([(left, top), (right, top), (right, bottom), (left, bottom)])
    at = corners @ np.array([[c, s], [-s, c]]) + centre
    return Box(*at.min(0), *at.max(0))


def raster_for(scene: Scene, piece: Piece, centre: Array, angle: float, margin: float) -> Raster:
    around = bounds(piece, centre, angle)
    seen = scene.points[::16, ::16].reshape(-1, 2)
    low, high = seen.min(axis=0) - 15, seen.max(axis=0) + 15
    left, top = np.maximum((around.left - margin, around.top - margin), low)
    right, bottom = np.minimum((around.right + margin, around.bottom + margin), high)
    width, height = max(right - left, 1.0), max(bottom - top, 1.0)
    scale = min(1.25 * scene.pixels_per_mm, 1500 / max(width, height))
    return Raster(float(left), float(top), scale, (int(height * scale) + 2, int(width * scale) + 2))


def shifted(picture: Array, x: float, y: float) -> Array:
    matrix = np.array([[1, 0, x], [0, 1, y]], np.float32)
    return cv2.warpAffine(picture, matrix, picture.shape[1::-1], flags=cv2.INTER_LINEAR)


def shaded(surface: Surface, raster: Raster, lamp: Lamp, lean: Array) -> Array:
    """What is seen of the upper side, linear BGR; white paper that lies flat is 1."""
    height = blurred(surface.height.astype(np.float32), 0.7)
    gx = cv2.Sobel(height, cv2.CV_32F, 1, 0) / 8 * raster.scale
    gy = cv2.Sobel(height, cv2.CV_32F, 0, 1) / 8 * raster.scale
    norm = np.sqrt(1 + gx * gx + gy * gy)
    nx, ny, nz = -gx / norm, -gy / norm, 1 / norm
    to = lamp.towards
    direct = np.clip(nx * to[0] + ny * to[1] + nz * to[2], 0, None) / to[2]
    share = 0.35 + 0.5 * lamp.dark
    light = share * direct + (1 - share) * (0.55 + 0.45 * nz)
    wide = blurred(height, 2.5 * raster.scale)
    light = light * np.clip(1 - 0.035 * np.maximum(wide - height, 0), 0.55, 1)
    eye = np.array([-lean[0], -lean[1], 1.0])
    half = to + eye / np.linalg.norm(eye)
    half = half / np.linalg.norm(half)
    facing = np.clip(nx * half[0] + ny * half[1] + nz * half[2], 0, 1)
    highlight = np.asarray(surface.gloss) * facing ** (2 * surface.shine)
    room = 0.55 + 0.55 * soft(nx * to[0] + ny * to[1], -0.3, 0.35)  # what a metal mirrors
    room = room + 0.35 * np.sin(9 * nx + 5 * ny)
    seen = surface.albedo * mixed(
        np.repeat(light[..., None], 3, -1), np.repeat(room[..., None], 3, -1),
        np.full(light.shape, surface.metal),
    )  # fmt: skip
    return np.asarray(seen + highlight[..., None], np.float32)


def side_shade(surface: Surface, raster: Raster, lamp: Lamp) -> Array:
    """How light the upright sides are."""
    smooth = blurred(surface.alpha.astype(np.float32), 0.8 * raster.scale)
    gx, gy = cv2.Sobel(smooth, cv2.CV_32F, 1, 0), cv2.Sobel(smooth, cv2.CV_32F, 0, 1)
    norm = np.maximum(np.hypot(gx, gy), 1e-4)
    to = lamp.towards
    direct = np.clip((-gx * to[0] - gy * to[1]) / norm, 0, None) / to[2]
    return np.asarray(0.34 + 0.5 * lamp.dark * np.minimum(direct, 1.3), np.float32)


def seen_from(surface: Surface, raster: Raster, lamp: Lamp, lean: Array) -> Array:
    """The thing as the camera sees it, premultiplied linear BGR and alpha, on the raster.

    Painted in slices from the table up, each moved by as much as its height leans.
    """
    top = float((surface.height * (surface.alpha > 0.02)).max(initial=0))
    colors = shaded(surface, raster, lamp, lean)
    steps = float(np.hypot(*lean)) * top * raster.scale
    alpha = surface.alpha.astype(np.float32)
    picture = np.dstack([colors * alpha[..., None], alpha])
    if steps < 0.7:
        return picture
    count = int(np.clip(np.ceil(steps / 1.2), 2, 70))
    sides = None if surface.side is None else side_shade(surface, raster, lamp)
    out = np.zeros_like(picture)
    thick = top / count
    for slice_ in range(count):
        z = (slice_ + 0.5) * thick
        there = alpha * soft(surface.height - z + thick / 2, -0.02 - thick / 2, thick / 2)
        if sides is not None and surface.side is not None:
            above = soft(surface.height - z - thick, 0, thick)[..., None]
            side = surface.side(z) * (sides * (0.7 + 0.3 * z / top))[..., None]
            color = colors * (1 - above) + side * above
        else:
            color = colors
        layer = np.dstack([color * there[..., None], there])
        layer = shifted(layer, *(np.asarray(lean) * z * raster.scale))
        out = layer + out * (1 - layer[..., 3:])
    return np.asarray(out, np.float32)


def shadow_of(surface: Surface, raster: Raster, lamp: Lamp) -> Array:
    """How much light the thing takes from the sheet beside it, 0 to 1."""
    top = float((surface.height * (surface.alpha > 0.02)).max(initial=0))
    alpha: Array = surface.alpha.astype(np.float32)
    small = min(1.0, 4 / raster.scale)  # shadows are soft: a coarser raster will do
    alpha = cv2.resize(alpha, None, fx=small, fy=small, interpolation=cv2.INTER_AREA)
    height = cv2.resize(surface.height.astype(np.float32), alpha.shape[::-1])
    scale = raster.scale * small
    away = -lamp.towards[:2] / lamp.towards[2] * scale
    cast: Array = np.zeros_like(alpha)
    count = int(np.clip(np.ceil(top * np.hypot(*away) / 3), 1, 24))
    for z in (np.arange(count) + 0.5) * top / count:
        z = max(float(z), surface.under)
        sigma = max(0.25, lamp.wide * z) * scale
        part = alpha * (height >= z)
        falls = blurred(shifted(part, *(away * z)), sigma)
        cast = np.asarray(np.maximum(cast, falls), np.float32)
    near = blurred(alpha, max(0.5, min(0.35 * top, 7)) * scale)
    close = blurred(alpha, 0.6 * scale)
    dark = 1 - (1 - lamp.dark * cast) * (1 - 0.30 * near * min(1.0, top / 4)) * (1 - 0.35 * close)
    return cv2.resize(dark, raster.shape[::-1], interpolation=cv2.INTER_LINEAR)


def on_screen(colors: Array) -> Array:
    """Linear light as a camera's grey levels, 0 to 1, with a soft shoulder."""
    return np.clip(colors, 0, 1.0) ** np.float32(1 / 2.2)


def grained(scene: Scene, rng: np.random.Generator) -> Array:
    """Noise like that of the photo, grey levels."""
    grain: Array = rng.standard_normal(scene.image.shape, np.float32)
    grain = 0.7 * grain + 0.6 * grain.mean(axis=2, keepdims=True)
    if scene.noise > 1:  # the phone has smoothed it
        grain = blurred(grain, 0.6) * 1.6
    return np.asarray(grain * np.float32(scene.noise))


def laid(
    scene: Scene, piece: Piece, centre: Array, angle: float, rng: np.random.Generator
) -> tuple[Array, Array]:
    """The photo with a piece on it (float32), and what of it the piece takes."""
    bare = raster_for(scene, piece, centre, angle, 0)
    x, y = bare.coordinates()
    rough = piece.thing(*turned(x[::4, ::4], y[::4, ::4], centre, angle))
    top = float((rough.height * (rough.alpha > 0.02)).max(initial=0))
    lean = scene.lean(np.clip(centre, (scene.page.left, scene.page.top),
                              (scene.page.right, scene.page.bottom)))  # fmt: skip
    long = np.hypot(*scene.lamp.towards[:2]) / scene.lamp.towards[2]
    margin = min(110.0, top * (max(float(np.hypot(*lean)), float(long)) + 2 * scene.lamp.wide) + 6)
    raster = raster_for(scene, piece, centre, angle, margin)
    x, y = raster.coordinates()
    surface = piece.thing(*turned(x, y, centre, angle))
    seen = seen_from(surface, raster, scene.lamp, lean)
    shadow = shadow_of(surface, raster, scene.lamp)
    shrink = raster.scale / scene.pixels_per_mm
    if shrink > 1.1:
        seen = blurred(seen, 0.4 * shrink)
    height, width = raster.shape
    part = window(scene, Box(raster.left, raster.top, raster.left + width / raster.scale,
                             raster.top + height / raster.scale))  # fmt: skip
    image, whole = scene.image.copy(), np.zeros(scene.image.shape[:2], np.float32)
    here = cropped(scene, part)
    thing = blurred(raster.of_photo(here.points, seen), scene.blur)
    dark = blurred(raster.of_photo(here.points, shadow), scene.blur)[..., None]
    alpha = np.clip(thing[..., 3:], 0, 1)
    colors = on_screen(thing[..., :3] / np.maximum(alpha, 1e-3))
    tone = np.array([0.94, 1.0, 1.04], np.float32)  # the room's light in a shadow is bluer
    ground = here.image * (1 - dark * tone) + 0.25 * dark * here.black
    on_top = here.black + (here.white - here.black) * colors + grained(here, rng)
    image[part] = ground * (1 - alpha) + on_top * alpha
    whole[part] = alpha[..., 0]
    return image, whole


Part = tuple[slice, slice]


def window(scene: Scene, area: Box) -> Part:
    """The part of the photo in which an area, mm, is seen."""
    step = 8
    rows, columns = np.nonzero(on(area, scene.points[::step, ::step]))
    if not len(rows):
        return slice(0, 16), slice(0, 16)
    first, last = rows.min() - 1, rows.max() + 2
    left, right = columns.min() - 1, columns.max() + 2
    return (slice(max(0, first) * step, last * step), slice(max(0, left) * step, right * step))


def around(scene: Scene, centre: Array, radius: float) -> Part:
    return window(scene, Box(centre[0] - radius, centre[1] - radius,
                             centre[0] + radius, centre[1] + radius))  # fmt: skip


def cropped(scene: Scene, part: Part) -> Scene:
    pixels = {name: getattr(scene, name)[part] for name in ("image", "points", "white")}
    return replace(scene, **pixels)


# ---------------------------------------------------------------- what is no solid thing


def gleam(scene: Scene, centre: Array, rng: np.random.Generator, hard: bool) -> tuple[Array, Array]:
    """A lamp mirrored in a glossy sheet. ``hard``: blown out to white in its middle."""
    u, v = turned(scene.points[..., 0], scene.points[..., 1], centre, rng.uniform(0, np.pi))
    grain = Grain(rng, 4)
    size = rng.uniform(9, 24) if hard else rng.uniform(12, 40)
    long = rng.uniform(1, 3.2)
    rho = np.hypot(u / (size * long), v / size) * (1 + 0.12 * grain(u, v, 150))
    power = rng.uniform(2.0, 6.0) if hard else 2.0
    bright = np.exp(-(rho**power))
    peak = rng.uniform(300, 600) if hard else rng.uniform(14, 55)
    if hard:
        bright = bright + 0.2 * np.exp(-((rho / 1.9) ** 2))
    tint = np.clip(scene.white[::50, ::50].reshape(-1, 3).mean(0) / 240, 0.9, 1.05)
    added = peak * bright[..., None] * tint
    return scene.image + added, soft(peak * bright, 170, 235) if hard else np.zeros_like(bright)


def stain(scene: Scene, centre: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """What a cup or a drop has left; the print shows through."""
    u, v = turned(scene.points[..., 0], scene.points[..., 1], centre, rng.uniform(0, np.pi))
    grain = Grain(rng)
    color: surfaces.Color = choice(
        rng, ((150, 100, 56), (180, 134, 84), (214, 208, 196), (150, 60, 80))
    )
    if rng.random() < 0.55:
        radius = rng.uniform(30, 42)
        rim = np.hypot(u, v) - radius + 1.2 * grain(u, v, 80)
        gaps = np.clip(0.75 + 0.5 * grain(v, u, 120), 0, 1)
        depth = np.exp(-((rim / 0.9) ** 2)) + 0.4 * np.exp(-((rim / 2.6) ** 2))
        depth = depth * gaps + 0.12 * soft(-rim, 0, 2)
    else:
        rim = np.hypot(u, v) * (1 + 0.3 * grain(u, v, 90)) - rng.uniform(8, 26)
        depth = 0.45 * soft(-rim, -0.5, 1.0) + 0.5 * np.exp(-(((rim + 0.6) / 0.8) ** 2))
        depth = depth * (1 + 0.15 * grain(v, u, 60))
    strength = rng.uniform(0.35, 0.75)
    taken = (1 - linear(color)) * np.clip(strength * depth, 0, 0.8)[..., None]
    through = (1 - taken) ** np.float32(1 / 2.2)
    return scene.image * blurred(through, scene.blur), np.zeros_like(depth)


def shadow(scene: Scene, centre: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """The shadow of a hand or a phone that is not in the picture."""
    turn = rng.uniform(0, 2 * np.pi)
    scale = rng.uniform(1.0, 1.9)
    points = scene.points[::4, ::4]
    u, v = turned(points[..., 0], points[..., 1], centre, turn)
    if rng.random() < 0.5:
        half = (75 * scale, 36 * scale)
        offset = (rng.uniform(-0.9, 0.9) * half[0], rng.uniform(-0.9, 0.9) * half[1])
        mask = surfaces.inside(surfaces.box(u - offset[0], v - offset[1], half, 9.0), 0.4)
        arm = surfaces.segment(u - offset[0], v - offset[1], (0, 0), (400, 60)) - 34 * scale
        mask = np.maximum(mask, surfaces.inside(arm, 0.4))
    else:
        mask = surfaces.hand(rng).thing(u / scale, v / scale).alpha
    wide = float(choice(rng, (0.5, 1.5, 4.0, 9.0))) * scene.pixels_per_mm
    mask = cv2.resize(mask.astype(np.float32), scene.image.shape[1::-1])
    mask = cv2.blur(cv2.blur(mask, (int(2 * wide) + 1,) * 2), (int(2 * wide) + 1,) * 2)
    dark = rng.uniform(0.18, 0.55)
    tone = np.array([0.9, 1.0, 1.05], np.float32)
    return scene.image * (1 - dark * mask[..., None] * tone), np.zeros_like(mask)


def glass(scene: Scene, centre: Array, rng: np.random.Generator) -> tuple[Array, Array]:
    """A drinking glass: its thick foot bends what lies below, its wall mirrors the room."""
    radius, high, wall = rng.uniform(26, 36), rng.uniform(70, 120), rng.uniform(3.5, 6.5)
    u, v = turned(scene.points[..., 0], scene.points[..., 1], centre, 0.0)
    lean = scene.lean(centre)
    rho = np.hypot(u, v)
    # the foot: a weak lens, then a ring in which all is turned over
    t = rho / radius
    factor = np.where(t < 1 - wall / radius, 0.90 + 0.05 * t, 1.0)
    band = soft(radius - rho, 0, 0.3) * soft(rho, radius - wall - 0.3, radius - wall)
    in_band = np.clip((radius - rho) / wall, 0, 1)
    factor = np.where(band > 0.02, 1 - 0.55 * np.sin(np.pi * in_band) - 0.12, factor)
    factor = np.where(rho > radius, 1.0, factor)
    height, width = rho.shape
    middle = np.unravel_index(np.argmin(rho), rho.shape)
    gx, gy = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    source_x = middle[1] + (gx - middle[1]) * factor
    source_y = middle[0] + (gy - middle[0]) * factor
    bent = cv2.remap(scene.image, source_x.astype(np.float32), source_y.astype(np.float32),
                     cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)  # fmt: skip
    turn = np.arctan2(v, u)
    lamp = np.arctan2(scene.lamp.towards[1], scene.lamp.towards[0])
    wave = np.sin(3 * turn + lamp) * 0.25 + np.sin(7 * turn) * 0.12
    bent = bent * (1 - np.float32(0.08) * (rho < radius) - band * (0.30 + wave))[..., None]
    bright = np.exp(-(((in_band - 0.55) / 0.16) ** 2)) * band
    bright = bright * np.clip(np.cos(turn - lamp), 0, 1) ** 3
    dark = np.exp(-(((rho - radius) / 0.5) ** 2)) * 0.5
    dark = dark + np.exp(-(((rho - radius + wall) / 0.5) ** 2)) * 0.3
    out = bent * (1 - np.minimum(dark, 0.8))[..., None] + 0.75 * scene.white * bright[..., None]
    # caustic: light gathered beyond the foot
    far = np.hypot(u + 1.25 * radius * np.cos(lamp), v + 1.25 * radius * np.sin(lamp))
    caustic = np.exp(-((far / (0.45 * radius)) ** 2)) * (rho > radius) * scene.lamp.dark
    ring_shade = np.exp(-(((rho - 1.08 * radius) / 4) ** 2)) * (rho > radius) * 0.22
    out = out * (1 + 0.35 * caustic - ring_shade)[..., None]
    for z in (
        float(each) * high for each in np.linspace(0.15, 1, 9)
    ):  # the wall, seen as far as the camera stands beside it
        flare = radius * (1 + 0.12 * z / high)
        at = np.hypot(u - lean[0] * z, v - lean[1] * z)
        line = np.exp(-(((at - flare) / 0.7) ** 2)) * (1.0 if z > 0.99 * high else 0.10)
        angle = np.arctan2(v - lean[1] * z, u - lean[0] * z)
        lit = np.clip(np.cos(angle - lamp), 0, 1) ** 4
        out = out * (1 - 0.28 * line)[..., None] + scene.white * (0.5 * line * lit)[..., None]
    bent = blurred(out.astype(np.float32), scene.blur)
    near = soft(1.6 * radius - rho, 0, 3)[..., None]
    rim_near = soft(1.3 * radius - np.hypot(u - lean[0] * high, v - lean[1] * high), 0, 3)[
        ..., None
    ]
    near = np.maximum(near, rim_near)
    grain = grained(scene, rng) * (band[..., None])
    distorted = 0.3 * (rho < radius)  # can be read, though not surely
    return scene.image * (1 - near) + bent * near + grain, np.maximum(band, distorted)


def folded(scene: Scene, rng: np.random.Generator) -> tuple[Array, Array]:
    """A corner folded over: the back of the paper, and the table where the corner was."""
    page, across = scene.page, scene.page.width
    right, low = rng.random() < 0.5, rng.random() < 0.5
    corner = np.array([page.right if right else page.left, page.bottom if low else page.top])
    legs = rng.uniform(0.28, 0.62, 2) * across * np.array([-1 if right else 1, -1 if low else 1])
    a, b = corner + np.array([legs[0], 0]), corner + np.array([0, legs[1]])
    along = (b - a) / np.linalg.norm(b - a)
    inward = np.array([-along[1], along[0]])
    if (corner - a) @ inward > 0:
        inward = -inward
    depth = float(abs((corner - a) @ inward))
    back = linear(choice(rng, ((250, 249, 244), (250, 249, 244), (236, 226, 204), (250, 214, 150))))
    rise, grain = rng.uniform(0.5, 7), Grain(rng)

    def paper(u: Array, v: Array) -> Surface:
        d = (u - a[0]) * inward[0] + (v - a[1]) * inward[1]
        x, y = u - 2 * d * inward[0], v - 2 * d * inward[1]
        inner = np.minimum(
            np.minimum(x - page.left, page.right - x), np.minimum(y - page.top, page.bottom - y)
        )
        alpha = surfaces.inside(-np.minimum(inner, d))
        t = np.clip(d / depth, 0, 1)
        height = 0.5 + rise * np.sqrt(t) * (1 - 0.3 * t) + 1.2 * np.exp(-d / 3) * (d > 0)
        height = height * surfaces.dome(np.clip(1 - d / 2.5, 0, 1))
        color = back * (1 + 0.03 * grain(u, v, 20))[..., None]
        return Surface(np.maximum(height, 0.1), alpha, color, 0.03, 15.0)

    x, y = scene.points[..., 0], scene.points[..., 1]
    edge = 3.0  # the paper's own shadow goes with it
    beyond = page.grown(edge)
    gone = ((x - a[0]) * inward[0] + (y - a[1]) * inward[1] < 0) & on(beyond, scene.points)
    gone = blurred(gone.astype(np.float32), max(0.6, scene.blur))
    table = table_below(scene, gone > 0.004)
    open_ = replace(scene, image=scene.image * (1 - gone[..., None]) + table * gone[..., None])
    reach = (page.left - 2, page.top - 2, page.right + 2, page.bottom + 2)
    image, alpha = laid(open_, Piece(paper, reach), np.zeros(2), 0.0, rng)
    return image, np.maximum(alpha, gone)


def table_below(scene: Scene, where: Array) -> Array:
    """The table under the sheet, taken from the nearest stretch of table that is in the picture."""
    off = ~on(scene.page.grown(4), scene.points)
    ys, xs = np.nonzero(where)
    if not len(xs):
        return scene.image
    top, left = ys.min(), xs.min()
    height, width = ys.max() - top + 1, xs.max() - left + 1
    out = scene.image.copy()
    best, most = None, 0.0
    side = max(24, int(0.5 * min(height, width)))
    whole = cv2.integral(off.astype(np.uint8))
    while side >= 16 and best is None:
        full = (whole[side:, side:] - whole[:-side, side:] - whole[side:, :-side]
                + whole[:-side, :-side]) >= side * side  # fmt: skip
        places = np.argwhere(full)
        if len(places):
            near = np.abs(places - (top, left)).sum(axis=1)
            best = places[int(near.argmin())]
            most = side
        side = int(side * 0.7)
    if best is None:  # no table in the picture
        out[where] = np.median(scene.image[off], axis=0) if off.any() else (90, 110, 130)
        return blurred(out, 1.0)
    tile = scene.image[best[0] : best[0] + int(most), best[1] : best[1] + int(most)]
    tile = np.concatenate([tile, tile[::-1]], 0)
    tile = np.concatenate([tile, tile[:, ::-1]], 1)
    count = (height // tile.shape[0] + 1, width // tile.shape[1] + 1, 1)
    out[top : top + height, left : left + width] = np.tile(tile, count)[:height, :width]
    return out


# ---------------------------------------------------------------- where things come to lie

Lay = Callable[[Scene, Sequence[Place], np.random.Generator], tuple[Array, Array] | None]
Pieces = Callable[[np.random.Generator], Piece]
TRIES = 40


def target(places: Sequence[Place], rng: np.random.Generator) -> Array:
    """A point near a place; half of them beside the grid, whose few places count as much."""
    cells = [place for place in places if place.name.startswith("cell")]
    others = [place for place in places if not place.name.startswith("cell")]
    chosen = choice(rng, cells if rng.random() < 0.6 or not others else others)
    middle: Array = np.asarray(chosen.centre)
    return np.asarray(middle + rng.normal(0, 0.4, 2) * chosen.width)


def outward(page: Box, at: Array, rng: np.random.Generator) -> tuple[float, float]:
    """The direction to a side of the page, mostly a near one, and the distance to it, mm."""
    ways = (0, np.pi / 2, np.pi, 1.5 * np.pi)
    far = np.array([page.right - at[0], page.bottom - at[1], at[0] - page.left, at[1] - page.top])
    weight = np.exp(-np.maximum(far, 0) / 28)
    side = int(rng.choice(4, p=weight / weight.sum()))
    return float(ways[side]), float(far[side])


def pose(piece: Piece, page: Box, at: Array, rng: np.random.Generator) -> tuple[Array, float]:
    """How a piece lies when it lies over a point."""
    if piece.arm:
        way, _ = outward(page, at, rng)
        angle = way + rng.normal(0, 0.3)
        deeper = rng.uniform(4, 14)  # the tip reaches beyond the point
        return at - deeper * np.array([np.cos(angle), np.sin(angle)]), angle
    left, top, right, bottom = piece.reach
    angle = rng.uniform(0, 2 * np.pi)
    part = 0.35 * np.array([rng.uniform(left, right), rng.uniform(top, bottom)])
    return at - part, angle


def laid_over(
    of: Pieces, scene: Scene, places: Sequence[Place], rng: np.random.Generator
) -> tuple[Array, Array] | None:
    """A piece over some of the places, though not over too many."""
    centres = np.array([place.centre for place in places], np.float32)
    for _ in range(TRIES):
        piece = of(rng)
        centre, angle = pose(piece, scene.page, target(places, rng), rng)
        if max(piece.reach) > 36 and not piece.arm and piece.reach[1] < -30 and of is surfaces.cup:
            way, far = outward(scene.page, centre, rng)  # large things stand half beside the sheet
            centre = centre + 0.7 * far * np.array([np.cos(way), np.sin(way)])
        u, v = turned(centres[:, 0], centres[:, 1], centre, angle)
        hidden = (piece.thing(u, v).alpha > HIDDEN).mean()
        if 0 < hidden < MAX_HIDDEN:
            return laid(scene, piece, centre, angle, rng)
    return None


def over_places(
    effect: Callable[[Scene, Array, np.random.Generator], tuple[Array, Array]], radius: float,
    scene: Scene, places: Sequence[Place], rng: np.random.Generator,
) -> tuple[Array, Array]:  # fmt: skip
    """Something without a body, over any place; it reaches ``radius`` mm."""
    centre = target(places, rng)
    part = around(scene, centre, radius)
    image, alpha = scene.image.copy(), np.zeros(scene.image.shape[:2], np.float32)
    image[part], alpha[part] = effect(cropped(scene, part), centre, rng)
    return image, alpha


def cornered(
    scene: Scene, places: Sequence[Place], rng: np.random.Generator
) -> tuple[Array, Array]:
    return folded(scene, rng)


def beside(
    scene: Scene, places: Sequence[Place], rng: np.random.Generator
) -> tuple[Array, Array] | None:
    """A thing on the margin or the table, over no place, not even a part of one."""
    clear = 0.4 * scene.cell_mm
    marked = scene.marked
    x = np.arange(marked.left - clear, marked.right + clear, 1.5, dtype=np.float32)
    y = np.arange(marked.top - clear, marked.bottom + clear, 1.5, dtype=np.float32)
    gx, gy = np.meshgrid(x, y)
    grid = np.stack([gx, gy], -1)
    kinds = (surfaces.coin, surfaces.die, surfaces.token, surfaces.pen, surfaces.thumb,
             surfaces.fingers, surfaces.note, surfaces.cup, surfaces.strand)  # fmt: skip
    of = choice(rng, kinds)
    height, width = scene.points.shape[:2]
    lean = scene.lean(np.array([(marked.left + marked.right) / 2, marked.top]))
    for _ in range(4 * TRIES):
        piece = of(rng)
        at = scene.points[int(rng.integers(height)), int(rng.integers(width))]
        if on(marked, at):
            continue
        if piece.arm:
            way, _ = outward(scene.page, at, rng)
            centre, angle = np.asarray(at), way + rng.normal(0, 0.25)
        else:
            centre, angle = np.asarray(at), rng.uniform(0, 2 * np.pi)
        free = True
        for z in (0.0, 10.0, 24.0, 90.0 if of is surfaces.cup else 24.0):
            moved = grid - np.asarray(lean * z, np.float32)
            surface = piece.thing(*turned(moved[..., 0], moved[..., 1], centre, angle))
            free = free and not ((surface.alpha > 0.01) & (surface.height >= z)).any()
        if free:
            image, alpha = laid(scene, piece, centre, angle, rng)
            if not (alpha[on(marked, scene.points)] > 0.05).any() and (alpha > 0.5).sum() > 300:
                return image, np.zeros_like(alpha)
    return None


def crumbs(scene: Scene, places: Sequence[Place], rng: np.random.Generator) -> tuple[Array, Array]:
    """Some crumbs, each smaller than the ink of a mark, none in the middle of a place."""
    image, cell = scene.image, scene.cell_mm
    centres = np.array([place.centre for place in places])
    for _ in range(int(rng.integers(3, 10))):
        for _ in range(TRIES):
            x = rng.uniform(scene.page.left, scene.page.right)
            y = rng.uniform(scene.page.top, scene.page.bottom)
            if np.abs(centres - (x, y)).max(axis=1).min() > 0.33 * cell:
                break
        now = replace(scene, image=image)
        image, _ = laid(now, surfaces.crumb(rng), np.array([x, y]), rng.uniform(0, 6), rng)
    return image, np.zeros(scene.points.shape[:2], np.float32)


def sheet_over(
    of_sheet: Callable[[np.random.Generator], tuple[Array, Box]],
    scene: Scene, places: Sequence[Place], rng: np.random.Generator,
) -> tuple[Array, Array] | None:  # fmt: skip
    """Another sheet of the game over a side of this one; most of it is out of the picture."""
    picture, page = of_sheet(rng)
    size = (page.width * scene.cell_mm, page.height * scene.cell_mm)
    piece = surfaces.paper_thing(picture, size, rng, rng.uniform(0.3, 6))
    centres = np.array([place.centre for place in places], np.float32)
    middle = np.array([scene.page.left + scene.page.right, scene.page.top + scene.page.bottom]) / 2
    for _ in range(TRIES):
        way = rng.choice([0, 0.5, 1, 1.5]) * np.pi + rng.normal(0, 0.25)
        angle = rng.choice([0, 0.5, 1, 1.5]) * np.pi + rng.normal(0, 0.2)
        far = rng.uniform(0.55, 0.95) * (scene.page.width + scene.page.height) / 2
        centre = middle + far * np.array([np.cos(way), np.sin(way)])
        hidden = piece.thing(*turned(centres[:, 0], centres[:, 1], centre, angle)).alpha > HIDDEN
        seen = scene.points[::12, ::12]
        in_sight = piece.thing(*turned(seen[..., 0], seen[..., 1], centre, angle)).alpha.sum()
        across = 144 * in_sight / scene.pixels_per_mm**2 / (size[0] * size[1])
        if 0 < hidden.mean() < 0.3 and across < 0.6:
            return laid(scene, piece, centre, angle, rng)
    return None


COVERING: dict[str, Lay] = {
    "thumb": partial(laid_over, surfaces.thumb),
    "fingers": partial(laid_over, surfaces.fingers),
    "hand": partial(laid_over, surfaces.hand),
    "pen": partial(laid_over, surfaces.pen),
    "die": partial(laid_over, surfaces.die),
    "token": partial(laid_over, surfaces.token),
    "coin": partial(laid_over, surfaces.coin),
    "note": partial(laid_over, surfaces.note),
    "card": partial(laid_over, surfaces.card),
    "cup": partial(laid_over, surfaces.cup),
    "glass": partial(over_places, glass, 110),
    "gleam": partial(over_places, partial(gleam, hard=True), 150),
    "folded corner": cornered,
    "black patch": partial(laid_over, surfaces.patch),
    "strand": partial(laid_over, surfaces.strand),
}
"""Kinds that hide places, beside "other sheet", which needs one (`sheet_over`)."""

HARMLESS: dict[str, Lay] = {
    "shadow": partial(over_places, shadow, 2000),
    "stain": partial(over_places, stain, 75),
    "crumbs": crumbs,
    "beside": beside,
    "weak gleam": partial(over_places, partial(gleam, hard=False), 300),
}
"""Kinds that hide no place."""


def hidden_places(
    scene: Scene, places: Sequence[Place], alpha: Array
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The places whose middle is hidden, and those of which any part is."""
    hidden, touched = [], []
    turns = np.arange(0, 2 * np.pi, np.pi / 6)
    circle = np.stack([np.cos(turns), np.sin(turns)], 1)
    disc = np.concatenate([[(0, 0)], 0.5 * circle, circle])
    for place in places:
        middle = np.asarray(place.centre)
        near, all_ = (
            sampled(alpha, scene.to_photo(middle + disc * radius * place.width))
            for radius in (0.25, 0.5)
        )
        if near.mean() > HIDDEN and near[0] > HIDDEN:
            hidden.append(place.name)
        if all_.max() > 0.15:
            touched.append(place.name)
    return tuple(hidden), tuple(touched)


def sampled(picture: Array, at: Array) -> Array:
    """A picture at px; beyond its rim all is hidden."""
    x, y = (at[:, side].astype(np.float32)[None] for side in (0, 1))
    found = cv2.remap(picture.astype(np.float32), x, y, cv2.INTER_LINEAR,
                      borderMode=cv2.BORDER_CONSTANT, borderValue=1)  # fmt: skip
    return np.asarray(found[0])


def covered_photo(
    scene: Scene, layout: Layout, lay: Lay, hides: bool, rng: np.random.Generator
) -> Laid | None:
    """The photo with something on it; None where nothing of that kind would lie there.

    ``hides``: whether it must hide the middle of a place; else it must touch none.
    """
    places = places_of(layout, scene.cell_mm)
    for _ in range(3):
        found = lay(scene, places, rng)
        if found is None:
            continue
        image, alpha = found
        hidden, touched = hidden_places(scene, places, alpha)
        if hides and not 0 < len(hidden) < MAX_HIDDEN * len(places):
            continue
        if not hides and touched:
            continue
        return Laid(np.clip(image, 0, 255).astype(np.uint8), alpha, hidden, touched)
    return None
