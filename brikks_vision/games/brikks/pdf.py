"""The player sheet to print: a vector PDF in the sheet layout's geometry, with our own art.

Two styles: ``light`` (thin lines and pale tints on white paper, fiducial markers, a field for the
total) and ``arcade`` (dark like the published sheet, no markers). Every place on the sheet comes
from the sheet layout; the drawing functions below work in the sheet frame (cells, origin at
the grid's outer top-left corner, x right, y down).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from io import BytesIO
from itertools import pairwise, product
from pathlib import Path
from typing import Any

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from brikks_vision.errors import UnknownValue
from brikks_vision.files import write_whole
from brikks_vision.games.brikks.decoration import decoration_of
from brikks_vision.layout import Box, Cell, Layout, Point
from brikks_vision.rules.brikks.sheet import load_sheet

PAPERS: dict[str, tuple[float, float]] = {"a4": A4, "letter": LETTER}
"""Paper name -> (width, height) upright, in points."""

MARGIN = 8 * mm
"""Least white border, in points: what office printers leave unprinted, and a little more."""

CUTTING_GAP = 0.8
"""White between two sheets of a page, in cells: keeps the markers' quiet zones whole when cut."""

CUTTING_LINE = "#9a9a9a"

MARKER_QUIET_ZONE = 0.4
"""White around a marker, in cells."""

FONT = "Helvetica-Bold"
CAP_HEIGHT = 0.72
"""Height of Helvetica's capitals and figures, as a share of the font size."""


@dataclass(frozen=True)
class PageLayout:
    """Where the sheets lie on a page; all lengths in points, from the page's top-left corner.

    ``origins``: the page boxes' top-left corners; ``cell``: the length of a grid cell.
    """

    width: float
    height: float
    cell: float
    origins: tuple[Point, ...]


@dataclass(frozen=True)
class Palette:
    """Colours (``#rrggbb``) and line weights (cells) of one style of art.

    ``tint`` is how much of the layout's ground colours is left, ``circle_tint`` and
    ``brick_tint`` the same for the fill of the coloured circles and of blocks; ``line_share``: how
    much of the layout's line width.
    """

    paper: str
    ink: str
    rim: str
    faint: str
    text: str
    accent: str
    panel: str
    panel_rim: str
    bar_ground: str
    bar_text: str
    point_ground: str
    point_rim: str
    active_ground: str
    bonus_mark: str
    strip_ground: str
    bomb_panel: str
    bomb_body: str
    bomb_text: str
    bomb_rim: str
    factor_text: str
    note_text: str
    brick_rim: str
    brick_tint: float
    tint: float
    circle_tint: float
    line_share: float


LIGHT = Palette(
    paper="#ffffff",
    ink="#2d2650",
    rim="#5d5580",
    faint="#b9b4cc",
    text="#4a426e",
    accent="#c8327f",
    panel="#ffffff",
    panel_rim="#9d96b8",
    bar_ground="#ffffff",
    bar_text="#857da3",
    point_ground="#ffffff",
    point_rim="#5d5580",
    active_ground="#eef6dc",
    bonus_mark="#e793bd",
    strip_ground="#ffffff",
    bomb_panel="#ffffff",
    bomb_body="#fbe6f0",
    bomb_text="#a12a69",
    bomb_rim="#a12a69",
    factor_text="#d07a00",
    note_text="#857da3",
    brick_rim="#2d2650",
    brick_tint=0.7,
    tint=0.42,
    circle_tint=0.5,
    line_share=0.55,
)

ARCADE = Palette(
    paper="#140d33",
    ink="#2a1450",
    rim="#2a1450",
    faint="#6b4fb3",
    text="#f4efff",
    accent="#ff5fa8",
    panel="#1b0f42",
    panel_rim="#ffb33c",
    bar_ground="#f7f3ff",
    bar_text="#3a2470",
    point_ground="#ffffff",
    point_rim="#2a1450",
    active_ground="#dff0b0",
    bonus_mark="#d81b7a",
    strip_ground="#dcebf7",
    bomb_panel="#e7a3d3",
    bomb_body="#a81673",
    bomb_text="#ffffff",
    bomb_rim="#4a0c3a",
    factor_text="#ff9a2e",
    note_text="#cdbcff",
    brick_rim="#a892e8",
    brick_tint=1.0,
    tint=1.0,
    circle_tint=1.0,
    line_share=1.0,
)

TITLE_GLOW = ("#ffe27a", "#ffc24f", "#ff9a3c", "#ff6f61", "#ff4f9a")
"""Colours of the arcade title's rows of bricks."""

MACHINE_BODY, MACHINE_DECK, MACHINE_EDGE = "#37197a", "#4c2599", "#8f6be0"
MACHINE_STRIPES = ("#2fd3e0", "#ff5fa8", "#ffb33c")

