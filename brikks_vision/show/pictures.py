"""What is sent on: a game's ranking, as a picture and as text, and how a sheet was filled.

The letters are DejaVu Sans, which has those of all Latin, Greek and Cyrillic names.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont, ImageOps

from brikks_vision.layout import Box, Cell
from brikks_vision.reading.views import Outline
from brikks_vision.show.marks_on_sheet import outline
from brikks_vision.text.languages import texts_in
from brikks_vision.text.phrases import visible

BOLD = "DejaVuSans-Bold.ttf"
REGULAR = "DejaVuSans.ttf"
_FOLDER = Path(__file__).parent / "dejavu"


@cache
def font(size: int, name: str = REGULAR) -> ImageFont.FreeTypeFont:
    """A Pillow font of that size in px. ``name``: `BOLD` or `REGULAR`."""
    return ImageFont.truetype(str(_FOLDER / name), size)


Color = tuple[int, int, int]

# A square of this side is what messengers show whole.
_WIDTH = 1080  # px
_MARGIN, _HEAD, _ROW, _FOOT = 64, 190, 150, 56  # px
_PAPER: Color = (255, 255, 255)
_GROUND: Color = (244, 245, 248)
_INK: Color = (27, 30, 39)
_FAINT: Color = (90, 96, 112)
_FIRST: Color = (255, 212, 59)
_OTHERS: Color = (236, 239, 250)
_BLOCKS: tuple[Color, ...] = ((255, 212, 59), (77, 171, 247), (255, 107, 107), (81, 207, 102))


@dataclass(frozen=True)
class Standing:
    """A player's result. place: from 1, None without one. rank, notes: words to show, or none."""

    place: int | None
    name: str
    total: int
    rank: str
    notes: tuple[str, ...] = ()


def ranking_text(standings: Sequence[Standing], day: str, language: str, more: list[str]) -> str:
    """One line a player, the best first, below the day, then ``more`` lines."""
    page = texts_in(language).page
    lines = [f"{page['short_name']}, {day}"]
    for each in standings:
        place = "–" if each.place is None else f"{each.place}."
        rank = f" ({page['rank']}: {each.rank})" if each.rank else ""
        notes = f" – {', '.join(each.notes)}" if each.notes else ""
        lines.append(f"{place} {visible(each.name)}: {each.total} {page['points']}{rank}{notes}")
    return "\n".join([*lines, *map(visible, more)])


