"""What a worker of a cluster does: it has photos read by processes of its own.

A worker runs its tasks in threads, which nothing can end. A process that reads can be: a photo that
takes too long is given up, and one that ends its process costs neither the worker nor the photos
beside it. The processes stay, with the networks that they loaded, until they have been idle.
"""

from __future__ import annotations

import multiprocessing
import threading
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from brikks_vision.detect.headers import MAX_SECONDS
from brikks_vision.errors import (
    BrikksError,
    PhotoEndsReaders,
    PhotoMissing,
    PhotoNotOnWorkers,
    PhotoNotPermitted,
    ReaderStopped,
    ReadingTooSlow,
    WorkersUnfit,
)
from brikks_vision.intake.batch import PhotoLines, failed, read_source
from brikks_vision.intake.workers import Workers
from brikks_vision.layout import Printing
from brikks_vision.reading import GameSettings

IDLE_SECONDS = 60  # after which a process that reads ends; a cluster has other work, too
MAX_ENDED = 2  # processes for one photo
_hiring = threading.Lock()
_readers: Workers[ReadTask, PhotoLines] | None = None


@dataclass(frozen=True)
class ReadTask:
    """One photo to read.

    name : its name in tables. place : a whole path on shared storage, a URL, or the bytes of the
    photo. version : of the program that asks.
    """

    name: str
    place: str | bytes
    is_url: bool
    settings: tuple[GameSettings, str, Printing | None]
    version: str


def read_task(errand: ReadTask) -> PhotoLines:
    """Read a photo on a worker of a cluster, in a separate process.

    Raises
    ------
    WorkersUnfit
        The worker has another version of the program.
    """
    ours = version("brikks-vision")
    if ours != errand.version:
        raise WorkersUnfit(f"brikks-vision {ours}", errand.version)
    reason: BrikksError = PhotoEndsReaders()
    for _ in range(MAX_ENDED):
        try:
            return _workers().start(errand).result()
        except ReaderStopped:
            continue
        except ReadingTooSlow as error:
            reason = error
            break
    return failed(errand.name, None, reason, errand.settings[1], is_final=False)


def _workers() -> Workers[ReadTask, PhotoLines]:
    """The processes of this worker, as many as it has threads."""
    global _readers
    with _hiring:
        if _readers is None:
            from distributed import get_worker

            # Dask starts its workers as daemons, which may not have processes; these end by
            # themselves when their worker is gone.
            multiprocessing.current_process().daemon = False
            threads = get_worker().state.nthreads
            _readers = Workers(_read_here, threads, MAX_SECONDS, IDLE_SECONDS)
        return _readers


def _read_here(errand: ReadTask) -> PhotoLines:
    """Read the photo in this process."""
    return read_source(errand.name, lambda: _bytes_of(errand), errand.settings)


def _bytes_of(errand: ReadTask) -> bytes:
    if isinstance(errand.place, bytes):
        return errand.place
    if errand.is_url:
        from brikks_vision.intake.stores import read_url

        return read_url(errand.place)
    from brikks_vision.detect.photo import read_file

    try:
        return read_file(Path(errand.place))
    except (PhotoMissing, PhotoNotPermitted):
        raise PhotoNotOnWorkers(errand.place) from None
