"""From a photo to its reading: load, locate, observe, decode, judge, one step after the other."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np

from brikks_vision import errors, games
from brikks_vision.detect.locate import locate_all
from brikks_vision.detect.photo import Photo, Source, Stored, stored
from brikks_vision.detect.placement import Points
from brikks_vision.games.printings import printings_found_by, printings_sought, use
from brikks_vision.infer.answers import checked_answers
from brikks_vision.layout import Printing
from brikks_vision.pipeline import finders, passes
from brikks_vision.reading import NO_SETTINGS, AnyReading, GameSettings, Reading, ViolationReading
from brikks_vision.text.languages import LANGUAGES

if TYPE_CHECKING:
    from brikks_vision.games.learning import Proposal
    from brikks_vision.infer.protocol import Placed

AnySheet: TypeAlias = "Printing | Proposal | str | Path"
"""What ``sheet`` of a scan may be: a printing, what was learnt, a definition's path, or a name."""
OfReading = TypeVar("OfReading", bound=Reading)
Told = TypeVar("Told")
NO_ANSWERS: Mapping[str, str] = {}
NOT_SHOWN = (
    errors.NoSheetFound,
    errors.SheetBackShown,
    errors.SheetCutOff,
    errors.SheetTooBlurred,
    errors.SheetTooSmall,
    errors.PhotoMirrored,
    errors.NoBoardFound,
    errors.BoardCutOff,
    errors.BoardIsAnother,
)
"""What tells that one finder finds nothing in a photo that it can read: another one may."""


@dataclass(frozen=True)
class ScanResult:
    """A reading, what it follows from, and what a picture of it needs.

    layout: the printing, a `Layout` or the game's own class of boards. placement: its ``to_photo``
    takes points of the printing to px of ``photo.image``. posterior, evidence: of the game. alone:
    what each photo shows, where several were read as one; ``photo`` is that of the first.
    """

    reading: Any
    photo: Photo
    layout: Any
    placement: Any
    posterior: Any
    evidence: Any
    alone: tuple[ScanResult, ...] = ()

    @property
    def view(self) -> Any:
        """What is shown of the sheet or board."""
        return games.view_of(self.reading, self.layout, getattr(self.posterior, "state", None))

    def to_photo(self, points: Points) -> Points:
        """Where points of the printing (N, 2), in cells, lie in the photo's image, px."""
        found: Points = self.placement.to_photo(points)
        return found


def scan(
    source: Source | Sequence[Source],
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    game: str | None = None,
    sheet: AnySheet | None = None,
    **settings: int | str | None,
) -> AnyReading:
    """Read one sheet or board off a photo, or off several photos of it in one state.

    What one of several photos hides another may show. ``photo`` of the reading is the name of the
    first, in which the ``corners`` lie; ``photos`` has the names of all.

    Parameters
    ----------
    source : path, a file's bytes, a binary file object (read to its end, left open), a BGR image
        array, or an image of Pillow; never changed. A list of them is read as one.
    language : one of `text.languages.LANGUAGES`.
    answers : to doubts: places as doubts name them ("cell 3,4", "energy 12",
        "box 5", "bomb 1") to "X" or ".", of energy "open", "circled", "used" or "off".
    game : one of `brikks_vision.games.GAMES`; None tries all of them.
    sheet : the printing or the board: what `brikks_vision.learn_sheet` returns, a definition's
        path, or a name; None tries all that are known.
    settings : of the game, such as ``players=2, level=3``; they overrule what is crossed on the
        sheet. A number may be given as text ("3"). Left out, or None: every value that the sheet
        allows.

    Returns
    -------
    ReadSheet, ReadBoard, or UnreadableSheet
        The last where a photo cannot be read, or several do not show the same; ``error`` says
        why. A board has no score.

    Raises
    ------
    PhotoMissing, PhotoNotPermitted, PhotoIsNoFile, SourceUnknown, PhotoGivenTwice, GameImpossible
        The call is wrong, whatever the photo shows.
    SettingUnknown
        No game has such a setting, or not the one that the photo shows.
    AnswerUnclear, AnswerOffSheet
        An answer cannot be understood, or the sheet has no such place.
    UnknownValue, LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
        There is no such game, no such sheet, no such language, or no such value of a setting.
    SheetOfOtherGame
        The sheet is not one of the game.

    Examples
    --------
    >>> reading = scan("samples/arcade.jpg")
    >>> reading.score.total if isinstance(reading, ReadSheet) else reading.error
    102
    """
    given = _given(settings, language, answers, game, sheet)
    if not isinstance(source, list | tuple):
        one: Any = source
        (reading,) = _readings(
            lambda: scan_sheets(one, *given, finders.locate_one), [one], language, game
        )
        return reading
    if len(source) < 2:
        raise errors.SourceUnknown(type(source).__name__)
    from brikks_vision.pipeline.follow import scan_together  # which imports this module

    (reading,) = _readings(lambda: [scan_together(source, *given)], source, language, game)
    return reading


