"""Brushes shared by the renderers of printed sheets and tables.

Colours are BGR tuples of integers 0..255. A ``Canvas`` carries an image and the frame it is drawn
in: a point (x, y) of that frame (in cells) lies at pixel ``origin + (x, y) * scale``, where a
pixel's centre has integer coordinates, as in cv2.
"""

from __future__ import annotations

import math
import os
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from brikks_vision.layout import Box, Point

Image = npt.NDArray[np.uint8]
Color = tuple[int, int, int]
T = TypeVar("T")

BLACK: Color = (0, 0, 0)
WHITE: Color = (255, 255, 255)

_SHIFT = 4
_ONE = 1 << _SHIFT
_FONT_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/Library/Fonts",
    "/System/Library/Fonts/Supplemental",
    "C:/Windows/Fonts",
)
_NO_LETTERS = ("symbol", "emoji", "dingbat", "math", "icon", "awesome", "webding", "wingding")
_HERSHEY = (
    cv2.FONT_HERSHEY_SIMPLEX,
    cv2.FONT_HERSHEY_DUPLEX,
    cv2.FONT_HERSHEY_COMPLEX,
    cv2.FONT_HERSHEY_TRIPLEX,
    cv2.FONT_HERSHEY_PLAIN,
)
_GLYPH_HEIGHT = 48
_LETTERS = "ABCDEFGHIJKLMNOPRSTUVWXYZ"


# --- colours ---------------------------------------------------------------------------------


def hsv(hue: float, saturation: float, value: float) -> Color:
    """BGR of a hue in degrees (any; wraps), saturation and value 0..1 (clipped)."""
    sector = (hue % 360.0) / 60.0
    saturation, value = min(max(saturation, 0.0), 1.0), min(max(value, 0.0), 1.0)
    chroma = value * saturation
    second = chroma * (1 - abs(sector % 2 - 1))
    red, green, blue = (
        (chroma, second, 0.0),
        (second, chroma, 0.0),
        (0.0, chroma, second),
        (0.0, second, chroma),
        (second, 0.0, chroma),
        (chroma, 0.0, second),
    )[int(sector) % 6]
    base = value - chroma
    return (
        round(255 * (blue + base)),
        round(255 * (green + base)),
        round(255 * (red + base)),
    )


def from_hex(text: str) -> Color:
    """BGR of ``#rrggbb``."""
    return (int(text[5:7], 16), int(text[3:5], 16), int(text[1:3], 16))


def to_hsv(color: Color) -> tuple[float, float, float]:
    """Hue in degrees, saturation and value 0..1."""
    blue, green, red = (channel / 255 for channel in color)
    value, low = max(red, green, blue), min(red, green, blue)
    chroma = value - low
    if chroma == 0:
        return 0.0, 0.0, value
    if value == red:
        hue = (green - blue) / chroma
    elif value == green:
        hue = 2 + (blue - red) / chroma
    else:
        hue = 4 + (red - green) / chroma
    return (60 * hue) % 360, chroma / value, value


def luminance(color: Color) -> float:
    """0 (black) .. 255 (white)."""
    return 0.114 * color[0] + 0.587 * color[1] + 0.299 * color[2]


def mixed(first: Color, second: Color, share: float) -> Color:
    """``share`` (0..1) of the second colour over the first."""
    return (
        round(first[0] + (second[0] - first[0]) * share),
        round(first[1] + (second[1] - first[1]) * share),
        round(first[2] + (second[2] - first[2]) * share),
    )


def varied(rng: np.random.Generator, color: Color, hue: float, spread: float) -> Color:
    """The colour, its hue moved by up to ``hue`` degrees, saturation and value by ``spread``."""
    base_hue, saturation, value = to_hsv(color)
    return hsv(
        base_hue + rng.uniform(-hue, hue),
        saturation + (rng.uniform(-spread, spread) if saturation > 0.05 else 0.0),
        value + rng.uniform(-spread, spread),
    )


