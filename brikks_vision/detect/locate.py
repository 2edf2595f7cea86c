"""Where sheets lie in a photo, and whether a photo shows any sheet at all.

Finders propose: a printing, and a plane in which it may lie. Proposals come from fiducial markers,
from the print that the networks know, and from keypoints of learnt empty sheets, the cheapest
first. Each is refined, by the print or by tiles of its empty sheet, and the first one counts whose
place is clear then; if none is, the one for which most speaks. Further sheets are sought after
those that were found are painted over.

A grid is one of cells (`brikks_vision.detect.cells`), a page a quadrangle with print on it. Both
count where they lie wholly in the photo: of what goes on beyond its edge too little shows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain, islice

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import (
    MIN_EVIDENCE,
    Alignment,
    Proposal,
    align,
    flaw_of,
    is_out_of_sight,
    unseen,
)
from brikks_vision.detect.by_blank import MIN_CLEAR_KEYPOINTS, settled, with_printing
from brikks_vision.detect.cells import find_grids, regions_of
from brikks_vision.detect.fit import consensus, fit
from brikks_vision.detect.keypoints import SEARCHES, Search, keypoint_proposals
from brikks_vision.detect.locator import find_print, marker_matches, views
from brikks_vision.detect.pen import median
from brikks_vision.detect.placement import Image, Placement, Points, apply_homography, shrunk
from brikks_vision.errors import NoSheetFound, PhotoUnreadable
from brikks_vision.layout import Box, Layout

# Set by hand where no source is named.
# px, about the longer side of the photo in which sheets are sought; enough for the markers and the
# locator
OVERVIEW_SIDE = 1000
# how many planes of one round of views are refined, those with the most matches first
MAX_FOLLOWED = 2
# share of the locator's matches that must agree with one plane, else the sheet is more likely of
# another printing, and is sought by its empty sheet first. All of 15 good photos of the print (seed
# 1001) had 0.97 and more, 56 of 60 hard ones 0.93 and more, all of 31 of other printings (seeds
# 4711, 8801) 0.91 and less
MIN_AGREEING = 0.93
MAX_SHEETS = 6  # in one photo
MIN_ROOM = 0.75  # of the first sheet's width, free beside it for another one
MAX_OVERLAP = 0.2  # share of a sheet's area; if two sheets share more, they are the same

Round = Iterator[Sequence[Proposal | PhotoUnreadable]]
"""Proposals that are worth the same effort; those of one sequence are rivals for one sheet. An
error tells why a view shows no sheet."""


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
        that one of them gives, see `align`; None: all.
    searches : by keypoints, one after the other.

    Returns
    -------
    The layout and its placement in the photo, with the evidence for it.

    Raises
    ------
    NoSheetFound, SheetBackShown, SheetCutOff, SheetTooSmall, SheetTooBlurred
    """
    found = _seek(image, layouts, rounds, searches)
    if found.flaw is not None:
        raise found.flaw
    return found


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


