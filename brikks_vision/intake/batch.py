"""Reads thousands of photos with a process a core, and keeps what is done at every moment.

A worker reads one photo at a time, so that one that hangs or is killed costs its own photo only.
What is read goes at once, a line a photo, into a journal (JSON Lines) beside the table; a later
run reads no photo again whose content the journal knows. The table (CSV) is written whole.
"""

from __future__ import annotations

import csv
import errno
import hashlib
import json
import os
import queue
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Self, TypeVar

from brikks_vision import errors, games, layout
from brikks_vision.codec import JsonObject
from brikks_vision.detect.headers import MAX_SECONDS
from brikks_vision.files import write_whole
from brikks_vision.intake.folders import failure_of
from brikks_vision.intake.workers import Workers
from brikks_vision.reading import NO_SETTINGS, GameSettings, Reading, Status
from brikks_vision.show import analysis
from brikks_vision.text.phrases import spreadsheet_text

_Item = TypeVar("_Item")
Settings = tuple[GameSettings, str, str | None]
"""What is known of the games, the language of sentences, and the printing (`open_printing`)."""
Source = Path | str
"""A photo: a file, or the URL of an object in a store."""
Stamp = tuple[str, int, str]
"""By what a photo is known again unopened: its whole name, its size in bytes, and its time of
change or its tag in the store."""


@dataclass(frozen=True)
class SheetLine:
    """What the table says of one sheet: values by column, see `brikks_vision.show.analysis`.

    Without a sheet there is an "error". row : of the table for analysis, where it is wanted.
    """

    values: JsonObject
    row: JsonObject | None = None

    @classmethod
    def of(cls, reading: Reading) -> Self:
        return cls(analysis.reading_values(reading))

    @property
    def status(self) -> Status:
        return Status(self.values["status"])

    @property
    def index(self) -> int:
        """Which sheet of its photo it is, from 0."""
        return int(self.values["index"])


@dataclass(frozen=True)
class PhotoLines:
    """What became of one photo.

    sha256 : of the file's bytes; None where it could not be read. is_new : read in this run.
    is_final : whether the same file would give the same again. code : how the command ends for it.
    stamp : of the file when it was read; None where nobody looked.
    """

    file: Source
    sha256: str | None
    sheets: tuple[SheetLine, ...]
    is_new: bool
    is_final: bool
    code: errors.ExitCode
    stamp: Stamp | None = None


ReadBefore = Mapping[str, tuple[SheetLine, ...]]
"""The sheets of photos read before, by content."""


def read_photo(file: Path, settings: Settings, read_before: Iterable[str] = ()) -> PhotoLines:
    """Read every sheet of one photo; of a known content only its hash, and no sheets."""
    from brikks_vision.detect.photo import read_file

    return read_source(file, partial(read_file, file), settings, read_before)


def read_source(
    file: Source,
    load: Callable[[], bytes],
    settings: tuple[GameSettings, str, layout.Printing | str | None],
    read_before: Iterable[str] = (),
) -> PhotoLines:
    """`read_photo` of whatever ``load`` gives, which may raise a BrikksError."""
    known, language, sheet = settings
    sha256 = None
    try:
        from brikks_vision.pipeline import scan_all

        data = load()
        sha256 = hashlib.sha256(data).hexdigest()
        if sha256 in read_before:
            return PhotoLines(file, sha256, (), False, True, errors.ExitCode.CERTAIN)
        readings = scan_all(data, language=language, sheet=sheet, **known)
    except Exception as error:
        reason = failure_of(error)
        is_slow = isinstance(reason, errors.ReadingTooSlow | errors.ReadingFailed)
        is_final = isinstance(reason, errors.PhotoUnreadable) and not is_slow
        return failed(file, sha256, reason, language, is_final=is_final, known=known)
    return photo_lines(file, sha256, _sheet_lines(readings, file, sha256, known))


def _sheet_lines(
    readings: Sequence[Reading], file: Source, sha256: str, known: GameSettings
) -> tuple[SheetLine, ...]:
    rows = analysis.analysis_rows(readings, str(file), sha256, known)
    return tuple(
        SheetLine(analysis.reading_values(reading), row)
        for reading, row in zip(readings, rows, strict=True)
    )


