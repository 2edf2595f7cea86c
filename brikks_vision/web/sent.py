"""Photos as they are sent in forms: taken in, and made a draft of; what is refused may arrive."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import ExitStack, asynccontextmanager, suppress
from typing import Any

from fastapi import Request
from fastapi.responses import Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from brikks_vision.errors import BrikksError, UploadBroken, UploadTooSlow
from brikks_vision.web.answers import see
from brikks_vision.web.arrivals import Arrivals
from brikks_vision.web.service import language_for, readers_of, service_of, wants_json
from brikks_vision.web.uploads import PHOTO_FIELD, Upload, receive_upload

DRAINED_BYTES = 120_000_000  # of what a refused upload still sends


def photo_form(*fields: str) -> dict[str, Any]:
    """The description (OpenAPI) of a form with a photo and other fields."""
    texts = {name: {"type": "string"} for name in fields}
    schema = {
        "type": "object",
        "required": [PHOTO_FIELD],
        "properties": {PHOTO_FIELD: {"type": "string", "format": "binary"}, **texts},
    }
    content = {"multipart/form-data": {"schema": schema}}
    return {"requestBody": {"required": True, "content": content}}


@asynccontextmanager
async def arrived(request: Request, chunks: AsyncIterator[bytes]) -> AsyncIterator[Upload]:
    """The form that is sent; its photo is the caller's to delete, and to read in the block.

    chunks : of the request's body.

    Raises
    ------
    ClientDisconnect
    ServerBusy, UploadTooSlow, FileTooLarge, UploadBroken, UploadWithoutPhoto, UploadNotStored
    """
    service, readers = service_of(request), readers_of(request)
    assert service.folder is not None
    with ExitStack() as until_read:
        async with service.arrivals.place(readers) as arrival:
            until_read.enter_context(readers.place())
            upload = await receive_upload(
                arrival.counted(chunks),
                request.headers.get("content-type", ""),
                length_of(request),
                service.folder,
            )
        yield upload


async def draft_of_photo(
    request: Request,
    make: Callable[[Upload], Awaitable[str]],
    problem_page: Callable[[Request, str], Response],
    address: str,
) -> Response:
    """Take a photo in, make a draft of it, and lead to its page.

    make : returns the token; the photo is its own unless it raises. problem_page : what shows why
    nothing was made. address : of all drafts of the kind.
    """
    chunks = request.stream()
    try:
        async with arrived(request, chunks) as upload:
            try:
                token = await make(upload)
            except BaseException:
                upload.file.unlink(missing_ok=True)
                raise
    except ClientDisconnect:
        raise UploadBroken from None
    except UploadTooSlow:
        raise  # no waiting for the rest
    except BrikksError as error:
        await drain(chunks)
        if wants_json(request):
            raise
        return await run_in_threadpool(problem_page, request, error.text(language_for(request)))
    return see(f"{address}/{token}")


def length_of(request: Request) -> int | None:
    value = request.headers.get("content-length", "")
    return int(value) if re.fullmatch(r"\d{1,15}", value, re.ASCII) else None


async def drain(chunks: AsyncIterator[bytes]) -> None:
    """Let a refused upload arrive: browsers show no answer while they still send.

    One that trickles or has no end is not waited for.
    """
    with suppress(BrikksError, ClientDisconnect, RuntimeError):
        async with Arrivals(1).place() as arrival:
            async for _ in arrival.counted(chunks):
                if arrival.received > DRAINED_BYTES:
                    return
