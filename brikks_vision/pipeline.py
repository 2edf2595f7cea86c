"""From a photo to its reading: the whole pipeline, one step after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from brikks_vision.decode.ink import Ink
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.bars import rectify_bars, with_bars
from brikks_vision.detect.figures import read_figures
from brikks_vision.detect.glance import glance_marks, with_glance
from brikks_vision.detect.marks import (
    READER_PIXELS,
    Marks,
    mean_marks,
    read_marks,
    rectify_for_reading,
)
from brikks_vision.detect.mirror import looks_mirrored
from brikks_vision.detect.pen import pen_of
from brikks_vision.detect.photo import Photo, load_photo, read_stream, reduction
from brikks_vision.detect.placement import Image, Placement, nearby
from brikks_vision.detect.settings import read_settings
from brikks_vision.detect.several import locate_all, try_to_locate
from brikks_vision.errors import (
    AnswersNeedOneSheet,
    BrikksError,
    NoSheetFound,
    PhotoMirrored,
    PhotoUnreadable,
)
from brikks_vision.games import readable_layouts
from brikks_vision.games.brikks.answers import checked_answers
from brikks_vision.games.brikks.figures import written_figures
from brikks_vision.games.brikks.ink import game_of
from brikks_vision.games.brikks.posterior import Posterior
from brikks_vision.games.brikks.reading import has_something_to_judge, read_ink
from brikks_vision.layout import CELL, HORIZONTAL, VERTICAL, Layout, Mark
from brikks_vision.reading import AnyReading, Known, Reading, ReadSheet, Status
from brikks_vision.rules.brikks.sheet import load_sheet

LONGEST_STRIP = 20  # times as long as wide
LONG_SIDE = 1900  # px: what the sheet needs of a photo to be read as well as can be
GLANCE_LONG_SIDE = 950  # px: what a glance at it needs
# log-odds; cells with less, and edges between crosses, of a sheet that may be plain: nearly all
# that are have none, and where lines are hardly seen the rules take long
DOUBTFUL, MOST_DOUBTFUL, MOST_DOUBTFUL_EDGES = 3.0, 5, 12
PLAIN_CELL = 16.0  # px: the smallest that is plain at a glance; then sheets beside it show, too
MIRRORS = ((2,), ())  # of the looks at the bars from `nearby`: axes, see `with_bars`
WIDE_OPEN = 0.5  # probability of the likeliest total: under less no other look settles it
SURE_BOMB = 0.999  # by its ink: a stroke on a bomb's dark print hardly shows in a coarse photo
OPEN = 0.003  # probability that the total is another one of a sheet that is plain at a glance

Source = str | Path | bytes | BinaryIO | NDArray[Any]


@dataclass(frozen=True)
class ScanResult:
    """A reading, what it follows from, and what a picture of it needs.

    ``placement`` belongs to ``photo.image``.
    """

    reading: ReadSheet
    photo: Photo
    layout: Layout
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
) -> AnyReading:
    """Read one sheet off a photo.

    Parameters
    ----------
    source : path, a file's bytes, a binary file object (read to its end, left open), or a BGR
        image array; never changed.
    players, level, variant : what the paper cannot say, or says otherwise; None keeps every value
        that it allows.
    language : "de", "en", "fr" or "es".
    answers : doubts that are settled: places as doubts name them ("cell 3,4", "energy 12",
        "box 5", "bomb 1") to "X" or ".", of energy "open", "circled", "used" or "off".

    Returns
    -------
    ReadSheet, or UnreadableSheet
        The latter, with a sentence in ``error``, where the photo cannot be read.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, ImpossibleGameError
        The call is wrong, whatever the photo shows.
    AnswerUnclear, AnswerOffSheet
        An answer is none, or the sheet has no such place.

    Examples
    --------
    >>> reading = scan("samples/arcade.jpg")
    >>> reading.score.total if reading.status is not Status.UNREADABLE else reading.error
    102
    """
    try:
        return scan_photo(source, players, level, variant, language, answers).reading
    except PhotoUnreadable as error:
        return Reading.unreadable(_name_of(source), error.text(language))


def scan_all(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> list[AnyReading]:
    """Read every sheet off a photo of one or several that lie side by side.

    Parameters and errors are those of `scan`.

    Raises
    ------
    AnswersNeedOneSheet
        There are answers, and several sheets.

    Returns
    -------
    list of Reading
        One a sheet, left to right by the middle of the grids, told apart by ``index``; a single
        "unreadable" one where no sheet can be read.

    Examples
    --------
    >>> [reading.index for reading in scan_all("samples/arcade.jpg")]
    [0]
    """
    name = _name_of(source)
    try:
        sheets = scan_sheets(source, players, level, variant, language, answers)
    except PhotoUnreadable as error:
        return [Reading.unreadable(name, error.text(language))]
    return [
        sheet.reading
        if isinstance(sheet, ScanResult)
        else Reading.unreadable(name, sheet.text(language), index)
        for index, sheet in enumerate(sheets)
    ]


def _name_of(source: Source) -> str:
    """What a reading calls the photo: the name of its file, if it has one."""
    path = source if isinstance(source, (str, Path)) else getattr(source, "name", None)
    return Path(path).name if isinstance(path, (str, Path)) else "photo"


def scan_photo(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
) -> ScanResult:
    """Like `scan`, with what an annotated picture needs; raises `PhotoUnreadable`."""
    (sheet,) = _scan(source, _locate_one, Known(players, level, variant), language, answers or {})
    if isinstance(sheet, PhotoUnreadable):
        raise sheet
    return sheet


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
    AnswerUnclear, AnswerOffSheet
        As of `scan`.
    """
    return _scan(source, locate_all, Known(players, level, variant), language, answers or {})


