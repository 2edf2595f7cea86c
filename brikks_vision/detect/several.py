"""Finds every sheet in a photo that shows several side by side.

One sheet is located first, as in any photo. Closer views are taken only if another sheet of its
size fits beside it and the locator's view of the whole photo shows more than one sheet explains.
Each sheet is then located in a picture of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import MIN_CELL, Alignment, check_frame
from brikks_vision.detect.by_blank import place_by_keypoints, place_by_markers
from brikks_vision.detect.fit import Matches
from brikks_vision.detect.keypoints import SEARCHES, Search
from brikks_vision.detect.locate import OVERVIEW_SIDE, locate
from brikks_vision.detect.locator import LOCATOR_SIZE, VIEW_MARGIN, print_sighting
from brikks_vision.detect.pen import median
from brikks_vision.detect.placement import Image, Placement, Points, apply_homography, shrunk
from brikks_vision.errors import NoSheetFound, PhotoUnreadable
from brikks_vision.layout import Box, Layout

# Set by hand where no source is named.
MAX_SHEETS = 6  # in one photo
# cells, RANSAC's tolerance for the matches of one sheet under one similarity, which ignores the
# perspective
MAX_GROUP_RESIDUAL = 3.0
MIN_GROUP = 8  # matches; fewer are no sheet
MIN_UNEXPLAINED = 4  # matches that belong to no group and so hint at another sheet
MIN_COVERAGE = 0.6  # share of the reading area seen in closer views; less is a part of a sheet
COVERAGE_STEP = 2.0  # cells, side of the squares in which the coverage is counted
MIN_ROOM = 0.75  # of the first sheet's width, free beside it for another one
MIN_SIZE_RATIO = 0.55  # of two sheets in one photo, by length
MAX_OVERLAP = 0.2  # share of a sheet's area; if two sheets share more, they are the same
PART_MARGIN = 0.25  # of the page's size, around a sheet in its own picture
MAX_CLOSER_VIEWS = 96  # of one photo; only sheets too small to be read would need more
CLOSER_SIDE = 2000  # px, longer side of the picture from which closer views are taken
CLOSER_STEP = 0.5  # of a view's side, from one closer view to the next
SMALL_SHEET = 0.4  # of the photo's longer side: the size that is tried if no view shows any sheet
MAX_SIZES = 3  # sizes of sheets that are tried if no sheet was found in the whole photo
UNIT = Box(0.0, 0.0, 1.0, 1.0)  # one cell


@dataclass(frozen=True)
class Glimpse:
    """A sheet as the locator sees it.

    to_photo: (3, 3) affine map, cells to px. seen: share (0 to 1) of the reading area with matches.
    """

    to_photo: NDArray[np.float64]
    seen: float

    def shape(self, box: Box) -> Points:
        """The corners (4, 2), px, of a part of the sheet in the photo."""
        return apply_homography(self.to_photo, np.asarray(box.corners, float))


@dataclass(frozen=True)
class Found:
    """A located sheet, or why it cannot be read. outline: corners (4, 2) of its grid, px."""

    sheet: Alignment | PhotoUnreadable
    outline: Points


def locate_all(
    image: Image,
    layouts: Sequence[Layout],
    rounds: int | None = None,
    searches: Sequence[Search] = SEARCHES,
) -> tuple[Alignment | PhotoUnreadable, ...]:
    """Find all sheets in a photo.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3), upright.
    layouts, rounds, searches : see `locate`; of the first sheet that is found.

    Returns
    -------
    One or more alignments and the errors of other sheets that cannot be read, left to right by the
    centre of their grids.

    Raises
    ------
    NoSheetFound, SheetBackShown, SheetCutOff, SheetTooSmall, SheetTooBlurred
        No sheet of the photo can be read.
    """
    alone = try_to_locate(image, layouts, rounds, searches)
    if isinstance(alone, Alignment) and alone.layout.finder != "network":
        return by_blank_beside(image, alone)
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
        # Locate the first sheet again, too: alone in a picture its markers may show.
        found = locate_apart(image, (first, *others), layouts, layout)
        found.append(Found(alone, _grid_in(alone.placement, layout)))
    else:
        return (alone,)
    return tuple(each.sheet for each in sorted(each_once(found), key=_middle))


def try_to_locate(
    image: Image,
    layouts: Sequence[Layout],
    rounds: int | None = None,
    searches: Sequence[Search] = SEARCHES,
) -> Alignment | PhotoUnreadable:
    """`locate`, with the error returned instead of raised."""
    try:
        return locate(image, layouts, rounds, searches)
    except PhotoUnreadable as error:
        return error


def by_blank_beside(image: Image, first: Alignment) -> tuple[Alignment, ...]:
    """All sheets of one printing, placed by its blank, of which the first was found.

    One after the other in the way of the first, those that were found painted over. Left to right
    as of `locate_all`.
    """
    way = place_by_markers if first.placement.method == "markers" else place_by_keypoints
    found, uncovered = [first], image.copy()
    while len(found) < MAX_SHEETS and has_room_beside(image, first.placement, first.layout):
        last = found[-1]
        page = last.placement.to_photo(np.asarray(last.layout.page.corners, float))
        color = tuple(median(image[::8, ::8].reshape(-1, 3)))
        cv2.fillConvexPoly(uncovered, np.round(page).astype(np.int32), color)
        try:
            other = way(uncovered, [first.layout])
            check_frame(other.placement, image, first.layout)
        except PhotoUnreadable:
            break
        found.append(other)
    return tuple(sorted(found, key=lambda each: _middle_of(_grid_in(each.placement, each.layout))))


def has_room_beside(image: Image, placement: Placement, layout: Layout) -> bool:
    """Whether the photo has room for another sheet of nearly this size beside this one."""
    height, width = image.shape[:2]
    shape = placement.to_photo(np.asarray(layout.marked_area.corners, float))
    left, top = shape.min(axis=0)
    right, bottom = shape.max(axis=0)
    across = MIN_ROOM * min(right - left, bottom - top)
    return bool(max(left, width - right, top, height - bottom) > across)


def sheets_apart(image: Image, layout: Layout, cell: float | None) -> tuple[Glimpse, ...]:
    """All sheets in the photo if the first view hints at several, else none.

    ``cell`` : size of a cell, px, if a sheet was located. Otherwise the sheets may be too small for
    a view of the whole photo, and several sizes are tried.
    """
    # Averaging over whole numbers of pixels is much faster.
    overview, scale = shrunk(image, 1 / max(1, round(max(image.shape[:2]) / OVERVIEW_SIDE)))
    groups, unexplained = group_sheets(_look(overview, _all_of(overview), scale))
    if cell is not None:
        is_hinted = len(groups) > 1 or unexplained >= MIN_UNEXPLAINED
        return look_closer(image, layout, cell) if is_hinted else ()
    guesses = [_cell_size(group) for group in groups[:MAX_SIZES]]
    if not guesses:
        area = layout.reading_area
        guesses = [
            SMALL_SHEET * max(image.shape[:2]) / (VIEW_MARGIN * max(area.width, area.height))
        ]
    sheets = max((look_closer(image, layout, each) for each in guesses), key=len)
    if not sheets:
        return ()
    return look_closer(image, layout, _area(sheets[0].shape(UNIT)) ** 0.5)


def look_closer(image: Image, layout: Layout, cell: float) -> tuple[Glimpse, ...]:
    """All sheets with cells of about ``cell`` px, from closer views that can hold one sheet."""
    finer, scale = shrunk(image, CLOSER_SIDE / max(image.shape[:2]))
    area = layout.reading_area
    views = _views(finer, VIEW_MARGIN * max(area.width, area.height) * cell * scale)
    if len(views) > MAX_CLOSER_VIEWS:
        return ()
    groups, _ = group_sheets(_together([_look(finer, view, scale) for view in views]))
    sheets: list[Glimpse] = []
    for glimpse in (_glimpse(group, layout) for group in groups):
        if (
            glimpse.seen > MIN_COVERAGE
            and all(_are_alike(glimpse, sheet, layout) for sheet in sheets)
            and not any(_share_place(glimpse, sheet, layout) for sheet in sheets)
        ):
            sheets.append(glimpse)
    return tuple(sheets[:MAX_SHEETS])


def group_sheets(seen: Matches) -> tuple[list[Matches], int]:
    """The matches of each sheet, largest group first, and the number of matches left over.

    Sequential RANSAC: the coordinates of neighbouring sheets differ by a sheet's width.
    """
    groups: list[Matches] = []
    while len(groups) < 2 * MAX_SHEETS and len(seen.sheet) >= MIN_GROUP:
        similarity, inliers = cv2.estimateAffinePartial2D(
            seen.photo, seen.sheet, method=cv2.RANSAC, ransacReprojThreshold=MAX_GROUP_RESIDUAL
        )
        if similarity is None or inliers.sum() < MIN_GROUP:
            break
        kept = inliers.ravel().astype(bool)
        groups.append(_part(seen, kept))
        seen = _part(seen, ~kept)
    return groups, len(seen.sheet)


def locate_apart(
    image: Image, sheets: tuple[Glimpse, ...], layouts: Sequence[Layout], layout: Layout
) -> list[Found]:
    """Locate each sheet in a part of the photo in which the other sheets are painted over.

    ``layout`` : the printing that the glimpses are measured in.
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
            found.append(Found(located, sheet.shape(layout.outline)))
    return found


