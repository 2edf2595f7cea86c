"""From a photo to its reading: the whole pipeline, one step after the other."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode import Posterior
from brikks_vision.detect.bars import rectify_bars, with_bars
from brikks_vision.detect.figures import read_figures
from brikks_vision.detect.locate import Alignment
from brikks_vision.detect.locate_all import locate_all, try_to_locate
from brikks_vision.detect.marks import (
    READER_PIXELS,
    Marks,
    mean_marks,
    read_marks,
    rectify_for_reading,
)
from brikks_vision.detect.pen import pen_of
from brikks_vision.detect.photo import Photo, load_photo
from brikks_vision.detect.placement import Image, Placement, nearby
from brikks_vision.errors import AnswersNeedOneSheet, NoSheetFound, PhotoUnreadable
from brikks_vision.ink import Ink, read_ink
from brikks_vision.reading import Reading, Status
from brikks_vision.sheet import SheetDefinition, load_sheet

LONGEST_STRIP = 20  # times as long as wide
LONG_SIDE = 1900  # px: what the sheet needs of a photo to be read as well as can be

Source = str | Path | bytes | NDArray[Any]


@dataclass(frozen=True)
class ScanResult:
    """A reading, what it follows from, and what a picture of it needs.

    ``placement`` belongs to ``photo.image``.
    """

    reading: Reading
    photo: Photo
    placement: Placement
    posterior: Posterior
    ink: Ink


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


def scan_all(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
) -> list[Reading]:
    """Read every sheet off a photo of one or several that lie side by side.

    Parameters and errors are those of `scan`.

    Returns
    -------
    list of Reading
        One a sheet, left to right by the middle of the grids, told apart by ``index``; a single
        "unreadable" one where no sheet can be read.

    Examples
    --------
    >>> [(reading.index, reading.score.total) for reading in scan_all("samples/arcade.jpg")]
    [(0, 102)]
    """
    name = Path(source).name if isinstance(source, (str, Path)) else "photo"
    try:
        sheets = scan_sheets(source, players, level, variant, language)
    except PhotoUnreadable as error:
        return [Reading.unreadable(name, error.text(language))]
    return [
        sheet.reading
        if isinstance(sheet, ScanResult)
        else Reading.unreadable(name, sheet.text(language), index)
        for index, sheet in enumerate(sheets)
    ]


def scan_photo(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> ScanResult:
    """Like `scan`, with what an annotated picture needs; raises `PhotoUnreadable`."""
    clock = [time.perf_counter()]
    photo = _load(source)
    clock.append(time.perf_counter())
    alignment = try_to_locate(photo.image, load_sheet())
    if isinstance(alignment, PhotoUnreadable):
        raise alignment
    fine = _fine_enough(source, photo, [alignment])
    alignment = alignment.scaled(fine.scale / photo.scale)
    clock.append(time.perf_counter())
    return _read(fine, alignment, players, level, variant, language, answers or {}, clock)


def scan_sheets(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> list[ScanResult | PhotoUnreadable]:
    """Like `scan_all`, with what annotated pictures need; ``answers`` as of `scan`.

    Raises
    ------
    PhotoUnreadable
        No sheet can be read.
    AnswersNeedOneSheet
        There are answers, and several sheets.
    """
    clock = [time.perf_counter()]
    photo = _load(source)
    clock.append(time.perf_counter())
    found = locate_all(photo.image, load_sheet())
    if answers and len(found) > 1:
        raise AnswersNeedOneSheet(len(found))
    fine = _fine_enough(source, photo, [each for each in found if isinstance(each, Alignment)])
    clock.append(time.perf_counter())
    sheets: list[ScanResult | PhotoUnreadable] = []
    for index, each in enumerate(found):
        if isinstance(each, Alignment):
            alignment = each.scaled(fine.scale / photo.scale)
            result = _read(fine, alignment, players, level, variant, language, answers or {}, clock)
            sheets.append(replace(result, reading=replace(result.reading, index=index)))
        else:
            sheets.append(each)
    return sheets


def _load(source: Source) -> Photo:
    photo = load_photo(source, LONG_SIDE)
    if max(photo.full_size) > LONGEST_STRIP * min(photo.full_size):  # no sheet fits in a strip
        raise NoSheetFound
    return photo


def _fine_enough(source: Source, photo: Photo, found: Iterable[Alignment]) -> Photo:
    """The photo, or that at full size where a sheet is small in it."""
    if photo.scale < 1 and any(each.placement.cell_size() < READER_PIXELS for each in found):
        return load_photo(source, max(photo.full_size))
    return photo


def _read(
    photo: Photo,
    alignment: Alignment,
    players: int | None,
    level: int | None,
    variant: str | None,
    language: str,
    answers: Mapping[str, str],
    clock: Sequence[float],
) -> ScanResult:
    """The sheet that lies there. ``clock``: when loading began, and when it and locating ended."""
    definition, placement = load_sheet(), alignment.placement
    spent = dict(zip(("load", "locate"), np.diff(clock), strict=True))
    with _clocked(spent, "read"):
        flat, marks = _look(photo.image, placement, definition)
        figures = read_figures(flat, definition, with_total=placement.method == "markers")
        ink = Ink(marks, figures, alignment.is_clear, players, level, variant)
    with _clocked(spent, "rules"):
        reading, posterior = read_ink(photo.name, ink, definition, language)
    # whatever is answered: with answers and without them a photo has the same ink
    again = _is_worth_another_look(reading, posterior)
    if again:
        with _clocked(spent, "read"):
            ink = replace(ink, marks=_looked_at_again(marks, photo.image, placement, definition))
    if again or answers:
        with _clocked(spent, "rules"):
            reading, posterior = read_ink(photo.name, ink, definition, language, answers)
    corners = placement.scaled(1 / photo.scale).to_photo(np.asarray(definition.grid.box.corners))
    reading = replace(
        reading,
        corners=tuple((float(x), float(y)) for x, y in corners),
        timing_ms={step: 1000 * float(seconds) for step, seconds in spent.items()},
    )
    return ScanResult(reading, photo, placement, posterior, ink)


def _is_worth_another_look(reading: Reading, posterior: Posterior) -> bool:
    """Whether there is anything to ask about a sheet, or to say against its player.

    Not where very many ways to lay blocks are about as good: that takes long to weigh, and no
    other look settles it.
    """
    doubtful = bool(reading.status is not Status.OK or reading.doubts or reading.violations)
    return doubtful and not any(part.is_vague for part in posterior.parts)


@contextmanager
def _clocked(spent: dict[str, float], step: str) -> Iterator[None]:
    """Adds the seconds that the block takes to those of ``step``."""
    start = time.perf_counter()
    yield
    spent[step] = spent.get(step, 0.0) + time.perf_counter() - start


def _look(image: Image, placement: Placement, definition: SheetDefinition) -> tuple[Image, Marks]:
    """The sheet straightened for reading, and its marks."""
    flat = rectify_for_reading(image, placement, definition)
    patches = rectify_bars(image, placement, definition)
    marks = read_marks(flat, definition)
    return flat, with_bars(marks, patches, pen_of(flat, marks, definition), definition)


def _looked_at_again(
    marks: Marks, image: Image, placement: Placement, definition: SheetDefinition
) -> Marks:
    """The mean of the first look at a sheet and of some from a little beside it.

    What a network makes of a doubtful mark hangs on how the pixels fall, and is wrong less often
    on average (test-time augmentation: Krizhevsky, Sutskever and Hinton 2012). A sheet of which
    nothing is in doubt needs no second look. The player's figures are read at the first one only.
    """
    others = [_look(image, beside, definition)[1] for beside in nearby(placement)]
    return mean_marks([marks, *others])
