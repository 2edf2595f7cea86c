"""A folder that photos arrive in, for weeks: each is read once, when it is complete.

The listing of the folder is the truth, notifications of the file system only tell when to look:
they get lost, and network shares send none. The photos are only read, never touched. What is known
lies in the record alone, so this may be killed at any moment.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from brikks_vision import errors
from brikks_vision.detect.photo import read_file
from brikks_vision.files import try_lock
from brikks_vision.games.printings import printings_sought
from brikks_vision.intake.corrections import Said
from brikks_vision.intake.folders import failure_of, is_photo_name
from brikks_vision.intake.photos import check_date, photo_facts, sheet_reading
from brikks_vision.intake.recording import record_photo
from brikks_vision.pipeline import scan_sheets
from brikks_vision.reading import GameSettings
from brikks_vision.record import photos
from brikks_vision.record.database import Record, open_record
from brikks_vision.record.entries import OwnerConflict, Result
from brikks_vision.record.results import get_result

STILL = 1.0  # seconds without a change until a file counts as complete
PATIENCE = 30.0  # seconds for the rest of a picture that ends too early
RETRY = 10.0  # seconds until the record is tried again
WAKE = 0.5  # seconds between looks while a file is arriving
IDLE = 15.0  # seconds between looks while no change is told
POLL = 3.0  # seconds between looks where nobody tells of changes


@dataclass(frozen=True)
class Stamp:
    """What changes when a file does. ``modified``, ``changed``: ns since 1970."""

    size: int
    modified: int
    changed: int

    @property
    def text(self) -> str:
        return f"{self.size} {self.modified} {self.changed}"


@dataclass(frozen=True)
class Sighting:
    """A file that has borne the same stamp since a moment (seconds of a steady clock)."""

    stamp: Stamp
    since: float


@dataclass(frozen=True)
class Settings:
    """What the paper cannot say, and for whom it is told."""

    player: str | None = None
    known: GameSettings = field(default_factory=dict)
    sheet: str | None = None
    language: str = "en"


@dataclass(frozen=True)
class NewResult:
    """A result to tell of. ``is_known``: another photo of the sheet was recorded before."""

    photo: Path
    result: Result
    is_known: bool


@dataclass(frozen=True)
class Failure:
    """What is wrong with a photo, or with the folder or the record where ``photo`` is None."""

    photo: Path | None
    error: errors.BrikksError


@dataclass(frozen=True)
class Recovered:
    """A folder is there again; the record, where ``folder`` is None."""

    folder: Path | None


News = NewResult | Failure | Recovered | OwnerConflict
Tell = Callable[[News], None]


# --- looking -------------------------------------------------------------------------------------


def photo_files(folder: Path) -> dict[Path, Stamp]:
    """The photos in a folder (not below it) with their stamps; raises FolderGone."""
    files = {}
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if is_photo_name(entry.name):
                    with suppress(OSError):  # gone since, or a link to nothing
                        if entry.is_file():
                            files[Path(entry.path)] = _stamp(entry.stat())
    except OSError as error:
        raise errors.FolderGone(folder) from error
    return files


def seen_again(
    seen: Mapping[Path, Sighting], files: Mapping[Path, Stamp], now: float
) -> dict[Path, Sighting]:
    """The files that are there, each with the moment since when it has not changed."""
    return {
        path: seen[path] if path in seen and seen[path].stamp == stamp else Sighting(stamp, now)
        for path, stamp in files.items()
    }


def complete(seen: Mapping[Path, Sighting], done: Mapping[Path, Stamp], now: float) -> list[Path]:
    """The files that are not done and have been still, in the order in which they were written."""
    paths = [
        path
        for path, sighting in seen.items()
        if done.get(path) != sighting.stamp and now - sighting.since >= STILL
    ]
    return sorted(paths, key=lambda path: (seen[path].stamp.modified, path.name))


# --- reading -------------------------------------------------------------------------------------


def ingest(
    record: Record, path: Path, sighting: Sighting, settings: Settings, now: float
) -> tuple[bool, list[News]]:
    """Read a photo and record it, if its content is new.

    Returns whether the file is done with until it changes, and what there is to tell.

    Raises RecordFailure, NotARecord.
    """
    try:
        return _taken_in(record, path, sighting, settings, now)
    except errors.RecordFailure:
        raise
    except Exception as error:
        return True, [Failure(path, failure_of(error))]  # not remembered: the program's own fault


def _taken_in(
    record: Record, path: Path, sighting: Sighting, settings: Settings, now: float
) -> tuple[bool, list[News]]:
    is_patient = now - sighting.since < PATIENCE
    file = str(path.absolute())
    if photos.is_known_file(record, file, sighting.stamp.text):
        return True, []
    try:
        data = read_file(path)
        if _stamp(path.stat()) != sighting.stamp:
            return False, []
    except (errors.PhotoMissing, errors.PhotoIsNoFile, OSError):
        return True, []
    except errors.PhotoEmpty as error:
        return (False, []) if is_patient else (True, [Failure(path, error)])
    except (errors.PhotoNotPermitted, errors.FileTooLarge) as error:
        return True, [Failure(path, error)]
    facts = photo_facts(data, path.name, sighting.stamp.modified / 1e9)
    if photos.find_photo(record, facts.sha256) is not None:
        photos.remember_file(record, file, sighting.stamp.text, facts.sha256)
        return True, [*photos.add_photo(record, facts, (), settings.player).owners]
    try:
        sought = None if settings.sheet is None else printings_sought(None, settings.sheet)
        found = scan_sheets(data, settings.known, settings.language, None, sought)
    except errors.PhotoTruncated as error:
        if is_patient:
            return False, []
        found = [error]
    except errors.ReadingTooSlow as error:
        return True, [Failure(path, error)]  # not remembered: the machine may have been busy
    except errors.PhotoUnreadable as error:
        found = [error]
    except errors.WrongUse as error:
        return True, [Failure(path, error)]  # not remembered: what is said may be another next time
    sheets = [sheet for sheet in found if not isinstance(sheet, errors.PhotoUnreadable)]
    unread = [error for error in found if isinstance(error, errors.PhotoUnreadable)]
    quiet = not sheets and all(isinstance(error, errors.NoSheetFound) for error in unread)
    troubles = [] if quiet else [Failure(path, error) for error in unread]
    if not sheets:
        added = photos.add_unread(record, facts, unread[0] if unread else errors.NoSheetFound())
        photos.remember_file(record, file, sighting.stamp.text, facts.sha256)
        return True, [*troubles] if added.is_new else []
    readings = [sheet_reading(sheet, data, settings.language) for sheet in sheets]
    said = Said({}, settings.known)
    added = record_photo(record, facts, readings, settings.player, said, settings.language)
    photos.remember_file(record, file, sighting.stamp.text, facts.sha256)
    if not added.is_new:  # another program has read a copy meanwhile
        return True, [*added.owners]
    told = [NewResult(path, get_result(record, n), n in added.merged) for n in added.results]
    try:
        check_date(facts)
    except errors.CameraDateAhead as error:
        troubles.append(Failure(path, error))
    return True, [*told, *troubles]


# --- watching ------------------------------------------------------------------------------------


def watch(
    folders: Sequence[Path],
    database: Path,
    settings: Settings,
    tell: Tell,
    wakes: Iterator[bool],
    clock: Callable[[], float] = time.monotonic,
) -> None:
    """Read what arrives, as long as ``wakes`` goes on.

    Each of ``wakes`` is a moment to look: True where something may have changed, False where only
    time has passed.
    """
    seen: dict[Path, Sighting] = {}
    done: dict[Path, Stamp] = {}
    gone: set[Path] = set()
    trouble: type[errors.RecordFailure] | None = None
    next_look = try_again = clock()
    for has_changed in wakes:
        now = clock()
        if not has_changed and now < next_look:
            continue
        files = _files_in(folders, gone, tell)
        seen = seen_again(seen, files, now)
        done = {path: stamp for path, stamp in done.items() if path in files}
        ready = complete(seen, done, now) if now >= try_again else []
        if ready:
            try:
                with open_record(database) as record:
                    for path in ready:
                        is_done, news = ingest(record, path, seen[path], settings, now)
                        if is_done:
                            done[path] = seen[path].stamp
                        for each in news:
                            tell(each)
                if trouble is not None:
                    trouble = None
                    tell(Recovered(None))
            except errors.RecordFailure as error:
                # The photos stay where they are, and are read as soon as they can be recorded.
                if trouble is not type(error):
                    trouble = type(error)
                    tell(Failure(None, error))
                try_again = clock() + RETRY
        is_arriving = any(done.get(path) != sighting.stamp for path, sighting in seen.items())
        next_look = clock() + (WAKE if is_arriving or gone else IDLE)


def notified(folders: Sequence[Path]) -> Iterator[bool]:
    """Moments to look, as the file system tells of changes; by the clock where it tells nothing."""
    from watchfiles import watch as changes_in

    yield True
    while True:
        there = _identities(folders)
        try:
            for changes in changes_in(
                *there,
                watch_filter=None,
                debounce=200,
                rust_timeout=round(1000 * WAKE),
                yield_on_timeout=True,
                recursive=False,
            ):
                yield bool(changes)
                if not there or _identities(folders) != there:
                    break
        except (OSError, RuntimeError):  # a folder vanished, or the system watches too many
            time.sleep(WAKE)
        # A folder that was made anew, or a watch that could not be set, is looked at by the clock.
        time.sleep(WAKE)
        yield True


def polled() -> Iterator[bool]:
    """Moments to look, by the clock alone: for network shares."""
    while True:
        yield True
        time.sleep(POLL)


@contextmanager
def only_watcher(database: Path) -> Iterator[None]:
    """Hold the place of the only watcher that writes to a record; given up however it ends.

    Raises AnotherWatcher.
    """
    path = database.with_name(f"{database.name}.watch")
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError:  # the record's own errors say more
        yield
        return
    try:
        if not try_lock(file):
            raise errors.AnotherWatcher(database)
        yield
    finally:
        os.close(file)


def _files_in(folders: Sequence[Path], gone: set[Path], tell: Tell) -> dict[Path, Stamp]:
    """The photos in all folders; tells of those that went or came back, noting them in ``gone``."""
    files: dict[Path, Stamp] = {}
    for folder in folders:
        try:
            files |= photo_files(folder)
        except errors.FolderGone as error:
            if folder not in gone:
                gone.add(folder)
                tell(Failure(None, error))
        else:
            if folder in gone:
                gone.remove(folder)
                tell(Recovered(folder))
    return files


def _identities(folders: Sequence[Path]) -> dict[Path, tuple[int, int]]:
    """The folders that are there, each told from another of the same name."""
    found = {}
    for folder in folders:
        with suppress(OSError):
            status = folder.stat()
            found[folder] = (status.st_dev, status.st_ino)
    return found


def _stamp(status: os.stat_result) -> Stamp:
    return Stamp(status.st_size, status.st_mtime_ns, status.st_ctime_ns)
