"""Sheets are sought once: a finer photo of a sheet that was plainly seen is not searched again."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from brikks_vision.detect.align import Alignment
from brikks_vision.detect.locate import locate
from brikks_vision.detect.photo import load_photo
from brikks_vision.detect.placement import Image, max_shift
from brikks_vision.layout import Layout, load_layout
from brikks_vision.pipeline.finders import LONG_SIDE, Detections, Found, find_sheets, locate_one

SHEET = load_layout("brikks")
GRID = np.asarray(SHEET.outline.corners)
SAMPLE = Path(__file__).parents[1] / "samples" / "arcade.jpg"


def enlarged(times: float) -> Image:
    """The sample as a camera of more pixels would take it."""
    image = load_photo(SAMPLE, 100_000).image
    return np.asarray(cv2.resize(image, None, fx=times, fy=times), np.uint8)


def detections(image: Image) -> tuple[list[Detections], int]:
    """What is found, pass by pass, and how often it was sought."""
    searches = []

    def counted(photo: Image, layouts: Sequence[Layout], **effort: Any) -> Found:
        searches.append(photo.shape)
        return locate_one(photo, layouts, **effort)

    return list(find_sheets(image, "photo", counted, [SHEET], {})), len(searches)


@pytest.mark.parametrize("is_flipped", [False, True], ids=["as printed", "mirrored"])
def test_a_sheet_that_was_plainly_seen_is_not_sought_in_the_finer_photo(is_flipped: bool) -> None:
    image = enlarged(2.2)
    image = np.ascontiguousarray(image[:, ::-1]) if is_flipped else image
    (coarse, fine), searches = detections(image)

    assert searches == 1 + is_flipped  # of a mirrored photo the flipped one is searched, too
    assert coarse.is_first and not fine.is_first
    assert max(fine.photo.image.shape) >= LONG_SIDE > max(coarse.photo.image.shape)
    (found,) = fine.found
    assert isinstance(found, Alignment)
    there = locate(fine.photo.image, [SHEET])
    assert max_shift(GRID, found.placement, there.placement) < 0.1  # cells


def test_where_nothing_was_found_the_finer_photo_is_searched() -> None:
    image = enlarged(2.2)
    small = np.full_like(image, 128)
    part = cv2.resize(image, None, fx=0.25, fy=0.25)
    small[: part.shape[0], : part.shape[1]] = part
    found, searches = detections(small)

    assert searches > 1
    (sheet,) = found[-1].found
    assert isinstance(sheet, Alignment)
