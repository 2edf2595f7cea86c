"""Text in the sheet frame (cells, x right, y down)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from brikks_vision.layout import Point

Printed = Callable[[str], str]
"""The words that are printed for a key."""

FONT = "Helvetica-Bold"
CAP_HEIGHT = 0.72
"""Height of Helvetica's capitals and figures, as a share of the font size."""


def fitting_size(size: float, texts: Iterable[str], max_width: float) -> float:
    """The font size, or a smaller one at which no text is wider than ``max_width`` cells."""
    return min([size, *(size * max_width / float(stringWidth(text, FONT, size)) for text in texts)])


def draw_text(canvas: Canvas, centre: Point, text: str, size: float, color: str) -> None:
    """Text whose capitals are centred on a point; ``size``: of the font, in cells."""
    canvas.saveState()
    # The sheet frame's y runs down; letters stand upright only in a frame whose y runs up.
    canvas.translate(*centre)
    canvas.scale(1, -1)
    canvas.setFillColor(HexColor(color))
    canvas.setFont(FONT, size)
    canvas.drawCentredString(0, -CAP_HEIGHT * size / 2, text)
    canvas.restoreState()
