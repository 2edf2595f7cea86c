"""Lays things on photos of sheets: lit as the photo is, with their shadow, blur and noise.

Every thing is a `benchmarks.surfaces.Surface`, asked for at the sheet's points of the photo's own
pixels. Its shading follows from its slopes (Lambert and Blinn, one lamp and the room), and it is
painted in slices from the table up, each moved as far as the camera stands beside it; its shadow
falls as far as the lamp stands low. The photo says how bright, how blurred and how noisy it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import percentile_filter

from benchmarks import surfaces
from benchmarks.surfaces import Grain, Part, Piece, Surface, blurred, choice, linear, soft
from brikks_vision.layout import Box, Layout
from simulation.photos import Photo

Array = NDArray[Any]
Effect = tuple[Array, Array]
"""The photo with something on it, float32, and how much of each pixel that hides."""
CELL_MM = {"brikks": (7.2, 10.0), "bloxx": (9.5, 13.0)}
"""Width of a grid cell: from two sheets on a page of A4, or the published block, to one."""
MAX_HIDDEN = 0.45  # share of all places; with more hidden nobody would expect a reading
HIDDEN = 0.5  # share of the middle of a place
BLUISH = np.array([0.94, 1.0, 1.04], np.float32)  # how much of each colour a shadow takes


@dataclass(frozen=True)
class Lamp:
    """towards: x and y of the photo, and up. wide: its blur of shadows, mm a mm of height. dark:
    how much light a shadow takes."""

    towards: Array
    wide: float
    dark: float


@dataclass(frozen=True, eq=False)
class Scene:
    """A photo of a sheet, what lies where in it, and how it was taken.

    image: float32 BGR, 0 to 255. points: (height, width, 2), mm on the plane of the sheet of every
    pixel, from the grid's corner. page, marked: mm. scale: px a mm. to_photo: from mm to px. lean:
    px that a thing seems to move a mm of height, at a point in mm. white: BGR of white paper, of
    every pixel; black: grey level. blur: px. noise: grey levels.
    """

    image: Array
    points: Array
    page: Box
    marked: Box
    cell_mm: float
    scale: float
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


def on(box: Box, points: Array) -> Array:
    x, y = points[..., 0], points[..., 1]
    return (x > box.left) & (x < box.right) & (y > box.top) & (y < box.bottom)


def white_of(image: Array, on_page: Array) -> Array:
    """White paper at every pixel, (height, width, 3): smooth, through the brightest paper."""
    size = (max(4, image.shape[1] // 32), max(4, image.shape[0] // 32))
    paper = cv2.resize(on_page.astype(np.float32), size, interpolation=cv2.INTER_AREA) > 0.9
    bright = cv2.resize(image.max(axis=2), size, interpolation=cv2.INTER_AREA)
    usual = np.percentile(bright[paper], 70) if paper.any() else 230.0
    level = percentile_filter(np.where(paper, bright, usual), 85, size=9)
    level = cv2.GaussianBlur(level.astype(np.float32), (0, 0), 4)
    pixels = image[on_page] if on_page.any() else image.reshape(-1, 3)
    ratio = pixels / np.maximum(pixels.max(axis=1, keepdims=True), 1)
    palest = ratio[ratio.min(axis=1) >= np.percentile(ratio.min(axis=1), 85)]
    tint = np.clip(np.median(palest, axis=0), 0.72, 1).astype(np.float32)
    return np.asarray(cv2.resize(level, image.shape[1::-1])[..., None] * tint)


def blur_of(grey: Array, on_page: Array) -> float:
    """Width of the photo's sharpest edges, as the sigma of a Gaussian, px."""
    steep = np.maximum(np.abs(cv2.Sobel(grey, -1, 1, 0)), np.abs(cv2.Sobel(grey, -1, 0, 1))) / 8
    span = cv2.dilate(grey, np.ones((9, 9))) - cv2.erode(grey, np.ones((9, 9)))
    best = on_page & (span > 50)
    if not best.any():
        return 1.0
    sharpest = np.percentile((steep / np.maximum(span, 1))[best], 96)
    return float(np.clip(1 / (2.507 * sharpest) - 0.35, 0.45, 3.5))


