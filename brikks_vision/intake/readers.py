"""Reads the photos that the page receives, in processes of their own, with a time limit.

Sheets and boards are read there, and printings learnt. Beyond a number of photos that wait, others
are turned away at once.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from brikks_vision.errors import BrikksError, PhotoUnreadable, ReadingFailed, ServerBusy
from brikks_vision.intake.workers import Workers
from brikks_vision.reading import GameSettings
from brikks_vision.record.entries import PhotoFacts, SheetReading

if TYPE_CHECKING:
    from brikks_vision.pipeline import ScanResult

Found = TypeVar("Found")


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
    known: GameSettings = field(default_factory=dict)
    language: str = "en"
    sheet: str | None = None


@dataclass(frozen=True)
class ReadPhoto:
    """What was read: the sheets, left to right, and what was wrong with others in the photo.

    board : instead of sheets, where the photo shows one.
    """

    facts: PhotoFacts
    sheets: tuple[SheetReading, ...]
    errors: tuple[PhotoUnreadable, ...]
    board: ScanResult | None = None


class Readers(Workers[Callable[[], Any], Any]):
    """Processes that read photos, and a queue of photos that wait for them. To be closed.

    processes : how many photos are read at once. waiting : how many more may wait. seconds : that
    one photo may take.
    """

    def __init__(self, processes: int, waiting: int, seconds: int) -> None:
        super().__init__(answer_of, processes, seconds)
        self.free = processes + waiting

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place in the queue until the end of the block; or ServerBusy."""
        if not self.free:
            raise ServerBusy
        self.free -= 1
        try:
            yield
        finally:
            self.free += 1

    async def read(self, work: Callable[[], Found]) -> Found:
        """What ``work`` returns, called in one of the processes: both are pickled.

        It needs a `place`.

        Raises
        ------
        ReadingTooSlow, ReaderStopped, ReadingFailed
        Whatever BrikksError ``work`` raises.
        """
        found: Found = await asyncio.wrap_future(self.start(work))
        return found


def answer_of(work: Callable[[], Any]) -> Any:
    """What it returns, or what is wrong with the photo: returned, to pass between processes."""
    try:
        return work()
    except BrikksError as error:
        return error
    except Exception as error:
        # one photo must not end the service; developers see where it failed
        if sys.flags.dev_mode:
            raise
        return ReadingFailed(f"{type(error).__name__}: {error}")


def read_task(task: Task) -> ReadPhoto:
    """Read a photo.

    Raises
    ------
    PhotoUnreadable
        None of its sheets can be read.
    LayoutUnknown, DefinitionMissing, DefinitionDamaged, DefinitionVersion
    """
    from brikks_vision.detect.photo import read_file
    from brikks_vision.games.printings import printings_sought
    from brikks_vision.intake.photos import photo_facts, sheet_reading
    from brikks_vision.intake.recording import board_in
    from brikks_vision.pipeline import ScanResult, scan_sheets

    data = read_file(task.file)
    sought = None if task.sheet is None else printings_sought(None, task.sheet)
    found = scan_sheets(data, task.known, task.language, None, sought)
    facts = photo_facts(data, task.name, task.modified)
    board = board_in(found)
    if board is not None:
        named = replace(board.reading, photo=task.name)
        return ReadPhoto(facts, (), (), replace(board, reading=named))
    sheets = [sheet for sheet in found if isinstance(sheet, ScanResult)]
    errors = [sheet for sheet in found if isinstance(sheet, PhotoUnreadable)]
    if errors and not sheets:
        raise errors[0]
    return ReadPhoto(
        facts,
        tuple(sheet_reading(sheet, data, task.language) for sheet in sheets),
        tuple(errors),
    )
