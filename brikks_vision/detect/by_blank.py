"""Places a sheet whose empty sheet is known by comparing the photo with the picture of that.

For printings that the networks do not know. A first placement comes from fiducial markers, or from
keypoints of the picture that are found again in the photo (SIFT: Lowe 2004; homography by MAGSAC++:
Barath et al. 2020). Then small tiles of the empty sheet are sought near where they should lie, by
normalised cross-correlation; where they are found corrects the placement and bends it.
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
from brikks_vision.detect.keypoints import (
    MIN_TILE_CONTRAST,
    SEARCHES,
    Keypoints,
    Search,
    blank_keypoints,
    distinct_matches,
    keypoints_of,
    posed_matches,
)
from brikks_vision.detect.locator import marker_matches
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
# keypoints of one of several printings, and times as many as of another one, that show which it is
MIN_TOLD, MIN_AHEAD = 20, 2.0
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
# the same, of a sheet full of ink that lies nearly where it should: farther aside its tiles are
# like crosses and lines of other cells
NEAR_ROUNDS: tuple[Round, ...] = ((2, np.inf, COARSE), (3, 0.03, PIXELS), (2, 0.03, PIXELS))
# Of a sheet that lies as its keypoints say together: the share of them that are found, how like
# the empty sheet it is, and thirds of the sheet, with so many tiles, in which it must show. Three
# sheets (seed 990173) had 0.13 and 0.86 and more; of 180 other printings eight had up to 0.72.
MIN_POSED_SHARE, MIN_POSED_LIKENESS, PARTS, MIN_PART = 0.1, 0.8, 3, 6

UNMARKED_QUANTILE = 0.75  # of the correlations that counts: ink spoils most tiles of a full sheet
AROUND_PLACE = 0.25  # cells around a place that marks may reach
MIN_UNMARKED_LIKENESS = 0.75  # their median correlation; 12 sheets in photos had 0.87 to 0.97
MIN_UNMARKED_TILES = 12  # tiles beside all places (title, legend, footer); fewer prove nothing


def place_by_markers(image: Image, layouts: Sequence[Layout]) -> Alignment:
    """The sheet that lies where its fiducial markers show.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3), in any turn.
    layouts : those without a blank or without markers are passed over.

    Returns
    -------
    Alignment
        As of `settled`.

    Raises
    ------
    NoSheetFound
    """
    for layout in layouts:
        markers = marker_matches(image, layout.markers) if layout.markers else None
        if markers is not None and layout.blank is not None:
            return settled(image, layout, fit(markers, layout.page, "markers", np.inf))
    raise NoSheetFound


def place_by_keypoints(
    image: Image, layouts: Sequence[Layout], searches: Sequence[Search] = SEARCHES
) -> Alignment:
    """The sheet of which the photo shows most keypoints. Parameters and errors: `place_by_markers`.

    ``searches`` : of them, one after the other.

    A picture of an empty sheet that cannot be decoded is passed over; the list of learnt sheets
    tells it.
    """
    seen: dict[int, Search] = {}
    for search in searches:  # of like ones the last, which gives up last
        seen[min(search.photo_side, max(image.shape[:2]))] = search
    for search in seen.values():
        with suppress(NoSheetFound):
            return _placed_by_keypoints(image, layouts, search)
    raise NoSheetFound


def _placed_by_keypoints(image: Image, layouts: Sequence[Layout], search: Search) -> Alignment:
    photo = keypoints_of(image, search.photo_side, search.most)
    found: list[tuple[int, Layout, Placement]] = []
    for layout in layouts:
        with suppress(NoSheetFound, DefinitionDamaged):
            matches = distinct_matches(photo, blank_keypoints(layout, search))
            placement = fit(matches, layout.page, "keypoints", np.inf)
            found.append((len(matches.sheet), layout, placement))
    found.sort(key=lambda each: -each[0])
    if search.is_coarse and not _is_told(found, layouts):
        raise NoSheetFound
    if found:
        matching, layout, placement = found[0]
        rounds = FEW_ROUNDS if search.is_coarse else None
        with suppress(NoSheetFound):
            placed = settled(image, layout, placement, rounds)
            is_clear = placed.is_clear or matching >= MIN_CLEAR_KEYPOINTS
            if is_clear or not search.is_coarse:
                return replace(placed, is_clear=is_clear)
    if search.is_coarse:
        raise NoSheetFound
    return _placed_by_poses(image, photo, layouts, search)


def _is_told(found: Sequence[tuple[int, Layout, Placement]], layouts: Sequence[Layout]) -> bool:
    """Whether the first of the layouts found, with their numbers of keypoints, is the right one."""
    if len(layouts) == 1 or not found:
        return bool(found)
    second = found[1][0] if len(found) > 1 else 0
    return found[0][0] >= max(MIN_TOLD, MIN_AHEAD * second)


def _placed_by_poses(
    image: Image, photo: Keypoints, layouts: Sequence[Layout], search: Search
) -> Alignment:
    """The sheet that lies as many of its keypoints say together, where hardly one tells alone.

    Raises
    ------
    NoSheetFound
    """
    best: Alignment | None = None
    for layout in layouts:
        with suppress(NoSheetFound, DefinitionDamaged):
            sheet = blank_keypoints(layout, search)
            for matches in posed_matches(photo, sheet):
                if len(matches.sheet) < MIN_POSED_SHARE * len(sheet.points):
                    continue
                placement = fit(matches, layout.page, "keypoints", np.inf)
                with suppress(NoSheetFound):
                    found = settled(image, layout, placement, NEAR_ROUNDS)
                    least = best.evidence if best else MIN_POSED_LIKENESS - 1
                    if found.evidence > least and _shows_everywhere(image, found):
                        best = found
                    break
    if best is None:
        raise NoSheetFound
    return best


def _shows_everywhere(image: Image, found: Alignment) -> bool:
    """Whether the better tiles are like the empty sheet in each third of it, across and down."""
    page = found.layout.page
    sheet, likes, _ = seek_tiles(image, found.placement, found.layout, NEAR_ROUNDS[-1][0], PIXELS)
    shares = (sheet - (page.left, page.top)) / (page.width, page.height)
    parts = [
        likes[np.floor(shares[:, axis] * PARTS) == part] for axis in (0, 1) for part in range(PARTS)
    ]
    return all(
        np.quantile(part, UNMARKED_QUANTILE) >= MIN_PLACED_LIKENESS
        for part in parts
        if len(part) >= MIN_PART
    )


def settled(
    image: Image, layout: Layout, placement: Placement, rounds: Sequence[Round] | None = None
) -> Alignment:
    """The alignment in which the tiles of the empty sheet are found.

    ``placement`` : plane, of the page, within half a cell, with `NEAR_ROUNDS` a quarter. ``rounds``
    : None: `FEW_ROUNDS`, and where the place is not clear then, `ROUNDS`. The evidence is the
    correlation of the better tiles, or of those on which nobody writes, less one, at most 0.

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
