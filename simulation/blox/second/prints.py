"""What is printed: the board, the faces of chips and cards. Pictures as in `textures`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import product

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.layout import Box
from brikks_vision.rules.blox.position import FIELDS, SIDE, Board
from simulation.blox.looks import BoardArt, font_with_figures
from simulation.blox.second.style import ChipPrint, Print, Squares
from simulation.blox.second.textures import Floats, Rgb, as_image, clouds, wood
from simulation.paper.canvas import Image
from simulation.paper.chances import pick
from simulation.paper.fonts import Font, text_mask

FIELD_PIXELS = 112
CHIP_PIXELS = 128
_SIZE = SIDE * FIELD_PIXELS
_SHAPE = (_SIZE, _SIZE)


@dataclass(frozen=True, eq=False)
class _Fields:
    """All fields, px by px, each (rows, columns, 1) but `colors`.

    x, y: from the middle of the field, in fields. within: how far inside the field, in fields.
    is_light, is_white, is_black: of the field. odd: every second field. fine, coarse: clouds.
    """

    colors: Floats
    x: Floats
    y: Floats
    within: Floats
    is_light: Floats
    is_white: Floats
    is_black: Floats
    odd: Floats
    fine: Floats
    coarse: Floats


Art = Callable[[np.random.Generator, _Fields], Floats]


def board_print(rng: np.random.Generator, board: Board, look: Print) -> BoardArt:
    """The whole board with its border, its first row at the top."""
    margin = round(look.border * FIELD_PIXELS)
    size = _SIZE + 2 * margin
    image = np.ones((size, size, 3), np.float32) * look.ground.astype(np.float32)
    _draw_border(rng, image, look, margin)
    inside = slice(margin, margin + _SIZE)
    fields = _fields(rng, board, look)
    drawn = np.clip(_ARTS[look.art](rng, fields), 0.01, 1)
    cover = np.clip(0.5 + fields.within * FIELD_PIXELS, 0, 1)
    image[inside, inside] += cover * (drawn - image[inside, inside])
    _draw_squares(image[inside, inside], board, look)
    if look.grid:
        color = look.line.tolist()
        for at in (margin + np.arange(SIDE + 1) * FIELD_PIXELS).tolist():
            cv2.line(image, (at, margin), (at, size - margin), color, look.grid)
            cv2.line(image, (margin, at), (size - margin, at), color, look.grid)
    if look.titles and look.border > 0.45:
        font = random_font(rng)
        for shown in (image, image[::-1, ::-1])[: look.titles]:
            stamp(shown[:margin], "B L O X", font, margin * 0.42, look.line)
    for fold in (image, image.transpose(1, 0, 2))[: look.folds]:
        away = np.abs(np.arange(size) - size / 2)
        light = 1 - 0.55 * np.exp(-((away / 1.7) ** 2)) - 0.06 * np.exp(-((away / 13) ** 2))
        fold *= light[:, None, None].astype(np.float32)
    shape = (size, size)
    uneven = clouds(rng, shape, FIELD_PIXELS * 4, 3) + clouds(rng, shape, 5, 2)
    image *= (1 + 0.012 * uneven)[..., None]
    if look.is_worn:
        spots = (clouds(rng, shape, 40, 5) > 2.4) & (clouds(rng, shape, 300, 2) > 0.3)
        image[spots] += 0.35 * (0.75 - image[spots])
    edge = look.border
    return BoardArt(as_image(image), Box(-edge, -edge, SIDE + edge, SIDE + edge))


def _fields(rng: np.random.Generator, board: Board, look: Print) -> _Fields:
    def spread(of_fields: Floats) -> Floats:
        rows = of_fields.reshape(SIDE, SIDE, -1).repeat(FIELD_PIXELS, 0)
        return rows.repeat(FIELD_PIXELS, 1)

    def are(*names: str) -> Floats:
        return spread(np.array([color in names for color in board.colors], np.float32))

    colors = np.array([look.colors[color] for color in board.colors], np.float32)
    colors *= 1 + look.shades * rng.standard_normal((len(FIELDS), 1), np.float32)
    off = ((np.arange(_SIZE) % FIELD_PIXELS + 0.5) / FIELD_PIXELS - 0.5).astype(np.float32)
    x, y = np.meshgrid(off, off)
    half = 0.5 - look.gap / 2 - look.rounding
    beyond = np.abs(np.stack([x, y])) - half
    corner = np.hypot(*np.maximum(beyond, 0)) + np.minimum(beyond.max(0), 0)
    checked = np.array([(row + column) % 2 for row, column in FIELDS], np.float32)
    return _Fields(
        colors=spread(colors), x=x[..., None], y=y[..., None],
        within=(look.rounding - corner)[..., None],
        is_light=are("white", "grey"), is_white=are("white"), is_black=are("black"),
        odd=spread(checked),
        fine=clouds(rng, _SHAPE, 5, 2)[..., None],
        coarse=clouds(rng, _SHAPE, FIELD_PIXELS / 2, 5)[..., None],
    )  # fmt: skip


def _flat(rng: np.random.Generator, fields: _Fields) -> Floats:
    return fields.colors


def _mottled(rng: np.random.Generator, fields: _Fields) -> Floats:
    return np.asarray(fields.colors * (1 + 0.09 * fields.coarse), np.float32)


def _marble(rng: np.random.Generator, fields: _Fields) -> Floats:
    veins = np.exp(-np.abs(clouds(rng, _SHAPE, FIELD_PIXELS * 0.8, 3)) * 6)[..., None]
    shaded = fields.colors * (1 + 0.05 * fields.coarse)
    return np.asarray(shaded + veins * (0.06 - 0.14 * fields.is_white), np.float32)


def _grain(rng: np.random.Generator, fields: _Fields) -> Floats:
    return fields.colors * (1 + 0.035 * fields.fine + 0.03 * fields.coarse)


def _linen(rng: np.random.Generator, fields: _Fields) -> Floats:
    threads = np.sin(np.arange(_SIZE, dtype=np.float32) * 2 * np.pi / 5) / 2
    weave = np.add.outer(threads, threads)[..., None]
    return fields.colors * (1 + 0.06 * weave + 0.02 * fields.fine)


def _gradient(rng: np.random.Generator, fields: _Fields) -> Floats:
    return fields.colors * (1 + pick(rng, -0.22, 0.22) * (fields.x + fields.y))


def _frame(rng: np.random.Generator, fields: _Fields) -> Floats:
    at, wide = rng.uniform(0.06, 0.14), rng.uniform(0.02, 0.04)
    share = np.clip(1 - np.abs(fields.within - at) / wide, 0, 1)
    line = np.where(fields.is_light > 0, fields.colors * 0.55, fields.colors * 0.6 + 0.22)
    return np.asarray(fields.colors + share * (line - fields.colors), np.float32)


def _inset(rng: np.random.Generator, fields: _Fields) -> Floats:
    inner = np.clip(0.5 + (fields.within - rng.uniform(0.06, 0.14)) * FIELD_PIXELS, 0, 1)
    rim = np.where(fields.is_black > 0, 1.35, 0.86)
    return np.asarray(fields.colors * (rim + inner * (1 - rim)), np.float32)


def _glow(rng: np.random.Generator, fields: _Fields) -> Floats:
    light = 1.12 - 0.5 * (fields.x**2 + fields.y**2)
    return np.asarray(fields.colors * light, np.float32)


def _bevel(rng: np.random.Generator, fields: _Fields) -> Floats:
    is_rim = (fields.within < 0.07).astype(np.float32)
    is_beside = np.abs(fields.x) > np.abs(fields.y)
    side = np.sign(np.where(is_beside, fields.x, fields.y)) * is_rim
    return np.asarray(fields.colors * (1 - 0.18 * side) + 0.03 * (side < 0), np.float32)


def _wood(rng: np.random.Generator, fields: _Fields) -> Floats:
    across = clouds(rng, _SHAPE, FIELD_PIXELS * 0.9, 4, (0.08, 1))[..., None]
    along = clouds(rng, _SHAPE, FIELD_PIXELS * 0.9, 4, (1, 0.08))[..., None]
    grain = np.where(fields.odd > 0, across, along)
    return np.asarray(fields.colors * (1 + 0.08 * grain), np.float32)


def _dots(rng: np.random.Generator, fields: _Fields) -> Floats:
    wave = np.cos(fields.x * 16 * np.pi) * np.cos(fields.y * 16 * np.pi)
    dots = np.clip(4 * wave - 1.7, 0, 1)
    return np.asarray(fields.colors * (1 + dots * (0.1 - 0.16 * fields.is_white)), np.float32)


_ARTS: dict[str, Art] = {
    "flat": _flat, "mottled": _mottled, "marble": _marble, "grain": _grain, "linen": _linen,
    "gradient": _gradient, "frame": _frame, "inset": _inset, "glow": _glow, "bevel": _bevel,
    "wood": _wood, "dots": _dots,
}  # fmt: skip


def _draw_border(rng: np.random.Generator, image: Floats, look: Print, margin: int) -> None:
    size, color = len(image), look.line.tolist()

    def frame(at: float, wide: int) -> None:
        first, last = int(margin * at), size - 1 - int(margin * at)
        cv2.rectangle(image, (first, first), (last, last), color, wide)

    if look.border_art == "mottled":
        image *= (1 + 0.08 * clouds(rng, (size, size), 60))[..., None]
    elif look.border_art == "shaded":
        image *= (1 + 0.25 * np.linspace(-1, 1, size, dtype=np.float32))[:, None, None]
    elif look.border_art == "wood":
        image[:] = wood(rng, size, look.ground, rng.uniform(25, 50), 0.18)
    elif look.border_art == "corners" and margin > 30:
        turns = np.linspace(0, 2 * np.pi, pick(rng, 4, 24), endpoint=False)
        rim = 0.28 * margin * np.stack([np.cos(turns), np.sin(turns)], 1)
        for middle in product((margin // 2, size - margin // 2), repeat=2):
            cv2.fillConvexPoly(image, np.rint(rim + middle).astype(np.int32), color, cv2.LINE_AA)
    elif look.border_art == "double":
        frame(0.3, 3)
        frame(0.62, 2)
    elif look.border_art == "line" and look.border > 0.15:
        frame(0.72, max(2, int(margin * 0.07)))
    elif look.border_art == "dots" and look.border > 0.25:
        beside, away = margin * 0.42, size - margin * 0.42
        for at in margin + (np.arange(-1, SIDE + 1) + 0.5) * FIELD_PIXELS:
            for x, y in ((at, beside), (away, at), (at, away), (beside, at)):
                dot = pick(rng, *look.colors.values()).tolist()
                cv2.circle(image, (int(x), int(y)), int(margin * 0.16), dot, -1)


def _square_places(look: Squares, count: int) -> list[tuple[float, float]]:
    """Middles of a field's squares, from the field's own corner, in fields."""
    step, near = look.size * look.step, look.margin + look.size / 2
    row = [(number - (count - 1) / 2) * step for number in range(count)]
    if look.where == "middle":
        return [(0.5 + off, 0.5) for off in row]
    if look.where == "low":
        return [(0.5 + off, 1 - near) for off in row]
    if look.where == "corner":
        return [(near + number * step, near) for number in range(count)]
    if look.where == "column":
        return [(1 - near, 0.5 + off) for off in row]
    low, high = (0.5 - 0.62 * step, 0.5 + 0.62 * step) if look.where == "dice" else (near, 1 - near)
    if look.where == "dice" and count < 4:
        three = [(0.5, low), (low, high), (high, high)]
        return ([], [(0.5, 0.5)], [(low, 0.5), (high, 0.5)], three)[count]
    return [(low, low), (high, high), (high, low), (low, high)][:count]


def _draw_squares(image: Floats, board: Board, look: Print) -> None:
    squares = look.squares
    for row, column in FIELDS:
        is_dark = board.color((row, column)) in ("purple", "black")
        own = (0.95, 0.93, 0.88) if is_dark else (0.1, 0.09, 0.1)
        ink = own if squares.color is None else squares.color.tolist()
        for place in _square_places(squares, board.squares_on((row, column))):
            middle = np.add(place, (column, row))
            if squares.rim is not None:
                _draw_square(image, middle, squares.size + 0.044, squares.rim.tolist())
            _draw_square(image, middle, squares.size, ink)


def random_font(rng: np.random.Generator) -> Font:
    """A font that has figures, not in coarse pixels: chips are too small for those."""
    return replace(font_with_figures(rng), rows=0)


def stamp(image: Floats, text: str, font: Font, height: float, ink: Rgb) -> None:
    """Writes in the middle of the image, as high as told, or narrowed to fit."""
    mask = text_mask(text, font, height)
    most = int(image.shape[1] * 0.62)
    if mask.shape[1] > most:
        mask = np.asarray(cv2.resize(mask, (most, len(mask))), np.uint8)
    top, left = (image.shape[0] - len(mask)) // 2, (image.shape[1] - mask.shape[1]) // 2
    part = image[top : top + len(mask), left : left + mask.shape[1]]
    part += mask[..., None] / 255 * (ink - part)


def _draw_square(
    image: Floats, middle: NDArray[np.float64], size: float, color: tuple[float, ...]
) -> None:
    ends = np.rint(np.stack([middle - size / 2, middle + size / 2]) * FIELD_PIXELS).astype(int)
    first, last = ends.tolist()
    cv2.rectangle(image, first, last, color, -1)


def chip_faces(rng: np.random.Generator, look: ChipPrint, font: Font) -> dict[int, Image]:
    return {value: _chip_face(rng, value, look, font) for value in look.grounds}


def _chip_face(rng: np.random.Generator, value: int, look: ChipPrint, font: Font) -> Image:
    size, ink = CHIP_PIXELS, look.ink.tolist()
    face = np.ones((size, size, 3), np.float32) * look.grounds[value].astype(np.float32)
    middle = (size // 2, size // 2)
    if look.ring == "frame":
        low, high = round(size * 0.1), round(size * 0.9)
        cv2.rectangle(face, (low, low), (high, high), ink, 5)
    elif look.ring:
        radius, wide = (0.43, 0.1) if look.ring == "thick" else (0.4, 0.035)
        cv2.circle(face, middle, round(size * radius), ink, round(size * wide))
    stamp(face, str(value), font, size * look.letters, look.ink)
    return as_image(face * (1 + 0.02 * clouds(rng, (size, size), 20)[..., None]))


def cards(colors: Mapping[str, Rgb], font: Font) -> tuple[Image, ...]:
    """The fronts of all kinds of cards, and a back."""
    return tuple(as_image(_card(kind, colors, font)) for kind in (*colors, "joker", "back"))


def _card(kind: str, colors: Mapping[str, Rgb], font: Font) -> Floats:
    height, width = 300, 200
    image = np.full((height, width, 3), (0.93, 0.92, 0.89), np.float32)
    if kind == "joker":
        for (row, column), color in zip(product(range(2), repeat=2), colors.values(), strict=True):
            first = (14 + 86 * column, 14 + 136 * row)
            last = (first[0] + 86, first[1] + 136)
            cv2.rectangle(image, first, last, color.tolist(), -1)
        return image
    ground = colors["purple" if kind == "back" else kind].tolist()
    cv2.rectangle(image, (12, 12), (width - 12, height - 12), ground, -1)
    if kind == "back":
        stamp(image, "BLOX", font, 34, colors["white"])
    else:
        cv2.rectangle(image, (70, 120), (130, 180), (0.78, 0.71, 0.47), 5)
    return image