def scene_of(photo: Photo, layout: Layout, rng: np.random.Generator) -> Scene:
    """``photo`` with its truth, as a place where things can be laid."""
    cell_mm, pose = rng.uniform(*CELL_MM[layout.game]), photo.placement.pose
    image, points = photo.image.astype(np.float32), photo.points * np.float32(cell_mm)
    page, marked = (
        Box(*(side * cell_mm for side in (box.left, box.top, box.right, box.bottom)))
        for box in (layout.page, layout.marked_area)
    )
    unit, middle = cell_mm * layout.page.height / 2, np.array(page.middle)
    camera = pose.rotation.T @ (0.0, 0.0, -pose.distance)

    def to_photo(at: Array) -> Array:
        return photo.placement.to_photo(np.asarray(at) / cell_mm)

    def lean(at: Array) -> Array:
        at = np.clip(at, (page.left, page.top), (page.right, page.bottom))
        aside = ((at - middle) / unit - camera[:2]) / abs(camera[2])
        return np.subtract(*to_photo(np.stack([at + aside, at])))

    turn = rng.uniform(0, 2 * np.pi)
    towards = np.array([np.cos(turn), np.sin(turn), rng.uniform(0.75, 2.6)])
    wide = float(choice(rng, (0.05, 0.12, 0.3, 0.5)))
    lamp = Lamp(towards / np.linalg.norm(towards), wide, rng.uniform(0.25, 0.62))
    on_page, grey = on(page, points), image.mean(axis=2)
    rough = np.percentile(np.abs(grey - blurred(grey, 1.2))[::3, ::3], 40)
    return Scene(
        image, points, page, marked, cell_mm, photo.placement.cell_size() / cell_mm, to_photo, lean,
        white_of(image, on_page), float(np.clip(np.percentile(grey, 0.3), 0, 30)),
        blur_of(grey, on_page), float(np.clip(1.4826 * rough, 0.3, 9)), lamp,
    )  # fmt: skip


# ---------------------------------------------------------------- a thing, lit and laid

Window = tuple[slice, slice]


def turned(points: Array, centre: Array, angle: float) -> tuple[Array, Array]:
    """Points, mm, in the frame of a thing that lies at ``centre``, turned by ``angle``."""
    dx, dy = (points[..., at] - np.float32(centre[at]) for at in (0, 1))
    c, s = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    return dx * c + dy * s, dy * c - dx * s


def window(scene: Scene, centre: Array, reach: float) -> Window:
    """The part of the photo in which all around a point, mm, is seen."""
    step = 8
    near = np.abs(scene.points[::step, ::step] - np.float32(centre)).max(axis=-1) < reach
    rows, columns = np.nonzero(near)
    if not len(rows):
        return slice(0, 16), slice(0, 16)
    return (slice(max(0, rows.min() - 1) * step, (rows.max() + 2) * step),
            slice(max(0, columns.min() - 1) * step, (columns.max() + 2) * step))  # fmt: skip


def cropped(scene: Scene, part: Window) -> Scene:
    pixels = {name: getattr(scene, name)[part] for name in ("image", "points", "white")}
    return replace(scene, **pixels)


def shifted(picture: Array, by: Array) -> Array:
    matrix = np.array([[1, 0, by[0]], [0, 1, by[1]]], np.float32)
    return cv2.warpAffine(picture, matrix, picture.shape[1::-1], flags=cv2.INTER_LINEAR)


