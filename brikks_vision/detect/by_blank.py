"""Places a sheet whose empty sheet is known by comparing the photo with the picture of that.

For printings that the networks do not know. Small tiles of the empty sheet are sought near where
they should lie, each by its normalised cross-correlation (Lewis 1995), which light does not change;
where they are found corrects the placement and bends it. How like they are tells printings apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import Alignment
from brikks_vision.detect.fit import Matches, fit
from brikks_vision.detect.placement import Image, Placement, Points, rectify
from brikks_vision.detect.template import blank_picture
from brikks_vision.errors import DefinitionDamaged, NoSheetFound
from brikks_vision.layout import Layout

# Set by hand where no source is named.
MIN_TILE_CORRELATION = 0.35  # correlation of a tile that may correct a placement
# upper quartile of the correlations of tiles of a sheet that is placed by its empty sheet; on 36
# photos of such sheets (seed 4101) it was 0.45 or more
MIN_PLACED_LIKENESS = 0.4
MIN_CLEAR_LIKENESS = 0.6  # the same, above which the place of the sheet is clear
# or so many matching keypoints: five sheets full of ink, three of them of another renderer, had 47
# to 135 and less likeness; of 250 photos of other printings (seeds 55221, 91001, 91100) the two
# that were placed had 13 and 19
MIN_CLEAR_KEYPOINTS = 40
PIXELS = 16  # px per cell of the straightened sheet in which tiles are sought
COARSE = 8  # the same, of the first rounds
Round = tuple[int, float, int]
"""Of the search: how many px a tile may be displaced, the stiffness of the bend, px per cell."""
# of a sheet that lies nearly where it should, as most do
FEW_ROUNDS: tuple[Round, ...] = ((3, 0.03, COARSE), (2, 0.01, PIXELS))
# of others
ROUNDS: tuple[Round, ...] = (
    (6, np.inf, COARSE), (4, 0.03, COARSE), (4, 0.01, PIXELS), (2, 0.01, PIXELS)
)  # fmt: skip
MIN_TILE_CONTRAST = 6.0  # grey levels, standard deviation of a tile on which something is printed
# median correlation of tiles. On 118 simulated photos of displaced printings in any art it was 0.71
# to 0.96 with the right printing but for one photo (90 % had 0.78 or more), and 0.73 at most with
# the best of 19 others
MIN_SAME_PRINT = 0.78
COMPARED_REACH = 2  # px by which a tile may lie aside then: placements are off by about a tenth
UNMARKED_QUANTILE = 0.75  # of the correlations that counts: ink spoils most tiles of a full sheet
AROUND_PLACE = 0.25  # cells around a place that marks may reach
MIN_UNMARKED_LIKENESS = 0.75  # their median correlation; 12 sheets in photos had 0.87 to 0.97
MIN_UNMARKED_TILES = 12  # tiles beside all places (title, legend, footer); fewer prove nothing


def settled(
    image: Image, layout: Layout, placement: Placement, rounds: Sequence[Round] | None = None
) -> Alignment:
    """The alignment in which the tiles of the empty sheet are found.

    ``placement`` : plane, of the page, within half a cell. ``rounds`` : None: `FEW_ROUNDS`, and
    where the place is not clear then, `ROUNDS`. The evidence is the correlation of the better
    tiles, or of those on which nobody writes, less one, at most 0.

    Raises
    ------
    NoSheetFound
        What lies there does not look like the empty sheet.
    DefinitionDamaged
        The layout's picture of the empty sheet cannot be decoded.
    """
    if rounds is None:
        with suppress(NoSheetFound):
            found = settled(image, layout, placement, FEW_ROUNDS)
            if found.is_clear:
                return found
        rounds = ROUNDS
    method = placement.method
    for reach, stiffness, pixels in rounds:
        sheet, correlation, aside = seek_tiles(image, placement, layout, reach, pixels)
        good = correlation > MIN_TILE_CORRELATION
        weights = correlation[good] ** 4
        # where a tile is found through the placement that it was sought by
        photo = placement.to_photo(sheet[good] + aside[good])
        placement = fit(Matches(sheet[good], photo, weights), layout.page, method, stiffness)
    likeness = float(np.quantile(correlation, UNMARKED_QUANTILE))
    beside = tiles_of(layout, PIXELS).unmarked
    if beside.sum() >= MIN_UNMARKED_TILES:
        unmarked = float(np.median(correlation[beside]))
        if unmarked >= MIN_UNMARKED_LIKENESS:
            likeness = max(likeness, unmarked)
        elif unmarked < MIN_PLACED_LIKENESS and likeness < MIN_CLEAR_LIKENESS:
            raise NoSheetFound
    if likeness < MIN_PLACED_LIKENESS:
        raise NoSheetFound
    return Alignment(layout, placement, likeness - 1, likeness >= MIN_CLEAR_LIKENESS)


def resettled(image: Image, known: Alignment) -> Alignment:
    """A clear alignment of a coarser photo, settled in a finer one, ``image``."""
    with suppress(NoSheetFound):
        found = settled(image, known.layout, known.placement, FEW_ROUNDS[-1:])
        return replace(found, is_clear=True)
    return known


def with_printing(found: Alignment, image: Image, layouts: Sequence[Layout]) -> Alignment:
    """The alignment with the learnt layout that the sheet shows, or as it is if it shows none.

    Parameters
    ----------
    found : the sheet in the photo, by any layout of its game.
    image : the photo, uint8 BGR (height, width, 3).
    layouts : among which those of the same game and grid that hold an empty sheet are compared. The
        lattice is the same; what stands beside it differs by some tenths of a cell, and the art
        wholly.
    """
    like = {
        layout: print_likeness(image, found.placement, layout)
        for layout in layouts
        if is_comparable(layout, found.layout)
    }
    best = max(like, key=lambda layout: like[layout], default=found.layout)
    return replace(found, layout=best) if like.get(best, 0.0) >= MIN_SAME_PRINT else found


def is_comparable(layout: Layout, other: Layout) -> bool:
    """Whether a layout holds an empty sheet, and one with the lattice of the other layout."""
    same = (layout.game, layout.grid) == (other.game, other.grid)
    return layout.blank is not None and layout is not other and same


def print_likeness(image: Image, placement: Placement, layout: Layout) -> float:
    """The median correlation, -1 to 1, of the tiles of a layout's empty sheet with a placed sheet.

    Marks spoil some of them. 0 where the layout's picture of the empty sheet cannot be read; the
    list of learnt sheets tells it.
    """
    with suppress(NoSheetFound, DefinitionDamaged):
        return float(np.median(seek_tiles(image, placement, layout, COMPARED_REACH, COARSE)[1]))
    return 0.0


@dataclass(frozen=True, eq=False)
class Tiles:
    """Squares of two cells of an empty sheet on which something is printed, a cell apart.

    at: (N, 2) row and column of the top left square cell of the page. corners: (N, 2) where they
    begin on the sheet. blocks: float32 (rows, px, columns, 3 px), the page by cells, beside its
    mean colour. sums: (N, 3) of a tile; energy: (N,), its squared differences from its mean colour.
    unmarked: (N,), whether they lie beside all places of marks, figures and words.
    """

    at: NDArray[np.intp]
    corners: Points
    blocks: NDArray[np.float32]
    sums: NDArray[np.float64]
    energy: NDArray[np.float64]
    unmarked: NDArray[np.bool_]


@lru_cache(maxsize=32)
def tiles_of(layout: Layout, pixels: int) -> Tiles:
    """The tiles of a layout's empty sheet at so many px a cell.

    Raises
    ------
    NoSheetFound
        It has no picture of the empty sheet, or next to nothing is printed there.
    DefinitionDamaged
    """
    printed, side = printed_page(layout), 2 * PIXELS
    rows, columns = (length // PIXELS for length in printed.shape[:2])
    contrasts = [
        [
            printed[y : y + side, x : x + side].std(axis=(0, 1)).mean()
            for x in range(0, (columns - 1) * PIXELS, PIXELS)
        ]
        for y in range(0, (rows - 1) * PIXELS, PIXELS)
    ]
    at = np.argwhere(np.array(contrasts) >= MIN_TILE_CONTRAST)
    if not len(at):
        raise NoSheetFound
    page = printed_page(layout, pixels)[: rows * pixels, : columns * pixels].astype(np.float32)
    page -= page.mean(axis=(0, 1))
    sums, squared = _sums_at(page, at * pixels, 2 * pixels)
    corners = np.asarray(at[:, ::-1] + (layout.page.left, layout.page.top), np.float64)
    return Tiles(
        at,
        corners,
        page.reshape(rows, pixels, columns, 3 * pixels),
        sums,
        squared - (sums**2).sum(axis=-1) / (2 * pixels) ** 2,
        _unmarked(corners, layout),
    )


def _sums_at(
    page: NDArray[np.float32], corners: NDArray[np.intp], side: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The colours (..., 3) of squares of a picture, and all their squares (...), added up.

    ``corners`` : (..., 2), row and column of the top left px.
    """
    squared = np.einsum("yxc,yxc->yx", page, page)
    whole = cv2.integral(np.dstack([page, squared]), sdepth=cv2.CV_64F)
    top, left = corners[..., 0], corners[..., 1]
    low, right = top + side, left + side
    sums = np.asarray(
        whole[low, right] - whole[top, right] - whole[low, left] + whole[top, left], np.float64
    )
    return sums[..., :3], sums[..., 3]


