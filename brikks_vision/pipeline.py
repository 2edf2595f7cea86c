"""From a photo to its reading: the whole pipeline, one step after the other."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from brikks_vision import boards
from brikks_vision.boards import AnySheet, name_of
from brikks_vision.decode.answers import checked_answers
from brikks_vision.decode.evidence import Evidence
from brikks_vision.decode.game import BoardSeen
from brikks_vision.decode.posterior import Decoded
from brikks_vision.detect.align import Alignment
from brikks_vision.detect.locate import locate_by_blank
from brikks_vision.detect.marks import READER_PIXELS
from brikks_vision.detect.mirror import Side, side_of
from brikks_vision.detect.photo import Photo, Source, Stored, load_photo, reduction, stored
from brikks_vision.detect.placement import Image, Placement
from brikks_vision.detect.several import locate_all, try_to_locate
from brikks_vision.errors import (
    AnswerOffSheet,
    AnswersNeedOneSheet,
    AnswerUnclear,
    BrikksError,
    NoBoardFound,
    NoSheetFound,
    PhotoMirrored,
    PhotoUnreadable,
    SheetBackShown,
    SheetCutOff,
    SheetTooBlurred,
    SheetTooSmall,
    UnknownValue,
)
from brikks_vision.games import (
    BOARDS,
    GAMES,
    check_settings,
    game_named,
    readable_layouts,
    unreadable,
)
from brikks_vision.games.learning import Learnt
from brikks_vision.layout import Layout, use
from brikks_vision.learn import open_sheet
from brikks_vision.passes import (
    augmented_pass,
    evidence_of,
    fast_pass,
    is_confident,
    is_doubtful,
    is_large_enough,
    needs_augmentation,
    pass_for,
)
from brikks_vision.reading import NO_SETTINGS, AnyReading, GameSettings, ReadSheet, SheetView
from brikks_vision.show.words import localize
from brikks_vision.text.languages import LANGUAGES

LONG_SIDE = 1900  # px: what the sheet needs of a photo to be read as well as can be
GLANCE_LONG_SIDE = 950  # px: what a glance at it needs
NO_ANSWERS: Mapping[str, str] = {}
NO_SHEET = (
    NoSheetFound,
    SheetBackShown,
    SheetCutOff,
    SheetTooBlurred,
    SheetTooSmall,
    PhotoMirrored,
)
"""What is wrong with a photo that was decoded, and in which no sheet can be read."""


@dataclass(frozen=True)
class ScanResult:
    """A reading, what it follows from, and what a picture of it needs.

    ``placement`` belongs to ``photo.image``.
    """

    reading: ReadSheet
    photo: Photo
    layout: Layout
    placement: Placement
    posterior: Decoded[Any]
    evidence: Evidence

    @property
    def view(self) -> SheetView:
        """What is shown of the sheet."""
        game = game_named(self.layout.game)
        return game.view(self.reading, self.layout, self.posterior.state)


Shown = ScanResult | BoardSeen
"""What a photo may show: a sheet or a board, read."""


def scan(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    game: str | None = None,
    sheet: AnySheet | None = None,
) -> AnyReading:
    """Read one sheet off a photo.

    Parameters
    ----------
    source : path, a file's bytes, a binary file object (read to its end, left open), a BGR image
        array, or an image of Pillow; never changed.
    players, level, variant : what the paper cannot say, or says otherwise; None keeps every value
        that it allows.
    language : "de", "en", "fr" or "es".
    answers : doubts that are settled: places as doubts name them ("cell 3,4", "energy 12",
        "box 5", "bomb 1") to "X" or ".", of energy "open", "circled", "used" or "off".
    game : one of `brikks_vision.games.GAMES`, or of `brikks_vision.games.BOARDS`, the games that
        are played on a board; None tries all of them.
    sheet : the printing or the board: what `brikks_vision.learn_sheet` returns, a definition's
        path, or a name; None tries all that are known.

    Returns
    -------
    ReadSheet, ReadBoard, or UnreadableSheet
        The last, with a sentence in ``error``, where the photo cannot be read. A board has no
        score.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, SourceUnknown, GameImpossible
        The call is wrong, whatever the photo shows.
    AnswerUnclear, AnswerOffSheet
        An answer is none, or the sheet has no such place.
    UnknownValue, LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
        There is no such game, no such sheet, or no such language.
    SheetOfOtherGame
        The sheet is not one of the game.

    Examples
    --------
    >>> reading = scan("samples/arcade.jpg")
    >>> reading.score.total if isinstance(reading, ReadSheet) else reading.error
    102
    """
    known = _known(players, level, variant, language)
    (reading,) = _readings(source, _locate_one, known, language, answers, game, sheet)
    return reading


def scan_all(
    source: Source,
    players: int | None = None,
    level: int | None = None,
    variant: str | None = None,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    game: str | None = None,
    sheet: AnySheet | None = None,
) -> list[AnyReading]:
    """Read every sheet off a photo of one or several that lie side by side, or the board in it.

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
    known = _known(players, level, variant, language)
    return _readings(source, locate_all, known, language, answers, game, sheet)