def lit(surface: Surface, scene: Scene, lean: Array) -> Array:
    """What is seen of the upper side, linear BGR; white paper that lies flat is 1."""
    height = blurred(surface.height.astype(np.float32), 0.7)
    gx, gy = (cv2.Sobel(height, -1, *way) / 8 * scene.scale for way in ((1, 0), (0, 1)))
    normal = np.stack([-gx, -gy, np.ones_like(gx)], -1)
    normal /= np.linalg.norm(normal, axis=-1, keepdims=True)
    to, lamp = scene.lamp.towards, scene.lamp
    direct = np.clip(normal @ to, 0, None) / to[2]
    share = 0.35 + 0.5 * lamp.dark
    light = share * direct + (1 - share) * (0.55 + 0.45 * normal[..., 2])
    hollow = np.maximum(blurred(height, 2.5 * scene.scale) - height, 0)
    light = light * np.clip(1 - 0.035 * hollow, 0.55, 1)
    eye = np.array([*(-lean / scene.scale), 1.0])
    half = to + eye / np.linalg.norm(eye)
    facing = np.clip(normal @ (half / np.linalg.norm(half)), 0, 1)
    highlight = surface.gloss * facing**60
    return np.asarray(surface.albedo * light[..., None] + highlight[..., None], np.float32)


def top_of(surface: Surface) -> float:
    return float((surface.height * (surface.alpha > 0.02)).max(initial=0))


def seen_from(surface: Surface, scene: Scene, lean: Array) -> Array:
    """The thing as the camera sees it: premultiplied linear BGR and alpha."""
    top, colors = top_of(surface), lit(surface, scene, lean)
    alpha = surface.alpha.astype(np.float32)
    count = int(np.clip(np.ceil(np.hypot(*lean) * top / 1.5), 1, 50))
    out = np.zeros((*alpha.shape, 4), np.float32)
    thick = top / count
    for z in (np.arange(count) + 0.5) * thick:
        there = alpha * (soft(surface.height - z, -thick, 0) if count > 1 else 1)
        above = soft(surface.height - z - thick, 0, thick) if count > 1 else np.zeros_like(alpha)
        dark = 1 - above * (0.6 - 0.25 * z / top)  # upright sides see less of the lamp
        layer = np.empty_like(out)
        layer[..., :3], layer[..., 3] = colors * (there * dark)[..., None], there
        layer = shifted(layer, lean * (z if count > 1 else 0))
        out = layer + out * (1 - layer[..., 3:])
    return out


def shadow_of(surface: Surface, scene: Scene) -> Array:
    """How much light the thing takes from the sheet beside it, 0 to 1."""
    top, small = top_of(surface), min(1.0, 4 / scene.scale)  # shadows are soft
    alpha: Array = cv2.resize(surface.alpha.astype(np.float32), None, fx=small, fy=small,
                              interpolation=cv2.INTER_AREA)  # fmt: skip
    height = cv2.resize(surface.height.astype(np.float32), alpha.shape[::-1])
    scale = scene.scale * small
    away = -scene.lamp.towards[:2] / scene.lamp.towards[2] * scale
    cast = np.zeros_like(alpha)
    count = int(np.clip(np.ceil(top * np.hypot(*away) / 3), 1, 24))
    for z in (np.arange(count) + 0.5) * top / count:
        falls = shifted(alpha * (height >= z), away * z)
        cast = np.maximum(cast, blurred(falls, max(0.25, scene.lamp.wide * z) * scale))
    near, close = (blurred(alpha, mm * scale) for mm in (max(0.5, min(0.35 * top, 7)), 0.6))
    light = (1 - scene.lamp.dark * cast) * (1 - 0.30 * near * min(1.0, top / 4))
    return cv2.resize(1 - light * (1 - 0.35 * close), surface.alpha.shape[::-1])


def grained(scene: Scene, rng: np.random.Generator) -> Array:
    """Noise like that of the photo, grey levels."""
    grain: Array = rng.standard_normal(scene.image.shape, np.float32)
    grain = 0.7 * grain + 0.6 * grain.mean(axis=2, keepdims=True)
    if scene.noise > 1:  # the phone has smoothed it
        grain = blurred(grain, 0.6) * 1.6
    return np.asarray(grain * np.float32(scene.noise))