def _unmarked(low: Points, layout: Layout) -> NDArray[np.bool_]:
    """Whether tiles (N,) with these top left corners lie beside all places."""
    high = low + 2
    unmarked = np.ones(len(low), bool)
    boxes = [(box.corners[0], box.corners[2]) for box in (layout.outline, *layout.words.values())]
    for field in (*layout.places, *layout.figures.values(), *layout.settings.values()):
        half, centres = np.array(field.size) / 2, np.array(field.centres)
        boxes += [(tuple(centre - half), tuple(centre + half)) for centre in centres]
    for first, last in np.array(boxes):
        meets = (low < last + AROUND_PLACE) & (high > first - AROUND_PLACE)
        unmarked &= ~meets.all(axis=1)
    return unmarked


def printed_page(layout: Layout, pixels: int = PIXELS) -> Image:
    """The picture of a layout's empty sheet at so many px a cell.

    Raises
    ------
    NoSheetFound
        It has none.
    DefinitionDamaged
    """
    blank = blank_picture(layout)
    if blank is None:
        raise NoSheetFound
    size = round(layout.page.width * pixels), round(layout.page.height * pixels)
    return np.asarray(cv2.resize(blank, size, interpolation=cv2.INTER_AREA), np.uint8)


def seek_tiles(
    image: Image, placement: Placement, layout: Layout, reach: int, pixels: int
) -> tuple[Points, NDArray[np.float64], Points]:
    """Where the tiles of an empty sheet are in a photo.

    ``reach`` : px by which a tile may lie aside in the sheet straightened at ``pixels`` a cell.

    Returns
    -------
    Middles of the tiles (N, 2), cells; correlations (N,), -1 to 1; and by how many cells (N, 2)
    each lies aside.
    """
    tiles = tiles_of(layout, pixels)
    flat = rectify(image, placement, layout.page, pixels).astype(np.float32)
    flat -= flat.mean(axis=(0, 1))
    flat = np.pad(flat, ((reach, reach), (reach, reach), (0, 0)), mode="edge")
    moves = np.arange(2 * reach + 1)
    corners = tiles.at[:, None, None] * pixels + np.stack(np.meshgrid(moves, moves)[::-1], axis=-1)
    sums, squared = _sums_at(flat, corners, 2 * pixels)
    area = (2 * pixels) ** 2
    energy = squared - (sums**2).sum(axis=-1) / area
    together = np.stack([_products(flat, tiles, move) for move in np.ndindex(energy.shape[1:])])
    together = together.T.reshape(energy.shape) - np.einsum("nyxc,nc->nyx", sums, tiles.sums) / area
    surfaces = together / np.sqrt(np.maximum(energy * tiles.energy[:, None, None], 1.0))
    each = np.arange(len(surfaces))
    row, column = np.divmod(surfaces.reshape(len(each), -1).argmax(axis=1), len(moves))
    across = column + _between(surfaces[each, row], column) - reach
    down = row + _between(surfaces[each, :, column], row) - reach
    found = np.asarray(surfaces[each, row, column], np.float64)
    return tiles.corners + 1, found, np.stack([across, down], axis=1) / pixels