def any_color(
    rng: np.random.Generator,
    saturation: tuple[float, float] = (0.0, 1.0),
    value: tuple[float, float] = (0.0, 1.0),
) -> Color:
    """A colour of any hue."""
    return hsv(rng.uniform(0, 360), rng.uniform(*saturation), rng.uniform(*value))


def contrasting(
    rng: np.random.Generator, ground: Color, contrast: float, saturation: float = 1.0
) -> Color:
    """A random colour whose luminance differs from the ground's by at least ``contrast``."""
    for _ in range(8):
        color = any_color(rng, (0.0, saturation))
        if abs(luminance(color) - luminance(ground)) >= contrast:
            return color
    return BLACK if luminance(ground) > 127 else WHITE


def pick(rng: np.random.Generator, *choices: T) -> T:
    """One of the choices, all equally likely."""
    return choices[int(rng.integers(len(choices)))]


def chance(rng: np.random.Generator, probability: float) -> bool:
    """True with that probability."""
    return bool(rng.random() < probability)


# --- letters ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class Font:
    """A way to write: a TrueType file, or where ``path`` is empty a stroke font of cv2.

    ``weight``: thickness of the strokes (stroke fonts only); ``rows``: height in coarse pixels of
    a pixel font, 0 for smooth letters; ``stretch``: width factor; ``slant``: shear, 0 upright.
    """

    path: str
    hershey: int
    weight: int
    rows: int
    stretch: float
    slant: float


@lru_cache(maxsize=1)
def font_files() -> tuple[str, ...]:
    """TrueType files with Latin letters on this machine, sorted; empty where there are none."""
    found: list[str] = []
    for folder in _FONT_FOLDERS:
        for root, _, names in os.walk(Path(folder).expanduser()):
            found += [
                os.path.join(root, name)
                for name in names
                if name.lower().endswith((".ttf", ".otf"))
                and not any(word in name.lower() for word in _NO_LETTERS)
            ]
    return tuple(sorted(found)[:200])


def random_font(rng: np.random.Generator) -> Font:
    """A font of this machine, a stroke font, or either of them in coarse pixels."""
    files = font_files()
    # The same numbers are drawn on every machine, whatever fonts it has.
    drawn, wanted = int(rng.integers(1 << 30)), chance(rng, 0.65)
    path = files[drawn % len(files)] if files and wanted else ""
    return Font(
        path,
        pick(rng, *_HERSHEY),
        int(rng.integers(2, 7)),
        int(rng.integers(8, 13)) if chance(rng, 0.2) else 0,
        float(rng.uniform(0.8, 1.25)),
        float(rng.uniform(-0.1, 0.3)) if chance(rng, 0.25) else 0.0,
    )


def random_word(rng: np.random.Generator, letters: int) -> str:
    """A word of random capital letters."""
    return "".join(_LETTERS[int(i)] for i in rng.integers(len(_LETTERS), size=letters))


def _truetype_mask(path: str, text: str) -> Image | None:
    try:
        from PIL import Image as Pictures
        from PIL import ImageDraw, ImageFont

        font = ImageFont.truetype(path, _GLYPH_HEIGHT)
        left, top, right, bottom = font.getbbox(text)
        picture = Pictures.new("L", (int(right - left) + 4, int(bottom - top) + 4), 0)
        ImageDraw.Draw(picture).text((2 - left, 2 - top), text, fill=255, font=font)
        return np.asarray(picture).copy()
    except (ImportError, OSError, ValueError):
        return None


def _stroke_mask(hershey: int, weight: int, text: str) -> Image:
    text = text.replace("×", "x").encode("ascii", "replace").decode()
    size = 2.0
    (width, height), base = cv2.getTextSize(text, hershey, size, weight)
    mask = np.zeros((height + base + 4 * weight, width + 4 * weight), np.uint8)
    cv2.putText(
        mask, text, (2 * weight, height + weight), hershey, size, (255,), weight, cv2.LINE_AA
    )
    return mask


