"""The print of a sheet: as a template for the networks, and as the picture of an empty sheet."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.cells import regions_of
from brikks_vision.detect.headers import check_pixels, read_header
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.errors import DefinitionDamaged, PhotoUnreadable
from brikks_vision.layout import Blank, Box, Layout, Point

# The networks were trained with these.
FRACTION_BITS = 4  # fixed-point coordinates of OpenCV, in sixteenths of a pixel
DISC_LEVEL = 120  # grey level of a disc; darker than lines, because marks are drawn over it


@cache
def draw_template(layout: Layout, area: Box, pixels_per_cell: int) -> NDArray[np.uint8]:
    """The lattice in one channel and all other print in a second.

    Returns uint8 (area.height * pixels_per_cell, area.width * pixels_per_cell, 2), 0 where nothing
    is printed, aligned with `brikks_vision.detect.placement.rectify`.
    """
    shape = (round(area.height * pixels_per_cell), round(area.width * pixels_per_cell))
    lattice, places = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
    scale = 1 << FRACTION_BITS

    def fixed(point: Point) -> tuple[int, int]:
        x = (point[0] - area.left) * pixels_per_cell - 0.5
        y = (point[1] - area.top) * pixels_per_cell - 0.5
        return round(x * scale), round(y * scale)

    def line(picture: NDArray[np.uint8], a: Point, b: Point) -> None:
        cv2.line(picture, fixed(a), fixed(b), 255, 1, cv2.LINE_AA, FRACTION_BITS)

    def circle(centre: Point, width: float, level: int, thickness: int) -> None:
        size = round(width / 2 * pixels_per_cell * scale)
        cv2.circle(places, fixed(centre), size, level, thickness, cv2.LINE_AA, FRACTION_BITS)

    def draw(shape: str, width: float, centre: Point, height: float) -> None:
        x, y = centre
        half = width / 2
        if shape == "disc":
            circle(centre, width, DISC_LEVEL, -1)
        elif shape == "ring":
            circle(centre, width, 255, 1)
        elif shape == "bold ring":
            circle(centre, width, 255, 2)
        elif shape == "cross":
            line(places, (x - half, y - half), (x + half, y + half))
            line(places, (x - half, y + half), (x + half, y - half))
        else:
            low, high = fixed((x - half, y - height / 2)), fixed((x + half, y + height / 2))
            cv2.rectangle(places, low, high, 255, 1, cv2.LINE_AA, FRACTION_BITS)

    grid = layout.grid
    for column in range(grid.columns + 1 if grid.rows else 0):
        line(lattice, (column, 0), (column, grid.rows))
    for row in range(grid.rows + 1 if grid.rows else 0):
        line(lattice, (0, row), (grid.columns, row))
    for field in layout.fields.values():
        for centre, kind in zip(field.centres, field.prints, strict=True):
            for drawn, width in field.drawn[kind].items():
                draw(drawn, width, centre, field.size[1])
    template = np.stack([lattice, places], axis=-1)
    template.setflags(write=False)
    return template


BLANK_PIXELS = 32  # px per cell: about what a sheet has that fills a photo 1900 px long
JPEG_QUALITY = 92  # a page of 19 by 27 cells then takes some 150 kB
PART = "blank.picture"


class Pictured(Protocol):
    """A printing that may hold a picture of itself, empty."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def page(self) -> Box:
        """What the picture shows, in cells."""

    @property
    def blank(self) -> Blank | None:
        """The picture; None where the printing was not learnt."""


def take_blank(image: Image, placement: Placement, layout: Layout) -> Blank:
    """The page of an empty sheet that lies there, rectified. ``image`` : uint8 BGR."""
    return encoded(rectify(image, placement, layout.page, BLANK_PIXELS))


def encoded(page: Image) -> Blank:
    """A page with `BLANK_PIXELS` a cell as a blank."""
    options = [
        cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]  # fmt: skip
    _, data = cv2.imencode(".jpg", page, options)
    return Blank(BLANK_PIXELS, data.tobytes())


@lru_cache(maxsize=16)
def blank_picture(layout: Pictured) -> Image | None:
    """The empty sheet or board of a printing; None where that was not learnt.

    Returns uint8 BGR (height, width, 3), as `rectify` of its page with the blank's
    ``pixels_per_cell``: column c shows the sheet at ``page.left + (c + 0.5) / pixels_per_cell``.
    Not to be changed.

    Raises
    ------
    DefinitionDamaged
        The picture cannot be decoded, is too large, or has other sides than the page.
    """
    blank = layout.blank
    if blank is None:
        return None
    scale = blank.pixels_per_cell
    size = round(layout.page.width * scale), round(layout.page.height * scale)
    try:
        header = read_header(blank.picture)
        check_pixels(header.size, 3)
    except PhotoUnreadable:
        raise DefinitionDamaged(layout.name, PART) from None
    if header.size != size or header.format == "heic":
        raise DefinitionDamaged(layout.name, PART)
    try:
        flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
        picture = cv2.imdecode(np.frombuffer(blank.picture, np.uint8), flags)
    except cv2.error:
        picture = None
    if picture is None:
        raise DefinitionDamaged(layout.name, PART)
    picture.setflags(write=False)
    return np.asarray(picture, np.uint8)


