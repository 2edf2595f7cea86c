"""Photos on their way in: streamed to a file as they arrive, within limits, gone after reading.

A form (multipart, RFC 7578) is never whole in memory. The name that the sender gives is only shown,
never a path. What the photo is, its bytes tell later; what the sender says of it is not looked at.

Uploads that trickle must not keep photos out. They hold no place in the line of readers: a photo
takes one only when it is complete. Each must arrive at a minimal rate, and where there are too many
at once, the slowest gives way. Others wait in a line, and nothing of them is read meanwhile.

A server that is killed cannot delete what it was reading, and photos say where they were taken. So
each server holds a lock in its folder, which falls with it however it ends; the next one removes
the folders whose lock nobody holds, and nothing else.
"""

from __future__ import annotations

import asyncio
import errno
import os
import re
import shutil
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile, gettempdir, mkdtemp
from typing import IO

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from brikks_vision import errors, files
from brikks_vision.intake.workers import Readers
from brikks_vision.text.phrases import only_harmless

MAX_BYTES = 40_000_000  # of a photo
MAX_FIELD_BYTES = 2_000  # of a field beside it
MAX_FIELDS = 20
MAX_OVERHEAD = 100_000  # bytes of a form around its photo
MAX_NAME_LENGTH = 100  # characters of a photo's name that are kept
PHOTO_FIELD = "photo"


@dataclass(frozen=True)
class Upload:
    """A photo that has arrived. ``fields``: what else the form said, by name."""

    file: Path
    name: str
    fields: dict[str, str]