def laid(
    scene: Scene, piece: Piece, centre: Array, angle: float, rng: np.random.Generator
) -> Effect:
    """The photo with a piece on it (float32), and what of it the piece takes."""
    reach = float(np.hypot(*np.abs(np.reshape(piece.reach, (2, 2))).max(axis=0)))
    part = window(scene, centre, reach + 60)  # with its shadow, and as far as it leans
    here, lean = cropped(scene, part), scene.lean(centre)
    surface = piece.thing(*turned(here.points, centre, angle))
    here, surface, part = _trimmed(here, surface, part, lean)
    thing = blurred(seen_from(surface, here, lean), scene.blur)
    dark = blurred(shadow_of(surface, here), scene.blur)[..., None]
    alpha = np.clip(thing[..., 3:], 0, 1)
    colors = np.clip(thing[..., :3] / np.maximum(alpha, 1e-3), 0, 1) ** np.float32(1 / 2.2)
    ground = here.image * (1 - dark * BLUISH) + 0.25 * dark * here.black
    on_top = here.black + (here.white - here.black) * colors + grained(here, rng)
    image, whole = scene.image.copy(), np.zeros(scene.image.shape[:2], np.float32)
    image[part], whole[part] = ground * (1 - alpha) + on_top * alpha, alpha[..., 0]
    return image, whole


def _trimmed(
    here: Scene, surface: Surface, part: Window, lean: Array
) -> tuple[Scene, Surface, Window]:
    """What the thing and its shadow need of a part of the photo."""
    spread = float(np.hypot(*here.lamp.towards[:2]) / here.lamp.towards[2]) + 2 * here.lamp.wide
    top = top_of(surface)
    margin = int(top * np.hypot(*lean) + min(60, top * spread + 8) * here.scale)
    inner = []
    for axis, length in enumerate(surface.alpha.shape):
        there = np.flatnonzero(surface.alpha.any(axis=1 - axis))
        low, high = (there[0], there[-1]) if len(there) else (0, 0)
        inner.append(slice(max(0, low - margin), min(length, high + margin + 1)))
    cut = inner[0], inner[1]
    pixels = {name: value[cut] if isinstance(value, np.ndarray) else value
              for name, value in vars(surface).items()}  # fmt: skip
    moved = (slice(at.start + by.start, at.start + by.stop)
             for at, by in zip(part, cut, strict=True))  # fmt: skip
    return cropped(here, cut), Surface(**pixels), (next(moved), next(moved))


# ---------------------------------------------------------------- what is no solid thing


def gleam(scene: Scene, centre: Array, rng: np.random.Generator, hard: bool) -> Effect:
    """A lamp mirrored in a glossy sheet. ``hard``: blown out to white in its middle."""
    u, v = turned(scene.points, centre, rng.uniform(0, np.pi))
    size, long = rng.uniform(9, 24) if hard else rng.uniform(12, 40), rng.uniform(1, 3.2)
    rho = np.hypot(u / (size * long), v / size) * (1 + 0.12 * Grain(rng)(u, v, 150))
    bright = np.exp(-(rho ** (rng.uniform(2.0, 6.0) if hard else 2.0)))
    peak = rng.uniform(300, 600) if hard else rng.uniform(14, 55)
    if hard:
        bright = bright + 0.2 * np.exp(-((rho / 1.9) ** 2))
    image = scene.image + peak * bright[..., None]
    return image, soft(peak * bright, 170, 235) if hard else np.zeros_like(bright)


def stain(scene: Scene, centre: Array, rng: np.random.Generator) -> Effect:
    """What a cup or a drop has left; the print shows through."""
    u, v = turned(scene.points, centre, rng.uniform(0, np.pi))
    grain, is_ring = Grain(rng), rng.random() < 0.55
    color: surfaces.Color = choice(
        rng, ((150, 100, 56), (180, 134, 84), (214, 208, 196), (150, 60, 80))
    )
    radius = rng.uniform(30, 42) if is_ring else rng.uniform(8, 26)
    rim = np.hypot(u, v) * (1 + (0.03 if is_ring else 0.3) * grain(u, v, 90)) - radius
    depth = np.exp(-((rim / 0.9) ** 2)) * np.clip(0.75 + 0.5 * grain(v, u, 120), 0, 1)
    depth = 0.8 * depth + (0.12 if is_ring else 0.45) * soft(-rim, -0.5, 1.5)
    taken = (1 - linear(color)) * np.clip(rng.uniform(0.35, 0.75) * depth, 0, 0.8)[..., None]
    through = (1 - taken) ** np.float32(1 / 2.2)
    return scene.image * blurred(through, scene.blur), np.zeros_like(depth)