def ranking_picture(standings: Sequence[Standing], day: str, language: str) -> bytes:
    """The ranking as a PNG file, 1080 px wide, as high as it has players."""
    page = texts_in(language).page
    height = _HEAD + _ROW * len(standings) + _FOOT
    picture = Image.new("RGB", (_WIDTH, height), _GROUND)
    draw = ImageDraw.Draw(picture)
    for number, color in enumerate(_BLOCKS):
        left = _MARGIN + 34 * (number % 2)
        top = 56 + 34 * (number // 2)
        draw.rounded_rectangle((left, top, left + 30, top + 30), 6, fill=color)
    draw.text((_MARGIN + 92, 50), page["ranking"], fill=_INK, font=font(52, BOLD))
    draw.text(
        (_MARGIN + 92, 114), f"{page['short_name']} · {day}", fill=_FAINT, font=font(28, REGULAR)
    )
    for number, each in enumerate(standings):
        _draw_row(draw, _HEAD + _ROW * number, each)
    picture.save(buffer := io.BytesIO(), "PNG", optimize=True)
    return buffer.getvalue()


def _draw_row(draw: ImageDraw.ImageDraw, top: int, standing: Standing) -> None:
    edges = (_MARGIN - 16, top, _WIDTH - _MARGIN + 16, top + _ROW - 16)
    draw.rounded_rectangle(edges, 24, fill=_PAPER)
    middle = top + (_ROW - 16) / 2
    circle = (_MARGIN + 12, middle - 40, _MARGIN + 92, middle + 40)
    draw.ellipse(circle, fill=_FIRST if standing.place == 1 else _OTHERS)
    place = "–" if standing.place is None else str(standing.place)
    draw.text((_MARGIN + 52, middle), place, fill=_INK, font=font(40, BOLD), anchor="mm")
    total = font(68, BOLD)
    right = _WIDTH - _MARGIN - 8
    draw.text((right, middle), str(standing.total), fill=_INK, font=total, anchor="rm")
    room = right - total.getlength(str(standing.total)) - (_MARGIN + 120) - 24
    notes = " · ".join(filter(None, (standing.rank, *standing.notes)))
    name_at = middle - 22 if notes else middle
    _fitted(draw, (_MARGIN + 120, name_at), visible(standing.name), BOLD, 40, _INK, room)
    if notes:
        _fitted(draw, (_MARGIN + 120, middle + 30), notes, REGULAR, 27, _FAINT, room)


def _fitted(
    draw: ImageDraw.ImageDraw,
    at: tuple[float, float],
    text: str,
    name: str,
    size: int,
    color: Color,
    room: float,
) -> None:
    """One line of text, smaller where it must be, at last cut."""
    while size > 20 and font(size, name).getlength(text) > room:
        size -= 2
    letters = font(size, name)
    shown = text
    while len(shown) > 1 and letters.getlength(shown) > room:
        shown = f"{shown.removesuffix('…')[:-1]}…"
    draw.text(at, shown, fill=color, font=letters, anchor="lm")


PIXELS = 36
"""Of the straightened sheet, a cell."""
_PALE = 0.72  # share of white over what is not entered yet
_BLOCK_MS, _LAST_MS = 550, 3500  # how long a picture is shown
_COLORS = 128  # of the animation: its size halves against 256
_LINE, _INSET = 4, 0.06  # px; cells


def in_order(outlines: Sequence[Outline], order: Iterable[Iterable[Cell]]) -> tuple[Outline, ...]:
    """The outlines of a sheet in an order of its blocks; without colour where none is drawn."""
    by_cells = {frozenset(each.cells): each for each in outlines}
    return tuple(
        by_cells.get(frozenset(cells), Outline(tuple(sorted(cells)), None)) for cells in order
    )


def replay(
    flat: NDArray[np.uint8], area: Box, blocks: Sequence[Outline], colors: Mapping[str, str]
) -> bytes:
    """A GIF: first the pale sheet, then block by block as it was drawn, at last all of it.

    flat: the straightened sheet, (height, width, 3) uint8 BGR, `PIXELS` a cell. area: what it
    shows, in the sheet frame, in cells. blocks: in order. colors: "#rrggbb" by their names.
    """
    whole = Image.fromarray(flat[..., ::-1].copy())
    white = Image.new("RGB", whole.size, "white")
    shown = Image.blend(ImageOps.grayscale(whole).convert("RGB"), white, _PALE)
    frames = [shown.copy()]
    for block in blocks:
        mask = Image.new("1", whole.size)
        for row, column in block.cells:
            ImageDraw.Draw(mask).rectangle(
                (*_px((column, row), area), *_px((column + 1, row + 1), area)), fill=1
            )
        shown.paste(whole, mask=mask)
        ink = colors.get(block.color or "", "#868e96")
        for line in outline(block.cells, _INSET):
            points = [_px(point, area) for point in line]
            ImageDraw.Draw(shown).line(points, fill=ink, width=_LINE, joint="curve")
        frames.append(shown.copy())
    return _gif([*frames, whole])


def _px(point: tuple[float, float], area: Box) -> tuple[float, float]:
    return (point[0] - area.left) * PIXELS, (point[1] - area.top) * PIXELS


def _gif(frames: Sequence[Image.Image]) -> bytes:
    """The frames in one palette, so that what stays is stored once."""
    of_all = (frames[0], *frames[-2:])
    width, height = frames[0].size
    strip = Image.new("RGB", (width, height * len(of_all)))
    for number, frame in enumerate(of_all):
        strip.paste(frame, (0, height * number))
    shared = strip.quantize(_COLORS)
    first, *others = (frame.quantize(palette=shared, dither=Image.Dither.NONE) for frame in frames)
    buffer = io.BytesIO()
    first.save(
        buffer,
        "GIF",
        save_all=True,
        append_images=others,
        duration=[_BLOCK_MS] * len(others) + [_LAST_MS],
        loop=0,
    )
    return buffer.getvalue()
