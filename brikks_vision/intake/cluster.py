"""Photos that are read on a Dask cluster, a task a photo, from folders and from stores.

A worker has them read by processes of its own: its threads cannot be ended, such a process can. So
a photo that takes too long, or ends its process, costs neither the worker nor the photos beside it.
The processes stay, with the networks that they loaded, until they have been idle.

What can end on the way, and what happens then:

- a process that reads: its worker starts another;
- a worker: the scheduler gives its tasks to others. A task whose workers ended more often than the
  scheduler allows (``distributed.scheduler.allowed-failures``) fails with ``KilledWorker``. That
  may be the fault of a photo beside it, so it is read again later, alone; if its workers end once
  more, it is named and left;
- the scheduler: its tasks are lost, and the client's futures are cancelled. They are handed out
  again when it is back within ``distributed.comm.timeouts.connect`` (30 s by default);
- this program: the scheduler forgets its tasks. What was read is in the journal.

https://distributed.dask.org/en/stable/resilience.html and killed.html say the same. The stores
(``s3://``, ``file://`` ...) are those of fsspec; its settings say who may read.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import queue
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

import dask
import fsspec
from distributed import Client, Future, KilledWorker, Security
from distributed.comm import connect

from brikks_vision import errors, layout
from brikks_vision.codec import JsonObject
from brikks_vision.detect.headers import MAX_SECONDS
from brikks_vision.detect.photo import MAX_FILE_BYTES, read_file
from brikks_vision.intake import batch, folders, workers
from brikks_vision.reading import GameSettings

IDLE_SECONDS = 60  # after which a process that reads ends; a cluster has other work, too
MAX_ENDED = 2  # processes for one photo
_hiring = threading.Lock()
_readers: workers.Workers[ReadTask, batch.PhotoLines] | None = None


@dataclass(frozen=True)
class ReadTask:
    """One photo to read.

    name : its name in tables. place : a whole path on shared storage, a URL, or the bytes of the
    photo. version : of the program that asks.
    """

    name: str
    place: batch.Source | bytes
    settings: tuple[GameSettings, str, layout.Printing | None]
    version: str


def read_task(errand: ReadTask) -> batch.PhotoLines:
    """Read a photo on a worker of a cluster, in a separate process.

    Raises WorkersUnfit: the worker has another version of the program.
    """
    ours = version("brikks-vision")
    if ours != errand.version:
        raise errors.WorkersUnfit(f"brikks-vision {ours}", errand.version)
    reason: errors.BrikksError = errors.PhotoEndsReaders()
    for _ in range(MAX_ENDED):
        try:
            return _workers().start(errand).result()
        except errors.ReaderStopped:
            continue
        except errors.ReadingTooSlow as error:
            reason = error
            break
    return batch.failed(errand.name, None, reason, errand.settings[1], is_final=False)


def _workers() -> workers.Workers[ReadTask, batch.PhotoLines]:
    """The processes of this worker, as many as it has threads."""
    global _readers
    with _hiring:
        if _readers is None:
            from distributed import get_worker

            # Dask starts its workers as daemons, which may not have processes; these end by
            # themselves when their worker is gone.
            multiprocessing.current_process().daemon = False
            threads = get_worker().state.nthreads
            _readers = workers.Workers(_read_here, threads, MAX_SECONDS, IDLE_SECONDS)
        return _readers


def _read_here(errand: ReadTask) -> batch.PhotoLines:
    """Read the photo in this process."""
    return batch.read_source(errand.name, lambda: _remote_bytes(errand.place), errand.settings)


def _remote_bytes(place: batch.Source | bytes) -> bytes:
    try:
        return place if isinstance(place, bytes) else _bytes_of(place)
    except (errors.PhotoMissing, errors.PhotoNotPermitted):
        raise errors.PhotoNotOnWorkers(place) from None


# Where stores tell that an object has changed: S3, Azure; S3 and files; Google.
_CHANGED = ("ETag", "etag", "LastModified", "mtime", "updated")


def file_stamp(file: Path) -> batch.Stamp | None:
    """By what a file is known again; None where it cannot be seen."""
    try:
        status = file.stat()
    except (OSError, ValueError):
        return None
    return os.path.abspath(file), status.st_size, str(status.st_mtime_ns)


def photos_of_store(url: str) -> dict[str, batch.Stamp]:
    """The picture, or the pictures in the folder (not below it), sorted by URL; with their stamps.

    Raises StoreUnreadable, FolderWithoutPictures.
    """
    try:
        store, path = fsspec.core.url_to_fs(url)
        is_folder = store.isdir(path)
        entries = store.ls(path, detail=True) if is_folder else [store.info(path)]
    except Exception as error:  # each store has errors of its own
        raise _unreadable(url, error) from error
    photos = {}
    for entry in sorted(entries, key=lambda entry: str(entry["name"])):
        name = str(entry["name"])
        is_photo = entry.get("type") == "file" and folders.is_photo_name(name.rpartition("/")[2])
        if not is_folder or is_photo:
            photo = str(store.unstrip_protocol(name))
            photos[photo] = (photo, int(entry.get("size") or 0), _changed(entry))
    if not photos:
        raise errors.FolderWithoutPictures(url)
    return photos


def read_url(url: str) -> bytes:
    """The bytes of a photo in a store; raises StoreUnreadable, FileTooLarge, PhotoEmpty."""
    try:
        with fsspec.open(url, "rb") as file:
            data = bytes(file.read(MAX_FILE_BYTES + 1))
    except Exception as error:  # each store has errors of its own
        raise _unreadable(url, error) from error
    if len(data) > MAX_FILE_BYTES:
        raise errors.FileTooLarge(len(data) // 1_000_000, MAX_FILE_BYTES // 1_000_000)
    if not data:
        raise errors.PhotoEmpty
    return data


def _unreadable(url: str, error: Exception) -> errors.StoreUnreadable:
    return errors.StoreUnreadable(url, " ".join(f"{type(error).__name__}: {error}".split()))


def _changed(entry: JsonObject) -> str:
    return next((str(entry[name]) for name in _CHANGED if entry.get(name)), "")


PHOTOS_A_THREAD = 2  # handed out at once: one that is read, one that waits beside it
MAX_SENT_BYTES = 64_000_000  # of photos that are under way and not yet read
ANSWER_SECONDS = 4  # for a scheduler to answer at first; one that ran is waited for longer
COUNT_SECONDS = 5.0  # between two counts of the threads of the cluster
WAIT_SECONDS = 1.0  # after which Ctrl-C and the end of the scheduler are seen at the latest


@dataclass(frozen=True)
class Cluster:
    """A cluster, and how photos get there.

    is_sent : as bytes; else workers open them themselves. at_once : how many photos are handed
    out; None: by the cluster's threads.
    """

    address: str
    is_sent: bool = False
    at_once: int | None = None


@dataclass(frozen=True)
class KnownPhotos:
    """read_before : what was read, by content. contents : the content of photos by stamp.

    urls : the stamps of photos in stores, as their listing told them.
    """

    read_before: batch.ReadBefore
    contents: Mapping[batch.Stamp, str]
    urls: Mapping[str, batch.Stamp]

    def stamp(self, source: batch.Source) -> batch.Stamp | None:
        return self.urls.get(source) if isinstance(source, str) else file_stamp(source)

    def lines(self, source: batch.Source, stamp: batch.Stamp | None) -> batch.PhotoLines | None:
        """What was read of the photo before; None where it is not known unopened."""
        sha256 = None if stamp is None else self.contents.get(stamp)
        if sha256 is None or sha256 not in self.read_before:
            return None
        return batch.photo_lines(source, sha256, self.read_before[sha256], is_new=False)

    def checked(self, photo: batch.PhotoLines) -> batch.PhotoLines:
        """What counts of a photo that was read: of a content known before what was kept."""
        before = self.read_before.get(photo.sha256 or "")
        if before is None:
            return photo
        return batch.photo_lines(photo.file, str(photo.sha256), before, is_new=False)


@dataclass(frozen=True)
class _InFlight:
    """A photo that is handed out. size : the bytes sent with it."""

    source: batch.Source
    stamp: batch.Stamp | None
    future: Future
    size: int


class _Flights:
    """The photos that a cluster has at the moment."""

    def __init__(self, client: Client, cluster: Cluster, settings: batch.Settings) -> None:
        self.under_way: dict[str, _InFlight] = {}
        self._client, self._cluster = client, cluster
        self._settings = _for_workers(settings)
        self._finished: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._name, self._number = f"photo-{uuid.uuid4().hex}", 0
        self._threads = self._counts_of_none = 0
        self._counted = time.monotonic() - COUNT_SECONDS

    def have_room(self) -> bool:
        """Whether another photo can be handed out; one always can."""
        under_way = self.under_way.values()
        if sum(flight.size for flight in under_way) >= MAX_SENT_BYTES:
            return False
        self._count_threads()
        return len(under_way) < (self._cluster.at_once or PHOTOS_A_THREAD * max(1, self._threads))

    def start(self, source: batch.Source, stamp: batch.Stamp | None) -> None:
        """Hand out a photo.

        Raises BrikksError: it is to be sent and cannot be read here.
        """
        place: batch.Source | bytes = source if isinstance(source, str) else source.absolute()
        if self._cluster.is_sent:
            place = _bytes_of(source)
        errand = ReadTask(str(source), place, self._settings, version("brikks-vision"))
        self._number += 1
        key = f"{self._name}-{self._number}"  # a new one: the scheduler remembers how tasks ended
        future = self._client.submit(read_task, errand, key=key, pure=False)
        size = len(place) if isinstance(place, bytes) else 0
        self.under_way[key] = _InFlight(source, stamp, future, size)
        future.add_done_callback(lambda future: self._finished.put(future.key))

    def landed(self) -> list[tuple[_InFlight, batch.PhotoLines | Exception | None]]:
        """Those that ended since the last call, after a short wait: what was read, or what failed.

        None: the scheduler lost it.
        """
        keys = []
        with suppress(queue.Empty):
            keys.append(self._finished.get(timeout=WAIT_SECONDS))
            while True:
                keys.append(self._finished.get_nowait())
        flights = [self.under_way.pop(key) for key in keys]
        read = self._gathered([each.future for each in flights if each.future.status == "finished"])
        return [(flight, read.get(flight.future.key) or _failure(flight)) for flight in flights]

    def _gathered(self, futures: Sequence[Future]) -> dict[str, batch.PhotoLines]:
        """What was read, by key, fetched in one go; without those that are lost on the way."""
        with suppress(Exception):  # of the network, of the scheduler's end, of one of the futures
            results = self._client.gather(list(futures))
            return {each.key: result for each, result in zip(futures, results, strict=True)}
        read = {}
        for future in futures:
            with suppress(Exception):
                read[future.key] = future.result()
        return read

    def nobody_reads(self) -> bool:
        """Whether the cluster has no worker for some seconds; they come and go."""
        self._count_threads()
        return self._counts_of_none > 1

    def _count_threads(self) -> None:
        """See how many threads the workers have, if that is some seconds ago."""
        if time.monotonic() - self._counted > COUNT_SECONDS:
            self._counted = time.monotonic()
            with suppress(OSError):  # the scheduler may be gone
                self._threads = sum(self._client.nthreads().values())
                self._counts_of_none = 0 if self._threads else self._counts_of_none + 1


def read_on_cluster(
    sources: Sequence[batch.Source],
    cluster: Cluster,
    settings: batch.Settings,
    known: KnownPhotos,
    tell: Callable[[errors.BrikksError], None],
) -> Generator[batch.PhotoLines, None, None]:
    """Read photos on a cluster; yields each when it is done, in any order.

    When the iteration ends, for any reason, photos that are handed out are taken back. tell : is
    called once if there are no workers.

    Raises
    ------
    SchedulerUnreachable, SchedulerGone, WorkersUnfit, BrikksError of `open_printing`
    """
    waiting, suspects = deque(sources), deque[batch.Source]()
    seen_to_fail: set[batch.Source] = set()
    has_read = has_told = False
    with _connected(cluster.address) as client:
        flights = _Flights(client, cluster, settings)
        while waiting or suspects or flights.under_way:
            if client.status not in ("running", "connecting"):
                raise errors.SchedulerGone(cluster.address)
            while client.status == "running" and waiting and flights.have_room():
                photo = _handed_out(waiting.popleft(), flights, settings, known)
                if photo is not None:
                    yield photo
            if client.status == "running" and suspects and not (waiting or flights.under_way):
                _handed_out(suspects.popleft(), flights, settings, known)
            if client.status == "running" and not flights.under_way:
                continue  # all that was left was known
            if client.status == "running" and not has_told and flights.nobody_reads():
                has_told = True
                tell(errors.WorkersAwaited(cluster.address))
            for flight, outcome in flights.landed():
                if isinstance(outcome, batch.PhotoLines):
                    has_read = True
                    photo = replace(outcome, file=flight.source, stamp=flight.stamp)
                    yield known.checked(photo)
                elif outcome is None:
                    waiting.appendleft(flight.source)
                elif not isinstance(outcome, KilledWorker):
                    error = _unfit(outcome)
                    if not has_read:
                        raise error
                    yield batch.failed(flight.source, None, error, settings[1], is_final=False)
                elif flight.source in seen_to_fail:
                    reason = errors.PhotoEndsReaders()
                    yield batch.failed(flight.source, None, reason, settings[1], is_final=False)
                else:
                    seen_to_fail.add(flight.source)
                    suspects.append(flight.source)


def _handed_out(
    source: batch.Source, flights: _Flights, settings: batch.Settings, known: KnownPhotos
) -> batch.PhotoLines | None:
    """Hand out a photo; what is to say of it at once, where it is known or cannot be sent."""
    stamp = known.stamp(source)
    lines = known.lines(source, stamp)
    if lines is not None:
        return lines
    try:
        flights.start(source, stamp)
    except errors.BrikksError as error:
        return batch.failed(source, None, error, settings[1], is_final=False)
    return None


@contextmanager
def _connected(address: str) -> Iterator[Client]:
    """A client of the scheduler, closed in the end."""
    for name in ("distributed", "distributed.client", "distributed.core"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # what is to say is said here
    # photos that are sent are larger than what it warns of, and none is kept
    quiet = {"distributed.admin.large-graph-warning-threshold": "1GB"}
    with dask.config.set(quiet):
        try:
            asyncio.run(_answer(address))
            client = Client(address, set_as_default=False)
        except (OSError, ValueError, RuntimeError) as error:
            reason = " ".join(str(error).split()) or type(error).__name__
            raise errors.SchedulerUnreachable(address, reason) from error
        with client:
            yield client


async def _answer(address: str) -> None:
    """Wait for a scheduler to answer; raises OSError, ValueError, RuntimeError.

    The client would wait for a first answer as long as for a scheduler that is to come back.
    """
    secured = Security().get_connection_args("client")
    try:
        async with asyncio.timeout(ANSWER_SECONDS):  # a closing connection has no limit of its own
            comm = await connect(address, timeout=ANSWER_SECONDS, **secured)
            comm.abort()
    except TimeoutError:
        raise TimeoutError(f"no answer after {ANSWER_SECONDS} s") from None


def _for_workers(settings: batch.Settings) -> tuple[GameSettings, str, layout.Printing | None]:
    """The settings, with the printing itself in place of a name that workers do not know."""
    known, language, sheet = settings
    if sheet is None:
        return known, language, None
    from brikks_vision.games.printings import open_printing

    return known, language, open_printing(sheet)


def _bytes_of(source: batch.Source) -> bytes:
    return read_url(source) if isinstance(source, str) else read_file(source)


def _failure(flight: _InFlight) -> Exception | None:
    """Why it was not read; None where the scheduler lost it or its result."""
    if flight.future.status != "error":
        return None
    with suppress(Exception):  # the scheduler may be gone by now
        reason = flight.future.exception()
        return reason if isinstance(reason, Exception) else None
    return None


def _unfit(reason: Exception) -> errors.BrikksError:
    """What the worker says, or that it cannot even take the task."""
    if isinstance(reason, errors.BrikksError):
        return reason
    told = " ".join(f"{type(reason).__name__}: {reason}".split())
    return errors.WorkersUnfit(told, version("brikks-vision"))
