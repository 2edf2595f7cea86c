"""Pictures of what the record says: scores over time, and a heat map of cells left empty.

Drawn at twice the size and halved, so that lines are smooth. All pictures are Pillow images, RGB.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from PIL import Image, ImageDraw

from brikks_vision.record.statistics import Scores
from brikks_vision.rules.brikks.sheet import Sheet
from brikks_vision.show.axes import MOST_TICKS, time_ticks, value_scale
from brikks_vision.show.fonts import BOLD, REGULAR, font
from brikks_vision.text.languages import texts_in

Picture = Image.Image
Color = tuple[int, int, int]


@dataclass(frozen=True)
class Scheme:
    """The colours of a plot. ``line``: of the grid. ``never``, ``always``: of cells left empty."""

    paper: Color
    ink: Color
    faint: Color
    line: Color
    never: Color
    always: Color
    lines: tuple[Color, ...]


# Told apart with every kind of colour blindness: Okabe and Ito, "Color Universal Design" (2008).
_OKABE_ITO: tuple[Color, ...] = (
    (0, 114, 178),
    (213, 94, 0),
    (0, 158, 115),
    (204, 121, 167),
    (230, 159, 0),
    (86, 180, 233),
)
LIGHT = Scheme(
    paper=(255, 255, 255),
    ink=(32, 36, 44),
    faint=(112, 118, 130),
    line=(224, 227, 233),
    never=(246, 247, 250),
    always=(178, 44, 36),
    lines=(*_OKABE_ITO, (60, 60, 60)),
)
DARK = Scheme(  # the colours of the page in the dark
    paper=(31, 34, 43),
    ink=(236, 238, 244),
    faint=(163, 169, 184),
    line=(54, 59, 73),
    never=(42, 47, 61),
    always=(208, 66, 56),
    lines=((86, 180, 233), (255, 140, 60), *_OKABE_ITO[2:5], (240, 228, 66), (200, 204, 214)),
)
MOST_IN_LEGEND = 14

_FINE = 2  # drawn this many times larger
_SIZE = 15  # px of the letters


def png(picture: Picture) -> bytes:
    """The picture as the bytes of a PNG file."""
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


def scores_plot(
    lines: Sequence[Scores],
    language: str,
    size: tuple[int, int] = (900, 560),
    scheme: Scheme = LIGHT,
) -> Picture:
    """Totals over time, one line a player. ``size``: (width, height) in px."""
    width, height = size
    words = texts_in(language).report
    picture, draw = _canvas(size, scheme.paper)
    names = [line.player or words["no_name"] for line in lines]
    shown = names[:MOST_IN_LEGEND]
    legend = max((_width(name, REGULAR) for name in shown), default=0) + 48
    legend = min(legend, width // 3)
    left, top, right, bottom = 62, 58, width - 24 - legend, height - 52
    _write(draw, (24, 16), words["plot_scores"], BOLD, _SIZE + 4, scheme.ink)
    points = [point for line in lines for point in line.points]
    if not points:
        _write(draw, (left, top), words["history_empty"], REGULAR, _SIZE, scheme.faint)
        return _finished(picture)
    floor, ceiling, step = value_scale([total for _, total in points])
    first, last = _span([taken for taken, _ in points])

    def place(taken: datetime, total: float) -> tuple[float, float]:
        x = left + (right - left) * ((taken - first) / (last - first))
        return x, bottom - (bottom - top) * (total - floor) / (ceiling - floor)

    for value in range(floor, ceiling + 1, step):
        y = place(first, value)[1]
        _line(draw, [(left, y), (right, y)], scheme.line if value else scheme.faint, 1)
        _write(draw, (left - 10, y), str(value), REGULAR, _SIZE, scheme.faint, "rm")
    for moment, label in time_ticks(first, last, _time_labels(right - left)):
        x = place(moment, floor)[0]
        _line(draw, [(x, bottom), (x, bottom + 5)], scheme.faint, 1)
        _write(draw, (x, bottom + 12), label, REGULAR, _SIZE - 2, scheme.faint, "mt")
    for number, line in reversed(list(enumerate(lines))):
        color = scheme.lines[number % len(scheme.lines)]
        marker = _MARKERS[number // len(scheme.lines) % len(_MARKERS)]
        places = [place(taken, total) for taken, total in line.points]
        if len(places) > 1:
            _line(draw, places, _mixed(color, scheme.paper, 0.45), 2)
        for at in places:
            marker(draw, at, 5, color, scheme.paper)
    for number, name in enumerate(shown):
        y = top + 10 + 26 * number
        color = scheme.lines[number % len(scheme.lines)]
        _MARKERS[number // len(scheme.lines) % len(_MARKERS)](
            draw, (right + 28, y), 5, color, scheme.paper
        )
        _write(draw, (right + 42, y), _cut(name, legend - 48), REGULAR, _SIZE, scheme.ink, "lm")
    return _finished(picture)


def heat_map(
    shares: Sequence[Sequence[float]],
    sheet: Sheet,
    language: str,
    cell: int = 46,
    scheme: Scheme = LIGHT,
) -> Picture:
    """How often each cell stayed empty, in percent. ``shares``: 0-1, top row first.

    ``cell``: side of a cell, px.
    """
    grid = sheet
    words = texts_in(language).report
    left, top = 62, 58
    size = (left + cell * grid.columns + 24, top + cell * grid.rows + 52)
    title = words["plot_empty"]
    size = (max(size[0], round(_width(title, BOLD, _SIZE + 4)) + 48), size[1])
    picture, draw = _canvas(size, scheme.paper)
    _write(draw, (24, 16), title, BOLD, _SIZE + 4, scheme.ink)
    if not shares:
        _write(draw, (left, top), words["history_empty"], REGULAR, _SIZE, scheme.faint)
        return _finished(picture)
    for row, values in enumerate(shares):
        y = top + cell * row
        factor = f"×{grid.row_factors[row]}"
        _write(draw, (left - 12, y + cell / 2), factor, REGULAR, _SIZE, scheme.faint, "rm")
        for column, share in enumerate(values):
            x = left + cell * column
            ground = _mixed(scheme.always, scheme.never, share)
            _box(draw, (x + 1, y + 1, x + cell - 1, y + cell - 1), ground)
            ink = (255, 255, 255) if share > 0.55 else scheme.ink if share else scheme.faint
            _write(
                draw,
                (x + cell / 2, y + cell / 2),
                str(round(100 * share)),
                REGULAR,
                _SIZE - 1,
                ink,
                "mm",
            )
    note = top + cell * grid.rows + 14
    _write(draw, (left, note), words["plot_percent"], REGULAR, _SIZE - 2, scheme.faint)
    return _finished(picture)


def stats_picture(
    lines: Sequence[Scores],
    shares: Sequence[Sequence[float]],
    sheet: Sheet,
    language: str,
) -> Picture:
    """Both plots side by side."""
    right = heat_map(shares, sheet, language)
    left = scores_plot(lines, language, (round(1.55 * right.height), right.height))
    both = Image.new("RGB", (left.width + right.width, right.height), LIGHT.paper)
    both.paste(left, (0, 0))
    both.paste(right, (left.width, 0))
    return both


# --- drawing -------------------------------------------------------------------------------------


def _span(moments: Sequence[datetime]) -> tuple[datetime, datetime]:
    """First and last of the axis: a little wider than the moments."""
    first, last = min(moments), max(moments)
    margin = max((last - first) * 0.03, timedelta(minutes=10))
    return first - margin, last + margin


def _time_labels(width: float) -> int:
    return max(2, min(MOST_TICKS, int(width // 140)))


def _canvas(size: tuple[int, int], paper: Color) -> tuple[Picture, Any]:
    picture = Image.new("RGB", (size[0] * _FINE, size[1] * _FINE), paper)
    return picture, ImageDraw.Draw(picture)


def _finished(picture: Picture) -> Picture:
    return picture.reduce(_FINE)


def _scaled(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(x * _FINE, y * _FINE) for x, y in places]


def _line(draw: Any, places: Sequence[tuple[float, float]], color: Color, width: int) -> None:
    draw.line(_scaled(places), fill=color, width=width * _FINE, joint="curve")


def _box(draw: Any, edges: tuple[float, float, float, float], color: Color) -> None:
    draw.rounded_rectangle([edge * _FINE for edge in edges], 4 * _FINE, fill=color)


def _write(
    draw: Any,
    at: tuple[float, float],
    text: str,
    name: str,
    size: int,
    color: Color,
    anchor: str = "lt",
) -> None:
    """``anchor``: which point of the text stands there, as Pillow names them."""
    place = (at[0] * _FINE, at[1] * _FINE)
    draw.text(place, text, fill=color, font=font(size * _FINE, name), anchor=anchor)


def _width(text: str, name: str, size: int = _SIZE) -> int:
    length: float = font(size * _FINE, name).getlength(text)
    return math.ceil(length / _FINE)


def _cut(text: str, width: float) -> str:
    """The text, its end left out where it is too wide."""
    if _width(text, REGULAR) <= width:
        return text
    while text and _width(f"{text}…", REGULAR) > width:
        text = text[:-1]
    return f"{text}…"


def _mixed(color: Color, ground: Color, share: float) -> Color:
    red, green, blue = (
        round(share * over + (1 - share) * under) for over, under in zip(color, ground, strict=True)
    )
    return red, green, blue


def _disc(draw: Any, at: tuple[float, float], radius: float, color: Color, rim: Color) -> None:
    x, y = at
    edges = (x - radius, y - radius, x + radius, y + radius)
    draw.ellipse([edge * _FINE for edge in edges], fill=color, outline=rim, width=_FINE)


def _square(draw: Any, at: tuple[float, float], radius: float, color: Color, rim: Color) -> None:
    x, y = at
    edges = (x - radius, y - radius, x + radius, y + radius)
    draw.rectangle([edge * _FINE for edge in edges], fill=color, outline=rim, width=_FINE)


def _diamond(draw: Any, at: tuple[float, float], radius: float, color: Color, rim: Color) -> None:
    x, y = at
    reach = 1.3 * radius
    places = [(x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)]
    draw.polygon(_scaled(places), fill=color, outline=rim)


_MARKERS: tuple[Callable[[Any, tuple[float, float], float, Color, Color], None], ...] = (
    _disc,
    _square,
    _diamond,
)