def for_pictures(result: ScanResult, source: Source) -> ScanResult:
    """The result with its photo as fine as pictures of it want, which a glance needs not be."""
    if _is_fine(result.photo):
        return result
    try:
        photo = _as_flipped_as(result.photo, load_photo(_readable_twice(source), LONG_SIDE))
    except BrikksError:  # the file is gone meanwhile
        return result
    if photo.full_size != result.photo.full_size:  # or is another
        return result
    placement = result.placement.scaled(photo.scale / result.photo.scale)
    return replace(result, photo=photo, placement=placement)


Found = tuple[Alignment | PhotoUnreadable, ...]
Locate = Callable[[Image, Sequence[Layout]], Found]


def _locate_one(image: Image, layouts: Sequence[Layout]) -> Found:
    return (try_to_locate(image, layouts),)


def _located(photo: Photo, locate: Locate) -> tuple[Photo, Found]:
    """The sheets that ``locate`` finds, and the photo in which they lie as they are printed.

    That is the flipped one where the photo shows mirror images of them.

    Raises
    ------
    PhotoMirrored
        It does, and flipped it shows no sheet that can be read.
    """
    layouts = readable_layouts()
    found = locate(photo.image, layouts)
    if not _is_mirrored(photo, found):
        return photo, found
    flipped = photo.flipped()
    try:
        found = locate(flipped.image, layouts)
    except PhotoUnreadable as error:
        raise PhotoMirrored from error
    if not any(isinstance(each, Alignment) for each in found) or _is_mirrored(flipped, found):
        raise PhotoMirrored
    return flipped, found


def _is_mirrored(photo: Photo, found: Found) -> bool:
    """Whether any of the sheets found in a photo is a mirror image."""
    return any(
        isinstance(each, Alignment) and looks_mirrored(photo.image, each.placement, each.layout)
        for each in found
    )


def _as_flipped_as(known: Photo, photo: Photo) -> Photo:
    """A photo that was decoded anew, flipped where the known one is."""
    return photo.flipped() if known.is_flipped else photo


def _scan(
    source: Source,
    locate: Locate,
    known: Known,
    language: str,
    answers: Mapping[str, str],
) -> list[ScanResult | PhotoUnreadable]:
    """The sheets that ``locate`` finds.

    One that is plain at a glance is not looked at closely. Else all is done anew on a finer photo,
    if there is one.
    """
    answers = checked_answers(answers, load_sheet())
    name = _name_of(source)
    source = _readable_twice(source)
    spent: dict[str, float] = {}
    with _clocked(spent, "load"):
        photo = replace(_load(source, GLANCE_LONG_SIDE), name=name)
    with _clocked(spent, "locate"):
        try:
            photo, found = _located(photo, locate)
        except PhotoUnreadable:
            if _is_fine(photo):
                raise
            found = ()
    if len(found) == 1 and isinstance(found[0], Alignment):
        plain = _glance(photo, found[0], known, language, answers, spent)
        if plain:
            return [plain]
    if not _is_fine(photo):
        with _clocked(spent, "load"):
            photo = replace(_load(source, LONG_SIDE), name=name)
        with _clocked(spent, "locate"):
            photo, found = _located(photo, locate)
    if answers and len(found) > 1:
        raise AnswersNeedOneSheet(len(found))
    with _clocked(spent, "load"):
        fine = _fine_enough(source, photo, [each for each in found if isinstance(each, Alignment)])
    sheets: list[ScanResult | PhotoUnreadable] = []
    for index, each in enumerate(found):
        if isinstance(each, Alignment):
            alignment = each.scaled(fine.scale / photo.scale)
            result = _read(fine, alignment, known, language, answers, dict(spent))
            sheets.append(replace(result, reading=replace(result.reading, index=index)))
        else:
            sheets.append(each)
    return sheets


