"""Which of the printings that the user has learnt does a sheet show?

All printings of one game share the lattice, so that a sheet is placed by any of them; what stands
beside the grid differs by some tenths of a cell, and the art wholly. Small tiles of the empty sheet
are sought where they should lie, each by its normalised cross-correlation (Lewis 1995), which light
does not change. Of the same printing most tiles are found again; marks spoil some of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import cv2
import numpy as np

from brikks_vision.detect.align import Alignment
from brikks_vision.detect.blank import blank_picture
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.errors import DefinitionDamaged
from brikks_vision.layout import Box, Layout

# Set by hand where no source is named.
# median correlation of tiles. On 118 simulated photos of displaced printings in any art it was 0.71
# to 0.96 with the right printing but for one photo (90 % had 0.78 or more), and 0.73 at most with
# the best of 19 others
MIN_SAME_PRINT = 0.78
MIN_TILE_CONTRAST = 6.0  # grey levels, standard deviation of a tile on which something is printed
PIXELS = 10  # px per cell at which sheets are compared
TILE = 20  # px, side of a tile
REACH = 2  # px by which a tile may lie aside: placements are off by about a tenth of a cell


def with_printing(found: Alignment, image: Image, layouts: Sequence[Layout]) -> Alignment:
    """The alignment with the learnt layout that the sheet shows, or as it is if it shows none.

    Parameters
    ----------
    found : the sheet in the photo, by any layout of its game.
    image : the photo, uint8 BGR (height, width, 3).
    layouts : among which those of the same game and grid that hold an empty sheet are compared.
    """
    best, most_like = found.layout, MIN_SAME_PRINT
    pages: dict[Box, Image] = {}
    for layout in layouts:
        if not is_comparable(layout, found.layout):
            continue
        if layout.page not in pages:
            pages[layout.page] = page_in_photo(image, found.placement, layout.page)
        likeness = print_likeness(pages[layout.page], layout)
        if likeness >= most_like:
            best, most_like = layout, likeness
    return replace(found, layout=best)


def is_comparable(layout: Layout, other: Layout) -> bool:
    """Whether a layout holds an empty sheet, and one with the lattice of the other layout."""
    same = (layout.game, layout.grid) == (other.game, other.grid)
    return layout.blank is not None and layout is not other and same


def page_in_photo(image: Image, placement: Placement, page: Box, pixels: int = PIXELS) -> Image:
    """The page, rectified at ``pixels`` a cell; outside the photo, and only there, it is 0."""
    flat = np.maximum(rectify(image, placement, page, pixels), 1)
    rows, columns = np.mgrid[: flat.shape[0], : flat.shape[1]]
    cells = np.stack([columns.ravel(), rows.ravel()], axis=1) + 0.5
    seen = placement.to_photo(cells / pixels + (page.left, page.top))
    height, width = image.shape[:2]
    inside = ((seen >= 0) & (seen <= (width - 1, height - 1))).all(axis=1)
    flat[~inside.reshape(flat.shape[:2])] = 0
    return flat


def print_likeness(page: Image, layout: Layout) -> float:
    """The median correlation, -1 to 1, of tiles of a layout's empty sheet with those of a page.

    Tiles of which the photo shows nothing and those on which next to nothing is printed do not
    count. 0 where none is left, or where the layout's picture of the empty sheet cannot be read.
    ``page`` : as of `page_in_photo`.
    """
    try:
        blank = blank_picture(layout)
    except DefinitionDamaged:  # the list of learnt sheets tells it
        return 0.0
    if blank is None:
        return 0.0
    height, width = page.shape[:2]
    printed = np.asarray(cv2.resize(blank, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
    last = TILE + REACH
    corners = product(range(REACH, height - last + 1, TILE), range(REACH, width - last + 1, TILE))
    found = [_correlation(page, printed, row, column) for row, column in corners]
    told = [each for each in found if each is not None]
    return float(np.median(told)) if told else 0.0


def _correlation(page: Image, printed: Image, row: int, column: int) -> float | None:
    """The best of a tile within its reach; None for one without print, or outside the photo."""
    tile = printed[row : row + TILE, column : column + TILE]
    around = page[row - REACH : row + TILE + REACH, column - REACH : column + TILE + REACH]
    if tile.std(axis=(0, 1)).mean() < MIN_TILE_CONTRAST or not around.any(axis=2).all():
        return None
    return float(cv2.matchTemplate(around, tile, cv2.TM_CCOEFF_NORMED).max())
