"""Reads the photos that the page receives, each in a process of its own, with a time limit.

Beyond a number of photos that wait, others are turned away at once.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from brikks_vision.errors import BrikksError, PhotoUnreadable, ReadingFailed, ServerBusy
from brikks_vision.intake.workers import Workers
from brikks_vision.reading import NOTHING_KNOWN, Known
from brikks_vision.record.entries import PhotoFacts, SheetReading


@dataclass(frozen=True)
class Task:
    """A photo to read. ``name``: what its sender calls it.

    ``file``: holds its bytes, and is deleted by whoever asks for it to be read, never here.
    ``modified``: seconds since 1970, for photos that do not tell when they were taken. ``sheet``:
    the printing, by its name; None: all that are known.
    """

    file: Path
    name: str
    modified: float
    known: Known = NOTHING_KNOWN
    language: str = "en"
    sheet: str | None = None


@dataclass(frozen=True)
class ReadPhoto:
    """What was read: the sheets, left to right, and what was wrong with others in the photo."""

    facts: PhotoFacts
    sheets: tuple[SheetReading, ...]
    errors: tuple[PhotoUnreadable, ...]


class Readers(Workers[Task, ReadPhoto]):
    """Processes that read photos, and a queue of photos that wait for them. To be closed.

    processes : how many photos are read at once. waiting : how many more may wait. seconds : that
    one photo may take.
    """

    def __init__(self, processes: int, waiting: int, seconds: int) -> None:
        super().__init__(read_task, processes, seconds)
        self._places = threading.BoundedSemaphore(processes + waiting)

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place in the queue until the end of the block, to `start` a photo; or ServerBusy."""
        if not self._places.acquire(blocking=False):
            raise ServerBusy
        try:
            yield
        finally:
            self._places.release()


def read_task(task: Task) -> ReadPhoto | BrikksError:
    """Read a photo; what is wrong with it is returned, not raised, to pass between processes."""
    from brikks_vision.detect.photo import read_file
    from brikks_vision.intake.photos import photo_facts, sheet_reading
    from brikks_vision.pipeline import ScanResult, layouts_sought, scan_sheets

    try:
        data = read_file(task.file)
        layouts = None if task.sheet is None else layouts_sought(sheet=task.sheet)
        found = scan_sheets(data, task.known, task.language, layouts=layouts)
        sheets = [sheet for sheet in found if isinstance(sheet, ScanResult)]
        errors = [sheet for sheet in found if isinstance(sheet, PhotoUnreadable)]
        if errors and not sheets:
            return errors[0]
        return ReadPhoto(
            photo_facts(data, task.name, task.modified),
            tuple(sheet_reading(sheet, data, task.language) for sheet in sheets),
            tuple(errors),
        )
    except BrikksError as error:
        return error
    except Exception as error:
        # one photo must not end the service; developers see where it failed
        if sys.flags.dev_mode:
            raise
        return ReadingFailed(f"{type(error).__name__}: {error}")