Stored = str | Path | bytes | NDArray[Any]


def _readable_twice(source: Source) -> Stored:
    """The source itself, or all bytes of a file object, which can be read once only."""
    return source if isinstance(source, (str, Path, bytes, np.ndarray)) else read_stream(source)


def _load(source: Stored, long_side: int) -> Photo:
    photo = load_photo(source, long_side)
    if max(photo.full_size) > LONGEST_STRIP * min(photo.full_size):  # no sheet fits in a strip
        raise NoSheetFound
    return photo


def _is_fine(photo: Photo) -> bool:
    """Whether it is as large as `LONG_SIDE` asks."""
    return photo.scale * reduction(max(photo.full_size), LONG_SIDE) >= 1


def _fine_enough(source: Stored, photo: Photo, found: Iterable[Alignment]) -> Photo:
    """The photo, or that at full size where a sheet is small in it."""
    if photo.scale < 1 and any(each.placement.cell_size() < READER_PIXELS for each in found):
        finest = replace(load_photo(source, max(photo.full_size)), name=photo.name)
        return _as_flipped_as(photo, finest)
    return photo


def _glance(
    photo: Photo,
    alignment: Alignment,
    known: Known,
    language: str,
    answers: Mapping[str, str],
    spent: dict[str, float],
) -> ScanResult | None:
    """The sheet that lies there where it is plain at a glance, else None.

    ``spent``: seconds of each step so far; those here are added.
    """
    placement = alignment.placement
    if placement.cell_size() < PLAIN_CELL or not alignment.is_clear:
        return None
    with _clocked(spent, "read"):
        ink = _ink(photo, alignment, _quick_look, known)
    if _is_doubtful(ink.marks):  # need not be weighed
        return None
    with _clocked(spent, "rules"):
        reading, posterior = read_ink(photo.name, ink, alignment.layout, language)
        # whatever is answered: with answers and without them a photo has the same ink
        is_plain = _is_plain(reading, posterior, ink)
        if is_plain and answers:
            reading, posterior = read_ink(photo.name, ink, alignment.layout, language, answers)
    return _result(photo, alignment, ink, reading, posterior, spent) if is_plain else None


def _read(
    photo: Photo,
    alignment: Alignment,
    known: Known,
    language: str,
    answers: Mapping[str, str],
    spent: dict[str, float],
) -> ScanResult:
    """The sheet that lies there, looked at closely. ``spent``: as of `_glance`."""
    layout, placement = alignment.layout, alignment.placement
    with _clocked(spent, "read"):
        ink = _ink(photo, alignment, _close_look, known)
    with _clocked(spent, "rules"):
        reading, posterior = read_ink(photo.name, ink, alignment.layout, language)
    # whatever is answered, too; a sheet whose place is not sure stays uncertain anyway
    again = ink.is_clear and _is_worth_another_look(reading, posterior)
    if again:
        with _clocked(spent, "read"):
            marks = _looked_at_again(ink.marks, photo.image, placement, layout)
            ink = replace(ink, marks=marks)
    if again or answers:
        with _clocked(spent, "rules"):
            reading, posterior = read_ink(photo.name, ink, alignment.layout, language, answers)
    return _result(photo, alignment, ink, reading, posterior, spent)


def _result(
    photo: Photo,
    alignment: Alignment,
    ink: Ink,
    reading: ReadSheet,
    posterior: Posterior,
    spent: Mapping[str, float],
) -> ScanResult:
    """The reading with where the sheet lies in the photo, and how long each step took."""
    placement, box = alignment.placement, alignment.layout.grid.box
    corners = placement.scaled(1 / photo.scale).to_photo(np.asarray(box.corners))
    if photo.is_flipped:  # told in the photo as it was given
        corners = corners * (-1, 1) + (photo.full_size[0] - 1, 0)
    reading = replace(
        reading,
        corners=tuple((float(x), float(y)) for x, y in corners),
        timing_ms={step: 1000 * float(seconds) for step, seconds in spent.items()},
    )
    return ScanResult(reading, photo, alignment.layout, placement, posterior, ink)