LETTER_ROWS = 5
# A brick where there is a "#".
LETTERS: dict[str, tuple[str, ...]] = {
    letter: tuple(rows.split())
    for letter, rows in {
        "A": ".##. #..# #### #..# #..#",
        "B": "###. #..# ###. #..# ###.",
        "C": ".### #... #... #... .###",
        "D": "###. #..# #..# #..# ###.",
        "E": "#### #... ###. #... ####",
        "F": "#### #... ###. #... #...",
        "G": ".### #... #.## #..# .###",
        "H": "#..# #..# #### #..# #..#",
        "I": "### .#. .#. .#. ###",
        "J": "..## ...# ...# #..# .##.",
        "K": "#..# #.#. ##.. #.#. #..#",
        "L": "#... #... #... #... ####",
        "M": "#...# ##.## #.#.# #...# #...#",
        "N": "#..# ##.# #.## #..# #..#",
        "O": ".##. #..# #..# #..# .##.",
        "P": "###. #..# ###. #... #...",
        "Q": ".##. #..# #..# #.#. .#.#",
        "R": "###. #..# ###. #.#. #..#",
        "S": ".### #... .##. ...# ###.",
        "T": "### .#. .#. .#. .#.",
        "U": "#..# #..# #..# #..# .##.",
        "V": "#...# #...# #...# .#.#. ..#..",
        "W": "#...# #...# #.#.# ##.## #...#",
        "X": "#..# #..# .##. #..# #..#",
        "Y": "#.# #.# .#. .#. .#.",
        "Z": "#### ...# .##. #... ####",
        "0": "### #.# #.# #.# ###",
        "1": ".# ## .# .# .#",
        "2": "### ..# ### #.. ###",
        "3": "### ..# .## ..# ###",
        "4": "#.# #.# ### ..# ..#",
        "5": "### #.. ### ..# ###",
        "6": "### #.. ### #.# ###",
        "7": "### ..# ..# .#. .#.",
        "8": "### #.# ### #.# ###",
        "9": "### #.# ### ..# ###",
        "×": "... #.# .#. #.# ...",
        "!": "# # # . #",
        " ": ".. .. .. .. ..",
    }.items()
}


# --- where the sheets lie on the page -----------------------------------------------------------


def page_layout(paper: str, sheets_per_page: int, layout: Layout) -> PageLayout:
    """The layout that prints the sheets biggest: page upright or across, in a row or a column.

    Raises
    ------
    UnknownValue
        Unknown paper, or neither one nor two sheets.
    """
    if paper not in PAPERS:
        raise UnknownValue("paper", paper, ", ".join(PAPERS))
    if sheets_per_page not in (1, 2):
        raise UnknownValue("sheets per page", sheets_per_page, "1, 2")
    short, long = PAPERS[paper]
    pages = ((short, long), (long, short))
    grids = {(1, sheets_per_page), (sheets_per_page, 1)}
    layouts = [
        _page_layout(page, across, down, layout.page)
        for page, (across, down) in product(pages, sorted(grids))
    ]
    return max(layouts, key=lambda page_plan: page_plan.cell)


def _page_layout(page: tuple[float, float], across: int, down: int, sheet: Box) -> PageLayout:
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


def sheet_origin_on_page(
    paper: str, sheets_per_page: int, index: int, layout: Layout
) -> tuple[float, float, float]:
    """Where the sheet frame of the ``index``-th sheet falls on the printed page.

    Returns
    -------
    (x0, y0, cell)
        In points from the page's top-left corner, y down: sheet point (x, y) in cells is printed
        at (x0 + x * cell, y0 + y * cell).

    Raises
    ------
    UnknownValue
        Unknown paper, or neither one nor two sheets.
    IndexError
        The page has no sheet of that index.
    """
    page_plan = page_layout(paper, sheets_per_page, layout)
    left, top = page_plan.origins[index]
    return (
        left - layout.page.left * page_plan.cell,
        top - layout.page.top * page_plan.cell,
        page_plan.cell,
    )


# --- strokes and shapes in the sheet frame --------------------------------------------------------