@lru_cache(maxsize=4096)
def _glyphs(path: str, hershey: int, weight: int, rows: int, text: str) -> Image:
    """Coverage 0..255 of a text, cut to its ink; read-only."""
    mask = _truetype_mask(path, text) if path else None
    if mask is None or not mask.any():
        mask = _stroke_mask(hershey, weight, text)
    inked = cv2.boundingRect(mask)
    if inked[2] == 0:
        return np.zeros((2, 2), np.uint8)
    mask = mask[inked[1] : inked[1] + inked[3], inked[0] : inked[0] + inked[2]]
    if rows:
        columns = max(1, round(mask.shape[1] * rows / mask.shape[0]))
        coarse = cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_AREA)
        coarse = np.where(coarse > 100, 255, 0).astype(np.uint8)
        mask = np.asarray(coarse.repeat(4, 0).repeat(4, 1), np.uint8)
    mask = np.ascontiguousarray(mask, np.uint8)
    mask.setflags(write=False)
    return mask


def text_mask(text: str, font: Font, height: float) -> Image:
    """Coverage 0..255 of a text whose ink is ``height`` px high."""
    mask = _glyphs(font.path, font.hershey, font.weight, font.rows, text)
    rows = max(3, round(height))
    columns = max(1, round(mask.shape[1] / mask.shape[0] * rows * font.stretch))
    method = cv2.INTER_AREA if rows < mask.shape[0] else cv2.INTER_LINEAR
    mask = np.asarray(cv2.resize(mask, (columns, rows), interpolation=method), np.uint8)
    if font.slant:
        lean = abs(font.slant) * rows
        shift = lean if font.slant > 0 else 0.0
        shear = np.array([[1, -font.slant, shift], [0, 1, 0]], np.float32)
        sheared = cv2.warpAffine(mask, shear, (columns + int(lean) + 1, rows))
        return np.asarray(sheared, np.uint8)
    return mask


