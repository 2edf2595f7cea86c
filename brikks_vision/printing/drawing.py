"""Draws a sheet from its picture: SVG in ``layouts/``, which any drawing program opens.

Lengths are in cells, x runs to the right and y down. Of SVG there are rect, circle, line, polygon,
text, and path of rectangles ("M x y h width v height h ... z"), with the attributes that are read
below. A text with ``data-words`` is what that key says in the language of the print, of several
lines the one of ``data-line``. Texts with one size and one ``data-width`` shrink together until
none is wider. Where ``<g id="markers"/>`` stands the sheet's markers are drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from xml.etree import ElementTree

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

FONT = "Helvetica-Bold"
CAP_HEIGHT = 0.72
"""Height of Helvetica's capitals and figures, as a share of the font size."""

_RECTANGLE = re.compile(r"M(\S+) (\S+)h(\S+)v(\S+)h\S+z")

Attributes = Mapping[str, str]


@cache
def _shapes_of(name: str) -> tuple[tuple[str, Attributes, str], ...]:
    """The shapes of a picture, in their order: tag, attributes, text."""
    file = resources.files("brikks_vision").joinpath("layouts", f"{name}.svg")
    root = ElementTree.fromstring(file.read_text("utf-8"))
    return tuple((each.tag.partition("}")[2], each.attrib, each.text or "") for each in root)


def draw(
    canvas: Canvas, name: str, words: Callable[[str], str], markers: Callable[[], None]
) -> None:
    """Draw a picture of ``layouts/`` in a frame of cells whose y runs down.

    words : what a key says. markers : draws the markers.
    """
    shapes = [(tag, of, _told(of, text, words)) for tag, of, text in _shapes_of(name)]
    fitting: dict[tuple[float, float], float] = {}
    for tag, of, text in shapes:
        if tag == "text" and "data-width" in of:
            size, most = _numbers(of, "font-size", "data-width")
            fits = size * most / float(stringWidth(text, FONT, size))
            fitting[size, most] = min(size, fits, fitting.get((size, most), size))
    for tag, of, text in shapes:
        if tag == "g":
            markers()
        elif tag == "text":
            size, most = _numbers(of, "font-size", "data-width")
            _draw_text(canvas, of, text, fitting.get((size, most), size))
        else:
            _draw_shape(canvas, tag, of)


def _told(of: Attributes, text: str, words: Callable[[str], str]) -> str:
    if "data-words" not in of:
        return text
    said = words(of["data-words"])
    return said.split("\n")[int(of["data-line"])] if "data-line" in of else said


def _numbers(of: Attributes, *names: str) -> list[float]:
    return [float(of.get(name, 0)) for name in names]


def _draw_shape(canvas: Canvas, tag: str, of: Attributes) -> None:
    fill, stroke = of.get("fill", "none") != "none", "stroke" in of
    if fill:
        canvas.setFillColor(HexColor(of["fill"]))
    if stroke:
        canvas.setStrokeColor(HexColor(of["stroke"]))
        canvas.setLineWidth(float(of["stroke-width"]))
    if tag == "rect":
        canvas.roundRect(*_numbers(of, "x", "y", "width", "height", "rx"), stroke, fill)
    elif tag == "circle":
        canvas.circle(*_numbers(of, "cx", "cy", "r"), stroke, fill)
    elif tag == "line":
        canvas.line(*_numbers(of, "x1", "y1", "x2", "y2"))
    else:  # one path: no hairlines where two of its parts touch
        path = canvas.beginPath()
        for rectangle in _RECTANGLE.findall(of.get("d", "")):
            path.rect(*map(float, rectangle))
        for at, point in enumerate(of.get("points", "").split()):
            (path.lineTo if at else path.moveTo)(*map(float, point.split(",")))
        path.close()
        canvas.drawPath(path, stroke, fill)


def _draw_text(canvas: Canvas, of: Attributes, text: str, size: float) -> None:
    """Text whose capitals stand around the height of its point, or begin there."""
    canvas.saveState()
    # The sheet frame's y runs down; letters stand upright only in a frame whose y runs up.
    canvas.translate(*_numbers(of, "x", "y"))
    canvas.scale(1, -1)
    canvas.setFillColor(HexColor(of["fill"]))
    canvas.setFont(FONT, size)
    is_left = of.get("text-anchor") == "start"
    write = canvas.drawString if is_left else canvas.drawCentredString
    write(0, -CAP_HEIGHT * size / 2, text)
    canvas.restoreState()
