"""The first page, and the photos that are sent from it."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from starlette.concurrency import run_in_threadpool
from starlette.requests import ClientDisconnect

from brikks_vision.errors import BrikksError, UploadBroken
from brikks_vision.intake.workers import ReadPhoto, Task
from brikks_vision.record.entries import Added
from brikks_vision.record.photos import add_photo, forget_photo
from brikks_vision.record.results import assign_player, get_result, list_results, players
from brikks_vision.web.answers import page_of, result_json, see
from brikks_vision.web.service import Service, game_fields, language_for, service_of, wants_json
from brikks_vision.web.uploads import MOST_BYTES, PHOTO_FIELD, Upload, receive_upload

LAST_SHOWN = 5  # results on the start page
DRAINED_BYTES, DRAINED_SECONDS = 120_000_000, 30  # of what a refused upload still sends
SCAN_ADDRESS = "/scan"

router = APIRouter()


@router.get("/", response_class=HTMLResponse)
def start(request: Request) -> Response:
    """Take or choose a photo."""
    service = service_of(request)
    with service.open() as record:
        recent = list_results(record)[-LAST_SHOWN:][::-1]
        names = players(record)
    return page_of(request, "start.html", recent=recent, names=names, most_bytes=MOST_BYTES)


@router.post(
    SCAN_ADDRESS,
    status_code=303,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {
                "multipart/form-data": {
                    "schema": {
                        "type": "object",
                        "required": [PHOTO_FIELD],
                        "properties": {
                            PHOTO_FIELD: {"type": "string", "format": "binary"},
                            **{
                                name: {"type": "string"}
                                for name in ("player", "players", "level", "variant")
                            },
                        },
                    }
                }
            },
        }
    },
)
async def scan(request: Request) -> Response:
    """Read a photo; the answer comes when what was read is in the record."""
    service, language = service_of(request), language_for(request)
    assert service.readers is not None and service.folder is not None
    chunks = request.stream()
    upload: Upload | None = None
    try:
        with service.readers.place():
            upload = await receive_upload(
                chunks, request.headers.get("content-type", ""), length_of(request), service.folder
            )
            fields = upload.fields
            count, level, variant = game_fields(fields)
            task = Task(
                upload.file,
                upload.name,
                modified=time.time(),
                players=count,
                level=level,
                variant=variant,
                language=language,
            )
            photo = await asyncio.wrap_future(service.readers.start(task))
            added = await run_in_threadpool(save_photo, service, photo, fields.get("player", ""))
    except ClientDisconnect:
        raise UploadBroken from None
    except BrikksError:
        await drain(chunks)
        raise
    finally:
        if upload is not None:  # read, refused, given up or never begun
            upload.file.unlink(missing_ok=True)
    if wants_json(request):
        return JSONResponse(
            {
                "results": [await run_in_threadpool(result_json, service, each, language)
                            for each in added.results],
                "errors": [error.text(language) for error in photo.errors],
            }
        )  # fmt: skip
    if len(added.results) == 1 and not photo.errors:
        return see(f"/result/{added.results[0]}")
    chosen = [("chosen", str(number)) for number in added.results]
    found = [("found", "1")] if len(chosen) > 1 else []
    unread = [("unread", "1")] if photo.errors else []
    return see(f"/history?{urlencode([*chosen, *found, *unread])}")


def save_photo(service: Service, photo: ReadPhoto, player: str) -> Added:
    with service.open() as record:
        added = add_photo(record, photo.facts, photo.sheets, player or None)
        if not added.results and forget_photo(record, photo.facts.sha256):
            # its results were removed, or an earlier look at it found no sheet
            added = add_photo(record, photo.facts, photo.sheets, player or None)
        for number in added.results:  # a photo sent again to say whose it is
            if player and not added.is_new and get_result(record, number).player is None:
                assign_player(record, number, player)
    return added


def length_of(request: Request) -> int | None:
    value = request.headers.get("content-length", "")
    return int(value) if re.fullmatch(r"\d{1,15}", value, re.ASCII) else None


async def drain(chunks: AsyncIterator[bytes]) -> None:
    """Let a refused upload arrive: browsers show no answer while they still send."""
    left = DRAINED_BYTES
    with suppress(ClientDisconnect, TimeoutError, RuntimeError):
        async with asyncio.timeout(DRAINED_SECONDS):
            async for chunk in chunks:
                left -= len(chunk)
                if left < 0:
                    return
