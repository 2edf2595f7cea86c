"""The PDF document: pages of sheets, each drawn in its own sheet frame."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.layout import Box
from brikks_vision.printing.page import PageLayout, draw_cutting_lines

DrawSide = Callable[[Canvas, int], None]
"""Draws one side of the sheet with that index on the page, in the sheet frame (cells)."""


def pdf_of_sheets(title: str, page: PageLayout, sheet: Box, sides: Sequence[DrawSide]) -> bytes:
    """The bytes of a PDF with one page for each side of the sheets; equal input, equal bytes.

    ``title``: of the document. ``sheet``: the paper of one sheet in the sheet frame, in cells.
    """
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(page.width, page.height), invariant=1)
    canvas.setTitle(title)
    canvas.setAuthor("brikks-vision")
    for draw in sides:
        _draw_page(canvas, page, sheet, draw)
    canvas.save()
    return buffer.getvalue()


def _draw_page(canvas: Canvas, page: PageLayout, sheet: Box, draw: DrawSide) -> None:
    for index, (left, top) in enumerate(page.origins):
        canvas.saveState()
        # From the frame of the PDF page (points, y up) to the sheet frame (cells, y down).
        canvas.translate(left, page.height - top)
        canvas.scale(page.cell, -page.cell)
        canvas.translate(-sheet.left, -sheet.top)
        draw(canvas, index)
        canvas.restoreState()
    draw_cutting_lines(canvas, page)
    canvas.showPage()
