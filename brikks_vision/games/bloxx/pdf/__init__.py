"""The player sheet to print: a vector PDF in the layout's geometry, with our own art.

The front bears the grid, its bonuses and the boxes for figures, in thin lines and pale tints on
white paper, with markers in the corners. The back shows what two ordinary dice stand for.
"""

from __future__ import annotations

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.games.bloxx.keys import sheet_of
from brikks_vision.games.bloxx.pdf.back import draw_dice_table
from brikks_vision.games.bloxx.pdf.front import draw_front
from brikks_vision.layout import Layout
from brikks_vision.printing.document import pdf_of_sheets
from brikks_vision.printing.page import page_layout
from brikks_vision.rules.bloxx.words import phrase
from brikks_vision.text.phrases import Phrase, Translator

STYLES = {"light": draw_front}
"""What draws the front of a sheet, by style."""


def sheet_pdf(
    layout: Layout,
    paper: str = "a4",
    sheets_per_page: int = 1,
    style: str = "light",
    words: Translator = Phrase.text,
) -> bytes:
    """The printable sheet as the bytes of a PDF: page 1 the sheets, page 2 the dice.

    A sheet that knows no dice has no second page. The same input gives the same bytes.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or none of one, two and four sheets a page.
    """
    if style not in STYLES:
        raise UnknownValue("style", style, ", ".join(STYLES))
    sheet = sheet_of(layout)

    def printed(key: str) -> str:
        return words(phrase(f"printed-{key}"))

    def draw_sheet(canvas: Canvas, index: int) -> None:
        STYLES[style](canvas, layout, sheet, index, printed)

    def draw_back(canvas: Canvas, _: int) -> None:
        draw_dice_table(canvas, layout, sheet, printed)

    return pdf_of_sheets(
        words(phrase("printed-title", title=layout.title)),
        page_layout(paper, sheets_per_page, layout),
        layout.page,
        (draw_sheet, draw_back) if sheet.dice else (draw_sheet,),
    )