def _is_doubtful(marks: Marks) -> bool:
    """Whether so many marks of a grid are unclear that it cannot be plain."""
    cells = marks[CELL, Mark.CROSS]
    vertical, horizontal = marks[VERTICAL, Mark.LINE], marks[HORIZONTAL, Mark.LINE]
    crossed = cells > 0
    beside, above = crossed[:, 1:] & crossed[:, :-1], crossed[1:] & crossed[:-1]
    edges = np.concatenate([vertical[:, 1:-1][beside], horizontal[1:-1][above]])
    doubtful_cells = np.count_nonzero(np.abs(cells) < DOUBTFUL)
    return bool(
        doubtful_cells > MOST_DOUBTFUL
        or np.count_nonzero(np.abs(edges) < DOUBTFUL) > MOST_DOUBTFUL_EDGES
    )


def _is_plain(reading: Reading, posterior: Posterior, ink: Ink) -> bool:
    """Whether a glance at a sheet leaves nothing open: no doubt, and nothing for the referee."""
    if reading.status is not Status.OK or reading.doubts or reading.violations:
        return False
    if min(posterior.ink.bombs, default=1.0) < SURE_BOMB:
        return False
    return 1 - max(posterior.totals.values()) <= OPEN and not has_something_to_judge(
        posterior, written_figures(ink.figures), *game_of(ink)
    )


def _is_worth_another_look(reading: Reading, posterior: Posterior) -> bool:
    """Whether there is anything to ask about a sheet, or to say against its player.

    Not where very many ways to lay blocks are about as good, or, but for what is said against
    the player, no total is likelier than all others together: no other look settles that.
    """
    if any(part.is_vague for part in posterior.parts):
        return False
    is_open = max(posterior.totals.values()) < WIDE_OPEN
    doubtful = bool(reading.status is not Status.OK or reading.doubts)
    return bool(reading.violations) or (doubtful and not is_open)


@contextmanager
def _clocked(spent: dict[str, float], step: str) -> Iterator[None]:
    """Adds the seconds that the block takes to those of ``step``."""
    start = time.perf_counter()
    yield
    spent[step] = spent.get(step, 0.0) + time.perf_counter() - start


Look = Callable[[Image, Placement, Layout], tuple[Image, Marks]]
"""A look at the sheet that lies there in a photo: the sheet straightened for reading, its marks."""


def _ink(
    photo: Photo,
    alignment: Alignment,
    look: Look,
    known: Known,
) -> Ink:
    """What a look tells of the sheet that lies there."""
    layout, placement = alignment.layout, alignment.placement
    flat, marks = look(photo.image, placement, layout)
    figures = read_figures(flat, layout)
    on_sheet = read_settings(photo.image, placement, layout)
    return Ink(
        marks,
        figures,
        alignment.is_clear,
        known.players,
        known.level,
        known.variant,
        on_sheet,
    )


def _quick_look(image: Image, placement: Placement, layout: Layout) -> tuple[Image, Marks]:
    """A `Look` by the networks of the glance."""
    flat = rectify_for_reading(image, placement, layout)
    return flat, glance_marks(flat, layout)


def _close_look(
    image: Image,
    placement: Placement,
    layout: Layout,
    mirrored: tuple[int, ...] = (),
) -> tuple[Image, Marks]:
    """A `Look` by all networks. ``mirrored``: as of `with_bars`."""
    flat, glance = _quick_look(image, placement, layout)
    patches = rectify_bars(image, placement, layout)
    pen = pen_of(flat, glance[CELL, Mark.CROSS], layout)
    closer = with_bars(read_marks(flat, layout), patches, pen, layout, mirrored)
    return flat, with_glance(closer, glance)


def _looked_at_again(marks: Marks, image: Image, placement: Placement, layout: Layout) -> Marks:
    """The mean of the first look at a sheet and of two from a little beside it.

    At one of them the bars are seen in a mirror, see `MIRRORS`.

    What a network makes of a doubtful mark hangs on how the pixels fall, and is wrong less often
    on average (test-time augmentation: Krizhevsky, Sutskever and Hinton 2012). A sheet of which
    nothing is in doubt needs no second look. The player's figures are read at the first one only.
    (Four such looks from farther were worse on 260 own samples; on 120 other photos strikes were a
    little better so, bombs worse.)
    """
    views = zip(nearby(placement), MIRRORS, strict=True)
    others = [_close_look(image, beside, layout, mirrored)[1] for beside, mirrored in views]
    return mean_marks([marks, *others])