def shadow(scene: Scene, centre: Array, rng: np.random.Generator) -> Effect:
    """The shadow of a hand or a phone that is not in the picture."""
    scale = rng.uniform(1.0, 1.9)
    u, v = turned(scene.points[::4, ::4], centre, rng.uniform(0, 2 * np.pi))
    if rng.random() < 0.5:
        u, v = u / scale - rng.uniform(-60, 60), v / scale - rng.uniform(-30, 30)
        phone, arm = (
            Part(a, b, half, surfaces.METAL, square=half > 35).distance(u, v)
            for a, b, half in (((-75, 0), (75, 0), 36), ((0, 0), (300, 40), 34))
        )
        mask = surfaces.inside(np.minimum(phone, arm), 0.4)
    else:
        mask = surfaces.hand(rng).thing(u / scale, v / scale).alpha
    wide = float(choice(rng, (0.5, 1.5, 4.0, 9.0))) * scene.scale
    mask = blurred(cv2.resize(mask.astype(np.float32), scene.image.shape[1::-1]), wide)
    dark = rng.uniform(0.18, 0.55) * mask[..., None] * BLUISH
    return scene.image * (1 - dark), np.zeros_like(mask)


def folded(scene: Scene, _: Sequence[Place], rng: np.random.Generator) -> Effect:
    """A corner folded over: the back of the paper, and the table where the corner was."""
    page = scene.page
    across, down = rng.choice([-1, 1]), rng.choice([-1, 1])
    corner = np.array([page.right if across > 0 else page.left,
                       page.bottom if down > 0 else page.top])  # fmt: skip
    legs = rng.uniform(0.28, 0.62, 2) * page.width * np.array([-across, -down])
    a = corner + np.array([legs[0], 0])
    along = np.array([-legs[0], legs[1]]) / np.hypot(*legs)
    inward = np.array([-along[1], along[0]])
    inward = inward if (corner - a) @ inward < 0 else -inward
    depth = float(abs((corner - a) @ inward))
    back = linear(choice(rng, ((250, 249, 244), (250, 249, 244), (236, 226, 204), (250, 214, 150))))
    rise, grain = rng.uniform(0.5, 7), Grain(rng)

    def paper(u: Array, v: Array) -> Surface:
        d = (u - a[0]) * inward[0] + (v - a[1]) * inward[1]
        x, y = u - 2 * d * inward[0], v - 2 * d * inward[1]
        inner = np.minimum.reduce([x - page.left, page.right - x, y - page.top, page.bottom - y, d])
        t = np.clip(d / depth, 0, 1)
        height = 0.5 + rise * np.sqrt(t) * (1 - 0.3 * t)
        color = back * (1 + 0.03 * grain(u, v, 20))[..., None]
        return Surface(height, surfaces.inside(-inner), color, 0.03)

    # the paper's own shadow goes with it; beyond the corner there is table, which is mirrored
    beyond = (scene.points - np.float32(a)) @ inward.astype(np.float32) < 0
    gone = blurred((beyond & on(page.grown(3), scene.points)).astype(np.float32), scene.blur + 0.5)
    source = np.float32(scene.to_photo(2 * corner - scene.points.reshape(-1, 2)))
    source = source.reshape(scene.points.shape)
    table = cv2.remap(scene.image, source[..., 0], source[..., 1], cv2.INTER_LINEAR,
                      borderMode=cv2.BORDER_REFLECT)  # fmt: skip
    image = scene.image * (1 - gone[..., None]) + table * gone[..., None]
    reach = (page.left, page.top, page.right, page.bottom)
    image, alpha = laid(replace(scene, image=image), Piece(paper, reach), np.zeros(2), 0.0, rng)
    return image, np.maximum(alpha, gone)


