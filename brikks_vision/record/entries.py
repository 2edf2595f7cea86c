"""What the record tells of photos, results, corrections and games: plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Literal

from brikks_vision.games import game_of
from brikks_vision.infer import sameness
from brikks_vision.reading import GameSettings, Reading, ReadSheet

# No photo counts as taken outside of these. Before, there were no cameras that write a date (Exif
# came in 1995); after, it is nonsense, and hours and margins of plots must still be added to it.
# Not "tomorrow": the clock here may be the one that is wrong, as on a Raspberry Pi.
EARLIEST, LATEST = datetime(1990, 1, 1), datetime(2999, 12, 31, 23, 59, 59)
# A camera's clock has no zone: the farthest two are 26 hours apart (UTC-12, UTC+14).
MAX_AHEAD = timedelta(hours=26)


@dataclass(frozen=True)
class PhotoFacts:
    """What the record keeps of a photo beside its readings.

    ``sha256``: of the file's bytes, hexadecimal. ``taken``: wall clock, no zone, from the camera
    ("exif"), the file's date ("file"), or the file's date because the camera's lies in the future
    ("file-as-camera-ahead"). ``camera``: that date of the camera; not recorded.
    """

    sha256: str
    name: str
    taken: datetime
    taken_from: Literal["exif", "file", "file-as-camera-ahead"] = "exif"
    camera: datetime | None = None


@dataclass(frozen=True)
class Material:
    """What a reading is corrected with once the photo is gone.

    ``evidence``: text of `brikks_vision.infer.evidence`. ``picture``: the straightened sheet
    without any drawing, JPEG, without any data of the camera.
    """

    evidence: str
    picture: bytes


@dataclass(frozen=True)
class SheetReading:
    """One sheet in a photo. ``thumbnail``: a small JPEG with the reading drawn on it."""

    reading: Reading
    thumbnail: bytes | None = None
    material: Material | None = None


@dataclass(frozen=True)
class OwnerConflict:
    """A result is one player's, and another was named. ``player`` stands; ``named`` does not."""

    result: int
    player: str
    named: str


@dataclass(frozen=True)
class Added:
    """What became of a photo. ``results``: one number a sheet, in the photo's order.

    ``is_new``: False where the same photo was recorded before, so that nothing was read into it.
    ``merged``: those of ``results`` that were there before, from another photo of that sheet.
    ``owners``: those whose owner stays although another was named; it is asked about (see
    `brikks_vision.record.questions`), and `assign_player` changes it.
    """

    results: tuple[int, ...]
    is_new: bool
    merged: tuple[int, ...] = ()
    owners: tuple[OwnerConflict, ...] = ()


@dataclass(frozen=True)
class RecordedPhoto:
    """A photo that is known. ``error``: name of the error class where no sheet was read."""

    facts: PhotoFacts
    added: datetime
    error: str | None
    results: tuple[int, ...]


@dataclass(frozen=True)
class Result:
    """One sheet or board at one time, as it stands now: the best reading, or its last correction.

    ``played``: the name of the game that it is of. ``game``: the number of the game in the record
    that it is in. ``photos``: how many photos show it; ``photo``: the best of them.
    ``is_continued``: a person said that a later result shows this sheet later in its game.
    ``apart``: later results of which a person said that they show another sheet.
    """

    id: int
    reading: Reading
    photo: PhotoFacts
    added: datetime
    player: str | None
    played: str
    game: int | None
    is_corrected: bool
    photos: int
    is_continued: bool = False
    apart: frozenset[int] = frozenset()

    @property
    def total(self) -> int | None:
        return None if self.reading.score is None else self.reading.score.total


@dataclass(frozen=True)
class Correction:
    """``changes``: by place ("cell 3,4"), what stood there and what stands there now.

    ``reading``: the whole reading after it. ``made``: UTC.
    """

    result: int
    made: datetime
    who: str
    changes: Mapping[str, tuple[str, str]]
    reading: Reading