def blend_mask(image: Image, mask: Image, left: int, top: int, color: Color) -> None:
    """Lay a colour on the image in place where the mask (0..255) says; cut at the image's edge."""
    height, width = mask.shape
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + width, image.shape[1]), min(top + height, image.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    part = mask[y0 - top : y1 - top, x0 - left : x1 - left, None].astype(np.int32)
    roi = image[y0:y1, x0:x1]
    ground = roi.astype(np.int32)
    roi[:] = ground + (np.array(color, np.int32) - ground) * part // 255


# --- the canvas ------------------------------------------------------------------------------


@dataclass(frozen=True)
class Canvas:
    """An image (uint8 BGR) and the frame that is drawn in; lengths are in cells."""

    image: Image
    origin: tuple[float, float]
    scale: float

    def moved(self, x: float, y: float) -> Canvas:
        """The same image with everything drawn (x, y) cells further right and down."""
        return replace(
            self, origin=(self.origin[0] + x * self.scale, self.origin[1] + y * self.scale)
        )

    def pixel(self, point: Point) -> tuple[float, float]:
        """Where a point of the frame lies in the image, in px."""
        return (
            self.origin[0] + point[0] * self.scale,
            self.origin[1] + point[1] * self.scale,
        )

    def thickness(self, width: float) -> int:
        """A line's width in whole px, at least 1."""
        return max(1, round(width * self.scale))

    def _fixed(self, points: npt.ArrayLike) -> npt.NDArray[np.int32]:
        pixels = np.asarray(points, np.float64) * self.scale + self.origin
        return np.rint(pixels * _ONE).astype(np.int32)

    def fill(self, points: npt.ArrayLike, color: Color) -> None:
        """Fill a polygon of points (n, 2)."""
        cv2.fillPoly(self.image, [self._fixed(points)], color, cv2.LINE_AA, _SHIFT)

    def outline(self, points: npt.ArrayLike, color: Color, width: float) -> None:
        """Draw a closed polygon of points (n, 2)."""
        cv2.polylines(
            self.image,
            [self._fixed(points)],
            True,
            color,
            self.thickness(width),
            cv2.LINE_AA,
            _SHIFT,
        )

    def path(self, points: npt.ArrayLike, color: Color, width: float) -> None:
        """Draw an open line through points (n, 2)."""
        cv2.polylines(
            self.image,
            [self._fixed(points)],
            False,
            color,
            self.thickness(width),
            cv2.LINE_AA,
            _SHIFT,
        )

    def stroke(self, start: Point, end: Point, color: Color, width: float) -> None:
        """A straight line with square ends, its width kept below a pixel."""
        x, y = end[0] - start[0], end[1] - start[1]
        length = math.hypot(x, y) or 1.0
        # cv2's anti-aliased fill covers about 1.4 px more than the polygon.
        half = max(width / 2 - 0.7 / self.scale, 0.05 / self.scale)
        x, y = -y / length * half, x / length * half
        self.fill(
            [
                (start[0] + x, start[1] + y),
                (end[0] + x, end[1] + y),
                (end[0] - x, end[1] - y),
                (start[0] - x, start[1] - y),
            ],
            color,
        )

    def disc(self, centre: Point, radius: float, color: Color) -> None:
        """A filled circle."""
        x, y = self._fixed([centre])[0]
        cv2.circle(
            self.image,
            (int(x), int(y)),
            round(radius * self.scale * _ONE),
            color,
            cv2.FILLED,
            cv2.LINE_AA,
            _SHIFT,
        )

    def ring(self, centre: Point, radius: float, color: Color, width: float) -> None:
        """A circle line whose middle has that radius."""
        x, y = self._fixed([centre])[0]
        cv2.circle(
            self.image,
            (int(x), int(y)),
            round(radius * self.scale * _ONE),
            color,
            self.thickness(width),
            cv2.LINE_AA,
            _SHIFT,
        )

    def box(self, box: Box, color: Color) -> None:
        """A filled rectangle."""
        self.fill(box.corners, color)

    def view(self, box: Box) -> Canvas | None:
        """The same frame cut to a box: nothing is drawn outside it; None where it is empty."""
        left, top = (max(0, math.ceil(value)) for value in self.pixel((box.left, box.top)))
        right, bottom = (math.floor(value) for value in self.pixel((box.right, box.bottom)))
        part = self.image[top : max(bottom, top), left : max(right, left)]
        if part.shape[0] < 2 or part.shape[1] < 2:
            return None
        return Canvas(part, (self.origin[0] - left, self.origin[1] - top), self.scale)

    def text(self, text: str, centre: Point, height: float, color: Color, font: Font) -> None:
        """A text around ``centre`` whose ink is ``height`` cells high."""
        mask = text_mask(text, font, height * self.scale)
        x, y = self.pixel(centre)
        blend_mask(
            self.image,
            mask,
            round(x - mask.shape[1] / 2),
            round(y - mask.shape[0] / 2),
            color,
        )

    def fitted_text(
        self, text: str, centre: Point, size: tuple[float, float], color: Color, font: Font
    ) -> None:
        """A text around ``centre`` as large as fits into ``size`` (width, height) in cells."""
        mask = _glyphs(font.path, font.hershey, font.weight, font.rows, text)
        wide = mask.shape[1] / mask.shape[0] * font.stretch + abs(font.slant)
        self.text(text, centre, min(size[1], size[0] / wide), color, font)

    def squeezed_text(
        self, text: str, centre: Point, size: tuple[float, float], color: Color, font: Font
    ) -> None:
        """A text of height ``size[1]``, its letters narrower where it is wider than ``size[0]``."""
        mask = _glyphs(font.path, font.hershey, font.weight, font.rows, text)
        narrowest = size[0] / size[1] * mask.shape[0] / mask.shape[1]
        slim = replace(font, stretch=min(font.stretch, narrowest), slant=0.0)
        self.text(text, centre, size[1], color, slim)


def rounded(box: Box, radius: float) -> npt.NDArray[np.float64]:
    """The outline of a box with rounded corners, points (n, 2) clockwise, in the box's unit."""
    radius = min(radius, box.width / 2, box.height / 2)
    if radius <= 0:
        return np.array(box.corners)
    turns = np.linspace(0, math.pi / 2, 9)
    arc = np.stack([np.cos(turns), np.sin(turns)], 1) * radius
    corners = (
        (box.right - radius, box.bottom - radius),
        (box.left + radius, box.bottom - radius),
        (box.left + radius, box.top + radius),
        (box.right - radius, box.top + radius),
    )
    turned = (
        arc,
        np.stack([-arc[:, 1], arc[:, 0]], 1),
        -arc,
        np.stack([arc[:, 1], -arc[:, 0]], 1),
    )
    return np.concatenate([part + corner for part, corner in zip(turned, corners, strict=True)])


def grown(box: Box, x: float, y: float) -> Box:
    """The box with every side moved outward."""
    return Box(box.left - x, box.top - y, box.right + x, box.bottom + y)


def around(points: tuple[Point, ...], x: float, y: float) -> Box:
    """The smallest box around the points, with a margin."""
    across, down = [p[0] for p in points], [p[1] for p in points]
    return Box(min(across) - x, min(down) - y, max(across) + x, max(down) + y)


# --- surfaces --------------------------------------------------------------------------------


def smooth_field(
    rng: np.random.Generator, height: int, width: int, rows: int, columns: int
) -> npt.NDArray[np.uint8]:
    """Smooth random values 0..255, shape (height, width), from ``rows`` x ``columns`` knots."""
    knots = rng.integers(0, 256, (max(rows, 2), max(columns, 2)), dtype=np.uint8)
    return np.asarray(cv2.resize(knots, (width, height), interpolation=cv2.INTER_CUBIC), np.uint8)


def gradient(rng: np.random.Generator, height: int, width: int, colors: tuple[Color, ...]) -> Image:
    """A smooth blend of colours, uint8 BGR (height, width, 3): down, across, or in patches."""
    kind = rng.random()
    if kind < 0.4:
        knots = np.array(colors, np.uint8)[:, None, :]
    elif kind < 0.55:
        knots = np.array(colors, np.uint8)[None, :, :]
    else:
        order = rng.integers(len(colors), size=(int(rng.integers(2, 5)), int(rng.integers(2, 4))))
        knots = np.array(colors, np.uint8)[order]
    return np.asarray(cv2.resize(knots, (width, height), interpolation=cv2.INTER_LINEAR), np.uint8)


@lru_cache(maxsize=4)
def _grain_tile(size: int) -> npt.NDArray[np.int8]:
    return np.clip(np.random.default_rng(size).normal(0, 32, (size, size)), -127, 127).astype(
        np.int8
    )


def add_grain(rng: np.random.Generator, image: Image, strength: float) -> None:
    """Add fine noise in place: standard deviation ``strength`` in grey levels."""
    tile = _grain_tile(301)
    row, column = int(rng.integers(301)), int(rng.integers(301))
    rolled = np.roll(tile, (row, column), (0, 1))
    repeats = (image.shape[0] // 301 + 1, image.shape[1] // 301 + 1)
    noise = np.tile(rolled, repeats)[: image.shape[0], : image.shape[1]]
    scaled = (noise.astype(np.float32) * (strength / 32)).astype(np.int16)
    if image.ndim == 3:
        scaled = np.repeat(scaled[..., None], image.shape[2], 2)
    cv2.add(image, scaled, dst=image, dtype=cv2.CV_8U)
