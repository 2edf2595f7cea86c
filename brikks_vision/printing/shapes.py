"""What sheets are drawn with: shapes, letters, styles and captioned fields.

Lengths are in cells, x runs to the right and y down; colours are "#rrggbb". A shape is filled if
``fill`` is given, and outlined, ``width`` cells wide, if ``stroke`` is.

Text in the sheet frame (cells, x right, y down).

Letters and blocks built of bricks, in the sheet frame (cells, x right, y down).

What every layout has: the grid, and captioned fields for the player to write in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from reportlab.lib.colors import HexColor
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from brikks_vision.layout import Box, Cell, Layout, Point


def mixed(color: str, share: float, ground: str = "#ffffff") -> str:
    """``share`` (0 to 1) of a colour, the rest of the ground colour."""
    channels = (
        round(int(color[i : i + 2], 16) * share + int(ground[i : i + 2], 16) * (1 - share))
        for i in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def square(centre: Point, side: float) -> Box:
    """A square around a point."""
    x, y = centre
    return Box(x - side / 2, y - side / 2, x + side / 2, y + side / 2)


def set_colors(
    canvas: Canvas, fill: str | None, stroke: str | None, width: float
) -> dict[str, int]:
    """Set the colours of the next shape, and return the keywords with which to draw it."""
    if fill is not None:
        canvas.setFillColor(HexColor(fill))
    if stroke is not None:
        canvas.setStrokeColor(HexColor(stroke))
        canvas.setLineWidth(width)
    return {"fill": int(fill is not None), "stroke": int(stroke is not None)}


def draw_rectangle(
    canvas: Canvas,
    box: Box,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
    corner: float = 0.0,
) -> None:
    """A rectangle; ``corner``: the radius of its rounded corners."""
    painted = set_colors(canvas, fill, stroke, width)
    canvas.roundRect(box.left, box.top, box.width, box.height, corner, **painted)


def draw_disc(
    canvas: Canvas,
    centre: Point,
    radius: float,
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
) -> None:
    """A circle."""
    canvas.circle(centre[0], centre[1], radius, **set_colors(canvas, fill, stroke, width))


def draw_polygon(
    canvas: Canvas,
    points: Iterable[Point],
    fill: str | None = None,
    stroke: str | None = None,
    width: float = 0.0,
) -> None:
    """A closed polygon."""
    painted = set_colors(canvas, fill, stroke, width)
    path = canvas.beginPath()
    first, *others = points
    path.moveTo(*first)
    for point in others:
        path.lineTo(*point)
    path.close()
    canvas.drawPath(path, **painted)


def draw_line(canvas: Canvas, start: Point, end: Point, color: str, width: float) -> None:
    """A straight line."""
    set_colors(canvas, None, color, width)
    canvas.line(*start, *end)


def draw_cross(canvas: Canvas, centre: Point, reach: float, color: str, width: float) -> None:
    """An X whose arms end ``reach`` cells left, right, above and below its centre."""
    x, y = centre
    draw_line(canvas, (x - reach, y - reach), (x + reach, y + reach), color, width)
    draw_line(canvas, (x - reach, y + reach), (x + reach, y - reach), color, width)


def draw_arrow(canvas: Canvas, tip: Point, length: float, color: str) -> None:
    """A small arrow that ends at ``tip`` and points right, or left if ``length`` is negative."""
    x, y = tip
    head, thickness = length * 0.5, abs(length)
    draw_line(canvas, (x - length, y), (x - head * 0.9, y), color, thickness * 0.2)
    draw_polygon(
        canvas,
        ((x, y), (x - head, y - thickness * 0.36), (x - head, y + thickness * 0.36)),
        fill=color,
    )


@dataclass(frozen=True, kw_only=True)
class Palette:
    """What every sheet is drawn with; a game adds the colours of its own parts.

    Colours are "#rrggbb". paper: the ground. ink: bold outlines. rim: the lines of the grid.
    faint: lines that should not stand out. text, note_text: captions and small notes. accent: what
    should stand out. panel, panel_rim: ground and outline of what is framed. brick_rim: the
    outline of bricks. brick_tint, tint: how much of the layout's colours is left in bricks and
    grounds, 0 to 1. line_share: how much of the layout's line width.
    """

    paper: str
    ink: str
    rim: str
    faint: str
    text: str
    note_text: str
    accent: str
    panel: str
    panel_rim: str
    brick_rim: str
    brick_tint: float
    tint: float
    line_share: float


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


LETTER_ROWS = 5
"""Height of a letter, in bricks."""

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
"""The rows of each letter, with a brick where there is a "#". There are capitals and figures."""


def width_in_bricks(text: str) -> int:
    """Width of a text in bricks, with the space of one brick between letters.

    Raises KeyError for a letter that is not in `LETTERS`.
    """
    return sum(len(LETTERS[letter][0]) + 1 for letter in text) - 1


def bricks_of(centre: Point, height: float, text: str) -> Iterator[tuple[int, int, Box]]:
    """The bricks of a centred text ``height`` cells high.

    Yields the index of a brick's letter in the text, its row (0 at the top) and its place.
    """
    brick = height / LETTER_ROWS
    left, top = centre[0] - width_in_bricks(text) * brick / 2, centre[1] - height / 2
    for index, letter in enumerate(text):
        for row, bricks in enumerate(LETTERS[letter]):
            for column, mark in enumerate(bricks):
                if mark == "#":
                    x, y = left + column * brick, top + row * brick
                    yield index, row, Box(x, y, x + brick, y + brick)
        left += (len(LETTERS[letter][0]) + 1) * brick


def draw_lettering(canvas: Canvas, centre: Point, height: float, text: str, color: str) -> None:
    """A centred text of bricks in one colour, ``height`` cells high."""
    set_colors(canvas, color, None, 0.0)
    # One path for all bricks: no hairlines where two of them touch.
    path = canvas.beginPath()
    for _, _, box in bricks_of(centre, height, text):
        path.rect(box.left, box.top, box.width, box.height)
    canvas.drawPath(path, fill=1, stroke=0)


def draw_brick(canvas: Canvas, box: Box, color: str, rim: str) -> None:
    """A brick with a lighter face, as on an old game screen; ``box`` is square."""
    side = box.width
    draw_rectangle(canvas, box, fill=color, stroke=rim, width=0.06 * side)
    # Nothing is lighter than white, so the face of a white brick is darker.
    face = mixed(color, 0.9, rim) if color == "#ffffff" else mixed(color, 0.78)
    draw_rectangle(canvas, box.grown(-0.22 * side), fill=face, corner=0.06 * side)


def draw_title(
    canvas: Canvas, area: Box, title: str, color_of: Callable[[int, int], str], rim: str
) -> None:
    """A text in bricks, as large as the area allows.

    ``color_of(letter, row)``: the colour of the bricks of that letter (its index in the text) in
    that row of bricks, 0 at the top.
    """
    height = min(area.height, area.width * LETTER_ROWS / width_in_bricks(title))
    centre = ((area.left + area.right) / 2, (area.top + area.bottom) / 2)
    for letter, row, box in bricks_of(centre, height, title):
        draw_brick(canvas, box, color_of(letter, row), rim)


def draw_block(
    canvas: Canvas, centre: Point, cells: tuple[Cell, ...], side: float, color: str, rim: str
) -> None:
    """A block of bricks centred on a point; ``cells``: from 0; ``side``: of a brick."""
    rows, columns = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
    left, top = centre[0] - columns * side / 2, centre[1] - rows * side / 2
    for row, column in cells:
        x, y = left + column * side, top + row * side
        draw_brick(canvas, Box(x, y, x + side, y + side), color, rim)


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