def locate_all(
    image: Image,
    layouts: Sequence[Layout],
    rounds: int | None = None,
    searches: Sequence[Search] = SEARCHES,
) -> tuple[Alignment | PhotoUnreadable, ...]:
    """Find all sheets in a photo, one after the other, those that were found painted over.

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
    found = [_seek(image, layouts, rounds, searches)]
    shown, first = image.copy(), found[0]
    sought = (
        [layout for layout in layouts if layout.finder == "network"]
        if first.layout.finder == "network"
        else [first.layout]
    )
    while len(found) < MAX_SHEETS and has_room_beside(image, first.placement, first.layout):
        page = found[-1].placement.to_photo(np.asarray(found[-1].layout.page.corners, float))
        color = tuple(median(image[::8, ::8].reshape(-1, 3)))
        cv2.fillConvexPoly(shown, np.round(page).astype(np.int32), color)
        try:
            other = _seek(shown, sought, 1, searches)
        except PhotoUnreadable:
            break
        if any(_overlap(_grid_of(other), _grid_of(each)) for each in found):
            break
        found.append(other)
    if all(each.flaw for each in found) and first.flaw:
        raise first.flaw
    left_to_right = sorted(found, key=lambda each: tuple(_grid_of(each).mean(axis=0)))
    return tuple(each.flaw or each for each in left_to_right)


def has_room_beside(image: Image, placement: Placement, layout: Layout) -> bool:
    """Whether the photo has room for another sheet of nearly this size beside this one."""
    height, width = image.shape[:2]
    shape = placement.to_photo(np.asarray(layout.marked_area.corners, float))
    left, top = shape.min(axis=0)
    right, bottom = shape.max(axis=0)
    across = MIN_ROOM * min(right - left, bottom - top)
    return bool(max(left, width - right, top, height - bottom) > across)


def _grid_of(found: Alignment) -> Points:
    return found.placement.to_photo(np.asarray(found.layout.outline.corners, float))


def _overlap(shape: Points, other: Points) -> bool:
    """Whether two convex shapes (4, 2) overlap by more than sheets side by side can."""
    one, two = shape.astype(np.float32), other.astype(np.float32)
    shared, _ = cv2.intersectConvexConvex(one, two)
    return bool(shared > MAX_OVERLAP * min(cv2.contourArea(one), cv2.contourArea(two)))


def _seek(
    image: Image, layouts: Sequence[Layout], rounds: int | None, searches: Sequence[Search]
) -> Alignment:
    """The sheet for which most speaks, with what keeps it from being read.

    Raises
    ------
    PhotoUnreadable
        Why no sheet is seen: as the first round of proposals tells it, for closer views take many
        things for sheets.
    """
    best: Alignment | None = None
    problem: PhotoUnreadable = NoSheetFound()
    for number, of_round in enumerate(proposals(image, layouts, rounds, searches)):
        if number == 1 and not shows_lines(image):
            break
        for rivals in of_round:
            for each in rivals:
                found = each if isinstance(each, PhotoUnreadable) else refined(image, each, rounds)
                if isinstance(found, Alignment):
                    best = found if best is None else max(best, found, key=_worth)
                elif number == 0 and type(problem) is NoSheetFound:
                    problem = found
            if best is not None and best.is_clear:
                break
        # on curled paper the bend may go wrong, which another view may show; not what is blurred
        if best is not None and (number or best.is_clear or best.flaw):
            break
    if best is None:
        raise problem
    known = [layout for layout in layouts if layout.finder == "network"]
    return with_printing(best, image, known) if best.layout in known else best


def _worth(found: Alignment) -> tuple[bool, float]:
    return found.is_clear, found.evidence


def refined(image: Image, proposal: Proposal, rounds: int | None) -> Alignment | PhotoUnreadable:
    """Where the sheet of a proposal lies exactly, and what keeps it from being read there.

    An error where too little speaks for a sheet there: why.
    """
    layout, plane = proposal.layout, proposal.placement
    try:
        if layout.finder != "network":
            found = settled(image, layout, plane)
            is_clear = found.is_clear or proposal.support >= MIN_CLEAR_KEYPOINTS
            if proposal.is_coarse and not is_clear:
                return NoSheetFound()
            found = replace(found, is_clear=is_clear)
        else:
            found = align(image, plane, layout, rounds)
            if found.evidence < MIN_EVIDENCE:
                return NoSheetFound() if _is_another(proposal) else unseen(found, plane, image)
    except PhotoUnreadable as error:
        return error
    return replace(found, flaw=flaw_of(found, image))


def _is_another(proposal: Proposal | PhotoUnreadable) -> bool:
    """Whether what shows is more likely of another printing, see `MIN_AGREEING`."""
    return isinstance(proposal, Proposal) and proposal.agreeing < MIN_AGREEING


def proposals(
    image: Image, layouts: Sequence[Layout], rounds: int | None, searches: Sequence[Search]
) -> Iterator[Round]:
    """Where sheets may lie, the cheapest round first; parameters as of `locate`."""
    known = [layout for layout in layouts if layout.finder == "network"]
    others = [layout for layout in layouts if layout.finder != "network"]
    # Averaging over whole numbers of pixels is much faster.
    overview, scale = shrunk(image, 1 / max(1, round(max(image.shape[:2]) / OVERVIEW_SIDE)))
    in_views = (
        _by_print(overview, scale, known, of_round)
        for of_round in islice(views(*overview.shape[1::-1]), rounds if known else 0)
    )
    # of like searches the last, which gives up last
    alike = {
        min(each.photo_side, max(image.shape[:2])): each for each in searches if others
    }.values()

    def cheapest() -> Round:
        yield from _by_markers(overview, scale, known)
        by_print = [*next(in_views, iter(()))]
        is_another = bool(others) and any(map(_is_another, chain(*by_print)))
        yield from () if is_another else by_print
        yield from _by_markers(image, 1.0, others)
        yield from (keypoint_proposals(image, others, each) for each in alike if each.is_coarse)
        yield from by_print if is_another else ()

    yield cheapest()
    yield from in_views
    for search in (each for each in alike if not each.is_coarse):
        yield iter([keypoint_proposals(image, others, search)])


def _by_markers(image: Image, scale: float, layouts: Sequence[Layout]) -> Round:
    """``scale`` : px of the picture per px of the photo."""
    for layout in layouts:
        markers = marker_matches(image, layout.markers) if layout.markers else None
        if markers is not None:
            is_known = layout.finder == "network"
            area = layout.reading_area if is_known else layout.page
            with suppress(NoSheetFound):
                plane = fit(markers, area, "markers", np.inf)
                if not is_out_of_sight(plane, image, layout):
                    yield [Proposal(layout, plane.scaled(1 / scale))]


def _by_print(
    image: Image, scale: float, layouts: Sequence[Layout], of_round: Sequence[NDArray[np.float64]]
) -> Round:
    """By the print in a round of views; the error of each that shows none.

    Only those with the most matches: matches with something else agree with no plane.
    """
    layout = next((each for each in layouts if each.markers is None), layouts[0])
    found: list[Proposal] = []
    for to_view in of_round:
        try:
            matches = find_print(image, layout, to_view)
            inliers = consensus(matches)
            plane = fit(inliers, layout.reading_area, "lattice", np.inf)
        except PhotoUnreadable as error:
            yield [error]
            continue
        if is_out_of_sight(plane, image, layout):
            yield [NoSheetFound()]
        else:
            count = len(inliers.sheet)
            agreeing = count / len(matches.sheet)
            found.append(Proposal(layout, plane.scaled(1 / scale), count, agreeing))
    found.sort(key=lambda each: -each.support)
    yield from ([each] for each in found[:MAX_FOLLOWED])


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
