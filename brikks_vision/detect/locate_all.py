"""Finds every sheet of a photo that shows several side by side.

One sheet is looked for first, as in any photo. Only where another one of its size could lie beside
it, and the locator's view of the whole photo shows more front than one sheet explains, the photo
is looked at once more from closer by; each sheet is then found in a picture of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.locate import (
    CLOSER,
    LOCATOR_SIZE,
    OVERVIEW_SIDE,
    SMALLEST_CELL,
    Alignment,
    Matches,
    locate,
    print_sighting,
)
from brikks_vision.detect.placement import Image, Placement, Points, apply_homography, shrunk
from brikks_vision.errors import NoSheetFound, PhotoUnreadable
from brikks_vision.layout import Box, Layout

MOST_SHEETS = 6
SAME_SHEET = 3.0  # cells: how far off a plane, unslanted sheet what is seen of it may lie
FEWEST_SEEN = 8  # positions of the locator's view: fewer are no sheet
HINT = 4  # positions of the first view that one sheet does not explain
LEAST_SEEN = 0.6  # of a sheet's reading area, seen closely: less is a part of a sheet, or none
MOST_VIEWS = 96  # closer ones: more would be needed only for sheets too small to be read
LEAST_ROOM = 0.75  # of the first sheet's width beside it, to look for another one
LIKE_SIZE = 0.55  # of another sheet's size: sheets on one table are no smaller
MOST_OVERLAP = 0.2  # of a sheet's area
MARGIN = 0.25  # of a page's size, around it in its own picture
LOOK_STEP = 0.5  # of a closer view's side, from one to the next
CLOSER_SIDE = 2000  # px: closer views are taken from a picture so large
SPOT = 2.0  # cells: how finely it is counted where a sheet was seen
SMALL_VIEW = 0.4  # of the photo's longer side: where nothing was seen, sheets are that small
UNIT = Box(0.0, 0.0, 1.0, 1.0)  # a cell
MOST_SIZES = 3  # of sheets that are tried where none could be found in the whole photo


@dataclass(frozen=True)
class Glimpse:
    """A sheet as the locator sees it from afar.

    to_photo: (3, 3), cells to px. seen: share (0 to 1) of the reading area where it was seen.
    """

    to_photo: NDArray[np.float64]
    seen: float

    def shape(self, box: Box) -> Points:
        """The corners (4, 2) of a part of the sheet in the photo, px."""
        return apply_homography(self.to_photo, np.asarray(box.corners, float))


@dataclass(frozen=True)
class Found:
    """A sheet that was found, or why it cannot be read. outline: its grid's corners (4, 2), px."""

    sheet: Alignment | PhotoUnreadable
    outline: Points


def locate_all(image: Image, layouts: Sequence[Layout]) -> tuple[Alignment | PhotoUnreadable, ...]:
    """Where the sheets lie in a photo, left to right by the middle of their grids.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3), upright.
    layouts : as of `locate`.

    Returns
    -------
    One or more alignments; beside them, the error of each other sheet that cannot be read.

    Raises
    ------
    NoSheetFound, SheetBackShown, SheetCutOff, SheetTooSmall, SheetTooBlurred
        No sheet of the photo can be read.
    """
    alone = try_to_locate(image, layouts)
    layout = alone.layout if isinstance(alone, Alignment) else layouts[0]
    if isinstance(alone, PhotoUnreadable):
        sheets = sheets_apart(image, layout, None)
        found = locate_apart(image, sheets, layouts, layout) if len(sheets) > 1 else []
        if not any(isinstance(each.sheet, Alignment) for each in found):
            raise alone
    elif has_room_beside(image, alone.placement, layout):
        sheets = sheets_apart(image, layout, alone.placement.cell_size())
        first = Glimpse(alone.placement.homography, 1.0)
        others = [sheet for sheet in sheets if not _share_place(sheet, first, layout)]
        if not others:
            return (alone,)
        found = locate_apart(
            image, (first, *others), layouts, layout
        )  # its markers may be plain now
        found.append(Found(alone, _grid_in(alone.placement, layout)))
    else:
        return (alone,)
    return tuple(each.sheet for each in sorted(each_once(found), key=_middle))


def try_to_locate(image: Image, layouts: Sequence[Layout]) -> Alignment | PhotoUnreadable:
    """Where the sheet lies in a photo, or why it cannot be read."""
    try:
        return locate(image, layouts)
    except PhotoUnreadable as error:
        return error


def has_room_beside(image: Image, placement: Placement, layout: Layout) -> bool:
    """Whether what is read of another sheet of nearly this size would fit beside this one."""
    height, width = image.shape[:2]
    shape = placement.to_photo(np.asarray(layout.marked_area.corners, float))
    left, top = shape.min(axis=0)
    right, bottom = shape.max(axis=0)
    across = LEAST_ROOM * min(right - left, bottom - top)
    return bool(max(left, width - right, top, height - bottom) > across)


