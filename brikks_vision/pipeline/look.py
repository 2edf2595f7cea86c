"""What one small frame of a camera shows, to guide the hand before a photo is taken.

The sheet or board is located and checked as for reading, but not read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision import errors, games
from brikks_vision.detect import align, keypoints, marks, occlusion
from brikks_vision.detect.locate import locate, shows_page
from brikks_vision.detect.photo import Photo, load_photo
from brikks_vision.detect.placement import Image, rectify
from brikks_vision.games.printings import printings_sought
from brikks_vision.infer import answers, protocol
from brikks_vision.layout import Layout, Printing
from brikks_vision.pipeline import finders
from brikks_vision.pipeline.passes import is_large_enough

# Set by hand where no source is named.
FRAME_SIDE = 640  # px, long side of a frame; larger ones are scaled down
# how keypoints are sought in a frame, which takes long. Of 16 learnt sheets that 640 px showed,
# 400 px did, too, and at 0.7 of the size; at half of it, too far to read, 7
FRAME_SEARCHES = keypoints.SEARCHES[0], keypoints.Search(400, 1200, 4000)
# of `sharpness`: readable simulated photos had 0.3 or more
MIN_STEADY_SHARPNESS = 0.3
MIN_LIGHT = 60  # grey level of the paper; cameras brighten it to 100 and more unless it is dark
PAPER_QUANTILE = 0.75  # of the grey levels of a sheet: print and ink are darker than most paper
MIN_UNSEEN = 6  # frames in which no known printing shows: each kind of them was sought three times
PICTURE = 32, 32  # px, see `Look.picture`
GLEAM_LEVEL = 235  # of the darkest channel of what hides a place; hands and things are darker


SLOW_FINDERS = (("markers", "reference"), ("lattice",))
"""Finders that take most of the time that a frame has, those together that share their work."""


class Hint(StrEnum):
    """What to do before a photo is taken; NONE where it can be taken."""

    NONE = ""
    NOTHING = "nothing"
    UNKNOWN = "unknown"
    BACK = "back"
    CUT = "cut"
    CUT_LEFT = "cut_left"
    CUT_RIGHT = "cut_right"
    CUT_TOP = "cut_top"
    CUT_BOTTOM = "cut_bottom"
    NEARER = "nearer"
    STILL = "still"
    FLAT = "flat"
    LIGHT = "light"
    GLEAM = "gleam"
    COVERED = "covered"


@dataclass(frozen=True)
class Look:
    """What a frame shows.

    outline : the corners of the sheet or board, clockwise from its top left, as shares (0 to 1) of
    the frame's width and height, which they may exceed; () where it is not found. printing: None
    there. covered : the places that something hides, as the contract names them. picture : of the
    sheet, straightened, without the light's slow changes, by which another sheet on the same place
    is told from it: uint8 (32, 32) as bytes; b"" where none is found.
    """

    hint: Hint
    outline: tuple[tuple[float, float], ...] = ()
    printing: Printing | None = None
    covered: tuple[str, ...] = ()
    picture: bytes = b""


def look(frame: bytes | Image, turn: int = 0, printings: Sequence[Printing] | None = None) -> Look:
    """What a frame shows, and the first thing that is in the way of a good photo.

    frame: the bytes of a picture, or uint8 BGR (height, width, 3), upright or not. turn: which
    frame it is of those that showed nothing: what the networks do not know takes longer to find, so
    that each frame is searched for one kind of it, in turn. printings: those that are looked for;
    None: all that are known.

    Raises PhotoUnreadable: the frame is no picture.
    """
    photo = load_photo(frame, FRAME_SIDE).at_most(FRAME_SIDE)
    sought = printings_sought() if printings is None else printings
    kinds = [[each for each in sought if each.finder in names] for names in SLOW_FINDERS]
    slow = [kind for kind in kinds if kind]
    known = [each for each in sought if each.finder == "network"]
    hints = []
    for kind in filter(None, [known, slow[turn % len(slow)] if slow else ()]):
        found = _PLACE[finders.FINDERS[kind[0].finder]](photo, kind)
        if not isinstance(found, errors.PhotoUnreadable):
            return _seen(photo, found)
        hints.append(_hint_of(found))
    hint = next((hint for hint in hints if hint is not Hint.NOTHING), Hint.NOTHING)
    is_unknown = hint is Hint.NOTHING and turn >= MIN_UNSEEN and shows_page(photo.image)
    return Look(Hint.UNKNOWN if is_unknown else hint)


def _sheet(photo: Photo, layouts: Sequence[Any]) -> align.Alignment | errors.PhotoUnreadable:
    """The sheet of a frame, if it is found in a quarter of a second: the next frame comes soon."""
    try:
        return locate(photo.image, layouts, rounds=1, searches=FRAME_SEARCHES)
    except errors.PhotoUnreadable as error:
        return error


_PLACE: Mapping[
    finders.Find, Callable[[Photo, Sequence[Any]], protocol.Placed | errors.PhotoUnreadable]
] = {
    finders.find_sheets: _sheet,
    finders.find_boards: finders.try_to_place,
}


def _hint_of(error: errors.PhotoUnreadable) -> Hint:
    if isinstance(error, errors.SheetCutOff):
        return Hint.CUT if error.is_larger else Hint(f"cut_{error.facts['side']}")
    return _HINTS.get(type(error), Hint.NOTHING)


_HINTS: Mapping[type[errors.PhotoUnreadable], Hint] = {
    errors.SheetBackShown: Hint.BACK,
    errors.SheetTooBlurred: Hint.STILL,
    errors.SheetTooSmall: Hint.NEARER,
    errors.BoardCutOff: Hint.CUT,
}


def _seen(photo: Photo, found: protocol.Placed) -> Look:
    """What is in the way of a photo of what lies there."""
    height, width = photo.image.shape[:2]
    corners = found.placement.to_photo(np.asarray(found.layout.outline.corners))
    outline = tuple((float(x) / width, float(y) / height) for x, y in corners)
    if not isinstance(found, align.Alignment):
        is_near = (
            finders.board_side(found) * finders.FINE_BOARD_SIDE / max(width, height)
            >= finders.MIN_BOARD
        )
        return Look(Hint.NONE if is_near else Hint.NEARER, outline, found.layout)
    hint, covered = _checked(photo, found)
    return Look(hint, outline, found.layout, covered, _picture(photo.image, found))


def _picture(image: Image, found: align.Alignment) -> bytes:
    """See `Look`."""
    flat = rectify(image, found.placement, found.layout.marked_area, 8)
    small = cv2.resize(flat, PICTURE, interpolation=cv2.INTER_AREA)
    # softened, so that half a pixel of a hand's tremble changes little
    grey = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2GRAY), (0, 0), 0.7)
    light = cv2.blur(grey, (9, 9))
    return cv2.addWeighted(grey, 1, light, -1, 128).tobytes()


def _checked(photo: Photo, found: align.Alignment) -> tuple[Hint, tuple[str, ...]]:
    """The hint on a sheet, and the places that something hides."""
    layout, placement = found.layout, found.placement
    if not _is_near(found, max(photo.image.shape[:2])):
        return Hint.NEARER, ()
    flat = marks.rectify_for_reading(photo.image, placement, layout)
    if np.quantile(flat.max(axis=2), PAPER_QUANTILE) < MIN_LIGHT:
        return Hint.LIGHT, ()
    if align.sharpness(photo.image, placement) < MIN_STEADY_SHARPNESS:
        return Hint.STILL, ()
    hidden = occlusion.segmented(flat, layout).hidden
    fields = games.game_named(layout.game).MARKS
    covered = answers.covered_places(
        occlusion.marked_places(hidden, layout, occlusion.MIN_COVERED_SHARE), fields, layout
    )
    if covered:
        return Hint.GLEAM if _is_gleam(flat, hidden, layout) else Hint.COVERED, covered
    return Hint.NONE if found.is_clear else Hint.FLAT, ()


def _is_near(found: align.Alignment, frame_side: int) -> bool:
    """Whether the sheet is large enough in the photo that would be taken now."""
    if found.layout.finder == "network":
        scaled = found.scaled(finders.FAST_LONG_SIDE / frame_side)
        return is_large_enough(scaled) or not found.is_clear
    return found.placement.cell_size() * finders.LONG_SIDE / frame_side >= marks.READER_PIXELS


def _is_gleam(flat: Image, hidden: occlusion.Shares, layout: Layout) -> bool:
    """Whether light hides the places, not a thing."""
    _, rows, columns = hidden.shape
    patch = flat.shape[0] // rows
    patches = flat[: rows * patch, : columns * patch].min(axis=2).reshape(rows, patch, columns, -1)
    levels: NDArray[np.float64] = patches.mean(axis=(1, 3))
    is_hidden = (hidden[0] > occlusion.MIN_COVERED_SHARE) & occlusion.near_places(hidden, layout)
    return bool(np.median(levels[is_hidden]) >= GLEAM_LEVEL)
