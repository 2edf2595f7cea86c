"""The player sheet to print: a vector PDF in the layout's geometry, with our own art.

The front bears the grid, its bonuses and the boxes for figures, in thin lines and pale tints on
white paper, with markers in the corners. The back shows what two ordinary dice stand for.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.files import write_whole
from brikks_vision.games.bloxx.pdf.back import draw_dice_table
from brikks_vision.games.bloxx.pdf.front import draw_front
from brikks_vision.games.bloxx.pdf.words import printed_title
from brikks_vision.layout import Layout
from brikks_vision.printing.document import pdf_of_sheets
from brikks_vision.printing.page import SHEETS_PER_PAGE, page_layout
from brikks_vision.rules.bloxx.sheet import Sheet, parse_sheet

Draw = Callable[[Canvas, Layout, Sheet, int, str], None]
"""Draws the front of a sheet: canvas, layout, what its print means, its index, the language."""

STYLES: dict[str, Draw] = {"light": draw_front}
"""The styles by name."""


def sheet_pdf(
    layout: Layout,
    paper: str = "a4",
    sheets_per_page: int = 1,
    style: str = "light",
    language: str = "en",
) -> bytes:
    """The printable sheet as the bytes of a PDF: page 1 the sheets, page 2 the dice.

    A sheet that knows no dice has no second page. ``language``: of all words, "de", "en", "fr" or
    "es". The same input gives the same bytes.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or none of one, two and four sheets a page.
    """
    if style not in STYLES:
        raise UnknownValue("style", style, ", ".join(STYLES))
    sheet = parse_sheet(layout.printed, layout.grid.rows, layout.grid.columns)

    def draw_sheet(canvas: Canvas, index: int) -> None:
        STYLES[style](canvas, layout, sheet, index, language)

    def draw_back(canvas: Canvas, _: int) -> None:
        draw_dice_table(canvas, layout, sheet, language)

    return pdf_of_sheets(
        printed_title(layout.title, language),
        page_layout(paper, sheets_per_page, layout, SHEETS_PER_PAGE),
        layout.page,
        (draw_sheet, draw_back) if sheet.dice else (draw_sheet,),
    )


def write_sheet_pdf(
    path: Path,
    layout: Layout,
    paper: str = "a4",
    sheets_per_page: int = 1,
    style: str = "light",
    language: str = "en",
) -> None:
    """Write the printable sheet (see :func:`sheet_pdf`); the file appears whole or not at all.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or none of one, two and four sheets a page.
    OutputNotWritable
        The file cannot be written.
    """
    write_whole(path, sheet_pdf(layout, paper, sheets_per_page, style, language))
