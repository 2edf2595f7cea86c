"""Fiducial markers in the corners of a sheet."""

from __future__ import annotations

from itertools import product

from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas

from brikks_vision.layout import Layout
from brikks_vision.printing.shapes import draw_rectangle, square

MARKER_QUIET_ZONE = 0.4
"""White around a marker, in cells."""


def _marker_bits(dictionary: str, identity: int) -> list[list[int]]:
    """The marker's squares, border included: rows of 0 (black) and 255 (white)."""
    import cv2  # slow to load, and not every style prints markers

    markers = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = markers.markerSize + 2
    return [[int(bit) for bit in row] for row in markers.generateImageMarker(identity, side)]


def draw_markers(canvas: Canvas, layout: Layout, index: int) -> None:
    """The markers of the ``index``-th sheet of a page; none if the layout has none."""
    markers = layout.markers
    if markers is None:
        return
    for corner, centre in enumerate(markers.centres):
        bits = _marker_bits(
            markers.dictionary, markers.first + len(markers.centres) * index + corner
        )
        black = square(centre, markers.size)
        draw_rectangle(canvas, black.grown(MARKER_QUIET_ZONE), fill="#ffffff")
        draw_rectangle(canvas, black, fill="#000000")
        bit = markers.size / len(bits)
        # One path for all white squares: no dark hairlines where two of them touch.
        path = canvas.beginPath()
        for row, column in product(range(len(bits)), repeat=2):
            if bits[row][column]:
                path.rect(black.left + column * bit, black.top + row * bit, bit, bit)
        canvas.setFillColor(HexColor("#ffffff"))
        canvas.drawPath(path, fill=1, stroke=0)
