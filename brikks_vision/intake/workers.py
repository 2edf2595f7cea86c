"""Processes that read photos and can be killed, so that a bad photo costs itself only.

Each works on one task at a time. One that takes too long is killed and replaced; one that ended is
replaced. The page has a line before them: beyond a number of photos that wait, others are turned
away at once.
"""

from __future__ import annotations

import asyncio
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from brikks_vision import errors
from brikks_vision.codec import JsonObject
from brikks_vision.intake.folders import failure_of
from brikks_vision.reading import GameSettings
from brikks_vision.record.entries import PhotoFacts, SheetReading
from brikks_vision.text.languages import texts_in

if TYPE_CHECKING:
    from brikks_vision.pipeline import ScanResult

Task = TypeVar("Task")
Answer = TypeVar("Answer")

# Where numpy's libraries look for their number of threads: OpenBLAS, OpenMP, Apple's Accelerate.
_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")


@dataclass
class _Worker:
    process: BaseProcess
    connection: Connection


class Workers(Generic[Task, Answer]):
    """Processes that do one kind of work. To be closed.

    work : a function that can be pickled. It returns the answer, or a BrikksError.
    processes : how many tasks are worked on at once. seconds : that one task may take.
    idle_seconds : after which a process without a task ends; the next task starts another.
    None: never.
    """

    def __init__(
        self,
        work: Callable[[Task], Answer | errors.BrikksError],
        processes: int,
        seconds: int,
        idle_seconds: int | None = None,
    ) -> None:
        self.seconds = seconds
        self._work, self._idle_seconds = work, idle_seconds
        self._threads = ThreadPoolExecutor(processes, "worker")
        self._free: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        self._changing, self._is_closed = threading.Lock(), False
        self._workers = [_spawn_worker(work, idle_seconds) for _ in range(processes)]
        for worker in self._workers:
            self._free.put(worker)

    def start(self, task: Task) -> Future[Answer]:
        """Work on a task as soon as a process is free.

        The future raises the BrikksError that the work returns; ReadingTooSlow when the time is up;
        ReaderStopped when the process ended.
        """
        return self._threads.submit(self._do, task)

    def close(self) -> None:
        """Kill the processes, whatever they do.

        The futures of their tasks raise ReaderStopped; those of waiting tasks are cancelled.
        """
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._changing:
            self._is_closed = True
        for worker in self._workers:
            worker.process.kill()
        for worker in self._workers:
            worker.process.join()
        # killed workers stay in the queue: a thread that begins now would wait forever without one

    def _do(self, task: Task) -> Answer:
        worker = self._free.get()
        try:
            if not worker.process.is_alive():  # it ended between two tasks
                worker = self._replaced(worker)
            answer = _ask(worker, task, self.seconds)
        except (errors.ReadingTooSlow, errors.ReaderStopped):
            worker = self._replaced(worker)
            raise
        finally:
            self._free.put(worker)
        if isinstance(answer, errors.BrikksError):
            raise answer
        result: Answer = answer
        return result

    def _replaced(self, worker: _Worker) -> _Worker:
        """A new worker in its place; raises ReaderStopped after `close`."""
        worker.process.kill()
        worker.process.join()
        worker.connection.close()
        with self._changing:
            if self._is_closed:
                raise errors.ReaderStopped
            hired = _spawn_worker(self._work, self._idle_seconds)
            self._workers = [*(each for each in self._workers if each is not worker), hired]
        return hired


def available_cores() -> int:
    """Cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def take_one_core() -> None:
    """Let numpy and OpenCV compute with one thread here, since other processes use the other cores.

    What the user set for numpy stays. Call it before numpy is imported: numpy reads it only then.
    """
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    import cv2

    cv2.setNumThreads(1)


def _ask(worker: _Worker, task: object, seconds: int) -> Any:
    """The worker's answer; raises ReadingTooSlow, ReaderStopped: then the worker is to replace."""
    try:
        worker.connection.send(task)
        if not worker.connection.poll(seconds):
            raise errors.ReadingTooSlow(seconds)
        return worker.connection.recv()
    except (EOFError, OSError):
        raise errors.ReaderStopped from None


