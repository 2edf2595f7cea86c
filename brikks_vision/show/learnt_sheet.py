"""What was learnt of a printing, drawn on the picture of its empty sheet."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.game import BoardLearnt
from brikks_vision.detect.blank import blank_picture
from brikks_vision.games.learning import Learnt
from brikks_vision.layout import Box, Field, Point
from brikks_vision.show.board import draw_board
from brikks_vision.show.fonts import BOLD, font
from brikks_vision.text.languages import texts_in

Image = NDArray[np.uint8]
Color = tuple[int, int, int]  # BGR

PIXELS = 40  # px per cell of the picture
_GRID: Color = (230, 160, 0)
_FIELD: Color = (0, 150, 0)
_FIGURE: Color = (200, 0, 160)
_LABEL: Color = (30, 30, 220)
_HALO: Color = (255, 255, 255)
_SHIFT = 4  # binary places of the coordinates given to the line drawing
_LABEL_HEIGHT = 0.36  # cells


def learnt_text(learnt: Learnt | BoardLearnt, language: str) -> str:
    """What was learnt, in one sentence."""
    words, layout = texts_in(language).report, learnt.layout
    if not isinstance(learnt, Learnt):
        facts = {"game": layout.title, "name": layout.name, "side": learnt.side}
        return words["board_learnt"].format(**facts)
    grid = learnt.layout.grid
    return words["sheet_learnt"].format(
        game=layout.title, name=layout.name, rows=grid.rows, columns=grid.columns
    )


def draw_learnt(learnt: Learnt | BoardLearnt) -> Image:
    """The empty sheet with its grid, its fields and what was read of its print, or the board.

    Returns uint8 BGR: the layout's page at `PIXELS` px per cell, of a board the photo.
    """
    if not isinstance(learnt, Learnt):
        return draw_board(learnt.photo.image, learnt, learnt.labels, learnt.side)
    layout = learnt.layout
    blank = blank_picture(layout)
    page = layout.page
    size = round(page.width * PIXELS), round(page.height * PIXELS)
    if blank is None:
        picture = np.full((size[1], size[0], 3), 255, np.uint8)
    else:
        picture = np.array(cv2.resize(blank, size, interpolation=cv2.INTER_LINEAR), np.uint8)
    grid = layout.grid
    for column in range(grid.columns + 1):
        _box(picture, Box(column, 0, column, grid.rows), page, _GRID)
    for row in range(grid.rows + 1):
        _box(picture, Box(0, row, grid.columns, row), page, _GRID)
    for fields, color in (
        (layout.places, _FIELD),
        ((*layout.figures.values(), *layout.settings.values()), _FIGURE),
    ):
        for field in fields:
            for box in _boxes(field):
                _box(picture, box, page, color)
    for place, text in learnt.labels:
        _label(picture, place, text, page)
    return picture


def _boxes(field: Field) -> list[Box]:
    width, height = field.size
    return [
        Box(x - width / 2, y - height / 2, x + width / 2, y + height / 2) for x, y in field.centres
    ]


def _pixels(place: Point, page: Box) -> tuple[float, float]:
    return (place[0] - page.left) * PIXELS - 0.5, (place[1] - page.top) * PIXELS - 0.5


def _box(picture: Image, box: Box, page: Box, color: Color) -> None:
    low, high = (
        tuple(round(value * (1 << _SHIFT)) for value in _pixels(place, page))
        for place in ((box.left, box.top), (box.right, box.bottom))
    )
    for ink, thickness in ((_HALO, 4), (color, 2)):
        cv2.rectangle(picture, low, high, ink, thickness, cv2.LINE_AA, _SHIFT)


def _label(picture: Image, place: Point, text: str, page: Box) -> None:
    letters = font(round(_LABEL_HEIGHT * PIXELS), BOLD)
    left, top, right, bottom = letters.getbbox(text)
    from PIL import Image as PillowImage
    from PIL import ImageDraw

    mask = PillowImage.new("L", (right - left + 6, bottom - top + 6), 0)
    ImageDraw.Draw(mask).text((3 - left, 3 - top), text, font=letters, fill=255)
    inked = np.asarray(mask, np.uint8)
    halo = cv2.dilate(inked, np.ones((5, 5), np.uint8))
    x, y = _pixels(place, page)
    height, width = inked.shape
    x0, y0 = round(x - width / 2), round(y - height / 2)
    inside = picture[max(y0, 0) : y0 + height, max(x0, 0) : x0 + width]
    rows, columns = slice(max(-y0, 0), None), slice(max(-x0, 0), None)
    for shape, color in ((halo, _HALO), (inked, _LABEL)):
        share = shape[rows, columns][: inside.shape[0], : inside.shape[1], None] / 255
        inside[:] = np.round(inside * (1 - share) + np.array(color) * share)
