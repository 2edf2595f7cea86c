"""From a photo to its reading: the whole pipeline, one step after the other."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from brikks_vision.compose import build_reading
from brikks_vision.decode import Posterior, decode
from brikks_vision.detect.figures import read_figures
from brikks_vision.detect.locate import CLEAR_EVIDENCE, locate
from brikks_vision.detect.marks import READER_PIXELS, read_marks, rectify_for_reading
from brikks_vision.detect.photo import Photo, load_photo
from brikks_vision.detect.placement import Placement
from brikks_vision.errors import NoSheetFound, PhotoUnreadable
from brikks_vision.reading import Reading, Status
from brikks_vision.sheet import load_sheet

LONGEST_STRIP = 20  # times as long as wide
LONG_SIDE = 1900  # px: what the sheet needs of a photo to be read as well as can be

Source = str | Path | bytes | NDArray[Any]


@dataclass(frozen=True)
class ScanResult:
    """A reading, and what a picture of it needs. ``placement`` belongs to ``photo.image``."""

    reading: Reading
    photo: Photo
    placement: Placement
    posterior: Posterior


def scan(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> Reading:
    """Read one sheet off a photo.

    Parameters
    ----------
    source : path, a file's bytes, or a BGR image array; never changed.
    players, level, variant : what the paper cannot say; None keeps every value that it allows.
    language : "de", "en", "fr" or "es".
    answers : doubts that are settled, such as ``{"cell 3,4": "X"}``.

    Returns
    -------
    Reading
        With status "unreadable" and a sentence where the photo cannot be read.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, ImpossibleGameError
        The call is wrong, whatever the photo shows.

    Examples
    --------
    >>> scan("samples/arcade.jpg").score.total
    102
    """
    try:
        return scan_photo(source, players, level, variant, language, answers).reading
    except PhotoUnreadable as error:
        name = Path(source).name if isinstance(source, (str, Path)) else "photo"
        return Reading.unreadable(name, error.text(language))


def scan_photo(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> ScanResult:
    """Like `scan`, with what an annotated picture needs; raises `PhotoUnreadable`."""
    definition = load_sheet()
    clock = [time.perf_counter()]
    photo = load_photo(source, LONG_SIDE)
    clock.append(time.perf_counter())
    if max(photo.full_size) > LONGEST_STRIP * min(photo.full_size):  # no sheet fits in a strip
        raise NoSheetFound
    try:
        alignment = locate(photo.image, definition)
    except (cv2.error, np.linalg.LinAlgError, AttributeError) as error:
        # points that lie on one line, and other geometry that no sheet has
        raise NoSheetFound from error
    placement = alignment.placement
    if placement.cell_size() < READER_PIXELS and photo.scale < 1:  # a small sheet in a large photo
        finer = load_photo(source, max(photo.full_size))
        placement = placement.scaled(finer.scale / photo.scale)
        photo = finer
    clock.append(time.perf_counter())
    flat = rectify_for_reading(photo.image, placement, definition)
    marks = read_marks(flat, definition)
    figures = read_figures(flat, definition, with_total=placement.method == "markers")
    clock.append(time.perf_counter())
    posterior = decode(marks, definition, answers or {})
    reading = build_reading(
        photo.name, posterior, figures, definition, players, level, variant, language
    )
    clock.append(time.perf_counter())
    steps = np.diff(clock) * 1000
    if alignment.evidence < CLEAR_EVIDENCE:  # the marks may have been read in the wrong places
        reading = replace(reading, status=Status.UNCERTAIN, violations=())
    corners = placement.scaled(1 / photo.scale).to_photo(np.asarray(definition.grid.box.corners))
    reading = replace(
        reading,
        corners=tuple((float(x), float(y)) for x, y in corners),
        timing_ms=dict(zip(("load", "locate", "read", "rules"), steps.tolist(), strict=True)),
    )
    return ScanResult(reading, photo, placement, posterior)