# All set by hand on simulated printings.
MIN_FILLED = 0.7  # share of its rectangle that a box fills: a disc fills 0.79
WRITTEN_SIDES = (0.55, 3.6)  # cells, of a printed box for figures, or of a line for them
SAME = 0.3  # cells between the sides of two finds of one box, or of two boxes of one size
MIN_STEP = 0.5  # cells from one box to the next
LINE_WIDTH = 0.2  # cells, the most that a line to write on is thick
MIN_LINE_DEPTH = 8.0  # grey levels by which it is darker or lighter than what is above and below
LINE_FILLED = 0.7  # share of its rectangle
MIN_LINE = 0.9  # cells, its length
SIDE_DEPTH, SIDE_SEEN = 0.4, 0.7  # cells below it, share of them in which a box's sides show
ABOVE_LINE = 0.55  # of its width: the height of what is written on it


def find_boxes(
    flat: Image, area: Box, pixels_per_cell: int, sides: tuple[float, float] = WRITTEN_SIDES
) -> list[Box]:
    """Rectangles that edges surround, in cells. ``flat`` : uint8 BGR, rectified ``area``.

    ``sides`` : the shortest and the longest that a side may be, cells.
    """
    found: list[Box] = []
    low, high = (side * pixels_per_cell for side in sides)
    for regions in regions_of(flat):
        contours, _ = cv2.findContours(regions, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        for contour in contours:
            x, y, width, height = cv2.boundingRect(contour)
            if not low <= min(width, height) <= max(width, height) <= high:
                continue
            if cv2.contourArea(contour) < MIN_FILLED * width * height:
                continue
            left, top = area.left + x / pixels_per_cell, area.top + y / pixels_per_cell
            box = Box(left, top, left + width / pixels_per_cell, top + height / pixels_per_cell)
            found.append(box)
    return _merged(found)


def arranged(
    boxes: Sequence[Box], count: int, columns: Sequence[int], reach: float
) -> list[list[int]]:
    """Sets of ``count`` boxes of one size at equal steps, as their indices in reading order.

    ``columns`` : how many of them may stand in a line; the last line may be shorter. ``reach`` :
    by which places are uneven, cells. What goes on beyond a single line is none.
    """
    seen = np.array([(*box.middle, box.width, box.height) for box in boxes]).reshape(-1, 4)
    numbers, found = np.arange(count), list[list[int]]()
    for first in seen:
        alike = np.flatnonzero(np.abs(seen[:, 2:] - first[2:]).max(axis=1) < SAME)
        away = seen[alike, :2] - first[:2]
        for wide in columns:
            steps = [
                _steps(away, axis, many - 1, reach)
                for axis, many in enumerate((wide, -(-count // wide)))
            ]
            for step in product(*steps):
                places = np.stack([numbers % wide, numbers // wide], axis=1) * step
                off = np.abs(away - places[:, None]).max(axis=2)
                goes_on = np.abs(away - np.array([-places[1], places[-1] + places[1]])[:, None])
                is_line = wide in (1, count)
                if (off.min(axis=1) >= reach).any() or (
                    is_line and (goes_on.max(axis=2) < reach).any()
                ):
                    continue
                found.append(alike[off.argmin(axis=1)].tolist())
    return found


def _steps(away: NDArray[np.float64], axis: int, count: int, reach: float) -> list[float]:
    """Lengths of ``count`` equal steps along an axis that end at some place (N, 2)."""
    if not count:
        return [0.0]
    along = away[np.abs(away[:, 1 - axis]) < reach, axis] / count
    return [float(step) for step in along if step > MIN_STEP]


def find_lines(flat: Image, area: Box, pixels_per_cell: int) -> list[Box]:
    """The boxes above lines that are written on, in cells; arguments as of `find_boxes`.

    The upper side of a box is no such line.
    """
    grey = cv2.GaussianBlur(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), (0, 0), 0.8)
    thick = np.ones((round(LINE_WIDTH * pixels_per_cell), 1), np.uint8)
    straight = np.ones((1, round(MIN_LINE / 2 * pixels_per_cell)), np.uint8)  # no letters
    found: list[Box] = []
    for kind in (cv2.MORPH_BLACKHAT, cv2.MORPH_TOPHAT):
        seen, upright = (
            (cv2.morphologyEx(grey, kind, each) >= MIN_LINE_DEPTH).astype(np.uint8)
            for each in (thick, thick.T)
        )
        seen = np.asarray(cv2.morphologyEx(seen, cv2.MORPH_OPEN, straight), np.uint8)
        _, _, parts, _ = cv2.connectedComponentsWithStats(seen)
        for x, y, width, height, size in parts[1:].tolist():
            wide, high = width / pixels_per_cell, height / pixels_per_cell
            if not (MIN_LINE <= wide <= WRITTEN_SIDES[1] and high <= LINE_WIDTH):
                continue
            below = upright[y + height : y + height + round(SIDE_DEPTH * pixels_per_cell)]
            is_top = all(
                below[:, max(end - len(thick), 0) : end + len(thick)].any(axis=1).mean() > SIDE_SEEN
                for end in (x, x + width)
            )  # of a box
            if size >= LINE_FILLED * width * height and not is_top:
                left, bottom = area.left + x / pixels_per_cell, area.top + y / pixels_per_cell
                tall = max(ABOVE_LINE * wide, WRITTEN_SIDES[0])
                found.append(Box(left, bottom + high / 2 - tall, left + wide, bottom + high / 2))
    return _merged(found)


def _merged(found: list[Box]) -> list[Box]:
    """Boxes that were found several times, once each: the median of their sides."""
    sides = np.array([(box.left, box.top, box.right, box.bottom) for box in found]).reshape(-1, 4)
    boxes = []
    free = np.ones(len(sides), bool)
    for at in range(len(sides)):
        if free[at]:
            same = free & (np.abs(sides - sides[at]).max(axis=1) < SAME)
            free &= ~same
            boxes.append(Box(*(float(side) for side in np.median(sides[same], axis=0))))
    return boxes
