"""Reads photos in processes of their own: as many at once as asked for, each with a time limit.

A photo that takes too long, or that ends the process that reads it, costs itself only: the process
is replaced. Beyond a number of photos that wait, others are turned away at once.
"""

from __future__ import annotations

import queue
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path

from brikks_vision.errors import (
    BrikksError,
    PhotoUnreadable,
    ReaderStopped,
    ReadingFailed,
    ReadingTooSlow,
    ServerBusy,
)
from brikks_vision.intake.processes import take_one_core
from brikks_vision.record.record import PhotoFacts, SheetReading


@dataclass(frozen=True)
class Task:
    """A photo to read. ``name``: what its sender calls it.

    ``file``: holds its bytes, and is deleted by whoever asks for it to be read, never here.
    ``modified``: seconds since 1970, for photos that do not tell when they were taken.
    """

    file: Path
    name: str
    modified: float
    players: int | None = None
    level: int | None = None
    variant: str | None = None
    language: str = "en"


@dataclass(frozen=True)
class ReadPhoto:
    """What was read: the sheets, left to right, and what was wrong with others in the photo."""

    facts: PhotoFacts
    sheets: tuple[SheetReading, ...]
    errors: tuple[PhotoUnreadable, ...]


def read_task(task: Task) -> ReadPhoto | BrikksError:
    """Read a photo; what is wrong with it is returned, not raised, to pass between processes."""
    from brikks_vision.detect.photo import read_file
    from brikks_vision.intake.photos import photo_facts, sheet_reading
    from brikks_vision.pipeline import ScanResult, scan_sheets

    try:
        data = read_file(task.file)
        found = scan_sheets(data, task.players, task.level, task.variant, task.language)
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


@dataclass
class _Reader:
    process: BaseProcess
    connection: Connection


class Readers:
    """A few processes that read photos, and a line of photos that wait for them.

    processes : how many photos are read at once. waiting : how many more may wait. seconds : that
    one photo may take. To be closed.
    """

    def __init__(self, processes: int, waiting: int, seconds: int) -> None:
        self.seconds = seconds
        self._places = threading.BoundedSemaphore(processes + waiting)
        self._threads = ThreadPoolExecutor(processes, "reader")
        self._free: queue.SimpleQueue[_Reader] = queue.SimpleQueue()
        self._changing, self._is_closed = threading.Lock(), False
        self._hired = [_hire() for _ in range(processes)]
        for reader in self._hired:
            self._free.put(reader)

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place in the line, kept until the end of the block; raises ServerBusy."""
        if not self._places.acquire(blocking=False):
            raise ServerBusy
        try:
            yield
        finally:
            self._places.release()

    def start(self, task: Task) -> Future[ReadPhoto]:
        """Read a photo as soon as a process is free. To be called with a `place`.

        The future raises what is wrong with the photo: a BrikksError.
        """
        return self._threads.submit(self._read, task)

    def close(self) -> None:
        """End the processes, whatever they do.

        The future of what they read raises ReaderStopped; what waits is cancelled.
        """
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._changing:
            self._is_closed = True
        for reader in self._hired:
            reader.process.kill()
        for reader in self._hired:
            reader.process.join()
        # ended ones stay free to be taken: else a thread that begins now would wait for ever

    def _read(self, task: Task) -> ReadPhoto:
        reader = self._free.get()
        try:
            if not reader.process.is_alive():  # ended while nobody asked anything of it
                reader = self._replaced(reader)
            answer = _ask(reader, task, self.seconds)
        except (ReadingTooSlow, ReaderStopped):
            reader = self._replaced(reader)
            raise
        finally:
            self._free.put(reader)
        if isinstance(answer, BrikksError):
            raise answer
        return answer

    def _replaced(self, reader: _Reader) -> _Reader:
        """Another one in its place; raises ReaderStopped after `close`."""
        _dismiss(reader)
        with self._changing:
            if self._is_closed:
                raise ReaderStopped
            hired = _hire()
            self._hired = [*(each for each in self._hired if each is not reader), hired]
        return hired


def _ask(reader: _Reader, task: Task, seconds: int) -> ReadPhoto | BrikksError:
    """Raises ReadingTooSlow, ReaderStopped: then the reader is of no more use."""
    try:
        reader.connection.send(task)
        if not reader.connection.poll(seconds):
            raise ReadingTooSlow(seconds)
        answer: ReadPhoto | BrikksError = reader.connection.recv()
    except (EOFError, OSError):
        raise ReaderStopped from None
    return answer


def _hire() -> _Reader:
    # fresh processes: OpenCV's threads do not survive a fork
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs,), daemon=True)
    process.start()
    theirs.close()  # so that the end of the process ends the connection
    return _Reader(process, ours)


def _serve(connection: Connection) -> None:
    """A reader's whole life: read what comes until the other end is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the service to answer
    take_one_core()
    with suppress(EOFError, OSError):
        while True:
            connection.send(read_task(connection.recv()))


def _dismiss(reader: _Reader) -> None:
    reader.process.kill()
    reader.process.join()
    reader.connection.close()