def _mixed(color: str, share: float, ground: str = "#ffffff") -> str:
    """``share`` of a colour, the rest of the ground colour; all ``#rrggbb``."""
    channels = (
        round(int(color[i : i + 2], 16) * share + int(ground[i : i + 2], 16) * (1 - share))
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _grown(box: Box, margin: float) -> Box:
    return Box(box.left - margin, box.top - margin, box.right + margin, box.bottom + margin)


def _square(centre: Point, side: float) -> Box:
    x, y = centre
    return Box(x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def _bounds(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(
        *((box.left, box.top, box.right, box.bottom) for box in boxes), strict=True
    )
    return Box(min(lefts), min(tops), max(rights), max(bottoms))


def _paint(pdf: Any, fill: str | None, stroke: str | None, width: float) -> dict[str, int]:
    """Set the colours of the next shape; the keywords that draw it so."""
    if fill is not None:
        pdf.setFillColor(HexColor(fill))
    if stroke is not None:
        pdf.setStrokeColor(HexColor(stroke))
        pdf.setLineWidth(width)
    return {"fill": int(fill is not None), "stroke": int(stroke is not None)}


def _rectangle(
    pdf: Any,
    box: Box,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
    corner: float = 0.0,
) -> None:
    painted = _paint(pdf, fill, stroke, width)
    pdf.roundRect(box.left, box.top, box.width, box.height, corner, **painted)


def _disc(
    pdf: Any,
    centre: Point,
    radius: float,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
) -> None:
    pdf.circle(centre[0], centre[1], radius, **_paint(pdf, fill, stroke, width))


def _polygon(
    pdf: Any,
    points: Iterable[Point],
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
) -> None:
    painted = _paint(pdf, fill, stroke, width)
    path = pdf.beginPath()
    first, *others = points
    path.moveTo(*first)
    for point in others:
        path.lineTo(*point)
    path.close()
    pdf.drawPath(path, **painted)


def _line(pdf: Any, start: Point, end: Point, color: str, width: float) -> None:
    _paint(pdf, None, color, width)
    pdf.line(*start, *end)


def _cross(pdf: Any, centre: Point, reach: float, color: str, width: float) -> None:
    """An X whose arms end ``reach`` cells left, right, above and below its centre."""
    x, y = centre
    _line(pdf, (x - reach, y - reach), (x + reach, y + reach), color, width)
    _line(pdf, (x - reach, y + reach), (x + reach, y - reach), color, width)


def _text(pdf: Any, centre: Point, text: str, size: float, color: str) -> None:
    """Text centred on a point, the middle of its capitals and figures on the point's height."""
    pdf.saveState()
    # The sheet frame's y runs down; letters stand upright only in a frame whose y runs up.
    pdf.translate(*centre)
    pdf.scale(1, -1)
    pdf.setFillColor(HexColor(color))
    pdf.setFont(FONT, size)
    pdf.drawCentredString(0, -CAP_HEIGHT * size / 2, text)
    pdf.restoreState()


def _arrow(pdf: Any, tip: Point, length: float, color: str) -> None:
    """A small arrow whose tip is at ``tip``: to the right, or to the left if length < 0."""
    x, y = tip
    head, thickness = length * 0.5, abs(length)
    _line(pdf, (x - length, y), (x - head * 0.9, y), color, thickness * 0.2)
    _polygon(
        pdf,
        ((x, y), (x - head, y - thickness * 0.36), (x - head, y + thickness * 0.36)),
        fill=color,
    )


def _lettering_width(text: str) -> int:
    """Width of a text in bricks, one brick of air between letters."""
    return sum(len(LETTERS[letter][0]) + 1 for letter in text) - 1


def _lettering_bricks(centre: Point, height: float, text: str) -> Iterator[tuple[int, int, Box]]:
    """The bricks of a text ``height`` cells high: its letter's index, its row, its place."""
    brick = height / LETTER_ROWS
    left, top = centre[0] - _lettering_width(text) * brick / 2, centre[1] - height / 2
    for index, letter in enumerate(text):
        for row, bricks in enumerate(LETTERS[letter]):
            for column, mark in enumerate(bricks):
                if mark == "#":
                    x, y = left + column * brick, top + row * brick
                    yield index, row, Box(x, y, x + brick, y + brick)
        left += (len(LETTERS[letter][0]) + 1) * brick


def _lettering(pdf: Any, centre: Point, height: float, text: str, color: str) -> None:
    """Text built of bricks, in one colour."""
    _paint(pdf, color, None, 0.0)
    # One path for all bricks: no hairlines where two of them touch.
    path = pdf.beginPath()
    for _, _, box in _lettering_bricks(centre, height, text):
        path.rect(box.left, box.top, box.width, box.height)
    pdf.drawPath(path, fill=1, stroke=0)


def _brick(pdf: Any, box: Box, color: str, rim: str) -> None:
    """A brick with a lighter face, as on a game screen of old."""
    side = box.width
    _rectangle(pdf, box, fill=color, stroke=rim, width=0.06 * side)
    # A white brick has no lighter face, so its face is shaded.
    face = _mixed(color, 0.9, rim) if color == "#ffffff" else _mixed(color, 0.78)
    _rectangle(pdf, _grown(box, -0.22 * side), fill=face, corner=0.06 * side)


# --- the parts of the sheet -----------------------------------------------------------------------


def _draw_grid(pdf: Any, layout: Layout, palette: Palette) -> None:
    grid = layout.grid
    for zone in grid.zones:
        ground = _mixed(layout.colors[zone.color], palette.tint)
        _rectangle(pdf, Box(0, zone.first, grid.columns, zone.last + 1), fill=ground)
    width = grid.line_width * palette.line_share
    for row in range(1, grid.rows):
        _line(pdf, (0, row), (grid.columns, row), palette.rim, width)
    for column in range(1, grid.columns):
        _line(pdf, (column, 0), (column, grid.rows), palette.rim, width)
    _rectangle(pdf, grid.box, stroke=palette.rim, width=width)


def _draw_circles(pdf: Any, layout: Layout, palette: Palette) -> None:
    rim = 0.09 * decoration_of(layout).circle_diameter
    for circle in load_sheet(layout.name).circles:
        row, column = circle.cell
        color = layout.colors[circle.color]
        _disc(
            pdf,
            (column + 0.5, row + 0.5),
            decoration_of(layout).circle_diameter / 2 - rim / 2,
            fill=_mixed(color, palette.circle_tint),
            stroke=palette.ink,
            width=rim,
        )


def _draw_multipliers(pdf: Any, layout: Layout, palette: Palette) -> None:
    left, right = decoration_of(layout).multipliers
    best = max(load_sheet(layout.name).row_factors)
    for row, factor in enumerate(load_sheet(layout.name).row_factors):
        if factor > 1:
            color = palette.accent if factor == best else palette.factor_text
            _lettering(pdf, ((left + right) / 2, row + 0.5), 0.55, f"×{factor}", color)


def _draw_score_strip(pdf: Any, layout: Layout, palette: Palette) -> None:
    strip = decoration_of(layout).score_strip
    _rectangle(pdf, strip, fill=palette.strip_ground, stroke=palette.faint, width=0.03)
    middle = (strip.left + strip.right) / 2
    dash = strip.width / 4
    for row in range(1, layout.grid.rows):
        _line(pdf, (middle - dash, row), (middle + dash, row), palette.rim, 0.05)


def _draw_total_field(pdf: Any, layout: Layout, palette: Palette) -> None:
    field = decoration_of(layout).total_field
    if field is None:
        return
    _rectangle(pdf, field, fill=palette.paper, stroke=palette.ink, width=0.07)
    _text(pdf, ((field.left + field.right) / 2, field.bottom + 0.28), "TOTAL", 0.34, palette.text)


def _draw_bomb(
    pdf: Any, centre: Point, radius: float, palette: Palette, figure: str, size: float
) -> None:
    """A round bomb with a lit fuse; the body has the full radius, as crossing-out covers it."""
    x, y = centre
    body = radius * 0.82
    low = (x, y + radius - body)
    _line(
        pdf,
        (x + body * 0.55, low[1] - body * 0.65),
        (x + body * 0.85, low[1] - body * 1.0),
        palette.bomb_rim,
        radius * 0.22,
    )
    spark = (x + body * 0.95, low[1] - body * 1.12)
    _cross(pdf, spark, radius * 0.16, palette.factor_text, radius * 0.09)
    _disc(
        pdf,
        low,
        body - radius * 0.04,
        fill=palette.bomb_body,
        stroke=palette.bomb_rim,
        width=radius * 0.08,
    )
    if figure:
        _text(pdf, low, figure, size, palette.bomb_text)


def _draw_bombs(pdf: Any, layout: Layout, palette: Palette) -> None:
    bombs = layout.fields["bomb"]
    panel = _bounds(_square(centre, 2 * bombs.radius) for centre in bombs.centres)
    _rectangle(
        pdf,
        _grown(panel, 0.14),
        fill=palette.bomb_panel,
        stroke=palette.faint,
        width=0.03,
        corner=0.3,
    )
    for centre, points in zip(bombs.centres, load_sheet(layout.name).bomb_points, strict=True):
        _draw_bomb(pdf, centre, bombs.radius, palette, str(points), bombs.radius * 1.05)


def _draw_legend(pdf: Any, layout: Layout, palette: Palette) -> None:
    top, bottom = decoration_of(layout).legend
    y, height = (top + bottom) / 2, (bottom - top) * 0.6
    slot = layout.grid.columns / len(load_sheet(layout.name).row_points)
    for index, (count, points) in enumerate(load_sheet(layout.name).row_points.items()):
        middle = (index + 0.5) * slot
        if index:
            _line(pdf, (index * slot, top), (index * slot, bottom), palette.faint, 0.03)
        _lettering(pdf, (middle - 0.95, y), height, str(count), palette.text)
        box = _square((middle - 0.12, y), height * 1.2)
        _rectangle(pdf, box, fill="#ffffff", stroke=palette.ink, width=0.04)
        _cross(pdf, (middle - 0.12, y), height * 0.38, palette.ink, 0.09)
        _arrow(pdf, (middle + 0.82, y), 0.42, palette.note_text)
        _lettering(pdf, (middle + 1.15, y), height, str(points), palette.accent)


def _bonus_boxes(layout: Layout) -> tuple[Box, ...]:
    width, height = layout.fields["box"].size
    return tuple(
        Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        for x, y in layout.fields["box"].centres
    )


def _bonus_panel(layout: Layout) -> Box:
    """The extra-points bar's frame: its boxes, and above them a line of hints."""
    boxes = _bounds(_bonus_boxes(layout))
    return Box(boxes.left - 0.4, boxes.top - 1.25, boxes.right + 0.4, boxes.bottom + 0.35)


def _draw_bonus_hints(pdf: Any, layout: Layout, palette: Palette, area: Box) -> None:
    """Rows finished together -> crosses, as pictures: stacked row bars, then crosses."""
    hints = load_sheet(layout.name).crosses_for_rows.items()
    bar, cross_step, pitch = 1.1, 0.42, 0.16
    widths = [bar + 0.55 + crosses * cross_step for _, crosses in hints]
    gap = (area.width - sum(widths)) / (len(widths) + 1)
    left, y = area.left + gap, (area.top + area.bottom) / 2
    for (rows, crosses), width in zip(hints, widths, strict=True):
        top = y - (rows - 1) * pitch / 2
        for row in range(rows):
            _line(
                pdf,
                (left, top + row * pitch),
                (left + bar, top + row * pitch),
                palette.factor_text,
                0.08,
            )
        _arrow(pdf, (left + bar + 0.42, y), 0.3, palette.note_text)
        for cross in range(crosses):
            x = left + bar + 0.55 + (cross + 0.5) * cross_step
            _cross(pdf, (x, y), 0.14, palette.accent, 0.08)
        left += width + gap


def _draw_bonus_bar(pdf: Any, layout: Layout, palette: Palette) -> None:
    panel = _bonus_panel(layout)
    _rectangle(pdf, panel, fill=palette.panel, stroke=palette.panel_rim, width=0.06, corner=0.4)
    boxes = _bonus_boxes(layout)
    hints = Box(boxes[0].left, panel.top + 0.1, boxes[-1].right, boxes[0].top - 0.1)
    _draw_bonus_hints(pdf, layout, palette, hints)
    for box, value in zip(boxes, load_sheet(layout.name).bonus_values, strict=True):
        _rectangle(pdf, box, fill=palette.bar_ground, stroke=palette.rim, width=0.04)
        centre = ((box.left + box.right) / 2, (box.top + box.bottom) / 2)
        _text(pdf, centre, str(value), 0.42, palette.bar_text)
    beside = (panel.right + decoration_of(layout).screen.right) / 2
    for line, words in enumerate(("the first", "open box", "counts")):
        _text(pdf, (beside, boxes[0].top + 0.42 * (line - 1)), words, 0.34, palette.note_text)


def _energy_panel(layout: Layout) -> Box:
    energy = layout.fields["energy"]
    return _grown(_bounds(_square(centre, 2 * energy.radius) for centre in energy.centres), 0.35)


def _draw_energy_bar(pdf: Any, layout: Layout, palette: Palette) -> None:
    energy, sheet = layout.fields["energy"], load_sheet(layout.name)
    _rectangle(
        pdf,
        _energy_panel(layout),
        fill=palette.bar_ground,
        stroke=palette.panel_rim,
        width=0.06,
        corner=0.5,
    )
    for point, centre in enumerate(energy.centres):
        preprinted = point in sheet.preprinted
        _disc(
            pdf,
            centre,
            energy.radius,
            fill=palette.active_ground if preprinted else palette.point_ground,
            stroke=palette.ink if preprinted else palette.point_rim,
            width=0.12 if preprinted else 0.04,
        )
        if point in sheet.pink_points:
            _cross(pdf, centre, energy.radius * 0.42, palette.bonus_mark, 0.07)
        if point in sheet.labels:
            _text(pdf, centre, sheet.labels[point], energy.radius * 1.2, palette.bar_text)


def _draw_point(pdf: Any, centre: Point, radius: float, palette: Palette, label: str) -> None:
    """An activated energy point."""
    _disc(pdf, centre, radius, fill=palette.active_ground, stroke=palette.ink, width=0.1)
    _text(pdf, centre, label, radius * 1.25, palette.ink)


def _draw_reminders(pdf: Any, layout: Layout, palette: Palette, area: Box) -> None:
    """What energy and bombs are for: pictures side by side, a few words below each."""
    energy, sheet = layout.fields["energy"], load_sheet(layout.name)
    words = ("move one column", "take any block", "skip a block", "left at the end")
    slot = area.width / len(words)
    y = area.top + area.height * 0.38
    move, take, skip, left_over = (area.left + (index + 0.5) * slot for index in range(len(words)))
    for index, line in enumerate(words):
        middle = area.left + (index + 0.5) * slot
        _text(pdf, (middle, area.top + area.height * 0.8), line, 0.36, palette.text)

    _draw_point(pdf, (move - 0.95, y), energy.radius * 1.2, palette, str(sheet.move_cost))
    for direction in (-1, 1):
        _arrow(pdf, (move + 0.55 + direction * 0.85, y), direction * 0.45, palette.accent)
    middle_block = _square((move + 0.55, y), 0.46)
    _rectangle(pdf, middle_block, fill=palette.bar_ground, stroke=palette.ink, width=0.05)

    _draw_point(pdf, (take - 0.65, y), energy.radius * 1.2, palette, str(sheet.any_block_cost))
    side, across = 0.38, 3
    for index, color in enumerate(sheet.blocks):
        row, column = divmod(index, across)
        corner = (take + 0.55 + (column - 1) * side, y + (row - 0.5) * side)
        fill = _mixed(layout.colors[color], palette.brick_tint)
        _brick(pdf, _square(corner, side), fill, palette.ink)

    ground = _square((skip, y), 2.2 * layout.fields["bomb"].radius)
    _rectangle(pdf, ground, fill=palette.bomb_panel, corner=0.2)
    _draw_bomb(pdf, (skip, y - 0.02), layout.fields["bomb"].radius, palette, "", 0.0)

    for index in range(sheet.points_per_score):
        x = left_over - 0.25 - index * 0.85
        _draw_point(pdf, (x, y), energy.radius, palette, "")
    _arrow(pdf, (left_over + 0.68, y), 0.42, palette.note_text)
    _lettering(pdf, (left_over + 1.02, y), 0.5, "1", palette.accent)


def _draw_title(
    pdf: Any,
    layout: Layout,
    area: Box,
    color_of: Callable[[int, int], str],
    rim: str,
) -> None:
    """The game's name in bricks; ``color_of(letter, row)`` gives a brick's colour."""
    title = layout.title.upper()
    height = min(area.height, area.width * LETTER_ROWS / _lettering_width(title))
    centre = ((area.left + area.right) / 2, (area.top + area.bottom) / 2)
    for letter, row, box in _lettering_bricks(centre, height, title):
        _brick(pdf, box, color_of(letter, row), rim)


def _marker_bits(dictionary: str, identity: int) -> list[list[int]]:
    """The marker's squares, border included: rows of 0 (black) and 255 (white)."""
    import cv2  # only the light style needs it, and it is slow to load

    markers = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    side = markers.markerSize + 2
    return [[int(bit) for bit in row] for row in markers.generateImageMarker(identity, side)]


def _draw_markers(pdf: Any, layout: Layout, index: int) -> None:
    markers = layout.markers
    if markers is None:
        return
    for corner, centre in enumerate(markers.centres):
        bits = _marker_bits(
            markers.dictionary, markers.first + len(markers.centres) * index + corner
        )
        black = _square(centre, markers.size)
        _rectangle(pdf, _grown(black, MARKER_QUIET_ZONE), fill="#ffffff")
        _rectangle(pdf, black, fill="#000000")
        bit = markers.size / len(bits)
        # One path for all white squares: no dark hairlines where two of them touch.
        path = pdf.beginPath()
        for row, column in product(range(len(bits)), repeat=2):
            if bits[row][column]:
                path.rect(black.left + column * bit, black.top + row * bit, bit, bit)
        pdf.setFillColor(HexColor("#ffffff"))
        pdf.drawPath(path, fill=1, stroke=0)


def _draw_parts(pdf: Any, layout: Layout, palette: Palette) -> None:
    """All that both styles print."""
    for draw in (
        _draw_grid,
        _draw_circles,
        _draw_multipliers,
        _draw_score_strip,
        _draw_bombs,
        _draw_legend,
        _draw_bonus_bar,
        _draw_energy_bar,
    ):
        draw(pdf, layout, palette)


def _foot(layout: Layout) -> Box:
    """The space for the reminders: below the energy bar, as wide as the screen."""
    screen, top = decoration_of(layout).screen, _energy_panel(layout).bottom
    return Box(screen.left, top + 0.5, screen.right, layout.page.bottom - 0.5)


def _head(layout: Layout) -> Box:
    """The space for the title: above the screen, clear of the markers."""
    screen = decoration_of(layout).screen
    return Box(screen.left + 1.5, layout.page.top + 0.9, screen.right - 1.5, screen.top - 0.9)


# --- the two styles -------------------------------------------------------------------------------


def _draw_light_sheet(pdf: Any, layout: Layout, index: int) -> None:
    palette = LIGHT
    _rectangle(pdf, decoration_of(layout).screen, stroke=palette.panel_rim, width=0.05, corner=0.35)
    colors = [
        _mixed(layout.colors[name], palette.brick_tint) for name in load_sheet(layout.name).blocks
    ]
    _draw_title(
        pdf,
        layout,
        _head(layout),
        lambda letter, row: colors[letter % len(colors)],
        palette.brick_rim,
    )
    _draw_parts(pdf, layout, palette)
    _draw_total_field(pdf, layout, palette)
    _draw_reminders(pdf, layout, palette, _foot(layout))
    _draw_markers(pdf, layout, index)


def _mirrored(points: Iterable[Point], middle: float) -> tuple[Point, ...]:
    """An outline from its right half, points as (half width, y) from top to bottom."""
    right = [(middle + half, y) for half, y in points]
    return (*right, *((2 * middle - x, y) for x, y in reversed(right)))


def _draw_machine(pdf: Any, layout: Layout, palette: Palette) -> None:
    """The arcade machine around screen and bars, in the dark, blocks falling beside it."""
    page, screen = layout.page, decoration_of(layout).screen
    deck_top, deck_bottom = _bonus_panel(layout).top - 0.35, _energy_panel(layout).bottom
    middle = (page.left + page.right) / 2
    narrow, wide = screen.width / 2 + 1.05, _energy_panel(layout).width / 2 + 0.55
    brow, floor = screen.top - 0.5, page.bottom - 0.35
    _rectangle(pdf, page, fill=palette.paper)
    _draw_falling_blocks(pdf, layout, palette)
    machine = (
        (narrow - 0.3, page.top + 0.35),
        (narrow, page.top + 0.65),
        (narrow, deck_top),
        (wide, deck_bottom + 0.45),
        (wide, deck_bottom + 0.75),
        (narrow, deck_bottom + 0.95),
        (narrow, floor - 0.3),
        (narrow - 0.3, floor),
    )
    _polygon(pdf, _mirrored(machine, middle), fill=MACHINE_BODY, stroke=MACHINE_EDGE, width=0.08)
    deck = ((narrow, deck_top), (wide, deck_bottom + 0.45))
    _polygon(pdf, _mirrored(deck, middle), fill=MACHINE_DECK)
    edge = ((wide, deck_bottom + 0.45), (wide, deck_bottom + 0.75))
    _polygon(pdf, _mirrored(edge, middle), fill=palette.panel_rim)
    marquee = Box(middle - narrow + 0.4, page.top + 0.8, middle + narrow - 0.4, brow - 0.15)
    _rectangle(pdf, marquee, fill=palette.panel, stroke=palette.accent, width=0.08, corner=0.3)
    for index, color in enumerate(MACHINE_STRIPES):
        inset = 0.25 + 0.22 * index
        for side in (-1, 1):
            x = middle + side * (narrow - inset)
            _line(pdf, (x, brow + 0.1), (x, deck_top - 0.15), color, 0.09)


def _draw_falling_blocks(pdf: Any, layout: Layout, palette: Palette) -> None:
    """A block of every colour in the night left and right of the machine."""
    page = layout.page
    step = page.height / (len(load_sheet(layout.name).blocks) + 1)
    for index, (color, shapes) in enumerate(load_sheet(layout.name).blocks.items()):
        # The upright shapes are the ones that fit beside the machine.
        cells = max(shapes, key=lambda shape: max(row for row, _ in shape))
        fill = _mixed(layout.colors[color], 0.55, palette.paper)
        x = page.left + 0.72 if index % 2 else page.right - 0.72
        centre = (x, page.top + (index + 0.8) * step)
        _draw_block(pdf, centre, cells, 0.42, fill, palette.faint)


def _draw_arcade_sheet(pdf: Any, layout: Layout, index: int) -> None:
    palette = ARCADE
    _draw_machine(pdf, layout, palette)
    _rectangle(
        pdf,
        decoration_of(layout).screen,
        fill=palette.panel,
        stroke=palette.panel_rim,
        width=0.12,
        corner=0.5,
    )
    _draw_title(
        pdf,
        layout,
        _head(layout),
        lambda letter, row: TITLE_GLOW[row],
        palette.ink,
    )
    _draw_parts(pdf, layout, palette)
    _draw_reminders(pdf, layout, palette, _foot(layout))


def _draw_block(
    pdf: Any, centre: Point, cells: tuple[Cell, ...], side: float, color: str, rim: str
) -> None:
    """A block of the overview, its cells ``side`` sheet cells wide, centred on a point."""
    rows, columns = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
    left, top = centre[0] - columns * side / 2, centre[1] - rows * side / 2
    for row, column in cells:
        x, y = left + column * side, top + row * side
        _brick(pdf, Box(x, y, x + side, y + side), color, rim)


def _draw_overview(pdf: Any, layout: Layout, palette: Palette) -> None:
    """The blocks by colour (a row each) and number (a column each), filling the sheet's page."""
    _rectangle(pdf, layout.page, fill=palette.paper)
    area = _grown(layout.page, -0.9)
    columns = max(len(shapes) for shapes in load_sheet(layout.name).blocks.values())
    die = 1.4
    left, top = area.left + die + 0.5, area.top + die + 0.5
    width = (area.right - left) / columns
    height = (area.bottom - top) / len(load_sheet(layout.name).blocks)
    longest = max(
        max(max(cell) for cell in cells) + 1
        for shapes in load_sheet(layout.name).blocks.values()
        for cells in shapes
    )
    side = min(width, height) / (longest + 0.4)
    for column in range(columns):
        centre = (left + (column + 0.5) * width, area.top + die / 2)
        _disc(pdf, centre, die / 2, fill=palette.bar_ground, stroke=palette.ink, width=0.08)
        _text(pdf, centre, str(column + 1), 0.9, palette.ink)
        if column:
            middle = left + column * width
            for direction in (-1, 1):
                tip = (middle + direction * 0.55, centre[1])
                _arrow(pdf, tip, direction * 0.5, palette.note_text)
    for row, (color, shapes) in enumerate(load_sheet(layout.name).blocks.items()):
        upper, y = top + row * height, top + (row + 0.5) * height
        fill = _mixed(layout.colors[color], palette.brick_tint)
        _line(pdf, (area.left, upper), (area.right, upper), palette.faint, 0.03)
        _rectangle(
            pdf,
            _square((area.left + die / 2, y), die),
            fill=fill,
            stroke=palette.brick_rim,
            width=0.08,
            corner=0.3,
        )
        for column, cells in enumerate(shapes):
            centre = (left + (column + 0.5) * width, y)
            _draw_block(pdf, centre, cells, side, fill, palette.brick_rim)


@dataclass(frozen=True)
class Style:
    draw_sheet: Callable[[Any, Layout, int], None]
    palette: Palette


STYLES: dict[str, Style] = {
    "light": Style(_draw_light_sheet, LIGHT),
    "arcade": Style(_draw_arcade_sheet, ARCADE),
}
"""The styles by name."""


def _draw_cutting_lines(pdf: Any, page_plan: PageLayout) -> None:
    """A dotted line in the middle of the white between two sheets."""
    half_gap = CUTTING_GAP * page_plan.cell / 2
    for (_, top), (right, below) in pairwise(page_plan.origins):
        pdf.saveState()
        pdf.setDash(1, 4)
        _paint(pdf, None, CUTTING_LINE, 0.5)
        if top == below:
            x = right - half_gap
            pdf.line(x, MARGIN, x, page_plan.height - MARGIN)
        else:
            y = page_plan.height - below + half_gap
            pdf.line(MARGIN, y, page_plan.width - MARGIN, y)
        pdf.restoreState()


# --- the file -------------------------------------------------------------------------------------


def _draw_on_page(
    pdf: Any,
    page_plan: PageLayout,
    layout: Layout,
    draw: Callable[[int], None],
) -> None:
    """Call ``draw(index)`` in the sheet frame of every sheet of the page, then end the page."""
    for index, (left, top) in enumerate(page_plan.origins):
        pdf.saveState()
        pdf.translate(left, page_plan.height - top)
        pdf.scale(page_plan.cell, -page_plan.cell)
        pdf.translate(-layout.page.left, -layout.page.top)
        draw(index)
        pdf.restoreState()
    _draw_cutting_lines(pdf, page_plan)
    pdf.showPage()


def sheet_pdf(
    layout: Layout, paper: str = "a4", sheets_per_page: int = 1, style: str = "light"
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
    chosen, page_plan = STYLES[style], page_layout(paper, sheets_per_page, layout)
    buffer = BytesIO()
    pdf = Canvas(buffer, pagesize=(page_plan.width, page_plan.height), invariant=1)
    pdf.setTitle(f"{layout.title}: player sheet")
    pdf.setAuthor("brikks-vision")
    _draw_on_page(pdf, page_plan, layout, lambda index: chosen.draw_sheet(pdf, layout, index))
    _draw_on_page(pdf, page_plan, layout, lambda index: _draw_overview(pdf, layout, chosen.palette))
    pdf.save()
    return buffer.getvalue()


def write_sheet_pdf(
    path: Path,
    layout: Layout,
    paper: str = "a4",
    sheets_per_page: int = 1,
    style: str = "light",
) -> None:
    """Write the printable sheet (see :func:`sheet_pdf`); the file appears whole or not at all.

    Raises
    ------
    UnknownValue
        Unknown paper or style, or neither one nor two sheets a page.
    OutputNotWritable
        The file cannot be written.
    """
    content = sheet_pdf(layout, paper, sheets_per_page, style)
    write_whole(path, content)