def photo_lines(
    file: Source, sha256: str, sheets: tuple[SheetLine, ...], is_new: bool = True
) -> PhotoLines:
    """A photo that has been read."""
    statuses = {sheet.status for sheet in sheets}
    code = errors.ExitCode.UNREADABLE if Status.UNREADABLE in statuses else errors.ExitCode.CERTAIN
    if Status.UNCERTAIN in statuses and code is errors.ExitCode.CERTAIN:
        code = errors.ExitCode.UNCERTAIN
    return PhotoLines(file, sha256, sheets, is_new, True, code)


def failed(
    file: Source,
    sha256: str | None,
    error: errors.BrikksError,
    language: str,
    is_final: bool,
    known: GameSettings = NO_SETTINGS,
) -> PhotoLines:
    """A photo that was not read, and why."""
    reading = games.unreadable(Path(file).name, error.text(language))
    if sha256 is None:
        lines: tuple[SheetLine, ...] = (SheetLine.of(reading),)
    else:
        lines = _sheet_lines((reading,), file, sha256, known)
    return PhotoLines(file, sha256, lines, True, is_final, error.exit_code)


# --- the workers ---------------------------------------------------------------------------------


def read_photos(
    files: Sequence[Path], jobs: int, settings: Settings, read_before: ReadBefore
) -> Generator[PhotoLines, None, None]:
    """Read photos with ``jobs`` processes; yields each photo when it is done, in any order.

    A photo whose process is killed, or that takes longer than `MAX_SECONDS`, is unreadable.
    Whatever ends the iteration ends the processes.
    """
    work = partial(read_photo, settings=settings, read_before=frozenset(read_before))
    finished: queue.SimpleQueue[tuple[Path, Future[PhotoLines]]] = queue.SimpleQueue()

    def finish(file: Path, future: Future[PhotoLines]) -> None:
        finished.put((file, future))

    if not files:
        return
    with closing(Workers(work, min(jobs, len(files)), MAX_SECONDS)) as workers:
        for file in files:
            workers.start(file).add_done_callback(partial(finish, file))
        for _ in files:
            yield _photo_of(*_next(finished), settings[1], read_before)


def _next(finished: queue.SimpleQueue[_Item]) -> _Item:
    while True:
        with suppress(queue.Empty):  # on Windows, Ctrl-C interrupts only a wait with a limit
            return finished.get(timeout=1.0)


def _photo_of(
    file: Path, future: Future[PhotoLines], language: str, read_before: ReadBefore
) -> PhotoLines:
    try:
        photo = future.result()
    except errors.BrikksError as error:
        return failed(file, None, error, language, is_final=False)
    if photo.sha256 is None or photo.sheets:
        return photo
    return photo_lines(file, photo.sha256, read_before[photo.sha256], is_new=False)


# --- what is kept --------------------------------------------------------------------------------


def journal_of(table: Path) -> Path:
    """The journal beside a table."""
    return table.with_name(f"{table.name}.jsonl")


def load_journal(
    path: Path, settings: Settings, needs_rows: bool = False
) -> dict[str, tuple[SheetLine, ...]]:
    """The photos that were read with these settings by this version; empty without a journal.

    Lines that are torn, or of something else, are passed over. needs_rows : so are those that keep
    no rows for analysis.

    Raises OutputNotWritable: the journal is there but cannot be opened.
    """
    known = {}
    for entry in _entries(path, settings):
        with suppress(ValueError, TypeError, KeyError):
            if entry.get("rows") or not needs_rows:
                known[str(entry["sha256"])] = tuple(
                    SheetLine({**each, "status": Status(each["status"])})
                    for each in entry["sheets"]
                )
    return known


def journal_rows(path: Path, settings: Settings) -> Iterator[tuple[str, list[JsonObject]]]:
    """The content and the rows for analysis of each photo whose rows were kept.

    Raises OutputNotWritable.
    """
    for entry in _entries(path, settings):
        with suppress(TypeError, KeyError):
            yield str(entry["sha256"]), list(entry["rows"])


