"""A pool of processes that can be killed, so that a bad task costs itself only.

Each process works on one task at a time. One that takes too long is killed and replaced; one that
ended is replaced.
"""

from __future__ import annotations

import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Generic, TypeVar

from brikks_vision.errors import BrikksError, ReaderStopped, ReadingTooSlow

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
        work: Callable[[Task], Answer | BrikksError],
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
        except (ReadingTooSlow, ReaderStopped):
            worker = self._replaced(worker)
            raise
        finally:
            self._free.put(worker)
        if isinstance(answer, BrikksError):
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
                raise ReaderStopped
            hired = _spawn_worker(self._work, self._idle_seconds)
            self._workers = [*(each for each in self._workers if each is not worker), hired]
        return hired


def take_one_core() -> None:
    """Let numpy and OpenCV compute with one thread here, since other processes use the other cores.

    What the user set for numpy stays. Call it before numpy is imported: numpy reads it only then.
    """
    for name in _THREADS:
        os.environ.setdefault(name, "1")
    import cv2

    cv2.setNumThreads(1)


def _ask(worker: _Worker, task: Any, seconds: int) -> Any:
    """The worker's answer; raises ReadingTooSlow, ReaderStopped: then the worker is to replace."""
    try:
        worker.connection.send(task)
        if not worker.connection.poll(seconds):
            raise ReadingTooSlow(seconds)
        return worker.connection.recv()
    except (EOFError, OSError):
        raise ReaderStopped from None


def _spawn_worker(work: Callable[[Any], Any], idle_seconds: int | None) -> _Worker:
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
    connection: Connection, work: Callable[[Any], Any], idle_seconds: int | None = None
) -> None:
    """A worker's whole life: work on what arrives, until the other end is closed or it is idle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    take_one_core()
    with suppress(EOFError, OSError):
        while connection.poll(idle_seconds):
            connection.send(work(connection.recv()))