# ---------------------------------------------------------------- where things come to lie

Lay = Callable[[Scene, Sequence[Place], np.random.Generator], Effect | None]
Pieces = Callable[[np.random.Generator], Piece]
TRIES = 40


def target(places: Sequence[Place], rng: np.random.Generator) -> Array:
    """A point near a place; four of ten beside the grid, whose few places count as much."""
    cells = [place for place in places if place.name.startswith("cell")]
    others = [place for place in places if not place.name.startswith("cell")]
    chosen = choice(rng, cells if rng.random() < 0.6 or not others else others)
    return np.asarray(np.array(chosen.centre) + rng.normal(0, 0.4, 2) * chosen.width)


def outward(page: Box, at: Array, rng: np.random.Generator) -> float:
    """The direction to a side of the page, mostly a near one."""
    far = np.array([page.right - at[0], page.bottom - at[1], at[0] - page.left, at[1] - page.top])
    weight = np.exp(-np.maximum(far, 0) / 28)
    return float(rng.choice(4, p=weight / weight.sum()) * np.pi / 2)


def laid_over(
    of: Pieces, scene: Scene, places: Sequence[Place], rng: np.random.Generator
) -> Effect | None:
    """A piece over some of the places, though not over too many."""
    centres = np.array([place.centre for place in places], np.float32)
    for _ in range(TRIES):
        piece, at = of(rng), target(places, rng)
        if piece.arm:
            angle = outward(scene.page, at, rng) + rng.normal(0, 0.3)
            part = np.array([rng.uniform(4, 14), 0])  # the tip reaches beyond the point
        else:
            angle, reach = rng.uniform(0, 2 * np.pi), np.reshape(piece.reach, (2, 2))
            part = 0.35 * rng.uniform(*reach)
            if reach[1].min() > 30 and reach[1].max() < 80:  # large ones lie half beside the sheet
                way = outward(scene.page, at, rng)
                at = at + 30 * np.array([np.cos(way), np.sin(way)])
        centre = at - np.array([[np.cos(angle), -np.sin(angle)],
                                [np.sin(angle), np.cos(angle)]]) @ part  # fmt: skip
        hidden = (piece.thing(*turned(centres, centre, angle)).alpha > HIDDEN).mean()
        if 0 < hidden < MAX_HIDDEN:
            return laid(scene, piece, centre, angle, rng)
    return None


def over_places(
    effect: Callable[[Scene, Array, np.random.Generator], Effect], radius: float,
    scene: Scene, places: Sequence[Place], rng: np.random.Generator,
) -> Effect:  # fmt: skip
    """Something without a body, over any place; it reaches ``radius`` mm."""
    centre = target(places, rng)
    part = window(scene, centre, radius)
    image, alpha = scene.image.copy(), np.zeros(scene.image.shape[:2], np.float32)
    image[part], alpha[part] = effect(cropped(scene, part), centre, rng)
    return image, alpha


def beside(scene: Scene, _: Sequence[Place], rng: np.random.Generator) -> Effect | None:
    """A thing on the margin or the table, over no place, not even a part of one."""
    marked, height, width = scene.marked.grown(0.4 * scene.cell_mm), *scene.points.shape[:2]
    kinds = (surfaces.coin, surfaces.die, surfaces.token, surfaces.pen, surfaces.thumb,
             surfaces.fingers, surfaces.note, surfaces.strand)  # fmt: skip
    of, seen = choice(rng, kinds), scene.points[::8, ::8]
    for _ in range(4 * TRIES):
        piece, at = of(rng), scene.points[int(rng.integers(height)), int(rng.integers(width))]
        angle = (outward(scene.page, at, rng) + rng.normal(0, 0.25) if piece.arm
                 else rng.uniform(0, 2 * np.pi))  # fmt: skip
        under = piece.thing(*turned(seen, at, angle)).alpha > 0.01
        if not (under & on(marked, seen)).any():
            image, alpha = laid(scene, piece, at, angle, rng)
            if not (alpha[on(marked, scene.points)] > 0.05).any() and (alpha > 0.5).sum() > 300:
                return image, np.zeros_like(alpha)
    return None