def _spawn_worker(work: Callable[[Task], object], idle_seconds: int | None) -> _Worker:
    # new processes, not forks: OpenCV's threads do not survive a fork
    context = get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(theirs, work, idle_seconds), daemon=True)
    with _interrupts_blocked():
        process.start()
    theirs.close()  # so that the end of the process ends the connection
    return _Worker(process, ours)


@contextmanager
def _interrupts_blocked() -> Iterator[None]:
    """A process that is started meanwhile does not see Ctrl-C, which is for the first to answer.

    Ctrl-C reaches every process of a terminal, also one that has not come to `_serve` yet.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # starting it later would unblock the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(
    connection: Connection, work: Callable[[Task], object], idle_seconds: int | None = None
) -> None:
    """A worker's whole life: work on what arrives, until the other end is closed or it is idle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    take_one_core()
    with suppress(EOFError, OSError):
        while connection.poll(idle_seconds):
            connection.send(work(connection.recv()))


Found = TypeVar("Found")


@dataclass(frozen=True)
class ReaderTask:
    """A photo to read, a file's bytes. ``name``: what its sender calls it.

    ``modified``: seconds since 1970, for photos that do not tell when they were taken. ``sheet``:
    the printing, by its name; None: all that are known.
    """

    photo: bytes
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
    errors: tuple[errors.PhotoUnreadable, ...]
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
            raise errors.ServerBusy
        self.free -= 1
        try:
            yield
        finally:
            self.free += 1

    async def read(self, work: Callable[[], Found]) -> Found:
        """What ``work`` returns, called in one of the processes: both are pickled.

        It needs a `place`.

        Raises ReadingTooSlow, ReaderStopped, ReadingFailed, and whatever BrikksError ``work``
        raises.
        """
        found: Found = await asyncio.wrap_future(self.start(work))
        return found


def answer_of(work: Callable[[], object]) -> object:
    """What it returns, or what is wrong with the photo: returned, to pass between processes."""
    try:
        return work()
    except Exception as error:
        return failure_of(error)


def read_task(task: ReaderTask) -> ReadPhoto:
    """Read a photo.

    Raises PhotoUnreadable: none of its sheets can be read; LayoutUnknown, DefinitionMissing,
    DefinitionDamaged, DefinitionVersion.
    """
    from brikks_vision.games.printings import printings_sought
    from brikks_vision.intake.photos import photo_facts, sheet_reading
    from brikks_vision.intake.recording import board_in
    from brikks_vision.pipeline import ScanResult, scan_sheets

    sought = None if task.sheet is None else printings_sought(None, task.sheet)
    found = scan_sheets(task.photo, task.known, task.language, None, sought)
    facts = photo_facts(task.photo, task.name, task.modified)
    board = board_in(found)
    if board is not None:
        named = replace(board.reading, photo=task.name)
        return ReadPhoto(facts, (), (), replace(board, reading=named))
    sheets = [sheet for sheet in found if isinstance(sheet, ScanResult)]
    unread = [sheet for sheet in found if isinstance(sheet, errors.PhotoUnreadable)]
    if unread and not sheets:
        raise unread[0]
    return ReadPhoto(
        facts,
        tuple(sheet_reading(sheet, task.photo, task.language) for sheet in sheets),
        tuple(unread),
    )


def see_frame(frame: bytes, turn: int, language: str) -> JsonObject:
    """Look at a frame; parameters and errors as of `brikks_vision.pipeline.look.look`.

    Returns "hint", "outline" and "picture" as of `brikks_vision.pipeline.look.Look`, the picture in
    hexadecimal; "sentence": what to do, "" of no hint.
    """
    from brikks_vision.pipeline.look import Hint, look
    from brikks_vision.show.covered import covered_told

    seen = look(frame, turn)
    sentence = texts_in(language).page[f"frame_{seen.hint}"] if seen.hint else ""
    if seen.hint is Hint.COVERED and seen.printing is not None:
        told = covered_told(seen.covered, seen.printing, language)  # type: ignore[arg-type]
        sentence = f"{told} {sentence}"
    shown = {"outline": seen.outline, "picture": seen.picture.hex()}
    return {"hint": seen.hint.value, "sentence": sentence, **shown}
