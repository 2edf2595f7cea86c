"""The picture of the empty sheet or board that a learnt printing holds."""

from __future__ import annotations

from functools import lru_cache
from typing import Protocol

import cv2
import numpy as np

from brikks_vision.detect.headers import check_pixels, read_header
from brikks_vision.detect.placement import Image, Placement, rectify
from brikks_vision.errors import DefinitionDamaged, PhotoUnreadable
from brikks_vision.layout import Blank, Box, Layout

BLANK_PIXELS = 32  # px per cell: about what a sheet has that fills a photo 1900 px long
JPEG_QUALITY = 92  # a page of 19 by 27 cells then takes some 150 kB
PART = "blank.picture"


class Pictured(Protocol):
    """A printing that may hold a picture of itself, empty."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def page(self) -> Box:
        """What the picture shows, in cells."""

    @property
    def blank(self) -> Blank | None:
        """The picture; None where the printing was not learnt."""


def take_blank(image: Image, placement: Placement, layout: Layout) -> Blank:
    """The page of an empty sheet that lies there, rectified. ``image`` : uint8 BGR."""
    return encoded(rectify(image, placement, layout.page, BLANK_PIXELS))


def encoded(page: Image) -> Blank:
    """A page with `BLANK_PIXELS` a cell as a blank."""
    options = [
        cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY,
        cv2.IMWRITE_JPEG_SAMPLING_FACTOR, cv2.IMWRITE_JPEG_SAMPLING_FACTOR_444,
    ]  # fmt: skip
    _, data = cv2.imencode(".jpg", page, options)
    return Blank(BLANK_PIXELS, data.tobytes())


@lru_cache(maxsize=16)
def blank_picture(layout: Pictured) -> Image | None:
    """The empty sheet or board of a printing; None where that was not learnt.

    Returns uint8 BGR (height, width, 3), as `rectify` of its page with the blank's
    ``pixels_per_cell``: column c shows the sheet at ``page.left + (c + 0.5) / pixels_per_cell``.
    Not to be changed.

    Raises
    ------
    DefinitionDamaged
        The picture cannot be decoded, is too large, or has other sides than the page.
    """
    blank = layout.blank
    if blank is None:
        return None
    scale = blank.pixels_per_cell
    size = round(layout.page.width * scale), round(layout.page.height * scale)
    try:
        header = read_header(blank.picture)
        check_pixels(header.size, 3)
    except PhotoUnreadable:
        raise DefinitionDamaged(layout.name, PART) from None
    if header.size != size or header.format == "heic":
        raise DefinitionDamaged(layout.name, PART)
    try:
        flags = cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION
        picture = cv2.imdecode(np.frombuffer(blank.picture, np.uint8), flags)
    except cv2.error:
        picture = None
    if picture is None:
        raise DefinitionDamaged(layout.name, PART)
    picture.setflags(write=False)
    return np.asarray(picture, np.uint8)
