"""What a phone needs of the page: its certificate, the app, and the camera.

Frames of the camera are looked at and forgotten.
"""

from __future__ import annotations

import io
import json
from contextlib import ExitStack
from functools import partial
from typing import Annotated
from urllib.parse import urlencode

import segno
from fastapi import Query
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, Response
from markupsafe import Markup
from starlette.requests import ClientDisconnect

from brikks_vision.errors import FileTooLarge, PageMissing, UploadBroken
from brikks_vision.intake.workers import see_frame
from brikks_vision.text.languages import texts_in, typeset
from brikks_vision.web import answers, guard, pages, uploads
from brikks_vision.web.secure import Secure
from brikks_vision.web.service import Visit, new_router

router = new_router()


@router.get(guard.TRUST_ADDRESS, response_class=HTMLResponse)
def trust(request: Visit) -> Response:
    """The steps on a phone, and what to tap without them."""
    secure = _secure(request)
    certificate = f"http://{secure.host}:{secure.plain_port}{guard.AUTHORITY_ADDRESS}"
    there = secure.address_for(request.url).replace(path="/", query="")
    return answers.page_of(
        request,
        "trust.html",
        certificate=certificate,
        code=_qr_picture(certificate),
        there=str(there),
    )


@router.get(guard.AUTHORITY_ADDRESS, response_class=Response)
def authority(request: Visit) -> Response:
    """The certificate that a phone has to trust; its key stays here."""
    headers = {"Content-Disposition": 'attachment; filename="brikks-vision.crt"'}
    content = _secure(request).authority.read_bytes()
    return Response(content, media_type="application/x-x509-ca-cert", headers=headers)


def _secure(request: Visit) -> Secure:
    found = request.service.secure
    if found is None:
        raise PageMissing
    return found


def _qr_picture(text: str) -> Markup:
    """A QR code as a part of a page (SVG)."""
    buffer = io.BytesIO()
    segno.make(text, error="l", micro=False).save(
        buffer, kind="svg", xmldecl=False, svgns=False, svgclass="code", lineclass=None,
        omitsize=True, light="#fff",
    )  # fmt: skip
    return Markup(buffer.getvalue().decode())  # drawn here, of squares alone


@router.get("/manifest.webmanifest", response_class=Response)
def manifest(request: Visit) -> Response:
    """The page as an app on the home screen (W3C Web Application Manifest)."""
    service, words = request.service, texts_in(request.language).page
    # An app on the home screen may have cookies of its own, so its address brings the key.
    key = "" if service.key is None else f"?{urlencode({guard.KEY_PARAMETER: service.key})}"
    own = {each: words[each] for each in ("name", "short_name")} | {"start_url": f"/{key}"}
    data = json.loads((pages.STATIC / "manifest.json").read_text()) | own
    return Response(json.dumps(data), media_type="application/manifest+json")


@router.get("/worker.js", response_class=Response)
def worker() -> Response:
    """The service worker, from an address from which it may serve all pages."""
    return FileResponse(pages.STATIC / "worker.js", media_type="text/javascript")


@router.get("/away", response_class=HTMLResponse)
def away(request: Visit) -> Response:
    """What a device shows while this computer cannot be reached: nothing of anybody's."""
    return answers.page_of(request, "away.html", most_bytes=uploads.MAX_BYTES, problem="")


LOOK_ADDRESS = "/look"
MAX_FRAME_BYTES = 1_000_000  # a JPEG of 640 px has 100,000 at most


@router.post(
    LOOK_ADDRESS,
    openapi_extra={
        "requestBody": {
            "required": True,
            "content": {"image/jpeg": {"schema": {"type": "string", "format": "binary"}}},
        }
    },
)
async def look(request: Visit, turn: Annotated[int, Query(ge=0, le=10**6)] = 0) -> Response:
    """What a small frame shows, as JSON: the outline of the sheet or board, and one hint or none.

    turn : how many frames before it showed nothing; the next one is given back.
    """
    readers, language = request.readers, request.language
    frame = bytearray()
    try:
        with ExitStack() as until_seen:
            async with request.service.arrivals.place(readers) as arrival:
                until_seen.enter_context(readers.place())
                async for chunk in arrival.counted(request.stream()):
                    frame += chunk
                    if len(frame) > MAX_FRAME_BYTES:
                        raise FileTooLarge(-(-len(frame) // 1_000_000), 1)
            seen = await readers.read(partial(see_frame, bytes(frame), turn, language))
    except ClientDisconnect:
        raise UploadBroken from None
    seen["sentence"] = typeset(seen["sentence"], language)
    return JSONResponse(seen | {"turn": turn if seen["outline"] else turn + 1})