def sheets_apart(image: Image, layout: Layout, cell: float | None) -> tuple[Glimpse, ...]:
    """Every sheet in sight where there is a hint of several, else none.

    ``cell``: the size of a cell in the photo, px, if a sheet was found. Where none was, they may be
    too small for a view of the whole photo, and then their size is guessed first.
    """
    # whole numbers of pixels average much faster
    overview, scale = shrunk(image, 1 / max(1, round(max(image.shape[:2]) / OVERVIEW_SIDE)))
    groups, unexplained = group_sheets(_look(overview, _all_of(overview), scale))
    if cell is not None:
        is_hinted = len(groups) > 1 or unexplained >= HINT
        return look_closer(image, layout, cell) if is_hinted else ()
    guesses = [_cell_size(group) for group in groups[:MOST_SIZES]]
    if not guesses:
        area = layout.reading_area
        guesses = [SMALL_VIEW * max(image.shape[:2]) / (CLOSER * max(area.width, area.height))]
    sheets = max((look_closer(image, layout, each) for each in guesses), key=len)
    if not sheets:
        return ()
    return look_closer(image, layout, _area(sheets[0].shape(UNIT)) ** 0.5)


def look_closer(image: Image, layout: Layout, cell: float) -> tuple[Glimpse, ...]:
    """Every sheet in sight of about this size, px a cell, from views that each could hold one."""
    finer, scale = shrunk(image, CLOSER_SIDE / max(image.shape[:2]))
    area = layout.reading_area
    views = _views(finer, CLOSER * max(area.width, area.height) * cell * scale)
    if len(views) > MOST_VIEWS:
        return ()
    groups, _ = group_sheets(_together([_look(finer, view, scale) for view in views]))
    sheets: list[Glimpse] = []
    for glimpse in (_glimpse(group, layout) for group in groups):
        if (
            glimpse.seen > LEAST_SEEN
            and all(_are_alike(glimpse, sheet, layout) for sheet in sheets)
            and not any(_share_place(glimpse, sheet, layout) for sheet in sheets)
        ):
            sheets.append(glimpse)
    return tuple(sheets[:MOST_SHEETS])


def group_sheets(seen: Matches) -> tuple[list[Matches], int]:
    """The matches of each sheet, the most seen first, and how many matches belong to none.

    One sheet after the other by RANSAC: neighbours' coordinates are a sheet's width apart.
    """
    groups: list[Matches] = []
    while len(groups) < 2 * MOST_SHEETS and len(seen.sheet) >= FEWEST_SEEN:
        similarity, inliers = cv2.estimateAffinePartial2D(
            seen.photo, seen.sheet, method=cv2.RANSAC, ransacReprojThreshold=SAME_SHEET
        )
        if similarity is None or inliers.sum() < FEWEST_SEEN:
            break
        kept = inliers.ravel().astype(bool)
        groups.append(_part(seen, kept))
        seen = _part(seen, ~kept)
    return groups, len(seen.sheet)


def locate_apart(
    image: Image, sheets: tuple[Glimpse, ...], layouts: Sequence[Layout], layout: Layout
) -> list[Found]:
    """Each sheet, found in a part of the photo in which the others are painted over.

    ``layout`` : of the print that was seen.
    """
    found = []
    for sheet in sheets:
        part, left, top = _part_with(image, sheet, sheets, layout)
        located = try_to_locate(part, layouts)
        if isinstance(located, Alignment):
            placement = located.placement.moved(left, top)
            outline = _grid_in(placement, located.layout)
            found.append(Found(replace(located, placement=placement), outline))
        elif not isinstance(located, NoSheetFound):
            found.append(Found(located, sheet.shape(layout.grid.box)))
    return found


