"""Photos that teach: the part of a photo that shows one sheet or board, and nothing else, kept.

A person asks for it; see `brikks_vision.record.kept`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from brikks_vision.detect.photo import Stored, load_photo, read_file
from brikks_vision.detect.placement import Points, apply_homography
from brikks_vision.errors import BrikksError, PhotoNotHere, TooFewSheets
from brikks_vision.games import game_named, layout_of, view_of
from brikks_vision.games.learning import Learnt
from brikks_vision.games.printings import check_name
from brikks_vision.intake.photos import content_hash
from brikks_vision.layout import Box
from brikks_vision.reading import Reading
from brikks_vision.record.database import Record
from brikks_vision.record.kept import (
    keep_photo,
    kept_photos,
    kept_picture,
    paths_of_photo,
    wants_corrected,
)
from brikks_vision.record.results import readings_of

SHEET_MARGIN = 0.25  # cells around the paper: its edge can be seen, hardly anything beside it
BOARD_MARGIN = 1.0  # fields around those of a board: its rim, and what stands at the far edge
HIDDEN = (128, 128, 128)  # BGR, over all that is not of the sheet
WORD_MARGIN = 0.25  # cells around a line for words: letters rise above it and hang below
MIN_SHEETS = 3  # of which a printing is learnt: of fewer, most places are marked on all
_WHOLE = 1 << 30  # px, longer than any photo: decoded as large as it is
_QUALITY = 92  # of the JPEG: marks are read in it as in the photo


def picture_to_keep(photo: Stored, reading: Reading) -> bytes:
    """The photo cut to the sheet or board of a reading, as a JPEG without any data of the camera.

    What lies outside of its outline is grey, and so are the lines on which a player writes words: a
    name and a date.

    Raises
    ------
    PhotoUnreadable
    """
    image = load_photo(photo, _WHOLE).image
    layout = layout_of(reading)
    to_photo = cv2.getPerspectiveTransform(
        np.array(layout.outline.corners, np.float32), np.array(reading.corners, np.float32)
    )
    outline = _corners(_shown_area(layout), to_photo)
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, outline, 255)
    for box in getattr(layout, "words", {}).values():
        cv2.fillConvexPoly(mask, _corners(box.grown(WORD_MARGIN), to_photo), 0)
    left, top, width, height = cv2.boundingRect(outline)
    part = np.s_[max(0, top) : top + height, max(0, left) : left + width]
    shown = image[part].copy()
    shown[mask[part] == 0] = HIDDEN
    _, encoded = cv2.imencode(".jpg", shown, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    return encoded.tobytes()


def keep_shown(
    record: Record, result: int, photos: Mapping[str, bytes], total: int | None = None
) -> None:
    """Keep those photos of a result that are at hand.

    photos : by the SHA-256 of the file. total : the right one, as a person says.

    Raises
    ------
    PhotoNotHere
        None of the photos of the result is at hand.
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    is_kept = False
    for facts, reading in readings_of(record, result):
        photo = photos.get(facts.sha256) or _seen_again(record, facts.sha256)
        if photo is not None and reading.corners:
            keep_photo(record, result, facts.sha256, picture_to_keep(photo, reading), total)
            is_kept = True
    if not is_kept:
        raise PhotoNotHere(result)


def keep_corrected(record: Record, result: int, photos: Mapping[str, bytes] | None = None) -> None:
    """Keep the photos of a result that was corrected, where that is wanted of all and possible.

    Raises
    ------
    ResultMissing, RecordNotWritable, RecordDiskFull, RecordBusy, RecordDamaged
    """
    if wants_corrected(record):
        with suppress(PhotoNotHere):
            keep_shown(record, result, photos or {})


def learn_kept(record: Record, results: Sequence[int], name: str) -> Learnt:
    """A printing from kept photos of marked sheets of it: of some results, or of all.

    Raises
    ------
    TooFewSheets
        Sheets whose print must be known before they can be read do not count.
    SheetNameUnfit, SheetNameTaken, ResultMissing
    PhotoUnreadable
        The sheets show no print, see `Learner.from_marked`.
    """
    check_name(name)
    kept = [each for each in kept_photos(record, results) if each.read.printing is None]
    games = Counter(str(each.read.game) for each in kept)
    counts = [(count, game) for game, count in games.items() if _from_marked(game)]
    count, game = max(counts, default=(0, ""))
    if count < MIN_SHEETS:
        raise TooFewSheets(count, MIN_SHEETS)
    sheets = []
    for each in kept:
        if each.read.game == game:
            photo = load_photo(kept_picture(record, each), _WHOLE)
            marks = view_of(each.result.reading).marks
            sheets.append((replace(photo, name=str(each.result.id)), marks))
    learnt: Learnt = _from_marked(game)(sheets, name)
    return learnt


def _from_marked(game: str) -> Any:
    """How the game learns a printing from marked sheets; None where it cannot."""
    learner = game_named(game).learner
    return None if learner is None else learner().from_marked


def _shown_area(layout: Any) -> Box:
    """What is kept, in cells: the paper, or the board, which is on none."""
    paper: Box | None = getattr(layout, "page", None)
    board: Box = layout.outline
    return board.grown(BOARD_MARGIN) if paper is None else paper.grown(SHEET_MARGIN)


def _corners(box: Box, to_photo: Any) -> Any:
    """The corners of a box of the sheet in the photo, px, as OpenCV draws them."""
    corners: Points = apply_homography(to_photo, np.array(box.corners, np.float64))
    return np.round(corners).astype(np.int32)


def _seen_again(record: Record, sha256: str) -> bytes | None:
    """The photo from where a folder was watched, if it still lies there unchanged."""
    for path in paths_of_photo(record, sha256):
        with suppress(BrikksError):
            data = read_file(Path(path))
            if content_hash(data) == sha256:
                return data
    return None
