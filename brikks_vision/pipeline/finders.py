"""How printings are found in photos: the one table of finders.

A finder decodes the photo as fine as it needs, coarse first, and says what lies where. A new one is
a function like `find_sheets`, with its name in `brikks_vision.layout.definition.FINDERS` and a line
in `FINDERS`. What it finds is read by its pass in `brikks_vision.pipeline.passes.PASSES`, if there
is one, else by its game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import cv2
import numpy as np

from brikks_vision import errors
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.board import board_corners
from brikks_vision.detect.by_blank import resettled
from brikks_vision.detect.keypoints import COARSE_SEARCHES, FINE_SEARCHES
from brikks_vision.detect.locate import shows_grid, shows_lines, shows_page, try_to_locate
from brikks_vision.detect.marks import READER_PIXELS
from brikks_vision.detect.mirror import Side, side_of
from brikks_vision.detect.photo import Photo, Stored, load_photo, reduction
from brikks_vision.detect.placement import Image, Points
from brikks_vision.games import game_named
from brikks_vision.infer.protocol import Placed
from brikks_vision.layout import Layout
from brikks_vision.pipeline.passes import is_large_enough

LONG_SIDE = 1900  # px of the photo that the full pass reads; larger ones are read no better
FAST_LONG_SIDE = 950  # px of the photo that the fast pass reads
BOARD_SIDE = 1000  # px of the photo of a board: the networks learnt from such photos
FINE_BOARD_SIDE = 2000  # px where the board is small in the photo, or not found
MIN_BOARD = 420  # px: side of a board that is read well; its fields are then 40 px wide and more

Timing = dict[str, float]
"""Seconds by step."""


@dataclass(frozen=True)
class Detections:
    """What was found in a photo, left to right.

    is_first: the fast pass may be enough; if no pass is, more may follow.
    """

    photo: Photo
    found: Sequence[Placed | errors.PhotoUnreadable]
    is_first: bool = False


Found = tuple[Alignment | errors.PhotoUnreadable, ...]
Locate = Callable[..., Found]
"""Takes an image and layouts, and what `locate` takes besides."""


def locate_one(image: Image, layouts: Sequence[Layout], **effort: Any) -> Found:
    return (try_to_locate(image, layouts, **effort),)


def located(photo: Photo, locate: Locate, layouts: Sequence[Layout]) -> tuple[Photo, Found]:
    """The sheets that ``locate`` finds, and the photo in which they lie as they are printed.

    That is the flipped one where the photo shows mirror images of them. Where it cannot be told
    which of the two it shows, the places of the sheets are not clear.

    Raises PhotoMirrored: the photo shows mirror images, and flipped it shows no sheet that can be
    read.
    """
    problem: errors.PhotoUnreadable | None = None
    try:
        found, sides = _with_sides(photo, locate(photo.image, layouts))
    except errors.PhotoUnreadable as error:
        found, sides, problem = (), frozenset(), error
    if Side.AS_PRINTED in sides and Side.MIRRORED not in sides:
        return photo, found
    other = photo.flipped()
    try:
        if sides:
            others = locate(other.image, layouts)
        else:  # what the networks know they had found in a mirror, too
            unknown = [layout for layout in layouts if layout.finder != "network"]
            others = locate(other.image, unknown, searches=COARSE_SEARCHES)
        others, other_sides = _with_sides(other, others)
    except errors.PhotoUnreadable:
        others, other_sides = (), frozenset()
    if other_sides == {Side.AS_PRINTED}:
        return other, others
    if problem is not None:
        raise problem
    if Side.MIRRORED not in sides:
        return photo, found
    if not other_sides or Side.MIRRORED in other_sides:
        raise errors.PhotoMirrored
    return other, others


def _with_sides(photo: Photo, found: Found) -> tuple[Found, frozenset[Side]]:
    """What was found, not clear where the side is undecided; and the sides of all sheets."""
    checked: list[Alignment | errors.PhotoUnreadable] = []
    sides = set()
    for each in found:
        if isinstance(each, Alignment):
            side = side_of(photo.image, each.placement, each.layout)
            sides.add(side)
            each = replace(each, is_clear=each.is_clear and side is not Side.UNDECIDED)
        checked.append(each)
    return tuple(checked), frozenset(sides)


def _match_orientation(known: Photo, photo: Photo) -> Photo:
    """The photo flipped where the known one is."""
    return photo if photo.is_flipped == known.is_flipped else photo.flipped()


def find_sheets(
    source: Stored, name: str, locate: Locate, layouts: Sequence[Layout], timing: Timing
) -> Iterator[Detections]:
    """The sheets that ``locate`` finds; first for the fast pass, where that may be enough.

    ``name`` : what readings call the photo. ``timing`` : the seconds of each step are added to it.

    Sheets that were placed by their blanks are read in the photo in which they were found, if they
    are large enough there. Others are read in a finer photo, if there is one; they are sought
    there anew unless all of them were plainly seen before. Where nothing was seen, only what a
    coarse photo does not show is sought in it.
    """
    with timed(timing, "load"):
        importing = partial(game_named, layouts[0].game)  # that of most photos, or the only one
        photo = replace(_load(source, FAST_LONG_SIDE, importing), name=name)
    with timed(timing, "locate"):
        photo, found, is_in_vain = _first_found(photo, locate, layouts)
    is_read = _may_be_enough(found)
    if is_read:
        yield Detections(photo, found, is_first=True)
    # of what reaches beyond the photo a finer one shows no more
    is_cut_off = bool(found) and all(isinstance(each, errors.SheetCutOff) for each in found)
    if not (_is_fine(photo) or _can_be_read_there(found) or is_cut_off):
        with timed(timing, "load"):
            closer = replace(_load(source, LONG_SIDE), name=name)
        if _are_placed(found):
            photo, found = _in_finer(photo, closer, found)
            with timed(timing, "locate"):
                found = tuple(_seen_closer(photo, each) for each in found)
        else:
            with timed(timing, "locate"):
                finely = partial(locate, rounds=1, searches=FINE_SEARCHES) if is_in_vain else locate
                photo, found = located(closer, finely, layouts)
    with timed(timing, "load"):
        fine = _fine_enough(source, photo, [each for each in found if isinstance(each, Alignment)])
    photo, found = _in_finer(photo, fine, found)
    if not is_read and _may_be_enough(found):
        yield Detections(photo, found, is_first=True)
    yield Detections(photo, found)


def find_boards(
    source: Stored, name: str, locate: Locate, boards: Sequence[Any], timing: Timing
) -> Iterator[Detections]:
    """The board; parameters as of `find_sheets`.

    Where it is small in the photo a finer one is searched.
    """
    with timed(timing, "load"):
        photo = load_photo(source, BOARD_SIDE)
        if photo.is_strip:
            raise errors.NoBoardFound
        photo = replace(photo.at_most(BOARD_SIDE), name=name)
    with timed(timing, "locate"):
        found = try_to_place(photo, boards)
    if photo.scale < 1 and _is_small_board(photo, found):
        with timed(timing, "load"):
            finer = load_photo(source, FINE_BOARD_SIDE).at_most(FINE_BOARD_SIDE)
        with timed(timing, "locate"):
            closer = try_to_place(finer, boards)
        if not isinstance(closer, errors.PhotoUnreadable):
            photo, found = replace(finer, name=name), closer
    if isinstance(found, errors.PhotoUnreadable):
        raise found
    yield Detections(photo, (found,))


def try_to_place(photo: Photo, boards: Sequence[Any]) -> Placed | errors.PhotoUnreadable:
    """The board of the first game that finds one of its boards; else why there is none."""
    failure: errors.PhotoUnreadable = errors.NoBoardFound()
    for name in dict.fromkeys(str(each.game) for each in boards):
        try:
            return game_named(name).place(photo.image, [one for one in boards if one.game == name])
        except errors.PhotoUnreadable as error:
            failure = failure if isinstance(error, errors.NoBoardFound) else error
    return failure


def _is_small_board(photo: Photo, found: Placed | errors.PhotoUnreadable) -> bool:
    """Whether a finer photo shows more of a board: of a larger one all is seen no finer."""
    if not isinstance(found, errors.PhotoUnreadable):
        return board_side(found) < MIN_BOARD
    corners = board_corners(photo.image)
    return corners is not None and _side_of(corners) < MIN_BOARD


def unread(source: Stored, error: errors.PhotoUnreadable) -> errors.PhotoUnreadable:
    """The error, or, where no known sheet was found, that the printing of one is not known."""
    if type(error) is not errors.NoSheetFound:
        return error
    photo = load_photo(source, FAST_LONG_SIDE)
    if photo.is_strip:
        return error
    image = photo.at_most(FAST_LONG_SIDE).image
    is_sheet = shows_lines(image) and (shows_page(image) or shows_grid(image))
    return errors.PrintingUnknown() if is_sheet else error


def board_side(found: Placed) -> float:
    """The side of a square as large as the board in the photo, px."""
    return _side_of(found.placement.to_photo(np.asarray(found.layout.outline.corners)))


def _side_of(corners: Points) -> float:
    """The side of a square as large as a quadrangle (4, 2)."""
    return float(np.sqrt(cv2.contourArea(corners.astype(np.float32))))


Find = Callable[[Stored, str, Locate, Sequence[Any], Timing], Iterator[Detections]]

FINDERS: Mapping[str, Find] = {
    "network": find_sheets,
    "markers": find_sheets,
    "reference": find_sheets,
    "lattice": find_boards,
}
"""By `Printing.finder`. Where it is not said what a photo shows, they are tried in this order."""


def _first_found(
    photo: Photo, locate: Locate, layouts: Sequence[Layout]
) -> tuple[Photo, Found, bool]:
    """What is found in a coarse photo; nothing where a finer one may show more.

    And whether it was sought in vain: a sheet that is too small was seen.
    """
    if _is_fine(photo):
        return *located(photo, locate, layouts), False
    try:
        return *located(photo, partial(locate, searches=COARSE_SEARCHES), layouts), False
    except errors.PhotoUnreadable as error:
        return photo, (), not isinstance(error, errors.SheetTooSmall)


def _load(source: Stored, long_side: int, meanwhile: Callable[[], object] = lambda: None) -> Photo:
    photo = load_photo(source, long_side, meanwhile)
    if photo.is_strip:
        raise errors.NoSheetFound
    return photo


def _is_fine(photo: Photo) -> bool:
    """Whether it is as large as `LONG_SIDE` asks."""
    return photo.scale * reduction(max(photo.full_size), LONG_SIDE) >= 1


def _are_placed(found: Found) -> bool:
    """Whether a finer photo would show nothing more of where the sheets lie."""
    return bool(found) and all(isinstance(each, Alignment) and each.is_clear for each in found)


def _seen_closer(
    photo: Photo, placed: Alignment | errors.PhotoUnreadable
) -> Alignment | errors.PhotoUnreadable:
    """A sheet where it lies in a finer photo.

    The networks see the photo no larger than `brikks_vision.detect.locate.OVERVIEW_SIDE`, so that
    they would place it no better.
    """
    if isinstance(placed, errors.PhotoUnreadable) or placed.layout.finder == "network":
        return placed
    return resettled(photo.image, placed)


def _in_finer(photo: Photo, finer: Photo, found: Found) -> tuple[Photo, Found]:
    """A photo that was decoded anew, the same way round, and what was found, in it."""
    factor = finer.scale / photo.scale
    return _match_orientation(photo, finer), tuple(
        each.scaled(factor) if isinstance(each, Alignment) else each for each in found
    )


def _can_be_read_there(found: Found) -> bool:
    """Whether all sheets can be read in a coarse photo: placed by their blank, and large enough."""
    return bool(found) and all(
        isinstance(each, Alignment)
        and each.layout.finder != "network"
        and each.placement.cell_size() >= READER_PIXELS
        for each in found
    )


def _fine_enough(source: Stored, photo: Photo, found: Iterable[Alignment]) -> Photo:
    """The photo, or that at full size where a sheet is small in it."""
    if photo.scale < 1 and any(each.placement.cell_size() < READER_PIXELS for each in found):
        return replace(load_photo(source, max(photo.full_size)), name=photo.name)
    return photo


def _may_be_enough(found: Found) -> bool:
    """Whether the fast pass may be enough for all that was found in a photo."""
    return len(found) == 1 and all(
        isinstance(each, Alignment) and each.layout.finder == "network" and is_large_enough(each)
        for each in found
    )


def finer(source: Stored, photo: Photo, placed: Any, layout: Any) -> tuple[Photo, Any]:
    """The photo as fine as pictures of a sheet need, finer than the fast pass does; its place."""
    if FINDERS[layout.finder] is not find_sheets or _is_fine(photo):
        return photo, placed
    try:
        fine = _match_orientation(photo, load_photo(source, LONG_SIDE))
    except errors.BrikksError:  # the file is gone meanwhile
        return photo, placed
    if fine.full_size != photo.full_size:  # or is another
        return photo, placed
    return fine, placed.scaled(fine.scale / photo.scale)


@contextmanager
def timed(timing: Timing, step: str) -> Iterator[None]:
    """Adds the seconds that the block takes to those of ``step``."""
    start = time.perf_counter()
    try:
        yield
    finally:
        timing[step] = timing.get(step, 0.0) + time.perf_counter() - start
