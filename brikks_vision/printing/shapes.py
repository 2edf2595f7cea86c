"""Colours, boxes and shapes in the sheet frame.

Lengths are in cells, x runs to the right and y down; colours are "#rrggbb". A shape is filled if
``fill`` is given, and outlined, ``width`` cells wide, if ``stroke`` is.
"""

from __future__ import annotations

from collections.abc import Iterable

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from brikks_vision.layout import Box, Point


def mixed(color: str, share: float, ground: str = "#ffffff") -> str:
    """``share`` (0 to 1) of a colour, the rest of the ground colour."""
    channels = (
        round(int(color[i : i + 2], 16) * share + int(ground[i : i + 2], 16) * (1 - share))
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def square(centre: Point, side: float) -> Box:
    """A square around a point."""
    x, y = centre
    return Box(x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def set_colors(
    canvas: Canvas, fill: str | None, stroke: str | None, width: float
) -> dict[str, int]:
    """Set the colours of the next shape, and return the keywords with which to draw it."""
    if fill is not None:
        canvas.setFillColor(HexColor(fill))
    if stroke is not None:
        canvas.setStrokeColor(HexColor(stroke))
        canvas.setLineWidth(width)
    return {"fill": int(fill is not None), "stroke": int(stroke is not None)}


def draw_rectangle(
    canvas: Canvas,
    box: Box,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
    corner: float = 0.0,
) -> None:
    """A rectangle; ``corner``: the radius of its rounded corners."""
    painted = set_colors(canvas, fill, stroke, width)
    canvas.roundRect(box.left, box.top, box.width, box.height, corner, **painted)


def draw_disc(
    canvas: Canvas,
    centre: Point,
    radius: float,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
) -> None:
    """A circle."""
    canvas.circle(centre[0], centre[1], radius, **set_colors(canvas, fill, stroke, width))


def draw_polygon(
    canvas: Canvas,
    points: Iterable[Point],
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
) -> None:
    """A closed polygon."""
    painted = set_colors(canvas, fill, stroke, width)
    path = canvas.beginPath()
    first, *others = points
    path.moveTo(*first)
    for point in others:
        path.lineTo(*point)
    path.close()
    canvas.drawPath(path, **painted)


def draw_line(canvas: Canvas, start: Point, end: Point, color: str, width: float) -> None:
    """A straight line."""
    set_colors(canvas, None, color, width)
    canvas.line(*start, *end)


def draw_cross(canvas: Canvas, centre: Point, reach: float, color: str, width: float) -> None:
    """An X whose arms end ``reach`` cells left, right, above and below its centre."""
    x, y = centre
    draw_line(canvas, (x - reach, y - reach), (x + reach, y + reach), color, width)
    draw_line(canvas, (x - reach, y + reach), (x + reach, y - reach), color, width)


def draw_arrow(canvas: Canvas, tip: Point, length: float, color: str) -> None:
    """A small arrow that ends at ``tip`` and points right, or left if ``length`` is negative."""
    x, y = tip
    head, thickness = length * 0.5, abs(length)
    draw_line(canvas, (x - length, y), (x - head * 0.9, y), color, thickness * 0.2)
    draw_polygon(
        canvas,
        ((x, y), (x - head, y - thickness * 0.36), (x - head, y + thickness * 0.36)),
        fill=color,
    )
