"""The player sheet to print: a vector PDF in the layout's geometry, with our own art.

Two styles: ``light`` (thin lines and pale tints on white paper, fiducial markers, fields for the
total, the player's name, the date and the game's settings) and ``arcade`` (dark like the published
sheet, no markers). The back shows all blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.files import write_whole
from brikks_vision.games.brikks.pdf.arcade import ARCADE, draw_arcade_sheet
from brikks_vision.games.brikks.pdf.light import LIGHT, draw_light_sheet
from brikks_vision.games.brikks.pdf.overview import draw_overview
from brikks_vision.games.brikks.pdf.palette import BrikksPalette
from brikks_vision.layout import Layout
from brikks_vision.printing.document import pdf_of_sheets
from brikks_vision.printing.page import page_layout
from brikks_vision.rules.brikks.words import phrase

SHEETS_PER_PAGE = (1, 2)


@dataclass(frozen=True)
class Style:
    """``draw_front`` takes canvas, layout, the sheet's index on its page, and language."""

    draw_front: Callable[[Canvas, Layout, int, str], None]
    palette: BrikksPalette


STYLES: dict[str, Style] = {
    "light": Style(draw_light_sheet, LIGHT),
    "arcade": Style(draw_arcade_sheet, ARCADE),
}
"""The styles by name."""


def sheet_pdf(
    layout: Layout,
    paper: str = "a4",
    sheets_per_page: int = 1,
    style: str = "light",
    language: str = "en",
) -> bytes:
    """The printable sheet as the bytes of a PDF: page 1 the sheets, page 2 the block overview.

    ``language``: of all words, "de", "en", "fr" or "es". The same input gives the same bytes.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or neither one nor two sheets a page.
    """
    if style not in STYLES:
        raise UnknownValue("style", style, ", ".join(STYLES))
    chosen = STYLES[style]

    def draw_front(canvas: Canvas, index: int) -> None:
        chosen.draw_front(canvas, layout, index, language)

    def draw_back(canvas: Canvas, _: int) -> None:
        draw_overview(canvas, layout, chosen.palette)

    return pdf_of_sheets(
        phrase("printed-title", title=layout.title).text(language),
        page_layout(paper, sheets_per_page, layout, SHEETS_PER_PAGE),
        layout.page,
        (draw_front, draw_back),
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
        Unknown paper or style, or neither one nor two sheets a page.
    OutputNotWritable
        The file cannot be written.
    """
    write_whole(path, sheet_pdf(layout, paper, sheets_per_page, style, language))
