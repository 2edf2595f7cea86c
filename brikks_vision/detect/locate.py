"""Where one sheet lies in a photo, and whether a photo shows any sheet at all.

Finds the sheet in a photo: by its fiducial markers, else by its print.

Both ways give matched points (sheet, photo). A plane is fitted to them, and the aligner, which sees
the sheet through that placement, corrects it. Sheets whose print the networks do not know are found
and placed by their blank (`brikks_vision.detect.by_blank`).

A grid is one of cells (`brikks_vision.detect.cells`), a page a quadrangle with print on it. Both
count where they lie wholly in the photo: of what goes on beyond its edge too little shows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import (
    MAX_SETTLED_SHIFT,
    MIN_EVIDENCE,
    Alignment,
    align,
    check_frame,
    is_blurred,
    is_out_of_sight,
    unseen,
)
from brikks_vision.detect.by_blank import place_by_keypoints, place_by_markers
from brikks_vision.detect.cells import find_grids, regions_of
from brikks_vision.detect.fit import consensus, fit, keypoints
from brikks_vision.detect.keypoints import SEARCHES, Search, with_printing
from brikks_vision.detect.locator import find_print, marker_matches, square_view, views
from brikks_vision.detect.placement import (
    Image,
    Placement,
    Points,
    apply_homography,
    max_shift,
    shrunk,
)
from brikks_vision.errors import NoSheetFound, PhotoUnreadable, SheetTooBlurred
from brikks_vision.layout import Box, Layout

# All set by hand.
GRID_SIDE, PAGE_SIDE, LINES_SIDE = 800, 400, 500  # px, longer side of the pictures
MIN_PAGE_AREA = 0.1  # share of the photo
MIN_PAGE_FILLED = 0.9  # share of its quadrangle, as curled paper fills
CORNER = 0.03  # of a page's outline: what is shorter than that is no side of it
MIN_PRINTED = 15  # things that are printed on a page, or written
MIN_LINE, MIN_LINES = 0.06, 4  # of the longer side, of a straight line; how many a sheet shows


def shows_lines(image: Image) -> bool:
    """Whether a photo has any straight lines. Every printed sheet shows some; noise shows none."""
    grey = cv2.cvtColor(_small(image, LINES_SIDE), cv2.COLOR_BGR2GRAY)
    found = cv2.createLineSegmentDetector().detect(grey)[0]
    if found is None:
        return False
    lines = np.asarray(found, np.float64).reshape(-1, 2, 2)
    long = np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1) >= MIN_LINE * max(grey.shape)
    return bool(long.sum() >= MIN_LINES)


def shows_grid(image: Image) -> bool:
    """Whether the grid of any game lies in a photo, with room for a cell more around it."""
    for grid in find_grids(image, (GRID_SIDE,)):
        plane, _ = cv2.findHomography(grid.cells, grid.photo, 0)
        around = Box(0.0, 0.0, float(grid.columns), float(grid.rows)).grown(1.0)
        if _lies_in(apply_homography(plane, np.array(around.corners)), image):
            return True
    return False


def shows_page(image: Image) -> bool:
    """Whether a page with something printed on it lies in a photo."""
    small = _small(image, PAGE_SIDE)
    for regions in regions_of(small):
        outlines, _ = cv2.findContours(regions, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_SIMPLE)
        middles = np.array([each.mean(axis=(0, 1)) for each in outlines])
        for outline in outlines:
            hull = cv2.convexHull(outline)
            size = cv2.contourArea(outline)
            if size < MIN_PAGE_AREA * regions.size or not _lies_in(
                np.asarray(hull[:, 0], np.float64), small
            ):
                continue
            page = cv2.approxPolyDP(hull, CORNER * cv2.arcLength(hull, True), True)
            if len(page) != 4 or size < MIN_PAGE_FILLED * cv2.contourArea(page):
                continue
            on_it = [
                cv2.pointPolygonTest(page, (float(x), float(y)), False) > 0 for x, y in middles
            ]
            if sum(on_it) > MIN_PRINTED:
                return True
    return False


def _small(image: Image, side: int) -> Image:
    return shrunk(image, min(1.0, side / max(image.shape[:2])))[0]


def _lies_in(points: Points, image: Image) -> bool:
    height, width = image.shape[:2]
    return bool((points > 1).all() and (points < (width - 2, height - 2)).all())


# Set by hand where no source is named.
# px, about the longer side of the photo in which sheets are located; enough for the markers and
# the networks
OVERVIEW_SIDE = 1000
# how many first placements of one round of views are aligned, those with the most inliers first
MAX_FOLLOWED = 2
OTHER_TURNS = (90, 180)  # degrees, the views from which an unclear sheet is placed again
# cells; a placement farther than this from a known one is of another sheet
MAX_SAME_SHEET_SHIFT = 3.0

# share of the locator's matches that must agree with one plane, else the sheet is more likely of
# another printing, and is sought by its empty sheet before the aligner tries. All of 15 good photos
# of the print (seed 1001) had 0.97 and more, 56 of 60 hard ones 0.93 and more, all of 31 of other
# printings (seeds 4711, 8801) 0.91 and less
MIN_AGREEING = 0.93


@dataclass(frozen=True)
class First:
    """A candidate layout and where it may lie, as a plane.

    inliers: how many of the locator's matches agree with it; agreeing: their share of all, 0 to 1.
    """

    layout: Layout
    placement: Placement
    inliers: int = 0
    agreeing: float = 1.0


def locate(
    image: Image,
    layouts: Sequence[Layout],
    rounds: int | None = None,
    searches: Sequence[Search] = SEARCHES,
) -> Alignment:
    """Find one sheet in a photo.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3), upright or not.
    layouts : the candidate printings, one at least. Of those that the networks know, the first one
        without markers is found by its print, or the first one if all have markers; of learnt ones
        the one that the sheet shows is told, see `with_printing`.
    rounds : of views in which the print is sought, see `views`, and of the search around the place
        that one of them gives, see `align`; None: all. With 1 an unclear sheet is not placed again
        from other views either.
    searches : see `place_by_keypoints`.

    Returns
    -------
    The layout and its placement in the photo, with the evidence for it.

    Raises
    ------
    NoSheetFound, SheetBackShown, SheetCutOff, SheetTooSmall, SheetTooBlurred
    """
    # Averaging over whole numbers of pixels is much faster.
    overview, scale = shrunk(image, 1 / max(1, round(max(image.shape[:2]) / OVERVIEW_SIDE)))
    known = [layout for layout in layouts if layout.finder == "network"]
    others = [layout for layout in layouts if layout.finder != "network"]
    unsought = others
    problems: list[PhotoUnreadable] = []
    view_problems = 0
    for first in first_placements(overview, known, rounds):
        is_another = isinstance(first, First) and first.agreeing < MIN_AGREEING
        found = None if unsought and is_another else _try_to_align(first, overview, rounds)
        if unsought and not (isinstance(found, Alignment) and found.is_clear):
            # what the networks know shows clearly in the first view mostly
            with suppress(NoSheetFound):
                return _by_blank(place_by_markers, image, unsought)
            with suppress(NoSheetFound):
                return _plainly_by_keypoints(image, unsought, searches)
            if all(layout.markers is None for layout in unsought):  # all were sought coarsely
                searches = [search for search in searches if not search.is_coarse]
            unsought = []
        found = found or _try_to_align(first, overview, rounds)
        if isinstance(found, PhotoUnreadable):
            if not problems and not shows_lines(overview):
                raise found
            problems.append(found)
            view_problems += not _is_by_markers(first)
            continue
        if is_blurred(found.placement, overview):
            raise SheetTooBlurred  # Other views would show the same sheet.
        # If the first view failed, others have been tried already.
        if not found.is_clear and not view_problems and rounds != 1:
            found = _clearer(found, overview)
        found = found.scaled(1 / scale)
        check_frame(found.placement, image, found.layout)
        return with_printing(found, image, known)
    try:
        return locate_by_blank(image, others, searches)
    except NoSheetFound:
        # The first view shows the whole photo; closer ones take many things for sheets.
        raise problems[0] if problems else NoSheetFound from None


def locate_by_blank(
    image: Image, layouts: Sequence[Layout], searches: Sequence[Search] = SEARCHES
) -> Alignment:
    """One sheet of a printing that the networks do not know. Parameters: as of `locate`.

    Raises
    ------
    NoSheetFound, SheetCutOff, SheetTooSmall
    """
    others = [layout for layout in layouts if layout.finder != "network"]
    by_keypoints = partial(place_by_keypoints, searches=searches)
    for way in (place_by_markers, by_keypoints) if others else ():
        with suppress(NoSheetFound):
            return _by_blank(way, image, others)
    raise NoSheetFound


def _plainly_by_keypoints(
    image: Image, layouts: Sequence[Layout], searches: Sequence[Search]
) -> Alignment:
    """The sheet of those without markers that coarse keypoints show plainly.

    That takes a tenth of the time of further views, which it spares.

    Raises
    ------
    NoSheetFound, SheetCutOff, SheetTooSmall
    """
    unmarked = [layout for layout in layouts if layout.markers is None]
    coarse = [search for search in searches if search.is_coarse] if unmarked else []
    return _by_blank(partial(place_by_keypoints, searches=coarse), image, unmarked)


def _by_blank(
    way: Callable[[Image, Sequence[Layout]], Alignment], image: Image, layouts: Sequence[Layout]
) -> Alignment:
    """The sheet that one of the ways of `brikks_vision.detect.by_blank` finds.

    Raises
    ------
    NoSheetFound, SheetCutOff, SheetTooSmall
    """
    found = way(image, layouts)
    check_frame(found.placement, image, found.layout)
    return found


def _try_to_align(
    first: First | PhotoUnreadable, image: Image, rounds: int | None
) -> Alignment | PhotoUnreadable:
    """The alignment of a first placement, or why there is none."""
    if isinstance(first, PhotoUnreadable):
        return first
    try:
        alignment = align(image, first.placement, first.layout, rounds)
    except PhotoUnreadable as error:
        return error
    if alignment.evidence < MIN_EVIDENCE:
        is_another = first.agreeing < MIN_AGREEING
        return NoSheetFound() if is_another else unseen(alignment, first.placement, image)
    return alignment


def _is_by_markers(first: First | PhotoUnreadable) -> bool:
    return isinstance(first, First) and first.placement.method == "markers"


def _clearer(known: Alignment, image: Image) -> Alignment:
    """The best of a known alignment and those from other views of the same sheet.

    On curled paper the bend may converge to a wrong place, and the evidence shows it. Stop once a
    view leads to the known place: the next one would mostly lead there, too.
    """
    layout = known.layout
    height, width = image.shape[:2]
    for turn in OTHER_TURNS:
        view = square_view((width / 2, height / 2), max(width, height), turn)
        with suppress(PhotoUnreadable):
            found = align(image, print_placement(image, layout, view).placement, layout)
            check_frame(found.placement, image, layout)
            moved = max_shift(keypoints(layout), known.placement, found.placement)
            better = (found.is_clear, found.evidence) > (known.is_clear, known.evidence)
            if better and moved < MAX_SAME_SHEET_SHIFT:
                known = found
            if known.is_clear or moved < MAX_SETTLED_SHIFT:
                break
    return known


def first_placements(
    image: Image, layouts: Sequence[Layout], rounds: int | None
) -> Iterator[First | PhotoUnreadable]:
    """Candidate layouts and plane placements: by markers, then by the print in several views.

    Yields the error of each view that shows no sheet. Of one round of views only the placements
    with the most inliers are yielded: matches with something else agree with no plane.
    """
    for marked in layouts:
        markers = marker_matches(image, marked.markers) if marked.markers else None
        if markers is not None:
            with suppress(NoSheetFound):
                placement = fit(markers, marked.reading_area, "markers", np.inf)
                if not is_out_of_sight(placement, image, marked):
                    yield First(marked, placement)
    if not layouts:
        return
    layout = next((each for each in layouts if each.markers is None), layouts[0])
    for of_round in islice(views(image.shape[1], image.shape[0]), rounds):
        found: list[First] = []
        for to_view in of_round:
            try:
                first = print_placement(image, layout, to_view)
            except PhotoUnreadable as error:
                yield error
                continue
            if is_out_of_sight(first.placement, image, layout):
                yield NoSheetFound()
            else:
                found.append(first)
        found.sort(key=lambda each: -each.inliers)
        yield from found[:MAX_FOLLOWED]


def print_placement(image: Image, layout: Layout, to_view: NDArray[np.float64]) -> First:
    """The plane placement by one view.

    Raises
    ------
    NoSheetFound, SheetBackShown
    """
    matches = find_print(image, layout, to_view)
    inliers = consensus(matches)
    placement = fit(inliers, layout.reading_area, "lattice", np.inf)
    count = len(inliers.sheet)
    return First(layout, placement, count, count / len(matches.sheet))
