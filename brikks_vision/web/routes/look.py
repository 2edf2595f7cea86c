"""The camera on the page: frames that are looked at and forgotten."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import asdict
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse, Response
from starlette.requests import ClientDisconnect

from brikks_vision.errors import FileTooLarge, UploadBroken
from brikks_vision.intake.frames import see_frame
from brikks_vision.text.typography import typeset
from brikks_vision.web.service import language_for, readers_of, service_of

LOOK_ADDRESS = "/look"
MAX_FRAME_BYTES = 1_000_000  # a JPEG of 640 px has 100,000 at most

router = APIRouter()


@router.post(
    LOOK_ADDRESS,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def look(request: Request, turn: Annotated[int, Query(ge=0, le=10**6)] = 0) -> Response:
    """What a small frame shows, as JSON: the outline of the sheet or board, and one hint or none.

    turn : how many frames before it showed nothing; the next one is given back.
    """
    readers, language = readers_of(request), language_for(request)
    frame = bytearray()
    try:
        with ExitStack() as until_seen:
            async with service_of(request).arrivals.place(readers) as arrival:
                until_seen.enter_context(readers.place())
                async for chunk in arrival.counted(request.stream()):
                    frame += chunk
                    if len(frame) > MAX_FRAME_BYTES:
                        raise FileTooLarge(-(-len(frame) // 1_000_000), 1)
            seen = await readers.read(partial(see_frame, bytes(frame), turn, language))
    except ClientDisconnect:
        raise UploadBroken from None
    told = asdict(seen) | {"sentence": typeset(seen.sentence, language)}
    return JSONResponse(told | {"turn": turn if seen.outline else turn + 1})
