"""Photos on their way in: streamed to a file as they arrive, within limits, gone after reading.

A form (multipart, RFC 7578) is never whole in memory. The name that the sender gives is only shown,
never a path. What the photo is, its bytes tell later; what the sender says of it is not looked at.

Uploads that trickle must not keep photos out. They hold no place in the line of readers: a photo
takes one only when it is complete. Each must arrive at a minimal rate, and where there are too many
at once, the slowest gives way. Others wait in a line, and nothing of them is read meanwhile.

Photos say where they were taken, and a server that is killed cannot delete what it was reading. So
the file of an upload has no name: the system removes it with its process, however that ends.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import IO, cast

from python_multipart.multipart import parse_options_header
from starlette.datastructures import Headers, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser

from brikks_vision import errors
from brikks_vision.intake.workers import Readers
from brikks_vision.text.phrases import only_harmless

MAX_BYTES = 40_000_000  # of a photo
MAX_FIELD_BYTES = 2_000  # of a field beside it
MAX_FIELDS = 20
MAX_OVERHEAD = 100_000  # bytes of a form around its photo
MAX_NAME_LENGTH = 100  # characters of a photo's name that are kept
PHOTO_FIELD = "photo"


class _Form(MultiPartParser):
    """A form as it arrives."""

    is_complete = False

    def on_end(self) -> None:
        self.is_complete = True


class _Passing:
    """The bytes of a file, which go to another process when they are sent, and no earlier."""

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def read(self) -> bytes:
        self.file.seek(0)
        return self.file.read()

    def __reduce__(self) -> tuple[type[bytes], tuple[bytes]]:
        return bytes, (self.read(),)


@dataclass(frozen=True)
class Upload:
    """A photo that has arrived, to be closed. ``fields``: what else the form said, by name."""

    file: IO[bytes]
    name: str
    fields: dict[str, str]

    @property
    def photo(self) -> bytes:
        """The photo as an argument of what another process does: it gets the bytes."""
        return cast(bytes, _Passing(self.file))

    def read(self) -> bytes:
        return _Passing(self.file).read()


def shown_name(name: str) -> str:
    """What to call a photo: the last part of the name that its sender gave, of harmless signs.

    >>> shown_name("../../etc/IMG 1.jpg")
    'IMG 1.jpg'
    """
    last = re.split(r"[\\/]", name)[-1]
    return only_harmless(only_harmless(last).strip()[-MAX_NAME_LENGTH:]) or "photo"


async def receive_upload(
    chunks: AsyncIterator[bytes], content_type: str, length: int | None
) -> Upload:
    """Take a form with a photo in. chunks : of the request's body. length : of it, where the
    sender tells.

    Raises FileTooLarge, UploadBroken, UploadWithoutPhoto, UploadNotStored: nothing is left of it.
    """
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary or len(boundary) > 200:
        raise errors.UploadWithoutPhoto
    _check_size(length or 0, MAX_OVERHEAD)
    limits = {"max_files": MAX_FIELDS, "max_fields": MAX_FIELDS, "max_part_size": MAX_FIELD_BYTES}
    form = _Form(Headers({"content-type": content_type}), _within_limit(chunks), **limits)
    try:
        parts = (await form.parse()).multi_items()
    except MultiPartException:
        raise errors.UploadBroken from None
    except OSError as error:
        raise errors.UploadNotStored(error.strerror or error) from error
    photos = [each for name, each in parts if name == PHOTO_FIELD and isinstance(each, UploadFile)]
    # Of several files the first one counts that is not empty: a form may have two to choose by.
    photo = next((each for each in photos if each.size), None)
    try:
        if not form.is_complete:
            raise errors.UploadBroken
        if photo is None:
            raise errors.UploadWithoutPhoto
        _check_size(photo.size or 0)
    except errors.BrikksError:
        photo = None
        raise
    finally:
        for _, each in parts:
            if isinstance(each, UploadFile) and each is not photo:
                await each.close()
    fields = {name: each for name, each in parts if isinstance(each, str)}
    return Upload(photo.file, shown_name(photo.filename or ""), fields)


async def _within_limit(chunks: AsyncIterator[bytes]) -> AsyncGenerator[bytes, None]:
    """The chunks of a form; raises FileTooLarge."""
    arrived = 0
    async for chunk in chunks:
        arrived += len(chunk)
        _check_size(arrived, MAX_OVERHEAD)
        yield chunk


def _check_size(size: int, more: int = 0) -> None:
    """Raises FileTooLarge. more : bytes that may be beside the photo."""
    if size > MAX_BYTES + more:
        raise errors.FileTooLarge(-(-size // 1_000_000), MAX_BYTES // 1_000_000)


MAX_UNFINISHED = 32  # uploads
MAX_IN_LINE = 250  # uploads beside them that have not begun; each holds a connection
CHECK_SECONDS = 0.1  # between two checks by the first in the line
MAX_SECONDS = 120  # that a photo may take to arrive
GRACE_SECONDS = 10  # that pass before a rate counts: a phone wakes its radio, walks to the door
MIN_RATE = 10_000  # bytes a second; weak wireless networks still bring ten times as much
# Where there is no place left:
MIN_AGE = 2  # seconds that an upload has before it may have to give way
SAFE_RATE = 200_000  # bytes a second at which it never has to: 4 MB in 20 s


@dataclass(eq=False)
class Arrival:
    """An upload that is arriving.

    started : seconds of the event loop's clock. received : bytes. has_to_go : its place is taken.
    """

    started: float
    limit: asyncio.Timeout
    received: int = 0
    has_to_go: bool = False

    async def counted(self, chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
        """The chunks of the upload; each buys it time."""
        async for chunk in chunks:
            self.received += len(chunk)
            if not self.has_to_go:
                self.limit.reschedule(self.started + allowed_seconds(self.received))
            yield chunk

    def rate(self, now: float) -> float:
        """Bytes a second since it started."""
        return self.received / max(now - self.started, 1e-3)


class Arrivals:
    """The uploads that are arriving, at most ``places`` of them."""

    def __init__(self, places: int = MAX_UNFINISHED) -> None:
        self._places = places
        self._unfinished: list[Arrival] = []
        self._line, self._in_line = asyncio.Lock(), 0

    @asynccontextmanager
    async def place(self, readers: Readers | None = None) -> AsyncIterator[Arrival]:
        """A place for an upload until it is complete; waits in the line for one.

        readers : who reads it then: there is a place free among them as well.

        Raises ServerBusy: the line is too long; UploadTooSlow: it fell below the minimal rate, took
        too long, or gave way to another.
        """
        now = asyncio.get_running_loop().time
        if self._in_line >= MAX_IN_LINE:
            raise errors.ServerBusy
        self._in_line += 1
        try:
            async with self._line:  # first come, first served
                while not self._has_room(now(), readers):
                    await asyncio.sleep(CHECK_SECONDS)
        finally:
            self._in_line -= 1
        started = now()
        limit = asyncio.timeout_at(started + allowed_seconds(0))
        arrival = Arrival(started, limit)
        self._unfinished.append(arrival)
        try:
            async with limit:
                yield arrival
        except TimeoutError:
            if not limit.expired():
                raise
            raise errors.UploadTooSlow(round(now() - started)) from None
        finally:
            if arrival in self._unfinished:
                self._unfinished.remove(arrival)

    def _has_room(self, now: float, readers: Readers | None) -> bool:
        """Whether another upload may begin; the slowest may have to make room for it."""
        if readers is not None and not readers.free:
            return False
        if len(self._unfinished) < self._places:
            return True
        slow = [
            arrival
            for arrival in self._unfinished
            if now - arrival.started >= MIN_AGE and arrival.rate(now) < SAFE_RATE
        ]
        if not slow:
            return False
        slowest = min(slow, key=lambda arrival: arrival.rate(now))
        self._unfinished.remove(slowest)
        slowest.has_to_go = True
        slowest.limit.reschedule(now)
        return True


def allowed_seconds(received: int) -> float:
    """How long an upload may have taken when so many bytes of it have arrived.

    >>> allowed_seconds(0), allowed_seconds(500_000), allowed_seconds(4_000_000)
    (10.0, 60.0, 120.0)
    """
    return float(min(MAX_SECONDS, GRACE_SECONDS + received / MIN_RATE))
