"""Finds the sheet in a photo: by its fiducial markers, else by its print.

Both ways give matched points (sheet, photo). A plane is fitted to them, and the aligner, which sees
the sheet through that placement, corrects it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from brikks_vision.detect.align import LEAST_EVIDENCE, SETTLED, Alignment, align
from brikks_vision.detect.features import keypoints
from brikks_vision.detect.fit import consensus, fit
from brikks_vision.detect.locator import find_print, square_view, views
from brikks_vision.detect.markers import marker_matches
from brikks_vision.detect.outlying import check_frame, is_blurred, is_out_of_sight, unseen
from brikks_vision.detect.placement import Image, Placement, most_moved, shrunk
from brikks_vision.errors import NoSheetFound, PhotoUnreadable, SheetTooBlurred
from brikks_vision.layout import Layout

MOST_FOLLOWED = 2  # first placements by several views that are followed up
OTHER_TURNS = (90, 180)  # degrees, of views from which a sheet is placed anew
SAME_PLACE = 3.0  # cells: farther off lies another sheet
OVERVIEW_SIDE = 1000  # px: large enough for markers and the locator's views


def locate(image: Image, layouts: Sequence[Layout]) -> Alignment:
    """Which sheet lies where in a photo, and how surely.

    Parameters
    ----------
    image : uint8 BGR (height, width, 3), upright or not.
    layouts : of the sheets that it may be; one of them without markers.

    Raises
    ------
    NoSheetFound, SheetBackShown, SheetCutOff, SheetTooSmall, SheetTooBlurred
    """
    # whole numbers of pixels average much faster
    overview, scale = shrunk(image, 1 / max(1, round(max(image.shape[:2]) / OVERVIEW_SIDE)))
    problems: list[PhotoUnreadable] = []
    of_views = 0  # of the problems
    for first in first_placements(overview, layouts):
        is_by_markers = False
        try:
            if isinstance(first, PhotoUnreadable):
                raise first
            layout, placement = first
            is_by_markers = placement.method == "markers"
            alignment = align(overview, placement, layout)
            if alignment.evidence < LEAST_EVIDENCE:
                raise unseen(alignment, placement, overview)
        except PhotoUnreadable as error:
            problems.append(error)
            of_views += not is_by_markers
            continue
        if is_blurred(alignment.placement, overview):  # other views would see this sheet again
            raise SheetTooBlurred
        # where the first view did not show it, others have been looked at before
        if not alignment.is_clear and not of_views:
            alignment = _clearer(alignment, overview)
        alignment = alignment.scaled(1 / scale)
        check_frame(alignment.placement, image, layout)
        return alignment
    # the first view shows most; closer ones see sheets in many things
    raise problems[0] if problems else NoSheetFound


def _clearer(known: Alignment, image: Image) -> Alignment:
    """The sheet placed anew from other views, where more speaks for a place nearby, or as it was.

    On curled paper the bend may settle on a wrong place, and be seen to be wrong. Where another
    view leads to the same place, no third is tried: it would mostly lead there, too.
    """
    layout = known.layout
    height, width = image.shape[:2]
    for turn in OTHER_TURNS:
        view = square_view((width / 2, height / 2), max(width, height), turn)
        with suppress(PhotoUnreadable):
            _, first = print_placement(image, layout, view)
            found = align(image, first, layout)
            check_frame(found.placement, image, layout)
            moved = most_moved(keypoints(layout), known.placement, found.placement)
            better = (found.is_clear, found.evidence) > (known.is_clear, known.evidence)
            if better and moved < SAME_PLACE:
                known = found
            if known.is_clear or moved < SETTLED:
                break
    return known


def first_placements(
    image: Image, layouts: Sequence[Layout]
) -> Iterator[tuple[Layout, Placement] | PhotoUnreadable]:
    """Which plane sheet may lie where: by its markers, else by its print in several views.

    Of several views' placements those that most of what is seen agrees with come first, and few
    are followed up: what is seen of a sheet that was not made out agrees with no plane. Or else
    why a view shows none.
    """
    for marked in layouts:
        markers = marker_matches(image, marked.markers) if marked.markers else None
        if markers is not None:
            with suppress(NoSheetFound):
                placement = fit(markers, marked.reading_area, "markers", np.inf)
                if not is_out_of_sight(placement, image, marked):
                    yield marked, placement
    layout = next(each for each in layouts if each.markers is None)
    for of_round in views(image.shape[1], image.shape[0]):
        found: list[tuple[int, Placement]] = []
        for to_view in of_round:
            try:
                agreeing, placement = print_placement(image, layout, to_view)
            except PhotoUnreadable as error:
                yield error
                continue
            if not is_out_of_sight(placement, image, layout):
                found.append((agreeing, placement))
        found.sort(key=lambda entry: -entry[0])
        yield from ((layout, placement) for _, placement in found[:MOST_FOLLOWED])


def print_placement(
    image: Image, layout: Layout, to_view: NDArray[np.float64]
) -> tuple[int, Placement]:
    """A placement by a view, and with how many matches it agrees; raises what `find_print` does."""
    matches = consensus(find_print(image, layout, to_view))
    return len(matches.sheet), fit(matches, layout.reading_area, "lattice", np.inf)
