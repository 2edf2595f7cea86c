"""Printed pages: where sheets lie on them, the PDF document, and the markers in its corners.

The PDF document: pages of sheets, each drawn in its own sheet frame.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import BytesIO
from itertools import product

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.layout import Box, Layout, Point
from brikks_vision.printing.drawing import draw

PAPERS: dict[str, tuple[float, float]] = {"a4": A4, "letter": LETTER}
"""Paper name -> (width, height) upright, in points."""

SHEETS_PER_PAGE = (1, 2, 4)
"""Numbers of sheets that a page can bear. A game may print fewer of them."""

MARGIN = 8 * mm
"""Minimum white border, in points: what office printers leave unprinted, and a little more."""

CUTTING_GAP = 0.8
"""White between two sheets of a page, in cells: keeps the markers' quiet zones whole when cut."""

CUTTING_LINE = "#9a9a9a"


@dataclass(frozen=True)
class PageLayout:
    """Where the sheets lie on a page; all lengths in points, from the page's top-left corner.

    ``origins``: the sheets' top-left corners, row by row; ``cell``: the length of a grid cell.
    """

    width: float
    height: float
    cell: float
    origins: tuple[Point, ...]


def page_layout(
    paper: str,
    sheets_per_page: int,
    layout: Layout,
    allowed: tuple[int, ...] = SHEETS_PER_PAGE,
) -> PageLayout:
    """The layout that prints the sheets largest: page upright or across, sheets in a lattice.

    ``allowed``: the numbers of sheets per page that the game prints.

    Raises UnknownValue: unknown paper, or another number of sheets.
    """
    if paper not in PAPERS:
        raise UnknownValue("paper", paper, ", ".join(PAPERS))
    if sheets_per_page not in allowed:
        raise UnknownValue("sheets per page", sheets_per_page, ", ".join(map(str, allowed)))
    short, long = PAPERS[paper]
    lattices = [
        (across, sheets_per_page // across)
        for across in range(1, sheets_per_page + 1)
        if sheets_per_page % across == 0
    ]
    layouts = [
        _lattice_layout(page, across, down, layout.page)
        for page, (across, down) in product(((short, long), (long, short)), lattices)
    ]
    return max(layouts, key=lambda each: each.cell)


def _lattice_layout(page: tuple[float, float], across: int, down: int, sheet: Box) -> PageLayout:
    """``page``: width and height in points. ``sheet``: the paper of one sheet, in cells."""
    width, height = page
    cells_across = across * sheet.width + (across - 1) * CUTTING_GAP
    cells_down = down * sheet.height + (down - 1) * CUTTING_GAP
    cell = min((width - 2 * MARGIN) / cells_across, (height - 2 * MARGIN) / cells_down)
    left = (width - cells_across * cell) / 2
    top = (height - cells_down * cell) / 2
    origins = tuple(
        (
            left + column * (sheet.width + CUTTING_GAP) * cell,
            top + row * (sheet.height + CUTTING_GAP) * cell,
        )
        for row in range(down)
        for column in range(across)
    )
    return PageLayout(width, height, cell, origins)


def draw_cutting_lines(canvas: Canvas, page: PageLayout) -> None:
    """Dotted lines in the middle of the white between the sheets, in the frame of the PDF page."""
    half_gap = CUTTING_GAP * page.cell / 2
    lefts, tops = ({origin[axis] for origin in page.origins} for axis in (0, 1))
    for left in sorted(lefts)[1:]:
        x = left - half_gap
        _draw_dotted_line(canvas, (x, MARGIN), (x, page.height - MARGIN))
    for top in sorted(tops)[1:]:
        y = page.height - top + half_gap
        _draw_dotted_line(canvas, (MARGIN, y), (page.width - MARGIN, y))


def _draw_dotted_line(canvas: Canvas, start: Point, end: Point) -> None:
    canvas.saveState()
    canvas.setDash(1, 4)
    canvas.setStrokeColor(HexColor(CUTTING_LINE))
    canvas.setLineWidth(0.5)
    canvas.line(*start, *end)
    canvas.restoreState()


def sheet_pdf(
    layout: Layout,
    styles: Mapping[str, Sequence[str]],
    paper: str,
    sheets_per_page: int,
    style: str,
    words: Callable[[str], str],
    allowed: tuple[int, ...] = SHEETS_PER_PAGE,
) -> bytes:
    """The printable sheet as the bytes of a PDF, a page for each side; equal input, equal bytes.

    styles: by name, the pictures of the sides in ``layouts/``. words: what a key says; "title" is
    that of the document. allowed: as of `page_layout`.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or another number of sheets a page.
    """
    if style not in styles:
        raise UnknownValue("style", style, ", ".join(styles))

    def side(name: str) -> DrawSide:
        return lambda canvas, at: draw(
            canvas, name, words, lambda: draw_markers(canvas, layout, at)
        )

    page = page_layout(paper, sheets_per_page, layout, allowed)
    return pdf_of_sheets(words("title"), page, layout.page, [*map(side, styles[style])])


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
    for side in sides:
        _draw_page(canvas, page, sheet, side)
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
        black = Box(*centre, *centre).grown(markers.size / 2)
        for box, color in ((black.grown(MARKER_QUIET_ZONE), "#ffffff"), (black, "#000000")):
            canvas.setFillColor(HexColor(color))
            canvas.roundRect(box.left, box.top, box.width, box.height, 0, stroke=0, fill=1)
        bit = markers.size / len(bits)
        # One path for all white squares: no dark hairlines where two of them touch.
        path = canvas.beginPath()
        for row, column in product(range(len(bits)), repeat=2):
            if bits[row][column]:
                path.rect(black.left + column * bit, black.top + row * bit, bit, bit)
        canvas.setFillColor(HexColor("#ffffff"))
        canvas.drawPath(path, fill=1, stroke=0)
