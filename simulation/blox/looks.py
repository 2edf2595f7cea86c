"""How a set looks: colours, blocks, pawns and chips, and the art of its board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import cv2
import numpy as np
import numpy.typing as npt

from brikks_vision.layout import Box
from brikks_vision.rules.blox.material import FIELDS_BY_SQUARES
from brikks_vision.rules.blox.material import Color as Name
from brikks_vision.rules.blox.position import FIELDS, SIDE, Board
from simulation.blox import meshes
from simulation.paper.canvas import Canvas, Image, blend_mask, rounded
from simulation.paper.chances import chance, pick
from simulation.paper.colors import BLACK, WHITE, Color, any_color, contrasting, hsv, mixed, varied
from simulation.paper.fonts import Font, random_font, random_word, text_mask
from simulation.paper.surfaces import add_grain, gradient, smooth_noise

ROUND = 40  # sides of what counts as round
PIXELS_PER_FIELD = 64
CHIP_PIXELS = 96

# Hue in degrees, saturation and value of each colour, from and to.
_RANGES: Mapping[str, tuple[tuple[float, float], ...]] = {
    "white": ((20, 70), (0.0, 0.13), (0.84, 1.0)),
    "grey": ((0, 360), (0.0, 0.1), (0.42, 0.68)),
    "purple": ((255, 318), (0.3, 0.85), (0.28, 0.7)),
    "black": ((0, 360), (0.0, 0.35), (0.03, 0.17)),
    "blue": ((195, 242), (0.55, 1.0), (0.3, 1.0)),
    "brown": ((12, 36), (0.35, 0.85), (0.18, 0.75)),
    "green": ((80, 165), (0.45, 1.0), (0.22, 0.9)),
    "red": ((-15, 11), (0.68, 1.0), (0.4, 1.0)),
}


def color_of(name: str, rng: np.random.Generator) -> Color:
    """A BGR colour that people call by that name."""
    hue, saturation, value = (float(rng.uniform(*span)) for span in _RANGES[name])
    return hsv(hue, saturation, value)


def colors_of(names: tuple[str, ...], rng: np.random.Generator) -> Mapping[str, Color]:
    return {name: color_of(name, rng) for name in names}


@dataclass(frozen=True)
class Chips:
    """The chips: ``size`` is the diameter, or the side of square ones, in fields."""

    size: float
    thickness: float
    is_round: bool
    faces: Mapping[int, Image]
    rim: Color


@dataclass(frozen=True)
class Look:
    """The appearance of one set; lengths are in fields.

    block_width, block_height, block_sides: of one block. bevel: of its edges. wood: whether blocks
    and pawns are wooden; else they are of plastic. roughness: of plastic, 0 for a mirror.
    pawn_profile: as in `meshes.PAWN_PROFILES`. pawn_body: share of a pawn's height up to which it
    has the colour of all bodies instead of its own. pawn_thick: of flat figures; 0 for others,
    which have so many sides. pawn_legs: up to which share of their height figures have a gap.
    pawn_lying: how many of the figures lie. pawn_opacity: 1 for what nothing shines through.
    jitter: by how much things stand beside the middle of a field.
    """

    block_colors: Mapping[str, Color]
    pawn_colors: Mapping[str, Color]
    block_width: float
    block_height: float
    bevel: float
    wood: bool
    roughness: float
    pawn_profile: meshes.Profile
    pawn_width: float
    pawn_height: float
    pawn_base: float
    base_color: Color
    base_opacity: float
    pawn_body: float
    body_color: Color
    body_opacity: float
    chips: Chips
    jitter: float
    turn: float
    pawn_thick: float = 0.0
    pawn_legs: float = 0.0
    pawn_lying: float = 0.15
    pawn_sides: int = ROUND
    pawn_opacity: float = 1.0
    block_sides: int = 4


def random_look(rng: np.random.Generator) -> Look:
    """Most sets have pawns that were turned on a lathe, some discs, cubes or flat figures."""
    look = _turned_look(rng)
    if chance(rng, 0.1):
        look = replace(look, block_sides=pick(rng, ROUND, ROUND, 6, 8))
    if chance(rng, 0.06):
        look = replace(look, pawn_opacity=float(rng.uniform(0.55, 0.9)), wood=False)
    kind = rng.random()
    if kind < 0.22:
        width = float(rng.uniform(0.4, 0.8))
        return replace(
            look,
            pawn_profile=pick(rng, *meshes.DISC_PROFILES),
            pawn_width=width,
            pawn_height=float(rng.uniform(0.18, 1.1)) * width,
            pawn_base=look.pawn_base if chance(rng, 0.2) else 0.0,
            pawn_body=look.pawn_body if chance(rng, 0.5) else 0.0,
            pawn_sides=pick(rng, ROUND, ROUND, 4, 6, 8),
        )
    if kind < 0.55:
        width = float(rng.uniform(0.4, 0.75))
        return replace(
            look,
            pawn_profile=meshes.random_figure(rng)
            if chance(rng, 0.7)
            else pick(rng, *meshes.FIGURE_PROFILES),
            pawn_width=width,
            pawn_height=float(rng.uniform(0.9, 1.5)) * width,
            pawn_base=0.0,
            pawn_body=0.0,
            pawn_thick=float(rng.uniform(0.2, 0.65)) * width,
            pawn_legs=float(rng.uniform(0.15, 0.4)) if chance(rng, 0.5) else 0.0,
            pawn_lying=pick(rng, 0.0, 0.1, 0.3, 0.9),
        )
    return look


def _turned_look(rng: np.random.Generator) -> Look:
    width = float(rng.uniform(0.58, 0.93))
    pawn_width = float(rng.uniform(0.34, 0.62))
    has_body, is_clear = chance(rng, 0.4), chance(rng, 0.5)
    body = color_of(pick(rng, "white", "white", "grey", "black", "brown"), rng)
    return Look(
        block_colors=colors_of(("white", "grey", "purple", "black"), rng),
        pawn_colors=colors_of(("blue", "brown", "green", "red"), rng),
        block_width=width,
        block_height=float(rng.uniform(0.28, 0.95)) * width,
        bevel=float(rng.uniform(0.01, 0.06)),
        wood=chance(rng, 0.5),
        roughness=float(rng.uniform(0.08, 0.4)),
        pawn_profile=meshes.random_profile(rng)
        if chance(rng, 0.5)
        else pick(rng, *meshes.PAWN_PROFILES.values()),
        pawn_width=pawn_width,
        pawn_height=float(rng.uniform(1.2, 2.6)) * pawn_width,
        pawn_base=float(rng.uniform(0.5, 0.85)) if chance(rng, 0.7) else 0.0,
        base_color=any_color(rng, (0.0, 0.2), (0.7, 1.0)),
        base_opacity=float(rng.uniform(0.08, 0.4)),
        pawn_body=float(rng.uniform(0.35, 0.75)) if has_body else 0.0,
        body_color=any_color(rng, (0.0, 0.2), (0.7, 1.0)) if is_clear else body,
        body_opacity=float(rng.uniform(0.1, 0.5)) if is_clear else 1.0,
        chips=_random_chips(rng, width),
        jitter=float(rng.uniform(0.0, 0.05)),
        turn=float(rng.uniform(0.0, 6.0)),
    )


def _random_chips(rng: np.random.Generator, block_width: float) -> Chips:
    ground = any_color(rng, (0.0, 0.9), (0.15, 1.0))
    if chance(rng, 0.3):
        ground = WHITE
    return Chips(
        size=float(rng.uniform(0.5, 0.95)) * block_width,
        thickness=float(rng.uniform(0.03, 0.1)),
        is_round=chance(rng, 0.7),
        faces=_chip_faces(rng, ground),
        rim=mixed(ground, any_color(rng), 0.3),
    )


def _chip_faces(rng: np.random.Generator, ground: Color) -> Mapping[int, Image]:
    font, of_each = font_with_figures(rng), chance(rng, 0.4)
    ring, height = chance(rng, 0.5), float(rng.uniform(0.4, 0.62))
    faces: dict[int, Image] = {}
    ink = contrasting(rng, ground, 70)
    for value in (1, 2, 3, 4, 10):
        if of_each:
            ground = varied(rng, ground, 90, 0.15)
            ink = contrasting(rng, ground, 70)
        image = np.full((CHIP_PIXELS, CHIP_PIXELS, 3), ground, np.uint8)
        if ring:
            cv2.circle(
                image, (CHIP_PIXELS // 2,) * 2, int(0.43 * CHIP_PIXELS), mixed(ground, ink, 0.7), 3,
                cv2.LINE_AA,
            )  # fmt: skip
        mask = text_mask(str(value), font, height * CHIP_PIXELS)
        most = 0.7 * CHIP_PIXELS
        if mask.shape[1] > most:
            mask = np.asarray(cv2.resize(mask, (int(most), mask.shape[0])), np.uint8)
        _stamp(image, mask, ink)
        faces[value] = image
    return faces


def font_with_figures(rng: np.random.Generator) -> Font:
    """A font that shows figures; some show a box for each sign that they lack."""
    while True:
        font = random_font(rng)
        one, two = (text_mask(figure, font, 40) for figure in ("3", "4"))
        if one.shape != two.shape or np.abs(one.astype(int) - two).mean() > 8:
            return font


def _stamp(image: Image, mask: Image, color: Color) -> None:
    height, width = mask.shape
    blend_mask(image, mask, (image.shape[1] - width) // 2, (image.shape[0] - height) // 2, color)


@dataclass(frozen=True)
class BoardArt:
    """A printed board: its picture, uint8 BGR, and the margins around its fields, in fields."""

    image: Image
    area: Box


def random_board(rng: np.random.Generator) -> Board:
    """A board with random colours, 21 fields of them black, and the published counts of squares."""
    colors = [Name.BLACK] * 21 + [Name.WHITE, Name.GREY, Name.PURPLE] * 20
    order = rng.permutation(len(FIELDS))
    shuffled = tuple(colors[place] for place in order)
    heights = np.repeat(np.arange(len(FIELDS_BY_SQUARES))[1:], FIELDS_BY_SQUARES[1:])
    squares = [0] * len(FIELDS)
    for place, height in zip(rng.permutation(len(FIELDS)), heights, strict=False):
        squares[int(place)] = int(height)
    return Board(shuffled, tuple(squares))


def draw_board(board: Board, rng: np.random.Generator) -> BoardArt:
    """The board as one of many printers could have drawn it."""
    margins = [float(rng.uniform(0.12, 1.5))] * 4
    if chance(rng, 0.3):
        margins = [float(rng.uniform(0.1, 1.8)) for _ in range(4)]
    left, top, right, bottom = margins
    area = Box(-left, -top, SIDE + right, SIDE + bottom)
    scale = PIXELS_PER_FIELD
    height, width = round(area.height * scale), round(area.width * scale)
    image = _ground(rng, height, width)
    canvas = Canvas(image, (left * scale - 0.5, top * scale - 0.5), scale)
    _draw_margin(canvas, rng, area)
    colors = colors_of(("white", "grey", "purple", "black"), rng)
    _draw_fields(canvas, board, colors, rng)
    if chance(rng, 0.4):
        _marble(canvas, rng)
    _draw_squares(canvas, board, colors, rng)
    if chance(rng, 0.3):
        _draw_folds(canvas, rng, area)
    if chance(rng, 0.2):
        _draw_stains(canvas, rng)
    if chance(rng, 0.6):
        add_grain(rng, image, float(rng.uniform(1, 7)))
    return BoardArt(image, area)


def _ground(rng: np.random.Generator, height: int, width: int) -> Image:
    base = any_color(rng, (0.0, 0.8), (0.05, 1.0))
    if chance(rng, 0.4):
        base = pick(rng, BLACK, WHITE, (90, 90, 90), color_of("purple", rng))
    return gradient(rng, height, width, (base, varied(rng, base, 25, 0.15)))


def _draw_margin(canvas: Canvas, rng: np.random.Generator, area: Box) -> None:
    """Words, rings and frames around the fields."""
    for _ in range(int(rng.integers(0, 14))):
        x = float(rng.uniform(area.left, area.right))
        y = float(rng.uniform(area.top, area.bottom))
        color = any_color(rng)
        if chance(rng, 0.5):
            canvas.disc((x, y), float(rng.uniform(0.05, 0.5)), color)
        else:
            word = random_word(rng, int(rng.integers(2, 8)))
            mask = text_mask(word, random_font(rng), float(rng.uniform(0.2, 0.9)) * canvas.scale)
            left, top = canvas.pixel((x, y))
            blend_mask(canvas.image, mask, int(left), int(top), color)
    if chance(rng, 0.5):
        grown = float(rng.uniform(0.02, 0.25))
        frame = Box(-grown, -grown, SIDE + grown, SIDE + grown)
        canvas.fill(np.array(frame.corners), any_color(rng, (0.0, 0.5)))


def _draw_fields(
    canvas: Canvas, board: Board, colors: Mapping[str, Color], rng: np.random.Generator
) -> None:
    gap = float(rng.uniform(0.0, pick(rng, 0.04, 0.1))) if chance(rng, 0.6) else 0.0
    radius = float(rng.uniform(0.0, 0.25)) if chance(rng, 0.35) else 0.0
    line = any_color(rng, (0.0, 0.3)) if chance(rng, 0.5) else pick(rng, BLACK, WHITE)
    if gap or radius:
        canvas.fill(np.array(Box(-gap, -gap, SIDE + gap, SIDE + gap).corners), line)
    spread = float(rng.uniform(0, 0.03))
    ornament = pick(rng, "", "", "", "inner", "disc", "bevel")
    for row, column in FIELDS:
        color = varied(rng, colors[board.color((row, column))], 3, spread)
        box = Box(column + gap, row + gap, column + 1 - gap, row + 1 - gap)
        canvas.fill(rounded(box, radius) if radius else np.array(box.corners), color)
        other = mixed(color, WHITE if sum(color) < 380 else BLACK, 0.14)
        inset = Box(box.left + 0.12, box.top + 0.12, box.right - 0.12, box.bottom - 0.12)
        if ornament == "inner":
            canvas.fill(np.array(inset.corners), other)
        elif ornament == "disc":
            canvas.disc((column + 0.5, row + 0.5), 0.33, other)
        elif ornament == "bevel":
            canvas.outline(np.array(inset.corners), other, 0.04)


def _marble(canvas: Canvas, rng: np.random.Generator) -> None:
    """Clouds all over the fields, as printed stone or worn cardboard has."""
    (left, top), (right, bottom) = canvas.pixel((0, 0)), canvas.pixel((SIDE, SIDE))
    part = canvas.image[int(top) : int(bottom), int(left) : int(right)]
    height, width = part.shape[:2]
    clouds = np.zeros((height, width), np.float32)
    for cells, weight in ((SIDE * 2, 1.0), (SIDE * 5, 0.7), (SIDE * 12, 0.4)):
        clouds += np.float32(weight) * smooth_noise(rng, (height, width), (cells, cells))
    strength = float(rng.uniform(0.01, 0.08))
    shaded = part * (1 + strength * clouds[..., None]) + 60 * strength * clouds[..., None]
    part[:] = np.clip(shaded, 0, 255).astype(np.uint8)


def _draw_folds(canvas: Canvas, rng: np.random.Generator, area: Box) -> None:
    """The lines along which a board is folded."""
    width, color = float(rng.uniform(0.015, 0.05)), any_color(rng, (0.0, 0.4))
    x, y = SIDE / 2 + rng.uniform(-0.5, 0.5), SIDE / 2 + rng.uniform(-0.5, 0.5)
    canvas.fill(np.array(Box(x, area.top, x + width, area.bottom).corners), color)
    if chance(rng, 0.5):
        canvas.fill(np.array(Box(area.left, y, area.right, y + width).corners), color)


def _draw_stains(canvas: Canvas, rng: np.random.Generator) -> None:
    """Rings of glasses and other dirt."""
    for _ in range(int(rng.integers(1, 6))):
        x, y = canvas.pixel(rng.uniform(0, SIDE, 2))
        reach = int(rng.uniform(0.1, 0.6) * canvas.scale)
        spot = canvas.image.copy()
        thick = -1 if chance(rng, 0.4) else int(rng.integers(1, 4))
        cv2.circle(spot, (int(x), int(y)), reach, any_color(rng, (0.0, 0.5)), thick, cv2.LINE_AA)
        share = float(rng.uniform(0.15, 0.6))
        canvas.image[:] = cv2.addWeighted(spot, share, canvas.image, 1 - share, 0)


def _draw_squares(
    canvas: Canvas, board: Board, colors: Mapping[str, Color], rng: np.random.Generator
) -> None:
    side, step = float(rng.uniform(0.1, 0.17)), float(rng.uniform(0.2, 0.26))
    style = pick(rng, "corner row", "middle row", "quad", "corners")
    hollow = chance(rng, 0.3)
    bright = any_color(rng, (0.0, 0.9), (0.75, 1.0))
    dark = any_color(rng, (0.0, 0.9), (0.0, 0.3))
    if chance(rng, 0.3):
        bright = dark = any_color(rng, (0.6, 1.0), (0.6, 1.0))
    for field in FIELDS:
        count = board.squares_on(field)
        ground = colors[board.color(field)]
        ink = dark if sum(ground) > 330 else bright
        for place in range(count):
            if style == "quad":
                x, y = 0.5 + (place % 2 - 0.5) * step * 1.3, 0.5 + (place // 2 - 0.5) * step * 1.3
            elif style == "corners":
                x, y = (0.14 + 0.72 * (place in (1, 3)), 0.14 + 0.72 * (place in (2, 3)))
            elif style == "middle row":
                x, y = 0.5 + (place - (count - 1) / 2) * step, 0.5
            else:
                x, y = 0.16 + place * step, 0.16
            x, y = field[1] + x, field[0] + y
            box = Box(x - side / 2, y - side / 2, x + side / 2, y + side / 2)
            if hollow:
                canvas.outline(np.array(box.corners), ink, 0.03)
            else:
                canvas.fill(np.array(box.corners), ink)


def wood_grain(rng: np.random.Generator, color: Color, strength: float) -> Image:
    """Stained wood, uint8 BGR, for the sides of a block."""
    coarse, fine = (smooth_noise(rng, (64, 64), knots) for knots in ((3, 24), (6, 64)))
    grain = coarse + 0.6 * fine
    shade = 1 + strength * grain[..., None]
    pixels: npt.NDArray[np.float32] = (
        np.array(color, np.float32) * shade + 6 * strength * grain[..., None]
    )
    return np.clip(pixels, 0, 255).astype(np.uint8)
