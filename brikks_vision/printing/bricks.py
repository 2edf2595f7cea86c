"""Letters and blocks built of bricks, in the sheet frame (cells, x right, y down)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from reportlab.pdfgen.canvas import Canvas

from brikks_vision.layout import Box, Cell, Point
from brikks_vision.printing.shapes import draw_rectangle, mixed, set_colors

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