def each_once(found: list[Found]) -> list[Found]:
    """The sheets without what lies on another one; what can be read comes before what cannot."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda each: isinstance(each.sheet, PhotoUnreadable)):
        if not any(_overlap(each.outline, other.outline) for other in kept):
            kept.append(each)
    return kept


def _part_with(
    image: Image, sheet: Glimpse, sheets: tuple[Glimpse, ...], layout: Layout
) -> tuple[Image, float, float]:
    """A part of the photo that shows one sheet and no other, and where it begins, px."""
    height, width = image.shape[:2]
    page = sheet.shape(layout.page)
    margin = MARGIN * (page.max(axis=0) - page.min(axis=0))
    left, top = np.clip(np.floor(page.min(axis=0) - margin), 0, (width - 1, height - 1)).astype(int)
    right, bottom = np.clip(
        np.ceil(page.max(axis=0) + margin), (left + 1, top + 1), (width, height)
    ).astype(int)
    covered = np.zeros((bottom - top, right - left), np.uint8)
    for other in sheets:
        if other is not sheet:
            _fill(covered, other.shape(layout.page) - (left, top), 1)
    _fill(covered, sheet.shape(layout.marked_area) - (left, top), 0)
    part = image[top:bottom, left:right].copy()
    part[covered > 0] = np.median(part[::8, ::8].reshape(-1, 3), axis=0)
    return part, float(left), float(top)


def _grid_in(placement: Placement, layout: Layout) -> Points:
    return placement.to_photo(np.asarray(layout.grid.box.corners, float))


def _middle(found: Found) -> tuple[float, float]:
    x, y = found.outline.mean(axis=0)
    return float(x), float(y)


def _look(image: Image, part: Box, scale: float) -> Matches:
    """What the locator sees in a part of a picture, in px of the photo ``1 / scale`` as large."""
    left, top = round(part.left), round(part.top)
    longest = max(part.width, part.height)
    cut, by = shrunk(
        image[top : round(part.bottom), left : round(part.right)], LOCATOR_SIZE / longest
    )
    view = np.zeros((LOCATOR_SIZE, LOCATOR_SIZE, 3), np.uint8)
    height, width = min(cut.shape[0], LOCATOR_SIZE), min(cut.shape[1], LOCATOR_SIZE)
    view[:height, :width] = cut[:height, :width]
    seen = print_sighting(view).matches
    return replace(seen, photo=((seen.photo + 0.5) / by + (left, top)) / scale - 0.5)


def _all_of(image: Image) -> Box:
    return Box(0, 0, image.shape[1], image.shape[0])


def _views(image: Image, side: float) -> list[Box]:
    """Squares of ``side`` px, half over each other, that cover a picture."""
    height, width = image.shape[:2]

    def starts(length: int) -> list[float]:
        count = int(np.ceil(max(0.0, length - side) / (LOOK_STEP * side))) + 1
        return [float(start) for start in np.linspace(0, max(0.0, length - side), count)]

    return [
        Box(x, y, min(x + side, width), min(y + side, height))
        for y in starts(height)
        for x in starts(width)
    ]


def _together(parts: list[Matches]) -> Matches:
    return Matches(
        np.concatenate([part.sheet for part in parts]),
        np.concatenate([part.photo for part in parts]),
        np.concatenate([part.weights for part in parts]),
    )


def _part(matches: Matches, kept: NDArray[np.bool_]) -> Matches:
    return Matches(matches.sheet[kept], matches.photo[kept], matches.weights[kept])


def _glimpse(group: Matches, layout: Layout) -> Glimpse:
    affine, _ = cv2.estimateAffine2D(group.sheet, group.photo, method=cv2.LMEDS)
    if affine is None:
        return Glimpse(np.eye(3), 0.0)
    area = layout.reading_area
    rows, columns = int(area.height / SPOT), int(area.width / SPOT)
    at = (group.sheet - (area.left, area.top)) / (area.width, area.height) * (columns, rows)
    inside = ((at >= 0) & (at < (columns, rows))).all(axis=1)
    spots = {(int(x), int(y)) for x, y in at[inside]}
    return Glimpse(np.vstack([affine, [0, 0, 1]]).astype(float), len(spots) / (rows * columns))


def _cell_size(group: Matches) -> float:
    """Side of a cell, px, of a sheet as far as it was seen; at least what can be read."""
    similarity, _ = cv2.estimateAffinePartial2D(group.sheet, group.photo, method=cv2.LMEDS)
    size = 0.0 if similarity is None else float(np.hypot(*similarity[:, 0]))
    return max(size, SMALLEST_CELL)


def _fill(picture: NDArray[np.uint8], shape: Points, value: int) -> None:
    cv2.fillConvexPoly(picture, np.round(shape).astype(np.int32), value)


def _area(shape: Points) -> float:
    return max(float(cv2.contourArea(shape.astype(np.float32))), 1.0)


def _are_alike(sheet: Glimpse, other: Glimpse, layout: Layout) -> bool:
    """Whether two sheets are about as large."""
    area = layout.marked_area
    return LIKE_SIZE**2 < _area(sheet.shape(area)) / _area(other.shape(area)) < LIKE_SIZE**-2


def _share_place(sheet: Glimpse, other: Glimpse, layout: Layout) -> bool:
    return _overlap(sheet.shape(layout.marked_area), other.shape(layout.marked_area))


def _overlap(shape: Points, other: Points) -> bool:
    """Whether two convex shapes (4, 2) share more than sheets that lie side by side could."""
    shared, _ = cv2.intersectConvexConvex(shape.astype(np.float32), other.astype(np.float32))
    return bool(shared > MOST_OVERLAP * min(_area(shape), _area(other)))
