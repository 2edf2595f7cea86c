"""What every layout has: the grid, and captioned fields for the player to write in."""

from __future__ import annotations

from collections.abc import Mapping

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from brikks_vision.layout import Box, Layout
from brikks_vision.printing.lettering import FONT, draw_text, fitting_size
from brikks_vision.printing.palette import Palette
from brikks_vision.printing.shapes import draw_line, draw_rectangle, mixed


def draw_grid(canvas: Canvas, layout: Layout, palette: Palette) -> None:
    """The grid's lines on the grounds of its zones."""
    grid = layout.grid
    for zone in grid.zones:
        ground = mixed(layout.colors[zone.color], palette.tint)
        draw_rectangle(canvas, Box(0, zone.first, grid.columns, zone.last + 1), fill=ground)
    width = grid.line_width * palette.line_share
    for row in range(1, grid.rows):
        draw_line(canvas, (0, row), (grid.columns, row), palette.rim, width)
    for column in range(1, grid.columns):
        draw_line(canvas, (column, 0), (column, grid.rows), palette.rim, width)
    draw_rectangle(canvas, grid.box, stroke=palette.rim, width=width)


def draw_figure_field(canvas: Canvas, field: Box, caption: str, palette: Palette) -> None:
    """A box for a figure, with its caption below."""
    draw_rectangle(canvas, field, fill=palette.paper, stroke=palette.ink, width=0.07)
    below = ((field.left + field.right) / 2, field.bottom + 0.28)
    draw_text(canvas, below, caption, fitting_size(0.34, [caption], field.width), palette.text)


def draw_words(
    canvas: Canvas, layout: Layout, palette: Palette, captions: Mapping[str, str]
) -> None:
    """The layout's fields for words, with small captions in their top left corners.

    ``captions``: by the name of a field.
    """
    for name, field in layout.words.items():
        draw_rectangle(canvas, field, stroke=palette.panel_rim, width=0.04, corner=0.15)
        caption, size = captions[name], 0.27
        width = stringWidth(caption, FONT, size)
        middle = (field.left + 0.15 + width / 2, field.top + 0.22)
        draw_text(canvas, middle, caption, size, palette.note_text)


def draw_settings(
    canvas: Canvas, layout: Layout, palette: Palette, captions: Mapping[str, str]
) -> None:
    """The layout's boxes to cross for the game's settings, each with its number on its right.

    They stand in columns at the right edge of the sheet. ``captions``: by the name of a setting.
    """
    right = layout.page.right - 0.1
    for name, field in layout.settings.items():
        width, height = field.size
        middle, left = field.box.left + width / 2, field.box.left - 0.2
        above = ((left + right) / 2, field.box.top - 0.4)
        size = fitting_size(0.36, captions.values(), right - left)
        draw_text(canvas, above, captions[name], size, palette.text)
        for (x, y), value in zip(field.centres, field.values, strict=True):
            box = Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
            line = field.drawn[0]["line"]
            draw_rectangle(canvas, box, fill=palette.paper, stroke=palette.ink, width=line)
            draw_text(canvas, (middle + width, y), str(value), 0.44, palette.text)