def _readings(
    source: Source,
    locate: Locate,
    known: GameSettings,
    language: str,
    answers: Mapping[str, str] | None,
    game: str | None,
    sheet: AnySheet | None,
) -> list[AnyReading]:
    """What `scan_shown` reads, and what cannot be read with the sentence that says why."""
    shown: Sequence[Shown | PhotoUnreadable]
    try:
        shown = _shown(source, locate, known, language, answers or NO_ANSWERS, game, sheet)
    except PhotoUnreadable as error:
        shown = [error]
    board = boards.board_sought(game, sheet)
    return [
        unreadable(name_of(source), each.text(language), index, board)
        if isinstance(each, PhotoUnreadable)
        else each.reading
        for index, each in enumerate(shown)
    ]


def _known(
    players: int | None, level: int | None, variant: str | None, language: str
) -> GameSettings:
    """What is said of the game; raises GameImpossible, UnknownValue where a language is none."""
    if language not in LANGUAGES:
        raise UnknownValue("language", language, ", ".join(LANGUAGES))
    known = GameSettings(players, level, variant)
    said = {name: value for name, value in vars(known).items() if value is not None}
    check_settings(known, ", ".join(f"{name}={value!r}" for name, value in said.items()))
    return known


def layouts_sought(game: str | None = None, sheet: AnySheet | None = None) -> tuple[Layout, ...]:
    """The printings that are looked for: one, those of a game, or all that are known.

    Raises
    ------
    UnknownValue, LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
    """
    sought = None
    if isinstance(sheet, Layout | Learnt | str | Path):
        sought = open_sheet(sheet)
    for name in (game, sought and sought.game):
        if name is not None and name not in GAMES:
            raise UnknownValue("game", name, ", ".join((*GAMES, *BOARDS)))
    return readable_layouts(game) if sought is None else (sought,)


def scan_photo(
    source: Source,
    known: GameSettings = NO_SETTINGS,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    layouts: Sequence[Layout] | None = None,
) -> ScanResult:
    """Like `scan`, with what an annotated picture needs; raises `PhotoUnreadable`."""
    sought = readable_layouts() if layouts is None else layouts
    photo, said = stored(source), answers or NO_ANSWERS
    (sheet,) = _scan(photo, name_of(source), _locate_one, known, language, said, sought)
    if isinstance(sheet, PhotoUnreadable):
        raise sheet
    return sheet


