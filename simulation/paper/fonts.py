"""Letters of the fonts on this machine, or of the stroke fonts of OpenCV."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from simulation.paper.chances import chance, pick

Image = NDArray[np.uint8]


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


def text_aspect(text: str, font: Font) -> float:
    """Width of a text's ink over its height, before the font stretches or slants it."""
    mask = _glyphs(font.path, font.hershey, font.weight, font.rows, text)
    return mask.shape[1] / mask.shape[0]