def scan_all(
    source: Source,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    game: str | None = None,
    sheet: AnySheet | None = None,
    **settings: int | str | None,
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
    given = _given(settings, language, answers, game, sheet)
    return _readings(lambda: scan_sheets(source, *given, locate_all), [source], language, game)


def _given(
    settings: Mapping[str, object],
    language: str,
    answers: Mapping[str, str] | None,
    game: str | None,
    sheet: object,
) -> tuple[GameSettings, str, Mapping[str, str] | None, Sequence[Printing] | None]:
    """What `scan_sheets` takes besides a photo; raises as `scan` where the call is wrong."""
    if str(language) not in LANGUAGES:
        raise errors.UnknownValue("language", language, ", ".join(LANGUAGES))
    known = games.checked_settings(settings, games.games_meant(game))
    return (
        known,
        language,
        answers,
        None if game is sheet is None else printings_sought(game, sheet),
    )


def _readings(
    read: Callable[[], Sequence[ScanResult | errors.PhotoUnreadable]],
    sources: Sequence[Source],
    language: str,
    game: str | None,
) -> list[AnyReading]:
    """What is read of photos; what cannot be read has a sentence that says why."""
    try:
        shown = read()
    except errors.PhotoUnreadable as error:
        shown = [error]
    name, *others = map(name_of, sources)
    return [
        games.unreadable(name, each.text(language), index, game, (name, *others) if others else ())
        if isinstance(each, errors.PhotoUnreadable)
        else each.reading
        for index, each in enumerate(shown)
    ]


def scan_photo(
    source: Source,
    known: GameSettings = NO_SETTINGS,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    printings: Sequence[Printing] | None = None,
) -> ScanResult:
    """Like `scan`, with what an annotated picture needs; raises `PhotoUnreadable`."""
    (shown,) = scan_sheets(source, known, language, answers, printings, finders.locate_one)
    if isinstance(shown, errors.PhotoUnreadable):
        raise shown
    return shown


def scan_sheets(
    source: Source,
    known: GameSettings = NO_SETTINGS,
    language: str = "en",
    answers: Mapping[str, str] | None = None,
    printings: Sequence[Printing] | None = None,
    locate: finders.Locate = locate_all,
) -> list[ScanResult | errors.PhotoUnreadable]:
    """Like `scan_all`, with what pictures and the record need.

    The first finder counts that finds something which can be read.

    printings : those that are looked for (`printings_sought`); None: all that are known. locate :
    all sheets, or the one that is seen best.

    Raises
    ------
    PhotoUnreadable
        Nothing can be read.
    AnswersNeedOneSheet
        There are answers, and several sheets.
    AnswerUnclear, AnswerOffSheet, SettingUnknown, UnknownValue, GameImpossible
        As of `scan`.
    """
    name, photo, said = name_of(source), stored(source), NO_ANSWERS if answers is None else answers
    if not isinstance(said, Mapping) or said:
        _check_answers(said, printings_sought() if printings is None else printings)
    failures: list[errors.PhotoUnreadable] = []
    for find in dict.fromkeys(finders.FINDERS.values()):
        names = [name for name, each in finders.FINDERS.items() if each is find]
        of_finder = (
            printings_found_by(names)
            if printings is None
            else [each for each in printings if each.finder in names]
        )
        if not of_finder:
            continue
        try:
            found = _read_all(find, photo, name, locate, known, said, of_finder)
        except NOT_SHOWN as error:
            found = [error]
        wrong = [each for each in found if isinstance(each, errors.PhotoUnreadable)]
        if len(wrong) < len(found):
            for game in {each.layout.game for each in found if isinstance(each, ScanResult)}:
                games.check_played(game, known)
            return [
                replace(each, reading=localize(each.reading, language))
                if isinstance(each, ScanResult)
                else each
                for each in found
            ]
        failures += wrong[:1]
    raise finders.unread(photo, max(failures, key=_tells, default=errors.NoSheetFound()))


def _tells(error: errors.PhotoUnreadable) -> int:
    """How much an error tells of what a photo shows: the least where nothing was found."""
    if isinstance(error, errors.NoBoardFound):
        return 0
    return 1 if isinstance(error, errors.NoSheetFound | errors.SheetBackShown) else 2


def _check_answers(answers: Mapping[str, str], printings: Sequence[Printing]) -> None:
    """Raises AnswerUnclear or AnswerOffSheet where no such printing takes the answers."""
    if not isinstance(answers, Mapping):
        raise errors.AnswerUnclear(str(answers), '{"cell 3,4": "X"}')
    failures: list[errors.BrikksError] = []
    for layout in printings:
        try:
            checked_answers(answers, games.game_named(layout.game), layout)
            return
        except (errors.AnswerUnclear, errors.AnswerOffSheet) as error:
            failures.append(error)
    if failures:
        raise failures[0]


def _read_all(
    find: finders.Find,
    source: Stored,
    name: str,
    locate: finders.Locate,
    known: GameSettings,
    answers: Mapping[str, str],
    printings: Sequence[Printing],
) -> list[ScanResult | errors.PhotoUnreadable]:
    """Load, locate, observe, decode and judge; ``name``: what the readings call the photo.

    No finer photo is read where the coarse one is enough.
    """
    timing = finders.Timing()
    shown: list[ScanResult | errors.PhotoUnreadable] = []
    for detections in find(source, name, locate, printings, timing):
        if answers and len(detections.found) > 1:
            raise errors.AnswersNeedOneSheet(len(detections.found))
        look = _look if detections.is_first else _look_closer
        results = [
            each
            if isinstance(each, errors.PhotoUnreadable)
            else look(
                detections.photo,
                each,
                _known_of(each.layout.game, known),
                answers,
                timing if detections.is_first else timing.copy(),
            )
            for each in detections.found
        ]
        shown = [each for each in results if each is not None]
        if shown:
            break
    return [
        replace(each, reading=replace(each.reading, index=index))
        if isinstance(each, ScanResult)
        else each
        for index, each in enumerate(shown)
    ]


def _known_of(game: str, known: GameSettings) -> GameSettings:
    """What is said, as far as it can be said of a game that a photo may show."""
    own = games.own_settings(game, known)
    return own if games.game_named(game).is_possible(own) else NO_SETTINGS


def _look(
    photo: Photo,
    placed: Placed,
    known: GameSettings,
    answers: Mapping[str, str],
    timing: finders.Timing,
) -> ScanResult | None:
    """The sheet that lies there by the fast pass; None where that leaves something open.

    timing: seconds of each step so far; those here are added.
    """
    layout = placed.layout
    with finders.timed(timing, "read"):
        evidence = passes.evidence_of(photo, placed, passes.fast_pass, known)
    if passes.is_doubtful(evidence.marks):  # which spares weighing them by the rules
        return None
    with finders.timed(timing, "rules"):
        reading, posterior = decoded(photo.name, evidence, layout, NO_ANSWERS)
        # without the answers: a photo has the same evidence with them and without them
        if not passes.is_confident(reading, posterior, evidence, layout):
            return None
        if answers:
            reading, posterior = decoded(photo.name, evidence, layout, answers)
    return _result(photo, placed, evidence, reading, posterior, timing)


def _look_closer(
    photo: Photo,
    placed: Placed,
    known: GameSettings,
    answers: Mapping[str, str],
    timing: finders.Timing,
) -> ScanResult:
    """What lies there by the full pass, or by its game.

    timing : as of `_look`.
    """
    layout = placed.layout
    with finders.timed(timing, "read"):
        if layout.finder in passes.PASSES:
            evidence = passes.evidence_of(photo, placed, passes.PASSES[layout.finder], known)
        else:
            evidence = games.game_named(layout.game).observe(photo, placed, known)
    with finders.timed(timing, "rules"):
        reading, posterior = decoded(photo.name, evidence, layout, answers)
    return _result(photo, placed, evidence, reading, posterior, timing)


def decoded(photo: str, evidence: Any, layout: Any, answers: Mapping[str, str]) -> tuple[Any, Any]:
    """The reading of the evidence by its game, and the posterior that it follows from.

    photo : its name.
    """
    game = games.game_named(layout.game)
    return game.read(photo, evidence, layout, checked_answers(answers, game, layout))


def read_again(result: ScanResult, answers: Mapping[str, str], language: str = "en") -> ScanResult:
    """The same evidence read with other answers; raises AnswerUnclear, AnswerOffSheet."""
    read, posterior = decoded(result.reading.photo, result.evidence, result.layout, answers)
    reading = localize(read, language).as_of(result.reading)
    return replace(result, reading=reading, posterior=posterior)


def _result(
    photo: Photo,
    placed: Placed,
    evidence: Any,
    reading: Any,
    posterior: Any,
    timing: Mapping[str, float],
) -> ScanResult:
    """The reading with where the sheet lies in the photo, and how long each step took."""
    corners = placed.placement.to_photo(np.asarray(placed.layout.outline.corners))
    corners = (corners + 0.5) / photo.scale - 0.5
    if photo.is_flipped:  # told in the photo as it was given
        corners = corners * (-1, 1) + (photo.full_size[0] - 1, 0)
    reading = replace(
        reading,
        corners=tuple((float(x), float(y)) for x, y in corners),
        timing_ms={step: 1000 * float(seconds) for step, seconds in timing.items()},
    )
    use(placed.layout)
    return ScanResult(reading, photo, placed.layout, placed.placement, posterior, evidence)


def for_pictures(result: ScanResult, source: Source) -> ScanResult:
    """The result with its photo as fine as pictures need; the fast pass reads a coarser one."""
    photo, placement = finders.finer(stored(source), result.photo, result.placement, result.layout)
    if photo is result.photo:
        return result
    return replace(result, photo=photo, placement=placement)


def name_of(source: Source) -> str:
    """What a reading calls the photo: the name of its file, if it has one."""
    path = source if isinstance(source, str | os.PathLike) else getattr(source, "name", None)
    return Path(path).name if isinstance(path, str | os.PathLike) else "photo"


def names_of(one: Source, other: Source) -> tuple[str, str]:
    """What two photos are called beside each other: files of one name by their paths."""
    names = name_of(one), name_of(other)
    are_files = all(isinstance(each, str | os.PathLike) for each in (one, other))
    if are_files and names[0] == names[1] and str(one) != str(other):
        return str(one), str(other)
    return names


# --- phrases become sentences in the user's language ----------------------------------------------


def localize(reading: OfReading, language: str) -> OfReading:
    """The reading with its rank and its broken rules in that language."""
    return replace(
        reading,
        rank=rank_words(reading, language) or reading.rank,
        violations=violations_in_words(reading.violations, language),
    )


def rank_words(reading: Reading, language: str) -> str:
    """What the publisher calls such a result; empty where it has no name."""
    rank = games.game_of(reading).rank_of(reading) if reading.score is not None else None
    return "" if rank is None else rank.text(language)


def verdict_in_words(verdict: Told, language: str) -> Told:
    """The verdict on several sheets, a dataclass with ``violations``, in that language."""
    told: Any = verdict
    changed: Told = replace(told, violations=violations_in_words(told.violations, language))
    return changed


def violations_in_words(
    violations: Sequence[ViolationReading], language: str
) -> tuple[ViolationReading, ...]:
    """Broken rules in that language; those that come from JSON keep their sentence."""
    return tuple(
        each if each.told is None else replace(each, message=each.told.sentence(language))
        for each in violations
    )