def scan_sheets(
    source: Source,
    known: GameSettings = NO_SETTINGS,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    layouts: Sequence[Layout] | None = None,
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
    sought = readable_layouts() if layouts is None else layouts
    photo, said = stored(source), answers or NO_ANSWERS
    return _scan(photo, name_of(source), locate_all, known, language, said, sought)


def scan_shown(
    source: Source,
    known: GameSettings = NO_SETTINGS,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    game: str | None = None,
    sheet: AnySheet | None = None,
) -> list[Shown | PhotoUnreadable]:
    """Like `scan_all`, with what pictures and the record need; parameters as of `scan`.

    Raises
    ------
    PhotoUnreadable
        Nothing can be read.
    As of `scan_all`.
    """
    return _shown(source, locate_all, known, language, answers or NO_ANSWERS, game, sheet)


def _shown(
    source: Source,
    locate: Locate,
    known: GameSettings,
    language: str,
    answers: Mapping[str, str],
    game: str | None,
    sheet: AnySheet | None,
) -> list[Shown | PhotoUnreadable]:
    """As of `scan_shown`: the sheets that ``locate`` finds, else the board.

    What is wrong with a sheet is told where no board is found. Where a board is found that cannot
    be read, that is told, unless a sheet is surely there.
    """
    board = boards.board_sought(game, sheet)
    if board is not None:
        played = boards.board_game(board)
        known_boards = boards.open_boards(played, sheet)
        return [boards.read_board(source, played, known_boards, language, answers)]
    layouts = layouts_sought(game, sheet)
    name, photo = name_of(source), stored(source)
    failure: BrikksError
    try:
        sheets = _scan(photo, name, locate, known, language, answers, layouts)
        failures = [each for each in sheets if isinstance(each, PhotoUnreadable)]
        if len(failures) < len(sheets) or not _may_be_a_board(game, sheet):
            return [*sheets]
        failure = failures[0]
    except (*NO_SHEET, AnswerUnclear, AnswerOffSheet) as error:
        if not _may_be_a_board(game, sheet):
            raise
        failure = error
    try:
        return [boards.read_any_board(photo, name, language, answers)]
    except NoBoardFound:
        raise failure from None
    except PhotoUnreadable:
        if isinstance(failure, NoSheetFound | SheetBackShown):
            raise
        raise failure from None


def _may_be_a_board(game: str | None, sheet: AnySheet | None) -> bool:
    """Whether nothing is said of what the photo shows."""
    return game is None and sheet is None


def for_pictures(result: ScanResult, source: Source) -> ScanResult:
    """The result with its photo as fine as pictures of it want, which a glance needs not be."""
    if _is_fine(result.photo):
        return result
    try:
        photo = _match_orientation(result.photo, load_photo(stored(source), LONG_SIDE))
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


def _located(photo: Photo, locate: Locate, layouts: Sequence[Layout]) -> tuple[Photo, Found]:
    """The sheets that ``locate`` finds, and the photo in which they lie as they are printed.

    That is the flipped one where the photo shows mirror images of them. Where it is not plain which
    of both it shows, it is not clear where the sheet lies.

    Raises
    ------
    PhotoMirrored
        It does, and flipped it shows no sheet that can be read.
    """
    try:
        found = locate(photo.image, layouts)
    except PhotoUnreadable:
        flipped = _flipped_by_blank(photo, locate, layouts)
        if flipped is None:
            raise
        return flipped
    found, sides = _with_sides(photo, found)
    if not sides:
        return _flipped_by_blank(photo, locate, layouts) or (photo, found)
    if Side.MIRRORED not in sides and Side.AS_PRINTED in sides:
        return photo, found
    other = photo.flipped()
    try:
        others, other_sides = _with_sides(other, locate(other.image, layouts))
    except PhotoUnreadable:
        others, other_sides = (), frozenset()
    if other_sides == {Side.AS_PRINTED}:
        return other, others
    if Side.MIRRORED not in sides:
        return photo, found
    if not other_sides or Side.MIRRORED in other_sides:
        raise PhotoMirrored
    return other, others


def _flipped_by_blank(
    photo: Photo, locate: Locate, layouts: Sequence[Layout]
) -> tuple[Photo, Found] | None:
    """What ``locate`` finds of the mirror image of a printing that the networks do not know.

    Its markers and keypoints are found in the flipped photo only. None where they are not.
    """
    flipped = photo.flipped()
    try:
        layout = locate_by_blank(flipped.image, layouts).layout
        return flipped, locate(flipped.image, (layout,))
    except PhotoUnreadable:
        return None


def _with_sides(photo: Photo, found: Found) -> tuple[Found, frozenset[Side]]:
    """What was found, not clear where its side is undecided; and the sides of all sheets."""
    checked: list[Alignment | PhotoUnreadable] = []
    sides = set()
    for each in found:
        if isinstance(each, Alignment):
            side = side_of(photo.image, each.placement, each.layout)
            sides.add(side)
            each = replace(each, is_clear=each.is_clear and side is not Side.UNDECIDED)
        checked.append(each)
    return tuple(checked), frozenset(sides)


def _match_orientation(known: Photo, photo: Photo) -> Photo:
    """A photo that was decoded anew, flipped where the known one is."""
    return photo.flipped() if known.is_flipped else photo


def _scan(
    source: Stored,
    name: str,
    locate: Locate,
    known: GameSettings,
    language: str,
    answers: Mapping[str, str],
    layouts: Sequence[Layout],
) -> list[ScanResult | PhotoUnreadable]:
    """Load, find, look, decode and judge. ``name``: what the readings call the photo.

    A sheet that is plain at a glance is not looked at closely, and one that was placed by its blank
    is read where it was found. Else all is done anew on a finer photo, if there is one.
    """
    _check_answers(answers, layouts)
    spent = dict[str, float]()
    with _clocked(spent, "load"):
        photo = replace(_load(source, GLANCE_LONG_SIDE), name=name)
    with _clocked(spent, "locate"):
        photo, found = _first_found(photo, locate, layouts)
    if len(found) == 1 and isinstance(found[0], Alignment):
        plain = _glance(photo, found[0], known, answers, spent)
        if plain:
            return [_told(plain, language)]
    if not (_is_fine(photo) or _can_be_read_there(found) or _is_cut_off(found)):
        with _clocked(spent, "load"):
            photo = replace(_load(source, LONG_SIDE), name=name)
        with _clocked(spent, "locate"):
            photo, found = _located(photo, locate, layouts)
    if answers and len(found) > 1:
        raise AnswersNeedOneSheet(len(found))
    with _clocked(spent, "load"):
        fine = _fine_enough(source, photo, [each for each in found if isinstance(each, Alignment)])
    sheets: list[ScanResult | PhotoUnreadable] = []
    for index, each in enumerate(found):
        if isinstance(each, Alignment):
            alignment = each.scaled(fine.scale / photo.scale)
            result = _told(_read(fine, alignment, known, answers, dict(spent)), language)
            sheets.append(replace(result, reading=replace(result.reading, index=index)))
        else:
            sheets.append(each)
    return sheets


def _check_answers(answers: Mapping[str, str], layouts: Sequence[Layout]) -> None:
    """Raises AnswerUnclear or AnswerOffSheet where no such sheet takes the answers."""
    failures: list[BrikksError] = []
    for layout in layouts if answers else ():
        try:
            checked_answers(answers, game_named(layout.game), layout)
            return
        except (AnswerUnclear, AnswerOffSheet) as error:
            failures.append(error)
    if failures:
        raise failures[0]


def _told(result: ScanResult, language: str) -> ScanResult:
    """The result with its sentences in that language."""
    return replace(result, reading=localize(result.reading, language))


def _first_found(photo: Photo, locate: Locate, layouts: Sequence[Layout]) -> tuple[Photo, Found]:
    """What a coarse photo shows; nothing where a finer one may show more."""
    try:
        return _located(photo, locate, layouts)
    except PhotoUnreadable:
        if _is_fine(photo):
            raise
        return photo, ()


def _load(source: Stored, long_side: int) -> Photo:
    photo = load_photo(source, long_side)
    if photo.is_strip:
        raise NoSheetFound
    return photo


def _is_fine(photo: Photo) -> bool:
    """Whether it is as large as `LONG_SIDE` asks."""
    return photo.scale * reduction(max(photo.full_size), LONG_SIDE) >= 1


def _is_cut_off(found: Found) -> bool:
    """Whether all that is found reaches beyond the photo, of which a finer one shows no more."""
    return bool(found) and all(isinstance(each, SheetCutOff) for each in found)


def _can_be_read_there(found: Found) -> bool:
    """Whether all sheets can be read in a coarse photo: placed by their blank, and large enough."""
    return bool(found) and all(
        isinstance(each, Alignment)
        and not each.layout.trained
        and each.placement.cell_size() >= READER_PIXELS
        for each in found
    )


def _fine_enough(source: Stored, photo: Photo, found: Iterable[Alignment]) -> Photo:
    """The photo, or that at full size where a sheet is small in it."""
    if photo.scale < 1 and any(each.placement.cell_size() < READER_PIXELS for each in found):
        finest = replace(load_photo(source, max(photo.full_size)), name=photo.name)
        return _match_orientation(photo, finest)
    return photo


def _glance(
    photo: Photo,
    alignment: Alignment,
    known: GameSettings,
    answers: Mapping[str, str],
    spent: dict[str, float],
) -> ScanResult | None:
    """The sheet that lies there where it is plain at a glance, else None.

    ``spent``: seconds of each step so far; those here are added.
    """
    if not alignment.layout.trained or not is_large_enough(alignment):
        return None
    with _clocked(spent, "read"):
        evidence, _ = evidence_of(photo, alignment, fast_pass, known)
    if is_doubtful(evidence.marks):  # need not be weighed
        return None
    with _clocked(spent, "rules"):
        reading, posterior = _decoded(photo, evidence, alignment.layout, NO_ANSWERS)
        # whatever is answered: with answers and without them a photo has the same evidence
        plain = is_confident(reading, posterior, evidence, alignment.layout)
        if plain and answers:
            reading, posterior = _decoded(photo, evidence, alignment.layout, answers)
    return _result(photo, alignment, evidence, reading, posterior, spent) if plain else None


def _read(
    photo: Photo,
    alignment: Alignment,
    known: GameSettings,
    answers: Mapping[str, str],
    spent: dict[str, float],
) -> ScanResult:
    """The sheet that lies there, looked at closely. ``spent``: as of `_glance`."""
    layout, placement = alignment.layout, alignment.placement
    with _clocked(spent, "read"):
        evidence, image = evidence_of(photo, alignment, pass_for(layout), known)
    with _clocked(spent, "rules"):
        reading, posterior = _decoded(photo, evidence, layout, NO_ANSWERS)
    # whatever is answered, too; a sheet whose place is not sure stays uncertain anyway
    again = evidence.is_clear and needs_augmentation(reading, posterior)
    if again:
        with _clocked(spent, "read"):
            marks = augmented_pass(evidence.marks, image, placement, layout)
            evidence = replace(evidence, marks=marks)
    if again or answers:
        with _clocked(spent, "rules"):
            reading, posterior = _decoded(photo, evidence, layout, answers)
    return _result(photo, alignment, evidence, reading, posterior, spent)


def _decoded(
    photo: Photo, evidence: Evidence, layout: Layout, answers: Mapping[str, str]
) -> tuple[ReadSheet, Decoded[Any]]:
    """The reading of the evidence by its game, and the posterior that it follows from."""
    game = game_named(layout.game)
    return game.read(photo.name, evidence, layout, checked_answers(answers, game, layout))


def _result(
    photo: Photo,
    alignment: Alignment,
    evidence: Evidence,
    reading: ReadSheet,
    posterior: Decoded[Any],
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
    use(alignment.layout)
    return ScanResult(reading, photo, alignment.layout, placement, posterior, evidence)


@contextmanager
def _clocked(spent: dict[str, float], step: str) -> Iterator[None]:
    """Adds the seconds that the block takes to those of ``step``."""
    start = time.perf_counter()
    yield
    spent[step] = spent.get(step, 0.0) + time.perf_counter() - start