@dataclass(frozen=True)
class KeptPhoto:
    """A photo of a result that is kept to teach.

    ``read``: what it was read as. ``made``: UTC, when it was kept. ``total``: the right one, as a
    person said; None: nobody did. ``size``: of the picture, in bytes.
    """

    result: Result
    photo: PhotoFacts
    read: Reading
    made: datetime
    total: int | None
    size: int


class ChangeKind(StrEnum):
    """What a person changed."""

    CORRECTION = "correction"
    OWNER = "owner"
    GAME = "game"
    GAME_REMOVED = "game-removed"
    JOINED = "joined"
    REMOVED = "removed"
    ANSWER = "answer"


@dataclass(frozen=True)
class Change:
    """Something that a person changed.

    ``number``: of the result, or of the game. ``made``: UTC.
    """

    kind: ChangeKind
    number: int | None
    who: str
    made: datetime


@dataclass(frozen=True)
class Undone:
    """``beside``: results of the photo of one that came back, read from it since."""

    change: Change
    beside: tuple[int, ...] = ()


@dataclass(frozen=True)
class GameLeft:
    """A game that sheets would leave. ``leaving``, ``staying``: numbers of its results."""

    game: int
    leaving: tuple[int, ...]
    staying: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """Sheets of one game, in the order in which they were put together."""

    id: int
    made: datetime
    settings: GameSettings
    results: tuple[Result, ...]


@dataclass(frozen=True)
class Seat:
    """A player's place at a table.

    ``player``: None where nobody said yet whose the sheet is. ``result``: None until a photo shows
    the sheet. The names of both differ where the sheet was somebody else's in the record.
    """

    id: int
    player: str | None
    result: Result | None


@dataclass(frozen=True)
class Table:
    """A game in the making: who plays, and whose sheet has been photographed.

    ``game``: the game that it became, once somebody asked who won. ``version``: another string
    after every change, so that several phones can tell.
    """

    id: int
    made: datetime
    settings: GameSettings
    game: int | None
    seats: tuple[Seat, ...]
    version: str

    @property
    def played(self) -> str | None:
        """The name of the game that the sheets are of; None where there is none yet."""
        return next((result.played for result in self.results), None)

    @property
    def results(self) -> tuple[Result, ...]:
        """The sheets that were photographed, in the order of the seats."""
        return tuple(seat.result for seat in self.seats if seat.result is not None)


@dataclass(frozen=True)
class SeatAssignment:
    """Where the sheets of a photo went. ``elsewhere``: results that lie on another table.

    ``other_game``: results that got no seat, since another game is played at the table.
    """

    seated: tuple[int, ...]
    elsewhere: tuple[int, ...] = ()
    other_game: tuple[int, ...] = ()


@dataclass(frozen=True)
class Filters:
    """Which results to list; None leaves it open.

    ``since`` and ``until``: days, both inclusive. ``game``: the number of a game in the record.
    ``played``: the name of a game.
    """

    player: str | None = None
    since: date | None = None
    until: date | None = None
    game: int | None = None
    played: str | None = None


def same_state(
    one: Reading, one_taken: datetime, other: Reading, other_taken: datetime
) -> sameness.Sameness:
    """Whether two readings show the same sheet in the same state."""
    if not _are_of_one_game(one, other):
        return sameness.Sameness.DIFFERENT
    return sameness.same_state(game_of(one).TRACES, one, one_taken, other, other_taken)


def grown_state(
    before: Reading, before_taken: datetime, after: Reading, after_taken: datetime
) -> sameness.Sameness:
    """Whether ``after`` is the sheet of ``before`` later in the same game."""
    if not _are_of_one_game(before, after):
        return sameness.Sameness.DIFFERENT
    return sameness.grown_state(game_of(before).TRACES, before, before_taken, after, after_taken)


def is_better(new: Reading, old: Reading) -> bool:
    """Whether ``new`` is a more certain reading of a sheet than ``old``."""
    if not _are_of_one_game(new, old):
        return isinstance(new, ReadSheet) and not isinstance(old, ReadSheet)
    return sameness.certainty(new) > sameness.certainty(old)


def _are_of_one_game(one: Reading, other: Reading) -> bool:
    are_read = isinstance(one, ReadSheet) and isinstance(other, ReadSheet)
    return are_read and one.game == other.game