@dataclass
class _Form:
    """A form as far as it has arrived."""

    file: IO[bytes]
    photo_bytes: int = 0
    name: str = ""
    fields: dict[str, str] = field(default_factory=dict)
    is_complete: bool = False
    _header: bytearray = field(default_factory=bytearray)
    _value: bytearray = field(default_factory=bytearray)
    _part: str = ""
    _part_file: str | None = None
    _is_photo: bool = False
    _text: bytearray = field(default_factory=bytearray)

    def on_part_begin(self) -> None:
        self._part, self._part_file, self._is_photo = "", None, False
        self._text.clear()

    def on_header_begin(self) -> None:
        self._header.clear()
        self._value.clear()

    def on_header_field(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def on_header_value(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]

    def on_header_end(self) -> None:
        if bytes(self._header).lower() != b"content-disposition":
            return
        _, options = parse_options_header(bytes(self._value))
        self._part = options.get(b"name", b"").decode("utf-8", "replace")
        if b"filename" in options:
            self._part_file = options[b"filename"].decode("utf-8", "replace")

    def on_part_data(self, data: bytes, start: int, end: int) -> None:
        if self._part_file is None:
            self._text += data[start:end]
            if len(self._text) > MAX_FIELD_BYTES:
                raise errors.UploadBroken
            return
        # Of several files the first one counts that is not empty: a form may have two to choose by.
        if self._part != PHOTO_FIELD or (self.photo_bytes and not self._is_photo):
            return
        if not self._is_photo:
            self._is_photo, self.name = True, shown_name(self._part_file)
        self.photo_bytes += end - start
        if self.photo_bytes > MAX_BYTES:
            raise errors.FileTooLarge(-(-self.photo_bytes // 1_000_000), MAX_BYTES // 1_000_000)
        try:
            self.file.write(data[start:end])
        except OSError as error:
            raise errors.UploadNotStored(error.strerror or error) from error

    def on_part_end(self) -> None:
        if self._part_file is None and self._part:
            if len(self.fields) >= MAX_FIELDS:
                raise errors.UploadBroken
            self.fields[self._part] = self._text.decode("utf-8", "replace")

    def on_end(self) -> None:
        self.is_complete = True


def shown_name(name: str) -> str:
    """What to call a photo: the last part of the name that its sender gave, of harmless signs.

    >>> shown_name("../../etc/IMG 1.jpg")
    'IMG 1.jpg'
    """
    last = re.split(r"[\\/]", name)[-1]
    return only_harmless(only_harmless(last).strip()[-MAX_NAME_LENGTH:]) or "photo"


async def receive_upload(
    chunks: AsyncIterator[bytes], content_type: str, length: int | None, folder: Path
) -> Upload:
    """Take a form with a photo in; the file in ``folder`` is the caller's to delete.

    chunks : of the request's body. length : of it, where the sender tells.

    Raises FileTooLarge, UploadBroken, UploadWithoutPhoto, UploadNotStored: nothing is left in the
    folder.
    """
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary or len(boundary) > 200:
        raise errors.UploadWithoutPhoto
    if length is not None and length > MAX_BYTES + MAX_OVERHEAD:
        raise errors.FileTooLarge(-(-length // 1_000_000), MAX_BYTES // 1_000_000)
    try:
        file = NamedTemporaryFile(dir=folder, prefix="upload-", delete=False)  # noqa: SIM115
    except OSError as error:
        raise errors.UploadNotStored(error.strerror or error) from error
    path = Path(file.name)
    try:
        form = _Form(file)
        await _parse(chunks, boundary, form)
        try:
            file.close()
        except OSError as error:
            raise errors.UploadNotStored(error.strerror or error) from error
        if not form.photo_bytes:
            raise errors.UploadWithoutPhoto
        return Upload(path, form.name, form.fields)
    except BaseException:
        with suppress(OSError):  # what is left in the buffer may not fit on the disk
            file.close()
        path.unlink(missing_ok=True)
        raise


async def _parse(chunks: AsyncIterator[bytes], boundary: bytes, form: _Form) -> None:
    names = (
        "on_part_begin",
        "on_part_data",
        "on_part_end",
        "on_header_begin",
        "on_header_field",
        "on_header_value",
        "on_header_end",
        "on_end",
    )
    callbacks = {name: getattr(form, name) for name in names}
    parser = MultipartParser(boundary, callbacks)  # type: ignore[arg-type]
    arrived = 0
    try:
        async for chunk in chunks:
            arrived += len(chunk)
            if arrived > MAX_BYTES + MAX_OVERHEAD:
                raise errors.FileTooLarge(-(-arrived // 1_000_000), MAX_BYTES // 1_000_000)
            parser.write(chunk)
        parser.finalize()
    except MultipartParseError:
        raise errors.UploadBroken from None
    if not form.is_complete:
        raise errors.UploadBroken


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


PREFIX = "brikks-serve-"
_LOCK, _PHOTOS = "running.lock", "photos"
_TRIES = 20  # to make one that no other server removes meanwhile
_FLAGS = os.O_RDWR | getattr(os, "O_NOFOLLOW", 0)


@contextmanager
def passing_folder() -> Iterator[Path]:
    """A folder that is gone after the block; those that killed servers left go first.

    Raises OSError: there is no room for one, or it was taken for left behind whenever it was made.
    """
    remove_left_behind()
    folder, lock = _new_folder()
    try:
        yield folder / _PHOTOS
    finally:
        os.close(lock)  # first: some systems delete no file that is open
        shutil.rmtree(folder, ignore_errors=True)


def remove_left_behind() -> None:
    """Remove the folders of servers that run no more."""
    for folder in Path(gettempdir()).glob(f"{PREFIX}*"):
        with suppress(OSError):  # another user's, or another server is removing it as well
            if _is_own_folder(folder):
                _remove_if_left(folder)


def _is_own_folder(folder: Path) -> bool:
    return (
        folder.is_dir()
        and not folder.is_symlink()
        and (not hasattr(os, "getuid") or folder.lstat().st_uid == os.getuid())
    )


def _remove_if_left(folder: Path) -> None:
    """Remove a folder whose lock nobody holds."""
    lock = os.open(folder / _LOCK, _FLAGS)  # without one, it is being made or no server's
    try:
        if files.try_lock(lock) is not files.Lock.HELD:
            return
        # All of it while nobody else can lock it; the photos before the lock by which it is known.
        shutil.rmtree(folder / _PHOTOS, ignore_errors=True)
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        os.close(lock)
    # Windows removes no open file: not the lock until now, nor now that of a server just starting.
    with suppress(OSError):
        (folder / _LOCK).unlink(missing_ok=True)
        folder.rmdir()


def _new_folder() -> tuple[Path, int]:
    """A folder and its lock, held as far as the file system knows locks; raises OSError."""
    for _ in range(_TRIES):
        with ExitStack() as undone:
            folder = Path(mkdtemp(prefix=PREFIX))
            undone.callback(shutil.rmtree, folder, ignore_errors=True)
            lock = os.open(folder / _LOCK, _FLAGS | os.O_CREAT | os.O_EXCL, 0o600)
            undone.callback(os.close, lock)
            # Before it was locked, another server may have taken it for left behind.
            if files.try_lock(lock) is not files.Lock.TAKEN and (folder / _LOCK).exists():
                (folder / _PHOTOS).mkdir(mode=0o700)
                undone.pop_all()
                return folder, lock
    raise OSError(errno.EAGAIN, os.strerror(errno.EAGAIN), gettempdir())