def _products(
    flat: NDArray[np.float32], tiles: Tiles, move: tuple[int, ...]
) -> NDArray[np.float64]:
    """The sum (N,) of the products of each tile with what lies there in a picture.

    ``move`` : px down and across from each tile's place to where the picture is compared.
    """
    down, across, color = flat.strides
    pixels = tiles.blocks.shape[1]
    blocks = np.lib.stride_tricks.as_strided(
        flat[move[0] :, move[1] :],
        tiles.blocks.shape,
        (pixels * down, down, pixels * across, color),
    )
    sums = np.einsum("rycx,rycx->rc", tiles.blocks, blocks).astype(np.float64)
    squares = sums[:-1, :-1] + sums[1:, :-1] + sums[:-1, 1:] + sums[1:, 1:]
    row, column = tiles.at.T
    return np.asarray(squares[row, column], np.float64)


def _between(values: NDArray[np.float64], at: NDArray[np.intp]) -> NDArray[np.float64]:
    """The tops (N,) of the parabolas through peaks and their neighbours, px from the peaks.

    ``values`` : (N, places). ``at`` : of the peaks, (N,).
    """
    inner = np.clip(at, 1, values.shape[1] - 2)
    each = np.arange(len(values))
    before, top, after = (values[each, inner + step] for step in (-1, 0, 1))
    bow = before - 2 * top + after
    aside = 0.5 * (before - after) / np.where(bow < 0, bow, -np.inf)
    return np.where(at == inner, np.clip(aside, -0.5, 0.5), 0.0)