def load_stamps(path: Path, settings: Settings) -> dict[Stamp, str]:
    """By stamp, the content of each photo that `load_journal` knows and whose stamp was kept.

    Raises OutputNotWritable.
    """
    stamps = {}
    for entry in _entries(path, settings):
        with suppress(TypeError, KeyError, ValueError):
            name, size, changed = entry["stamp"]
            stamps[str(name), int(size), str(changed)] = str(entry["sha256"])
    return stamps


def _entries(path: Path, settings: Settings) -> Iterator[JsonObject]:
    """The lines of a journal that were read with these settings by this version."""
    marks = _marks(settings)
    try:
        with path.open("rb") as lines:
            for line in lines:
                with suppress(ValueError):
                    entry = json.loads(line)
                    if isinstance(entry, dict) and entry.get("settings") == marks:
                        yield entry
    except FileNotFoundError:
        return
    except OSError as error:
        raise errors.OutputNotWritable(path, error.strerror or error) from error


@contextmanager
def journal(path: Path, settings: Settings) -> Iterator[Callable[[PhotoLines], None]]:
    """A function that adds a photo to a journal, on the disk when it returns.

    Raises OutputNotWritable: the journal cannot be written, then or when a photo is added.
    """
    marks = _marks(settings)
    try:
        file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
    except OSError as error:
        raise errors.OutputNotWritable(path, error.strerror or error) from error

    def add(photo: PhotoLines) -> None:
        entry: JsonObject = {
            "sha256": photo.sha256,
            "settings": marks,
            "sheets": [dict(sheet.values) for sheet in photo.sheets],
        }
        if photo.stamp is not None:
            entry["stamp"] = photo.stamp
        rows = [sheet.row for sheet in photo.sheets if sheet.row is not None]
        if rows:
            entry["rows"] = rows
        line = json.dumps(entry, ensure_ascii=True).encode() + b"\n"
        try:
            if os.write(file, line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise errors.OutputNotWritable(path, error.strerror or error) from error

    try:
        # a line that was torn when the disk was full must not take the next one with it
        size = os.lseek(file, 0, os.SEEK_END)
        os.lseek(file, max(0, size - 1), os.SEEK_SET)
        if os.read(file, 1) not in (b"", b"\n"):
            os.write(file, b"\n")
        yield add
    finally:
        with suppress(OSError):
            os.fsync(file)
        os.close(file)


def _marks(settings: Settings) -> list[object]:
    """What a reading depends on beside the photo."""
    known, language, sheet = settings
    return [dict(known), language, *([sheet] if sheet else []), version("brikks-vision")]


def read_table(path: Path) -> dict[str, list[list[str]]]:
    """The lines of each photo in a table of an earlier run; empty where there is none."""
    rows: dict[str, list[list[str]]] = {}
    with (
        suppress(OSError, UnicodeDecodeError, csv.Error),
        path.open(newline="", encoding=analysis.ENCODING) as file,
    ):
        lines = csv.reader(file)
        if next(lines, None) == list(analysis.sheet_columns()):
            for line in lines:
                rows.setdefault(line[0], []).append(line)
    return rows


def write_table(
    path: Path,
    files: Iterable[Source],
    done: Mapping[Source, PhotoLines],
    before: Mapping[str, list[list[str]]],
) -> None:
    """Write a CSV, a line a sheet in the order of the files; whole or not at all.

    before : the lines of photos that are not done yet, from `read_table`.

    Raises OutputNotWritable.
    """
    rows: list[Sequence[object]] = []
    columns = analysis.sheet_columns()[1:-1]
    for file in files:
        name = str(file)
        if file in done:
            photo = done[file]
            rows += [
                [name, *(sheet.values.get(column) for column in columns), photo.sha256]
                for sheet in photo.sheets
            ]
        else:
            rows += [[name, *row[1:]] for row in before.get(spreadsheet_text(name), [])]
    write_whole(path, analysis.csv_bytes(analysis.sheet_columns(), rows))
