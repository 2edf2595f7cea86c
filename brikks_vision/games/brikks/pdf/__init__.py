"""The player sheet to print: a vector PDF in the layout's geometry, with our own art.

Two styles: ``light`` (thin lines and pale tints on white paper, fiducial markers, fields for the
total, the player's name, the date and the game's settings) and ``arcade`` (dark like the published
sheet, no markers). The back shows all blocks.
"""

from __future__ import annotations

from collections.abc import Callable

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.games.brikks.pdf.arcade import ARCADE, draw_arcade_sheet
from brikks_vision.games.brikks.pdf.light import LIGHT, draw_light_sheet
from brikks_vision.games.brikks.pdf.overview import draw_overview
from brikks_vision.games.brikks.pdf.palette import BrikksPalette
from brikks_vision.layout import Layout
from brikks_vision.printing.document import pdf_of_sheets
from brikks_vision.printing.lettering import Printed
from brikks_vision.printing.page import page_layout
from brikks_vision.rules.brikks.words import phrase
from brikks_vision.text.phrases import Phrase, Translator

SHEETS_PER_PAGE = (1, 2)


DrawFront = Callable[[Canvas, Layout, int, Printed], None]
"""Draws the front of a sheet: its layout, its index on the page, the words by key."""

STYLES: dict[str, tuple[DrawFront, BrikksPalette]] = {
    "light": (draw_light_sheet, LIGHT),
    "arcade": (draw_arcade_sheet, ARCADE),
}
"""The styles by name."""


def sheet_pdf(
    layout: Layout,
    paper: str = "a4",
    sheets_per_page: int = 1,
    style: str = "light",
    words: Translator = Phrase.text,
) -> bytes:
    """The printable sheet as the bytes of a PDF: page 1 the sheets, page 2 the block overview.

    The same input gives the same bytes.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or neither one nor two sheets a page.
    """
    if style not in STYLES:
        raise UnknownValue("style", style, ", ".join(STYLES))
    draw_front, palette = STYLES[style]

    def printed(key: str) -> str:
        return words(phrase(f"printed-{key}"))

    return pdf_of_sheets(
        words(phrase("printed-title", title=layout.title)),
        page_layout(paper, sheets_per_page, layout, SHEETS_PER_PAGE),
        layout.page,
        (
            lambda canvas, index: draw_front(canvas, layout, index, printed),
            lambda canvas, _: draw_overview(canvas, layout, palette),
        ),
    )
