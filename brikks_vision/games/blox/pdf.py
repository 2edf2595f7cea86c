"""The board to print, and paper chips and cards to cut out: the whole can be tried without the box.

The fields are 30 mm on A3, in one piece, and 36 mm on A4 or Letter, in four parts to lay together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import product

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A3, A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.rules.blox import material
from brikks_vision.rules.blox.position import SIDE, Board
from brikks_vision.text.phrases import Phrase, Translator

PAPERS = {"a3": A3, "a4": A4, "letter": LETTER}
WHOLE_FIELD, PART_FIELD = 30 * mm, 36 * mm  # sides of a field
PARTS = (range(5), range(5, SIDE))  # rows, or columns, of a part
SQUARE, SQUARE_GAP = 0.13, 0.06  # of a field: a printed square, and between two of them
CHIP, CARD = 22 * mm, (40 * mm, 56 * mm)
GAP = 2 * mm  # between what is cut out
LINE = "#8a8a8a"
INK = {material.Color.WHITE: "#333333", material.Color.GREY: "#222222"}  # on a field; else white


def board_pdf(
    board: Board, colors: dict[str, str], paper: str = "a4", words: Translator = Phrase.text
) -> bytes:
    """The bytes of a PDF: the board, then chips, then cards; equal input, equal bytes.

    ``colors``: of the fields, "#rrggbb" by name. ``paper``: one of `PAPERS`.

    Raises
    ------
    UnknownValue
        There is no such paper.
    """
    if paper not in PAPERS:
        raise UnknownValue("paper", paper, ", ".join(PAPERS))
    size = PAPERS[paper]
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=size, invariant=1)
    canvas.setTitle("BLOX")
    canvas.setAuthor("brikks-vision")
    is_whole = paper == "a3"
    parts = [(range(SIDE), range(SIDE))] if is_whole else list(product(PARTS, PARTS))
    for rows, columns in parts:
        _draw_part(canvas, size, board, colors, rows, columns,
                   WHOLE_FIELD if is_whole else PART_FIELD)  # fmt: skip
        canvas.showPage()
    _draw_chips(canvas, size)
    _draw_cards(canvas, size, colors, words)
    canvas.save()
    return buffer.getvalue()


def _draw_part(
    canvas: Canvas,
    size: tuple[float, float],
    board: Board,
    colors: dict[str, str],
    rows: Sequence[int],
    columns: Sequence[int],
    side: float,
) -> None:
    """Some rows and columns of the board in the middle of a page."""
    left = (size[0] - len(columns) * side) / 2
    top = (size[1] + len(rows) * side) / 2
    for (down, row), (across, column) in product(enumerate(rows), enumerate(columns)):
        color = board.color((row, column))
        x, y = left + across * side, top - (down + 1) * side
        _fill(canvas, colors[color])
        canvas.setStrokeColor(HexColor(LINE))
        canvas.setLineWidth(0.8)
        canvas.rect(x, y, side, side, stroke=1, fill=1)
        _draw_squares(canvas, x, y, side, board.squares_on((row, column)), color)


def _draw_squares(
    canvas: Canvas, x: float, y: float, side: float, count: int, color: material.Color
) -> None:
    """Squares in a row along the lower left of a field: how high a tower starts there."""
    canvas.setStrokeColor(HexColor(INK.get(color, "#ffffff")))
    canvas.setLineWidth(1.2)
    for number in range(count):
        left = x + (0.08 + number * (SQUARE + SQUARE_GAP)) * side
        canvas.rect(left, y + 0.08 * side, SQUARE * side, SQUARE * side, stroke=1, fill=0)


def _places(
    size: tuple[float, float], width: float, height: float, count: int
) -> Iterator[tuple[int, float, float]]:
    """The page and the lower left corner of each of so many things that are cut out."""
    across = int((size[0] - 20 * mm + GAP) // (width + GAP))
    down = int((size[1] - 20 * mm + GAP) // (height + GAP))
    for number in range(count):
        page, at = divmod(number, across * down)
        row, column = divmod(at, across)
        left = (size[0] - across * (width + GAP) + GAP) / 2 + column * (width + GAP)
        yield page, left, size[1] - 10 * mm - height - row * (height + GAP)


def _draw_chips(canvas: Canvas, size: tuple[float, float]) -> None:
    """As many chips of each value as there is room for in the number that the box holds."""
    values = [
        value
        for value in material.CHIP_VALUES
        for _ in range(material.CHIPS // len(material.CHIP_VALUES))
    ]
    last = 0
    for value, (page, x, y) in zip(values, _places(size, CHIP, CHIP, len(values)), strict=True):
        if page != last:
            canvas.showPage()
            last = page
        canvas.setStrokeColor(HexColor(LINE))
        canvas.setLineWidth(0.8)
        canvas.circle(x + CHIP / 2, y + CHIP / 2, CHIP / 2, stroke=1, fill=0)
        _fill(canvas, "#222222")
        canvas.setFont("Helvetica-Bold", 0.45 * CHIP)
        canvas.drawCentredString(x + CHIP / 2, y + 0.34 * CHIP, str(value))
    canvas.showPage()


def _draw_cards(
    canvas: Canvas, size: tuple[float, float], colors: dict[str, str], words: Translator
) -> None:
    """The cards of each colour, then four jokers."""
    cards: list[material.Card] = [
        color for color in material.Color for _ in range(material.CARDS_OF_A_COLOR)
    ]
    cards += [material.JOKER for _ in material.PawnColor]
    width, height = CARD
    last = 0
    for card, (page, x, y) in zip(cards, _places(size, width, height, len(cards)), strict=True):
        if page != last:
            canvas.showPage()
            last = page
        _fill(canvas, "#f3d36b" if card == material.JOKER else colors[card])
        canvas.setStrokeColor(HexColor(LINE))
        canvas.setLineWidth(0.8)
        canvas.roundRect(x, y, width, height, 3 * mm, stroke=1, fill=1)
        is_pale = card in (material.JOKER, *INK)
        _fill(canvas, "#222222" if is_pale else "#ffffff")
        canvas.setFont("Helvetica-Bold", 12)
        canvas.drawCentredString(
            x + width / 2, y + height / 2 - 4, words(material.color_words(card))
        )
    canvas.showPage()


def _fill(canvas: Canvas, color: str) -> None:
    canvas.setFillColor(HexColor(color))
