"""Takes a photo in: a multipart form, streamed to a temporary file as it arrives (RFC 7578).

Nothing of the form is ever whole in memory. The name that the sender gives is only shown, never a
path. What the photo is, its bytes tell later; what the sender says of its type is not looked at.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from brikks_vision.errors import FileTooLarge, UploadBroken, UploadNotStored, UploadWithoutPhoto
from brikks_vision.text.display import only_harmless

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
                raise UploadBroken
            return
        # Of several files the first one counts that is not empty: a form may have two to choose by.
        if self._part != PHOTO_FIELD or (self.photo_bytes and not self._is_photo):
            return
        if not self._is_photo:
            self._is_photo, self.name = True, shown_name(self._part_file)
        self.photo_bytes += end - start
        if self.photo_bytes > MAX_BYTES:
            raise FileTooLarge(-(-self.photo_bytes // 1_000_000), MAX_BYTES // 1_000_000)
        try:
            self.file.write(data[start:end])
        except OSError as error:
            raise UploadNotStored(error.strerror or error) from error

    def on_part_end(self) -> None:
        if self._part_file is None and self._part:
            if len(self.fields) >= MAX_FIELDS:
                raise UploadBroken
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

    Raises
    ------
    FileTooLarge, UploadBroken, UploadWithoutPhoto, UploadNotStored
        Nothing is left in the folder.
    """
    kind, options = parse_options_header(content_type)
    boundary = options.get(b"boundary", b"")
    if kind != b"multipart/form-data" or not boundary or len(boundary) > 200:
        raise UploadWithoutPhoto
    if length is not None and length > MAX_BYTES + MAX_OVERHEAD:
        raise FileTooLarge(-(-length // 1_000_000), MAX_BYTES // 1_000_000)
    try:
        file = NamedTemporaryFile(dir=folder, prefix="upload-", delete=False)  # noqa: SIM115
    except OSError as error:
        raise UploadNotStored(error.strerror or error) from error
    path = Path(file.name)
    try:
        form = _Form(file)
        await _parse(chunks, boundary, form)
        try:
            file.close()
        except OSError as error:
            raise UploadNotStored(error.strerror or error) from error
        if not form.photo_bytes:
            raise UploadWithoutPhoto
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
                raise FileTooLarge(-(-arrived // 1_000_000), MAX_BYTES // 1_000_000)
            parser.write(chunk)
        parser.finalize()
    except MultipartParseError:
        raise UploadBroken from None
    if not form.is_complete:
        raise UploadBroken