def crumbs(scene: Scene, places: Sequence[Place], rng: np.random.Generator) -> Effect:
    """Some crumbs, each smaller than the ink of a mark, none in the middle of a place."""
    page, image = scene.page, scene.image
    centres = np.array([place.centre for place in places])
    for _ in range(int(rng.integers(3, 10))):
        for _ in range(TRIES):
            at = rng.uniform((page.left, page.top), (page.right, page.bottom))
            if np.abs(centres - at).max(axis=1).min() > 0.33 * scene.cell_mm:
                break
        image, _ = laid(replace(scene, image=image), surfaces.crumb(rng), at, 0.0, rng)
    return image, np.zeros(scene.points.shape[:2], np.float32)


def sheet_over(
    of_sheet: Callable[[np.random.Generator], tuple[Array, Box]],
    scene: Scene, places: Sequence[Place], rng: np.random.Generator,
) -> Effect | None:  # fmt: skip
    """Another sheet of the game over a side of this one; most of it is out of the picture."""
    picture, page = of_sheet(rng)
    size = (page.width * scene.cell_mm, page.height * scene.cell_mm)
    piece = surfaces.paper_thing(picture, size, rng, rng.uniform(0.3, 6))
    centres = np.array([place.centre for place in places], np.float32)
    seen = scene.points[::12, ::12]
    for _ in range(TRIES):
        way, angle = (rng.choice(4) * np.pi / 2 + rng.normal(0, 0.22) for _ in range(2))
        far = rng.uniform(0.55, 0.95) * (scene.page.width + scene.page.height) / 2
        centre = scene.page.middle + far * np.array([np.cos(way), np.sin(way)])
        hidden, in_sight = (piece.thing(*turned(at, centre, angle)).alpha for at in (centres, seen))
        shown = 144 * in_sight.sum() / scene.scale**2 / (size[0] * size[1])
        if 0 < (hidden > HIDDEN).mean() < 0.3 and shown < 0.6:
            return laid(scene, piece, centre, angle, rng)
    return None


COVERING: dict[str, Lay] = {
    of.__name__: partial(laid_over, of)
    for of in (surfaces.thumb, surfaces.fingers, surfaces.hand, surfaces.pen, surfaces.die,
               surfaces.token, surfaces.coin, surfaces.note, surfaces.card, surfaces.cup,
               surfaces.glass, surfaces.strand)
} | {
    "gleam": partial(over_places, partial(gleam, hard=True), 150),
    "folded corner": folded,
    "black patch": partial(laid_over, surfaces.patch),
}  # fmt: skip
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
        near, whole = (
            cv2.remap(alpha.astype(np.float32), *np.float32(at).T[:, None], cv2.INTER_LINEAR,
                      borderMode=cv2.BORDER_CONSTANT, borderValue=1)[0]
            for at in (scene.to_photo(np.array(place.centre) + disc * radius * place.width)
                       for radius in (0.25, 0.5))
        )  # fmt: skip
        if near.mean() > HIDDEN and near[0] > HIDDEN:
            hidden.append(place.name)
        if whole.max() > 0.15:
            touched.append(place.name)
    return tuple(hidden), tuple(touched)


def covered_photo(
    scene: Scene, layout: Layout, lay: Lay, hides: bool, rng: np.random.Generator
) -> Laid | None:
    """The photo with something on it; None where nothing of that kind would lie there.

    ``hides``: whether it must hide the middle of a place; else it must touch none.
    """
    places = places_of(layout, scene.cell_mm)
    for _ in range(3):
        if (found := lay(scene, places, rng)) is None:
            continue
        image, alpha = found
        hidden, touched = hidden_places(scene, places, alpha)
        if 0 < len(hidden) < MAX_HIDDEN * len(places) if hides else not touched:
            return Laid(np.clip(image, 0, 255).astype(np.uint8), alpha, hidden, touched)
    return None