def each_once(found: list[Found]) -> list[Found]:
    """The sheets without those that overlap another one; readable sheets take precedence."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda each: isinstance(each.sheet, PhotoUnreadable)):
        if not any(_overlap(each.outline, other.outline) for other in kept):
            kept.append(each)
    return kept


def _part_with(
    image: Image, sheet: Glimpse, sheets: tuple[Glimpse, ...], layout: Layout
) -> tuple[Image, float, float]:
    """A part of the photo that shows one sheet only, and its left and top, px."""
    height, width = image.shape[:2]
    page = sheet.shape(layout.page)
    margin = PART_MARGIN * (page.max(axis=0) - page.min(axis=0))
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
    part[covered > 0] = median(part[::8, ::8].reshape(-1, 3))
    return part, float(left), float(top)


def _grid_in(placement: Placement, layout: Layout) -> Points:
    return placement.to_photo(np.asarray(layout.outline.corners, float))


def _middle(found: Found) -> tuple[float, float]:
    return _middle_of(found.outline)


def _middle_of(outline: Points) -> tuple[float, float]:
    x, y = outline.mean(axis=0)
    return float(x), float(y)


def _look(image: Image, part: Box, scale: float) -> Matches:
    """The locator's matches in a part of a picture, in px of the photo.

    ``scale`` : px of the picture per px of the photo.
    """
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
    """Squares of ``side`` px that cover a picture, each overlapping the next by half."""
    height, width = image.shape[:2]

    def starts(length: int) -> list[float]:
        count = int(np.ceil(max(0.0, length - side) / (CLOSER_STEP * side))) + 1
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
    rows, columns = int(area.height / COVERAGE_STEP), int(area.width / COVERAGE_STEP)
    at = (group.sheet - (area.left, area.top)) / (area.width, area.height) * (columns, rows)
    inside = ((at >= 0) & (at < (columns, rows))).all(axis=1)
    spots = {(int(x), int(y)) for x, y in at[inside]}
    return Glimpse(np.vstack([affine, [0, 0, 1]]).astype(float), len(spots) / (rows * columns))


def _cell_size(group: Matches) -> float:
    """Estimated side of a cell, px, of a group of matches; at least `MIN_CELL`."""
    similarity, _ = cv2.estimateAffinePartial2D(group.sheet, group.photo, method=cv2.LMEDS)
    size = 0.0 if similarity is None else float(np.hypot(*similarity[:, 0]))
    return max(size, MIN_CELL)


def _fill(picture: NDArray[np.uint8], shape: Points, value: int) -> None:
    cv2.fillConvexPoly(picture, np.round(shape).astype(np.int32), value)


def _area(shape: Points) -> float:
    return max(float(cv2.contourArea(shape.astype(np.float32))), 1.0)


def _are_alike(sheet: Glimpse, other: Glimpse, layout: Layout) -> bool:
    """Whether two sheets are about as large."""
    area = layout.marked_area
    return (
        MIN_SIZE_RATIO**2 < _area(sheet.shape(area)) / _area(other.shape(area)) < MIN_SIZE_RATIO**-2
    )


def _share_place(sheet: Glimpse, other: Glimpse, layout: Layout) -> bool:
    return _overlap(sheet.shape(layout.marked_area), other.shape(layout.marked_area))


def _overlap(shape: Points, other: Points) -> bool:
    """Whether two convex shapes (4, 2) overlap by more than sheets side by side can."""
    shared, _ = cv2.intersectConvexConvex(shape.astype(np.float32), other.astype(np.float32))
    return bool(shared > MAX_OVERLAP * min(_area(shape), _area(other)))
